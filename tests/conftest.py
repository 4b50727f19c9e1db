"""What makes the suite quick where several processes share it: they should not all compile the same at the same time.

That holds for the kernels, whence the order of the tests, and for the tests themselves, whose assertions pytest rewrites before it
compiles them: every other process collects them from the last one on, and takes what it comes upon that another has made.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterator

import pytest

# What is made once is kept, for the other processes, for those that tests start, and for the next run.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell that starts the tests in the background of a script lets them, and all that they start, not hear Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST_COMPILING = 900.0
"""Seconds that any process may compile beside the tests, on the slowest machine."""

FIRST = (
    "core/test_signatures.py",  # compiles for a while what most others need, and hands it on ...
    "reference/",  # ... and these need nothing of that
    "beliefs/",
    "core/test_kernel",
    "core/test_cache_folders",
    "core/test_numba_start",
    "core/test_beside",
    "games/saboteur/test_rules_against_reference.py",
    "core/",
    "games/duel/test_rules_against_reference.py",
    "games/speed_clue/test_rules_against_reference.py",
    "agents/saboteur/",
    "agents/duel/",
    "agents/speed_clue/",
)
"""What comes first, in this order; all else follows in its own."""


FROM_THE_LAST = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 2 == 1
"""Whether this process collects files and folders in the opposite order."""


def rank(item: pytest.Item) -> tuple[int, str]:
    """Where the file of a test stands in the order."""
    path = item.nodeid.removeprefix("tests/").partition("::")[0]
    return next((number for number, start in enumerate(FIRST) if path.startswith(start)), len(FIRST)), path


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if FROM_THE_LAST and isinstance(collector, pytest.Directory) and report.result is not None:
        report.result.reverse()
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=rank)


def pytest_collection_finish() -> None:
    # The tests themselves live to the end: the collector of garbage need not look at them again and again.
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    gc.unfreeze()


def pytest_runtest_teardown() -> None:
    # OpenSpiel's algorithms load a log that keeps the stream of the test they were loaded in, and closes it once a server sets
    # up its own log: it is pytest's, and no later test could be told of.
    log = sys.modules.get("absl.logging")
    if log is not None:
        log.get_absl_handler().python_handler.stream = sys.__stderr__


@pytest.fixture(autouse=True, scope="module")
def _nobody_compiles_for_other_tests() -> Iterator[None]:
    """What tests of a file had compiled beside is waited for: until then kernels are interpreted in the whole process."""
    yield
    meanwhile = sys.modules.get("molehunt.core.meanwhile")
    if meanwhile is not None and meanwhile._compiling is not None:
        assert meanwhile._compiling.over.wait(LONGEST_COMPILING), "what is compiled beside does not come to an end"


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[float, float], None]]:
    """Begin as a process does, with so many seconds to interpret (`core.at_first`); afterwards all is as it was."""
    from molehunt.core import at_first

    wrapped = dict(at_first._wrapped)

    def begin(loading: float, compiling: float) -> None:
        for name in ("_inside", "_spent", "_looked", "_over", "_seen_to"):
            monkeypatch.setattr(at_first, name, type(getattr(at_first, name))(0))
        monkeypatch.setattr(at_first, "LOADING", loading)
        monkeypatch.setattr(at_first, "COMPILING", compiling)
        for (kind, name), method in wrapped.items():
            setattr(kind, name, method)

    yield begin
    at_first.end()
