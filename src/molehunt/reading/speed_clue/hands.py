"""What a seat believes about the deal: what the rules make certain, and how likely it makes what the others did.

Certain are answers, cards seen and wrong accusations. How likely a hand is follows from what its holder did, over all habits
that they may have (`habits`): which cards they named, and before which others, which card they showed out of several, that they did
not accuse after a suggestion that nobody disproved; and a card that an asker names again was hardly the one that they were shown.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from molehunt.beliefs.deals.layers import envelopes_from, in_class, list_from, places_from, sample_from
from molehunt.beliefs.deals.problem import FACTOR_CARDS, Facts, set_up
from molehunt.core.kernels import bit, kernel, lowest, popcount, without_lowest
from molehunt.games.speed_clue.actions import triple_mask
from molehunt.games.speed_clue.edition import MAX_CARDS
from molehunt.games.speed_clue.resample import category_masks
from molehunt.games.speed_clue.rules import disprover_of, shown_of, suggester_of
from molehunt.games.speed_clue.ruleset import CARDS, CONTEST_ORDER, ORDER, SEATS
from molehunt.games.speed_clue.state import (
    AFTER,
    CARD_MASK,
    FORCED,
    NOBODY_DID,
    TRIPLE_MASK,
)
from molehunt.reading.speed_clue.habits import (
    ANY_CARD,
    HABITS,
    LACKED,
    NAMING,
    PATTERNS,
    PLACES,
    STYLES,
    chance_to_show,
    choosing_chance,
    naming_chances,
    naming_levels,
)

TURNS_A_CARD = 7.0
"""How many suggestions name a certain card once, where cards are named at random: about one category's number of cards."""
SURE = 1.0
"""How much the habit of naming cards that one was shown counts that was assumed, in cards named against it."""
OF_THE_HAND = 0.5
"""How far the number of own cards in a category is taken to be that of the hand weighed, and not the usual one.

Who asks knows more and more cards, of which their hand is only the beginning; to take the rest of a category for what they ask
about at random would be to know too much from how often they name one of them.
"""


class Reading(NamedTuple):
    """What the others did, as far as it tells of their hands; holders by the distance from the seat, minus one."""

    named: Any
    """int64[holders, cards]: how often each named each card."""
    made: Any
    """int64[holders, 3]: how often each was free to name a card of each category."""
    choice_holders: Any
    """int64[c]: this holder chose to name ..."""
    choice_cards: Any
    """uint64[c]: ... this card, a set of one, ..."""
    choice_places: Any
    """int64[c]: ... of this category, ..."""
    choice_levels: Any
    """uint64[c, seats]: ... of whose cards so many others were known to lack these; none that the holder was shown by this seat."""
    show_holders: Any
    """int64[s]: this holder showed one ..."""
    show_cards: Any
    """int64[s, 3]: ... of these cards, ..."""
    show_chances: Any
    """float64[s, styles, 8]: ... as it is done so often in each style by who has those of a pattern."""
    silent_holders: Any
    """int64[u]: this holder asked ..."""
    silent_cards: Any
    """uint64[u]: ... for these cards, which nobody had, and did not accuse, ..."""
    silence: Any
    """float64[1]: ... which happens so often to who has none of them."""
    again: Any
    """float64[holders, 2]: of the cards that each was shown by this seat, how many it named later, and how many at random."""
    categories: Any
    """uint64[3]: the cards of each category."""
    logs: Any
    """float64[holders, 3, cards + 1, habits of naming, 2]: logarithms of `naming_chances` for who has so many of a category."""


@kernel
def empty_reading(view: Any, params: Any) -> Any:
    """Nothing read yet."""
    holders = params[SEATS] - 1
    categories = category_masks(params)
    most = 0
    for category in range(3):
        most = max(most, popcount(categories[category]))
    logs = np.zeros((holders, 3, most + 1, len(NAMING), 2))
    for holder in range(holders):
        size = view.hand_sizes[(view.seat + 1 + holder) % params[SEATS]]
        for category in range(3):
            number = popcount(categories[category])
            # As many as they have where the cards that are not in one's own hand are dealt at random.
            usual = size * popcount(categories[category] & ~view.hand) / (params[CARDS] - popcount(view.hand))
            for held in range(number + 1):
                taken = usual + OF_THE_HAND * (held - usual)
                for habit in range(len(NAMING)):
                    own, other = naming_chances(taken, number, naming_levels[habit])
                    logs[holder, category, held, habit, 0] = np.log(own)
                    logs[holder, category, held, habit, 1] = np.log(other)
    return Reading(
        np.zeros((holders, MAX_CARDS + 1), np.int64),
        np.zeros((holders, PLACES), np.int64),
        np.zeros(PLACES * view.suggestion_count, np.int64),
        np.zeros(PLACES * view.suggestion_count, np.uint64),
        np.zeros(PLACES * view.suggestion_count, np.int64),
        np.zeros((PLACES * view.suggestion_count, params[SEATS]), np.uint64),
        np.zeros(view.suggestion_count, np.int64),
        np.zeros((view.suggestion_count, PLACES), np.int64),
        np.zeros((view.suggestion_count, STYLES, PATTERNS)),
        np.zeros(view.suggestion_count, np.int64),
        np.zeros(view.suggestion_count, np.uint64),
        np.ones(1),
        np.zeros((holders, 2)),
        categories,
        logs,
    )


