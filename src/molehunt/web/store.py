"""Where tables are kept: one SQLite file. Every move is in it before anybody is told of it, so a killed server loses none."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from molehunt.core.errors import BadInput
from molehunt.core.reasons import reason_of

VERSION = 3
PATIENCE = 0.5
"""Seconds to wait for a file that another server may be about to let go."""
IN_MEMORY = Path(":memory:")
NEW, BEGUN, ENDED = 0, 1, 2
"""How far a table has come: no person has moved at it, one has, its game is over."""
MOST_RESULTS = 100_000
"""So many results of people's games are kept, the latest."""
WHAT_TO_DO = (
    ("full", "make room on its disk"),
    ("readonly", "let this server write the file and its folder"),
    ("malformed", "stop the server and put a copy of the file there, or name another with --store"),
    ("", "look at the file and its disk"),
)
"""What mends a fault of the file, by a word of what SQLite says."""

_SCHEMA = """
create table tables (id text primary key, setup blob not null, state blob not null, touched real not null,
  client text not null default '', stage integer not null default 1, opened real not null default 0);
create table links (token text primary key, table_id text not null references tables (id) on delete cascade, seat integer,
  owner integer not null);
create index links_of_a_table on links (table_id);
create table moves (table_id text not null references tables (id) on delete cascade, number integer not null, move text not null,
  primary key (table_id, number)) without rowid;
create table replays (id text primary key, record blob not null, names blob not null, touched real not null,
  client text not null default '');
create index tables_of_a_client on tables (client);
create index replays_of_a_client on replays (client);
"""
_RESULTS = """
create table results (table_id text not null, seat integer not null, ended real not null, person text not null, name text not null,
  game text not null, won integer not null, practice integer not null, rounds blob not null, against blob not null,
  primary key (table_id, seat)) without rowid;
create index results_of_a_person on results (person);
create index results_by_time on results (ended);
"""
_FROM_1_TO_2 = """
alter table tables add column client text not null default '';
alter table tables add column stage integer not null default 1;
alter table tables add column opened real not null default 0;
alter table replays add column client text not null default '';
create index tables_of_a_client on tables (client);
create index replays_of_a_client on replays (client);
"""
_STEPS = {0: _SCHEMA + _RESULTS, 1: _FROM_1_TO_2 + _RESULTS, 2: _RESULTS}
"""What makes a file of an earlier version one of this version."""


@dataclass(frozen=True)
class Link:
    """An address of a table: for a seat (None: for watching), and whether it is the owner's."""

    token: str
    seat: int | None
    owner: bool

    def among(self, links: Iterable[Link]) -> Link | None:
        """The address of another table for whom this one is for."""
        return next((link for link in links if (link.seat, link.owner) == (self.seat, self.owner)), None)


@dataclass(frozen=True)
class Row:
    """A table as it is kept: how it was set up and what it has become (both as JSON), its links and its moves in notation.

    `client` stands for who opened it, for as long as one server runs; `stage` is NEW, BEGUN or ENDED.
    """

    id: str
    setup: bytes
    state: bytes
    links: tuple[Link, ...]
    moves: tuple[str, ...]
    client: str = ""
    stage: int = NEW


@dataclass(frozen=True)
class Holding:
    """A table in short: who opened it, how far it has come, and when it was opened, in seconds since 1970."""

    id: str
    client: str
    stage: int
    opened: float


@dataclass(frozen=True)
class Result:
    """How a game ended for one person: `rounds` are (role, whether its side won), `against` who sat on the other seats."""

    seat: int
    name: str
    game: str
    won: bool
    practice: bool
    rounds: tuple[tuple[str, bool], ...]
    against: tuple[str, ...]

    @property
    def person(self) -> str:
        """By what a person is known: the name, however it is written."""
        return person_of(self.name)


@dataclass(frozen=True)
class Totals:
    """A person's games in short; `last` is when the last one ended, in seconds since 1970."""

    name: str
    played: int
    won: int
    practice: int
    last: float


def person_of(name: str) -> str:
    """By what a person is known who plays under a name."""
    return name.casefold()


