"""What is public in the duel: a view and events for those who watch and sit on no seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.game import Events, Views
from molehunt.core.seats import NOBODY
from molehunt.games.duel.actions import DISCARD, HIDDEN_CARD, pack, play_of
from molehunt.games.duel.cards import DECK_COUNTS, NO_CARD, UNKNOWN
from molehunt.games.duel.state import OPEN_TO_ALL

SAME_FOR_ALL = (
    "maze",
    "hand_sizes",
    "discard_counts",
    "played",
    "malus",
    "looked",
    *(name for name, *_ in OPEN_TO_ALL),
)


def public_view(views: Views) -> Views:
    """The public view, an array of one record, from the views of both seats of one state."""
    result = np.zeros(1, views.dtype)
    for name in SAME_FOR_ALL:
        result[name] = views[name][0]
    result["seat"] = NOBODY
    result["hand"] = NO_CARD
    result["unseen"] = DECK_COUNTS - views["played"][0]
    revealed = views["revealed"][0] >> np.arange(3) & 1
    result["goals"] = np.where(revealed == 1, views["goals"][0], UNKNOWN)
    return result


def public_event(events: Events) -> Any:
    """The public event, one record, from what each seat learned of one move."""
    result = events[:1].copy()
    if play_of(int(result["action"][0])) == DISCARD:
        result["action"] = pack(DISCARD, HIDDEN_CARD)
    result["seen"] = UNKNOWN
    result["drew"] = NO_CARD
    return result[0]
