"""The study of the text of 2019: every reading of it once, the range, and the nearest chosen by one table and judged by others."""

from __future__ import annotations

import dataclasses
from itertools import pairwise

import pytest

from molehunt.agents.registry import Agents
from molehunt.arena.match import run, seat_match
from molehunt.arena.seating import Chair
from molehunt.studies import readings2019
from molehunt.studies.krisnadi2019 import TEAMS, published
from molehunt.studies.readings2019 import CHOICES, RULES_AS_PRINTED, STUDY, label, nearest, range_row, readings
from molehunt.studies.study import Report, Row, rate_row

GAMES = 10


@pytest.fixture(scope="module")
def report() -> Report:
    return STUDY.run(GAMES, 3, 2)


def rows_of(*rates: float) -> list[Row]:
    """Rows of a reading: its rates, beside the published ones of Table 5."""
    numbers = [published()["5", s, m] for s, m in TEAMS]
    return [rate_row("x", "", rate * 10, 1000, number) for rate, number in zip(rates, numbers, strict=False)]


def test_every_reading_is_a_player_of_its_own() -> None:
    specs = list(readings())
    agents = Agents("saboteur")
    parameters = [dataclasses.astuple(agents.make(spec).parameters) for spec in specs]  # type: ignore[attr-defined]
    assert len(set(parameters)) == len(specs) == 2 ** len(CHOICES) == 64
    assert parameters[0] == dataclasses.astuple(agents.make("decision-2019:as_printed").parameters)  # type: ignore[attr-defined]
    assert label(specs[0]) == "as_printed"


def test_both_values_of_a_choice_are_named_with_their_words() -> None:
    edition = Agents("saboteur").make("decision-2019:as_printed").parameters  # type: ignore[attr-defined]
    for choice in CHOICES:
        for value in choice.values:
            made = Agents("saboteur").make(f"decision-2019:as_printed,{choice.parameter}={value}")
            same = made.parameters == edition  # type: ignore[attr-defined]
            assert same == (value == choice.values[0])
        assert all(len(words) > 20 for words in choice.words)


def test_the_nearest_has_the_least_mean_distance() -> None:
    near, far = rows_of(20, 10, 75, 55, 40, 30), rows_of(18.8, 11.4, 76.4, 54.4, 38, 90)
    assert nearest({"far": far, "near": near}) == "near"


def test_a_range_goes_from_the_least_to_the_largest_rate_and_is_judged_by_the_nearest() -> None:
    first, second = rows_of(30)[0], rows_of(10)[0]
    row = range_row("text/1+3", [first, second], second)
    assert (row.low, row.measured, row.high) == (10, 10, 30)
    assert (row.verdict, row.published) == (second.verdict, second.published)


def test_rows_are_the_range_the_judging_cells_and_every_reading(report: Report) -> None:
    ids = [row.id for row in report.rows]
    assert len(set(ids)) == len(ids) == 6 + 12 + 64 * 6
    for row in report.rows:
        assert sum(row.id.startswith(section.prefix) for section in STUDY.sections) == 1
    by_id = {row.id: row for row in report.rows}
    for s, m in TEAMS:
        rates = [row.measured for row in report.rows if row.id.startswith("reading/") and row.id.endswith(f"/{s}+{m}")]
        row = by_id[f"text/{s}+{m}"]
        assert (row.low, row.high) == (min(rates), max(rates))
        assert by_id[f"nearest/table3/{s}+{m}"].published == pytest.approx(published()["3", s, m][0], abs=1e-3)


def test_the_reading_that_is_judged_is_the_nearest_of_table_5(report: Report) -> None:
    table = {spec: [row for row in report.rows if row.id.startswith(f"reading/{label(spec)}/")] for spec in readings()}
    best = nearest(table)
    judged = [row for row in report.rows if row.id.startswith("nearest/")]
    assert all(best in row.quantity and "rules as printed" in row.quantity for row in judged)


def test_a_cell_is_the_match_that_its_id_names(report: Report) -> None:
    spec = "decision-2019:as_printed,goals_count=yes"
    chairs = [Chair(spec, "saboteur")] * 2 + [Chair(spec, "miner")] * 3
    result = run(seat_match(f"saboteur/{RULES_AS_PRINTED}", chairs, Agents("saboteur")), GAMES, 3)
    (row,) = [row for row in report.rows if row.id == "reading/goals_count=yes/2+3"]
    assert row.measured == round(100 * int(result.wins[0]) / GAMES, 3)


def test_progress_only_grows_to_all_games_of_all_cells() -> None:
    told: list[tuple[int, int]] = []
    STUDY.run(1, 1, 2, lambda done, total: told.append((done, total)))
    total = 64 * 6 + 12
    assert told[0] == (0, total) and told[-1] == (total, total)
    assert all(before[0] <= after[0] and after[1] == total for before, after in pairwise(told))


def test_a_first_look_names_how_far_two_readings_are_off() -> None:
    rows = STUDY.glance(10, 1, 1).rows
    assert {row.id.split("/")[1] for row in rows} == {"as_printed", "goals_count=yes"}
    assert "points off with as_printed" in readings2019.look_verdict(rows)
