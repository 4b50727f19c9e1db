"""What a seat may know: the compiled functions that make views, legal actions and resampled states."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.copying import block_copier
from molehunt.core.kernels import kernel
from molehunt.core.streams import derive, shuffle
from molehunt.games.duel.cards import BLANK, DECK_COUNTS, KINDS, NO_CARD, NUGGET, UNKNOWN
from molehunt.games.duel.maze import copy_maze
from molehunt.games.duel.state import DECK, HAND, SEATS, STATE, VIEW

copy_shared = block_copier(STATE, VIEW, "turn", "revealed")
copy_back = block_copier(VIEW, STATE, "turn", "revealed")


@kernel
def look(state: Any, seat: int, view: Any) -> None:
    """Fill the view that `seat` has of a state."""
    copy_maze(state.maze, view.maze)
    look_beside_maze(state, seat, view)


@kernel
def look_beside_maze(state: Any, seat: int, view: Any) -> None:
    """`look` without the board, which both see as it is."""
    view.hand[:] = state.hands[seat]
    view.hand_sizes[:] = state.hand_sizes
    view.discards[:] = state.discards[seat]
    view.played[:] = state.played
    view.malus[:] = state.malus
    view.looked[:] = state.looked
    # The whole deck without what this seat holds, has discarded, and has seen played.
    for kind in range(KINDS):
        view.unseen[kind] = DECK_COUNTS[kind] - state.discards[seat, kind] - state.played[kind]
    for slot in range(HAND):
        if 0 <= view.hand[slot] < KINDS:
            view.unseen[view.hand[slot]] -= 1
    for other in range(SEATS):
        count = 0
        for kind in range(KINDS):
            count += state.discards[other, kind]
        view.discard_counts[other] = count
    known = state.revealed | state.looked[seat]
    for goal in range(3):
        view.goals[goal] = state.goals[goal] if known >> goal & 1 else UNKNOWN
    copy_shared(state, view)
    view.seat = seat


@kernel
def resample(view: Any, stream: Any, state: Any) -> None:
    """Draw a state that the seat of a view holds possible, every such deal being equally likely.

    What both have seen is copied. The nugget goes under one of the goals not known, the unseen cards are shuffled into the
    other's hand, the other's discards and the deck.
    """
    seat = view.seat
    other = 1 - seat
    state.stream[0] = derive(stream, np.uint64(0))
    copy_maze(view.maze, state.maze)
    state.hand_sizes[:] = view.hand_sizes
    state.played[:] = view.played
    state.malus[:] = view.malus
    state.looked[:] = view.looked
    copy_back(view, state)
    hide_nugget(view, state)

    pool = np.zeros(DECK, np.int8)
    count = 0
    for kind in range(KINDS):
        for _ in range(np.int64(view.unseen[kind])):
            pool[count] = kind
            count += 1
    shuffle(state.stream, pool, count)
    state.hands[:] = NO_CARD
    state.discards[:] = 0
    for slot in range(view.hand_sizes[other]):
        count -= 1
        state.hands[other, slot] = pool[count]
    for _ in range(np.int64(view.discard_counts[other])):
        count -= 1
        state.discards[other, pool[count]] += 1
    state.hands[seat] = view.hand
    state.discards[seat] = view.discards
    state.deck[:] = NO_CARD
    for card in range(view.drawn, DECK):
        count -= 1
        state.deck[card] = pool[count]


@kernel
def hide_nugget(view: Any, state: Any) -> None:
    """Put the goals that the seat of a view does not know in a random order that it holds possible."""
    hidden = np.zeros(3, np.int8)
    count = 0
    nuggets = 1
    for goal in range(3):
        if view.goals[goal] == UNKNOWN:
            hidden[count] = BLANK
            count += 1
        elif view.goals[goal] == NUGGET:
            nuggets = 0
    if nuggets and count:
        hidden[0] = NUGGET
    shuffle(state.stream, hidden, count)
    for goal in range(3):
        state.goals[goal] = view.goals[goal]
        if view.goals[goal] == UNKNOWN:
            count -= 1
            state.goals[goal] = hidden[count]
