"""`molehunt study --small`: a first look at every study, told one after the other while the next ones are compiled and played."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Iterator

from rich.progress import Progress, SpinnerColumn, TextColumn

from molehunt.console.screen import Stopped, compiling_words, out, side
from molehunt.console.study_tables import print_look
from molehunt.core.beside import MOST_PROCESSES, Began, Compiling, Ended, News, Task, do_beside, with_memory
from molehunt.core.kernel_cache import FIRST_USE
from molehunt.studies.first_looks import STEPS, look_at
from molehunt.studies.study import Report, load_study

IN_FULL = "The tables in full, with thousands of games a cell: docs/results.md"


def tell_story(games: int | None, seed: int, threads: int) -> int:
    """Look at all studies in processes beside this one, as many games a cell as given or as is usual in small, and print each."""
    began = time.perf_counter()
    processes = max(1, with_memory(min(threads, MOST_PROCESSES)))
    tasks = [
        Task(step.study, look_at, (step.study, games, seed, max(1, threads // processes)), frozenset(step.after))
        for step in STEPS
    ]
    found: dict[str, Report] = {}
    told = 0
    try:
        with contextlib.closing(do_beside(tasks, processes)) as all_news, _Line(processes) as line:
            for news in all_news:
                line.hear(news)
                if not isinstance(news, Ended):
                    continue
                found[news.task] = news.result
                while told < len(STEPS) and STEPS[told].study in found:
                    name = STEPS[told].study
                    told += 1
                    with line.hidden():
                        print_look(load_study(name), found[name])
    except KeyboardInterrupt:
        raise Stopped(
            f"stopped; {told} of {len(STEPS)} studies stand above; what was compiled is kept for the next time. {IN_FULL}"
        ) from None
    _how_to_go_on(time.perf_counter() - began)
    return 0


class _Line:
    """One line on standard error: what is compiled, how much is left and for how long, and what is played."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._at: dict[str, None] = {}
        self._compiled = 0
        self._expected = sum(step.kernels for step in STEPS)
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            console=side,
            transient=True,
            disable=not side.is_terminal,
        )
        self._bar = self._progress.add_task("starting")
        self._since = 0.0

    def __enter__(self) -> _Line:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def hear(self, news: News) -> None:
        """Say what is new."""
        match news:
            case Began(task):
                self._at[task] = None
            case Ended(task):
                del self._at[task]
            case Compiling():
                self._compiled += 1
                if self._compiled == 1:
                    self._since = time.perf_counter()
                if self._compiled == FIRST_USE and not side.is_terminal:
                    beside = f", in {self._processes} processes" if self._processes > 1 else ""
                    side.print(
                        f"First use: compiling the kernels for this machine; this takes about a minute, once{beside}.",
                        soft_wrap=True,
                    )
        self._progress.update(self._bar, description=self._words())

    def _words(self) -> str:
        names = ", ".join(self._at)
        if self._compiled < FIRST_USE:
            return f"at {names}"
        left = max(self._expected - self._compiled, 0)
        seconds = (time.perf_counter() - self._since) * left / self._compiled
        rest = compiling_words(left, seconds, self._expected) if left else "nearly done"
        return f"Compiling once: {rest} ({names})"

    @contextlib.contextmanager
    def hidden(self) -> Iterator[None]:
        """While inside, the line is not there, so that results can be printed."""
        self._progress.stop()
        try:
            yield
        finally:
            self._progress.start()


def _how_to_go_on(seconds: float) -> None:
    program = _program()
    for line in (
        f"That was a first look, in {seconds:.0f} s. {IN_FULL}",
        "Two things to try:",
        f"  {program} serve --open      # play against these minds in your browser, and ask them why they moved",
        f"  {program} study krisnadi2019 --report krisnadi2019.html      # a study in full, as a page",
    ):
        out.print(line, markup=False, soft_wrap=True)


def _program() -> str:
    """How this program is called from where one is."""
    here = sys.argv[0]
    if shutil.which("molehunt") or os.path.basename(here) != "molehunt":  # noqa: PTH119 - a text as it was typed
        return "molehunt"
    return os.path.relpath(here)
