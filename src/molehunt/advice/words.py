"""What a person types for the adviser: one line an entry, in a few keystrokes, read forgivingly.

`s ann Pl Ro Ha bob Ro`: players by the beginning of their names, cards by codes or parts of names, in any order; where names have
several words, commas may stand between them, but need not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from molehunt.advice.deal import ENVELOPE_WORDS, NOBODY_WORDS, UNKNOWN, Deal, find_card
from molehunt.advice.entries import LOCATION, Asked, Entry, OneOf, Seen, Stands
from molehunt.advice.unknown import NO, YES, what_is_wrong
from molehunt.core.errors import BadInput
from molehunt.core.language import _, later
from molehunt.games.speed_clue.edition import Edition
from molehunt.games.speed_clue.suggestions import Accusation, Heard, HeardSuggestion, Triple

MOST_OF = 6
"""The most cards of which somebody has one."""

MAX_WORDS = 4
"""The most words of one name."""
Take = Callable[[str], Any]


def help_text() -> str:
    """What can be written for the adviser."""
    return _("""\
s ann Pl Ro Ha bob      Ann suggested Plum, Rope, Hall, and Bob showed a card; who had none follows
s me Pl Ro Ha bob Ro    you suggested, and Bob showed you the Rope (? if you do not know it)
s ann Pl Ro Ha me Ro    you showed Ann the Rope
s ann Pl Ro Ha -        nobody could show a card
s ann Pl ? Ha bob       you did not hear the weapon
a ann Pl Ro Ha no       Ann accused, and was wrong (yes: right)
seen bob Ro             you saw that Bob has the Rope (seen bob Ro no: that they have not; seen env Ro no: nor the envelope)
one bob Ro Ha           Bob has one of these
at ann Ki               Ann stands in the Kitchen, which they must name there (at ann -: in no room)
suggest                 what should I suggest, and why
reach Ha St             I can reach Hall or Study: all suggestions there, the best first (reach: all there are)
show ann Pl Ro Ha       Ann asks me: which card should I show
accuse                  should I accuse
sheet                   who has what, with probabilities
why bob Ro              why is it certain that Bob has it, or not; why env Ro: the envelope
log                     all entries with their numbers
edit 3 s ann ...        put another entry in the place of number 3; insert 3 ..., drop 3
undo, redo              take back the last change, whatever it was; make it again
hand Pl Ro ..., sizes 6 6 6, rename bob Rob    correct what was dealt, and names
faceup Pl Ro            these cards were left over and lie face up (faceup -: none do)
board 2                 rooms are named where one stands, and a player suggests once in 2 turns (board no: in every turn, anywhere)
cards, save [FILE], help, quit
Players by the beginning of a name, or me; cards by codes or parts of names: Pe, peacock, mrs p.""")


SUGGESTED = later(
    "write who suggested, three cards, who showed one (- where nobody could) and the card if you saw it: "
    "s ann {example} bob"
)
ACCUSED = later("write who accused, three cards, and yes or no, whether it was right: a ann {example} no")
SAW = later("write a player and a card, and no where they have it not: seen bob {card}")
ASKED = later("write who asks and the three cards: show ann {example}")
HAS_ONE = later("write a player and two cards or more, of which they have one: one bob {example}")
STANDS = later("write a player and a room, or - where they stand in none: at ann {room}")
AT = later("write a player, or env for the envelope, and a card: why bob {card}")


def split(text: str) -> list[str]:
    """The words of a line; a comma stays with the word before it."""
    return re.sub(r"\s*,\s*", ", ", text).split()


def readings(words: Sequence[str], takes: Sequence[Take]) -> Iterator[tuple[Any, ...]]:
    """All ways to read words as one value after another, each of up to MAX_WORDS words; those of the shortest come first."""
    if not takes:
        if not words:
            yield ()
        return
    if len(words) > MAX_WORDS * len(takes):
        return
    for size in range(1, min(MAX_WORDS, len(words) - len(takes) + 1) + 1):
        text = " ".join(words[:size]).rstrip(",")
        if "," in text:
            return
        try:
            value = takes[0](text)
        except BadInput:
            continue
        for rest in readings(words[size:], takes[1:]):
            yield (value, *rest)


class Reader:
    """Reads entries for one deal. BadInput says what is not understood, and what would be right."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.edition = deal.edition
        codes = [self.edition.codes[self.edition.first(category)] for category in range(3)]
        self._examples = {"example": " ".join(codes), "card": codes[0], "room": codes[LOCATION]}

    def suggestion(self, text: str) -> HeardSuggestion:
        """`ann Pl Ro Ha bob Ro`."""
        deal = self.deal
        triple = (self._heard,) * 3
        for more in ((str,), ()):
            for who, *cards, answer, shown in self._readings(
                text, (deal.find_player, *triple, self._answer, *more), not more
            ):
                asked = self._in_order(cards)
                if asked is not None:
                    return self._suggestion(who, asked, answer, shown)
        raise self._fault(text, SUGGESTED)

    def _readings(self, text: str, takes: Sequence[Take], add_none: bool) -> Iterator[tuple[Any, ...]]:
        for found in readings(split(text), takes):
            yield (*found, None) if add_none else found

    def _suggestion(self, by: int, cards: Heard, disprover: int | None, shown: str | None) -> HeardSuggestion:
        deal = self.deal
        card = None
        may_be = deal.may_be(cards)
        if shown is not None and shown != UNKNOWN:
            card = self.among(shown, may_be)
        elif disprover == deal.me:
            mine = [mine for mine in may_be if deal.holds(mine)]
            card = mine[0] if len(mine) == 1 else None
        elif disprover is not None and by == deal.me and shown is None:
            name = deal.name(disprover)
            raise BadInput(
                _("which card did {name} show you? Write it at the end, or ? where you do not know", name=name)
            )
        return HeardSuggestion(by, cards, disprover, card)

    def accusation(self, text: str) -> Accusation:
        """`ann Pl Ro Ha no`."""
        takes = (self.deal.find_player, *(self.deal.find_card,) * 3, _verdict)
        for who, *cards, right in readings(split(text), takes):
            asked = self._triple(cards)
            if asked is not None:
                return Accusation(who, asked, right)
        raise self._fault(text, ACCUSED)

    def seen(self, text: str) -> Seen:
        """`bob Ro`, `bob Ro no`, `env Ro no`."""
        for takes in ((_verdict,), ()):
            for place, card, *verdict in readings(split(text), (self.place, self.deal.find_card, *takes)):
                return Seen(place, card, not verdict or verdict[0])
        raise self._fault(text, SAW)

    def one_of(self, text: str) -> OneOf:
        """`bob Ro Ha`."""
        for number in range(2, MOST_OF + 1):
            for who, *cards in readings(split(text), (self.deal.find_player, *(self.deal.find_card,) * number)):
                return OneOf(who, tuple(sorted(cards)))
        raise self._fault(text, HAS_ONE)

    def stands(self, text: str) -> Stands:
        """`ann Ki`, `ann -`."""
        for who, room in readings(split(text), (self.deal.find_player, self._room_or_none)):
            return Stands(who, room)
        raise self._fault(text, STANDS)

    def rooms(self, text: str) -> tuple[int, ...]:
        """`Ha St`, `Hall or Study`; BadInput where one of them is no room, or nothing is."""
        words = [word for word in split(text) if word.rstrip(",").lower() not in ("or", "and", "the")]
        found = _cards_of(words, self.edition, LOCATION)
        if not found:
            for word in words:
                find_card(word.rstrip(","), self.edition, LOCATION)
            example = self.edition.codes[self.edition.first(LOCATION)]
            raise BadInput(_("write the rooms: reach {example}", example=example))
        return found

    def asked(self, text: str) -> Asked:
        """`ann Pl Ro Ha`."""
        for who, *cards in readings(split(text), (self.deal.find_player, *(self.deal.find_card,) * 3)):
            asked = self._triple(cards)
            if asked is not None:
                return Asked(who, asked)
        raise self._fault(text, ASKED)

    def place(self, text: str) -> int:
        """A player, or the envelope: the number after the last player."""
        return self.deal.players if _is_envelope(text) else self.deal.find_player(text)

    def at(self, text: str) -> tuple[int | None, int]:
        """`bob Ro`: a place and a card; the place is None where only a card stands there."""
        for takes in ((self.place, self.deal.find_card), (self.deal.find_card,)):
            for *place, card in readings(split(text), takes):
                return (place[0] if place else None), card
        raise self._fault(text, AT)

    def _answer(self, text: str) -> int | None:
        return None if text.lower() in NOBODY_WORDS else self.deal.find_player(text)

    def _heard(self, text: str) -> int | None:
        return None if text == UNKNOWN else self.deal.find_card(text)

    def _room_or_none(self, text: str) -> int | None:
        return None if text.lower() in NOBODY_WORDS else find_card(text, self.edition, LOCATION)

    def _in_order(self, cards: Sequence[int | None]) -> Heard | None:
        """The cards that were heard, each in the place of its category; None where two are of one."""
        by_category = {self.edition.category(card): card for card in cards if card is not None}
        if len(by_category) < sum(card is not None for card in cards):
            return None
        return by_category.get(0), by_category.get(1), by_category.get(2)

    def _triple(self, cards: Sequence[int]) -> Triple | None:
        """The cards in the order of the categories; None where they are not one of each."""
        first, second, third = sorted(cards)
        found = [self.edition.category(card) for card in (first, second, third)]
        return (first, second, third) if found == [0, 1, 2] else None

    def among(self, text: str, cards: Sequence[int]) -> int:
        """A card, most likely one of these, of which less need be written than of any other."""
        begins = text.lower()
        names = self.edition.names
        found = [
            card
            for card in cards
            if any(name.lower().startswith(begins) for name in (self.edition.said(card), names[card]))
        ]
        return found[0] if len(found) == 1 else self.deal.find_card(text)

    def _fault(self, text: str, usage: str) -> BadInput:
        """What is not understood in a line: a word, or what is missing."""
        words = [word.rstrip(",") for word in split(text)]
        return what_is_wrong(words, _(usage, **self._examples), self.deal, self.place)

    def line(self, entry: Entry) -> str:
        """An entry as it is typed."""
        names, codes = self.deal.names, self.edition.codes
        if isinstance(entry, Seen):
            place = (*names, ENVELOPE_WORDS[-1])[entry.place]
            return f"seen {place} {codes[entry.card]}{'' if entry.has else ' no'}"
        if isinstance(entry, Stands):
            return f"at {names[entry.player]} {'-' if entry.room is None else codes[entry.room]}"
        cards = " ".join(UNKNOWN if card is None else codes[card] for card in entry.cards)
        if isinstance(entry, OneOf):
            return f"one {names[entry.player]} {cards}"
        if isinstance(entry, Accusation):
            return f"a {names[entry.by]} {cards} {'yes' if entry.right else 'no'}"
        answer = "-" if entry.disprover is None else names[entry.disprover]
        shown = "" if entry.card is None else f" {codes[entry.card]}"
        unseen = (
            f" {UNKNOWN}" if entry.card is None and entry.disprover is not None and entry.by == self.deal.me else ""
        )
        return f"s {names[entry.by]} {cards} {answer}{shown}{unseen}"


