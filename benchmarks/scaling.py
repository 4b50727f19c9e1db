"""What it costs to spread work: seconds of pieces by player, cost of sending one, bytes of results, speed on threads and nodes.

    python benchmarks/scaling.py [FILE]

Starts a cluster of one node and one of two nodes (a processor each) on this machine, and stops them. Prints a table and writes FILE
as JSON (default benchmarks/measured/scaling.json), from which `simulate_cluster.py` takes its numbers. About three minutes."""

from __future__ import annotations

import argparse
import json
import pickle
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from arena.local_cluster import local_cluster  # noqa: E402 - found by the path above
from molehunt.agents.registry import Agents  # noqa: E402
from molehunt.arena import cluster  # noqa: E402
from molehunt.arena.match import MatchSpec, chunk_of, play_part, run, seat_match, the_match  # noqa: E402
from molehunt.arena.seating import Chair, parse_seats  # noqa: E402
from molehunt.arena.workers import each_in_order, open_workers  # noqa: E402
from molehunt.games.registry import game_entry  # noqa: E402

FILE = ROOT / "benchmarks" / "measured" / "scaling.json"
SEED = 1
PIECES = 16
"""Pieces of each match whose seconds are kept."""
EMPTY = 1000
GAMES = 8192
SIZES = (16, 64, 256, 512, 1024, 2048)
MATCHES = {
    "saboteur/krisnadi": "decision-2019*5",
    "saboteur/veldhuis:rounds=1": "kripke-2012:depth=2*5",
    "speed_clue/mitchell": "advanced*3",
    "duel/mcgill": "and-or-2020:wins_first,random-listed",
}
FAST = "saboteur/krisnadi"


def spec_of(label: str, seats: str) -> MatchSpec:
    game = label.partition("/")[0]
    agents = Agents(game)
    return MatchSpec(label, tuple(parse_seats(seats, agents.names(), game_entry(game).roles)))


def timed_part(spec: MatchSpec, first: int, deals: int) -> float:
    """Seconds of processor time that a piece takes."""
    began = time.thread_time()
    play_part(spec, SEED, first, deals)
    return time.thread_time() - began


def durations() -> Iterator[tuple[str, dict[str, Any]]]:
    for label, seats in MATCHES.items():
        spec = spec_of(label, seats)
        chunk = chunk_of(the_match(spec))
        timed_part(spec, 0, min(chunk, 16))
        print(label, seats, flush=True)
        seconds = [round(timed_part(spec, number * chunk, chunk), 4) for number in range(PIECES)]
        part = len(pickle.dumps(play_part(spec, SEED, 0, chunk)))
        kept = len(pickle.dumps(play_part(spec, SEED, 0, chunk, keep=True)))
        yield (
            f"{label} {seats}",
            {"games": chunk, "seconds": seconds, "bytes": part, "bytes_with_records": kept},
        )


def sizes() -> dict[int, float]:
    """Games a second on one thread by the size of a piece, by processor time."""
    spec = spec_of(FAST, MATCHES[FAST])
    return {size: round(2048 / sum(timed_part(spec, n, size) for n in range(0, 2048, size))) for size in SIZES}


def nothing(number: int) -> int:
    return number


def overhead(workers: Executor) -> dict[str, float]:
    """What a piece costs that does nothing: by the clock, and of the processor time of the process that asks."""
    list(each_in_order(workers, nothing, ((number,) for number in range(100))))
    wall, processor = time.perf_counter(), time.process_time()
    list(each_in_order(workers, nothing, ((number,) for number in range(EMPTY))))
    return {
        "wall_us": round(1e6 * (time.perf_counter() - wall) / EMPTY),
        "asker_us": round(1e6 * (time.process_time() - processor) / EMPTY),
    }


def speed(workers: Executor) -> dict[str, float]:
    match = seat_match(FAST, [Chair("decision-2019")] * 5, Agents("saboteur"))
    run(match, 2048, SEED, workers)
    result = run(match, GAMES, SEED, workers)
    return {"games_per_second": round(result.games / result.seconds), "seconds": round(result.seconds, 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=FILE)
    target = parser.parse_args().file
    found: dict[str, Any] = {
        "pieces": dict(durations()),
        "games_per_second_by_size": sizes(),
        "overhead": {},
        "speed": {},
    }
    for threads in (1, 2):
        with open_workers(threads) as workers:
            found["overhead"][f"{threads} threads"] = overhead(workers)
            found["speed"][f"{threads} threads"] = speed(workers)
    for nodes in (1, 2):
        with local_cluster(nodes) as here:
            began = time.perf_counter()
            with open_workers(cluster=here.address) as workers:
                found["speed"][f"{nodes} nodes"] = {"connecting_seconds": round(time.perf_counter() - began, 2)}
                found["overhead"][f"{nodes} nodes"] = overhead(workers)
                found["speed"][f"{nodes} nodes"] |= speed(workers)
                most, cluster.MOST_PIECES = cluster.MOST_PIECES, 1
                found["overhead"][f"{nodes} nodes, a task for each piece"] = overhead(workers)
                cluster.MOST_PIECES = most
    for name, rows in found.items():
        print(name)
        for row, value in rows.items():
            print(f"  {row}: {value}")
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
