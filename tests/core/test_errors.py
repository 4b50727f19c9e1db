"""The named errors say what was wrong and what would be right."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import sys

import pytest

from molehunt.core.errors import (
    AgentFailure,
    BadInput,
    BadNotation,
    BadParameter,
    BadRecord,
    ForeignCode,
    IllegalAction,
    MolehuntError,
    UnknownName,
)


def test_unknown_name_shows_the_nearest_name_and_all_that_are_known() -> None:
    error = UnknownName("ruleset", "krisnady", ["official", "krisnadi"])
    assert str(error) == "unknown ruleset 'krisnady'; did you mean 'krisnadi'? (known: official, krisnadi)"
    assert (error.kind, error.name, error.known) == ("ruleset", "krisnady", ("official", "krisnadi"))


def test_unknown_name_that_is_like_no_other_shows_what_is_known() -> None:
    assert str(UnknownName("agent", "zzz", ["random"])) == "unknown agent 'zzz' (known: random)"
    assert str(UnknownName("agent", "zzz", [])) == "unknown agent 'zzz' (known: none)"


def test_known_names_may_be_given_once_only() -> None:
    assert UnknownName("agent", "rando", (name for name in ["random"])).known == ("random",)


def test_known_names_are_listed_once_each() -> None:
    error = UnknownName("agent", "zzz", ["random", "exact", "random", "random"])
    assert str(error) == "unknown agent 'zzz' (known: random, exact)"


def test_illegal_action_names_seat_action_rule_and_player() -> None:
    error = IllegalAction(3, "map:top", "a map looks at a goal that lies face down", "random")
    assert str(error) == "illegal action of seat 3 (random): 'map:top': a map looks at a goal that lies face down"
    assert (error.seat, error.action, error.rule) == (3, "map:top", "a map looks at a goal that lies face down")
    assert str(IllegalAction(0, "x", "y")) == "illegal action of seat 0: 'x': y"


@pytest.mark.parametrize("error", [UnknownName, BadParameter, BadNotation, BadRecord])
def test_bad_input_is_a_value_error_that_one_can_catch_as_the_projects_own(error: type[Exception]) -> None:
    assert {BadInput, ValueError, MolehuntError} <= set(error.mro())


@pytest.mark.parametrize("error", [IllegalAction, AgentFailure])
def test_what_players_do_wrong_is_no_bad_input(error: type[Exception]) -> None:
    assert MolehuntError in error.mro() and BadInput not in error.mro()


@pytest.mark.parametrize(
    "error",
    [
        IllegalAction(3, "map:top", "a map looks at a goal that lies face down", "random"),
        UnknownName("ruleset", "krisnady", ["official", "krisnadi"]),
        BadInput("no such seat"),
    ],
)
def test_an_error_is_handed_to_another_process_as_it_is(error: MolehuntError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):  # noqa: S301 - its own
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


def refuse(_number: int) -> None:
    """In a process of a pool: fail."""
    raise IllegalAction(3, "map:top", "a map looks at a goal that lies face down", "random")


def test_a_pool_of_processes_hands_on_what_a_player_did_wrong() -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        told = pool.map_async(refuse, [1])
        with pytest.raises(IllegalAction, match=r"of seat 3 \(random\): 'map:top': a map looks"):
            told.get(timeout=60)


def test_a_player_that_lowers_the_limit_of_recursion_does_so_for_itself_alone() -> None:
    before = sys.getrecursionlimit()

    def fail() -> None:
        sys.setrecursionlimit(before - 100)
        with ForeignCode("mine failed in choose"):
            sys.setrecursionlimit(before - 200)
            raise ValueError

    try:
        with ForeignCode("mine failed in choose"):
            sys.setrecursionlimit(before - 100)
        assert sys.getrecursionlimit() == before
        with pytest.raises(AgentFailure, match="mine failed in choose: ValueError"):
            fail()
        assert sys.getrecursionlimit() == before - 100
        with ForeignCode("mine failed in choose"):
            sys.setrecursionlimit(before + 100)  # as a player that searches deep may need
        assert sys.getrecursionlimit() == before + 100
    finally:
        sys.setrecursionlimit(before)


def test_who_begins_a_thread_a_move_is_told_that_those_before_have_not_ended() -> None:
    def no_more() -> None:
        raise RuntimeError("can't start new thread")

    with (
        pytest.raises(AgentFailure, match="can't start new thread, as those begun before have not ended"),
        ForeignCode("mine failed"),
    ):
        no_more()
