"""A problem of who holds what, set up for counting: what single facts force, cards that are alike, possible hands.

Cards whose place is known leave the problem. The rest fall into classes: two cards are of one class where nothing that is
known tells them apart. A hand is then how many cards of each class it has, and it stands for all the ways to choose them.

How many cards of each class are dealt is one word, a code: a class of n cards has a field of b + 1 bits, where 2**b > n; the
empty code has 2**b - 1 - n there, so that the highest bit of the field, its guard, is set as soon as more than n are dealt.
So whether a hand still fits is one addition and one comparison.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput
from molehunt.core.kernels import bit, kernel, lowest, popcount, without_lowest

FACTOR_CARDS = 3
"""The most cards that a likelihood looks at: those of a suggestion."""
PATTERNS = 1 << FACTOR_CARDS
MOST_HANDS = 1 << 22
"""The most hands that are listed, of all holders together: 64 MiB."""
TOO_MANY = "there are too many possible hands to try them all"
TOO_MANY_IN_DOUBT = "there are more than 32 cards in doubt that the facts tell apart; the work would be too much"

NONE = np.uint64(0)
ONE = np.uint64(1)

Words = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]


class Facts(NamedTuple):
    """What is known, as kernels take it: m holders with numbers 0 to m - 1; place m is the envelope. Sets of cards are masks."""

    pool: Any
    """uint64[1]: all cards that are dealt or in the envelope (an array, because a number may come back as another type)."""
    sizes: Any
    """int64[m]: how many cards each holder has; together with the envelope they use up the pool."""
    holds: Any
    """uint64[m + 1]: cards that each place has."""
    lacks: Any
    """uint64[m + 1]: cards that it does not have."""
    clause_holders: Any
    """int64[c]: this holder has at least one card of ..."""
    clause_cards: Any
    """uint64[c]: ... this set."""
    factor_holders: Any
    """int64[f]: the likelihood of something that this holder did ..."""
    factor_cards: Any
    """int64[f, 3]: ... depends on which of these cards they have (-1: no card) ..."""
    factor_weights: Any
    """float64[f, 8]: ... as this table says; bit p of the index tells whether they have card p. No weight is negative."""
    categories: Any
    """uint64[k], disjoint: the envelope is one card of each; cards in none of them are never in the envelope."""
    excluded: Any
    """uint64[x]: sets that are not the envelope."""


class Problem(NamedTuple):
    """What is left to count."""

    possible: Any
    """False where single facts contradict each other already."""
    known: Any
    """uint64[m + 1]: the cards that each place certainly has."""
    classes: Any
    """uint64[k]: the cards of each class."""
    shifts: Any
    """int64[k]: where the field of each class begins."""
    wide: Any
    """int64[w, 4]: of each class with more than one card, where its field begins, its mask, the cards, and the empty field."""
    empty: Any
    """uint64: the code of no cards dealt."""
    guards: Any
    """uint64: the guards of all fields."""
    whole: Any
    """uint64: the sum of two codes that use up all cards between them."""
    holders: Any
    """int64[a]: the holders whose hands are in doubt; a single -1 where there is none."""
    starts: Any
    """int64[a + 1]: where the hands of each of them begin in `codes`."""
    codes: Any
    """uint64[h]: possible hands, without their known cards."""
    weights: Any
    """float64[h]: the likelihood of each hand."""
    envelopes: Any
    """uint64[e]: possible envelopes, without their known cards."""


# ---- What follows from single facts


@kernel
def draw_conclusions(facts: Any, known: Any, absent: Any) -> bool:
    """Add to `known` and `absent`, uint64[m + 1], until nothing new follows; false: the facts contradict each other."""
    pool, sizes, categories = facts.pool[0], facts.sizes, facts.categories
    envelope = len(sizes)
    count = -1
    while True:
        before = count
        count = 0
        for place in range(envelope + 1):
            count += popcount(known[place]) + popcount(absent[place])
        if count == before:
            return True

        # A clause of which one card is left.
        for clause in range(len(facts.clause_cards)):
            holder = facts.clause_holders[clause]
            if facts.clause_cards[clause] & known[holder] == NONE:
                left = facts.clause_cards[clause] & ~absent[holder]
                if left == NONE:
                    return False
                if without_lowest(left) == NONE:
                    known[holder] |= left

        # A category of which one card is left, or whose card is known.
        for category in categories:
            left = category & ~absent[envelope]
            if left == NONE:
                return False
            if without_lowest(left) == NONE:
                known[envelope] |= left
            solved = category & known[envelope]
            if solved != NONE:
                absent[envelope] |= category & ~solved

        # Sizes: a hand that is complete, or that needs all the cards that are left for it.
        for place in range(envelope + 1):
            size = len(categories) if place == envelope else sizes[place]
            left = pool & ~absent[place]
            if known[place] & ~left != NONE or popcount(known[place]) > size or popcount(left) < size:
                return False
            if popcount(known[place]) == size:
                absent[place] = ~known[place]
            elif popcount(left) == size:
                known[place] = left

        # Every card is in one place.
        once = NONE
        twice = NONE
        for place in range(envelope + 1):
            for other in range(envelope + 1):
                if other != place:
                    absent[other] |= known[place]
        for place in range(envelope + 1):
            left = pool & ~absent[place]
            twice |= once & left
            once |= left
        if once != pool:
            return False
        for place in range(envelope + 1):
            known[place] |= pool & ~absent[place] & ~twice


# ---- Classes of cards


@kernel
def split(ids: Any, number: int, cards: Any, in_doubt: Any) -> int:
    """Split every class that a set of cards cuts in two; returns how many classes there are then."""
    fresh = np.full(number, -1, np.int64)
    for index in range(len(ids)):
        if not cards & bit(in_doubt[index]):
            fresh[ids[index]] = -2  # some card of the class is outside
    made = number
    for index in range(len(ids)):
        old = ids[index]
        if cards & bit(in_doubt[index]) and fresh[old] != -1:
            if fresh[old] == -2:
                fresh[old] = made
                made += 1
            ids[index] = fresh[old]
    return made


@kernel
def classify(facts: Any, known: Any, absent: Any, in_doubt: Any, apart: bool) -> Any:
    """The classes of the cards in doubt, as masks: uint64[k]. With `apart` every card is a class of its own."""
    if apart:
        single = np.empty(len(in_doubt), np.uint64)
        for index in range(len(in_doubt)):
            single[index] = bit(in_doubt[index])
        return single
    envelope = len(facts.sizes)
    ids = np.zeros(len(in_doubt), np.int64)
    number = min(1, len(in_doubt))
    for category in facts.categories:
        number = split(ids, number, category, in_doubt)
    for place in range(envelope + 1):
        number = split(ids, number, absent[place], in_doubt)
    for clause in range(len(facts.clause_cards)):
        holder = facts.clause_holders[clause]
        if facts.clause_cards[clause] & known[holder] == NONE:
            number = split(ids, number, facts.clause_cards[clause], in_doubt)
    for factor in range(len(facts.factor_holders)):
        holder = facts.factor_holders[factor]
        for card in facts.factor_cards[factor]:
            if card >= 0 and not absent[holder] & bit(card):
                number = split(ids, number, bit(card), in_doubt)
    for cards in facts.excluded:
        if cards & absent[envelope] == NONE:
            number = split(ids, number, cards, in_doubt)
    classes = np.zeros(number, np.uint64)
    for index in range(len(in_doubt)):
        classes[ids[index]] |= bit(in_doubt[index])
    return classes


@kernel
def class_of(card: int, classes: Any) -> int:
    """The class of a card, -1 where its place is known."""
    for index in range(len(classes)):
        if classes[index] & bit(card):
            return index
    return -1


# ---- Possible hands and envelopes


@kernel
def grown(words: Any) -> Any:
    """The same array with twice the room."""
    return np.concatenate((words, np.empty_like(words)))


@kernel
def clauses_of(facts: Any, holder: int, known: Any, classes: Any) -> Any:
    """The clauses of a holder that no card it is known to have meets, as sets of classes: uint64[clauses]."""
    clauses = np.empty(len(facts.clause_cards), np.uint64)
    count = 0
    for clause in range(len(facts.clause_cards)):
        cards = facts.clause_cards[clause]
        if facts.clause_holders[clause] == holder and cards & known[holder] == NONE:
            clauses[count] = NONE
            for index in range(len(classes)):
                if classes[index] & cards:
                    clauses[count] |= bit(index)
            count += 1
    return clauses[:count]


@kernel
def factors_of(facts: Any, holder: int, known: Any, absent: Any, classes: Any) -> Any:
    """The likelihoods of a holder's hands: int64[factors, FACTOR_CARDS + 2].

    A row has the class of each card, -1 where it is known whether the holder has it, then the number of the factor, and the pattern
    of the cards that it certainly has.
    """
    factors = np.empty((len(facts.factor_holders), FACTOR_CARDS + 2), np.int64)
    count = 0
    for factor in range(len(facts.factor_holders)):
        if facts.factor_holders[factor] == holder:
            row = factors[count]
            row[FACTOR_CARDS] = factor
            row[FACTOR_CARDS + 1] = 0
            for place in range(FACTOR_CARDS):
                card = facts.factor_cards[factor, place]
                row[place] = -1
                if card >= 0 and known[holder] & bit(card):
                    row[FACTOR_CARDS + 1] |= 1 << place
                elif card >= 0 and not absent[holder] & bit(card):
                    row[place] = class_of(card, classes)
            count += 1
    return factors[:count]


@kernel
def list_hands(
    facts: Any, holder: int, known: Any, absent: Any, classes: Any, shifts: Any, codes: Any, weights: Any, end: int
) -> Any:
    """Add the possible hands of a holder after `end`; returns the arrays, which may have grown, and where they end now."""
    number = len(classes)
    counts = np.zeros(number, np.int64)
    room = np.zeros(number + 1, np.int64)
    for index in range(number - 1, -1, -1):
        counts[index] = 0 if classes[index] & absent[holder] else popcount(classes[index])
        room[index] = room[index + 1] + counts[index]

    clauses = clauses_of(facts, holder, known, classes)
    factors = factors_of(facts, holder, known, absent, classes)

    # All choices, class by class; `taken[i]` cards of class i are tried, the most first.
    taken = np.zeros(number + 1, np.int64)
    left = np.zeros(number + 2, np.int64)
    code = np.zeros(number + 2, np.uint64)
    left[0] = facts.sizes[holder] - popcount(known[holder])
    depth = 0
    if number:
        taken[0] = min(counts[0], left[0])
    while depth >= 0:
        if depth < number:
            if taken[depth] < 0 or left[depth] - taken[depth] > room[depth + 1]:
                depth -= 1
                if depth >= 0:
                    taken[depth] -= 1
                continue
            left[depth + 1] = left[depth] - taken[depth]
            code[depth + 1] = code[depth] | np.uint64(taken[depth]) << np.uint64(shifts[depth])
            depth += 1
            if depth < number:
                taken[depth] = min(counts[depth], left[depth])
            continue

        some = NONE
        for index in range(number):
            if taken[index]:
                some |= bit(index)
        meets = left[number] == 0
        for clause in range(len(clauses)):
            meets = meets and clauses[clause] & some != NONE
        weight = 1.0
        for index in range(len(factors) if meets else 0):
            pattern = factors[index, FACTOR_CARDS + 1]
            for place in range(FACTOR_CARDS):
                if factors[index, place] >= 0 and taken[factors[index, place]]:
                    pattern |= 1 << place
            weight *= facts.factor_weights[factors[index, FACTOR_CARDS], pattern]
        if meets and weight > 0:
            if end == MOST_HANDS:
                raise BadInput(TOO_MANY)
            if end == len(codes):
                codes = grown(codes)
                weights = grown(weights)
            codes[end] = code[number]
            weights[end] = weight
            end += 1
        depth -= 1
        if depth >= 0:
            taken[depth] -= 1
    return codes, weights, end


@kernel
def list_envelopes(facts: Any, known: Any, absent: Any, classes: Any, shifts: Any) -> Any:
    """The possible envelopes as codes."""
    envelope = len(facts.sizes)
    number = 1
    for category in facts.categories:
        count = 0
        for cards_alike in classes:
            if cards_alike & category and not cards_alike & absent[envelope]:
                count += 1
        if not category & known[envelope]:
            number *= count
    codes = np.zeros(max(number, 1), np.uint64)
    cards = np.zeros(max(number, 1), np.uint64)
    cards[0] = known[envelope]
    listed = 1
    for category in facts.categories:
        if category & known[envelope]:
            continue
        # Every envelope so far, with a card of every class of this category; the last class is written in place.
        possible = np.empty(len(classes), np.int64)
        count = 0
        for index in range(len(classes)):
            if classes[index] & category and not classes[index] & absent[envelope]:
                possible[count] = index
                count += 1
        for nth in range(count - 1, -1, -1):
            index = possible[nth]
            for old in range(listed):
                codes[nth * listed + old] = codes[old] + (ONE << np.uint64(shifts[index]))
                cards[nth * listed + old] = cards[old] | classes[index]
        listed *= count
    kept = 0
    for index in range(listed):
        allowed = True
        for triple in facts.excluded:
            # A set with two cards of one category is no envelope, though the classes of these may be the same as of one.
            if triple == cards[index] and popcount(triple) == len(facts.categories):
                allowed = False
        if allowed:
            codes[kept] = codes[index]
            kept += 1
    return codes[:kept]


@kernel
def packed(classes: Any) -> Any:
    """How hands are packed into words, a field a class: `shifts`, `wide`, `empty`, `guards` and `whole` of the problem.

    BadInput where the fields need more than 64 bits.
    """
    shifts = np.empty(len(classes), np.int64)
    wide = np.empty((len(classes), 4), np.int64)
    of_wide = 0
    end = 0
    empty = NONE
    guards = NONE
    whole = NONE
    for index in range(len(classes)):
        count = popcount(classes[index])
        bits = 0
        while count >> bits:
            bits += 1
        shifts[index] = end
        if end + bits + 1 > 64:
            raise BadInput(TOO_MANY_IN_DOUBT)
        spare = (1 << bits) - 1 - count
        empty |= np.uint64(spare) << np.uint64(end)
        guards |= bit(end + bits)
        whole += np.uint64(2 * spare + count) << np.uint64(end)
        if count > 1:
            wide[of_wide] = (end, (1 << bits + 1) - 1, count, spare)
            of_wide += 1
        end += bits + 1
    return shifts, wide[:of_wide], empty, guards, whole


@kernel
def set_up(facts: Any, apart: bool) -> Any:
    """The problem that is left when all that single facts force is known; with `apart` every card is a class of its own.

    BadInput: the classes need more than 64 bits, which takes more than 32 cards in doubt.
    """
    m = len(facts.sizes)
    pool = facts.pool[0]
    known = facts.holds.copy()
    absent = np.empty(m + 1, np.uint64)
    some = NONE
    for category in facts.categories:
        some |= category
    dealt = len(facts.categories)
    for place in range(m + 1):
        absent[place] = facts.lacks[place] | ~pool
    absent[m] |= ~some
    for holder in range(m):
        dealt += facts.sizes[holder]
    possible = dealt == popcount(pool) and draw_conclusions(facts, known, absent)
    left = pool if possible else NONE
    for place in range(m + 1):
        left &= ~known[place]
    in_doubt = np.empty(popcount(left), np.int64)
    for index in range(len(in_doubt)):
        in_doubt[index] = lowest(left)
        left = without_lowest(left)

    classes = classify(facts, known, absent, in_doubt, apart)
    shifts, wide, empty, guards, whole = packed(classes)

    holders = np.full(max(m, 1), -1, np.int64)
    starts = np.zeros(max(m, 1) + 1, np.int64)
    codes = np.zeros(64, np.uint64)
    weights = np.ones(64)
    number = 0
    end = 0
    for holder in range(m):
        if not possible:
            break
        first = end
        codes, weights, end = list_hands(facts, holder, known, absent, classes, shifts, codes, weights, end)
        if popcount(known[holder]) == facts.sizes[holder] and end > first and weights[first] == 1.0:
            end = first  # the hand is known, and nothing weighs it
            continue
        possible = end > first
        holders[number] = holder
        number += 1
        starts[number] = end
    if number == 0:
        number = 1
        end = 1
        starts[1] = 1
        codes[0] = NONE
        weights[0] = 1.0
    envelopes = np.empty(0, np.uint64)
    if possible:
        envelopes = list_envelopes(facts, known, absent, classes, shifts)
    return Problem(
        possible and len(envelopes) > 0,
        known,
        classes,
        shifts,
        wide,
        empty,
        guards,
        whole,
        holders[:number],
        starts[: number + 1],
        codes[:end],
        weights[:end],
        envelopes,
    )
