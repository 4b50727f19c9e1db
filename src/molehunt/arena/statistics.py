"""Intervals for what the arena counts. All are two-sided, at 95 % unless said otherwise."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput, check_is, value_text
from molehunt.core.numbers import is_whole

Z = 1.959963984540054
"""The 97.5 % point of the normal distribution."""
ROUNDING = 1e-9
"""By so much a number of wins that was worked out may lie beyond that of the games."""


def _within(deviations: float, free: int) -> float:
    """The probability that a variable of Student's distribution lies so near to 0 (Abramowitz and Stegun 26.7.3, 26.7.4)."""
    angle = math.atan(deviations / math.sqrt(free))
    cosine = math.cos(angle)
    odd = free % 2
    term = cosine if odd else 1.0
    total = term if free > 1 else 0.0
    for step in range(2 + odd, free - 1, 2):
        term *= cosine * cosine * (step - 1) / step
        total += term
    return 2 / math.pi * (angle + math.sin(angle) * total) if odd else math.sin(angle) * total


@functools.cache
def student(free: int, comparisons: int = 1) -> float:
    """The 97.5 % point of Student's distribution with `free` degrees of freedom, 1 or more: that of `Z` where values are few.

    With several `comparisons` it is the point that makes so many intervals hold together at 95 % (Bonferroni). BadInput where
    `free` is no whole number from 1 on.
    """
    given: object = free
    if not is_whole(given) or given < 1:
        raise BadInput(
            f"degrees of freedom are a whole number from 1 on, as of 2 values or more, not {value_text(free)}"
        )
    outside = 0.05 / comparisons
    normal = Z if comparisons == 1 else NormalDist().inv_cdf(1 - outside / 2)
    if free > 2000:  # the next term of the expansion is below the sixth digit
        return normal + (normal**3 + normal) / (4 * free)
    low, high = normal, 13.0 * comparisons
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, free) < 1 - outside else (low, middle)
    return high


def two_sided(deviations: float) -> float:
    """The probability that a normal variable lies so many standard deviations from its mean, or further, on either side."""
    return math.erfc(abs(deviations) / math.sqrt(2))


def two_sided_of_student(deviations: float, free: int) -> float:
    """The same of a variable of Student's distribution with `free` degrees of freedom, 1 or more.

    It is right to 12 digits after the point, and to 7 where `free` is above 2000.
    """
    if free > 2000:  # the normal variable that is as far out (Abramowitz and Stegun 26.7.8)
        return two_sided(deviations * (1 - 1 / (4 * free)) / math.sqrt(1 + deviations * deviations / (2 * free)))
    return max(0.0, 1 - _within(abs(deviations), free))


def _is_share(value: object) -> bool:
    """Whether a value is a number from 0 to 1; what is not a number at all (`nan`) lies nowhere."""
    return isinstance(value, int | float | np.number) and 0 <= float(value) <= 1


def holm(chances: Sequence[float], level: float = 0.05) -> list[bool]:
    """Which of many hypotheses are rejected so that with probability 1 - `level` no true one is (Holm 1979).

    `chances` are the p-values, in any order and however they depend on each other. The smallest is held against the level divided
    by their number, the next against the level divided by one less, and so on, up to the first that is too large. BadInput where
    one is no number from 0 to 1, or the level none between them.
    """
    check_is(chances, (Sequence, np.ndarray), "p-values are a list of numbers from 0 to 1")
    wrong = [chance for chance in chances if not _is_share(chance)]
    if wrong:
        raise BadInput(f"p-values are numbers from 0 to 1, not {value_text(wrong[0])}")
    if not (_is_share(level) and 0 < level < 1):
        raise BadInput(f"a level is a number between 0 and 1, as 0.05, not {value_text(level)}")
    rejected = [False] * len(chances)
    for left, number in zip(
        range(len(chances), 0, -1), sorted(range(len(chances)), key=chances.__getitem__), strict=True
    ):
        if chances[number] > level / left:
            break
        rejected[number] = True
    return rejected


