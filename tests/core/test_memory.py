"""Memories of players as values."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from molehunt.core.memory import copy_of

RECORD = np.dtype([("seat", np.int8), ("seen", np.int32, (3,))])
THINGS = np.dtype([("seat", np.int8), ("thing", object)])


@pytest.mark.parametrize(
    "part",
    [
        np.arange(12).reshape(3, 4),
        np.zeros(5, RECORD),
        np.zeros((2, 3), RECORD),
        np.zeros(6, RECORD)[::2],
        np.zeros(0, RECORD),
        np.zeros((), RECORD),
        np.zeros(4, THINGS),
        np.zeros(2, np.dtype([])),
    ],
)
def test_a_copy_is_equal_and_shares_nothing(part: npt.NDArray[Any]) -> None:
    copied = copy_of({"minds": part})["minds"]
    assert (copied.dtype, copied.shape, copied.flags.writeable) == (part.dtype, part.shape, True)
    assert not np.shares_memory(copied, part)
    if part.dtype.names:
        part["seat"] = 7
        assert not copied["seat"].any()
        copied["seat"] = 8
        assert (part["seat"] == 7).all()
