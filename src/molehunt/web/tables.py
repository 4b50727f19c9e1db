"""All tables of a server: opening them, finding them by their links, clearing away what nobody uses."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from molehunt.core.errors import BadInput
from molehunt.core.record import Record, parse_record
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game
from molehunt.table.reasons import session_of
from molehunt.table.session import Session
from molehunt.web.messages import Setup
from molehunt.web.offers import check_setup
from molehunt.web.store import Link, Row, Store
from molehunt.web.table import WebTable, initial_state
from molehunt.web.table_pages import PLAYING, TableState

TOKEN_BYTES = 18
"""144 random bits in the address of a seat: nobody finds one by trying."""
SWEEP = 60.0
"""Seconds between two rounds of clearing away."""
ASLEEP = 600.0
"""A table at which nobody has been for so many seconds is put out of memory, and taken from the store when somebody comes."""
HELD_REPLAYS = 16
Held = TypeVar("Held")


@dataclass(frozen=True)
class Limits:
    """How much a server takes.

    Tables and replays that are kept, pages open at one table, messages a second from a page, hours after which the idle go.
    """

    tables: int = 500
    replays: int = 2000
    pages: int = 30
    rate: float = 10.0
    keep_hours: float = 72.0
    workers: int = 0
    """Threads in which artificial players think; 0: one for each core."""


class NotFound(BadInput):
    """There is no table or replay at an address; a page that asks for it is answered with the status 404."""


class Tables:
    """All tables of one server."""

    def __init__(self, store: Store, limits: Limits | None = None) -> None:
        self.store = store
        self.limits = limits or Limits()
        self._tables: dict[str, WebTable] = {}
        self._used: dict[str, float] = {}
        self._threads = ThreadPoolExecutor(self.limits.workers or os.cpu_count() or 2, "thinking")
        self._played: dict[str, Replay] = {}
        self._sessions: dict[str, Session] = {}
        self._sweeper: asyncio.Task[None] | None = None

    # --- The server's life ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to clear away, in the running event loop."""
        self._sweeper = asyncio.create_task(self._sweep())

    def stop(self) -> None:
        """Stop all games; they are kept."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        for table in self._tables.values():
            table.sleep()
        self._threads.shutdown(wait=False, cancel_futures=True)
        self.store.close()

    async def in_thread(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Do what takes long in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *arguments)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            self.clear_idle()

    def clear_idle(self) -> None:
        """Put sleeping tables out of memory, and forget those that nobody has used for `keep_hours`."""
        now = time.monotonic()
        for name, table in list(self._tables.items()):
            if table.pages or (table.runs and not table.waits_for_a_person):
                self._used[name] = now
            elif now - self._used[name] > ASLEEP:
                self._unload(name)
        self.store.touch(self._tables)
        for name in self.store.drop_idle(time.time() - 3600 * self.limits.keep_hours):
            if name in self._tables:
                self._unload(name)

    def _unload(self, name: str) -> None:
        self._tables.pop(name).sleep()
        self._used.pop(name, None)

    # --- Tables ---------------------------------------------------------------------------------------------------------

    def open_table(self, setup: Setup) -> Link:
        """Set a table; the owner's link. BadInput where it cannot be set, or where there are too many."""
        owner_name = check_setup(setup)
        table = self._add_table(setup, initial_state(setup, owner_name))
        return next(link for link in table.links if link.owner)

    def rematch(self, table: WebTable) -> WebTable:
        """A table set as this one was, with the same people on it and another deal."""
        setup = msgspec.structs.replace(table.setup, seed=None)
        state = initial_state(setup, "")
        for seat, (name, spec) in enumerate(zip(table.state.names, table.state.specs, strict=True)):
            state.names[seat], state.specs[seat] = name, spec
        state.pace = table.state.pace
        return self._add_table(setup, state)

    def _add_table(self, setup: Setup, state: TableState) -> WebTable:
        if self.store.count_tables() >= self.limits.tables:
            raise BadInput(f"all {self.limits.tables} tables of this server are taken; try again later")
        people = [seat for seat, wish in enumerate(setup.seats) if wish.kind != "agent"]
        owner = next((seat for seat, wish in enumerate(setup.seats) if wish.kind == "me"), None)
        links = [Link(_token(), seat, owner=seat == owner) for seat in people]
        links.append(Link(_token(), None, owner=owner is None))
        if all(state.specs):
            state.phase = PLAYING
        row = Row(_token(), msgspec.json.encode(setup), msgspec.json.encode(state), tuple(links), ())
        self.store.add_table(row)
        table = self._load(WebTable(self, row))
        table.wake()
        return table

    def find(self, token: str) -> tuple[WebTable, Link]:
        """The table and the link of an address; NotFound where there is none."""
        name = self.store.table_of(token)
        if name is None:
            raise NotFound("there is no such table; it may have been cleared away")
        table = self._tables.get(name)
        if table is None:
            row = self.store.table(name)
            if row is None:
                raise NotFound("there is no such table; it may have been cleared away")
            table = self._load(WebTable(self, row))
        self._used[name] = time.monotonic()
        return table, next(link for link in table.links if link.token == token)

    def _load(self, table: WebTable) -> WebTable:
        self._tables[table.id] = table
        self._used[table.id] = time.monotonic()
        return table

    # --- Replays --------------------------------------------------------------------------------------------------------

    def keep_replay(self, session: Session) -> str:
        """Keep a finished game to be looked at; the name of the replay."""
        return self._keep(session.record(), session.names)

    def keep_record(self, record: Record) -> str:
        """Keep a record to be looked at, once it has been played through; BadRecord where it cannot be."""
        session = session_of(record)
        name = self._keep(record, session.names)
        _hold(self._sessions, name, session)
        return name

    def _keep(self, record: Record, names: tuple[str, ...]) -> str:
        line = record.line()
        name = hashlib.sha256(line + msgspec.json.encode(names)).hexdigest()[:24]
        if self.store.count_replays() >= self.limits.replays:
            raise BadInput(f"all {self.limits.replays} replays of this server are taken; try again later")
        self.store.add_replay(name, line, msgspec.json.encode(names))
        return name

    def replay(self, name: str) -> tuple[Record, tuple[str, ...]]:
        """A record that was kept, and the names of those who played it; NotFound where there is none."""
        found = self.store.replay(name)
        if found is None:
            raise NotFound("there is no such replay; it may have been cleared away")
        return parse_record(found[0]), msgspec.json.decode(found[1], type=tuple[str, ...])

    def played(self, name: str) -> Replay:
        """The moves of a replay, played again; the last ones are held."""
        if name not in self._played:
            record, _ = self.replay(name)
            _hold(self._played, name, Replay(record, make_game))
        return self._played[name]

    def replayed(self, name: str) -> Session:
        """The game of a replay with the minds of its players, played through; the last ones are held."""
        if name not in self._sessions:
            record, names = self.replay(name)
            _hold(self._sessions, name, session_of(record, names))
        return self._sessions[name]


def _hold(held: dict[str, Held], name: str, value: Held) -> None:
    """Hold a value by its name; the oldest goes."""
    while len(held) >= HELD_REPLAYS:
        held.pop(next(iter(held)))
    held[name] = value


def _token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)
