"""The cards of the duel: the 40 path cards of Saboteur under the numbers of the course's program, and 15 action cards.

A tile's number says how it lies unflipped; flipped is turned by 180 degrees. A tile that looks the same flipped is laid
unflipped only. The centre of a tile is open where its edges are joined inside; where they are not, a tile with one open edge has
an arm that ends in the centre, and the centre of any other is closed (the table of the rules).
"""

from __future__ import annotations

import difflib

import numpy as np

from molehunt.core.errors import BadNotation
from molehunt.games.tunnels.cards import (
    ALL_EDGES,
    CARD_EDGES,
    CARD_FORMS,
    CARD_THROUGH,
    EDGE_LETTERS,
    PATH_COUNTS,
    PATH_NAMES,
    letters_of_edges,
)

# The path card and whether it is turned, for the tiles "0" to "15" as they lie unflipped.
_TILES: tuple[tuple[str, bool], ...] = (
    ("P_NS", False),
    ("D_NS", False),
    ("D_NSE", False),
    ("D_SW", True),
    ("D_E", False),
    ("P_SE", False),
    ("P_NSE", True),
    ("P_SW", True),
    ("P_NESW", False),
    ("P_EWN", True),
    ("P_EW", False),
    ("D_EWN", True),
    ("D_N", False),
    ("D_NESW", False),
    ("D_SE", True),
    ("D_EW", False),
)
_ACTIONS = (("destroy", 3), ("malus", 2), ("bonus", 4), ("map", 6))

TILES = len(_TILES)
CARD_NAMES: tuple[str, ...] = (*map(str, range(TILES)), *(name for name, _ in _ACTIONS))
"""Every kind of card by its number; a card in a record is such a number, NO_CARD is an empty slot or a card unseen."""
KINDS = len(CARD_NAMES)
DESTROY, MALUS, BONUS, MAP = range(TILES, KINDS)
NO_CARD = -1
FLIP = "_flip"

_paths = [PATH_NAMES.index(name) for name, _ in _TILES]

DECK_COUNTS = np.array([PATH_COUNTS[path] for path in _paths] + [count for _, count in _ACTIONS], np.int8)
"""How many of each kind the deck holds: shape (KINDS,), sum 55."""

TILE_EDGES = np.array(
    [CARD_EDGES[path, [int(turned), int(not turned)]] for path, (_, turned) in zip(_paths, _TILES, strict=True)],
    np.uint8,
)
"""Open edges of a tile, unflipped and flipped (N 1, E 2, S 4, W 8): shape (16, 2)."""

TILE_FORMS = CARD_FORMS[_paths]
"""How many ways there are to lay a tile: 1 where it looks the same flipped, else 2."""

# What lies on a cell, one byte.
EMPTY = 0
FIRST_TILE_CODE = 1
"""A tile: FIRST_TILE_CODE + 2 * its number + flipped."""
ENTRANCE = FIRST_TILE_CODE + 2 * TILES
HIDDEN_GOAL, BLANK_GOAL, NUGGET_GOAL, OFF_BOARD = range(ENTRANCE + 1, ENTRANCE + 5)
CODES = OFF_BOARD + 1

CLOSED, ARM, OPEN = 0, 1, 2
"""Centres: no tunnel reaches it; a tunnel ends in it; tunnels run through it."""

CODE_EDGES = np.zeros(CODES, np.uint8)
"""Open edges by code. The entrance and all goals are open crosses."""
CODE_EDGES[FIRST_TILE_CODE:ENTRANCE] = TILE_EDGES.reshape(-1)
CODE_EDGES[ENTRANCE:OFF_BOARD] = ALL_EDGES

CODE_CENTRE = np.full(CODES, CLOSED, np.int8)
"""The centre by code."""
CODE_CENTRE[ENTRANCE:OFF_BOARD] = OPEN
for _number, _path in enumerate(_paths):
    _single = int(TILE_EDGES[_number, 0]).bit_count() == 1
    CODE_CENTRE[FIRST_TILE_CODE + 2 * _number : FIRST_TILE_CODE + 2 * _number + 2] = (
        OPEN if CARD_THROUGH[_path] else ARM if _single else CLOSED
    )

CODE_SPEAKS = np.ones(CODES, np.bool_)
"""Whether what lies on a cell says what may be laid beside it: a goal that is not revealed is treated as absent."""
CODE_SPEAKS[[EMPTY, HIDDEN_GOAL, OFF_BOARD]] = False

UNKNOWN, BLANK, NUGGET = 0, 1, 2
CONTENT_NAMES = ("unknown", "blank", "nugget")
"""What lies under a goal, by number."""
GOAL_PLACES = ("left", "middle", "right")

_SPECIAL_NAMES = ("entrance", "goal", "blank", "nugget")


def code_name(code: int) -> str:
    """The name of what lies on a cell: "5", "5_flip", "entrance", "goal" (not revealed), "blank" or "nugget"."""
    if code >= ENTRANCE:
        return _SPECIAL_NAMES[code - ENTRANCE]
    number, flipped = divmod(code - FIRST_TILE_CODE, 2)
    return tile_name(number, flipped)


def tile_name(number: int, flipped: int) -> str:
    """The name of a tile as it lies: "5" or "5_flip"."""
    return f"{number}{FLIP if flipped else ''}"


def tile_shape(name: str) -> tuple[str, bool]:
    """(letters of the open edges, whether they are joined inside) of what lies on a cell, by its name."""
    if name in _SPECIAL_NAMES:
        return EDGE_LETTERS, True
    code = FIRST_TILE_CODE + 2 * int(name.removesuffix(FLIP)) + name.endswith(FLIP)
    return letters_of_edges(int(CODE_EDGES[code])), bool(CODE_CENTRE[code] == OPEN)


def card_number(name: str) -> int:
    """The number of a card's name; BadNotation names the nearest that there is."""
    if name in CARD_NAMES:
        return CARD_NAMES.index(name)
    close = difflib.get_close_matches(name, CARD_NAMES[TILES:], n=1, cutoff=0.5)
    hint = f"did you mean {close[0]!r}?" if close else f"cards are 0 to 15, {', '.join(CARD_NAMES[TILES:])}"
    raise BadNotation(f"no card is called {name!r:.60}; {hint}")
