"""Random streams of ours for what OpenSpiel's algorithms draw."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from molehunt.core.streams import derive, next_word

UNIT_BITS = 53


def stream_of(number: float) -> npt.NDArray[np.uint64]:
    """A stream that starts at a number from 0 to 1: shape (1,)."""
    return np.array([derive(np.uint64(int(number * (1 << UNIT_BITS))), np.uint64(0))], np.uint64)


def next_stream(stream: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The start of another stream, drawn from one, shape (1,), which goes on: shape (1,)."""
    return np.array([next_word(stream)], np.uint64)


def generator(stream: npt.NDArray[np.uint64]) -> np.random.RandomState:
    """NumPy's older generator, which OpenSpiel's algorithms take, started from a stream, shape (1,), which goes on."""
    return np.random.RandomState(int(next_word(stream)) >> 32)
