"""Which events and views there can be, as far as one alone shows: tables are looked up by what they say."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.games.playing import possible, visible
from molehunt.games.saboteur.actions import (
    ACCUSE,
    ASK,
    CLAIM,
    DISCARD,
    HIDDEN_CARD,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    card_of,
    form_of,
    is_well_formed,
    play_of,
    target_of,
)
from molehunt.games.saboteur.cards import (
    CLAIMED_GOLD,
    CLAIMED_STONE,
    FIRST_BREAK,
    FIRST_FIX,
    FIRST_GOAL_CODE,
    KINDS,
    NO_CARD,
    ROCK_2,
    ROCKFALL,
    SABOTEUR,
    TOOLS,
    UNKNOWN_GOAL,
)
from molehunt.games.saboteur.ruleset import MAX_HAND, MAX_ROUNDS, MAX_SEATS
from molehunt.games.saboteur.state import CARDS_GONE, DECK, EVENT, GOING_ON, MAX_ENDS, MAX_TILES, NOT_KNOWN, VIEW

GOALS = 3


@kernel
def is_move(action: int, seats: int) -> bool:
    """Whether an action, its card hidden perhaps, is one of a game of so many seats."""
    if not is_well_formed(action):
        return False
    play, card, form, target = play_of(action), card_of(action), form_of(action), target_of(action)
    if play == PLAY_PATH:
        return card < FIRST_BREAK and form <= 1
    if play == PLAY_BREAK:
        return FIRST_BREAK <= card < FIRST_FIX and target < seats
    if play == PLAY_FIX:
        return FIRST_FIX <= card < ROCKFALL and target < seats and form <= len(TOOLS)
    if play == CLAIM:
        return target < GOALS and CLAIMED_GOLD <= form <= CLAIMED_STONE
    if play == PLAY_MAP:
        return target < GOALS
    if play == DISCARD:
        return card < KINDS or card == HIDDEN_CARD
    if play == ASK:
        return target < len(TOOLS)
    return play == PLAY_ROCKFALL or (play == ACCUSE and target < seats)


@possible(EVENT)
def can_happen(events: Any, seats: int) -> Any:
    """Whether an event can be one of a game of so many seats (0: of any)."""
    event = events[0]
    of_game = seats or MAX_SEATS
    fits = 0 <= event.seat < of_game and event.turn >= 0 and is_move(event.action, of_game)
    fits = fits and UNKNOWN_GOAL <= event.seen <= ROCK_2 and GOING_ON <= event.ended <= CARDS_GONE
    fits = fits and NOT_KNOWN <= event.role <= SABOTEUR and event.revealed < 1 << GOALS
    for goal in range(GOALS):
        if event.revealed >> goal & 1:
            fits = fits and FIRST_GOAL_CODE <= event.goals[goal] < FIRST_GOAL_CODE + 2 * ROCK_2
    if event.ended != GOING_ON:
        for seat in range(of_game if seats else 0):
            fits = fits and 0 <= event.roles[seat] <= SABOTEUR
    return np.int64(fits)


@visible(VIEW)
def can_be_seen(views: Any, seats: int) -> Any:
    """Whether a view can be one of a seat in a game of so many."""
    view = views[0]
    fits = 0 <= view.seat < seats and view.seats == seats and view.role >= 0 and view.role <= SABOTEUR
    fits = fits and 0 <= view.maze.tile_count <= MAX_TILES and 0 <= view.maze.end_count <= MAX_ENDS
    fits = fits and 0 <= view.round <= MAX_ROUNDS and (view.outcome == 0 or view.round > 0)
    if not (fits and 0 <= view.drawn <= DECK):
        return np.int64(False)
    # The sign of `least` is that of the least number: loops without a branch are several numbers a step.
    least = 0
    # Of the cards that are not seen others hold some and have thrown some away; the deck has the rest.
    away = -(view.hand_sizes[view.seat] + view.discard_counts[view.seat])
    for other in range(seats):
        least |= view.hand_sizes[other] | (MAX_HAND - view.hand_sizes[other]) | view.discard_counts[other]
        away += view.hand_sizes[other] + view.discard_counts[other]
    unseen = 0
    for kind in range(KINDS):
        least |= view.unseen[kind]
        unseen += view.unseen[kind]
    for slot in range(MAX_HAND):
        least |= (view.hand[slot] - NO_CARD) | (KINDS - 1 - view.hand[slot])
    return np.int64(least >= 0 and away <= unseen <= DECK)
