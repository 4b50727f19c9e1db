"""Exact counts, probabilities and samples of deals: against enumeration, and against formulas for the real game of Clue."""

from __future__ import annotations

import doctest
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import molehunt.beliefs.deals.inference
from core.chance import assert_distributed
from molehunt.beliefs.deals import Deals, deals
from molehunt.beliefs.deals.layers import place_weights, sample_deals
from molehunt.core.errors import BadInput

Hands = tuple[int, ...]


def mask(cards: Any) -> int:
    return sum(1 << card for card in set(cards))


@dataclass
class Position:
    """A pool and all that is known of it, as `deals` takes it."""

    pool: list[int]
    sizes: list[int]
    holds: list[list[int]]
    lacks: list[list[int]]
    clauses: list[tuple[int, list[int]]]
    categories: list[list[int]]
    excluded: list[list[int]]
    solved: Deals = field(init=False)

    def __post_init__(self) -> None:
        self.solved = deals(**{name: getattr(self, name) for name in list(self.__dataclass_fields__)[:-1]})

    def all_deals(self) -> Iterator[Hands]:
        """Every deal that meets the facts, by going through all of them."""
        yield from self._deal_on(set(self.pool), ())

    def _deal_on(self, rest: set[int], hands: Hands) -> Iterator[Hands]:
        holder = len(hands)
        if holder == len(self.sizes):
            one_of_each = all(len(rest & set(category)) == 1 for category in self.categories)
            if one_of_each and all(rest != set(cards) for cards in self.excluded):
                yield hands
            return
        for choice in itertools.combinations(sorted(rest), self.sizes[holder]):
            hand = set(choice)
            if (
                hand >= set(self.holds[holder])
                and not hand & set(self.lacks[holder])
                and all(hand & set(cards) for of, cards in self.clauses if of == holder)
            ):
                yield from self._deal_on(rest - hand, (*hands, mask(hand)))


def random_position(chance: random.Random) -> Position:
    """A small position, most of whose facts are true of a certain deal; at times a fact is any fact."""
    holders = chance.randint(2, 4)
    pool = chance.sample(range(64), chance.randint(5, 9))
    kinds = min(chance.randint(0, 3), len(pool) - holders)
    shuffled = chance.sample(pool, len(pool))
    categories = [[card] for card in shuffled[:kinds]]
    for card in shuffled[kinds:]:
        if kinds and chance.random() < 0.9:  # a card of no category is never in the envelope
            chance.choice(categories).append(card)
    dealt = shuffled[kinds:]
    cuts = sorted(chance.choices(range(len(dealt) + 1), k=holders - 1))
    hands = [dealt[a:b] for a, b in itertools.pairwise([0, *cuts, len(dealt)])]
    number = chance.choice((0, 1, 2, 4, 8))
    position: dict[str, list[Any]] = {name: [[] for _ in hands] for name in ("holds", "lacks")}
    clauses = []
    for _ in range(number):
        holder = chance.randrange(holders)
        true = chance.random() < 0.95
        kind = chance.choice(("holds", "lacks", "lacks", "clause", "clause", "clause"))
        inside = hands[holder] if true else pool
        outside = [card for card in pool if card not in hands[holder]] if true else pool
        if kind == "holds" and inside:
            position["holds"][holder].append(chance.choice(inside))
        elif kind == "lacks" and outside:
            position["lacks"][holder].append(chance.choice(outside))
        elif kind == "clause" and inside:
            others = chance.sample(range(64), 1) + chance.sample(pool, chance.randint(0, 2))
            clauses.append((holder, [chance.choice(inside), *others]))
    envelopes = list(itertools.product(*categories))
    excluded = chance.sample(envelopes, min(len(envelopes), chance.choice((0, 0, 1, 3))))
    return Position(
        pool,
        [len(hand) for hand in hands],
        clauses=clauses,
        categories=categories,
        excluded=[list(envelope) for envelope in excluded],
        **position,
    )


@pytest.fixture(scope="module")
def positions() -> list[tuple[Position, list[Hands]]]:
    """A thousand positions, each with its deals."""
    chance = random.Random(20)
    return [(position, list(position.all_deals())) for position in (random_position(chance) for _ in range(1000))]


# ---- Against enumeration


def test_the_random_positions_are_of_every_kind(positions: list[tuple[Position, list[Hands]]]) -> None:
    counts = [len(found) for _, found in positions]
    assert counts.count(0) > 50
    assert counts.count(1) > 50
    assert sum(count > 100 for count in counts) > 150
    assert {len(position.sizes) for position, _ in positions} == {2, 3, 4}
    assert {len(position.pool) for position, _ in positions} == set(range(5, 10))
    assert {len(position.categories) for position, _ in positions} == {0, 1, 2, 3}


