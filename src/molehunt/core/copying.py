"""Copying and comparing whole records inside kernels."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir
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


@intrinsic
def same_record(_typing: Any, one: Any, other: Any) -> Any:
    """Whether all bytes of two records of the same dtype are equal."""
    if not isinstance(one, types.Record) or one != other:
        raise TypingError(f"same_record needs two records of one dtype, not {one} and {other}")

    def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        byte_pointer, size_type, whole = ir.IntType(8).as_pointer(), context.get_value_type(types.intp), ir.IntType(32)
        shape = ir.FunctionType(whole, [byte_pointer, byte_pointer, size_type])
        compare = cgutils.get_or_insert_function(builder.module, shape, "memcmp")
        places = [builder.bitcast(arg, byte_pointer) for arg in args]
        found = builder.call(compare, [*places, context.get_constant(types.intp, one.size)])
        return builder.icmp_signed("==", found, whole(0))

    return types.boolean(one, other), generate


def _same(one: Any, other: Any) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in one.fields())


interpreted_as(same_record, _same)


def block_copier(source: np.dtype[Any], target: np.dtype[Any], first: str, last: str) -> Any:
    """For kernels: a function that copies the fields from `first` to `last` of one record to another one, as one block of memory.

    Both dtypes have these fields in the same order and of the same types, one beside the other.
    """
    fields: Any = source.fields
    others: Any = target.fields
    names, targets = list(source.names or ()), list(target.names or ())
    block = names[names.index(first) : names.index(last) + 1]
    start, there = fields[first][1], others[first][1]
    same = block == targets[targets.index(first) : targets.index(last) + 1] and all(
        fields[name][1] - start == others[name][1] - there and fields[name][0] == others[name][0] for name in block
    )
    if not same:
        raise TypeError(f"the records differ in their fields from {first} to {last}")
    length = fields[last][1] - start + fields[last][0].itemsize
    records = numba.from_dtype(source), numba.from_dtype(target)

    @intrinsic
    def copy_block(_typing: Any, giver: Any, taker: Any) -> Any:
        if (giver, taker) != records:
            raise TypingError(f"copy_block needs records of {records}, not {giver} and {taker}")

        def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            byte_pointer, whole = ir.IntType(8).as_pointer(), ir.IntType(64)
            begins = [
                builder.gep(builder.bitcast(arg, byte_pointer), [whole(offset)])
                for arg, offset in zip(args, (start, there), strict=True)
            ]
            cgutils.raw_memcpy(builder, begins[1], begins[0], context.get_constant(types.intp, length), 1)
            return context.get_dummy_value()

        return types.void(giver, taker), generate

    def copy_fields(giver: Any, taker: Any) -> None:
        for name in block:
            setattr(taker, name, getattr(giver, name))

    interpreted_as(copy_block, copy_fields)
    return copy_block
