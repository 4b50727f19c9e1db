"""What a seat may know: the compiled functions that make views, legal actions and resampled states."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.core.streams import derive, shuffle
from molehunt.games.saboteur.cards import DECK_COUNTS, KINDS, NO_CARD, SABOTEUR, UNKNOWN_GOAL
from molehunt.games.saboteur.rules import list_actions, random_action
from molehunt.games.saboteur.ruleset import MAX_HAND, SABOTEURS, SEATS
from molehunt.games.saboteur.state import (
    DECK,
    DRAWN,
    FACE_UP,
    IN_GAME,
    OUTCOME,
    ROLE,
    SABOTEUR_COUNT,
    SEAT,
    SHARED_INFO,
    TO_MOVE,
)

MAX_ACTIONS = 1024
"""More than any hand of six cards can do on a board of 63 cells."""


@kernel
def look(state: Any, seat: int, view: Any, rules: Any) -> None:
    """Fill the view that `seat` has of a state."""
    view.planes[:] = state.planes
    view.cells[:] = state.cells
    view.hand[:] = state.hands[seat]
    view.hand_sizes[:] = state.hand_sizes
    view.discards[:] = state.discards[seat]
    view.played[:] = state.played
    view.broken[:] = state.broken
    view.looked[:] = state.looked
    # A full deck without what this seat holds, has thrown away, and has seen played.
    for kind in range(KINDS):
        view.unseen[kind] = DECK_COUNTS[kind] - state.discards[seat, kind] - state.played[kind]
    for slot in range(MAX_HAND):
        if view.hand[slot] != NO_CARD:
            view.unseen[view.hand[slot]] -= 1
    view.discard_counts[:] = 0
    for other in range(rules[SEATS]):
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
    view.info[IN_GAME] = rules[SEATS]
    view.info[SABOTEUR_COUNT] = rules[SABOTEURS]


@kernel
def look_many(states: Any, rows: Any, seats: Any, views: Any, rules: Any) -> None:
    """Fill `views[i]` with what `seats[i]` sees of `states[rows[i]]`."""
    for index in range(len(rows)):
        look(states[rows[index]], seats[index], views[index], rules)


@kernel
def list_view_actions(views: Any, rules: Any, out: Any) -> int:
    """All legal actions of the first view of an array; none where it is not that seat's move. Returns how many."""
    view = views[0]
    seat = view.info[SEAT]
    if view.info[TO_MOVE] != seat:
        return 0
    return list_actions(view.hand, view.planes, view.broken, seat, view.info[FACE_UP], rules, out)


@kernel
def random_actions(views: Any, streams: Any, rows: Any, rules: Any, out: Any) -> None:
    """A uniformly random legal action for each view, with the stream of its chair `streams[rows[i]]`."""
    for index in range(len(views)):
        view = views[index]
        out[index] = random_action(
            streams[rows[index] : rows[index] + 1],
            view.hand,
            view.planes,
            view.broken,
            view.info[SEAT],
            view.info[FACE_UP],
            rules,
        )


@kernel
def resample_one(view: Any, stream: Any, state: Any, rules: Any) -> None:
    """Draw a state that the seat of a view holds possible, every such deal being equally likely.

    What the public has seen is copied. The unseen roles, goals and cards are shuffled into the places they can be in:
    roles of the others, goals not known, hands of the others, cards the others threw away, the deck.
    """
    seat = view.info[SEAT]
    seats = rules[SEATS]
    state.stream[0] = derive(stream, np.uint64(0))
    state.planes[:] = view.planes
    state.cells[:] = view.cells
    state.hand_sizes[:] = view.hand_sizes
    state.played[:] = view.played
    state.broken[:] = view.broken
    state.looked[:] = view.looked
    state.info[:] = view.info[:SHARED_INFO]

    # Roles: the saboteurs that are not this seat sit anywhere among the others.
    state.roles[:] = 0
    others = seats - 1
    hidden_saboteurs = rules[SABOTEURS] - (1 if view.info[ROLE] == SABOTEUR else 0)
    state.roles[:hidden_saboteurs] = SABOTEUR
    shuffle(state.stream, state.roles, others)
    state.roles[others] = state.roles[seat]
    state.roles[seat] = view.info[ROLE]

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
    for card in range(view.info[DRAWN], DECK):
        count -= 1
        state.deck[card] = pool[count]


@kernel
def resample_many(views: Any, streams: Any, states: Any, rules: Any) -> None:
    """Draw `states[i]` from what the seat of `views[i]` holds possible, with a stream that starts at `streams[i]`."""
    for index in range(len(views)):
        resample_one(views[index], streams[index], states[index], rules)


@kernel
def wins_many(states: Any, rules: Any, gold: int, out: Any) -> None:
    """Whether each seat has won: the miners where the outcome is `gold`, the saboteurs where it is another end."""
    for index in range(len(states)):
        outcome = states[index].info[OUTCOME]
        for seat in range(rules[SEATS]):
            saboteur = states[index].roles[seat] == SABOTEUR
            out[index, seat] = outcome != 0 and saboteur != (outcome == gold)
