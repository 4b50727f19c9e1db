"""The three records of Saboteur: the state of a play, the view of a seat, and the event that a seat receives.

Bit layouts, used everywhere:

* A *cell set* is a 64-bit word, cell number c at bit c (`Ruleset.cell`). `planes` holds nine of them; the first four are
  the cells whose card is open to the north, east, south and west, then the cells whose card passes a tunnel on (THROUGH),
  the cells that hold a card (OCCUPIED), those joined to the start (JOINED), and the empty cells, the face-down goals and
  the joined stones onto which a tunnel from the start opens (OPENED), and the goals that a tunnel enters even at a wall (DOORS).
* `cells` says what lies where, one byte a cell, as coded at the end of `cards`.
* A set of tools is a bit mask (`cards.TOOLS`), and so is a set of goals (top 1, middle 2, bottom 4).
* Cards are numbers of `cards.CARD_NAMES`, NO_CARD where there is none or where the seat may not know.
"""

from __future__ import annotations

import numpy as np

from molehunt.games.saboteur.cards import DECK_COUNTS, KINDS
from molehunt.games.saboteur.ruleset import MAX_HAND, MAX_SEATS

OPEN_N, OPEN_E, OPEN_S, OPEN_W, THROUGH, OCCUPIED, JOINED, OPENED, DOORS = range(9)
PLANES = 9
CELL_BYTES = 64
DECK = int(DECK_COUNTS.sum())

# Entries of `info` in a state.
TURN, TO_MOVE, DRAWN, OUTCOME, FACE_UP = range(5)
SHARED_INFO = 5
# Entries of `info` in a view, after the same five (DRAWN counts the cards taken from the deck, hands included).
SEAT, ROLE, IN_GAME, SABOTEUR_COUNT = range(5, 9)

GOING_ON, GOLD_FOUND, CARDS_GONE = 0, 1, 2
OUTCOME_NAMES = ("gold", "exhausted")
OUTCOME_REASONS = ("", "the gold was reached", "all cards are gone and the gold was not reached")

STATE = np.dtype(
    [
        ("stream", np.uint64, (1,)),  # the game's own random stream
        ("planes", np.uint64, (PLANES,)),
        ("cells", np.uint8, (CELL_BYTES,)),
        ("deck", np.int8, (DECK,)),  # in the order of drawing, hands first; info[DRAWN] cards of it are gone
        ("hands", np.int8, (MAX_SEATS, MAX_HAND)),  # a drawn card is appended, a played card's gap closes up
        ("hand_sizes", np.int8, (MAX_SEATS,)),
        ("discards", np.int8, (MAX_SEATS, KINDS)),  # how many cards of each kind a seat has thrown away, face down
        ("played", np.int8, (KINDS,)),  # how many of each kind were played in public
        ("roles", np.int8, (MAX_SEATS,)),
        ("broken", np.uint8, (MAX_SEATS,)),  # sets of tools
        ("looked", np.uint8, (MAX_SEATS,)),  # sets of goals that a seat has seen on maps
        ("goals", np.int8, (3,)),  # contents, as in cards.GOAL_NAMES
        ("info", np.int16, (SHARED_INFO,)),
    ]
)
"""The whole truth of one play."""

VIEW = np.dtype(
    [
        ("planes", np.uint64, (PLANES,)),
        ("cells", np.uint8, (CELL_BYTES,)),
        ("hand", np.int8, (MAX_HAND,)),
        ("hand_sizes", np.int8, (MAX_SEATS,)),
        (
            "unseen",
            np.int8,
            (KINDS,),
        ),  # cards of each kind that may be in the deck, in other hands or thrown away by others
        ("discards", np.int8, (KINDS,)),  # what this seat has thrown away itself
        ("played", np.int8, (KINDS,)),
        ("discard_counts", np.int8, (MAX_SEATS,)),  # how many cards each seat has thrown away
        ("broken", np.uint8, (MAX_SEATS,)),
        ("looked", np.uint8, (MAX_SEATS,)),
        ("goals", np.int8, (3,)),  # contents as this seat has seen them, UNKNOWN_GOAL for the others
        ("info", np.int16, (9,)),
    ]
)
"""What one seat knows: everything it has seen in the whole game, and nothing else."""

BEFORE, PLACED, AFTER = range(3)
"""Moments of a move at which an event tells what tunnels open onto: before it, with the card laid and goals still face down,
and at the end of the turn."""

EVENT = np.dtype(
    [
        ("opened", np.uint64, (3,)),  # the plane OPENED of the board at BEFORE, PLACED and AFTER
        ("action", np.int32),  # the action, with NO_CARD's code instead of the card where it is hidden
        ("turn", np.int16),
        ("seat", np.int8),  # who moved
        ("seen", np.int8),  # what a map showed, to the seat that played it; else UNKNOWN_GOAL
        ("drew", np.int8),  # the card drawn, to the seat that drew it; else NO_CARD
        ("mended", np.uint8),  # the tools that were mended
        ("removed", np.uint8),  # what a rockfall took away, as a code of `cells`
        ("turned_up", np.uint8),  # the goals turned over at the end of the turn, as a set
        ("goals", np.uint8, (3,)),  # those goals as they lie now, as codes of `cells`
        ("broken_before", np.uint8),  # the target's broken tools before a break or fix
    ]
)
"""What one seat learns of one move."""