def test_counts_are_those_of_enumeration(positions: list[tuple[Position, list[Hands]]]) -> None:
    assert [position.solved.count for position, _ in positions] == [len(found) for _, found in positions]


def test_probabilities_are_those_of_enumeration(positions: list[tuple[Position, list[Hands]]]) -> None:
    for position, found in positions:
        if not found:
            continue
        expected = np.zeros((max(position.pool) + 1, len(position.sizes) + 1))
        for hands in found:
            for card in position.pool:
                place = next((i for i, hand in enumerate(hands) if (hand >> card) & 1), len(hands))
                expected[card, place] += 1
        assert (position.solved.probabilities() == expected / len(found)).all()


def test_samples_are_uniform_over_the_deals(positions: list[tuple[Position, list[Hands]]]) -> None:
    tested = 0
    for seed, (position, found) in enumerate(positions):
        if found:
            few = len(found) <= 200
            drawn = position.solved.sample(20 * len(found) if few else 50, seed).tolist()
            counts = Counter(tuple(hands) for hands in drawn)
            assert set(counts) <= set(found)
            if few and len(found) > 1:
                assert_distributed(counts, dict.fromkeys(found, 1 / len(found)))
                tested += 1
    assert tested > 300


def test_facts_that_contradict_each_other_leave_no_deal(positions: list[tuple[Position, list[Hands]]]) -> None:
    for position, found in positions:
        if not found:
            with pytest.raises(BadInput, match="contradict"):
                position.solved.sample(1)
            with pytest.raises(BadInput, match="contradict"):
                position.solved.probabilities()
            places = np.ones((64, len(position.sizes) + 1))
            assert place_weights(position.solved.arrays(), places) == 0
            assert not places.any()


# ---- The game of Clue: 6 suspects, 6 weapons, 9 locations

KINDS = (range(6), range(6, 12), range(12, 21))
HAND_SIZES = {3: (6, 6, 6), 4: (5, 5, 4, 4), 5: (4, 4, 4, 3, 3), 6: (3, 3, 3, 3, 3, 3)}
MOST_DEALS = {3: 115_500, 4: 13_513_500, 5: 756_756_000, 6: 36_324_288_000}


def ways_to_deal(cards: int, sizes: tuple[int, ...]) -> int:
    """The multinomial coefficient."""
    ways = 1
    for size in sizes:
        ways *= math.comb(cards, size)
        cards -= size
    return ways


def own_hands(size: int) -> Iterator[tuple[int, int, int]]:
    """How many suspects, weapons and locations a hand may have."""
    for suspects in range(min(size, 6) + 1):
        for weapons in range(min(size - suspects, 6) + 1):
            yield suspects, weapons, size - suspects - weapons


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_counts_at_the_start_of_clue_are_those_of_the_formula(players: int) -> None:
    own, *others = HAND_SIZES[players]
    most = 0
    for numbers in own_hands(own):
        held = [card for kind, number in zip(KINDS, numbers, strict=True) for card in kind[:number]]
        envelopes = math.prod(len(kind) - number for kind, number in zip(KINDS, numbers, strict=True))
        expected = envelopes * ways_to_deal(sum(others), tuple(others))
        seen = deals(set(range(21)) - set(held), others, categories=KINDS)
        assert seen.count == expected
        most = max(most, expected)
    assert most == MOST_DEALS[players]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_probabilities_at_the_start_of_clue_are_those_of_the_formula(players: int) -> None:
    own, *others = HAND_SIZES[players]
    held = [5, 12, 13, 14, 15, 16][:own]
    shares = deals(set(range(21)) - set(held), others, categories=KINDS).probabilities()
    for kind in KINDS:
        left = [card for card in kind if card not in held]
        for card in left:
            expected = [(1 - 1 / len(left)) * size / sum(others) for size in others] + [1 / len(left)]
            assert shares[card].tolist() == pytest.approx(expected, rel=1e-12)
    assert not shares[held].any()


def test_a_pool_of_the_whole_game_of_six_is_counted() -> None:
    everything = deals(range(21), HAND_SIZES[6], categories=KINDS)
    assert everything.count == 6 * 6 * 9 * ways_to_deal(18, HAND_SIZES[6])
    for hands in everything.sample(20).tolist():
        assert [hand.bit_count() for hand in hands] == [3] * 6
        rest = (1 << 21) - 1 - sum(hands)
        assert [(rest & mask(kind)).bit_count() for kind in KINDS] == [1, 1, 1]


