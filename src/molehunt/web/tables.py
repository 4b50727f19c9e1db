"""All tables of a server: opening them, finding them by their links, clearing away what nobody uses."""

from __future__ import annotations

import asyncio
import logging
import secrets
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from molehunt.core.errors import BadInput
from molehunt.core.language import _, later
from molehunt.core.processor_count import cores
from molehunt.core.record import Record
from molehunt.core.words import as_sentence
from molehunt.games.entry import canonical_name
from molehunt.table.session import Session
from molehunt.web.answers import NotFound
from molehunt.web.clients import Clients
from molehunt.web.frames import ListedTable
from molehunt.web.kept_replays import KeptReplays
from molehunt.web.messages import Setup
from molehunt.web.offers import check_setup
from molehunt.web.running_table import RunningTable
from molehunt.web.store import BEGUN, ENDED, NEW, Holding, Link, Row, Store
from molehunt.web.strain import Strain
from molehunt.web.table import WebTable, initial_state
from molehunt.web.table_pages import OVER, PLAYING, TableState
from molehunt.web.turns import Turns

_log = logging.getLogger("molehunt")

TOKEN_BYTES = 18
"""144 random bits in the address of a seat: nobody finds one by trying."""
SWEEP = 60.0
"""Seconds between two rounds of clearing away."""
JUMP = 600.0
"""So many seconds that the clock of the day goes on, or back, without as many passing, are a clock that was set."""
ASLEEP = 600.0
"""A table at which nobody has been for so many seconds is put out of memory, and taken from the store when somebody comes."""
MOST_LISTED = 50
"""So many open tables are shown in the lobby."""
FEW, BUSY, LATE = 3, 100, 0.1
"""Where more calls than BUSY wait for a thread, or among many tables the event loop is behind by LATE seconds, whoever has wished
for FEW tables lately sets no more; """
ONE, VERY_LATE = 1, 0.3
"""... and where it is behind by VERY_LATE seconds, whoever has wished for one."""
MANY = 50
"""So many tables in memory are many: with fewer, an event loop that is behind is a slow machine and no crowd."""
SOME = 0.5
"""A wish counts less as time goes by; it is one as long as more than half of it is left."""
FIRM = 1.0
"""Where a server is full and no table gives way, so many seconds pass before one is looked for again."""
AT_ONCE = 20
"""Where a server is full, up to one in so many of its tables is cleared away at once."""
GRACE, LONG_GRACE = 30.0, 600.0
"""Where a server is full, tables give way at which nobody ever moved: after so many seconds, or with a page open after so many."""
HAS_TO_WAIT = later("the server has much to do; your next table has to wait a moment")
SETS_A_TABLE = b"POST /api/tables "
_REFUSAL = msgspec.json.encode({"error": as_sentence(HAS_TO_WAIT)})
TURNED_AWAY = (
    b"HTTP/1.1 429 Too Many Requests\r\nconnection: close\r\ncontent-type: application/json\r\ncache-control: no-store\r\n"
    b"x-content-type-options: nosniff\r\nretry-after: 5\r\ncontent-length: %d\r\n\r\n%s" % (len(_REFUSAL), _REFUSAL)
)
"""The answer to who has to wait, made once."""


@dataclass(frozen=True)
class Limits:
    """How much a server takes.

    Tables and replays that are kept, pages open at one table, messages a second from a page, hours after which the idle go, and
    minutes after which those tables go at which no person has moved. A client (one address) may have so many tables at once, so
    many pages open, and make so many requests a second.
    """

    tables: int = 500
    replays: int = 2000
    pages: int = 30
    rate: float = 10.0
    keep_hours: float = 72.0
    new_minutes: float = 30.0
    client_tables: int = 20
    client_pages: int = 60
    client_requests: float = 50.0
    statistics: bool = True
    """Whether it is kept how the games of named people end."""
    workers: int = 0
    """Threads in which artificial players think; 0: one for each core."""
    any_player: bool = True
    """Whether all players think again in replays, for as long as the parameters in a record say; else those that tables offer."""


