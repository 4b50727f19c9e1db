"""How much is left to compile: what a game and its players call, as far as their names tell, and what was met while compiling."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property, partial
from inspect import getclosurevars
from types import CodeType, FunctionType, ModuleType
from typing import Any

from numba.core import event
from numba.core.ccallback import CFunc
from numba.core.dispatcher import Dispatcher

from molehunt.core.linking import ENTRY_EVENT

HOME = "molehunt"
INTERPRETER = "molehunt.core.interpreting"
"""It compiles nothing, and what it keeps names all kernels that were ever interpreted."""
KERNEL_EVENT = "numba:compile"
WRAPPERS: dict[type, str] = {
    Dispatcher: "py_func",
    CFunc: "_pyfunc",
    property: "fget",
    cached_property: "func",
    partial: "func",
    staticmethod: "__func__",
    classmethod: "__func__",
    type(cache(len)): "__wrapped__",
}
"""Where objects that stand for a function keep it: kernels, functions that are values, what classes hold, and wrappers."""


EXPECTED_PACE = 0.0005
"""How many seconds compiling takes for a byte of a kernel's code, before anything has been compiled; a kernel is some 250 long."""
EXPECTED_LENGTH = 500
"""That pace counts as much as kernels of so many bytes in all that were compiled."""


def package_of(thing: Any) -> str:
    """The package that a class, a function or the class of another thing was defined in."""
    if isinstance(thing, Dispatcher):
        thing = thing.py_func
    defined = thing if isinstance(thing, type | FunctionType) else type(thing)
    return (defined.__module__ or "").partition(".")[0]


def name_of(function: Any) -> str:
    """A name that tells a function from all others."""
    return f"{function.__module__}.{function.__qualname__}"


def kernels_needed(*things: Any) -> dict[str, int]:
    """The kernels that things may call: games, players, functions, and what those hold and name in turn; how long each is, by name.

    Nothing is run. It finds some that are never called, and misses what is found by a text alone and what a module holds
    that nobody names; what belongs neither to this package nor to one that the things come from is not looked into.
    """
    packages = {HOME, *map(package_of, things)}
    found: dict[str, int] = {}
    seen: set[int] = set()
    todo = list(things)
    kept = []  # What is made on the way must not give its place to something else.
    while todo:
        thing = todo.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        kept.append(thing)
        if getattr(thing, "__module__", None) == INTERPRETER:
            continue
        if isinstance(thing, Dispatcher) and package_of(thing) in packages:
            found[name_of(thing.py_func)] = len(thing.py_func.__code__.co_code)
        if isinstance(thing, dict):
            todo += thing.values()
        elif isinstance(thing, list | tuple | set | frozenset):
            todo += thing
        elif isinstance(thing, type):
            bases = [base for base in thing.__mro__ if package_of(base) in packages]
            # A dict of a class keeps what all its objects share, of any game.
            todo += [value for base in bases for value in vars(base).values() if not isinstance(value, dict)]
        elif isinstance(thing, FunctionType):
            if package_of(thing) in packages:
                todo += _named_in(thing, packages)
        elif not isinstance(thing, ModuleType):
            todo += [getattr(thing, name) for kind, name in WRAPPERS.items() if isinstance(thing, kind)]
            if package_of(thing) in packages:
                todo += [type(thing), *getattr(thing, "__dict__", {}).values()]
    return found


def _named_in(function: FunctionType, packages: set[str]) -> Iterator[Any]:
    """What a function names: what is around it, and what the modules among that hold under one of its names."""
    names = _names_in(function.__code__)
    values = [function.__globals__[name] for name in names if name in function.__globals__]
    with contextlib.suppress(ValueError):  # a cell that holds nothing yet
        values += getclosurevars(function).nonlocals.values()
    for value in values:
        if not isinstance(value, ModuleType):
            yield value
        elif value.__name__.partition(".")[0] in packages:
            yield from (held for name in names if not isinstance(held := getattr(value, name, None), ModuleType))


def _names_in(code: CodeType) -> set[str]:
    inside = (const for const in code.co_consts if isinstance(const, CodeType))
    return set(code.co_names).union(*map(_names_in, inside))


class CompileCount(event.Listener):  # type: ignore[misc]
    """Counts what is compiled while it listens, and calls `tell(self)` each time a kernel starts to be compiled.

    `needed` are names from `kernels_needed`. Where the command comes upon kernels that are not among them, `left` grows.
    """

    def __init__(self, tell: Callable[[CompileCount], None], needed: Mapping[str, int] | None = None) -> None:
        self.compiled = 0
        self._tell = tell
        self._lengths = dict(needed or {})
        self._done: set[str] = set()
        self._running: dict[int, int] = {}
        self._began = 0.0

    @property
    def left(self) -> int:
        """Kernels that are being compiled or are to be, as far as one knows."""
        return len(self._lengths.keys() - self._done)

    @property
    def seconds_left(self) -> float:
        """How long those will take, in seconds, if it goes on as it went since the first was met, by their length.

        At first, while next to nothing is done, it is what compiling takes on a usual machine.
        """
        spent = time.perf_counter() - self._began if self._began else 0.0
        done = sum(length for name, length in self._lengths.items() if name in self._done)
        pace = (spent + EXPECTED_PACE * EXPECTED_LENGTH) / (done + EXPECTED_LENGTH)
        return pace * (sum(self._lengths.values()) - done)

    def on_start(self, event: Any) -> None:
        thread = threading.get_ident()
        self._began = self._began or time.perf_counter()
        self._running[thread] = self._running.get(thread, 0) + 1
        function = _compiled_by(event)
        self._lengths |= {name_of(function): len(function.__code__.co_code), **kernels_needed(function)}
        if event.kind == KERNEL_EVENT:
            self.compiled += 1
            self._tell(self)

    def on_end(self, event: Any) -> None:
        thread = threading.get_ident()
        function = _compiled_by(event)
        self._running[thread] -= 1
        self._done.add(name_of(function))
        if not self._running[thread]:
            del self._running[thread]
            # All that it calls is there, also what came from the disk.
            self._done.update(kernels_needed(function))


def _compiled_by(event: Any) -> Any:
    """The Python function that an event is about."""
    return event.data["dispatcher"].py_func if event.kind == KERNEL_EVENT else event.data["function"]


@contextlib.contextmanager
def count_compiling(tell: Callable[[CompileCount], None], *things: Any) -> Iterator[None]:
    """While inside, `tell(count)` is called each time a kernel starts to be compiled (not when it comes from the cache).

    `things` are what is going to be compiled for: the game and its players.
    """
    count = CompileCount(tell, kernels_needed(*things))
    with event.install_listener(KERNEL_EVENT, count), event.install_listener(ENTRY_EVENT, count):
        yield
