"""The 40 path cards that Saboteur (rule book 2004, contents) and its race for two share, as names and as tables for kernels.

An edge is one bit: N = 1 (up), E = 2 (right), S = 4 (down), W = 8 (left). A card may be turned by 180 degrees, never by 90.
Through cards join all their open edges inside; in a dead-end no two edges meet.
"""

from __future__ import annotations

import numpy as np

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
ALL_EDGES = 0b1111
EDGE_LETTERS = "NESW"

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


def edges_from_letters(letters: str) -> int:
    """The bit mask of the edges named by letters of NESW."""
    return sum(1 << EDGE_LETTERS.index(letter) for letter in letters)


def letters_of_edges(edges: int) -> str:
    """The letters of the edges in a bit mask, in the order NESW."""
    return "".join(letter for number, letter in enumerate(EDGE_LETTERS) if edges >> number & 1)


def turn_edges(edges: int) -> int:
    """The edges of a card after a turn by 180 degrees: N<->S, E<->W."""
    return (edges << 2 | edges >> 2) & ALL_EDGES


PATH_NAMES: tuple[str, ...] = tuple(name for name, *_ in _PATHS)
"""Every kind of path card by its number; the tables below follow it."""

PATH_COUNTS = np.array([count for *_, count in _PATHS], np.int8)
"""How many of each kind a deck holds: shape (16,), sum 40."""

CARD_EDGES = np.array([[edges_from_letters(e), turn_edges(edges_from_letters(e))] for _, e, _, _ in _PATHS], np.uint8)
"""Open edges of a path card, as printed and turned: shape (16, 2)."""

CARD_THROUGH = np.array([through for _, _, through, _ in _PATHS], np.bool_)
"""Whether a path card joins its edges inside: shape (16,)."""

CARD_FORMS = np.array([1 if row[0] == row[1] else 2 for row in CARD_EDGES], np.int8)
"""How many different ways there are to lay a path card: 1 where it looks the same turned, else 2."""

FITS_WITH = np.array(
    [
        [sum(1 << edges for edges in range(16) if bool(edges >> side & 1) == is_open) for is_open in (False, True)]
        for side in range(4)
    ],
    np.uint16,
)
"""The edge sets that fit a neighbour at a side (0 = N to 3 = W) which shows a wall or is open: shape (4, 2)."""
