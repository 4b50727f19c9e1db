"""Who does the work: threads of this process, or the processors of a cluster; pieces of work and their results in order.

A piece of work is a function of a module and arguments that can be pickled (texts, numbers, ranges of games), so it can be done
anywhere. Its result is small and can be pickled too. Results are taken in the order of the pieces, whoever did them and whenever
they came, so what is counted is the same on one thread and on a cluster.
"""

from __future__ import annotations

import contextlib
import functools
import queue
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from threading import Event, Lock, RLock
from typing import Any, ParamSpec, TypeVar

from molehunt.arena.agent_files import AgentFile, agents_from
from molehunt.core.agent import Agent
from molehunt.core.errors import BadInput, value_text
from molehunt.core.game import Game
from molehunt.core.numbers import is_whole
from molehunt.games.registry import make_game

P = ParamSpec("P")
T = TypeVar("T")

Workers = Executor
"""Anything that does pieces of work: `submit(function, *arguments)` gives a future. See `width_of`."""

AHEAD = 2
"""Pieces under way for each that can be done at once, so that nobody waits for the next one."""
KEPT = 16
"""Pieces for each that can be done at once, when also results are counted that wait for an earlier piece."""


class Threads(ThreadPoolExecutor):
    """Threads of this process. `width` is how many pieces can be done at once."""

    def __init__(self, threads: int) -> None:
        super().__init__(threads, "playing")
        self.width = threads


def width_of(workers: Workers) -> int:
    """How many pieces can be done at once; also of an executor of the standard library."""
    width: int = getattr(workers, "width", getattr(workers, "_max_workers", 1))
    return width


def is_here(workers: Workers) -> bool:
    """Whether pieces are done in this process, so that they may be given its own objects."""
    return isinstance(workers, ThreadPoolExecutor) or bool(getattr(workers, "is_here", False))


def takes_objects(workers: Workers) -> bool:
    """Whether pieces are best given this process's own objects: they are done here, and nobody wants to know them by their text."""
    return is_here(workers) and not getattr(workers, "by_text", False)


@contextlib.contextmanager
def open_workers(threads: int | None = None, cluster: str | None = None) -> Iterator[Workers]:
    """Workers for a while: `threads` threads of this process (one without a number), or all processors of a cluster.

    `cluster` is the address of a Ray cluster that runs (`host:port`, or `auto` for the one on this machine). At the end, and when
    something fails, pieces that have not begun are called off and those that run are not waited for. BadInput where `threads` is no
    number of them; 0 is one, too.
    """
    asked: object = threads
    if asked is not None and (not is_whole(asked) or asked < 0):
        raise BadInput(f"how many threads work is a whole number from 0 on, not {value_text(threads)}")
    if cluster is not None:
        from molehunt.arena.cluster import open_cluster

        with open_cluster(cluster) as workers_there:
            yield workers_there
        return
    workers = Threads(threads or 1)
    try:
        yield workers
    finally:
        workers.shutdown(wait=False, cancel_futures=True)


@contextlib.contextmanager
def using(workers: Workers | int) -> Iterator[Workers]:
    """The workers as they are given; for a number, so many threads for a while. BadInput where they are neither."""
    given: object = workers
    if is_whole(workers) and workers >= 0:
        with open_workers(int(workers)) as threads:
            yield threads
    elif isinstance(given, Executor):
        yield given
    else:
        raise BadInput(f"workers are a number of threads, or what open_workers gives, not {value_text(workers)}")


def each_in_order(
    workers: Workers, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]]
) -> Generator[T, None, None]:
    """`function(*each)` for all arguments, done by the workers; the results in the order of the arguments.

    Arguments are taken from their iterator as there is room. An error of a piece is raised in its turn. Where the caller stops
    early, pieces that have not begun are called off.
    """
    return _results(workers, function, iter(arguments), queue.SimpleQueue(), Event())


def _results(
    workers: Workers,
    function: Callable[..., T],
    todo: Iterator[tuple[Any, ...]],
    ended: queue.SimpleQueue[Future[T] | None],
    stopped: Event,
) -> Generator[T, None, None]:
    """The results in order. Every future that ends is put into `ended`; once `stopped` is set, anything put there ends this."""
    waiting: deque[Future[T]] = deque()
    under_way = 0
    piece = next(todo, None)
    try:
        while not stopped.is_set():
            while not ended.empty():
                ended.get()
                under_way -= 1
            width = width_of(workers)
            while piece is not None and under_way < AHEAD * width and len(waiting) < KEPT * width:
                future = workers.submit(function, *piece)
                waiting.append(future)
                under_way += 1
                future.add_done_callback(ended.put)
                piece = next(todo, None)
            if waiting and waiting[0].done():
                yield waiting.popleft().result()
                continue
            if not waiting and piece is None:
                return
            # Where nothing waits, all that is under way has ended, and is about to be put into `ended`: there will be room.
            ended.get()
            under_way -= 1
    finally:
        for future in waiting:
            future.cancel()


def in_order(
    workers: Workers, function: Callable[..., T], arguments: Iterable[tuple[Any, ...]], take: Callable[[T], None]
) -> None:
    """As `each_in_order`; every result is given to `take`, which a Ctrl-C never leaves half done.

    Only the main thread is ever interrupted, so results are taken in another one. A KeyboardInterrupt comes out after the result
    that is being taken; no further one is taken then.
    """
    taking, stopped = Lock(), Event()
    ended: queue.SimpleQueue[Future[T] | None] = queue.SimpleQueue()

    def collect() -> None:
        with contextlib.closing(_results(workers, function, iter(arguments), ended, stopped)) as results:
            for result in results:
                with taking:
                    if stopped.is_set():
                        return
                    take(result)

    clerk = ThreadPoolExecutor(1)
    try:
        clerk.submit(collect).result()
    finally:
        stopped.set()  # before the lock, for which the one who takes results might be quicker
        with taking:  # what is being taken is taken to its end
            pass
        ended.put(None)
        clerk.shutdown(wait=False)


# --- What a process makes once --------------------------------------------------------------------------------------------


def once_per_process(function: Callable[P, T]) -> Callable[P, T]:
    """Keep what a function gave for its arguments, as long as the process lives; made once, also where many threads ask at once."""
    lock = RLock()
    kept = functools.lru_cache(maxsize=256)(function)

    @functools.wraps(function)
    def ask(*args: P.args, **kwargs: P.kwargs) -> T:
        with lock:
            return kept(*args, **kwargs)  # type: ignore[arg-type]

    return ask


@once_per_process
def the_game(name: str, ruleset: str, seats: int) -> Game:
    """The game of a text, made once in a process."""
    return make_game(name, ruleset, seats)


@once_per_process
def the_player(game: str, spec: str, files: tuple[AgentFile, ...] = ()) -> Agent:
    """The player of a text, made once in a process; a player holds no state of a game, so all may share it.

    `files` are those of one's own that it may come from.
    """
    return agents_from(game, files).make(spec)
