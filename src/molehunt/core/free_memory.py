"""How much memory is left for this process: what the machine has, and no more than a container is given."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from molehunt.core.control_groups import GROUPS, OWN_GROUPS, groups_of

MACHINE = Path("/proc/meminfo")
"""Where Linux says how much memory the machine has, in kilobytes."""


def free_memory() -> float:
    """Bytes that processes can still take before something else has to go; infinite where that is not known (not Linux)."""
    return min(of_machine(MACHINE), of_groups(OWN_GROUPS, GROUPS))


def of_machine(told: Path) -> float:
    """Bytes that the machine has left, by its own account."""
    with suppress(OSError, ValueError, StopIteration):
        lines = told.read_text("utf-8").splitlines()
        return 1024.0 * int(next(line.split()[1] for line in lines if line.startswith("MemAvailable:")))
    return math.inf


def of_groups(own: Path, groups: Path) -> float:
    """Bytes that the groups of a process have left, those above them included; infinite where none is limited.

    Copies of files are no use of it, but for those that a process works with or that are no file elsewhere: they go when memory is
    wanted.
    """
    return max(0.0, min(_left(own, groups), default=math.inf))


_FILES = {True: ("total_cache", "total_mapped_file", "total_shmem"), False: ("file", "file_mapped", "shmem")}
"""What is copies of files, and which of it stays; under version 1 of control groups, and under version 2."""


def _left(own: Path, groups: Path) -> Iterator[float]:
    for first_version, group in groups_of("memory", own, groups):
        names = (
            ("memory.limit_in_bytes", "memory.usage_in_bytes") if first_version else ("memory.max", "memory.current")
        )
        # A limit that is none is `max`, or very large.
        with suppress(OSError, ValueError):
            most, taken = (int((group / name).read_text("utf-8")) for name in names)
            told = dict(line.split() for line in (group / "memory.stat").read_text("utf-8").splitlines())
            files, *staying = (int(told.get(name, 0)) for name in _FILES[first_version])
            yield float(most - taken + max(0, files - sum(staying)))