def read_hand(text: str, edition: Edition) -> tuple[int, ...]:
    """The cards of a hand, `Pl Ro mrs peacock, lead pipe`; BadInput says which is not understood."""
    words = split(text)
    found = _cards_of(words, edition)
    if found:
        return found
    cards = [find_card(word.rstrip(","), edition) for word in words]
    twice = next((card for card in cards if cards.count(card) > 1), None)
    if twice is not None:
        raise BadInput(_("{card} is named twice", card=edition.said(twice)))
    raise BadInput(_("write your cards, by codes or parts of names: {example}", example=" ".join(edition.codes[:3])))


def _cards_of(words: Sequence[str], edition: Edition, category: int | None = None) -> tuple[int, ...] | None:
    """Cards that words name, in the order of their numbers; None where they cannot be read so, or a card is named twice."""

    def read(rest: Sequence[str], cards: tuple[int, ...]) -> tuple[int, ...] | None:
        if not rest:
            return cards
        for size in range(1, min(MAX_WORDS, len(rest)) + 1):
            name = " ".join(rest[:size]).rstrip(",")
            if "," in name:
                return None
            try:
                card = find_card(name, edition, category)
            except BadInput:
                continue
            # One card is not named twice: `mrs peacock` is one card, though each of its words would do.
            found = None if card in cards else read(rest[size:], (*cards, card))
            if found is not None:
                return found
        return None

    found = read(words, ()) if len(words) <= MAX_WORDS * len(edition.names) else None
    return None if found is None else tuple(sorted(found))


def read_number(text: str) -> float:
    """A number of turns, `2` or `1.5`; BadInput where it is none."""
    try:
        return float(text)
    except ValueError:
        typed = f"{text!r:.40}"
        raise BadInput(
            _("write how many turns a player takes for a suggestion, or no, not {text}", text=typed)
        ) from None


def _is_envelope(text: str) -> bool:
    return len(text) >= 2 and "envelope".startswith(text.lower())


def _verdict(text: str) -> bool:
    if text.lower() not in (*YES, *NO):
        raise BadInput(_("write yes or no, not {text}", text=f"{text!r:.40}"))
    return text.lower() in YES
