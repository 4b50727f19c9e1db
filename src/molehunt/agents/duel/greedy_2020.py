"""`greedy-2020`: the heuristic of Cai and Jiang (2020) alone. It makes the move after which h is smallest, ties at random."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.compiled import CompiledAgent
from molehunt.agents.duel.heuristic_2020 import GUESS, MAP_FIRST, Weights, guess_goal, map_to_play
from molehunt.agents.duel.heuristic_words import reasons
from molehunt.agents.duel.positions import MOST_MOVES, POSITION, immediate_values, position_of_view
from molehunt.core.agent import check_seating, seats_of_views
from molehunt.core.game import Game, Views
from molehunt.core.kernels import kernel
from molehunt.core.memory import SCRATCH_PART
from molehunt.games.duel.game import check_game
from molehunt.games.duel.state import VIEW
from molehunt.games.playing import acting, array_at
from molehunt.reading.choice import prefer


@dataclass(frozen=True)
class Parameters(Weights):
    """What can be set in `greedy-2020`: the weights of h and how its terms are read."""


EDITIONS: dict[str, Parameters] = {"wins_first": Parameters(), "as_printed": Parameters(wins_first=False)}
"""As printed, a board on which the nugget is reached has an h like any other, so one more move may be worth more than a win."""


STREAMS, SETTINGS, POSITIONS = range(0, 6, 2)
"""Where compiled loops find the parts of a memory: the address and the length of each."""

streams_at = array_at(np.uint64)
settings_at = array_at(np.float64)
positions_at = array_at(POSITION)


@kernel
def pick_best(moves: Any, values: Any, count: int, stream: Any) -> Any:
    """One of the moves with the highest value, all equally likely."""
    best = 0
    ties = 0
    for index in range(count):
        ties, chosen = prefer(stream, values[index], values[best], ties, 0.0)
        best = index if chosen else best
    return moves[best]


@acting(VIEW)
def act_one(views: Any, memory: Any, chair: int) -> Any:
    """A best move by h at a view."""
    view = views[0]
    settings = settings_at(memory[SETTINGS], memory[SETTINGS + 1])
    if settings[MAP_FIRST]:
        look = map_to_play(view)
        if look >= 0:
            return np.int64(look)
    positions = positions_at(memory[POSITIONS], memory[POSITIONS + 1])
    found = np.empty(MOST_MOVES, np.int32)
    values = np.empty(MOST_MOVES)
    settings[GUESS] = guess_goal(view.goals)
    position_of_view(view, positions[0])
    count = immediate_values(positions, settings, found, values)
    stream = streams_at(memory[STREAMS], memory[STREAMS + 1])[chair : chair + 1]
    return np.int64(pick_best(found, values, count, stream))


@dataclass
class Memory:
    """The seat and the random stream of each chair; the settings of h, whose guess where the nugget is changes; two positions."""

    seats: npt.NDArray[np.int16]
    streams: npt.NDArray[np.uint64]
    settings: npt.NDArray[np.float64] = field(metadata=SCRATCH_PART)
    positions: npt.NDArray[Any] = field(metadata=SCRATCH_PART)


class Greedy2020Agent(CompiledAgent):
    """The player that h alone makes."""

    observes = False
    act_one = act_one

    def __init__(self, name: str = "greedy-2020", parameters: Parameters = EDITIONS["wins_first"]) -> None:
        self.name = name
        self.parameters = parameters

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        check_game(self.name, game)
        check_seating(game, views, streams)
        return Memory(seats_of_views(views), streams.copy(), self.parameters.settings(), np.zeros(2, POSITION))

    def parts(self, memory: Memory) -> tuple[npt.NDArray[Any], ...]:
        return memory.streams, memory.settings, memory.positions

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        apart = self.take(memory, np.array([row]))
        chosen = int(self.act(np.array(np.atleast_1d(view)), apart, np.zeros(1, np.int64))[0])
        return reasons(self.parameters, check_game(self.name, game), view, 1, chosen)
