"""What a player believes, as people look at it: numbers as bars, probabilities as a grid, a drawing, or words.

Seats are named `seat 2`; a front end that knows names puts them in (`named`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

import msgspec

from molehunt.core.errors import printable
from molehunt.core.language import _


class Bar(msgspec.Struct, frozen=True):
    """One number of `Bars`: whose it is, its value, and the value in words."""

    label: str
    value: float
    text: str


class Bars(msgspec.Struct, frozen=True, tag_field="kind", tag="bars"):
    """Numbers on one scale from `low` to `high`, such as the trust in each player.

    >>> molehunt.Bars("Trust", low=0.0, high=1.0, rows=(molehunt.Bar("seat 0", 0.5, "half"),)).title
    'Trust'
    """

    title: str
    low: float
    high: float
    rows: tuple[Bar, ...]


class GridRow(msgspec.Struct, frozen=True):
    """A row of a `Grid`: a probability for each column, None where nothing is known of it."""

    label: str
    values: tuple[float | None, ...]


class GridGroup(msgspec.Struct, frozen=True):
    """Rows that belong together, such as the suspects."""

    title: str
    rows: tuple[GridRow, ...]


class Grid(msgspec.Struct, frozen=True, tag_field="kind", tag="grid"):
    """Probabilities by row and column, such as where each card may be."""

    title: str
    columns: tuple[str, ...]
    groups: tuple[GridGroup, ...]


class Drawing(msgspec.Struct, frozen=True, tag_field="kind", tag="drawing"):
    """A picture as SVG, and what it shows in words."""

    title: str
    svg: str
    words: str


class Words(msgspec.Struct, frozen=True, tag_field="kind", tag="text"):
    """Beliefs in words."""

    title: str
    text: str


Panel: TypeAlias = Bars | Grid | Drawing | Words


def seat_name(seat: int) -> str:
    """What a seat is called as long as nobody knows the name of who sits there."""
    return _("seat {seat}", seat=seat)


def named(text: str, names: Sequence[str]) -> str:
    """A text with the names of those at the table in place of `seat 2`, or of `Seat 2` where a sentence begins with it.

    Also where another language is spoken: a package's game whose catalogue lacks that language goes on in English.
    """
    before, _place, after = _("seat {seat}").partition("{seat}")

    def name(found: re.Match[str]) -> str:
        seat = int(found[1] or found[2])
        return names[seat] if seat < len(names) else found[0]

    return re.sub(rf"\b(?:{re.escape(before)}(\d+)\b{re.escape(after)}|seat (\d+)\b)", name, text, flags=re.IGNORECASE)


def panel_named(panel: Panel, names: Sequence[str]) -> Panel:
    """A panel with the names of those at the table."""
    match panel:
        case Bars(rows=rows):
            found = tuple(msgspec.structs.replace(row, label=named(row.label, names)) for row in rows)
            return msgspec.structs.replace(panel, title=named(panel.title, names), rows=found)
        case Grid(columns=columns):
            found_columns = tuple(named(column, names) for column in columns)
            return msgspec.structs.replace(panel, title=named(panel.title, names), columns=found_columns)
        case Drawing(words=words):
            return msgspec.structs.replace(panel, title=named(panel.title, names), words=named(words, names))
        case Words(text=text):
            return msgspec.structs.replace(panel, title=named(panel.title, names), text=named(text, names))


def panel_printable(panel: Panel) -> Panel:
    """A panel of somebody's own player with texts as screens, pages and files hold them (`printable`)."""
    result: Panel = _printable_within(panel)
    return result


def _printable_within(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, tuple | list):
        return tuple(map(_printable_within, value))
    if isinstance(value, msgspec.Struct):
        return type(value)(*map(_printable_within, msgspec.structs.astuple(value)))
    return value
