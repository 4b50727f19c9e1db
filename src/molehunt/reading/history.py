"""The last events of a chair, as networks of all games are told them: kept by turn, so that the oldest gives way to the newest."""

from __future__ import annotations

from typing import Any

from molehunt.core.kernels import kernel

NO_TURN = -1
"""The turn of an event that is none."""


@kernel
def keep_event(recent: Any, event: Any) -> None:
    """Keep an event among the last `len(recent)`."""
    if len(recent):
        recent[event.turn % len(recent)] = event


@kernel
def kept(recent: Any, turn: int) -> bool:
    """Whether the event of a turn is kept, at place `turn % len(recent)`."""
    return turn >= 0 and recent[turn % len(recent)].turn == turn


@kernel
def forget(recent: Any) -> None:
    """Forget all events."""
    for place in range(len(recent)):
        recent[place].turn = NO_TURN
