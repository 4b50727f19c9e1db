"""Intervals for what the arena counts. All are two-sided, at 95 % unless said otherwise."""

from __future__ import annotations

import math
from statistics import NormalDist

Z = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


def point_of(comparisons: int) -> float:
    """The point of the normal distribution at which so many two-sided intervals hold together at 95 % (Bonferroni)."""
    return NormalDist().inv_cdf(1 - 0.025 / comparisons)


def wilson(wins: float, games: int, z: float = Z) -> tuple[float, float]:
    """The Wilson score interval of a rate (Wilson 1927): (low, high), fractions; (0, 1) without games.

    Another `z` is another level: `point_of` gives it, for many intervals that shall hold together.
    """
    if games == 0:
        return 0.0, 1.0
    rate = wins / games
    centre = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    low = 0.0 if wins == 0 else max(0.0, centre - half)
    high = 1.0 if wins == games else min(1.0, centre + half)
    return low, high


def difference(wins_1: float, games_1: int, wins_2: float, games_2: int) -> tuple[float, float]:
    """The interval of the difference of two rates, first minus second (Newcombe 1998, method 10): (low, high)."""
    rate_1 = wins_1 / games_1
    rate_2 = wins_2 / games_2
    low_1, high_1 = wilson(wins_1, games_1)
    low_2, high_2 = wilson(wins_2, games_2)
    gap = rate_1 - rate_2
    low = gap - math.sqrt((rate_1 - low_1) ** 2 + (high_2 - rate_2) ** 2)
    high = gap + math.sqrt((high_1 - rate_1) ** 2 + (rate_2 - low_2) ** 2)
    return low, high