def mean_interval(values: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    """(mean, low, high) of independent values, shape (n,), by Student's distribution; of one value alone without bounds.

    BadInput where there is no value, or they are no array of numbers.
    """
    given: object = values
    if not isinstance(given, np.ndarray) or given.ndim != 1 or not len(given) or given.dtype.kind not in "biuf":
        raise BadInput(f"a mean is of an array of one number or more, shape (n,), not of {value_text(values)}")
    mean = float(values.mean())
    count = len(values)
    half = student(count - 1) * float(values.std(ddof=1)) / math.sqrt(count) if count > 1 else float("inf")
    return mean, mean - half, mean + half


def shares_interval(values: npt.NDArray[np.float64], whole: float = 1.0) -> tuple[float, float, float]:
    """(mean, low, high) of independent values from 0 to `whole`, shape (n,), as `share_within`. BadInput as `mean_interval`."""
    mean, _, _ = mean_interval(values)
    count = len(values)
    variance = float(values.var(ddof=1)) / count if count > 1 else 0.0
    low, high = share_within(mean / whole, variance / whole**2, count)
    return mean, low * whole, high * whole


def share_within(share: float, variance: float, count: int) -> tuple[float, float]:
    """(low, high) of a mean of shares from 0 to 1, told by `count` independent ones that give it this variance.

    It is Wilson's interval for as many trials as they are worth, with Student's distribution. Where all are alike, as where
    something never happened, what was not seen among so many has at most the share that Wilson's interval leaves it.
    """
    if variance <= ROUNDING**2:
        unseen = 1 - wilson(count, count)[0]
        return share - share * unseen, share + (1 - share) * unseen
    trials = share * (1 - share) / variance * (Z / student(count - 1)) ** 2
    return wilson(share * trials, trials)


def counts_interval(values: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    """(mean, low, high) of how often something happens, independent counts from 0 on, shape (n,): no end lies below 0.

    It is the score interval of a Poisson number (Wilson's of a rate that is small) for as many events as the counts are worth.
    Where all are alike, as where it never happened, each counts as a Poisson number itself: of n counts of 0 the interval ends at
    3.84 / n.
    One count alone says nothing of how high others may be. BadInput as `mean_interval`.
    """
    mean, low, high = mean_interval(values)
    count = len(values)
    if count == 1:
        return mean, max(0.0, low), high
    variance = float(values.var(ddof=1)) / count * (student(count - 1) / Z) ** 2
    worth = float(count) if np.ptp(values) <= ROUNDING else mean / variance
    middle = mean + Z * Z / (2 * worth)
    half = Z * math.sqrt(mean / worth + (Z / (2 * worth)) ** 2)
    return mean, max(0.0, middle - half), middle + half


def wilson(wins: float, games: float, deviations: float = Z) -> tuple[float, float]:
    """The Wilson score interval of a rate (Wilson 1927): (low, high), fractions; (0, 1) without games.

    Neither need be whole: games that depend on each other count for fewer. It reaches so many standard deviations. BadInput where
    more were won than played, or either is negative or no number.
    """
    given: tuple[object, object] = (wins, games)
    if not (all(isinstance(each, int | float | np.number) for each in given) and 0 <= wins <= games * (1 + ROUNDING)):
        raise BadInput(
            f"a rate is of wins from 0 to the number of games, not of {value_text(wins)} in {value_text(games)}"
        )
    if games == 0:
        return 0.0, 1.0
    rate = wins / games
    square = deviations * deviations
    centre = (rate + square / (2 * games)) / (1 + square / games)
    half = deviations / (1 + square / games) * math.sqrt(rate * (1 - rate) / games + square / (4 * games * games))
    low = 0.0 if wins == 0 else max(0.0, centre - half)
    high = 1.0 if wins == games else min(1.0, centre + half)
    return low, high


def difference(wins_1: float, games_1: int, wins_2: float, games_2: int) -> tuple[float, float]:
    """The interval of the difference of two rates, first minus second (Newcombe 1998, method 10): (low, high).

    BadInput as `wilson`, and where there are no games of one of them.
    """
    low_1, high_1 = wilson(wins_1, games_1)
    low_2, high_2 = wilson(wins_2, games_2)
    if not games_1 or not games_2:
        raise BadInput(f"two rates differ where both have games, not of {games_1} and {games_2} games")
    rate_1 = wins_1 / games_1
    rate_2 = wins_2 / games_2
    gap = rate_1 - rate_2
    low = gap - math.sqrt((rate_1 - low_1) ** 2 + (high_2 - rate_2) ** 2)
    high = gap + math.sqrt((high_1 - rate_1) ** 2 + (rate_2 - low_2) ** 2)
    return low, high
