"""What this process prints to, given back where foreign code has closed it or put something else in its place."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO

NAMES = {"stdout": "standard output", "stderr": "standard error"}


@contextlib.contextmanager
def output_given_back() -> Iterator[Output]:
    """Standard output and error are afterwards what they were, whatever code of others has done with them.

    Where nothing else has failed, standard error says which of them were closed.
    """
    output = Output()
    failed = True
    try:
        yield output
        failed = False
    finally:
        output.give_back()
        output.let_go()
        if not failed and sys.stderr is not None:
            for name in sorted(output.closed):
                sys.stderr.write(f"molehunt: {NAMES[name]} was closed by a player or a game; it is open again\n")


class Output:
    """Standard output and error as they are now. `closed` are those (`stdout`, `stderr`) that had to be opened again."""

    def __init__(self) -> None:
        self.closed: set[str] = set()
        self._kept = {name: _Kept(name, stream) for name in NAMES if (stream := getattr(sys, name)) is not None}

    def give_back(self) -> None:
        """Make them what they were; where others have closed one, by its object or its number, it is open again."""
        for name in NAMES:
            setattr(sys, name, self._kept[name].given_back() if name in self._kept else None)
        self.closed |= {name for name in self._kept if self._kept[name].was_closed}

    def let_go(self) -> None:
        """Nothing is given back any more."""
        for each in self._kept.values():
            each.let_go()


class _Kept:
    """A stream, with a second number of the file that it writes to, where it writes to one."""

    def __init__(self, name: str, stream: TextIO) -> None:
        self.was_closed = False
        self._name = name
        self._stream = stream
        self._number = self._spare = -1
        with contextlib.suppress(OSError, ValueError, AttributeError):
            self._number = stream.fileno()
            self._form: dict[str, Any] = {"encoding": stream.encoding, "errors": stream.errors}
            self._form["buffering"] = 1 if stream.isatty() else -1
            self._spare = os.dup(self._number)

    def given_back(self) -> TextIO:
        """The stream, or another one to the same file where it writes there no more."""
        if self._spare < 0 or self._writes_there(self._stream):
            return self._stream
        now: TextIO | None = getattr(sys, self._name)
        if now is not None and self._writes_there(now):
            return now  # it was opened again before
        self.was_closed = True
        return self._opened_again()

    def let_go(self) -> None:
        if self._spare >= 0:
            os.close(self._spare)

    def _writes_there(self, stream: TextIO) -> bool:
        try:
            return os.path.samestat(os.fstat(stream.fileno()), os.fstat(self._spare))
        except (OSError, ValueError, AttributeError):
            return False

    def _opened_again(self) -> TextIO:
        number = self._number
        try:
            taken = not os.path.samestat(os.fstat(number), os.fstat(self._spare))
        except OSError:
            os.dup2(self._spare, number)
            taken = False
        if taken:  # by a file that was opened since, which must not be written to
            number = os.dup(self._spare)
        elif not self._stream.closed:
            return self._stream
        again: TextIO = os.fdopen(number, "w", closefd=False, **self._form)
        return again
