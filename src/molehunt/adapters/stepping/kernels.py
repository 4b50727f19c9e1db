"""Games played by indices, compiled once for all: one game for an environment that is stepped, many for a training loop.

States, views and events are arrays of bytes. `calls` are the addresses of the game's functions (`games.calls`), `shown` those of
its spaces (`spaces.shown`). What many games take comes in records. What one game takes comes array by array, as a call from Python
with a record costs a microsecond more, a share of a single move that one would notice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from molehunt.adapters.spaces.shown import clear, index_of, show
from molehunt.adapters.stepping.earnings import DRAW, LOSS
from molehunt.core.kernels import kernel
from molehunt.core.seats import NOBODY
from molehunt.core.streams import SEED_BITS, derive
from molehunt.games.calls import (
    ADVANCE,
    DEAL,
    FAULT,
    PAYOFFS,
    RANDOM_ACTION,
    TO_MOVE,
    WINS,
    advance,
    borrowed,
    deal,
    fault,
    payoffs,
    random_action,
    wins,
)
from molehunt.games.calls import to_move as seat_to_move

NEEDED = (DEAL, TO_MOVE, FAULT, ADVANCE, PAYOFFS, WINS, RANDOM_ACTION)
"""What is called of a game."""
NO_FAULT = 0
ILLEGAL = -2
"""What `play_one` says of an index that cannot be played; else the seat to move, NOBODY where the game is over."""


class Rules(NamedTuple):
    """The game that is played, and what its functions write on the way."""

    calls: Any
    """Addresses of the functions NEEDED."""
    roles: Any
    """int8 (seats,), -1 each: roles are dealt."""
    params: Any
    """The ruleset as numbers, read only."""
    unwon: Any
    """`Earnings.numbers`, float64 (2,)."""
    event: Any
    """uint8 (bytes of an event,)."""
    paid: Any
    """float64 (seats,)."""
    won: Any
    """uint8 (seats,)."""


class Encoding(NamedTuple):
    """The spaces that a game is seen and played in, and what their functions write on the way."""

    shown: Any
    """Addresses of the functions of `spaces.shown`."""
    codes: Any
    """`Spaces.codes`: the actions by acting seat and index, int32 (seats or 1, actions)."""
    numbering: Any
    params: Any
    """What kernels read of the spaces, int32 and int64, read only."""
    views: Any
    """One: uint8 (bytes of a view,)."""


class Batch(NamedTuple):
    """Games that are played side by side, n of them, and where it is written what came of a move in each."""

    states: Any
    """(n,) records, for kernels bytes: uint8 (n, bytes of a state)."""
    seeds: Any
    """Those of the games that go on, uint64 (n,)."""
    bases: Any
    """The seeds that the games of each row follow from, uint64 (n,)."""
    numbers: Any
    """Which game is the next of its row, int64 (n,)."""
    rewards: Any
    """float32 (n, seats)."""
    terminated: Any
    """Whether the move ended the game, bool (n,)."""
    observations: Any
    masks: Any
    """int8 (n, observation size) and (n, actions), without columns where they are not wanted."""
    to_move: Any
    """The seats to move, NOBODY where the game is over, int8 (n,)."""


def batch_of(states: Any, arrays: Mapping[str, Any]) -> Batch:
    """The batch of some states, records or bytes, and of arrays by the names of its fields; others may be among them."""
    return Batch(states, *(arrays[name] for name in Batch._fields[1:]))


@kernel
def is_legal(calls: Any, state: Any, seat: Any, index: int, codes: Any, params: Any) -> Any:
    """Whether an index is that of an action that the seat to move may play."""
    if index < 0 or index >= codes.shape[1]:
        return False
    return fault(calls, state, codes[seat % len(codes), index], params) == NO_FAULT


@kernel
def deal_anew(calls: Any, state: Any, seed: Any, roles: Any, params: Any) -> None:
    """Deal a game over another one, nothing of which stays."""
    state[:] = 0
    deal(calls, state, seed, roles, params)


@kernel
def pay_out(calls: Any, state: Any, params: Any, unwon: Any, paid: Any, won: Any, rewards: Any) -> None:
    """Add what each seat earns in a game that is over, where `unwon` are `Earnings.numbers`.

    `paid`, float64, and `won`, uint8, are written on the way.
    """
    payoffs(calls, state, params, paid)
    wins(calls, state, params, won)
    earned = unwon[LOSS] if won.any() else unwon[DRAW]
    for seat in range(len(rewards)):
        rewards[seat] += paid[seat] if won[seat] or np.isnan(earned) else earned


@kernel
def play_one(
    calls: Any,
    states: Any,
    index: int,
    codes: Any,
    params: Any,
    unwon: Any,
    event: Any,
    paid: Any,
    won: Any,
    rewards: Any,
) -> Any:
    """Play an index in the first state. The rewards are written where that ends it. Returns who is next, NOBODY or ILLEGAL."""
    state = states[0]
    seat = seat_to_move(calls, state, params)
    if seat == NOBODY or not is_legal(calls, state, seat, index, codes, params):
        return np.int64(ILLEGAL)
    advance(calls, state, codes[seat % len(codes), index], params, event)
    following = seat_to_move(calls, state, params)
    if following == NOBODY:
        rewards[:] = 0
        pay_out(calls, state, params, unwon, paid, won, rewards)
    return following


@kernel
def see_one(
    shown: Any,
    states: Any,
    seat: int,
    numbering: Any,
    params: Any,
    view: Any,
    observation: Any,
    mask: Any,
    wanted: int,
) -> None:
    """What a seat sees of the first state, written to an observation and a mask."""
    observation[:] = 0
    mask[:] = 0
    show(shown, states[0], seat, view, observation, mask, numbering, params, wanted)


@kernel
def deal_one(calls: Any, states: Any, seed: Any, roles: Any, params: Any) -> Any:
    """Deal the first state from a seed, over whatever it was; who begins."""
    deal_anew(calls, states[0], seed, roles, params)
    return seat_to_move(calls, states[0], params)


@kernel
def show_many(game: Any, encoding: Any, batch: Any, wanted: int) -> None:
    """Write who is to move in each state and what they see, over arrays that may hold anything.

    Of a game that is over, it is what seat 0 sees.
    """
    states, observations, masks = batch.states, batch.observations, batch.masks
    observations[:, :] = 0
    masks[:, :] = 0
    for row in range(len(states)):
        seat = seat_to_move(game.calls, states[row], game.params)
        batch.to_move[row] = seat
        if wanted:
            seen, mask = observations[row], masks[row]
            show(
                encoding.shown,
                states[row],
                max(seat, 0),
                encoding.views,
                seen,
                mask,
                encoding.numbering,
                encoding.params,
                wanted,
            )


@kernel
def deal_many(calls: Any, states: Any, seeds: Any, roles: Any, params: Any) -> None:
    """Deal `states[i]` from `seeds[i]`, over whatever it was."""
    for row in range(len(states)):
        deal_anew(calls, states[row], seeds[row], roles, params)


@kernel
def next_seed(row: int, bases: Any, numbers: Any, stride: int) -> Any:
    """The seed of the next game of a row, whose number goes up by `stride`."""
    seed = derive(bases[row], np.uint64(numbers[row])) >> np.uint64(64 - SEED_BITS)
    numbers[row] += stride
    return seed


@kernel
def check_many(calls: Any, states: Any, to_move: Any, indices: Any, codes: Any, params: Any) -> int:
    """The first state in which an index cannot be played, -1 where there is none. Games that are over are passed over.

    `to_move` are the seats to move.
    """
    for row in range(len(states)):
        seat = np.int64(to_move[row])
        if seat != NOBODY and not is_legal(calls, states[row], seat, indices[row], codes, params):
            return row
    return -1


@kernel
def play_many(game: Any, encoding: Any, batch: Any, indices: Any, stride: int, wanted: int) -> int:
    """Play `indices[i]` in game i of a batch and write all that came of it; games that are over stay as they are.

    With `stride` above 0, a game that ends is at once replaced by the next of its row. Returns -1, or the first row whose index
    cannot be played; then nothing was played.
    """
    calls, shown = borrowed(game.calls), borrowed(encoding.shown)
    states, roles = borrowed(batch.states), borrowed(game.roles)
    observations, masks, rewards = borrowed(batch.observations), borrowed(batch.masks), borrowed(batch.rewards)
    codes, numbering = borrowed(encoding.codes), borrowed(encoding.numbering)
    params, shown_params = borrowed(game.params), borrowed(encoding.params)
    view, event = borrowed(encoding.views), borrowed(game.event)
    paid, won, unwon = borrowed(game.paid), borrowed(game.won), game.unwon
    seeds, to_move, terminated = batch.seeds, batch.to_move, batch.terminated
    failed = check_many(calls, states, to_move, indices, codes, params)
    if failed >= 0:
        return failed
    for row in range(len(states)):
        state = states[row]
        terminated[row] = False
        rewards[row, :] = 0
        seat = np.int64(to_move[row])
        if seat == NOBODY:
            continue
        if wanted:
            clear(shown, state, observations[row], masks[row], numbering, shown_params, wanted)
        advance(calls, state, codes[seat % len(codes), indices[row]], params, event)
        seat = seat_to_move(calls, state, params)
        if seat == NOBODY:
            terminated[row] = True
            pay_out(calls, state, params, unwon, paid, won, rewards[row])
            if stride:
                seeds[row] = next_seed(row, batch.bases, batch.numbers, stride)
                deal_anew(calls, state, seeds[row], roles, params)
                seat = seat_to_move(calls, state, params)
        to_move[row] = seat
        if wanted:
            show(shown, state, max(seat, 0), view, observations[row], masks[row], numbering, shown_params, wanted)
    return -1


@kernel
def choose_many(
    calls: Any, shown: Any, states: Any, to_move: Any, streams: Any, numbering: Any, params: Any, scratch: Any, out: Any
) -> None:
    """The index of a uniformly random legal action in each state, drawn with the stream of its row; 0 where the game is over."""
    calls, shown, states, streams = borrowed(calls), borrowed(shown), borrowed(states), borrowed(streams)
    numbering, params, scratch = borrowed(numbering), borrowed(params), borrowed(scratch)
    for row in range(len(states)):
        state = states[row]
        seat = np.int64(to_move[row])
        out[row] = 0
        if seat == NOBODY:
            continue
        # What lies outside a window has no index and is drawn again; what can be thrown away or said always has one.
        out[row] = -1
        while out[row] < 0:
            action = random_action(calls, state, params, streams[row : row + 1], scratch)
            out[row] = index_of(shown, action, seat, numbering, params)


@kernel
def next_seeds(rows: Any, seeds: Any, bases: Any, numbers: Any, stride: int) -> None:
    """Write the seeds of the next games of some rows."""
    for row in rows:
        seeds[row] = next_seed(row, bases, numbers, stride)


@kernel
def pay_many(calls: Any, states: Any, rows: Any, params: Any, unwon: Any, paid: Any, won: Any, rewards: Any) -> None:
    """Add what each seat earns in some games that are over."""
    for row in rows:
        pay_out(calls, states[row], params, unwon, paid, won, rewards[row])
