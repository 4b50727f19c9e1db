"""What becomes known of a suggestion and of an accusation, by card numbers and seats: at a real table, and over a wire.

`friendly.Suggestion` tells those who write players the same of the record of a play, by the names of the cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

Triple: TypeAlias = tuple[int, int, int]
"""A suspect, a weapon and a location, as card numbers."""
Heard: TypeAlias = tuple[int | None, int | None, int | None]
"""A suspect, a weapon and a location, as far as they were heard."""


@dataclass(frozen=True)
class HeardSuggestion:
    """`by` asked for `cards`; `disprover` showed a card (None: nobody could), and it was `card` (None: it is not known which).

    Who was asked in vain follows from the order of the seats; `gone` have left the table before, and were not asked.
    """

    by: int
    cards: Heard
    disprover: int | None = None
    card: int | None = None
    gone: tuple[int, ...] = ()

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
        asked = asked_in_vain(self.by, self.by if self.disprover is None else self.disprover, players)
        return tuple(player for player in asked if player not in self.gone)


@dataclass(frozen=True)
class Accusation:
    """`by` accused with `cards`, and was `right` or is out."""

    by: int
    cards: Triple
    right: bool


def asked_in_vain(by: int, stop: int, players: int) -> tuple[int, ...]:
    """The players from the one after `by` to the one before `stop`, in the order of asking."""
    return tuple((by + step) % players for step in range(1, (stop - by - 1) % players + 1))
