"""Counting the deals of a problem: layers of sets of cards, from both ends, that meet in the middle.

A layer is the sets that some holders can have between them, each with the weight of all ways to deal it to them. The left
layers begin with nobody, the right ones with the envelope. A holder joins the layer before by trying each of their hands on each
of its sets; the last one joins the two sides: a set on the left, their hand and a set on the right must use up all cards. Then
what each set is worth, the weight of all that completes it, is spread from the middle back to both ends, and what passes a
hand on the way is the weight of all deals with that hand. Nothing is ever subtracted, so weights lose no digits, and with
likelihoods left out all numbers are integers, exact as long as they stay below 2**53.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from molehunt.beliefs.deals.problem import ONE, TOO_MANY, grown, set_up
from molehunt.core.errors import BadInput
from molehunt.core.kernels import bit, kernel, lowest, nth_bit, popcount, without_lowest
from molehunt.core.streams import below, uniform

MOST_PAIRS = 2e10
"""The most pairs of a set and a hand that are tried in one step: about a minute's work."""
HASH = np.uint64(0x9E3779B97F4A7C15)
MOST_SETS = 1 << 23
"""The most sets of a layer: a quarter of a GiB."""
CHOOSE = np.array([[math.comb(cards, chosen) for chosen in range(65)] for cards in range(65)], np.float64)
"""Binomial coefficients."""


class Layer(NamedTuple):
    """Sets of cards as codes, with a hash table to find them."""

    codes: Any
    """uint64[n]"""
    values: Any
    """float64[n]: the weight of all ways to deal the set to its holders, once its cards are chosen from their classes."""
    slots: Any
    """int32[2**bits]: one more than the place in `codes`, 0 where the slot is free."""


class Chains(NamedTuple):
    """The layers of both sides, and who joins them."""

    left: Any
    """list of Layer: nobody, and then with each of ..."""
    left_holders: Any
    """int64[]: ... these, as places in `Problem.holders`."""
    right: Any
    """list of Layer: the envelope, and then with each of ..."""
    right_holders: Any
    """int64[]: ... these."""
    joins: Any
    """int: the holder between the last layers of both sides."""


# ---- Layers


@kernel
def slot_of(code: Any, slots: Any) -> Any:
    """Where to look for a code first."""
    return np.int64((code * HASH) >> np.uint64(33)) & (len(slots) - 1)


@kernel
def find(code: Any, codes: Any, slots: Any) -> int:
    """The place of a set in a layer, -1 where it is not there."""
    mask = len(slots) - 1
    slot = slot_of(code, slots)
    while True:
        place = slots[slot] - 1
        if place < 0 or codes[place] == code:
            return place
        slot = (slot + 1) & mask


@kernel
def slots_for(codes: Any, least: int) -> Any:
    """The hash table of different codes, with room for twice as many as there are, and for `least`."""
    size = 16
    while size < 4 * max(len(codes), least):
        size *= 2
    slots = np.zeros(size, np.int32)
    for index in range(len(codes)):
        slot = slot_of(codes[index], slots)
        while slots[slot]:
            slot = (slot + 1) & (size - 1)
        slots[slot] = index + 1
    return slots


@kernel
def ways_to_split(code: Any, hand: Any, wide: Any) -> float:
    """In how many ways the hand can be chosen from the cards that are dealt by `code`, the hand among them."""
    ways = 1.0
    for index in range(len(wide)):
        shift, mask = np.uint64(wide[index, 0]), np.uint64(wide[index, 1])
        dealt = np.int64(code >> shift & mask) - wide[index, 3]
        ways *= CHOOSE[dealt, np.int64(hand >> shift & mask)]
    return ways


@kernel
def ways_to_add(code: Any, hand: Any, wide: Any) -> float:
    """In how many ways the hand can be chosen from the cards that are not yet dealt by `code`."""
    ways = 1.0
    for index in range(len(wide)):
        shift, mask = np.uint64(wide[index, 0]), np.uint64(wide[index, 1])
        dealt = np.int64(code >> shift & mask) - wide[index, 3]
        ways *= CHOOSE[wide[index, 2] - dealt, np.int64(hand >> shift & mask)]
    return ways


