"""Speed Clue behind the compiled interface that all games share; `games.calls` says what each function must do."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.core.seats import NOBODY
from molehunt.core.streams import derive
from molehunt.games.speed_clue import rules
from molehunt.games.speed_clue.resample import resample_view
from molehunt.games.speed_clue.ruleset import SEATS
from molehunt.games.speed_clue.state import GOING_ON


@kernel
def deal(states: Any, seed: Any, roles: Any, params: Any) -> None:
    rules.deal(states[0], seed, params)


@kernel
def to_move(states: Any, params: Any) -> Any:
    return np.int64(states[0].to_move)


@kernel
def legal(states: Any, params: Any, out: Any) -> Any:
    state = states[0]
    seat = state.to_move
    if seat == NOBODY:
        return 0
    return rules.list_actions(state.hands[seat], state.record, state.suggestion_count, state.phase, seat, params, out)


@kernel
def legal_seen(views: Any, params: Any, out: Any) -> Any:
    view = views[0]
    seat = view.seat
    if seat == NOBODY or view.to_move != seat:
        return 0
    return rules.list_actions(view.hand, view.record, view.suggestion_count, view.phase, seat, params, out)


@kernel
def fault(states: Any, action: int, params: Any) -> Any:
    return np.int64(rules.fault_of(states, 0, action, params))


@kernel
def advance(states: Any, action: int, params: Any, events: Any) -> None:
    rules.advance(states[0], action, params, events[0])


@kernel
def redact(events: Any, states: Any, seat: int, params: Any) -> None:
    rules.redact(events[0], seat)


@kernel
def look(states: Any, seat: int, params: Any, views: Any) -> None:
    rules.look(states[0], seat, views[0], params)


@kernel
def resample(views: Any, weights: Any, stream: Any, params: Any, states: Any) -> None:
    resample_view(views[0], stream[0], states[0], params)


@kernel
def payoffs(states: Any, params: Any, out: Any) -> None:
    for seat in range(params[SEATS]):
        out[seat] = 1.0 if states[0].winner == seat else 0.0


@kernel
def wins(states: Any, params: Any, out: Any) -> None:
    state = states[0]
    for seat in range(params[SEATS]):
        out[seat] = state.outcome != 0 and state.winner == seat


@kernel
def infoset_key(views: Any, params: Any) -> Any:
    view = views[0]
    key = derive(np.uint64(0), view.hand)
    turn = view.moves, view.to_move, view.phase, view.outcome, view.suggestion_count, view.on_turn
    for number in (*turn, view.out, view.winner, view.turns, view.seat, view.seats):
        key = derive(key, np.uint64(number))
    for index in range(view.suggestion_count):
        key = derive(key, np.uint64(view.record[index]))
    for seat in range(params[SEATS]):
        key = derive(key, np.uint64(view.accusations[seat]))
    return key


@kernel
def random_action(states: Any, params: Any, stream: Any) -> Any:
    state = states[0]
    seat = state.to_move
    if seat == NOBODY:
        return np.int64(-1)
    return np.int64(
        rules.random_action(stream, state.hands[seat], state.record, state.suggestion_count, state.phase, seat, params)
    )


@kernel
def random_seen(views: Any, params: Any, stream: Any) -> Any:
    view = views[0]
    seat = view.seat
    if seat == NOBODY or view.to_move != seat:
        return np.int64(-1)
    return np.int64(
        rules.random_action(stream, view.hand, view.record, view.suggestion_count, view.phase, seat, params)
    )


@kernel
def play_randomly(states: Any, params: Any, streams: Any, events: Any) -> Any:
    moves = np.int64(0)
    for index in range(len(streams)):
        state = states[index]
        stream = streams[index : index + 1]
        while state.outcome == GOING_ON:
            seat = state.to_move
            action = rules.random_action(
                stream, state.hands[seat], state.record, state.suggestion_count, state.phase, seat, params
            )
            rules.advance(state, action, params, events[0])
            moves += 1
    return moves
