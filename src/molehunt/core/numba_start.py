"""Numba, without what it loads at its start and we never use.

At the first kernel of a process Numba finds out whether there is a SciPy for linear algebra, by importing it: a sixth of the time
that a short command takes. Here it is told that there is one, where one is installed, and imports it when a kernel wants it.
"""

from __future__ import annotations

import importlib.util
import sys


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