@kernel
def joined(layer: Any, hands: Any, weights: Any, problem: Any) -> Any:
    """The layer after one more holder."""
    if len(layer.codes) * float(len(hands)) > MOST_PAIRS:
        raise BadInput(TOO_MANY)
    codes = np.empty(max(64, len(hands)), np.uint64)
    values = np.empty(len(codes))
    slots = slots_for(codes[:0], len(codes))
    number = 0
    for first in range(len(layer.codes)):
        base = layer.codes[first]
        for hand in range(len(hands)):
            code = base + hands[hand]
            if code & problem.guards:
                continue
            value = layer.values[first] * weights[hand] * ways_to_split(code, hands[hand], problem.wide)
            slot = slot_of(code, slots)
            while slots[slot] and codes[slots[slot] - 1] != code:
                slot = (slot + 1) & (len(slots) - 1)
            if slots[slot]:
                values[slots[slot] - 1] += value
                continue
            if number == MOST_SETS:
                raise BadInput(TOO_MANY)
            if number == len(codes):
                codes = grown(codes)
                values = grown(values)
                slots = slots_for(codes[:number], number)
                slot = slot_of(code, slots)
                while slots[slot]:
                    slot = (slot + 1) & (len(slots) - 1)
            codes[number] = code
            values[number] = value
            number += 1
            slots[slot] = number
    return Layer(codes[:number], values[:number], slots)


@kernel
def hands_of(problem: Any, holder: int) -> Any:
    """The hands of the `holder`-th holder in doubt, and their weights."""
    some = slice(problem.starts[holder], problem.starts[holder + 1])
    return problem.codes[some], problem.weights[some]


@kernel
def make_chains(problem: Any) -> Any:
    """The layers of both sides: the cheapest step next, until one holder is left to join them."""
    number = len(problem.holders)
    single = np.full(1, problem.empty, np.uint64)
    left = [Layer(single, np.ones(1), slots_for(single, 1))]
    ends = problem.envelopes + problem.empty
    right = [Layer(ends, np.ones(len(ends)), slots_for(ends, 1))]
    left_holders = np.empty(number, np.int64)
    right_holders = np.empty(number, np.int64)
    waiting = np.ones(number, np.bool_)
    for _ in range(number - 1):
        fewest = -1
        for holder in range(number):
            hands = problem.starts[holder + 1] - problem.starts[holder]
            if waiting[holder] and (fewest < 0 or hands < problem.starts[fewest + 1] - problem.starts[fewest]):
                fewest = holder
        waiting[fewest] = False
        hands, weights = hands_of(problem, fewest)
        if len(left[-1].codes) <= len(right[-1].codes):
            left_holders[len(left) - 1] = fewest
            left.append(joined(left[-1], hands, weights, problem))
        else:
            right_holders[len(right) - 1] = fewest
            right.append(joined(right[-1], hands, weights, problem))
    joins = 0
    for holder in range(number):
        if waiting[holder]:
            joins = holder
    return Chains(left, left_holders[: len(left) - 1], right, right_holders[: len(right) - 1], joins)


# ---- Spreading what completes a set


@kernel
def join(problem: Any, chains: Any, passed: Any, left_worth: Any, right_worth: Any) -> float:
    """Join both sides: the weight of all deals.

    `passed`, float64[h], receives the weight of the deals with each hand of the holder who joins; `left_worth` and `right_worth`,
    one entry for each set of the last layers, the weight of all that completes the set.
    """
    left, right = chains.left[-1], chains.right[-1]
    hands, weights = hands_of(problem, chains.joins)
    first = problem.starts[chains.joins]
    swap = len(left.codes) > len(right.codes)
    here, there = (right, left) if swap else (left, right)
    here_worth, there_worth = (right_worth, left_worth) if swap else (left_worth, right_worth)
    if len(here.codes) * float(len(hands)) > MOST_PAIRS:
        raise BadInput(TOO_MANY)
    total = 0.0
    for index in range(len(here.codes)):
        base = here.codes[index]
        value = here.values[index] * ways_to_add(problem.empty, base - problem.empty, problem.wide)
        for hand in range(len(hands)):
            code = base + hands[hand]
            if code & problem.guards:
                continue
            rest = problem.whole - code
            place = find(rest, there.codes, there.slots)
            if place < 0:
                continue
            weight = weights[hand] * ways_to_add(base, hands[hand], problem.wide)
            here_worth[index] += there.values[place] * weight
            passed[first + hand] += value * there.values[place] * weight
            # From the other side: the hand first, and what is left is the set here.
            there_worth[place] += here.values[index] * weights[hand] * ways_to_add(rest, hands[hand], problem.wide)
            total += value * there.values[place] * weight
    return total


