"""The store of a tournament: a folder that holds what has been played, and outlives being killed at any moment.

`results.duckdb` is the truth: a unit counts if its row is there, and its games come in the same transaction. `records.jsonl.gz`
holds the records of finished games, one gzip member a unit. A member is forced to the disk before the transaction that says where
it is; so what no row speaks of is torn, and is cut off when the store is opened. `lock` is held by the process that plays.

Where files of players have been mended, both files are made anew with the units that stay, and then take the places of the old
ones: the database first, and from then on the store is that of the new plan.
"""

from __future__ import annotations

import contextlib
import dataclasses
import gzip
import hashlib
import json
import os
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from molehunt.arena.databases import (
    LOCK,
    RESULTS,
    TOURNAMENT,
    StoreFailure,
    check_installed,
    check_kind,
    connect,
    locked,
    make_folder,
    not_written,
    opening,
    tables_of,
    transaction,
)
from molehunt.arena.faults import SeatFault
from molehunt.arena.store_tables import CHECKS, FAULTS, MENDED, SCHEMA, VIEWS
from molehunt.arena.tournament.events import Unit
from molehunt.arena.tournament.identity import first_difference
from molehunt.arena.tournament.mended import Mended, difference_beyond_files, kept_units, mended
from molehunt.arena.tournament.outcomes import UnitResult
from molehunt.arena.tournament.plan import Plan, plan_from_text, plan_text
from molehunt.core.errors import BadInput

if TYPE_CHECKING:
    import duckdb

FORMAT = 1
PLACES = "SELECT unit, records_from, records_bytes, records_check FROM units"
"""Where the records of units are."""
RECORDS = "records.jsonl.gz"
UNFINISHED = "new.duckdb"
"""The database of a new store until its plan stands in it: what a process killed before leaves is made anew."""
RENEWED = "new.records.jsonl.gz"
"""The records that stay where players have been mended, until the database that speaks of them is in its place."""
GAMES_TOGETHER = 512
"""Units smaller than this are kept together in one transaction ..."""
SECONDS_TOGETHER = 0.2
"""... which waits for no longer than this."""

Step = Callable[[str], None]


