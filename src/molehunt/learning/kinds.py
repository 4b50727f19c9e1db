"""Which of many moves are the same: to discard a certain card is written alike in any position, so a network scores it once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.kernels import kernel

WORD = 8
"""Moves are compared in words of so many bytes."""
FREE = -1
FACTOR = np.uint64(0x9E3779B97F4A7C15)
"""2**64 over the golden ratio (Knuth, The Art of Computer Programming, volume 3, section 6.4)."""


@kernel
def number_rows(rows: Any, table: Any, keys: Any, firsts: Any, numbers: Any) -> int:
    """Number rows of uint64 by what they are, in the order in which they come first; returns how many different ones there are.

    `table` is an open hash table of a size that is a power of two, FREE at first; `keys` and `firsts` are written for each number:
    its hash, and its first row.
    """
    count = 0
    last = len(table) - 1
    for row in range(len(rows)):
        key = np.uint64(0)
        for place in range(rows.shape[1]):
            key = (key ^ rows[row, place]) * FACTOR
            key ^= key >> np.uint64(32)
        slot = np.int64(key & np.uint64(last))
        while True:
            number = table[slot]
            if number == FREE:
                number = table[slot] = count
                keys[count] = key
                firsts[count] = row
                count += 1
                break
            if keys[number] == key:
                differs = np.uint64(0)
                for place in range(rows.shape[1]):
                    differs |= rows[firsts[number], place] ^ rows[row, place]
                if not differs:
                    break
            slot = (slot + 1) & last
        numbers[row] = number
    return count


def number_moves(moves: npt.NDArray[np.int8]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """The first of each different move, shape (kinds,), and which kind each move is, shape (moves,).

    Moves have a size that is a multiple of WORD.
    """
    count = len(moves)
    firsts, numbers = np.empty(count, np.int64), np.empty(count, np.int32)
    table = np.full(1 << (2 * count).bit_length(), FREE, np.int32)
    kinds = number_rows(moves.view(np.uint64), table, np.empty(count, np.uint64), firsts, numbers)
    return firsts[:kinds], numbers
