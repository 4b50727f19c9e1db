"""The tables of a study on the screen."""

from __future__ import annotations

from rich.table import Table

from molehunt.console.screen import Pieces, between, many, named, out
from molehunt.studies.study import AGREES, Report, Row, Study, digits_of, is_judged, verdict_in_words


def print_study(study: Study, report: Report, seed: int, brief: bool = False) -> None:
    """The rows of a study, section by section.

    In brief, only sections with published numbers; where nothing is published, those of a first look.
    """
    out.print(f"[bold]{study.title}[/bold]")
    out.print(study.source)
    left_out = 0
    nothing_published = not any(is_judged(row) for row in report.rows)
    for section in study.sections:
        rows = [row for row in report.rows if row.id.startswith(section.prefix)]
        looked_at = section.prefix in study.look.sections or not study.look.sections
        if brief and not (looked_at if nothing_published else any(is_judged(row) for row in rows)):
            left_out += len(rows)
        elif rows:
            out.print(rows_table(section.title, rows))
    if left_out:
        cells = many(left_out, "cell")
        cells = f"{cells} more" if nothing_published else f"{cells} that nobody has published"
        out.print(f"{cells} {'is' if left_out == 1 else 'are'} left out here: molehunt study {study.name}")
    out.print(
        f"{study.verdict(report.rows)}; {games_of(report)} a cell, seed {seed}, {report.seconds:.1f} s. "
        f"Values: {study.unit}; intervals: 95 %.\n"
    )


def print_look(study: Study, report: Report) -> None:
    """A first look at a study: the sections that it shows, and its line of verdict."""
    out.print(f"[bold]{study.title}[/bold]")
    out.print(study.source)
    for section in study.sections:
        if section.prefix in study.look.sections:
            rows = [row for row in report.rows if row.id.startswith(section.prefix)]
            out.print(rows_table(f"{section.title} ({study.unit})", rows, section.prefix))
    verdict = (study.look.verdict or study.verdict)(report.rows)
    out.print(f"[bold]{study.name}[/bold]: {verdict} ({games_of(report)} a cell).\n")


def games_of(report: Report) -> str:
    """How many games a cell has, in the fewest and in the most: `1,000 games`, `500 to 1,000 games`."""
    fewest, most = min(row.games for row in report.rows), max(row.games for row in report.rows)
    if fewest < most:
        return f"{fewest:,} to {most:,} games"
    return many(most, "game")


def rows_table(title: str, rows: list[Row], prefix: str = "") -> Table:
    """The rows of a section as they are printed, by their ids without `prefix`, or without what stands before the first /.

    No zero has a minus before it (`z`).
    """
    table = Table(title=title, title_justify="left", title_style="bold", min_width=72)
    table.add_column("cell", overflow="fold")
    published = any(row.published is not None for row in rows)
    judged = any(is_judged(row) for row in rows)
    for heading in (("published",) if published else ()) + ("measured", "interval") + (("verdict",) if judged else ()):
        table.add_column(heading, justify="right", no_wrap=True)
    digits = digits_of(rows)
    for row in rows:
        cells: list[str | Pieces] = [named(row.id.removeprefix(prefix) if prefix else row.id.partition("/")[2])]
        if published:
            cells.append("" if row.published is None else f"{row.published:z.{digits}f}")
        cells += [f"{row.measured:z.{digits}f}", between(row.low, row.high, digits)]
        if judged:
            verdict = verdict_in_words(row)
            cells.append(verdict if row.verdict == AGREES else f"[bold]{verdict}[/bold]")
        table.add_row(*cells)
    return table
