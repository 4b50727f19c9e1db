"""The intervals, against published worked values and against what defines them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from molehunt.arena.statistics import (
    Z,
    counts_interval,
    difference,
    holm,
    mean_interval,
    shares_interval,
    student,
    two_sided,
    two_sided_of_student,
    wilson,
)
from molehunt.core.errors import BadInput


# Newcombe 1998, Two-sided confidence intervals for the single proportion, Table I, method 3.
@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_published_values(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)


# Newcombe 1998, Interval estimation for the difference between independent proportions, Table II, method 10.
@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((6, 7), (2, 7), 0.0582, 0.8062),
        ((5, 56), (0, 29), -0.0381, 0.1926),
        ((0, 10), (0, 20), -0.1611, 0.2775),
        ((0, 10), (0, 10), -0.2775, 0.2775),
        ((10, 10), (0, 20), 0.6791, 1.0),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_difference_gives_the_published_values(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    assert difference(*first, *second) == pytest.approx((low, high), abs=5e-5)


def test_ends_of_wilson_are_the_rates_that_the_count_just_does_not_contradict() -> None:
    # The score test: the observed rate lies Z standard errors, those of the rate itself, away from either end.
    for games in (1, 2, 7, 40, 3000):
        for wins in {0, 1, games // 3, games // 2, games}:
            for end in wilson(wins, games):
                error = math.sqrt(end * (1 - end) / games)
                assert abs(wins / games - end) == pytest.approx(Z * error, abs=1e-9)


def test_wilson_holds_the_rate_stays_between_0_and_1_and_mirrors() -> None:
    for games in range(1, 60):
        for wins in range(games + 1):
            low, high = wilson(wins, games)
            assert 0 <= low <= wins / games <= high <= 1
            assert (low == 0) == (wins == 0)
            assert (high == 1) == (wins == games)
            assert wilson(games - wins, games) == pytest.approx((1 - high, 1 - low))


def test_more_wins_move_the_interval_up_and_more_games_narrow_it() -> None:
    ends = [wilson(wins, 50) for wins in range(51)]
    assert ends == sorted(ends) and sorted(high for _, high in ends) == [high for _, high in ends]
    widths = [high - low for low, high in (wilson(3 * size, 10 * size) for size in (1, 4, 20, 300))]
    assert widths == sorted(widths, reverse=True)


def test_wilson_covers_the_true_rate_95_times_in_100() -> None:
    def covered(rate: float, games: int) -> float:
        chances = [math.comb(games, wins) * rate**wins * (1 - rate) ** (games - wins) for wins in range(games + 1)]
        ends = [wilson(wins, games) for wins in range(games + 1)]
        return sum(chance for chance, (low, high) in zip(chances, ends, strict=True) if low <= rate <= high)

    rates = [(step + 0.5) / 100 for step in range(100)]
    for games in (20, 100):
        assert sum(covered(rate, games) for rate in rates) / len(rates) == pytest.approx(0.95, abs=0.006)


def test_shares_that_are_wins_and_losses_have_wilsons_interval_and_so_have_those_that_are_all_alike() -> None:
    wins = np.repeat([1.0, 0.0], [900, 2100])
    assert shares_interval(wins) == pytest.approx((0.3, *wilson(900, 3000)), abs=2e-5)  # but for Student's distribution
    assert shares_interval(np.zeros(40)) == pytest.approx((0, *wilson(0, 40)))
    assert shares_interval(np.full(40, 100.0), whole=100.0) == pytest.approx((100, 100 * wilson(40, 40)[0], 100))
    mean, low, high = shares_interval(np.full(40, 0.25))
    assert low < mean == 0.25 < high < 0.4


def test_of_what_never_happened_a_count_keeps_some_doubt() -> None:
    assert counts_interval(np.zeros(100)) == pytest.approx((0, 0, Z * Z / 100))
    mean, low, high = counts_interval(np.full(100, 4.0))
    assert low < mean == 4 < high < 5
    assert counts_interval(np.array([3.0])) == (3, 0, math.inf)


def test_counts_that_are_poisson_numbers_have_the_score_interval_of_their_sum() -> None:
    counts = np.repeat([0.0, 1.0, 2.0, 3.0], [368, 368, 184, 80])  # mean 0.976, variance 0.87 and a bit
    mean, low, high = counts_interval(counts)
    events = mean * mean / (counts.var(ddof=1) / 1000)
    assert low < mean < high
    for end in (low, high):  # as far from the mean as a Poisson number of such a mean spreads
        assert abs(mean - end) / math.sqrt(end * mean / events) == pytest.approx(student(999), rel=0.002)


@pytest.mark.parametrize(("chance", "games"), [(0.02, 10), (0.02, 50), (0.05, 20), (0.3, 10)])
def test_what_seldom_happens_lies_in_its_interval_as_often_as_is_said(chance: float, games: int) -> None:
    random, runs = np.random.default_rng(games), 2000
    # Each of two players of a game; where one does it, the other does it half of the time.
    first = random.random((runs, games)) < chance
    second = np.where(random.random((runs, games)) < 0.5, first, random.random((runs, games)) < chance)
    shares = (first + second.astype(float)) / 2
    # A Poisson number of occasions on each of which something happens once or three times.
    counts = random.poisson(chance, (runs, games)) + 2 * random.poisson(chance / 4, (runs, games))
    for ends, truth in (
        ([shares_interval(each) for each in shares], chance),
        ([counts_interval(each.astype(float)) for each in counts], 1.5 * chance),
    ):
        assert np.mean([low <= truth <= high for _, low, high in ends]) > 0.92
        assert min(low for _, low, _ in ends) >= 0


def test_no_games_say_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_difference_turns_its_sign_with_the_order_and_holds_the_gap() -> None:
    for first in ((0, 9), (4, 9), (9, 9), (310, 1000)):
        for second in ((0, 12), (5, 12), (12, 12), (333, 1000)):
            low, high = difference(*first, *second)
            assert -1 <= low <= first[0] / first[1] - second[0] / second[1] <= high <= 1
            assert difference(*second, *first) == pytest.approx((-high, -low))


def test_difference_from_a_rate_that_is_known_almost_surely_is_the_wilson_interval() -> None:
    low, high = wilson(30, 100)
    assert difference(30, 100, 5e11, 10**12) == pytest.approx((low - 0.5, high - 0.5), abs=1e-5)


def test_two_sided_probabilities_of_the_normal_distribution() -> None:
    assert two_sided(0) == 1
    assert two_sided(Z) == pytest.approx(0.05) == two_sided(-Z)
    assert two_sided(2.5758) == pytest.approx(0.01, abs=1e-5)


def test_holm_by_hand() -> None:
    # The smallest of four against 0.05 / 4, the next against 0.05 / 3, then 0.05 / 2, where 0.03 is too large.
    assert holm([0.03, 0.01, 0.04, 0.005]) == [False, True, False, True]
    assert holm([0.0125, 0.0126, 0.5, 0.02]) == [True, True, False, True]
    assert holm([0.013, 0.013, 0.013, 0.013]) == [False] * 4, "the first must be sure enough for all of them"
    assert holm([0.04]) == [True] and holm([]) == []
    assert holm([0.04], level=0.01) == [False]


# Abramowitz and Stegun, Handbook of Mathematical Functions, Table 26.10, Q = 0.025.
@pytest.mark.parametrize(
    ("free", "point"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262), (30, 2.042), (60, 2.0), (120, 1.980)],
)
def test_points_of_students_distribution(free: int, point: float) -> None:
    assert student(free) == pytest.approx(point, abs=0.0006)


# Dunn, Multiple comparisons among means, J. Amer. Statist. Assoc. 56 (1961), Table 1: 95 % for so many comparisons together.
@pytest.mark.parametrize(
    ("free", "comparisons", "point"), [(5, 2, 3.16), (10, 4, 3.04), (20, 6, 2.93), (60, 10, 2.91), (120, 6, 2.68)]
)
def test_points_of_several_comparisons_together(free: int, comparisons: int, point: float) -> None:
    assert student(free, comparisons) == pytest.approx(point, abs=0.012)


def test_students_distribution_becomes_the_normal_one() -> None:
    points = [student(free) for free in (*range(1, 100), 1999, 2000, 2001, 2002, 10_000)]
    assert all(before > after for before, after in itertools.pairwise(points))
    assert points[-1] == pytest.approx(Z, abs=0.0003) and points[-1] > Z


def test_two_sided_probabilities_of_students_distribution() -> None:
    for free in (1, 2, 9, 40, 150, 2000, 2001, 5000):
        assert two_sided_of_student(0, free) == 1
        assert two_sided_of_student(student(free), free) == pytest.approx(0.05, rel=1e-4)
    # Tables: 3.169 with 10 degrees of freedom is the point of 1 %.
    assert two_sided_of_student(-3.169, 10) == pytest.approx(0.01, abs=1e-5)
    assert two_sided_of_student(4.0, 2000) == pytest.approx(two_sided_of_student(4.0, 2001), rel=1e-3)
    assert two_sided(4.0) < two_sided_of_student(4.0, 2001) < two_sided_of_student(4.0, 39)


def test_students_probabilities_are_scipys() -> None:
    special = pytest.importorskip("scipy.special")
    for free in (1, 2, 3, 39, 399, 2000, 4999):
        for deviations in (0.3, 1.7, 3.3, 4.5):
            wanted = 2 * special.stdtr(free, -deviations)
            assert two_sided_of_student(deviations, free) == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: student(0), "degrees of freedom are a whole number from 1 on, .* not 0"),
        (lambda: student(1.5), "not 1.5"),
        (lambda: wilson(11, 10), "wins from 0 to the number of games, not of 11 in 10"),
        (lambda: wilson(-1, 10), "not of -1 in 10"),
        (lambda: wilson(1, -1), "not of 1 in -1"),
        (lambda: wilson(math.nan, 10), "not of nan in 10"),
        (lambda: wilson("1", 10), "not of '1' in 10"),  # type: ignore[arg-type]
        (lambda: difference(1, 10, 1, 0), "not of 1 in 0"),
        (lambda: difference(0, 0, 1, 10), "both have games, not of 0 and 10 games"),
        (lambda: holm([0.01, math.nan]), "p-values are numbers from 0 to 1, not nan"),
        (lambda: holm([-0.01]), "not -0.01"),
        (lambda: holm(0.01), "p-values are a list of numbers from 0 to 1, not 0.01"),  # type: ignore[arg-type]
        (lambda: holm([0.01], level=5), "a level is a number between 0 and 1, as 0.05, not 5"),
        (lambda: mean_interval(np.array([])), r"one number or more, shape \(n,\), not of array\(\["),
        (lambda: mean_interval([1.0, 2.0]), "an array"),  # type: ignore[arg-type]
        (lambda: shares_interval(np.array([])), r"one number or more, shape \(n,\)"),
        (lambda: counts_interval(np.array(["1"])), "one number or more"),
    ],
)
def test_numbers_of_which_there_is_no_interval_are_refused(ask: Callable[[], Any], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        ask()


def test_wins_that_were_worked_out_may_lie_beyond_the_games_by_rounding() -> None:
    assert wilson(0.1 + 0.2, 0.3) == pytest.approx(wilson(0.3, 0.3))
