"""The records of Speed Clue: the state of a play, the view of a seat, the event that a seat receives.

Sets of cards are bit masks by card number. A suggestion in `record` is one word: the three cards in bits 0-4, 5-9 and 10-14,
the suggester in bits 15-17, who disproved it in bits 18-20 (NOBODY_YET while an answer is awaited, NOBODY_DID when nobody
could), and the card shown plus one in bits 21-25 (0 where there is none or where the seat may not know). An accusation is the
three cards in the same bits, with ACCUSED set and, where it was right, RIGHT.

The rules leave the other bits of a suggestion alone. At a real table with a board, FORCED tells that the suggester had to name
that location, where they stood.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.games.speed_clue.ruleset import MAX_SEATS, MAX_SUGGESTIONS

SUGGESTER_SHIFT, DISPROVER_SHIFT, SHOWN_SHIFT = 15, 18, 21
TRIPLE_MASK, SEAT_MASK, CARD_MASK = 0x7FFF, 7, 31
NOBODY_DID, NOBODY_YET = 6, 7
ACCUSED, RIGHT = 1 << 30, 1 << 29
FORCED = 1 << 26

TURN, ANSWER, AFTER, OVER = range(4)
"""Phases: the seat on turn begins; a seat that can disprove shows a card; the seat on turn may accuse or end; the game is over."""

GOING_ON, SOLVED, LAST_LEFT, UNDECIDED = 0, 1, 2, 3
OUTCOME_NAMES = ("solved", "last-left", "undecided")
OUTCOME_REASONS = (
    "",
    "the envelope was named",
    "all others have accused wrongly",
    "nobody solved it within the limit of suggestions",
)

# What state and view have in common lies in both in the same order, so it is copied as one block: see `rules.look`.
OPEN_TO_ALL: list[tuple[Any, ...]] = [
    ("moves", np.int16),  # moves made
    ("to_move", np.int16),  # NOBODY when the game is over
    ("phase", np.int16),
    ("outcome", np.int16),  # how the game ended
    ("suggestion_count", np.int16),  # how many suggestions stand in `record`
    ("on_turn", np.int16),  # whose turn it is: who suggests, also while another answers
    ("out", np.int16),  # the set of seats that have accused wrongly
    ("winner", np.int16),  # NOBODY while nobody has won
    ("turns", np.int16),  # turns begun
]

STATE = np.dtype(
    [
        ("stream", np.uint64, (1,)),
        ("hands", np.uint64, (MAX_SEATS,)),
        ("envelope", np.uint64),
        ("record", np.uint32, (MAX_SUGGESTIONS,)),  # with the cards shown
        ("accusations", np.uint32, (MAX_SEATS,)),
        *OPEN_TO_ALL,
    ]
)
"""The whole truth of one play."""

VIEW = np.dtype(
    [
        ("hand", np.uint64),
        ("record", np.uint32, (MAX_SUGGESTIONS,)),  # shown cards only where this seat showed or saw them
        ("accusations", np.uint32, (MAX_SEATS,)),
        ("hand_sizes", np.int8, (MAX_SEATS,)),
        *OPEN_TO_ALL,
        ("seat", np.int16),  # whose view it is; NOBODY where it is the public's
        ("seats", np.int16),  # how many there are in the game
    ]
)
"""What one seat knows: its hand and the whole public record, with the cards that it showed or was shown."""

EVENT = np.dtype(
    [
        ("action", np.int32),  # of a card shown, without the card where this seat may not know it
        ("suggestion", np.uint32),  # the suggestion as the record has it after the move; 0 for accusations and ends
        ("seat", np.int8),  # who moved
        ("answered", np.int8),  # how many seats answered in this step: had none, or showed
        ("right", np.int8),  # an accusation: 1 right, 0 wrong; else -1
    ]
)
"""What one seat learns of one move."""
