"""Seeds as people and programs give them, checked; and seeds and streams that are made for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core import streams
from molehunt.core.errors import BadInput, value_text
from molehunt.core.numbers import is_whole
from molehunt.core.streams import MAX_SEED


def check_seed(seed: Any) -> int:
    """A seed as an int; BadInput where it is none."""
    if not is_whole(seed) or not 0 <= seed <= MAX_SEED:
        raise BadInput(f"a seed is a whole number from 0 to {MAX_SEED}, not {seed!r:.60}")
    return int(seed)


def check_seeds(seeds: Any) -> npt.NDArray[np.uint64]:
    """Seeds of games as an array, shape (games,); BadInput where they are none, as fractions that would be cut off to few seeds."""
    found = np.asarray(seeds)
    whole = found.dtype.kind == "u" or (found.dtype.kind == "i" and bool((found >= 0).all()))
    if found.ndim != 1 or not (whole or found.size == 0) or np.ma.is_masked(seeds):
        raise BadInput(f"seeds are whole numbers from 0 on, one for each game, not {value_text(seeds)}")
    return found.astype(np.uint64, copy=False)


def game_seeds(seed: int, first: int, count: int) -> npt.NDArray[np.uint64]:
    """The seeds of games `first` to `first + count - 1` of a run with `seed`: shape (count,), 53 bits each.

    The numbers are whole and from 0 on, `seed` at most MAX_SEED; BadInput where these are no such numbers.

    >>> molehunt.game_seeds(1, first=0, count=3).shape
    (3,)
    """
    return streams.game_seeds(
        check_seed(seed), _number("the first game", first), _number("how many games there are", count)
    )


def seat_streams(seeds: Any, seats: int, salt: int = 1) -> npt.NDArray[np.uint64]:
    """The starts of the players' own streams: shape (games, seats), uint64. They are not the game's stream.

    `seeds`, shape (games,), are those of the games. Another `salt` gives other streams. BadInput where these are no seeds, or
    no such numbers.

    >>> molehunt.seat_streams([1, 2], seats=4).shape
    (2, 4)
    """
    return streams.seat_streams(check_seeds(seeds), _number("how many seats there are", seats), _number("a salt", salt))


def _number(name: str, value: Any) -> int:
    """A whole number as an int; BadInput where it is none."""
    if not is_whole(value) or not 0 <= value <= MAX_SEED:
        raise BadInput(f"{name} is a whole number from 0 on, not {value_text(value)}")
    return int(value)
