"""The study of bluffing saboteurs: its cells, and its first look."""

from __future__ import annotations

import pytest

from molehunt.agents.registry import Agents
from molehunt.studies import bluffing
from molehunt.studies.bluffing import MINERS, SABOTEURS, STUDY, TEAMS, WEIGHED, look_verdict
from molehunt.studies.study import load_study


def test_every_kind_of_saboteurs_meets_every_kind_of_miners(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_study("bluffing") is STUDY
    assert all(Agents("saboteur").make(spec).name for spec in (*SABOTEURS.values(), *WEIGHED.values(), *MINERS))
    monkeypatch.setattr(bluffing, "MINERS", ("decision-2019",))
    monkeypatch.setattr(bluffing, "TEAMS", ((1, 3), (2, 3)))
    report = STUDY.run(6, 1, 1)
    cells = [f"decision-2019/{s}+{m}/{kind}" for s, m in bluffing.TEAMS for kind in SABOTEURS]
    changes = [
        f"change/{cell}" for cell in cells if not cell.endswith(("/never", "/where it pays"))
    ]  # that has one deal
    tables = [f"weighed/decision-2019/{s}+{m}" for s, m in bluffing.TEAMS]
    weighed = [f"{table}/{kind}" for table in tables for kind in WEIGHED]
    worth = [f"{table}/difference" for table in tables]
    assert [row.id for row in report.rows] == [*cells, *changes, *weighed, *worth]
    assert all(row.low <= row.measured <= row.high for row in report.rows)
    rows = {row.id: row for row in report.rows}
    assert all(rows[each].games == (1 if each.endswith("where it pays") else 6) for each in (*cells, *changes))
    assert all(rows[each].games == 3 for each in (*weighed, *worth))
    for table in tables:
        wins = [rows[f"{table}/{kind}"].measured for kind in WEIGHED]
        assert rows[f"{table}/difference"].measured == pytest.approx(wins[0] - wins[1], abs=2e-3)
    for cell in cells:
        if f"change/{cell}" in rows:
            never = rows[f"{cell.rpartition('/')[0]}/never"]
            assert rows[f"change/{cell}"].measured == pytest.approx(rows[cell].measured - never.measured, abs=2e-3)


def test_every_cell_has_a_section() -> None:
    prefixes = [section.prefix for section in STUDY.sections]
    assert len(prefixes) == 3 * len(MINERS) * len(TEAMS) == len(set(prefixes))


def test_saboteurs_who_always_pretend_win_less_against_miners_of_2019() -> None:
    report = STUDY.glance(80, 3, 1)
    won = {row.id.rpartition("/")[2]: row.measured for row in report.rows}
    assert won["never"] > won["always"] + 15
    assert f"{won['always']:.0f} % if they always do" in look_verdict(report.rows)
