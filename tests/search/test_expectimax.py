"""The compiled search against the definition of expectiminimax in plain Python, over made-up games."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numba.core.errors import TypingError

from molehunt.core.errors import BadInput
from molehunt.core.interpreting import interpret_meanwhile, interpreting, interpreting_until, is_interpreting
from molehunt.search.expectimax import (
    CHANCE,
    OTHER,
    OVER,
    OWN,
    Found,
    Model,
    Search,
    _search_moves,
    compile_search,
    no_bounds,
)
from search.made_up import (
    CHANCES,
    COUNT,
    PLACE,
    TARGETS,
    TURN,
    VALUE,
    WIDTH,
    Table,
    made_up_model,
    random_table,
    slow_value,
    slow_values,
)

START = np.zeros(1, PLACE)
KINDS = {
    "own moves": (OVER, OWN),
    "two players": (OVER, OWN, OTHER),
    "chance": (OVER, OWN, CHANCE),
    "all": (OVER, OWN, OWN, OTHER, OTHER, CHANCE),
    "never over": (OWN, OTHER, CHANCE),
}


@cache
def model() -> Model:
    return made_up_model()


def search(table: Table, depth: int, **options: float) -> Found:
    return Search(model()).run(START, table.ravel(), depth, **options)  # type: ignore[arg-type]


# --- Values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_every_move_of_the_root_has_the_value_of_expectiminimax(kind: str, cached: bool) -> None:
    together = Search(model())
    for number in range(25):
        table = random_table(number, (12, 60, 400)[number % 3], KINDS[kind])
        for depth in range(1, 6):
            found = together.run(START, table.ravel(), depth, cached=cached)
            assert found.moves.tolist() == [10, 11, 12, 13]
            np.testing.assert_allclose(found.values, slow_values(table, depth), rtol=1e-12, atol=1e-12)
            assert found.searched.all()


def test_a_search_may_go_as_deep_as_it_was_made_for() -> None:
    """With chance between all moves, which fills the stack most."""
    table = random_table(0, 2, (OWN,))
    table[0, [TURN, COUNT]] = OWN, 2
    table[1, [TURN, COUNT]] = CHANCE, 1
    table[0, TARGETS:CHANCES] = 1
    table[1, TARGETS:CHANCES] = 0
    table[1, CHANCES] = 1
    table[:, VALUE] = 3, 5
    for depth in range(1, 9):
        found = Search(model(), depth).run(START, table.ravel(), depth)
        assert found.values.tolist() == [5, 5]


@pytest.mark.parametrize("depth", [0, -1, 3, 40, 2.0, True])
def test_a_search_goes_no_deeper_than_it_was_made_for(depth: Any) -> None:
    table = random_table(3, 12, (OWN, OTHER))
    with pytest.raises(BadInput, match="the depth of this search is a whole number from 1 to 2, not "):
        Search(model(), 2).run(START, table.ravel(), depth)


@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("pruned", [True, False])
def test_chance_after_chance_has_no_end_and_is_told(cached: bool, pruned: bool) -> None:
    table = np.zeros((3, WIDTH))
    table[0, [TURN, COUNT, TARGETS]] = OWN, 1, 1
    table[1, [TURN, COUNT, TARGETS, CHANCES]] = CHANCE, 1, 2, 1.0
    table[2, [TURN, COUNT, TARGETS, CHANCES]] = CHANCE, 1, 1, 1.0
    for depth in (2, 8):
        assert Search(model(), depth).run(START, table.ravel(), 1).values.tolist() == [0]
        with pytest.raises(BadInput, match="chance follow each other more often than a search of depth"):
            Search(model(), depth).run(START, table.ravel(), 2, cached=cached, pruned=pruned)


def test_a_search_is_made_of_numbers_and_begins_at_a_position_of_its_model() -> None:
    for wrong in ({"most_depth": 0}, {"most_depth": 1.5}, {"table_bits": 1}, {"table_bits": 31}):
        with pytest.raises(BadInput, match="is a whole number from"):
            Search(model(), **wrong)
    table = random_table(3, 12, (OWN, OTHER)).ravel()
    for position in (np.zeros(2, PLACE), np.zeros(1, np.float64), None):
        with pytest.raises(BadInput, match="begins at an array of one record of its model"):
            Search(model()).run(position, table, 2)  # type: ignore[arg-type]


def test_chance_counts_no_depth_and_the_depth_limit_is_worth_the_position() -> None:
    table = np.zeros((4, WIDTH))
    table[0, [TURN, COUNT, TARGETS]] = OWN, 1, 1
    table[1, [TURN, VALUE, COUNT, TARGETS, TARGETS + 1]] = CHANCE, 100, 2, 2, 3
    table[1, CHANCES : CHANCES + 2] = 0.25, 0.75
    table[2, [TURN, VALUE]] = OVER, 8
    table[3, [TURN, VALUE, COUNT, TARGETS]] = OTHER, 4, 1, 2
    assert search(table, 1).values.tolist() == [100]
    assert search(table, 2).values.tolist() == [0.25 * 8 + 0.75 * 8]
    table[3, TARGETS] = 3
    assert search(table, 2).values.tolist() == [0.25 * 8 + 0.75 * 4]


# --- The best moves ---------------------------------------------------------------------------------------------------


def test_best_are_all_the_moves_with_the_highest_value() -> None:
    ties = 0
    for number in range(60):
        table = random_table(number, 40)
        slow = slow_values(table, 3)
        best = search(table, 3).best.tolist()
        assert best == [10 + move for move, value in enumerate(slow) if value == pytest.approx(max(slow), rel=1e-12)]
        ties += len(best) > 1
    assert 5 < ties < 60


def test_best_are_of_those_searched_or_of_all_where_none_was() -> None:
    moves, values = np.array([4, 5, 6], np.int32), np.array([3.0, 1.0, 3.0])
    assert Found(moves, values, np.array([False, True, False]), 1, 0).best.tolist() == [5]
    assert Found(moves, values, np.array([False, True, True]), 1, 0).best.tolist() == [6]
    assert Found(moves, values, np.array([False, False, False]), 1, 0).best.tolist() == [4, 6]


# --- Positions that come again ----------------------------------------------------------------------------------------


def test_equal_positions_are_searched_once() -> None:
    saved = 0
    for number in range(20):
        table = random_table(number, 12, KINDS["never over"])
        plain, kept = search(table, 5, cached=False), search(table, 5)
        np.testing.assert_array_equal(plain.values, kept.values)
        assert kept.nodes <= plain.nodes and plain.hits == 0
        # Not more moves than there are pairs of a place and a remaining depth; and as many as there are without a table.
        assert kept.nodes <= 12 * 5
        assert plain.nodes == 4 + 4 + sum(
            slow_value(table, int(place), 4)[1] for place in table[0, TARGETS : TARGETS + 4]
        )
        saved += kept.hits > 0 and kept.nodes < plain.nodes / 4
    assert saved > 10


@pytest.mark.parametrize("bits", [2, 3, 5])
def test_a_table_that_overflows_changes_no_value(bits: int) -> None:
    small = Search(model(), table_bits=bits)
    for number in range(20):
        table = random_table(number, 60)
        found = small.run(START, table.ravel(), 4)
        np.testing.assert_allclose(found.values, slow_values(table, 4), rtol=1e-12, atol=1e-12)


def test_values_of_an_earlier_run_are_not_used_again() -> None:
    again = Search(model())
    first, second = random_table(1, 12), random_table(2, 12)
    for table in (first, second, first):
        np.testing.assert_allclose(again.run(START, table.ravel(), 4).values, slow_values(table, 4), rtol=1e-12)


# --- Limits -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cached", [True, False])
def test_no_more_moves_are_played_than_allowed_and_what_is_searched_is_right(cached: bool) -> None:
    stopped, complete = 0, 0
    together = Search(model())
    for number in range(12):
        table = random_table(number, 200, KINDS["never over"])
        deep, at_once = slow_values(table, 4), slow_values(table, 1)
        order = np.argsort([-value for value in at_once], kind="stable")
        for limit in (4, 5, 10, 30, 60, 100, 300, 100_000):
            found = together.run(START, table.ravel(), 4, nodes=limit, cached=cached)
            assert found.nodes <= limit
            done = int(found.searched.sum())
            # The best at first sight come first, those not searched keep what they are worth at first sight.
            assert found.searched[order].tolist() == [True] * done + [False] * (4 - done)
            np.testing.assert_allclose(found.values, np.where(found.searched, deep, at_once), rtol=1e-12)
            assert not done or found.searched[np.isin(found.moves, found.best)].all()
            stopped += 0 < done < 4
            complete += done == 4
    assert stopped > 10 and complete >= 12


def test_a_stopped_run_leaves_nothing_wrong_behind() -> None:
    again, table = Search(model()), random_table(5, 200, KINDS["never over"])
    for limit in range(4, 40):
        again.run(START, table.ravel(), 4, nodes=limit)
        np.testing.assert_allclose(again.run(START, table.ravel(), 4).values, slow_values(table, 4), rtol=1e-12)


def test_a_tiny_time_stops_the_search_early() -> None:
    early = 0
    for number in range(10):
        table = random_table(number, 400, KINDS["never over"])
        found, complete = search(table, 8, seconds=1e-9), search(table, 8)
        assert found.nodes < complete.nodes
        assert complete.searched.all()
        early += not found.searched.any()
        np.testing.assert_allclose(
            found.values, np.where(found.searched, complete.values, slow_values(table, 1)), rtol=1e-12
        )
    assert early == 10


def test_enough_time_finishes_the_search_as_without_a_limit() -> None:
    table = random_table(3, 30)
    timed, free = search(table, 4, seconds=3600), search(table, 4)
    assert timed.searched.all() and timed.nodes == free.nodes
    np.testing.assert_array_equal(timed.values, free.values)


def test_time_does_not_lift_the_limit_of_moves() -> None:
    table = random_table(3, 400, KINDS["never over"])
    assert search(table, 6, seconds=3600, nodes=50).nodes <= 50


# --- Pruning ----------------------------------------------------------------------------------------------------------


@cache
def unbounded() -> Model:
    return made_up_model(no_bounds)


def place_values(table: Table, values: dict[int, float]) -> None:
    """Places where the game is over."""
    for place, value in values.items():
        table[place, [TURN, VALUE]] = OVER, value


def test_a_mean_is_cut_when_the_rest_cannot_lift_it() -> None:
    """A move is worth 5; of the other, a quarter is worth -9, and all the rest at most 9: 4.5 at most."""
    table = np.zeros((7, WIDTH))
    table[0, [TURN, COUNT, TARGETS, TARGETS + 1]] = OWN, 2, 1, 2
    table[2, [TURN, COUNT]] = CHANCE, 4
    table[2, TARGETS:CHANCES] = 3, 4, 5, 6
    table[2, CHANCES:] = 0.25
    place_values(table, {1: 5, 3: -9, 4: -8, 5: 9, 6: 8})
    whole, pruned = search(table, 2), search(table, 2, pruned=True)
    assert (whole.nodes, pruned.nodes) == (2 + 2 + 4, 2 + 2 + 1)
    assert pruned.searched.tolist() == [True, False]
    assert pruned.values.tolist() == [5, 0]  # what is cut keeps its immediate value
    assert Search(unbounded()).run(START, table.ravel(), 2, pruned=True).nodes == whole.nodes
    # One more, and the second half could lift it to 5: a tie is searched to the end.
    table[3, VALUE] = -7
    assert search(table, 2, pruned=True).nodes == 2 + 2 + 2


def test_a_reply_that_is_worse_for_the_searcher_cuts_the_others_and_an_equal_one_does_not() -> None:
    table = np.zeros((6, WIDTH))
    table[0, [TURN, COUNT, TARGETS, TARGETS + 1]] = OWN, 2, 1, 2
    table[2, [TURN, COUNT, TARGETS, TARGETS + 1, TARGETS + 2]] = OTHER, 3, 3, 4, 5
    for first, nodes, best in ((4, 2 + 2 + 1, [10]), (5, 2 + 2 + 3, [10, 11])):
        place_values(table, {1: 5, 3: first, 4: 7, 5: 6})
        found = search(table, 2, pruned=True)
        assert (found.nodes, found.best.tolist()) == (nodes, best)


def test_only_a_pruned_search_has_bounds_compiled() -> None:
    def of_words(_positions: object, _settings: object, _move: int, _depth: int, out: Any) -> None:
        out[0] = "no number"  # the compiler takes no such thing

    table = random_table(1, 60, KINDS["chance"])
    no_compiler_takes_it = Search(made_up_model(of_words))
    np.testing.assert_allclose(no_compiler_takes_it.run(START, table.ravel(), 3).values, slow_values(table, 3))
    with pytest.raises(TypingError):
        no_compiler_takes_it.run(START, table.ravel(), 3, pruned=True)


@pytest.mark.parametrize("cached", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_pruned_the_best_moves_and_their_value_are_the_same(kind: str, cached: bool) -> None:
    together, free, plain = Search(model()), Search(unbounded()), Search(model())
    nodes, ties = np.zeros(3, np.int64), 0
    for number in range(60):
        table = random_table(number, (12, 60, 400)[number % 3], KINDS[kind])
        for depth in range(1, 6):
            runs = [
                search.run(START, table.ravel(), depth, cached=cached, pruned=pruned)
                for search, pruned in ((plain, False), (free, True), (together, True))
            ]
            whole = runs[0]
            np.testing.assert_allclose(whole.values, slow_values(table, depth), rtol=1e-12, atol=1e-12)
            for found in runs[1:]:
                assert found.best.tolist() == whole.best.tolist()
                # To the last bit: what is not cut is added up in the same order.
                assert found.values[found.searched].max() == whole.values.max()
                np.testing.assert_allclose(found.values[found.searched], whole.values[found.searched], atol=1e-12)
                assert cached or found.nodes <= whole.nodes
            nodes += [found.nodes for found in runs]
            ties += len(whole.best) > 1
    assert ties > 20
    whole_nodes, free_nodes, bounded_nodes = nodes.tolist()
    if "own moves" not in kind:
        assert bounded_nodes < 0.9 * whole_nodes
    assert bounded_nodes <= free_nodes
    assert (free_nodes == whole_nodes) == (kind in {"own moves", "chance"})


@pytest.mark.parametrize("bits", [2, 3])
def test_pruned_a_table_that_overflows_changes_no_best_move(bits: int) -> None:
    small = Search(model(), table_bits=bits)
    for number in range(30):
        table = random_table(number, 60)
        found, whole = small.run(START, table.ravel(), 5, pruned=True), search(table, 5)
        assert found.best.tolist() == whole.best.tolist()
        assert found.values[found.searched].max() == whole.values.max()


@pytest.mark.parametrize("cached", [True, False])
def test_pruned_the_limits_are_kept_and_what_is_searched_is_right(cached: bool) -> None:
    stopped, cut = 0, 0
    together = Search(model())
    for number in range(12):
        table = random_table(number, 200, KINDS["never over"])
        deep, at_once = slow_values(table, 4), slow_values(table, 1)
        for limit in (4, 5, 10, 30, 60, 100, 300, 100_000):
            found = together.run(START, table.ravel(), 4, nodes=limit, cached=cached, pruned=True)
            assert found.nodes <= limit
            np.testing.assert_allclose(found.values, np.where(found.searched, deep, at_once), rtol=1e-12)
            stopped += not found.searched.any()
            cut += limit == 100_000 and not found.searched.all()
        timed = together.run(START, table.ravel(), 4, seconds=3600, cached=cached, pruned=True)
        assert timed.best.tolist() == search(table, 4).best.tolist()
        early = together.run(START, table.ravel(), 8, seconds=1e-9, cached=cached, pruned=True)
        assert not early.searched.any()
    assert stopped > 10 and cut > 5


# --- Another process --------------------------------------------------------------------------------------------------

ELSEWHERE = """
import json
from molehunt.core.kernels import watch_compiling
compiled = []
with watch_compiling(compiled.append):
    import numpy as np
    from molehunt.search.expectimax import Search
    from search.made_up import PLACE, made_up_model, random_table
    found = Search(made_up_model()).run(np.zeros(1, PLACE), random_table(7, 60).ravel(), 4)
    pruned = Search(made_up_model()).run(np.zeros(1, PLACE), random_table(7, 60).ravel(), 4, pruned=True)
    assert pruned.best.tolist() == found.best.tolist()
