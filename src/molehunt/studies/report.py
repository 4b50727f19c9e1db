"""A study as one HTML page: what was published beside what was measured, as plots and tables.

The page holds all that it shows, in light and in dark, for a telephone and for a desk.
"""

from __future__ import annotations

import datetime as dt
import math
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from molehunt import __version__
from molehunt.core.errors import MolehuntError
from molehunt.studies.report_curve import Curve, Point, draw_curves
from molehunt.studies.report_plot import Drawing, Mark, draw
from molehunt.studies.study import (
    AGREES,
    DIFFERS,
    UNDECIDED,
    Report,
    Row,
    Section,
    StudiedPlayer,
    Study,
    digits_of,
    is_judged,
    verdict_in_words,
)

CHANCE = 0.05
"""The share of cells that a 95 % interval is expected to call different where nothing is."""
DESK, TELEPHONE, PANEL = 900, 300, 400
"""Widths of the plots in pixels: for a desk, for a telephone or one of several side by side, and for curves and dots on a desk. A
screen shows them about as wide as they are, so that their letters are as large as they were meant."""
CURVE_SCREENS = (("desk", PANEL), ("telephone", TELEPHONE))
"""In which widths curves and dots are drawn; the style of the page shows one of them."""
_COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Line:
    """A row as the page shows it. `beside` is the row it is compared with, if its own number was not published."""

    row: Row
    name: str
    quantity: str
    beside: Row | None

    @property
    def rate(self) -> bool:
        """Whether the number is a percentage; the quantity says so."""
        return "%" in self.row.quantity

    @property
    def gap(self) -> float | None:
        """Measured minus published, or minus the row beside it; None if there is neither."""
        reference = self.beside.measured if self.beside is not None else self.row.published
        return None if reference is None else self.row.measured - reference

    @property
    def difference(self) -> str:
        """The gap with its sign; empty if there is none."""
        return "" if self.gap is None else _signed(self.gap, self.digits)

    @property
    def judged(self) -> bool:
        """Whether there is something published to agree with: a number, or a finding in words."""
        return is_judged(self.row)

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        return verdict_in_words(self.row)

    @property
    def mark(self) -> str:
        """The verdict as a class of the page's style."""
        return {AGREES: "good", DIFFERS: "bad"}.get(self.row.verdict, "open")

    @property
    def digits(self) -> int:
        """Digits after the point: one for a percentage, none for a count, two for anything else, four for small numbers."""
        if self.rate:
            return 1
        numbers = (self.row.published or 0, self.row.measured, self.row.low, self.row.high)
        if all(number == math.trunc(number) for number in numbers if math.isfinite(number)):
            return 0
        return digits_of([self.row], usual=2)

    def number(self, value: float) -> str:
        """A number of this line as the page writes it."""
        return _number(value, self.digits)


@dataclass(frozen=True)
class Plot:
    """A plot of the page: who may see it (`desk`, `telephone` or `both`), its heading, and the markup."""

    screen: str
    heading: str
    svg: str


@dataclass(frozen=True)
class Part:
    """A section of the page. `compared` is where the rows beside its lines stand (`table5/`); empty if there are none."""

    anchor: str
    title: str
    text: str
    unit: str
    lines: list[Line]
    finding: str
    compared: str
    curves: bool
    plots: list[Plot]


def check_installed() -> None:
    """Raise MolehuntError if the libraries of the report are missing; worth asking before a study is played."""
    try:
        import jinja2  # noqa: F401
        import matplotlib as mpl  # noqa: F401
    except ImportError as error:
        raise MolehuntError(
            f"the report needs {error.name or 'a library that is not installed'}: pip install 'molehunt[report]'"
        ) from error


SAME_AGAIN = "The same version with the same seed gives the same numbers, on any number of threads."


def render(
    study: Study,
    report: Report,
    seed: int,
    date: dt.date | None = None,
    command: str | None = None,
    again: str = SAME_AGAIN,
    games: int | None = None,
    players: Sequence[StudiedPlayer] = (),
) -> str:
    """The page. The same arguments give the same text; `date` is the day of the run, by default today.

    `command` makes the page again, by default the command of the study, and `again` says how far it gives the same numbers.
    `games` is how many games a cell the study was asked for; its cells may have others. `players` are those that it was made of, if
    they were named.
    Raises MolehuntError if the libraries of the report are missing.
    """
    check_installed()
    day = dt.datetime.now().astimezone().date() if date is None else date
    parts = [_part(section, lines, study.unit) for section, lines in _sections(study, report.rows)]
    judged = [line for part in parts for line in part.lines if line.judged and line.row.id.startswith(study.judged)]
    numbered = [line for line in judged if line.row.published is not None]
    return fill_page(
        "report.html.jinja",
        study=study,
        kind="study" if command is None else "report",
        seed=seed,
        day=day,
        long_day=f"{day.day} {day:%B} {day.year}",
        seconds=_number(report.seconds, 1),
        version=__version__,
        games=_range({row.games for row in report.rows}),
        parts=parts,
        rows=len(report.rows),
        judged=judged,
        numbered=numbered,
        agreeing=sum(line.row.verdict == AGREES for line in judged),
        undecided=_undecided(judged),
        largest=_largest(judged),
        expected=_expected(len(numbered)),
        again=again,
        command=_command(study, report.rows, seed, games, players) if command is None else command,
        pictures=study.pictures(seed) if study.pictures else (),
    )


