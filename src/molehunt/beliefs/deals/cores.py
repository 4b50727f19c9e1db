"""A smallest set of facts that already contradict each other, by implicit hitting sets.

Every set of facts that contradict each other must hold at least one of the facts that a deal violates, whichever deal one
takes. So a smallest choice that has one fact of every such set found so far is tried: if it is a contradiction, none is
smaller; else a deal that meets it shows another set to be hit (Ignatiev, Previti, Liffiton and Marques-Silva 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

MOST_TRIALS = 3000
MOST_STEPS = 200_000

Numbers = frozenset[int]


def smallest_core(number: int, violated: Callable[[Numbers], Iterable[Numbers]]) -> tuple[list[int], bool]:
    """Which of `number` facts, all of which together contradict each other, already do; and whether none are fewer.

    `violated(chosen)` gives, for some deals that meet the chosen facts, the facts that each deal violates; nothing where no deal
    meets them. The search is exact unless it takes too long; then some facts are given of which none can be left out.
    """
    to_hit: set[Numbers] = set()
    for _ in range(MOST_TRIALS):
        chosen = _smallest_hitting_set(to_hit)
        if chosen is None:
            break
        found = list(violated(chosen))
        if not found:
            return sorted(chosen), True
        to_hit |= {facts for facts in found if not any(other < facts for other in found)}
    needed = list(range(number))
    for fact in range(number):
        fewer = [other for other in needed if other != fact]
        if not list(violated(frozenset(fewer))):
            needed = fewer
    return needed, False


def _smallest_hitting_set(sets: set[Numbers]) -> Numbers | None:
    """A smallest set that shares an element with each of these; None where the search takes too long."""
    by_size = sorted(sets, key=lambda numbers: (len(numbers), sorted(numbers)))
    disjoint = 0
    seen: set[int] = set()
    for numbers in by_size:
        if not numbers & seen:
            disjoint += 1
            seen |= numbers
    steps = 0

    def choose(chosen: Numbers, excluded: Numbers, room: int) -> Numbers | None:
        nonlocal steps
        steps += 1
        if steps > MOST_STEPS:
            return None
        left = [numbers for numbers in by_size if not numbers & chosen]
        if not left:
            return chosen
        if room == 0:
            return None
        # At least one more for each of some sets that share nothing.
        apart, hit = 0, set[int]()
        for numbers in left:
            if not numbers & hit:
                apart += 1
                hit |= numbers
        if apart > room:
            return None
        narrow = min(left, key=lambda numbers: len(numbers - excluded))
        for fact in sorted(narrow - excluded):
            found = choose(chosen | {fact}, excluded, room - 1)
            if found is not None:
                return found
            excluded |= {fact}
        return None

    for size in range(disjoint, len(seen) + len(by_size) + 1):
        found = choose(frozenset(), frozenset(), size)
        if found is not None or steps > MOST_STEPS:
            return found
    return None
