"""Nobody waits to begin: processes beside this one compile what will be needed, and until then kernels are interpreted here.

`compile_beside` is called where a person or a server is about to wait. What is too much for an interpreter (a player that searches)
stands inside `with machine_code(name)`, and waits for that part alone.
"""

from __future__ import annotations

import contextlib
import functools
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from molehunt.core.beside import Ended, Task, do_beside
from molehunt.core.interpreting import interpret_meanwhile, interpreting, interpreting_until
from molehunt.core.made import note_made

COURTESY = 10
"""How much such a process lets others go first, as `nice` counts: interpreting has its processor whole."""


class _Compiling:
    """What processes beside this one are compiling."""

    def __init__(self, tasks: Sequence[Task], processes: int, then: Callable[[], Any], uses: Sequence[str]) -> None:
        self._made = {task.name: threading.Event() for task in tasks}
        self._tasks = [replace(task, function=_compile, arguments=(task.function, *task.arguments)) for task in tasks]
        self._processes = processes
        self._then = then
        self._uses = uses
        self.over = threading.Event()

    def begin(self) -> None:
        """Have the tasks done."""
        threading.Thread(target=self._do, daemon=True).start()

    def _do(self) -> None:
        try:
            # Where a process dies, or a task cannot be handed over, the kernels are compiled here when they are needed.
            with (
                contextlib.suppress(Exception),
                contextlib.closing(do_beside(self._tasks, self._processes)) as all_news,
            ):
                for news in all_news:
                    if isinstance(news, Ended):
                        self._made[news.task].set()
        finally:
            for made in self._made.values():
                made.set()
            self._end()

    def _end(self) -> None:
        global _compiling  # noqa: PLW0603 - there is one process
        try:
            with interpreting(wanted=False), contextlib.suppress(Exception):
                self._then()  # machine code comes from the disk here, beside what is going on
                for use in self._uses:
                    note_made(use)
        finally:
            _compiling = None
            interpret_meanwhile(False)
            self.over.set()

    def wait(self, name: str) -> None:
        """Wait until the kernels of this name are made; not at all where nobody makes them."""
        made = self._event_of(name)
        if made is not None:
            made.wait()

    def makes(self, name: str) -> bool:
        """Whether the kernels of this name are being made here, or were."""
        return self._event_of(name) is not None

    def has_made(self, name: str) -> bool:
        """Whether the kernels of this name were made here."""
        made = self._event_of(name)
        return made is not None and made.is_set()

    def _event_of(self, name: str) -> threading.Event | None:
        """What is set when the kernels of this name are made: a part's own task comes before that of the whole."""
        return self._made.get(name) or self._made.get(name.partition("/")[0])


_compiling: _Compiling | None = None


@functools.cache
def _let_others_go_first() -> None:
    """Once in a process beside."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(COURTESY)


def _compile(function: Callable[..., Any], *arguments: Any) -> None:
    """In a process beside: use the kernels, quietly. What fails is compiled where it is needed."""
    _let_others_go_first()
    with (
        open(os.devnull, "w") as nothing,  # noqa: PTH123 - no path of a file
        contextlib.redirect_stdout(nothing),
        contextlib.redirect_stderr(nothing),
        contextlib.suppress(Exception),
    ):
        function(*arguments)


def compile_beside(
    tasks: Sequence[Task], processes: int = 1, then: Callable[[], Any] = lambda: None, uses: Sequence[str] = ()
) -> None:
    """Do tasks, each of which uses all kernels of what its name says, in so many processes beside this one (`core.beside`).

    A name `whole/part` is of a part of `whole`: it is made by a task of its own, where there is one, or else with the whole.
    Until all are done, every kernel that this process calls is interpreted. `then` is called, in a thread, before that ends: it may
    use the same kernels once, so that they are at hand. What was made for is then marked under the names of `uses` (`core.made`).
    While an earlier call's tasks are being done, this does nothing.
    """
    global _compiling  # noqa: PLW0603 - there is one process
    if _compiling is None and tasks:
        interpret_meanwhile(True)
        _compiling = _Compiling(tasks, processes, then, uses)
        _compiling.begin()  # known by then, as what fails at once ends at once


@contextlib.contextmanager
def machine_code(name: str, needed: bool = True) -> Iterator[None]:
    """While inside, this thread's kernels are compiled, after waiting for those of a name where they are being made.

    Where that is not `needed`, nobody waits: they are compiled from when those of the name have been made, be it in the middle.
    """
    compiling = _compiling
    if compiling is None:
        yield
        return
    if not needed:
        with interpreting_until(lambda: compiling.has_made(name)):
            yield
        return
    compiling.wait(name)
    with interpreting(wanted=False):
        yield


def is_at_hand(name: str) -> bool:
    """Whether `machine_code(name)` would not wait."""
    compiling = _compiling
    return compiling is None or not compiling.makes(name) or compiling.has_made(name)


def all_made(seconds: float = 0.0) -> bool:
    """Whether nothing is being compiled beside any more, and what was is at hand; waits so many seconds for it at most."""
    compiling = _compiling
    return compiling is None or compiling.over.wait(seconds)
