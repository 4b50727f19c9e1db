"""Stopping early misleads no more often than it says."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.arena.tournament.stopping import confidence_sequence, looks


def test_the_sequence_is_that_of_the_theorem_step_by_step() -> None:
    # Theorem 2 of Waudby-Smith and Ramdas, written out for one value after the other.
    values = np.random.default_rng(0).uniform(-1, 1, 60)
    x, level = (values + 1) / 2, 0.9
    alarm = np.log(2 / 0.1)
    mean, squares, bets, weighted, spread, best = 0.5, 0.25, 0.0, 0.0, 0.0, [0.0, 1.0]
    lows, highs = confidence_sequence(values, level)
    for step, value in enumerate(x, start=1):
        variance = squares / step
        bet = min(np.sqrt(2 * alarm / (variance * step * np.log(1 + step))), 0.5)
        spread += 4 * (value - mean) ** 2 * (-np.log(1 - bet) - bet) / 4
        bets += bet
        weighted += bet * value
        mean = (0.5 + x[:step].sum()) / (step + 1)
        squares += (value - mean) ** 2
        half = (alarm + spread) / bets
        best = [max(best[0], weighted / bets - half), min(best[1], weighted / bets + half)]
        assert lows[step - 1] == pytest.approx(2 * best[0] - 1) and highs[step - 1] == pytest.approx(2 * best[1] - 1)


def wrong_decisions(runs: int, deals: int, level: float, kind: str) -> float:
    """How often a sequence excludes the truth at any time."""
    random = np.random.default_rng(len(kind))
    wrong = 0
    for _ in range(runs):
        if kind == "coins":
            values = random.choice([-1.0, 0.0, 1.0], deals)
        elif kind == "rare":
            values = random.choice([-1.0, 0.0, 1.0], deals, p=[0.01, 0.98, 0.01])
        else:
            values = random.choice([-0.2, 0.8], deals, p=[0.8, 0.2])
        low, high = confidence_sequence(values, level)
        wrong += bool((low > 0).any() or (high < 0).any())
    return wrong / runs


@pytest.mark.parametrize("kind", ["coins", "rare", "skewed"])
def test_where_there_is_no_difference_one_is_seldom_found(kind: str) -> None:
    assert wrong_decisions(150, 1000, 0.8, kind) <= 0.2


@pytest.mark.long
@pytest.mark.parametrize("kind", ["coins", "rare", "skewed"])
def test_where_there_is_no_difference_one_is_found_in_no_more_runs_than_the_level_says(kind: str) -> None:
    assert wrong_decisions(4000, 5000, 0.95, kind) <= 0.05


def test_a_difference_is_found() -> None:
    values = np.random.default_rng(3).choice([-1.0, 0.0, 1.0], 3000, p=[0.2, 0.5, 0.3])
    low, high = confidence_sequence(values, 0.95)
    assert low[-1] > 0 and low[-1] < 0.1 < high[-1]
    assert (np.diff(low) >= 0).all() and (np.diff(high) <= 0).all()


def test_there_is_no_sequence_of_nothing() -> None:
    low, high = confidence_sequence(np.zeros(0), 0.95)
    assert not len(low) and not len(high)


def test_later_looks_are_rarer() -> None:
    assert all(looks(block) for block in range(1, 51))
    assert 50 < sum(looks(block) for block in range(1, 10_001)) < 400
