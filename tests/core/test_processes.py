"""A process beside another one ends with it, however that one ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from molehunt.core.processes import start_beside

PARENT = """
import time
from molehunt.core.processes import start_beside
if __name__ == "__main__":
    child = start_beside(time.sleep, 600)
    print(child.pid, flush=True)
    {ending}
"""


def runs(process: int) -> bool:
    """Whether there is such a process and it has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="asks the system's files which processes there are")
@pytest.mark.parametrize("ending", ["time.sleep(600)", "raise SystemExit", "time.sleep(1)"])
def test_a_process_beside_ends_when_the_one_that_started_it_does(ending: str, tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT.format(ending=ending), "utf-8")
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
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


def test_what_such_a_process_does_ends_well() -> None:
    process = start_beside(int, "17")
    process.join()
    assert process.exitcode == 0
