"""When a comparison is decided: a confidence sequence, which may be looked at after every deal without losing its level.

A confidence interval holds for a number of games that was fixed before. Whoever looks again and again and stops when it leaves 0
out is misled far more often than once in twenty times. A confidence sequence holds at all times at once. This one is the
predictable plug-in empirical Bernstein sequence for bounded values (Waudby-Smith and Ramdas, Estimating means of bounded random
variables by betting, J. R. Statist. Soc. B 86 (2024), Theorem 2).

A value is the difference of one deal: the mean result of player A on its seats in all games of the deal, minus that of B. Deals are
independent, the games of one deal are not; so deals are counted, in the order of their numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from molehunt.arena.tournament.outcomes import EventOutcomes
from molehunt.arena.tournament.tally import Tally, deal_differences

BOUND = 0.5
"""The greatest bet, the constant c of Theorem 2 (there 1/2 or 3/4)."""

LOOKS = 50
"""So many blocks are looked at each; see `looks`."""

FIRST, SECOND, ALIKE, OPEN = "first", "second", "alike", "open"
"""What is decided of a pair: the first is better, the second is, the difference is smaller than the margin; or nothing yet."""


@dataclass(frozen=True)
class Decision:
    """What a confidence sequence says of a pair: the mean difference (first minus second), its bounds, and what is decided."""

    first: str
    second: str
    role: str | None
    deals: int
    difference: float
    low: float
    high: float
    verdict: str


def confidence_sequence(
    values: npt.NDArray[np.float64], level: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """(low, high) after each value, for the mean of independent values in -1 to 1: shape (n,) each.

    With probability `level` the mean lies between all of them at once. What was once ruled out stays ruled out.
    """
    count = len(values)
    if not count:
        return np.zeros(0), np.zeros(0)
    x = (np.asarray(values, np.float64) + 1) / 2
    steps = np.arange(1, count + 1)
    alarm = math.log(2 / (1 - level))
    mean = (0.5 + np.cumsum(x)) / (steps + 1)
    variance = (0.25 + np.cumsum((x - mean) ** 2)) / (steps + 1)
    mean_before = np.concatenate(([0.5], mean[:-1]))
    variance_before = np.concatenate(([0.25], variance[:-1]))
    bet = np.minimum(np.sqrt(2 * alarm / (variance_before * steps * np.log1p(steps))), BOUND)
    spread = 4 * (x - mean_before) ** 2 * (-np.log1p(-bet) - bet) / 4
    total = np.cumsum(bet)
    centre = np.cumsum(bet * x) / total
    half = (alarm + np.cumsum(spread)) / total
    low = np.maximum.accumulate(np.maximum(centre - half, 0))
    high = np.minimum.accumulate(np.minimum(centre + half, 1))
    return 2 * low - 1, 2 * high - 1


def decide(outcomes: EventOutcomes) -> list[Decision]:
    """What is decided of the pairs of an event that may stop, by the deals that all lineups have played; [] where it may not.

    The level holds for all pairs together (Bonferroni).
    """
    stop = outcomes.event.stop
    if stop is None:
        return []
    tally = Tally(outcomes, outcomes.complete)
    result = []
    level = 1 - (1 - stop.level) / len(stop.compare)
    for first, second in stop.compare:
        values = deal_differences(tally, first, second, stop.role)
        low, high = confidence_sequence(values, level)
        bounds = (float(low[-1]), float(high[-1])) if len(values) else (-1.0, 1.0)
        verdict = _verdict(*bounds, stop.margin)
        mean = float(values.mean()) if len(values) else 0.0
        result.append(Decision(first, second, stop.role, len(values), mean, *bounds, verdict))
    return result


def _verdict(low: float, high: float, margin: float | None) -> str:
    if low > 0:
        return FIRST
    if high < 0:
        return SECOND
    return ALIKE if margin is not None and -margin <= low and high <= margin else OPEN


def looks(block: int) -> bool:
    """Whether it is looked after so many blocks: after each of the first, later whenever there are about 2 % more."""
    return block <= LOOKS or int(LOOKS * math.log(block)) > int(LOOKS * math.log(block - 1))


def decided(outcomes: EventOutcomes) -> bool:
    """Whether an event stops now: it is looked, there are at least `least` deals, and every pair is decided."""
    stop = outcomes.event.stop
    if stop is None or outcomes.complete < stop.least or not looks(-(-outcomes.complete // outcomes.event.block)):
        return False
    return all(decision.verdict != OPEN for decision in decide(outcomes))
