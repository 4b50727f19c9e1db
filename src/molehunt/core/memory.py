"""Memories of players as values: they can be copied, and those of some chairs taken, put elsewhere or given back.

What a memory is made of says what becomes of it. An array and a list have one entry a chair. A tuple, a dict and a dataclass
are their parts, of which a dataclass may say that they are no chair's own::

    @dataclass
    class Memory:
        minds: npt.NDArray[Any]  # one a chair
        params: npt.NDArray[np.int64] = field(metadata=CONSTANT_PART)  # the same for all, and never written to
        scratch: npt.NDArray[Any] = field(metadata=SCRATCH_PART)  # for work, and empty between calls

Anything else (a game, a number) belongs to all chairs.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.int64]

_KIND = "molehunt.memory"
CONSTANT_PART: Mapping[str, str] = {_KIND: "constant"}
"""The metadata of a part that all memories of an agent may share: parameters, tables."""
SCRATCH_PART: Mapping[str, str] = {_KIND: "scratch"}
"""The metadata of a part that each memory needs for itself, as two may be worked with at once, and that no chair owns."""


def _is_record(memory: Any) -> bool:
    return dataclasses.is_dataclass(memory) and not isinstance(memory, type)


def _map(memory: Any, entries: Callable[[Any], Any]) -> Any:
    """A memory of the same make, `entries` applied to its arrays and lists of chairs; scratch is copied."""
    if isinstance(memory, np.ndarray | list):
        return entries(memory)
    if isinstance(memory, dict):
        return {name: _map(part, entries) for name, part in memory.items()}
    if isinstance(memory, tuple):
        parts = [_map(part, entries) for part in memory]
        return type(memory)(*parts) if hasattr(memory, "_fields") else tuple(parts)
    if not _is_record(memory):
        return memory if callable(memory) else copy.deepcopy(memory)
    result = copy.copy(memory)
    for field in dataclasses.fields(memory):
        kind = field.metadata.get(_KIND)
        if kind != CONSTANT_PART[_KIND]:
            part = getattr(memory, field.name)
            own = copy.deepcopy(part) if kind == SCRATCH_PART[_KIND] else _map(part, entries)
            object.__setattr__(result, field.name, own)  # a record of a memory may be frozen
    return result


@functools.cache
def _parts_of_chairs(record: Any) -> tuple[str, ...]:
    """The parts of a class of memories that have an entry a chair."""
    return tuple(each.name for each in dataclasses.fields(record) if _KIND not in each.metadata)


def chairs_of(memory: Any) -> int | None:
    """How many chairs a memory is of; None where no part of it tells."""
    if isinstance(memory, list) or (isinstance(memory, np.ndarray) and memory.ndim):
        return len(memory)
    parts: Iterable[Any] = ()
    if isinstance(memory, dict):
        parts = memory.values()
    elif isinstance(memory, tuple):
        parts = memory
    elif _is_record(memory):
        kind: Any = type(memory)
        parts = (getattr(memory, name) for name in _parts_of_chairs(kind))
    for part in parts:
        count = chairs_of(part)
        if count is not None:
            return count
    return None


def alike(memory: Any, other: Any) -> bool:
    """Whether two memories are of the same make, of however many chairs: their parts can be put into each other."""
    if isinstance(memory, np.ndarray):
        return isinstance(other, np.ndarray) and (memory.dtype, memory.shape[1:]) == (other.dtype, other.shape[1:])
    if isinstance(memory, dict):
        return (
            isinstance(other, dict)
            and memory.keys() == other.keys()
            and all(map(alike, memory.values(), other.values()))
        )
    if isinstance(memory, tuple):
        return isinstance(other, tuple) and len(memory) == len(other) and all(map(alike, memory, other))
    if _is_record(memory):
        kind: Any = type(memory)
        names = _parts_of_chairs(kind)
        return type(other) is kind and all(alike(getattr(memory, name), getattr(other, name)) for name in names)
    return isinstance(other, list) if isinstance(memory, list) else True


def copy_of(memory: Any) -> Any:
    """A memory equal to this one that shares nothing with it that changes."""
    return _map(
        memory, lambda part: _array_copy(part) if isinstance(part, np.ndarray) else [copy.deepcopy(x) for x in part]
    )


def _array_copy(part: npt.NDArray[Any]) -> npt.NDArray[Any]:
    if not part.dtype.names or part.dtype.hasobject or not part.ndim or not part.flags.c_contiguous:
        return part.copy()
    # Of records, NumPy copies one field after the other, which takes 2 to 10 times as long.
    return part.view(np.uint8).copy().view(part.dtype)


def taken_from(memory: Any, rows: Rows) -> Any:
    """The memory of some chairs, in the order of `rows`, each as often as it is named there; the old one stays as it is."""

    def taken(part: Any) -> Any:
        return part[rows] if isinstance(part, np.ndarray) else [copy.deepcopy(part[row]) for row in rows]

    return _map(memory, taken)


def put_into(memory: Any, rows: Rows, fresh: Any) -> None:
    """Let the chairs `rows` of a memory remember what the chairs of `fresh`, a memory of the same agent, remember, in order."""
    if isinstance(memory, np.ndarray):
        memory[rows] = fresh
    elif isinstance(memory, list):
        for row, entry in zip(rows.tolist(), fresh, strict=True):
            memory[row] = entry
    elif isinstance(memory, dict):
        for name, part in memory.items():
            put_into(part, rows, fresh[name])
    elif isinstance(memory, tuple):
        for part, other in zip(memory, fresh, strict=True):
            put_into(part, rows, other)
    elif _is_record(memory):
        for field in dataclasses.fields(memory):
            if _KIND not in field.metadata:
                put_into(getattr(memory, field.name), rows, getattr(fresh, field.name))
