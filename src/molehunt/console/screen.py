"""The screen: where results go, and where progress goes."""

from __future__ import annotations

import contextlib
import math
import os
import re
import shutil
from collections.abc import Callable, Iterator
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from molehunt.core.errors import BadInput, MolehuntError, UnknownName
from molehunt.core.language import _, language_of_system, languages, speaking
from molehunt.core.processor_count import cores
from molehunt.core.standard_output import output_given_back
from molehunt.core.words import things


def _size_of_dumb() -> tuple[int | None, int | None]:
    """The columns and rows of a terminal that calls itself dumb, which rich takes for 80 and 25; of others rich asks itself."""
    if os.environ.get("TERM", "").lower() not in ("dumb", "unknown") or not os.isatty(1):
        return None, None
    return shutil.get_terminal_size((80, 25))


class Results(Console):
    """Where results go. That nobody reads them is an error as any other; the library would leave the program by itself."""

    def on_broken_pipe(self) -> None:
        """Let the error out in which this is called."""
        raise  # noqa: PLE0704 - the library calls this where it has caught one


class Remarks(Console):
    """Where progress and remarks go. Where nobody reads these, what was asked for goes on all the same."""

    def on_broken_pipe(self) -> None:
        """Say nothing more."""
        self.quiet = True
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())


_columns, _rows = _size_of_dumb()
out = Results(highlight=False, soft_wrap=False, width=_columns, height=_rows)
"""Results, on standard output."""
side = Remarks(stderr=True, highlight=False, width=_columns, height=_rows)
"""Progress and remarks, on standard error."""
MOST_THREADS = 256
"""The most threads that can be asked for, and that a command uses by itself."""


def check_threads(threads: int | None) -> int:
    """The number of threads that was asked for, by default one for each core; BadInput outside 1 to MOST_THREADS."""
    return check_count("--threads", min(cores(), MOST_THREADS) if threads is None else threads, 1, MOST_THREADS)


def check_count(option: str, value: int, low: int, high: int) -> int:
    """The value, or BadInput where it lies outside `low` to `high`."""
    if low <= value <= high:
        return value
    if low == high:
        raise BadInput(_("{option} must be {low}, not {value}", option=option, low=low, value=value))
    raise BadInput(_("{option} must be {low} to {high}, not {value}", option=option, low=low, high=high, value=value))


def compiling_words(left: int, seconds: float, of: int | None = None) -> str:
    """How many kernels are still to be compiled (`of` how many in all, where that is known), and for how long."""
    kernels = f"{left} of {of} kernels" if of else "1 kernel" if left == 1 else f"{left} kernels"
    return f"{kernels} left, about {5 * max(1, math.ceil(seconds / 5))} s"


Ahead = tuple[Callable[..., Any], *tuple[Any, ...]]
"""A function of a module and what it is given: work for which other processes compile (`core.ahead`)."""


def _nothing() -> None:
    pass


@contextlib.contextmanager
def working(
    title: str, *known: Any, ahead: Ahead | None = None, threads: int = 1
) -> Iterator[Callable[[int, int], None]]:
    """A progress bar while something runs; call what it gives with (done, total).

    The first time on a machine kernels are compiled: that is said, with how many are left and for how long. `known` are the
    game and its players, where they are known. With several threads other processes compile what the work of `ahead` calls.
    """
    from molehunt.core.compile_count import CompileCount, count_compiling
    from molehunt.core.kernel_cache import FIRST_USE
    from molehunt.core.kernels import warm
    from molehunt.core.long_work import listening

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
        disable=not side.is_terminal,  # elsewhere it would leave an empty line
    ) as progress:
        task = progress.add_task(title, total=None)

        def compiling(count: CompileCount) -> None:
            if cold or count.compiled >= FIRST_USE:
                start_helpers()
                progress.update(task, description=f"Compiling once: {compiling_words(count.left, count.seconds_left)}")

        def tell(done: int, total: int) -> None:
            output.give_back()  # what is said now, as that a player has failed, is to be read
            description = title if done else None
            progress.update(task, completed=done, total=total, description=description)

        def far(text: str) -> None:
            progress.update(task, description=text)

        helped: contextlib.AbstractContextManager[Callable[[], None]] = contextlib.nullcontext(_nothing)
        if ahead is not None and threads > 1:
            from molehunt.core.ahead import helpers

            helped = helpers(min(threads, cores()) - 1, *ahead)
        with (
            helped as start_helpers,
            count_compiling(compiling, *(known if cold else ())),
            listening(far),
            output_given_back() as output,
        ):
            yield tell


FAST = 10
"""Games a second from which on whole ones are told."""


def pace(games: int, seconds: float) -> str:
    """How fast games were played; of slow players, with a digit more."""
    speed = games / seconds if seconds else 0.0
    return f"{speed:,.0f} games/s" if speed >= FAST else f"{speed:.2g} games/s"


def many(number: int, one: str) -> str:
    """A number of things, in groups of thousands: `1 game`, `1,200 games`."""
    return f"{number:,} {things(number, one)}"


class Pieces:
    """A cell of a table that goes on in the next line between its pieces where there is no room; only what is too long is cut."""

    def __init__(self, *pieces: str) -> None:
        self.pieces = pieces

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """The width of the longest piece, and of all in one line."""
        widths = [cell_len(piece) for piece in self.pieces]
        return Measurement(max(widths), sum(widths)).clamp(max_width=options.max_width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = [""]
        for piece in self.pieces:
            if lines[-1] and cell_len(lines[-1] + piece.rstrip()) > options.max_width:
                lines.append("")
            lines[-1] += piece
        yield Text("\n".join(line.rstrip() for line in lines), overflow="fold", justify=options.justify)


def named(player: str) -> Pieces:
    """A player, or a path of names, in a table: what is long is broken after a colon, a comma or a slash."""
    return Pieces(*re.findall(r"[^:,/]+[:,/]?|[:,/]", player) or [""])


def listed(text: str) -> Pieces:
    """A list of words in a table: what is long is broken between two of them, after `, ` or `: `, and nowhere else."""
    return Pieces(*re.findall(r".+?(?:[,:] |$)", text) or [""])


def mean_between(mean: float, low: float | None, high: float | None) -> Pieces:
    """A mean with its interval, where there is one, in a table."""
    interval = () if low is None or high is None else (f"({low:z.2f} to {high:z.2f})",)
    return Pieces(f"{mean:z.2f}" + (" " if interval else ""), *interval)


def between(low: float, high: float, digits: int) -> str:
    """An interval as tables tell it; of one observation nothing is known."""
    known = math.isfinite(low) or math.isfinite(high)
    return f"{low:z.{digits}f} to {high:z.{digits}f}" if known else "unknown"


def percents_between(low: float, high: float) -> str:
    """An interval of fractions in percent, as tables tell it."""
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def to_json(value: Any) -> bytes:
    """A value as readable JSON with a newline at the end."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


class Stopped(MolehuntError):
    """A person stopped a command before its end; what was done until then has been kept."""


def in_language(code: str | None) -> contextlib.AbstractContextManager[None]:
    """Speak to a person in the language of a code, as they typed it, or that of the system; UnknownName where there is none."""
    if code is not None and code not in languages():
        with speaking(language_of_system(os.environ)):
            raise UnknownName(_("language"), code, languages())
    return speaking(code or language_of_system(os.environ))