@kernel
def spread(problem: Any, layers: Any, holders: Any, worth: Any, passed: Any) -> Any:
    """Spread the worth of the sets of a side's last layer back to its first; returns the worth of the first layer's sets."""
    for step in range(len(holders) - 1, -1, -1):
        before, after = layers[step], layers[step + 1]
        hands, weights = hands_of(problem, holders[step])
        first = problem.starts[holders[step]]
        earlier = np.zeros(len(before.codes))
        for index in range(len(before.codes)):
            base = before.codes[index]
            value = before.values[index] * ways_to_add(problem.empty, base - problem.empty, problem.wide)
            for hand in range(len(hands)):
                code = base + hands[hand]
                if code & problem.guards:
                    continue
                ways = worth[find(code, after.codes, after.slots)] * weights[hand]
                if ways == 0:
                    continue
                ways *= ways_to_add(base, hands[hand], problem.wide)
                earlier[index] += ways
                passed[first + hand] += value * ways
        worth = earlier
    return worth


@kernel
def measure(problem: Any, passed: Any, envelopes: Any) -> float:
    """The weight of all deals; of those with each hand, float64[h]; of those with each envelope, float64[e]."""
    passed[:] = 0
    envelopes[:] = 0
    if not problem.possible:
        return 0.0
    chains = make_chains(problem)
    left_worth = np.zeros(len(chains.left[-1].codes))
    right_worth = np.zeros(len(chains.right[-1].codes))
    total = join(problem, chains, passed, left_worth, right_worth)
    spread(problem, chains.left, chains.left_holders, left_worth, passed)
    worth = spread(problem, chains.right, chains.right_holders, right_worth, passed)
    for index in range(len(worth)):
        envelopes[index] = worth[index] * ways_to_add(problem.empty, problem.envelopes[index], problem.wide)
    return total


# ---- What is asked


@kernel
def total_weight(facts: Any) -> float:
    """The weight of all deals that meet the facts, which without likelihoods is how many there are; 0: a contradiction."""
    problem = set_up(facts, False)
    if not problem.possible:
        return 0.0
    chains = make_chains(problem)
    passed = np.zeros(len(problem.codes))
    left_worth = np.zeros(len(chains.left[-1].codes))
    right_worth = np.zeros(len(chains.right[-1].codes))
    return join(problem, chains, passed, left_worth, right_worth)


@kernel
def in_class(code: Any, problem: Any, index: int) -> Any:
    """How many cards of a class a hand has."""
    code >>= np.uint64(problem.shifts[index])
    if index + 1 < len(problem.shifts):
        code &= (ONE << np.uint64(problem.shifts[index + 1] - problem.shifts[index])) - ONE
    return np.int64(code)


@kernel
def place_weights(facts: Any, places: Any) -> float:
    """The weight of all deals, and of those with each card at each place.

    places: float64[64, m + 1], the envelope in the last column; all zeros for cards that are not in the pool, and where the
    facts contradict each other.
    """
    return places_from(set_up(facts, False), places)


@kernel
def places_from(problem: Any, places: Any) -> float:
    """`place_weights` of a problem that was set up, its hands perhaps weighed anew."""
    places[:] = 0
    passed = np.empty(len(problem.codes))
    envelopes = np.empty(len(problem.envelopes))
    total = measure(problem, passed, envelopes)
    if total == 0:
        return total
    m = len(problem.known) - 1
    number = len(problem.classes)
    shares = np.zeros((number, m + 1))
    for index in range(len(problem.holders)):
        holder = problem.holders[index]
        if holder >= 0:
            for hand in range(problem.starts[index], problem.starts[index + 1]):
                for of in range(number):
                    shares[of, holder] += passed[hand] * in_class(problem.codes[hand], problem, of)
    for index in range(len(envelopes)):
        for of in range(number):
            shares[of, m] += envelopes[index] * in_class(problem.envelopes[index], problem, of)
    for of in range(number):
        cards = problem.classes[of]
        count = popcount(cards)
        while cards:
            places[lowest(cards)] = shares[of] / count
            cards = without_lowest(cards)
    for place in range(m + 1):
        cards = problem.known[place]
        while cards:
            places[lowest(cards), place] = total
            cards = without_lowest(cards)
    return total


