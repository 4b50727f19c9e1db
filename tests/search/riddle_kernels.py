"""A made-up game of one player that fools whoever knows what is hidden; `tiny_games` says how it goes."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.core.streams import below, derive

SAFE, GUESS, HEADS, TAILS = range(4)
FIRST, SECOND, OVER = range(3)
SIDES, LUCKY = 4, 3
"""A safe move wins for three of the four sides of the die."""
RULE_TEXTS = ("legal", "not now")


@kernel
def deal(states: Any, seed: Any, roles: Any, params: Any) -> None:
    stream = np.array([seed], np.uint64)
    states[0].coin = below(stream, 2)
    states[0].die = below(stream, SIDES)
    states[0].stage = FIRST
    states[0].winner = -1


@kernel
def to_move(states: Any, params: Any) -> Any:
    return np.int64(-1) if states[0].stage == OVER else np.int64(0)


@kernel
def _list(stage: int, out: Any) -> Any:
    if stage == OVER:
        return np.int64(0)
    out[0], out[1] = (SAFE, GUESS) if stage == FIRST else (HEADS, TAILS)
    return np.int64(2)


@kernel
def legal(states: Any, params: Any, out: Any) -> Any:
    return _list(states[0].stage, out)


@kernel
def legal_seen(views: Any, params: Any, out: Any) -> Any:
    return _list(views[0].stage, out) if views[0].seat == 0 else np.int64(0)


@kernel
def fault(states: Any, action: int, params: Any) -> Any:
    return np.int64(action // 2 != states[0].stage)


@kernel
def advance(states: Any, action: int, params: Any, events: Any) -> None:
    state = states[0]
    events[0].action = action
    if action == GUESS:
        state.stage = SECOND
        return
    state.stage = OVER
    won = state.die < LUCKY if action == SAFE else state.coin == action - HEADS
    state.winner = 0 if won else 1


@kernel
def redact(events: Any, states: Any, seat: int, params: Any) -> None:
    pass


@kernel
def look(states: Any, seat: int, params: Any, views: Any) -> None:
    views[0].seat = seat
    views[0].stage = states[0].stage


@kernel
def resample(views: Any, weights: Any, stream: Any, params: Any, states: Any) -> None:
    states[0].coin = below(stream, 2)
    states[0].die = below(stream, SIDES)
    states[0].stage = views[0].stage
    states[0].winner = -1


@kernel
def payoffs(states: Any, params: Any, out: Any) -> None:
    for seat in range(2):
        out[seat] = states[0].winner == seat


@kernel
def wins(states: Any, params: Any, out: Any) -> None:
    for seat in range(2):
        out[seat] = states[0].winner == seat


@kernel
def infoset_key(views: Any, params: Any) -> Any:
    return derive(np.uint64(np.int64(views[0].seat)), np.uint64(views[0].stage))
