"""The heuristic of Cai and Jiang (2020, section 2): its parameters, the guess where the nugget is, and h. Smaller h is better.

h = min over the joined cells (i, j) of [w1 |i - gx| + w2 |j - gy| + (w3 where the lower edge is open)] + w4 (open ends) + w5
(own maluses)
    + w6 (good tiles above row 5) + w7 m

with other weights in the opening and in the end game, which begins with a tile at row 10 or below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.kernels import kernel, lowest, without_lowest
from molehunt.core.language import later
from molehunt.core.specs import parameter
from molehunt.games.duel.actions import LOOK, encode
from molehunt.games.duel.cards import (
    CODE_CENTRE,
    CODE_EDGES,
    EMPTY,
    ENTRANCE,
    FIRST_TILE_CODE,
    KINDS,
    MAP,
    NUGGET,
    OPEN,
    UNKNOWN,
)
from molehunt.games.duel.maze import STEPS, put, size_of
from molehunt.games.duel.rules import holds_card
from molehunt.games.duel.state import GOAL_CELLS, GRID, WORDS, cell_number

JOINED, ALL = "joined", "all"

# Entries of the array of settings that the kernels read.
(
    W1,
    OPENING_W2,
    OPENING_W3,
    END_W2,
    END_W3,
    W4,
    W5,
    W6,
    OPENING_W7,
    END_W7,
    END_CELLS,
    ABOVE_CELLS,
    OPEN_ENDS_ALL,
    WINS_FIRST,
    GUESS,
    HANDS,
    LATER,
    MAP_FIRST,
    WINS_AT_ROOT,
    LARGEST_H,
    INFERRED,
    LIKELY,
) = range(22)
"""The weights; the first cell of the end game's rows; the first cell that is not above; which open ends count; whether a win
is worth more than any h; the goal where the nugget is guessed (set for every move); how many hands of the other are sampled,
0 where it is not modelled; what it costs to win later; whether a map is played before all else; whether only the move made now wins
first; whether the search takes the largest h at its inner OR nodes; whether a sampled hand is inferred from what the other has
played; and from LIKELY on, by kind, what share of the unseen cards they may hold."""
SETTINGS = LIKELY + KINDS

WIN = 1e9
"""What a win is worth where `wins_first` is set, and what a win of the other costs."""
MIDDLE = 1
_GOOD_TILES = (0, 5, 6, 7, 8, 9, 10)
GOOD = np.zeros(ENTRANCE, np.bool_)
"""Whether a tile's code is that of a good tile: 0, 5, 6, 7, 8, 9, 10, flipped or not."""
for _tile in _GOOD_TILES:
    GOOD[FIRST_TILE_CODE + 2 * _tile : FIRST_TILE_CODE + 2 * _tile + 2] = True


@dataclass(frozen=True)
class Weights:
    """The numbers of h and how its terms are read."""

    w1: float = parameter(1000.0, later("cost of a row between the tunnel and the goal"))
    opening_w2: float = parameter(200.0, later("cost of a column between the tunnel and the goal in the opening"))
    opening_w3: float = parameter(-300.0, later("cost of a lower edge that is open in the opening"))
    end_w2: float = parameter(1000.0, later("cost of a column in the end game"))
    end_w3: float = parameter(-1800.0, later("cost of a lower edge that is open in the end game"))
    w4: float = parameter(-50.0, later("cost of an open end"))
    w5: float = parameter(40000.0, later("cost of a malus in front of oneself"))
    w6: float = parameter(100.0, later("cost of a good tile above good_row"))
    opening_w7: float = parameter(-50000.0, later("cost of a malus card in hand in the opening"))
    end_w7: float = parameter(-50000.0, later("cost of a malus in front of the opponent in the end game"))
    end_row: int = parameter(10, later("a tile at this row or below begins the end game"), low=0, high=14)
    good_row: int = parameter(5, later("good tiles above this row cost w6"), low=0, high=14)
    open_ends: str = parameter(
        JOINED, later("the open ends that count: of the tunnel from the entrance, or all"), choices=(JOINED, ALL)
    )
    wins_first: bool = parameter(True, later("reaching the nugget is worth more than any h"))
    map_first: bool = parameter(True, later("a map is played before all else while the nugget's place is unknown"))
    # The last, as from here on its name stands for it.
    later: float = parameter(
        1e6, later("what it costs to win one move later, where wins come first"), low=0.0, high=1e7
    )

    def settings(self) -> npt.NDArray[np.float64]:
        """The array that the kernels read: shape (SETTINGS,), entries named at the top of this module."""
        result = np.zeros(SETTINGS)
        result[[W1, OPENING_W2, OPENING_W3, END_W2, END_W3]] = (
            self.w1,
            self.opening_w2,
            self.opening_w3,
            self.end_w2,
            self.end_w3,
        )
        result[[W4, W5, W6, OPENING_W7, END_W7]] = self.w4, self.w5, self.w6, self.opening_w7, self.end_w7
        result[[END_CELLS, ABOVE_CELLS]] = (self.end_row + 1) * GRID, cell_number(self.good_row, 0)
        result[[OPEN_ENDS_ALL, WINS_FIRST, LATER]] = self.open_ends == ALL, self.wins_first, self.later
        result[MAP_FIRST] = self.map_first
        return result