@kernel
def envelope_weights(facts: Any) -> Any:
    """The possible envelopes as sets of cards, uint64[n], the weight of each, float64[n], and the weight of all deals."""
    return envelopes_from(set_up(facts, False))


@kernel
def envelopes_from(problem: Any) -> Any:
    """`envelope_weights` of a problem that was set up, its hands perhaps weighed anew."""
    passed = np.empty(len(problem.codes))
    weights = np.empty(len(problem.envelopes))
    total = measure(problem, passed, weights)
    number = 0
    for envelope in problem.envelopes:
        number += int(ways_to_add(problem.empty, envelope, problem.wide))
    cards = np.zeros(number, np.uint64)
    shares = np.zeros(number)
    end = 0
    known = problem.known[len(problem.known) - 1]
    for index in range(len(weights)):
        if weights[index] == 0:
            continue
        # One card of each of its classes, in all ways.
        first = end
        cards[first] = known
        end += 1
        for of in range(len(problem.classes)):
            if in_class(problem.envelopes[index], problem, of):
                made = end - first
                left = problem.classes[of]
                copy = 0
                while left:
                    card = lowest(left)
                    left = without_lowest(left)
                    # The last one is written over the sets that it is made from.
                    start = first + (copy + 1) * made if left else first
                    for old in range(made):
                        cards[start + old] = cards[first + old] | bit(card)
                    copy += 1
                end = first + made * popcount(problem.classes[of])
        shares[first:end] = weights[index] / (end - first)
    return cards[:end], shares[:end], total


# ---- Samples


@kernel
def go_back(problem: Any, layers: Any, holders: Any, code: Any, stream: Any, chosen: Any) -> Any:
    """Draw the hands of a side whose last set is `code`, from the last holder to the first; returns the first set."""
    for step in range(len(holders) - 1, -1, -1):
        before = layers[step]
        value = layers[step + 1].values[find(code, layers[step + 1].codes, layers[step + 1].slots)]
        rest = uniform(stream) * value
        hands, weights = hands_of(problem, holders[step])
        found = -1
        for hand in range(len(hands)):
            place = find(code - hands[hand], before.codes, before.slots)
            if place >= 0:
                found = hand
                rest -= before.values[place] * weights[hand] * ways_to_split(code, hands[hand], problem.wide)
                if rest < 0:
                    break
        chosen[holders[step]] = hands[found]
        code -= hands[found]
    return code


@kernel
def sample_deals(facts: Any, stream: Any, samples: int, out: Any) -> float:
    """Independent deals that meet the facts, each as likely as its weight; returns the weight of all deals.

    stream: uint64[1], the random stream; out: uint64[at least samples, m], receives the hands; the rest is the envelope.
    Where the facts contradict each other 0 is returned and neither is touched.
    """
    return sample_from(set_up(facts, False), stream, samples, out)


