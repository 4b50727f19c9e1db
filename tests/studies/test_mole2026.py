"""The study of all players of Saboteur: its cells, gold, and its first look."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.learned import SaboteurLearnedAgent
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.game import Saboteur
from molehunt.studies import mole2026
from molehunt.studies.krisnadi2019 import TEAMS
from molehunt.studies.mole2026 import (
    STUDY,
    Quest,
    gold_by_role,
    gold_of,
    look_verdict,
    share_of_gold,
    times_the_others,
)
from molehunt.studies.study import load_study


def test_everybody_meets_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_study("mole2026") is STUDY
    monkeypatch.setattr(mole2026, "TEAMS", ((1, 3),))
    monkeypatch.setattr(mole2026, "PLAYERS", {"decision-2019": 1, "mole:worlds=1,kept=2": 4})
    report = STUDY.run(8, 1, 1)
    names = list(mole2026.PLAYERS)
    assert [row.id for row in report.rows] == [
        *(f"1+3/{saboteur}/{miner}" for saboteur in names for miner in names),
        *(f"gold{role}/{names[0]}/{names[1]}" for role in ("", "-as-miner", "-as-saboteur")),
        *(f"gold{role}/{names[1]}/{names[0]}" for role in ("", "-as-miner", "-as-saboteur")),
    ]
    assert [row.games for row in report.rows] == [8, 2, 2, 2, *[10] * 6]


def test_one_among_its_like_takes_a_fair_share_of_the_gold() -> None:
    found = np.array(gold_of("decision-2019", "decision-2019", 1, 0, 40))
    value, low, high = share_of_gold(found[:, :2])
    assert low <= 1.0 <= high and value == pytest.approx(1.0, abs=0.25)
    assert (found[:, 0] <= found[:, 1]).all() and (found[:, 1] > 0).all()
    for role in (2, 6):
        times = times_the_others(found[:, role : role + 4])
        assert times is not None and times[1] <= 1.0 <= times[2]


def test_gold_by_role_is_all_the_gold_of_all_the_rounds() -> None:
    found = np.array(gold_of("means-ends-2016", "random", 3, 0, 6))
    mine, gold = found[:, 0], found[:, 1]
    as_miner, as_saboteur = found[:, 2:6], found[:, 6:10]
    assert (as_miner[:, 0] + as_saboteur[:, 0] == mine).all()
    assert (as_miner[:, [0, 2]].sum(axis=1) + as_saboteur[:, [0, 2]].sum(axis=1) == gold).all()
    # Three rounds in every one of five seats; the others are four.
    assert (as_miner[:, 1] + as_saboteur[:, 1] == 15).all()
    assert (as_miner[:, 3] + as_saboteur[:, 3] == 60).all()
    # Of five and one hidden card two are saboteurs': one or two sit.
    assert (as_saboteur[:, [1, 3]].sum(axis=1) >= 15).all() and (as_saboteur[:, [1, 3]].sum(axis=1) <= 30).all()


def test_gold_by_role_is_paid_to_those_who_had_the_role() -> None:
    game = make_game("saboteur", "official", 4)
    assert isinstance(game, Saboteur)
    played = play(game, [Agents("saboteur").make("decision-2019")] * 4, game_seeds(5, 0, 8), keep_actions=True)
    found = gold_by_role(game, played)
    assert (found[:, :, :, 1].sum(axis=2) == 3).all()
    assert (found[:, :, :, 0].sum(axis=2) == played.states["nuggets"][:, :4]).all()
    roles = played.states["past_roles"][:, :3, :4]
    assert (found[:, :, 1, 1] == (roles == 1).sum(axis=1)).all()


def test_what_is_taken_in_a_role_is_a_ratio_of_ratios() -> None:
    # A nugget in two rounds, where the others take one in four: twice as much in every deal.
    times = times_the_others(np.array([[1.0, 2.0, 2.0, 8.0], [2.0, 4.0, 4.0, 16.0], [3.0, 6.0, 2.0, 8.0]]))
    assert times is not None and times == pytest.approx((2.0, 2.0, 2.0))
    nothing = times_the_others(np.array([[1.0, 2.0, 0.0, 8.0], [2.0, 4.0, 0.0, 8.0]]))
    assert nothing is None


def test_the_interval_of_a_ratio_of_ratios_holds_as_often_as_it_says() -> None:
    chance = np.random.default_rng(7)
    held = 0
    for _ in range(400):
        rounds, others = chance.binomial(15, 0.6, 60) + 0.0, chance.binomial(60, 0.6, 60) + 0.0
        found = np.stack([chance.poisson(1.5 * rounds), rounds, chance.poisson(1.0 * others), others], axis=1)
        times = times_the_others(found.astype(float))
        assert times is not None
        held += times[1] <= 1.5 <= times[2]
    assert 0.92 <= held / 400 <= 0.98


def test_the_share_is_a_ratio_of_sums() -> None:
    value, low, high = share_of_gold(np.array([[2.0, 10.0], [4.0, 20.0], [6.0, 30.0]]))
    assert (value, low, high) == pytest.approx((1.0, 1.0, 1.0))
    assert Quest("mole", "decision-2019").deals(1000) == 100


def test_a_first_look_says_how_often_a_lone_saboteur_wins() -> None:
    report = STUDY.glance(40, 3, 1)
    assert "a lone mole wins" in look_verdict(report.rows)
    assert {row.games for row in report.rows} == {40, 20}


def test_learned_sits_wherever_there_are_weights_for_it() -> None:
    sat = {cell.team for cell in mole2026.cells_of([("learned", "random")], TEAMS)}
    for saboteurs, miners in TEAMS:
        game = make_game("saboteur", f"krisnadi:saboteurs={saboteurs}", saboteurs + miners)
        assert ((saboteurs, miners) in sat) == SaboteurLearnedAgent.shipped(game).is_file()