@kernel
def guess_goal(goals: Any) -> int:
    """The goal where the nugget is, or is guessed: the only one left, else the middle one, else the first that it can be."""
    unknown = 0
    first = -1
    for goal in range(3):
        if goals[goal] == NUGGET:
            return goal
        if goals[goal] == UNKNOWN:
            unknown += 1
            if first < 0:
                first = goal
    return MIDDLE if unknown > 1 and goals[MIDDLE] == UNKNOWN else first


@kernel
def nugget_is_known(goals: Any) -> bool:
    """Whether the place of the nugget follows from what a player knows of the goals."""
    unknown = 0
    for goal in range(3):
        if goals[goal] == NUGGET:
            return True
        unknown += goals[goal] == UNKNOWN
    return unknown == 1


@kernel
def map_to_play(view: Any) -> Any:
    """The map move that comes before all else, -1 if there is none.

    While the place of the nugget is not known, it looks at the leftmost goal that is not known.
    """
    if nugget_is_known(view.goals) or not holds_card(view.hand, MAP):
        return -1
    for goal in range(3):
        if view.goals[goal] == UNKNOWN and not view.revealed >> goal & 1:
            return encode(LOOK, MAP, 0, goal)
    return -1


@kernel
def heuristic(maze: Any, own_malus: int, their_malus: int, malus_cards: int, settings: Any) -> Any:
    """H of a board, with so many maluses in front of oneself and of the opponent, and malus cards in hand."""
    end_game = False
    good_above = 0
    for word in range(WORDS):
        rest = maze.tiles[word]
        while rest:
            cell = word << 6 | lowest(rest)
            rest = without_lowest(rest)
            end_game = end_game or cell >= settings[END_CELLS]
            if cell < settings[ABOVE_CELLS] and GOOD[maze.what[cell]]:
                good_above += 1
    w2 = settings[END_W2] if end_game else settings[OPENING_W2]
    w3 = settings[END_W3] if end_game else settings[OPENING_W3]
    w7 = settings[END_W7] * their_malus if end_game else settings[OPENING_W7] * malus_cards
    goal = GOAL_CELLS[np.int64(settings[GUESS])]
    nearest = np.inf
    for word in range(WORDS):
        rest = maze.joined[word]
        while rest:
            cell = word << 6 | lowest(rest)
            rest = without_lowest(rest)
            far = settings[W1] * abs(cell // GRID - goal // GRID) + w2 * abs(cell % GRID - goal % GRID)
            if CODE_EDGES[maze.what[cell]] & 4:
                far += w3
            nearest = min(nearest, far)
    return (
        nearest
        + settings[W4] * count_open_ends(maze, settings[OPEN_ENDS_ALL] != 0)
        + settings[W5] * own_malus
        + settings[W6] * good_above
        + w7
    )


@kernel
def count_open_ends(maze: Any, of_all: bool) -> Any:
    """How many empty cells an open edge faces: of the tunnel from the entrance, or of all that says what fits beside it."""
    cells = np.zeros(WORDS, np.uint64)
    for word in range(WORDS):
        if of_all:
            for edges in range(1, 16):
                cells[word] |= maze.fitting[edges, word]
            continue
        rest = maze.joined[word]
        while rest:
            cell = word << 6 | lowest(rest)
            rest = without_lowest(rest)
            code = maze.what[cell]
            if CODE_CENTRE[code] == OPEN:
                for side in range(4):
                    if CODE_EDGES[code] >> side & 1 and maze.what[cell + STEPS[side]] == EMPTY:
                        put(cells, cell + STEPS[side])
    return size_of(cells)
