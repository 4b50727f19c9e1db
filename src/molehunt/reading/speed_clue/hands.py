"""What a seat believes about the deal: what the rules make certain, and how likely it makes what the others did.

Certain are answers, cards seen and wrong accusations. How likely a hand is follows from what its holder did (`deeds`), over all
habits that they may have (`habits`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.beliefs.deals.layers import envelopes_from, in_class, list_from, places_from, sample_from
from molehunt.beliefs.deals.problem import FACTOR_CARDS, Facts, set_up
from molehunt.core.kernels import bit, kernel, lowest, popcount, without_lowest
from molehunt.games.speed_clue.edition import MAX_CARDS
from molehunt.reading.speed_clue.habits import (
    ACCUSING,
    ACCUSING_FIRST,
    ANY_CARD,
    HABITS,
    KINDS,
    LACKED,
    NAMING,
    PATTERNS,
    PLACES,
    SEEN,
    SEEN_FIRST,
    STYLES,
    WRONG,
    chance_to_show,
    choosing_chance,
    kind_bounds,
)

# --- How well a hand explains it ----------------------------------------------------------------------------------------


@kernel
def explain(reading: Any, holder: int, hand: Any, held: Any, chances: Any) -> float:
    """How likely what a holder did is with a hand, for each habit: float64[HABITS], relative to the likeliest of naming.

    held: int64[3], how many cards of each category the hand has; of `hand` only cards count that were named, accused or may have
    been shown, or that others were known to lack.
    Returns a factor for all habits.
    """
    naming = len(NAMING)
    for habit in range(naming):
        chances[habit] = 0.0
    for category in range(3):
        cards = reading.categories[category]
        own = 0
        left = hand & cards
        while left:
            own += reading.named[holder, lowest(left)]
            left = without_lowest(left)
        other = reading.made[holder, category] - own
        logs = reading.logs[holder, category, held[category]]
        for habit in range(naming):
            chances[habit] += own * logs[habit, 0] + other * logs[habit, 1]
    most = chances[:naming].max()
    for habit in range(naming):
        chances[habit] = np.exp(chances[habit] - most)
    factor = np.exp(most)
    for style in range(STYLES):
        chances[naming + style] = 1.0
    for show in range(len(reading.show_holders)):
        if reading.show_holders[show] == holder:
            pattern = pattern_of(hand, reading.show_cards[show])
            for style in range(STYLES):
                chances[naming + style] *= reading.show_chances[show, style, pattern]
    chances[ANY_CARD] = chances[LACKED] = 1.0
    for choice in range(len(reading.choice_holders)):
        if reading.choice_holders[choice] == holder:
            chances[LACKED] *= choosing_chance(
                reading.choice_cards[choice],
                reading.choice_levels[choice],
                hand,
                held[reading.choice_places[choice]],
            )
    for habit in range(len(SEEN)):
        chances[SEEN_FIRST + habit] = reading.seen[holder, habit]
    for habit in range(ACCUSING):
        chances[ACCUSING_FIRST + habit] = reading.accusing[holder, habit]
    for silent in range(len(reading.silent_holders)):
        if reading.silent_holders[silent] == holder and not hand & reading.silent_cards[silent]:
            for habit in range(ACCUSING):
                chances[ACCUSING_FIRST + habit] *= reading.silent_chances[silent, habit]
    if hand & reading.accused[holder]:
        factor *= WRONG
    return factor


@kernel
def pattern_of(hand: Any, cards: Any) -> int:
    """Which of three cards a hand has, bit p for the card at place p."""
    pattern = 0
    for place in range(PLACES):
        if hand & bit(cards[place]):
            pattern |= 1 << place
    return pattern


@kernel
def worth_of(chances: Any, prior: Any) -> float:
    """What a hand is worth: the product, over the kinds of habits, of the sums over the habits of each kind."""
    worth = 1.0
    for kind in range(len(KINDS) - 1):
        inside = 0.0
        for habit in range(kind_bounds[kind], kind_bounds[kind + 1]):
            inside += prior[habit] * chances[habit]
        worth *= inside
    return worth


@kernel
def shares_of(chances: Any, prior: Any, shares: Any) -> None:
    """How likely each habit is, each kind of sum 1; as before where a kind explains nothing."""
    for kind in range(len(KINDS) - 1):
        inside = 0.0
        for habit in range(kind_bounds[kind], kind_bounds[kind + 1]):
            inside += prior[habit] * chances[habit]
        for habit in range(kind_bounds[kind], kind_bounds[kind + 1]):
            shares[habit] = prior[habit] * chances[habit] / inside if inside > 0 else prior[habit]


# --- The deals, weighed -------------------------------------------------------------------------------------------------


@kernel
def marked(facts: Any, reading: Any) -> Any:
    """The facts, with cards that were named, accused, may have been shown or others were known to lack told apart from the rest."""
    holders = len(facts.sizes)
    looked = reading.accused.copy()
    for holder in range(holders):
        for card in range(MAX_CARDS + 1):
            if reading.named[holder, card]:
                looked[holder] |= bit(card)
    for show in range(len(reading.show_holders)):
        for place in range(PLACES):
            looked[reading.show_holders[show]] |= bit(reading.show_cards[show, place])
    for choice in range(len(reading.choice_holders)):
        for level in range(1, reading.choice_levels.shape[1]):
            looked[reading.choice_holders[choice]] |= reading.choice_levels[choice, level]
    number = 0
    for holder in range(holders):
        number += popcount(looked[holder])
    factor_holders = np.zeros(number, np.int64)
    factor_cards = np.full((number, FACTOR_CARDS), -1, np.int64)
    number = 0
    for holder in range(holders):
        left = looked[holder]
        while left:
            factor_holders[number] = holder
            factor_cards[number, 0] = lowest(left)
            left = without_lowest(left)
            number += 1
    return Facts(
        facts.pool,
        facts.sizes,
        facts.holds,
        facts.lacks,
        facts.clause_holders,
        facts.clause_cards,
        factor_holders,
        factor_cards,
        np.ones((number, PATTERNS)),
        facts.categories,
        facts.excluded,
    )


@kernel
def weigh_hands(problem: Any, reading: Any, prior: Any) -> None:
    """Weigh every hand of a problem that was set up by how well it explains what its holder did, the best with 1."""
    chances = np.zeros(HABITS)
    held = np.zeros(3, np.int64)
    for index in range(len(problem.holders)):
        holder = problem.holders[index]
        if holder < 0:
            continue
        best = 0.0
        for place in range(problem.starts[index], problem.starts[index + 1]):
            hand = problem.known[holder]
            for category in range(3):
                held[category] = popcount(hand & reading.categories[category])
            for of in range(len(problem.classes)):
                taken = in_class(problem.codes[place], problem, of)
                if taken:
                    if without_lowest(problem.classes[of]) == 0:
                        hand |= problem.classes[of]
                    for category in range(3):
                        if problem.classes[of] & reading.categories[category]:
                            held[category] += taken
            factor = explain(reading, holder, hand, held, chances)
            problem.weights[place] = factor * worth_of(chances, prior[holder])
            best = max(best, problem.weights[place])
        if best > 0:
            for place in range(problem.starts[index], problem.starts[index + 1]):
                problem.weights[place] /= best


@kernel
def weighed(facts: Any, reading: Any, prior: Any, apart: bool) -> Any:
    """The problem of the facts with every hand weighed by the reading; with `apart` for `list_from`.

    prior: float64[holders, HABITS], how likely the habits of each holder are before this game.
    """
    problem = set_up(marked(facts, reading), apart)
    weigh_hands(problem, reading, prior)
    return problem


@kernel
def list_weighed(facts: Any, reading: Any, prior: Any, most: int) -> Any:
    """`layers.list_deals`, every deal weighed by the reading."""
    return list_from(weighed(facts, reading, prior, True), most)


@kernel
def sample_weighed(facts: Any, reading: Any, prior: Any, stream: Any, samples: int, out: Any) -> float:
    """`layers.sample_deals`, every deal as likely as the reading makes it."""
    return sample_from(weighed(facts, reading, prior, False), stream, samples, out)


@kernel
def places_weighed(facts: Any, reading: Any, prior: Any, places: Any) -> float:
    """`layers.place_weights`, every deal weighed by the reading."""
    return places_from(weighed(facts, reading, prior, False), places)


@kernel
def envelopes_weighed(facts: Any, reading: Any, prior: Any) -> Any:
    """`layers.envelope_weights`, every deal weighed by the reading."""
    return envelopes_from(weighed(facts, reading, prior, False))


@kernel
def habits_in_deals(hands: Any, reading: Any, prior: Any, shares: Any) -> None:
    """How likely each habit of each holder is in each deal: float64[n, holders, HABITS], each kind of habits of sum 1.

    hands: uint64[n, holders].
    """
    chances = np.zeros(HABITS)
    held = np.zeros(3, np.int64)
    for index in range(len(hands)):
        for holder in range(hands.shape[1]):
            hand = hands[index, holder]
            for category in range(3):
                held[category] = popcount(hand & reading.categories[category])
            explain(reading, holder, hand, held, chances)
            shares_of(chances, prior[holder], shares[index, holder])
        for show in range(len(reading.show_askers)):
            if reading.show_askers[show] >= 0:
                asker = shares[index, reading.show_askers[show]]
                shower = reading.show_holders[show]
                pattern = pattern_of(hands[index, shower], reading.show_cards[show])
                see(reading.show_again[show], pattern, shares[index, shower], asker)


@kernel
def see(again: Any, pattern: int, shower: Any, asker: Any) -> None:
    """Weigh how likely it is, with each habit of naming cards seen, that who saw one of a pattern did later what they did.

    again: float64[places, habits of naming cards seen]; shower, asker: how likely their habits are; the asker's are changed.
    """
    total = 0.0
    for habit in range(len(SEEN)):
        likely = 0.0
        for place in range(PLACES):
            for style in range(STYLES):
                chance = shower[len(NAMING) + style] * chance_to_show(place, pattern, style)
                likely += chance * again[place, habit]
        asker[SEEN_FIRST + habit] *= likely
        total += asker[SEEN_FIRST + habit]
    for habit in range(len(SEEN)):
        asker[SEEN_FIRST + habit] /= total
