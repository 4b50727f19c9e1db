"""Choices by lot: the best among candidates that come one after the other, and one of a set."""

from __future__ import annotations

from typing import Any

from molehunt.core.kernels import kernel, nth_bit, popcount
from molehunt.core.streams import below, uniform


@kernel
def prefer(stream: Any, value: float, best: float, ties: int, same: float) -> tuple[int, bool]:
    """One more candidate: (how many now share the best value, whether this one is chosen).

    `best` is the value of the one chosen before and `ties` how many shared it, 0 before the first. Values that differ by no more
    than `same` are equal; of equals each is chosen as likely in the end, by one draw from `stream`, uint64[1], for each after the
    first. So a choice goes

        ties, chosen = prefer(stream, value, best, ties, same)
        if chosen:
            action = ...
            if ties == 1:
                best = value
    """
    if ties == 0 or value > best + same:
        return 1, True
    if value == best or abs(value - best) <= same:
        return ties + 1, below(stream, ties + 1) == 0
    return ties, False


@kernel
def one_of(stream: Any, members: Any) -> int:
    """One member of a set that is not empty, a 64-bit word, each as likely as the others; one draw from `stream`, uint64[1]."""
    return nth_bit(members, below(stream, popcount(members)))


@kernel
def happens(stream: Any, chance: float) -> bool:
    """Whether something of this chance, 0 to 1, happens; one draw from `stream`, uint64[1]."""
    return uniform(stream) < chance
