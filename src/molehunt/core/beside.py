"""Tasks in processes beside this one, each with the machine code that it needs; what they do is told as it happens.

A process compiles one kernel at a time, so a machine with several cores compiles in several processes. Machine code is shared by
way of the folder on disk: a task names those after which it is begun, because what they compile is what it needs as well, and
so nothing is compiled twice. A task is a function of a module and arguments that can be pickled; so is its result.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import threading
import traceback
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from molehunt.core.errors import MolehuntError
from molehunt.core.free_memory import free_memory
from molehunt.core.processes import Beside, Line, start_beside

MOST_PROCESSES = 3
"""So many compile for one command at most: more would wait for each other."""
MEMORY = 500e6
"""A process takes so many bytes at most to compile for one task; for one task after the other it can be twice as much."""
SCARCE = 2 * MEMORY
"""Where less memory is left, a process does one task only: another one, which holds nothing yet, does the next."""


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


def with_memory(processes: int) -> int:
    """For how many of so many processes that compile there is memory now."""
    return int(min(processes, free_memory() / MEMORY))


def do_beside(tasks: Sequence[Task], processes: int) -> Generator[News, None, None]:
    """Do tasks in up to so many processes, those first that stand first; tells what happens, until all have ended.

    There are fewer where memory is short, and at least one. MolehuntError if a task fails or its process dies. When the caller
    stops, or is interrupted, the processes are ended at once. They themselves take no notice of Ctrl-C.
    """
    with contextlib.ExitStack() as stack:
        heard: queue.SimpleQueue[tuple[Beside, News | Failed | None]] = queue.SimpleQueue()

        def start() -> Beside:
            return stack.enter_context(_process(heard))

        idle = [start() for _ in range(max(1, with_memory(min(processes, len(tasks)))))]
        busy: dict[Beside, Task] = {}
        gone = set[Beside]()
        todo, ended = list(tasks), set[str]()
        while todo or busy:
            for task in [task for task in todo if task.after <= ended][: len(idle)]:
                process = idle.pop(0)
                busy[process] = task
                todo.remove(task)
                with contextlib.suppress(OSError):  # it has died: that is heard below
                    process.send((task.name, pickle.dumps((task.function, task.arguments))))
                yield Began(task.name)
            if not busy:
                raise MolehuntError(f"{todo[0].name} waits for {', '.join(todo[0].after - ended)}, which nobody does")
            process, news = heard.get()
            if process in gone:
                continue
            if isinstance(news, Failed):
                raise MolehuntError(f"{news.task}: {news.error}")
            if news is None:
                at = f"was at {busy[process].name}" if process in busy else "waited for work"
                raise MolehuntError(f"the process that {at} has died; is there memory enough?")
            if isinstance(news, Ended):
                del busy[process]
                ended.add(news.task)
                if todo and free_memory() < SCARCE:
                    gone.add(process)
                    process.end()
                    process = start()
                idle.append(process)
            yield news


@contextlib.contextmanager
def _process(heard: queue.SimpleQueue[tuple[Beside, News | Failed | None]]) -> Iterator[Beside]:
    """A process that does tasks, for a while. What it tells is put into `heard`, and None when it has died."""
    process = start_beside(_do_tasks)
    listening = threading.Thread(target=_listen, args=(process, heard), daemon=True)
    listening.start()
    try:
        yield process
    finally:
        process.end()
        listening.join()


def _listen(process: Beside, heard: queue.SimpleQueue[tuple[Beside, News | Failed | None]]) -> None:
    news: News | Failed | None
    while True:
        try:
            news = process.receive()
        except Exception:  # noqa: BLE001 - the end of the line, or what cannot be read here: nothing more will be
            news = None
        heard.put((process, news))
        if news is None:
            return


def _do_tasks(line: Line) -> None:
    """What the processes do: tasks, as they come over the line, until it is closed."""
    from molehunt.core.kernels import watch_compiling

    def tell(news: News | Failed) -> None:
        try:
            line.send(news)
        except OSError:
            os._exit(1)  # nobody listens any more

    while True:
        name, sent = line.receive()
        try:
            function, arguments = pickle.loads(sent)  # noqa: S301 - pickled by the process that started this one
            with watch_compiling(lambda kernel, name=name: tell(Compiling(name, kernel))):  # type: ignore[misc]
                result = function(*arguments)
            tell(Ended(name, result))
        except Exception as error:  # noqa: BLE001 - told to the process that waits, which raises it
            if os.environ.get("MOLEHUNT_TRACEBACK"):
                traceback.print_exc()
            words = str(error) if isinstance(error, MolehuntError) else f"{type(error).__name__}: {error}"
            tell(Failed(name, words))
