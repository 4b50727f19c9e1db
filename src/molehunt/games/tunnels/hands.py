"""What Saboteur and its race for two say of a hand alike."""

from __future__ import annotations

from typing import Any

from molehunt.core.kernels import kernel


@kernel
def is_repeated(hand: Any, slot: int) -> bool:
    """Whether an earlier slot of the hand holds the same kind of card."""
    for earlier in range(slot):
        if hand[earlier] == hand[slot]:
            return True
    return False
