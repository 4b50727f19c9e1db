"""`duel-star`: information-set search by playing on.

It draws deals that it holds possible, makes each promising move in each of them, and plays the games to the end with the
digger on its own seat. On the other seat sits a digger or a player at random, by what the other's moves so far say of it:
who digs must be feared next to the nugget, who plays at random may be handed the last tile. The moves are compared on the
same deals, and the worse half is left out again and again (sequential halving), so that most games are played where the
choice is close.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.agents.duel.digger import MOST_MOVES, RISK, SCRATCH, dig, list_promising, settings_of
from molehunt.agents.duel.opponent import MIND, chance_of_digger, note_event, open_mind
from molehunt.agents.duel.random_listed import listed_action
from molehunt.core.agent import Agent, Rows
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.kernels import kernel
from molehunt.core.panels import Bar, Bars, Panel
from molehunt.core.specs import parameter
from molehunt.core.streams import game_seeds, next_word
from molehunt.games.duel.game import Duel, check_game
from molehunt.games.duel.rules import advance
from molehunt.games.duel.state import GOING_ON, OUTCOME, REVEALED, SEAT, TO_MOVE, WINNER


@dataclass(frozen=True)
class Parameters:
    """What can be set in `duel-star`."""

    deals: int = parameter(24, "deals on which the most promising moves are compared", low=1, high=100_000)
    seconds: float = parameter(0.0, "time for one move, in seconds; 0 = any", low=0.0, high=3600.0)
    candidates: int = parameter(8, "moves that are compared at first", low=1, high=64)
    near: float = parameter(
        5.0, "moves are compared where the way is not longer; else the digger's is made", low=0.0, high=999.0
    )
    belief: float = parameter(8.0, "games that count for what a move is worth by its way alone", low=0.0, high=1000.0)
    slope: float = parameter(0.1, "what a longer way costs by that measure", low=0.0, high=1.0)
    draw: float = parameter(0.3, "what a draw is worth, where a win is 1 and a loss 0", low=0.0, high=1.0)
    suspicion: float = parameter(0.5, "the chance that the other digs, before it has moved", low=0.0, high=1.0)
    patience: float = parameter(0.3, "what it costs to wait for a card, against laying a tile", low=0.0, high=10.0)
    progress: float = parameter(0.05, "the least that a tile must shorten the way", low=0.0, high=10.0)
    risk: float = parameter(
        0.3, "the chance of the other's finishing from which on a tile is held back", low=0.0, high=2.0
    )
    shy: float = parameter(3.0, "how long the way is when risks and maluses begin to count", low=0.0, high=99.0)


LEAST_CHANCE, NEVER = 0.01, 2.0
"""The least chance that the other digs, where risks are weighed; a risk that no chance reaches."""
EDITIONS: dict[str, Parameters] = {"tuned": Parameters(), "digger": Parameters(near=0.0)}
"""The digger alone plays no games on: less than a millisecond a move."""


class Memory(NamedTuple):
    """What the chairs of one table remember."""

    game: Duel
    minds: npt.NDArray[Any]


class DuelStarAgent(Agent):
    """The strongest player of the duel here."""

    in_batches = False
    needs_machine_code = True

    def __init__(self, name: str = "duel-star", parameters: Parameters = EDITIONS["tuned"]) -> None:
        self.name = name
        self.parameters = parameters
        self.settings = settings_of(parameters.patience, parameters.progress, parameters.risk, parameters.shy)

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        duel = check_game(self.name, game)
        minds = np.zeros(len(views), MIND)
        minds["stream"][:, 0] = streams
        open_mind(minds, views, self.parameters.suspicion)
        return Memory(duel, minds)

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        actions = np.empty(len(views), np.int32)
        for index, row in enumerate(rows):
            mind = memory.minds[row : row + 1]
            actions[index] = Comparison(self, memory.game, views[index : index + 1], mind).best
        return actions

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        note_event(events, memory.minds, rows)

    def beliefs(self, game: Game, view: Any, memory: Any, row: int) -> tuple[Panel, ...]:
        """What it makes of the other: how likely it digs for the nugget and does not play at random."""
        mind = memory.minds[row : row + 1]
        chance = chance_of_digger(mind)
        return (
            Bars("Digs for the nugget", 0.0, 1.0, (Bar(f"seat {1 - int(mind['seat'][0])}", chance, f"{chance:.0%}"),)),
        )

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        mind = memory.minds[row : row + 1].copy()
        return Comparison(self, memory.game, np.atleast_1d(view), mind).in_words()


class Comparison:
    """The promising moves of one view, compared by playing on."""

    def __init__(self, agent: DuelStarAgent, game: Duel, views: Views, mind: Any) -> None:
        self.game = game
        self.parameters = agent.parameters
        self.digger = float(chance_of_digger(mind))
        settings = agent.settings.copy()
        settings[RISK] = min(settings[RISK] / max(self.digger, LEAST_CHANCE), NEVER)
        stream = np.uint64(next_word(mind["stream"][0]))
        scratch, moves, scores = np.zeros(1, SCRATCH), np.empty(MOST_MOVES, np.int32), np.empty(MOST_MOVES)
        seat = int(views[0]["info"][SEAT])
        count = list_promising(game.resample(views, np.array([stream])), seat, settings, scratch, moves, scores)
        order = np.argsort(scores[:count], kind="stable")[: self.parameters.candidates]
        self.moves = moves[:count][order]
        self.ways = scores[:count][order]
        self.totals = np.zeros(len(order))
        self.games = np.zeros(len(order), np.int64)
        if 0 < self.ways[0] <= self.parameters.near:
            work = (np.stack([settings, agent.settings]), scratch, np.zeros(1, game.event_dtype), moves, scores)
            self._halve(views, stream, work)
        self.best = int(self.moves[self._order()[0]])

    def _halve(self, views: Views, stream: Any, work: tuple[Any, ...]) -> None:
        """Play the moves on in deals, and leave out the worse half again and again."""
        began = time.perf_counter()
        alive = np.arange(len(self.moves))
        stages = max(1, (len(alive) - 1).bit_length())
        each = max(1, self.parameters.deals // stages)
        streams = game_seeds(int(stream), 0, each * stages)
        deals = self.game.resample(np.repeat(views, len(streams)), streams)
        trial = deals[:1].copy()
        seat, draw = int(views[0]["info"][SEAT]), self.parameters.draw
        deal = 0
        while len(alive) > 1:
            for _ in range(each):
                some = slice(deal, deal + 1)
                compare(
                    deals[some], streams[some], seat, self.digger, draw, self.moves, alive, self.totals, trial, *work
                )
                self.games[alive] += 1
                deal += 1
                if self.parameters.seconds and time.perf_counter() - began > self.parameters.seconds:
                    return
            alive = self._order()[: (len(alive) + 1) // 2]

    def _order(self) -> npt.NDArray[np.int64]:
        """The moves, the best first: those that were played on longest, by what they brought and by their way."""
        played = self.games[0]
        mean = self.totals[0] / played if played else 0.0
        prior = mean - self.parameters.slope * (self.ways - self.ways[0])
        belief = max(self.parameters.belief, 1e-6)
        self.worth = (self.totals + belief * prior) / (self.games + belief)
        return np.lexsort((-self.worth, -self.games))

    def in_words(self) -> str:
        """The moves that were compared, the best first, and what is held of the other."""
        order = self._order()
        listed = ", ".join(
            f"{self.game.format_action(int(self.moves[i]))} ({100 * self.totals[i] / self.games[i]:.0f} % of {self.games[i]} games)"
            if self.games[i]
            else self.game.format_action(int(self.moves[i]))
            for i in order
        )
        return f"The other digs with a chance of {100 * self.digger:.0f} %. Played on from: {listed}."


@kernel
def compare(
    deals: Any,
    streams: Any,
    seat: int,
    digger: float,
    draw: float,
    candidates: Any,
    alive: Any,
    totals: Any,
    trial: Any,
    settings: Any,
    scratch: Any,
    event: Any,
    moves: Any,
    scores: Any,
) -> None:
    """Play each move that is alive on to the end of the first of some deals, and add to `totals` what it brings the seat.

    `settings` has a row for the digger on this seat and one for a digger on the other; the rest is scratch.
    """
    stream = streams[:1].copy()
    other_digs = next_word(stream) >> np.uint64(11) < np.uint64(digger * 2.0**53)
    start = stream[0]
    for index in alive:
        stream[0] = start
        trial[0] = deals[0]
        state = trial[0]
        advance(state, candidates[index], event[0])
        while state.info[OUTCOME] == GOING_ON:
            mover = state.info[TO_MOVE]
            if mover == seat:
                action = dig(state, mover, settings[0], scratch[0], moves, scores)
            elif other_digs:
                action = dig(state, mover, settings[1], scratch[0], moves, scores)
            else:
                action = listed_action(stream, state.hands[mover], state.maze, state.malus[mover], state.info[REVEALED])
            advance(state, action, event[0])
        if state.info[WINNER] == seat:
            totals[index] += 1
        elif state.info[WINNER] < 0:
            totals[index] += draw
