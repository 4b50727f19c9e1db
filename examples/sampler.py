"""Flat Monte Carlo: a plain Python player that plays every move on to the end in worlds that it holds possible.

molehunt arena saboteur/krisnadi --agents-from examples/sampler.py --seats saboteur:sampler,miner:decision-2019*3 --games 12
"""

import numpy as np

import molehunt

WORLDS = 32
STAGES = ((1, 6), (8, 1))  # playouts in each world, and how many moves are looked at further


class Sampler(molehunt.Player):
    def begin(self, game, seat, view):
        """The game begins: who plays on from here on all seats, mine included?"""
        self.game, self.seat = game, seat
        self.everybody = [molehunt.Agents(game.name).make("decision-2019")] * game.seats

    def choose(self, view):
        """The move that wins most often: first all are tried, then the best of them more often; equals by lot."""
        moves = self.random.permutation(np.array(view.legal_actions.codes, np.int32))
        worlds = self.game.resample(np.repeat(view.record, WORLDS), self.seeds(1))
        for playouts, kept in STAGES:
            won = self.try_out(moves, np.repeat(worlds, playouts), self.seeds(playouts))
            moves = moves[np.argsort(-won, kind="stable")[:kept]]
        return int(moves[0])

    def try_out(self, moves, worlds, seeds):
        """What each move wins on average, played on to the end in every world."""
        states = np.repeat(worlds, len(moves))  # each world once for every move
        self.game.apply(states, np.tile(moves, len(worlds)))
        ended = molehunt.play_on(self.game, states, self.everybody, seeds=np.repeat(seeds, len(moves)))
        return self.game.margins(ended.states)[:, self.seat].reshape(len(worlds), len(moves)).mean(axis=0)

    def seeds(self, each):
        """Random numbers for every world; from the seat's own generator, so the same seed plays the same game."""
        return self.random.integers(2**53, size=WORLDS * each, dtype=np.uint64)
