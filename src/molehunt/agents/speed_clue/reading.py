"""What a seat believes about the deal: what the rules make certain, and how likely it makes what the others did.

Certain are answers, cards seen and wrong accusations. Likelihoods come from three habits, each with a strength of its own:
who holds several of the three cards asked for chooses which one to show; hardly anybody asks about cards that he holds himself or
has been shown; and who makes a suggestion that nobody disproves, and does not accuse with it, holds one of its cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.beliefs.deals.problem import FACTOR_CARDS, PATTERNS, Facts
from molehunt.core.kernels import bit, kernel, popcount
from molehunt.games.speed_clue.actions import triple_mask
from molehunt.games.speed_clue.resample import facts_of_view
from molehunt.games.speed_clue.rules import disprover_of, shown_of, suggester_of
from molehunt.games.speed_clue.ruleset import CONTEST_ORDER, ORDER, SEATS
from molehunt.games.speed_clue.state import (
    AFTER,
    COUNT,
    NOBODY_DID,
    NOBODY_YET,
    ON_TURN,
    OUT,
    PHASE,
    SEAT,
    TRIPLE_MASK,
)

TURNS_A_CARD = 7.0
"""How many suggestions name a certain card once, where cards are named at random: about one category's number of cards."""
SURE = 1.0
"""How much the strength of a habit that was assumed counts, in cards named against it."""


@kernel
def chance_to_show(place: int, pattern: int, first: float) -> float:
    """The chance that the card at a place of the three is shown by who has those of a pattern.

    With the chance `first` he shows the first that he has, as the report's players do, else one of them at random.
    """
    if not pattern >> place & 1:
        return 0.0
    leading = pattern & ((1 << place) - 1) == 0
    return (1 - first) / popcount(np.uint64(pattern)) + (first if leading else 0.0)


@kernel
def habit_of(view: Any, holds: Any, holder: int, other: int, own: float) -> float:
    """How much more seldom than at random a seat names a card that it holds: `own`, and what it did with cards known to be its."""
    if own >= 1:
        return 1.0
    named = 0
    made = 0
    for index in range(view.info[COUNT]):
        if suggester_of(view.record[index]) == other:
            made += 1
            named += popcount(triple_mask(view.record[index]) & holds[holder])
    expected = made * popcount(holds[holder]) / TURNS_A_CARD
    return min(1.0, (SURE + named) / (SURE / own + expected))


@kernel
def beliefs(view: Any, params: Any, p: Any) -> Any:
    """What the seat of a view believes, as `beliefs.deals` takes it; holders by the distance from the seat, minus one.

    `p` has the strengths of the habits: `own`, `again`, `choose`, `first`, `silence`.
    """
    facts = facts_of_view(view, params)
    seat = view.info[SEAT]
    seats = params[SEATS]
    count = view.info[COUNT]
    holders = np.zeros(2 * count, np.int64)
    cards = np.full((2 * count, FACTOR_CARDS), -1, np.int64)
    weights = np.ones((2 * count, PATTERNS))
    habits = np.ones(seats)
    for holder in range(seats - 1):
        other = (seat + 1 + holder) % seats
        habits[holder] = habit_of(view, facts.holds, holder, other, p.own)
    number = 0
    for index in range(count):
        entry = view.record[index]
        triple = entry & TRIPLE_MASK
        asker = suggester_of(entry)
        disprover = disprover_of(entry)

        # Who asks hardly holds the cards, unless nobody has them and he does not accuse.
        if asker != seat:
            holder = (asker - seat + seats) % seats - 1
            closed = not (view.info[PHASE] == AFTER and view.info[ON_TURN] == asker and index == count - 1)
            unanswered = disprover == NOBODY_DID and closed and not view.info[OUT] >> asker & 1
            holders[number] = holder
            for place in range(FACTOR_CARDS):
                cards[number, place] = triple >> 5 * place & 31
            for pattern in range(PATTERNS):
                weights[number, pattern] = habits[holder] ** popcount(np.uint64(pattern))
            if unanswered:
                weights[number, 0] = 0.0 if params[ORDER] == CONTEST_ORDER else p.silence
            number += 1

        # Who showed a card chose it; a card that the asker names again later was hardly the one.
        if disprover < NOBODY_YET and disprover != NOBODY_DID and disprover != seat:
            holder = (disprover - seat + seats) % seats - 1
            shown = shown_of(entry)
            if shown >= 0 and was_shown(view, index, asker, disprover, shown):
                continue
            again = np.uint64(0)
            for later in range(index + 1, count):
                if suggester_of(view.record[later]) == asker:
                    again |= triple_mask(view.record[later])
            holders[number] = holder
            for place in range(FACTOR_CARDS):
                cards[number, place] = triple >> 5 * place & 31
            for pattern in range(PATTERNS):
                # Without weighing the choice, what was shown is certain and says no more.
                chance = 0.0 if p.choose else 1.0
                for place in range(FACTOR_CARDS if p.choose else 0):
                    card = triple >> 5 * place & 31
                    if shown < 0:
                        share = p.again if again & bit(card) else 1.0
                        chance += share * chance_to_show(place, pattern, p.first)
                    elif shown == card:
                        chance += chance_to_show(place, pattern, p.first)
                weights[number, pattern] = chance
            number += 1
    return Facts(
        facts.pool,
        facts.sizes,
        facts.holds,
        facts.lacks,
        facts.clause_holders,
        facts.clause_cards,
        holders[:number],
        cards[:number],
        weights[:number],
        facts.categories,
        facts.excluded,
    )


@kernel
def was_shown(view: Any, before: int, asker: int, disprover: int, card: int) -> bool:
    """Whether a seat had shown the card to the same asker earlier; then there was no choice to be read."""
    for index in range(before):
        entry = view.record[index]
        if suggester_of(entry) == asker and disprover_of(entry) == disprover and shown_of(entry) == card:
            return True
    return False


@kernel
def without_likelihoods(facts: Any) -> Any:
    """The same facts, all deals that meet them being equally likely."""
    return Facts(
        facts.pool,
        facts.sizes,
        facts.holds,
        facts.lacks,
        facts.clause_holders,
        facts.clause_cards,
        facts.factor_holders[:0],
        facts.factor_cards[:0],
        facts.factor_weights[:0],
        facts.categories,
        facts.excluded,
    )


@kernel
def beliefs_of_views(views: Any, params: Any, parameters: Any) -> Any:
    """`beliefs` of the first view of an array."""
    return beliefs(views[0], params, parameters[0])
