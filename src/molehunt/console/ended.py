"""Commands that are ended from outside, and still have something to say or to close."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


@contextlib.contextmanager
def ended_as_by_hand() -> Iterator[None]:
    """SIGTERM, with which containers and services are stopped, is what Ctrl-C is: a KeyboardInterrupt.

    By default that would end the process before its last line, and leave the programs that it has started.
    """

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():  # where no signal comes, and none can be listened for
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
