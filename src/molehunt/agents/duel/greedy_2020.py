"""`greedy-2020`: the heuristic of Cai and Jiang (2020) alone. It makes the move after which h is smallest, ties at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.choice import prefer
from molehunt.agents.duel.heuristic_2020 import GUESS, Weights, guess_goal, map_to_play
from molehunt.agents.duel.heuristic_words import reasons
from molehunt.agents.duel.positions import MOST_MOVES, POSITION, immediate_values, position_of_view
from molehunt.core.agent import Agent, Rows
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.kernels import kernel
from molehunt.games.duel.game import check_game


@dataclass(frozen=True)
class Parameters(Weights):
    """What can be set in `greedy-2020`: the weights of h and how its terms are read."""


EDITIONS: dict[str, Parameters] = {"wins_first": Parameters(), "as_printed": Parameters(wins_first=False)}
"""As printed, a board on which the nugget is reached has an h like any other, so one more move may be worth more than a win."""


class Greedy2020Agent(Agent):
    """The player that h alone makes."""

    observes = False

    def __init__(self, name: str = "greedy-2020", parameters: Parameters = EDITIONS["wins_first"]) -> None:
        self.name = name
        self.parameters = parameters
        self.settings = parameters.settings()

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        check_game(self.name, game)
        return streams.copy()

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        actions = np.empty(len(views), np.int32)
        act_many(views, memory, rows, self.settings.copy(), self.parameters.map_first, np.empty(2, POSITION), actions)
        return actions

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        pass

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        return reasons(self.parameters, check_game(self.name, game), view, depth=1)


@kernel
def act_many(views: Any, streams: Any, rows: Any, settings: Any, map_first: bool, positions: Any, out: Any) -> None:
    """A best move by h for each view, with the stream of its chair; `positions` are two records to work in."""
    found = np.empty(MOST_MOVES, np.int32)
    values = np.empty(MOST_MOVES)
    for index in range(len(views)):
        if map_first:
            out[index] = map_to_play(views[index])
            if out[index] >= 0:
                continue
        settings[GUESS] = guess_goal(views[index].goals)
        position_of_view(views[index], positions[0])
        count = immediate_values(positions, settings, found, values)
        out[index] = pick_best(found, values, count, streams[rows[index] : rows[index] + 1])


@kernel
def pick_best(moves: Any, values: Any, count: int, stream: Any) -> Any:
    """One of the moves with the highest value, all equally likely."""
    best = 0
    ties = 0
    for index in range(count):
        ties, chosen = prefer(stream, values[index], values[best], ties, 0.0)
        best = index if chosen else best
    return moves[best]
