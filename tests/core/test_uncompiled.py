"""What is said of a function that cannot be compiled: the reason in one line, and the line of somebody's own code at fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from numba import types

from molehunt.core.kernels import first_class, kernel
from molehunt.core.uncompiled import why_uncompiled

RECORD = np.dtype([("many", np.int8, (6,)), ("one", np.int8)])
SIGNATURE = types.int64(types.Array(numba.from_dtype(RECORD), 1, "C"), types.int64)


@kernel
def longer(value: Any) -> Any:
    return value + "x"


def other_field(states: Any, value: int) -> Any:
    return states[0].two


def other_name(states: Any, value: int) -> Any:
    return nowhere  # type: ignore[name-defined]  # noqa: F821


def other_result(states: Any, value: int) -> Any:
    return "text"


def other_function(states: Any, value: int) -> Any:
    return np.frobnicate(value)  # type: ignore[attr-defined]


def other_attribute(states: Any, value: int) -> Any:
    return states[0].many.sun()


def other_count(states: Any, value: int) -> Any:
    return longer(value, 2)  # type: ignore[call-arg]


def whole_array(states: Any, value: int) -> Any:
    states[0].many = 3
    return 1


def below(states: Any, value: int) -> Any:
    return longer(value)


@pytest.mark.parametrize(
    ("function", "said", "lines"),
    [
        (other_field, "there is no field 'two'", 1),
        (other_name, "NameError: name 'nowhere' is not defined", 1),
        (other_result, "No conversion from Literal[str](text) to int64", 1),
        (other_function, "AttributeError: module 'numpy' has no attribute 'frobnicate'", 1),
        (other_attribute, "Unknown attribute 'sun' of type nestedarray(int8, (6,))", 1),
        (other_count, "Cannot bind 'args=(int64, Literal[int](2)) kws={}' to signature", 1),
        (whole_array, "Cannot cast Literal[int](3) to nestedarray(int8, (6,))", 1),
        (
            below,
            "No implementation of function Function(<built-in function add>) found for signature: add(int64,",
            None,
        ),
    ],
)
def test_the_reason_and_the_place_are_one_line(function: Callable[..., Any], said: str, lines: int | None) -> None:
    with pytest.raises(Exception) as failed:  # noqa: PT011 - Numba has no one class for it
        first_class(SIGNATURE, function)
    told = why_uncompiled(failed.value)
    assert told.startswith(said)
    assert "\n" not in told
    if lines is None:
        # The line that is wrong, and not the one that calls it.
        first = longer.py_func.__code__.co_firstlineno  # type: ignore[attr-defined]
        assert any(told.endswith(f" ({__file__}:{line})") for line in range(first, first + 3))
    else:
        assert told.endswith(f" ({__file__}:{function.__code__.co_firstlineno + lines})")
