"""Random streams: SplitMix64 (Steele, Lea and Flood 2014), one 64-bit word of state that lives in the record that uses it.

A game's stream is a field of its state and a player's stream a field of its memory, so a game is a function of its seed
and runs the same on one thread, on many and on a cluster. `stream` below is an array of one `uint64`: such a field, or a
slice of an array of streams.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.kernels import kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
LOW_32 = np.uint64(0xFFFFFFFF)

SEED_BITS = 53
"""Seeds of games have 53 bits, so that every reader of JSON keeps them exact."""

MAX_SEED = 2**SEED_BITS - 1


@kernel
def mix(word: Any) -> Any:
    """The finalizer of SplitMix64: a bijection of 64-bit words that spreads every bit."""
    word = (word ^ (word >> np.uint64(30))) * MIX_1
    word = (word ^ (word >> np.uint64(27))) * MIX_2
    return word ^ (word >> np.uint64(31))


@kernel
def derive(seed: Any, label: Any) -> Any:
    """The start of a stream of its own for `label`, from a seed: same seed and label, same stream."""
    return mix(mix(seed + GAMMA) ^ (label + np.uint64(1)) * GAMMA)


@kernel
def next_word(stream: Any) -> Any:
    """The next 64 random bits."""
    stream[0] += GAMMA
    return mix(stream[0])


@kernel
def uniform(stream: Any) -> float:
    """A number from 0 to 1, 1 excluded: one of 2**53, each as likely; one draw."""
    return float(next_word(stream) >> np.uint64(11)) * 2.0**-53


@kernel
def below(stream: Any, count: int) -> Any:
    """A uniform integer from 0 to count - 1 (1 <= count < 2**32), without bias (Lemire 2019)."""
    size = np.uint64(count)
    product = (next_word(stream) >> np.uint64(32)) * size
    low = product & LOW_32
    if low < size:
        threshold = (LOW_32 - size + np.uint64(1)) % size
        while low < threshold:
            product = (next_word(stream) >> np.uint64(32)) * size
            low = product & LOW_32
    return np.int64(product >> np.uint64(32))


@kernel
def shuffle(stream: Any, items: Any, count: int) -> None:
    """Put the first `count` entries of `items` into a uniformly random order, in place."""
    for last in range(count - 1, 0, -1):
        other = below(stream, last + 1)
        kept = items[last]
        items[last] = items[other]
        items[other] = kept


@kernel
def _derive_many(seed: Any, first: int, out: Any) -> None:
    for index in range(len(out)):
        out[index] = derive(seed, np.uint64(first + index)) >> np.uint64(64 - 53)


def game_seeds(seed: int, first: int, count: int) -> npt.NDArray[np.uint64]:
    """The seeds of games `first` to `first + count - 1` of a run with `seed`: shape (count,), 53 bits each."""
    out = np.empty(count, np.uint64)
    _derive_many(np.uint64(seed), first, out)
    return out


@kernel
def _derive_grid(seeds: Any, salt: Any, out: Any) -> None:
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            out[row, column] = derive(derive(seeds[row], salt), np.uint64(column))


def seat_streams(seeds: npt.NDArray[np.uint64], seats: int, salt: int = 1) -> npt.NDArray[np.uint64]:
    """The starts of the players' own streams: shape (games, seats). They are not the game's stream."""
    out = np.empty((len(seeds), seats), np.uint64)
    _derive_grid(seeds, np.uint64(salt), out)
    return out
