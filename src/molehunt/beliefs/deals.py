"""Who holds what: exact counts, probabilities and samples of the deals that agree with what is known.

A pool of cards is dealt to holders with known hand sizes; what is left over, the envelope, has one card of each category.
Facts say of a holder that he has a card, that he lacks a card, or that he has at least one card of a set (a clause), and
of the envelope that it is not a certain set. Every deal that meets the facts counts the same. Where they are not equally
likely (a card was shown by someone who could choose among several) the weights are the caller's business.

Method. Facts that follow from single facts are drawn first, and cards whose place is then known leave the problem. The
rest are numbered from 0, so that a set of them is a small integer, and each holder's possible hands are listed. With
`f_k(set)` the number of ways in which the first k holders hold exactly `set` between them,

    f_0(empty) = 1,   f_k(set) = sum of f_(k-1)(set - hand) over the possible hands of holder k inside `set`,

and the number of deals is the sum of f_m over the complements of the possible envelopes. A layer is filled hand by hand
where that is little work; otherwise as a subset convolution: sum both sides over all subsets, multiply, and take the
differences back (Bjorklund, Husfeldt, Kaski and Koivisto 2007). Hand sizes are fixed, so sets that overlap give a union
that is too small and drop out by size. Numbers on the way may wrap around 2**64; what is read at the end does not.

Bounds. At most 22 cards in doubt (layers have 2**22 entries) and 6 holders: then there are at most 22! / (3!**6 4!), about
10**15, deals, which is below 2**53, so every count is exact also as a float64.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput
from molehunt.core.kernels import bit, kernel, lowest, popcount, without_lowest
from molehunt.core.streams import derive, next_word

MOST_CARDS_IN_DOUBT = 22
MOST_HOLDERS = 6

PAIR_COST = 4
"""The cost of trying one hand on one set, in units of one addition of a subset sum: decides how a layer is filled."""

NONE = np.uint64(0)
ONE = np.uint64(1)


# ---- What follows from single facts


@kernel
def _draw_conclusions(
    pool: Any, sizes: Any, clause_holders: Any, clause_cards: Any, categories: Any, known: Any, absent: Any
) -> bool:
    """Add to `known` and `absent`, uint64[m + 1], the envelope last, until nothing new follows; false: a contradiction."""
    envelope = len(sizes)
    facts = -1
    while True:
        before = facts
        facts = 0
        for place in range(envelope + 1):
            facts += popcount(known[place]) + popcount(absent[place])
        if facts == before:
            return True

        # A clause of which one card is left.
        for clause in range(len(clause_cards)):
            holder = clause_holders[clause]
            if clause_cards[clause] & known[holder] == NONE:
                left = clause_cards[clause] & ~absent[holder]
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


# ---- Sets of the cards in doubt


@kernel
def _ways_to_choose(cards: int, chosen: int) -> int:
    """The binomial coefficient."""
    ways = 1
    for taken in range(chosen):
        ways = ways * (cards - taken) // (taken + 1)
    return ways


@kernel
def _next_of_size(chosen: int) -> int:
    """The next larger integer with as many ones, for one that is not 0 (Gosper's hack)."""
    low = chosen & -chosen
    up = chosen + low
    return int(up | (((chosen ^ up) >> 2) // low))


@kernel
def _packed(cards: Any, in_doubt: Any) -> int:
    """The set `cards` as an integer over the cards in doubt."""
    packed = 0
    for index in range(len(in_doubt)):
        if cards & bit(in_doubt[index]) != NONE:
            packed |= 1 << index
    return packed


@kernel
def _unpacked(packed: int, in_doubt: Any) -> Any:
    """The opposite of `_packed`."""
    cards = NONE
    for index in range(len(in_doubt)):
        if (packed >> index) & 1:
            cards |= bit(in_doubt[index])
    return cards


@kernel
def _list_envelopes(categories: Any, excluded: Any, known: Any, absent: Any, in_doubt: Any) -> Any:
    """The possible envelopes, packed, without their known cards."""
    number = 1
    for category in categories:
        number *= popcount(category & ~absent)
    envelopes = np.empty(number, np.uint64)
    envelopes[0] = NONE
    listed = 1
    for category in categories:
        for index in range(listed - 1, -1, -1):
            start = envelopes[index]
            left = category & ~absent
            copy = 0
            while left != NONE:
                envelopes[copy * listed + index] = start | bit(lowest(left))
                left = without_lowest(left)
                copy += 1
        listed *= popcount(category & ~absent)
    kept = np.empty(number, np.int64)
    keeping = 0
    for envelope in envelopes:
        allowed = True
        for cards in excluded:
            if cards == envelope:
                allowed = False
        if allowed:
            kept[keeping] = _packed(envelope & ~known, in_doubt)
            keeping += 1
    return kept[:keeping]


@kernel
def _set_up(
    pool: Any,
    sizes: Any,
    holds: Any,
    lacks: Any,
    clause_holders: Any,
    clause_cards: Any,
    categories: Any,
    excluded: Any,
) -> Any:
    """The problem without what is known.

    Returns a tuple of

    possible: false where the facts contradict each other;
    known: uint64[m + 1], the cards that each place certainly has, the envelope last;
    in_doubt: int64[U], the cards in doubt;
    holders: int64[a], the holders whose hands are in doubt, the one with the fewest possible hands first;
    starts: int64[a, 2], where the hands of each of these begin and end in `hands`;
    hands: int64[...], possible hands, packed, without what is known of them;
    envelopes: int64[e], possible envelopes, packed, without what is known of them.
    """
    m = len(sizes)
    if m > MOST_HOLDERS:
        raise BadInput("more than 6 holders")
    known = np.zeros(m + 1, np.uint64)
    absent = np.empty(m + 1, np.uint64)
    some = NONE
    for category in categories:
        some |= category
    absent[m] = ~(pool & some)
    dealt = len(categories)
    for holder in range(m):
        known[holder] = holds[holder]
        absent[holder] = lacks[holder] | ~pool
        dealt += sizes[holder]
    possible = dealt == popcount(pool) and _draw_conclusions(
        pool, sizes, clause_holders, clause_cards, categories, known, absent
    )
    left = pool if possible else NONE
    for place in range(m + 1):
        left &= ~known[place]
    if popcount(left) > MOST_CARDS_IN_DOUBT:
        raise BadInput("more than 22 cards in doubt")
    in_doubt = np.empty(popcount(left), np.int64)
    for index in range(len(in_doubt)):
        in_doubt[index] = lowest(left)
        left = without_lowest(left)

    # Who has cards in doubt, and room for his possible hands.
    holders = np.empty(m, np.int64)
    number = 0
    room = 0
    for holder in range(m):
        if possible and popcount(known[holder]) < sizes[holder]:
            holders[number] = holder
            number += 1
            room += _ways_to_choose(
                popcount(pool & ~absent[holder] & ~known[holder]), sizes[holder] - popcount(known[holder])
            )
    holders = holders[:number]
    starts = np.zeros((number, 2), np.int64)
    hands = np.empty(room, np.int64)

    # The possible hands: all choices from the cards he may have that meet his clauses.
    free = np.empty(len(in_doubt), np.int64)
    clauses = np.empty(len(clause_cards), np.int64)
    end = 0
    for index in range(number):
        holder = holders[index]
        of_clauses = 0
        for clause in range(len(clause_cards)):
            if clause_holders[clause] == holder and clause_cards[clause] & known[holder] == NONE:
                clauses[of_clauses] = _packed(clause_cards[clause], in_doubt)
                of_clauses += 1
        of_free = 0
        for card in range(len(in_doubt)):
            if absent[holder] & bit(in_doubt[card]) == NONE:
                free[of_free] = 1 << card
                of_free += 1
        starts[index, 0] = end
        choice = (1 << (sizes[holder] - popcount(known[holder]))) - 1
        while choice < 1 << of_free:
            hand = 0
            ones = np.uint64(choice)
            while ones != NONE:
                hand |= free[lowest(ones)]
                ones = without_lowest(ones)
            meets = True
            for clause in range(of_clauses):
                if clauses[clause] & hand == 0:
                    meets = False
            if meets:
                hands[end] = hand
                end += 1
            choice = _next_of_size(choice)
        starts[index, 1] = end
        possible = possible and end > starts[index, 0]

    order = np.argsort(starts[:, 1] - starts[:, 0], kind="mergesort")
    envelopes = np.empty(0, np.int64)
    if possible:
        envelopes = _list_envelopes(categories, excluded, known[m], absent[m], in_doubt)
    return possible, known, in_doubt, holders[order], starts[order], hands, envelopes


# ---- Layers


@kernel
def _sum_over_subsets(table: Any) -> None:
    """Replace the entry of every set by the sum over its subsets: uint64[2**U], modulo 2**64."""
    step = 1
    while step < len(table):
        pairs = table.reshape(-1, 2, step)
        for block in range(len(pairs)):
            for low in range(step):
                pairs[block, 1, low] += pairs[block, 0, low]
        step *= 2


@kernel
def _undo_sum_over_subsets(table: Any) -> None:
    """The opposite of `_sum_over_subsets`."""
    step = 1
    while step < len(table):
        pairs = table.reshape(-1, 2, step)
        for block in range(len(pairs)):
            for low in range(step):
                pairs[block, 1, low] -= pairs[block, 0, low]
        step *= 2


@kernel
def _fill_by_pairs(layer: Any, sets: Any, hands: Any, ways: Any, reached: Any) -> int:
    """Fill `ways`, uint64[2**U], from the sets of the layer before; list the sets reached, and return their number."""
    number = 0
    for cards in sets:
        count = layer[cards]
        for hand in hands:
            if hand & cards == 0:
                both = hand | cards
                if ways[both] == NONE:
                    reached[number] = both
                    number += 1
                ways[both] += count
    return number


@kernel
def _fill_by_convolution(layer: Any, hands: Any, size: int, ways: Any, reached: Any) -> int:
    """The same as `_fill_by_pairs`, for sets of `size` cards, as a subset convolution."""
    product = layer.copy()
    _sum_over_subsets(product)
    factor = np.zeros(len(layer), np.uint64)
    for hand in hands:
        factor[hand] = ONE
    _sum_over_subsets(factor)
    for cards in range(len(product)):
        product[cards] *= factor[cards]
    _undo_sum_over_subsets(product)
    number = 0
    cards = (1 << size) - 1
    while cards < len(ways):
        if product[cards] != NONE:
            ways[cards] = product[cards]
            reached[number] = cards
            number += 1
        cards = _next_of_size(cards)
    return number


@kernel
def _fill_layers(cards: int, starts: Any, hands: Any) -> Any:
    """The layers f_1 to f_(a-1), uint64[a - 1, 2**U]: see the head of the module."""
    number = len(starts)
    everything = 1 << cards
    layers = np.zeros((max(number - 1, 0), everything), np.uint64)
    if number < 2:
        return layers
    sets = hands[starts[0, 0] : starts[0, 1]]
    for hand in sets:
        layers[0, hand] = ONE
    size = popcount(np.uint64(sets[0]))
    for index in range(1, number - 1):
        own = hands[starts[index, 0] : starts[index, 1]]
        size += popcount(np.uint64(own[0]))
        reached = np.empty(_ways_to_choose(cards, size), np.int64)
        if len(sets) * len(own) * PAIR_COST < 3 * cards * everything // 2:
            found = _fill_by_pairs(layers[index - 1], sets, own, layers[index], reached)
        else:
            found = _fill_by_convolution(layers[index - 1], own, size, layers[index], reached)
        sets = reached[:found]
    return layers


@kernel
def _below_count(stream: Any, count: Any) -> Any:
    """A uniform integer from 0 to count - 1, uint64, for any count below 2**63."""
    mask = ONE
    while mask < count:
        mask = (mask << ONE) | ONE
    number = next_word(stream) & mask
    while number >= count:
        number = next_word(stream) & mask
    return number


@kernel
def count_and_sample(
    pool: Any,
    sizes: Any,
    holds: Any,
    lacks: Any,
    clause_holders: Any,
    clause_cards: Any,
    categories: Any,
    excluded: Any,
    stream: Any,
    samples: int,
    out: Any,
) -> float:
    """The number of deals that meet the facts, and `samples` independent deals, each of them equally likely.

    pool: uint64, the cards, one bit a card;
    sizes: int64[m], how many cards each holder has, m at most 6; together with the envelope they use up the pool;
    holds, lacks: uint64[m], cards that each holder has, and cards that he does not have;
    clause_holders: int64[c], clause_cards: uint64[c]: this holder has at least one of these cards;
    categories: uint64[k], disjoint; the envelope is one card of each; cards in none of them are never in the envelope;
    excluded: uint64[x], sets that are not the envelope;
    stream: uint64[1], the random stream; one draw a sample (now and then more), none where samples is 0;
    out: uint64[at least samples, m], receives the hands.

    Returns the count, exact; 0 where the facts contradict each other, and then neither `out` nor `stream` is touched.
    BadInput: more than 22 cards are in doubt, or more than 6 holders. Every call allocates its own tables, at most
    2**22 * (m + 2) words of 64 bits, so any number of threads may be in it.
    """
    possible, known, in_doubt, holders, starts, hands, envelopes = _set_up(
        pool, sizes, holds, lacks, clause_holders, clause_cards, categories, excluded
    )
    if not possible:
        return 0.0
    number = len(holders)
    everything = (1 << len(in_doubt)) - 1
    layers = _fill_layers(len(in_doubt), starts, hands)

    # The last layer, at the complements of the envelopes only; `below[e]` counts the deals with an envelope before e.
    below = np.zeros(len(envelopes) + 1, np.uint64)
    for index in range(len(envelopes)):
        end = everything ^ envelopes[index]
        ways = ONE if number == 0 else NONE
        if number > 0:
            for hand in hands[starts[number - 1, 0] : starts[number - 1, 1]]:
                if hand & ~end == 0:
                    ways += ONE if number == 1 else layers[number - 2, end ^ hand]
        below[index + 1] = below[index] + ways
    count = below[len(envelopes)]
    if count == NONE:
        return 0.0

    # A sample is a deal's number, read backwards: the envelope first, then the hands from the last holder to the first.
    for sample in range(samples):
        nth = _below_count(stream, count)
        index = np.searchsorted(below, nth, side="right") - 1
        nth -= below[index]
        cards = everything ^ envelopes[index]
        for holder in range(len(sizes)):
            out[sample, holder] = known[holder]
        for index in range(number - 1, 0, -1):
            for hand in hands[starts[index, 0] : starts[index, 1]]:
                if hand & ~cards == 0:
                    ways = layers[index - 1, cards ^ hand]
                    if nth < ways:
                        cards ^= hand
                        out[sample, holders[index]] |= _unpacked(hand, in_doubt)
                        break
                    nth -= ways
        if number > 0:
            out[sample, holders[0]] |= _unpacked(cards, in_doubt)
    return float(count)


@kernel
def count_places(
    pool: Any,
    sizes: Any,
    holds: Any,
    lacks: Any,
    clause_holders: Any,
    clause_cards: Any,
    categories: Any,
    excluded: Any,
    places: Any,
) -> float:
    """The number of deals that meet the facts, and in how many of them each card is in each place.

    The facts are those of `count_and_sample`; places: float64[64, m + 1], receives for every card the number of deals
    with that card at each holder, and in the envelope in the last column (zeros for cards that are not in the pool).
    Returns the count; 0 where the facts contradict each other, and then `places` is all zeros. All counts are exact.

    The number of deals in which a holder has a certain hand is the number of ways in which the others and the envelope
    make up the rest: a subset convolution over all places but his, read at the complement of the hand.
    """
    places[:] = 0
    possible, known, in_doubt, holders, starts, hands, envelopes = _set_up(
        pool, sizes, holds, lacks, clause_holders, clause_cards, categories, excluded
    )
    if not possible or len(envelopes) == 0:
        return 0.0
    number = len(holders)
    everything = (1 << len(in_doubt)) - 1
    count = ONE if number == 0 else NONE

    # after[i]: the product of the subset sums of the envelope and of all holders from i on.
    after = np.zeros((number + 1, everything + 1), np.uint64)
    for envelope in envelopes:
        after[number, envelope] = ONE
    _sum_over_subsets(after[number])
    for index in range(number - 1, 0, -1):
        for hand in hands[starts[index, 0] : starts[index, 1]]:
            after[index, hand] = ONE
        _sum_over_subsets(after[index])
        for cards in range(everything + 1):
            after[index, cards] *= after[index + 1, cards]
    before = np.ones(everything + 1, np.uint64)
    for index in range(number):
        others = after[index + 1]
        for cards in range(everything + 1):
            others[cards] *= before[cards]
        _undo_sum_over_subsets(others)
        own = hands[starts[index, 0] : starts[index, 1]]
        count = NONE
        for hand in own:
            ways = others[everything ^ hand]
            count += ways
            ones = np.uint64(hand)
            while ones != NONE:
                places[in_doubt[lowest(ones)], holders[index]] += float(ways)
                ones = without_lowest(ones)
        if count == NONE:
            return 0.0
        if index < number - 1:
            own_sums = after[0]
            own_sums[:] = NONE
            for hand in own:
                own_sums[hand] = ONE
            _sum_over_subsets(own_sums)
            for cards in range(everything + 1):
                before[cards] *= own_sums[cards]

    # Cards whose place is known; and what is not with a holder is in the envelope.
    left = pool
    while left != NONE:
        card = lowest(left)
        left = without_lowest(left)
        with_holders = 0.0
        for holder in range(len(sizes)):
            if known[holder] & bit(card) != NONE:
                places[card, holder] = float(count)
            with_holders += places[card, holder]
        places[card, len(sizes)] = float(count) - with_holders
    return float(count)


# ---- For people

Cards: TypeAlias = int | Iterable[int]
"""A set of cards: a mask with one bit a card, or the numbers of the cards (0 to 63)."""


@dataclass(frozen=True, eq=False)
class Deals:
    """All deals that agree with what is known; made by `deals`.

    Attributes: `count` (how many there are, exact), `pool` (mask of the cards), `sizes` (cards of each holder).
    """

    pool: int
    sizes: tuple[int, ...]
    count: int
    _facts: tuple[Any, ...] = field(repr=False)

    def _not_contradictory(self) -> None:
        if self.count == 0:
            raise BadInput("the facts contradict each other: no deal meets them all")

    def sample(self, n: int, seed: int = 0) -> npt.NDArray[np.uint64]:
        """`n` independent deals, each equally likely: masks of the hands, shape (n, holders); the rest is the envelope.

        The same seed (0 to 2**64 - 1) gives the same deals. BadInput: there is no deal, or n or seed is out of range.
        """
        self._not_contradictory()
        if n < 0 or not 0 <= seed < 2**64:
            raise BadInput(f"{n} samples with seed {seed}: n is at least 0, and the seed 0 to 2**64 - 1")
        out = np.empty((n, len(self.sizes)), np.uint64)
        stream = np.array([derive(np.uint64(seed), np.uint64(0))], np.uint64)
        count_and_sample(*(*self._facts, stream, n, out))
        return out

    def probabilities(self) -> npt.NDArray[np.float64]:
        """Where each card is: shape (highest card + 1, holders + 1), the envelope in the last column.

        Row c is card number c and sums to 1; it is all zeros where c is not in the pool. BadInput: there is no deal.
        """
        self._not_contradictory()
        places = np.empty((64, len(self.sizes) + 1))
        count_places(*(*self._facts, places))
        return places[: self.pool.bit_length()] / self.count


def _mask(cards: Cards, what: str) -> int:
    """A set of cards as a mask."""
    if isinstance(cards, (int, np.integer)):
        mask = int(cards)
    else:
        numbers: list[Any] = list(cards)
        if not all(isinstance(card, (int, np.integer)) and 0 <= card < 64 for card in numbers):
            raise BadInput(f"{what}: cards are numbered 0 to 63, not {numbers!r}")
        mask = sum(1 << int(card) for card in set(numbers))
    if not 0 <= mask < 2**64:
        raise BadInput(f"{what}: a set of cards is a mask of 64 bits, not {mask}")
    return mask


def _masks(sets: Iterable[Cards], what: str) -> npt.NDArray[np.uint64]:
    return np.array([_mask(cards, what) for cards in sets], np.uint64)


def deals(
    pool: Cards,
    sizes: Sequence[int],
    holds: Sequence[Cards] | None = None,
    lacks: Sequence[Cards] | None = None,
    clauses: Iterable[tuple[int, Cards]] = (),
    categories: Iterable[Cards] = (),
    excluded: Iterable[Cards] = (),
) -> Deals:
    """All deals of `pool` to holders with hands of these `sizes` that meet the facts; all of them equally likely.

    holds, lacks: for each holder, cards that he has, and cards that he does not have;
    clauses: pairs (holder, cards): he has at least one of these;
    categories: disjoint sets; the envelope, what is not dealt, is one card of each;
    excluded: sets that are not the envelope.

    BadInput: shapes or sizes do not fit, or more than 22 cards are in doubt. Facts that contradict each other are no
    error: then `count` is 0.

    >>> game = deals(range(6), [2, 2], clauses=[(0, [0, 1])], categories=[[0, 1, 2], [3, 4, 5]])
    >>> game.count, len(game.sample(100))
    (33, 100)
    """
    pool = _mask(pool, "pool")
    m = len(sizes)
    if not 1 <= m <= MOST_HOLDERS:
        raise BadInput(f"sizes: 1 to {MOST_HOLDERS} holders, not {m}")
    given_sizes: list[Any] = list(sizes)
    for size in given_sizes:
        if not isinstance(size, (int, np.integer)) or size < 0:
            raise BadInput(f"sizes: a hand has 0 cards or more, not {size!r}")
    of_holders = []
    for name, given in (("holds", holds), ("lacks", lacks)):
        masks = _masks([0] * m if given is None else given, name)
        if len(masks) != m:
            raise BadInput(f"{name}: one set of cards for each of the {m} holders, not {len(masks)}")
        of_holders.append(masks)
    clauses = list(clauses)
    for holder, _ in clauses:
        if not 0 <= holder < m:
            raise BadInput(f"clauses: holders are numbered 0 to {m - 1}, not {holder}")
    kinds = _masks(categories, "categories")
    union = 0
    for kind in kinds.tolist():
        if union & kind:
            raise BadInput("categories: a card is in more than one of them")
        union |= kind
    if sum(sizes) + len(kinds) != pool.bit_count():
        raise BadInput(
            f"sizes: {sum(sizes)} cards with the holders and {len(kinds)} in the envelope are not the "
            f"{pool.bit_count()} of the pool"
        )
    facts: tuple[Any, ...] = (
        np.uint64(pool),
        np.array(sizes, np.int64),
        *of_holders,
        np.array([holder for holder, _ in clauses], np.int64),
        _masks([cards for _, cards in clauses], "clauses"),
        kinds,
        _masks(excluded, "excluded"),
    )
    count = count_and_sample(*(*facts, np.zeros(1, np.uint64), 0, np.empty((0, m), np.uint64)))
    return Deals(pool, tuple(int(size) for size in sizes), int(count), facts)
