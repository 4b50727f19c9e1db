"""What a person at a real table of Speed Clue tells the adviser: what happened, entry by entry.

Players are numbered in the order in which they sit, and the envelope is the place after the last; cards as in the edition.
Everything here is a value; what contradicts what is the business of `findings`.
"""

from __future__ import annotations

from dataclasses import dataclass
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
class Asked:
    """`by` asks for `cards`, and it is my turn to answer: not an entry yet."""

    by: int
    cards: Triple


Entry: TypeAlias = HeardSuggestion | Accusation | Seen | OneOf | Stands

LOCATION = 2
"""The place of the location among the three cards."""


def who(entry: Entry) -> int:
    """The player that an entry is about, or the envelope."""
    if isinstance(entry, Seen):
        return entry.place
    return entry.by if isinstance(entry, (HeardSuggestion, Accusation)) else entry.player
