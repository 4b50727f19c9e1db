"""What a person types for the adviser: one line an entry, in a few keystrokes, read forgivingly.

`s ann Pl Ro Ha bob Ro`: players by the beginning of their names, cards by codes or parts of names, in any order; where names have
several words, commas may stand between them, but need not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from molehunt.advice.entries import NOBODY_WORDS, UNSEEN, Accusation, Asked, Deal, Entry, Seen, Suggestion, Triple
from molehunt.core.errors import BadInput
from molehunt.games.speed_clue.edition import Edition

HELP = """\
s ann Pl Ro Ha bob      Ann suggested Plum, Rope, Hall, and Bob showed a card; who had none follows
s me Pl Ro Ha bob Ro    you suggested, and Bob showed you the Rope (? if you do not know it)
s ann Pl Ro Ha me Ro    you showed Ann the Rope
s ann Pl Ro Ha -        nobody could show a card
a ann Pl Ro Ha no       Ann accused, and was wrong (yes: right)
seen bob Ro             you saw that Bob has the Rope (seen bob Ro no: that they have not)
suggest                 what should I suggest, and why
show ann Pl Ro Ha       Ann asks me: which card should I show
accuse                  should I accuse
sheet                   who has what, with probabilities
why bob Ro              why is it certain that Bob has it, or not; why env Ro: the envelope
log                     all entries with their numbers
edit 3 s ann ...        put another entry in the place of number 3; insert 3 ..., drop 3
undo, redo              take back the last change, whatever it was; make it again
hand Pl Ro ..., sizes 6 6 6, rename bob Rob    correct what was dealt, and names
cards, save [FILE], help, quit
Players by the beginning of a name, or me; cards by codes or parts of names: Pe, peacock, mrs p."""

SUGGESTED = (
    "write who suggested, three cards, who showed one (- where nobody could) and the card if you saw it: s ann {} bob"
)
ACCUSED = "write who accused, three cards, and yes or no, whether it was right: a ann {} no"
SAW = "write a player and a card, and no where they have it not: seen bob {}"
ASKED = "write who asks and the three cards: show ann {}"

MAX_WORDS = 4
"""The most words of one name."""
YES, NO = ("yes", "y", "right", "true"), ("no", "n", "wrong", "false")

Take = Callable[[str], Any]


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
        self._example = " ".join(self.edition.codes[self.edition.first(category)] for category in range(3))

    def suggestion(self, text: str) -> Suggestion:
        """`ann Pl Ro Ha bob Ro`."""
        deal = self.deal
        triple = (self.edition.find,) * 3
        for more in ((str,), ()):
            for who, *cards, answer, shown in self._readings(
                text, (deal.find_player, *triple, self._answer, *more), not more
            ):
                asked = self._triple(cards)
                if asked is not None:
                    return self._suggestion(who, asked, answer, shown)
        raise self._fault(text, SUGGESTED)

    def _readings(self, text: str, takes: Sequence[Take], add_none: bool) -> Iterator[tuple[Any, ...]]:
        for found in readings(split(text), takes):
            yield (*found, None) if add_none else found

    def _suggestion(self, by: int, cards: Triple, disprover: int | None, shown: str | None) -> Suggestion:
        deal = self.deal
        card = None
        if shown is not None and shown != UNSEEN:
            card = self.among(shown, cards)
        elif disprover == deal.me:
            mine = [mine for mine in cards if deal.holds(mine)]
            card = mine[0] if len(mine) == 1 else None
        elif disprover is not None and by == deal.me and shown is None:
            raise BadInput(
                f"which card did {deal.name(disprover)} show you? Write it at the end, or {UNSEEN} where you do not know"
            )
        return Suggestion(by, cards, disprover, card)

    def accusation(self, text: str) -> Accusation:
        """`ann Pl Ro Ha no`."""
        takes = (self.deal.find_player, *(self.edition.find,) * 3, _verdict)
        for who, *cards, right in readings(split(text), takes):
            asked = self._triple(cards)
            if asked is not None:
                return Accusation(who, asked, right)
        raise self._fault(text, ACCUSED)

    def seen(self, text: str) -> Seen:
        """`bob Ro`, `bob Ro no`."""
        for takes in ((_verdict,), ()):
            for who, card, *verdict in readings(split(text), (self.deal.find_player, self.edition.find, *takes)):
                return Seen(who, card, not verdict or verdict[0])
        raise self._fault(text, SAW)

    def asked(self, text: str) -> Asked:
        """`ann Pl Ro Ha`."""
        for who, *cards in readings(split(text), (self.deal.find_player, *(self.edition.find,) * 3)):
            asked = self._triple(cards)
            if asked is not None:
                return Asked(who, asked)
        raise self._fault(text, ASKED)

    def place(self, text: str) -> int:
        """A player, or the envelope: the number after the last player."""
        return self.deal.players if _is_envelope(text) else self.deal.find_player(text)

    def at(self, text: str) -> tuple[int | None, int]:
        """`bob Ro`: a place and a card; the place is None where only a card stands there."""
        for takes in ((self.place, self.edition.find), (self.edition.find,)):
            for *place, card in readings(split(text), takes):
                return (place[0] if place else None), card
        raise self._fault(text, "write a player, or env for the envelope, and a card: why bob {}")

    def _answer(self, text: str) -> int | None:
        return None if text.lower() in NOBODY_WORDS else self.deal.find_player(text)

    def _triple(self, cards: Sequence[int]) -> Triple | None:
        """The cards in the order of the categories; None where they are not one of each."""
        first, second, third = sorted(cards)
        found = [self.edition.category(card) for card in (first, second, third)]
        return (first, second, third) if found == [0, 1, 2] else None

    def among(self, text: str, cards: Sequence[int]) -> int:
        """A card, most likely one of these, of which less need be written than of any other."""
        found = [card for card in cards if self.edition.names[card].lower().startswith(text.lower())]
        return found[0] if len(found) == 1 else self.edition.find(text)

    def _fault(self, text: str, usage: str) -> BadInput:
        """What is not understood in a line: the first word that is neither player nor card, or what is missing."""
        said = usage.format(self._example)
        words = [word.rstrip(",") for word in split(text)]
        if words:
            try:
                self.place(words[0])
            except BadInput as error:
                return BadInput(f"{error}. {said[0].upper()}{said[1:]}")
        for word in words[1:]:
            if word.lower() in (*NOBODY_WORDS, *YES, *NO, UNSEEN) or self._is_player(word):
                continue
            try:
                self.edition.find(word)
            except BadInput as error:
                return BadInput(str(error))
        return BadInput(said)

    def _is_player(self, word: str) -> bool:
        try:
            self.deal.find_player(word)
        except BadInput:
            return False
        return True

    def line(self, entry: Entry) -> str:
        """An entry as it is typed."""
        names, codes = self.deal.names, self.edition.codes
        if isinstance(entry, Seen):
            return f"seen {names[entry.player]} {codes[entry.card]}{'' if entry.has else ' no'}"
        cards = " ".join(codes[card] for card in entry.cards)
        if isinstance(entry, Accusation):
            return f"a {names[entry.by]} {cards} {'yes' if entry.right else 'no'}"
        answer = "-" if entry.disprover is None else names[entry.disprover]
        shown = "" if entry.card is None else f" {codes[entry.card]}"
        unseen = f" {UNSEEN}" if entry.card is None and entry.disprover is not None and entry.by == self.deal.me else ""
        return f"s {names[entry.by]} {cards} {answer}{shown}{unseen}"


def read_hand(text: str, edition: Edition) -> tuple[int, ...]:
    """The cards of a hand, `Pl Ro mrs peacock, lead pipe`; BadInput says which is not understood."""
    words = split(text)

    def read(rest: list[str], cards: tuple[int, ...]) -> tuple[int, ...] | None:
        if not rest:
            return cards
        for size in range(1, min(MAX_WORDS, len(rest)) + 1):
            name = " ".join(rest[:size]).rstrip(",")
            if "," in name:
                return None
            try:
                card = edition.find(name)
            except BadInput:
                continue
            # One card is not named twice: `mrs peacock` is one card, though each of its words would do.
            found = None if card in cards else read(rest[size:], (*cards, card))
            if found is not None:
                return found
        return None

    found = read(words, ()) if len(words) <= MAX_WORDS * len(edition.names) else None
    if found:
        return tuple(sorted(found))
    cards = [edition.find(word.rstrip(",")) for word in words]
    twice = next((card for card in cards if cards.count(card) > 1), None)
    if twice is not None:
        raise BadInput(f"{edition.names[twice]} is named twice")
    raise BadInput("write your cards, by codes or parts of names: " + " ".join(edition.codes[:3]))


def _is_envelope(text: str) -> bool:
    return len(text) >= 2 and "envelope".startswith(text.lower())


def _verdict(text: str) -> bool:
    if text.lower() not in (*YES, *NO):
        raise BadInput(f"write yes or no, not {text!r:.40}")
    return text.lower() in YES
