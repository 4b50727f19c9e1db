"""Who asks: one client is one address, and has so much of the server. Nobody's address is kept; a key stands for it."""

from __future__ import annotations

import hashlib
import ipaddress
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

NETWORK_BITS = 64
"""So many bits of an IPv6 address are the network's: one household has all addresses that begin with them."""
MOST_KNOWN = 10_000
"""Clients that are remembered; beyond that those are forgotten who have asked for nothing lately."""


def client_of(scope: Mapping[str, Any], clients: Clients) -> str:
    """What stands for the client of a request, whose ASGI scope this is."""
    client = scope.get("client")
    return clients.key(client[0] if client else "")


def usual_form(address: str) -> str:
    """The address as it is usually written; one of IPv4 also where it stands in one of IPv6, as a socket of both names it."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found)


class Networks:
    """Networks, among them single addresses: an address is in them that lies in one of them, however it is written."""

    def __init__(self, named: Iterable[str]) -> None:
        self._all = [*map(ipaddress.ip_network, named)]

    def __contains__(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(usual_form(address))
        except ValueError:
            return False
        return any(found in each for each in self._all)


def network_of(address: str) -> str:
    """The address, or of an IPv6 address its network: what one client can have, and no more than that."""
    usual = usual_form(address)
    try:
        found = ipaddress.IPv6Address(usual)
    except ValueError:
        return usual
    return str(ipaddress.ip_network((found, NETWORK_BITS), strict=False))


class Allowance:
    """So many at once, and so many a second after that."""

    def __init__(self, burst: float, rate: float, now: float) -> None:
        self.burst = burst
        self.rate = rate
        self._left = burst
        self._since = now

    def take(self, now: float) -> bool:
        """Whether one more is allowed."""
        self._left = self.left(now)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def left(self, now: float) -> float:
        """How many are allowed at once."""
        return min(self.burst, self._left + self.rate * (now - self._since))


@dataclass
class _Known:
    requests: Allowance
    tables: Allowance
    wishes: Allowance


class Clients:
    """What each client has asked for lately.

    A client may make `requests` requests a second (REQUESTS_AT_ONCE seconds' worth at once), and set as many tables at once as it
    may have, and as many again within TABLES_AGAIN seconds.
    """

    REQUESTS_AT_ONCE = 5.0
    TABLES_AGAIN = 600.0
    MOST_WISHES = 100
    """So many wishes for tables are counted, those of TABLES_AGAIN seconds."""

    def __init__(self, requests: float, tables: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._requests = requests
        self._tables = tables
        self._clock = clock
        self._salt = secrets.token_bytes(16)
        self._known: dict[str, _Known] = {}
        self._pages: Counter[str] = Counter()

    def key(self, address: str) -> str:
        """What stands for the client at an address for as long as this server runs."""
        return hashlib.blake2b(network_of(address).encode(), key=self._salt, digest_size=12).hexdigest()

    def may_ask(self, client: str) -> bool:
        """Whether a client may make one more request now."""
        return self._of(client).requests.take(self._clock())

    def may_set_a_table(self, client: str) -> bool:
        """Whether a client may set one more table now."""
        return self._of(client).tables.take(self._clock())

    def wishes_for_a_table(self, client: str) -> float:
        """Count a wish, whether or not it comes true; how many there were before it, as `wished_lately` says."""
        before = self.wished_lately(client)
        self._of(client).wishes.take(self._clock())
        return before

    def wished_lately(self, client: str) -> float:
        """How many tables a client has wished to set within the last TABLES_AGAIN seconds or so."""
        known = self._known.get(client)
        return 0.0 if known is None else known.wishes.burst - known.wishes.left(self._clock())

    @contextmanager
    def page(self, client: str) -> Iterator[int]:
        """While inside, a client has one more page open; how many it has."""
        self._pages[client] += 1
        try:
            yield self._pages[client]
        finally:
            self._pages[client] -= 1
            if not self._pages[client]:
                del self._pages[client]

    def _of(self, client: str) -> _Known:
        known = self._known.get(client)
        if known is None:
            now = self._clock()
            if len(self._known) >= MOST_KNOWN:
                self._forget(now)
            known = self._known[client] = _Known(
                Allowance(self.REQUESTS_AT_ONCE * self._requests, self._requests, now),
                Allowance(self._tables, self._tables / self.TABLES_AGAIN, now),
                Allowance(self.MOST_WISHES, self.MOST_WISHES / self.TABLES_AGAIN, now),
            )
        return known

    def _forget(self, now: float) -> None:
        """Forget those who may ask for all again; where there are none, the oldest half."""
        full = [
            client
            for client, known in self._known.items()
            if all(one.left(now) >= one.burst for one in (known.requests, known.tables, known.wishes))
        ]
        for client in full or list(self._known)[: MOST_KNOWN // 2]:
            del self._known[client]
