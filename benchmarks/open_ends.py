"""What a legal move costs in the open mine, by the number of open ends: nanoseconds for a random choice among all legal moves.

python benchmarks/open_ends.py [--games 20000] [--seed 1]

Views are taken all along random games of `official` and sorted by how many open ends the maze has. If a move costs no more than in
proportion to the open ends, the last column does not rise.
"""

import argparse
import time

import numpy as np

from molehunt.agents.registry import Agents
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.registry import make_game

SEATS = 5
LEAST = 2000
REPEATS = 5


def views_by_ends(games: int, seed: int) -> dict[int, np.ndarray]:
    """Views of the seat to move whose tools are whole, by the number of open ends."""
    game = make_game("saboteur", "official:rounds=1", SEATS)
    seeds = game_seeds(seed, 0, games)
    states = game.new(seeds)
    agent = Agents("saboteur").make("random")
    memory = agent.start(game, game.views(states, np.zeros(games, np.int8)), seat_streams(seeds, 1)[:, 0])
    found: dict[int, list[np.ndarray]] = {}
    while True:
        to_move = game.to_move(states)
        rows = np.flatnonzero(to_move >= 0)
        if not len(rows):
            break
        views = game.views(states, to_move[rows], rows)
        whole = views["broken"][np.arange(len(rows)), to_move[rows]] == 0
        for ends in np.unique(views["maze"]["end_count"]):
            found.setdefault(int(ends), []).append(views[whole & (views["maze"]["end_count"] == ends)][:400])
        game.apply(states, agent.act(views, memory, rows), rows)
    return {ends: np.concatenate(parts) for ends, parts in sorted(found.items())}


def main() -> None:
    """Print a line for each number of open ends that came up often enough."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game = make_game("saboteur", "official:rounds=1", SEATS)
    agent = Agents("saboteur").make("random")
    print("open ends    views   ns a move   ns a move and open end")
    for ends, views in views_by_ends(options.games, options.seed).items():
        if len(views) < LEAST:
            continue
        memory = agent.start(game, views, np.arange(len(views), dtype=np.uint64))
        rows = np.arange(len(views))
        best = float("inf")
        for _ in range(REPEATS):
            began = time.perf_counter()
            agent.act(views, memory, rows)
            best = min(best, time.perf_counter() - began)
        cost = best / len(views) * 1e9
        print(f"{ends:9}  {len(views):7}   {cost:9.0f}   {cost / max(ends, 1):9.1f}")


if __name__ == "__main__":
    main()
