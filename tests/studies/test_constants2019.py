"""The study of the constants of 2019: what is moved is what the player has, and rows say what was played."""

from __future__ import annotations

import dataclasses
from unittest import mock

import pytest

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.decision_2019 import AS_PRINTED, AS_RUN
from molehunt.arena.match import run, seat_match
from molehunt.arena.seating import Chair
from molehunt.arena.tuning.race import gap_of_shares
from molehunt.arena.tuning.scoreboard import play_deals
from molehunt.arena.workers import open_workers
from molehunt.studies.constants2019 import (
    CONSTANTS,
    PUBLISHED,
    SIDES,
    STUDY,
    TEAMS,
    TUNED,
    Side,
    games_in_all,
    spec_of,
    teams_of,
)
from molehunt.studies.krisnadi2019 import SYSTEM
from molehunt.studies.report import render
from molehunt.studies.study import STUDIES, Report, Row, load_study

GAMES = 12
"""Too few for the other team sizes."""


MOVED = ("d_delta", "d_mu", "map_useless")
"""The constants that are moved here."""


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    few = {name: CONSTANTS[name] for name in MOVED}
    with open_workers(2) as workers, mock.patch.dict(CONSTANTS, few, clear=True):
        return STUDY.measure(GAMES, 4, workers, lambda done, total: None)


def test_every_number_of_the_player_is_a_constant_of_the_study() -> None:
    numbers = {field.name for field in dataclasses.fields(AS_RUN) if isinstance(getattr(AS_RUN, field.name), float)}
    assert set(CONSTANTS) == set(PUBLISHED) == numbers - {"hears", "heeds"}  # the paper knows no talk
    for name, values in CONSTANTS.items():
        assert getattr(AS_RUN, name) == PUBLISHED[name] in values
        assert sorted(set(values)) == list(values)
    assert (AS_PRINTED.d_mu, AS_PRINTED.d_r) == (3.0, 2 * AS_PRINTED.d_b)
    assert load_study("constants2019") is STUDY and "constants2019" in STUDIES


def test_every_player_of_the_study_can_be_made() -> None:
    agents = Agents("saboteur")
    for name, values in CONSTANTS.items():
        for value in values:
            spec = spec_of(name, value)
            assert agents.make(spec).name == spec
    for spec in TUNED.values():
        assert agents.make(spec).name == spec != SYSTEM


def test_a_small_study_has_all_rows_of_the_first_team_size(rows: list[Row]) -> None:
    kinds = {
        kind: [row for row in rows if row.id.startswith(f"{kind}/")] for kind in ("curve", "changed", "best", "spread")
    }
    assert len(kinds["curve"]) == 2 * sum(len(CONSTANTS[name]) for name in MOVED)
    assert [len(kinds[kind]) for kind in ("changed", "best", "spread")] == [2 * len(MOVED)] * 3
    assert len({row.id for row in rows}) == len(rows)
    assert {row.id.split("/")[1] for row in rows} == {"2+3"}
    assert [row.id for row in rows if row.published is not None] == ["base/2+3"]
    assert all(any(row.id.startswith(section.prefix) for section in STUDY.sections) for row in rows)
    assert {row.games for row in rows} == {GAMES}
    many = 3000
    assert [count for _, count in teams_of(many)] == [many, many // 3, many // 3]
    assert games_in_all(many) > 3 * games_in_all(many // 3) > 0


def test_a_point_of_a_curve_is_a_paired_difference_on_the_deals_of_the_seed(rows: list[Row]) -> None:
    found = {row.id: row for row in rows}
    for side in SIDES:
        row = found[f"curve/2+3/d_mu/{side}/-1"]
        opposition = Side(side, TEAMS[0]).opposition()
        ours, theirs = (
            play_deals(opposition.seat(player), opposition.own, 4, 0, GAMES)
            for player in (f"{SYSTEM}:d_mu=-1.0", SYSTEM)
        )
        apart = gap_of_shares(ours, theirs)
        assert row.measured == round(100 * apart.mean, 3)
        assert [row.low, row.high] == pytest.approx([100 * apart.low, 100 * apart.high], abs=1e-3)
        at_published = found[f"curve/2+3/d_mu/{side}/4.5"]
        assert (at_published.measured, at_published.low, at_published.high) == (0, 0, 0)


def test_cross_play_is_what_the_arena_counts(rows: list[Row]) -> None:
    chairs = [Chair(TUNED["saboteur"], "saboteur")] * 2 + [Chair(SYSTEM, "miner")] * 3
    result = run(seat_match("saboteur/krisnadi", chairs, Agents("saboteur")), GAMES, 5)
    row = next(row for row in rows if row.id == "cross/2+3/saboteurs tuned, miners published")
    assert row.measured == round(100 * int(result.wins[0]) / GAMES, 3)


def test_the_report_draws_a_plot_for_every_constant(rows: list[Row]) -> None:
    pytest.importorskip("jinja2")
    pytest.importorskip("matplotlib")
    page = render(STUDY, Report(study=STUDY.name, seconds=1.0, rows=rows), 4)
    section = page[page.index('<section id="curve/2+3"') : page.index('<section id="changed/2+3"')]
    assert [section.count(f'<div class="plot {screen}">') for screen in ("desk", "telephone")] == [len(MOVED)] * 2
    assert all(f"<h3>{name}</h3>" in section for name in MOVED)
    assert "#01020" not in page  # every colour is one of the page's
