"""Games that are played while the slow players of 2012 listen beside the compiled ones: the same beliefs after every move."""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from games.saboteur.playing import mover, seeds_of, seen_by, table
from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.kripke_2012 import Kripke2012Agent, Memory
from molehunt.agents.saboteur.kripke_parameters import Kripke2012
from molehunt.core.streams import seat_streams
from molehunt.games.saboteur.cards import CARD_NAMES, GOAL_NAMES, NO_CARD, ROLE_NAMES
from molehunt.games.saboteur.game import Saboteur
from reference import kripke_players as slow
from reference.saboteur import KRISNADI, OFFICIAL, VELDHUIS, ReferenceGame, Rules

AGENTS = Agents("saboteur")
BASES = {"krisnadi": KRISNADI, "official": OFFICIAL, "veldhuis": VELDHUIS}
ONE = np.zeros(1, np.int64)


def rules_of(game: Saboteur) -> Rules:
    """The rules of one round, as the slow engine has them."""
    rules = game.ruleset
    return dataclasses.replace(
        BASES[rules.name],
        rounds=1,
        talk=rules.talk,
        hidden_role=rules.hidden_role,
        saboteurs=rules.saboteurs or BASES[rules.name].saboteurs,
        goals_fit=rules.goals_fit,
        stones_let_in=rules.stones_let_in,
        stones_face_entry=rules.stones_face_entry,
        double_repair_mends_both=rules.double_mends_both,
    )


def followed_from(game: Saboteur, state: Any) -> ReferenceGame:
    """The slow game of a round that was just dealt."""
    seats = game.seats
    return ReferenceGame(
        rules_of(game),
        [ROLE_NAMES[role] for role in state["roles"][:seats]],
        [GOAL_NAMES[content] for content in state["goals"]],
        [[CARD_NAMES[card] for card in hand if card != NO_CARD] for hand in state["hands"][:seats]],
        [CARD_NAMES[card] for card in state["deck"][int(state["drawn"]) :]],
        mover(np.atleast_1d(state)),
    )


def counts_of(game: Saboteur) -> tuple[int, ...]:
    """How many saboteurs there may be."""
    most = game.ruleset.saboteurs_for(game.seats)
    return (most, most - 1) if game.ruleset.hidden_role else (most,)


def kripke(spec: str = "kripke-2012") -> Kripke2012Agent:
    """A player of 2012."""
    agent = AGENTS.make(spec)
    assert isinstance(agent, Kripke2012Agent)
    return agent


def teams_of(roles: Any) -> tuple[slow.State, ...]:
    """The saboteurs of every state. The same few tables are asked for at every comparison."""
    return _teams(roles.astype(np.bool_).tobytes(), len(roles))


@functools.cache
def _teams(roles: bytes, seats: int) -> tuple[slow.State, ...]:
    states = np.frombuffer(roles, np.bool_).reshape(seats, -1).T
    return tuple(frozenset(np.flatnonzero(state).tolist()) for state in states)


def beliefs_of(memory: Memory, chair: int, row: int) -> slow.Beliefs:
    """A row of strengths, without the states that are known to be false."""
    strengths = memory.strengths[chair, row]
    teams = teams_of(memory.roles)
    return {teams[state]: strength for state, strength in enumerate(strengths.tolist()) if strength > -np.inf}


def believed_of(memory: Memory, chair: int, row: int) -> set[slow.State]:
    """The states that a row believes."""
    teams = teams_of(memory.roles)
    return {teams[state] for state in np.flatnonzero(memory.believed()[chair, row]).tolist()}


def same_strengths(one: slow.Beliefs, other: slow.Beliefs) -> bool:
    return one.keys() == other.keys() and all(abs(one[state] - other[state]) < slow.ROUNDING for state in one)


