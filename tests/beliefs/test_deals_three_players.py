"""Three players and the whole card set of Clue: every deal is tried, up to 115,500 of them, on positions from random events."""

from __future__ import annotations

import random

import numpy as np
import pytest

from beliefs.enumeration import Masks, all_deals, mask, shares_of, weights_by
from molehunt.beliefs.deals import Deals

KINDS = (range(6), range(6, 12), range(12, 21))


def seat_at_the_start(chance: random.Random) -> tuple[Deals, list[set[int]], set[int]]:
    """What one seat knows at first, and the truth: the hands, its own the first, and the envelope."""
    envelope = {chance.choice(kind) for kind in KINDS}
    dealt = chance.sample([card for card in range(21) if card not in envelope], 18)
    hands = [set(dealt[first : first + 6]) for first in (0, 6, 12)]
    pool = set(range(21)) - hands[0]
    game = Deals(pool, [6, 6], [[card for card in kind if card in pool] for kind in KINDS])
    return game, hands, envelope


def suggest(chance: random.Random, game: Deals, hands: list[set[int]]) -> None:
    """A random seat suggests a random triple; what the first seat learns of it."""
    asker = chance.randrange(3)
    asked = [chance.choice(kind) for kind in KINDS]
    for step in (1, 2):
        seat = (asker + step) % 3
        held = [card for card in asked if card in hands[seat]]
        if held and seat and not asker:
            shown = chance.choice(held)
            if chance.random() < 0.5:
                game.holds(seat - 1, [shown])
            else:
                game.shows(seat - 1, shown, asked, chance.choice(("uniform", lambda held: range(1, len(held) + 1))))
        elif held and seat:
            game.holds_one_of(seat - 1, asked)
        elif seat:
            game.lacks(seat - 1, asked)
        if held:
            return


def accuse(chance: random.Random, game: Deals, envelope: set[int]) -> None:
    """A random accusation that is wrong."""
    wrong = [chance.choice(kind) for kind in KINDS]
    if set(wrong) != envelope:
        game.not_envelope(wrong)


def act(chance: random.Random, game: Deals, hands: list[set[int]]) -> None:
    """Somebody does something that the cards of a triple make more or less likely."""
    holder = chance.randrange(2)
    cards = [chance.choice(kind) for kind in KINDS]
    game.weigh(holder, cards, [chance.choice((0.25, 1, 2)) for _ in range(8)])


def check_positions(seed: int, number: int) -> list[int]:
    """Compare everything on random positions; returns how many deals each of them has."""
    chance = random.Random(seed)
    counts = []
    for _ in range(number):
        game, hands, envelope = seat_at_the_start(chance)
        for _ in range(chance.randint(0, 14)):
            suggest(chance, game, hands)
            if chance.random() < 0.2:
                accuse(chance, game, envelope)
            if chance.random() < 0.2:
                act(chance, game, hands)
        deals, weights = left(
            game, all_deals(_cards(game.pool), game.sizes, [_cards(int(kind)) for kind in game.categories])
        )
        assert game.count == len(deals) > 0
        assert game.count_is_exact
        counts.append(len(deals))
        np.testing.assert_allclose(game.probabilities(), shares_of(deals, weights, game.pool.bit_length()), rtol=1e-11)
        found = game.solutions()
        envelopes, which = np.unique(deals[:, -1], return_inverse=True)
        expected = dict(zip(envelopes.tolist(), np.bincount(which, weights) / weights.sum(), strict=True))
        assert {mask(cards): share for cards, share in found} == pytest.approx(expected, rel=1e-11)
        drawn = game.sample(5)
        assert {tuple(hands) for hands in drawn.tolist()} <= set(map(tuple, deals[:, :-1].tolist()))
    return counts


def left(game: Deals, deals: Masks) -> tuple[Masks, np.ndarray]:
    """The deals that meet the facts, and their weights."""
    weights = weights_by(game.facts, deals)
    return deals[weights > 0], weights[weights > 0]


def _cards(cards: int) -> list[int]:
    return [card for card in range(21) if cards >> card & 1]


@pytest.mark.thorough
def test_three_players_agree_with_all_their_deals() -> None:
    counts = check_positions(seed=1, number=40)
    assert max(counts) > 30_000
    assert min(counts) < 100


def test_the_most_deals_of_three_players_are_115500() -> None:
    kinds = (range(5), range(5, 10), range(10, 15))
    assert len(all_deals(range(15), [6, 6], kinds)) == Deals(range(15), [6, 6], kinds).count == 115_500


@pytest.mark.slow
@pytest.mark.long
def test_a_thousand_positions_of_three_players_agree_with_all_their_deals() -> None:
    counts = check_positions(seed=2, number=1000)
    assert max(counts) == 115_500
