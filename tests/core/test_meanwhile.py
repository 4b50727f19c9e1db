"""While processes beside compile, kernels are interpreted here; who needs machine code waits for its own part of it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from molehunt.core import meanwhile
from molehunt.core.beside import Task
from molehunt.core.interpreting import is_interpreting
from molehunt.core.meanwhile import all_made, compile_beside, is_at_hand, machine_code

PATIENCE = 120.0


def wait_for(file: str) -> None:
    """In a process beside: be done when a file is there."""
    while not Path(file).exists():
        time.sleep(0.02)


def tell_courtesy(file: str) -> None:
    """In a process beside: write down how much it lets others go first."""
    Path(file).write_text(str(os.nice(0)))


def fail() -> None:
    """In a process beside: fail."""
    raise RuntimeError("no")


def until_over() -> None:
    """Wait until nothing is being compiled."""
    until = time.monotonic() + PATIENCE
    while meanwhile._compiling is not None:
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """Nothing is being compiled before a test and after it."""
    until_over()
    yield
    until_over()


def test_kernels_are_interpreted_until_the_last_work_is_done_and_then_compiled(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    seen: list[bool] = []
    compile_beside(
        [Task("one", wait_for, (str(first),)), Task("two", wait_for, (str(second),))],
        2,
        lambda: seen.append(is_interpreting()),
    )
    assert is_interpreting()
    assert not is_at_hand("one")
    first.touch()
    with machine_code("one"):
        assert not is_interpreting()
    assert is_at_hand("one")
    with machine_code("one", needed=False):
        assert not is_interpreting()
    assert is_interpreting()
    assert not is_at_hand("two")
    second.touch()
    until_over()
    assert not is_interpreting()
    assert is_at_hand("two")
    assert seen == [False]


def test_a_part_is_at_hand_before_the_whole_and_where_nobody_makes_it_alone_with_the_whole(tmp_path: Path) -> None:
    part, whole = tmp_path / "part", tmp_path / "whole"
    compile_beside([Task("one/part", wait_for, (str(part),)), Task("one", wait_for, (str(whole),))])
    assert not is_at_hand("one/part")
    part.touch()
    with machine_code("one/part"):
        assert not is_interpreting()
    assert is_at_hand("one/part")
    assert not is_at_hand("one")
    assert not is_at_hand("one/another")
    whole.touch()
    with machine_code("one/another"):
        assert not is_interpreting()
    until_over()


@pytest.mark.skipif(not hasattr(os, "nice"), reason="processes have no niceness here")
def test_what_compiles_beside_lets_whoever_plays_go_first(tmp_path: Path) -> None:
    file = tmp_path / "courtesy"
    compile_beside([Task("zero", fail), Task("one", tell_courtesy, (str(file),))])
    until_over()
    assert int(file.read_text()) == min(os.nice(0) + meanwhile.COURTESY, 19)


def test_a_thread_that_needs_machine_code_waits_for_its_part_only(tmp_path: Path) -> None:
    file = tmp_path / "done"
    compile_beside([Task("one", wait_for, (str(file),))])
    for name in ("one", "another"):
        with machine_code(name, needed=False):
            assert is_interpreting()
    with machine_code("another"):
        assert not is_interpreting()
    through = threading.Event()

    def think() -> None:
        with machine_code("one"):
            through.set()

    thread = threading.Thread(target=think)
    thread.start()
    assert not through.wait(0.3)
    file.touch()
    thread.join(PATIENCE)
    assert through.is_set()


def test_who_did_not_wait_goes_on_with_machine_code_as_soon_as_its_own_is_made(tmp_path: Path) -> None:
    mine, all_of_it = tmp_path / "mine", tmp_path / "all"
    compile_beside([Task("one/part", wait_for, (str(mine),)), Task("one", wait_for, (str(all_of_it),))])
    with machine_code("one/part", needed=False):
        assert is_interpreting()
        mine.touch()
        with machine_code("one/part"):
            pass
        assert not is_interpreting()
    assert is_interpreting()
    all_of_it.touch()


def test_all_is_made_when_what_comes_after_the_last_work_is_done_too(tmp_path: Path) -> None:
    file, loaded = tmp_path / "done", threading.Event()
    assert all_made()
    compile_beside([Task("one", wait_for, (str(file),))], then=lambda: loaded.wait(PATIENCE))
    file.touch()
    with machine_code("one"):
        assert not all_made(0.1)
    loaded.set()
    assert all_made(PATIENCE)


def test_work_that_fails_or_cannot_be_handed_over_keeps_nobody_waiting() -> None:
    compile_beside([Task("one", fail), Task("two", lambda: None)])
    with machine_code("two"):
        pass
    until_over()
    assert is_at_hand("one")


def test_without_anything_being_made_nothing_changes() -> None:
    with machine_code("one"):
        assert not is_interpreting()
    compile_beside([])
    assert not is_interpreting()
