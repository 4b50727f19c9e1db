"""What people at a table say to each other: phrases, their own words where the host allows them, and whom they suspect."""

from __future__ import annotations

import msgspec

from molehunt.core.errors import BadInput
from molehunt.core.language import _, later

PHRASES = (
    later("Well done!"),
    later("Trust me."),
    later("Why did you do that?"),
    later("Sorry!"),
    later("One moment, please."),
    later("Good game!"),
)
"""What can be said at a click, at every table; a face adds what is said in its game."""
LONGEST = 160
MOST_LINES = 40
"""So many of the last lines are kept."""


class Spoken(msgspec.Struct, omit_defaults=True):
    """A line: its number from 1, the seat that said it, and the words. A `phrase` is said to each in their language."""

    n: int
    seat: int
    text: str
    phrase: bool = False


class Talk(msgspec.Struct):
    """All talk of a table. `said` counts lines; `suspects` are pairs (who, whom) of seats; `free`: own words are allowed."""

    lines: list[Spoken] = msgspec.field(default_factory=list)
    said: int = 0
    suspects: list[tuple[int, int]] = msgspec.field(default_factory=list)
    free: bool = True

    def say(self, seat: int, text: str, phrase: bool = False) -> None:
        """Add a line; a `phrase` is one of those that are offered."""
        self.said += 1
        self.lines = [*self.lines, Spoken(self.said, seat, text, phrase)][-MOST_LINES:]

    def suspect(self, seat: int, whom: int) -> None:
        """Suspect somebody, or no longer."""
        pair = (seat, whom)
        self.suspects = (
            [one for one in self.suspects if one != pair] if pair in self.suspects else [*self.suspects, pair]
        )

    def since(self, number: int) -> list[Spoken]:
        """The lines after the line `number`."""
        return [
            msgspec.structs.replace(line, text=_(line.text), phrase=False) if line.phrase else line
            for line in self.lines
            if line.n > number
        ]


def check_words(text: str) -> str:
    """Words as they are shown: one line; BadInput where they are none, too many, or cannot be printed."""
    words = " ".join(text.split())
    if not 1 <= len(words) <= LONGEST or not words.isprintable():
        raise BadInput(
            _("what is said has 1 to {most} signs that can be printed, not {text}", most=LONGEST, text=f"{text!r:.60}")
        )
    return words
