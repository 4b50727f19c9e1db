"""Kernels are lowered once, have one signature where types differ in nothing that matters, and work as Python does."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import types
from numba.core.runtime import _nrt_python, rtsys
from numba.extending import intrinsic

from molehunt.core.kernels import first_class, kernel, watch_compiling
from molehunt.core.linking import entry_function, widened

PAIR = np.dtype([("few", np.int8, (3,)), ("small", np.int16), ("more", np.int8, (5,))])


@kernel
def add_to(array: Any, index: int, amount: int) -> int:
    """Add to one number of an array; its length."""
    array[index] += amount
    return len(array)


@kernel
def add_in_many_ways(pairs: Any, loose: Any, index: int) -> int:
    """Call with a literal, a short and a long number, and with arrays of a record and another."""
    pair = pairs[0]
    total = add_to(pair.few, 0, 1)
    total += add_to(pair.more, pair.small, np.int64(2))  # type: ignore[arg-type]
    return total + add_to(loose, index, 3)


@kernel
def factorial(number: int) -> int:
    """A kernel that calls itself, with a type that is not that of its argument."""
    return 1 if number < 2 else number * factorial(np.int32(number - 1))  # type: ignore[arg-type]


@kernel
def even(number: int) -> Any:
    """Whether a number is even."""
    if number == 0:
        return True
    return not even(number - 1)


@kernel
def three(number: int) -> Any:
    """Calls kernels that call themselves."""
    return factorial(3) + number if even(number) else factorial(number)


@kernel
def refuse(number: int) -> int:
    """Raise with what was given."""
    if number > 2:
        raise ValueError("too large", number)
    return number


@kernel
def refuse_below(number: int) -> int:
    """Call what raises."""
    return refuse(number) + 1


def test_kernel_has_one_signature_for_numbers_and_arrays_that_differ_in_nothing_that_matters() -> None:
    pairs, loose = np.zeros(1, PAIR), np.zeros(7, np.int8)
    pairs["small"] = 4
    assert add_in_many_ways(pairs, loose, 6) == 3 + 5 + 7
    assert pairs["few"].tolist() == [[1, 0, 0]]
    assert pairs["more"].tolist() == [[0, 0, 0, 0, 2]]
    assert loose.tolist() == [0, 0, 0, 0, 0, 0, 3]
    loose_type = types.Array(types.int8, 1, "C")
    for array in (types.NestedArray(types.int8, (3,)), types.NestedArray(types.int8, (5,)), loose_type):
        for index, amount in ((types.int64, types.literal(1)), (types.int16, types.int64)):
            add_to.get_call_template((array, index, amount), {})  # type: ignore[attr-defined]
    assert list(add_to.overloads) == [(loose_type, types.int64, types.int64)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("given", "wide"),
    [
        (types.literal(3), types.int64),
        (types.literal(True), types.boolean),
        (types.int8, types.int64),
        (types.int32, types.int64),
        (types.uint8, types.uint8),
        (types.uint64, types.uint64),
        (types.float32, types.float32),
        (types.NestedArray(types.uint16, (2, 3)), types.Array(types.uint16, 2, "C")),
        (types.Array(types.int8, 1, "A"), types.Array(types.int8, 1, "A")),
        (types.Array(types.int8, 1, "C", readonly=True), types.Array(types.int8, 1, "C", readonly=True)),
    ],
)
def test_types_are_widened_only_where_every_value_stays_what_it_is(given: Any, wide: Any) -> None:
    assert widened(given) == wide


def test_kernels_that_call_themselves_work_from_python_and_from_kernels() -> None:
    assert factorial(10) == 3628800
    assert three(4) == 10
    assert three(5) == 120


def test_errors_of_a_linked_kernel_reach_python_with_what_they_say() -> None:
    assert refuse_below(2) == 3
    with pytest.raises(ValueError, match="too large") as caught:
        refuse_below(5)
    assert caught.value.args == ("too large", 5)


def test_an_address_links_kernels_as_python_does() -> None:
    function = first_class(types.int64(types.int64), lambda number: number + 1)
    assert function.ctypes(41) == 42


@intrinsic  # type: ignore[untyped-decorator]
def _whether_garbage_is_collected(_typing: Any, _number: Any) -> Any:
    COLLECTED.append(gc.isenabled())

    def generate(_context: Any, _builder: Any, _signature: Any, args: Any) -> Any:
        return args[0]

    return types.int64(types.int64), generate


COLLECTED: list[bool] = []


@pytest.fixture
def collecting() -> Iterator[None]:
    """Garbage is collected when the test begins, and after it."""
    gc.enable()
    yield
    gc.enable()


@kernel
def sum_of_part(array: Any, first: int) -> Any:
    """The sum of an array from some place on; an array is handed on for each number."""
    if first == len(array):
        return 0
    return array[first:][0] + sum_of_part(array, first + 1)


def sum_of_copy(array: Any) -> Any:
    """The sum of a copy, which is made and given back."""
    return sum_of_part(array.copy(), 0)


def sum_of_all(array: Any) -> Any:
    """The sum of an array."""
    return sum_of_part(array, 0)


def test_what_an_address_calls_holds_no_array_and_gives_back_those_that_it_makes() -> None:
    signature = types.int64(types.Array(types.int64, 1, "C"))
    given, copied = first_class(signature, sum_of_all), first_class(signature, sum_of_copy)

    @kernel
    def many(of_given: Any, of_copy: Any, times: int) -> int:
        array = np.arange(10)
        total = 0
        for _ in range(times):
            total += of_given(array) + of_copy(array)
        return total

    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    assert many(given, copied, 1000) == 2 * 45 * 1000
    after = rtsys.get_allocation_stats()
    assert after.mi_alloc - before.mi_alloc >= 1000
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free
    # Of code that comes from the disk Numba shows nothing, so it is made once more, and not kept.
    shown = []
    for function in (sum_of_all, sum_of_copy):
        fresh = entry_function(function, signature, {"nopython": True, "error_model": "numpy"})
        fresh.compile()
        shown.append(fresh._library.get_asm_str())
    assert "NRT_incref" not in shown[0]
    assert "NRT_decref" in shown[1]


@pytest.mark.usefixtures("collecting")
def test_garbage_is_collected_again_after_compiling_and_not_during_it(tmp_path: Path) -> None:
    told: list[str] = []
    # A new file each time, so that its machine code is not kept.
    file = tmp_path / "asking.py"
    file.write_text(f"NAME = {os.urandom(8).hex()!r}\ndef ask(number):\n    return inner(number)\n")
    namespace: dict[str, Any] = {"inner": _whether_garbage_is_collected}
    exec(compile(file.read_text(), file, "exec"), namespace)  # noqa: S102 - the text stands above
    with watch_compiling(told.append):
        assert kernel(namespace["ask"])(7) == 7
    assert told == ["ask"]
    assert COLLECTED
    assert not any(COLLECTED)
    assert gc.isenabled()
