"""`molehunt results`: the tables of a tournament or a training run from its store, and any other question in SQL."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from molehunt.arena.tournament.stopping import OPEN
from molehunt.arena.tournament.tables import ALL, Crossing, EventTable, TournamentTable, crossed_roles
from molehunt.console.faults import print_faults
from molehunt.console.outputs import STANDARD_OUTPUT, Outputs
from molehunt.console.screen import (
    Pieces,
    check_threads,
    many,
    mean_between,
    named,
    out,
    percents_between,
    to_json,
    working,
)
from molehunt.core.errors import BadInput, MolehuntError, UnknownName
from molehunt.core.words import rate_said

if TYPE_CHECKING:
    import duckdb


class StoreDamage(MolehuntError):
    """A store that was verified is not what was written."""


SHOWN_ROWS = 200
"""Rows of an answer to SQL that are shown; --json writes all."""
MAX_CROSS = 12
"""Up to so many players a cross table is shown as a square, and else as rows."""
VERDICTS = {"first": "{0} is better", "second": "{1} is better", "alike": "no difference that matters"}
QUESTIONS = ("progress", "standings", "cross", "differences", "ratings")


def run_results(
    folder: Path,
    *,
    ask: str | None,
    sql: str | None,
    json: Path | None,
    records: Path | None,
    verify: bool = False,
    threads: int | None = None,
) -> int:
    """Answer a question about a store, or verify it."""
    if verify:
        if ask is not None or sql is not None or records is not None or json is not None:
            raise BadInput("--verify answers no other question: leave out --ask, --sql, --json and --records")
        return _verify(folder, check_threads(threads))
    if threads is not None:
        raise BadInput("--threads is for --verify")
    if ask is not None and ask not in QUESTIONS:
        raise UnknownName("question", ask, QUESTIONS)
    if sql is not None and ask is not None:
        raise BadInput("ask one thing at a time: --ask or --sql")
    with Outputs(json, records) as outputs:
        _answer_all(outputs, folder, ask, sql, json, records)
    return 0


def _answer_all(
    outputs: Outputs, folder: Path, ask: str | None, sql: str | None, json: Path | None, records: Path | None
) -> None:
    from molehunt.arena.databases import TOURNAMENT, TRAINING, open_for_reading
    from molehunt.arena.store import may_have_gaps, read_plan, read_records, read_units
    from molehunt.learning.store import read_run

    with open_for_reading(folder, (TOURNAMENT, TRAINING)) as base:
        kept = read_run(base)
        if kept is not None and sql is None:
            if ask is not None or records is not None:
                raise BadInput(f"{folder} holds a training run: --ask and --records are for tournaments")
            from molehunt.console.train import kept_json, print_kept

            outputs.put(json, lambda: to_json(kept_json(kept)))
            if json != STANDARD_OUTPUT:
                print_kept(kept)
            return
        if records:
            lines = b"".join(read_records(folder, base))
            outputs.put(records, lambda: lines)
            if json is None and sql is None and ask is None:
                return
        if sql is not None:
            _answer(outputs, base, sql, json)
            return
        from molehunt.arena.tournament.play import Progress
        from molehunt.arena.tournament.tables import make_tables

        progress = Progress(read_plan(base))
        progress.resume(read_units(base), may_have_gaps(base))
        progress.count_rest()
        if ask == "progress":
            _answer(outputs, base, "SELECT * FROM progress", json)
            return
    tables = make_tables(progress.plan, progress.outcomes, progress.finished, progress.faults)
    outputs.put(json, lambda: to_json(tables))
    if json != STANDARD_OUTPUT:
        print_tables(tables, (ask,) if ask else QUESTIONS)
        if ask is None:
            plan = progress.plan
            print_faults(tables.faults, progress.first_faults, plan.agent_files, plan.isolation)
            print_failed(tables.failed)


def print_failed(failed: Mapping[str, str]) -> None:
    """Who has been left out, and why."""
    for name, error in failed.items():
        out.print(f"Left out: {name}: {error}", markup=False, soft_wrap=True)


def _verify(folder: Path, threads: int) -> int:
    """Look through a whole store; exit status 1 where anything is not what was written."""
    from molehunt.arena.store_check import verify
    from molehunt.arena.workers import open_workers

    with working(f"verifying {folder}") as tell, open_workers(threads) as workers:
        found = verify(folder, workers, tell)
    games = f" with {many(found.games, 'game')}" if found.games else ""
    again = f"; {found.played:,} played again" if found.played else ""
    read = f"; {many(found.records, 'record')} read" if found.records else ""
    out.print(f"{many(found.units, 'unit')}{games}: {found.hashed:,} compared with their hashes{again}{read}.")
    for each in found.damage:
        out.print(f"Damaged: {each}.", markup=False, soft_wrap=True)
    if found.damage:
        raise StoreDamage(
            f"{folder} is not what was written ({many(len(found.damage), 'fault')}); play into a new folder"
        )
    out.print("All is as it was written.")
    return 0


def _answer(outputs: Outputs, base: duckdb.DuckDBPyConnection, sql: str, json: Path | None) -> None:
    """Ask in SQL; an error of the question is said in one line."""
    import duckdb

    from molehunt.arena.databases import first_line

    if not sql.strip():
        raise BadInput("the question cannot be answered: it is empty; ask e.g. --sql 'SELECT * FROM rates'")
    try:
        names, rows = rows_of(base, sql)
    except duckdb.Error as error:
        raise BadInput(f"the question cannot be answered: {first_line(error)}") from None
    outputs.put(json, lambda: to_json([dict(zip(names, map(_plain, row), strict=True)) for row in rows]))
    if json != STANDARD_OUTPUT:
        table = Table(*map(escape, names))
        for row in rows[:SHOWN_ROWS]:
            table.add_row(*(escape(_text(value)) for value in row))
        out.print(table)
        if len(rows) > SHOWN_ROWS:
            out.print(f"{SHOWN_ROWS} of {len(rows):,} rows are shown; --json FILE writes all.")


def rows_of(base: duckdb.DuckDBPyConnection, sql: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """The names of the columns and the rows that answer a question; duckdb.Error where it cannot be answered.

    A Ctrl-C stops it at once: in the thread that a signal comes to, DuckDB looks for one only now and then, so another one asks.
    """

    def ask() -> tuple[list[str], list[tuple[Any, ...]]]:
        asked = base.execute(sql)
        return [column[0] for column in asked.description or ()], asked.fetchall()

    with ThreadPoolExecutor(1) as asker:
        answer = asker.submit(ask)
        try:
            return answer.result()
        except KeyboardInterrupt:
            while not answer.done():  # it may not have begun
                base.interrupt()
                wait([answer], 0.05)
            raise


def _plain(value: Any) -> Any:
    """A value of the database as JSON can hold it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    return str(value)


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def print_tables(tables: TournamentTable, asked: tuple[str, ...] = QUESTIONS) -> None:
    """The tables of a tournament on the screen."""
    state = "finished" if tables.finished else "not finished"
    out.print(f"{tables.tournament}: {many(tables.games, 'game')}, seed {tables.seed}, {state}", markup=False)
    for event in tables.events:
        _print_event(event, asked, len(tables.events) > 1)