def test_samples_of_clue_agree_with_the_probabilities() -> None:
    own, *others = HAND_SIZES[5]
    seen = deals(
        range(own, 21),
        others,
        lacks=[[7, 15], [], [4, 20], []],
        clauses=[(0, [5, 8, 13]), (1, [4, 9, 14]), (1, [5, 10, 15]), (3, [4, 8, 20])],
        categories=KINDS,
        excluded=[[5, 8, 13]],
    )
    n = 40_000
    drawn = seen.sample(n, seed=11)
    shares = seen.probabilities()
    for card in range(own, 21):
        found = ((drawn >> np.uint64(card)) & np.uint64(1)).mean(axis=0)
        error = np.sqrt(shares[card, :-1] * (1 - shares[card, :-1]) / n)
        assert (abs(found - shares[card, :-1]) <= 5 * error).all()


# ---- What single facts say


def test_facts_that_give_everything_away_leave_one_deal() -> None:
    # 28 cards: holder 0 has all even cards but 0; card 1 is in the envelope with 0, as nobody else can have it.
    sizes = [13, 13]
    lacks = [[0, 1], [0, 1]]
    seen = deals(range(28), sizes, [range(2, 28, 2), []], lacks, categories=[range(0, 28, 2), range(1, 28, 2)])
    assert seen.count == 1
    assert seen.sample(1).tolist() == [[mask(range(2, 28, 2)), mask(range(3, 28, 2))]]
    assert seen.probabilities().sum(axis=0).tolist() == [13, 13, 2]


def test_a_clause_with_one_card_left_is_a_card_held() -> None:
    seen = deals(range(8), [3, 4], lacks=[[0, 1], []], clauses=[(0, [0, 1, 2])], categories=[range(8)])
    assert seen.probabilities()[2].tolist() == [1, 0, 0]


def test_a_wrong_accusation_excludes_the_triple_only() -> None:
    seen = deals(range(6), [1, 2], categories=[[0, 1], [2, 3], [4, 5]], excluded=[[0, 2, 4]])
    assert seen.count == 7 * 3
    assert seen.probabilities()[:, 2].tolist() == pytest.approx([3 / 7, 4 / 7] * 3)


def test_cards_of_no_category_are_never_in_the_envelope() -> None:
    assert deals(range(5), [2, 2], categories=[[0, 1]]).probabilities()[2:, 2].tolist() == [0, 0, 0]


# ---- The random stream


def draw(seen: Deals, state: int, samples: int) -> tuple[npt.NDArray[np.uint64], int]:
    stream = np.array([state], np.uint64)
    out = np.zeros((samples, len(seen.sizes)), np.uint64)
    sample_deals(seen.arrays(), stream, samples, out)
    return out, int(stream[0])


def test_the_same_stream_gives_the_same_deals() -> None:
    seen = deals(range(12), [4, 3, 2], categories=[range(4), range(4, 8), range(8, 12)])
    ten, after_ten = draw(seen, 99, 10)
    four, after_four = draw(seen, 99, 4)
    six, after_six = draw(seen, after_four, 6)
    assert (np.concatenate([four, six]) == ten).all()
    assert after_six == after_ten
    assert (seen.sample(50, seed=7) == seen.sample(50, seed=7)).all()
    assert (seen.sample(50, seed=7) != seen.sample(50, seed=8)).any()


def test_counting_alone_draws_nothing_from_the_stream() -> None:
    seen = deals(range(6), [2, 2], categories=[range(3), range(3, 6)])
    assert draw(seen, 5, 0)[1] == 5


def test_a_contradiction_writes_no_samples_and_draws_nothing() -> None:
    seen = deals(range(6), [2, 2], [[0], [0]], categories=[range(3), range(3, 6)])
    out, state = draw(seen, 5, 3)
    assert seen.count == 0
    assert not out.any()
    assert state == 5


def test_a_count_that_a_float_does_not_hold_says_so() -> None:
    usual = Deals(range(21), [6, 6, 6], [range(6), range(6, 12), range(12, 21)])
    large = Deals(range(40), [5] * 8)
    assert usual.count_is_exact
    assert not large.count_is_exact
    assert large.count == pytest.approx(ways_to_deal(40, (5,) * 8), rel=1e-13)


