"""Finished games that a server keeps to be looked at, and what was last made of them: positions, minds, analyses."""

from __future__ import annotations

import functools
import hashlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Generic, TypeVar

import msgspec

from molehunt.analysis.analyse import analyse
from molehunt.analysis.findings import Analysis
from molehunt.core.errors import BadInput
from molehunt.core.language import _, language
from molehunt.core.meanwhile import machine_code
from molehunt.core.record import Record, parse_record
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game
from molehunt.table.reasons import session_of
from molehunt.table.session import Session
from molehunt.web.answers import NotFound
from molehunt.web.offers import is_offered
from molehunt.web.store import Store

MOST_HELD = 16
"""So many replays are held played through, with their minds, and analysed."""
Value = TypeVar("Value")


class Held(Generic[Value]):
    """The last MOST_HELD values by their names. Threads share them: a value that one makes, others wait for."""

    def __init__(self) -> None:
        self._values: dict[str, Future[Value]] = {}
        self._lock = threading.Lock()

    def get(self, name: str, make: Callable[[], Value]) -> Value:
        """The value of a name, made where it is not held; what `make` raises is raised to all who wait, and not held."""
        made: Future[Value] = Future()
        with self._lock:
            found = self._values.get(name)
            if found is None:
                self._hold(name, made)
        if found is not None:
            return found.result()
        try:
            made.set_result(make())
        except BaseException as error:  # noqa: BLE001 - raised below
            with self._lock:
                if self._values.get(name) is made:
                    del self._values[name]
            made.set_exception(error)
        return made.result()

    def _hold(self, name: str, value: Future[Value]) -> None:
        """Hold a value; the oldest goes."""
        while len(self._values) >= MOST_HELD:
            del self._values[next(iter(self._values))]
        self._values[name] = value


class KeptReplays:
    """The replays of a store, of which there are `most`.

    With `any_player`, all built-in players think again in them, for as long as the parameters in a record say; without, those that
    tables offer.
    """

    def __init__(self, store: Store, most: int, any_player: bool) -> None:
        self._store = store
        self._most = most
        self._any_player = any_player
        self._played: Held[Replay] = Held()
        self._sessions: Held[Session] = Held()
        self._analyses: Held[Analysis] = Held()
        """By name and language."""

    def keep(self, record: Record, names: tuple[str, ...], client: str) -> str:
        """Keep a game that was played here by people or players of these names, for a client; the name of the replay.

        Where there are too many, the oldest goes of whoever has most; BadInput where that is nobody who has more than this client.
        """
        line = record.line()
        name = hashlib.sha256(line + msgspec.json.encode(names)).hexdigest()[:24]
        if self._store.count_replays() >= self._most:
            holder, count = self._store.most_replays()
            if not count or (holder != client and count <= self._store.count_replays_of(client)):
                raise BadInput(_("all {number} replays of this server are taken; try again later", number=self._most))
            self._store.drop_oldest_replay_of(holder)
        self._store.add_replay(name, line, msgspec.json.encode(names), client)
        return name

    def keep_record(self, record: Record, client: str = "") -> str:
        """Keep a record that somebody brings, once it has been played through; BadRecord where it cannot be."""
        session = self._thought_through(record)
        name = self.keep(record, session.names, client)
        self._sessions.get(name, lambda: session)
        return name

    def find(self, name: str) -> tuple[Record, tuple[str, ...]]:
        """A record that was kept, and the names of those who played it; NotFound where there is none."""
        found = self._store.replay(name)
        if found is None:
            raise NotFound(_("there is no such replay; it may have been cleared away"))
        return parse_record(found[0]), msgspec.json.decode(found[1], type=tuple[str, ...])

    def played(self, name: str) -> Replay:
        """The moves of a replay, played again."""
        return self._played.get(name, lambda: Replay(self.find(name)[0], make_game))

    def thought(self, name: str) -> Session:
        """The game of a replay with the minds of its players, played through; not to be changed, as others look at it, too."""
        return self._sessions.get(name, lambda: self._thought_through(*self.find(name)))

    def analysed(self, name: str) -> Analysis:
        """What is found by looking at a replay again, in the language that is spoken."""
        return self._analyses.get(f"{name} {language()}", lambda: self._analyse(name))

    def _analyse(self, name: str) -> Analysis:
        record, names = self.find(name)
        with machine_code(record.game):
            return analyse(self.played(name), names)

    def _thought_through(self, record: Record, names: Sequence[str] = ()) -> Session:
        return session_of(record, names, None if self._any_player else functools.partial(is_offered, record.game))
