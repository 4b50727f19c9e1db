"""Views and events of Speed Clue as objects with names, for people and for players in plain Python."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from molehunt.core.friendly import FriendlyEvent, FriendlyView
from molehunt.core.game import LegalActions
from molehunt.core.seats import seat_or_none
from molehunt.games.speed_clue.actions import ACCUSE, END, PLAY_SHIFT, SUGGEST
from molehunt.games.speed_clue.edition import CATEGORIES, Edition
from molehunt.games.speed_clue.notation import format_triple, triple_of
from molehunt.games.speed_clue.state import (
    ACCUSED,
    ANSWER,
    CARD_MASK,
    DISPROVER_SHIFT,
    NOBODY_DID,
    NOBODY_YET,
    RIGHT,
    SEAT_MASK,
    SHOWN_SHIFT,
    SUGGESTER_SHIFT,
    VIEW,
)
from molehunt.games.speed_clue.suggestions import asked_in_vain

if TYPE_CHECKING:
    from molehunt.games.speed_clue.game import SpeedClue

PHASES = ("turn", "answer", "after", "over")

_NUMBERS = VIEW[["seat", "seats", "phase", "to_move", "on_turn", "turns"]]
"""Fields of a view that are read at once, as one by one they take several times as long."""


def cards_of(mask: int, edition: Edition) -> tuple[str, ...]:
    """The names of a set of cards, in the order of the list."""
    return tuple(name for card, name in enumerate(edition.names) if mask >> card & 1)


@dataclass(frozen=True)
class Suggestion:
    """One suggestion of the public record, as a seat may know it.

    `seat` asked for `cards`; the seats `without` had none of them; `disprover` showed a card (None: nobody could, or the answer
    is awaited, then `awaited`); `shown` is the card, None where it may not be known.
    """

    seat: int
    cards: tuple[str, str, str]
    without: tuple[int, ...]
    disprover: int | None
    shown: str | None
    awaited: bool


def suggestion_of(entry: int, seats: int, edition: Edition, to_move: int) -> Suggestion:
    """A record entry as an object; `to_move` is who must answer, where an answer is awaited."""
    seat = entry >> SUGGESTER_SHIFT & SEAT_MASK
    disprover = entry >> DISPROVER_SHIFT & SEAT_MASK
    stop = seat if disprover == NOBODY_DID else to_move if disprover == NOBODY_YET else disprover
    shown = (entry >> SHOWN_SHIFT & CARD_MASK) - 1
    first, second, third = (edition.names[card] for card in triple_of(entry))
    return Suggestion(
        seat,
        (first, second, third),
        asked_in_vain(seat, stop, seats),
        disprover if disprover < NOBODY_DID else None,
        edition.names[shown] if shown >= 0 else None,
        disprover == NOBODY_YET,
    )


class View(FriendlyView):
    """What one seat knows; `legal_actions` is empty when others move. The public view is of seat -1 (`core.seats.NOBODY`)."""

    game: SpeedClue
    """The rules of the game."""
    record: npt.NDArray[np.void]
    """The underlying array of one record, for those who want the numbers."""
    seat: int
    """Whose view this is."""
    seats: int
    """How many sit at the game."""
    phase: str
    """What is to be done: "turn" (suggest or accuse), "answer" (show a card), "after" (accuse or end the turn), "over"."""
    to_move: int | None
    """The seat to move, None when the game is over."""
    on_turn: int
    """Whose turn it is: who suggests, also while another answers."""
    turns: int
    """How many turns have begun."""

    def __init__(self, game: SpeedClue, record: Any) -> None:
        self.game = game
        self.record = record
        self._view = record[0]
        self.seat, self.seats, phase, to_move, self.on_turn, self.turns = record.view(_NUMBERS)[0].item()
        self.phase = PHASES[phase]
        self.to_move = seat_or_none(to_move)

    @property
    def kinds(self) -> tuple[tuple[str, ...], ...]:
        """The names of all cards by kind: the suspects, the weapons, the locations."""
        edition = self.game.edition
        return tuple(
            tuple(edition.names[card] for card in edition.cards(category)) for category in range(len(CATEGORIES))
        )

    @property
    def hand(self) -> tuple[str, ...]:
        """The names of the cards in hand."""
        return cards_of(int(self._view["hand"]), self.game.edition)

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        return tuple(int(size) for size in self._view["hand_sizes"][: self.seats])

    @property
    def out(self) -> frozenset[int]:
        """The seats that have accused wrongly."""
        return frozenset(seat for seat in range(self.seats) if self._view["out"] >> seat & 1)

    @property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """The public record of suggestions, with the cards that this seat showed or was shown."""
        entries = self._view["record"][: self._view["suggestion_count"]].tolist()
        to_move = int(self._view["to_move"])
        return tuple(suggestion_of(entry, self.seats, self.game.edition, to_move) for entry in entries)

    @property
    def accusations(self) -> tuple[tuple[int, tuple[str, str, str], bool], ...]:
        """(seat, cards, right) of every accusation that was made."""
        found = []
        for seat, word in enumerate(self._view["accusations"].tolist()):
            if word & ACCUSED:
                first, second, third = (self.game.edition.names[card] for card in triple_of(word))
                found.append((seat, (first, second, third), bool(word & RIGHT)))
        return tuple(found)

    @property
    def showable(self) -> tuple[str, ...]:
        """The cards that this seat may show now; empty where it is not asked."""
        if self._view["phase"] != ANSWER or self.to_move != self.seat:
            return ()
        asked = self.suggestions[-1].cards
        return tuple(card for card in self.hand if card in asked)

    @cached_property
    def legal_actions(self) -> LegalActions:
        """What this seat may do now."""
        return self.game.legal_actions(self.record)


class Event(FriendlyEvent):
    """What a seat learns of one move."""

    record: np.void
    """The underlying record, for those who want the numbers."""
    seat: int
    """Who moved."""
    move: str
    """The move in notation, "show ?" where the card is hidden."""
    right: bool | None
    """Whether an accusation was right; None for all other moves."""
    suggestion: Suggestion | None
    """The suggestion as it stands after the move; None for accusations and ends."""

    def __init__(self, game: SpeedClue, record: Any) -> None:
        self.record = record
        self.seat = int(record["seat"])
        self.move = game.named(int(record["action"])).text
        self.right = None if record["right"] < 0 else bool(record["right"])
        entry = int(record["suggestion"])
        asker = entry >> SUGGESTER_SHIFT & SEAT_MASK
        awaited = (asker + 1 + int(record["answered"])) % game.seats
        self.suggestion = suggestion_of(entry, game.seats, game.edition, awaited) if self._is_suggestion() else None

    def _is_suggestion(self) -> bool:
        play = int(self.record["action"]) >> PLAY_SHIFT
        return play not in (ACCUSE, END)

    def __str__(self) -> str:
        parts = [f"seat {self.seat}: {self.move}"]
        if self.right is not None:
            parts.append("right" if self.right else "wrong")
        made = self.suggestion
        if made is not None and int(self.record["action"]) >> PLAY_SHIFT == SUGGEST:
            parts += [f"seat {other} has none" for other in made.without]
            if made.disprover is not None:
                parts.append(f"seat {made.disprover} shows {made.shown or 'a card'}")
            elif not made.awaited:
                parts.append("nobody disproves it")
        return ", ".join(parts)


__all__ = ["Event", "Suggestion", "View", "cards_of", "format_triple", "suggestion_of"]
