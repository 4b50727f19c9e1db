"""The tables of the results are those of the measurements that are kept."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from molehunt.agents.entry import EASY, HARD, MEDIUM
from molehunt.agents.registry import entries
from molehunt.arena.workers import open_workers
from molehunt.studies import bluffing, deeper_beliefs, exploitability, krisnadi2019, mole2026
from molehunt.studies.study import silent

ROOT = Path(__file__).resolve().parents[1]
WRITER = runpy.run_path(str(ROOT / "docs" / "write_results.py"))
DRAWER = runpy.run_path(str(ROOT / "docs" / "draw_results.py"))
MEASURED = [
    path for path in sorted((ROOT / "benchmarks" / "measured").glob("*.json")) if path.stem in WRITER["READERS"]
]


def places(name: str) -> list[str]:
    """What stands at a marked place, on every page that has it."""
    marked = re.compile(rf"<!-- {re.escape(name)} -->\n(.*?)<!-- end -->", re.DOTALL)
    return [found for page in WRITER["PAGES"] for found in marked.findall(page.read_text("utf-8"))]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ((50.0, 45.0, 56.0), "50.0 ± 5.5"),
        ((0.0, 0.0, 0.1917), "0.0, at most 0.19"),
        ((100.0, 99.81, 100.0), "100.0, at least 99.81"),
        ((0.25, 0.25, 0.25), "0.2 ± 0.0"),  # what is computed exactly
    ],
)
def test_what_never_or_always_happened_is_told_with_the_other_end_of_its_interval(
    row: tuple[float, float, float], said: str
) -> None:
    assert WRITER["with_half"](1)(dict(zip(("measured", "low", "high"), row, strict=True))) == said


def test_measurements_are_kept() -> None:
    assert {"krisnadi2019", "veldhuis2012", "mitchell2020", "kingston2017"} <= {path.stem for path in MEASURED}


@pytest.mark.parametrize("path", MEASURED, ids=lambda path: path.stem)
def test_a_table_of_the_results_is_what_the_kept_measurement_says(path: Path) -> None:
    study = json.loads(path.read_text("utf-8"))
    assert study["study"] == path.stem
    tables = WRITER["READERS"][path.stem](study["rows"])
    assert tables
    for name, lines in tables.items():
        found = places(f"{path.stem}:{name}")
        assert found, f"no page has a place for {path.stem}:{name}"
        for text in found:
            assert text == "\n".join(lines) + "\n", (
                f"{path.stem}:{name} is not what was measured; run docs/write_results.py"
            )
    (said,) = places(path.stem)
    assert f"{study['seconds']:.0f} s in all" in said


def test_the_table_of_all_papers_counts_the_verdicts_of_the_kept_measurements() -> None:
    studies = {path.stem: json.loads(path.read_text("utf-8"))["rows"] for path in MEASURED}
    (said,) = places("overview")
    assert said == "\n".join(WRITER["overview"](studies)) + "\n", "run docs/write_results.py"
    rows = [[cell.strip() for cell in line.split("|")[2:-1]] for line in said.splitlines()[2:]]
    assert ["Table 3: saboteurs of 2016, miners of 2019", "6", "5", "1", "0"] in rows
    assert all(int(published) == sum(int(count) for count in counts) > 0 for _, published, *counts in rows)


@pytest.mark.parametrize("game", WRITER["STRANGERS_OF"])
def test_a_player_is_said_to_be_harder_to_beat_where_it_wins_more_among_strangers(game: str) -> None:
    wins = {
        str(row["id"]).rpartition("/")[2]: float(row["measured"])
        for row in json.loads((ROOT / "benchmarks" / "measured" / "strangers.json").read_text("utf-8"))["rows"]
        if row["id"].startswith(f"mean/{game}/")
    }
    levels = {entry.name: entry.level for entry in entries(game)}
    assert {name for name, level in levels.items() if level} == wins.keys()
    of_level = [[wins[name] for name in wins if levels[name] == level] for level in (EASY, MEDIUM, HARD)]
    assert max(of_level[0]) < min(of_level[1]) and max(of_level[1]) < min(of_level[2])


@pytest.mark.parametrize("name", DRAWER["CURVES"])
def test_the_curve_of_a_learned_player_shows_its_run_and_stands_on_its_page(name: str) -> None:
    told = DRAWER["told_of_run"](name)
    assert len(told.splitlines()) > 3
    drawn = (ROOT / "docs" / "images" / f"{name}.svg").read_text("utf-8")
    assert f"<desc>{escape(told)}</desc>" in drawn, f"{name}.svg is not what was measured; run docs/draw_results.py"
    page = {"learned-clue": "speed-clue"}.get(name, name.removeprefix("learned-"))
    assert f"](../images/{name}.svg)" in (ROOT / "docs" / "learned" / f"{page}.md").read_text("utf-8")


@pytest.mark.parametrize("page", DRAWER["PICTURES"])
def test_the_picture_of_a_paper_shows_what_the_kept_measurement_says(page: str) -> None:
    told = DRAWER["told"](DRAWER["PICTURES"][page])
    assert len(told.splitlines()) > 10
    drawn = (ROOT / "docs" / "images" / f"{page}.svg").read_text("utf-8")
    assert f"<desc>{told}</desc>" in drawn, f"{page}.svg is not what was measured; run docs/draw_results.py"
    assert f"](../images/{page}.svg)" in (ROOT / "docs" / "papers" / f"{page}.md").read_text("utf-8")


@pytest.mark.parametrize("name", [*DRAWER["CURVES"], *DRAWER["PICTURES"]])
def test_a_picture_drawn_anew_from_the_same_measurement_is_the_same_file(name: str) -> None:
    pytest.importorskip("matplotlib")
    shown = DRAWER["PICTURES"].get(name)
    drawn = DRAWER["picture"](name, shown) if shown else DRAWER["picture_of_run"](name)
    kept = (ROOT / "docs" / "images" / f"{name}.svg").read_text("utf-8")
    assert drawn == kept, f"{name}.svg is not what docs/draw_results.py draws; run it"


SEED = 20261
"""Of the measurements that a cell is played again of."""


def row_of_kept(study: str, cell: str) -> dict[str, object]:
    """A row of a kept measurement."""
    path = ROOT / "benchmarks" / "measured" / f"{study}.json"
    rows: list[dict[str, object]] = json.loads(path.read_text("utf-8"))["rows"]
    return next(row for row in rows if row["id"] == cell)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("study", "cell"),
    [
        ("krisnadi2019", "table3/2+4"),
        ("krisnadi2019", "table5-as-printed/1+3"),
        ("deeper_beliefs", "all/adaptive-5/3"),
        ("bluffing", "decision-2019/2+3/where it pays"),
        ("bluffing", "mole/2+3/2019"),
        ("bluffing", "kripke-2012/2+3/always"),
        ("mole2026", "1+3/learned/decision-2019"),
        ("mole2026", "1+3/mole/decision-2019"),
    ],
)
def test_a_kept_measurement_is_of_the_players_of_today(study: str, cell: str) -> None:
    kept = row_of_kept(study, cell)
    every = {
        "krisnadi2019": krisnadi2019.cells(),
        "deeper_beliefs": deeper_beliefs.cells(),
        "bluffing": [
            each
            for miner in bluffing.MINERS
            for each in bluffing.cells_against(miner, bluffing.TEAMS, tuple(bluffing.SABOTEURS))
        ],
        "mole2026": mole2026.cells_of([("learned", "decision-2019"), ("mole", "decision-2019")], [(1, 3)]),
    }
    (one,) = (each for each in every[study] if each.id == cell)
    games = int(str(kept["games"])) * one.share
    with open_workers(1) as workers:
        (row,) = krisnadi2019.play_cells([one], games, SEED, workers, silent)
    assert (row.games, row.measured) == (kept["games"], kept["measured"]), f"measure the study {study} anew"


@pytest.mark.thorough
def test_the_kept_measurement_of_exact_on_a_small_game_is_of_the_player_of_today() -> None:
    kept = row_of_kept("exploitability", "clue/first/exact")
    variant = exploitability.VARIANTS[0]
    judged = exploitability.judge_player(variant.label, variant.roles, 0, "exact", SEED, 400)
    value = row_of_kept("exploitability", "value/clue")
    lost = float(str(value["measured"])) - judged[0]
    assert judged[3] == kept["games"] and lost == pytest.approx(float(str(kept["measured"])), abs=0.001)