class Beside:
    """One round: `players` move, and on each of `watched` seats a player of 2012 and its slow twin listen.

    Where a watched seat is played by the very agent that listens there, its choices are compared too, one in `every`.
    """

    def __init__(
        self, label: str, players: Sequence[str], number: int, spec: str, watched: Iterable[int], every: int = 0
    ) -> None:
        self.game = table(label, len(players))
        seeds = seeds_of(number, 1)
        self.states = self.game.new(seeds)
        self.followed = followed_from(self.game, self.states[0])
        streams = seat_streams(seeds, self.game.seats)
        self.agents = [AGENTS.make(player) for player in players]
        self.memories = [
            agent.start(self.game, seen_by(self.game, self.states, seat), streams[:, seat])
            for seat, agent in enumerate(self.agents)
        ]
        self.spec = kripke(spec).name
        self.parameters: Kripke2012 = kripke(spec).parameters
        self.every = every
        self.watchers: dict[int, tuple[Kripke2012Agent, Memory]] = {}
        self.slow: dict[int, slow.Believer] = {}
        states = slow.role_states(self.game.seats, counts_of(self.game))
        for seat in watched:
            watcher = kripke(spec)
            memory = watcher.start(self.game, seen_by(self.game, self.states, seat), streams[:, seat])
            self.watchers[seat] = watcher, memory
            self.slow[seat] = slow.Believer(seat, self.game.seats, self.followed.roles[seat], states, self.parameters)
        self.lengths = slow.best_ways(self.followed)
        self.checked: Counter[str] = Counter()
        self.moves: list[str] = []

    def run(self) -> Counter[str]:
        """Play the round to its end, and compare from the start on."""
        self.compare()
        while mover(self.states) >= 0:
            seat = mover(self.states)
            view = seen_by(self.game, self.states, seat)
            action = self.agents[seat].act(view, self.memories[seat], ONE)
            move = self.game.format_action(int(action[0]))
            if self.every and self.agents[seat].name == self.spec and seat in self.slow:
                self.check_choice(seat, move)
            before = slow.with_board(self.followed, dict(self.followed.board))
            before.face_up = list(self.followed.face_up)
            told = self.followed.apply(move)
            events = self.game.apply(self.states, action)
            mine = slow.mine_of(before, move, self.followed, self.lengths)
            self.lengths = mine.after
            for other, agent in enumerate(self.agents):
                agent.observe(events[:, other], self.memories[other], ONE)
            for other, (watcher, memory) in self.watchers.items():
                watcher.observe(events[:, other], memory, ONE)
                self.slow[other].notice(told[other], mine)
            self.moves.append(move)
            self.checked[move.partition("@")[0].partition(":")[0].partition(">")[0][:2]] += 1
            self.compare()
        assert self.followed.over
        return self.checked

    def where(self, seat: int) -> str:
        """The place of a difference."""
        return f"{self.game.label}, {self.spec}, seat {seat}, {self.followed.roles}, after {' '.join(self.moves)}"

    def compare(self) -> None:
        """All that the watchers hold, beside the slow ones."""
        for seat, (_, memory) in self.watchers.items():
            agent, mind, where = self.slow[seat], memory.records[0], self.where(seat)
            rows = {0: agent.own, **{1 + other: picture for other, picture in agent.pictures.items()}}
            seats = self.game.seats
            for other, pictures in agent.theirs.items():
                rows |= {1 + seats * (1 + other) + third: beliefs for third, beliefs in pictures.items()}
            assert memory.strengths.shape[1] == (1, 1 + seats, 1 + seats + seats * seats)[self.parameters.depth - 1]
            for row, beliefs in rows.items():
                found = beliefs_of(memory, 0, row)
                assert same_strengths(found, beliefs), f"{where}: row {row} is {found}, not {beliefs}"
                if not self.at_the_line(beliefs):
                    states = believed_of(memory, 0, row)
                    assert states == slow.believed(beliefs, self.parameters), f"{where}: row {row}"
                    assert states
                    self.checked["not all believed"] += len(states) < len(beliefs)
                    self.checked["one believed"] += len(states) == 1
                    self.checked["all below"] += max(beliefs.values()) < self.parameters.threshold
                # A difference by rounding shall not grow.
                beliefs.update(found)
            assert bool(mind["explicit"]) == agent.explicit, f"{where}: explicit is {mind['explicit']}"
            trusted = None if mind["trusted"] < 0 else int(mind["trusted"])
            assert trusted == agent.trusted, f"{where}: trusts {trusted}, not {agent.trusted}"
            assert int(mind["suspecting"]) == agent.suspecting, where
            self.checked["trusted"] += trusted is not None
            self.checked["explicit"] += agent.explicit
            self.checked["suspected"] += agent.suspecting > 0
            self.checked["compared"] += 1

    def at_the_line(self, beliefs: slow.Beliefs) -> bool:
        """Whether a strength is at the threshold but for rounding."""
        line = min(self.parameters.threshold, max(beliefs.values()))
        return any(0 < abs(strength - line) < slow.ROUNDING for strength in beliefs.values())

    def check_choice(self, seat: int, move: str) -> None:
        """The move is one that the slow player may choose."""
        if len(self.moves) % self.every:
            return
        allowed = slow.best_moves(self.slow[seat], self.followed)
        assert move in allowed, f"{self.where(seat)}: plays {move}, not one of {sorted(allowed)}"
        self.checked["choices"] += 1
        self.checked["choices with ties"] += len(allowed) > 1
        kind = (
            "P" if move.startswith("P_") else "D" if move.startswith("D_") else move.partition(":")[0].partition(">")[0]
        )
        kind = kind.partition("@")[0]
        explicit = " explicit" if self.slow[seat].explicit else ""
        self.checked[f"{self.followed.roles[seat]}{explicit} {kind}"] += 1
