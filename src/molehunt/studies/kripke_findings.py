"""The six findings of `veldhuis2012`: a measure and a line for each, and on which side of it the interval lies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from molehunt.agents.saboteur.kripke_parameters import STRATEGIES
from molehunt.arena.statistics import difference, wilson
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


def rate(name: str, quantity: str, count: int, rounds: int, line: float) -> Finding:
    """A finding that a rate, in percent, lies above a line."""
    low, high = (100 * bound for bound in wilson(count, rounds))
    return Finding(name, quantity, 100 * count / rounds, low, high, above(low, high, line), rounds)


def gap(first: Tally, second: Tally, field: str, per_round: int = 1) -> tuple[float, float, float]:
    """(difference of two rates in points, its interval), first minus second."""
    one, two = getattr(first, field), getattr(second, field)
    games = (first.rounds * per_round, second.rounds * per_round)
    low, high = difference(one, games[0], two, games[1])
    return 100 * (one / games[0] - two / games[1]), 100 * low, 100 * high


def findings(found: dict[Setup, Tally]) -> list[Finding]:
    """The six findings, in the paper's order; the sixth has three parts."""
    by = {(setup.strategy, setup.depth, setup.factor): tally for setup, tally in found.items()}

    def pooled(**wanted: object) -> Tally:
        mine = [
            t
            for s, t in found.items()
            if all(
                getattr(s, key) in (value if isinstance(value, tuple) else (value,)) for key, value in wanted.items()
            )
        ]
        return sum(mine, Tally())

    open_ones = pooled(strategy=("explicit", "adaptive"))
    everything = pooled()
    result = [
        rate(
            "1-saboteurs-win",
            f"most of the time the saboteurs win (explicit and adaptive), %, above {MOST:g}",
            open_ones.saboteur_wins,
            open_ones.rounds,
            MOST,
        ),
        rate(
            "2-truth-believed",
            f"after almost every round all agents believe the true state, %, above {ALMOST_ALL:g}",
            everything.all_true,
            everything.rounds,
            ALMOST_ALL,
        ),
    ]
    # 3: fewer states with the stronger disbelief, in every configuration; the number is the smallest of the six differences.
    fewer = []
    for strategy in STRATEGIES:
        for depth in DEPTHS:
            mild, strong = by[strategy, depth, 1.5].mean_states(), by[strategy, depth, 5.0].mean_states()
            half = math.hypot(mild[2] - mild[0], strong[2] - strong[0])
            fewer.append((mild[0] - strong[0], mild[0] - strong[0] - half, mild[0] - strong[0] + half))
    least = min(fewer)
    result.append(
        Finding(
            "3-fewer-states",
            "factor 5 leaves fewer believed states in every configuration, smallest difference in states, above 0",
            *least,
            worst([above(low, high, 0.0) for _, low, high in fewer]),
            everything.rounds,
        )
    )
    pairs = [("explicit", f) for f in FACTORS] + [("adaptive", f) for f in FACTORS]
    depth_gaps = [gap(by[s, 2, f], by[s, 1, f], "saboteur_wins") for s, f in pairs]
    strategy_gaps = [gap(by["explicit", d, f], by["adaptive", d, f], "saboteur_wins") for d in DEPTHS for f in FACTORS]
    for name, text, gaps, margin in (
        ("4-depth-no-difference", "explicit and adaptive: depth two changes nothing", depth_gaps, NO_CHANGE),
        ("5-explicit-like-adaptive", "explicit and adaptive do not differ strikingly", strategy_gaps, STRIKING),
    ):
        largest = max(gaps, key=lambda each: abs(each[0]))
        quantity = f"{text}, largest difference in saboteur wins, points, within {margin:g}"
        verdict = worst([within(low, high, margin) for _, low, high in gaps])
        result.append(Finding(name, quantity, *largest, verdict, open_ones.rounds))
    deep, flat = pooled(strategy="undercover", depth=2), pooled(strategy="undercover", depth=1)
    result.append(
        rate(
            "6a-undercover-miners-win",
            f"undercover at depth two: miners win almost always, %, above {ALMOST_ALL:g}",
            deep.rounds - deep.saboteur_wins,
            deep.rounds,
            ALMOST_ALL,
        )
    )
    now_and_then = gap(flat, deep, "saboteur_wins")
    result.append(
        Finding(
            "6b-undercover-depth-one",
            "undercover at depth one: saboteurs win now and then, points more than at depth two, above 0",
            *now_and_then,
            above(*now_and_then[1:], 0.0),
            deep.rounds + flat.rounds,
        )
    )
    lost = gap(pooled(strategy="undercover"), open_ones, "failures", SEATS)
    result.append(
        Finding(
            "6c-undercover-confuses",
            "undercover: agents that do not believe the true state, points more than otherwise, above 0",
            *lost,
            above(*lost[1:], 0.0),
            everything.rounds,
        )
    )
    return result
