"""Which events and views there can be, as far as one alone shows: tables are looked up by what they say."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.games.duel.actions import (
    DESTROY_TILE,
    DISCARD,
    FREE,
    HIDDEN_CARD,
    HINDER,
    LAY,
    LOOK,
    USED_BITS,
    card_of,
    play_of,
    target_of,
)
from molehunt.games.duel.cards import BLANK, KINDS, NO_CARD, NUGGET, TILES, UNKNOWN
from molehunt.games.duel.state import DECK, EVENT, GRID, HAND, SEATS, SIZE, VIEW
from molehunt.games.playing import possible, visible

GOALS = 3


@kernel
def is_move(action: int) -> bool:
    """Whether an action, its card hidden perhaps, is one of the game."""
    if action < 0 or action >> USED_BITS:
        return False
    play, card, target = play_of(action), card_of(action), target_of(action)
    if play == LAY or play == DESTROY_TILE:
        on_board = 1 <= target // GRID <= SIZE and 1 <= target % GRID <= SIZE
        return on_board and (play == DESTROY_TILE or card < TILES)
    if play == LOOK:
        return target < GOALS
    if play == DISCARD:
        return card < KINDS or card == HIDDEN_CARD
    return play == HINDER or play == FREE


@possible(EVENT)
def can_happen(events: Any, seats: int) -> Any:  # noqa: ARG001 - there are two
    """Whether an event can be one of the game."""
    event = events[0]
    fits = 0 <= event.seat < SEATS and event.turn >= 0 and is_move(event.action)
    fits = fits and UNKNOWN <= event.seen <= NUGGET and event.revealed < 1 << GOALS
    for goal in range(GOALS):
        if event.revealed >> goal & 1:
            fits = fits and BLANK <= event.goals[goal] <= NUGGET
    return np.int64(fits)


@visible(VIEW)
def can_be_seen(views: Any, seats: int) -> Any:  # noqa: ARG001 - there are two
    """Whether a view can be one of a seat."""
    view = views[0]
    if not 0 <= view.seat < SEATS:
        return np.int64(0)
    # Of the cards that are not seen the other holds some and has discarded some; the deck has the rest.
    other = 1 - view.seat
    away = view.hand_sizes[other] + view.discard_counts[other]
    fits = 0 <= view.drawn <= DECK and 0 <= view.hand_sizes[other] <= HAND and view.discard_counts[other] >= 0
    unseen = 0
    for kind in range(KINDS):
        fits = fits and view.unseen[kind] >= 0
        unseen += view.unseen[kind]
    for slot in range(HAND):
        fits = fits and NO_CARD <= view.hand[slot] < KINDS
    for goal in range(GOALS):
        fits = fits and UNKNOWN <= view.goals[goal] <= NUGGET
    return np.int64(fits and away <= unseen <= DECK)
