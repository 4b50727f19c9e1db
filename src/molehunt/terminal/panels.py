"""What a player believes, in a terminal: bars and grids as tables, drawings by their words."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from molehunt.core.panels import Bars, Drawing, Grid, Panel, Words
from molehunt.core.words import percent_said
from molehunt.table.clue_sheet import ASCII_SIGNS, HAS, LACKS, SIGNS, UNKNOWN

BAR_WIDTH = 20
FULL, EMPTY = "█", "·"
ASCII_FULL, ASCII_EMPTY = "#", "."
ROUNDING = 1e-9
"""So far from 0 or 1 a probability is as good as there."""


def show_panel(panel: Panel, console: Console) -> None:
    """Print a panel under its title; in plain signs where the console has no others."""
    unicode = "utf" in console.encoding.lower()
    console.print(Text(panel.title, "bold"))
    match panel:
        case Bars():
            console.print(bars_table(panel, unicode))
        case Grid():
            console.print(grid_table(panel, unicode))
            console.print(Text("{1} certain   {2} impossible".format(*(SIGNS if unicode else ASCII_SIGNS)), "dim"))
        case Drawing(words=words):
            console.print(Text(words))
        case Words(text=text):
            console.print(Text(text))


def bars_table(bars: Bars, unicode: bool) -> Table:
    """A row a number: whose it is, the bar from the low end of the scale to it, the number in words."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
    full, empty = (FULL, EMPTY) if unicode else (ASCII_FULL, ASCII_EMPTY)
    for row in bars.rows:
        share = (row.value - bars.low) / (bars.high - bars.low) if bars.high > bars.low else 0.0
        filled = round(BAR_WIDTH * min(1.0, max(0.0, share)))
        bar = Text(full * filled, "cyan").append(empty * (BAR_WIDTH - filled), "dim")
        table.add_row(Text(f"  {row.label}"), bar, Text(row.text))
    return table


def grid_table(grid: Grid, unicode: bool) -> Table:
    """Rows by columns, as percents; what is certain or impossible has a sign of the sheet."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("")
    for column in grid.columns:
        table.add_column(Text(column), justify="center")
    signs = SIGNS if unicode else ASCII_SIGNS
    for group in grid.groups:
        table.add_row(Text(group.title, "bold"))
        for row in group.rows:
            table.add_row(Text(f"  {row.label}"), *(_cell(value, signs) for value in row.values))
    return table


def _cell(value: float | None, signs: tuple[str, ...]) -> Text:
    if value is None:
        return Text(signs[UNKNOWN], "dim")
    if value < ROUNDING:
        return Text(signs[LACKS], "dim")
    if value > 1 - ROUNDING:
        return Text(signs[HAS], "bold green")
    return Text(percent_said(value))
