"""One end of a connection of the contest: messages without ends, sent at once, told apart as they come, received by a deadline.

The protocol has no line ends: what one write sends is a message. A stream of bytes does not keep writes apart, so a message is
recognized by its form (`endings`); NULs, line ends and blanks before and after it are skipped.
"""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from molehunt.core.errors import MolehuntError

MAX_MESSAGE = 400
"""Bytes; the longest message of the protocol has some 60, a name 60 more."""
BETWEEN = b"\n\r\0"
"""What may stand between messages, and ends one."""
AROUND = BETWEEN + b" "
"""What may stand before and after a message."""
MORE = 0.05
"""Seconds in which the rest of a message may come that is one already, as `suggest` is and `suggestion ...` begins with it."""
MUCH_MORE = 0.4
"""The same where the message is expected to go on: time for a network to send a piece once more that was lost."""
PIECES, PIECES_OF_SERVER = 0.25, 2.0
"""Seconds between the pieces of a program's and of a server's message; what is none by then is nonsense."""


class Ending(NamedTuple):
    """Where the first message of some bytes ends: its length, 0 where it is not there yet; and whether it cannot go on.

    `goes_on`: it may be all, but is more likely the beginning of a longer one.
    """

    length: int
    sure: bool
    goes_on: bool = False


Endings: TypeAlias = Callable[[bytes], Ending]


class ContestError(MolehuntError):
    """A contest cannot be held or played on: no connection, or the other side breaks the protocol."""


class HungUp(ContestError):
    """The other side has closed the connection."""


class Late(ContestError):
    """No message came in time."""


class TooLong(ContestError):
    """The other side sends more than any message can be."""


class Talk:
    """One end of a connection.

    `endings` tells messages apart; it may be changed between them. A message that has begun may pause for `pieces` seconds.

    `receive` waits until a deadline (a time of `time.monotonic`, None: for ever).
    """

    def __init__(self, connection: socket.socket, endings: Endings, pieces: float = PIECES) -> None:
        self.endings = endings
        self._pieces = pieces
        self._socket = connection
        self._rest = b""
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def fileno(self) -> int:
        """The number under which the system knows the connection, for `select`."""
        return self._socket.fileno()

    def send(self, text: str, seconds: float | None = None) -> None:
        """Send one message as it is; HungUp or Late (after `seconds`) where it cannot be sent."""
        self._socket.settimeout(seconds)
        try:
            self._socket.sendall(text.encode("ascii"))
        except TimeoutError:
            raise Late("reads nothing that it is sent") from None
        except OSError:
            raise HungUp("hung up") from None

    def receive(self, deadline: float | None = None) -> bytes:
        """The next message. What has already come is given even where the deadline is over."""
        while True:
            self._rest = self._rest.lstrip(AROUND)
            line = next((place for place, byte in enumerate(self._rest) if byte in BETWEEN), None)
            length, sure, goes_on = self.endings(self._rest[:line])
            if line is not None:
                return self._cut(length if length and sure else line)
            if length and sure:
                return self._cut(length)
            if len(self._rest) > MAX_MESSAGE:
                raise TooLong(f"sent {len(self._rest)} bytes that are no message; one has {MAX_MESSAGE} at most")
            try:
                self._rest += self._take(self._patience(length, goes_on, deadline))
            except Late:
                if length:
                    return self._cut(length)
                if not self._rest or (deadline is not None and time.monotonic() >= deadline):
                    raise
                return self._cut(len(self._rest))  # what is no message and does not go on
            except HungUp:
                if not self._rest:
                    raise
                return self._cut(length or len(self._rest))

    def _patience(self, length: int, goes_on: bool, deadline: float | None) -> float | None:
        """How long to wait for what comes next, in seconds."""
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        if not self._rest:
            return left
        pause = self._pieces if not length else MUCH_MORE if goes_on else MORE
        return pause if left is None else min(pause, left)

    def _cut(self, length: int) -> bytes:
        message, self._rest = self._rest[:length], self._rest[length:]
        return message

    def drain(self) -> bytes:
        """What has come and was not received yet, thrown away; HungUp where nothing more can come."""
        with contextlib.suppress(Late):
            self._rest += self._take(0.0)
        drained, self._rest = self._rest.strip(AROUND), b""
        return drained

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def __enter__(self) -> Talk:
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
