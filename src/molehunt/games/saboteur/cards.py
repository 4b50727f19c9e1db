"""The cards of Saboteur: 40 path cards and 27 action cards (rule book 2004, contents), as names and as tables for kernels.

An edge is one bit: N = 1 (up), E = 2 (right), S = 4 (down), W = 8 (left). A card may be turned by 180 degrees, never by 90.
Through cards join all their open edges inside; in a dead-end no two edges meet.
"""

from __future__ import annotations

import numpy as np

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
EDGE_LETTERS = "NESW"

TOOLS = ("cart", "lantern", "pickaxe", "block")
"""The tools by number; a set of tools is a bit mask, cart = 1, lantern = 2, pickaxe = 4.

"block" = 8 is what a `block` lays in front of a player and a `deblock` takes away, where a ruleset has one kind of each.
"""
BROKEN_TOOLS = TOOLS[:3]
ANY_TOOL = 0b1111

# name, open edges, joined inside, how many in a deck
_PATHS: tuple[tuple[str, str, bool, int], ...] = (
    ("P_NS", "NS", True, 4),
    ("P_EW", "EW", True, 3),
    ("P_SE", "SE", True, 4),
    ("P_SW", "SW", True, 5),
    ("P_NSE", "NSE", True, 5),
    ("P_EWN", "EWN", True, 5),
    ("P_NESW", "NESW", True, 5),
    ("D_N", "N", False, 1),
    ("D_E", "E", False, 1),
    ("D_NS", "NS", False, 1),
    ("D_EW", "EW", False, 1),
    ("D_SE", "SE", False, 1),
    ("D_SW", "SW", False, 1),
    ("D_NSE", "NSE", False, 1),
    ("D_EWN", "EWN", False, 1),
    ("D_NESW", "NESW", False, 1),
)
# name, tools, how many in a deck with three tools, how many in a deck with one
_BREAKS = (*((f"break:{tool}", 1 << number, 3, 0) for number, tool in enumerate(BROKEN_TOOLS)), ("block", 0b1000, 0, 9))
_FIXES = (
    ("fix:cart", 0b001, 2, 0),
    ("fix:lantern", 0b010, 2, 0),
    ("fix:pickaxe", 0b100, 2, 0),
    ("fix:cart+lantern", 0b011, 1, 0),
    ("fix:cart+pickaxe", 0b101, 1, 0),
    ("fix:lantern+pickaxe", 0b110, 1, 0),
    ("deblock", 0b1000, 0, 9),
)

CARD_NAMES: tuple[str, ...] = (
    *(name for name, _, _, _ in _PATHS),
    *(name for name, *_ in _BREAKS),
    *(name for name, *_ in _FIXES),
    "rockfall",
    "map",
)
"""Every kind of card by its number; a card in a record is such a number, NO_CARD is an empty slot or a card unseen."""

KINDS = len(CARD_NAMES)
NO_CARD = -1
FIRST_DEAD_END = next(number for number, path in enumerate(_PATHS) if not path[2])
FIRST_BREAK = len(_PATHS)
FIRST_FIX = FIRST_BREAK + len(_BREAKS)
ROCKFALL = CARD_NAMES.index("rockfall")
MAP = CARD_NAMES.index("map")

CARD_NUMBERS = {name: number for number, name in enumerate(CARD_NAMES)}


def edges_from_letters(letters: str) -> int:
    """The bit mask of the edges named by letters of NESW."""
    return sum(1 << EDGE_LETTERS.index(letter) for letter in letters)


def turn_edges(edges: int) -> int:
    """The edges of a card after a turn by 180 degrees: N<->S, E<->W."""
    return (edges << 2 | edges >> 2) & 0b1111


DECK_COUNTS = np.array(
    [count for *_, count in _PATHS] + [three for *_, three, _ in (*_BREAKS, *_FIXES)] + [3, 6],
    np.int8,
)
"""How many of each kind a full deck holds: shape (KINDS,), sum 67."""

ONE_TOOL_DECK_COUNTS = np.array(
    [count for *_, count in _PATHS] + [one for *_, one in (*_BREAKS, *_FIXES)] + [3, 6], np.int8
)
"""The same where there is one kind of block and one of repair: all 9 breaks and all 9 repairs of the full deck are of it."""

CARD_EDGES = np.array([[edges_from_letters(e), turn_edges(edges_from_letters(e))] for _, e, _, _ in _PATHS], np.uint8)
"""Open edges of a path card, as printed and turned: shape (16, 2)."""

CARD_THROUGH = np.array([through for _, _, through, _ in _PATHS], np.bool_)
"""Whether a path card joins its edges inside: shape (16,)."""

CARD_FORMS = np.array([1 if row[0] == row[1] else 2 for row in CARD_EDGES], np.int8)
"""How many different ways there are to lay a path card: 1 where it looks the same turned, else 2."""

CARD_TOOLS = np.zeros(KINDS, np.uint8)
"""The tools that a break or fix card is about, as a mask; 0 for other cards: shape (KINDS,)."""
for _name, _mask, *_ in (*_BREAKS, *_FIXES):
    CARD_TOOLS[CARD_NUMBERS[_name]] = _mask

GOLD, ROCK_1, ROCK_2 = 1, 2, 3
UNKNOWN_GOAL = 0
GOAL_NAMES = ("unknown", "gold", "rock1", "rock2")
"""What lies on a goal, by number. ROCK1 is the S+W bend, ROCK2 the S+E bend."""

GOAL_EDGES = np.array(
    [[0, 0], [15, 15], [SOUTH | WEST, NORTH | EAST], [SOUTH | EAST, NORTH | WEST]],
    np.uint8,
)
"""Open edges of a goal by its content, as printed and turned: shape (4, 2)."""

GOAL_PLACES = ("top", "middle", "bottom")
CLAIM_NAMES = ("nothing", "gold", "stone")
"""What a player may have claimed of a goal, by number."""
CLAIMED_GOLD, CLAIMED_STONE = 1, 2

ROLE_NAMES = ("miner", "saboteur")
MINER, SABOTEUR = 0, 1

# The code of what lies on a cell, one byte: 0 nothing, 1 + 2 * card + turned for a path card, then the special cards.
EMPTY_CELL = 0
START_CELL_CODE = 1 + 2 * len(_PATHS)
FACE_DOWN_CODE = START_CELL_CODE + 1
FIRST_GOAL_CODE = START_CELL_CODE + 2
"""A goal that lies open: FIRST_GOAL_CODE + 2 * (content - 1) + turned."""

GOLD_CARDS = np.array([1] * 16 + [2] * 8 + [3] * 4, np.int8)
"""The nuggets on the gold cards (rule book, contents)."""