@kernel
def chosen_places(entry: int) -> int:
    """How many of the three cards the suggester chose, from the first: a location that was forced is none of them."""
    return PLACES - 1 if entry & FORCED else PLACES


@kernel
def chosen_cards(entry: int) -> Any:
    """The cards that the suggester chose, as a set."""
    cards = np.uint64(0)
    for place in range(chosen_places(entry)):
        cards |= bit(entry >> 5 * place & CARD_MASK)
    return cards


@kernel
def read_again(view: Any, params: Any, again: Any) -> None:
    """Count how often each other seat named cards that this one had shown it: float64[holders, 2], seen and expected."""
    seat = view.seat
    seats = params[SEATS]
    count = view.suggestion_count
    for index in range(count):
        entry = view.record[index]
        if disprover_of(entry) != seat or shown_of(entry) < 0:
            continue
        asker = suggester_of(entry)
        if was_shown(view, index, asker, seat, shown_of(entry)):
            continue
        holder = (asker - seat + seats) % seats - 1
        place = place_of(shown_of(entry), entry)
        for later in range(index + 1, count):
            if suggester_of(view.record[later]) == asker and place < chosen_places(view.record[later]):
                again[holder, 0] += chosen_cards(view.record[later]) & bit(shown_of(entry)) != 0
                again[holder, 1] += 1 / TURNS_A_CARD


@kernel
def read_choices(view: Any, params: Any, reading: Any) -> int:
    """Note each card that another seat chose to name, and what was then known to all of its category; how many there are."""
    seat = view.seat
    seats = params[SEATS]
    passed = np.zeros(seats, np.uint64)
    shown = np.zeros(seats, np.uint64)
    found = 0
    for index in range(view.suggestion_count):
        entry = view.record[index]
        asker = suggester_of(entry)
        disprover = disprover_of(entry)
        if asker != seat:
            for place in range(chosen_places(entry)):
                levels = reading.choice_levels[found]
                left = reading.categories[place] & ~shown[asker]
                while left:
                    card = bit(lowest(left))
                    left = without_lowest(left)
                    lacking = 0
                    for other in range(seats):
                        lacking += other != asker and passed[other] & card != 0
                    levels[lacking] |= card
                reading.choice_holders[found] = (asker - seat + seats) % seats - 1
                reading.choice_cards[found] = bit(entry >> 5 * place & CARD_MASK)
                reading.choice_places[found] = place
                found += 1
        if disprover == seat and shown_of(entry) >= 0:
            shown[asker] |= bit(shown_of(entry))
        if disprover <= NOBODY_DID:
            other = (asker + 1) % seats
            while other != asker and other != disprover:
                passed[other] |= triple_mask(entry)
                other = (other + 1) % seats
    return found


@kernel
def place_of(card: int, entry: int) -> int:
    """At which place of a suggestion a card of it stands."""
    place = 0
    while entry >> 5 * place & CARD_MASK != card:
        place += 1
    return place