class TooMuch(BadInput):
    """A client asks for more than it may have; it is answered with the status 429."""


class Tables:
    """All tables of one server."""

    def __init__(self, store: Store, limits: Limits | None = None) -> None:
        self.store = store
        self.limits = limits or Limits()
        self._tables: dict[str, WebTable] = {}
        self._used: dict[str, float] = {}
        self.clients = Clients(self.limits.client_requests, self.limits.client_tables)
        self.turns = Turns(self.limits.workers or cores())
        self.strain = Strain()
        self.replays = KeptReplays(store, self.limits.replays, self.limits.any_player)
        self._sweeper: asyncio.Task[None] | None = None
        self.blind_games: Callable[[str, Record], None] | None = None
        """Who is given the finished games of tables that do not tell who is which, by the owner's token."""
        self._clock = time.time() - time.monotonic()
        """When the clock of the machine began, by the clock of the day: another time once that was set."""
        self._firm, self._firm_until = 0.0, 0.0
        """No table gives way to who has or wished for so many, and it need not be looked for before that time."""

    # --- The server's life ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to clear away, in the running event loop."""
        self._sweeper = asyncio.create_task(self._sweep())
        self.strain.start()

    def stop(self) -> None:
        """Stop all games; they are kept."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        self.strain.stop()
        for table in self._tables.values():
            table.sleep()
        self.turns.stop()
        self.store.close()

    @property
    def keeps_statistics(self) -> bool:
        """Whether it is kept how people's games end."""
        return self.limits.statistics

    async def in_turn(
        self, table: RunningTable, begins: Callable[[], None] | None, call: Callable[..., Any], *arguments: Any
    ) -> Any:
        """Do what takes long for a table, in a thread, when it is its turn."""
        return await self.turns.take(
            table.client, table.id, call, *arguments, begins=begins, urgent=lambda: table.is_attended
        )

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            try:
                if self.store.write_anew_if_gone():
                    _log.warning("%s was removed; all tables were written there again", self.store.path)
                self.clear_idle()
            except BadInput as error:
                _log.warning("what is played now is lost when the server stops: %s", error)
            except sqlite3.Error as error:  # as on a full disk, which has room again another time
                _log.warning("nothing can be cleared away: %s", self.store.fault(error))
            else:
                self.go_on()

    def go_on(self) -> None:
        """Take up the games that wait until the store can be written again, where a page is open."""
        for table in [table for table in self._tables.values() if table.pages and table.may_be_kept_now]:
            table.wake()

    def clear_idle(self) -> None:
        """Put sleeping tables out of memory, and forget those that nobody has used for `keep_hours`."""
        now = time.monotonic()
        clock = time.time() - now
        if abs(clock - self._clock) > JUMP:
            # Nobody has used a table less for it: each keeps the hours that it had left.
            self.store.shift(clock - self._clock)
            self._clock = clock
        for name, table in list(self._tables.items()):
            if table.pages or (table.runs and not table.waits_for_a_person):
                self._used[name] = now
            elif now - self._used[name] > ASLEEP:
                self._unload(name)
        self.store.touch(name for name, used in self._used.items() if now - used < 2 * SWEEP)
        today = time.time()
        for name in self.store.drop_idle(today - 3600 * self.limits.keep_hours, today - 60 * self.limits.new_minutes):
            self._forget(name)

    def _unload(self, name: str) -> None:
        self._tables.pop(name).sleep()
        self._used.pop(name, None)

    def _forget(self, name: str) -> None:
        """A table is no longer kept."""
        if name in self._tables:
            self._tables[name].close(later("the table was cleared away"))
            self._unload(name)

    # --- Tables ---------------------------------------------------------------------------------------------------------

    def open_table(self, setup: Setup, client: str = "") -> Link:
        """Set a table for a client; the owner's link. BadInput where it cannot be set, or where there are too many."""
        setup = msgspec.structs.replace(setup, game=canonical_name(setup.game))
        owner_name = check_setup(setup)
        table = self._add_table(setup, initial_state(setup, owner_name), client)
        return next(link for link in table.links if link.owner)

    def rematch(self, table: RunningTable, known: tuple[Any, ...] | None) -> WebTable:
        """A table set as this one was, with the same people on it and another deal.

        `known` is what its artificial players take along.
        """
        setup = msgspec.structs.replace(table.setup, seed=None)
        state = initial_state(setup, "")
        for seat, (name, spec) in enumerate(zip(table.state.names, table.state.specs, strict=True)):
            state.names[seat], state.specs[seat] = name, spec
        state.pace, state.known, state.talk.free = table.state.pace, known, table.state.talk.free
        return self._add_table(setup, state, table.client)

    def _has_to_wait(self, before: float) -> bool:
        """Whether the next table has to wait of a client who had wished for `before` lately: the server has much to do."""
        if before < ONE - SOME:
            return False
        late = self.strain.seconds if len(self._tables) >= MANY else 0.0
        return late > VERY_LATE or (before >= FEW - SOME and (late > LATE or self.turns.waiting > BUSY))

    def turned_away(self, address: str, request: bytes) -> bytes | None:
        """How a request is answered before it is read, where that is plain from its first line: a table that has to wait."""
        if not request.startswith(SETS_A_TABLE):
            return None
        client = self.clients.key(address)
        if not self._has_to_wait(self.clients.wished_lately(client)):
            return None
        self.clients.wishes_for_a_table(client)
        return TURNED_AWAY

    def _make_room(self, client: str) -> None:
        """See to it that a client may have one more table: BadInput, or one that nobody needs goes.

        Of a client's own tables those give way that are over or at which nobody ever moved. Where the server is full, that is true
        of all such tables, and those who have or wished for more tables also leave begun ones that nobody has open.
        """
        before = self.clients.wishes_for_a_table(client)
        if self._has_to_wait(before):
            raise TooMuch(_(HAS_TO_WAIT))
        if not self.clients.may_set_a_table(client):
            raise TooMuch(_("so many tables were set from your address that it has to wait a minute for the next one"))
        mine = self.store.count_tables_of(client)
        if mine >= self.limits.client_tables:
            give_way = [one for one in self.store.holdings(client) if one.stage != BEGUN and not self._is_open(one)]
            if not give_way:
                most = self.limits.client_tables
                raise TooMuch(
                    _(
                        "{number} tables from your address are in play, and {most} are the most; finish one first",
                        number=mine,
                        most=most,
                    )
                )
            self._drop(min(give_way, key=lambda one: one.stage != ENDED))
        elif self.store.count_tables() >= self.limits.tables:
            wanted, now = max(mine, before), time.monotonic()
            found = [] if wanted >= self._firm and now < self._firm_until else self._least_needed(mine, before)
            if not found:
                if now >= self._firm_until or wanted < self._firm:
                    self._firm, self._firm_until = wanted, now + FIRM
                raise BadInput(
                    _("all {number} tables of this server are taken; try again later", number=self.limits.tables)
                )
            for one in found:
                self._drop(one)

    def _least_needed(self, mine: int, before: float) -> list[Holding]:
        """Which of all tables give way to a client who has `mine` and had wished for `before` lately; empty where none does.

        Of those that are over, or new and not open, some go at once, so that this need not be asked again for the next one.
        """
        holdings = self.store.holdings()
        held = Counter(one.client for one in holdings)
        greed = {client: max(count, self.clients.wished_lately(client)) for client, count in held.items()}
        ranked = []
        for one in holdings:
            rank = self._rank(one, greed[one.client] > max(mine, before) + 1)
            if rank is not None:
                ranked.append((rank, -greed[one.client], one))
        ranked.sort(key=lambda found: found[:2])
        some = [one for rank, _, one in ranked[: max(1, self.limits.tables // AT_ONCE)] if rank <= 1]
        return some or [one for _, _, one in ranked[:1]]

    def _rank(self, one: Holding, has_more: bool) -> int | None:
        """How soon a table gives way where the server is full, 0 first; None: never.

        `has_more`: its client has more than the one who asks for room.
        """
        is_open = self._is_open(one)
        if one.stage == ENDED:
            return None if is_open else 0
        if one.stage == NEW:
            age = time.time() - one.opened
            return 1 + is_open if has_more or age > (LONG_GRACE if is_open else GRACE) else None
        return 3 if has_more and not is_open else None

    def _is_open(self, one: Holding) -> bool:
        """Whether a page of a table is open."""
        return one.id in self._tables and bool(self._tables[one.id].pages)

    def _drop(self, one: Holding) -> None:
        self.store.drop([one.id])
        self._forget(one.id)

    def _add_table(self, setup: Setup, state: TableState, client: str) -> WebTable:
        self._make_room(client)
        people = [seat for seat, wish in enumerate(setup.seats) if wish.kind != "agent"]
        owner = next((seat for seat, wish in enumerate(setup.seats) if wish.kind == "me"), None)
        links = [Link(_token(), seat, owner=seat == owner) for seat in people]
        links.append(Link(_token(), None, owner=False))
        if owner is None:
            links.append(Link(_token(), None, owner=True))
        if all(state.specs):
            state.phase = PLAYING
        row = Row(_token(), msgspec.json.encode(setup), msgspec.json.encode(state), tuple(links), (), client)
        self.store.add_table(row)
        table = self._load(WebTable(self, row))
        table.wake()
        return table

    def find(self, token: str) -> tuple[WebTable, Link]:
        """The table and the link of an address; NotFound where there is none."""
        name = self.store.table_of(token)
        if name is None:
            raise NotFound(_("there is no such table; it may have been cleared away"))
        table = self._tables.get(name)
        if table is None:
            row = self.store.table(name)
            if row is None:
                raise NotFound(_("there is no such table; it may have been cleared away"))
            table = self._load(WebTable(self, row))
        self._used[name] = time.monotonic()
        return table, next(link for link in table.links if link.token == token)

    def listed(self) -> list[ListedTable]:
        """The tables that are open to all and in use, for the lobby: first those with free seats, the newest first."""
        found = [
            table.listed()
            for table in reversed(self._tables.values())
            if table.setup.listed and table.state.phase != OVER
        ]
        return sorted(found, key=lambda one: not one.free)[:MOST_LISTED]

    def join(self, token: str, name: str, client: str = "") -> Link:
        """Take a free seat of a listed table, which the address of its watchers names; BadInput says why not.

        To join a table counts, for its client, as to set one.
        """
        table, link = self.find(token)
        if link.seat is not None:
            raise BadInput(_("this address is that of a seat; open it to sit down there"))
        if not self.clients.may_set_a_table(client):
            raise TooMuch(_("so many tables were set or joined from your address that it has to wait a minute"))
        return table.join_from_lobby(name, _token())

    def _load(self, table: WebTable) -> WebTable:
        self._tables[table.id] = table
        self._used[table.id] = time.monotonic()
        return table

    def clear(self, token: str) -> None:
        """The table of an address goes for good, if there is one."""
        name = self.store.table_of(token)
        if name is not None:
            self.store.drop([name])
            self._forget(name)

    # --- Finished games -------------------------------------------------------------------------------------------------

    def keep_replay(self, session: Session, client: str = "") -> str:
        """Keep a finished game of a client's table to be looked at; the name of the replay."""
        return self.replays.keep(session.record(), session.names, client)

    def keep_blind(self, links: Sequence[Link], record: Record) -> None:
        """Hand on a finished game of a table that does not tell who is which; no replay of it is kept."""
        if self.blind_games is not None:
            self.blind_games(next(link.token for link in links if link.owner), record)


def _token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)
