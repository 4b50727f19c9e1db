"""Draws the pictures of the papers' and the learned players' pages anew from what was measured (benchmarks/measured).

python docs/draw_results.py

A paper has dots with their intervals, a learned player the curve of its run. Each picture says in its <desc> what it shows, row by
row; tests/test_results.py holds that to the measurements.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

DOCS = Path(__file__).parent
MEASURED = DOCS.parent / "benchmarks" / "measured"
IMAGES = DOCS / "images"
WIDTH = 720
COLOURS = """svg { --ink: #2f2519; --quiet: #6e5f4c; --line: #e6dbc7; --measured: #1f6a8c; --bad: #b3261e; --band: #e3ecec;
background: #fffdf9; font-family: sans-serif }"""
"""Dark on light in any theme: whoever reads the pages in the dark sees a light picture."""
Row = dict[str, Any]
"""A row of a measurement, as its JSON has it."""


@dataclass(frozen=True)
class Shown:
    """A picture: the measurement, which of its rows by how their ids match, what stands under the axis."""

    measured: str
    rows: str
    axis: str


PICTURES = {
    "krisnadi2019": Shown("krisnadi2019", r"(table3|table4|table5)/", "saboteur wins, %"),
    "veldhuis2012": Shown("veldhuis2012", r"wins/", "saboteur wins, %"),
    "mitchell2020": Shown("mitchell2020", r"table5\.3/", "wins of the advanced players, %"),
    "cai2020": Shown(
        "cai2020_readings",
        r"readings/and-or-2020(:wins_first)?/(?!half-draws|decided)",
        "wins of the search against random-listed, %",
    ),
}


CURVES = {
    "learned-krisnadi": "margin, a win 1 and a loss -1",
    "learned-official": "share of all gold above the others' average",
    "learned-duel": "margin, a win 1, a loss -1, a draw 0",
    "learned-clue": "games won, %",
}
"""The runs of learned players (their rows in learning_curves.json), and what was measured on the way."""
DECISIONS = "millions of decisions"


def rows_of(shown: Shown) -> list[Row]:
    """The rows that a picture shows."""
    rows = json.loads((MEASURED / f"{shown.measured}.json").read_text("utf-8"))["rows"]
    return [row for row in rows if re.match(shown.rows, row["id"])]


def name_of(row: Row) -> str:
    """What a row is called in a picture."""
    head, _, rest = row["id"].partition("/")
    return f"Table {head[5:]}, {rest}" if head.startswith("table") else rest.replace("/default", "")


def told(shown: Shown) -> str:
    """What a picture shows, in lines."""
    lines = [f"{shown.axis}; a dot is measured, with its 95 % interval, a diamond published"]
    for row in rows_of(shown):
        published = "" if row["published"] is None else f", published {row['published']:z.1f}"
        lines.append(
            f"{name_of(row)}: {row['measured']:z.1f} ({row['low']:z.1f} to {row['high']:z.1f}){published}, "
            f"{row['games']:,} games"
        )
    return "\n".join(lines)


def picture(name: str, shown: Shown) -> str:
    """A picture as an SVG file."""
    from molehunt.studies.report_plot import Drawing, Mark, draw

    marks = [
        Mark(name_of(row), row["measured"], row["low"], row["high"], row["published"], "", row["verdict"] == "differs")
        for row in rows_of(shown)
    ]
    made = draw(Drawing(shown.axis, shown.axis, True, None), marks, WIDTH, name)
    return standing_alone(made, told(shown))


def curves_of(name: str) -> dict[str, list[Row]]:
    """The rows of a run by opponent, in the order of the run."""
    rows = json.loads((MEASURED / "learning_curves.json").read_text("utf-8"))["rows"]
    found: dict[str, list[Row]] = {}
    for row in rows:
        run, _, opponent = row["id"].partition("/")
        if run == name:
            found.setdefault(opponent, []).append(row)
    return found


def told_of_run(name: str) -> str:
    """What the picture of a run shows, in lines."""
    return "\n".join(
        [f"{CURVES[name]}, over {DECISIONS}; lines are measured, bands their 95 % intervals"]
        + [
            f"against {opponent}, {row['decisions']:g}: {row['measured']:g} ({row['low']:g} to {row['high']:g}), "
            f"{row['games']:,} games"
            for opponent, rows in curves_of(name).items()
            for row in rows
        ]
    )


def picture_of_run(name: str) -> str:
    """The curve of a run as an SVG file."""
    from molehunt.studies.report_curve import Curve, Point, draw_curves

    curves = [
        Curve(
            opponent,
            tuple(Point(*(float(row[key]) for key in ("decisions", "measured", "low", "high"))) for row in rows),
        )
        for opponent, rows in curves_of(name).items()
    ]
    return standing_alone(draw_curves(curves, DECISIONS, WIDTH, name), told_of_run(name))


def standing_alone(made: str, told: str) -> str:
    """A plot of a page as a file of its own."""
    inside = f"<style>{COLOURS}</style><desc>{escape(told)}</desc>"
    return re.sub(r"^<svg([^>]*)>", rf'<svg xmlns="http://www.w3.org/2000/svg"\1>{inside}', made, count=1) + "\n"


def main() -> None:
    for name in CURVES:
        (IMAGES / f"{name}.svg").write_text(picture_of_run(name), "utf-8")
    for name, shown in PICTURES.items():
        (IMAGES / f"{name}.svg").write_text(picture(name, shown), "utf-8")


if __name__ == "__main__":
    main()
