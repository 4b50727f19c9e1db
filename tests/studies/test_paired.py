"""Comparisons on the same deals: what is said of them, alone and among many."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest

from molehunt.arena.tuning.race import gap
from molehunt.core.errors import BadInput
from molehunt.studies.paired import Comparison, paired_rows, said_of, said_together
from molehunt.studies.study import points_row

DEALS = 400


def compared(*shares: float) -> list[str]:
    """What is said of players who win so much more, each in its share of the deals, beside one who wins none of them."""
    base = np.zeros(DEALS)
    found = []
    for number, share in enumerate(shares):
        scores = base.copy()
        scores[: round(abs(share) * DEALS)] = np.sign(share)
        found.append(Comparison(f"row/{number}", "points", scores, base))
    return [said_of(row) for row in paired_rows(found)]


def test_what_changes_nothing_is_not_decided_and_what_changes_all_is() -> None:
    assert compared(0.0) == ["not decided"]
    assert compared(1.0, -1.0) == ["more", "less"]


def test_among_many_comparisons_one_must_differ_by_more() -> None:
    # 6 of 400 deals: a mean of 0.015 with a standard error of 0.0061, so p = 0.014.
    assert compared(0.015) == ["more"]
    assert compared(0.015, *[0.0] * 9) == ["not decided"] * 10
    assert compared(0.2, 0.015, -0.2) == ["more", "more", "less"]


def test_a_row_is_a_paired_mean_with_its_interval() -> None:
    first, second = np.array([1.0, 1, 0, 1]), np.array([1.0, 0, 0, 0])
    (in_rounds,) = paired_rows([Comparison("a", "rounds", first, second)], scale=1.0)
    assert (in_rounds.id, in_rounds.measured, in_rounds.games, in_rounds.published) == ("a", 0.5, 4, None)
    assert in_rounds.high - 0.5 == pytest.approx(3.1824 * np.std([0, 1, 0, 1], ddof=1) / 2, abs=0.001)
    # Of games won, as if there were a deal more each way: six of them.
    (row,) = paired_rows([Comparison("a", "points more", first, second)])
    half = 100 * 2.5706 * np.std([0, 1, 0, 1, 1, -1], ddof=1) / 6**0.5
    assert (row.measured, row.games) == (50.0, 4)
    assert row.low == pytest.approx(100 / 3 - half, abs=0.01)
    assert row.high == pytest.approx(min(100.0, 100 / 3 + half), abs=0.01)


def test_rows_that_are_there_are_judged_together_as_comparisons_are() -> None:
    chance = np.random.default_rng(8)
    some = [
        Comparison(
            f"row/{number}",
            "points",
            (chance.random(DEALS) < 0.5 + 0.1 * number).astype(np.float64),
            np.full(DEALS, 0.5),
        )
        for number in range(4)
    ]
    rows = paired_rows(some)
    bare = [msgspec.structs.replace(row, quantity="points") for row in rows]
    assert said_together(bare) == rows
    assert {said_of(row) for row in rows} == {"more", "not decided"}


def test_a_single_deal_says_nothing() -> None:
    assert paired_rows([Comparison("a", "points", np.ones(1), np.zeros(1))]) == []


def test_few_deals_decide_nothing_among_many_comparisons_however_alike_they_are() -> None:
    def all_won(deals: int, beside: int, scale: float) -> str:
        alone = Comparison("a", "points", np.ones(deals), np.zeros(deals))
        others = [Comparison("b", "points", np.ones(deals), np.ones(deals))] * beside
        return said_of(paired_rows([alone, *others], scale)[0])

    for scale in (1.0, 100.0):
        assert all_won(4, 0, scale) == "not decided" and all_won(7, 0, scale) == "more"
        assert all_won(6, 9, scale) == "not decided" and all_won(30, 9, scale) == "more"


def test_a_mean_of_few_deals_is_held_against_students_distribution() -> None:
    # 2.9 standard errors of 40 deals: enough among ten for a normal mean (p = 0.004), not for that of so few (0.006).
    first = (np.arange(40) < 7).astype(np.float64)
    rows = [Comparison("a", "rounds", first, np.zeros(40)), *[Comparison("b", "rounds", first, first)] * 9]
    assert said_of(paired_rows(rows, 1.0)[0]) == "not decided"
    assert said_of(paired_rows(rows[:5], 1.0)[0]) == "more"


def test_where_few_deals_differ_or_none_does_an_interval_keeps_its_promise() -> None:
    won, lost = np.ones(100), np.zeros(100)
    (alike,) = paired_rows([Comparison("a", "points", won, won)])
    assert (alike.measured, alike.low) == (0.0, -alike.high) and 2 < alike.high < 4
    (better,) = paired_rows([Comparison("a", "points", won, lost)])
    assert better.measured == better.high == 100 and 90 < better.low < 96
    # One deal in fifty differs, always the same way, and 60 are played: mostly one or none of them does.
    random = np.random.default_rng(3)
    held = 0
    for _ in range(400):
        first = (random.random(60) < 0.02).astype(np.float64)
        (row,) = paired_rows([Comparison("a", "points", first, np.zeros(60))])
        held += row.low <= 2 <= row.high
    assert held > 0.95 * 400


def test_rows_of_a_single_deal_decide_nothing() -> None:
    apart = points_row("a", "points", gap(np.ones(1), np.zeros(1)))
    alike = points_row("b", "points", gap(np.ones(1), np.ones(1)))
    assert [said_of(row) for row in said_together([apart, alike])] == ["not decided"] * 2


@pytest.mark.parametrize("scores", [None, [1.0, 0.0], np.ones((2, 2)), np.array(["won", "lost"])])
def test_scores_that_are_no_array_by_deal_are_refused(scores: Any) -> None:
    for given in ((scores, np.ones(2)), (np.ones(2), scores)):
        with pytest.raises(BadInput, match="mine: scores are an array of a number for each deal, not "):
            Comparison("mine", "what", *given)


def test_two_are_compared_on_the_same_deals() -> None:
    """One score would have been held against that of every deal."""
    with pytest.raises(BadInput, match="mine: both are compared on the same deals, not on 4 and 1"):
        Comparison("mine", "what", np.ones(4), np.zeros(1))


@pytest.mark.parametrize("given", [None, 3, "mine", [np.ones(2)]])
def test_rows_are_of_comparisons(given: Any) -> None:
    with pytest.raises(BadInput, match="rows are of a list of Comparison, not "):
        paired_rows(given)
