"""Tasks in processes beside this one."""

from __future__ import annotations

import math
import os
import signal
import time
from pathlib import Path

import pytest

from molehunt.core import beside
from molehunt.core.beside import Began, Compiling, Ended, News, Task, do_beside
from molehunt.core.errors import BadInput, MolehuntError


@pytest.fixture(autouse=True)
def _memory_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "free_memory", lambda: math.inf)


def write_down(folder: Path, name: str) -> int:
    """Say in a folder that a task was done, after all that stands there, and by which process."""
    (folder / name).write_text(" ".join(sorted(path.name for path in folder.iterdir())))
    return os.getpid()


def refuse(_: Path) -> None:
    raise BadInput("not like this")


def stumble(_: Path) -> None:
    raise ZeroDivisionError("by nothing")


def die(_: Path) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def take_an_hour(folder: Path) -> None:
    (folder / "pid").write_text(str(os.getpid()))
    time.sleep(3600)


def compile_something(number: int) -> int:
    import numba

    return int(numba.njit(lambda x: x + 1)(number))


def wait_for(path: Path) -> str:
    for _ in range(600):
        if path.exists() and path.read_text():
            return path.read_text()
        time.sleep(0.05)
    raise TimeoutError(path)


def ends_of(news: list[News]) -> dict[str, object]:
    return {each.task: each.result for each in news if isinstance(each, Ended)}


def test_tasks_wait_for_those_that_they_are_after(tmp_path: Path) -> None:
    tasks = [
        Task("c", write_down, (tmp_path, "c"), frozenset({"a", "b"})),
        Task("a", write_down, (tmp_path, "a")),
        Task("b", write_down, (tmp_path, "b"), frozenset({"a"})),
    ]
    news = list(do_beside(tasks, 2))
    assert [each.task for each in news if isinstance(each, Began)] == ["a", "b", "c"]
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "", "b": "a", "c": "a b"}
    assert os.getpid() not in ends_of(news).values()


@pytest.mark.parametrize(("processes", "used"), [(1, 1), (8, 3)])
def test_there_are_no_more_processes_than_asked_for_and_no_more_than_tasks(
    tmp_path: Path, processes: int, used: int
) -> None:
    tasks = [Task(name, write_down, (tmp_path, name)) for name in "abc"]
    news = list(do_beside(tasks, processes))
    assert sorted(ends_of(news)) == ["a", "b", "c"]
    assert len(set(ends_of(news).values())) == used


@pytest.mark.parametrize(
    ("megabytes", "asked", "given"),
    [(math.inf, 3, 3), (1700, 3, 3), (1400, 3, 2), (700, 3, 1), (300, 2, 0), (9000, 1, 1)],
)
def test_so_many_processes_compile_as_there_is_memory_for(
    megabytes: float, asked: int, given: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "free_memory", lambda: megabytes * 1e6)
    assert beside.with_memory(asked) == given


def test_where_memory_is_scarce_each_task_has_a_process_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = [Task(name, write_down, (tmp_path, name)) for name in "abcd"]
    tasks.append(Task("e", write_down, (tmp_path, "e"), frozenset("abcd")))
    for megabytes, at_a_time in ((990, 1), (1500, 3)):
        monkeypatch.setattr(beside, "free_memory", lambda left=megabytes: left * 1e6)
        news = list(do_beside(tasks, 3))
        assert sorted(ends_of(news)) == ["a", "b", "c", "d", "e"]
        assert len(set(ends_of(news).values())) == (5 if at_a_time == 1 else 3)
        assert [type(each) for each in news[: 2 * at_a_time]].count(Began) >= at_a_time
        if at_a_time == 1:
            assert [type(each) for each in news] == [Began, Ended] * 5


def test_what_is_compiled_is_told() -> None:
    news = list(do_beside([Task("adding", compile_something, (1,))], 1))
    assert Compiling("adding", "<lambda>") in news
    assert news[-1] == Ended("adding", 2)


@pytest.mark.parametrize(
    ("function", "words"),
    [(refuse, "x: not like this"), (stumble, "x: ZeroDivisionError: by nothing"), (die, "the process .* x has died")],
)
def test_a_task_that_fails_is_an_error_that_names_it(tmp_path: Path, function: object, words: str) -> None:
    assert callable(function)
    with pytest.raises(MolehuntError, match=words):
        list(do_beside([Task("x", function, (tmp_path,))], 1))


def test_a_task_that_waits_for_nothing_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MolehuntError, match="x waits for y, which nobody does"):
        list(do_beside([Task("x", write_down, (tmp_path, "x"), frozenset({"y"}))], 1))


def test_whoever_stops_listening_ends_the_processes(tmp_path: Path) -> None:
    news = do_beside([Task("long", take_an_hour, (tmp_path,))], 1)
    assert next(news) == Began("long")
    pid = int(wait_for(tmp_path / "pid"))
    os.kill(pid, signal.SIGINT)  # what Ctrl-C sends to all processes of a terminal does nothing there
    time.sleep(0.2)
    os.kill(pid, 0)
    news.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
