"""Processes beside this one: they take no notice of Ctrl-C, and end when this one ends, however it does."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from multiprocessing.process import BaseProcess
from typing import Any


def start_beside(function: Callable[..., object], *arguments: Any) -> BaseProcess:
    """A process that calls `function(*arguments)`: a function of a module, and arguments that can be pickled.

    Ctrl-C is for the process in front, which takes this one with it; so does whatever else ends that one, `kill -9` included.
    """
    process = multiprocessing.get_context("spawn").Process(target=_run, args=(function, arguments), daemon=True)
    with _deaf():
        process.start()
    return process


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """While inside, processes are started that take no notice of Ctrl-C from their first moment on."""
    if threading.current_thread() is not threading.main_thread():
        yield  # a signal's handling is changed in the main thread alone; the process sees to it itself, a little later
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _run(function: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    """What such a process does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    function(*arguments)


def _end_with_parent() -> None:
    """Wait for the end of the process that started this one, and end this one in the middle of what it does."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
