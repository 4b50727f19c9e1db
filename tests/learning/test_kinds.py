"""Equal moves are found, whatever they are."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.learning.kinds import WORD, number_moves


@pytest.mark.parametrize(("rows", "words", "kinds"), [(1, 1, 1), (500, 1, 3), (4000, 3, 900)])
def test_equal_moves_have_one_number_in_the_order_in_which_they_come_first(rows: int, words: int, kinds: int) -> None:
    random = np.random.default_rng(rows)
    known = random.integers(-128, 128, (kinds, words * WORD), np.int8)
    moves = known[random.integers(kinds, size=rows)]
    firsts, numbers = number_moves(moves)
    assert (moves[firsts][numbers] == moves).all()
    assert len(firsts) == len(np.unique(moves, axis=0))
    assert (np.diff(firsts) > 0).all() and (numbers[firsts] == np.arange(len(firsts))).all()


def test_moves_that_differ_in_a_single_number_are_two() -> None:
    moves = np.zeros((2 * WORD + 1, 2 * WORD), np.int8)
    moves[np.arange(1, 2 * WORD + 1), np.arange(2 * WORD)] = 1
    firsts, numbers = number_moves(moves)
    assert firsts.tolist() == numbers.tolist() == list(range(2 * WORD + 1))


def test_where_nothing_was_collected_there_is_no_kind() -> None:
    firsts, numbers = number_moves(np.zeros((0, WORD), np.int8))
    assert len(firsts) == len(numbers) == 0
