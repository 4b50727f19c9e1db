"""The deals that `duel-star` draws: where the nugget is, who the other is and what it holds, as its moves so far suggest."""

from __future__ import annotations

from typing import Any

from molehunt.agents.duel.digger import WORTH
from molehunt.agents.duel.opponent import AT_RANDOM
from molehunt.core.kernels import kernel
from molehunt.core.streams import below, uniform
from molehunt.games.duel.cards import BLANK, BONUS, KINDS, NUGGET, TILE_EDGES, TILE_FORMS, TILES, UNKNOWN
from molehunt.games.duel.state import DECK
from molehunt.reading.duel.digging import TUNNEL

TRIES = 6
"""How often a deal is drawn again in which the other holds what it would have played."""
FIRST_KIND = 1
"""The row of the settings where the kinds that dig on the other seat begin; the first is the digger on this seat."""


@kernel
def believe(
    deals: Any,
    streams: Any,
    views: Any,
    seat: int,
    mind: Any,
    places: Any,
    digger: float,
    hurries: float,
    readable: bool,
    sensible: float,
    kinds: Any,
) -> None:
    """Change deals, all equally likely, into such as the other's moves suggest, and draw for each who the other is."""
    other = 1 - seat
    goals = views[0].goals
    for index in range(len(deals)):
        deal = deals[index]
        stream = streams[index : index + 1].copy()
        kinds[index] = AT_RANDOM
        if uniform(stream) < digger:
            kinds[index] = FIRST_KIND if uniform(stream) < hurries else FIRST_KIND + 1
        # The place of the nugget.
        nugget = 0
        at = uniform(stream)
        while nugget < 2 and (places[nugget] <= at or places[nugget] == 0):
            at -= places[nugget]
            nugget += 1
        for goal in range(3):
            if goals[goal] == UNKNOWN:
                deal.goals[goal] = NUGGET if goal == nugget else BLANK
        if not readable or kinds[index] == AT_RANDOM:
            continue
        # The hand of the other: what it would have played is changed for another card of the deck, all but the card drawn last.
        known = deal.hand_sizes[other] - (deal.drawn < DECK)
        if uniform(stream) < sensible:
            keep_the_best(deal, other, known)
        for slot in range(known):
            for _try in range(TRIES):
                if not is_lacked(deal.hands[other, slot], mind, nugget) or deal.drawn >= DECK:
                    break
                place = deal.drawn + below(stream, DECK - deal.drawn)
                card = deal.hands[other, slot]
                deal.hands[other, slot] = deal.deck[place]
                deal.deck[place] = card


@kernel
def keep_the_best(deal: Any, other: int, known: int) -> None:
    """Change a deal so that the other has discarded nothing better than what it holds, but for the card drawn last."""
    for slot in range(known):
        held = deal.hands[other, slot]
        best = held
        for kind in range(KINDS):
            if deal.discards[other, kind] and WORTH[kind] > WORTH[best]:
                best = kind
        if best != held:
            deal.discards[other, best] -= 1
            deal.discards[other, held] += 1
            deal.hands[other, slot] = best


@kernel
def is_lacked(card: int, mind: Any, nugget: int) -> bool:
    """Whether the other would have played a card, if the nugget is there."""
    if card == BONUS:
        return bool(mind.no_bonus)
    if card < 0 or card >= TILES or not TUNNEL[card]:
        return False
    for flipped in range(TILE_FORMS[card]):
        if mind.lacks[nugget] >> TILE_EDGES[card, flipped] & 1:
            return True
    return False
