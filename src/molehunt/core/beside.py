"""Tasks in processes beside this one, each with the machine code that it needs; what they do is told as it happens.

A process compiles one kernel at a time, so a machine with several cores compiles in several processes. Machine code is shared by
way of the folder on disk: a task names those after which it is begun, because what they compile is what it needs as well, and
so nothing is compiled twice. A task is a function of a module and arguments that can be pickled; so is its result.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import threading
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, cast

from molehunt.core.errors import MolehuntError
from molehunt.core.processes import start_beside


@dataclass(frozen=True)
class Task:
    """`function(*arguments)`, begun when the tasks named in `after` have ended."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    after: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Began:
    """A task was given to a process."""

    task: str


@dataclass(frozen=True)
class Compiling:
    """A process that is at a task begins to compile a kernel."""

    task: str
    kernel: str


@dataclass(frozen=True)
class Ended:
    """A task has ended, with this result."""

    task: str
    result: Any


@dataclass(frozen=True)
class Failed:
    """A task has ended with an error, told in words."""

    task: str
    error: str


News = Began | Compiling | Ended
"""What is told while tasks are done."""


def do_beside(tasks: Sequence[Task], processes: int) -> Generator[News, None, None]:
    """Do tasks in up to so many processes, those first that stand first; tells what happens, until all have ended.

    MolehuntError if a task fails or its process dies. When the caller stops, or is interrupted, the processes are ended at once.
    They themselves take no notice of Ctrl-C.
    """
    with contextlib.ExitStack() as stack:
        idle = [stack.enter_context(_process()) for _ in range(min(processes, len(tasks)))]
        busy: dict[Connection, Task] = {}
        todo, ended = list(tasks), set[str]()
        while todo or busy:
            for task in [task for task in todo if task.after <= ended][: len(idle)]:
                pipe = idle.pop(0)
                busy[pipe] = task
                todo.remove(task)
                pipe.send((task.name, task.function, task.arguments))
                yield Began(task.name)
            if not busy:
                raise MolehuntError(f"{todo[0].name} waits for {', '.join(todo[0].after - ended)}, which nobody does")
            for pipe in cast("list[Connection]", wait(list(busy))):
                news = _hear(pipe, busy[pipe])
                if isinstance(news, Ended):
                    del busy[pipe]
                    idle.append(pipe)
                    ended.add(news.task)
                yield news


def _hear(pipe: Connection, task: Task) -> News:
    """What a process tells next; MolehuntError if it is that the task failed, or if the process is dead."""
    try:
        news: News | Failed = pipe.recv()
    except (EOFError, OSError):
        raise MolehuntError(f"the process that was at {task.name} has died; is there memory enough?") from None
    if isinstance(news, Failed):
        raise MolehuntError(f"{news.task}: {news.error}")
    return news


@contextlib.contextmanager
def _process() -> Iterator[Connection]:
    """A process that does tasks, for a while, by the pipe to it."""
    ours, theirs = multiprocessing.get_context("spawn").Pipe()
    process = start_beside(_do_tasks, theirs)
    theirs.close()
    try:
        yield ours
    finally:
        ours.close()
        process.kill()
        process.join()


def _do_tasks(pipe: Connection) -> None:
    """What the processes do: tasks, as they come over the pipe, until it is closed."""
    from molehunt.core.kernels import watch_compiling

    telling = threading.Lock()  # kernels may be compiled in any thread

    def tell(news: News | Failed) -> None:
        with telling:
            try:
                pipe.send(news)
            except OSError:
                os._exit(1)  # nobody listens any more

    while True:
        try:
            name, function, arguments = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            with watch_compiling(lambda kernel, name=name: tell(Compiling(name, kernel))):  # type: ignore[misc]
                result = function(*arguments)
        except Exception as error:  # noqa: BLE001 - told to the process that waits, which raises it
            if os.environ.get("MOLEHUNT_TRACEBACK"):
                traceback.print_exc()
            words = str(error) if isinstance(error, MolehuntError) else f"{type(error).__name__}: {error}"
            tell(Failed(name, words))
        else:
            tell(Ended(name, result))
