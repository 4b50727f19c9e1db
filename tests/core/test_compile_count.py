"""How much is left to compile: what is needed is found without running it, and counted down while it is compiled."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numba
import pytest

from molehunt.agents.registry import Agents
from molehunt.console.screen import compiling_words
from molehunt.core import streams
from molehunt.core.compile_count import KERNEL_EVENT, CompileCount, count_compiling, kernels_needed
from molehunt.core.kernels import bit, kernel, lowest
from molehunt.core.linking import entry_function
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game


@kernel
def leaf(number: int) -> int:
    return int(lowest(bit(number)))


@kernel
def branch(number: int) -> int:
    return leaf(number) + int(streams.below(number, 3))


@kernel
def apart(number: int) -> int:
    return number


def through(number: int) -> int:
    return sum(branch(each) for each in range(number))


class Holder:
    """Reaches a kernel through a method, and another through what it holds."""

    def __init__(self) -> None:
        self.held = {"one": [apart]}

    @property
    def found(self) -> Any:
        return through


def names(*things: Any) -> set[str]:
    return {name.rpartition(".")[2] for name in kernels_needed(*things)}


def test_what_a_kernel_names_is_needed_also_by_a_module_and_by_what_is_named_in_turn() -> None:
    assert names(leaf) == {"leaf", "bit"}
    assert {"branch", "leaf", "bit", "below", "next_word"} <= names(branch) and "apart" not in names(branch)


def test_functions_methods_and_what_objects_hold_are_looked_into() -> None:
    assert names(through) == names(branch)
    assert names(Holder()) == names(branch) | {"apart"}


def test_objects_of_other_packages_are_not_looked_into() -> None:
    assert names(SimpleNamespace(held=apart)) == set()


def test_a_longer_kernel_counts_for_more() -> None:
    lengths = {name.rpartition(".")[2]: length for name, length in kernels_needed(branch).items()}
    assert lengths["below"] > lengths["leaf"] > 0


def test_a_game_and_its_players_need_their_kernels_and_no_others() -> None:
    # What another game has left behind does not count.
    play(make_game("saboteur", "small", 2), [Agents("saboteur").make("random")] * 2, game_seeds(1, 0, 1))
    game = make_game("duel", "mcgill", 2)
    rules, both = kernels_needed(game), kernels_needed(game, Agents("duel").make("greedy-2020"))
    assert "molehunt.games.duel.maze.lay" in both and "molehunt.agents.duel.star_comparison.compare" not in both
    assert rules.keys() < both.keys()
    for name in both.keys() - rules.keys():
        assert name.startswith(("molehunt.agents.", "molehunt.games.", "molehunt.reading.", "molehunt.core.")), name
    assert not any(".saboteur." in name or ".speed_clue." in name for name in both)


def test_what_is_left_goes_down_to_nothing_and_grows_by_what_comes_up() -> None:
    # Not kept on disk: they are compiled whenever this test runs.
    @numba.njit(cache=False)  # type: ignore[untyped-decorator]
    def inner(number: int) -> int:
        return number + 1

    @numba.njit(cache=False)  # type: ignore[untyped-decorator]
    def outer(number: int) -> int:
        return inner(number) + 1  # type: ignore[no-any-return]

    @numba.njit(cache=False)  # type: ignore[untyped-decorator]
    def another(number: int) -> int:
        return number - 1

    told: list[tuple[int, int]] = []
    counts: list[CompileCount] = []

    def tell(count: CompileCount) -> None:
        counts.append(count)
        told.append((count.compiled, count.left))

    with count_compiling(tell, outer):
        assert outer(1) == 3
        assert told == [(1, 2), (2, 2)] and counts[0].left == 0 and counts[0].seconds_left == 0
        assert another(1) == 0
        assert told[2:] == [(3, 1)] and counts[0].left == 0
    assert inner(1.5) == 2.5
    assert len(told) == 3


def test_how_long_it_takes_is_told_soberly_before_anything_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first kernel calls others, so for a while nothing is done, and the time that went by says nothing of the pace."""
    count = CompileCount(lambda _: None, {"long": 20_000, "short": 1_000})
    outer = SimpleNamespace(kind=KERNEL_EVENT, data={"dispatcher": branch})
    clock = [100.0]
    monkeypatch.setattr("molehunt.core.compile_count.time.perf_counter", lambda: clock[0])
    count.on_start(outer)
    at_once = count.seconds_left
    assert 1 < at_once < 60
    clock[0] += 0.1
    assert at_once < count.seconds_left < 60


def test_how_long_it_takes_is_told_by_the_pace_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("molehunt.core.compile_count.time.perf_counter", lambda: clock[0])
    told = []
    for seconds in (10.0, 20.0):
        count = CompileCount(lambda _: None, {"long": 100_000})
        outer = SimpleNamespace(kind=KERNEL_EVENT, data={"dispatcher": branch})
        count.on_start(outer)
        clock[0] += seconds
        count.on_end(outer)
        told.append(count.seconds_left)
    assert 1.9 < told[1] / told[0] < 2.1


def test_what_has_been_compiled_before_is_not_left_over() -> None:
    @numba.njit(cache=False)  # type: ignore[untyped-decorator]
    def before(number: int) -> int:
        return number + 1

    @numba.njit(cache=False)  # type: ignore[untyped-decorator]
    def after(number: int) -> int:
        return before(number) + 1  # type: ignore[no-any-return]

    assert before(1) == 2
    counts: list[CompileCount] = []
    with count_compiling(counts.append, after):
        assert after(1) == 3
    assert [count.compiled for count in counts] == [1] and counts[0].left == 0


def test_a_function_with_an_address_counts_while_it_is_compiled() -> None:
    @numba.njit(cache=False)  # type: ignore[untyped-decorator]
    def called(number: int) -> int:
        return number + 1

    def entry(number: int) -> int:
        return called(number) + 1  # type: ignore[no-any-return]

    made = entry_function(entry, numba.int64(numba.int64), {"nopython": True})
    told: list[tuple[int, int]] = []
    with count_compiling(lambda count: told.append((count.compiled, count.left)), made):
        made.compile()
    assert told == [(1, 2)]


def test_people_read_how_many_are_left_and_for_how_long() -> None:
    assert compiling_words(34, 12.3) == "34 kernels left, about 15 s"
    assert compiling_words(1, 0.2) == "1 kernel left, about 5 s"
    assert compiling_words(34, 31, 553) == "34 of 553 kernels left, about 35 s"
