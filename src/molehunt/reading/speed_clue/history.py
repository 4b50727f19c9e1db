"""The last suggestions of Speed Clue as small whole numbers, for networks that are told them.

Of each is told who named what, who had none of it, who showed a card, and which. The latest comes first, as the seat knows them
from the record; one that is not answered yet counts. Seats are counted from the seat's own on; `past_parts` says in which order
the numbers of a suggestion come.
"""

from __future__ import annotations

from typing import Any

from molehunt.core.kernels import kernel
from molehunt.games.speed_clue.actions import triple_mask
from molehunt.games.speed_clue.rules import suggester_of
from molehunt.games.speed_clue.ruleset import CARDS, SEATS
from molehunt.games.speed_clue.state import (
    CARD_MASK,
    DISPROVER_SHIFT,
    NOBODY_DID,
    NOBODY_YET,
    SEAT_MASK,
    SHOWN_SHIFT,
    TRIPLE_MASK,
)
from molehunt.reading.speed_clue.features import write_set
from molehunt.reading.writing import write_one


def past_parts(seats: int, cards: int) -> dict[str, int]:
    """How many numbers each part of a past suggestion has, in their order."""
    return {"who": seats, "named": cards, "had none": seats, "showed": seats, "card shown": cards}


@kernel
def past_size(params: Any) -> int:
    """The sum of `past_parts`."""
    return 3 * params[SEATS] + 2 * params[CARDS]


@kernel
def write_suggestion(entry: Any, seat: int, params: Any, at: int, out: Any) -> int:
    """Write an entry of the record; return where the next begins. What is not written is 0 already."""
    seats, cards = params[SEATS], params[CARDS]
    asker, shower = suggester_of(entry), entry >> DISPROVER_SHIFT & SEAT_MASK
    at = write_one((asker - seat + seats) % seats, seats, at, out)
    at = write_set(triple_mask(entry & TRIPLE_MASK), cards, at, out)
    if shower != NOBODY_YET:
        for steps in range(1, seats):
            other = (asker + steps) % seats
            if other == shower:
                break
            out[at + (other - seat + seats) % seats] = 1
    at += seats
    shown = shower != NOBODY_YET and shower != NOBODY_DID
    at = write_one((shower - seat + seats) % seats if shown else -1, seats, at, out)
    return write_one((entry >> SHOWN_SHIFT & CARD_MASK) - 1, cards, at, out)


@kernel
def write_history(view: Any, count: int, params: Any, position: Any) -> None:
    """Write the last `count` suggestions to the end of a position."""
    size = past_size(params)
    at = len(position) - count * size
    for back in range(1, min(count, view.suggestion_count) + 1):
        at = write_suggestion(view.record[view.suggestion_count - back], view.seat, params, at, position)
