"""A real Ray cluster of two nodes: the result of one thread, to the last count, also when a node is killed in the middle."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.local_cluster import LocalCluster, local_cluster
from molehunt.arena import cluster as module
from molehunt.arena.agent_files import load_agents
from molehunt.arena.match import Match, run, seat_match
from molehunt.arena.seating import Chair
from molehunt.arena.workers import open_workers, width_of
from molehunt.core.errors import AgentFailure, BadInput, IllegalAction, MolehuntError
from molehunt.core.record import Record

NOTICE_SECONDS = 60
PLAYERS = """
from molehunt import Player

class Last(Player):
    def choose(self, view):
        return view.legal_actions[-1 - int(self.random.integers(2)) % len(view.legal_actions)]

class Cheat(Player):
    def choose(self, view):
        return view.legal_actions[0] if "map" in view.hand else "map:top"

class Clumsy(Player):
    def choose(self, view):
        return {}["no such key"]
"""


@pytest.fixture(scope="module")
def nodes() -> Iterator[LocalCluster]:
    pytest.importorskip("ray")
    with local_cluster(2) as cluster:
        yield cluster


def match_of(folder: Path, *players: str) -> Match:
    path = folder / "players.py"
    path.write_text(PLAYERS)
    agents, files = load_agents("saboteur", [path])
    return seat_match("saboteur/krisnadi", [Chair(player) for player in players], agents, rotate=True, files=files)


def played(match: Match, games: int, workers: Any, tell: Any = None) -> tuple[Any, ...]:
    records: list[Record] = []
    result = run(match, games, 5, workers, tell, records.extend)
    counts = result.games, result.moves, result.wins.tolist(), result.outcomes.tolist()
    return counts, [record.line() for record in records]


def alive_nodes(wanted: int) -> int:
    """How many nodes are alive, once they are as many as wanted; the cluster may take a while to notice."""
    import ray

    end = time.monotonic() + NOTICE_SECONDS
    while True:
        nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
        alive = sum(bool(node["Alive"]) for node in nodes)
        if alive == wanted or time.monotonic() > end:
            return alive
        time.sleep(0.2)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # Ray leaves its log files open
@pytest.mark.thorough
def test_two_nodes_play_what_one_thread_plays_also_when_one_is_killed(nodes: LocalCluster, tmp_path: Path) -> None:
    match = match_of(tmp_path, "last", "random", "last")
    alone = played(match, 450, 1)
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if 100 < done < total and not killed:
            killed.append(done)
            os.kill(nodes.last, signal.SIGKILL)

    before = signal.getsignal(signal.SIGTERM)
    with open_workers(cluster=nodes.address) as workers:
        assert width_of(workers) >= 2
        # A player's fault comes back as it is on threads.
        with pytest.raises(IllegalAction) as fault:
            run(match_of(tmp_path, "last", "cheat", "last"), 40, 1, workers)
        assert str(fault.value) == "illegal action of seat 1 (cheat): 'map:top': the hand holds no such card"
        assert (fault.value.seat, fault.value.action) == (1, "map:top")
        with pytest.raises(
            AgentFailure, match=r"clumsy failed in choose: KeyError: 'no such key' \(.*players\.py:\d+\)"
        ):
            run(match_of(tmp_path, "last", "last", "clumsy"), 40, 1, workers)
        assert played(match, 450, workers, kill) == alone
        assert killed and alive_nodes(1) == 1
    import ray

    assert not ray.is_initialized() and signal.getsignal(signal.SIGTERM) is before


# --- What needs no cluster ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["nonsense", "ray://127.0.0.1:10001", ":6379", "here:", "here:0", "here:65536", ""])
def test_what_is_no_address_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)  # nor is it looked for
    with pytest.raises(BadInput, match="--cluster is host:port"), open_workers(cluster=address):
        pass


def test_an_address_where_nobody_or_somebody_else_answers_is_refused_in_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("ray")
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.2)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{other.getsockname()[1]}"
        with (
            pytest.raises(BadInput, match=f"nobody answers at {address}: .*ray start --head"),
            open_workers(cluster=address),
        ):
            pass
        other.listen()
        with (
            pytest.raises(BadInput, match=f"what answers at {address} is no Ray cluster"),
            open_workers(cluster=address),
        ):
            pass


def test_without_ray_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MolehuntError, match=r"pip install 'molehunt\[cluster\]'"), open_workers(cluster="auto"):
        pass


def lost(*_: Any) -> Any:
    raise ConnectionError("the cluster is gone")


@pytest.mark.parametrize("fails", ["a task", "the cluster"])
def test_who_waits_for_a_cluster_that_takes_no_work_any_more_is_told(
    fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ray")

    def count(workers: module.ClusterWorkers) -> None:
        workers.processors = 1

    monkeypatch.setattr(module.ClusterWorkers, "_check_nodes", lambda _: None)
    monkeypatch.setattr(module.ClusterWorkers, "_count_processors", count)
    workers = module.ClusterWorkers()
    if fails == "a task":
        monkeypatch.setattr(workers, "_do", SimpleNamespace(remote=lost))
    else:
        monkeypatch.setattr(workers, "_send", lost)
    for _ in range(3):
        with pytest.raises(MolehuntError, match="the cluster failed: ConnectionError: the cluster is gone"):
            workers.submit(time.sleep, 0).result(10)
    workers.shutdown(cancel_futures=True)
