"""Deals under facts of every kind, likelihoods among them: against enumeration, and against Bayes' rule by hand."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from beliefs.enumeration import Masks, Table, Weights, mask, shares_of, weights_by
from core.chance import assert_distributed
from molehunt.beliefs.deals import Deals, Fact
from molehunt.core.errors import BadInput

EVERY_KIND = ("holds", "lacks", "one of", "one of", "not the envelope", "shows", "weigh", "weigh")
POSITIONS = 400


@pytest.fixture(scope="module")
def positions() -> list[tuple[Table, Masks, Weights]]:
    """Positions of two to six holders, each with its deals and what each of these weighs."""
    chance = random.Random(7)
    found: list[tuple[Table, Masks, Weights]] = []
    while len(found) < POSITIONS:
        holders = chance.randint(2, 6)
        table = Table(chance, holders, chance.randint(max(5, holders), 9 if holders < 5 else 8), lies=0.06)
        for _ in range(chance.randint(0, 7)):
            table.tell(EVERY_KIND)
        deals = table.deals()
        weights = weights_by(table.game.facts, deals)
        found.append((table, deals[weights > 0], weights[weights > 0]))
    return found


# ---- Against enumeration


def test_the_random_positions_are_of_every_kind(positions: list[tuple[Table, Masks, Weights]]) -> None:
    facts = [fact for table, _, _ in positions for fact in table.game.facts]
    assert {fact.kind for fact in facts} == {"holds", "lacks", "one of", "not the envelope", "likelihood"}
    assert any(
        fact.place == len(table.game.sizes) and fact.kind == "holds"
        for table, _, _ in positions
        for fact in table.game.facts
    )
    assert {len(table.game.sizes) for table, _, _ in positions} == {2, 3, 4, 5, 6}
    assert sum(0 in table.game.sizes for table, _, _ in positions) > 50
    assert sum(len(deals) == 0 for _, deals, _ in positions) > 10
    assert sum(len(deals) > 100 for _, deals, _ in positions) > 50
    assert sum(len(set(weights.tolist())) > 1 for _, _, weights in positions) > 100


def test_counts_are_the_deals_that_weigh_something(positions: list[tuple[Table, Masks, Weights]]) -> None:
    assert [table.game.count for table, _, _ in positions] == [len(deals) for _, deals, _ in positions]


def test_probabilities_are_those_of_enumeration(positions: list[tuple[Table, Masks, Weights]]) -> None:
    for table, deals, weights in positions:
        if len(deals):
            expected = shares_of(deals, weights, max(table.pool) + 1)
            np.testing.assert_allclose(table.game.probabilities(), expected, rtol=1e-12)


def test_solutions_are_those_of_enumeration(positions: list[tuple[Table, Masks, Weights]]) -> None:
    for table, deals, weights in positions:
        if len(deals):
            expected: Counter[int] = Counter()
            for envelope, weight in zip(deals[:, -1].tolist(), weights, strict=True):
                expected[envelope] += weight / weights.sum()
            found = table.game.solutions()
            assert {mask(cards): share for cards, share in found} == pytest.approx(dict(expected), rel=1e-12)
            assert len(found) == len(expected)
            assert [share for _, share in found] == sorted((share for _, share in found), reverse=True)


def test_every_deal_is_listed_once_with_its_probability(positions: list[tuple[Table, Masks, Weights]]) -> None:
    for table, deals, weights in positions:
        if len(deals):
            hands, shares = table.game.every_deal()
            expected = dict(zip(map(tuple, deals[:, :-1].tolist()), weights / weights.sum(), strict=True))
            assert len(hands) == len(expected)
            assert dict(zip(map(tuple, hands.tolist()), shares, strict=True)) == pytest.approx(expected, rel=1e-12)


def test_what_is_forced_is_what_all_deals_share(positions: list[tuple[Table, Masks, Weights]]) -> None:
    for table, deals, _ in positions:
        if len(deals):
            expected = set()
            for card in table.pool:
                here = (deals >> np.uint64(card)) & np.uint64(1)
                expected |= {(card, place, False) for place in np.flatnonzero(~here.any(axis=0)).tolist()}
                expected |= {(card, place, True) for place in np.flatnonzero(here.all(axis=0)).tolist()}
            found = [(one.card, one.place, one.here) for one in table.game.forced()]
            assert set(found) == expected
            assert len(found) == len(expected)


def test_samples_are_as_likely_as_the_deals_weigh(positions: list[tuple[Table, Masks, Weights]]) -> None:
    tested = 0
    for seed, (table, deals, weights) in enumerate(positions):
        n = int(np.ceil(5 * weights.sum() / weights.min())) + 1 if len(deals) > 1 else 0
        if 0 < n <= 4000:
            drawn = Counter(map(tuple, table.game.sample(n, seed).tolist()))
            expected = dict(zip(map(tuple, deals[:, :-1].tolist()), (weights / weights.sum()).tolist(), strict=True))
            assert_distributed(drawn, expected)
            tested += 1
    assert tested > 80


# ---- By hand


def two_hands_of_two() -> Deals:
    """Four cards to two holders: six deals, of which three leave card 0 with holder 0."""
    return Deals(range(4), [2, 2])


@pytest.mark.parametrize(
    ("card", "rule", "expected"),
    [
        (1, "uniform", Fraction(1, 5)),  # hands 01, 12, 13: chances 1/2, 1, 1
        (1, "first", Fraction(0)),  # with 0 he would have shown it
        (0, "first", Fraction(1)),
        (1, lambda held: [3 / 4, 1 / 4] if len(held) == 2 else [1], Fraction(1, 9)),
    ],
)
def test_who_shows_a_card_has_the_others_as_bayes_says(card: int, rule: Any, expected: Fraction) -> None:
    game = two_hands_of_two()
    game.shows(0, card, [0, 1], rule)
    assert game.probabilities()[0, 0] == pytest.approx(float(expected), rel=1e-15)
    assert game.probabilities()[card, 0] == 1


def test_only_the_proportions_of_weights_count() -> None:
    plain, scaled = two_hands_of_two(), two_hands_of_two()
    for _ in range(9):
        plain.weigh(0, [0, 1], [1, 2, 3, 4])
        scaled.weigh(0, [0, 1], [1e300, 2e300, 3e300, 4e300])
    plain.weigh(1, [2], [1, 3])
    scaled.weigh(1, [2], [1e-300, 3e-300])
    assert plain.probabilities() == pytest.approx(scaled.probabilities(), rel=1e-12)


def test_what_is_very_improbable_is_not_impossible() -> None:
    game = two_hands_of_two()
    for _ in range(4):
        game.weigh(0, [0], [1, 1e-100])
    assert game.count == 6
    assert game.probabilities()[0, 0] == 0  # below what a float holds
    assert {one.place for one in game.forced()} == {game.envelope}
    with pytest.raises(BadInput, match="not certain"):
        game.explain(0, 0)


def test_deals_that_are_all_too_improbable_are_refused() -> None:
    game = two_hands_of_two()
    game.holds(0, [0])
    for _ in range(4):
        game.weigh(0, [0], [1, 1e-100])
    assert game.count == 3
    for asked in (game.probabilities, game.solutions, game.every_deal, lambda: game.sample(1)):
        with pytest.raises(BadInput, match="so improbable"):
            asked()
    assert [one.place for one in game.forced() if one.here] == [0]


def test_a_likelihood_of_a_hand_that_is_known_changes_nothing_but_can_forbid_it() -> None:
    game = Deals(range(6), [1, 2, 2], [range(6)])
    game.holds(0, [5])
    before = game.probabilities()
    game.weigh(0, [5, 4], [7, 0.5, 3, 2])
    assert game.probabilities() == pytest.approx(before, rel=1e-15)
    assert game.count == 5 * 6
    game.weigh(0, [5], [1, 0])
    assert game.count == 0


def test_a_likelihood_may_look_at_cards_that_are_not_in_the_pool() -> None:
    game = two_hands_of_two()
    game.shows(0, 1, [0, 1, 63])
    assert game.probabilities()[0, 0] == pytest.approx(1 / 5)


def test_a_likelihood_without_cards_only_scales() -> None:
    game = two_hands_of_two()
    game.weigh(0, [], [0.25])
    assert game.count == 6
    game.weigh(1, [], [0])
    assert game.count == 0


# ---- Shapes at the rim


def test_a_set_with_two_cards_of_a_category_is_no_envelope() -> None:
    game = Deals(range(6), [2, 2], [[0, 1, 2], [3, 4, 5]])
    before = game.count
    for no_envelope in ([0, 1, 3], [0, 1], [3], [], [0, 3, 63]):
        game.not_envelope(no_envelope)
    assert game.count == before == 9 * 6
    game.not_envelope([0, 3])
    assert game.count == 8 * 6


def test_nothing_dealt_is_one_deal() -> None:
    game = Deals([], [0])
    assert (game.count, game.solutions(), game.forced()) == (1, [((), 1.0)], [])
    assert game.sample(2).tolist() == [[0], [0]]
    assert game.every_deal()[0].tolist() == [[0]]
    game.not_envelope([])
    assert game.count == 0


def test_holders_without_cards_are_in_nobodys_way() -> None:
    game = Deals(range(5), [0, 2, 0, 2], [range(5)])
    assert game.count == 5 * 6
    assert not game.probabilities()[:, [0, 2]].any()
    game.holds_one_of(2, [0, 1])
    assert game.count == 0


def test_many_categories_take_no_more_room_than_envelopes() -> None:
    # As many classes as cards, each of which could be tried for each category.
    game = Deals(range(16), [8], [[first, first + 1] for first in range(0, 16, 2)])
    for card in range(0, 16, 2):
        game.weigh(0, [card], [1, 2])
    solutions = game.solutions()
    assert len(solutions) == 2**8
    cards, share = solutions[0]
    assert cards == tuple(range(1, 16, 2))  # the holder likely has the others
    assert share == pytest.approx((2 / 3) ** 8)


def test_too_many_hands_are_refused() -> None:
    game = Deals(range(32), [16, 16])
    assert game.count == 601_080_390
    with pytest.raises(BadInput, match=r"601080390 deals, more than 100000"):
        game.every_deal()
    for card in range(0, 30, 3):
        game.weigh(0, [card, card + 1, card + 2], range(1, 9))
    with pytest.raises(BadInput, match="too many possible hands"):
        game.probabilities()
    with pytest.raises(BadInput, match="more than 32 cards in doubt"):
        Deals(range(34), [17, 17]).every_deal(10**10)


# ---- Facts one by one


def test_facts_added_later_are_as_good_as_facts_from_the_start() -> None:
    chance = random.Random(5)
    for _ in range(20):
        table = Table(chance, 3, 8)
        for _ in range(6):
            table.tell(EVERY_KIND)
            seen = table.game.count  # asked in between
            together = Deals(table.pool, table.game.sizes, table.categories)
            for fact in table.game.facts:
                together.add(fact)
            assert together.count == seen
            assert (together.probabilities() == table.game.probabilities()).all()
            assert (together.sample(5) == table.game.sample(5)).all()


def test_a_copy_goes_its_own_way() -> None:
    game = Deals(range(6), [2, 2], [[0, 1, 2], [3, 4, 5]])
    game.holds_one_of(0, [0, 1])
    shares = game.probabilities()
    other = game.copy()
    other.holds(0, [0])
    fewer = game.without(game.facts[0])
    assert (game.count, other.count, fewer.count) == (33, 18, 54)
    assert (game.probabilities() == shares).all()
    shares[:] = 0
    game.solutions().clear()
    assert game.probabilities().any()
    assert game.solutions()
    assert [len(one.facts) for one in (game, other, fewer)] == [1, 2, 0]


def test_the_same_fact_twice_is_two_facts() -> None:
    game = two_hands_of_two()
    game.weigh(0, [0], [1, 3])
    game.weigh(0, [0], [1, 3])
    assert game.probabilities()[0, 0] == pytest.approx(9 / 10)
    assert game.without(game.facts[0]).probabilities()[0, 0] == pytest.approx(3 / 4)


# ---- Input that cannot be used


@pytest.mark.parametrize(
    ("tell", "says"),
    [
        (lambda game: game.shows(0, 3, [0, 1]), r"shows: card 3 must be one of the cards asked for, not \[0, 1\]"),
        (lambda game: game.shows(0, 0, [0, 0]), r"shows: up to 3 different cards, not \[0, 0\]"),
        (lambda game: game.shows(0, 0, [0, 1, 2, 3]), r"shows: up to 3 different cards"),
        (lambda game: game.shows(0, 0, [0, 1], "last"), "shows: a rule is uniform, first, or a function, not 'last'"),
        (lambda game: game.shows(0, 0, [0, 1], lambda held: [1]), "for each of the 2 cards, not 1"),
        (
            lambda game: game.shows(0, 0, [0, 1], lambda held: [-1] * len(held)),
            "shows: 4 weights for 2 cards, none negative",
        ),
        (lambda game: game.shows(2, 0, [0, 1]), "shows: holders are numbered 0 to 1, not 2"),
        (lambda game: game.weigh(2, [0], [1, 1]), "holders are numbered 0 to 1, not 2"),
        (lambda game: game.weigh(0, [0], [1, 1, 1]), "weigh: 2 weights for 1 cards"),
        (lambda game: game.weigh(0, [0], [1, float("nan")]), "weigh: 2 weights for 1 cards"),
        (lambda game: game.weigh(0, [0], [1, float("inf")]), "weigh: 2 weights for 1 cards"),
        (lambda game: game.weigh(0, [64], [1, 1]), "weigh: up to 3 different cards"),
        (lambda game: game.holds_one_of(2, [0]), "holders are numbered 0 to 1, not 2"),
        (lambda game: game.holds(3, [0]), "places are numbered 0 to 2, the envelope being the last, not 3"),
        (lambda game: game.lacks(-1, [0]), "places are numbered 0 to 2, the envelope being the last, not -1"),
        (lambda game: game.holds(0.5, [0]), r"places are numbered 0 to 2, the envelope being the last, not 0\.5"),
        (lambda game: game.holds_one_of("0", [0]), "holders are numbered 0 to 1, not '0'"),
        (lambda game: game.add(Fact("one of", 2, (0,))), "one of: holders are numbered 0 to 1, not 2"),
        (lambda game: game.explain(9, 0), "there is no card 9 in the pool"),
        (lambda game: game.explain(0, 3), "explain: places are numbered 0 to 2, the envelope being the last, not 3"),
    ],
)
def test_what_cannot_be_used_is_refused_and_leaves_no_fact(tell: Any, says: str) -> None:
    game = two_hands_of_two()
    with pytest.raises(BadInput, match=says):
        tell(game)
    assert game.facts == ()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"names": ["a"] * 3}, "names: one name for each card up to 3, not 3"),
        ({"holders": ["Ann"]}, "holders: one name for each of the 2 holders, not 1"),
    ],
)
def test_names_must_suffice(given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says):
        Deals(range(4), [2, 2], **given)
