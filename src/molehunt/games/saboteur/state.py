"""The records of Saboteur: the maze, the state of a play, the view of a seat, and the event that a seat receives.

Bit layouts, used everywhere:

* A *cell* is a number, row * 64 + column on one grid for all rulesets (`ruleset.cell_number`).
* A *tile* is a card that lies in the maze, by its number there: 0 the start, 1 to 3 the goals, then the path cards in the order
  of laying (a rockfall's gap is filled by the last). `what` is its code (end of `cards`), `edges` its open edges (N 1, E 2,
  S 4, W 8) with the bits THROUGH, DOOR and SILENT. `joined` is the set of tiles that are joined to the start, tile t at bit t.
* An *open end* is an empty cell onto which a tunnel from the start opens. `fits` is, as a set of edge sets (set e at bit e), what
  fits there. `opened_goals` is the set of goals (top 1, middle 2, bottom 4) onto which a tunnel from the start opens.
* `index` finds a tile or an open end by its cell: see `maze.find`.
* A set of tools is a bit mask (`cards.TOOLS`), and so is a set of goals.
* Cards are numbers of `cards.CARD_NAMES`, NO_CARD where there is none or where the seat may not know.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.games.saboteur.cards import DECK_COUNTS, GOLD_CARDS, KINDS
from molehunt.games.saboteur.ruleset import MAX_HAND, MAX_ROUNDS, MAX_SEATS

MAX_TILES = 44
"""The start, three goals and 40 path cards."""
MAX_ENDS = 32
"""At most 30 open ends: the start's four, two more for each of 5 crossings and three face-down goals, one for each of 10 T's."""
INDEX_SIZE = 256
THROUGH, DOOR, SILENT = 16, 32, 64
"""Marks of a tile's edges: it joins them inside; a tunnel enters it even at a wall; it says nothing about the fit."""

DECK = int(DECK_COUNTS.sum())
GOLD_PILE = len(GOLD_CARDS)
MAX_PACK = 9
"""At most so many gold cards are drawn in a round."""

MAZE = np.dtype(
    [
        ("joined", np.uint64),
        ("cells", np.int16, (MAX_TILES,)),
        ("ends", np.int16, (MAX_ENDS,)),
        ("fits", np.uint16, (MAX_ENDS,)),
        ("what", np.uint8, (MAX_TILES,)),
        ("edges", np.uint8, (MAX_TILES,)),
        ("index", np.uint8, (INDEX_SIZE,)),
        ("tile_count", np.int16),
        ("end_count", np.int16),
        ("opened_goals", np.int16),
        ("crowded", np.int16),  # 1 where two cells share a place in the index, which is then not asked
    ],
)
"""What lies in the mine, open to all."""

GOING_ON, GOLD_FOUND, CARDS_GONE = 0, 1, 2
OUTCOME_NAMES = ("gold", "exhausted")
OUTCOME_REASONS = ("", "the gold was reached", "all cards are gone and the gold was not reached")
NOT_KNOWN = -1

# What state and view have in common lies in both in the same order, so it is copied as one block: see `views`.
OPEN_TO_ALL: list[tuple[Any, ...]] = [
    ("past_roles", np.int8, (MAX_ROUNDS, MAX_SEATS)),
    ("takers", np.int8, (MAX_ROUNDS,)),  # who took first of each pack; NOT_KNOWN where none was drawn
    ("unpaid", np.uint16, (MAX_ROUNDS,)),  # the miners who got no gold for a broken tool, as a set of seats
    ("hand_sizes", np.int8, (MAX_SEATS,)),
    ("played", np.int8, (KINDS,)),  # how many of each kind were played in public
    ("discard_counts", np.int8, (MAX_SEATS,)),  # how many cards each seat has thrown away
    ("broken", np.uint8, (MAX_SEATS,)),  # sets of tools
    ("looked", np.uint8, (MAX_SEATS,)),  # sets of goals that a seat has seen on maps
    ("claims", np.int8, (MAX_SEATS, 3)),  # what each seat last claimed of each goal, as in cards.CLAIM_NAMES
    ("accused", np.int8, (MAX_SEATS,)),  # whom each seat last accused in this round; NOBODY for none
    ("asked", np.uint8, (MAX_SEATS,)),  # sets of broken tools for whose repair a seat has asked
    ("turn", np.int16),  # moves made
    ("to_move", np.int16),  # NOBODY when the game is over
    ("drawn", np.int16),  # cards taken from the deck, hands included
    ("outcome", np.int16),  # how the game ended
    ("revealed", np.int16),  # the set of goals that lie open
    ("round", np.int16),  # rounds finished
    ("claiming", np.int16),  # 1 + the goal about which the seat to move must make a claim, 0 for none
    ("spoken", np.int16),  # 1 where the seat to move has accused or asked before its card, else 0
    ("gold_rounds", np.int16),  # rounds that ended with the gold
    ("gold_drawn", np.int16),  # gold cards that left the pile
]

