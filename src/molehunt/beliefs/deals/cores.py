"""A smallest set of facts that already contradict each other, by implicit hitting sets.

Every set of facts that contradict each other must hold at least one of the facts that a deal violates, whichever deal one
takes. So a smallest choice that has one fact of every such set found so far is tried: if it is a contradiction, none is
smaller; else a deal that meets it shows another set to be hit. The fewer facts that deal violates, the more the set says, so
facts are added to what it meets as long as any deal meets them all (Ignatiev, Previti, Liffiton and Marques-Silva 2015).

Sets of facts are masks: bit n stands for fact n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

MOST_TRIALS = 400
MOST_STEPS = 100_000

Violated = Callable[[int], Iterable[int]]


def smallest_core(number: int, violated: Violated) -> tuple[list[int], bool]:
    """Which of `number` facts, all of which together contradict each other, already do; and whether none are fewer.

    `violated(chosen)` gives, for some deals that meet the chosen facts, the facts that each deal violates; nothing where no deal
    meets them. The search is exact unless it takes too long; then some facts are given of which none can be left out.
    """
    everything = (1 << number) - 1
    search = _HittingSets()
    for _ in range(MOST_TRIALS):
        chosen = search.smallest()
        if chosen is None:
            break
        missed = min(violated(chosen), key=int.bit_count, default=None)
        if missed is None:
            return list(_bits(chosen)), True
        search.sets.append(_with_fewest(missed, everything, violated))
    needed = everything
    for fact in _bits(everything):
        if not any(True for _ in violated(needed & ~(1 << fact))):
            needed &= ~(1 << fact)
    return list(_bits(needed)), False


def _with_fewest(missed: int, everything: int, violated: Violated) -> int:
    """A part of the facts that some deal violates, such that a deal violates these alone and none violates fewer of them."""
    for fact in _bits(missed):
        if missed >> fact & 1 and missed != 1 << fact:
            missed = min(violated(everything & ~missed | 1 << fact), key=int.bit_count, default=missed)
    return missed


def _bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set, from the lowest."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class _HittingSets:
    """Sets, to which more are added, and a smallest set that shares an element with each of them."""

    def __init__(self) -> None:
        self.sets: list[int] = []
        self.size = 0
        self.steps = 0

    def smallest(self) -> int | None:
        """A smallest hitting set; None where there is none, or where all searches together have taken too long."""
        while self.steps <= MOST_STEPS and self.size <= len(self.sets):
            found = self._choose(sorted(self.sets, key=int.bit_count), self.size)
            if found is not None:
                return found
            self.size += 1  # more sets never need fewer elements
        return None

    def _choose(self, left: list[int], room: int) -> int | None:
        """A set of at most `room` elements that hits all that are left, the ones with the fewest elements first."""
        self.steps += 1
        if not left:
            return 0
        if self.steps > MOST_STEPS:
            return None
        # At least one element for each of some sets that share nothing.
        apart, together = 0, 0
        for one in left:
            if not one & together:
                apart += 1
                together |= one
        if apart > room:
            return None
        for element in _bits(left[0]):
            chosen = 1 << element
            found = self._choose([one for one in left if not one & chosen], room - 1)
            if found is not None:
                return found | chosen
            # No hitting set of this size has the element.
            left = sorted((one & ~chosen for one in left), key=int.bit_count)
            if not left[0]:
                return None
        return None
