"""Whether a store holds what was written: every table read, every unit compared with its hash or played again, every record."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from molehunt.arena.databases import PIECES, TOURNAMENT, StoreFailure, first_line, open_for_reading, tables_of
from molehunt.arena.pieces import hash_of_piece
from molehunt.arena.store import RECORDS, hash_of, read_plan, read_units
from molehunt.arena.tournament.events import Unit
from molehunt.arena.tournament.outcomes import UnitResult
from molehunt.arena.tournament.plan import Plan
from molehunt.arena.tournament.play import play_task, task_of
from molehunt.arena.workers import Workers, in_order
from molehunt.core.errors import BadRecord, MolehuntError
from molehunt.core.record import parse_record

if TYPE_CHECKING:
    import duckdb

TABLES = ("tournament", "events", "lineups", "chairs", "units", "games", "payments", "checks", "faults")
Tell = Callable[[int, int], None]


@dataclass
class Verified:
    """What came of looking through a store. `damage` names in words everything that is not as it was written."""

    units: int = 0
    games: int = 0
    hashed: int = 0
    played: int = 0
    records: int = 0
    damage: list[str] = field(default_factory=list)


def verify(folder: Path, workers: Workers, tell: Tell) -> Verified:
    """Look through the store in a folder. Units of older stores, which have no hashes, are played again by the workers.

    StoreFailure where it cannot be opened at all, BadInput where there is none.
    """
    found = Verified()
    with open_for_reading(folder, (TOURNAMENT, PIECES)) as base:
        tables = tables_of(base)
        if PIECES in tables:
            _check_pieces(base, found)
            return found
        whole = [_is_readable(base, table, found) for table in TABLES if table in tables]
        if not all(whole):
            return found
        try:
            plan = read_plan(base)
        except (MolehuntError, ValueError, KeyError) as error:
            found.damage.append(f"its plan cannot be read: {error}")
            return found
        hashes = dict(base.execute("SELECT unit, hash FROM checks").fetchall()) if "checks" in tables else {}
        results = _units(base, plan, found)
        total = len(results)
        _compare(plan, results, hashes, found, workers, tell)
        if plan.records:
            _check_records(folder if folder.is_dir() else folder.parent, base, results, found)
        tell(total, total)
    return found


def _check_pieces(base: duckdb.DuckDBPyConnection, found: Verified) -> None:
    """Compare every piece of work of a study's store with its hash."""
    if _is_readable(base, "pieces", found):
        for piece, result, written in base.execute("SELECT piece, result, hash FROM pieces ORDER BY piece").fetchall():
            found.units += 1
            found.hashed += 1
            if hash_of_piece(piece, result) != written:
                found.damage.append(f"{piece:.200} is not what its hash says")


def _is_readable(base: duckdb.DuckDBPyConnection, table: str, found: Verified) -> bool:
    """Read a table to its end: the database compares every block that it reads with the block's own check."""
    import duckdb

    try:
        columns = [name for name, *_ in base.execute(f"DESCRIBE {table}").fetchall()]
        said = " + ".join(f"count({name}) + coalesce(sum(hash({name})), 0)" for name in columns)
        base.execute(f"SELECT {said} FROM {table}").fetchall()  # noqa: S608 - names from above
    except duckdb.Error as error:
        found.damage.append(f"the table {table} cannot be read: {first_line(error)}")
        return False
    return True


def _units(base: duckdb.DuckDBPyConnection, plan: Plan, found: Verified) -> dict[int, UnitResult]:
    """The finished units by number, as far as they are those of the plan."""
    planned = {unit.number: unit for unit in plan.units()}
    rows = base.execute("SELECT unit, event, lineup, seating, first_deal, deals FROM units ORDER BY unit").fetchall()
    for number, *said in rows:
        unit = planned.get(number)
        if unit is None or said != [unit.event, unit.lineup, unit.seating, unit.first, unit.deals]:
            found.damage.append(f"unit {number} is none of the plan")
    lost = base.execute("SELECT DISTINCT unit FROM games WHERE unit NOT IN (SELECT unit FROM units)").fetchall()
    found.damage += [f"there are games of unit {number}, which is not finished" for (number,) in lost]
    results: dict[int, UnitResult] = {}
    try:
        results.update(read_units(base))
    except StoreFailure as error:
        found.damage.append(str(error))
    found.units, found.games = len(rows), sum(row[-1] for row in rows)
    return {number: result for number, result in results.items() if number in planned}


def _compare(  # noqa: PLR0913, PLR0917 - what is compared, with what, by whom
    plan: Plan,
    results: dict[int, UnitResult],
    hashes: dict[int, str],
    found: Verified,
    workers: Workers,
    tell: Tell,
) -> None:
    """Compare every unit with its hash, or with what it comes to when it is played again."""
    again: list[Unit] = []
    for unit in plan.units():
        if unit.number in results:
            if unit.number not in hashes:
                again.append(unit)
                continue
            found.hashed += 1
            if hashes[unit.number] != hash_of(results[unit.number]):
                found.damage.append(f"unit {unit.number} ({_words(plan, unit)}) is not what its hash says")
    units: Iterator[Unit] = iter(again)

    def take(result: UnitResult) -> None:
        unit = next(units)
        found.played += 1
        if hash_of(result) != hash_of(results[unit.number]):
            found.damage.append(f"unit {unit.number} ({_words(plan, unit)}) comes to something else when played again")
        tell(found.played, len(again))

    in_order(workers, play_task, ((task_of(plan, unit),) for unit in again), take)


def _words(plan: Plan, unit: Unit) -> str:
    event = plan.events[unit.event]
    return f"{event.name}: {event.lineups[unit.lineup]}, deals {unit.first:,} to {unit.first + unit.deals - 1:,}"


def _check_records(
    folder: Path, base: duckdb.DuckDBPyConnection, results: dict[int, UnitResult], found: Verified
) -> None:
    """Read every record, compare it with its check, and its winners with those of its game."""
    path = folder / RECORDS
    rows = base.execute("SELECT unit, records_from, records_bytes, records_check FROM units ORDER BY unit").fetchall()
    if not path.is_file():
        found.damage += [f"{RECORDS} is not there"] if rows else []
        return
    with path.open("rb") as file:
        for number, start, size, check in rows:
            file.seek(start)
            member = file.read(size)
            if len(member) < size or zlib.crc32(member) != check:
                found.damage.append(
                    f"the records of unit {number} (byte {start:,} on of {RECORDS}) are not what was written"
                )
            elif number in results:
                _check_member(number, gzip.decompress(member), results[number], found)


def _check_member(number: int, lines: bytes, result: UnitResult, found: Verified) -> None:
    wins = []
    # A win that was lost by fault is struck from the games; records of older versions do not tell of the fault.
    struck = {(fault.game, fault.seat) for fault in result.faults}
    try:
        for game, line in enumerate(lines.splitlines()):
            record = parse_record(line)
            wins.append(sum(1 << seat for seat in record.winners if (game, seat) not in struck))
    except BadRecord as error:
        found.damage.append(f"record {len(wins) + 1} of unit {number}: {error}")
        return
    found.records += len(wins)
    if wins != result.wins.tolist():
        found.damage.append(f"the records of unit {number} tell of other winners than its games")
