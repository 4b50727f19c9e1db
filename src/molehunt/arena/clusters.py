"""Intervals for rates, means and their differences where games come in clusters: the games of one deal.

A rate has Wilson's interval for as many games as the deals are worth (the effective sample size, with Student's distribution for
few deals: Korn and Graubard, Survey Methodology 24 (1998)). For means and differences whole deals are drawn again (Efron and
Tibshirani, An Introduction to the Bootstrap, 1993; Cameron, Gelbach and Miller, Rev. Econ. Stat. 90 (2008)). Deals whose numbers
are alike are exchangeable, so it is drawn how often each pattern of numbers comes, which is the same and costs little. The
percentile interval is widened for few deals (the expanded percentile interval of Hesterberg, The American Statistician 69 (2015)).
No resample lies beyond what the deals showed, though of two deals the mean lies there half of the time: where there are fewer than
`FEW`, the interval holds Student's, too, of the linearized ratio (Cochran, Sampling Techniques, 1977, section 6.3). So it is where
fewer than `FEW` deals make a difference between two players.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from molehunt.arena.statistics import Z, student, wilson

RESAMPLES = 4000
FEW = 10
"""Of fewer deals resampling alone says too little doubt: of 2, 3, 4 and 5 it holds the mean in 53, 73, 86 and 91 of 100 cases."""
DRAWN_TOGETHER = 1 << 22
"""So many numbers are drawn at once; where deals all differ, those of all resamples would need gigabytes."""
SEED = 20161231
"""The seed of all resampling: the same numbers give the same interval."""
_NORMAL = NormalDist()


def _tail(clusters: int) -> float:
    """The share of resamples beyond each end of the interval: 2.5 %, and less for few clusters."""
    free = max(1, clusters - 1)
    return _NORMAL.cdf(-student(free) * math.sqrt(clusters / free))


def _resampled(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Sums over resampled clusters: from shape (clusters, k) to (RESAMPLES, k)."""
    patterns, counts = np.unique(rows, axis=0, return_counts=True)
    random = np.random.default_rng(SEED)
    together = max(1, DRAWN_TOGETHER // len(patterns))
    sums = np.empty((RESAMPLES, rows.shape[1]))
    for first in range(0, RESAMPLES, together):
        some = sums[first : first + together]
        some[:] = random.multinomial(len(rows), counts / len(rows), size=len(some)) @ patterns
    return sums


def rate_interval(wins: npt.NDArray[np.int64], seats: npt.NDArray[np.int64]) -> tuple[float, float]:
    """The 95 % interval of a rate from wins and seats by deal, shape (deals,) each; (0, 1) without seats.

    Where all seats of a deal always win or lose together, and every deal has the same number, deals are independent trials: the
    interval is Wilson's over the deals. So it is where nobody or everybody won, of which nothing is learned about deals.
    """
    here = seats > 0
    wins, seats = wins[here], seats[here]
    if not len(seats):
        return 0.0, 1.0
    won, played = int(wins.sum()), int(seats.sum())
    if bool(((wins == 0) | (wins == seats)).all() and (seats == seats[0]).all()):
        return wilson(int((wins == seats).sum()), len(seats))
    return _within(len(seats), won, played, float(((wins - won / played * seats) ** 2).sum()))


def counted_interval(deals: npt.NDArray[np.int64]) -> tuple[float, float]:
    """`rate_interval` where every deal is played in the same number of games: `deals[w]` are those in which so many were won."""
    count, games = int(deals.sum()), len(deals) - 1
    if not deals[1:-1].any():
        return wilson(int(deals[-1]), count)
    wins = np.arange(games + 1)
    won = int(deals @ wins)
    return _within(count, won, count * games, float(deals @ (wins - won / count) ** 2))


def _within(deals: int, won: int, played: int, squares: float) -> tuple[float, float]:
    """The interval of a rate; `squares` are those of how many more were won in each deal than by the rate, summed.

    The variance of the rate between deals is held against the one of games that are independent, which counts as one deal more: few
    deals that happen to be alike are no proof that all are.
    """
    if won in {0, played}:
        return wilson(deals if won else 0, deals)
    rate = won / played
    alone = rate * (1 - rate) / played
    between = squares / played**2 * deals / max(1, deals - 1)
    variance = ((deals - 1) * between + alone) / deals
    games = rate * (1 - rate) / variance * (Z / student(max(1, deals - 1))) ** 2
    return wilson(rate * games, games)


def mean_interval_by_deal(values: npt.NDArray[np.float64], seats: npt.NDArray[np.int64]) -> tuple[float, float]:
    """The 95 % interval of a mean from sums of values and seats by deal; without bounds where there is one deal, or none.

    So it is where all deals paid the same. Resampling learns nothing then; of a rate one knows that unseen deals lie between 0 and
    1 (`difference_interval`), but of values not how far they may lie from those that were seen.
    """
    here = seats > 0
    means = values[here] / seats[here]
    if len(means) < 2 or (means == means[0]).all():
        return -math.inf, math.inf
    rows = np.stack([values[here], seats[here]], axis=1).astype(np.float64)
    sums = _resampled(rows)
    return _ends(sums[:, 0] / sums[:, 1], *_linearized(rows), -math.inf, math.inf)


def difference_interval(
    wins_1: npt.NDArray[np.int64],
    seats_1: npt.NDArray[np.int64],
    wins_2: npt.NDArray[np.int64],
    seats_2: npt.NDArray[np.int64],
) -> tuple[float, float]:
    """The 95 % interval of the difference of two rates on the same deals, first minus second; (-1, 1) where one has no seats.

    Only deals count in which both have seats.
    """
    both = (seats_1 > 0) & (seats_2 > 0)
    if not both.any():
        return -1.0, 1.0
    columns = [wins_1[both], seats_1[both], wins_2[both], seats_2[both]]
    rows = np.stack(columns, axis=1).astype(np.float64)
    gaps = rows[:, 0] / rows[:, 1] - rows[:, 2] / rows[:, 3]
    if (rows[:, [1, 3]] == rows[0, [1, 3]]).all() and (gaps == gaps[0]).all():
        return alike_interval(float(gaps[0]), len(rows))  # resampling learns nothing
    sums = _resampled(rows)
    differences = sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3]
    (first, of_first), (second, of_second) = _linearized(rows[:, :2]), _linearized(rows[:, 2:])
    low, high = _ends(differences, first - second, of_first - of_second, -1.0, 1.0)
    if len(gaps) < FEW or np.count_nonzero(gaps != np.median(gaps)) >= FEW:
        return low, high
    doubtful = _with_doubt(first - second, gaps)
    return max(-1.0, min(low, doubtful[0])), min(1.0, max(high, doubtful[1]))


