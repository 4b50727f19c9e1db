"""Games played by indices, compiled: one game for an environment that is stepped, many for a training loop."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.adapters.tables.games import (
    advance,
    clear,
    deal,
    fault,
    index_in,
    pay_out,
    random_move,
    show,
)
from molehunt.core.kernels import kernel
from molehunt.core.streams import SEED_BITS, derive
from molehunt.games.calls import borrowed

NO_FAULT, NO_SUCH_INDEX = 0, -1
ILLEGAL = -2
"""What `play_one` says of an index that cannot be played; else the seat to move, -1 where the game is over."""
OVER = -1


@kernel
def fault_of(states: Any, row: int, index: int, codes: Any, params: Any) -> int:
    """What is wrong with an index in `states[row]`, in which somebody is to move: NO_SUCH_INDEX, or an index of the rule texts."""
    if index < 0 or index >= codes.shape[1]:
        return NO_SUCH_INDEX
    state = states[row]
    return fault(state, states, row, codes[state.to_move % len(codes), index], params)


@kernel
def play_one(states: Any, index: int, codes: Any, params: Any, events: Any, rewards: Any) -> int:
    """Play an index in the first state. The rewards are written where that ends the game. Returns who is next, OVER or ILLEGAL."""
    state = states[0]
    seat = state.to_move
    if seat < 0 or fault_of(states, 0, index, codes, params) != NO_FAULT:
        return ILLEGAL
    advance(state, codes[seat % len(codes), index], params, events[0])
    if state.to_move < 0:
        pay_out(state, params, rewards)
    return state.to_move


@kernel
def see_one(
    states: Any, seat: int, numbering: Any, params: Any, views: Any, observation: Any, mask: Any, wanted: int
) -> None:
    """What a seat sees of the first state, written to an observation and a mask."""
    observation[:] = 0
    mask[:] = 0
    show(states[0], seat, views[0], observation, mask, numbering, params, wanted)


@kernel
def deal_one(states: Any, blank: Any, seed: Any, params: Any) -> int:
    """Deal the first state from a seed, over whatever it was; who begins. `blank` is an array of one record of zeros."""
    states[0] = blank[0]
    deal(states[0], seed, params)
    return states[0].to_move


@kernel
def show_row(
    states: Any,
    row: int,
    numbering: Any,
    params: Any,
    views: Any,
    observations: Any,
    masks: Any,
    to_move: Any,
    wanted: int,
) -> None:
    """Write who is to move in a state and what they see; of a game that is over, what seat 0 sees."""
    state = states[row]
    seat = state.to_move
    to_move[row] = seat
    if wanted:
        show(state, max(seat, 0), views[0], observations[row], masks[row], numbering, params, wanted)


@kernel
def show_many(
    states: Any, numbering: Any, params: Any, views: Any, observations: Any, masks: Any, to_move: Any, wanted: int
) -> None:
    """`show_row` for every state, over arrays that may hold anything."""
    observations[:, :] = 0
    masks[:, :] = 0
    for row in range(len(states)):
        show_row(states, row, numbering, params, views, observations, masks, to_move, wanted)


@kernel
def deal_many(states: Any, blank: Any, seeds: Any, params: Any) -> None:
    """Deal `states[i]` from `seeds[i]`, over whatever it was."""
    for row in range(len(states)):
        states[row] = blank[0]
        deal(states[row], seeds[row], params)


@kernel
def next_seed(row: int, bases: Any, numbers: Any, stride: int) -> Any:
    """The seed of the next game of a row, whose number goes up by `stride`."""
    seed = derive(bases[row], np.uint64(numbers[row])) >> np.uint64(64 - SEED_BITS)
    numbers[row] += stride
    return seed


@kernel
def check_many(states: Any, indices: Any, codes: Any, params: Any) -> int:
    """The first state in which an index cannot be played, -1 where there is none. Games that are over are passed over."""
    for row in range(len(states)):
        if states[row].to_move >= 0 and fault_of(states, row, indices[row], codes, params) != NO_FAULT:
            return row
    return -1


@kernel
def play_many(
    states: Any,
    indices: Any,
    codes: Any,
    numbering: Any,
    params: Any,
    blank: Any,
    scratch_views: Any,
    scratch_events: Any,
    seeds: Any,
    bases: Any,
    numbers: Any,
    stride: int,
    rewards: Any,
    ended: Any,
    observations: Any,
    masks: Any,
    to_move: Any,
    wanted: int,
) -> int:
    """Play `indices[i]` in `states[i]` and write all that came of it; games that are over stay as they are.

    With `stride` above 0, a game that ends is at once replaced by the next of its row. Returns -1, or the first row whose index
    cannot be played; then nothing was played.
    """
    states, observations, masks, rewards = borrowed(states), borrowed(observations), borrowed(masks), borrowed(rewards)
    codes, numbering, params = borrowed(codes), borrowed(numbering), borrowed(params)
    scratch_views, scratch_events, blank = borrowed(scratch_views), borrowed(scratch_events), borrowed(blank)
    failed = check_many(states, indices, codes, params)
    if failed >= 0:
        return failed
    for row in range(len(states)):
        state = states[row]
        ended[row] = False
        rewards[row, :] = 0
        seat = state.to_move
        if seat < 0:
            continue
        if wanted:
            clear(state, observations[row], masks[row], numbering, params, wanted)
        advance(state, codes[seat % len(codes), indices[row]], params, scratch_events[0])
        if state.to_move < 0:
            ended[row] = True
            pay_out(state, params, rewards[row])
            if stride:
                states[row] = blank[0]
                seeds[row] = next_seed(row, bases, numbers, stride)
                deal(state, seeds[row], params)
        show_row(states, row, numbering, params, scratch_views, observations, masks, to_move, wanted)
    return -1


@kernel
def choose_many(states: Any, streams: Any, numbering: Any, params: Any, out: Any) -> None:
    """The index of a uniformly random legal action in each state, drawn with the stream of its row; 0 where the game is over."""
    states, streams = borrowed(states), borrowed(streams)
    numbering, params = borrowed(numbering), borrowed(params)
    for row in range(len(states)):
        state = states[row]
        seat = state.to_move
        out[row] = 0
        if seat < 0:
            continue
        # What lies outside a window has no index and is drawn again; what can be thrown away or said always has one.
        out[row] = -1
        while out[row] < 0:
            out[row] = index_in(state, random_move(streams[row : row + 1], state, params), seat, numbering, params)


@kernel
def next_seeds(rows: Any, seeds: Any, bases: Any, numbers: Any, stride: int) -> None:
    """Write the seeds of the next games of some rows."""
    for row in rows:
        seeds[row] = next_seed(row, bases, numbers, stride)


@kernel
def pay_many(states: Any, rows: Any, params: Any, rewards: Any) -> None:
    """Add what each seat was paid in some games that are over."""
    paid = np.zeros(rewards.shape[1], np.float32)
    for row in rows:
        pay_out(states[row], params, paid)
        rewards[row] += paid
