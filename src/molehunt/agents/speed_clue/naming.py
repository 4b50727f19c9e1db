"""Habits beside the strategies: naming cards that are known to be elsewhere, and accusing before all is known.

How often a kind of card is named is told against naming at random: who holds h of the n cards of a category and names cards
at random names one of their own with the chance h / n; with the habit x it is x h / n, but never more than MOST.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel, lowest, popcount
from molehunt.core.streams import below
from molehunt.reading.choice import happens, one_of
from molehunt.reading.speed_clue.knowledge import category_cards

MOST = 0.8
"""The most likely that a card known to be elsewhere is named in a category, so that something is asked at times."""


@kernel
def name_anyway(mind: Any, chosen: Any, often_own: float, p: Any, params: Any) -> None:
    """Fill places of a suggestion that are still open (-1) with own cards and with such as others are known to have."""
    if p.cover and often_own > 0:
        cover(mind, chosen, often_own, params)
    for category in range(3):
        cards = category_cards(category, params)
        own = cards & mind.owned[mind.seat]
        if not p.cover and own and happens(mind.stream, min(MOST, often_own * popcount(own) / popcount(cards))):
            chosen[category] = one_of(mind.stream, own)
        held = cards & mind.not_envelope & ~own
        if mind.envelope & cards:
            held &= elsewhere(mind)
        often = min(MOST, p.seen * popcount(held) / popcount(cards))
        if chosen[category] < 0 and held and happens(mind.stream, often):
            chosen[category] = one_of(mind.stream, held)


@kernel
def elsewhere(mind: Any) -> Any:
    """The cards that some other player is known to have."""
    cards = np.uint64(0)
    for player in range(mind.seats):
        if player != mind.seat:
            cards |= mind.owned[player]
    return cards


@kernel
def cover(mind: Any, chosen: Any, often_own: float, params: Any) -> None:
    """Name own cards in all categories but one, as often as it takes to name them as often in all."""
    at_random = 0.0
    for category in range(3):
        cards = category_cards(category, params)
        at_random += popcount(cards & mind.owned[mind.seat]) / popcount(cards)
    asked = below(mind.stream, 3)
    covered = 0
    for category in range(3):
        covered += category != asked and category_cards(category, params) & mind.owned[mind.seat] != 0
    if covered and happens(mind.stream, min(MOST, often_own * at_random / covered)):
        for category in range(3):
            own = category_cards(category, params) & mind.owned[mind.seat]
            if category != asked and own:
                chosen[category] = one_of(mind.stream, own)


@kernel
def times_named(view: Any, card: int) -> int:
    """How often a card was named by anybody."""
    named = 0
    for index in range(view.suggestion_count):
        for category in range(3):
            named += view.record[index] >> 5 * category & 31 == card
    return named


@kernel
def envelopes_open(mind: Any, params: Any) -> int:
    """How many envelopes the sheet leaves open."""
    number = 1
    for category in range(3):
        cards = category_cards(category, params)
        number *= 1 if mind.envelope & cards else popcount(cards & ~mind.not_envelope)
    return number


@kernel
def guess_one(mind: Any, params: Any) -> int:
    """One of the envelopes that the sheet leaves open, as three packed cards."""
    triple = 0
    for category in range(3):
        cards = category_cards(category, params)
        known = mind.envelope & cards
        triple |= (lowest(known) if known else one_of(mind.stream, cards & ~mind.not_envelope)) << 5 * category
    return triple
