"""What a suggestion is worth: what its answer is expected to tell about the envelope, weighed over deals held possible."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import bit, kernel
from molehunt.games.speed_clue.rules import nth_triple, triples
from molehunt.games.speed_clue.ruleset import STARTS
from molehunt.reading.speed_clue.habits import PATTERNS, PLACES, STYLES, chance_to_show

GAIN, ALL, SOLVES, BEST, LEAK, DANGER, SCORE = range(7)
"""Columns of the scores: bits about the envelope; bits about the whole deal; the chance that the envelope is certain after the
answer; the expected chance of the likeliest envelope; marks that everybody can make; the chance that another wins before
one's next turn; what they are worth together."""
COLUMNS = 7


@kernel
def envelopes_of(hands: Any, pool: Any, params: Any) -> Any:
    """Which envelope each deal has, as numbers from 0 in the order of their first deal: int64[n], and how many there are."""
    numbers = np.empty(len(hands), np.int64)
    seen = np.full(triples(params), -1, np.int64)
    found = 0
    weapons = params[STARTS + 2] - params[STARTS + 1]
    locations = params[STARTS + 3] - params[STARTS + 2]
    for index in range(len(hands)):
        rest = np.uint64(pool)
        for hand in hands[index]:
            rest &= ~hand
        nth = 0
        for card in range(params[STARTS + 3]):
            if rest & bit(card):
                if card < params[STARTS + 1]:
                    nth += (card - params[STARTS]) * weapons * locations
                elif card < params[STARTS + 2]:
                    nth += (card - params[STARTS + 1]) * locations
                else:
                    nth += card - params[STARTS + 2]
        if seen[nth] < 0:
            seen[nth] = found
            found += 1
        numbers[index] = seen[nth]
    return numbers, found


@kernel
def plogp(share: float) -> float:
    """Share * log2(share), 0 for 0."""
    return share * np.log2(share) if share > 0 else 0.0


@kernel
def score_suggestions(hands: Any, weights: Any, pool: Any, styles: Any, params: Any, scores: Any, sure: Any) -> float:
    """Score all suggestions in the order of `nth_triple`: float64[triples, COLUMNS], the first four columns.

    Returns the entropy of the envelope in bits.

    hands: uint64[n, seats - 1], by distance from the seat; weights: float64[n], how likely each deal is, of sum 1; styles:
    float64[seats - 1, STYLES], how likely each holder shows cards in each style; sure: bool[triples, answers], receives which
    answers leave one envelope. Answer 3 h + p is that holder h shows the card at place p of the three; the last one is that
    nobody can.
    """
    number, holders = hands.shape
    envelope, kinds = envelopes_of(hands, pool, params)
    prior = np.zeros(kinds)
    for index in range(number):
        prior[envelope[index]] += weights[index]
    entropy = 0.0
    for kind in range(kinds):
        entropy -= plogp(prior[kind])

    chances = np.zeros((holders, PATTERNS, PLACES))
    for holder in range(holders):
        for pattern in range(PATTERNS):
            for place in range(PLACES):
                for style in range(STYLES):
                    chances[holder, pattern, place] += styles[holder, style] * chance_to_show(place, pattern, style)
    answers = holders * PLACES + 1
    found = np.zeros((answers, kinds))
    for nth in range(triples(params)):
        triple = nth_triple(nth, params)
        cards = (bit(triple & 31), bit(triple >> 5 & 31), bit(triple >> 10 & 31))
        asked = cards[0] | cards[1] | cards[2]
        found[:] = 0
        choosing = 0.0
        for index in range(number):
            kind = envelope[index]
            weight = weights[index]
            answered = False
            for holder in range(holders):
                hand = hands[index, holder]
                if hand & asked:
                    answered = True
                    pattern = (hand & cards[0] != 0) | (hand & cards[1] != 0) << 1 | (hand & cards[2] != 0) << 2
                    for place in range(PLACES):
                        chance = chances[holder, pattern, place]
                        if chance > 0:
                            found[holder * PLACES + place, kind] += weight * chance
                            if chance < 1:
                                choosing -= weight * plogp(chance)
                    break
            if not answered:
                found[answers - 1, kind] += weight
        left = 0.0
        of_answers = 0.0
        solves = 0.0
        best = 0.0
        for answer in range(answers):
            total = 0.0
            most = 0.0
            inside = 0.0
            for kind in range(kinds):
                share = found[answer, kind]
                if share > 0:
                    total += share
                    most = max(most, share)
                    inside += plogp(share)
            left += plogp(total) - inside
            of_answers -= plogp(total)
            best += most
            sure[nth, answer] = most > 0 and most >= total * (1 - 1e-9)
            if sure[nth, answer]:
                solves += total
        scores[nth, GAIN] = entropy - left
        scores[nth, ALL] = of_answers - choosing
        scores[nth, SOLVES] = solves
        scores[nth, BEST] = best
    return entropy


@kernel
def likeliest(hands: Any, weights: Any, pool: Any, params: Any) -> Any:
    """The likeliest envelope as a set of cards, and its chance."""
    envelope, kinds = envelopes_of(hands, pool, params)
    chances = np.zeros(kinds)
    cards = np.zeros(kinds, np.uint64)
    for index in range(len(hands)):
        rest = np.uint64(pool)
        for hand in hands[index]:
            rest &= ~hand
        chances[envelope[index]] += weights[index]
        cards[envelope[index]] = rest
    best = 0
    for kind in range(kinds):
        if chances[kind] > chances[best]:
            best = kind
    return cards[best], chances[best]
