"""A process beside another one ends with it, however that one ends."""

from __future__ import annotations

import importlib
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.calling import killed_after
from molehunt.core.processes import Line, start_beside

PARENT = """
import time
from molehunt.core.processes import start_beside
from sleeping import sleep_long
if __name__ == "__main__":
    child = start_beside(sleep_long)
    print(child.pid, flush=True)
    {ending}
"""

LEAVING = """
import os, signal, threading, sys
from molehunt.core import processes
from sleeping import sleep_long
if __name__ == "__main__":
    start = processes.subprocess.Popen
    def and_leave(*words, **others):
        process = start(*words, **others)
        {ending}
        return process
    processes.subprocess.Popen = and_leave
    thread = threading.Thread(target=processes.start_beside, args=(sleep_long,))
    thread.start()
    thread.join()
"""


def folder_with(tmp_path: Path, script: str) -> Path:
    """A script beside a module of its own."""
    (tmp_path / "sleeping.py").write_text("import time\n\ndef sleep_long(line):\n    time.sleep(600)\n", "utf-8")
    (tmp_path / "parent.py").write_text(script, "utf-8")
    return tmp_path / "parent.py"


def runs(process: int) -> bool:
    """Whether there is such a process and it has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="asks the system's files which processes there are")
@pytest.mark.parametrize("ending", ["time.sleep(600)", "raise SystemExit", "time.sleep(1)"])
def test_a_process_beside_ends_when_the_one_that_started_it_does(ending: str, tmp_path: Path) -> None:
    script = folder_with(tmp_path, PARENT.format(ending=ending))
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        with killed_after(parent):
            child = int(parent.stdout.readline())
        if "600" in ending:
            assert runs(child)
            os.kill(parent.pid, signal.SIGKILL)
        until = time.monotonic() + 30
        while runs(child) and time.monotonic() < until:
            time.sleep(0.05)
        left = runs(child)
        if left:
            os.kill(child, signal.SIGKILL)
        assert not left, "the process beside is still there"
        assert parent.stdout.read() == ""  # closed by all who held it


@pytest.mark.parametrize(
    "ending",
    [
        "os._exit(1)",
        "os.kill(os.getpid(), signal.SIGKILL)",
        "os.kill(process.pid, signal.SIGINT); time = __import__('time'); time.sleep(1); os._exit(1)",
    ],
)
def test_whoever_leaves_while_a_process_beside_starts_leaves_it_without_a_word(ending: str, tmp_path: Path) -> None:
    script = folder_with(tmp_path, LEAVING.format(ending=ending))
    made = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, timeout=60)
    assert made.returncode != 0 and (made.stdout, made.stderr) == ("", "")  # closed by the process beside, too


def add_up(line: Line, first: int) -> None:
    """Print what nobody is to see, and say what is heard more, until 0 is heard."""
    sys.stdout.write("nobody sees this")
    total = first
    while (more := line.receive()) != 0:
        total += more
    line.send(total)


def test_messages_go_both_ways_and_what_it_prints_is_not_one() -> None:
    process = start_beside(add_up, 17)
    for number in (4, 5, 0):
        process.send(number)
    assert process.receive() == 26
    assert process.join() == 0
    with pytest.raises(EOFError):
        process.receive()
    process.end()


def test_what_cannot_be_pickled_is_not_sent_in_part() -> None:
    process = start_beside(add_up, 0)
    with pytest.raises((AttributeError, TypeError, pickle.PicklingError)):
        process.send([3, lambda: None])
    process.send(3)
    process.send(0)
    assert process.receive() == 3
    process.end()
    with pytest.raises(OSError, match="the line to the process is closed"):
        process.send(1)


def say_what_it_finds(line: Line, module: str) -> None:
    """Say where a module is found, and where other programs are told to look for theirs."""
    line.send((importlib.import_module(module).__file__, os.environ.get("PYTHONPATH")))


def found_beside(module: str) -> tuple[str, str | None]:
    """What a process beside this one says of a module."""
    process = start_beside(say_what_it_finds, module)
    try:
        said: tuple[str, str | None] = process.receive()
        return said
    finally:
        process.end()


def test_modules_are_found_where_this_process_finds_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("random", "typing", "students_own"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not asked for')\n" if name != "students_own" else "")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    assert found_beside("random") == (random.__file__, "somewhere")
    with pytest.raises(EOFError):
        found_beside("students_own")
    monkeypatch.setattr(sys, "path", [*sys.path, ""])  # as in a notebook, where it stands first
    assert found_beside("students_own") == (str(tmp_path / "students_own.py"), "somewhere")
