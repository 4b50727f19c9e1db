"""A race: arms that are measured on the same deals, dropped as soon as it is decided that another one is better.

All arms that are left play the same deals, so chance that strikes all alike cancels in their differences. They play in rungs,
after each of which twice as many deals have been played. Then every arm is compared with the leader by the mean of their
differences, deal by deal, and is dropped where the interval of that mean lies below 0. That is a Hoeffding race (Maron and Moore
1994) with the paired t statistic in place of their bounds, and the race of Birattari et al. (2002) without Friedman's test.

The level of one comparison is the error of the whole race divided by the number of rungs and of rivals (Bonferroni). The best arm
is dropped only if, at some rung, some rival looks better than it by that much; so it is dropped with at most the stated
probability, however many arms there are and whoever leads, as far as a mean of so many deals is normal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from molehunt.arena.statistics import student

Arm = TypeVar("Arm")
Scores: TypeAlias = npt.NDArray[np.float64]
"""What an arm scored in each deal: shape (deals,)."""

FIRST_RUNG = 128
"""Deals of the first rung: fewer say little, and the mean of fewer is not normal."""
ERROR = 0.05
"""The probability with which a race drops its best arm, at most."""


@dataclass(frozen=True)
class Gap:
    """The mean of paired differences with its 95 % interval, over so many deals."""

    mean: float
    low: float
    high: float
    deals: int


@dataclass(frozen=True)
class Standing(Generic[Arm]):
    """How an arm came out: its mean score over the deals that it played, and whether it was still there at the end."""

    arm: Arm
    mean: float
    deals: int
    survived: bool


def gap(first: Scores, second: Scores, quantile: float | None = None) -> Gap:
    """First minus second, deal by deal. `quantile` says how many standard errors wide the interval is on either side.

    By default as many as Student's distribution asks for at 95 %.
    """
    differences = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    deals = len(differences)
    mean = float(differences.mean())
    if deals < 2:
        return Gap(mean, -math.inf, math.inf, deals)
    half = (student(deals - 1) if quantile is None else quantile) * float(differences.std(ddof=1)) / math.sqrt(deals)
    return Gap(mean, mean - half, mean + half, deals)


def with_doubt(first: Scores, second: Scores) -> Gap:
    """The difference of two players' shares of games won, as if there had been a deal more each way, a whole game apart.

    So an interval keeps its promise where few deals differ, and does not vanish where none does (Bonett and Price 2012,
    Adjusted Wald confidence interval for a difference of binomial proportions based on paired data, J. Educ. Behav.
    Stat. 37).
    """
    return gap(np.concatenate([first - second, [1.0, -1.0]]), np.zeros(len(first) + 2))


def gap_of_shares(first: Scores, second: Scores) -> Gap:
    """The mean difference of two players' shares of games won, within bounds that hold where few deals differ (`with_doubt`).

    Where all deals came out alike it has no width, as a player that is compared with itself has none.
    """
    found = gap(first, second)
    return gap_of_wins(first, second) if found.low < found.high and found.deals > 1 else found


def gap_of_wins(first: Scores, second: Scores) -> Gap:
    """The same of two players that are not one, so that nothing is known for certain where all deals came out alike."""
    doubtful = with_doubt(first, second)
    return Gap(float(np.mean(first - second)), max(-1.0, doubtful.low), min(1.0, doubtful.high), len(first))


def ladder(deals: int, first: int = FIRST_RUNG) -> tuple[int, ...]:
    """After how many deals the arms are compared: 128, 256, 512, ..., and at last `deals`."""
    rungs = []
    rung = first
    while rung < deals:
        rungs.append(rung)
        rung *= 2
    return (*rungs, deals)


def race(
    arms: Sequence[Arm],
    scores: Callable[[Sequence[Arm], int], Sequence[Scores]],
    rungs: Sequence[int],
    error: float = ERROR,
) -> list[Standing[Arm]]:
    """Race the arms; their standings, in their order.

    `scores(arms, deals)` gives what each arm scored in the first `deals` deals, the same deals for all. An arm that is alone stops.
    """
    level = error / (len(rungs) * max(len(arms) - 1, 1))
    quantile = NormalDist().inv_cdf(1 - level)
    left = list(range(len(arms)))
    standings: list[Any] = [None] * len(arms)
    for rung in rungs:
        found = dict(zip(left, scores([arms[number] for number in left], rung), strict=True))
        means = {number: float(found[number].mean()) for number in left}
        leader = max(left, key=lambda number: (means[number], -number))
        for number in list(left):
            dropped = number != leader and gap(found[number], found[leader], quantile).high < 0
            standings[number] = Standing(arms[number], means[number], rung, not dropped)
            if dropped:
                left.remove(number)
        if len(left) == 1:
            break
    return standings