def _print_event(event: EventTable, asked: tuple[str, ...], several: bool) -> None:
    stopped = ", stopped because all is decided" if event.stopped else ""
    title = f"{event.event} ({event.game})" if several and event.event != event.game else event.game
    numbers = ((event.deals, "deal"), (event.lineups, "lineup"), (event.games, "game"))
    out.print(
        f"\n{title}: {', '.join(many(number, one) for number, one in numbers)}{stopped}",
        style="bold",
        markup=False,
    )
    if "standings" in asked:
        _print_standings(event)
    if "cross" in asked and event.cross:
        _print_cross(event)
    if "differences" in asked:
        _print_differences(event)
    if "ratings" in asked and event.ratings:
        _print_ratings(event)


def _print_standings(event: EventTable) -> None:
    paid = any(row.payoff is not None for row in event.standings)
    table = Table(title="Wins", title_justify="left", title_style="bold")
    table.add_column("player")
    table.add_column("role")
    for heading in ("seats", "rate", "95 % interval", *(("mean payoff",) if paid else ())):
        table.add_column(heading, justify="right")
    for row in event.standings:
        cells: list[Pieces | str] = [
            named(row.player),
            row.role,
            f"{row.seats:,}",
            rate_said(row.rate),
            percents_between(row.low, row.high),
        ]
        if paid and row.payoff is not None:
            cells.append(mean_between(row.payoff, row.payoff_low, row.payoff_high))
        table.add_row(*cells)
    out.print(table)


