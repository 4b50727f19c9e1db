"""The study of all players of Saboteur: its cells, gold, and its first look."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.studies import mole2026
from molehunt.studies.mole2026 import STUDY, Quest, gold_of, look_verdict, share_of_gold
from molehunt.studies.study import load_study


def test_everybody_meets_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_study("mole2026") is STUDY
    monkeypatch.setattr(mole2026, "TEAMS", ((1, 3),))
    monkeypatch.setattr(mole2026, "PLAYERS", {"decision-2019": 1, "mole:worlds=1,kept=2": 4})
    report = STUDY.run(8, 1, 1)
    names = list(mole2026.PLAYERS)
    assert [row.id for row in report.rows] == [
        *(f"1+3/{saboteur}/{miner}" for saboteur in names for miner in names),
        f"gold/{names[0]}/{names[1]}",
        f"gold/{names[1]}/{names[0]}",
    ]
    assert [row.games for row in report.rows] == [8, 2, 2, 2, 10, 10]


def test_one_among_its_like_takes_a_fair_share_of_the_gold() -> None:
    found = np.array(gold_of("decision-2019", "decision-2019", 1, 0, 40))
    value, low, high = share_of_gold(found)
    assert low <= 1.0 <= high and value == pytest.approx(1.0, abs=0.25)
    assert (found[:, 0] <= found[:, 1]).all() and (found[:, 1] > 0).all()


def test_the_share_is_a_ratio_of_sums() -> None:
    value, low, high = share_of_gold(np.array([[2.0, 10.0], [4.0, 20.0], [6.0, 30.0]]))
    assert (value, low, high) == pytest.approx((1.0, 1.0, 1.0))
    assert Quest("mole", "decision-2019").deals(1000) == 10


def test_a_first_look_says_how_often_a_lone_saboteur_wins() -> None:
    report = STUDY.glance(40, 3, 1)
    assert "a lone mole wins" in look_verdict(report.rows)
    assert {row.games for row in report.rows} == {40, 2}
