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

from molehunt.advice.entries import Accusation, Asked, Deal, Entry, Seen, Suggestion, asked_in_vain
from molehunt.beliefs.deals import Deals, Fact
from molehunt.beliefs.deals.facts import LACKS, ONE_OF
from molehunt.core.errors import BadInput
from molehunt.core.words import capital


@dataclass(frozen=True)
class Conflict:
    """That some entries, by number, cannot all be true (with what is asked now: it has the number after the last)."""

    entries: tuple[int, ...]
    text: str


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
            [card for card in range(len(edition.names)) if not deal.holds(card)],
            [deal.sizes[player] for player in deal.others],
            [[card for card in edition.cards(category) if not deal.holds(card)] for category in range(3)],
            edition.names,
            [deal.names[player] for player in deal.others],
        )
        for number, entry in enumerate(self.entries, start=1):
            if isinstance(entry, Suggestion):
                self._lack(made, entry.without(deal.players), entry.cards, number)
                if entry.disprover is not None and entry.disprover != deal.me:
                    holder = self._holder(entry.disprover)
                    if entry.card is None:
                        made.holds_one_of(holder, entry.cards, number)
                    else:
                        made.holds(holder, [entry.card], number)
            elif isinstance(entry, Accusation) and entry.right:
                made.holds(made.envelope, entry.cards, number)
            elif isinstance(entry, Accusation):
                made.not_envelope(entry.cards, number)
            else:
                add = made.holds if entry.has else made.lacks
                add(self._holder(entry.player), [entry.card], number)
        if self.asked is not None:
            vain = asked_in_vain(self.asked.by, deal.me, deal.players)
            self._lack(made, vain, self.asked.cards, len(self.entries) + 1)
        return made

    def _lack(self, made: Deals, players: Sequence[int], cards: Sequence[int], number: int) -> None:
        for player in players:
            if player != self.deal.me:
                made.lacks(self._holder(player), cards, number)

    def _holder(self, place: int) -> int:
        """The number of a place among the holders of `deals`."""
        return self.deal.players - 1 if place == self.envelope else self.deal.others.index(place)

    @cached_property
    def shares(self) -> npt.NDArray[np.float64]:
        """The probability of every card with every player, and in the envelope: shape (cards, players + 1)."""
        self.check()
        found = np.zeros((len(self.deal.edition.names), self.deal.players + 1))
        theirs = self.deals.probabilities()
        found[: len(theirs), [*self.deal.others, self.envelope]] = theirs
        found[list(self.deal.hand)] = 0
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
        """Which entries cannot all be true, as few as possible; None where all can."""
        for number, entry in enumerate((*self.entries, *([self.asked] if self.asked else [])), start=1):
            fault = self._against_hand(entry)
            if fault:
                told = f"{self._numbered(number)} and your hand cannot both be true: {fault}"
                return Conflict((number,), capital(told))
        found = self.deals.conflict()
        if found is None:
            return None
        lines = self._by_entry(found.facts)
        return Conflict(_sources(found.facts), "\n".join(["These cannot all be true:", *_indented(lines)]))

    def _against_hand(self, entry: Entry | Asked) -> str:
        """What my hand says against an entry; nothing where it agrees."""
        deal = self.deal
        if isinstance(entry, Seen):
            return f"you hold {deal.cards([entry.card])}" if entry.has and deal.holds(entry.card) else ""
        mine = [card for card in entry.cards if deal.holds(card)]
        hold = f"you hold {deal.cards(mine, 'and')}"
        if isinstance(entry, Accusation):
            return hold if entry.right and mine else ""
        if isinstance(entry, Asked) or entry.disprover == deal.me:
            shown = None if isinstance(entry, Asked) else entry.card
            if not mine:
                return "you hold none of these"
            return "" if shown is None or deal.holds(shown) else f"you do not hold {deal.cards([shown])}"
        if deal.me in entry.without(deal.players) and mine:
            return hold
        theirs = entry.cards if entry.card is None else (entry.card,)
        return hold if entry.disprover is not None and all(deal.holds(card) for card in theirs) else ""

    # --- Reasons --------------------------------------------------------------------------------------------------------

    def explain(self, card: int, place: int) -> Reason:
        """Why it is certain that a card is, or is not, at a place. BadInput: it is not certain, or entries contradict."""
        self.check()
        deal = self.deal
        if deal.holds(card) or place == deal.me:
            conclusion = f"You {'hold' if deal.holds(card) else 'do not hold'} {deal.cards([card])}"
            return Reason(conclusion, (), f"{conclusion}: that is your hand.")
        found = self.shares[card]
        if found[place] and np.count_nonzero(found) > 1:
            where = "the envelope" if place == self.envelope else deal.name(place)
            raise BadInput(
                f"it is not certain whether {where} has {deal.cards([card])}: the probability is {found[place]:.0%}"
            )
        reason = self.deals.explain(card, self._holder(place))
        conclusion = capital(reason.conclusion)
        lines = self._by_entry(reason.facts)
        if place == self.envelope:
            lines += self._mine_beside(card, reason.facts)
        lines = lines or ["so many cards were dealt to each player"]
        return Reason(conclusion, _sources(reason.facts), "\n".join([f"{conclusion}, because", *_indented(lines)]))

    def _mine_beside(self, card: int, facts: Sequence[Fact]) -> list[str]:
        """What my hand adds where something is certain of a card and the envelope."""
        deal = self.deal
        if len({fact.place for fact in facts if fact.kind == LACKS and card in fact.cards}) == len(deal.others):
            return [f"you do not hold {deal.cards([card])}"]
        alike = [own for own in deal.hand if deal.edition.category(own) == deal.edition.category(card)]
        return [f"you hold {deal.cards(alike, 'and')}"] if alike else []

    def _by_entry(self, facts: Sequence[Fact]) -> list[str]:
        """Facts in words, one line for each entry from which they come; last the cards of mine that they are about."""
        say = self.deals.words.say
        lines = []
        for number in _sources(facts):
            told = "; ".join(say(fact) for fact in facts if fact.source == number)
            lines.append(f"{self._numbered(number)}: so {told}")
        # Who has one of three cards has one of fewer where some of them are mine.
        mine = {card for fact in facts if fact.kind == ONE_OF for card in fact.cards if self.deal.holds(card)}
        return [*lines, f"you hold {self.deal.cards(sorted(mine), 'and')}"] if mine else lines

    def _numbered(self, number: int) -> str:
        """An entry with its number, in words."""
        if number <= len(self.entries):
            return f"entry {number} ({self.deal.say(self.entries[number - 1])})"
        return f"what is asked now ({self.deal.say(self.asked)})" if self.asked else ""


def _sources(facts: Sequence[Fact]) -> tuple[int, ...]:
    """The numbers of the entries from which facts come."""
    return tuple(sorted({fact.source for fact in facts}))


def _indented(lines: Sequence[str]) -> list[str]:
    """Lines of a list in words: `  a;`, `  b.`."""
    return [f"  {line}{';' if number < len(lines) else '.'}" for number, line in enumerate(lines, start=1)]
