"""Calls of the command line in this process, and in one of its own."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import molehunt
from molehunt.cli import main
from molehunt.console import screen

GAME = "saboteur/krisnadi"
SOURCES = str(Path(molehunt.__file__).parents[1])

PLAYERS = """
import molehunt


class First(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0]


class Cheat(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0] if "map" in view.hand else "map:top"


class Clumsy(molehunt.Player):
    def choose(self, view):
        return view.no_such_thing


class Named(First):
    name = "[/] named [red]"


class Leaver(molehunt.Player):
    def __init__(self):
        raise RuntimeError("not today")
"""
"""A file of players: one that plays, and some that do not."""


@dataclass(frozen=True)
class Call:
    """What came of a call: the exit status and what was printed."""

    status: int
    out: str
    err: str


def call(*words: str, columns: int = 120) -> Call:
    """Run the command line in this process."""
    out_bytes, err_bytes = io.BytesIO(), io.BytesIO()
    out = io.TextIOWrapper(out_bytes, encoding="utf-8", write_through=True)
    err = io.TextIOWrapper(err_bytes, encoding="utf-8", errors="backslashreplace", write_through=True)
    with (
        mock.patch.dict(os.environ, {"COLUMNS": str(columns)}),
        mock.patch.object(screen.out, "_width", columns),  # the width is read once, when the screen is first used
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        status = main(list(words))
    return Call(status, *(stream.getvalue().decode() for stream in (out_bytes, err_bytes)))


def environment(**options: str) -> dict[str, str]:
    """The environment of a process that finds this package wherever it starts, and whose output is buffered as usual."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**inherited, "COLUMNS": "120", "PYTHONPATH": SOURCES, **options}


def command(*words: str | Path) -> list[str]:
    """The command line as the words of a process of its own, in which Ctrl-C is what it is in a terminal."""
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from molehunt.cli import main; sys.exit(main())"
    )
    return [sys.executable, "-c", code, *map(str, words)]


@contextlib.contextmanager
def killed_after(running: subprocess.Popen[Any], seconds: float = 300.0) -> Iterator[None]:
    """Kill a process that has not ended by then: who reads what it says would wait for ever."""
    timer = threading.Timer(seconds, running.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def process(*words: str | Path, **options: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m molehunt`; `options` are variables of its environment."""
    return subprocess.run(
        [sys.executable, "-m", "molehunt", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env=environment(**options),
    )
