"""The named errors of the project: every one says what was wrong and, where it can, what would be right."""

from __future__ import annotations

import difflib
import os
import re
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

from molehunt.core.language import _

OURS = f"{Path(__file__).parents[1]}{os.sep}"
LONGEST_TEXT = 300
"""So many characters of a foreign error are told."""


class MolehuntError(Exception):
    """Base of every error that the project raises on purpose."""

    def __reduce__(self) -> tuple[Any, ...]:
        """As it is, for another process: made of its text alone, an error that takes more would fail, and a pool wait for ever."""
        return _as_it_was, (type(self), self.args), vars(self)


def _as_it_was(kind: type[MolehuntError], args: tuple[Any, ...]) -> MolehuntError:
    return kind.__new__(kind, *args)


class BadInput(MolehuntError, ValueError):
    """Something given from outside cannot be used: a name, a parameter, a notation, a file (exit status 2)."""


class UnknownName(BadInput):
    """A name that is not known where it was used.

    Attributes: `kind` (what sort of name was wanted), `name` (what was given), `known` (what would have been right,
    each once).
    """

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        self.kind = kind
        self.name = name
        self.known = tuple(dict.fromkeys(known))
        close = difflib.get_close_matches(name, self.known, n=1, cutoff=0.5)
        hint = _("; did you mean {close}?", close=repr(close[0])) if close else ""
        listed = ", ".join(self.known) or _("none")
        super().__init__(
            _("unknown {kind} {name}{hint} (known: {known})", kind=kind, name=repr(name), hint=hint, known=listed)
        )


class BadParameter(BadInput):
    """A parameter of a ruleset or an agent is unknown, of the wrong type or out of range."""


class BadNotation(BadInput):
    """A text that is not a move, a card or a cell in the notation of the game."""


class BadRecord(BadInput):
    """A record that cannot be read, or whose moves are not a game of its ruleset."""


class NotWritten(MolehuntError):
    """A file could not be written (exit status 1); it is named."""


class IllegalAction(MolehuntError):
    """A player chose an action that the rules forbid.

    Attributes: `seat` (who; -1 where the game is over and it is nobody's turn), `action` (the move in notation), `rule` (the rule
    that forbids it, in words).
    """

    def __init__(self, seat: int, action: str, rule: str, who: str = "") -> None:
        self.seat = seat
        self.action = action
        self.rule = rule
        player = f" of seat {seat}" + (f" ({who})" if who else "") if seat >= 0 else ""
        super().__init__(f"illegal action{player}: {action!r}: {rule}")


class AgentFailure(MolehuntError):
    """A player's own code raised an error or answered with something that is not an action."""


class GameFailure(MolehuntError):
    """A game that a package brings cannot be read, its entry names what is not there, or its rules do not keep to what they say."""


class RuleWithoutText(GameFailure):
    """A move is not legal, and its game has no text for the rule that it breaks; nothing has changed."""


class KernelFailure(MolehuntError):
    """A function that is to be compiled is missing, takes other arguments than it is given, or cannot be compiled."""


def is_of_library(file: str) -> bool:
    """Whether a file of code is Python's or an installed package's."""
    folders = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return file.startswith(tuple(f"{folder}{os.sep}" for folder in folders))


_UNHELD = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def printable(text: str) -> str:
    """A text as screens, pages, files and databases hold it: what moves a cursor, or is half a sign, is written out.

    It stands there as Python writes it in a text, by its number. Ends of lines and tabs stay.
    """
    return _UNHELD.sub(lambda found: ascii(found[0])[1:-1], text)


def error_text(error: BaseException) -> str:
    """The text of an error of somebody's own code in one line that screens hold, which may have none that can be told."""
    try:
        text = " ".join(str(error).split())
    except BaseException as other:  # noqa: BLE001 - their code again
        return f"(its text cannot be told: {type(other).__name__})"
    return printable(f"{text[:LONGEST_TEXT]}..." if len(text) > LONGEST_TEXT else text)


def value_text(value: object) -> str:
    """A value of somebody's own code in a few letters."""
    try:
        return printable(f"{value!r:.80}")
    except BaseException:  # noqa: BLE001 - their code again
        return f"something of the class {type(value).__name__}"


def check_is(value: object, kind: type | tuple[type, ...], right: str) -> None:
    """BadInput where a value is of none of these classes; `right` is a sentence of what would be right."""
    if not isinstance(value, kind):
        raise BadInput(f"{right}, not {value_text(value)}")


NO_MORE_THREADS = "RuntimeError: can't start new thread"


def foreign_error(error: BaseException) -> str:
    """An error of somebody's own code in one line: its type, its text, and the place in that code.

    The place is the innermost one that is neither ours nor a library's: whoever gave a library what it cannot use looks for the
    error in their own lines. There is none where their code was called in a wrong way. Of a file that is no Python it is the line.
    """
    text = error_text(error)
    places, trace = [], error.__traceback__
    while trace is not None:
        places.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename and error.lineno:  # in a file of which nothing has run
        places.append((error.filename, error.lineno))
        text = error_text(Exception(error.msg))
    foreign = [place for place in places if not place[0].startswith((OURS, "<"))]
    theirs = [place for place in foreign if not is_of_library(place[0])] or foreign[:1]
    told = f"{type(error).__name__}: {text}" if text else type(error).__name__
    if told == NO_MORE_THREADS:
        told += ", as those begun before have not ended"
    return told + printable(f" ({theirs[-1][0]}:{theirs[-1][1]})" if theirs else "")


class ForeignCode:
    """Where somebody's own code is called: whatever it raises comes out as AgentFailure, which begins with `said`.

    A Ctrl-C of the person in front, which only the main thread is told of, goes on as one, and so do errors of the kinds `known`.
    `hint` may have something to say about an error. Where it lowers `sys.setrecursionlimit`, which holds for the whole process, the
    limit is as before afterwards: compiling and the other players would fail for it.
    """

    def __init__(
        self,
        said: str,
        known: tuple[type[Exception], ...] = (),
        hint: Callable[[BaseException], str] = lambda _error: "",
    ) -> None:
        self._said = said
        self._known = known
        self._hint = hint

    def __enter__(self) -> None:
        self._depth = sys.getrecursionlimit()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if sys.getrecursionlimit() < self._depth:
            sys.setrecursionlimit(self._depth)
        if error is None or isinstance(error, self._known):
            return
        if isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
            return
        raise AgentFailure(f"{self._said}: {foreign_error(error)}{self._hint(error)}") from error
