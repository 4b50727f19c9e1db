"""What a person at Speed Clue is told: moves as sentences, the public record, the rules and the cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from rich.text import Text

from molehunt.core.errors import BadNotation
from molehunt.core.game import Game
from molehunt.core.language import _, counted_in, later
from molehunt.core.words import capital, joined
from molehunt.games.entry import GameWords
from molehunt.games.speed_clue.edition import CATEGORIES, Edition
from molehunt.games.speed_clue.friendly import Event, Suggestion, View
from molehunt.games.speed_clue.game import check_game
from molehunt.games.speed_clue.ruleset import CONTEST_ORDER, Ruleset

T = TypeVar("T")


def help_text() -> str:
    """What can be written at the prompt."""
    return _("""\
suggest                   ask about three cards; also at once: suggest Peacock, Rope, Hall
accuse                    name what is in the envelope, once in the game
show CARD, end            answer a suggestion; end your turn
hand, sheet, record       your cards; what you know; the suggestions so far
words                     what you know of each card, line by line in words
rules, cards, help, quit
Parts of names and codes will do (peacock, mrs p, Pe), and s, a and e for the moves.""")


MARK_HELP = later("mark CARD PLAYER yes      write on your sheet: yes, no, maybe, clear (also PLAYER envelope)")
CARD_WORDS = (
    *(later("suspects"), later("weapons"), later("locations")),
    *(later("suspect"), later("weapon"), later("location")),
    *(later("the envelope was named"), later("all others have accused wrongly")),
    later("nobody solved it within the limit of suggestions"),
)
"""Words of the rules, as they stand where the rules are compiled: what is shown of them is translated."""
INDENT = 13
"""Where the cards of a line begin in `card_lines`."""


def rules_text(ruleset: Ruleset, edition: Edition, sizes: Sequence[int]) -> str:
    """The rules in short, for so many cards in each hand."""
    counts = ", ".join(f"{count} {_(title)}" for count, title in zip(edition.counts, CATEGORIES, strict=True))
    hands = ", ".join(map(str, sizes))
    if ruleset.order == CONTEST_ORDER:
        turn = _(
            "On your turn you make a suggestion, never one of your own again; then you may accuse, but not with a card that you "
            "hold or have been shown. Where nobody disproves your suggestion and it has no card of yours, you must accuse with it."
        )
    else:
        turn = _("On your turn you accuse, or you make a suggestion and may then accuse.")
    aim = _(
        "Of {counts}, one each lies in the envelope; the others are all dealt ({hands} cards). Find out which.",
        counts=counts,
        hands=hands,
    )
    asked = _(
        "A suggestion names a suspect, a weapon and a location; cards of your own are allowed. From the next player on, each says "
        "that they have none of the three, or shows one of them to the suggester alone; then it stops. Which card was shown, only "
        "these two know."
    )
    accused = _(
        "An accusation is made once in the game. If it is right, you win; if it is wrong, you are out, and only go on answering."
    )
    return "\n".join([aim, turn, asked, accused, _("The last player who is not out wins.")])


def card_lines(edition: Edition, cards: Iterable[str], codes: bool) -> list[str]:
    """Cards, one line a category; with their codes if asked for."""
    wanted = set(cards)
    lines = []
    for category, title in enumerate(CATEGORIES):
        names = [
            f"{edition.said(card)} ({edition.codes[card]})" if codes else edition.said(card)
            for card in edition.cards(category)
            if edition.names[card] in wanted
        ]
        lines.append(f"  {_(title):10} {', '.join(names) or '-'}")
    return lines


_SAID = {
    "suggests": (later("you suggest {cards}."), later("{name} suggests {cards}.")),
    "right": (later("you accuse {cards}: right!"), later("{name} accuses {cards}: right!")),
    "wrong": (
        later("you accuse {cards}: wrong. You are out."),
        later("{name} accuses {cards}: wrong. {name} is out."),
    ),
    "ends": (later("you end your turn."), later("{name} ends the turn.")),
}
"""What somebody does, as it is said to the one who does it, and of another."""
_SHOWS = (
    later("you show {other} a card."),
    later("{name} shows you a card."),
    later("{name} shows {other} a card."),
)
_SHOWS_IT = (
    later("you show {other} {card}."),
    later("{name} shows you {card}."),
    later("{name} shows {other} {card}."),
)
"""A card that is shown: by the reader, to the reader, among others; and the same where the reader knows which one."""


def heard(read: Callable[[Edition], T], edition: Edition) -> T:
    """What `read` makes of cards that are called as in the language that is spoken, or else as in the notation.

    BadNotation where they are neither, in the words of the first.
    """
    try:
        return read(replace(edition, names=tuple(map(_, edition.names))))
    except BadNotation:
        with suppress(BadNotation):
            return read(edition)
        raise


def cards_of_move(move: str) -> str:
    """The cards of a move in notation, as `cards_said`."""
    cards = move.partition(" ")[2]
    return cards_said(cards.split(", ")) if cards else ""


def cards_said(cards: Iterable[str]) -> str:
    """Cards, by their names in the notation, as a list in the language that is spoken."""
    return ", ".join(map(_, cards))


class _Teller:
    """Says what happens at Speed Clue to the person on `seat`, None for a watcher."""

    def __init__(self, names: Sequence[str], seat: int | None) -> None:
        self._names = names
        self._seat = seat

    def name(self, seat: int) -> str:
        """Who sits there, `you` for the reader."""
        return _("you") if seat == self._seat else self._names[seat]

    def says(self, deed: str, seat: int, cards: str = "") -> str:
        """A sentence of `_SAID`."""
        yours, others = _SAID[deed]
        return capital(_(yours if seat == self._seat else others, name=self.name(seat), cards=cards))

    def shows(self, made: Suggestion, disprover: int) -> str:
        """Who shows a card to whom, and which, where the reader knows it."""
        case = 0 if disprover == self._seat else 1 if made.seat == self._seat else 2
        text = (_SHOWS_IT if made.shown else _SHOWS)[case]
        values = {"name": self.name(disprover), "other": self.name(made.seat), "card": _(made.shown or "")}
        return capital(_(text, **values))

    def without(self, seats: Sequence[int]) -> str:
        """Who has none of the cards."""
        if [*seats] == [self._seat]:
            return _("You have none.")
        who = capital(joined(self.name(seat) for seat in seats))
        if self._seat in seats:
            return _("{who_with_you} have none.", who_with_you=who)
        return counted_in("{who} has none.", "{who} have none.", len(seats), who=who)


class Narrator(_Teller):
    """Tells the events of a game to the person on `seat`: one line for a suggestion with its answers."""

    def __init__(self, names: Sequence[str], seat: int) -> None:
        super().__init__(names, seat)
        self._line = Text()

    def lines(self, events: Iterable[Event]) -> list[Text]:
        """The events as lines; a suggestion that waits for an answer of the person's is told as far as it has come."""
        told: list[Text] = []
        for event in events:
            if event.right is not None:
                cards = cards_of_move(event.move)
                told.append(Text(self.says("right" if event.right else "wrong", event.seat, cards), "bold"))
            elif event.suggestion is not None:
                self._tell(event, event.suggestion)
                if not event.suggestion.awaited:
                    told.append(self._take())
        if self._line:
            told.append(self._take())
        return told

    def _take(self) -> Text:
        line, self._line = self._line, Text()
        return line

    def _tell(self, event: Event, made: Suggestion) -> None:
        line = self._line
        if event.seat == made.seat:
            line.append(self.says("suggests", made.seat, cards_said(made.cards)))
            if made.without:
                line.append(f" {self.without(made.without)}")
            if made.disprover is None and not made.awaited:
                line.append(f" {_('Nobody can disprove it.')}", "bold")
        if made.disprover is not None:
            before, card, after = self.shows(made, made.disprover).partition(_(made.shown or "\n"))
            line.append(f"{' ' if line else ''}{before}")
            line.append(card, "bold")
            line.append(after)


