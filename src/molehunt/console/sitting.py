"""What `molehunt play` does alike for every game: exit status, kernels at hand, keeping the record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from molehunt.console.screen import out, side, write_file
from molehunt.core.kernels import watch_compiling
from molehunt.core.record import Record

FINISHED, LEFT, BROKEN_OFF = 0, 0, 1


def make_ready(warm_up: Callable[[], object]) -> None:
    """Have the kernels at hand before the cards are dealt; where they must be compiled first, that is said once."""
    told: list[str] = []

    def compiling(name: str) -> None:
        if not told:
            told.append(name)
            side.print("First use: compiling the kernels for this machine; this takes up to a minute, once.")

    with side.status("Setting the table"), watch_compiling(compiling):
        warm_up()


def keep(path: Path | None, records: list[Record]) -> None:
    """Write records to a file, one line each."""
    if path is not None:
        write_file(path, b"".join(record.line() for record in records))
        out.print(f"Recorded in {path}; molehunt replay shows it.", markup=False)
