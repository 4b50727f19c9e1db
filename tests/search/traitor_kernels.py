"""A made-up game of three with one traitor; `tiny_games` says how it goes."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.core.streams import below, derive, next_word

HELP, HARM = range(2)
SEATS, MOVES, ENOUGH = 3, 6, 2
RULE_TEXTS = ("legal", "no such move")


@kernel
def deal(states: Any, seed: Any, roles: Any, params: Any) -> None:
    state = states[0]
    stream = np.array([seed], np.uint64)
    traitor = below(stream, SEATS)
    for seat in range(SEATS):
        state.roles[seat] = roles[seat] if roles[0] >= 0 else seat == traitor
    for move in range(MOVES):
        state.moves[move] = -1
    state.count = 0


@kernel
def to_move(states: Any, params: Any) -> Any:
    return np.int64(-1) if states[0].count == MOVES else np.int64(states[0].count % SEATS)


@kernel
def _list(count: int, out: Any) -> Any:
    if count == MOVES:
        return np.int64(0)
    out[0], out[1] = HELP, HARM
    return np.int64(2)


@kernel
def legal(states: Any, params: Any, out: Any) -> Any:
    return _list(states[0].count, out)


@kernel
def legal_seen(views: Any, params: Any, out: Any) -> Any:
    view = views[0]
    return _list(view.count, out) if view.seat == view.count % SEATS else np.int64(0)


@kernel
def fault(states: Any, action: int, params: Any) -> Any:
    return np.int64(states[0].count == MOVES or not HELP <= action <= HARM)


@kernel
def advance(states: Any, action: int, params: Any, events: Any) -> None:
    state = states[0]
    events[0].seat = state.count % SEATS
    events[0].action = action
    state.moves[state.count] = action
    state.count += 1


@kernel
def redact(events: Any, states: Any, seat: int, params: Any) -> None:
    pass


@kernel
def look(states: Any, seat: int, params: Any, views: Any) -> None:
    view, state = views[0], states[0]
    view.seat = seat
    view.role = state.roles[seat] if seat >= 0 else -1
    view.count = state.count
    for move in range(MOVES):
        view.moves[move] = state.moves[move]


@kernel
def resample(views: Any, weights: Any, stream: Any, params: Any, states: Any) -> None:
    view, state = views[0], states[0]
    chances = np.zeros(SEATS)
    total = 0.0
    for given in range(2):
        for seat in range(SEATS):
            chances[seat] = (weights[1 << seat] if len(weights) and not given else 1.0) * (
                (seat == view.seat) == view.role
            )
            total += chances[seat]
        if total > 0:
            break
    left = (next_word(stream) >> np.uint64(11)) / float(1 << 53) * total
    traitor = -1
    for seat in range(SEATS):
        if chances[seat] > 0 and (traitor < 0 or left >= 0):
            traitor = seat
        left -= chances[seat]
    for seat in range(SEATS):
        state.roles[seat] = seat == traitor
    state.count = view.count
    for move in range(MOVES):
        state.moves[move] = view.moves[move]


@kernel
def wins(states: Any, params: Any, out: Any) -> None:
    state = states[0]
    harm = 0
    for move in range(state.count):
        harm += state.moves[move]
    for seat in range(SEATS):
        out[seat] = state.count == MOVES and (harm >= ENOUGH) == state.roles[seat]


@kernel
def payoffs(states: Any, params: Any, out: Any) -> None:
    won = np.zeros(SEATS, np.uint8)
    wins(states, params, won)
    for seat in range(SEATS):
        out[seat] = won[seat]


@kernel
def infoset_key(views: Any, params: Any) -> Any:
    view = views[0]
    key = derive(np.uint64(np.int64(view.seat)), np.uint64(np.int64(view.role)))
    for move in range(view.count):
        key = derive(key, np.uint64(view.moves[move]))
    return key
