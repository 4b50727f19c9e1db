"""Actions of Speed Clue as ints: what is done in bits 16-18, cards in bits 0-4, 5-9 and 10-14."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel

SUGGEST, ACCUSE, SHOW, END = 1, 2, 3, 4
HIDDEN_CARD = 31
PLAY_SHIFT = 16
TRIPLE = 0x7FFF


@kernel
def encode(play: int, triple: int) -> Any:
    """An action: what is done, and the cards (three packed ones, or one)."""
    return np.int32(play << PLAY_SHIFT | triple)


@kernel
def pack_triple(suspect: int, weapon: int, location: int) -> int:
    """Three cards in one number."""
    return suspect | weapon << 5 | location << 10


@kernel
def triple_mask(triple: int) -> Any:
    """The set of the three cards."""
    return (
        np.uint64(1) << np.uint64(triple & 31)
        | np.uint64(1) << np.uint64(triple >> 5 & 31)
        | np.uint64(1) << np.uint64(triple >> 10 & 31)
    )
