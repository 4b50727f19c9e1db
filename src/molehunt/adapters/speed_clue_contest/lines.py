"""Lines over a socket: sent at once, received by a deadline, and never longer than a line of the protocol can be."""

from __future__ import annotations

import contextlib
import socket
import time

from molehunt.core.errors import MolehuntError

MAX_LINE = 400
"""Bytes; the longest line of the protocol has some 60, a name 60 more."""


class ContestError(MolehuntError):
    """A contest cannot be held or played on: no connection, or the other side breaks the protocol."""


class HungUp(ContestError):
    """The other side has closed the connection."""


class Late(ContestError):
    """No line came in time."""


class LineTooLong(ContestError):
    """The other side sends without ever ending its line."""


class Lines:
    """One end of a connection.

    `receive` waits until a deadline (a time of `time.monotonic`, None: for ever).
    """

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection
        self._rest = b""
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def fileno(self) -> int:
        """The number under which the system knows the connection, for `select`."""
        return self._socket.fileno()

    def send(self, text: str, seconds: float | None = None) -> None:
        """Send one line; HungUp or Late (after `seconds`) where it cannot be sent."""
        self._socket.settimeout(seconds)
        try:
            self._socket.sendall(text.encode("ascii") + b"\n")
        except TimeoutError:
            raise Late("reads nothing that it is sent") from None
        except OSError:
            raise HungUp("hung up") from None

    def receive(self, deadline: float | None = None) -> bytes:
        """The next line, without its end. What has already come is given even where the deadline is over."""
        while b"\n" not in self._rest:
            if len(self._rest) > MAX_LINE:
                raise LineTooLong(f"sent {len(self._rest)} bytes without ending its line")
            self._rest += self._take(None if deadline is None else max(0.0, deadline - time.monotonic()))
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def drain(self) -> bytes:
        """What has come and was not received yet, thrown away; HungUp where nothing more can come."""
        with contextlib.suppress(Late):
            self._rest += self._take(0.0)
        drained, self._rest = self._rest, b""
        return drained

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _take(self, seconds: float | None) -> bytes:
        self._socket.settimeout(seconds)
        try:
            taken = self._socket.recv(4096)
        except (TimeoutError, BlockingIOError):
            raise Late("did not answer in time") from None
        except OSError:
            raise HungUp("hung up") from None
        if not taken:
            raise HungUp("hung up")
        return taken
