"""The connections of the server: how many there are, whose they are, and which are cut because nothing comes of them.

The library that speaks HTTP lets a socket stay open for ever that sends nothing, or half of a request. Here each connection is
known by its client; where there are too many, those who have most of them give way.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from molehunt.web.clients import Networks, network_of

SWEEP = 1.0
"""Seconds between two looks at all connections."""
LINGERS = 10.0
"""Seconds after which a connection is cut that is being closed, or whose other side does not read what it is sent."""
UNSENT = 4 * 1024
"""Bytes that may wait to be sent to a page, in the process and in the system each: beyond that it is sent the latest table only,
once it has read. The usual limits hold a minute of a slow line, and so old is what is seen there."""
FULL = b"this server has as many connections as it takes; try again soon\n"
REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 5\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(FULL), FULL)
)


@dataclass(eq=False)
class Held:
    """A connection: its transport, what it does (`state`), and since when. `is_page` once a page has opened its line."""

    transport: asyncio.Transport
    client: str
    state: Callable[[], Hashable]
    is_page: bool = False
    seen: Hashable = None
    since: float = field(default_factory=time.monotonic)


REQUEST, ANSWER, PAGE, UNREAD, CLOSING = "request", "answer", "page", "unread", "closing"
"""What a connection does: it is to send (the rest of) a request, it is answered, it is a page's line, the other side does not read,
it is being closed."""


class Doorkeeper:
    """Lets connections in, at most `most` in all and `most_of_one` of a client, and cuts those of which nothing comes.

    A request must be there whole `patience` seconds after its connection was opened, or after the answer before it. `shared` are
    addresses that stand for many clients, and networks of such: those of proxies, which have no limit of their own.
    """

    def __init__(self, most: int, most_of_one: int, patience: float, shared: frozenset[str] = frozenset()) -> None:
        self.most = most
        self.most_of_one = most_of_one
        self.patience = patience
        self.shared = Networks(shared)
        self.turns_away: Callable[[str, bytes], bytes | None] | None = None
        """What a request of a client is answered before it is read, told from its first bytes; None: it is read."""
        self.cut = 0
        """How many connections were cut or not let in."""
        self._held: dict[asyncio.Transport, Held] = {}
        self._of: dict[str, set[Held]] = {}
        self._sweeping: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._held)

    # --- Coming and going -----------------------------------------------------------------------------------------------

    def admit(self, transport: asyncio.Transport, state: Callable[[], Hashable]) -> bool:
        """Let a connection in, or refuse it; `state` says what it does, as REQUEST or (REQUEST, which one)."""
        address = transport.get_extra_info("peername")
        client = str(address[0]) if address else ""
        if client not in self.shared:
            client = network_of(client)
        mine = len(self._of.get(client, ()))
        if client not in self.shared and mine >= self.most_of_one:
            victim = self._idlest(client)
            if victim is None:
                return self._refuse(transport)
            self._drop(victim)
        elif len(self._held) >= self.most:
            crowd = max(self._of, key=lambda other: len(self._of[other]))
            victim = self._idlest(crowd) or (self._oldest(crowd) if len(self._of[crowd]) > mine + 1 else None)
            if victim is None:
                return self._refuse(transport)
            self._drop(victim)
        held = self._held[transport] = Held(transport, client, state, seen=state())
        self._of.setdefault(client, set()).add(held)
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(SWEEP, self._sweep)
        return True

    def opens_page(self, transport: asyncio.Transport, state: Callable[[], Hashable]) -> None:
        """A connection that was let in becomes a page's line."""
        held = self._held.get(transport)
        if held is not None:
            held.is_page, held.state, held.since = True, state, time.monotonic()

    def turned_away(self, transport: asyncio.Transport, begins: bytes) -> bool:
        """Whether a request that begins so is answered here, and its connection closed."""
        held = self._held.get(transport)
        if held is None or self.turns_away is None or held.client in self.shared:
            return False
        told = self.turns_away(held.client, begins)
        if told is None:
            return False
        self.cut += 1
        transport.write(told)
        transport.close()
        return True

    def leave(self, transport: asyncio.Transport) -> None:
        """A connection is gone."""
        held = self._held.pop(transport, None)
        if held is not None:
            mine = self._of[held.client]
            mine.discard(held)
            if not mine:
                del self._of[held.client]

    def _refuse(self, transport: asyncio.Transport) -> bool:
        self.cut += 1
        transport.write(REFUSAL)
        transport.close()
        return False

    def _drop(self, held: Held) -> None:
        self.cut += 1
        self.leave(held.transport)
        held.transport.abort()

    def _idlest(self, client: str) -> Held | None:
        """The connection of a client that has been silent for longest: no page's line, and not being answered."""
        silent = [held for held in self._of[client] if not held.is_page and _kind(held.state()) != ANSWER]
        return min(silent, key=lambda held: held.since, default=None)

    def _oldest(self, client: str) -> Held | None:
        return min(self._of[client], key=lambda held: held.since, default=None)

    # --- Looking after them ---------------------------------------------------------------------------------------------

    def _sweep(self) -> None:
        self._sweeping = None
        self.look(time.monotonic())
        if self._held:
            self._sweeping = asyncio.get_running_loop().call_later(SWEEP, self._sweep)

    def look(self, now: float) -> None:
        """Cut what has been silent, unread or closing for too long."""
        for held in [*self._held.values()]:
            state = (CLOSING,) if held.transport.is_closing() else held.state()
            if state != held.seen:
                held.seen, held.since = state, now
            waited = now - held.since
            kind = _kind(state)
            if (kind == REQUEST and waited > self.patience) or (kind in {UNREAD, CLOSING} and waited > LINGERS):
                self._drop(held)


