"""A tournament as one HTML page: cross tables as heat maps, rates, paired differences and ratings as plots and tables.

The page holds all that it shows, in light and in dark, for a telephone and for a desk, as the pages of studies do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from molehunt import __version__
from molehunt.arena.tournament.tables import ALL, Crossing, EventTable, TournamentTable, crossed_roles
from molehunt.core.words import rate_said
from molehunt.studies.report import DESK, TELEPHONE, check_installed, fill_page
from molehunt.studies.report_plot import Drawing, Mark, draw

VERDICTS = {
    "first": "the first is better",
    "second": "the second is better",
    "alike": "no difference that matters",
    "open": "open",
}
_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True)
class Line:
    """A line of a list: what it is about, the number, its interval, and what it is made of, as the page writes them."""

    name: str
    role: str
    value: float
    low: float
    high: float
    text: str
    interval: str
    of: str


@dataclass(frozen=True)
class Listing:
    """Numbers with intervals: a heading, a text, the plots for a desk and a telephone, and the same numbers as a table."""

    anchor: str
    title: str
    text: str
    unit: str
    of: str
    plots: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Heat:
    """A cross table: `rows` are (player, cells), a cell the crossing or None."""

    anchor: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Crossing | None, ...]], ...]


@dataclass(frozen=True)
class Part:
    """An event on the page."""

    anchor: str
    event: EventTable
    heats: tuple[Heat, ...]
    listings: tuple[Listing, ...]


def render_tournament(tables: TournamentTable, command: str) -> str:
    """The page; the same arguments give the same text. MolehuntError if the libraries of the report are missing."""
    check_installed()
    return fill_page(
        "tournament_report.html.jinja",
        tables=tables,
        version=__version__,
        command=command,
        verdicts=VERDICTS,
        parts=[_part(number, event) for number, event in enumerate(tables.events, start=1)],
        percent=_percent,
        rate=rate_said,
        points=_points,
        all_roles=ALL,
    )


def _percent(value: float) -> str:
    return f"{100 * value:.1f}"


def _points(value: float, digits: int = 1) -> str:
    text = f"{value:+.{digits}f}".replace("-", _MINUS)
    return text.replace("+", "").replace(_MINUS, "") if not float(f"{value:.{digits}f}") else text


def _part(number: int, event: EventTable) -> Part:
    anchor = f"event{number}"
    roles = list(dict.fromkeys(row.role for row in event.standings))
    rates = [
        Line(
            row.player,
            row.role,
            100 * row.rate,
            100 * row.low,
            100 * row.high,
            rate_said(row.rate),
            _range(row.low, row.high),
            f"{row.seats:,}",
        )
        for row in event.standings
    ]
    gaps = [
        Line(
            f"{row.first} {_MINUS} {row.second}",
            row.role,
            100 * row.difference,
            100 * row.low,
            100 * row.high,
            _points(100 * row.difference),
            f"{_points(100 * row.low)} to {_points(100 * row.high)}",
            f"{row.deals:,}",
        )
        for row in event.differences
    ]
    ratings = [
        Line(
            row.player,
            row.role,
            row.points,
            row.low,
            row.high,
            _points(row.points, 0),
            f"{_points(row.low, 0)} to {_points(row.high, 0)}",
            f"{row.games:,}",
        )
        for row in event.ratings
    ]
    listings = [
        *_by_role(
            f"{anchor}-rates",
            "Wins",
            "How many of their seats in games players won.",
            "won, %",
            "Seats",
            rates,
            roles,
            _rate_drawing,
        ),
        *_by_role(
            f"{anchor}-gaps",
            "Differences on the same deals",
            "The rate of the first player less that of the second over the same deals; the intervals draw whole deals again.",
            "difference, percentage points",
            "Deals",
            gaps,
            roles,
            _zero_drawing,
        ),
        *_by_role(
            f"{anchor}-ratings",
            "Ratings",
            "Strengths fitted to all games at once; 0 is the mean of the role, 400 points are odds of ten to one.",
            "rating, points",
            "Games",
            ratings,
            roles,
            _zero_drawing,
        ),
    ]
    return Part(anchor, event, tuple(_heats(anchor, event)), tuple(listings))


def _range(low: float, high: float) -> str:
    return f"{_percent(low)} to {_percent(high)}\N{NO-BREAK SPACE}%"


def _rate_drawing(unit: str, title: str) -> Drawing:
    return Drawing(axis=unit, title=title, rate=True, reference=None)


def _zero_drawing(unit: str, title: str) -> Drawing:
    return Drawing(axis=unit, title=title, rate=False, reference=(0.0, 0.0, 0.0))


def _by_role(
    anchor: str,
    title: str,
    text: str,
    unit: str,
    of: str,
    lines: Sequence[Line],
    roles: Sequence[str],
    drawing: Callable[[str, str], Drawing],
) -> list[Listing]:
    """One listing for each role that has lines; all roles together come under a name of their own."""
    result = []
    for place, role in enumerate(roles):
        mine = [line for line in lines if line.role == role]
        if not mine:
            continue
        heading = title if len(roles) == 1 else f"{title}: {'all roles together' if role == ALL else f'as {role}'}"
        marks = [Mark(line.name, line.value, line.low, line.high, None, "", differs=False) for line in mine]
        plots = tuple(
            (screen, draw(drawing(unit, f"{heading}, {unit}"), marks, width, f"{anchor}-{place}-{screen}"))
            for screen, width in (("desk", DESK), ("telephone", TELEPHONE))
        )
        result.append(Listing(f"{anchor}-{place}", heading, text, unit, of, plots, tuple(mine)))
    return result


def _heats(anchor: str, event: EventTable) -> list[Heat]:
    """The cross tables."""
    result = []
    for place, role in enumerate(crossed_roles(event)):
        rows = [row for row in event.cross if row.role == role]
        players = list(dict.fromkeys(row.player for row in rows))
        others = list(dict.fromkeys(row.other for row in rows))
        cells = {(row.player, row.other): row for row in rows}
        title = (
            "Wins of a player (rows) in games with another (columns), %"
            if role == ALL
            else f"Wins of the {role} (rows) against the {rows[0].other_role} (columns), %"
        )
        table = tuple((player, tuple(cells.get((player, other)) for other in others)) for player in players)
        result.append(Heat(f"{anchor}-cross-{place}", title, tuple(others), table))
    return result
