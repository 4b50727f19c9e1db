"""Forecasts: what is read from a position, and that what is foretold comes true as often as it is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.game import Saboteur, check_game
from molehunt.learning.saboteur.forecasts import Positions, foretold, learn, log_loss, positions, slopes
from molehunt.reading.saboteur.forecast import (
    DECK,
    FEATURES,
    HANDS,
    LONGEST,
    NEXT,
    SEATED,
    TRUST,
    WAY,
    describe,
    forecaster,
    foresee,
)
from molehunt.reading.saboteur.ways import WAYS

SEATS = 5


@pytest.fixture(scope="module")
def seen() -> Positions:
    return positions("krisnadi", 4, 300, 10_007)


def described(game: Saboteur, states: npt.NDArray[Any], minds: npt.NDArray[Any]) -> npt.NDArray[Any]:
    found = np.full(FEATURES, np.nan)
    describe(states[0], minds, np.zeros(1, WAYS)[0], game.params, found)
    return found


def at_the_deal() -> tuple[Saboteur, npt.NDArray[Any], npt.NDArray[Any]]:
    game = check_game("test", make_game("saboteur", "krisnadi", SEATS))
    states = game.new(game_seeds(3, 0, 1), np.array([[1, 0, 0, 1, 0]], np.int8))
    chairs = np.arange(SEATS, dtype=np.int8)
    views = game.views(states, chairs, np.zeros(SEATS, np.int64))
    memory = Agents("saboteur").make("decision-2019").start(game, views, np.arange(SEATS, dtype=np.uint64))
    return game, states, memory.records


def test_at_the_deal_it_reads_what_all_hold_and_what_lies_in_the_mine() -> None:
    game, states, minds = at_the_deal()
    found = described(game, states, minds)
    assert np.isfinite(found).all()
    # The goals are eight columns from the start: seven cards lie between, and more to the side.
    (length,) = np.flatnonzero(found[WAY + 1 : WAY + 2 + LONGEST]).tolist()
    assert length >= 7 and found[WAY] == pytest.approx(length / LONGEST) and found[WAY + 1 + length] == 1
    left = int((states["hands"][0] >= 0).sum())
    assert found[DECK] == pytest.approx((67 - left) / 20)
    assert found[DECK + 1 : SEATED].sum() == pytest.approx((67 - left) / 10)
    assert found[SEATED] == pytest.approx(3 / 4) and found[SEATED + 4] == pytest.approx(2 / 4)
    assert found[HANDS:TRUST].sum() == pytest.approx(left / 4)
    assert found[NEXT] == states["roles"][0, int(game.to_move(states)[0])]


def test_broken_tools_and_trust_are_seen() -> None:
    game, states, minds = at_the_deal()
    before = described(game, states, minds)
    states["broken"][0, 1] = 0b011
    minds["trust"][1:, 0] -= 2.6  # all but the first seat have seen it do harm
    after = described(game, states, minds)
    assert after[SEATED + 1] == before[SEATED + 1] + 0.5 and after[SEATED + 2] == before[SEATED + 2] + 0.5
    assert after[TRUST] == pytest.approx(1.0) and after[TRUST + 1] == pytest.approx(1.0)
    # The cards of who cannot lay paths stand elsewhere.
    assert after[HANDS : HANDS + 6].sum() < before[HANDS : HANDS + 6].sum()


def test_what_is_foretold_comes_true_as_often_as_it_is_said(seen: Positions) -> None:
    features, ends = seen
    said = foretold(features, forecaster())
    assert log_loss(said, ends) < 0.75 * log_loss(np.full(len(ends), ends.mean()), ends)
    low, high = said < 0.3, said > 0.7
    assert low.sum() > 100 < high.sum()
    assert abs(said[low].mean() - ends[low].mean()) < 0.1 > abs(said[high].mean() - ends[high].mean())


def test_the_kernel_reckons_as_arrays_do(seen: Positions) -> None:
    rows = seen[0][:20].astype(float)
    network = forecaster().copy()
    assert [foresee(row, network[0]) for row in rows] == pytest.approx(foretold(rows, network).tolist())


def test_slopes_are_how_the_loss_changes(seen: Positions) -> None:
    features, ends = seen[0][:64].astype(float), seen[1][:64].astype(float)
    network = forecaster()[0]
    weights = [np.array(network[name], float).copy() for name in ("first", "thresholds", "second")]
    weights.append(np.array([network["level"]], float))

    def loss() -> float:
        above = np.maximum(features @ weights[0] + weights[1], 0)
        return log_loss(1 / (1 + np.exp(-(above @ weights[2] + weights[3]))), ends)

    step = 1e-6
    found = list(slopes(weights, features, ends))
    for place, at in ((0, (DECK, 3)), (1, (5,)), (2, (7,)), (3, (0,))):
        before = loss()
        weights[place][at] += step
        assert (loss() - before) / step == pytest.approx(found[place][at], abs=1e-4)
        weights[place][at] -= step


def test_learning_finds_what_decides() -> None:
    rng = np.random.default_rng(1)
    features = rng.random((31_000, FEATURES)).astype(np.float32)
    ends = (features[:, DECK] + features[:, TRUST] > 1).astype(np.float32)
    network = learn(features[:30_000], ends[:30_000], 1)
    assert log_loss(foretold(features[30_000:], network), ends[30_000:]) < 0.2
