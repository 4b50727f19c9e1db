"""What a seat may know: the compiled functions that make views, legal actions and resampled states."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.copying import block_copier
from molehunt.core.kernels import kernel, popcount
from molehunt.core.streams import below, derive, shuffle, uniform
from molehunt.games.saboteur.cards import GOLD_CARDS, KINDS, MINER, NO_CARD, SABOTEUR, UNKNOWN_GOAL
from molehunt.games.saboteur.gold import hide_gold, resample_gold
from molehunt.games.saboteur.ruleset import COUNTS, DECK_CARDS, HIDDEN_ROLE, MAX_HAND, SABOTEURS, SEATS, SHARES
from molehunt.games.saboteur.state import (
    DECK,
    STATE,
    VIEW,
)

MAX_ACTIONS = 1024
"""More than any hand of six cards can do in a maze with 32 open ends and 40 path cards, among ten seats."""


copy_shared = block_copier(STATE, VIEW, "maze", "gold_drawn")
copy_beside_maze = block_copier(STATE, VIEW, "nuggets", "gold_drawn")
copy_back = block_copier(VIEW, STATE, "maze", "gold_drawn")


@kernel
def look(state: Any, seat: int, view: Any, params: Any) -> None:
    """Fill the view that `seat` has of a state."""
    copy_shared(state, view)
    look_at_own(state, seat, view, params)


@kernel
def look_beside_maze(state: Any, seat: int, view: Any, params: Any) -> None:
    """`look` without the maze, which all see as it is."""
    copy_beside_maze(state, view)
    look_at_own(state, seat, view, params)


@kernel
def look_at_own(state: Any, seat: int, view: Any, params: Any) -> None:
    """What a seat sees that others do not see; what all see has been copied."""
    view.hand[:] = state.hands[seat]
    view.discards[:] = state.discards[seat]
    hide_gold(state, seat, view, params)
    # A full deck without what this seat holds, has thrown away, and has seen played.
    for kind in range(KINDS):
        view.unseen[kind] = params[COUNTS + kind] - state.discards[seat, kind] - state.played[kind]
    for slot in range(MAX_HAND):
        if 0 <= view.hand[slot] < KINDS:
            view.unseen[view.hand[slot]] -= 1
    # Goals: those that lie open and those this seat has looked at.
    known = state.revealed | state.looked[seat]
    for goal in range(3):
        view.goals[goal] = state.goals[goal] if known >> goal & 1 else UNKNOWN_GOAL
    view.seat = seat
    view.role = state.roles[seat]
    view.seats = params[SEATS]
    view.saboteur_count = params[SABOTEURS]


@kernel
def draw_roles(view: Any, weights: Any, state: Any, params: Any) -> None:
    """Deal the role cards that the seat of a view does not hold to the others; one may be left over.

    `weights`, float64[2**seats] or empty, weighs the sets of seats that may be the saboteurs.
    """
    seat = view.seat
    others = params[SEATS] - 1
    own = 1 if view.role == SABOTEUR else 0
    chosen = weighed_saboteurs(view, weights, state.stream, params) if len(weights) else -1
    state.roles[:] = 0
    if chosen >= 0:
        for other in range(params[SEATS]):
            state.roles[other] = SABOTEUR if chosen >> other & 1 else MINER
        return
    hidden_saboteurs = params[SABOTEURS] - own
    if params[HIDDEN_ROLE] and below(state.stream, params[SEATS]) < hidden_saboteurs:
        hidden_saboteurs -= 1
    state.roles[:hidden_saboteurs] = SABOTEUR
    shuffle(state.stream, state.roles, others)
    state.roles[others] = state.roles[seat]
    state.roles[seat] = view.role


@kernel
def may_be_saboteurs(team: int, view: Any, params: Any) -> bool:
    """Whether exactly the seats of a set may be the saboteurs, as far as the role cards tell."""
    own = view.role == SABOTEUR
    count = popcount(np.uint64(team))
    fewest = params[SABOTEURS] - (1 if params[HIDDEN_ROLE] else 0)
    return (team >> view.seat & 1 != 0) == own and fewest <= count <= params[SABOTEURS]


@kernel
def weighed_saboteurs(view: Any, weights: Any, stream: Any, params: Any) -> int:
    """A set of saboteurs drawn by its weight among those that may be, -1 where all of these weigh nothing."""
    total = 0.0
    for team in range(1 << params[SEATS]):
        if may_be_saboteurs(team, view, params):
            total += weights[team]
    if total <= 0.0:
        return -1
    left = total * uniform(stream)
    last = -1
    for team in range(1 << params[SEATS]):
        if weights[team] > 0.0 and may_be_saboteurs(team, view, params):
            last = team
            left -= weights[team]
            if left < 0.0:
                return team
    return last


@kernel
def resample(view: Any, weights: Any, stream: Any, state: Any, params: Any) -> None:
    """Draw a state that the seat of a view holds possible, every such deal being equally likely but for `weights` of the roles.

    What the public has seen is copied. The unseen roles, goals and cards are shuffled into the places they can be in:
    roles of the others, goals not known, hands of the others, cards the others threw away, the deck.
    """
    seat = view.seat
    seats = params[SEATS]
    state.stream[0] = derive(stream, np.uint64(0))
    copy_back(view, state)

    # Roles: open when the game is over.
    if view.outcome:
        state.roles[:] = view.past_roles[view.round - 1]
        state.roles[seats:] = 0
    else:
        draw_roles(view, weights, state, params)

    # Gold: what was paid in earlier rounds, and the pile.
    state.gold[:] = GOLD_CARDS
    state.gains[:] = 0
    if params[SHARES]:
        resample_gold(view, state.stream, state, params)

    # Goals: the contents not yet known, on the goals not yet known.
    missing = np.zeros(3, np.int8)
    count = 0
    for content in range(1, 4):
        placed = False
        for goal in range(3):
            placed = placed or view.goals[goal] == content
        if not placed:
            missing[count] = content
            count += 1
    shuffle(state.stream, missing, count)
    for goal in range(3):
        state.goals[goal] = view.goals[goal]
        if view.goals[goal] == UNKNOWN_GOAL:
            count -= 1
            state.goals[goal] = missing[count]

    # Cards: all that are unseen, into the other hands, the others' discards and the deck.
    pool = np.zeros(DECK, np.int8)
    count = 0
    for kind in range(KINDS):
        for _ in range(view.unseen[kind]):
            pool[count] = kind
            count += 1
    shuffle(state.stream, pool, count)
    state.hands[:] = NO_CARD
    state.discards[:] = 0
    for other in range(seats):
        if other == seat:
            continue
        for slot in range(view.hand_sizes[other]):
            count -= 1
            state.hands[other, slot] = pool[count]
        for _ in range(view.discard_counts[other]):
            count -= 1
            state.discards[other, pool[count]] += 1
    state.hands[seat] = view.hand
    state.discards[seat] = view.discards
    state.deck[:] = NO_CARD
    for card in range(view.drawn, params[DECK_CARDS]):
        count -= 1
        state.deck[card] = pool[count]
