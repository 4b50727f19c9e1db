"""What is public in Saboteur: a view and events for those who watch and sit on no seat."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.game import Events, Views
from molehunt.core.seats import NOBODY
from molehunt.games.saboteur.actions import DISCARD, HIDDEN_CARD, pack, unpack
from molehunt.games.saboteur.cards import NO_CARD, UNKNOWN_GOAL
from molehunt.games.saboteur.state import NOT_KNOWN, OPEN_TO_ALL

SAME_FOR_ALL = ("maze", *(name for name, *_ in OPEN_TO_ALL), "seats", "saboteur_count")


def public_view(views: Views, deck: np.ndarray) -> Views:
    """The public view, an array of one record, from the views of all seats of one state; `deck` counts a full deck."""
    result = np.zeros(1, views.dtype)
    for name in SAME_FOR_ALL:
        result[name] = views[name][0]
    result["seat"] = NOBODY
    result["role"] = NOT_KNOWN
    result["hand"] = NO_CARD
    result["unseen"] = deck - views["played"][0]
    open_goals = views["revealed"][0] >> np.arange(3) & 1
    result["goals"] = np.where(open_goals == 1, views["goals"][0], UNKNOWN_GOAL)
    # Gold is public where no seat is kept from knowing it.
    for name in ("nuggets", "packs"):
        result[name] = np.where((views[name] == views[name][0]).all(axis=0), views[name][0], NOT_KNOWN)
    return result


def public_event(events: Events) -> Any:
    """The public event, one record, from what each seat learned of one move."""
    result = events[:1].copy()
    if unpack(int(result["action"][0]))[0] == DISCARD:
        result["action"] = pack(DISCARD, HIDDEN_CARD, 0, 0)
    result["seen"] = UNKNOWN_GOAL
    result["drew"] = NO_CARD
    result["gained"] = 0
    result["role"] = NOT_KNOWN
    return result[0]
