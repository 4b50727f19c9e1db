"""How many processors there are for this process: those it may run on, and no more than a container has a quota for."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

OWN_GROUPS = Path("/proc/self/cgroup")
"""Where Linux says in which control groups this process is."""
GROUPS = Path("/sys/fs/cgroup")
"""Where the control groups are."""


@cache
def cores() -> int:
    """How many processors this process may use, at least 1: those it may run on, and no more than it is given the time of."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, math.ceil(min(allowed, quota(OWN_GROUPS, GROUPS))))


def quota(own: Path, groups: Path) -> float:
    """The time of how many processors the groups of a process have, those above them included; infinite where none is limited.

    `own` says which they are, a line each: number, controllers, path. Version 2 of control groups has one group for all controllers
    and says quota and period in `cpu.max`; version 1 has a tree for each and says them in two files, in microseconds. What is seen
    of a container's groups from within begins at any of them, so what is not there is passed over.
    """
    found: list[float] = []
    with suppress(OSError):
        for line in own.read_text("utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if not controllers:
                found += _quotas(groups, path, "cpu.max")
            elif "cpu" in controllers.split(","):
                for tree in (groups / controllers, groups / "cpu"):
                    found += _quotas(tree, path, "cpu.cfs_quota_us", "cpu.cfs_period_us")
    return min(found, default=math.inf)


def _quotas(tree: Path, path: str, *names: str) -> Iterator[float]:
    """What a group and those above it are given, in processors, where it is limited: `names` are the files that say it."""
    inside = Path(path.lstrip("/"))
    for group in (inside, *inside.parents):
        # A limit that is none is `max` or -1.
        with suppress(OSError, ValueError):
            given, period = (
                int(number) for name in names for number in (tree / group / name).read_text("utf-8").split()
            )
            if given > 0 and period > 0:
                yield given / period