def _unfit(path: Path, error: Exception) -> BadInput:
    """Why tables cannot be kept in a file, and what would be right."""
    return BadInput(f"tables cannot be kept in {path}: {reason_of(error)}; name another file with --store")


class Store:
    """The file. One server at a time: BadInput where another one has it, or where it is no such file."""

    def __init__(self, path: Path = IN_MEMORY) -> None:
        self.path = path
        self._place: tuple[int, int] | None = None
        with contextlib.ExitStack() as undo:
            self._db = self._connect(path)
            undo.callback(self._db.close)
            self._open(path)
            undo.pop_all()

    @staticmethod
    def _connect(path: Path) -> sqlite3.Connection:
        try:
            if path != IN_MEMORY:
                path.parent.mkdir(parents=True, exist_ok=True)
                # Before SQLite makes it: what it puts beside the file is as private as that.
                with contextlib.suppress(FileExistsError):
                    path.touch(0o600, exist_ok=False)
            # What happens between two statements is one transaction only where it is said.
            return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=PATIENCE)
        except (sqlite3.DatabaseError, OSError) as error:
            raise _unfit(path, error) from None

    def _open(self, path: Path) -> None:
        try:
            self._db.execute("pragma locking_mode = exclusive")
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = normal")
            self._db.execute("pragma foreign_keys = on")
            self._prepare(path)
            if path != IN_MEMORY:
                path.chmod(0o600)
                self._place = _place_of(path)
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise BadInput(f"another server uses {path}; name another file with --store") from None
            raise _unfit(path, error) from None
        except (sqlite3.DatabaseError, OSError) as error:
            raise _unfit(path, error) from None

    def _prepare(self, path: Path) -> None:
        self._db.execute("begin exclusive")
        (version,) = self._db.execute("pragma user_version").fetchone()
        if version in _STEPS:
            for statement in _STEPS[version].split(";"):
                self._db.execute(statement)
            self._db.execute(f"pragma user_version = {VERSION}")
        self._db.execute("commit")
        if version not in (*_STEPS, VERSION):
            raise BadInput(
                f"{path} was written by another version ({version}) of molehunt; name another file with --store"
            )

    def close(self) -> None:
        """Let the file go."""
        self._db.close()

    def write_anew_if_gone(self) -> bool:
        """Where somebody has removed the file under the server, write all of it there again; whether that was so.

        Without it, everything would be lost as soon as the server stops. BadInput where another file lies there by now, BadInput or
        sqlite3.Error where it cannot be written: until then, all is kept where nobody finds it again.
        """
        place = None if self.path == IN_MEMORY else _place_of(self.path)
        if self.path == IN_MEMORY or (place is not None and place == self._place):
            return False
        if place is not None:
            raise BadInput(
                f"another file lies at {self.path} by now; put it elsewhere, and the tables are written there again"
            )
        if self._place is not None:
            held = sqlite3.connect(IN_MEMORY, isolation_level=None, check_same_thread=False)
            self._db.backup(held)
            held.execute("pragma foreign_keys = on")
            # Before another one is there: SQLite removes what lies beside a file by its name.
            self._db, gone = held, self._db
            self._place = None
            gone.close()
        self._write_anew()
        return True

    def _write_anew(self) -> None:
        """Write what is held in memory to the file, and go on with that."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch(0o600, exist_ok=False)  # so it is this server's to remove
        except OSError as error:
            raise BadInput(f"{self.path} cannot be written: {error.strerror}") from None
        fresh, held = self._connect(self.path), self._db
        try:
            held.backup(fresh)
            self._db = fresh
            self._open(self.path)
        except (sqlite3.Error, BadInput):
            self._db = held
            fresh.close()
            self.path.unlink(missing_ok=True)
            raise
        held.close()

    def fault(self, error: sqlite3.Error) -> str:
        """What is wrong with the file, and what to do, for who runs the server."""
        advice = next(told for word, told in WHAT_TO_DO if word in str(error))
        return f"{self.path}: {error}; {advice}"

    # --- Tables ---------------------------------------------------------------------------------------------------------

    def add_table(self, row: Row) -> None:
        """Keep a new table."""
        with self._db:
            self._db.execute("begin")
            now = time.time()
            values = (row.id, row.setup, row.state, now, row.client, row.stage, now)
            self._db.execute("insert into tables values (?, ?, ?, ?, ?, ?, ?)", values)
            self.add_links(row.id, row.links)

    def add_links(self, table: str, links: Iterable[Link]) -> None:
        """Keep more addresses of a table."""
        rows = [(link.token, table, link.seat, link.owner) for link in links]
        self._db.executemany("insert into links values (?, ?, ?, ?)", rows)

    def seat(self, table: str, old: str, link: Link, state: bytes) -> None:
        """A seat has another address from now on, and the table has become something else by it: both, or neither."""
        with self._db:
            self._db.execute("begin")
            self._db.execute("update links set token = ?, owner = ? where token = ?", (link.token, link.owner, old))
            self.set_state(table, state)

    def set_state(self, table: str, state: bytes) -> None:
        """Keep what a table has become."""
        self._db.execute("update tables set state = ?, touched = ? where id = ?", (state, time.time(), table))

    def set_stage(self, table: str, stage: int) -> None:
        """Keep how far a table has come."""
        self._db.execute("update tables set stage = ? where id = ?", (stage, table))

    def add_move(self, table: str, number: int, move: str) -> None:
        """Keep a move, counted from 1."""
        self._db.execute("insert into moves values (?, ?, ?)", (table, number, move))

    def drop_moves(self, table: str, after: int) -> None:
        """Forget the moves after number `after`."""
        self._db.execute("delete from moves where table_id = ? and number > ?", (table, after))

    def touch(self, tables: Iterable[str]) -> None:
        """These tables are in use."""
        now = time.time()
        self._db.executemany("update tables set touched = ? where id = ?", [(now, table) for table in tables])

    def shift(self, seconds: float) -> None:
        """The clock was set by so many seconds: all that was used is as old as before."""
        with self._db:
            self._db.execute("begin")
            self._db.execute("update tables set touched = touched + ?, opened = opened + ?", (seconds, seconds))
            self._db.execute("update replays set touched = touched + ?", (seconds,))

    def table(self, table: str) -> Row | None:
        """A table that was kept, None where there is none."""
        found = self._db.execute("select id, setup, state, client, stage from tables where id = ?", (table,)).fetchone()
        if found is None:
            return None
        links = self._db.execute("select token, seat, owner from links where table_id = ?", (table,)).fetchall()
        moves = self._db.execute("select move from moves where table_id = ? order by number", (table,)).fetchall()
        addresses = tuple(Link(token, seat, bool(owner)) for token, seat, owner in links)
        return Row(found[0], found[1], found[2], addresses, tuple(move for (move,) in moves), found[3], found[4])

    def table_of(self, token: str) -> str | None:
        """The table that an address belongs to, None where there is no such address."""
        found = self._db.execute("select table_id from links where token = ?", (token,)).fetchone()
        return None if found is None else str(found[0])

    def count_tables(self) -> int:
        """How many tables are kept."""
        return int(self._db.execute("select count(*) from tables").fetchone()[0])

    def count_tables_of(self, client: str) -> int:
        """How many tables are kept that a client opened."""
        return int(self._db.execute("select count(*) from tables where client = ?", (client,)).fetchone()[0])

    def holdings(self, client: str | None = None) -> list[Holding]:
        """The tables of a client, or all, in short; those longest unused first."""
        found = self._db.execute(
            "select id, client, stage, opened from tables where ? is null or client = ? order by touched, rowid",
            (client, client),
        )
        return [Holding(*row) for row in found]

    def tables(self) -> list[str]:
        """All tables that are kept."""
        return [table for (table,) in self._db.execute("select id from tables")]

    def drop(self, tables: Iterable[str]) -> None:
        """Forget tables."""
        self._db.executemany("delete from tables where id = ?", [(table,) for table in tables])

    def drop_idle(self, before: float, new_before: float) -> list[str]:
        """Forget the tables and replays that nobody has used since a time, in seconds since 1970; the tables.

        Tables at which nobody ever moved are forgotten when nobody has used them since `new_before`.
        """
        found = self._db.execute(
            "select id from tables where touched < ? or (touched < ? and stage = ?)", (before, new_before, NEW)
        )
        gone = [table for (table,) in found]
        self.drop(gone)
        self._db.execute("delete from replays where touched < ?", (before,))
        return gone

    # --- Results --------------------------------------------------------------------------------------------------------

    def end_table(self, table: str, state: bytes, results: Iterable[Result]) -> None:
        """Keep that a table's game is over, what the table has become, and how it ended for people, all or nothing.

        The results of one table are counted once, however often this is called.
        """
        now = time.time()
        rows = [
            (
                table,
                one.seat,
                now,
                one.person,
                one.name,
                one.game,
                one.won,
                one.practice,
                *map(_encoded, (one.rounds, one.against)),
            )
            for one in results
        ]
        with self._db:
            self._db.execute("begin")
            self._db.execute(
                "update tables set state = ?, touched = ?, stage = ? where id = ?", (state, now, ENDED, table)
            )
            self._db.executemany("insert or ignore into results values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self._db.execute(
                "delete from results where ended < (select ended from results order by ended desc limit 1 offset ?)",
                (MOST_RESULTS - 1,),
            )

    def totals(self) -> list[Totals]:
        """The games of all people in short; whoever played most comes first. A name is written as it was at the last game."""
        found = self._db.execute(
            "select name, count(*) as played, sum(won), sum(practice), max(ended) from results group by person "
            "order by played desc, person"
        )
        return [Totals(*row) for row in found]

    def results_of(self, name: str) -> list[Result]:
        """The games of a person, the last one first."""
        found = self._db.execute(
            "select seat, name, game, won, practice, rounds, against from results where person = ? order by ended desc",
            (person_of(name),),
        )
        return [
            Result(
                seat,
                name,
                game,
                bool(won),
                bool(practice),
                msgspec.json.decode(rounds, type=tuple[tuple[str, bool], ...]),
                msgspec.json.decode(against, type=tuple[str, ...]),
            )
            for seat, name, game, won, practice, rounds, against in found
        ]

    # --- Replays --------------------------------------------------------------------------------------------------------

    def add_replay(self, replay: str, record: bytes, names: bytes, client: str = "") -> None:
        """Keep a record to be looked at; the same one twice is kept once."""
        values = (replay, record, names, time.time(), client)
        self._db.execute("insert or replace into replays values (?, ?, ?, ?, ?)", values)

    def drop_oldest_replay_of(self, client: str) -> None:
        """Forget the replay of a client that nobody has used for longest."""
        self._db.execute(
            "delete from replays where rowid = (select rowid from replays where client = ? order by touched limit 1)",
            (client,),
        )

    def count_replays_of(self, client: str) -> int:
        """How many replays are kept that came of a client."""
        return int(self._db.execute("select count(*) from replays where client = ?", (client,)).fetchone()[0])

    def most_replays(self) -> tuple[str, int]:
        """The client of whom most replays are kept, and how many; ("", 0) where none are kept."""
        found = self._db.execute("select client, count(*) as n from replays group by client order by n desc limit 1")
        client, count = found.fetchone() or ("", 0)
        return str(client), int(count)

    def replay(self, replay: str) -> tuple[bytes, bytes] | None:
        """(the record, names as JSON) of a replay that was kept, None where there is none."""
        found: Sequence[bytes] | None = self._db.execute(
            "select record, names from replays where id = ?", (replay,)
        ).fetchone()
        if found is None:
            return None
        with contextlib.suppress(sqlite3.OperationalError):  # it can be read, as on a full disk
            self._db.execute("update replays set touched = ? where id = ?", (time.time(), replay))
        return found[0], found[1]

    def count_replays(self) -> int:
        """How many replays are kept."""
        return int(self._db.execute("select count(*) from replays").fetchone()[0])


def _place_of(path: Path) -> tuple[int, int] | None:
    """Which file lies at a path, by its numbers; None where none does."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _encoded(value: object) -> bytes:
    return msgspec.json.encode(value)