def fill_page(template: str, **values: Any) -> str:
    """A page from a template of this folder; `style` is the style sheet that all pages share."""
    import jinja2

    folder = resources.files("molehunt.studies")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    page = environment.from_string(folder.joinpath(template).read_text("utf-8"))
    return page.render(style=folder.joinpath("report.css").read_text("utf-8"), **values) + "\n"


def _sections(study: Study, rows: Sequence[Row]) -> list[tuple[Section, list[Line]]]:
    """The sections that have rows, and their lines; rows that no section asks for come last, in one of their own."""
    by_id = {row.id: row for row in rows}
    rest = list(rows)
    result = []
    for section in (*study.sections, Section("", "Other rows", "")):
        mine = [row for row in rest if row.id.startswith(section.prefix)]
        rest = [row for row in rest if not row.id.startswith(section.prefix)]
        unit = _unit(mine, study.unit)
        lines = []
        for row in mine:
            beside = None
            if section.beside and row.published is None:
                beside = by_id.get(section.beside + row.id.rpartition("/")[2])
            quantity = row.quantity.removeprefix(f"{unit}: ")
            lines.append(Line(row, row.id.removeprefix(section.prefix), quantity, beside))
        if lines:
            result.append((section, lines))
    return result


def _part(section: Section, lines: list[Line], unit: str) -> Part:
    anchor = section.prefix.strip("/") or "other"
    compared = section.beside if any(line.beside for line in lines) else ""
    return Part(
        anchor=anchor,
        title=section.title,
        text=section.text,
        unit=_unit([line.row for line in lines], unit),
        lines=lines,
        finding=_finding(lines, compared),
        compared=compared,
        curves=section.curves,
        plots=_curve_plots(anchor, lines) if section.curves else _plots(anchor, lines, unit, section.one_axis),
    )


def _undecided(judged: Sequence[Line]) -> str:
    """How many findings are undecided, which are neither those that agree nor failures; "" for none."""
    count = sum(verdict_in_words(line.row) == UNDECIDED for line in judged)
    return f", {count} {'is' if count == 1 else 'are'} undecided" if count else ""


def _finding(lines: list[Line], compared: str) -> str:
    """A sentence on the lines of a section, computed from them."""
    judged = [line for line in lines if line.judged]
    if judged:
        agreeing = sum(line.row.verdict == AGREES for line in judged)
        start = f"{agreeing} of {_cells(len(judged))} {'agrees' if agreeing == 1 else 'agree'}{_undecided(judged)}"
    else:
        start = f"{_cells(len(lines))}, not published"
    largest = _largest(lines)
    if not largest:
        return f"{start}."
    against = f" from the same team in {compared}" if compared else ""
    found = " and ".join(f"{difference}{against}, in {place}" for difference, place in largest)
    return f"{start}; the largest {'difference is' if len(largest) == 1 else 'differences are'} {found}."


def _largest(lines: Sequence[Line]) -> list[tuple[str, str]]:
    """(difference, id) of the line farthest from what it is compared with: among percentages, and among other numbers."""
    result = []
    for rate, unit in ((True, " points"), (False, "")):
        apart = [(abs(line.gap), line) for line in lines if line.gap is not None and line.rate == rate]
        if apart:
            _, line = max(apart, key=lambda pair: pair[0])
            result.append((line.difference + unit, line.row.id))
    return result


def _expected(cells: int) -> str:
    """How many of so many cells are expected to differ by chance, in words."""
    count = round(cells * CHANCE)
    return _COUNTS[count] if count < len(_COUNTS) else str(count)


def _command(study: Study, rows: Sequence[Row], seed: int, games: int | None, players: Sequence[StudiedPlayer]) -> str:
    """The command that makes this page again, for `games` or, where they are not known, for those that all cells have."""
    alike = {row.games for row in rows}
    words = ["molehunt", "study", study.name]
    if games is not None or len(alike) == 1:
        words += ["--games", str(min(alike) if games is None else games)]
    words += [word for each in players for word in ("--player", f"{each.game}/{each.spec}")]
    files = dict.fromkeys(Path(file.path).name for each in players for file in each.files)
    words += [word for file in files for word in ("--agents-from", file)]
    return shlex.join([*words, "--seed", str(seed), "--report", f"{study.name}.html"])


