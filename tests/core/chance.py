"""Whether counts agree with probabilities: a chi-square test for the tests of everything random."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import TypeVar

Outcome = TypeVar("Outcome", bound=Hashable)

DEVIATIONS = 4.0
"""How many standard deviations a sum of squares may lie above what is expected: passed by chance once in 30,000 times.
The tests have fixed seeds, so they never fail by chance again."""


def chi_square(counts: Mapping[Outcome, int], probabilities: Mapping[Outcome, float]) -> float:
    """Pearson's sum of squares of the counts against the probabilities."""
    total = sum(counts.values())
    return sum((counts.get(key, 0) - total * share) ** 2 / (total * share) for key, share in probabilities.items())


def limit(degrees: int) -> float:
    """The quantile of the chi-square distribution at DEVIATIONS (Wilson and Hilferty 1931)."""
    spread = 2 / (9 * degrees)
    return degrees * (1 - spread + DEVIATIONS * math.sqrt(spread)) ** 3


def assert_distributed(counts: Mapping[Outcome, int], probabilities: Mapping[Outcome, float]) -> None:
    """Only the keys of `probabilities` occur, and as often as these say. At least five of each are expected."""
    assert set(counts) <= set(probabilities), f"impossible: {set(counts) - set(probabilities)}"
    assert math.isclose(sum(probabilities.values()), 1)
    assert sum(counts.values()) * min(probabilities.values()) >= 5, "too few for this test"
    found, most = chi_square(counts, probabilities), limit(len(probabilities) - 1)
    assert found < most, f"chi-square {found:.1f}, at most {most:.1f}: {dict(counts)}"


def assert_uniform(counts: Mapping[Outcome, int], outcomes: int) -> None:
    """So many different keys occur, all equally often."""
    assert len(counts) == outcomes
    assert_distributed(counts, dict.fromkeys(counts, 1 / outcomes))
