"""The study of beliefs about roles: its measures beside plain ones, and what its readers hold."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.arena.workers import open_workers
from molehunt.games.registry import make_game
from molehunt.games.saboteur.game import check_game
from molehunt.learning.saboteur.habits import TABLES
from molehunt.reading.saboteur.onlooker import END
from molehunt.studies import role_readers, suspicion
from molehunt.studies.role_readers import (
    AT_ONCE,
    GROUPS,
    OURS,
    POINTS,
    PRIOR,
    READERS,
    Judged,
    area,
    by_deal,
    by_trust,
)
from molehunt.studies.study import load_study
from molehunt.studies.suspicion import (
    ASKED,
    FIRST_READER,
    GAME,
    GOLDS,
    POINT,
    READERS_OF,
    ROLES,
    STUDY,
    TRUE,
    judge,
    judge_batch,
    rows_of,
)


def test_it_is_a_study() -> None:
    assert load_study("suspicion") is STUDY


def test_the_area_is_the_share_of_pairs_in_order() -> None:
    chance = np.random.default_rng(3)
    chances, roles = chance.integers(6, size=40), chance.integers(2, size=40).astype(float)
    pairs = [(one > other) + 0.5 * (one == other) for one in chances[roles == 1] for other in chances[roles == 0]]
    assert area(chances, roles, np.ones(40)) == pytest.approx(np.mean(pairs))
    twice = np.where(np.arange(40) < 7, 2.0, 1.0)
    again = np.repeat(np.arange(40), twice.astype(int))
    assert area(chances, roles, twice) == pytest.approx(area(chances[again], roles[again], np.ones(len(again))))


def test_measures_of_chances_that_are_right_and_of_a_coin() -> None:
    chance = np.random.default_rng(4)
    chances = chance.random(6000)
    roles = (chance.random(6000) < chances).astype(float)
    games = np.repeat(np.arange(300), 20)
    right = Judged(chances, roles, games).measures(np.ones(6000))
    assert right["calibration"] < 0.04 and right["brier"] == pytest.approx(1 / 6, abs=0.02)
    coin = Judged(np.full(6000, 0.5), roles, games).with_intervals()
    assert coin["logloss"][0] == pytest.approx(np.log(2)) and coin["auc"][0] == 0.5
    low, high = Judged(chances, roles, games).with_intervals()["brier"][1:]
    assert low < right["brier"] < high < low + 0.02


def test_the_deal_and_trust_as_chances() -> None:
    game = check_game("a test", make_game("saboteur", "krisnadi", 5))
    roles = np.array([1, 0, 0, 1, 0], np.int8)
    deal = by_deal(game, roles)
    assert deal[0, 1:] == pytest.approx(np.full(4, 1 / 4)) and deal[1, [0, 2, 3, 4]] == pytest.approx(np.full(4, 1 / 2))
    trust = np.zeros((5, 5))
    trust[1] = 0, 9, 2, -2, 0
    held = by_trust(game, trust, roles)[1]
    assert held[0] == pytest.approx(held[4])
    assert held[3] > held[0] > held[2]
    assert held.sum() == pytest.approx(2.0) and held[1] == 0.0


def test_suspicions_are_better_than_the_deal() -> None:
    """Where all seats are the same known player; the second visit of the first table."""
    number = len(TABLES)
    held = np.concatenate([judge_batch("known", number, 5, seed) for seed in range(3)])
    assert held.shape[1] == FIRST_READER + len(READERS)
    ends = held[(held[:, POINT] == END) & (held[:, ASKED] == ROLES)]
    assert set(ends[:, TRUE]) == {0.0, 1.0} and len(np.unique(ends[:, GAME])) == 5
    ours, prior = (
        Judged(ends[:, FIRST_READER + reader], ends[:, TRUE], ends[:, GAME].astype(int)).measures(np.ones(len(ends)))
        for reader in (OURS, PRIOR)
    )
    assert ours["logloss"] < 0.8 * prior["logloss"] and ours["auc"] > 0.75


def test_who_does_not_know_where_the_gold_is_is_asked_of_each_place_where_it_may_be() -> None:
    held = np.concatenate([judge_batch("known", number, 5, 1) for number in range(8)])
    golds = held[held[:, ASKED] == GOLDS]
    ours, prior = golds[:, FIRST_READER + OURS], golds[:, FIRST_READER + PRIOR]
    assert set(np.round(1 / prior)) == {2.0, 3.0} and (ours > 0.0).all() and (ours < 1.0).all()
    # A seat's chances sum to one, and one of the places is the gold's.
    assert ours.sum() == pytest.approx(prior.sum()) == pytest.approx(golds[:, TRUE].sum())


def test_the_rows_of_a_small_study(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suspicion, "GROUPS", {"known": GROUPS["known"]})
    monkeypatch.setattr(role_readers, "RESAMPLES", 5)
    report = STUDY.run(10, 1, 1)
    ids = [row.id for row in report.rows]
    assert len(ids) == 4 * 3 * sum(map(len, READERS_OF)) == len(set(ids))
    assert "gold-logloss/known/half/suspicion" in ids
    assert all(row.low <= row.measured + 0.05 and row.measured <= row.high + 0.05 for row in report.rows)
    again = STUDY.run(10, 1, 2)
    assert [row.measured for row in again.rows] == [row.measured for row in report.rows]


def test_fewer_games_are_the_first_of_more_so_that_no_deal_comes_twice() -> None:
    with open_workers(1) as workers:
        some, all_of_them = (judge("known", games, 1, workers) for games in (2 * AT_ONCE + 2, 3 * AT_ONCE))
    assert np.array_equal(some, all_of_them[all_of_them[:, GAME] < 2 * AT_ONCE + 2])


def test_of_one_table_nobody_knows_how_far_others_may_lie_from_it() -> None:
    chances, roles = np.array([0.1, 0.9, 0.4, 0.6]), np.array([0.0, 1.0, 1.0, 0.0])
    found = Judged(chances, roles, np.zeros(4, int)).with_intervals()
    assert {interval[1:] for interval in found.values()} == {(-np.inf, np.inf)}


def test_the_games_of_a_table_are_one_observation() -> None:
    """Ten tables of five games that say the same: the interval is that of ten, not of fifty."""
    random = np.random.default_rng(6)
    held = []
    for table in range(10):
        chance = random.random()
        held += [
            [
                AT_ONCE * table + game,
                POINTS["half"],
                ROLES,
                seat < 2,
                *[chance if seat < 2 else 1 - chance] * len(READERS),
            ]
            for game in range(AT_ONCE)
            for seat in range(4)
        ]
    all_games = np.array(held, np.float64)
    one_each = all_games[all_games[:, 0] % AT_ONCE == 0]
    found, alone = (
        next(row for row in rows_of("known", some) if row.id == "brier/known/half/suspicion")
        for some in (all_games, one_each)
    )
    assert (found.games, alone.games) == (50, 10)
    assert (found.measured, found.low, found.high) == (alone.measured, alone.low, alone.high)


@pytest.mark.parametrize("tables", [2, 4, 12])
def test_intervals_of_few_tables_hold_what_is_true_nearly_always(monkeypatch: pytest.MonkeyPatch, tables: int) -> None:
    """Readers that are right: a chance is drawn for each table, and it is so in as many of its cases."""
    monkeypatch.setattr(role_readers, "RESAMPLES", 40)
    random = np.random.default_rng(8)
    truth = {"logloss": 0.5, "brier": 1 / 6, "calibration": 0.0}
    held = dict.fromkeys(truth, 0)
    for _ in range(150):
        chances = np.repeat(random.random(tables), 20)
        roles = (random.random(len(chances)) < chances).astype(float)
        found = Judged(chances, roles, np.repeat(np.arange(tables), 20)).with_intervals()
        for name, true in truth.items():
            value, low, high = found[name]
            assert 0.0 <= low <= value <= high
            held[name] += low <= true <= high
    assert all(number > 0.84 * 150 for number in held.values()), held
