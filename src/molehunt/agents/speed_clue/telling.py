"""What is given away: what a card shown tells who asked, and what a suggestion tells everybody."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.speed_clue.questions import plogp
from molehunt.beliefs.deals.layers import envelope_weights
from molehunt.core.kernels import bit, kernel, lowest, popcount, without_lowest
from molehunt.games.speed_clue.actions import triple_mask
from molehunt.games.speed_clue.resample import as_told, facts_of_view, make_state
from molehunt.games.speed_clue.rules import (
    disprover_of,
    entry_of,
    look,
    nth_triple,
    showable,
    shown_of,
    suggester_of,
    triples,
)
from molehunt.games.speed_clue.ruleset import CONTEST_ORDER, MAX_SEATS, ORDER, SEATS
from molehunt.games.speed_clue.state import NOBODY_YET, TRIPLE_MASK


@kernel
def already_seen(view: Any) -> Any:
    """The cards of the hand that who asks was shown before."""
    count = view.suggestion_count
    asker = suggester_of(view.record[count - 1])
    seen = np.uint64(0)
    for index in range(count - 1):
        entry = view.record[index]
        if suggester_of(entry) == asker and disprover_of(entry) == view.seat:
            seen |= bit(shown_of(entry))
    return seen


@kernel
def bits_told(
    view: Any, deals: Any, face_up: Any, stream: Any, params: Any, states: Any, views: Any, told: Any
) -> None:
    """How much less who asks would wonder about the envelope for each card shown: float64[32], in bits.

    The mean over deals held possible, uint64[n, seats - 1]: in each of them the asker knows what a perfect reasoner of the rules
    knows, and that this seat has the cards `face_up`, a set. Only cards that may be shown are filled in.
    """
    told[:] = 0
    me = view.seat
    count = view.suggestion_count
    entry = view.record[count - 1]
    asker = suggester_of(entry)
    for index in range(len(deals)):
        make_state(view, deals[index], stream, states[0], params)
        look(states[0], asker, views[0], params)
        holder = (me - asker + params[SEATS]) % params[SEATS] - 1
        before = envelope_entropy(views[0], holder, face_up, params)
        cards = showable(view.hand & ~face_up, view.record, count)
        while cards:
            card = lowest(cards)
            cards = without_lowest(cards)
            views[0].record[count - 1] = entry_of(entry & TRIPLE_MASK, asker, me, card)
            told[card] += (before - envelope_entropy(views[0], holder, face_up, params)) / len(deals)


@kernel
def envelope_entropy(view: Any, holder: int, seen: Any, params: Any) -> float:
    """What a perfect reasoner of the rules who has `seen` cards of a holder does not know about the envelope, in bits."""
    facts = facts_of_view(view, params)
    facts.holds[holder] |= seen
    _, weights, total = envelope_weights(facts)
    if total == 0 and params[ORDER] == CONTEST_ORDER:
        # Somebody does not keep to the rules of the contest.
        facts = facts_of_view(view, as_told(params))
        facts.holds[holder] |= seen
        _, weights, total = envelope_weights(facts)
    entropy = 0.0
    for weight in weights:
        entropy -= plogp(weight / total)
    return entropy


@kernel
def public_sheet(view: Any, params: Any) -> Any:
    """What everybody has seen: the cards that each seat lacks, uint64[MAX_SEATS]."""
    lacks = np.zeros(MAX_SEATS, np.uint64)
    seats = params[SEATS]
    for index in range(view.suggestion_count):
        entry = view.record[index]
        disprover = disprover_of(entry)
        if disprover == NOBODY_YET:
            continue
        for step in range(1, seats):
            other = (suggester_of(entry) + step) % seats
            if other == disprover:
                break
            lacks[other] |= triple_mask(entry)
    return lacks


@kernel
def marks_given(view: Any, hands: Any, weights: Any, params: Any, marks: Any) -> None:
    """How many marks a suggestion is expected to add to a sheet that everybody could keep: float64[triples].

    A mark is a card that a seat is seen to lack, where that was not seen before; who shows a card when they were seen to lack the
    two others gives away where it is, as many marks as there are seats.
    """
    lacks = public_sheet(view, params)
    seats = params[SEATS]
    me = view.seat
    for nth in range(triples(params)):
        asked = triple_mask(nth_triple(nth, params))
        given = 0.0
        for index in range(len(hands)):
            fresh = 0
            for holder in range(seats - 1):
                other = (me + 1 + holder) % seats
                if hands[index, holder] & asked:
                    if popcount(asked & ~lacks[other]) == 1:
                        fresh += seats
                    break
                fresh += popcount(asked & ~lacks[other])
            given += weights[index] * fresh
        marks[nth] = given


@kernel
def marks_of_views(views: Any, hands: Any, weights: Any, params: Any, marks: Any) -> None:
    """`marks_given` of the first view of an array."""
    marks_given(views[0], hands, weights, params, marks)


@kernel
def already_seen_by_asker(views: Any) -> Any:
    """`already_seen` of the first view of an array."""
    return already_seen(views[0])


@kernel
def told_by_views(
    views: Any, deals: Any, face_up: Any, stream: Any, params: Any, states: Any, scratch: Any, told: Any
) -> None:
    """`bits_told` of the first view of an array."""
    bits_told(views[0], deals, face_up, stream, params, states, scratch, told)
