"""Many games at once, whichever they are: the loops behind `games.compiled.CompiledGame`, compiled once for all games.

States, views and events are arrays of bytes, shape (n, size); `calls` are the addresses of the game's functions (`games.calls`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.games.calls import (
    GOES_ON,
    PLAY_RANDOMLY,
    advance,
    borrowed,
    can_be,
    deal,
    fault,
    infoset_key,
    legal,
    legal_seen,
    look,
    margins,
    payoffs,
    play_randomly,
    redact_all,
    resample,
    to_move,
    wins,
)


@kernel
def deal_many(calls: Any, states: Any, seeds: Any, roles: Any, params: Any) -> None:
    """Deal `states[i]` from `seeds[i]`; `roles` has a row a game, or one row for all."""
    calls = borrowed(calls)
    states = borrowed(states)
    seeds = borrowed(seeds)
    roles = borrowed(roles)
    params = borrowed(params)
    for index in range(len(states)):
        deal(calls, states[index], seeds[index], roles[min(index, len(roles) - 1)], params)


@kernel
def to_move_many(calls: Any, states: Any, params: Any, out: Any) -> None:
    """The seat to move in each state, -1 where the game is over."""
    calls = borrowed(calls)
    states = borrowed(states)
    params = borrowed(params)
    out = borrowed(out)
    for index in range(len(states)):
        out[index] = to_move(calls, states[index], params)


@kernel
def look_many(calls: Any, states: Any, rows: Any, seats: Any, first: int, of_game: int, params: Any, views: Any) -> int:
    """Fill `views[i]` with what `seats[i]` sees of `states[rows[i]]`; a game has `of_game` seats, the lowest is `first`.

    Returns -1, or the first place whose row or seat there is not, where it stops.
    """
    calls = borrowed(calls)
    states = borrowed(states)
    rows = borrowed(rows)
    seats = borrowed(seats)
    params = borrowed(params)
    views = borrowed(views)
    for index in range(len(rows)):
        if not (0 <= rows[index] < len(states) and first <= seats[index] < of_game):
            return index
        look(calls, states[rows[index]], seats[index], params, views[index])
    return -1


@kernel
def legal_one(calls: Any, views: Any, params: Any, out: Any) -> Any:
    """The legal actions of the first view; how many."""
    return legal_seen(calls, views[0], params, out)


@kernel
def legal_in_one(calls: Any, states: Any, params: Any, out: Any) -> Any:
    """The legal actions of the seat to move in the first state; how many."""
    return legal(calls, states[0], params, out)


@kernel
def fault_one(calls: Any, states: Any, action: int, params: Any) -> Any:
    """What is wrong with an action in the first state."""
    return fault(calls, states[0], action, params)


@kernel
def apply_many(calls: Any, states: Any, rows: Any, actions: Any, params: Any, scratch: Any, events: Any) -> int:
    """Play `actions[i]` in `states[rows[i]]` and write each seat's event to `events[i, seat]`; `scratch` is an event.

    Returns -1, or the index of the first action that is not legal, or whose row there is not, which and after which
    nothing was played.
    """
    calls = borrowed(calls)
    states = borrowed(states)
    rows = borrowed(rows)
    actions = borrowed(actions)
    params = borrowed(params)
    scratch = borrowed(scratch)
    events = borrowed(events)
    for index in range(len(rows)):
        if not 0 <= rows[index] < len(states):
            return index
        state = states[rows[index]]
        if fault(calls, state, actions[index], params):
            return index
        advance(calls, state, actions[index], params, scratch)
        redact_all(calls, scratch, state, params, events[index])
    return -1


@kernel
def resample_many(
    calls: Any, visible: int, seats: int, views: Any, weights: Any, streams: Any, params: Any, states: Any
) -> int:
    """Draw `states[i]` from what the seat of `views[i]` holds possible; `weights` has a row a view, or one row for all.

    At the first view that cannot be one of a game of so many seats, by the function at the address `visible` (0: none asks), it
    ends and returns its number, else -1.
    """
    calls = borrowed(calls)
    views = borrowed(views)
    weights = borrowed(weights)
    streams = borrowed(streams)
    params = borrowed(params)
    states = borrowed(states)
    for index in range(len(views)):
        # Asked here, a view is read once.
        if visible and not can_be(visible, views[index], np.int64(seats)):
            return index
        stream = streams[index : index + 1]
        resample(calls, views[index], weights[min(index, len(weights) - 1)], stream, params, states[index])
    return -1


@kernel
def payoffs_many(calls: Any, states: Any, params: Any, out: Any) -> None:
    """What each seat is paid in each state."""
    calls = borrowed(calls)
    states = borrowed(states)
    params = borrowed(params)
    out = borrowed(out)
    for index in range(len(states)):
        payoffs(calls, states[index], params, out[index])


@kernel
def wins_many(calls: Any, states: Any, params: Any, out: Any) -> None:
    """Who has won in each state."""
    calls = borrowed(calls)
    states = borrowed(states)
    params = borrowed(params)
    out = borrowed(out)
    for index in range(len(states)):
        wins(calls, states[index], params, out[index])


@kernel
def margins_many(calls: Any, states: Any, params: Any, won: Any, out: Any) -> None:
    """What a search plays for, in each state; `won` is written on the way."""
    calls = borrowed(calls)
    states = borrowed(states)
    params = borrowed(params)
    won = borrowed(won)
    out = borrowed(out)
    for index in range(len(states)):
        margins(calls, states[index], params, won, out[index])


@kernel
def infoset_keys(calls: Any, views: Any, params: Any, out: Any) -> None:
    """A word for what the seat of each view knows."""
    calls = borrowed(calls)
    views = borrowed(views)
    params = borrowed(params)
    out = borrowed(out)
    for index in range(len(views)):
        out[index] = infoset_key(calls, views[index], params)


@kernel
def play_many_randomly(
    calls: Any, states: Any, streams: Any, params: Any, event: Any, scratch: Any, longest: int
) -> Any:
    """Play every state to its end with uniformly random legal actions; returns the number of moves.

    It stops with GOES_ON at a play that goes on after `longest` moves (0: any number).

    `streams` has one random stream a state, shape (n,); the games' own streams are not touched.
    """
    calls = borrowed(calls)
    states = borrowed(states)
    streams = borrowed(streams)
    params = borrowed(params)
    event = borrowed(event)
    scratch = borrowed(scratch)
    if calls[PLAY_RANDOMLY]:
        # The game's own loop over states, which lie one after the other.
        return play_randomly(calls, states.reshape(states.size), params, streams, event, scratch, longest)
    moves = np.int64(0)
    for index in range(len(states)):
        made = play_randomly(calls, states[index], params, streams[index : index + 1], event, scratch, longest)
        if made == GOES_ON:
            return made
        moves += made
    return moves