def sentence(event: Event, names: Sequence[str], seat: int | None) -> str:
    """What happened, as sentences with names; `seat` is the reader's, None for a watcher."""
    teller = _Teller(names, seat)
    if event.right is not None:
        said = teller.says("right" if event.right else "wrong", event.seat, cards_of_move(event.move))
        return f"{said[:-1]}." if event.right else said
    made = event.suggestion
    if made is None:
        return teller.says("ends", event.seat)
    parts = []
    if event.move.startswith("suggest"):
        parts.append(teller.says("suggests", made.seat, cards_said(made.cards)))
        if made.without:
            parts.append(teller.without(made.without))
        if made.disprover is None and not made.awaited:
            parts.append(_("Nobody can disprove it."))
    if made.disprover is not None:
        parts.append(teller.shows(made, made.disprover))
    return " ".join(parts)


def record_rows(view: View, narrator: Narrator) -> list[tuple[str, str, str, str]]:
    """The public record, a row a suggestion: its number, who made it, its cards, the answers as far as the person knows them."""
    rows = []
    for number, made in enumerate(view.suggestions, start=1):
        answers = [_("{name} none", name=narrator.name(seat)) for seat in made.without]
        if made.disprover is not None:
            shown = _(made.shown) if made.shown else _("a card")
            own = made.disprover == view.seat
            name = narrator.name(made.disprover)
            answers.append(_("you show {card}", card=shown) if own else _("{name} shows {card}", name=name, card=shown))
        elif made.awaited:
            answers.append(_("not answered yet"))
        rows.append((str(number), narrator.name(made.seat), cards_said(made.cards), ", ".join(answers)))
    return rows


def rules_of(game: Game) -> str:
    """The rules in short, for the cards and seats of a game."""
    clue = check_game("these words", game)
    cards = len(clue.edition.names) - len(CATEGORIES)
    sizes = [(cards + clue.seats - 1 - seat) // clue.seats for seat in range(clue.seats)]
    return rules_text(clue.ruleset, clue.edition, sizes)


def move_words(move: str, _names: Sequence[str], _seat: int | None) -> str:
    """A move in notation as an imperative."""
    said = _MOVES.get(move.partition(" ")[0])
    return capital(move) if said is None else _(said, cards=cards_of_move(move))


_MOVES = {
    "suggest": later("Suggest {cards}"),
    "accuse": later("Accuse {cards}"),
    "show": later("Show {cards}"),
    "end": later("End the turn"),
}
_GROUPS = {"suggest": later("Suggest"), "accuse": later("Accuse"), "show": later("Show"), "end": later("End the turn")}


def group(move: str) -> str:
    """The heading of a move in notation."""
    word = move.partition(" ")[0]
    return _(_GROUPS[word]) if word in _GROUPS else capital(word)


def written(game: Game) -> re.Pattern[str]:
    """Finds moves in notation within a text."""
    edition = check_game("written", game).edition
    card = f"(?:{'|'.join(map(re.escape, edition.names))})"
    return re.compile(rf"\b(?:suggest|accuse) {card}, {card}, {card}|\bshow {card}|(?<!\bthe )\bend(?=: | by | \()")


WORDS = GameWords(sentence, move_words, group, written)
