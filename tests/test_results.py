"""The tables of the results are those of the measurements that are kept."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

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
