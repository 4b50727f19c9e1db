"""Processes that compile at the same time: no kernel is compiled twice, who waits helps, and nobody waits for ever."""

from __future__ import annotations

import contextlib
import importlib.util
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from numba import types

from cli.calling import environment
from molehunt.core import kernel_cache, kernels, sharing
from molehunt.core.kernels import first_class, watch_compiling

if sys.platform == "win32":
    pytest.skip("there are no locks", allow_module_level=True)

PATIENCE = 60.0
SOURCE = '''
from molehunt.core.kernels import kernel

@kernel
def leaf(number):
    return number + 1

@kernel
def left(number):
    return leaf(number) + 2

@kernel
def right(number):
    return leaf(number) + leaf(number + 1)

@kernel
def down(number):
    """Calls itself."""
    return number if number < 2 else down(number - 1) + left(number)

@kernel
def broken(number):
    return number.nothing

@kernel
def useless(number):
    return broken(number)

@kernel
def top(number):
    return left(number) + right(number) + leaf(number) + down(number)
'''
FOUR = 42
"""What `top` makes of 4."""
HOLDER = """
import sys
from pathlib import Path
from molehunt.core.sharing import lock_of, take
for file in sys.argv[2:]:
    assert take(lock_of(Path(sys.argv[1]), Path(file)))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of an empty cache folder of this test's own."""
    monkeypatch.setattr(kernels, "CACHE_FOLDER", tmp_path / "kernels-1")
    monkeypatch.setattr(kernel_cache, "used", set())
    monkeypatch.setitem(sys.modules, "shared_kernels", ModuleType("shared_kernels"))
    return tmp_path


def load(folder: Path) -> ModuleType:
    """The kernels of SOURCE, anew, from a file in a folder."""
    path = folder / "shared_kernels.py"
    path.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("shared_kernels", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)  # Numba looks for it there
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def files(cache: Path, tmp_path: Path) -> dict[str, Path]:
    """The files of machine code of the kernels as kernels call them, by name; the cache is empty again."""
    assert load(tmp_path).top(4) == FOUR
    found = {
        path.name.partition(".")[2].partition("-")[0]: path
        for path in cache.rglob("*.nbc")
        if "from_Python" not in path.name
    }
    for path in cache.rglob("*.nbc"):
        path.unlink()
    assert found.keys() == {"leaf", "left", "right", "down"}
    return found


