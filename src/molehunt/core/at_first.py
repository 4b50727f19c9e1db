"""What Python does first, with a play in the hand or an environment, is interpreted.

That is done sooner than machine code is loaded, let alone compiled.

`interpreted_at_first` does this to methods of a class. The time that they take is added up over the process. Once it is as long as
machine code takes to be at hand, nothing here is interpreted any more, and the class has its methods as they were written.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from molehunt.core.friendly import FriendlyView

if TYPE_CHECKING:
    from molehunt.core.agent import Agent

C = TypeVar("C", bound=type)

LOADING = 0.5
"""So many seconds are interpreted where machine code lies on the disk: about what it takes to load it."""
COMPILING = 5.0
"""... and where there is none; to compile it takes 5 to 17 s."""
MOST_GAMES = 64
"""A step of more games at once is not interpreted: one of so many takes up to a second."""

_lock = threading.Lock()
_inside = 0
_spent = 0.0
_looked = False
_over = False
_seen_to = False
_plain: dict[tuple[type, str], Any] = {}
_wrapped: dict[tuple[type, str], Any] = {}


def interpreted_at_first(*names: str) -> Callable[[C], C]:
    """Methods and properties of a class, by their names, where the object, its `game` and the arguments are `interpreted_first`.

    At least one of them must say so, and none otherwise. A thread that has said whether its kernels are interpreted
    (`core.interpreting`) has it as it said.
    """

    def of(kind: C) -> C:
        for name in names:
            plain = _plain[kind, name] = vars(kind)[name]
            is_property = isinstance(plain, property)
            wrapped = property(_at_first(plain.fget), doc=plain.__doc__) if is_property else _at_first(plain)
            _wrapped[kind, name] = wrapped
        _set(_plain if _over else _wrapped)
        return kind

    return of


def is_for(games: int, players: Iterable[Agent]) -> bool:
    """Whether what is done first with so many games at once, among these players, is interpreted.

    Only where there is no machine code on the disk: to load it takes as long as a step or two of many games.
    """
    from molehunt.core.kernels import warm

    return games <= MOST_GAMES and all(player.interpreted_first for player in players) and not (_over or warm())


def end() -> None:
    """From now on nothing is interpreted here: for commands, and for processes that are there to make machine code.

    They see to it, and tell of it, themselves.
    """
    global _over, _seen_to  # noqa: PLW0603 - there is one process
    with _lock:
        _over = _seen_to = True
        _close()


def seen_to() -> bool:
    """Whether a command tells people of what is compiled."""
    return _seen_to


def _at_first(method: Any) -> Any:
    @functools.wraps(method)
    def asked(holder: Any, *args: Any, **named: Any) -> Any:
        if not getattr(holder, "interpreted_first", True):
            return method(holder, *args, **named)
        if not _is_wanted(holder, getattr(holder, "game", None), *args, *named.values()) or not _enter():
            return method(holder, *args, **named)
        from molehunt.core.interpreting import interpreting_at_first

        written = _written(holder)
        before = [array.copy() for array in written]
        began = time.perf_counter()
        try:
            with interpreting_at_first():
                found = method(holder, *args, **named)
                if isinstance(found, FriendlyView):
                    _ = found.legal_actions  # it keeps them, and else would want machine code when it is asked for them
                return found
        except BaseException:
            # A Ctrl-C may come in the middle of a move, which in machine code is made as a whole.
            for array, kept in zip(written, before, strict=True):
                array[...] = kept
            raise
        finally:
            _leave(time.perf_counter() - began)

    return asked


def _written(holder: Any) -> list[Any]:
    """The arrays that kernels write to: those that the object names, or its states."""
    arrays: Any = getattr(holder, "arrays", None)
    if arrays is not None:
        return list(arrays.values())
    states: Any = getattr(holder, "states", None)
    return [] if states is None else [states]


def _is_wanted(*each: Any) -> bool:
    said = [one.interpreted_first for one in each if hasattr(one, "interpreted_first")]
    return bool(said) and all(said)


def _enter() -> bool:
    """Whether a call is interpreted here; `_leave` is called when it is over."""
    global _inside  # noqa: PLW0603 - there is one process
    from molehunt.core.interpreting import is_settled

    if is_settled():
        return False
    with _lock:
        if _over:
            return False
        _inside += 1
    return True


def _leave(seconds: float) -> None:
    global _inside, _spent, _looked, _over  # noqa: PLW0603 - there is one process
    from molehunt.core.kernels import warm

    with _lock:
        _inside -= 1
        _spent += seconds
        if _spent >= COMPILING:
            _over = True
        elif _spent >= LOADING and not _looked:
            _looked = True
            _over = warm()
        if _over:
            _close()


def _close() -> None:
    """Once it is over and nobody is inside: every call of a kernel would be asked about for nothing."""
    _set(_plain)
    interpreting = sys.modules.get("molehunt.core.interpreting")
    if not _inside and interpreting is not None:
        interpreting.ask_no_more()


def _set(methods: Mapping[tuple[type, str], Any]) -> None:
    for (kind, name), method in methods.items():
        setattr(kind, name, method)


def _begin_in_child() -> None:
    """In a process that was forked, none of the threads that were inside is there, nor whoever held the lock."""
    global _lock, _inside
    _lock, _inside = threading.Lock(), 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_in_child)
