"""Saboteur behind the compiled interface that all games share; `games.calls` says what each function must do."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.core.seats import NOBODY
from molehunt.core.streams import derive
from molehunt.games.saboteur import rules
from molehunt.games.saboteur import views as seeing
from molehunt.games.saboteur.cards import KINDS, NO_CARD
from molehunt.games.saboteur.maze import FIRST_PATH
from molehunt.games.saboteur.ruleset import MAX_HAND, ROUNDS, SEATS, SPEAK
from molehunt.games.saboteur.state import GOING_ON


@kernel
def deal(states: Any, seed: Any, roles: Any, params: Any) -> None:
    rules.deal(states[0], seed, roles, roles[0] >= 0, params)


@kernel
def to_move(states: Any, params: Any) -> Any:
    return np.int64(states[0].to_move)


@kernel
def legal(states: Any, params: Any, out: Any) -> Any:
    state = states[0]
    seat = state.to_move
    if seat == NOBODY:
        return 0
    return rules.list_actions(
        state.hands[seat],
        state.maze,
        state.broken,
        seat,
        state.revealed,
        state.claiming,
        rules.sayable(state, seat, params),
        params,
        out,
    )


@kernel
def legal_seen(views: Any, params: Any, out: Any) -> Any:
    view = views[0]
    seat = view.seat
    if seat == NOBODY or view.to_move != seat:
        return 0
    may_say = rules.sayable(view, seat, params)
    return rules.list_actions(
        view.hand, view.maze, view.broken, seat, view.revealed, view.claiming, may_say, params, out
    )


@kernel
def fault(states: Any, action: int, params: Any) -> Any:
    return np.int64(rules.fault_of(states[0], action, params))


@kernel
def advance(states: Any, action: int, params: Any, events: Any) -> None:
    rules.advance(states[0], action, params, events[0])


@kernel
def redact(events: Any, states: Any, seat: int, params: Any) -> None:
    event = events[0]
    rules.redact(event, seat)
    if event.ended:
        rules.tell_seat(states[0], event, seat, params)


@kernel
def redact_all(whole: Any, states: Any, params: Any, events: Any) -> None:
    rules.redact_all(whole[0], states[0], params, events)


@kernel
def look(states: Any, seat: int, params: Any, views: Any) -> None:
    seeing.look(states[0], seat, views[0], params)


@kernel
def resample(views: Any, weights: Any, stream: Any, params: Any, states: Any) -> None:
    seeing.resample(views[0], weights, stream[0], states[0], params)


@kernel
def payoffs(states: Any, params: Any, out: Any) -> None:
    for seat in range(params[SEATS]):
        out[seat] = states[0].nuggets[seat]


@kernel
def wins(states: Any, params: Any, out: Any) -> None:
    """Those with the most nuggets win, if anybody has any."""
    state = states[0]
    most = 0
    for seat in range(params[SEATS]):
        most = max(most, state.nuggets[seat])
    for seat in range(params[SEATS]):
        out[seat] = state.outcome != 0 and most > 0 and state.nuggets[seat] == most


@kernel
def infoset_key(views: Any, params: Any) -> Any:
    view = views[0]
    key = np.uint64(0)
    counts = view.turn, view.to_move, view.drawn, view.outcome, view.revealed, view.round, view.claiming
    for number in (*counts, view.gold_rounds, view.gold_drawn, view.seat, view.role, view.seats, view.saboteur_count):
        key = derive(key, np.uint64(number))

    # The mine: tiles by what and where they are, in whichever order they were laid. The hand: cards by their kinds.
    sum_of_tiles = np.uint64(0)
    for tile in range(FIRST_PATH, view.maze.tile_count):
        where = np.uint64(view.maze.cells[tile]) << np.uint64(16) | np.uint64(view.maze.edges[tile]) << np.uint64(8)
        sum_of_tiles += derive(where | np.uint64(view.maze.what[tile]), np.uint64(1))
    key = derive(key, sum_of_tiles)
    sum_of_cards = np.uint64(0)
    for slot in range(MAX_HAND):
        if view.hand[slot] != NO_CARD:
            sum_of_cards += derive(np.uint64(view.hand[slot]), np.uint64(2))
    key = derive(key, sum_of_cards)

    for goal in range(3):
        key = derive(key, np.uint64(view.goals[goal]))
    for kind in range(KINDS):
        key = derive(key, np.uint64(view.discards[kind]) << np.uint64(8) | np.uint64(view.played[kind]))
    for seat in range(params[SEATS]):
        of_seat = np.uint64(view.hand_sizes[seat]) << np.uint64(24) | np.uint64(view.discard_counts[seat]) << np.uint64(
            16
        )
        of_seat |= np.uint64(view.broken[seat]) << np.uint64(8) | np.uint64(view.looked[seat])
        key = derive(key, of_seat)
        key = derive(key, np.uint64(view.nuggets[seat]))
        for goal in range(3):
            key = derive(key, np.uint64(view.claims[seat, goal]))
    if params[SPEAK]:
        for seat in range(params[SEATS]):
            key = derive(key, np.uint64(view.accused[seat] + 1) << np.uint64(8) | np.uint64(view.asked[seat]))
        key = derive(key, np.uint64(view.spoken))
    for number in range(min(view.round, params[ROUNDS])):
        key = derive(key, np.uint64(view.takers[number]))
        if view.unpaid[number]:
            key = derive(key, np.uint64(view.unpaid[number]))
        for seat in range(params[SEATS]):
            key = derive(key, np.uint64(view.past_roles[number, seat]))
        for card in range(view.packs.shape[1]):
            key = derive(key, np.uint64(view.packs[number, card]))
    return key


@kernel
def random_action(states: Any, params: Any, stream: Any) -> Any:
    state = states[0]
    seat = state.to_move
    if seat == NOBODY:
        return np.int64(-1)
    revealed, claiming, may_say = state.revealed, state.claiming, rules.sayable(state, seat, params)
    return np.int64(
        rules.random_action(
            stream, state.hands[seat], state.maze, state.broken, seat, revealed, claiming, may_say, params
        )
    )


@kernel
def random_seen(views: Any, params: Any, stream: Any) -> Any:
    view = views[0]
    seat = view.seat
    if seat == NOBODY or view.to_move != seat:
        return np.int64(-1)
    revealed, claiming, may_say = view.revealed, view.claiming, rules.sayable(view, seat, params)
    return np.int64(
        rules.random_action(stream, view.hand, view.maze, view.broken, seat, revealed, claiming, may_say, params)
    )


@kernel
def play_randomly(states: Any, params: Any, streams: Any, events: Any) -> Any:
    moves = np.int64(0)
    for index in range(len(streams)):
        state = states[index]
        stream = streams[index : index + 1]
        while state.outcome == GOING_ON:
            seat = state.to_move
            revealed, claiming, may_say = state.revealed, state.claiming, rules.sayable(state, seat, params)
            action = rules.random_action(
                stream, state.hands[seat], state.maze, state.broken, seat, revealed, claiming, may_say, params
            )
            rules.advance(state, action, params, events[0])
            moves += 1
    return moves
