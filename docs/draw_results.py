"""Draws the pictures of the papers' pages anew from the measurements in benchmarks/measured: dots with their intervals.

python docs/draw_results.py

Each picture says in its <desc> what it shows, row by row; tests/test_results.py holds that to the measurements.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

DOCS = Path(__file__).parent
MEASURED = DOCS.parent / "benchmarks" / "measured"
IMAGES = DOCS / "images"
WIDTH = 720
COLOURS = """svg { --ink: #2f2519; --quiet: #6e5f4c; --line: #e6dbc7; --measured: #1f6a8c; --bad: #b3261e; --band: #e3ecec;
background: #fffdf9; font-family: sans-serif }"""
"""Dark on light in any theme: whoever reads the pages in the dark sees a light picture."""


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


def rows_of(shown: Shown) -> list[dict]:
    """The rows that a picture shows."""
    rows = json.loads((MEASURED / f"{shown.measured}.json").read_text("utf-8"))["rows"]
    return [row for row in rows if re.match(shown.rows, row["id"])]


def name_of(row: dict) -> str:
    """What a row is called in a picture."""
    head, _, rest = row["id"].partition("/")
    return f"Table {head[5:]}, {rest}" if head.startswith("table") else rest.replace("/default", "")


def told(shown: Shown) -> str:
    """What a picture shows, in lines."""
    lines = [f"{shown.axis}; a dot is measured, with its 95 % interval, a diamond published"]
    for row in rows_of(shown):
        published = "" if row["published"] is None else f", published {row['published']:.1f}"
        lines.append(
            f"{name_of(row)}: {row['measured']:.1f} ({row['low']:.1f} to {row['high']:.1f}){published}, "
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
    inside = f"<style>{COLOURS}</style><desc>{escape(told(shown))}</desc>"
    return re.sub(r"^<svg([^>]*)>", rf'<svg xmlns="http://www.w3.org/2000/svg"\1>{inside}', made, count=1) + "\n"


def main() -> None:
    for name, shown in PICTURES.items():
        (IMAGES / f"{name}.svg").write_text(picture(name, shown), "utf-8")


if __name__ == "__main__":
    main()
