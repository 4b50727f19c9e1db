"""How many processors there are for this process: those it may run on, and no more than a container has a quota for."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from molehunt.core.control_groups import GROUPS, OWN_GROUPS, groups_of


@cache
def cores() -> int:
    """How many processors this process may use, at least 1: those it may run on, and no more than it is given the time of."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, math.ceil(min(allowed, quota(OWN_GROUPS, GROUPS))))


def quota(own: Path, groups: Path) -> float:
    """The time of how many processors the groups of a process have, those above them included; infinite where none is limited.

    Version 2 of control groups says quota and period in `cpu.max`; version 1 says them in two files, in microseconds.
    """
    return min(_quotas(own, groups), default=math.inf)


def _quotas(own: Path, groups: Path) -> Iterator[float]:
    for first_version, group in groups_of("cpu", own, groups):
        names = ("cpu.cfs_quota_us", "cpu.cfs_period_us") if first_version else ("cpu.max",)
        # A limit that is none is `max` or -1.
        with suppress(OSError, ValueError):
            given, period = (int(number) for name in names for number in (group / name).read_text("utf-8").split())
            if given > 0 and period > 0:
                yield given / period
