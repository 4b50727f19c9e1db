"""The study of Neller and Luo 2018: the search finds deals that meet the facts, and its findings follow from the errors."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.beliefs.deals import Deals
from molehunt.beliefs.deals.layers import place_weights
from molehunt.studies.neller2018 import DRAWN, LEAST, MOST, NOISES, STUDY, errors_at, rows_of
from molehunt.studies.study import verdict_in_words
from molehunt.studies.walksat import constraints_of, sample


def some_deals() -> Deals:
    """Ten cards, three players; a card shown, a card of three, two lacking."""
    made = Deals(range(10), [3, 2, 2], [range(3), range(3, 6), range(6, 10)])
    made.holds(0, [7])
    made.holds_one_of(1, [0, 3, 8])
    made.lacks(2, [0, 4])
    return made


@pytest.mark.parametrize("noise", NOISES)
def test_every_sample_is_a_deal_that_meets_the_facts(noise: float) -> None:
    made = some_deals()
    facts = made.arrays()
    places = np.zeros((64, 4))
    places /= place_weights(facts, places)
    constraints = constraints_of(facts, places[:10])
    values, stream = np.zeros(40, np.uint8), np.array([3], np.uint64)
    seen = set()
    for _ in range(60):
        assert sample(constraints, noise, stream, values) > 0
        held = values.reshape(10, 4)
        assert held.sum(axis=1).tolist() == [1] * 10 and held.sum(axis=0).tolist() == [3, 2, 2, 3]
        hands = tuple(sum(1 << card for card in np.flatnonzero(held[:, place]).tolist()) for place in range(4))
        assert all(fact.is_met(hands) for fact in made.facts)
        assert [(hands[3] & int(kind)).bit_count() for kind in facts.categories] == [1, 1, 1]
        seen.add(hands)
    assert len(seen) > 20


def test_errors_are_those_of_places_in_doubt() -> None:
    found = errors_at(some_deals().arrays(), 5)
    assert found is not None and set(found) == {*map(str, NOISES), DRAWN}
    assert 0 < found[DRAWN][0] < 1.5
    known = Deals(range(4), [1], [[0], [1], [2]])
    assert errors_at(known.arrays(), 5) is None


def test_findings_are_differences_at_the_same_positions() -> None:
    def errors(most: float, least: float, quick: float = 20.0) -> dict[str, tuple[float, float]]:
        found = {str(noise): (1.0, 30.0) for noise in NOISES}
        return found | {str(MOST): (most, quick), str(LEAST): (least, 50.0), DRAWN: (0.7, 0.0)}

    def said(each: list[dict[str, tuple[float, float]]]) -> list[str]:
        return [verdict_in_words(row) for row in rows_of(each) if row.id.startswith("finding/")]

    assert said([errors(2.0, 1.0), errors(2.2, 1.1), errors(2.1, 1.0)]) == ["holds", "holds"]
    assert said([errors(2.0, 1.9, 60.0), errors(2.2, 1.1, 70.0), errors(2.1, 1.0, 65.0)]) == ["holds", "undecided"]
    assert said([errors(0.5, 1.0), errors(0.4, 1.1), errors(0.5, 1.0)]) == ["does not hold", "does not hold"]
    assert rows_of([errors(2.0, 1.0)]) == []


def test_a_small_study_has_rows_each_in_a_section() -> None:
    rows = STUDY.run(12, 1, 1).rows
    assert len(rows) == len({row.id for row in rows}) == 2 * len(NOISES) + 1 + 2
    assert all(sum(row.id.startswith(section.prefix) for section in STUDY.sections) == 1 for row in rows)
    assert all(row.low <= row.measured <= row.high for row in rows)
