"""Speed Clue as a page shows it: a view, and what may be done, as plain values, from one seat's view or the public one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from molehunt.core.game import Game, LegalActions
from molehunt.core.language import _, later
from molehunt.core.words import capital
from molehunt.games.speed_clue.actions import ACCUSE, END, PLAY_SHIFT, SHOW, SUGGEST
from molehunt.games.speed_clue.edition import CATEGORIES, SINGULAR, Edition
from molehunt.games.speed_clue.friendly import Suggestion, View, cards_of
from molehunt.table.clue_sheet import ENVELOPE, HAS, LACKS, SHOWN, FilledSheet
from molehunt.web.face import Face, Shown
from molehunt.web.frames import Position

_MARKS = {HAS: "yes", LACKS: "no", SHOWN: "no"}


class ClueCard(msgspec.Struct):
    """A card: its number, by which all else names it, its code, its name in the notation, and as the reader's language says it."""

    card: int
    code: str
    name: str
    said: str


class Category(msgspec.Struct):
    """The cards of a category: its title ("Suspects"), which kind it is in any language ("suspect"), and the cards."""

    title: str
    what: str
    cards: list[ClueCard]


class Allowed(msgspec.Struct):
    """What the seat may do now; `show` are the cards that it may show, `repeat` says whether it may suggest what it has before."""

    suggest: bool
    repeat: bool
    accuse: bool
    end: bool
    show: list[int]


class AskedCards(msgspec.Struct):
    """What the seat is asked for, and by whom."""

    by: int
    cards: list[int]


class RecordedSuggestion(msgspec.Struct):
    """A suggestion of the public record.

    Its number from 1, who made it, its cards, who had none of them, who showed one (None: nobody, or nobody yet, where it is
    `awaited`), and which, where the reader may know it.
    """

    n: int
    by: int
    cards: list[int]
    without: list[int]
    disprover: int | None
    shown: int | None
    awaited: bool


class RecordedAccusation(msgspec.Struct):
    """An accusation: who made it, its cards, and whether it was right."""

    seat: int
    cards: list[int]
    right: bool


class CluePosition(Position):
    """A position of Speed Clue; cards are numbers.

    `hand` and `sheet` (a mark for each card, seat and the envelope) are the seat's own; `hands` and `envelope` are known once
    all cards are revealed.
    """

    categories: list[Category]
    hand: list[int] | None
    sizes: list[int]
    out: list[int]
    turn: int
    phase: str
    may: Allowed
    asked: AskedCards | None
    record: list[RecordedSuggestion]
    accusations: list[RecordedAccusation]
    sheet: list[list[str]] | None
    hands: list[list[int]] | None = None
    envelope: list[int] | None = None

    def keep(self, own: Position) -> None:
        """Keep the seat's own hand and sheet."""
        if isinstance(own, CluePosition):
            self.hand, self.sheet = own.hand, own.sheet


class ClueFace(Face):
    """Speed Clue on a page."""

    script = "clue.js"
    styles = ("clue.css",)
    guide = "speed_clue"

    def position(self, game: Game, shown: Shown) -> CluePosition:
        """A view as a page shows it."""
        return _position(game.friendly_view(shown.view), shown.names, shown.legal(game))

    def open_up(self, found: Position, game: Game, state: Any) -> None:
        """Reveal hands, envelope, and which cards were shown."""
        if not isinstance(found, CluePosition):
            return
        views = [game.friendly_view(game.views(state, np.array([seat], np.int8))) for seat in range(game.seats)]
        edition = views[0].game.edition
        numbers = {name: card for card, name in enumerate(edition.names)}
        found.hands = [[numbers[card] for card in view.hand] for view in views]
        found.envelope = [numbers[name] for name in cards_of(int(state[0]["envelope"]), edition)]
        # Who showed a card and who saw it know which one it was.
        for told in found.record:
            shown = views[told.by].suggestions[told.n - 1].shown
            if shown is not None:
                told.shown = numbers[shown]

    def news(self, game: Game, event: Any, seat: int) -> str | None:
        """What the seat learned alone: the card that it was shown."""
        made = game.friendly_event(event).suggestion
        return (
            _("You are shown {card}.", card=_(made.shown))
            if made is not None and made.shown and made.seat == seat
            else None
        )


FACE = ClueFace()


def categories(edition: Edition) -> list[Category]:
    """All cards with their codes, by category."""
    return [
        Category(
            capital(_(title)),
            SINGULAR[number],
            [
                ClueCard(card, edition.codes[card], edition.names[card], edition.said(card))
                for card in edition.cards(number)
            ],
        )
        for number, title in enumerate(CATEGORIES)
    ]


def _position(view: View, names: Sequence[str], legal: LegalActions) -> CluePosition:
    plays = {code >> PLAY_SHIFT for code in legal.codes}
    edition = view.game.edition
    seat = view.seat if view.seat >= 0 else None
    numbers = {name: card for card, name in enumerate(edition.names)}
    asked = view.suggestions[-1] if view.phase == "answer" and view.to_move == seat and seat is not None else None
    return CluePosition(
        headline=_("You must accuse") if plays == {ACCUSE} else _headline(view, names, seat),
        lines=[
            _("Turn {number}", number=view.turns),
            _("You are on turn") if view.on_turn == seat else _("{name} is on turn", name=names[view.on_turn]),
        ]
        if view.to_move is not None
        else [],
        categories=categories(edition),
        hand=None if seat is None else [numbers[card] for card in view.hand],
        sizes=list(view.hand_sizes),
        out=sorted(view.out),
        turn=view.on_turn,
        phase=view.phase,
        may=Allowed(
            suggest=SUGGEST in plays,
            repeat=sum(code >> PLAY_SHIFT == SUGGEST for code in legal.codes) == math.prod(edition.counts),
            accuse=ACCUSE in plays,
            end=END in plays,
            show=[numbers[card] for card in view.showable] if SHOW in plays else [],
        ),
        asked=None if asked is None else AskedCards(asked.seat, [numbers[card] for card in asked.cards]),
        record=[_suggestion(number, made, numbers) for number, made in enumerate(view.suggestions, 1)],
        accusations=[
            RecordedAccusation(other, [numbers[card] for card in cards], right)
            for other, cards, right in view.accusations
        ],
        sheet=None if seat is None else _sheet(view),
    )


def _headline(view: View, names: Sequence[str], seat: int | None) -> str:
    if view.to_move is None:
        return _("The game is over")
    yours, others = _TO_DO[view.phase]
    return _(yours) if view.to_move == seat else _(others, name=names[view.to_move])


_TO_DO = {
    "turn": (later("Your turn: make a suggestion"), later("{name} is to suggest")),
    "answer": (later("You are asked: show a card"), later("{name} is to show a card")),
    "after": (later("Accuse, or end your turn"), later("{name} is to accuse or to end the turn")),
}
"""What is to be done in each phase, as it is said to who does it, and of another."""


def _suggestion(number: int, made: Suggestion, numbers: dict[str, int]) -> RecordedSuggestion:
    return RecordedSuggestion(
        n=number,
        by=made.seat,
        cards=[numbers[card] for card in made.cards],
        without=list(made.without),
        disprover=made.disprover,
        shown=None if made.shown is None else numbers[made.shown],
        awaited=made.awaited,
    )


def _sheet(view: View) -> list[list[str]]:
    """What follows for the seat: for each card a mark for each seat and for the envelope."""
    sheet = FilledSheet(view)
    columns = [*range(view.seats), ENVELOPE]
    return [
        [_MARKS.get(sheet.mark(card, column), "") for column in columns] for card in range(len(view.game.edition.names))
    ]
