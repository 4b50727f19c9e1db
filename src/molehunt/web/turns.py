"""Who thinks next: all that takes long waits here for a free thread, and the tables take turns.

The client is next for whom least was thought lately, so somebody new comes before any crowd; then the tables of each client
take turns: whoever sets more tables is not thought for more often, and a table that asks for much at once waits for itself alone.
Where somebody sits and waits comes before tables of artificial players alone. One turn of EVERY goes by the time of waiting
alone, so that nobody waits for ever.

A player of a file, or of a package, may never come back. While it is long about something, a further thread does the work of its
own; in the end who waits for it is told, and the thread is made to leave it.
"""

from __future__ import annotations

import asyncio
import ctypes
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from threading import Thread
from types import FrameType
from typing import Any

from molehunt.agents.own_files import place_in_players
from molehunt.core.errors import AgentFailure
from molehunt.core.language import _

EVERY = 4
LONG = 0.1
"""Seconds of thinking that count as one more turn."""
LATELY = 10.0
"""After so many seconds, turns that were had count half."""
LOOK = 1.0
"""Seconds between two looks at what threads are at."""
LATE = 5.0
"""After so many seconds a call that is in players of others is long about it: a further thread is lent."""
GIVEN_UP = 120.0
"""A player of others that is at one thing for so many seconds is waited for no longer."""
MOST_LENT = 64
"""So many further threads at most do the work of those that are in players of others for long."""


@dataclass(frozen=True, eq=False)
class _Wish:
    """What is to be done in a thread; `begins` is called in the event loop when its turn has come.

    `urgent` says whether somebody waits for it now; `context` holds the language of who wished for it.
    """

    call: Callable[..., Any]
    arguments: tuple[Any, ...]
    answer: asyncio.Future[Any]
    begins: Callable[[], None] | None
    urgent: Callable[[], bool] | None
    context: Context


@dataclass(eq=False)
class _Call:
    """A call as a thread has it: `thread` is its number, 0 before it has begun.

    `entered` is the call by which it is in a player of others, seen there first at `since`: a game that is taken up asks each
    player for many moves, and may well take longer than any of them.
    `is_lent` where a further thread was begun for it, `is_given_up` where nobody waits any longer: its thread ends with it.
    """

    call: Callable[[], Any]
    done: Future[Any] = field(default_factory=Future)
    thread: int = 0
    entered: FrameType | None = None
    since: float = 0.0
    is_lent: bool = False
    is_given_up: bool = False


class _Threads:
    """Threads for which the end of the program does not wait: a player may think for long, or for ever.

    (Those of `concurrent.futures` are waited for.)
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._calls: SimpleQueue[_Call | None] = SimpleQueue()
        self._begun = 0
        self._stopped = False

    def submit(self, call: Callable[[], Any]) -> _Call:
        """Have a thread call something; RuntimeError once they are stopped."""
        if self._stopped:
            raise RuntimeError("nothing more is begun")
        if self._begun < self._number:
            self._begun += 1
            Thread(target=self._work, name=f"thinking {self._begun}", daemon=True).start()
        wanted = _Call(call)
        self._calls.put(wanted)
        return wanted

    def lend(self) -> None:
        """There may be one thread more."""
        self._number += 1

    def take_back(self, ended: _Call) -> None:
        """There is one thread less, now that a call has ended for which one was lent."""
        self._number -= 1
        self._begun -= 1
        if not ended.is_given_up:
            self._calls.put(None)

    def stop(self) -> None:
        """Nothing more is begun."""
        self._stopped = True
        for _thread in range(self._begun):
            self._calls.put(None)

    def _work(self) -> None:
        while (wanted := self._calls.get()) is not None:
            wanted.thread = threading.get_ident()
            _do(wanted)
            wanted.entered = None
            if wanted.is_given_up:
                return
            del wanted  # what was thought is not kept until the next call


def _do(wanted: _Call) -> None:
    try:
        found = wanted.call()
    except BaseException as error:  # noqa: BLE001 - raised where it is waited for
        wanted.done.set_exception(error)
    else:
        wanted.done.set_result(found)


def _make_leave(thread: int) -> None:
    """Raise SystemExit in another thread, as soon as it is in Python: not while it sleeps, or where it takes no error."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(SystemExit))


