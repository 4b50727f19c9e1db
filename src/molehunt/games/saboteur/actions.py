"""Actions as ints, and how they are taken apart.

Bits 0-11: the target (a cell, a seat or a goal; of a request, a tool); bits 12-15: the form (1 = turned; for a repair of one tool
of two, 1 + the tool; for a claim, what is claimed); bits 16-19: what is done; bits 20-26: the card (a claim's is the map; who
accuses or asks shows no card, and these bits are 0).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel

PLAY_PATH, PLAY_MAP, PLAY_BREAK, PLAY_FIX, PLAY_ROCKFALL, DISCARD, CLAIM, ACCUSE, ASK = 1, 2, 3, 4, 5, 6, 7, 8, 9
HIDDEN_CARD = 127
"""The card of a discard as others see it."""

FORM_SHIFT, PLAY_SHIFT, CARD_SHIFT, USED_BITS = 12, 16, 20, 27
TARGET_MASK, FORM_MASK, PLAY_MASK, CARD_MASK = 0xFFF, 0xF, 0xF, 0x7F


@kernel
def encode(play: int, card: int, form: int, target: int) -> Any:
    """The action as an int."""
    return np.int32(card << CARD_SHIFT | play << PLAY_SHIFT | form << FORM_SHIFT | target)


@kernel
def target_of(action: int) -> int:
    """The cell, seat or goal of an action."""
    return action & TARGET_MASK


@kernel
def form_of(action: int) -> int:
    """The form of an action: 1 for a card that is turned."""
    return action >> FORM_SHIFT & FORM_MASK


@kernel
def play_of(action: int) -> int:
    """What an action does: PLAY_PATH, ..., DISCARD."""
    return action >> PLAY_SHIFT & PLAY_MASK


@kernel
def card_of(action: int) -> int:
    """The card of an action."""
    return action >> CARD_SHIFT & CARD_MASK


@kernel
def is_said(play: int) -> bool:
    """Whether something is only said: a claim, an accusation, a request. No card leaves the hand."""
    return play >= CLAIM


@kernel
def is_before_card(play: int) -> bool:
    """Whether it is what may be said before a card: an accusation or a request."""
    return play == ACCUSE or play == ASK


@kernel
def is_well_formed(action: int) -> bool:
    """Whether no bit is set that no action uses."""
    return action >= 0 and action >> USED_BITS == 0


def pack(play: int, card: int, form: int, target: int) -> int:
    """`encode` in plain Python."""
    return card << CARD_SHIFT | play << PLAY_SHIFT | form << FORM_SHIFT | target


def unpack(action: int) -> tuple[int, int, int, int]:
    """(what is done, card, form, target) of an action, in plain Python."""
    return (
        action >> PLAY_SHIFT & PLAY_MASK,
        action >> CARD_SHIFT & CARD_MASK,
        action >> FORM_SHIFT & FORM_MASK,
        action & TARGET_MASK,
    )
