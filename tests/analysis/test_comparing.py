"""Moves compared by playing on: the best is found, chance makes no mistakes of moves, and what is graded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from molehunt.analysis.comparing import KEPT, TryMoves, Verdict, compare, error_of, grade
from molehunt.analysis.findings import Line
from molehunt.analysis.marks import chart, lasting, rounded


def tossing(chances: dict[int, float], seed: int, asked: list[tuple[int, int, int]] | None = None) -> TryMoves:
    """Moves that win with these chances; the luck of a world is the same for all moves."""

    def brings(moves: Sequence[int], first: int, count: int) -> npt.NDArray[np.float64]:
        if asked is not None:
            asked.append((len(moves), first, count))
        luck = np.random.default_rng(seed).random(first + count)[first:]
        return np.array([[float(world < chances[move]) for move in moves] for world in luck])

    return brings


def test_the_best_move_is_found_and_what_the_other_loses() -> None:
    chances = dict.fromkeys(range(12), 0.3) | {7: 0.8, 3: 0.5}
    found = compare(tossing(chances, 1), list(chances), 3, 4000)
    assert found.best == 7
    assert found.lost == pytest.approx(0.3, abs=4 * found.error)
    assert found.lost == pytest.approx(found.best_chance - found.chance)
    assert compare(tossing(chances, 2), list(chances), 7, 400).lost == 0


def test_where_all_are_equal_the_move_is_the_best() -> None:
    found = compare(tossing(dict.fromkeys(range(9), 0.5), 3), range(9), 5, 64)
    assert (found.best, found.lost, found.error) == (5, 0.0, 0.0)


def test_moves_that_differ_by_chance_alone_are_seldom_mistakes() -> None:
    luck = np.random.default_rng(4)

    def apart(moves: Sequence[int], first: int, count: int) -> npt.NDArray[np.float64]:
        return (luck.random((count, len(moves))) < 0.5).astype(float)

    grades = [grade(compare(apart, range(10), 0, 100)) for _ in range(200)]
    # The comparison is of fresh worlds: 2.3 % lie two standard errors off on one side.
    assert grades.count("good") >= 185


@pytest.mark.parametrize("worlds", [1, 2, 3, 4, 8, 16, 40])
@pytest.mark.parametrize("apart", [0.1, 0.5, 1.0])
def test_of_few_worlds_chance_makes_no_mistakes(worlds: int, apart: float) -> None:
    """Of 2 worlds that differed alike the error was 0, and of 8 or 16 equal moves were called mistakes in 4 to 7 % of cases."""
    differences = np.random.default_rng(6).choice(
        [1.0, -1.0, 0.0], p=[apart / 2, apart / 2, 1 - apart], size=(4000, worlds)
    )
    verdicts = [Verdict(1, 0.5, 0.5, float(each.mean()), error_of(each)) for each in differences]
    # Two standard errors are passed on one side in 2.3 %; seven or eight of 8 coins fall alike in 3.5 %.
    assert sum(grade(each) != "good" for each in verdicts) <= 0.042 * len(verdicts)


def test_a_large_loss_is_found_in_few_worlds() -> None:
    found = compare(tossing({0: 0.02, 1: 0.98}, 7), [0, 1], 0, 16)
    assert grade(found) == "mistaken"


def test_the_error_of_a_worked_case() -> None:
    # Of 8 worlds 3 differ, all one way: with one more each way the squares are 5 of 10 and the mean 0.3.
    by_world = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    of_mean = np.sqrt((0.5 - 0.09) / 10) * 10 / 8
    assert error_of(by_world) == pytest.approx(of_mean * 2.262157 / 1.959964, rel=1e-6)


def test_the_last_worlds_had_no_part_in_the_choice() -> None:
    asked: list[tuple[int, int, int]] = []
    compare(tossing({0: 0.2, 1: 0.9, **dict.fromkeys(range(2, 20), 0.1)}, 5, asked), range(20), 0, 80)
    assert [moves for moves, *_ in asked] == [20, KEPT, 2, 2]
    ends = [0, *(first + count for _, first, count in asked)]
    assert [first for _, first, _ in asked] == ends[:-1]
    assert asked[-1][2] == 80


@pytest.mark.parametrize(
    ("lost", "error", "said"),
    [
        (0.04, 0.001, "good"),
        (0.06, 0.001, "inaccurate"),
        (0.06, 0.04, "good"),
        (0.15, 0.02, "mistaken"),
        (0.5, 0.3, "good"),
    ],
)
def test_a_loss_must_be_large_and_larger_than_chance_makes_it(lost: float, error: float, said: str) -> None:
    assert grade(Verdict(1, 0.5 + lost, 0.5, lost, error)) == said


def test_moves_that_turn_a_line_are_marked() -> None:
    lines = [Line("Ann", 0, True, (0.4, 0.4, 0.7, 0.72)), Line("Bob", 1, False, (0.4, 0.35, 0.1, 0.1))]
    found = chart("Who", None, 10, lines)
    assert [(turn.move, turn.line, turn.before, turn.after) for turn in found.turns] == [(12, 0, 0.4, 0.7)]


@pytest.mark.parametrize(
    ("holds", "place"), [("ttt", 5), ("ftt", 6), ("tft", 7), ("ttf", None), ("fff", None), ("tftt", 7)]
)
def test_something_is_known_from_when_on_it_lasts(holds: str, place: int | None) -> None:
    assert lasting(np.array([sign == "t" for sign in holds]), 5) == place


def test_what_is_not_certain_is_not_kept_as_if_it_were() -> None:
    kept = rounded(np.array([0.0, 1e-9, 0.00004, 0.25, 0.99996, 1 - 1e-9, 1.0 - 1e-15, 1.0]))
    assert kept == (0.0, 0.0001, 0.0001, 0.25, 0.9999, 0.9999, 1.0, 1.0)