class Store:
    """A store opened for playing. Use it in a `with` statement; `mended` says in words what was torn and has been cut off.

    BadInput where the folder holds another tournament or is in use, StoreFailure where it is damaged. `go_on_mended`: where it is
    the same tournament but for what files of players hold, games of these players are left out, and all others stay. `step` is
    called with the name of each step of a commit, for tests that fail there.
    """

    def __init__(self, folder: Path, plan: Plan, step: Step | None = None, go_on_mended: bool = False) -> None:
        check_installed()
        self.folder = folder
        self.plan = plan
        self._go_on_mended = go_on_mended
        self.mended: list[str] = []
        self.finished = 0
        self._step = step or _no_step
        self._waiting: list[tuple[Unit, UnitResult]] = []
        self._since = 0.0
        self._end = 0
        self._lock: IO[bytes] | None = None
        self._records: IO[bytes] | None = None
        self._base: duckdb.DuckDBPyConnection | None = None

    def __enter__(self) -> Store:
        make_folder(self.folder)
        known = {RESULTS, f"{RESULTS}.wal", RECORDS, LOCK, UNFINISHED, f"{UNFINISHED}.wal", RENEWED}
        if not (self.folder / RESULTS).exists() and {path.name for path in self.folder.iterdir()} - known:
            raise BadInput(
                f"{self.folder} is a folder with other things in it; give the name of a new folder, or of a store"
            )
        with opening(self.folder, self.close):
            self._lock = locked(self.folder)
            self._finish_renewing()
            if not (self.folder / RESULTS).exists():
                self._create()
            self._base = connect(self.folder / RESULTS)
            earlier = self._compare()
            self._mend()
            if earlier is not None:
                self._renew(earlier)
                self._mend()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self.flush()
        finally:
            self.close()

    def close(self) -> None:
        """Let go of the files; what has not been committed is not kept."""
        for each in (self._base, self._records, self._lock):
            if each is not None:
                with contextlib.suppress(OSError):  # what could not be written has been said
                    each.close()
        self._base = self._records = self._lock = None

    @property
    def base(self) -> duckdb.DuckDBPyConnection:
        """The database of an open store."""
        if self._base is None:
            raise StoreFailure("the store is closed")
        return self._base

    def _create(self) -> None:
        """Make the database with its plan under another name; it gets its own at once."""
        fresh = self._fresh()
        self._base = connect(fresh)
        with transaction(self.base, self.folder):
            for statement in (*SCHEMA, *VIEWS):
                self.base.execute(statement)
            self._write_plan()
        self._base.close()
        self._base = None
        self._step("created")
        fresh.replace(self.folder / RESULTS)

    def _fresh(self) -> Path:
        """Where a new database is made; nothing is there."""
        fresh = self.folder / UNFINISHED
        for path in (self.folder / RENEWED, fresh, Path(f"{fresh}.wal")):
            path.unlink(missing_ok=True)
        return fresh

    def _finish_renewing(self) -> None:
        """Where a process was killed that made the store anew: if the new database is in its place, so come its records."""
        if (self.folder / RENEWED).exists():
            if (self.folder / UNFINISHED).exists():
                self._fresh()
            else:
                (self.folder / RENEWED).replace(self.folder / RECORDS)

    def _renew(self, earlier: Plan) -> None:
        """Make the store anew for the plan, with those units of an earlier one in which nobody sits that has been mended."""
        whose = mended(earlier, self.plan)
        stay = kept_units(earlier, self.plan, whose)
        old = self.base
        games = 0
        with contextlib.closing(old), contextlib.ExitStack() as stack:
            held = dict(read_units(old))
            checks = dict(old.execute("SELECT unit, hash FROM checks").fetchall())
            places = {unit: place for unit, *place in old.execute(PLACES).fetchall()}
            fresh = self._fresh()
            self._base = connect(fresh)
            records = None
            if self._records is not None:
                self._records.close()
                records = stack.enter_context((self.folder / RENEWED).open("wb"))
            end = kept = 0
            with transaction(self.base, self.folder):
                for statement in (*SCHEMA, *VIEWS):
                    self.base.execute(statement)
                self._write_plan()
                for number, unit in stay:
                    if number not in held:
                        continue
                    if number in checks and checks[number] != hash_of(held[number]):
                        raise StoreFailure(f"{self.folder} is damaged: unit {number} is not what its hash says")
                    member = b"" if records is None else _member(self.folder / RECORDS, number, *places[number])
                    self._insert(unit, dataclasses.replace(held[number], number=unit.number, records=member), end)
                    if records is not None:
                        records.write(member)
                    end += len(member)
                    kept += unit.deals
                self._note_mended(old, whose, kept)
            games = sum(len(result.wins) for result in held.values())
            if records is not None:
                records.flush()
                os.fsync(records.fileno())
            self.base.close()
        self._base = None
        self._step("made anew")
        fresh.replace(self.folder / RESULTS)
        self._step("database renewed")
        if (self.folder / RENEWED).exists():
            (self.folder / RENEWED).replace(self.folder / RECORDS)
        self._base = connect(self.folder / RESULTS)
        self.mended.append(
            f"{' and '.join(whose.files)} changed: {games - kept:,} games with {', '.join(sorted(whose.players))} are played "
            f"again, {kept:,} games are kept"
        )

    def _note_mended(self, old: duckdb.DuckDBPyConnection, whose: Mended, kept: int) -> None:
        """Write down what has been mended, now and before."""
        self.base.execute(MENDED)
        rows = old.execute("SELECT * FROM mended").fetchall() if may_have_gaps(old) else []
        for row in [*rows, (whose.files, sorted(whose.players), kept)]:
            self.base.execute("INSERT INTO mended VALUES (?, ?, ?)", [list(row[0]), list(row[1]), row[2]])

    def _compare(self) -> Plan | None:
        """Check that the store is of the same tournament; its plan, if that is to be made anew as players have been mended."""
        check_kind(self.base, self.folder, TOURNAMENT, "the tournament a folder of its own")
        row = self.base.execute("SELECT format, identity FROM tournament").fetchone()
        if row is None or row[0] != FORMAT:
            raise BadInput(f"{self.folder} is a store of another version of this program; play into a new folder")
        identities = json.loads(row[1]), json.loads(_identity_text(self.plan))
        found = first_difference(*identities)
        beyond_files = difference_beyond_files(read_plan(self.base), self.plan) if found else None
        only_mended = found is not None and beyond_files is None
        found = beyond_files or found
        if found and not (only_mended and self._go_on_mended):
            other_way = (
                ", or let --mended play the games of its players again and keep all others" if only_mended else ""
            )
            raise BadInput(
                f"{self.folder} is the store of another tournament: {found}. Play into a new folder{other_way}"
            )
        with transaction(self.base, self.folder):
            for table in (CHECKS, FAULTS):  # stores of older versions have none
                self.base.execute(table)
        return read_plan(self.base) if found else None

    def _write_plan(self) -> None:
        """Write who plays what, which does not change."""
        plan, base = self.plan, self.base
        base.execute(
            "INSERT INTO tournament VALUES (?, ?, ?, ?, ?, ?)",
            [FORMAT, plan.name, plan.seed, plan.games, _identity_text(plan), plan_text(plan)],
        )
        seats: list[list[Any]] = [[], [], [], [], [], []]
        for event in plan.events:
            base.execute(
                "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)",
                [event.number, event.name, event.label, event.deals, list(event.roles), list(event.endings)],
            )
            for number, lineup in enumerate(event.lineups):
                base.execute("INSERT INTO lineups VALUES (?, ?, ?)", [event.number, number, str(lineup)])
                for place, seating in enumerate(lineup.seatings):
                    for seat, chair in enumerate(seating):
                        row = (event.number, number, place, seat, chair, lineup.chairs[chair].agent)
                        for column, value in zip(seats, row, strict=True):
                            column.append(value)
        base.execute(
            "INSERT INTO chairs SELECT unnest($1), unnest($2), unnest($3), unnest($4), unnest($5), unnest($6)", seats
        )

    def _mend(self) -> None:
        """Cut off what a killed process left behind, and find out where to go on."""
        rows = self.base.execute(f"{PLACES} ORDER BY records_from, unit").fetchall()
        end = max((start + size for _, start, size, _ in rows), default=0)
        path = self.folder / RECORDS
        if self.plan.records:
            self._records = path.open("ab")
            held = path.stat().st_size
            lost = next((row for row in rows if row[1] + row[2] > held), None)
            if lost is None and rows and not _member_is_whole(path, *rows[-1][1:]):
                lost = rows[-1]
            if lost is not None:
                end = lost[1]
                self.leave_out([unit for unit, start, *_ in rows if start >= end])
                self.mended.append(f"{RECORDS} had lost its end: the games from unit {lost[0]} on are played again")
            elif held > end:
                self.mended.append(f"{held - end:,} bytes of unfinished work at the end of {RECORDS} were cut off")
            if held > end:
                self._records.truncate(end)
                os.fsync(self._records.fileno())
        self._end = end
        row = self.base.execute("SELECT coalesce(max(unit) + 1, 0) FROM units").fetchone()
        self.finished = int(row[0]) if row else 0

    def leave_out(self, units: Sequence[int]) -> None:
        """Forget finished units; their records stay where they are, and no row speaks of them any more."""
        with transaction(self.base, self.folder):
            for table in ("checks", "faults", "payments", "games", "units"):
                self.base.execute(f"DELETE FROM {table} WHERE unit IN (SELECT unnest($1))", [[*units]])  # noqa: S608 - a name from above

    def results(self) -> Iterator[tuple[int, UnitResult]]:
        """The finished units in the order of the plan; StoreFailure where games are missing."""
        return read_units(self.base)

    def keep(self, unit: Unit, result: UnitResult) -> None:
        """Take a finished unit; it is committed at once, or with others where units are small."""
        if not self._waiting:
            self._since = time.monotonic()
        self._waiting.append((unit, result))
        games = sum(unit.deals for unit, _ in self._waiting)
        if games >= GAMES_TOGETHER or time.monotonic() - self._since >= SECONDS_TOGETHER:
            self.flush()

    def flush(self) -> None:
        """Commit what has been taken: first the records, forced to the disk, then one transaction."""
        if not self._waiting:
            return
        starts, end = [], self._end
        try:
            for _, result in self._waiting:
                starts.append(end)
                end += len(result.records)
                if self._records is not None:
                    self._records.write(result.records)
                    self._step("record written")
            if self._records is not None:
                self._records.flush()
                os.fsync(self._records.fileno())
            self._step("records on disk")
            with transaction(self.base, self.folder):
                for (unit, result), start in zip(self._waiting, starts, strict=True):
                    self._insert(unit, result, start)
                    self._step("unit inserted")
                self._step("before commit")
        except OSError as error:
            raise not_written(self.folder, error) from None
        self._end = end
        self.finished = self._waiting[-1][0].number + 1
        self._waiting.clear()
        self._step("committed")

    def _insert(self, unit: Unit, result: UnitResult, start: int) -> None:
        row = [unit.number, unit.event, unit.lineup, unit.seating, unit.first, unit.deals, result.moves, result.seconds]
        kept = [start, len(result.records), zlib.crc32(result.records)]
        self.base.execute("INSERT INTO units VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row + kept)
        self.base.execute("INSERT INTO checks VALUES (?, ?)", [unit.number, hash_of(result)])
        deals = np.arange(unit.first, unit.first + unit.deals, dtype=np.uint64)
        self.base.execute(
            "INSERT INTO games SELECT $1, unnest($2), unnest($3), unnest($4), unnest($5)",
            [unit.number, deals, result.wins, result.roles, result.endings],
        )
        if result.faults:
            games, places, reasons = zip(*result.faults, strict=True)
            self.base.execute(
                "INSERT INTO faults SELECT $1, unnest($2), unnest($3), unnest($4)",
                [unit.number, [unit.first + game for game in games], [*places], [*reasons]],
            )
        if result.payoffs is not None:
            seats = result.payoffs.shape[1]
            self.base.execute(
                "INSERT INTO payments SELECT $1, unnest($2), unnest($3), unnest($4)",
                [
                    unit.number,
                    np.repeat(deals, seats),
                    np.tile(np.arange(seats, dtype=np.uint8), len(deals)),
                    result.payoffs.reshape(-1),
                ],
            )


def _no_step(name: str) -> None:
    """Go on to the next step of a commit."""


def hash_of(result: UnitResult) -> str:
    """A hash over all that a unit came to, its seconds and records left out: 16 hexadecimal digits.

    Faults count where there are any, so units without them have the hashes that they always had.
    """
    columns: list[npt.NDArray[Any]] = [
        result.wins.astype("<u2"),
        result.roles.astype("<u8"),
        result.endings.astype("u1"),
    ]
    if result.payoffs is not None:
        columns.append(result.payoffs.astype("<f4"))
    parts = [column.tobytes() for column in columns]
    head = f"{result.number} {len(result.wins)} {result.moves}\n".encode()
    parts += [repr(tuple(fault)).encode() for fault in result.faults]
    return hashlib.blake2b(head + b"".join(parts), digest_size=8).hexdigest()


def read_units(base: duckdb.DuckDBPyConnection) -> Iterator[tuple[int, UnitResult]]:
    """(number, result) of all finished units of a database in order, without their records."""
    units = base.execute("SELECT unit, first_deal, deals, moves, seconds FROM units ORDER BY unit").fetchall()
    games = base.execute("SELECT unit, wins, roles, ending FROM games ORDER BY unit, deal").fetchnumpy()
    paid = base.execute("SELECT unit, payoff FROM payments ORDER BY unit, deal, seat").fetchnumpy()
    faults = _read_faults(base)
    # Gone through in order: what is found between the ends of one unit and the next is that unit's.
    numbers = np.array([unit for unit, *_ in units], np.uint64)
    begins, ends = (np.searchsorted(games["unit"], numbers, side) for side in ("left", "right"))
    paid_begins, paid_ends = (np.searchsorted(paid["unit"], numbers, side) for side in ("left", "right"))
    for place, (unit, first, deals, moves, seconds) in enumerate(units):
        part = slice(begins[place], ends[place])
        if part.stop - part.start != deals:
            raise StoreFailure(f"the store is damaged: unit {unit} has {part.stop - part.start} games of {deals}")
        payoffs = np.asarray(paid["payoff"][paid_begins[place] : paid_ends[place]], np.float32)
        yield (
            unit,
            UnitResult(
                number=unit,
                wins=np.asarray(games["wins"][part], np.uint16),
                roles=np.asarray(games["roles"][part], np.uint64),
                endings=np.asarray(games["ending"][part], np.uint8),
                payoffs=payoffs.reshape(deals, -1) if len(payoffs) else None,
                moves=moves,
                seconds=seconds,
                faults=tuple(SeatFault(deal - first, seat, reason) for deal, seat, reason in faults.get(unit, ())),
            ),
        )


def may_have_gaps(base: duckdb.DuckDBPyConnection) -> bool:
    """Whether finished units may stand behind others that are missing, as players have been mended."""
    return "mended" in tables_of(base)


def _read_faults(base: duckdb.DuckDBPyConnection) -> dict[int, list[tuple[int, int, str]]]:
    """(deal, seat, reason) of all games that were lost by fault, by unit."""
    found: dict[int, list[tuple[int, int, str]]] = {}
    if "faults" in tables_of(base):
        for unit, *fault in base.execute("SELECT unit, deal, seat, reason FROM faults ORDER BY ALL").fetchall():
            found.setdefault(unit, []).append((fault[0], fault[1], fault[2]))
    return found


def read_plan(base: duckdb.DuckDBPyConnection) -> Plan:
    """The plan of the tournament in a database; BadInput where it is of another version of this program."""
    row = base.execute("SELECT format, plan FROM tournament").fetchone()
    if row is None or row[0] != FORMAT:
        raise BadInput("this is a store of another version of this program")
    return plan_from_text(row[1])


def _identity_text(plan: Plan) -> str:
    return json.dumps(plan.identity, sort_keys=False)


def _member_is_whole(path: Path, start: int, size: int, check: int) -> bool:
    with path.open("rb") as file:
        file.seek(start)
        return zlib.crc32(file.read(size)) == check


def read_records(folder: Path, base: duckdb.DuckDBPyConnection) -> Iterator[bytes]:
    """The records of all finished games, unit by unit, as lines of JSON; BadInput where none were kept."""
    path = folder / RECORDS if folder.is_dir() else folder.parent / RECORDS
    rows = base.execute(
        "SELECT unit, records_from, records_bytes, records_check FROM units WHERE records_bytes > 0 ORDER BY unit"
    ).fetchall()
    if not rows or not path.is_file():
        raise BadInput(f"{folder} holds no records; play with `records = true` in the file of the tournament")
    for unit, *place in rows:
        yield gzip.decompress(_member(path, unit, *place))


def _member(path: Path, unit: int, start: int, size: int, check: int) -> bytes:
    """The records of a unit as they are kept; StoreFailure where they are not what was written."""
    with path.open("rb") as file:
        file.seek(start)
        member = file.read(size)
    if zlib.crc32(member) != check:
        raise StoreFailure(
            f"{path} is damaged: the records of unit {unit} (byte {start:,} on) are not what was written"
        )
    return member
