"""Pieces of work are all done, in order, however quickly they end."""

from __future__ import annotations

import time
from concurrent.futures import Executor, Future
from typing import Any

import pytest

from molehunt.arena.workers import each_in_order, open_workers


class AtOnce(Executor):
    """Does a piece when it is handed over: every future is finished before anybody looks."""

    width = 2

    def submit(self, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(function(*args, **kwargs))
        return future


def halves(number: int) -> float:
    return number / 2


def late(number: int) -> int:
    time.sleep(0.002 * (number % 3))
    return number


@pytest.mark.parametrize("pieces", [0, 1, 3, 4, 5, 100])
def test_no_piece_is_left_out_where_all_end_at_once(pieces: int) -> None:
    assert list(each_in_order(AtOnce(), halves, ((number,) for number in range(pieces)))) == [
        n / 2 for n in range(pieces)
    ]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_no_piece_is_left_out_where_the_results_are_taken_slowly(threads: int) -> None:
    with open_workers(threads) as workers:
        taken = []
        for number in each_in_order(workers, late, ((number,) for number in range(40))):
            time.sleep(0.001)
            taken.append(number)
    assert taken == list(range(40))