def _plots(anchor: str, lines: list[Line], unit: str, one_axis: bool) -> list[Plot]:
    """The plots of a section: one in two widths, or, where names are `reading/team`, one for each of the fewer.

    With `one_axis` these have the same axis, so that what is beside each other may be compared by eye.
    """
    if not all("/" in line.name for line in lines):
        named = [(line.name, line) for line in lines]
        return [
            Plot(screen, "", _plot(f"{anchor}-{screen}", "", named, width, unit))
            for screen, width in (("desk", DESK), ("telephone", TELEPHONE))
        ]
    pairs = [(line.name.rpartition("/"), line) for line in lines]
    by_team = any(line.beside for line in lines) or len({p[2] for p, _ in pairs}) <= len({p[0] for p, _ in pairs})
    panels: dict[str, list[tuple[str, Line]]] = {}
    for (reading, _, team), line in pairs:
        panel, name = (team, reading) if by_team else (reading, team)
        panels.setdefault(panel, []).append((name, line))
    rows = [line.row for line in lines] if one_axis else []
    beside = tuple(value for row in rows for value in (row.measured, row.low, row.high))
    return [
        Plot("both", panel, _plot(f"{anchor}-{number}", f"{panel}, ", named, TELEPHONE, unit, beside))
        for number, (panel, named) in enumerate(panels.items())
    ]


def _curve_plots(anchor: str, lines: list[Line]) -> list[Plot]:
    """A plot of curves for each first part of the names, which are `plot/curve/x`."""
    panels: dict[str, dict[str, list[Point]]] = {}
    for line in lines:
        panel, curve, x = line.name.split("/")
        point = Point(float(x), line.row.measured, line.row.low, line.row.high)
        panels.setdefault(panel, {}).setdefault(curve, []).append(point)
    drawn = {panel: [Curve(name, tuple(points)) for name, points in curves.items()] for panel, curves in panels.items()}
    return [
        Plot(screen, panel, draw_curves(curves, panel, width, f"{anchor}-{number}-{screen}"))
        for number, (panel, curves) in enumerate(drawn.items())
        for screen, width in CURVE_SCREENS
    ]


def on_each_screen(draw: Callable[[int, str], str], key: str) -> str:
    """Curves or dots in both widths, as the markup of a picture. `draw` is given a width and a key."""
    return "".join(
        f'<div class="plot {screen}">{draw(width, f"{key}-{screen}")}</div>' for screen, width in CURVE_SCREENS
    )


def _plot(
    key: str, start: str, named: list[tuple[str, Line]], width: int, unit: str, beside_it: tuple[float, ...] = ()
) -> str:
    """The lines as a plot, each under a name. What all are compared with is drawn if it is one and the same.

    The axis also covers `beside_it`: numbers of the plots beside.
    """
    lines = [line for _, line in named]
    marks = [
        Mark(
            name=name,
            value=line.row.measured,
            low=line.row.low,
            high=line.row.high,
            published=line.row.published,
            difference=line.difference,
            differs=line.row.verdict == DIFFERS,
        )
        for name, line in named
    ]
    besides = {line.beside.id: line.beside for line in lines if line.beside is not None}
    (beside,) = besides.values() if len(besides) == 1 else (None,)
    axis = _unit([line.row for line in lines], unit)
    drawing = Drawing(
        axis=axis,
        title=f"{start}{axis}, {_cells(len(lines))}",
        rate=all(line.rate for line in lines),
        reference=None if beside is None else (beside.measured, beside.low, beside.high),
        beside=beside_it,
    )
    return draw(drawing, marks, width, key)


def _unit(rows: Sequence[Row], unit: str) -> str:
    """What the quantities of all rows begin with (`saboteur wins, %: ...`); else the unit of the study."""
    starts = {start if colon else unit for start, colon, _ in (row.quantity.partition(": ") for row in rows)}
    return starts.pop() if len(starts) == 1 else unit


def _cells(count: int) -> str:
    return f"{count} cell" if count == 1 else f"{count} cells"


def _range(numbers: set[int]) -> str:
    if not numbers:
        return "none"
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _number(value: float, digits: int) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else f"{_MINUS}∞"
    return f"{value:z,.{digits}f}".replace("-", _MINUS)  # z: no minus before a zero


def _signed(value: float, digits: int) -> str:
    text = _number(value, digits)
    return f"+{text}" if round(value, digits) > 0 else text
