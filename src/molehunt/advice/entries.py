"""What a person at a real table of Speed Clue tells the adviser: what happened, entry by entry.

Players are numbered in the order in which they sit, and the envelope is the place after the last; cards as in the edition.
Everything here is a value; what contradicts what is the business of `findings`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Triple: TypeAlias = tuple[int, int, int]
"""A suspect, a weapon and a location, as card numbers."""
Heard: TypeAlias = tuple[int | None, int | None, int | None]
"""A suspect, a weapon and a location, as far as they were heard."""


@dataclass(frozen=True)
class Suggestion:
    """`by` asked for `cards`; `disprover` showed a card (None: nobody could), and it was `card` (None: I do not know which).

    Who was asked in vain follows from the order at the table.
    """

    by: int
    cards: Heard
    disprover: int | None
    card: int | None = None

    @property
    def heard(self) -> tuple[int, ...]:
        """The cards that were heard."""
        return tuple(card for card in self.cards if card is not None)

    @property
    def whole(self) -> Triple | None:
        """The three cards; None where not all of them were heard."""
        first, second, third = self.cards
        return None if first is None or second is None or third is None else (first, second, third)

    def without(self, players: int) -> tuple[int, ...]:
        """Who had none of the cards, in the order of asking."""
        return asked_in_vain(self.by, self.by if self.disprover is None else self.disprover, players)


@dataclass(frozen=True)
class Accusation:
    """`by` accused with `cards`, and was `right` or is out."""

    by: int
    cards: Triple
    right: bool


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


Entry: TypeAlias = Suggestion | Accusation | Seen | OneOf | Stands

LOCATION = 2
"""The place of the location among the three cards."""


def who(entry: Entry) -> int:
    """The player that an entry is about, or the envelope."""
    if isinstance(entry, Seen):
        return entry.place
    return entry.by if isinstance(entry, (Suggestion, Accusation)) else entry.player


def asked_in_vain(by: int, stop: int, players: int) -> tuple[int, ...]:
    """The players from the one after `by` to the one before `stop`, in the order of asking."""
    return tuple((by + step) % players for step in range(1, (stop - by - 1) % players + 1))
