"""What is entered at a real table, and what follows from it, as sentences without their full stop.

`you` and a name ask for different verbs, and the envelope for others still, so each has a sentence of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from molehunt.advice.deal import Deal
from molehunt.advice.entries import Asked, Entry, Left, OneOf, Seen, Stands
from molehunt.core.language import _, counted_in, later
from molehunt.core.words import capital, joined
from molehunt.games.speed_clue.suggestions import HeardSuggestion

_ACCUSED = {
    (True, True): later("you accused {cards}: right"),
    (True, False): later("you accused {cards}: wrong, and are out"),
    (False, True): later("{name} accused {cards}: right"),
    (False, False): later("{name} accused {cards}: wrong, and is out"),
}
"""By whether it was me, and whether it was right."""


def entry_in_words(entry: Entry | Asked, deal: Deal) -> str:
    """An entry, or what is asked now, as a sentence without its full stop."""
    return capital(_entry(entry, deal))


def _entry(entry: Entry | Asked, deal: Deal) -> str:
    if isinstance(entry, HeardSuggestion):
        return _suggested(entry, deal)
    if isinstance(entry, Stands):
        return _stands(entry, deal)
    if isinstance(entry, Seen):
        return (has if entry.has else lacks)(deal, entry.place, [entry.card])
    cards = deal.cards(entry.cards)
    if isinstance(entry, (Left, OneOf)):
        name = deal.name(entry.player)
        one_of, left = _("{name} has one of {cards}"), _("{name} left the table and laid open {cards}")
        return (one_of if isinstance(entry, OneOf) else left).format(name=name, cards=cards)
    if isinstance(entry, Asked):
        return _("{name} asks you for {cards}", name=deal.name(entry.by), cards=cards)
    return _(_ACCUSED[entry.by == deal.me, entry.right], name=deal.name(entry.by), cards=cards)


def has(deal: Deal, place: int, cards: Sequence[int]) -> str:
    """That a place has all of some cards: `Bob has Rope and Hall`."""
    listed = deal.cards(cards, "and")
    if place == deal.players:
        return _("the envelope has {cards}", cards=listed)
    return _("{name} has {cards}", name=deal.name(place), cards=listed)


def lacks(deal: Deal, place: int, cards: Sequence[int]) -> str:
    """That a place has none of some cards: `Bob does not have Rope or Hall`."""
    listed = deal.cards(cards, "or")
    if place == deal.players:
        return counted_in(
            "the envelope does not have {cards}", "the envelope does not have {cards}", len(cards), cards=listed
        )
    name = deal.name(place)
    return counted_in(
        "{name} does not have {cards}", "{name} does not have {cards}", len(cards), name=name, cards=listed
    )


def has_any(deal: Deal, place: int, names: Sequence[str]) -> str:
    """That a player has at least one of some cards, of which some may not have been heard: `Bob has Rope or some location`."""
    return _("{name} has {cards}", name=deal.name(place), cards=joined(names, "or"))


def is_not_the_envelope(deal: Deal, cards: Sequence[int]) -> str:
    """That the envelope does not hold just these cards: `the envelope is not Mr Green, Rope with Hall`."""
    *others, last = cards
    return _("the envelope is not {others} with {last}", others=deal.cards(others), last=deal.cards([last]))


def _stands(entry: Stands, deal: Deal) -> str:
    name = deal.name(entry.player)
    if entry.room is None:
        return _("you stand in no room") if entry.player == deal.me else _("{name} stands in no room", name=name)
    room = deal.cards([entry.room])
    if entry.player == deal.me:
        return _("you stand in {room}", room=room)
    return _("{name} stands in {room}", name=name, room=room)


def _suggested(entry: HeardSuggestion, deal: Deal) -> str:
    cards = ", ".join(deal.heard(entry.cards))
    if entry.by == deal.me:
        asked = _("you suggested {cards}", cards=cards)
    else:
        asked = _("{name} suggested {cards}", name=deal.name(entry.by), cards=cards)
    if entry.disprover is None:
        return f"{asked}; {_('nobody could show a card')}"
    answers = [*_had_none(entry.without(deal.players), deal), showed(entry.disprover, entry.card, deal)]
    return f"{asked}; {', '.join(answers)}"


def _had_none(players: Sequence[int], deal: Deal) -> list[str]:
    """That players had none of the cards asked for; nothing where there are no such players."""
    if not players:
        return []
    if [*players] == [deal.me]:
        return [_("you had none")]
    who = joined(deal.name(player) for player in players)
    if deal.me in players:
        return [_("{who_with_you} had none", who_with_you=who)]
    return [counted_in("{who} had none", "{who} had none", len(players), who=who)]


def showed(player: int, card: int | None, deal: Deal) -> str:
    """That a player showed a card, or one that is not known (None)."""
    shown = _("a card") if card is None else deal.cards([card])
    if player == deal.me:
        return _("you showed {card}", card=shown)
    return _("{name} showed {card}", name=deal.name(player), card=shown)
