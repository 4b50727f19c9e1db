"""What a person types for the adviser: one line an entry, in a few keystrokes, read forgivingly.

`s ann Pl Ro Ha bob Ro`: players by the beginning of their names, cards by codes or parts of names, in any order; where names have
several words, commas may stand between them, but need not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from molehunt.advice.deal import ENVELOPE_WORDS, NOBODY_WORDS, UNKNOWN, Deal, find_card
from molehunt.advice.entries import LOCATION, Asked, Entry, Left, OneOf, Seen, Stands
from molehunt.advice.lines import MAX_WORDS, Take, cards_of, readings, split
from molehunt.advice.unknown import NO, YES, what_is_wrong
from molehunt.advice.usage import ACCUSED, ASKED, AT, HAS_ONE, LEFT, SAW, STANDS, SUGGESTED
from molehunt.core.errors import BadInput
from molehunt.core.language import _, later, spoken_words
from molehunt.core.words import capital
from molehunt.games.speed_clue.suggestions import Accusation, Heard, HeardSuggestion, Triple

MOST_OF = 6
"""The most cards of which somebody has one."""
BETWEEN = later("or and the")
"""Words that may stand between rooms and mean nothing: read by `spoken_words`."""


class Reader:
    """Reads entries for one deal. BadInput says what is not understood, and what would be right."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.edition = deal.edition
        codes = [self.edition.codes[self.edition.first(category)] for category in range(3)]
        self._examples = {"example": " ".join(codes), "card": codes[0], "room": codes[LOCATION]}

    def suggestion(self, text: str) -> HeardSuggestion:
        """`ann Pl Ro Ha bob Ro`."""
        found = self._suggested(text)
        if found is None:
            raise self._fault(text, SUGGESTED, self._suggested, self._answered)
        return found

    def _suggested(self, text: str) -> HeardSuggestion | None:
        deal = self.deal
        triple = (self._heard,) * 3
        for more in ((str,), ()):
            for who, *cards, answer, shown in self._readings(
                text, (deal.find_player, *triple, self._answer, *more), not more
            ):
                asked = self._in_order(cards)
                if asked is not None:
                    return self._suggestion(who, asked, answer, shown)
        return None

    def _answered(self, text: str) -> Sequence[int | None] | None:
        takes = (self.deal.find_player, *(self._heard,) * 3, self._answer)
        return next((cards for _who, *cards, _by in readings(split(text), takes)), None)

    def _readings(self, text: str, takes: Sequence[Take], add_none: bool) -> Iterator[tuple[Any, ...]]:
        for found in readings(split(text), takes):
            yield (*found, None) if add_none else found

    def _suggestion(self, by: int, cards: Heard, disprover: int | None, shown: str | None) -> HeardSuggestion:
        deal = self.deal
        card = None
        may_be = deal.may_be(cards)
        if shown is not None and shown != UNKNOWN:
            card = self._shown(shown, may_be)
        elif disprover == deal.me:
            mine = [mine for mine in may_be if deal.holds(mine)]
            card = mine[0] if len(mine) == 1 else None
        elif disprover is not None and by == deal.me and shown is None:
            name = deal.name(disprover)
            raise BadInput(
                _("which card did {name} show you? Write it at the end, or ? where you do not know", name=name)
            )
        return HeardSuggestion(by, cards, disprover, card)

    def _shown(self, text: str, asked: Sequence[int]) -> int:
        """The card that was shown, at the end of a line; BadInput says what may stand there."""
        words = text.split()
        for size in range(len(words), 0, -1):
            try:
                card = self.among(" ".join(words[:size]), asked)
            except BadInput:
                continue
            if size < len(words):
                raise self._too_much(words[size:], SUGGESTED)
            return card
        cards = self.deal.cards(asked, "or")
        raise BadInput(
            _("the card shown is {cards}, or ? where you do not know it, not {text}", cards=cards, text=f"{text!r:.40}")
        )

    def accusation(self, text: str) -> Accusation:
        """`ann Pl Ro Ha no`."""
        found = self._accused(text)
        if found is None:
            raise self._fault(text, ACCUSED, self._accused, self._three, verdict=self._asked)
        return found

    def _accused(self, text: str) -> Accusation | None:
        takes = (self.deal.find_player, *(self.deal.find_card,) * 3, _verdict)
        for who, *cards, right in readings(split(text), takes):
            asked = self._triple(cards)
            if asked is not None:
                return Accusation(who, asked, right)
        return None

    def seen(self, text: str) -> Seen:
        """`bob Ro`, `bob Ro no`, `env Ro no`."""
        found = self._saw(text)
        if found is None:
            raise self._fault(text, SAW, self._saw, verdict=self._saw)
        return found

    def _saw(self, text: str) -> Seen | None:
        for takes in ((_verdict,), ()):
            for place, card, *verdict in readings(split(text), (self.place, self.deal.find_card, *takes)):
                return Seen(place, card, not verdict or verdict[0])
        return None

    def one_of(self, text: str) -> OneOf:
        """`bob Ro Ha`."""
        for number in range(2, MOST_OF + 1):
            for who, *cards in readings(split(text), (self.deal.find_player, *(self.deal.find_card,) * number)):
                return OneOf(who, tuple(sorted(cards)))
        raise self._fault(text, HAS_ONE)

    def left(self, text: str) -> Left:
        """`bob Ro Ha Pl`."""
        words = split(text)
        for size in range(1, min(MAX_WORDS, len(words)) + 1):
            for (player,) in readings(words[:size], (self.deal.find_player,)):
                cards = cards_of(words[size:], self.edition)
                if cards:
                    return Left(player, cards)
        raise self._fault(text, LEFT)

    def stands(self, text: str) -> Stands:
        """`ann Ki`, `ann -`."""
        found = self._stood(text)
        if found is None:
            for _who, card in readings(split(text), (self.deal.find_player, self.deal.find_card)):
                raise self._with_usage(_("{card} is no room", card=self.deal.cards([card])), STANDS)
            raise self._fault(text, STANDS, self._stood)
        return found

    def _stood(self, text: str) -> Stands | None:
        for who, room in readings(split(text), (self.deal.find_player, self._room_or_none)):
            return Stands(who, room)
        return None

    def rooms(self, text: str) -> tuple[int, ...]:
        """`Ha St`, `Hall or Study`; BadInput where one of them is no room, or nothing is."""
        between = spoken_words(BETWEEN)
        words = [word for word in split(text) if word.rstrip(",").lower() not in between]
        found = cards_of(words, self.edition, LOCATION)
        if not found:
            for word in words:
                find_card(word.rstrip(","), self.edition, LOCATION)
            example = self.edition.codes[self.edition.first(LOCATION)]
            raise BadInput(_("write the rooms: reach {example}", example=example))
        return found

    def asked(self, text: str) -> Asked:
        """`ann Pl Ro Ha`."""
        found = self._asked(text)
        if found is None:
            raise self._fault(text, ASKED, self._asked, self._three)
        return found

    def _asked(self, text: str) -> Asked | None:
        for who, *cards in readings(split(text), (self.deal.find_player, *(self.deal.find_card,) * 3)):
            asked = self._triple(cards)
            if asked is not None:
                return Asked(who, asked)
        return None

    def _three(self, text: str) -> Sequence[int] | None:
        """Three cards, of whatever kinds, at the beginning of a line, after a player."""
        words = split(text)
        takes = (self.deal.find_player, *(self.deal.find_card,) * 3)
        for size in range(len(words), 0, -1):
            for _who, *cards in readings(words[:size], takes):
                return cards
        return None

    def place(self, text: str) -> int:
        """A player, or the envelope: the number after the last player."""
        return self.deal.players if _is_envelope(text) and not self.deal.is_name(text) else self.deal.find_player(text)

    def at(self, text: str) -> tuple[int | None, int]:
        """`bob Ro`: a place and a card; the place is None where only a card stands there."""
        found = self._at(text)
        if found is None:
            raise self._fault(text, AT, self._at)
        return found

    def _at(self, text: str) -> tuple[int | None, int] | None:
        for takes in ((self.place, self.deal.find_card), (self.deal.find_card,)):
            for *place, card in readings(split(text), takes):
                return (place[0] if place else None), card
        return None

    def _answer(self, text: str) -> int | None:
        nobody = text.lower() in spoken_words(NOBODY_WORDS) and not self.deal.is_name(text)
        return None if nobody else self.deal.find_player(text)

    def _heard(self, text: str) -> int | None:
        return None if text == UNKNOWN else self.deal.find_card(text)

    def _room_or_none(self, text: str) -> int | None:
        return None if text.lower() in spoken_words(NOBODY_WORDS) else find_card(text, self.edition, LOCATION)

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

    def _fault(
        self,
        text: str,
        usage: str,
        read: Callable[[str], Any] | None = None,
        three: Callable[[str], Sequence[int | None] | None] | None = None,
        verdict: Callable[[str], Any] | None = None,
    ) -> BadInput:
        """What is not understood in a line: what is too much in it, a word, or what is missing.

        read: reads such a line, or gives None; three: its cards, of whatever kinds; verdict: what yes or no may follow.
        """
        words = split(text)
        if (
            verdict is not None
            and words
            and words[-1].lower() not in spoken_words(YES) + spoken_words(NO)
            and _reads(verdict, words[:-1])
        ):
            return self._with_usage(_not_yes_or_no(words[-1]), usage)
        for size in range(len(words) - 1, 0, -1):
            if read is not None and _reads(read, words[:size]):
                return self._too_much(words[size:], usage)
        cards = [card for card in (three(text) if three is not None else None) or () if card is not None]
        if cards and self._in_order(cards) is None:
            named = self.deal.cards(cards, "and")
            return self._with_usage(_("{cards} are not a suspect, a weapon and a location", cards=named), usage)
        return what_is_wrong([word.rstrip(",") for word in words], _(usage, **self._examples), self.deal, self.place)

    def _too_much(self, words: Sequence[str], usage: str) -> BadInput:
        return self._with_usage(_("{text} is too much", text=f"{' '.join(words)!r:.40}"), usage)

    def _with_usage(self, wrong: str, usage: str) -> BadInput:
        return BadInput(_("{wrong}. {usage}", wrong=wrong, usage=capital(_(usage, **self._examples))))

    def line(self, entry: Entry) -> str:
        """An entry as it is typed."""
        names, codes = self.deal.names, self.edition.codes
        if isinstance(entry, Seen):
            place = (*names, ENVELOPE_WORDS.split()[-1])[entry.place]
            return f"seen {place} {codes[entry.card]}{'' if entry.has else ' no'}"
        if isinstance(entry, Stands):
            return f"at {names[entry.player]} {'-' if entry.room is None else codes[entry.room]}"
        cards = " ".join(UNKNOWN if card is None else codes[card] for card in entry.cards)
        if isinstance(entry, Left):
            return f"gone {names[entry.player]} {cards}"
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


def _is_envelope(text: str) -> bool:
    return len(text) >= 2 and any(word.startswith(text.lower()) for word in spoken_words(ENVELOPE_WORDS))


def _verdict(text: str) -> bool:
    if text.lower() not in spoken_words(YES) + spoken_words(NO):
        raise BadInput(_not_yes_or_no(text))
    return text.lower() in spoken_words(YES)


def _not_yes_or_no(text: str) -> str:
    return _("write yes or no, not {text}", text=f"{text!r:.40}")


def _reads(read: Callable[[str], Any], words: Sequence[str]) -> bool:
    """Whether words are a line that is understood."""
    try:
        return read(" ".join(words).rstrip(",")) is not None
    except BadInput:
        return False
