"""Positions that `and-or-2020` looks at for a move, and the time it takes: anew each time, with a table of values, and pruned.

python benchmarks/duel_nodes.py --depth 3 --every 8

Its positions are those of games of the search at depth 2 against the course's random player. Pruned, the best moves are the same.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from molehunt.agents.duel.and_or_2020 import AndOr2020Agent
from molehunt.agents.duel.heuristic_2020 import GUESS, guess_goal
from molehunt.agents.duel.model import duel_model
from molehunt.agents.duel.positions import POSITION, position_of_view
from molehunt.agents.registry import Agents
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.search.expectimax import Search

SEAT = 1
ANEW_DEPTH = 2
"""The greatest depth to which each position is searched anew; deeper, that takes minutes a move."""
WAYS = {
    "each position anew": {"cached": False},
    "with a table of values": {},
    "with the table, pruned": {"pruned": True},
}


def searched_views(searcher: AndOr2020Agent, games: int, seed: int, every: int) -> Iterator[Any]:
    """The views at which the player moves, one in `every`, of games against the course's random player."""
    game = make_game("duel", "mcgill", 2)
    seeds = game_seeds(seed, 0, games)
    played = play(game, (Agents("duel").make("random-listed"), searcher), seeds, keep_actions=True)
    states = game.new(seeds)
    number = 0
    for row, actions in enumerate(played.actions or ()):
        here = np.array([row])
        for action in actions:
            if game.to_move(states)[row] == SEAT:
                if number % every == 0:
                    yield game.views(states, np.full(1, SEAT, np.int8), here)[0]
                number += 1
            game.apply(states, np.array([action], np.int32), here)


def measure(player: str, games: int, seed: int, depth: int, every: int) -> None:
    """Print a line for every way to search."""
    agent = Agents("duel").make(player)
    assert isinstance(agent, AndOr2020Agent)
    search = Search(duel_model())
    ways = {name: way for name, way in WAYS.items() if depth <= ANEW_DEPTH or way.get("cached", True)}
    nodes: dict[str, list[int]] = {name: [] for name in ways}
    seconds = dict.fromkeys(ways, 0.0)
    for view in searched_views(agent, games, seed, every):
        position, settings = np.zeros(1, POSITION), agent.settings.copy()
        position_of_view(view, position[0])
        settings[GUESS] = guess_goal(view["goals"])
        best = set()
        for name, way in ways.items():
            began = time.process_time()
            found = search.run(position, settings, depth, **way)
            seconds[name] += time.process_time() - began
            nodes[name].append(found.nodes)
            best.add(tuple(found.best.tolist()))
        assert len(best) == 1, "pruning has changed a best move"
    for name, counts in nodes.items():
        spent = 1000 * seconds[name] / len(counts)
        print(
            f"{player}, depth {depth}, {name}: mean {np.mean(counts):,.0f}, most {max(counts):,}, {spent:,.1f} ms, "
            f"of {len(counts)} moves"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--seed", type=int, default=10_001)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, help="one move in so many is searched")
    given = parser.parse_args()
    for player in ("and-or-2020", "and-or-2020:wins_first", "and-or-2020:wins_first,opponent=modelled"):
        measure(player, given.games, given.seed, given.depth, given.every)


if __name__ == "__main__":
    main()
