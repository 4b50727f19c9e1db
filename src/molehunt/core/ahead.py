"""Other processes compile what a command will need, from its far end, while it compiles from the near one (`core.sharing`).

What will be needed is found by trying: for a few seconds the command's work is done with every kernel interpreted, which tells what
Python calls, and with which types. That is compiled, the last first, until the two meet.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from typing import Any

import numba

from molehunt.core.beside import MOST_PROCESSES, with_memory
from molehunt.core.interpreting import Recorder, interpreting, recorded_by, signature_of
from molehunt.core.kernels import with_address
from molehunt.core.processes import Line, start_beside
from molehunt.core.sharing import go_backwards, try_to_make

types: Any = numba.types  # its stubs lack what is used here

SECONDS = 3.0
"""So long the work is done interpreted at most. Nearly all that it calls is met in the first tenth of a second."""
NOTHING_NEW = 1.0
"""It ends earlier where nothing new has been met for so many seconds."""
PAUSE = 0.1
"""How long a process that has found no work waits before it looks again, in seconds; twice as long the next time, and so on."""


# --- What will be needed ------------------------------------------------------------------------------------------------


class _Enough(BaseException):
    """The time is up."""


class Uses(Recorder):
    """What machine code would have been needed, in the order in which it was met: arguments for `sharing.try_to_make`."""

    def __init__(self, seconds: float) -> None:
        self.found: dict[Any, tuple[Any, tuple[Any, ...], Callable[[], Any]]] = {}
        now = time.monotonic()
        self._until, self._new = now + seconds, now

    def called(self, kernel: Any, args: tuple[Any, ...], named: dict[str, Any]) -> None:
        """Python calls a kernel."""
        entry = kernel.from_python()
        try:
            given = tuple(map(_type_of, args)), {name: _type_of(value) for name, value in named.items()}
            kinds = tuple(entry._compiler.fold_argument_types(*given)[1])  # noqa: SLF001 - as calling it does
        except (TypeError, ValueError):  # no type that a compiled kernel is given; it is compiled when it is called
            return
        self._keep((kernel, kinds), entry, kinds, lambda: entry.compile(kinds))

    def asked(self, signature: Any, function: Callable[..., Any]) -> None:
        """Somebody wants the address of a function."""
        if (signature, function) not in self.found:
            entry = with_address(signature, function)
            self._keep((signature, function), entry, tuple(signature.args), entry.compile)

    def _keep(self, key: Any, entry: Any, kinds: tuple[Any, ...], compile_it: Callable[[], Any]) -> None:
        if key not in self.found:
            self.found[key] = entry, kinds, compile_it
            self._new = time.monotonic()

    def go_on(self) -> None:
        """_Enough where the time is up."""
        if time.monotonic() > min(self._until, self._new + NOTHING_NEW):
            raise _Enough


def _type_of(value: Any) -> Any:
    """Numba's type of an argument; ValueError where it has none."""
    signature = signature_of(value)
    if signature is not None:
        return types.FunctionType(signature)
    if not isinstance(value, tuple):
        return numba.typeof(value)
    kinds = [_type_of(part) for part in value]
    return types.BaseTuple.from_types(kinds, type(value) if hasattr(value, "_fields") else None)


def uses_of(work: Callable[[], Any], seconds: float = SECONDS) -> Uses:
    """What machine code `work()` calls, as far as it comes in so many seconds without any. What fails is left to who does it."""
    uses = Uses(seconds)
    with contextlib.suppress(_Enough, Exception), interpreting(), recorded_by(uses):
        work()
    return uses


# --- Compiling ----------------------------------------------------------------------------------------------------------


def compile_ahead(number: int, work: Callable[..., Any], *args: Any) -> None:
    """In a process beside: compile what `work(*args)` calls, the last first, as far as no other process is at it; then do it.

    Of several such processes each has a `number`, counted from 0, so that they begin at different places.
    """
    go_backwards()
    todo = list(uses_of(lambda: work(*args)).found.values())[::-1]
    first = number * len(todo) // (MOST_PROCESSES + 1)
    todo = todo[first:] + todo[:first]
    pause = PAUSE
    while todo:
        left = [use for use in todo if not try_to_make(*use)]
        pause = PAUSE if len(left) < len(todo) else 2 * pause
        todo = left
        if todo:
            time.sleep(pause)
    work(*args)


def _help(_line: Line, number: int, work: Callable[..., Any], args: tuple[Any, ...]) -> None:
    with (
        open(os.devnull, "w") as nothing,  # noqa: PTH123 - no path of a file
        contextlib.redirect_stdout(nothing),
        contextlib.redirect_stderr(nothing),
        contextlib.suppress(Exception),  # it is told where the command itself comes to it
    ):
        compile_ahead(number, work, *args)


@contextlib.contextmanager
def helpers(processes: int, work: Callable[..., Any], *args: Any) -> Iterator[Callable[[], None]]:
    """Gives a function that starts processes, at most so many, that compile what `work(*args)` calls; at the end they are ended.

    `work` is a function of a module, and what it is given can be pickled. Where memory is short there are fewer: none, if it is
    enough for this process alone.
    """
    with contextlib.ExitStack() as stack:
        numbers = iter(range(with_memory(min(processes, MOST_PROCESSES) + 1) - 1))

        def start() -> None:
            # Where a process cannot be started, or has no memory, all is compiled here.
            with contextlib.suppress(OSError):
                for number in numbers:
                    stack.callback(start_beside(_help, number, work, args).end)

        yield start