# ---- Input that cannot be used


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"sizes": []}, "at least one holder"),
        ({"sizes": [5, -1]}, "0 cards or more, not -1"),
        ({"sizes": [2.5, 1.5]}, r"0 cards or more, not 2\.5"),
        ({"sizes": [2, 3]}, "5 cards with the holders and 2 in the envelope are not the 6 of the pool"),
        ({"holds": [[0]]}, "holds: one set of cards for each of the 2 holders, not 1"),
        ({"lacks": [0, 0, 0]}, "lacks: one set of cards for each of the 2 holders, not 3"),
        ({"clauses": [(2, [0])]}, "clauses: holders are numbered 0 to 1, not 2"),
        ({"clauses": [(0, [64])]}, "clauses: cards are numbered 0 to 63"),
        ({"excluded": [2**64]}, "excluded: a set of cards is a mask of 64 bits"),
        ({"pool": -1}, "pool: a set of cards is a mask of 64 bits, not -1"),
        ({"categories": [[0, 1], [1, 2]]}, "categories: a card is in more than one"),
        ({"categories": 3}, "categories: a list of sets of cards, .* not 3"),
        ({"sizes": 4}, r"sizes: a list of how many cards each holder has, as \[2, 2\], not 4"),
        ({"sizes": [True, 3]}, "0 cards or more, not True"),
        ({"pool": None}, "pool: a set of cards is a list of their numbers, .* not None"),
        ({"holds": [1.5, 0]}, "holds: a set of cards is a list of their numbers, .* not 1.5"),
    ],
)
def test_input_that_cannot_be_used_is_refused(given: dict[str, Any], says: str) -> None:
    usual: dict[str, Any] = {"pool": range(6), "sizes": [2, 2], "categories": [range(3), range(3, 6)]}
    with pytest.raises(BadInput, match=says):
        deals(**{**usual, **given})


@pytest.mark.parametrize(
    ("n", "seed"),
    [
        (-1, 0),
        (1, -1),
        (1, 2**64),
        (10**30, 0),
        (1.5, 0),
        (True, 0),
        ("2", 0),
        (None, 0),
        (1, 1.5),
        (1, None),
        (1, "0"),
    ],
)
def test_samples_out_of_range_are_refused(n: Any, seed: Any) -> None:
    with pytest.raises(BadInput, match="at least 0") as caught:
        deals(range(4), [2, 2]).sample(n, seed)
    assert str(caught.value).startswith(f"{n!r} samples with seed {seed!r}")


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda game: game.explain(6, 0), r"there is no card 6 in the pool, which has \(0, 1, 2, 3, 4, 5\)"),
        (lambda game: game.explain(-1, 0), "no card -1"),
        (lambda game: game.explain("0", 0), "no card '0'"),
        (lambda game: game.explain(1.0, 0), "no card 1.0"),
        (lambda game: game.explain(0, 3), "explain: places are numbered 0 to 2, the envelope being the last, not 3"),
        (lambda game: game.explain(0, None), "not None"),
        (lambda game: game.explain(0, True), "not True"),
        (lambda game: game.holds(True, [0]), "places are numbered 0 to 2, .* not True"),
        (lambda game: game.holds(0, None), "holds: a set of cards is a list of their numbers, .* not None"),
        (lambda game: game.shows(0, 0, 0), "shows: a list of up to 3 different cards, .* not 0"),
        (lambda game: game.shows(0, 0, "012"), "shows: up to 3 different cards, not .*'0'.*: numbers from 0 to 63"),
        (lambda game: game.weigh(0, [0, 1], 3), "weigh: 4 weights for 2 cards, none negative, not 3"),
        (lambda game: game.weigh(0, [0, 1], "much"), "weigh: 4 weights for 2 cards, none negative, not 'much'"),
        (lambda game: game.weigh(0, [0], [1.0, math.nan]), r"none negative, not \[1.0, nan\]"),
    ],
)
def test_what_is_no_card_place_or_list_is_named_with_what_would_be_right(
    ask: Callable[[Deals], Any], says: str
) -> None:
    with pytest.raises(BadInput, match=says):
        ask(Deals(range(6), [2, 2], [range(3), range(3, 6)]))


@pytest.mark.parametrize("module", [molehunt.beliefs.deals, molehunt.beliefs.deals.inference])
def test_examples_in_docstrings_hold(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted >= 2
    assert result.failed == 0


def test_sets_are_masks_or_numbers_of_cards() -> None:
    by_number = deals(range(6), [2, 2], clauses=[(0, [0, 1])], categories=[[0, 1, 2], [3, 4, 5]])
    by_mask = deals(0b111111, [2, 2], clauses=[(0, 0b11)], categories=[0b111, 0b111000])
    assert by_number.count == by_mask.count == 33 == len(set(map(tuple, by_mask.sample(2000).tolist())))
    assert repr(by_mask) == "Deals(pool=63, sizes=(2, 2), facts=1)"


def test_names_that_are_no_list_are_refused() -> None:
    wrong: Any = 5
    with pytest.raises(BadInput, match="names: a list of texts, or None, not 5"):
        Deals(range(6), [3, 3], names=wrong)
    with pytest.raises(BadInput, match="holders: a list of texts, or None, not 5"):
        Deals(range(6), [3, 3], holders=wrong)


def test_a_number_in_the_place_of_cards_is_a_mask_as_the_page_says() -> None:
    by_mask, by_list = Deals(range(6), [3, 3]), Deals(range(6), [3, 3])
    by_mask.holds(0, 3)
    by_list.holds(0, [0, 1])
    assert by_mask.facts == by_list.facts
    assert by_mask.count == 4
