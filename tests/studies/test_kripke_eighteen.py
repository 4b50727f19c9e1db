"""The chance that eighteen rounds a setup let the sentences of 2012 be written: against counting, sampling and certain cases."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from molehunt.studies.kripke_eighteen import (
    APART,
    ROUNDS,
    SENTENCES,
    Rates,
    alike,
    at_least,
    exceeds,
    fewer_states,
    rates_of,
    rows,
    total,
)
from molehunt.studies.kripke_rounds import Setup, Tally, setups

CHANCE = {sentence.name: sentence.chance for sentence in SENTENCES}


def rates(explicit: float, adaptive: float, flat: float, deep: float, true: float = 1.0, lost: float = 0.0) -> Rates:
    """The same rates with both factors: saboteur wins by strategy (undercover by depth), truth believed, undercover less so."""
    wins = {"explicit": (explicit, explicit), "adaptive": (adaptive, adaptive), "undercover": (flat, deep)}
    return {
        (s.strategy, s.depth, s.factor): (
            wins[s.strategy][s.depth - 1],
            true - (lost if s.strategy == "undercover" else 0.0),
        )
        for s in setups()
    }


def test_totals_are_those_of_counting_all_outcomes() -> None:
    first, second = 0.3, 0.9
    counts = total([first, second])
    assert len(counts) == 2 * ROUNDS + 1 and counts.sum() == pytest.approx(1)
    assert counts[0] == pytest.approx((0.7 * 0.1) ** ROUNDS)
    assert float(counts @ range(len(counts))) == pytest.approx(ROUNDS * (first + second))
    assert at_least(total([0.5]), 0.9) == pytest.approx((1 + 18) / 2**18), "17 or 18 of 18"


def test_two_setups_look_alike_as_often_as_sampling_says() -> None:
    random = np.random.default_rng(1)
    some = random.binomial(ROUNDS, 0.7, 40_000), random.binomial(ROUNDS, 0.5, 40_000)
    assert alike(0.7, 0.5) == pytest.approx((abs(some[0] - some[1]) <= APART).mean(), abs=0.01)
    assert alike(0.4, 0.4) > 0.9
    assert alike(1.0, 0.0) == 0.0
    assert exceeds(total([0.7]), total([0.5])) == pytest.approx((some[0] > some[1]).mean(), abs=0.01)


def test_six_rounds_of_eighteen_are_what_an_interval_shows() -> None:
    half = 1.96 * math.sqrt(2 * 0.7 * 0.3 / ROUNDS)
    assert APART < ROUNDS * half < APART + 1


def test_sentences_are_sure_where_the_rates_are_extreme() -> None:
    sure = rates(1.0, 1.0, 0.1, 0.0, true=1.0, lost=0.5)
    for name in ("1-saboteurs-win", "4-depth-no-difference", "5-explicit-like-adaptive", "6a-undercover-miners-win"):
        assert CHANCE[name](sure) == pytest.approx(1)
    assert CHANCE["6c-undercover-confuses"](sure) == pytest.approx(1)
    never = rates(1.0, 0.0, 1.0, 1.0, true=0.0)
    for name in ("2-truth-believed", "5-explicit-like-adaptive", "6a-undercover-miners-win", "6b-undercover-depth-one"):
        assert CHANCE[name](never) == pytest.approx(0)
    assert CHANCE["6c-undercover-confuses"](never) == 0.0, "as often is not more often"


def test_the_first_finding_over_all_setups_needs_more_than_over_eight() -> None:
    some = rates(0.7, 0.6, 0.2, 0.2)
    assert CHANCE["1-all-setups"](some) < CHANCE["1-saboteurs-win"](some)


def test_sporadic_wins_are_some_and_few() -> None:
    def by_hand(flat: float, deep: float) -> float:
        counts = [total([rate, rate]) for rate in (flat, deep)]
        return float(sum(counts[0][f] * counts[1][d] for f, d in product(range(37), repeat=2) if d < f <= 9))

    for flat, deep in ((0.1, 0.02), (0.3, 0.3), (0.0, 0.0)):
        assert CHANCE["6b-undercover-depth-one"](rates(0, 0, flat, deep)) == pytest.approx(by_hand(flat, deep))


def tally(setup: Setup, spread: bool = True) -> Tally:
    mean = 4.0 if setup.factor == 1.5 else 3.5
    numbers = np.arange(200)
    lost = np.where(numbers < 10, 1 + (numbers < 2), 0)
    return Tally(numbers < 120, lost, mean + np.where(numbers % 2, 1.0, -1.0) * spread)


def test_fewer_states_in_all_pairs() -> None:
    assert fewer_states({setup: tally(setup, spread=False) for setup in setups()}) == 1.0
    one = 0.5 * math.erfc(-0.5 / math.sqrt(2 * 2 / ROUNDS))
    assert fewer_states({setup: tally(setup) for setup in setups()}) == pytest.approx(one**6)


def test_rows_are_percentages_with_intervals_and_the_same_each_time() -> None:
    found = {setup: tally(setup) for setup in setups()}
    made = rows("eighteen/default/", found)
    assert made == rows("eighteen/default/", found)
    assert len({row.id for row in made}) == len(made) == len(SENTENCES) + 2
    assert all(0 <= row.low <= row.measured <= row.high <= 100 and row.games == 200 for row in made)
    assert sum(row.low < row.high for row in made) >= 6
    assert rates_of(found)["explicit", 1, 1.5] == (0.6, 0.95)


def test_setups_of_the_same_deals_are_drawn_together() -> None:
    random = np.random.default_rng(2)
    found = {setup: tally(setup) for setup in setups()}
    drawn = [rates_of(found, random) for _ in range(200)]
    first, second = (np.array([rates[key][0] for rates in drawn]) for key in list(drawn[0])[:2])
    assert first == pytest.approx(second), "they won the very same deals"
    assert first.mean() == pytest.approx(0.6, abs=0.01)
    assert first.std() == pytest.approx(math.sqrt(0.6 * 0.4 / 200), rel=0.2)
