"""The control groups of Linux that this process is in: what a container, or whoever started it, lets it have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

OWN_GROUPS = Path("/proc/self/cgroup")
"""Where Linux says in which control groups this process is."""
GROUPS = Path("/sys/fs/cgroup")
"""Where the control groups are."""


def groups_of(controller: str, own: Path, groups: Path) -> Iterator[tuple[bool, Path]]:
    """The groups of a process that can limit something (`cpu`, `memory`), and those above: is it version 1, and the folder.

    `own` says which they are, a line each: number, controllers, path; `groups` is the folder of all. Version 2 of control groups
    has one group for all controllers, version 1 a tree for each. What is seen of a container's groups from within begins at any
    of them, so folders are named that are not there. None where there is no `own`.
    """
    with suppress(OSError):
        for line in own.read_text("utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            trees = []
            if not controllers:
                trees = [groups]
            elif controller in controllers.split(","):
                trees = [groups / name for name in dict.fromkeys((controllers, controller))]
            inside = Path(path.lstrip("/"))
            for tree in trees:
                for group in (inside, *inside.parents):
                    yield bool(controllers), tree / group