@kernel
def read_views(views: Any, params: Any, p: Any, before: Any) -> Any:
    """Read the record of the first view of an array.

    before: float64[holders, 2], cards named again and expected in earlier games with the same seats.
    """
    view = views[0]
    reading = empty_reading(view, params)
    seat = view.seat
    seats = params[SEATS]
    count = view.suggestion_count
    read_again(view, params, reading.again)
    reading.silence[0] = 0.0 if params[ORDER] == CONTEST_ORDER else p[0].silence
    shows = 0
    silent = 0
    choices = read_choices(view, params, reading) if p[0].read else 0
    for index in range(count if p[0].read else 0):
        entry = view.record[index]
        triple = entry & TRIPLE_MASK
        asker = suggester_of(entry)
        disprover = disprover_of(entry)
        if asker != seat:
            holder = (asker - seat + seats) % seats - 1
            for place in range(chosen_places(entry)):
                reading.named[holder, triple >> 5 * place & CARD_MASK] += 1
                reading.made[holder, place] += 1
            # Nobody has any of the cards, and they do not accuse: they have one themselves.
            closed = not (view.phase == AFTER and view.on_turn == asker and index == count - 1)
            if disprover == NOBODY_DID and closed and not view.out >> asker & 1:
                reading.silent_holders[silent] = holder
                reading.silent_cards[silent] = triple_mask(entry)
                silent += 1

    for index in range(count if p[0].choose else 0):
        entry = view.record[index]
        triple = entry & TRIPLE_MASK
        asker = suggester_of(entry)
        disprover = disprover_of(entry)
        if disprover >= NOBODY_DID or disprover == seat:
            continue
        shown = shown_of(entry)
        if shown >= 0 and was_shown(view, index, asker, disprover, shown):
            continue  # there was no choice to be read
        later_named = np.uint64(0)
        share = 1.0
        if shown < 0:
            for later in range(index + 1, count):
                if suggester_of(view.record[later]) == asker:
                    later_named |= chosen_cards(view.record[later])
            if not later_named & triple_mask(entry) or not p[0].read:
                continue
            by = (asker - seat + seats) % seats - 1
            named = SURE * p[0].again + before[by, 0] + reading.again[by, 0]
            share = min(1.0, named / (SURE + before[by, 1] + reading.again[by, 1]))
        reading.show_holders[shows] = (disprover - seat + seats) % seats - 1
        for place in range(PLACES):
            card = triple >> 5 * place & CARD_MASK
            reading.show_cards[shows, place] = card
            if shown >= 0 and shown != card:
                continue
            factor = share if shown < 0 and later_named & bit(card) else 1.0
            for style in range(STYLES):
                for pattern in range(PATTERNS):
                    chance = chance_to_show(place, pattern, style)
                    reading.show_chances[shows, style, pattern] += factor * chance
        shows += 1
    return Reading(
        reading.named,
        reading.made,
        reading.choice_holders[:choices],
        reading.choice_cards[:choices],
        reading.choice_places[:choices],
        reading.choice_levels[:choices],
        reading.show_holders[:shows],
        reading.show_cards[:shows],
        reading.show_chances[:shows],
        reading.silent_holders[:silent],
        reading.silent_cards[:silent],
        reading.silence,
        reading.again,
        reading.categories,
        reading.logs,
    )


@kernel
def was_shown(view: Any, before: int, asker: int, disprover: int, card: int) -> bool:
    """Whether a seat had shown the card to the same asker earlier; then there was no choice to be read."""
    for index in range(before):
        entry = view.record[index]
        if suggester_of(entry) == asker and disprover_of(entry) == disprover and shown_of(entry) == card:
            return True
    return False


# --- How well a hand explains it ----------------------------------------------------------------------------------------


@kernel
def explain(reading: Any, holder: int, hand: Any, held: Any, chances: Any) -> float:
    """How likely what a holder did is with a hand, for each habit: float64[HABITS], relative to the likeliest of naming.

    held: int64[3], how many cards of each category the hand has; of `hand` only cards count that were named or may have been
    shown, or that others were known to lack.
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
    for silent in range(len(reading.silent_holders)):
        if reading.silent_holders[silent] == holder and not hand & reading.silent_cards[silent]:
            factor *= reading.silence[0]
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
def sums(chances: Any, prior: Any) -> Any:
    """What a hand is worth over the habits of naming, over those of showing, and over those of choosing."""
    by_naming = 0.0
    by_showing = 0.0
    by_choosing = 0.0
    for habit in range(HABITS):
        share = prior[habit] * chances[habit]
        if habit < len(NAMING):
            by_naming += share
        elif habit < ANY_CARD:
            by_showing += share
        else:
            by_choosing += share
    return by_naming, by_showing, by_choosing


# --- The deals, weighed -------------------------------------------------------------------------------------------------


@kernel
def marked(facts: Any, reading: Any) -> Any:
    """The facts, with cards that were named, may have been shown or others were known to lack told apart from the rest."""
    holders = len(facts.sizes)
    looked = np.zeros(holders, np.uint64)
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
            by_naming, by_showing, by_choosing = sums(chances, prior[holder])
            problem.weights[place] = factor * by_naming * by_showing * by_choosing
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
            by_naming, by_showing, by_choosing = sums(chances, prior[holder])
            for habit in range(HABITS):
                whole = by_naming if habit < len(NAMING) else by_showing if habit < ANY_CARD else by_choosing
                share = prior[holder, habit] * chances[habit] / whole if whole > 0 else prior[holder, habit]
                shares[index, holder, habit] = share
