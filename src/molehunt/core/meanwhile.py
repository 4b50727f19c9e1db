"""Nobody waits to begin: processes beside this one compile what will be needed, and until then kernels are interpreted here.

`compile_beside` is called where a person or a server is about to wait. What is too much for an interpreter (a player that searches)
stands inside `with machine_code(name)`, and waits for that part alone.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from molehunt.core.interpreting import interpret_meanwhile, interpreting
from molehunt.core.processes import start_beside

COURTESY = 10
"""How much such a process lets others go first, as `nice` counts: interpreting has its processor whole."""


@dataclass(frozen=True)
class Work:
    """`function(*arguments)` uses all kernels of what is called `name`. The function is one of a module; all can be pickled."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()


class _Compiling:
    """What processes beside this one are compiling."""

    def __init__(self, chains: Sequence[Sequence[Work]], then: Callable[[], Any]) -> None:
        self._made = {work.name: threading.Event() for chain in chains for work in chain}
        self._left = len(chains)
        self._lock = threading.Lock()
        self._then = then
        self._chains = chains

    def begin(self) -> None:
        """Start the processes."""
        for chain in self._chains:
            threading.Thread(target=self._do, args=(chain,), daemon=True).start()

    def _do(self, chain: Sequence[Work]) -> None:
        try:
            for work in chain:
                # A process compiles one kernel at a time, and leaves the machine code on the disk. Where it fails, the kernels
                # are compiled here when they are needed.
                with contextlib.suppress(Exception):
                    start_beside(_compile, work).join()
                self._made[work.name].set()
        finally:
            for work in chain:
                self._made[work.name].set()
            with self._lock:
                self._left -= 1
                last = self._left == 0
            if last:
                self._end()

    def _end(self) -> None:
        global _compiling  # noqa: PLW0603 - there is one process
        try:
            with interpreting(wanted=False), contextlib.suppress(Exception):
                self._then()  # machine code comes from the disk here, beside what is going on
        finally:
            _compiling = None
            interpret_meanwhile(False)

    def wait(self, name: str) -> None:
        """Wait until the kernels of this name are made; not at all where nobody makes them."""
        made = self._made.get(name)
        if made is not None:
            made.wait()

    def makes(self, name: str) -> bool:
        """Whether the kernels of this name are being made here, or were."""
        return name in self._made

    def has_made(self, name: str) -> bool:
        """Whether the kernels of this name were made here."""
        made = self._made.get(name)
        return made is not None and made.is_set()


_compiling: _Compiling | None = None


def _compile(work: Work) -> None:
    """In a process of its own: use the kernels, quietly."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(COURTESY)
    with open(os.devnull, "w") as nothing:  # noqa: PTH123 - no path of a file
        sys.stdout = sys.stderr = nothing
        with contextlib.suppress(Exception):
            work.function(*work.arguments)


def compile_beside(chains: Sequence[Sequence[Work]], then: Callable[[], Any] = lambda: None) -> None:
    """Compile the kernels of each chain of work in processes beside this one, a chain's works one after the other.

    Until all is made, every kernel that this process calls is interpreted. `then` is called, in a thread, before that ends: it may
    use the same kernels once, so that they are at hand. While an earlier call's work is being done, this does nothing.
    """
    global _compiling  # noqa: PLW0603 - there is one process
    if _compiling is None and chains:
        interpret_meanwhile(True)
        _compiling = _Compiling(chains, then)
        _compiling.begin()  # known by then, as what fails at once ends at once


@contextlib.contextmanager
def machine_code(name: str, needed: bool = True) -> Iterator[None]:
    """While inside, this thread's kernels are compiled, after waiting for those of a name where they are being made.

    Where that is not `needed`, nobody waits: they are compiled where those of the name have been made already.
    """
    compiling = _compiling
    if compiling is None or not (needed or compiling.has_made(name)):
        yield
        return
    compiling.wait(name)
    with interpreting(wanted=False):
        yield


def is_at_hand(name: str) -> bool:
    """Whether `machine_code(name)` would not wait."""
    compiling = _compiling
    return compiling is None or not compiling.makes(name) or compiling.has_made(name)
