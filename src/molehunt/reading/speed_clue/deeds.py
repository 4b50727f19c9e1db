"""What the others did, as far as it tells of their hands and habits: the record as a seat reads it.

Which cards each named, and before which others, which card they showed out of several, what they named of the cards that they had
been shown, that they did not accuse after a suggestion that nobody disproved, and what they accused.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from molehunt.core.kernels import bit, kernel, lowest, popcount, without_lowest
from molehunt.games.speed_clue.actions import triple_mask
from molehunt.games.speed_clue.edition import MAX_CARDS
from molehunt.games.speed_clue.resample import category_masks, was_let_be
from molehunt.games.speed_clue.rules import disprover_of, shown_of, suggester_of
from molehunt.games.speed_clue.ruleset import CARDS, CONTEST_ORDER, ORDER, SEATS
from molehunt.games.speed_clue.state import (
    ACCUSED,
    CARD_MASK,
    FORCED,
    NOBODY_DID,
    RIGHT,
)
from molehunt.reading.speed_clue.habits import (
    ACCUSING,
    NAMING,
    PATTERNS,
    PLACES,
    SEEN,
    SEEN_FIRST,
    STYLES,
    accusing_chance,
    chance_to_show,
    naming_chances,
    naming_levels,
    seen_chance,
    seen_levels,
    silence_chance,
)

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
    """float64[s, styles, 8]: ... as it is done so often in each style by who has those of a pattern, ..."""
    show_askers: Any
    """int64[s]: ... to this holder, -1 where this seat knows which card, ..."""
    show_again: Any
    """float64[s, 3, habits of naming cards seen]: ... of whom it is so likely, against at random, what they did later with each."""
    silent_holders: Any
    """int64[u]: this holder asked ..."""
    silent_cards: Any
    """uint64[u]: ... for these cards, which nobody had, and did not accuse, ..."""
    silent_chances: Any
    """float64[u, habits of accusing]: ... which happens so often to who has none of them."""
    seen: Any
    """float64[holders, habits of naming cards seen]: how likely it is what each did with the cards that this seat showed it."""
    accused: Any
    """uint64[holders]: the cards with which each accused wrongly."""
    accusing: Any
    """float64[holders, habits of accusing]: how likely such an accusation is, or the one that won."""
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
        np.full(view.suggestion_count, -1, np.int64),
        np.ones((view.suggestion_count, PLACES, len(SEEN))),
        np.zeros(view.suggestion_count, np.int64),
        np.zeros(view.suggestion_count, np.uint64),
        np.ones((view.suggestion_count, ACCUSING)),
        np.ones((holders, len(SEEN))),
        np.zeros(holders, np.uint64),
        np.ones((holders, ACCUSING)),
        categories,
        logs,
    )


@kernel
def chosen_places(entry: int) -> int:
    """How many of the three cards the suggester chose, from the first: a location that was forced is none of them."""
    return PLACES - 1 if entry & FORCED else PLACES


@kernel
def holder_at(player: int, seat: int, seats: int) -> int:
    """The number of a player among the holders of a seat: their distance from it, minus one."""
    return (player - seat + seats) % seats - 1


@kernel
def read_later(view: Any, before: int, asker: int, place: int, card: int, cards: int, chances: Any) -> int:
    """Multiply chances, of shape (habits of naming cards seen,), by those of what an asker did later who was shown a card then.

    Returns in how many later turns they could have named it; cards: how many the category has.
    """
    named = 0
    turns = 0
    for later in range(before + 1, view.suggestion_count):
        if suggester_of(view.record[later]) == asker and place < chosen_places(view.record[later]):
            named += view.record[later] >> 5 * place & CARD_MASK == card
            turns += 1
    for habit in range(len(SEEN)):
        chances[habit] *= seen_chance(named, turns, cards, seen_levels[habit])
    return turns


@kernel
def read_seen(view: Any, params: Any, reading: Any) -> None:
    """Note what each other seat did with the cards that this one had shown it."""
    seat = view.seat
    seats = params[SEATS]
    for index in range(view.suggestion_count):
        entry = view.record[index]
        card = shown_of(entry)
        if disprover_of(entry) != seat or card < 0:
            continue
        asker = suggester_of(entry)
        if not was_shown(view, index, asker, seat, card):
            place = place_of(card, entry)
            cards = popcount(reading.categories[place])
            read_later(view, index, asker, place, card, cards, reading.seen[holder_at(asker, seat, seats)])


@kernel
def read_accusations(view: Any, params: Any, reading: Any) -> None:
    """Note whom of the others accused wrongly, and with what, and how the one did it who won."""
    seats = params[SEATS]
    for other in range(seats):
        word = view.accusations[other]
        if other == view.seat or not word & ACCUSED:
            continue
        holder = holder_at(other, view.seat, seats)
        wrong = not word & RIGHT
        if wrong:
            reading.accused[holder] = triple_mask(word)
        last = view.suggestion_count - 1
        after_own = last >= 0 and suggester_of(view.record[last]) == other
        # In the contest one accuses right after one's own suggestion, whoever one is.
        if wrong or params[ORDER] != CONTEST_ORDER:
            for habit in range(ACCUSING):
                reading.accusing[holder, habit] = accusing_chance(habit, wrong, after_own)


@kernel
def read_choices(view: Any, params: Any, reading: Any) -> int:
    """Note each card that another seat chose to name, how often, and what was then known to all; how many choices there are."""
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
            holder = holder_at(asker, seat, seats)
            for place in range(chosen_places(entry)):
                card_named = entry >> 5 * place & CARD_MASK
                reading.named[holder, card_named] += 1
                reading.made[holder, place] += 1
                levels = reading.choice_levels[found]
                left = reading.categories[place] & ~shown[asker]
                while left:
                    card = bit(lowest(left))
                    left = without_lowest(left)
                    lacking = 0
                    for other in range(seats):
                        lacking += other != asker and passed[other] & card != 0
                    levels[lacking] |= card
                reading.choice_holders[found] = holder
                reading.choice_cards[found] = bit(card_named)
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
def read_silence(view: Any, params: Any, slip: float, reading: Any) -> int:
    """Note each suggestion of another that nobody disproved and after which they did not accuse; how many there are.

    In the contest none: there it is no habit, but a fact (`resample.held_back`).
    """
    seat = view.seat
    seats = params[SEATS]
    count = view.suggestion_count
    found = 0
    if params[ORDER] == CONTEST_ORDER:
        return found
    for index in range(count):
        entry = view.record[index]
        asker = suggester_of(entry)
        if asker == seat or disprover_of(entry) != NOBODY_DID or view.out >> asker & 1:
            continue
        if not was_let_be(view, index, params):
            continue
        turned = False
        for later in range(index + 1, count):
            turned = turned or suggester_of(view.record[later]) == asker
        reading.silent_holders[found] = holder_at(asker, seat, seats)
        reading.silent_cards[found] = triple_mask(entry)
        for habit in range(ACCUSING):
            reading.silent_chances[found, habit] = silence_chance(habit, turned, slip)
        found += 1
    return found


@kernel
def read_shows(view: Any, params: Any, read: bool, prior: Any, reading: Any) -> int:
    """Note each card that another seat chose to show, seen or not; how many there are.

    prior: float64[holders, HABITS]; with `read` it is weighed how likely who saw a card did later what they did.
    """
    seat = view.seat
    seats = params[SEATS]
    found = 0
    for index in range(view.suggestion_count):
        entry = view.record[index]
        asker = suggester_of(entry)
        disprover = disprover_of(entry)
        if disprover >= NOBODY_DID or disprover == seat:
            continue
        shown = shown_of(entry)
        if shown >= 0 and was_shown(view, index, asker, disprover, shown):
            continue  # there was no choice to be read
        if shown < 0 and asker == seat:
            continue  # at a real table: which card it was shown then, this seat has not noted
        turns = 0
        by = holder_at(asker, seat, seats)
        for place in range(PLACES if shown < 0 else 0):
            cards = popcount(reading.categories[place])
            turns += read_later(
                view, index, asker, place, entry >> 5 * place & CARD_MASK, cards, reading.show_again[found, place]
            )
        if shown < 0 and (turns == 0 or not read):
            continue
        reading.show_holders[found] = holder_at(disprover, seat, seats)
        reading.show_askers[found] = by if shown < 0 else -1
        for place in range(PLACES):
            card = entry >> 5 * place & CARD_MASK
            reading.show_cards[found, place] = card
            if shown >= 0 and shown != card:
                continue
            factor = 1.0
            if shown < 0:
                # Over the asker's habits, as far as they are known from the cards that this seat showed them.
                share = 0.0
                likely = 0.0
                for habit in range(len(SEEN)):
                    chance = prior[by, SEEN_FIRST + habit] * reading.seen[by, habit]
                    share += chance
                    likely += chance * reading.show_again[found, place, habit]
                factor = likely / share if share > 0 else 1.0
            for style in range(STYLES):
                for pattern in range(PATTERNS):
                    chance = chance_to_show(place, pattern, style)
                    reading.show_chances[found, style, pattern] += factor * chance
        found += 1
    return found


@kernel
def read_views(views: Any, params: Any, p: Any, prior: Any) -> Any:
    """Read the record of the first view of an array.

    prior: float64[holders, HABITS], how likely the habits of each holder are before this game.
    """
    view = views[0]
    reading = empty_reading(view, params)
    choices = 0
    silent = 0
    if p[0].read:
        read_seen(view, params, reading)
        read_accusations(view, params, reading)
        choices = read_choices(view, params, reading)
        silent = read_silence(view, params, p[0].silence, reading)
    shows = read_shows(view, params, p[0].read != 0, prior, reading) if p[0].choose else 0
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
        reading.show_askers[:shows],
        reading.show_again[:shows],
        reading.silent_holders[:silent],
        reading.silent_cards[:silent],
        reading.silent_chances[:silent],
        reading.seen,
        reading.accused,
        reading.accusing,
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
