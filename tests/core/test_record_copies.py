"""Records are copied whole, as blocks of memory."""

from __future__ import annotations

import re
from typing import Any

import numba
import numpy as np
import pytest

from molehunt.core.kernels import kernel

PLACE = np.dtype([("depth", np.float64), ("marks", np.int8, 3)])
RECORD = np.dtype([("cards", np.int16, 300), ("place", PLACE), ("seat", np.int8)])


@kernel
def copy_one(to: Any, start: Any) -> None:
    """One element of one dimension."""
    to[1] = start[2]


@kernel
def copy_to_row(to: Any, start: Any) -> None:
    """One element of two dimensions."""
    to[1, 0] = start[2]


@kernel
def copy_to_some(to: Any, start: Any) -> None:
    """The same record to several elements."""
    to[1:3] = start[2]


@kernel
def copy_inner(to: Any, start: Any) -> None:
    """A record that lies in another one, to an array of such records."""
    to[1] = start[2].place


def some_records(*shape: int, seed: int = 7) -> Any:
    """Records of any content."""
    content = np.random.default_rng(seed).integers(0, 100, (*shape, RECORD.itemsize), dtype=np.uint8)
    return content.view(RECORD)[..., 0]


@pytest.mark.parametrize(
    ("copy", "shape", "place"),
    [(copy_one, (4,), 1), (copy_to_row, (4, 2), (1, 0)), (copy_to_some, (4,), slice(1, 3))],
)
def test_every_byte_of_a_record_is_copied_and_no_other(copy: Any, shape: tuple[int, ...], place: Any) -> None:
    to, start = some_records(*shape), some_records(5, seed=8)
    expected = to.copy()
    expected[place] = start[2]
    assert expected.tobytes() != to.tobytes()
    copy(to, start)
    assert to.tobytes() == expected.tobytes()


def test_a_record_in_a_record_is_copied() -> None:
    start = some_records(5)
    to = np.zeros(3, PLACE)
    copy_inner(to, start)
    assert to[1].tobytes() == start["place"][2].tobytes()
    assert not any(to[[0, 2]].tobytes())


@pytest.mark.parametrize("copy", [copy_one, copy_to_row])
def test_no_record_is_loaded_as_one_value(copy: Any) -> None:
    to = some_records(4) if copy is copy_one else some_records(4, 2)
    copy.compile((numba.typeof(to), numba.typeof(some_records(5))))
    (compiled,) = copy.overloads.values()
    code = str(compiled.library._final_module)
    assert "llvm.memcpy" in code
    assert not re.search(rf"load \[{RECORD.itemsize} x i8\]", code)
