"""What is made of a finished game is made once, however many ask for it at the same time, and the last of it is held."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from molehunt.core.errors import BadInput
from molehunt.web.kept_replays import MOST_HELD, Held


def test_what_many_ask_for_at_once_is_made_once() -> None:
    held: Held[int] = Held()
    made: list[int] = []
    begun, go_on = threading.Event(), threading.Event()

    def make() -> int:
        made.append(7)
        begun.set()
        assert go_on.wait(60)
        return 7

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(held.get, "a", make)
        assert begun.wait(60)
        others = [pool.submit(held.get, "a", make) for _ in range(3)]
        go_on.set()
        assert [one.result(60) for one in (first, *others)] == [7] * 4
    assert made == [7]


def test_what_could_not_be_made_is_tried_again_and_only_the_last_are_held() -> None:
    held: Held[int] = Held()

    def refuse() -> int:
        raise BadInput("no such replay")

    for _ in range(2):
        with pytest.raises(BadInput, match="no such replay"):
            held.get("a", refuse)
    assert held.get("a", lambda: 5) == 5
    for number in range(MOST_HELD + 1):
        assert held.get(str(number), lambda value=number: value) == number  # type: ignore[misc]
    assert held.get("1", lambda: -1) == 1
    assert held.get("0", lambda: -1) == -1
