"""Copying records inside kernels."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.extending import intrinsic

from molehunt.core.kernels import interpreted_as


@intrinsic
def copy_record(_typing: Any, source: Any, target: Any) -> Any:
    """Copy all bytes of a record to another one of the same dtype; the two do not overlap.

    One copy of a block of memory, where an assignment of its fields is a loop for each.
    """
    if not isinstance(source, types.Record) or source != target:
        raise TypingError(f"copy_record needs two records of one dtype, not {source} and {target}")

    def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        size = context.get_constant(types.intp, source.size)
        cgutils.raw_memcpy(builder, args[1], args[0], size, 1)
        return context.get_dummy_value()

    return types.void(source, target), generate


def _copy(source: Any, target: Any) -> None:
    for name in source.fields():
        setattr(target, name, getattr(source, name))


interpreted_as(copy_record, _copy)
