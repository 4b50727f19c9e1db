"""The duel behind the compiled interface that all games share; `games.calls` says what each function must do."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.core.seats import NOBODY
from molehunt.core.streams import derive
from molehunt.games.duel import rules
from molehunt.games.duel import views as seeing
from molehunt.games.duel.cards import KINDS
from molehunt.games.duel.state import CELLS, GOING_ON, HAND, SEATS


@kernel
def deal(states: Any, seed: Any, roles: Any, params: Any) -> None:
    rules.deal(states[0], seed)


@kernel
def to_move(states: Any, params: Any) -> Any:
    return np.int64(states[0].to_move)


@kernel
def legal(states: Any, params: Any, out: Any) -> Any:
    state = states[0]
    seat = state.to_move
    if seat == NOBODY:
        return 0
    return rules.list_actions(state.hands[seat], state.maze, state.malus[seat], state.revealed, out)


@kernel
def legal_seen(views: Any, params: Any, out: Any) -> Any:
    view = views[0]
    seat = view.seat
    if seat == NOBODY or view.to_move != seat:
        return 0
    return rules.list_actions(view.hand, view.maze, view.malus[seat], view.revealed, out)


@kernel
def fault(states: Any, action: int, params: Any) -> Any:
    return np.int64(rules.fault_of(states[0], action))


@kernel
def advance(states: Any, action: int, params: Any, events: Any) -> None:
    rules.advance(states[0], action, events[0])


@kernel
def redact(events: Any, states: Any, seat: int, params: Any) -> None:
    rules.redact(events[0], seat)


@kernel
def look(states: Any, seat: int, params: Any, views: Any) -> None:
    seeing.look(states[0], seat, views[0])


@kernel
def resample(views: Any, weights: Any, stream: Any, params: Any, states: Any) -> None:
    seeing.resample(views[0], stream[0], states[0])


@kernel
def payoffs(states: Any, params: Any, out: Any) -> None:
    for seat in range(SEATS):
        out[seat] = 1.0 if states[0].winner == seat else 0.0


@kernel
def wins(states: Any, params: Any, out: Any) -> None:
    state = states[0]
    for seat in range(SEATS):
        out[seat] = state.outcome != 0 and state.winner == seat


@kernel
def infoset_key(views: Any, params: Any) -> Any:
    view = views[0]
    key = np.uint64(0)
    for number in (view.turn, view.to_move, view.drawn, view.outcome, view.winner, view.revealed, view.seat):
        key = derive(key, np.uint64(number))
    board = view.maze.what
    for first in range(0, CELLS, 8):
        word = np.uint64(0)
        for cell in range(first, first + 8):
            word = word << np.uint64(8) | np.uint64(board[cell])
        if word:
            key = derive(key + np.uint64(first), word)
    # The hand: cards by their kinds, in whichever order they came.
    sum_of_cards = np.uint64(0)
    for slot in range(HAND):
        sum_of_cards += derive(np.uint64(view.hand[slot]), np.uint64(2))
    key = derive(key, sum_of_cards)
    for kind in range(KINDS):
        key = derive(key, np.uint64(view.discards[kind]) << np.uint64(8) | np.uint64(view.played[kind]))
    for seat in range(SEATS):
        of_seat = np.uint64(view.hand_sizes[seat]) << np.uint64(24) | np.uint64(view.discard_counts[seat]) << np.uint64(
            16
        )
        key = derive(key, of_seat | np.uint64(view.malus[seat]) << np.uint64(8) | np.uint64(view.looked[seat]))
    for goal in range(3):
        key = derive(key, np.uint64(view.goals[goal]))
    return key


@kernel
def random_action(states: Any, params: Any, stream: Any) -> Any:
    state = states[0]
    seat = state.to_move
    if seat == NOBODY:
        return np.int64(-1)
    return np.int64(rules.random_action(stream, state.hands[seat], state.maze, state.malus[seat], state.revealed))


@kernel
def random_seen(views: Any, params: Any, stream: Any) -> Any:
    view = views[0]
    seat = view.seat
    if seat == NOBODY or view.to_move != seat:
        return np.int64(-1)
    return np.int64(rules.random_action(stream, view.hand, view.maze, view.malus[seat], view.revealed))


@kernel
def play_randomly(states: Any, params: Any, streams: Any, events: Any) -> Any:
    moves = np.int64(0)
    for index in range(len(streams)):
        state = states[index]
        stream = streams[index : index + 1]
        while state.outcome == GOING_ON:
            seat = state.to_move
            action = rules.random_action(stream, state.hands[seat], state.maze, state.malus[seat], state.revealed)
            rules.advance(state, action, events[0])
            moves += 1
    return moves