class Turns:
    """Threads that tables share fairly. Everything but the calls themselves happens in the event loop."""

    def __init__(self, threads: int) -> None:
        self._pool = _Threads(threads)
        self._free = threads
        self._lent = 0
        self._running: dict[_Call, tuple[float, _Wish]] = {}
        """What threads are at, by call: since when, and for whose wish."""
        self._looking: asyncio.TimerHandle | None = None
        self._waiting: OrderedDict[str, OrderedDict[str, deque[_Wish]]] = OrderedDict()
        """By client and table, those first who have waited longest since their last turn."""
        self._turn = 0
        self._had: Counter[str] = Counter()
        """How many turns a client has had lately, a long one counted as several."""
        self._halved = time.monotonic()

    @property
    def waiting(self) -> int:
        """How many calls wait for a thread."""
        return sum(len(wishes) for tables in self._waiting.values() for wishes in tables.values())

    async def take(
        self,
        client: str,
        table: str,
        call: Callable[..., Any],
        *arguments: Any,
        begins: Callable[[], None] | None = None,
        urgent: Callable[[], bool] | None = None,
    ) -> Any:
        """Call in a thread when it is the turn of this client's table; what it gives. `begins` is told that the turn has come.

        What the call raises is raised here; StopIteration, SystemExit and KeyboardInterrupt as a RuntimeError. AgentFailure where a
        player of a file, or of a package, has been at one thing for GIVEN_UP seconds.
        `urgent` is asked again whenever a turn is given; without it, somebody waits.
        """
        wish = _Wish(call, arguments, asyncio.get_running_loop().create_future(), begins, urgent, copy_context())
        self._waiting.setdefault(client, OrderedDict()).setdefault(table, deque()).append(wish)
        self._go_on()
        try:
            return await wish.answer
        except asyncio.CancelledError:
            self._take_back(client, table, wish)
            raise

    def stop(self) -> None:
        """Nothing more is begun; what runs is not waited for."""
        self._waiting.clear()
        if self._looking is not None:
            self._looking.cancel()
        self._pool.stop()

    def _go_on(self) -> None:
        """Give free threads to those whose turn it is."""
        while self._free and self._waiting:
            client, wish = self._next()
            if wish.answer.done():  # nobody waits for it any longer
                continue
            self._free -= 1
            self._had[client] += 1
            if wish.begins is not None:
                wish.begins()
            loop = wish.answer.get_loop()
            begun = self._pool.submit(partial(wish.context.run, wish.call, *wish.arguments))
            now = time.monotonic()
            self._running[begun] = now, wish
            begun.done.add_done_callback(partial(_tell, loop, partial(self._ended, client, now, wish, begun)))
            if self._looking is None:
                self._looking = loop.call_later(LOOK, self._look, loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """See to it that others do not wait for calls that a player of others is long about, and nobody for ever."""
        now = time.monotonic()
        for call, (began, wish) in list(self._running.items()):
            if not call.done.done():
                self._look_at(call, now, now - began >= LATE, wish)
        self._looking = loop.call_later(LOOK, self._look, loop) if self._running else None

    def _look_at(self, call: _Call, now: float, is_late: bool, wish: _Wish) -> None:
        entered, place = place_in_players(call.thread)
        if entered is not call.entered:
            call.entered, call.since = entered, now
        if place and is_late and not call.is_lent and self._lent < MOST_LENT:
            call.is_lent = True
            self._lent += 1
            self._free += 1
            self._pool.lend()
            self._go_on()
        if place and now - call.since >= GIVEN_UP:
            call.is_given_up = call.is_lent
            if not wish.answer.done():
                # A copy: the thread is in the context itself.
                wish.answer.set_exception(AgentFailure(wish.context.copy().run(_not_answered, place)))
            if call.is_given_up:
                _make_leave(call.thread)

    def _take_back(self, client: str, table: str, wish: _Wish) -> None:
        """Nobody waits for a wish any longer: where it has not begun, it is forgotten."""
        tables = self._waiting.get(client, OrderedDict())
        wishes = tables.get(table, deque())
        if wish in wishes:
            wishes.remove(wish)
            if not wishes:
                del tables[table]
            if not tables:
                del self._waiting[client]

    def _next(self) -> tuple[str, _Wish]:
        """(client, wish) whose turn it is; the client and the table go to the end of their lines."""
        self._turn += 1
        client, table = (self._first_urgent() if self._turn % EVERY else None) or self._first()
        tables = self._waiting.pop(client)
        wishes = tables.pop(table)
        wish = wishes.popleft()
        if wishes:
            tables[table] = wishes
        if tables:
            self._waiting[client] = tables
        return client, wish

    def _first(self) -> tuple[str, str]:
        client, tables = next(iter(self._waiting.items()))
        return client, next(iter(tables))

    def _first_urgent(self) -> tuple[str, str] | None:
        """Of those tables where somebody waits, the first of the client who had fewest turns lately; None where there are none."""
        self._forget(time.monotonic())
        found: tuple[str, str] | None = None
        fewest = 0
        for client, tables in self._waiting.items():
            had = self._had.get(client, 0)
            if found is not None and had >= fewest:
                continue
            for table, wishes in tables.items():
                urgent = wishes[0].urgent
                if urgent is None or urgent():
                    found, fewest = (client, table), had
                    break
            if found is not None and not fewest:
                break
        return found

    def _forget(self, now: float) -> None:
        """Turns that were had a while ago count less and less."""
        if now - self._halved > LATELY:
            self._halved = now
            self._had = Counter({client: turns // 2 for client, turns in self._had.items() if turns > 1})

    def _ended(self, client: str, began: float, wish: _Wish, call: _Call, done: Future[Any]) -> None:
        del self._running[call]
        if call.is_lent:
            self._lent -= 1
            self._pool.take_back(call)
        else:
            self._free += 1
        self._had[client] += int((time.monotonic() - began) / LONG)
        if not wish.answer.done():
            error = done.exception()
            if error is None:
                wish.answer.set_result(done.result())
            else:
                wish.answer.set_exception(_bearable(error))
        self._go_on()


def _bearable(error: BaseException) -> Exception:
    """An error of a call as it may come out of an await.

    One that leaves a program (SystemExit) would end the event loop and so the server, and StopIteration no future takes.
    """
    if isinstance(error, Exception) and not isinstance(error, StopIteration):
        return error
    borne = RuntimeError(f"{type(error).__name__}({error})")
    borne.__cause__ = error
    return borne


def _not_answered(place: str) -> str:
    return _("a player has not answered for {seconds} seconds ({place})", seconds=int(GIVEN_UP), place=place)


def _tell(loop: asyncio.AbstractEventLoop, ended: Callable[[Future[Any]], None], done: Future[Any]) -> None:
    """Tell the event loop that a call has ended, unless the server has stopped meanwhile."""
    if not done.cancelled() and not loop.is_closed():
        loop.call_soon_threadsafe(ended, done)
