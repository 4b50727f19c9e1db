"""Where tables are kept: one SQLite file. Every move is in it before anybody is told of it, so a killed server loses none."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from molehunt.core.errors import BadInput

VERSION = 1
PATIENCE = 0.5
"""Seconds to wait for a file that another server may be about to let go."""
IN_MEMORY = Path(":memory:")

_SCHEMA = """
create table tables (id text primary key, setup blob not null, state blob not null, touched real not null);
create table links (token text primary key, table_id text not null references tables (id) on delete cascade, seat integer,
  owner integer not null);
create index links_of_a_table on links (table_id);
create table moves (table_id text not null references tables (id) on delete cascade, number integer not null, move text not null,
  primary key (table_id, number)) without rowid;
create table replays (id text primary key, record blob not null, names blob not null, touched real not null);
"""


@dataclass(frozen=True)
class Link:
    """An address of a table: for a seat (None: for watching), and whether it is the owner's."""

    token: str
    seat: int | None
    owner: bool


@dataclass(frozen=True)
class Row:
    """A table as it is kept: how it was set up and what it has become (both as JSON), its links and its moves in notation."""

    id: str
    setup: bytes
    state: bytes
    links: tuple[Link, ...]
    moves: tuple[str, ...]


class Store:
    """The file. One server at a time: BadInput where another one has it, or where it is no such file."""

    def __init__(self, path: Path = IN_MEMORY) -> None:
        try:
            if path != IN_MEMORY:
                path.parent.mkdir(parents=True, exist_ok=True)
            # What happens between two statements is one transaction only where it is said.
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=PATIENCE)
            self._db.execute("pragma locking_mode = exclusive")
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = normal")
            self._db.execute("pragma foreign_keys = on")
            self._prepare(path)
            if path != IN_MEMORY:
                path.chmod(0o600)
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise BadInput(f"another server uses {path}; name another file with --store") from None
            raise BadInput(f"tables cannot be kept in {path}: {error}") from None
        except (sqlite3.DatabaseError, OSError) as error:
            raise BadInput(f"tables cannot be kept in {path}: {error}") from None

    def _prepare(self, path: Path) -> None:
        self._db.execute("begin exclusive")
        (version,) = self._db.execute("pragma user_version").fetchone()
        if version == 0:
            for statement in _SCHEMA.split(";"):
                self._db.execute(statement)
            self._db.execute(f"pragma user_version = {VERSION}")
        self._db.execute("commit")
        if version not in (0, VERSION):
            raise BadInput(
                f"{path} was written by another version ({version}) of molehunt; name another file with --store"
            )

    def close(self) -> None:
        """Let the file go."""
        self._db.close()

    # --- Tables ---------------------------------------------------------------------------------------------------------

    def add_table(self, row: Row) -> None:
        """Keep a new table."""
        with self._db:
            self._db.execute("begin")
            self._db.execute("insert into tables values (?, ?, ?, ?)", (row.id, row.setup, row.state, time.time()))
            self.add_links(row.id, row.links)

    def add_links(self, table: str, links: Iterable[Link]) -> None:
        """Keep more addresses of a table."""
        rows = [(link.token, table, link.seat, link.owner) for link in links]
        self._db.executemany("insert into links values (?, ?, ?, ?)", rows)

    def set_state(self, table: str, state: bytes) -> None:
        """Keep what a table has become."""
        self._db.execute("update tables set state = ?, touched = ? where id = ?", (state, time.time(), table))

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

    def table(self, table: str) -> Row | None:
        """A table that was kept, None where there is none."""
        found = self._db.execute("select id, setup, state from tables where id = ?", (table,)).fetchone()
        if found is None:
            return None
        links = self._db.execute("select token, seat, owner from links where table_id = ?", (table,)).fetchall()
        moves = self._db.execute("select move from moves where table_id = ? order by number", (table,)).fetchall()
        addresses = tuple(Link(token, seat, bool(owner)) for token, seat, owner in links)
        return Row(found[0], found[1], found[2], addresses, tuple(move for (move,) in moves))

    def table_of(self, token: str) -> str | None:
        """The table that an address belongs to, None where there is no such address."""
        found = self._db.execute("select table_id from links where token = ?", (token,)).fetchone()
        return None if found is None else str(found[0])

    def count_tables(self) -> int:
        """How many tables are kept."""
        return int(self._db.execute("select count(*) from tables").fetchone()[0])

    def tables(self) -> list[str]:
        """All tables that are kept."""
        return [table for (table,) in self._db.execute("select id from tables")]

    def drop_idle(self, before: float) -> list[str]:
        """Forget the tables and replays that nobody has used since a time, in seconds since 1970; the tables."""
        gone = [table for (table,) in self._db.execute("select id from tables where touched < ?", (before,))]
        self._db.executemany("delete from tables where id = ?", [(table,) for table in gone])
        self._db.execute("delete from replays where touched < ?", (before,))
        return gone

    # --- Replays --------------------------------------------------------------------------------------------------------

    def add_replay(self, replay: str, record: bytes, names: bytes) -> None:
        """Keep a record to be looked at; the same one twice is kept once."""
        self._db.execute("insert or replace into replays values (?, ?, ?, ?)", (replay, record, names, time.time()))

    def replay(self, replay: str) -> tuple[bytes, bytes] | None:
        """(the record, names as JSON) of a replay that was kept, None where there is none."""
        found: Sequence[bytes] | None = self._db.execute(
            "select record, names from replays where id = ?", (replay,)
        ).fetchone()
        if found is None:
            return None
        self._db.execute("update replays set touched = ? where id = ?", (time.time(), replay))
        return found[0], found[1]

    def count_replays(self) -> int:
        """How many replays are kept."""
        return int(self._db.execute("select count(*) from replays").fetchone()[0])
