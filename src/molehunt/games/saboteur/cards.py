"""The cards of Saboteur: 40 path cards and 27 action cards (rule book 2004, contents), as names and as tables for kernels.

The path cards, their edges and how they turn stand in `tunnels.cards`.
"""

from __future__ import annotations

import numpy as np

from molehunt.games.tunnels.cards import CARD_THROUGH, EAST, NORTH, PATH_COUNTS, PATH_NAMES, SOUTH, WEST

TOOLS = ("cart", "lantern", "pickaxe", "block")
"""The tools by number; a set of tools is a bit mask, cart = 1, lantern = 2, pickaxe = 4.

"block" = 8 is what a `block` lays in front of a player and a `deblock` takes away, where a ruleset has one kind of each.
"""
BROKEN_TOOLS = TOOLS[:3]

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
    *PATH_NAMES,
    *(name for name, *_ in _BREAKS),
    *(name for name, *_ in _FIXES),
    "rockfall",
    "map",
)
"""Every kind of card by its number; a card in a record is such a number, NO_CARD is an empty slot or a card unseen."""

KINDS = len(CARD_NAMES)
NO_CARD = -1
FIRST_DEAD_END = CARD_THROUGH.tolist().index(False)
FIRST_BREAK = len(PATH_NAMES)
FIRST_FIX = FIRST_BREAK + len(_BREAKS)
ROCKFALL = CARD_NAMES.index("rockfall")
MAP = CARD_NAMES.index("map")

CARD_NUMBERS = {name: number for number, name in enumerate(CARD_NAMES)}


DECK_COUNTS = np.array(
    [*PATH_COUNTS] + [three for *_, three, _ in (*_BREAKS, *_FIXES)] + [3, 6],
    np.int8,
)
"""How many of each kind a full deck holds: shape (KINDS,), sum 67."""

ONE_TOOL_DECK_COUNTS = np.array([*PATH_COUNTS] + [one for *_, one in (*_BREAKS, *_FIXES)] + [3, 6], np.int8)
"""The same where there is one kind of block and one of repair: all 9 breaks and all 9 repairs of the full deck are of it."""

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
FIRST_DEAD_END_CODE = 1 + 2 * FIRST_DEAD_END
"""Codes of path cards from this one on are dead ends; those before it lead through."""
START_CELL_CODE = 1 + 2 * len(PATH_NAMES)
FACE_DOWN_CODE = START_CELL_CODE + 1
FIRST_GOAL_CODE = START_CELL_CODE + 2
"""A goal that lies open: FIRST_GOAL_CODE + 2 * (content - 1) + turned."""

GOLD_CARDS = np.array([1] * 16 + [2] * 8 + [3] * 4, np.int8)
"""The nuggets on the gold cards (rule book, contents)."""