STATE = np.dtype(
    [
        ("stream", np.uint64, (1,)),  # the game's own random stream
        ("maze", MAZE),
        ("nuggets", np.int16, (MAX_SEATS,)),
        ("packs", np.int8, (MAX_ROUNDS, MAX_PACK)),  # nuggets on the cards drawn after each round, the best first
        *OPEN_TO_ALL,
        ("goals", np.int8, (3,)),  # contents, as in cards.GOAL_NAMES
        ("roles", np.int8, (MAX_SEATS,)),
        ("hands", np.int8, (MAX_SEATS, MAX_HAND)),  # a drawn card is appended, a played card's gap closes up
        ("discards", np.int8, (MAX_SEATS, KINDS)),  # how many cards of each kind a seat has thrown away, face down
        ("deck", np.int8, (DECK,)),  # in the order of drawing, hands first; `drawn` cards of it are gone
        # The gold pile in the order of drawing; cards paid out of turn go to the front.
        ("gold", np.int8, (GOLD_PILE,)),
        ("gains", np.int16, (MAX_SEATS,)),  # what the last round paid
    ],
)
"""The whole truth of one play."""

VIEW = np.dtype(
    [
        ("maze", MAZE),
        ("nuggets", np.int16, (MAX_SEATS,)),  # NOT_KNOWN for others while gold is secret
        ("packs", np.int8, (MAX_ROUNDS, MAX_PACK)),  # NOT_KNOWN for cards that others had taken before the pack came by
        *OPEN_TO_ALL,
        ("seat", np.int16),  # whose view it is; NOBODY where it is the public's
        ("role", np.int16),
        ("seats", np.int16),  # how many there are in the game
        ("saboteur_count", np.int16),  # how many saboteurs there are, at most
        ("goals", np.int8, (3,)),  # contents as this seat has seen them, UNKNOWN_GOAL for the others
        ("hand", np.int8, (MAX_HAND,)),
        ("discards", np.int8, (KINDS,)),  # what this seat has thrown away itself
        # Cards of each kind that may be in the deck, in other hands or thrown away by others.
        ("unseen", np.int8, (KINDS,)),
    ],
)
"""What one seat knows: everything it has seen in the whole game, and nothing else."""

EVENT = np.dtype(
    [
        ("action", np.int32),  # the action, with NO_CARD's code instead of the card where it is hidden
        ("turn", np.int16),
        ("gained", np.int16),  # nuggets this seat was paid at the end of a round
        ("seat", np.int8),  # who moved
        ("seen", np.int8),  # what a map showed, to the seat that played it; else UNKNOWN_GOAL
        ("drew", np.int8),  # the card drawn, to the seat that drew it; else NO_CARD
        ("mended", np.uint8),  # the tools that were mended
        ("removed", np.uint8),  # what a rockfall took away, as a code of `what`
        ("revealed", np.uint8),  # the goals turned over at the end of the turn, as a set
        ("goals", np.uint8, (3,)),  # those goals as they lie now, as codes of `what`
        ("broken_before", np.uint8),  # the target's broken tools before a break or fix
        ("ended", np.int8),  # how the round ended with this move: GOING_ON, GOLD_FOUND or CARDS_GONE
        ("roles", np.int8, (MAX_SEATS,)),  # the roles of a round that ended, for all to see; else NOT_KNOWN
        ("role", np.int8),  # this seat's own role in the round that begins; NOT_KNOWN where none does
    ],
)
"""What one seat learns of one move."""
