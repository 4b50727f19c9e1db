"""All deals one by one, and what facts make of each: the slow counterpart of `beliefs.deals`; random positions for both."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from molehunt.beliefs.deals import Deals, Fact

Masks = npt.NDArray[np.uint64]
Weights = npt.NDArray[np.float64]


def mask(cards: Iterable[int]) -> int:
    return sum(1 << card for card in set(cards))


def all_deals(pool: Iterable[int], sizes: Sequence[int], categories: Sequence[Iterable[int]] = ()) -> Masks:
    """Every deal as masks of the hands and, in the last column, the envelope."""
    cards = sorted(pool)
    envelopes = [mask(chosen) for chosen in itertools.product(*categories)]
    deals = np.array(envelopes, np.uint64).reshape(-1, 1)
    rest = np.uint64(mask(cards)) & ~deals[:, 0]
    for size in sizes[:-1]:
        hands = np.array([mask(hand) for hand in itertools.combinations(cards, size)], np.uint64)
        before, hand = np.nonzero((rest[:, None] & hands) == hands)
        rest = rest[before] & ~hands[hand]
        deals = np.column_stack([deals[before], hands[hand]])
    return np.column_stack([deals[:, 1:], rest, deals[:, 0]])  # the last holder has what is left


def weight_by(fact: Fact, deals: Masks) -> Weights:
    """The likelihood of each deal by one fact, 0 where the fact rules it out."""
    there = deals[:, fact.place]
    cards = np.uint64(mask(fact.cards))
    if fact.kind == "holds":
        return np.asarray((there & cards) == cards, np.float64)
    if fact.kind == "lacks":
        return np.asarray((there & cards) == 0, np.float64)
    if fact.kind == "one of":
        return np.asarray((there & cards) != 0, np.float64)
    if fact.kind == "not the envelope":
        return np.asarray(there != cards, np.float64)
    assert fact.kind == "likelihood"
    pattern = np.zeros(len(deals), np.int64)
    for place, card in enumerate(fact.cards):
        pattern |= ((there >> np.uint64(card)) & np.uint64(1)).astype(np.int64) << place
    return np.array(fact.weights)[pattern]


def weights_by(facts: Iterable[Fact], deals: Masks) -> Weights:
    """The likelihood of each deal by all facts together."""
    weights = np.ones(len(deals))
    for fact in facts:
        weights *= weight_by(fact, deals)
    return weights


def shares_of(deals: Masks, weights: Weights, cards: int) -> Weights:
    """The probability of each card at each place: shape (cards, places)."""
    return np.array(
        [
            [weights[(deals[:, place] >> np.uint64(card)) & np.uint64(1) == 1].sum() for place in range(deals.shape[1])]
            for card in range(cards)
        ]
    ) / float(weights.sum())


class Table:
    """A pool that was dealt at random, and facts about it, most of which are true."""

    def __init__(self, chance: random.Random, holders: int, cards: int, lies: float = 0.0) -> None:
        self.chance = chance
        self.lies = lies
        self.pool = chance.sample(range(64), cards)
        kinds = chance.randint(0, min(3, cards - holders + 1))
        shuffled = chance.sample(self.pool, cards)
        self.categories = [[card] for card in shuffled[:kinds]]
        for card in shuffled[kinds:]:
            if kinds and chance.random() < 0.9:  # a card of no category is never in the envelope
                chance.choice(self.categories).append(card)
        dealt = shuffled[kinds:]
        cuts = sorted(chance.choices(range(len(dealt) + 1), k=holders - 1))  # hands may be empty
        self.truth = [dealt[a:b] for a, b in itertools.pairwise([0, *cuts, len(dealt)])] + [shuffled[:kinds]]
        self.game = Deals(self.pool, [len(hand) for hand in self.truth[:-1]], self.categories)

    def deals(self) -> Masks:
        return all_deals(self.pool, self.game.sizes, self.categories)

    def tell(self, kinds: Sequence[str]) -> None:
        """One more random fact of one of these kinds."""
        chance, game = self.chance, self.game
        kind = chance.choice(kinds)
        place = chance.randrange(game.envelope + (kind in ("holds", "lacks")))
        true = chance.random() >= self.lies
        inside = self.truth[place] if true else self.pool
        outside = [card for card in self.pool if card not in inside] if true else self.pool
        if kind == "holds" and inside:
            game.holds(place, chance.sample(inside, min(len(inside), chance.choice((1, 1, 2)))))
        elif kind == "lacks" and outside:
            game.lacks(place, chance.sample(outside, min(len(outside), chance.choice((1, 2, 3)))))
        elif kind == "one of" and inside:
            game.holds_one_of(place, [chance.choice(inside), *chance.sample(self.pool, 2), chance.randrange(64)])
        elif kind == "not the envelope":
            # Often a set that could be the envelope, else any: with two cards of a category, or too few.
            proper = [chance.choice(kind) for kind in self.categories]
            wrong = proper if chance.random() < 0.7 else chance.sample(self.pool, chance.randint(1, 4))
            if set(wrong) != set(self.truth[-1]) or not true:
                game.not_envelope(wrong)
        elif kind == "shows" and inside:
            card = chance.choice(inside)
            among = chance.sample([card, *chance.sample([one for one in self.pool if one != card], 2)], 3)
            held = [one for one in among if one in self.truth[place]]
            rule = "first" if held and held[0] == card else "uniform"
            game.shows(place, card, among, chance.choice((rule, lambda held: [2.0**-one for one in range(len(held))])))
        elif kind == "weigh":
            cards = chance.sample(self.pool, chance.randint(1, 3))
            weights = [chance.choice((0.0, 0.1, 0.5, 1.0, 3.0)) for _ in range(1 << len(cards))]
            pattern = sum(1 << bit for bit, card in enumerate(cards) if card in self.truth[place])
            if true:
                weights[pattern] += 0.25
            game.weigh(place, cards, weights)
