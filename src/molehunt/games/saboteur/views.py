"""What a seat may know: the compiled functions that make views, legal actions and resampled states."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.core.streams import below, derive, shuffle
from molehunt.games.saboteur.cards import GOLD_CARDS, KINDS, NO_CARD, SABOTEUR, UNKNOWN_GOAL
from molehunt.games.saboteur.gold import hide_gold, resample_gold
from molehunt.games.saboteur.maze import copy_maze
from molehunt.games.saboteur.rules import list_actions, random_action
from molehunt.games.saboteur.ruleset import COUNTS, DECK_CARDS, HIDDEN_ROLE, MAX_HAND, SABOTEURS, SEATS, SHARES
from molehunt.games.saboteur.state import (
    CLAIMING,
    DECK,
    DRAWN,
    FACE_UP,
    IN_GAME,
    OUTCOME,
    ROLE,
    ROUND,
    SABOTEUR_COUNT,
    SEAT,
    SHARED_INFO,
    TO_MOVE,
)

MAX_ACTIONS = 1024
"""More than any hand of six cards can do in a maze with 32 open ends and 40 path cards, among ten seats."""


@kernel
def look(state: Any, seat: int, view: Any, params: Any) -> None:
    """Fill the view that `seat` has of a state."""
    copy_maze(state.maze, view.maze)
    look_beside_maze(state, seat, view, params)


@kernel
def look_beside_maze(state: Any, seat: int, view: Any, params: Any) -> None:
    """`look` without the maze, which all see as it is."""
    view.hand[:] = state.hands[seat]
    view.hand_sizes[:] = state.hand_sizes
    view.discards[:] = state.discards[seat]
    view.played[:] = state.played
    view.broken[:] = state.broken
    view.looked[:] = state.looked
    view.claims[:] = state.claims
    view.past_roles[:] = state.past_roles
    view.takers[:] = state.takers
    hide_gold(state, seat, view, params)
    # A full deck without what this seat holds, has thrown away, and has seen played.
    for kind in range(KINDS):
        view.unseen[kind] = params[COUNTS + kind] - state.discards[seat, kind] - state.played[kind]
    for slot in range(MAX_HAND):
        if view.hand[slot] != NO_CARD:
            view.unseen[view.hand[slot]] -= 1
    view.discard_counts[:] = 0
    for other in range(params[SEATS]):
        thrown = 0
        for kind in range(KINDS):
            thrown += state.discards[other, kind]
        view.discard_counts[other] = thrown
    # Goals: those that lie open and those this seat has looked at.
    known = state.info[FACE_UP] | state.looked[seat]
    for goal in range(3):
        view.goals[goal] = state.goals[goal] if known >> goal & 1 else UNKNOWN_GOAL
    view.info[:SHARED_INFO] = state.info
    view.info[SEAT] = seat
    view.info[ROLE] = state.roles[seat]
    view.info[IN_GAME] = params[SEATS]
    view.info[SABOTEUR_COUNT] = params[SABOTEURS]


@kernel
def look_many(states: Any, rows: Any, seats: Any, views: Any, params: Any) -> None:
    """Fill `views[i]` with what `seats[i]` sees of `states[rows[i]]`."""
    for index in range(len(rows)):
        look(states[rows[index]], seats[index], views[index], params)


@kernel
def list_view_actions(views: Any, params: Any, out: Any) -> int:
    """All legal actions of the first view of an array; none where it is not that seat's move. Returns how many."""
    view = views[0]
    seat = view.info[SEAT]
    if view.info[TO_MOVE] != seat:
        return 0
    return list_actions(view.hand, view.maze, view.broken, seat, view.info[FACE_UP], view.info[CLAIMING], params, out)


@kernel
def random_actions(views: Any, streams: Any, rows: Any, params: Any, out: Any) -> None:
    """A uniformly random legal action for each view, with the stream of its chair `streams[rows[i]]`."""
    for index in range(len(views)):
        view = views[index]
        out[index] = random_action(
            streams[rows[index] : rows[index] + 1],
            view.hand,
            view.maze,
            view.broken,
            view.info[SEAT],
            view.info[FACE_UP],
            view.info[CLAIMING],
            params,
        )


@kernel
def resample_one(view: Any, stream: Any, state: Any, params: Any) -> None:
    """Draw a state that the seat of a view holds possible, every such deal being equally likely.

    What the public has seen is copied. The unseen roles, goals and cards are shuffled into the places they can be in:
    roles of the others, goals not known, hands of the others, cards the others threw away, the deck.
    """
    seat = view.info[SEAT]
    seats = params[SEATS]
    state.stream[0] = derive(stream, np.uint64(0))
    copy_maze(view.maze, state.maze)
    state.hand_sizes[:] = view.hand_sizes
    state.played[:] = view.played
    state.broken[:] = view.broken
    state.looked[:] = view.looked
    state.info[:] = view.info[:SHARED_INFO]
    state.claims[:] = view.claims
    state.past_roles[:] = view.past_roles
    state.takers[:] = view.takers

    # Roles: the role cards that this seat does not hold, dealt to the others; one may be left over.
    state.roles[:] = 0
    others = seats - 1
    if view.info[OUTCOME]:
        state.roles[:] = view.past_roles[view.info[ROUND] - 1]
        state.roles[seats:] = 0
    else:
        hidden_saboteurs = params[SABOTEURS] - (1 if view.info[ROLE] == SABOTEUR else 0)
        if params[HIDDEN_ROLE] and below(state.stream, seats) < hidden_saboteurs:
            hidden_saboteurs -= 1
        state.roles[:hidden_saboteurs] = SABOTEUR
        shuffle(state.stream, state.roles, others)
        state.roles[others] = state.roles[seat]
        state.roles[seat] = view.info[ROLE]

    # Gold: what was paid in earlier rounds, and the pile.
    state.gold[:] = GOLD_CARDS
    state.nuggets[:] = view.nuggets
    state.packs[:] = view.packs
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
    for card in range(view.info[DRAWN], params[DECK_CARDS]):
        count -= 1
        state.deck[card] = pool[count]


@kernel
def resample_many(views: Any, streams: Any, states: Any, params: Any) -> None:
    """Draw `states[i]` from what the seat of `views[i]` holds possible, with a stream that starts at `streams[i]`."""
    for index in range(len(views)):
        resample_one(views[index], streams[index], states[index], params)


@kernel
def wins_many(states: Any, params: Any, out: Any) -> None:
    """Whether each seat has won: those with the most nuggets, if anybody has any; nobody while the game goes on."""
    for index in range(len(states)):
        state = states[index]
        most = 0
        for seat in range(params[SEATS]):
            most = max(most, state.nuggets[seat])
        for seat in range(params[SEATS]):
            out[index, seat] = state.info[OUTCOME] != 0 and most > 0 and state.nuggets[seat] == most