def _with_doubt(value: float, gaps: npt.NDArray[np.float64]) -> tuple[float, float]:
    """Student's interval of a difference as if there had been a deal more each way, as far apart as the furthest that was seen.

    What few deals make different is drawn again too seldom: where four do on average, resamples hold the truth in 90 of 100 cases
    (Bonett and Price, J. Educ. Behav. Stat. 37 (2012), of single games).
    """
    deals = len(gaps) + 2
    squares = float(((gaps - value) ** 2).sum()) + 2 * float(np.abs(gaps).max()) ** 2
    half = student(deals - 1) * math.sqrt(squares / (deals - 1) / deals)
    middle = value * len(gaps) / deals
    return middle - half, middle + half


def alike_interval(value: float, count: int, most: float = 1.0) -> tuple[float, float]:
    """The 95 % interval of a mean of values from -`most` to `most`, where the `count` that were seen are all the same.

    What was not seen among so many has at most the share that Wilson's interval leaves it.
    """
    unseen = 1 - wilson(count, count)[0]
    return value - (value + most) * unseen, value + (most - value) * unseen


def _linearized(rows: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
    """The ratio of two sums by deal, shape (deals, 2), and how much each deal moves it from there, shape (deals,)."""
    ratio = float(rows[:, 0].sum() / rows[:, 1].sum())
    return ratio, (rows[:, 0] - ratio * rows[:, 1]) / rows[:, 1].mean()


def _ends(
    resampled: npt.NDArray[np.float64], value: float, moves: npt.NDArray[np.float64], low: float, high: float
) -> tuple[float, float]:
    """The interval from resamples of a value, and from how much each deal moves it where there are few, within bounds."""
    deals = len(moves)
    tail = _tail(deals)
    least, most = np.quantile(resampled, [tail, 1 - tail]).tolist()
    if 1 < deals < FEW:
        half = student(deals - 1) * float(moves.std(ddof=1)) / math.sqrt(deals)
        least, most = min(least, value - half), max(most, value + half)
    return max(low, least), min(high, most)
