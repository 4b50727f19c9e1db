"""What a person at a real table of Speed Clue tells the adviser: what happened, entry by entry.

Players are numbered in the order in which they sit, and the envelope is the place after the last; cards as in the edition.
Everything here is a value; what contradicts what is the business of `findings`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion, Triple


@dataclass(frozen=True)
class Seen:
    """It became known otherwise that `place`, a player or the envelope, `has` a card, or has it not."""

    place: int
    card: int
    has: bool = True


@dataclass(frozen=True)
class OneOf:
    """It became known otherwise that `player` has at least one of `cards`, two or more."""

    player: int
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Stands:
    """`player` stands in a room on the board, or in none (None): a suggestion there names this room, held or not."""

    player: int
    room: int | None


@dataclass(frozen=True)
class Left:
    """`player` left the table in the middle of the game and laid open `cards`, all they were dealt: nobody asks them any more."""

    player: int
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Asked:
    """`by` asks for `cards`, and it is my turn to answer: not an entry yet. `gone` have left the table, and were not asked."""

    by: int
    cards: Triple
    gone: tuple[int, ...] = ()


Entry: TypeAlias = HeardSuggestion | Accusation | Seen | OneOf | Stands | Left

LOCATION = 2
"""The place of the location among the three cards."""


def gone(entries: Sequence[Entry]) -> tuple[int, ...]:
    """Who has left the table by the end of some entries."""
    return tuple(sorted({entry.player for entry in entries if isinstance(entry, Left)}))


def laid_open(entries: Sequence[Entry]) -> tuple[int, ...]:
    """The cards of all who have left the table."""
    return tuple(sorted({card for entry in entries if isinstance(entry, Left) for card in entry.cards}))


def without_gone(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Entries in which each suggestion knows who had left the table before it."""
    return tuple(
        replace(entry, gone=gone(entries[:place])) if isinstance(entry, HeardSuggestion) else entry
        for place, entry in enumerate(entries)
    )


def who(entry: Entry) -> int:
    """The player that an entry is about, or the envelope."""
    if isinstance(entry, Seen):
        return entry.place
    return entry.by if isinstance(entry, (HeardSuggestion, Accusation)) else entry.player