def _print_cross(event: EventTable) -> None:
    for role in crossed_roles(event):
        rows = [row for row in event.cross if row.role == role]
        against = f"against the {rows[0].other_role}" if role != ALL else "with this other at the table"
        title = (
            f"Wins in %, of the {role} (rows) {against} (columns), with 95 % intervals"
            if role != ALL
            else f"Wins in %, of a player (rows) {against} (columns), with 95 % intervals"
        )
        _print_square(rows, title)


def _print_square(rows: list[Crossing], title: str) -> None:
    others = list(dict.fromkeys(row.other for row in rows))
    players = list(dict.fromkeys(row.player for row in rows))
    cells = {(row.player, row.other): row for row in rows}
    if len(others) > MAX_CROSS:
        table = Table(
            "player", "against", "rate", "95 % interval", title=title, title_justify="left", title_style="bold"
        )
        for row in rows:
            table.add_row(named(row.player), named(row.other), rate_said(row.rate), percents_between(row.low, row.high))
        out.print(table)
        return
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("")
    for other in others:
        table.add_column(named(other), justify="right")
    for player in players:
        found = [cells.get((player, other)) for other in others]
        # An interval lies to both sides of a rate as it will: near 0 and 100 most of it lies to one.
        said = [
            f"{rate_said(row.rate).removesuffix(' %')}\n{100 * row.low:.0f} to {100 * row.high:.0f}" if row else ""
            for row in found
        ]
        table.add_row(named(player), *said)
    out.print(table)


def _print_differences(event: EventTable) -> None:
    if event.differences:
        table = Table(title="Differences on the same deals, in points", title_justify="left", title_style="bold")
        table.add_column("first less second")
        table.add_column("role")
        for heading in ("difference", "95 % interval", "deals"):
            table.add_column(heading, justify="right")
        for row in event.differences:
            interval = f"{100 * row.low:+z.1f} to {100 * row.high:+z.1f}"
            gap = f"{100 * row.difference:+z.1f}"
            pair = Pieces(*named(row.first).pieces, " - ", *named(row.second).pieces)
            table.add_row(pair, row.role, gap, interval, f"{row.deals:,}")
        out.print(table)
    for each in event.decisions:
        role = "" if each.role == ALL else f" as {each.role}"
        both = f"{each.first} and {each.second}{role}"
        verdict = "" if each.verdict == OPEN else VERDICTS[each.verdict].format(each.first, each.second)
        told = f"Decided, {both}: {verdict}" if verdict else f"Not decided, {both}"
        out.print(
            f"{told}; difference {100 * each.difference:+z.1f}, "
            f"always within {100 * each.low:+z.1f} to {100 * each.high:+z.1f} points ({many(each.deals, 'deal')}).",
            markup=False,
        )


def _print_ratings(event: EventTable) -> None:
    table = Table(
        title="Ratings (points around the mean of the role; 400 are odds of 10 to 1)",
        title_justify="left",
        title_style="bold",
    )
    table.add_column("player")
    online = any(row.mu is not None for row in event.ratings)
    for heading in ("role", "points", "95 % interval", *(("openskill",) if online else ())):
        table.add_column(heading, justify="left" if heading == "role" else "right")
    for row in event.ratings:
        cells: list[Pieces | str] = [
            named(row.player),
            row.role,
            f"{row.points:+z.0f}",
            f"{row.low:+z.0f} to {row.high:+z.0f}",
        ]
        if row.mu is not None and row.sigma is not None:
            cells.append(f"{row.mu:.1f} ±{row.sigma:.1f}")
        table.add_row(*cells)
    out.print(table)
