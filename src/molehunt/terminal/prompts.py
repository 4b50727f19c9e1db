"""Asking a person in a terminal or a pipe: one line at a time, with commands that work at every prompt.

Nothing here knows a game.
"""

from __future__ import annotations

import difflib
import sys
import textwrap
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.text import Text

from molehunt.core.errors import BadInput
from molehunt.core.language import _, later, spoken_words
from molehunt.core.words import as_sentence, joined

T = TypeVar("T")

YES, NO = later("yes y"), later("no n")
"""What may be typed for yes and for no."""
SAID_AS = later("help=help why=why")
"""Commands as they are called in another language: `hilfe=help warum=why`."""

Read = Callable[[str], str]
"""Writes a prompt and gives the line that was typed, as `input` does; EOFError when there are no more."""


class LeftTable(Exception):
    """The person has left the table: with `quit` (`wanted`), or because the input has ended or was broken off."""

    def __init__(self, wanted: bool) -> None:
        super().__init__("the person has left the table")
        self.wanted = wanted


class Prompter:
    """Asks questions on a console.

    `commands` maps a word to what is done where it is typed instead of an answer, `with_rest` does so where more words follow
    it; both are the caller's to change. `quit` is always a command, and `exit` is another word for it.
    """

    def __init__(self, console: Console, read: Read = input) -> None:
        self.console = console
        self.commands: dict[str, Callable[[], None]] = {}
        self.with_rest: dict[str, Callable[[str], None]] = {}
        self.short: dict[str, str] = {"?": "help", "q": "quit", "exit": "quit"}
        self.asked = 0
        """How many questions have been asked."""
        self._read = read
        # A pipe shows nothing of what is typed; with it, what is written reads as the screen of a terminal would.
        self._echo = read is input and sys.stdin is not None and not sys.stdin.isatty()
        self._words: Sequence[str] = ()
        self._heads: Sequence[str] = ()

    def say(self, text: str = "", style: str | None = None, indent: int = 0) -> None:
        """Print a line; no sign of it is markup. What does not fit goes on `indent` places to the right; no % stands alone."""
        if indent:
            text = self._filled(text, indent)
        elif " %" in text:
            text = "\n".join(map(self._filled, text.split("\n")))
        self.console.print(text, style=style, markup=False)

    def _filled(self, text: str, indent: int = 0) -> str:
        whole = text.replace(" %", "\u00a0%")
        return textwrap.fill(whole, self.console.width, subsequent_indent=" " * indent).replace("\u00a0%", " %")

    def say_help(self, text: str, width: int) -> None:
        """Print what can be typed, a line each: what a line does, from the column `width` on, goes on in that column."""
        for line in text.splitlines():
            self.say(line, indent=width if line[width - 2 : width] == "  " else 0)

    def show_table(self, lines: Sequence[Text]) -> None:
        """Print rows, which are cut off where the screen ends, and last what stands below them, which is broken there."""
        *rows, below = lines
        for row in rows:
            self.console.print(row, no_wrap=True)
        self.console.print(below)

    def tell_waiting(self, name: str) -> None:
        """Say why the next move takes a while: machine code is being made for a player that cannot do without."""
        self.say(
            _("{name} needs machine code, which is made once for this machine: that takes up to a minute.", name=name)
        )

    def ask(self, prompt: str, words: Iterable[str] = (), heads: Sequence[str] = (), remind: str = "") -> str:
        """The next answer that is not a command, stripped.

        `words` are offered for completion, also after one of `heads` (`suggest `). `remind` is said again after a command,
        which may have filled the screen.
        """
        self.asked += 1
        self._words = [*words, *self.commands, *self.with_rest, "quit"]
        self._heads = heads
        while True:
            line = " ".join(self._line(f"{prompt} > ").split())
            first, _space, rest = line.partition(" ")
            first = command_word(first.lower(), self._words)
            word = self.short.get(line.lower(), f"{first} {rest.lower()}".strip())
            if word == "quit":
                raise LeftTable(wanted=True)
            if word in self.commands:
                self.commands[word]()
            elif first in self.with_rest:
                self.with_rest[first](rest)
            else:
                return line
            if remind:
                self.say(remind)

    def choose(self, prompt: str, take: Callable[[str], T], words: Iterable[str] = ()) -> T:
        """What `take` makes of an answer; where it raises BadInput, that is said and the question asked again."""
        while True:
            try:
                return take(self.ask(prompt, words))
            except BadInput as error:
                self.complain(error)

    def complain(self, error: Exception) -> None:
        """Say what is wrong with an answer, as a sentence."""
        self.say(as_sentence(str(error)))

    def yes(self, prompt: str) -> bool:
        """A question that takes yes or no."""
        return self.choose(_("{prompt} (yes or no)", prompt=prompt), read_yes_or_no, (_("yes"), _("no")))

    def yes_or_no(self, question: str, usual: str) -> bool:
        """A question of which Enter takes the usual answer, yes or no."""
        shown = _("yes") if usual == "yes" else _("no")
        return self.choose(f"{question} ({shown})", lambda text: read_yes_or_no(text or usual), (_("yes"), _("no")))

    def _line(self, prompt: str) -> str:
        if self.console.is_terminal:
            # It would break a question where its line ends, within a word: all but the last line is written before.
            *lines, last = textwrap.wrap(prompt.rstrip(), self.console.width - 1) or [""]
            for line in lines:
                self.say(line)
            prompt = f"{last} "
        try:
            line = self._read(prompt)
        except (EOFError, KeyboardInterrupt, UnicodeError, RuntimeError):
            # The end of the input, Ctrl-C, bytes that are no text, or no input at all.
            self.say()
            raise LeftTable(wanted=False) from None
        if self._echo:
            self.say(line)
        return "".join(sign if sign.isprintable() else " " for sign in line)

    def completions(self, typed: str) -> list[str]:
        """What the text since the last comma may become."""
        start = typed[: len(typed) - len(typed.lstrip())]
        rest = typed[len(start) :]
        for head in self._heads:
            if rest.lower().startswith(f"{head} "):
                start, rest = f"{start}{rest[: len(head) + 1]}", rest[len(head) + 1 :]
                break
        wanted = rest.lower()
        found = [start + word for word in self._words if word.lower().startswith(wanted)]
        if found:
            return found
        # `pea` finds Mrs Peacock; of several such words none, because a terminal would put what they have in common.
        inside = [start + word for word in self._words if f" {wanted}" in word.lower()]
        return inside if len(inside) == 1 else []

    @contextmanager
    def completing(self) -> Iterator[None]:
        """Complete with the tabulator key and keep a history of lines, where a person sits at a terminal."""
        if self._read is not input or not all(file is not None and file.isatty() for file in (sys.stdin, sys.stdout)):
            yield
            return
        try:
            import readline
        except ImportError:  # not on every system
            yield
            return
        before, delimiters = readline.get_completer(), readline.get_completer_delims()

        def complete(typed: str, nth: int) -> str | None:
            found = self.completions(typed)
            return found[nth] if nth < len(found) else None

        readline.set_completer(complete)
        readline.set_completer_delims(",")
        readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
        try:
            yield
        finally:
            readline.set_completer(before)
            readline.set_completer_delims(delimiters)


