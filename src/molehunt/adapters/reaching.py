"""Reaching a server of others over TCP."""

from __future__ import annotations

import socket
import time

from molehunt.core.errors import MolehuntError

ONE_TRY = 10.0
"""Seconds that one try may take."""
AGAIN = 0.2
"""Seconds until a server that is not there yet is tried again."""


def reach(host: str, port: int, what: str, failure: type[MolehuntError], wait: float = 0.0) -> socket.socket:
    """A connection to a server; `failure` says where there is none, `what` being its name.

    Where nobody listens it is tried again for `wait` seconds: who starts a server and its clients at once cannot know who is first.
    """
    deadline = time.monotonic() + wait
    while True:
        try:
            return socket.create_connection((host, port), ONE_TRY)
        except (OSError, ValueError) as error:  # ValueError: a name that no machine can have
            if not isinstance(error, ConnectionRefusedError) or time.monotonic() >= deadline:
                reason = getattr(error, "strerror", None) or error
                raise failure(
                    f"cannot reach {what} at {host!r:.80}, port {port}: {reason}; is it running there?"
                ) from None
        time.sleep(AGAIN)
