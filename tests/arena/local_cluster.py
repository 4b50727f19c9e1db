"""A Ray cluster on this machine, for tests and benchmarks: nodes of one processor each.

Started as a program, it prints its address and the process that is its last node, and lives until its standard input is closed.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

START_SECONDS = 120


@dataclass(frozen=True)
class LocalCluster:
    """A cluster: where it is, and the process whose death is the death of its last node."""

    address: str
    last: int


@contextlib.contextmanager
def local_cluster(nodes: int = 2) -> Iterator[LocalCluster]:
    """A cluster for a while; it is gone afterwards, whatever happens."""
    program = subprocess.Popen(
        [sys.executable, __file__, str(nodes)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert program.stdout is not None
        for line in program.stdout:
            if line.startswith("cluster "):
                _, address, last = line.split()
                yield LocalCluster(address, int(last))
                break
        else:
            raise AssertionError("the cluster did not start")
    finally:
        try:
            program.communicate(timeout=START_SECONDS)
        finally:
            program.kill()


def main() -> None:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    size: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 * 1024 * 1024}
    cluster = Cluster(initialize_head=True, head_node_args={**size, "include_dashboard": False})
    try:
        last = cluster.head_node
        for _ in range(int(sys.argv[1]) - 1):
            last = cluster.add_node(**size)
        raylet = last.all_processes["raylet"][0].process.pid  # type: ignore[union-attr]
        sys.stdout.write(f"cluster {cluster.address} {raylet}\n")
        sys.stdout.flush()
        sys.stdin.read()
    finally:
        cluster.shutdown()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
