"""Threads in which a player thinks about one move, kept from move to move and shared by all players that ask for as many."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from functools import cache

from molehunt.core.interpreting import as_here


@cache
def pool(threads: int) -> Executor:
    """So many threads: however many players think at once, no more of them work."""
    return ThreadPoolExecutor(threads, thread_name_prefix="thinking")


def side_by_side(work: Callable[[int], None], threads: int) -> None:
    """Call `work` with each number below `threads` at once, in this thread where it is one; all have ended when it comes back.

    The first error of any of them is raised.
    """
    if threads == 1:
        work(0)
        return
    tasks = [pool(threads).submit(as_here(work), number) for number in range(threads)]
    try:
        for task in tasks:
            task.result()
    finally:
        wait(tasks)  # they write to what the caller goes on with
