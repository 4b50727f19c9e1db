"""Who sits at a table: names for artificial players, and what a person may be called, for every front end."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from molehunt.core.errors import BadInput
from molehunt.core.language import _, counted_in, languages, later, speaking
from molehunt.core.position import PERSON
from molehunt.core.record import Record

NAMES = ("Alice", "Bob", "Carol", "Dave", "Eve", "Frank", "Grace", "Heidi", "Ivan", "Judy", "Kim")
"""The artificial players, in the order of the seats; one more than there can be at a table with a person."""

YOU = later("You")
"""What a person at a terminal is called who gives no name."""


GUEST = later("Guest")
"""What a person is called who gives no name, where others read it, and where sentences do not speak to the person."""


@cache
def you_in_every_language() -> frozenset[str]:
    """What a person is called who gives no name, in every language."""
    found = set()
    for code in languages():
        with speaking(code):
            found.add(_(YOU))
    return frozenset(found)


def said_names(names: Iterable[str]) -> tuple[str, ...]:
    """The names of a table as sentences say them that do not speak to the person: who is called YOU there is the guest."""
    return tuple(_(GUEST) if name in you_in_every_language() else name for name in names)


def free_names(taken: Iterable[str]) -> Iterator[str]:
    """Names for artificial players that nobody at the table has."""
    lower = {name.lower() for name in taken}
    return (name for name in NAMES if name.lower() not in lower)


def recorded_names(specs: Sequence[str]) -> tuple[str, ...]:
    """What the players of a record are called, by how they are typed there: people by their names, others as at a table."""
    typed = said_names(spec.partition(PERSON)[2] for spec in specs)
    free = free_names(typed)
    return tuple(name or next(free, _("Player {number}", number=seat + 1)) for seat, name in enumerate(typed))


def faults_in_words(record: Record, names: Sequence[str]) -> list[str]:
    """Who has lost a recorded game by fault, why, and after how many moves, as sentences for each."""
    told = []
    for seat, reason in enumerate(record.faults or ()):
        if not reason:
            continue
        words = _(
            "{name} has lost by fault, and from there on chance moved in that seat: {reason}.",
            name=names[seat],
            reason="".join(sign if sign.isprintable() else "?" for sign in reason).rstrip("."),
        )
        after = record.failed_after[seat] if record.failed_after else None
        if after is not None:
            asked = counted_in(
                "{name} was asked after {n} move.", "{name} was asked after {n} moves.", after, name=names[seat]
            )
            words = f"{words} {asked}"
        told.append(words)
    return told


def check_name(text: str, most: int) -> str:
    """A name of at most `most` letters for a person; BadInput where it cannot be one."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))  # letters with accents are written in two ways
    if not 1 <= len(name) <= most or not name.isprintable() or set(name) & set(",:*"):
        raise BadInput(
            _("a name has 1 to {most} letters and no comma, colon or star, not {text}", most=most, text=f"{text!r:.40}")
        )
    return name
