"""What machine code was made for is known by marks: of a use, of these sources, set by who has used all its kernels."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from molehunt.console import sitting
from molehunt.core import kernels, made, meanwhile
from molehunt.core.beside import Task
from molehunt.core.interpreting import is_interpreting
from molehunt.core.made import made_before, mark_of, note_made
from molehunt.core.meanwhile import compile_beside

PATIENCE = 120.0


@pytest.fixture(autouse=True)
def of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Marks in a folder of the test's, and machine code of something at hand."""
    monkeypatch.setattr(kernels, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(kernels, "warm", lambda: True)


def until_over() -> None:
    """Wait until nothing is being compiled."""
    until = time.monotonic() + PATIENCE
    while meanwhile._compiling is not None:
        assert time.monotonic() < until
        time.sleep(0.02)


def nothing() -> None:
    """In a process beside: nothing is to be compiled."""


def test_a_mark_is_of_one_use_and_of_the_sources_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not made_before("duel mcgill duel-star")
    note_made("duel mcgill duel-star")
    assert made_before("duel mcgill duel-star") and not made_before("duel mcgill greedy-2020")
    monkeypatch.setattr(made, "sources", lambda: "0123456789abcdef")
    assert not made_before("duel mcgill duel-star")


def test_marks_are_set_once_all_was_used_here_and_not_where_that_failed() -> None:
    compile_beside([Task("one", nothing)], then=nothing, uses=("one", "one and more"))
    until_over()
    assert made_before("one") and made_before("one and more")

    def fail() -> None:
        raise RuntimeError("no")

    compile_beside([Task("two", nothing)], then=fail, uses=("two",))
    until_over()
    assert not made_before("two")


def test_a_folder_that_cannot_be_written_to_keeps_no_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "CACHE_FOLDER", tmp_path / "none")
    note_made("one")
    assert not made_before("one")


def test_who_sits_down_waits_for_no_compiler_though_some_machine_code_is_there() -> None:
    """As after another command, or after a first start that was broken off."""
    sitting._began_warm.cache_clear()
    seen: list[bool] = []
    sitting.make_ready("a game", "a game and its players", nothing)
    assert sitting.at_once("a game", is_interpreting)
    until_over()
    assert mark_of("a game").exists() and made_before("a game and its players")
    sitting._began_warm.cache_clear()
    sitting.make_ready("a game", "a game and its players", lambda: seen.append(is_interpreting()))
    assert seen == [False]
    assert not sitting.at_once("a game", is_interpreting)
    sitting._began_warm.cache_clear()


def test_where_players_sit_makes_no_difference_to_what_is_needed() -> None:
    assert sitting.use_of("duel", "mcgill", ["b", "a"]) == sitting.use_of("duel", "mcgill", ["a", "b", "a"])
    assert sitting.use_of("duel", "mcgill", ["a"]) != sitting.use_of("duel", "mcgill", ["a"], practice=True)