def _kind(state: Hashable) -> Hashable:
    return state[0] if isinstance(state, tuple) else state


def watched(  # noqa: C901 - two small classes
    door: Doorkeeper,
) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """How a server speaks HTTP and over a page's line, its connections kept by a doorkeeper: uvicorn's `http` and `ws`."""
    from uvicorn.protocols.http.h11_impl import H11Protocol
    from uvicorn.protocols.utils import ClientDisconnected
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

    class WatchedHTTP(H11Protocol):
        """One connection that speaks HTTP."""

        admitted = False
        answered = 0

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.admitted = door.admit(transport, self.doing)

        def data_received(self, data: bytes) -> None:
            if self.admitted and not (self.waits_for_a_request and door.turned_away(self.transport, data)):
                super().data_received(data)

        def connection_lost(self, exc: Exception | None) -> None:
            door.leave(self.transport)
            super().connection_lost(exc)

        def on_response_complete(self) -> None:
            self.answered += 1
            super().on_response_complete()

        @property
        def waits_for_a_request(self) -> bool:
            """Whether what comes next is the beginning of a request."""
            cycle: Any = self.cycle  # None before the first request
            return (cycle is None or bool(cycle.response_complete)) and not self.conn.trailing_data[0]

        def doing(self) -> Hashable:
            cycle: Any = self.cycle
            if self.flow.write_paused:
                return UNREAD
            if cycle is None or cycle.response_complete or cycle.more_body:
                return REQUEST, self.answered
            return ANSWER

    class WatchedLine(WebSocketsSansIOProtocol):
        """The line of one page."""

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            transport.set_write_buffer_limits(high=UNSENT)
            line = transport.get_extra_info("socket")
            if line is not None and hasattr(socket, "TCP_NOTSENT_LOWAT"):
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT)
            door.opens_page(transport, self.doing)

        async def send(self, message: Any) -> None:
            if self.transport.is_closing():  # asyncio would log each frame that it cannot send
                raise ClientDisconnected
            await super().send(message)

        def doing(self) -> Hashable:
            # Who reads slowly reads: less waits than before.
            return PAGE if self.writable.is_set() else (UNREAD, self.transport.get_write_buffer_size())

        def connection_lost(self, exc: Exception | None) -> None:
            door.leave(self.transport)
            super().connection_lost(exc)

    return WatchedHTTP, WatchedLine
