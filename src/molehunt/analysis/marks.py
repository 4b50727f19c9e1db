"""What stands out in lines of belief: the moves that turned them, and from when on something was as good as known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from molehunt.analysis.findings import Chart, Line, Turn
from molehunt.core.words import SURE

TURNING = 0.15
"""A move that changes a chance by so much turned it."""
THRESHOLD = 0.9
"""What was held so likely, and no less later, could have been known."""
DIGITS = 4
"""Chances are kept with so many digits, on a page as in a terminal."""


def chart(title: str, viewer: int | None, first: int, lines: Sequence[Line]) -> Chart:
    """A chart of lines, with the moves that turned one of them: of each move the line that it changed most."""
    values = np.array([line.values for line in lines])
    change = np.abs(np.diff(values, axis=1))
    turns = []
    for step in range(change.shape[1]):
        line = int(change[:, step].argmax())
        if change[line, step] >= TURNING:
            turns.append(Turn(first + step + 1, line, float(values[line, step]), float(values[line, step + 1])))
    return Chart(title, viewer, first, tuple(lines), tuple(turns))


def rounded(values: npt.NDArray[np.float64]) -> tuple[float, ...]:
    """Chances as they are kept: only what is impossible is 0, and only what is certain 1."""
    least = 10.0**-DIGITS
    kept = np.round(values, DIGITS)
    kept = np.where((values > SURE) & (kept < least), least, kept)
    return tuple(np.where((values < 1.0 - SURE) & (kept > 1.0 - least), 1.0 - least, kept).tolist())


def lasting(holds: npt.NDArray[np.bool_], first: int) -> int | None:
    """The place from which on something holds to the end, counted from `first`; None where it does not hold at the end."""
    fails = np.flatnonzero(~holds)
    if not len(fails):
        return first
    return None if fails[-1] == len(holds) - 1 else first + int(fails[-1]) + 1
