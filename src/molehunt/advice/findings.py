"""What follows from the entries of a person at a real table: deals, probabilities, reasons, and which entries contradict.

Who has which of the cards that I do not hold is exact inference (`beliefs.deals`); what my own hand says against an entry is found
here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from molehunt.advice.deal import Deal
from molehunt.advice.entries import Asked, Entry, Left, OneOf, Seen
from molehunt.advice.own_hand import needed_of_hand
from molehunt.advice.sentences import entry_in_words, has, has_any, is_not_the_envelope, lacks
from molehunt.beliefs.deals import Deals, Fact
from molehunt.beliefs.deals.facts import HOLDS, LACKS, ONE_OF
from molehunt.core.errors import BadInput
from molehunt.core.language import _, counted_in
from molehunt.core.words import capital, percent_said
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion, asked_in_vain


@dataclass(frozen=True)
class Conflict:
    """That some entries cannot all be true.

    entries: their numbers (what is asked now has the number after the last); text: all of it in words; reasons: its lines without
    their heading; of_hand: whether my hand, or what lies face up, is a part of it, and so perhaps what is wrong.
    """

    entries: tuple[int, ...]
    text: str
    reasons: tuple[str, ...]
    of_hand: bool


@dataclass(frozen=True)
class Reason:
    """Why something is certain: the conclusion, the entries from which it follows, and both in words."""

    conclusion: str
    entries: tuple[int, ...]
    text: str


class Findings:
    """All that follows from a deal, entries, and perhaps what I am asked. The envelope is the place after the last player."""

    def __init__(self, deal: Deal, entries: Sequence[Entry], asked: Asked | None = None) -> None:
        self.deal = deal
        self.entries = tuple(entries)
        self.asked = asked
        self.envelope = deal.players

    # --- Deals ----------------------------------------------------------------------------------------------------------

    @cached_property
    def deals(self) -> Deals:
        """All deals that agree with the entries. Holders are the others, from the one after me; sources are entry numbers."""
        deal, edition = self.deal, self.deal.edition
        made = Deals(
            [card for card in range(len(edition.names)) if not deal.in_sight(card)],
            [deal.sizes[player] for player in deal.others],
            [[card for card in edition.cards(category) if not deal.in_sight(card)] for category in range(3)],
            edition.names,
            [deal.names[player] for player in deal.others],
        )
        for number, entry in enumerate(self.entries, start=1):
            if isinstance(entry, HeardSuggestion):
                self._suggested(made, entry, number)
            elif isinstance(entry, Accusation) and entry.right:
                made.holds(made.envelope, entry.cards, number)
            elif isinstance(entry, Accusation):
                made.not_envelope(entry.cards, number)
            elif isinstance(entry, Left):
                made.holds(self._holder(entry.player), entry.cards, number)
            elif isinstance(entry, OneOf):
                made.holds_one_of(self._holder(entry.player), entry.cards, number)
            elif isinstance(entry, Seen):
                add = made.holds if entry.has else made.lacks
                add(self._holder(entry.place), [entry.card], number)
        if self.asked is not None:
            vain = asked_in_vain(self.asked.by, deal.me, deal.players)
            asked = [player for player in vain if player not in self.asked.gone]
            self._lack(made, asked, self.asked.cards, len(self.entries) + 1)
        return made

    def _suggested(self, made: Deals, entry: HeardSuggestion, number: int) -> None:
        deal = self.deal
        self._lack(made, entry.without(deal.players), entry.heard, number)
        if entry.disprover is not None and entry.disprover != deal.me:
            holder = self._holder(entry.disprover)
            if entry.card is None:
                # A card that was not heard may be any of its kind: there always is one that those before have not.
                made.holds_one_of(holder, deal.may_be(entry.cards), number)
            else:
                made.holds(holder, [entry.card], number)

    def _lack(self, made: Deals, players: Sequence[int], cards: Sequence[int], number: int) -> None:
        for player in players:
            if player != self.deal.me:
                made.lacks(self._holder(player), cards, number)

    def _holder(self, place: int) -> int:
        """The number of a place among the holders of `deals`."""
        return self.deal.players - 1 if place == self.envelope else self.deal.others.index(place)

    @cached_property
    def shares(self) -> npt.NDArray[np.float64]:
        """The probability of every card with every player, and in the envelope: shape (cards, players + 1).

        A card that lies face up is nowhere.
        """
        self.check()
        found = np.zeros((len(self.deal.edition.names), self.deal.players + 1))
        theirs = self.deals.probabilities()
        found[: len(theirs), [*self.deal.others, self.envelope]] = theirs
        found[[*self.deal.hand, *self.deal.face_up]] = 0
        found[list(self.deal.hand), self.deal.me] = 1
        return found

    @cached_property
    def certain(self) -> frozenset[tuple[int, int]]:
        """(card, place) of all cards of which it is certain where they are; none where there is a conflict."""
        if self.conflict is not None:
            return frozenset()
        cards, places = np.nonzero(self.shares)
        alone = np.bincount(cards) == 1
        return frozenset((int(card), int(place)) for card, place in zip(cards, places, strict=True) if alone[card])

    # --- Conflicts ------------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """BadInput, with the conflict in words, where there is one."""
        if self.conflict is not None:
            raise BadInput(self.conflict.text)

    @cached_property
    def conflict(self) -> Conflict | None:
        """Which entries cannot all be true, as few as possible, so that none can be left out; None where all can."""
        for number, entry in enumerate((*self.entries, *([self.asked] if self.asked else [])), start=1):
            fault = self._against_hand(entry)
            if fault:
                entry_told = self._numbered(number)
                told = _("{entry} and your hand cannot both be true: {why}.", entry=entry_told, why=fault)
                return Conflict((number,), capital(told), (capital(told),), of_hand=True)
        found = self.deals.conflict(by_source=True)
        if found is None:
            return None
        mine = self._of_hand(found.facts)
        lines = _indented([*self._by_entry(found.facts), *mine])
        text = "\n".join([_("These cannot all be true:"), *lines])
        return Conflict(_sources(found.facts), text, tuple(line.strip() for line in lines), of_hand=bool(mine))

    @property
    def possible(self) -> bool:
        """Whether all entries can be true; sooner known than which cannot."""
        return not any(map(self._against_hand, self.entries)) and self.deals.possible

    def _against_hand(self, entry: Entry | Asked) -> str:
        """What my hand, and what lies face up, says against an entry; nothing where it agrees."""
        deal = self.deal
        if isinstance(entry, (Asked, HeardSuggestion)) and (isinstance(entry, Asked) or entry.disprover == deal.me):
            return self._against_showing(entry)
        if isinstance(entry, HeardSuggestion):
            mine = [card for card in entry.heard if deal.holds(card)]
            if deal.me in entry.without(deal.players) and mine:
                return deal.in_sight_words(mine)
            theirs = deal.may_be(entry.cards) if entry.card is None else (entry.card,)
            return self._if_all_in_sight(theirs if entry.disprover is not None else ())
        if isinstance(entry, OneOf):
            return self._if_all_in_sight(entry.cards)
        elsewhere: Sequence[int] = ()
        if isinstance(entry, Left) or (isinstance(entry, Accusation) and entry.right):
            elsewhere = entry.cards
        elif isinstance(entry, Seen) and entry.has:
            elsewhere = [entry.card]
        return deal.in_sight_words(elsewhere)

    def _against_showing(self, entry: Asked | HeardSuggestion) -> str:
        """What my hand says against my showing a card."""
        deal = self.deal
        if not any(deal.holds(card) for card in deal.may_be(entry.cards)):
            return _("you hold none of these")
        shown = None if isinstance(entry, Asked) else entry.card
        return "" if shown is None or deal.holds(shown) else self._not_held(shown)

    def _not_held(self, *cards: int) -> str:
        listed = self.deal.cards(cards, "or")
        return counted_in("you do not hold {cards}", "you do not hold {cards}", len(cards), cards=listed)

    def _if_all_in_sight(self, cards: Sequence[int]) -> str:
        """Where cards are of which another is said to have one, if that is nowhere else; nothing where it may be."""
        away = cards and all(self.deal.in_sight(card) for card in cards)
        return self.deal.in_sight_words(cards) if away else ""

    # --- Reasons --------------------------------------------------------------------------------------------------------

    def explain(self, card: int, place: int) -> Reason:
        """Why it is certain that a card is, or is not, at a place. BadInput: it is not certain, or entries contradict."""
        self.check()
        deal = self.deal
        if card in deal.face_up:
            return Reason(deal.in_sight_words([card]), (), f"{deal.in_sight_words([card])}.")
        if deal.holds(card) or place == deal.me:
            conclusion = capital(deal.in_sight_words([card]) if deal.holds(card) else self._not_held(card))
            return Reason(conclusion, (), _("{conclusion}: that is your hand.", conclusion=conclusion))
        found = self.shares[card]
        if found[place] and np.count_nonzero(found) > 1:
            raise BadInput(self._uncertain(card, place, percent_said(found[place])))
        holder = self._holder(place)
        reason = self.deals.explain(card, holder, by_source=True)
        denied = Fact(LACKS if found[place] else HOLDS, holder, (card,))
        conclusion = capital((has if found[place] else lacks)(deal, place, [card]))
        lines = [*self._by_entry(reason.facts), *self._of_hand((*reason.facts, denied))]
        lines = lines or [_("so many cards were dealt to each player")]
        head = _("{conclusion}, because", conclusion=conclusion)
        return Reason(conclusion, _sources(reason.facts), "\n".join([head, *_indented(lines)]))

    def _uncertain(self, card: int, place: int, chance: str) -> str:
        """That it is not certain whether a card is at a place."""
        deal = self.deal
        values = {"card": deal.cards([card]), "chance": chance}
        if place == self.envelope:
            return _("it is not certain whether the envelope has {card}: the probability is {chance}", **values)
        name = deal.name(place)
        return _("it is not certain whether {name} has {card}: the probability is {chance}", name=name, **values)

    def _by_entry(self, facts: Sequence[Fact]) -> list[str]:
        """Facts in words, one line for each entry from which they come."""
        lines = []
        for number in _sources(facts):
            told = "; ".join(self._said(fact) for fact in facts if fact.source == number)
            lines.append(_("{entry}: so {facts}", entry=self._numbered(number), facts=told))
        return lines

    def _of_hand(self, facts: Sequence[Fact]) -> list[str]:
        """What of my hand, and of what lies face up, it takes for facts about the others to contradict each other."""
        held, lacked = needed_of_hand(self.deal, facts)
        return [*([self.deal.in_sight_words(held)] if held else []), *([self._not_held(*lacked)] if lacked else [])]

    def _said(self, fact: Fact) -> str:
        """A fact in words; of what was not heard, no card by name."""
        deal = self.deal
        place = (*deal.others, self.envelope)[fact.place]
        if fact.kind == HOLDS:
            return has(deal, place, fact.cards)
        if fact.kind == LACKS:
            return lacks(deal, place, fact.cards)
        if fact.kind != ONE_OF:
            return is_not_the_envelope(deal, fact.cards)
        entry = self.entries[fact.source - 1] if fact.source <= len(self.entries) else None
        if isinstance(entry, HeardSuggestion) and entry.whole is None:
            return has_any(deal, place, deal.heard(entry.cards))
        return has_any(deal, place, [deal.cards([card]) for card in fact.cards])

    def _numbered(self, number: int) -> str:
        """An entry with its number, in words."""
        if number <= len(self.entries):
            said = entry_in_words(self.entries[number - 1], self.deal)
            return _("entry {number} ({said})", number=number, said=said)
        return _("what is asked now ({said})", said=entry_in_words(self.asked, self.deal)) if self.asked else ""


def _sources(facts: Sequence[Fact]) -> tuple[int, ...]:
    """The numbers of the entries from which facts come."""
    return tuple(sorted({fact.source for fact in facts}))


def _indented(lines: Sequence[str]) -> list[str]:
    """Lines of a list in words: `  a;`, `  b.`."""
    return [f"  {line}{';' if number < len(lines) else '.'}" for number, line in enumerate(lines, start=1)]
