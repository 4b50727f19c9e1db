"""The chi-square test that other tests use tells fair from loaded dice."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from core.chance import assert_distributed, assert_uniform, chi_square, limit


def exceeded(limit: float, degrees: int) -> float:
    """The probability that the chi-square distribution exceeds a limit, for an even number of degrees of freedom."""
    half = limit / 2
    return math.exp(-half) * sum(half**k / math.factorial(k) for k in range(degrees // 2))


@pytest.mark.parametrize("degrees", [2, 4, 6, 10, 20, 66, 100])
def test_limit_is_exceeded_by_chance_about_once_in_thirty_thousand_times(degrees: int) -> None:
    assert 1 / 60_000 < exceeded(limit(degrees), degrees) < 1 / 20_000


def test_sum_of_squares() -> None:
    assert chi_square({"a": 8, "b": 12}, {"a": 0.5, "b": 0.5}) == pytest.approx(0.8)
    assert chi_square({"a": 20}, {"a": 0.5, "b": 0.5}) == pytest.approx(20)


def test_fair_die_passes_and_a_loaded_one_does_not() -> None:
    rng = random.Random(1)
    assert_uniform(Counter(rng.randrange(6) for _ in range(6000)), 6)
    with pytest.raises(AssertionError, match="chi-square"):
        assert_uniform(Counter(rng.choice([0, 1, 2, 3, 4, 5, 5]) for _ in range(6000)), 6)


def test_impossible_outcome_or_too_few_throws_fail() -> None:
    with pytest.raises(AssertionError, match="impossible"):
        assert_distributed({"a": 50, "b": 50, "c": 1}, {"a": 0.5, "b": 0.5})
    with pytest.raises(AssertionError, match="too few"):
        assert_distributed({"a": 2, "b": 2}, {"a": 0.5, "b": 0.5})
