"""Who thinks next: all that takes long waits here for a free thread, and the tables take turns.

First the clients take turns, then the tables of each: whoever sets more tables is not thought for more often, and a table that
asks for much at once waits for itself alone. Where somebody sits and waits comes before tables of artificial players alone, which
have one turn of EVERY.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

EVERY = 4


@dataclass(frozen=True)
class _Wish:
    """What is to be done in a thread; `begins` is called in the event loop when its turn has come.

    `urgent` says whether somebody waits for it now.
    """

    call: Callable[..., Any]
    arguments: tuple[Any, ...]
    answer: asyncio.Future[Any]
    begins: Callable[[], None] | None
    urgent: Callable[[], bool] | None


class Turns:
    """Threads that tables share fairly. Everything but the calls themselves happens in the event loop."""

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, "thinking")
        self._free = threads
        self._waiting: OrderedDict[str, OrderedDict[str, deque[_Wish]]] = OrderedDict()
        """By client and table, each in the order in which it is their turn."""
        self._turn = 0

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

        `urgent` is asked again whenever a turn is given; without it, somebody waits.
        """
        wish = _Wish(call, arguments, asyncio.get_running_loop().create_future(), begins, urgent)
        self._waiting.setdefault(client, OrderedDict()).setdefault(table, deque()).append(wish)
        self._go_on()
        return await wish.answer

    def stop(self) -> None:
        """Nothing more is begun; what runs is not waited for."""
        self._waiting.clear()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _go_on(self) -> None:
        """Give free threads to those whose turn it is."""
        while self._free and self._waiting:
            wish = self._next()
            if wish.answer.done():  # nobody waits for it any longer
                continue
            self._free -= 1
            if wish.begins is not None:
                wish.begins()
            loop = wish.answer.get_loop()
            done = self._pool.submit(wish.call, *wish.arguments)
            done.add_done_callback(partial(_tell, loop, self._ended, wish))

    def _next(self) -> _Wish:
        """The wish whose turn it is; its client and its table go to the end of their lines."""
        self._turn += 1
        client, table = (self._first_urgent() if self._turn % EVERY else None) or self._first()
        tables = self._waiting.pop(client)
        wishes = tables.pop(table)
        wish = wishes.popleft()
        if wishes:
            tables[table] = wishes
        if tables:
            self._waiting[client] = tables
        return wish

    def _first(self) -> tuple[str, str]:
        client, tables = next(iter(self._waiting.items()))
        return client, next(iter(tables))

    def _first_urgent(self) -> tuple[str, str] | None:
        """The first in line for whom somebody waits; None where there is nobody."""
        for client, tables in self._waiting.items():
            for table, (wish, *_) in tables.items():
                if wish.urgent is None or wish.urgent():
                    return client, table
        return None

    def _ended(self, wish: _Wish, done: Future[Any]) -> None:
        self._free += 1
        if not wish.answer.done():
            error = done.exception()
            if error is None:
                wish.answer.set_result(done.result())
            else:
                wish.answer.set_exception(error)
        self._go_on()


def _tell(loop: asyncio.AbstractEventLoop, ended: Callable[..., None], wish: _Wish, done: Future[Any]) -> None:
    """Tell the event loop that a call has ended, unless the server has stopped meanwhile."""
    if not done.cancelled() and not loop.is_closed():
        loop.call_soon_threadsafe(ended, wish, done)
