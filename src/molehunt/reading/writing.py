"""What features of all games are written with: numbers of which most are 0, one part after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel


@kernel
def write_one(which: int, count: int, at: int, out: Any) -> int:
    """Write a 1 at place `which` of `count` places, nowhere if it is none of them; return where the next part begins.

    What is not written is 0 already.
    """
    if 0 <= which < count:
        out[at + which] = 1
    return at + count


@kernel
def write_bits(bits: int | np.int64, count: int, at: int, out: Any) -> int:
    """Write the low bits of a word; return where the next part begins."""
    for number in range(count):
        out[at + number] = bits >> number & 1
    return at + count
