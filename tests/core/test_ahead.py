"""What a command will need is found by trying, and compiled in processes beside it, which end with it."""

from __future__ import annotations

import contextlib
import math
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.calling import environment
from molehunt.agents.registry import Agents
from molehunt.arena.match import play_part, seat_match
from molehunt.core import beside
from molehunt.core.ahead import helpers, uses_of
from molehunt.core.beside import MOST_PROCESSES
from molehunt.core.kernels import kernel
from molehunt.core.sharing import try_to_make

PATIENCE = 60.0


@kernel
def total(numbers: Any, twice: bool = False) -> int:
    """The sum of numbers."""
    found = 0
    for number in numbers:
        found += number
    return 2 * found if twice else found


def names(uses: Any) -> list[str]:
    """The names of what is needed, in order; what is called by its address too."""
    return [entry._compiler.py_func.__name__ for entry, _, _ in uses.found.values()]


def test_what_python_calls_is_found_once_for_each_of_its_types() -> None:
    def work() -> None:
        for _ in range(3):
            assert total(np.arange(4)) == 6
            assert total(np.arange(4.0), twice=True) == 12
            assert total(np.arange(4), True) == 12

    uses = uses_of(work)
    assert names(uses) == ["total"] * 3
    for entry, kinds, make in uses.found.values():
        assert try_to_make(entry, kinds, make)
        assert kinds in entry.overloads
    made = len(total.from_python().overloads)  # type: ignore[attr-defined]
    work()
    assert len(total.from_python().overloads) == made  # type: ignore[attr-defined]


def test_it_ends_when_the_time_is_up_and_where_something_fails() -> None:
    called = []

    def work() -> None:
        while True:
            called.append(total(np.arange(4)))

    assert names(uses_of(work, 0.0)) == ["total"]
    assert not called

    def fails() -> None:
        total(np.arange(4))
        raise ValueError("no more")

    assert names(uses_of(fails)) == ["total"]


def test_a_match_asks_for_the_rules_and_for_the_functions_of_its_players() -> None:
    match = seat_match("duel/mcgill", "greedy-2020,random", Agents("duel"))
    found = names(uses_of(lambda: play_part(match, 0, 0, 1)))
    assert {"deal_many", "play_through", "deal", "advance", "look", "act_one", "random_seen"} <= set(found), found
    assert len(found) == len(set(found)) + found.count("act_one") - 1


ALL = """
import sys
from molehunt.agents.registry import Agents
from molehunt.arena.match import play_part, seat_match
from molehunt.core.ahead import uses_of
from molehunt.core.kernels import watch_compiling
from molehunt.core.sharing import go_backwards, try_to_make

match = seat_match(sys.argv[1], sys.argv[2], Agents(sys.argv[1].partition("/")[0]))
go_backwards()
for use in reversed(uses_of(lambda: play_part(match, 0, 0, 1)).found.values()):
    assert try_to_make(*use)
compiled = []
with watch_compiling(compiled.append):
    play_part(match, 0, 0, 1)
print(*compiled)
"""


@pytest.mark.thorough
@pytest.mark.parametrize(("label", "seats"), [("duel/mcgill", "random*2"), ("speed_clue/mitchell", "random*3")])
def test_a_game_compiles_nothing_that_was_not_found_before(label: str, seats: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALL, label, seats],
        env=environment(MOLEHUNT_CACHE=str(tmp_path)),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout.split()) == (0, []), done.stderr


def write_who(folder: Path) -> None:
    """Leave a file with the number of this process as its name, and go on for a while."""
    (folder / str(os.getpid())).touch()
    time.sleep(PATIENCE)


def is_there(process: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False


@pytest.mark.parametrize(
    ("asked", "gigabytes", "begun"),
    [(2, math.inf, 2), (9, math.inf, MOST_PROCESSES), (0, math.inf, 0), (9, 1.2, 1), (9, 0.8, 0), (9, 0.1, 0)],
)
def test_helpers_begin_when_they_are_started_and_end_with_what_they_help(
    asked: int, gigabytes: float, begun: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "free_memory", lambda: gigabytes * 1e9)
    with helpers(asked, write_who, tmp_path) as start:
        assert not list(tmp_path.iterdir())
        start()
        start()  # once is enough
        end = time.monotonic() + PATIENCE
        while len(list(tmp_path.iterdir())) < begun:
            assert time.monotonic() < end
            time.sleep(0.05)
        processes = [int(path.name) for path in tmp_path.iterdir()]
        assert all(map(is_there, processes))
    assert len(processes) == begun
    assert not any(map(is_there, processes))
