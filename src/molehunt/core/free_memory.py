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

    Copies of files that nobody has read for a while are no use of it: they go when memory is wanted.
    """
    return max(0.0, min(_left(own, groups), default=math.inf))


def _left(own: Path, groups: Path) -> Iterator[float]:
    for first_version, group in groups_of("memory", own, groups):
        limit, used, idle = (
            ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
            if first_version
            else ("memory.max", "memory.current", "inactive_file")
        )
        # A limit that is none is `max`, or very large.
        with suppress(OSError, ValueError):
            most, taken = (int((group / name).read_text("utf-8")) for name in (limit, used))
            lines = (line.split() for line in (group / "memory.stat").read_text("utf-8").splitlines())
            yield float(most - taken + sum(int(line[1]) for line in lines if line[0] == idle))
