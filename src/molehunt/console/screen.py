"""The screen: where results go, where progress goes, and how files are written."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
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


def write_file(path: Path, text: str | bytes) -> None:
    """Write a file whole or not at all; `-` is standard output. BadInput says why it cannot be written."""
    data = text.encode() if isinstance(text, str) else text
    if str(path) == "-":
        sys.stdout.buffer.write(data)
        return
    rest = path.with_name(f".molehunt-{os.getpid()}.part")
    try:
        # A device (/dev/null) or a link is written into and not replaced, and so is a file in a folder closed to us.
        plain = path.is_file() and not path.is_symlink() and os.access(path.parent, os.W_OK)
        if path.exists() and not plain:
            path.write_bytes(data)
            return
        rest.write_bytes(data)
        rest.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            rest.unlink(missing_ok=True)
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from None


def check_writable(*paths: Path | None) -> None:
    """Refuse, before any work is done, a file that could not be written after it, and one file for two things."""
    files = [path for path in paths if path is not None and str(path) != "-"]
    for path in files:
        try:
            _check_writable(path)
        except (OSError, ValueError) as error:
            if isinstance(error, BadInput):
                raise
            raise BadInput(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None
    regular = [os.path.realpath(path) for path in files if path.is_file() or not path.exists()]
    if len(set(regular)) < len(regular):
        raise BadInput(f"cannot write two things into {files[0]}; give each a file of its own")


def _check_writable(path: Path) -> None:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        path.lstat()  # says it where no file can have this name
    if path.is_dir():
        raise BadInput(f"cannot write {path}: it is a folder; give the name of a file")
    folder = path.parent
    if not folder.is_dir():
        raise BadInput(f"cannot write {path}: there is no folder {folder}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise BadInput(f"cannot write {path}: permission denied")


def to_json(value: Any) -> bytes:
    """A value as readable JSON with a newline at the end."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


class Stopped(MolehuntError):
    """A person stopped a command before its end; what was done until then has been kept."""
