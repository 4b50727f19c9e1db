"""The study of Krisnadi et al. 2019: every published cell is there, measured with the players that the table names."""

from __future__ import annotations

import dataclasses
from itertools import pairwise

import pytest

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.decision_2019 import AS_PRINTED, AS_RUN
from molehunt.arena.match import run, seat_match
from molehunt.arena.seating import Chair
from molehunt.studies.krisnadi2019 import ABLATION_TEAMS, STUDY, ablations, cells, published
from molehunt.studies.study import Report, published_rows

TEAMS = ((1, 3), (1, 4), (2, 3), (2, 4), (2, 5), (2, 6))
GAMES = 20


@pytest.fixture(scope="module")
def report() -> Report:
    return STUDY.run(GAMES, 3, 2)


def test_published_is_the_mean_of_three_runs() -> None:
    numbers = published()
    assert len(numbers) == 18
    assert numbers["5", 2, 3] == pytest.approx(((75.6 + 76.1 + 77.4) / 3, 3000))
    assert numbers["3", 1, 3] == pytest.approx(((11.0 + 11.2 + 9.2) / 3, 3000))
    assert numbers["4", 2, 6] == pytest.approx(((86.4 + 87.1 + 89.1) / 3, 3000))


def test_every_published_cell_is_in_the_report_with_its_mean(report: Report) -> None:
    rows = {row.id: row for row in report.rows}
    runs: dict[str, list[float]] = {}
    for row in published_rows("krisnadi2019.csv"):
        cell = f"table{row['table']}/{row['saboteurs']}+{row['miners']}"
        runs.setdefault(cell, []).append(float(row["saboteur_win_percent"]))
    assert len(runs) == 18
    for cell, percents in runs.items():
        assert len(percents) == 3
        assert rows[cell].published == pytest.approx(sum(percents) / 3, abs=6e-4)
    for s, m in TEAMS:
        assert rows[f"table5-as-printed/{s}+{m}"].published == rows[f"table5/{s}+{m}"].published
    assert sum(row.published is not None for row in report.rows if not row.id.startswith("claim/")) == 24


def test_three_cells_by_hand(report: Report) -> None:
    rows = {row.id: row for row in report.rows}
    assert [rows[cell].published for cell in ("table5/2+3", "table3/1+3", "table4/2+6")] == [76.367, 10.467, 87.533]


def test_players_of_each_table_are_those_of_the_paper() -> None:
    sides = {cell.id: (cell.saboteur, cell.miner, cell.team) for cell in cells()}
    for s, m in TEAMS:
        assert sides[f"table3/{s}+{m}"] == ("means-ends-2016", "decision-2019", (s, m))
        assert sides[f"table4/{s}+{m}"] == ("decision-2019", "means-ends-2016", (s, m))
        assert sides[f"table5/{s}+{m}"] == ("decision-2019", "decision-2019", (s, m))
        assert sides[f"table5-as-printed/{s}+{m}"] == ("decision-2019:as_printed",) * 2 + ((s, m),)
    names = {"means_ends_2016": "means-ends-2016", "decision_system_2019": "decision-2019"}
    for row in published_rows("krisnadi2019.csv"):
        cell = sides[f"table{row['table']}/{row['saboteurs']}+{row['miners']}"]
        assert cell[:2] == (names[row["saboteur_agent"]], names[row["miner_agent"]])


def test_ablation_switches_each_reading_in_which_the_editions_differ() -> None:
    differing = {
        field.name
        for field in dataclasses.fields(AS_RUN)
        if getattr(AS_RUN, field.name) != getattr(AS_PRINTED, field.name)
    }
    assert len(differing) > 1
    assert {item.partition("=")[0] for item, _ in ablations()} == differing
    ids = {cell.id for cell in cells()}
    for item, spec in ablations():
        name, _, value = item.partition("=")
        # The spec is the edition as_run with that one parameter as printed: made, it is named so.
        assert Agents("saboteur").make(spec).name == spec == f"decision-2019:{name}={value}"
        assert {f"ablation/{item}/{s}+{m}" for s, m in ABLATION_TEAMS} <= ids


def test_rows_stand_in_the_order_of_the_cells_and_each_in_one_section(report: Report) -> None:
    played = [row.id for row in report.rows if not row.id.startswith(("claim/", "change/"))]
    assert played == [cell.id for cell in cells()]
    assert len({row.id for row in report.rows}) == len(report.rows)
    for row in report.rows:
        assert sum(row.id.startswith(section.prefix) for section in STUDY.sections) == 1, row.id
    for section in STUDY.sections:
        assert any(row.id.startswith(section.prefix) for row in report.rows), section.prefix


def test_rows_are_percents_of_the_games_asked_for(report: Report) -> None:
    for row in report.rows:
        assert row.games == GAMES
        if row.id.startswith(("claim/", "change/")):
            continue
        assert (row.measured * GAMES / 100) == pytest.approx(round(row.measured * GAMES / 100))
        assert 0 <= row.low <= row.measured <= row.high <= 100
        assert row.quantity.startswith("saboteur wins, %: ")
        assert (row.verdict == "none published") == (row.published is None)


def test_a_cell_is_the_match_that_its_id_names(report: Report) -> None:
    rows = {row.id: row for row in report.rows}
    for cell, saboteur, miner in (
        ("table3/2+5", "means-ends-2016", "decision-2019"),
        ("table4/1+4", "decision-2019", "means-ends-2016"),
        ("table5-as-printed/2+3", "decision-2019:as_printed", "decision-2019:as_printed"),
    ):
        saboteurs, miners = (int(side) for side in cell.partition("/")[2].split("+"))
        chairs = [Chair(saboteur, "saboteur")] * saboteurs + [Chair(miner, "miner")] * miners
        result = run(seat_match("saboteur/krisnadi", chairs, Agents("saboteur")), GAMES, 3)
        assert rows[cell].measured == round(100 * int(result.wins[0]) / GAMES, 3)
        assert result.wins[0] == result.wins[saboteurs - 1]


def test_a_switch_is_compared_with_its_table_on_the_same_deals(report: Report) -> None:
    rows = {row.id: row for row in report.rows}
    changes = [name for name in rows if name.startswith("change/")]
    assert {name.removeprefix("change/") for name in changes} == {name for name in rows if name.startswith("ablation")}
    for name in changes:
        kind, team = name.split("/")[1], name.rpartition("/")[2]
        base = rows[f"{'table4' if kind == 'ablation-2016' else 'table5'}/{team}"]
        switched = rows[name.removeprefix("change/")]
        assert rows[name].measured == pytest.approx(switched.measured - base.measured, abs=2e-3)
        assert rows[name].low <= rows[name].measured <= rows[name].high


def test_seed_decides_and_threads_do_not(report: Report) -> None:
    assert STUDY.run(GAMES, 3, 1).rows == report.rows
    assert STUDY.run(GAMES, 4, 2).rows != report.rows


def test_progress_only_grows_to_all_games_of_all_cells() -> None:
    told: list[tuple[int, int]] = []
    STUDY.run(2, 1, 2, lambda done, total: told.append((done, total)))
    total = 2 * len(cells())
    assert told[0] == (0, total) and told[-1] == (total, total)
    assert all(before[0] <= after[0] and after[1] == total for before, after in pairwise(told))


def test_interrupted_study_is_no_study() -> None:
    def tell(done: int, total: int) -> None:
        if done > 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        STUDY.run(2, 1, 1, tell)
