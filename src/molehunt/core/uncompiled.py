"""Why a function cannot be compiled, in one line: Numba says it in a page, and of some faults not even where they are."""

from __future__ import annotations

import re
import traceback
from pathlib import Path

import numba
from numba.core.errors import NumbaError
from numba.core.ir import Loc

from molehunt.core.errors import error_text

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_PLACES = (re.compile(r"\bat (\S.*) \((\d+)\)$", re.MULTILINE), re.compile(r'^File "(.+)", line (\d+)', re.MULTILINE))
"""How a page of Numba names places, the innermost first; in the first way by whole paths."""
_NUMBA = str(Path(numba.__file__).parent)
_OF_NUMBA = re.compile(r" for '\$[^']*', defined at \S+|\.? Raised from None$")
"""What only its makers can read."""
_REJECTED = "Rejected as the implementation raised a specific error:"
_HEADS = ("Failed in ", "Internal error at ")
_SIGNATURE = ">>> "


def why_uncompiled(error: BaseException) -> str:
    """The reason and the innermost place: "Unknown attribute 'sun' of type nestedarray(int8, (6,)) (kernels.py:84)"."""
    said = _COLOURS.sub("", str(error)) if isinstance(error, NumbaError) else ""
    place = _place_said(said) or _place_worked_on(error)
    return _reason(error, said) + (f" ({place})" if place else "")


def _reason(error: BaseException, said: str) -> str:
    if isinstance(error, KeyError):
        # It is looked up among the fields of a record.
        return f"there is no field {error_text(error)}"
    lines = [line.strip() for line in said.splitlines()]
    if _REJECTED in lines[:-1]:
        return lines[lines.index(_REJECTED) + 1]
    told = [line for line in lines if line and not line.startswith(_HEADS)]
    if not told:
        return _OF_NUMBA.sub("", f"{type(error).__name__}: {error_text(error)}").rstrip(".")
    called = next((line.removeprefix(_SIGNATURE) for line in told if line.startswith(_SIGNATURE)), "")
    return _OF_NUMBA.sub("", f"{told[0]} {called}".strip()).rstrip(".")


def _place_said(said: str) -> str:
    found = next(filter(None, (place.search(said) for place in _PLACES)), None)
    return f"{found[1]}:{found[2]}" if found else ""


def _place_worked_on(error: BaseException) -> str:
    """The line that the compiler was at, from what its innermost functions held that has one; "" where there is none."""
    for frame, _line in reversed(list(traceback.walk_tb(error.__traceback__))):
        for value in tuple(frame.f_locals.values()):
            found = value if isinstance(value, Loc) else getattr(value, "__dict__", {}).get("loc")
            if isinstance(found, Loc) and found.line and not found.filename.startswith(_NUMBA):
                return f"{found.filename}:{found.line}"
    return ""
