"""Errors of code that is called by its address, which has nobody to hand them to.

Numba writes such an error to standard error as one that is ignored, and the code goes on with whatever lies where the result
should. Here it is kept, and the call from Python that it came up in fails when it comes back (`fail_where_kept`). So an index
beyond an array is told, where bounds are checked (NUMBA_BOUNDSCHECK=1), and so is what a kernel of a package raises.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

from molehunt.core.errors import KernelFailure, error_text

OF_NUMBA = "<numba.core."
"""What Numba names as the place of an error begins so: not the function, which it does not know."""

kept: dict[int, BaseException] = {}
"""The first error of each thread by its number, until the call from Python ends."""


def fail_where_kept(name: str) -> None:
    """KernelFailure where code called by an address has failed in this thread; `name` is the kernel that Python has called."""
    error = kept.pop(threading.get_ident(), None)
    if error is not None:
        raise KernelFailure(
            f"a compiled function that {name} has called failed, and all that came after is worth nothing: "
            f"{type(error).__name__}: {error_text(error)}"
        ) from error


def listen() -> None:
    """Keep the errors of Numba's functions with addresses from now on; all others go where they went before."""
    before = sys.unraisablehook

    def keep(told: Any) -> None:
        if isinstance(told.object, str) and told.object.startswith(OF_NUMBA) and told.exc_value is not None:
            kept.setdefault(threading.get_ident(), told.exc_value)
        else:
            before(told)

    sys.unraisablehook = keep
