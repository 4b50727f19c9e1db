"""A race finds the best of arms whose means are known, and drops it as seldom as it says."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from molehunt.arena.tuning.race import ERROR, Scores, gap, gap_of_shares, ladder, race

DEALS = 2048


def simulated(
    means: Sequence[float], seed: int, played: list[int] | None = None
) -> Callable[[Sequence[int], int], list[Scores]]:
    """Arms that win a deal where the deal's luck, common to all, and a little of their own are below their mean."""
    random = np.random.default_rng(seed)
    luck = random.random(DEALS)
    wins = []
    for mean in means:
        own = random.random(DEALS) < 0.3
        wins.append(np.where(own, random.random(DEALS), luck) < mean)

    def scores(arms: Sequence[int], deals: int) -> list[Scores]:
        if played is not None:
            played.append(len(arms) * deals)
        return [wins[arm][:deals].astype(np.float64) for arm in arms]

    return scores


def test_the_rungs_double_and_end_at_the_last_deal() -> None:
    assert ladder(1000) == (128, 256, 512, 1000)
    assert ladder(1024) == (128, 256, 512, 1024)
    assert ladder(100) == (100,)


def test_a_gap_is_the_interval_of_paired_differences() -> None:
    first, second = np.array([1.0, 1, 0, 1]), np.array([0.0, 1, 0, 0])
    found = gap(first, second)
    half = 3.1824463 * np.std([1, 0, 0, 1], ddof=1) / 2  # Student's distribution with three degrees of freedom
    assert (found.mean, found.deals) == (0.5, 4)
    assert found.low == pytest.approx(0.5 - half)
    assert found.high == pytest.approx(0.5 + half)
    assert (gap(first, first).low, gap(first, first).high) == (0.0, 0.0)
    assert gap(first, second, 1.0).high == pytest.approx(0.5 + half / 3.1824463)
    assert gap(first[:1], second[:1]).high == np.inf


def test_where_few_deals_differ_the_interval_of_shares_holds_the_truth_all_the_same() -> None:
    random, deals, runs = np.random.default_rng(7), 128, 2000
    same = np.zeros(deals)
    for often in (2, 3, 4, 10):  # so many deals differ on average, all of them one way
        inside = 0
        for _ in range(runs):
            found = gap_of_shares((random.random(deals) < often / deals).astype(float), same)
            inside += found.low <= often / deals <= found.high or found.low == found.high == 0.0  # nothing is said
        assert inside / runs > 0.93


def test_nobody_is_better_by_five_deals_that_came_out_one_way() -> None:
    """As many tosses of a coin fall alike once in sixteen times, on one side or the other."""
    five, none = np.repeat([1.0, 0.0], [5, 507]), np.zeros(512)
    found = gap_of_shares(five, none)
    assert found.mean == 5 / 512 and found.low < 0 < found.high and found.deals == 512
    six = gap_of_shares(np.repeat([1.0, 0.0], [6, 506]), none)
    assert six.low > 0
    assert (gap_of_shares(none, none).low, gap_of_shares(none, none).high) == (0.0, 0.0)
    assert gap_of_shares(five[:1], none[:1]).high == np.inf


def test_a_race_finds_the_known_best_and_drops_the_bad_ones_early() -> None:
    means = [0.3, 0.5, 0.45, 0.62, 0.2, 0.55]
    played: list[int] = []
    standings = race(range(len(means)), simulated(means, 1, played), ladder(DEALS))
    assert [standing.arm for standing in standings] == list(range(6))
    assert max(standings, key=lambda standing: (standing.survived, standing.mean)).arm == 3
    assert standings[3].survived and not standings[0].survived and not standings[4].survived
    assert standings[4].deals == 128
    # What is dropped is not played again, and who is left alone plays no more.
    alive = [sum(standing.deals >= rung for standing in standings) for rung in ladder(DEALS)]
    assert played == [count * rung for count, rung in zip(alive, ladder(DEALS), strict=True) if count > 1]


def test_equal_arms_are_never_dropped() -> None:
    standings = race(range(3), lambda arms, deals: [np.ones(deals) for _ in arms], ladder(DEALS))
    assert [(standing.survived, standing.deals) for standing in standings] == [(True, DEALS)] * 3


def test_the_best_arm_is_dropped_no_more_often_than_stated() -> None:
    races = 400
    close = sum(
        not race(range(4), simulated([0.52, 0.5, 0.5, 0.5], seed), ladder(DEALS))[0].survived for seed in range(races)
    )
    assert close <= races * ERROR
    # Among equals each is a best one; a race that dropped at the level of one comparison would drop one far more often.
    equal = sum(
        not all(standing.survived for standing in race(range(4), simulated([0.5] * 4, seed), ladder(DEALS)))
        for seed in range(races, 2 * races)
    )
    naive = sum(
        not all(standing.survived for standing in race(range(4), simulated([0.5] * 4, seed), ladder(DEALS), 15 * ERROR))
        for seed in range(races, 2 * races)
    )
    # Any of four equal arms may be the one that is dropped.
    assert equal <= 4 * races * ERROR
    assert equal < naive / 3


def test_a_worse_arm_is_dropped_with_near_certainty() -> None:
    dropped = sum(not race(range(2), simulated([0.6, 0.5], seed), ladder(DEALS))[1].survived for seed in range(100))
    assert dropped >= 99


def test_pairing_decides_with_fewer_deals_than_games_of_their_own() -> None:
    means = [0.55, 0.5]
    paired = race(range(2), simulated(means, 5), ladder(DEALS))[1]
    apart = [simulated(means, seed)([number], DEALS)[0] for number, seed in enumerate((6, 7))]
    unpaired = race(range(2), lambda arms, deals: [apart[arm][:deals] for arm in arms], ladder(DEALS))[1]
    assert not paired.survived
    assert paired.deals <= unpaired.deals
    first, second = simulated(means, 5)([0, 1], DEALS)
    together, separate = gap(first, second), gap(apart[0], apart[1])
    assert together.high - together.low < separate.high - separate.low
