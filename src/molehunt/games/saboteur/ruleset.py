"""Rulesets of Saboteur as values: what differs between the games that people play and study is data here.

The kernels read a ruleset as one array of numbers (`Ruleset.params`), whose entries are named below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadParameter, UnknownName
from molehunt.core.language import _, later
from molehunt.core.seats import RANDOM_SEAT
from molehunt.core.specs import build, canonical, parameter, wrong_seats
from molehunt.games.saboteur.cards import (
    BROKEN_TOOLS,
    CARD_NUMBERS,
    DECK_COUNTS,
    GOAL_PLACES,
    KINDS,
    ONE_TOOL_DECK_COUNTS,
    TOOLS,
)

# Entries of the table that the kernels read.
LEFT, RIGHT, TOP, BOTTOM, START, GOALS, GOALS_FIT = 0, 1, 2, 3, 4, 5, 8
DOUBLE_MENDS_BOTH, MAY_BREAK_OWN, BLOCKED_MAY_ROCKFALL, FIRST_SEAT, SABOTEURS, HAND, SEATS = 9, 10, 11, 12, 13, 14, 15
STONES_LET_IN, STONES_FACE_ENTRY, HIDDEN_ROLE, TALK, ROUNDS, SHARES = 16, 17, 18, 19, 20, 21
DEAD_ENDS_TURN_STONES, PACK_BY_MINERS, BROKEN_UNPAID, SPEAK = 22, 23, 24, 25
COUNTS = 26
"""From here on: how many cards of each kind the deck holds."""
DECK_CARDS = COUNTS + KINDS
PARAMS_SIZE = DECK_CARDS + 1

MAX_SEATS = 10
MAX_HAND = 6
MAX_ROUNDS = 3

# Every maze lies on one grid of 64 x 64 cells; (0, 0) is the cell below. A cell's number is row * 64 + column.
GRID = 64
ORIGIN_X, ORIGIN_Y = 28, 32
OPEN_MINE = (-ORIGIN_X, -ORIGIN_Y, GRID - 1 - ORIGIN_X, GRID - 1 - ORIGIN_Y)
"""The bounds of a mine without bounds. The 40 path cards cannot leave it: a tunnel goes up or down half a step for each
vertical open edge it passes, and 14 straight cards with two of them and 14 others with one, the start, the last cell and the
two stones make 46 half steps; to the side it is 26 + 14 + 4. Even face-down goals that count as crosses add three steps only."""


def cell_number(x: int, y: int) -> int:
    """The number of the cell (x, y)."""
    return (y + ORIGIN_Y) * GRID + x + ORIGIN_X


def cell_place(cell: int) -> tuple[int, int]:
    """The (x, y) of a cell's number."""
    return cell % GRID - ORIGIN_X, cell // GRID - ORIGIN_Y


