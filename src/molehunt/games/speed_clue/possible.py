"""Which views there can be, as far as one alone shows: tables are looked up by what they say."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.games.playing import visible
from molehunt.games.speed_clue.ruleset import MAX_SUGGESTIONS
from molehunt.games.speed_clue.state import CARD_MASK, VIEW

ENVELOPE = 3


@visible(VIEW)
def can_be_seen(views: Any, seats: int) -> Any:
    """Whether a view can be one of a seat in a game of so many."""
    view = views[0]
    if not (0 <= view.seat < seats and view.seats == seats and 0 <= view.suggestion_count <= MAX_SUGGESTIONS):
        return np.int64(0)
    cards = ENVELOPE
    fits = True
    for other in range(seats):
        fits = fits and view.hand_sizes[other] >= 0
        cards += view.hand_sizes[other]
    return np.int64(fits and cards <= CARD_MASK and view.hand >> np.uint64(CARD_MASK) == np.uint64(0))