print(json.dumps([found.values.tolist(), found.nodes, compiled]))
"""


def test_a_search_for_the_best_moves_is_pruned_as_long_as_it_is_interpreted() -> None:
    table = random_table(5, 60)
    whole, pruned = search(table, 3), search(table, 3, pruned=True)
    assert pruned.nodes < whole.nodes
    assert search(table, 3, only_best=True).nodes == whole.nodes
    with interpreting():
        assert search(table, 3).nodes == whole.nodes
        assert search(table, 3, only_best=True).nodes == pruned.nodes


def test_a_search_that_machine_code_comes_to_in_the_middle_finds_the_best_moves_all_the_same() -> None:
    together, ties = Search(model()), 0
    for number in range(24):
        table = random_table(number, (12, 60, 400)[number % 3])
        whole = search(table, 3)
        asked = itertools.count()
        interpret_meanwhile(True)
        try:
            with interpreting_until(lambda asked=asked, number=number: next(asked) > number % 5):  # type: ignore[misc]
                found = together.run(START, table.ravel(), 3, only_best=True)
                assert not is_interpreting()
        finally:
            interpret_meanwhile(False)
        assert found.best.tolist() == whole.best.tolist()
        assert found.values[found.searched].max() == pytest.approx(whole.values.max(), rel=1e-12)
        ties += len(whole.best) > 1
    assert ties


def test_what_searches_is_compiled_apart_from_the_functions_of_a_model() -> None:
    """For positions as no other test has them."""

    def no_play(positions: Any, _settings: Any, _move: int) -> None:
        positions[0] = "no position"  # the compiler takes no such thing

    positions = np.zeros(1, [("place", np.int64), ("more", np.int64)])
    here = replace(made_up_model(), dtype=positions.dtype)
    searches: Any = _search_moves
    made_before = len(searches.from_python().signatures)
    compile_search(replace(here, play=no_play))
    assert len(searches.from_python().signatures) == made_before + 1
    table = random_table(3, 60)
    found = Search(here).run(positions, table.ravel(), 3)
    np.testing.assert_allclose(found.values, slow_values(table, 3))
    assert len(searches.from_python().signatures) == made_before + 1


def test_the_compiled_search_is_loaded_again_in_another_process() -> None:
    """The recursion has one type, so that its code can be loaded: two types crashed the second process."""
    here = search(random_table(7, 60), 4)  # compiled and on the disk from here on
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path!r}{ELSEWHERE}"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        values, nodes, compiled = json.loads(done.stdout)
        assert (values, nodes) == (here.values.tolist(), here.nodes)
        assert compiled == []