@dataclass(frozen=True)
class Ruleset:
    """One way to play. The fields with a description can be set on the command line (`krisnadi:saboteurs=3`).

    Cells are (x, y), x along the way from the start to the goals, y downwards. `bounds` are the smallest x and y and the
    largest x and y of the mine, both included.
    """

    name: str
    bounds: tuple[int, int, int, int]
    start: tuple[int, int]
    goals: tuple[tuple[int, int], ...]
    seat_limits: tuple[int, int]
    hand_sizes: tuple[tuple[int, int], ...]  # (up to this many seats, cards in a hand)
    default_saboteurs: tuple[tuple[int, int], ...]  # (up to this many seats, saboteurs)
    deck: tuple[tuple[str, int], ...] = ()  # (card, how many), where it is not the full deck
    saboteurs: int = parameter(
        0, later("number of saboteurs (of their cards, if hidden_role); 0 = by the seats"), low=0, high=9
    )
    first_seat: int = parameter(
        RANDOM_SEAT, later("the seat that begins; -1 = a random one"), low=RANDOM_SEAT, high=MAX_SEATS - 1
    )
    hidden_role: bool = parameter(
        False, later("one role card more than players, one stays unseen: the number of saboteurs is hidden")
    )
    goals_fit: bool = parameter(True, later("a face-down goal is an open cross: it counts for the fit and for the way"))
    double_mends_both: bool = parameter(True, later("a double repair mends both of its tools, not one of the two"))
    may_break_own: bool = parameter(False, later("a player may break their own tool"))
    blocked_may_rockfall: bool = parameter(True, later("a player with a broken tool may still play a rockfall"))
    stones_let_in: bool = parameter(
        True, later("a tunnel enters a stone that lies open even where the stone shows it a wall")
    )
    stones_face_entry: bool = parameter(
        False, later("a stone is turned to open towards the card that reached it; else by the cards above and below")
    )
    dead_ends_turn_stones: bool = parameter(
        False, later("without stones_face_entry: also the open edge of a dead-end above or below turns a stone")
    )
    one_tool: bool = parameter(False, later("one kind of block and of deblock card; a player has at most one block"))
    talk: bool = parameter(False, later("after a map its player tells all others what they saw: the truth or a lie"))
    speak: bool = parameter(
        False,
        later("before a card its player may say one thing to all: accuse a player, or ask for a tool to be mended"),
    )
    rounds: int = parameter(1, later("how many rounds make a game"), low=1, high=MAX_ROUNDS)
    payment: str = parameter(
        "pieces",
        later("gold after a round: one piece each to the winning team, or shares by the rule book"),
        choices=("pieces", "shares"),
    )

    pack: str = parameter(
        "players",
        later("gold cards that are drawn for the miners: as many as players (2004), or as miners (2025)"),
        choices=("players", "miners"),
    )
    broken_unpaid: bool = parameter(
        False, later("a miner with a broken tool at the end of a round gets no gold (an optional rule)")
    )

    @property
    def mends_all(self) -> bool:
        """Whether a repair mends all the tools on its card, so that no tool need be named."""
        return self.double_mends_both or self.one_tool

    @property
    def tools(self) -> tuple[str, ...]:
        """What can lie broken in front of a player: cart, lantern and pickaxe, or the one block."""
        return TOOLS[len(BROKEN_TOOLS) :] if self.one_tool else BROKEN_TOOLS

    @property
    def is_open(self) -> bool:
        """Whether the mine has no bounds that a maze could reach."""
        return self.bounds == OPEN_MINE

    def holds(self, x: int, y: int) -> bool:
        """Whether the cell (x, y) belongs to the mine."""
        left, top, right, bottom = self.bounds
        return left <= x <= right and top <= y <= bottom

    def saboteurs_for(self, seats: int) -> int:
        """How many saboteurs sit among so many players (the most there can be, where the number is hidden)."""
        return self.saboteurs or _by_seats(self.default_saboteurs, seats)

    def hand_for(self, seats: int) -> int:
        """How many cards a player holds among so many players."""
        return _by_seats(self.hand_sizes, seats)

    def check(self, seats: int) -> None:
        """Raise BadParameter where so many seats cannot play this ruleset."""
        low, high = self.seat_limits
        if not low <= seats <= high:
            raise BadParameter(wrong_seats(self.name, self.seat_limits, seats))
        if not 1 <= self.saboteurs_for(seats) < seats:
            raise BadParameter(
                f"{self.name}: saboteurs must be 1 to {seats - 1} with {seats} seats, not {self.saboteurs_for(seats)}"
            )
        if self.hand_for(seats) * seats > self.deck_counts().sum():
            raise BadParameter(f"{self.name}: the deck has too few cards for {seats} seats")
        if self.first_seat >= seats:
            raise BadParameter(
                f"{self.name}: first_seat must be below the number of seats, {seats}, not {self.first_seat}"
            )

    def deck_counts(self) -> npt.NDArray[np.int8]:
        """How many of each kind the deck holds: shape (KINDS,)."""
        full = ONE_TOOL_DECK_COUNTS if self.one_tool else DECK_COUNTS
        if not self.deck:
            return full
        counts = np.zeros(KINDS, np.int8)
        for card, count in self.deck:
            counts[CARD_NUMBERS[card]] = count
        return counts

    def params(self, seats: int) -> npt.NDArray[np.int64]:
        """The ruleset as the kernels read it: shape (PARAMS_SIZE,), entries named at the top of this module."""
        params = np.zeros(PARAMS_SIZE, np.int64)
        left, top, right, bottom = self.bounds
        params[LEFT], params[RIGHT] = left + ORIGIN_X, right + ORIGIN_X
        params[TOP], params[BOTTOM] = top + ORIGIN_Y, bottom + ORIGIN_Y
        params[START] = cell_number(*self.start)
        for index, goal in enumerate(self.goals):
            params[GOALS + index] = cell_number(*goal)
        params[GOALS_FIT] = self.goals_fit
        params[DOUBLE_MENDS_BOTH] = self.mends_all
        params[MAY_BREAK_OWN] = self.may_break_own
        params[BLOCKED_MAY_ROCKFALL] = self.blocked_may_rockfall
        params[STONES_LET_IN] = self.stones_let_in
        params[STONES_FACE_ENTRY] = self.stones_face_entry
        params[DEAD_ENDS_TURN_STONES] = self.dead_ends_turn_stones
        params[PACK_BY_MINERS] = self.pack == "miners"
        params[BROKEN_UNPAID] = self.broken_unpaid
        params[HIDDEN_ROLE] = self.hidden_role
        params[TALK] = self.talk
        params[SPEAK] = self.speak
        params[ROUNDS] = self.rounds
        params[SHARES] = self.payment == "shares"
        params[FIRST_SEAT] = self.first_seat
        params[SABOTEURS] = self.saboteurs_for(seats)
        params[HAND] = self.hand_for(seats)
        params[SEATS] = seats
        params[COUNTS : COUNTS + KINDS] = self.deck_counts()
        params[DECK_CARDS] = self.deck_counts().sum()
        return params

    def __post_init__(self) -> None:
        left, top, right, bottom = self.bounds
        if not (OPEN_MINE[0] <= left <= right <= OPEN_MINE[2] and OPEN_MINE[1] <= top <= bottom <= OPEN_MINE[3]):
            raise BadParameter(f"{self.name}: the mine must lie within {OPEN_MINE}, not {self.bounds}")
        if len(self.goals) != len(GOAL_PLACES):
            raise BadParameter(f"{self.name}: there are three goals, not {len(self.goals)}")


