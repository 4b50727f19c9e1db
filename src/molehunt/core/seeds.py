"""Seeds as people and programs give them, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput, value_text
from molehunt.core.streams import MAX_SEED


def check_seed(seed: Any) -> int:
    """A seed as an int; BadInput where it is none."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed <= MAX_SEED:
        raise BadInput(f"a seed is a whole number from 0 to {MAX_SEED}, not {seed!r:.60}")
    return int(seed)


def check_seeds(seeds: Any) -> npt.NDArray[np.uint64]:
    """Seeds of games as an array, shape (games,); BadInput where they are none, as fractions that would be cut off to few seeds."""
    found = np.asarray(seeds)
    whole = found.dtype.kind == "u" or (found.dtype.kind == "i" and bool((found >= 0).all()))
    if found.ndim != 1 or not (whole or found.size == 0):
        raise BadInput(f"seeds are whole numbers from 0 on, one for each game, not {value_text(seeds)}")
    return found.astype(np.uint64, copy=False)
