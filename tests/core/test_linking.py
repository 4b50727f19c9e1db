"""Kernels are lowered once, have one signature where types differ in nothing that matters, and work as Python does."""

from __future__ import annotations

import gc
import io
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import types
from numba.core.runtime import _nrt_python, rtsys
from numba.extending import intrinsic

from molehunt.core import unraised
from molehunt.core.errors import KernelFailure
from molehunt.core.kernels import first_class, kernel, watch_compiling
from molehunt.core.linking import EntryKernel, entry_function, uninterrupted, widened
from molehunt.games.calls import caller

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


def refuse_sum(one: int, other: int) -> int:
    """Raise where the sum is too large."""
    return refuse(one + other)


_call = caller(types.int64, 2)


@kernel
def call_twice(address: int, first: int, second: int) -> int:
    """Call what lies at an address for one number, and for another."""
    total = _call(address, first, 0)
    return int(total + _call(address, second, 0))


def test_what_fails_where_it_is_called_by_its_address_fails_the_call_from_python() -> None:
    address = first_class(types.int64(types.int64, types.int64), refuse_sum).address
    assert call_twice(address, 1, 2) == 3
    with pytest.raises(
        KernelFailure, match=r"test_linking\.call_twice has called failed, .*: ValueError: .*too large.*9"
    ):
        call_twice(address, 9, 7)
    assert call_twice(address, 1, 2) == 3
    # Another thread that is calling meanwhile hears nothing of it.
    unraised.kept[threading.get_ident() + 1] = ValueError("of another")
    try:
        assert call_twice(address, 1, 2) == 3
    finally:
        unraised.kept.clear()


OUT_OF_BOUNDS = """
import numpy as np
from numba import types
from molehunt.core.kernels import first_class, kernel
from molehunt.games.calls import caller

call = caller(types.void, 2)

@kernel
def write(array, index):
    call(address, array, index)

def put(array, index):
    array[index] = 1

address = first_class(types.void(types.Array(types.int8, 1, "C"), types.int64), put).address
room = np.zeros(100, np.int8)
write(room[:2], 1)
try:
    write(room[:2], 5)
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize("checked", ["1", "0"])
def test_with_bounds_checks_an_index_beyond_an_array_is_told_also_where_it_is_called_by_address(
    checked: str, tmp_path: Path
) -> None:
    script = tmp_path / "probe.py"
    script.write_text(OUT_OF_BOUNDS)
    made = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
        env=os.environ | {"NUMBA_BOUNDSCHECK": checked, "MOLEHUNT_CACHE": str(tmp_path / "cache")},
    )
    said = "KernelFailure a compiled function that __main__.write has called failed, and all that came after is worth nothing: "
    assert made.stdout == (f"{said}IndexError: index is out of bounds\n" if checked == "1" else "")
    assert made.stderr == ""


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


def test_a_kernel_that_is_being_compiled_is_finished_before_ctrl_c_is_heard() -> None:
    doubled = EntryKernel(lambda number: 2 * number, {"nopython": True})
    with pytest.raises(KeyboardInterrupt), watch_compiling(lambda _name: signal.raise_signal(signal.SIGINT)):
        doubled(1)
    told: list[str] = []
    with watch_compiling(told.append):
        assert doubled(1) == 2
    assert told == []


@pytest.mark.parametrize("looked_at", [True, False])
def test_who_looks_on_is_told_once_that_ctrl_c_waits(looked_at: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: looked_at)
    monkeypatch.setattr("sys.stderr", screen)

    shown: list[str] = []

    def interrupted() -> None:
        with uninterrupted():
            with uninterrupted():
                signal.raise_signal(signal.SIGINT)
            shown.append(screen.getvalue())

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert [*shown, screen.getvalue()] == ["\nstopping, once what is being compiled is done\n" * looked_at] * 2


def test_only_the_first_ctrl_c_waits() -> None:
    before = signal.getsignal(signal.SIGINT)
    done: list[str] = []

    def interrupted_twice() -> None:
        with uninterrupted(), uninterrupted():
            signal.raise_signal(signal.SIGINT)
            done.append("after the first")
            signal.raise_signal(signal.SIGINT)
            done.append("after the second")

    with pytest.raises(KeyboardInterrupt):
        interrupted_twice()
    assert done == ["after the first"]
    assert signal.getsignal(signal.SIGINT) is before
