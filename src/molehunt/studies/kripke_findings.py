"""The six findings of `veldhuis2012`: a measure and a line for each, and on which side of it the interval lies.

All setups see the same deals, and five agents sit in each round. So every interval is one over deals: what happens in one
deal, in however many setups and to however many agents, is one observation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from molehunt.agents.saboteur.kripke_parameters import STRATEGIES
from molehunt.arena.clusters import difference_interval, rate_interval
from molehunt.arena.statistics import mean_interval, student
from molehunt.studies.kripke_rounds import DEPTHS, FACTORS, SEATS, Setup, Tally
from molehunt.studies.study import FAILS, HOLDS, UNDECIDED, VERDICTS, Row

MOST, ALMOST_ALL = 50.0, 90.0
"""Where "most of the time" and "almost every" begin, in percent."""
NO_CHANGE, STRIKING = 10.0, 20.0
"""Two rates do not differ within so many points; eighteen rounds could not show less than the second."""


@dataclass(frozen=True)
class Finding:
    """A finding as measured: the number, its interval, and whether it holds."""

    name: str
    quantity: str
    measured: float
    low: float
    high: float
    verdict: str
    rounds: int

    def row(self, prefix: str) -> Row:
        """The row of a report."""
        return Row(
            id=f"{prefix}{self.name}",
            quantity=f"{self.quantity}: {self.verdict}",
            published=None,
            measured=round(float(self.measured), 3),
            low=round(float(self.low), 3),
            high=round(float(self.high), 3),
            games=self.rounds,
            verdict=VERDICTS[self.verdict],
        )


def above(low: float, high: float, line: float) -> str:
    """Whether an interval lies above a line."""
    return HOLDS if low > line else FAILS if high < line else UNDECIDED


def within(low: float, high: float, margin: float) -> str:
    """Whether an interval of a difference lies within a margin around nothing."""
    return HOLDS if -margin < low and high < margin else FAILS if low > margin or high < -margin else UNDECIDED


def worst(verdicts: Sequence[str]) -> str:
    """What is true of all parts of a finding."""
    return FAILS if FAILS in verdicts else UNDECIDED if UNDECIDED in verdicts else HOLDS


Interval: TypeAlias = tuple[float, float, float]
"""A number, and between what it lies at 95 %."""


def together(parts: Sequence[Interval], deals: int) -> list[Interval]:
    """The intervals of some numbers, each over so many deals, so wide that all of them hold together (Bonferroni)."""
    wider = student(deals - 1, len(parts)) / student(deals - 1) if deals > 1 else 1.0
    return [(value, value - wider * (value - low), value + wider * (high - value)) for value, low, high in parts]


def least_of(parts: Sequence[Interval], deals: int) -> Interval:
    """The least of some numbers, and between what the least one lies: which it is, was chosen by the same deals.

    One of the parts is the least, so it is no lower than the lowest end of all. But it is above an upper end as soon as that
    part is, whichever it may be; so the upper ends are such that all of them hold together.
    """
    return (
        min(value for value, _, _ in parts),
        min(low for _, low, _ in parts),
        min(high for _, _, high in together(parts, deals)),
    )


@dataclass(frozen=True)
class Share:
    """What happened in each deal, over some setups: how often, of how many chances; `counts` has shape (deals,)."""

    counts: npt.NDArray[np.int64]
    chances: int

    @property
    def all_chances(self) -> npt.NDArray[np.int64]:
        """The chances of each deal, shape (deals,)."""
        return np.full(len(self.counts), self.chances)

    @property
    def percent(self) -> float:
        """How often it happened, in percent."""
        return 100 * float(self.counts.mean()) / self.chances


def rate(name: str, quantity: str, share: Share, line: float) -> Finding:
    """A finding that a rate, in percent, lies above a line."""
    low, high = (100 * bound for bound in rate_interval(share.counts, share.all_chances))
    rounds = len(share.counts) * share.chances
    return Finding(name, quantity, share.percent, low, high, above(low, high, line), rounds)


def gap(first: Share, second: Share) -> Interval:
    """(difference of two rates in points, its interval), first minus second, on the same deals."""
    low, high = difference_interval(first.counts, first.all_chances, second.counts, second.all_chances)
    return first.percent - second.percent, 100 * low, 100 * high


def findings(found: dict[Setup, Tally]) -> list[Finding]:
    """The six findings, in the paper's order; the sixth has three parts."""
    by = {(setup.strategy, setup.depth, setup.factor): tally for setup, tally in found.items()}

    def some(**wanted: object) -> list[Tally]:
        return [
            t
            for s, t in found.items()
            if all(
                getattr(s, key) in (value if isinstance(value, tuple) else (value,)) for key, value in wanted.items()
            )
        ]

    def wins(tallies: Sequence[Tally]) -> Share:
        return Share(np.sum([tally.won for tally in tallies], axis=0), len(tallies))

    def lost_agents(tallies: Sequence[Tally]) -> Share:
        return Share(np.sum([tally.lost for tally in tallies], axis=0), SEATS * len(tallies))

    open_ones, everything = some(strategy=("explicit", "adaptive")), some()
    truth = Share(np.sum([tally.all_true for tally in everything], axis=0), len(everything))
    open_rounds, all_rounds = (sum(tally.rounds for tally in tallies) for tallies in (open_ones, everything))
    result = [
        rate(
            "1-saboteurs-win",
            f"most of the time the saboteurs win (explicit and adaptive), %, above {MOST:g}",
            wins(open_ones),
            MOST,
        ),
        rate(
            "2-truth-believed",
            f"after almost every round all agents believe the true state, %, above {ALMOST_ALL:g}",
            truth,
            ALMOST_ALL,
        ),
    ]
    # 3: fewer states with the stronger disbelief, in every configuration; the number is the smallest of the six differences.
    fewer = []
    for strategy in STRATEGIES:
        for depth in DEPTHS:
            mild, strong = (by[strategy, depth, factor].believed for factor in FACTORS)
            fewer.append(mean_interval(mild - strong))
    deals = len(everything[0].won)
    least = least_of(fewer, deals)
    result.append(
        Finding(
            "3-fewer-states",
            "factor 5 leaves fewer believed states in every configuration, smallest difference in states, above 0",
            *least,
            above(*least[1:], 0.0),
            all_rounds,
        )
    )
    pairs = [("explicit", f) for f in FACTORS] + [("adaptive", f) for f in FACTORS]
    depth_gaps = [gap(wins([by[s, 2, f]]), wins([by[s, 1, f]])) for s, f in pairs]
    strategy_gaps = [gap(wins([by["explicit", d, f]]), wins([by["adaptive", d, f]])) for d in DEPTHS for f in FACTORS]
    for name, text, gaps, margin in (
        ("4-depth-no-difference", "explicit and adaptive: depth two changes nothing", depth_gaps, NO_CHANGE),
        ("5-explicit-like-adaptive", "explicit and adaptive do not differ strikingly", strategy_gaps, STRIKING),
    ):
        wide = together(gaps, deals)
        largest = max(wide, key=lambda each: abs(each[0]))
        quantity = f"{text}, largest difference in saboteur wins, points, within {margin:g}"
        verdict = worst([within(low, high, margin) for _, low, high in wide])
        result.append(Finding(name, quantity, *largest, verdict, open_rounds))
    deep, flat = (wins(some(strategy="undercover", depth=depth)) for depth in (2, 1))
    result.append(
        rate(
            "6a-undercover-miners-win",
            f"undercover at depth two: miners win almost always, %, above {ALMOST_ALL:g}",
            Share(deep.chances - deep.counts, deep.chances),
            ALMOST_ALL,
        )
    )
    now_and_then = gap(flat, deep)
    result.append(
        Finding(
            "6b-undercover-depth-one",
            "undercover at depth one: saboteurs win now and then, points more than at depth two, above 0",
            *now_and_then,
            above(*now_and_then[1:], 0.0),
            all_rounds - open_rounds,
        )
    )
    lost = gap(lost_agents(some(strategy="undercover")), lost_agents(open_ones))
    result.append(
        Finding(
            "6c-undercover-confuses",
            "undercover: agents that do not believe the true state, points more than otherwise, above 0",
            *lost,
            above(*lost[1:], 0.0),
            all_rounds,
        )
    )
    return result
