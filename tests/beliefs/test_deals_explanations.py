"""Why something is certain, and what contradicts what: against all subsets of the facts, and the sentences."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from beliefs.enumeration import Masks, Table, weight_by
from molehunt.beliefs.deals import Deals, Explanation, Fact, Forced, cores
from molehunt.beliefs.deals.cores import smallest_core
from molehunt.core.errors import BadInput

KINDS = ("holds", "lacks", "lacks", "one of", "one of", "one of", "not the envelope", "shows", "weigh")


def tables(seed: int, number: int, lies: float) -> Iterator[tuple[Table, Masks]]:
    chance = random.Random(seed)
    for _ in range(number):
        table = Table(chance, chance.randint(2, 5), chance.randint(6, 8), lies)
        for _ in range(chance.randint(5, 9)):
            table.tell(KINDS)
        yield table, table.deals()


def fewest(facts: tuple[Fact, ...], deals: Masks) -> int:
    """How many facts it takes to rule out all of these deals, by trying all sets of facts."""
    met = np.array([weight_by(fact, deals) > 0 for fact in facts], bool).reshape(len(facts), len(deals))
    rows = np.unique(met, axis=1)
    for number in range(len(facts) + 1):
        for chosen in itertools.combinations(range(len(facts)), number):
            if not rows[list(chosen)].all(axis=0).any():
                return number
    raise AssertionError("all facts together leave a deal")


def check(found: Explanation, facts: tuple[Fact, ...], against: Masks) -> None:
    """Its facts rule out the deals that are against it, and no fewer facts do."""
    assert all(any(fact is one for one in facts) for fact in found.facts)
    left = np.ones(len(against), bool)
    for fact in found.facts:
        left &= weight_by(fact, against) > 0
    assert not left.any()
    assert found.shortest
    assert len(found.facts) == fewest(facts, against)


# ---- Against all sets of facts


def test_explanations_are_sound_and_none_is_shorter() -> None:
    chance = random.Random(3)
    sizes = []
    for table, deals in tables(11, 200, lies=0):
        forced = table.game.forced()
        for one in chance.sample(forced, min(6, len(forced))):
            found = table.game.explain(one.card, one.place)
            here = deals[:, one.place] >> np.uint64(one.card) & np.uint64(1) == 1
            check(found, table.game.facts, deals[~here if one.here else here])
            sizes.append(len(found.facts))
    assert len(sizes) > 400
    assert sizes.count(0) > 20  # such as a card of no category, which is never in the envelope
    assert sum(size >= 3 for size in sizes) > 10


def test_conflicts_are_sound_and_none_is_smaller() -> None:
    chance = random.Random(4)
    sizes = []
    for table, deals in tables(12, 300, lies=0.1):
        game = table.game
        if game.possible:
            assert game.conflict() is None
            forced = [one for one in game.forced() if one.place < game.envelope]
            if not forced:
                continue
            # Deny something that is certain.
            one = chance.choice(forced)
            (game.lacks if one.here else game.holds)(one.place, [one.card])
        found = game.conflict()
        assert found is not None
        check(found, game.facts, deals)
        sizes.append(len(found.facts))
    assert len(sizes) > 200
    assert sum(size >= 3 for size in sizes) > 20


def test_without_the_facts_of_a_conflict_some_deal_may_be_left() -> None:
    game = Deals(range(6), [2, 2], [[0, 1, 2], [3, 4, 5]])
    game.lacks(0, [5])
    game.holds(0, [0])
    game.holds(1, [0])
    found = game.conflict()
    assert found is not None
    assert found.facts == game.facts[1:]
    assert game.without(found.facts[0]).conflict() is None


# ---- The words


def clue() -> Deals:
    names = ["Plum", "White", "Green", "Rope", "Knife", "Pipe"]
    return Deals(range(6), [2, 2], [[0, 1, 2], [3, 4, 5]], names, ["Ann", "Bob"])


def test_an_explanation_names_conclusion_and_facts() -> None:
    game = clue()
    game.lacks(1, [5], source="turn 1")
    game.lacks(0, [3, 4], source="turn 2")
    game.holds_one_of(0, [2, 3, 4], source="turn 3")
    found = game.explain(2, 0)
    assert found.conclusion == "Ann has Green"
    assert found.facts == game.facts[1:]
    assert found.text == (
        "Ann has Green, because: turn 2: Ann does not have Rope or Knife; turn 3: Ann has Green, Rope or Knife"
    )
    assert game.explain(3, 0).text == "Ann does not have Rope, because: turn 2: Ann does not have Rope or Knife"


def test_what_needs_no_fact_says_so() -> None:
    game = Deals(range(3), [1, 1], [[0]])
    assert game.explain(0, 2).text == "the envelope has card 0, as the number of cards alone tells"
    assert game.explain(0, 2).facts == ()


def test_a_conflict_names_what_cannot_all_be_true() -> None:
    game = clue()
    game.holds(0, [0], source=4)  # a source that is no text is not said
    game.holds(1, [1])
    game.not_envelope([2, 3])
    game.holds(2, [3])
    found = game.conflict()
    assert found is not None
    assert found.text == (
        "these cannot all be true: Ann has Plum; Bob has White; the envelope is not Green with Rope; the envelope has Rope"
    )
    assert [fact.source for fact in found.facts] == [4, None, None, None]
    with pytest.raises(BadInput, match="contradict each other"):
        game.explain(0, 0)
    with pytest.raises(BadInput, match="contradict each other"):
        game.forced()


def test_by_source_what_comes_from_one_source_counts_once() -> None:
    made = Deals(range(4), [1, 1], [[0, 1], [2, 3]])
    made.lacks(0, [1], source="a")
    made.holds(0, [1], source="b")
    for place in range(3):
        made.lacks(place, [0], source="c")
    by_fact, by_source = made.conflict(), made.conflict(by_source=True)
    assert by_fact is not None and [fact.source for fact in by_fact.facts] == ["a", "b"]
    assert by_source is not None and [fact.source for fact in by_source.facts] == ["c"] * 3 and by_source.shortest
    certain = Deals(range(4), [1, 1], [[0, 1], [2, 3]])
    certain.holds(0, [1], source="a")
    certain.lacks(0, [0], source="b")
    certain.lacks(1, [0], source="b")
    certain.lacks(1, [2], source="b")
    assert [fact.source for fact in certain.explain(0, 2, by_source=True).facts] == ["a"]


def test_numbers_of_cards_that_cannot_be_need_no_fact() -> None:
    found = Deals(range(4), [1, 1], [[0, 1], [7]]).conflict()
    assert found is not None
    assert (found.facts, found.text) == ((), "these cannot all be true: no deal has these numbers of cards")


def test_a_card_outside_the_pool_is_named_even_without_a_name() -> None:
    game = clue()
    game.holds_one_of(0, [0, 40])
    game.lacks(0, [0])
    found = game.conflict()
    assert found is not None
    assert "Ann has Plum or card 40" in found.text


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ([0] * 8, "is impossible"),
        ([0, 1, 1, 1, 1, 1, 1, 1], "shows that Ann has Plum, White or Green"),
        ([0, 1, 0, 1, 0, 1, 0, 1], "shows that Ann has Plum"),
        ([0, 0, 1, 0, 0, 0, 1, 0], "shows that Ann has White and does not have Plum"),
        ([1, 0, 0, 0, 1, 0, 0, 0], "shows that Ann does not have Plum or White"),
        ([1, 0, 0, 1, 1, 1, 1, 1], "rules out some of what Ann may have of Plum, White and Green"),
    ],
)
def test_a_likelihood_says_what_its_zeros_rule_out(weights: list[float], says: str) -> None:
    game = clue()
    game.weigh(0, [0, 1, 2], weights)
    for pattern in range(8):  # contradict it
        if not weights[pattern]:
            other = game.copy()
            other.holds(0, [card for card in range(3) if pattern >> card & 1])
            other.lacks(0, [card for card in range(3) if not pattern >> card & 1])
            found = other.conflict()
            if found is not None and game.facts[0] in found.facts:
                assert f"what Ann did {says}" in found.text
                return
    raise AssertionError("no conflict names the likelihood")


def test_a_likelihood_without_zeros_explains_nothing() -> None:
    game = clue()
    game.weigh(0, [0], [1, 5])
    game.lacks(0, [1])
    assert game.explain(1, 0).facts == game.facts[1:]
    assert game.words.say(game.facts[0]) == "what Ann did says how likely it is that Ann has Plum"


def test_who_shows_the_first_card_he_has_lacks_those_before() -> None:
    game = clue()
    game.shows(0, 1, [0, 1, 2], "first", source="turn 5")
    assert Forced(0, 0, here=False) in game.forced()
    assert game.explain(0, 0).text == (
        "Ann does not have Plum, because: turn 5: what Ann did shows that Ann has White and does not have Plum"
    )


def test_what_is_not_certain_has_no_explanation() -> None:
    with pytest.raises(BadInput, match="it is not certain whether Ann has Plum"):
        clue().explain(0, 0)


# ---- Smallest sets of facts that contradict each other


def contradictory(chance: random.Random, number: int) -> list[int]:
    """What some deals violate, each at least one of the facts."""
    deals = [chance.getrandbits(number) | chance.getrandbits(number) for _ in range(chance.randint(1, 25))]
    return [deal or 1 << chance.randrange(number) for deal in deals]


def among(deals: list[int]) -> Callable[[int], list[int]]:
    return lambda chosen: [deal for deal in deals if not deal & chosen]


def smallest(deals: list[int], number: int) -> int:
    return next(
        size
        for size in range(number + 1)
        for chosen in itertools.combinations(range(number), size)
        if all(deal & sum(1 << fact for fact in chosen) for deal in deals)
    )


def test_cores_of_random_facts_are_smallest() -> None:
    chance = random.Random(8)
    sizes = []
    for _ in range(300):
        number = chance.randint(1, 9)
        deals = [deal & chance.getrandbits(number) or deal for deal in contradictory(chance, number)]
        found, shortest = smallest_core(number, among(deals))
        assert shortest
        assert all(any(deal >> fact & 1 for fact in found) for deal in deals)
        assert len(found) == smallest(deals, number)
        sizes.append(len(found))
    assert set(sizes) >= {1, 2, 3, 4, 5}


def test_no_deal_at_all_needs_no_fact() -> None:
    assert smallest_core(3, lambda chosen: []) == ([], True)
    assert smallest_core(0, lambda chosen: []) == ([], True)


@pytest.mark.parametrize("bound", ["MOST_TRIALS", "MOST_STEPS"])
def test_a_search_that_takes_too_long_gives_facts_of_which_none_can_be_left_out(
    bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cores, bound, 2)
    chance = random.Random(9)
    cut = 0
    for _ in range(100):
        number = chance.randint(3, 9)
        deals = [deal & chance.getrandbits(number) or deal for deal in contradictory(chance, number)]
        found, shortest = smallest_core(number, among(deals))
        assert not among(deals)(sum(1 << fact for fact in found))
        for fact in found:
            assert among(deals)(sum(1 << other for other in found if other != fact))
        if shortest:
            assert len(found) == smallest(deals, number)
        cut += not shortest
    assert cut > 20


def test_an_explanation_that_may_not_be_the_shortest_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "MOST_TRIALS", 1)
    game = clue()
    game.lacks(0, [0, 1])
    game.holds_one_of(0, [0, 1, 2])
    game.lacks(1, [2])
    found = game.explain(2, 0)
    assert not found.shortest
    assert found.facts == game.facts[:2]