def _by_seats(steps: tuple[tuple[int, int], ...], seats: int) -> int:
    return next((value for limit, value in steps if seats <= limit), steps[-1][1])


KRISNADI = Ruleset(
    name="krisnadi",
    bounds=(0, 0, 8, 4),
    start=(0, 2),
    goals=((8, 0), (8, 2), (8, 4)),
    seat_limits=(3, MAX_SEATS),
    hand_sizes=((5, 6), (7, 5), (10, 4)),  # equation (4)
    default_saboteurs=((4, 1), (6, 2), (10, 3)),  # equation (3)
)
"""The 9 x 5 research game of Krisnadi et al. 2019, section 2, with the readings of the program behind its tables."""

OFFICIAL = Ruleset(
    name="official",
    bounds=OPEN_MINE,
    start=(0, 0),
    goals=((8, -2), (8, 0), (8, 2)),
    seat_limits=(3, MAX_SEATS),
    hand_sizes=((5, 6), (7, 5), (10, 4)),
    default_saboteurs=((4, 1), (6, 2), (9, 3), (10, 4)),
    hidden_role=True,
    goals_fit=False,
    double_mends_both=False,
    may_break_own=True,
    stones_let_in=False,
    stones_face_entry=True,
    rounds=3,
    payment="shares",
)
"""The game of the rule book of 2004."""

VELDHUIS = Ruleset(
    name="veldhuis",
    bounds=(0, 0, 12, 12),
    start=(2, 6),
    goals=((10, 4), (10, 6), (10, 8)),
    seat_limits=(5, 5),
    hand_sizes=((5, 6),),
    default_saboteurs=((5, 2),),
    goals_fit=False,
    may_break_own=True,
    stones_let_in=False,
    stones_face_entry=True,
    one_tool=True,
    talk=True,
    rounds=3,
)
"""The 13 x 13 research game of Veldhuis, Jansen and Broers 2012, "Simplifications of the game"."""

SMALL = Ruleset(
    name="small",
    bounds=(0, 0, 4, 2),
    start=(0, 1),
    goals=((3, 0), (3, 1), (3, 2)),
    seat_limits=(2, 3),
    hand_sizes=((3, 2),),
    default_saboteurs=((3, 1),),
    deck=(("P_EW", 4), ("D_EW", 1), ("rockfall", 1)),
    first_seat=0,
    goals_fit=False,
    stones_let_in=False,
    stones_face_entry=True,
)
"""A 5 x 3 mine and six cards: small enough for its game tree to be listed. Goals lie side by side, as in the rule book a stone
is turned towards the tunnel that reached it, and then opens onto a neighbour."""

RULESETS: dict[str, Ruleset] = {"krisnadi": KRISNADI, "official": OFFICIAL, "veldhuis": VELDHUIS, "small": SMALL}

TALK_MARK = "+talk"
"""`official+talk` is `official:talk=yes`."""


def ruleset_from_text(name: str, items: list[str]) -> Ruleset:
    """The ruleset of a name and its `key=value` items; UnknownName or BadParameter says what would be right."""
    base = name.removesuffix(TALK_MARK)
    if base not in RULESETS:
        raise UnknownName(_("ruleset of {game}", game="saboteur"), name, RULESETS)
    if base != name:
        if any(item.partition("=")[0].strip() == "talk" for item in items):
            raise BadParameter(f"{name}: write either {name} or {base}:talk=..., not both")
        items = [*items, "talk=yes"]
    return build(f"ruleset {base}", {base: RULESETS[base]}, items)


def ruleset_to_text(ruleset: Ruleset) -> str:
    """The ruleset as it is typed; `ruleset_from_text` reads it back."""
    silent = RULESETS[ruleset.name]
    if ruleset.talk and not silent.talk:
        return canonical(ruleset.name + TALK_MARK, {ruleset.name: silent}, replace(ruleset, talk=False))
    return canonical(ruleset.name, {ruleset.name: silent}, ruleset)


def with_saboteurs(ruleset: Ruleset, count: int) -> Ruleset:
    """The same ruleset with so many saboteurs, known to all: as it is when roles are seated."""
    changes: Mapping[str, Any] = {"saboteurs": count, "hidden_role": False}
    return replace(ruleset, **changes)