@contextlib.contextmanager
def held(cache: Path, *files: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that holds the locks of kernels, and makes nothing."""
    command = [sys.executable, "-c", HOLDER, str(cache), *map(str, files)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == b"held\n"
            yield process
        finally:
            process.kill()


class Calling:
    """A kernel called in a thread: which kernels are compiled meanwhile, in order, and what comes of it."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self.compiled: list[str] = []
        self.result: Any = None
        self._call = call
        self._thread = threading.Thread(target=self._do, daemon=True)
        self._thread.start()

    def _do(self) -> None:
        with watch_compiling(self.compiled.append):
            self.result = self._call()

    def until(self, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < end
            time.sleep(0.01)

    def end(self) -> Any:
        self._thread.join(PATIENCE)
        return self.result


def test_who_needs_what_another_compiles_compiles_what_that_calls_and_takes_the_rest(
    cache: Path, files: dict[str, Path], tmp_path: Path
) -> None:
    with held(cache, files["left"], files["right"]) as holder:
        calling = Calling(lambda: load(tmp_path).top(4))
        calling.until(lambda: "leaf" in calling.compiled)
        time.sleep(0.5)
        # `top` has come to `left`, which is taken; `right` and `down` come after it.
        assert calling.compiled == ["top", "leaf"]
        assert calling.result is None
        holder.kill()
        assert calling.end() == FOUR
    assert sorted(calling.compiled) == ["down", "leaf", "left", "right", "top"]


def test_a_call_that_had_no_type_while_another_process_was_at_it_has_one_afterwards(
    cache: Path, files: dict[str, Path], tmp_path: Path
) -> None:
    # While it waits for `left`, `leaf` is looked at as well; `top` itself calls that a moment later.
    with held(cache, files["left"], files["leaf"]) as holder:
        calling = Calling(lambda: load(tmp_path).top(4))
        calling.until(lambda: "top" in calling.compiled)
        time.sleep(0.5)
        assert calling.compiled == ["top"]
        holder.kill()
        assert calling.end() == FOUR


def test_a_kernel_that_calls_itself_is_looked_into_once(cache: Path, files: dict[str, Path], tmp_path: Path) -> None:
    with held(cache, files["down"]) as holder:
        calling = Calling(lambda: load(tmp_path).top(4))
        calling.until(lambda: "right" in calling.compiled)
        time.sleep(0.5)
        assert "down" not in calling.compiled
        holder.kill()
        assert calling.end() == FOUR


def test_who_was_stopped_is_not_waited_for_for_ever(
    cache: Path, files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "PATIENCE", 0.3)
    with held(cache, *files.values()) as holder:
        holder.send_signal(signal.SIGSTOP)
        assert Calling(lambda: load(tmp_path).top(4)).end() == FOUR


def test_what_cannot_be_compiled_gives_its_lock_back(cache: Path, tmp_path: Path) -> None:
    module = load(tmp_path)
    with pytest.raises(Exception, match="leaf"):
        module.top("four")
    assert not sharing._held
    assert module.top(4) == FOUR
    assert not sharing._held


def test_who_helps_does_not_fail_where_what_is_tried_cannot_be_compiled(cache: Path, tmp_path: Path) -> None:
    module = load(tmp_path)
    for name in ("broken", "useless"):
        entry = getattr(module, name).from_python()
        assert sharing.try_to_make(entry, (types.int64,), partial(entry.compile, (types.int64,)))
        sharing.look_into(entry, (types.int64,))
    with pytest.raises(Exception, match="nothing"):
        module.useless(4)
    assert module.top(4) == FOUR


@pytest.mark.parametrize("without", ["fcntl", "a folder that can be written to"])
def test_without_locks_all_is_compiled_here(
    without: str, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if without == "fcntl":
        monkeypatch.setattr(sharing, "fcntl", None)
    else:
        (cache / sharing.NAME).mkdir()  # it cannot be opened
    calling = Calling(lambda: load(tmp_path).top(4))
    assert calling.end() == FOUR
    assert sorted(calling.compiled) == ["down", "leaf", "left", "right", "top"]
    assert not any(path.is_file() for path in cache.rglob(sharing.NAME))


def test_functions_with_an_address_are_shared_too(cache: Path, tmp_path: Path) -> None:
    whole = types.int64(types.int64)
    module = load(tmp_path)
    assert first_class(whole, module.left.py_func).address
    (file,) = (path for path in cache.rglob("*.nbc") if "by_address" in path.name)
    file.unlink()
    with held(cache, file) as holder:
        calling = Calling(lambda: first_class(whole, load(tmp_path).left.py_func))
        time.sleep(0.5)
        assert calling.result is None
        holder.kill()
        assert calling.end().address


TWO = """
import importlib.util, sys
from molehunt.core import sharing
from molehunt.core.kernels import watch_compiling
if sys.argv[2] == "backwards":
    sharing.go_backwards()
spec = importlib.util.spec_from_file_location("shared_kernels", sys.argv[1])
module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
sys.stdin.readline()
with watch_compiling(lambda name: print(name)):
    assert module.top(4) == 42
"""


def test_of_two_processes_each_compiles_a_part(tmp_path: Path) -> None:
    path = tmp_path / "shared_kernels.py"
    path.write_text(SOURCE)
    settings = environment() | {"MOLEHUNT_CACHE": str(tmp_path / "cache")}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", TWO, str(path), way],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=settings,
        )
        for way in ("forwards", "backwards")
    ]
    for process in both:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    names = [name for process in both for name in process.communicate(timeout=PATIENCE)[0].split()]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(names) == ["down", "leaf", "left", "right", "top"]
