"""Whether the same work gives the same numbers everywhere: on one thread, on two, on a cluster of two nodes of which one dies.

    python benchmarks/same_everywhere.py [GAMES]

A tournament, matches with records, one with a player from a file, and two studies. Prints a line each and fails where
anything differs. The cluster is started on this machine, anew for each, and stopped. Some minutes."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from arena.local_cluster import local_cluster  # noqa: E402 - found by the path above
from molehunt.arena.agent_files import load_agents  # noqa: E402
from molehunt.arena.match import run, seat_match  # noqa: E402
from molehunt.arena.seating import parse_seats  # noqa: E402
from molehunt.arena.tournament.definition import read_tournament  # noqa: E402
from molehunt.arena.tournament.events import Unit  # noqa: E402
from molehunt.arena.tournament.outcomes import UnitResult  # noqa: E402
from molehunt.arena.tournament.plan import make_plan  # noqa: E402
from molehunt.arena.tournament.play import Progress, play_tournament  # noqa: E402
from molehunt.arena.tournament.tables import make_tables  # noqa: E402
from molehunt.arena.workers import Workers, open_workers  # noqa: E402
from molehunt.core.record import Record  # noqa: E402
from molehunt.games.registry import game_entry  # noqa: E402
from molehunt.studies.study import load_study, silent  # noqa: E402

SEED = 11
PLAYER = """
from molehunt import Player

class Last(Player):
    def choose(self, view):
        return view.legal_actions[-1 - int(self.random.integers(2)) % len(view.legal_actions)]
"""

TOURNAMENT = """
name = "everywhere"
game = "saboteur/krisnadi"
players = ["decision-2019", "means-ends-2016"]
roles = {{ saboteur = 2, miner = 3 }}
deals = {deals}
seed = 11
records = true
"""

Tell = Callable[[int, int], None]
Play = Callable[[Workers, Tell], Any]


def arena(label: str, seats: str, games: int, rotate: bool, folder: Path) -> Play:
    path = folder / "last_player.py"
    path.write_text(PLAYER)
    game = label.partition("/")[0]
    agents, files = load_agents(game, [path])
    match = seat_match(label, parse_seats(seats, agents.names(), game_entry(game).roles), agents, rotate, files)

    def play(workers: Workers, tell: Tell) -> Any:
        records: list[Record] = []
        result = run(match, games, SEED, workers, tell, records.extend)
        counts = (result.games, result.moves, result.wins.tolist(), result.outcomes.tolist())
        return counts, [record.line() for record in records]

    return play


def study(name: str, games: int) -> Play:
    def play(workers: Workers, tell: Tell) -> Any:
        rows = load_study(name).run(games, SEED, workers, tell).rows
        return [row for row in rows if "milliseconds" not in row.id]

    return play


class Kept:
    """Keeps the wins and records of every unit of a tournament."""

    def __init__(self) -> None:
        self.units: list[tuple[int, list[int], list[int], bytes]] = []

    def keep(self, unit: Unit, result: UnitResult) -> None:
        self.units.append((unit.number, result.wins.tolist(), result.endings.tolist(), result.records))

    def flush(self) -> None:
        pass


def tournament(deals: int, folder: Path) -> Play:
    file = folder / "everywhere.toml"
    file.write_text(TOURNAMENT.format(deals=deals))
    plan = make_plan(read_tournament(file), folder)

    def play(workers: Workers, tell: Tell) -> Any:
        progress, kept = Progress(plan), Kept()
        play_tournament(progress, workers, kept, tell)
        return make_tables(plan, progress.outcomes, progress.finished), kept.units

    return play


def on_threads(play: Play, threads: int) -> Any:
    with open_workers(threads) as workers:
        return play(workers, silent)


def on_a_cluster_that_loses_a_node(play: Play) -> Any:
    killed: list[int] = []
    with local_cluster(2) as nodes:

        def tell(done: int, total: int) -> None:
            if not killed and total / 4 < done < total:
                os.kill(nodes.last, signal.SIGKILL)
                killed.append(done)

        with open_workers(cluster=nodes.address) as workers:
            found = play(workers, tell)
    assert killed, "no node was killed: nothing was told in the middle"
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "games", type=int, nargs="?", default=4000, help="400 or more, as the studies play a part of them"
    )
    games = parser.parse_args().games
    if games < 400:
        parser.error(f"games are 400 or more, not {games}")
    with tempfile.TemporaryDirectory() as folder:
        works = {
            f"tournament, {games // 8} deals, records": tournament(games // 8, Path(folder)),
            f"match of decision-2019, {games} games, records": arena(
                "saboteur/krisnadi", "decision-2019*4,random", games, True, Path(folder)
            ),
            f"match with a player from a file, {games // 8} games, records": arena(
                "saboteur/krisnadi", "last*2,random", games // 8, False, Path(folder)
            ),
            f"study krisnadi2019, {games // 40} games a cell": study("krisnadi2019", games // 40),
            f"study mitchell2020, {games // 400} games a cell": study("mitchell2020", games // 400),
        }
        differing = 0
        for name, play in works.items():
            began = time.perf_counter()
            one = on_threads(play, 1)
            same = on_threads(play, 2) == one, on_a_cluster_that_loses_a_node(play) == one
            differing += not all(same)
            words = ["the same" if each else "DIFFERENT" for each in same]
            print(
                f"{name}: two threads {words[0]}, two nodes and one killed {words[1]} "
                f"({time.perf_counter() - began:.0f} s)",
                flush=True,
            )
    return differing


if __name__ == "__main__":
    sys.exit(main())