@kernel
def sample_from(problem: Any, stream: Any, samples: int, out: Any) -> float:
    """`sample_deals` of a problem that was set up, its hands perhaps weighed anew."""
    if not problem.possible:
        return 0.0
    chains = make_chains(problem)
    left, right = chains.left[-1], chains.right[-1]
    passed = np.zeros(len(problem.codes))
    left_worth = np.zeros(len(left.codes))
    right_worth = np.zeros(len(right.codes))
    total = join(problem, chains, passed, left_worth, right_worth)
    if total == 0:
        return total
    number = len(problem.classes)
    m = len(problem.known) - 1
    below_set = np.empty(len(left.codes))
    so_far = 0.0
    for index in range(len(left.codes)):
        base = left.codes[index]
        so_far += (
            left.values[index] * left_worth[index] * ways_to_add(problem.empty, base - problem.empty, problem.wide)
        )
        below_set[index] = so_far
    hands, weights = hands_of(problem, chains.joins)
    chosen = np.zeros(len(problem.holders), np.uint64)
    for sample in range(samples):
        # A set on the left, the hand that joins, and with them the set on the right.
        index = int(np.searchsorted(below_set, uniform(stream) * so_far, side="right"))
        while index >= len(below_set) or left_worth[index] == 0:
            index -= 1
        rest = uniform(stream) * left_worth[index]
        end = right.codes[0]
        for hand in range(len(hands)):
            code = left.codes[index] + hands[hand]
            if not code & problem.guards:
                place = find(problem.whole - code, right.codes, right.slots)
                if place >= 0:
                    chosen[chains.joins] = hands[hand]
                    end = right.codes[place]
                    base = left.codes[index]
                    rest -= right.values[place] * weights[hand] * ways_to_add(base, hands[hand], problem.wide)
                    if rest < 0:
                        break
        go_back(problem, chains.left, chains.left_holders, left.codes[index], stream, chosen)
        go_back(problem, chains.right, chains.right_holders, end, stream, chosen)

        # The cards of each class are given out in a random order.
        for holder in range(m):
            out[sample, holder] = problem.known[holder]
        for of in range(number):
            cards = problem.classes[of]
            for index in range(len(problem.holders)):
                for _ in range(in_class(chosen[index], problem, of)):
                    count = popcount(cards)
                    card = bit(nth_bit(cards, below(stream, count))) if count > 1 else cards
                    cards &= ~card
                    out[sample, problem.holders[index]] |= card
    return total


@kernel
def list_deals(facts: Any, most: int) -> Any:
    """All deals that meet the facts, uint64[n, m], and their weights, float64[n]; nothing where there are more than `most`."""
    return list_from(set_up(facts, True), most)


@kernel
def list_from(problem: Any, most: int) -> Any:
    """`list_deals` of a problem that was set up with every card a class of its own, its hands perhaps weighed anew."""
    m = len(problem.known) - 1
    nothing = np.zeros((0, m), np.uint64)
    if not problem.possible:
        return nothing, np.zeros(0)
    chains = make_chains(problem)
    left, right = chains.left[-1], chains.right[-1]
    hands, weights = hands_of(problem, chains.joins)
    number = len(problem.holders)
    deals = np.zeros((16, number), np.uint64)
    ends = np.zeros((16, 2), np.uint64)
    shares = np.zeros(16)
    count = 0
    for index in range(len(left.codes)):
        for hand in range(len(hands)):
            code = left.codes[index] + hands[hand]
            if code & problem.guards:
                continue
            place = find(problem.whole - code, right.codes, right.slots)
            if place < 0:
                continue
            if count == most:
                return nothing, np.zeros(0)
            if count == len(shares):
                deals = grown(deals)
                ends = grown(ends)
                shares = grown(shares)
            deals[count, chains.joins] = hands[hand]
            ends[count, 0] = left.codes[index]
            ends[count, 1] = right.codes[place]
            shares[count] = weights[hand]
            count += 1
    for side in range(2):
        layers = chains.left if side == 0 else chains.right
        holders = chains.left_holders if side == 0 else chains.right_holders
        for step in range(len(holders) - 1, -1, -1):
            before = layers[step]
            hands, weights = hands_of(problem, holders[step])
            more_deals = np.zeros((count + 16, number), np.uint64)
            more_ends = np.zeros((count + 16, 2), np.uint64)
            more_shares = np.zeros(count + 16)
            found = 0
            for index in range(count):
                for hand in range(len(hands)):
                    code = ends[index, side] - hands[hand]
                    if find(code, before.codes, before.slots) < 0:
                        continue
                    if found == most:
                        return nothing, np.zeros(0)
                    if found == len(more_shares):
                        more_deals = grown(more_deals)
                        more_ends = grown(more_ends)
                        more_shares = grown(more_shares)
                    more_deals[found] = deals[index]
                    more_deals[found, holders[step]] = hands[hand]
                    more_ends[found] = ends[index]
                    more_ends[found, side] = code
                    more_shares[found] = shares[index] * weights[hand]
                    found += 1
            deals = more_deals
            ends = more_ends
            shares = more_shares
            count = found

    out = np.empty((count, m), np.uint64)
    for index in range(count):
        for holder in range(m):
            out[index, holder] = problem.known[holder]
        for of in range(number):
            for card in range(len(problem.classes)):
                if in_class(deals[index, of], problem, card):
                    out[index, problem.holders[of]] |= problem.classes[card]
    return out, shares[:count]
