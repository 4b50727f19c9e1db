"""Intervals from deals: they cover what they should, and do not pretend where nothing can be learned."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest

from molehunt.arena.clusters import _tail, counted_interval, difference_interval, mean_interval_by_deal, rate_interval
from molehunt.arena.statistics import mean_interval, wilson


def test_deals_whose_games_end_alike_count_once() -> None:
    wins = np.array([0, 3, 3, 0, 3] * 20)
    assert rate_interval(wins, np.full(100, 3)) == wilson(60, 100)


def test_a_rate_of_nothing_or_all_is_not_certain() -> None:
    seats = np.array([2, 3] * 50)
    assert rate_interval(np.zeros(100, np.int64), seats) == wilson(0, 100)
    assert rate_interval(seats, seats) == wilson(100, 100)
    assert rate_interval(np.zeros(5, np.int64), np.zeros(5, np.int64)) == (0.0, 1.0)


def test_the_same_numbers_give_the_same_interval_in_any_order() -> None:
    random = np.random.default_rng(0)
    wins, seats = random.integers(0, 4, 200), np.full(200, 5)
    order = random.permutation(200)
    assert rate_interval(wins, seats) == rate_interval(wins[order], seats)


def test_clustered_games_give_a_wider_interval_than_independent_ones() -> None:
    random = np.random.default_rng(1)
    wins = random.binomial(10, random.beta(0.3, 0.3, 400))
    low, high = rate_interval(wins, np.full(400, 10))
    alone_low, alone_high = wilson(int(wins.sum()), 4000)
    assert high - low > 2 * (alone_high - alone_low)


def test_games_of_a_deal_that_even_out_give_a_narrower_interval_than_independent_ones() -> None:
    random = np.random.default_rng(3)
    wins = 2 + (random.random(400) < 0.1) - (random.random(400) < 0.1)  # of five games mostly two
    low, high = rate_interval(wins, np.full(400, 5))
    alone_low, alone_high = wilson(int(wins.sum()), 2000)
    assert low < 0.4 < high and 2 * (high - low) < alone_high - alone_low
    # As the spread of the mean has it, which is that of 400 numbers.
    assert high - low == pytest.approx(2 * 1.96 * wins.std(ddof=1) / 5 / 20, rel=0.02)


def test_deals_that_are_alike_are_no_proof_that_all_are() -> None:
    widths = []
    for deals in (1, 2, 10, 100):
        low, high = rate_interval(np.full(deals, 2), np.full(deals, 5))
        widths.append(high - low)
        assert 0 <= low < 0.4 < high <= 1
    assert widths == sorted(widths, reverse=True) and widths[0] > 0.9 and widths[-1] < 0.02


@pytest.mark.parametrize("games", [1, 2, 5])
def test_deals_may_be_given_by_how_many_games_of_each_were_won(games: int) -> None:
    random = np.random.default_rng(games)
    for deals in (1, 2, 40):
        for ease in (0.0, 0.5, 1.0):
            wins = random.binomial(games, ease, deals)
            counted = counted_interval(np.bincount(wins, minlength=games + 1))
            assert counted == pytest.approx(rate_interval(wins, np.full(deals, games)), abs=1e-12)


def test_pairing_makes_the_interval_of_a_difference_narrow() -> None:
    random = np.random.default_rng(2)
    base = random.binomial(5, random.beta(0.3, 0.3, 300))
    better = np.minimum(5, base + (random.random(300) < 0.2))
    seats = np.full(300, 5)
    low, high = difference_interval(better, seats, base, seats)
    assert 0 < low < (better - base).mean() / 5 < high < 0.06


def test_a_difference_that_never_varies_keeps_some_doubt() -> None:
    ones, nothing = np.ones(30, np.int64), np.zeros(30, np.int64)
    low, high = difference_interval(ones, ones, nothing, ones)
    assert 0.7 < low < high == 1.0
    low, high = difference_interval(ones, ones, ones, ones)
    assert low == -high < 0
    some = np.arange(30) % 2  # the same deals are won by both, but not all of them
    assert difference_interval(some, ones, some, ones) == (low, high)


def test_a_mean_of_payoffs_lies_in_its_interval() -> None:
    paid = np.array([0.0, 2, 4, 1, 7, 3] * 10)
    low, high = mean_interval_by_deal(paid, np.full(60, 2))
    assert low < paid.sum() / 120 < high
    assert mean_interval_by_deal(paid[:1], np.full(1, 2)) == (-math.inf, math.inf)  # one deal has no spread
    # Nor have deals that all paid the same, in however many seats.
    assert mean_interval_by_deal(np.array([2.0, 4, 2]), np.array([1, 2, 1])) == (-math.inf, math.inf)
    low, high = mean_interval_by_deal(np.array([2.0, 4, 3]), np.array([1, 2, 1]))
    assert low < 2 and 3 < high < math.inf  # of three deals the mean may lie beyond all that were seen


def test_deals_that_all_differ_do_not_take_memory_for_all_resamples_at_once() -> None:
    deals = 4000  # 4,000 resamples of them are 128 MB
    values, seats = np.random.default_rng(1).normal(size=deals), np.ones(deals, np.int64)
    tracemalloc.start()
    low, high = mean_interval_by_deal(values, seats)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert low < values.mean() < high and high - low == pytest.approx(2 * 1.96 / np.sqrt(deals), rel=0.1)
    assert most < 100_000_000


def test_the_expansion_of_students_distribution_is_scipys_where_there_are_ten_deals_or_more() -> None:
    special = pytest.importorskip("scipy.special")
    for deals in (11, 21, 101, 10_001):
        tail = special.ndtr(-special.stdtrit(deals - 1, 0.975) * np.sqrt(deals / (deals - 1)))
        student = -special.ndtri(_tail(deals)) * np.sqrt((deals - 1) / deals)
        assert student == pytest.approx(special.stdtrit(deals - 1, 0.975), rel=0.0013 if deals == 11 else 0.0002)
        assert _tail(deals) == pytest.approx(tail, rel=0.01)


@pytest.mark.parametrize("often", [3, 4, 6])
def test_where_few_deals_differ_the_difference_holds_the_truth_all_the_same(often: int) -> None:
    random, deals, runs = np.random.default_rng(often), 200, 1000
    nothing, ones = np.zeros(deals, np.int64), np.ones(deals, np.int64)
    held = 0
    for _ in range(runs):
        won = (random.random(deals) < often / deals).astype(np.int64)
        low, high = difference_interval(won, ones, nothing, ones)
        held += low <= often / deals <= high
    assert held / runs > 0.93
    # Of deals of ten games each, few of which differ by one, nobody fears that the next one differs by ten.
    won, each = np.repeat([1, 0], [often, deals - often]), np.full(deals, 10)
    low, high = difference_interval(won, each, nothing, each)
    assert high - low < 3 * often / deals / 10


def coverage(deals: int, games: int, runs: int, seed: int) -> tuple[float, float]:
    """How often the intervals of a rate and of a paired difference hold the truth."""
    random = np.random.default_rng(seed)
    rates = differences = 0
    seats = np.full(deals, games)
    for _ in range(runs):
        ease = random.beta(1.0, 1.0, deals)  # some deals are easy for all
        one = random.binomial(games, ease)
        other = random.binomial(games, ease**2)  # mean 1/3
        low, high = rate_interval(one, seats)
        rates += low <= 1 / 2 <= high
        low, high = difference_interval(one, seats, other, seats)
        differences += low <= 1 / 2 - 1 / 3 <= high
    return rates / runs, differences / runs


def test_of_few_deals_a_rate_is_said_with_the_doubt_that_there_is() -> None:
    """Of three kinds of deals: easy or hard for all, of independent games, and such in which mostly just two of five win."""
    random, runs = np.random.default_rng(4), 1000
    for deals in (4, 10, 30):
        drawn = (
            random.binomial(5, random.beta(0.7, 0.7, (runs, deals))),
            random.binomial(5, 0.2, (runs, deals)),
            2 + (random.random((runs, deals)) < 0.08) - (random.random((runs, deals)) < 0.08),
        )
        for wins, rate in zip(drawn, (0.5, 0.2, 0.4), strict=True):
            ends = np.array([rate_interval(each, np.full(deals, 5)) for each in wins])
            assert ((ends[:, 0] <= rate) & (rate <= ends[:, 1])).mean() > 0.93


@pytest.mark.parametrize("deals", [2, 3, 5, 9])
def test_of_few_deals_means_and_differences_are_said_with_the_doubt_that_there_is(deals: int) -> None:
    random, runs, held = np.random.default_rng(deals), 300, np.zeros(2)
    seats = np.full(deals, 10)
    for _ in range(runs):
        ease = random.beta(1.0, 1.0, deals)
        low, high = difference_interval(random.binomial(10, ease), seats, random.binomial(10, ease**2), seats)
        held[0] += low <= 1 / 6 <= high
        low, high = mean_interval_by_deal(random.normal(3.0, 2.0, deals) * 10, seats)
        held[1] += low <= 3 <= high
    assert (held / runs > 0.92).all()


def test_the_interval_of_few_deals_is_students_where_all_count_alike() -> None:
    values = np.array([1.0, 2, 4, 8])
    low, high = mean_interval_by_deal(2 * values, np.full(4, 2))
    assert (low, high) == pytest.approx(mean_interval(values)[1:])


@pytest.mark.long
@pytest.mark.parametrize("deals", [15, 40, 200, 2000])
def test_intervals_hold_the_truth_as_often_as_they_say(deals: int) -> None:
    rate, difference = coverage(deals, 5, 1500, deals)
    assert 0.935 <= rate <= 0.965 and 0.935 <= difference <= 0.965
