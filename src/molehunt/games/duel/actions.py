"""Actions of the duel as ints.

Bits 0-7: the target (a cell, a goal for a map, or which copy of the card is discarded, the first in the hand being 0);
bit 8: whether a tile is flipped; bits 9-13: the card; bits 14-16: what is done.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel

LAY, LOOK, HINDER, FREE, DESTROY_TILE, DISCARD = 1, 2, 3, 4, 5, 6
"""Lay a tile, look with a map, play a malus on the other, play a bonus on oneself, destroy a tile, discard a card."""
HIDDEN_CARD = 31
"""The card of a discard as the other sees it."""

FLIP_SHIFT, CARD_SHIFT, PLAY_SHIFT, USED_BITS = 8, 9, 14, 17
TARGET_MASK, CARD_MASK, PLAY_MASK = 0xFF, 0x1F, 0x7


@kernel
def encode(play: int, card: int, flipped: int, target: int) -> Any:
    """The action as an int."""
    return np.int32(play << PLAY_SHIFT | card << CARD_SHIFT | flipped << FLIP_SHIFT | target)


@kernel
def target_of(action: int) -> int:
    """The cell or goal of an action, or which copy of its card a discard means."""
    return action & TARGET_MASK


@kernel
def flipped_of(action: int) -> int:
    """Whether the tile of an action is flipped."""
    return action >> FLIP_SHIFT & 1


@kernel
def card_of(action: int) -> int:
    """The card of an action."""
    return action >> CARD_SHIFT & CARD_MASK


@kernel
def play_of(action: int) -> int:
    """What an action does: LAY, ..., DISCARD."""
    return action >> PLAY_SHIFT & PLAY_MASK


def pack(play: int, card: int, flipped: int = 0, target: int = 0) -> int:
    """`encode` in plain Python."""
    return play << PLAY_SHIFT | card << CARD_SHIFT | flipped << FLIP_SHIFT | target


def unpack(action: int) -> tuple[int, int, int, int]:
    """(what is done, card, flipped, target) of an action, in plain Python."""
    return (
        action >> PLAY_SHIFT & PLAY_MASK,
        action >> CARD_SHIFT & CARD_MASK,
        action >> FLIP_SHIFT & 1,
        action & TARGET_MASK,
    )
