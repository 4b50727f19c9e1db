"""Comparisons on the same deals: what is said of them, alone and among many."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from molehunt.studies.paired import Comparison, paired_rows, said_of, said_together

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
    (row,) = paired_rows([Comparison("a", "points more", first, second)])
    assert (row.id, row.measured, row.games, row.published) == ("a", 50.0, 4, None)
    assert row.high - row.measured == pytest.approx(100 * 1.96 * np.std([0, 1, 0, 1], ddof=1) / 2, abs=0.1)
    (in_rounds,) = paired_rows([Comparison("a", "rounds", first, second)], scale=1.0)
    assert in_rounds.measured == 0.5


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
