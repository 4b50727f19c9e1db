"""Processes beside this one: they take no notice of Ctrl-C, and end when this one ends, however and whenever it does.

Each has a line to this one: whole messages, pickled, over its standard input and output. When the line is closed, it ends.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from molehunt.core import at_first
from molehunt.core.garbage import MANY_OBJECTS


class Line(Protocol):
    """One end of the line between two processes."""

    def send(self, message: Any) -> None:
        """Send what can be pickled. OSError where nobody is at the other end; what pickling raises otherwise."""

    def receive(self) -> Any:
        """The next message; waits for it. EOFError where there will be none."""


class Beside:
    """A process that was started by `start_beside`, and this end of the line to it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._to, self._from = cast("BinaryIO", process.stdin), cast("BinaryIO", process.stdout)
        self.pid = process.pid

    def send(self, message: Any) -> None:
        """Send what can be pickled; OSError where the process has ended, what pickling raises otherwise."""
        _write(self._to, message)

    def receive(self) -> Any:
        """The next message; waits for it. EOFError where the process has ended."""
        return _read(self._from)

    def join(self) -> int:
        """Wait until it has ended; its exit status."""
        return self._process.wait()

    def end(self) -> None:
        """End it in the middle of what it does."""
        self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):  # what it has not read any more
            self._to.close()
        self._from.close()


def python_that_does(code: str, *arguments: str) -> list[str]:
    """The command of a Python that does this, with arguments, and finds each module where this one finds it.

    By itself it would look into the current folder first, where a `random.py` of somebody's may lie. Variables of the environment
    stay as they are, for other programs that are started there.
    """
    here = ""
    with contextlib.suppress(OSError):  # the current folder may be gone
        here = str(Path.cwd())
    places: list[object] = [*sys.path]  # Python passes over what is no text
    folders = [place or here for place in places if isinstance(place, str) and (place or here)]
    return [sys.executable, "-P", "-c", f"import sys; sys.path[:] = {folders!a}; {code}", *arguments]


def start_beside(function: Callable[..., object], *arguments: Any) -> Beside:
    """A process that calls `function(line, *arguments)`: a function of a module, and arguments that can be pickled.

    `line` is its end of the `Line` to this one. Ctrl-C is for the process in front, which takes this one with it; so does whatever
    else ends that one, `kill -9` included. It reads no standard input, and what it prints is shown nowhere, but for errors.
    """
    with _deaf():
        process = Beside(
            subprocess.Popen(  # noqa: S603 - this package's own
                python_that_does("from molehunt.core.processes import _follow; _follow()"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        )
    process.send((function, arguments))
    return process


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """While inside, processes are started that take no notice of Ctrl-C from their first moment on, in whichever thread."""
    if not hasattr(signal, "pthread_sigmask"):
        yield  # the process sees to it itself, a little later
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _write(to: BinaryIO, message: Any) -> None:
    """Write a whole message, or nothing of one that cannot be pickled."""
    sent = pickle.dumps(message)
    try:
        to.write(sent)
        to.flush()
    except ValueError:
        raise BrokenPipeError("the line to the process is closed") from None


def _read(source: BinaryIO) -> Any:
    """Read a message; EOFError where the line has ended, also in the middle of one."""
    try:
        return pickle.load(source)  # noqa: S301 - from a process of our own
    except (OSError, ValueError, pickle.UnpicklingError):
        raise EOFError from None


class _LineToParent:
    """The end of the line that such a process has: a thread reads it all the time, and so knows when it is closed."""

    def __init__(self, source: BinaryIO, to: BinaryIO) -> None:
        self._to = to
        self._sending = threading.Lock()  # messages are sent from any thread
        self._messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self._listen, args=(source,), daemon=True).start()

    def _listen(self, source: BinaryIO) -> None:
        while True:
            try:
                message = _read(source)
            except Exception as error:  # noqa: BLE001 - whatever it is, there is nobody to tell
                if os.environ.get("MOLEHUNT_TRACEBACK") and not isinstance(error, EOFError):
                    traceback.print_exc()
                os._exit(1)  # in the middle of what is done here
            self._messages.put(message)

    def receive(self) -> Any:
        return self._messages.get()

    def send(self, message: Any) -> None:
        with self._sending:
            _write(self._to, message)


def _follow() -> None:
    """What such a process does. Standard input and output are the line's alone."""
    gc.set_threshold(MANY_OBJECTS)
    at_first.end()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    line = _LineToParent(os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb"))
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    function, arguments = line.receive()
    function(line, *arguments)
