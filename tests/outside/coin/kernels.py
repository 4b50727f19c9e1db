"""The rules of the coin: one seat holds it and nobody else knows. In turn each seat points at another, and may peek at one before.

A peek shows to the one who peeks whether the other holds the coin. When all have pointed, those who pointed at the holder win;
where nobody did, the holder wins.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.core.streams import below, mix

MAX_SEATS = 4
NOBODY, UNKNOWN = -1, -1
PEEK, POINT = 0, MAX_SEATS
"""The first action of each kind; the seat that is meant is added."""
SEEKER, HOLDER = 0, 1
SEATS, PEEKS = 0, 1
"""Entries of the params: how many play, and whether they may peek."""

TABLE = [("peeked", np.int8, (MAX_SEATS,)), ("pointed", np.int8, (MAX_SEATS,)), ("to_move", np.int8)]
STATE = np.dtype([("roles", np.int8, (MAX_SEATS,)), *TABLE])
VIEW = np.dtype([("seat", np.int8), ("holds", np.bool_), ("seen", np.int8), ("move", np.uint16), *TABLE])
EVENT = np.dtype([("seat", np.int8), ("action", np.int8), ("seen", np.int8)])

RULE_TEXTS = (
    "legal",
    "the game is over",
    "there is no such move",
    "nobody is meant but another who plays",
    "one may peek once, and not in this game",
)


@kernel
def deal(states: Any, seed: Any, roles: Any, params: Any) -> None:
    state = states[0]
    state.peeked[:] = NOBODY
    state.pointed[:] = NOBODY
    state.to_move = 0
    state.roles[:] = SEEKER
    stream = np.empty(1, np.uint64)
    stream[0] = seed
    holder = below(stream, params[SEATS])
    for seat in range(params[SEATS]):
        if roles[seat] == HOLDER:
            holder = seat
    state.roles[holder] = HOLDER


@kernel
def to_move(states: Any, params: Any) -> Any:
    return np.int64(states[0].to_move)


@kernel
def _list(seat: int, table: Any, params: Any, out: Any) -> Any:
    count = 0
    for first in (PEEK, POINT):
        if first == PEEK and (table.peeked[seat] != NOBODY or not params[PEEKS]):
            continue
        for other in range(params[SEATS]):
            if other != seat:
                out[count] = first + other
                count += 1
    return count


@kernel
def legal(states: Any, params: Any, out: Any) -> Any:
    seat = states[0].to_move
    return 0 if seat < 0 else _list(seat, states[0], params, out)


@kernel
def legal_seen(views: Any, params: Any, out: Any) -> Any:
    view = views[0]
    return 0 if view.to_move < 0 or view.to_move != view.seat else _list(view.seat, view, params, out)


@kernel
def fault(states: Any, action: int, params: Any) -> Any:
    state = states[0]
    seat = state.to_move
    if seat < 0:
        return 1
    if action < 0 or action >= POINT + MAX_SEATS:
        return 2
    other = action % MAX_SEATS
    if other == seat or other >= params[SEATS]:
        return 3
    return 4 if action < POINT and (state.peeked[seat] != NOBODY or not params[PEEKS]) else 0


@kernel
def advance(states: Any, action: int, params: Any, events: Any) -> None:
    state = states[0]
    seat = state.to_move
    other = action % MAX_SEATS
    event = events[0]
    event.seat = seat
    event.action = action
    event.seen = UNKNOWN
    if action < POINT:
        state.peeked[seat] = other
        event.seen = state.roles[other]
        return
    state.pointed[seat] = other
    state.to_move = NOBODY if seat + 1 == params[SEATS] else seat + 1


@kernel
def redact(events: Any, states: Any, seat: int, params: Any) -> None:
    if events[0].seat != seat:
        events[0].seen = UNKNOWN


@kernel
def look(states: Any, seat: int, params: Any, views: Any) -> None:
    state, view = states[0], views[0]
    view.seat = seat
    view.peeked[:] = state.peeked
    view.pointed[:] = state.pointed
    view.to_move = state.to_move
    view.holds = state.roles[seat] == HOLDER
    view.seen = UNKNOWN if state.peeked[seat] == NOBODY else state.roles[state.peeked[seat]]
    view.move = 0
    for other in range(MAX_SEATS):
        view.move += (state.peeked[other] != NOBODY) + (state.pointed[other] != NOBODY)


@kernel
def resample(views: Any, weights: Any, stream: Any, params: Any, states: Any) -> None:
    view, state = views[0], states[0]
    seats = params[SEATS]
    state.peeked[:] = view.peeked
    state.pointed[:] = view.pointed
    state.to_move = view.to_move
    state.roles[:] = SEEKER
    odds = np.zeros(MAX_SEATS)
    for weighed in (True, False):
        for seat in range(seats):
            can = (seat == view.seat) == view.holds
            if can and view.seen != UNKNOWN:
                can = (view.peeked[view.seat] == seat) == (view.seen == HOLDER)
            odds[seat] = 0.0 if not can else weights[1 << seat] if weighed and len(weights) else 1.0
        if odds.sum() > 0:
            break
    chance = below(stream, 1 << 30) / (1 << 30) * odds.sum()
    holder = -1
    for seat in range(seats):
        if odds[seat] > 0 and (holder < 0 or chance >= 0):
            holder = seat
        chance -= odds[seat]
    state.roles[holder] = HOLDER


@kernel
def wins(states: Any, params: Any, out: Any) -> None:
    state = states[0]
    found = False
    for seat in range(params[SEATS]):
        out[seat] = 0
        if state.to_move < 0 and state.roles[seat] == SEEKER and state.roles[state.pointed[seat]] == HOLDER:
            out[seat] = 1
            found = True
    for seat in range(params[SEATS]):
        if state.to_move < 0 and not found and state.roles[seat] == HOLDER:
            out[seat] = 1


@kernel
def payoffs(states: Any, params: Any, out: Any) -> None:
    won = np.zeros(MAX_SEATS, np.uint8)
    wins(states, params, won)
    for seat in range(params[SEATS]):
        out[seat] = won[seat]


@kernel
def infoset_key(views: Any, params: Any) -> Any:
    view = views[0]
    key = mix(np.uint64(view.seat + 2 + 8 * view.holds + 16 * (view.seen + 1)))
    for seat in range(params[SEATS]):
        key = mix(key ^ np.uint64(view.peeked[seat] + 1))
        key = mix(key ^ np.uint64(view.pointed[seat] + 1))
    return key
