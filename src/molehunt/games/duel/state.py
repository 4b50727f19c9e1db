"""The records of the duel: the board, the state of a play, the view of a seat, and the event that a seat receives.

Bit layouts, used everywhere:

* A *cell* is a number, (row + 1) * 16 + column + 1: the board of 14 x 14 lies in a grid of 16 x 16 with a rim of cells that
  are off the board, so that every cell of the board has four neighbours.
* A set of cells is four words of 64 bits, cell c at bit c % 64 of word c // 64.
* What lies on a cell is a code of `cards`. An edge set is a mask, N 1, E 2, S 4, W 8.
* A set of goals is a mask: left 1, middle 2, right 4.
* Cards are numbers of `cards.CARD_NAMES`, NO_CARD where there is none or where the seat may not know.
* Seats are the players 0 and 1; player 1 moves first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.games.duel.cards import DECK_COUNTS, KINDS

SIZE = 14
GRID = 16
CELLS = GRID * GRID
WORDS = 4
SEATS = 2
FIRST_SEAT = 1
HAND = 7
DECK = int(DECK_COUNTS.sum())
EDGE_SETS = 16


def cell_number(row: int, column: int) -> int:
    """The number of a cell of the board."""
    return (row + 1) * GRID + column + 1


def cell_place(cell: int) -> tuple[int, int]:
    """(row, column) of a cell."""
    return cell // GRID - 1, cell % GRID - 1


ENTRANCE_CELL = cell_number(5, 5)
GOAL_CELLS = np.array([cell_number(12, column) for column in (3, 5, 7)], np.int64)
"""The goals left, middle, right."""

MAZE = np.dtype(
    [
        ("fitting", np.uint64, (EDGE_SETS, WORDS)),  # the cells on which a tile with these open edges may be laid
        ("tiles", np.uint64, (WORDS,)),  # cells with a tile; the entrance and the goals are none
        ("joined", np.uint64, (WORDS,)),  # cells whose centre a tunnel from the entrance reaches
        ("pending", np.uint64, (WORDS,)),  # used while tunnels are followed, else empty
        ("what", np.uint8, (CELLS,)),
    ]
)
"""What lies on the board, open to both."""

GOING_ON, NUGGET_REACHED, CARDS_GONE = 0, 1, 2
OUTCOME_NAMES = ("nugget", "draw")
OUTCOME_REASONS = ("", "the tunnel reached the nugget", "all cards are gone and nobody reached the nugget")

# What state and view have in common lies in both in the same order, so it is copied as one block: see `views`.
OPEN_TO_ALL: list[tuple[Any, ...]] = [
    ("turn", np.int16),  # moves made
    ("to_move", np.int16),  # NOBODY when the game is over
    ("drawn", np.int16),  # cards drawn, hands included
    ("outcome", np.int16),  # how the game ended
    ("winner", np.int16),  # NOBODY while nobody has won
    ("revealed", np.int16),  # the set of goals revealed to both
]

STATE = np.dtype(
    [
        ("stream", np.uint64, (1,)),  # the game's own random stream
        ("maze", MAZE),
        ("deck", np.int8, (DECK,)),  # in the order of drawing, hands first; `drawn` cards of it are gone
        ("hands", np.int8, (SEATS, HAND)),  # a drawn card is appended, a played card's gap closes up
        ("hand_sizes", np.int8, (SEATS,)),
        ("discards", np.int8, (SEATS, KINDS)),  # how many cards of each kind a seat has discarded, face down
        ("played", np.int8, (KINDS,)),  # how many of each kind were played in public
        ("malus", np.int8, (SEATS,)),  # how many maluses lie in front of each seat
        ("looked", np.uint8, (SEATS,)),  # sets of goals that a seat has seen on maps
        ("goals", np.int8, (3,)),  # contents, as in cards.CONTENT_NAMES
        *OPEN_TO_ALL,
    ]
)
"""The whole truth of one play."""

VIEW = np.dtype(
    [
        ("maze", MAZE),
        ("hand", np.int8, (HAND,)),
        ("hand_sizes", np.int8, (SEATS,)),
        ("unseen", np.int8, (KINDS,)),  # cards of each kind that may be in the deck, in the other's hand or discards
        ("discards", np.int8, (KINDS,)),  # what this seat has discarded itself
        ("discard_counts", np.int8, (SEATS,)),  # how many cards each seat has discarded
        ("played", np.int8, (KINDS,)),
        ("malus", np.int8, (SEATS,)),
        ("looked", np.uint8, (SEATS,)),
        ("goals", np.int8, (3,)),  # contents as this seat knows them, UNKNOWN for the others
        *OPEN_TO_ALL,
        ("seat", np.int16),  # whose view it is; NOBODY where it is the public's
    ]
)
"""What one seat knows: its hand, the board, its own maps and discards, and what was played in public."""

EVENT = np.dtype(
    [
        ("action", np.int32),  # the action, with HIDDEN_CARD instead of the card of a discard of the other
        ("turn", np.int16),
        ("seat", np.int8),  # who moved
        ("seen", np.int8),  # what a map showed, to the seat that played it; else UNKNOWN
        ("drew", np.int8),  # the card drawn, to the seat that drew it; else NO_CARD
        ("removed", np.uint8),  # the tile that a destroy card took away, as a code of `what`
        ("revealed", np.uint8),  # the goals revealed after the move, as a set
        ("goals", np.int8, (3,)),  # their contents; UNKNOWN for the others
    ]
)
"""What one seat learns of one move."""
