"""A Ray cluster of two nodes on this machine, for tests: started as a program, it prints its address and the process that is the
second node, and lives until its standard input is closed."""

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
class TwoNodes:
    """A cluster: where it is, and the process whose death is the death of the second node."""

    address: str
    second: int


@contextlib.contextmanager
def two_nodes() -> Iterator[TwoNodes]:
    """A cluster for a while; it is gone afterwards, whatever happens."""
    program = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout is not None and program.stdin is not None
        for line in program.stdout:
            if line.startswith("cluster "):
                _, address, second = line.split()
                yield TwoNodes(address, int(second))
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

    nodes: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 * 1024 * 1024}
    cluster = Cluster(initialize_head=True, head_node_args={**nodes, "include_dashboard": False})
    try:
        second = cluster.add_node(**nodes)
        raylet = second.all_processes["raylet"][0].process.pid
        sys.stdout.write(f"cluster {cluster.address} {raylet}\n")
        sys.stdout.flush()
        sys.stdin.read()
    finally:
        cluster.shutdown()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
