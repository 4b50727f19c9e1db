"""The screen: where results go, and where progress goes."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

from molehunt.core.errors import BadInput, MolehuntError

out = Console(highlight=False, soft_wrap=False)
"""Results, on standard output."""
side = Console(stderr=True, highlight=False)
"""Progress and remarks, on standard error."""


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_threads(threads: int | None) -> int:
    """The number of threads that was asked for, by default one for each core; BadInput outside 1 to 256."""
    return check_count("--threads", cores() if threads is None else threads, 1, 256)


def check_count(option: str, value: int, low: int, high: int) -> int:
    """The value, or BadInput where it lies outside `low` to `high`."""
    if not low <= value <= high:
        raise BadInput(f"{option} must be {low} to {high}, not {value}")
    return value


@contextlib.contextmanager
def working(title: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar while something runs; call what it gives with (done, total).

    The first time on a machine the kernels are compiled: that is said once, with the kernel at hand.
    """
    from molehunt.core.kernels import warm, watch_compiling

    cold = not warm()
    if cold and not side.is_terminal:
        side.print("First use: compiling the kernels for this machine; this takes up to a minute, once.")
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=side,
        transient=True,
    ) as progress:
        task = progress.add_task(title, total=None)
        compiled = 0

        def compiling(name: str) -> None:
            nonlocal compiled
            compiled += 1
            if cold:
                text = f"First use: compiling kernels for this machine, once ({compiled}: {name})"
                progress.update(task, description=text)

        def tell(done: int, total: int) -> None:
            description = title if done or not cold else None
            progress.update(task, completed=done, total=total, description=description)

        with watch_compiling(compiling):
            yield tell


def to_json(value: Any) -> bytes:
    """A value as readable JSON with a newline at the end."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


class Stopped(MolehuntError):
    """A person stopped a command before its end; what was done until then has been kept."""
