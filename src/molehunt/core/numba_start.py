"""Numba, without what it loads at its start and we never use.

At the first kernel of a process Numba finds out whether there is a SciPy for linear algebra, by importing it: a sixth of the time
that a short command takes. Here it is told that there is one, where one is installed, and imports it when a kernel wants it.

A kernel that copies one array into another brings along what writes both their shapes into a message, for when they differ: Numba's
strings, compiled anew by every process, for two seconds. Here the message is the one without numbers that Numba has for other
processors.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from typing import Any


def spare_scipy() -> None:
    """Load Numba's functions of arrays without importing SciPy; of no effect where they are loaded already."""
    if "numba.np.arraymath" in sys.modules or importlib.util.find_spec("scipy") is None:
        return
    from numba.np import linalg

    asks = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        from numba.np import arraymath
    finally:
        linalg.ensure_blas = asks
    arraymath.ensure_blas = asks


def _raise_mismatch(src_shapes: Any, index_shape: Any) -> None:
    """For kernels alone: raise ValueError, as arrays differ in shape."""
    raise NotImplementedError


@functools.cache
def spare_strings() -> None:
    """Let kernels raise an error of one text where an array does not fit into another one."""
    from numba.extending import overload
    from numba.np import arrayobj

    overload(_raise_mismatch)(arrayobj.ol_raise_with_shape_context_generic)
    arrayobj.raise_with_shape_context = _raise_mismatch
