"""Entries that contradict each other: with which change of a single one all would agree, so that somebody finds the slip.

Who notes a game slips in few ways: another player showed the card, or made the suggestion; a card was misheard, or tapped beside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from molehunt.advice.deal import Deal
from molehunt.advice.entries import Entry, Seen
from molehunt.advice.entry_faults import check_entries
from molehunt.advice.findings import Conflict, Findings
from molehunt.advice.sentences import entry_in_words, showed
from molehunt.core.errors import BadInput
from molehunt.core.language import _
from molehunt.games.speed_clue.suggestions import Accusation, Heard, HeardSuggestion


@dataclass(frozen=True)
class Slip:
    """Perhaps what was noted wrong: with `entry` in the place of entry `number` all agree. `text` says what was so, in words."""

    number: int
    entry: Entry
    text: str


def find_slips(deal: Deal, entries: Sequence[Entry], conflict: Conflict) -> list[Slip]:
    """All single changes of an entry of a conflict with which all entries agree, entry by entry; often there are several."""
    found = []
    for number in conflict.entries:
        if number > len(entries):
            continue  # what I am asked now is no entry yet
        for entry, text in _changed(entries[number - 1], deal):
            if _agree(deal, [*entries[: number - 1], entry, *entries[number:]]):
                found.append(Slip(number, entry, text))
    return found


def _agree(deal: Deal, entries: Sequence[Entry]) -> bool:
    """Whether these can be entries, and all true; False, too, where there are too many deals to tell."""
    try:
        check_entries(entries, deal)
        return Findings(deal, entries).possible
    except BadInput:
        return False


def _changed(entry: Entry, deal: Deal) -> Iterator[tuple[Entry, str]]:
    """What an entry may have been instead, each with what was so, in words."""
    if isinstance(entry, HeardSuggestion):
        yield from _shown_otherwise(entry, deal)
        if entry.by != deal.me:
            yield from _misheard(entry, deal)
            yield from _suggested_by_another(entry, deal)
    elif isinstance(entry, Accusation):
        made: Entry = replace(entry, right=not entry.right)
        yield made, entry_in_words(made, deal)
    elif isinstance(entry, Seen):
        others = [replace(entry, place=place) for place in (*deal.others, deal.players) if place != entry.place]
        for made in [*(others if entry.has else []), replace(entry, has=not entry.has)]:
            yield made, entry_in_words(made, deal)


def _shown_otherwise(entry: HeardSuggestion, deal: Deal) -> Iterator[tuple[Entry, str]]:
    """Another card, another player who showed one, or nobody."""
    if entry.by == deal.me and entry.disprover is not None and entry.card is not None:
        for other in entry.heard:
            if other != entry.card:
                yield replace(entry, card=other), showed(entry.disprover, other, deal)
    for step in range(1, deal.players):
        player = (entry.by + step) % deal.players
        mine = [card for card in deal.may_be(entry.cards) if deal.holds(card)]
        for card in mine if player == deal.me else [None]:
            if (player, card) != (entry.disprover, entry.card) and not (player == entry.disprover != deal.me):
                yield replace(entry, disprover=player, card=card), showed(player, card, deal)
    if entry.disprover is not None:
        yield replace(entry, disprover=None, card=None), _("nobody could show a card")


def _misheard(entry: HeardSuggestion, deal: Deal) -> Iterator[tuple[Entry, str]]:
    """One of the cards that were heard was another of its kind."""
    first, second, third = entry.cards
    without: tuple[Heard, ...] = ((None, second, third), (first, None, third), (first, second, None))
    for card, cards in zip(entry.cards, without, strict=True):
        if card is not None and card != entry.card:
            yield replace(entry, cards=cards), _("{card} was misheard", card=deal.cards([card]))


def _suggested_by_another(entry: HeardSuggestion, deal: Deal) -> Iterator[tuple[Entry, str]]:
    """Another player suggested it."""
    for player in range(deal.players):
        if player not in (entry.by, entry.disprover, deal.me):
            yield replace(entry, by=player), _("{name} suggested it", name=deal.name(player))
