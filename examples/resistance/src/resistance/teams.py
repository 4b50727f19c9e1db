"""Sets of seats as words: how many there are in one, and all sets of one size in order."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel, popcount


@kernel
def size_of(seats: int) -> int:
    """How many seats a set has."""
    return popcount(np.uint64(seats))


@kernel
def holds(seats: int, seat: int) -> bool:
    """Whether a set holds a seat."""
    return (seats >> seat) & 1 != 0


@kernel
def first_team(size: int) -> int:
    """The smallest set of so many seats, at least one."""
    return (1 << size) - 1


@kernel
def next_team(team: int) -> int:
    """The next larger word with as many ones (Gosper's hack)."""
    low = team & -team
    carried = team + low
    return carried | ((team ^ carried) // low) >> 2


def seats_of(team: Any) -> tuple[int, ...]:
    """The seats of a set, in plain Python."""
    return tuple(seat for seat in range(int(team).bit_length()) if int(team) >> seat & 1)
