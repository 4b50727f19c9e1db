"""What is public in Speed Clue: a view and events for those who watch and sit on no seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.game import Events, Views
from molehunt.core.seats import NOBODY
from molehunt.games.speed_clue.actions import HIDDEN_CARD, PLAY_SHIFT, SHOW
from molehunt.games.speed_clue.state import CARD_MASK, OPEN_TO_ALL, SHOWN_SHIFT

SAME_FOR_ALL = ("accusations", "hand_sizes", *(name for name, *_ in OPEN_TO_ALL), "seats")
_WITHOUT_SHOWN = np.uint32(~(CARD_MASK << SHOWN_SHIFT) & 0xFFFFFFFF)


def public_view(views: Views) -> Views:
    """The public view, an array of one record, from the views of all seats of one state."""
    result = np.zeros(1, views.dtype)
    for name in SAME_FOR_ALL:
        result[name] = views[name][0]
    result["record"] = views["record"][0] & _WITHOUT_SHOWN
    result["seat"] = NOBODY
    return result


def public_event(events: Events) -> Any:
    """The public event, one record, from what each seat learned of one move."""
    result = events[:1].copy()
    if int(result["action"][0]) >> PLAY_SHIFT == SHOW:
        result["action"] = SHOW << PLAY_SHIFT | HIDDEN_CARD
    result["suggestion"] &= _WITHOUT_SHOWN
    return result[0]
