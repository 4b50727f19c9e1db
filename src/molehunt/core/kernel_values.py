"""What a function that is compiled finds outside of itself: for Numba these are constants, so they are part of what is compiled.

Text of sources does not tell them: a script may read a number from its command line, a notebook may train weights.
Functions of this package and of installed libraries are left out, whose constants their sources tell.
"""

from __future__ import annotations

import contextlib
import dis
import functools
import hashlib
import weakref
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.serialize import dumps

from molehunt.core.errors import OURS, is_of_library

_BUILT_IN = "<built in>"
_frozen: weakref.WeakKeyDictionary[Callable[..., Any], bytes] = weakref.WeakKeyDictionary()
"""What kernels that kernels call have read when they were first met: they are compiled once in a process."""


def values_read(function: Any) -> bytes:
    """A hash of the values that a function and the kernels that it calls find outside of themselves; empty where there are none.

    They are global names, attributes of modules, and what a function within a function closes over.
    """
    parts = list(_parts(function))
    return hashlib.sha256(b"\0".join(parts)).digest() if parts else b""


def _parts(function: FunctionType) -> Iterator[bytes]:
    if not _is_followed(function.__code__.co_filename):
        return
    names, attributes = _names(function.__code__)
    for name in names:
        if name in function.__globals__:
            yield from _told(name, function.__globals__[name], attributes)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with contextlib.suppress(ValueError):  # nothing is there yet
            yield from _told(name, cell.cell_contents, attributes)


def _told(name: str, value: Any, attributes: tuple[str, ...]) -> Iterator[bytes]:
    """What a value that is called `name` tells."""
    kernel = getattr(value, "py_func", None)
    if isinstance(kernel, FunctionType):
        if kernel not in _frozen:
            _frozen[kernel] = b""  # two may call each other
            _frozen[kernel] = values_read(kernel)
        if _frozen[kernel]:
            yield name.encode() + _frozen[kernel]
    elif isinstance(value, ModuleType):
        if _is_followed(getattr(value, "__file__", None) or _BUILT_IN):
            for attribute in attributes:
                if hasattr(value, attribute):
                    yield from _told(f"{name}.{attribute}", getattr(value, attribute), attributes)
    elif not (isinstance(value, type) or callable(value) or type(value).__module__.startswith("numba.")):
        yield name.encode() + _bytes_of(value)


def _bytes_of(value: Any) -> bytes:
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return f"{value.dtype.descr} {value.shape}".encode() + value.tobytes()
    try:
        return bytes(dumps(value))
    except Exception:  # noqa: BLE001 - what cannot be written down is nowhere the same but here
        return str(id(value)).encode()


def _is_followed(file: str) -> bool:
    """Whether a file of code is neither ours nor a library's, nor built into Python."""
    return not file.startswith((OURS, _BUILT_IN, "<frozen")) and not is_of_library(file)


@functools.cache
def _names(code: CodeType) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The global names that code reads, and the attributes that it asks for, those of functions within it included."""
    names: set[str] = set()
    attributes: set[str] = set()
    for each in dis.get_instructions(code):
        if each.opname in {"LOAD_GLOBAL", "LOAD_NAME"}:
            names.add(each.argval)
        elif each.opname in {"LOAD_ATTR", "LOAD_METHOD"}:
            attributes.add(each.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            within, asked = _names(constant)
            names.update(within)
            attributes.update(asked)
    return tuple(sorted(names)), tuple(sorted(attributes))
