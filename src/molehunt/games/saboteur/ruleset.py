"""Rulesets of Saboteur as values: what differs between the games that people play and study is data here.

The kernels read a ruleset as one array of numbers (`Ruleset.table`), whose entries are named below.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadParameter, UnknownName
from molehunt.core.specs import build, canonical, parameter
from molehunt.games.saboteur.cards import GOAL_PLACES

# Entries of the table that the kernels read.
STRIDE, CELLS, MINE, START, GOALS, GOALS_FIT = 0, 1, 2, 3, 4, 7
DOUBLE_MENDS_BOTH, MAY_BREAK_OWN, BLOCKED_MAY_ROCKFALL, FIRST_SEAT, SABOTEURS, HAND, SEATS = 8, 9, 10, 11, 12, 13, 14
STONES_LET_IN = 15
TABLE_SIZE = 16

MAX_SEATS = 10
MAX_HAND = 6
RANDOM_SEAT = -1


@dataclass(frozen=True)
class Ruleset:
    """One way to play. The fields with a description can be set on the command line (`krisnadi:saboteurs=3`).

    The board is `width` x `height` cells, x to the right and y downwards; start and goals are cells (x, y). A cell's number
    is y * (width + 1) + x: one spare column keeps a shift of the board by one cell from running into the next row.
    """

    name: str
    width: int
    height: int
    start: tuple[int, int]
    goals: tuple[tuple[int, int], ...]
    min_seats: int
    hand_sizes: tuple[tuple[int, int], ...]  # (up to this many seats, cards in a hand)
    default_saboteurs: tuple[tuple[int, int], ...]  # (up to this many seats, saboteurs)
    saboteurs: int = parameter(0, "number of saboteurs, known to all; 0 = by the number of seats", low=0, high=9)
    first_seat: int = parameter(
        RANDOM_SEAT, "the seat that begins; -1 = a random one", low=RANDOM_SEAT, high=MAX_SEATS - 1
    )
    goals_fit: bool = parameter(True, "a face-down goal is an open cross: it counts for the fit and for the way")
    double_mends_both: bool = parameter(True, "a double repair mends both of its tools, not one of the two")
    may_break_own: bool = parameter(False, "a player may break his own tool")
    blocked_may_rockfall: bool = parameter(True, "a player with a broken tool may still play a rockfall")
    stones_let_in: bool = parameter(True, "a tunnel enters a stone that lies open even where the stone shows it a wall")

    @property
    def stride(self) -> int:
        """How far apart the numbers of two cells are that lie one above the other."""
        return self.width + 1

    def cell(self, x: int, y: int) -> int:
        """The number of the cell (x, y)."""
        return y * self.stride + x

    def place(self, cell: int) -> tuple[int, int]:
        """The (x, y) of a cell's number."""
        return cell % self.stride, cell // self.stride

    def saboteurs_for(self, seats: int) -> int:
        """How many saboteurs sit among so many players."""
        return self.saboteurs or _by_seats(self.default_saboteurs, seats)

    def hand_for(self, seats: int) -> int:
        """How many cards a player holds among so many players."""
        return _by_seats(self.hand_sizes, seats)

    def check(self, seats: int) -> None:
        """Raise BadParameter where so many seats cannot play this ruleset."""
        if not self.min_seats <= seats <= MAX_SEATS:
            raise BadParameter(f"{self.name} is played by {self.min_seats} to {MAX_SEATS} seats, not {seats}")
        if not 1 <= self.saboteurs_for(seats) < seats:
            raise BadParameter(
                f"{self.name}: saboteurs must be 1 to {seats - 1} with {seats} seats, not {self.saboteurs_for(seats)}"
            )
        if self.first_seat >= seats:
            raise BadParameter(
                f"{self.name}: first_seat must be below the number of seats, {seats}, not {self.first_seat}"
            )

    def table(self, seats: int) -> npt.NDArray[np.int64]:
        """The ruleset as the kernels read it: shape (TABLE_SIZE,), entries named at the top of this module."""
        table = np.zeros(TABLE_SIZE, np.int64)
        table[STRIDE] = self.stride
        table[CELLS] = self.height * self.stride
        table[MINE] = sum(1 << self.cell(x, y) for x in range(self.width) for y in range(self.height))
        table[START] = self.cell(*self.start)
        for index, goal in enumerate(self.goals):
            table[GOALS + index] = self.cell(*goal)
        table[GOALS_FIT] = self.goals_fit
        table[DOUBLE_MENDS_BOTH] = self.double_mends_both
        table[MAY_BREAK_OWN] = self.may_break_own
        table[BLOCKED_MAY_ROCKFALL] = self.blocked_may_rockfall
        table[STONES_LET_IN] = self.stones_let_in
        table[FIRST_SEAT] = self.first_seat
        table[SABOTEURS] = self.saboteurs_for(seats)
        table[HAND] = self.hand_for(seats)
        table[SEATS] = seats
        return table

    def __post_init__(self) -> None:
        if self.height * self.stride > 63:
            raise BadParameter(f"{self.name}: the board must have at most 63 cells with its spare column")
        if len(self.goals) != len(GOAL_PLACES):
            raise BadParameter(f"{self.name}: there are three goals, not {len(self.goals)}")


def _by_seats(table: tuple[tuple[int, int], ...], seats: int) -> int:
    return next((value for limit, value in table if seats <= limit), table[-1][1])


KRISNADI = Ruleset(
    name="krisnadi",
    width=9,
    height=5,
    start=(0, 2),
    goals=((8, 0), (8, 2), (8, 4)),
    min_seats=3,
    hand_sizes=((5, 6), (7, 5), (10, 4)),  # equation (4)
    default_saboteurs=((4, 1), (6, 2), (10, 3)),  # equation (3)
)
"""The 9 x 5 research game of Krisnadi et al. 2019, section 2, with the readings of the program behind its tables."""

RULESETS: dict[str, Ruleset] = {"krisnadi": KRISNADI}


def ruleset_from_text(name: str, items: list[str]) -> Ruleset:
    """The ruleset of a name and its `key=value` items; UnknownName or BadParameter says what would be right."""
    if name not in RULESETS:
        raise UnknownName("ruleset of saboteur", name, RULESETS)
    return build(f"ruleset {name}", {name: RULESETS[name]}, items)


def ruleset_to_text(ruleset: Ruleset) -> str:
    """The ruleset as it is typed; `ruleset_from_text` reads it back."""
    return canonical(ruleset.name, {ruleset.name: RULESETS[ruleset.name]}, ruleset)


def with_saboteurs(ruleset: Ruleset, count: int) -> Ruleset:
    """The same ruleset with so many saboteurs."""
    changes: dict[str, Any] = {"saboteurs": count}
    return replace(ruleset, **changes)
