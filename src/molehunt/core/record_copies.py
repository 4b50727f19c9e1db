"""Records are copied as blocks of memory.

Numba writes a record to an array by loading it as one value of so many bytes and storing that. LLVM takes values of up to 1,024
bytes apart, and states and views are just below that: one line that copied a state became a thousand loads and a thousand stores,
which took longer to optimize than all else of its kernel. Here it becomes a `memcpy`.
"""

from __future__ import annotations

import operator
from typing import Any

import numba
from numba.core import cgutils
from numba.extending import lower_builtin
from numba.np.arrayobj import setitem_array

types: Any = numba.types  # its stubs lack what is used here


class _CopyingRecords:
    """Numba's context for lowering, but that records are copied."""

    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def pack_value(self, builder: Any, kind: Any, value: Any, place: Any, align: int | None = None) -> None:
        """Write a value of some type to its place in an array."""
        if isinstance(kind, types.Record):
            cgutils.raw_memcpy(builder, place, value, self._context.get_constant(types.intp, kind.size), 1)
        else:
            self._context.pack_value(builder, kind, value, place, align=align)


def copy_records() -> None:
    """Have Numba copy the records that it writes to arrays; of effect for what is lowered from then on."""
    lower_builtin(operator.setitem, types.Buffer, types.Any, types.Record)(_set_record)


def _set_record(context: Any, builder: Any, called: Any, args: Any) -> Any:
    """`array[index] = record`."""
    return setitem_array(_CopyingRecords(context), builder, called, args)
