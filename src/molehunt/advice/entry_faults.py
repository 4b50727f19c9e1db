"""Which entries cannot be, whoever holds which cards: what is wrong with one, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from molehunt.advice.deal import Deal, no_such_card
from molehunt.advice.entries import LOCATION, Entry, Left, OneOf, Seen, Stands, who
from molehunt.core.errors import BadInput
from molehunt.core.language import _, counted_in
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion


def check_entries(entries: Sequence[Entry], deal: Deal) -> None:
    """BadInput, with the number of the entry, where one of them cannot be, whoever holds which cards."""
    out: dict[int, int] = {}
    away: dict[int, int] = {}
    for number, entry in enumerate(entries, start=1):
        before = entries[number - 2] if number > 1 else None
        fault = _fault(entry, deal)
        if isinstance(before, Accusation) and before.right:
            fault = _("the game ended with entry {number}, a right accusation", number=number - 1)
        elif not fault and isinstance(entry, (HeardSuggestion, Accusation)) and entry.by in out:
            fault = _fault_of_one_who_is_out(entry.by, out[entry.by], deal)
        if not fault:
            fault = _fault_of_one_who_left(entry, away, deal)
        if fault:
            raise in_entry(number, fault)
        if isinstance(entry, Left):
            away[entry.player] = number
        if isinstance(entry, Accusation) and not entry.right:
            out[entry.by] = number


def in_entry(number: int, fault: str) -> BadInput:
    """The error of an entry, with its number."""
    return BadInput(_("entry {number}: {fault}", number=number, fault=fault))


def _fault_of_one_who_left(entry: Entry, away: Mapping[int, int], deal: Deal) -> str:
    """Why who has left cannot have done this, by the number of the entry with which they did; nothing where it can be."""
    if isinstance(entry, (Seen, OneOf)):
        return ""
    doing = [who(entry), *([entry.disprover] if isinstance(entry, HeardSuggestion) else [])]
    found = next((player for player in doing if player in away), None)
    if found is not None:
        return _("{name} has left the table in entry {number}", name=deal.name(found), number=away[found])
    if isinstance(entry, Left) and len(away) + 2 == deal.players:
        return _("then only you would be left, and the game would be over")
    return ""


def _fault_of_one_who_is_out(player: int, number: int, deal: Deal) -> str:
    if player == deal.me:
        return _("you have accused wrongly in entry {number}, and can only answer", number=number)
    name = deal.name(player)
    return _("{name} has accused wrongly in entry {number}, and can only answer", name=name, number=number)


def _fault(entry: Entry, deal: Deal) -> str:
    """Why an entry cannot be, whoever holds which cards; nothing where it can."""
    players = [who(entry)]
    if isinstance(entry, HeardSuggestion) and entry.disprover is not None:
        players.append(entry.disprover)
    last = deal.players if isinstance(entry, Seen) else deal.players - 1
    if not all(0 <= player <= last for player in players):
        found = ", ".join(map(str, players))
        return _("players are numbered 0 to {last}, not {found}", last=deal.players - 1, found=found)
    if isinstance(entry, Stands):
        rooms = deal.edition.cards(LOCATION)
        return "" if entry.room is None or entry.room in rooms else _("players stand in rooms, and nowhere else")
    if isinstance(entry, (Seen, OneOf, Left)):
        return _fault_of_known(entry, deal)
    cards = enumerate(entry.cards)
    if any(card is not None and card not in deal.edition.cards(category) for category, card in cards):
        return _("three cards are a suspect, a weapon and a location, in this order")
    return _fault_of_answer(entry, deal) if isinstance(entry, HeardSuggestion) else ""


def _fault_of_known(entry: Seen | OneOf | Left, deal: Deal) -> str:
    """Why this cannot have become known; nothing where it can."""
    cards = (entry.card,) if isinstance(entry, Seen) else entry.cards
    for card in cards:
        if not 0 <= card < len(deal.edition.names):
            return str(no_such_card(card))
    if isinstance(entry, Left):
        return _fault_of_leaving(entry, deal)
    if isinstance(entry, OneOf) and (len(cards) < 2 or len(set(cards)) < len(cards)):
        return _("who has one of several cards has one of two or more, each named once")
    return _("what you hold is your hand, and not an entry") if who(entry) == deal.me else ""


def _fault_of_leaving(entry: Left, deal: Deal) -> str:
    """Why nobody can have left so; nothing where it can be."""
    if entry.player == deal.me:
        return _("who leaves the table is another player, not you")
    size = deal.sizes[entry.player]
    if len(set(entry.cards)) < len(entry.cards) or len(entry.cards) != size:
        name, number = deal.name(entry.player), len(set(entry.cards))
        return counted_in(
            "{name} was dealt {n} card, and {number} are laid open: name all of them",
            "{name} was dealt {n} cards, and {number} are laid open: name all of them",
            size,
            name=name,
            number=number,
        )
    return ""


def _fault_of_answer(entry: HeardSuggestion, deal: Deal) -> str:
    """Why a suggestion cannot have been answered so; nothing where it can."""
    if entry.disprover == entry.by:
        if entry.by == deal.me:
            return _("you cannot answer the own suggestion")
        return _("{name} cannot answer the own suggestion", name=deal.name(entry.by))
    if entry.by == deal.me and entry.whole is None:
        return _("your own suggestion has three cards")
    may_be = deal.may_be(entry.cards)
    if entry.card is not None and (entry.disprover is None or entry.card not in may_be):
        asked = ", ".join(deal.heard(entry.cards))
        return _("{card} is not one of the cards asked for: {cards}", card=deal.cards([entry.card]), cards=asked)
    mine = [card for card in may_be if deal.holds(card)]
    if entry.disprover == deal.me and entry.card is None and len(mine) > 1:
        return _("which card did you show, {cards}?", cards=deal.cards(mine, "or"))
    return ""