def command_word(word: str, known: Container[str]) -> str:
    """What a word in small letters is called here: as it is where it is known, else as the language that is spoken means it."""
    return word if word in known else dict(pair.split("=") for pair in _(SAID_AS).split()).get(word, word)


def unknown_word(typed: str, known: Iterable[str]) -> str:
    """What to say where a word is not understood: the nearest known one."""
    known = list(known)
    close = difflib.get_close_matches(typed.lower().partition(" ")[0], known, n=1)
    parts = [_("{typed} is not understood.", typed=f"{typed!r:.40}")]
    if close:
        parts.append(_("Did you mean {close}?", close=close[0]))
    return " ".join([*parts, _("Write {words}; help lists the rest.", words=joined(known, "or"))])


def read_yes_or_no(text: str) -> bool:
    """Yes or no, or its beginning; BadInput otherwise."""
    word = text.lower()
    if word in spoken_words(YES):
        return True
    if word in spoken_words(NO):
        return False
    raise BadInput(_("Write yes or no, not {text}.", text=f"{text!r:.40}"))


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """A check that reads a whole number from `low` to `high`; BadInput otherwise."""

    def take(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) < 10 and low <= int(text) <= high):
            raise BadInput(
                _("Write a number from {low} to {high}, not {text}.", low=low, high=high, text=f"{text!r:.40}")
            )
        return int(text)

    return take


def one_of(choices: Mapping[str, T]) -> Callable[[str], T]:
    """A check that takes one of some words, or the beginning of just one of them; BadInput otherwise."""

    def take(text: str) -> T:
        found = [word for word in choices if word == text.lower()] or [
            word for word in choices if text and word.startswith(text.lower())
        ]
        if len(found) != 1:
            raise BadInput(
                _("Write {choices}, not {text}.", choices=f" {_('or')} ".join(choices), text=f"{text!r:.40}")
            )
        return choices[found[0]]

    return take
