"""Information set MCTS here and in OpenSpiel, on the same games, machine and seeds: how fast, and who wins with equal simulations.

python benchmarks/ismcts.py speed [--json FILE] [--seed 1] [--positions 12] [--iterations 1000]
python benchmarks/ismcts.py strength [--json FILE] [--seed 1] [--games 400] [--only duel] [--ours c=0.7]

Ours is the player `ismcts`, theirs `openspiel-ismcts`: OpenSpiel's own bot in Python on our games as its library has them, whose
worlds are drawn by our `resample` and whose leaves are valued by our compiled random games, so both do the same work. Speed is
that of single decisions, each player at the same views, taken from random games. In the matches every deal is played in both
seatings; the interval is over deals, at 95 %.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from molehunt.agents.registry import Agents
from molehunt.arena.match import run, seat_match
from molehunt.arena.seating import parse_seats
from molehunt.arena.workers import open_workers
from molehunt.core.agent import Agent
from molehunt.core.game import Game, Views
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game, split_label

GAMES = {"speed_clue/small": 300, "saboteur/small": 200, "duel/mcgill": 20}
"""By game, the simulations a move of both players in the matches."""
SEATS = 2


def decisions(game: Game, seed: int, count: int) -> Iterator[Views]:
    """So many views with a choice, each from a random game of its own."""
    found, number = 0, 0
    random = np.random.default_rng(seed)
    while found < count:
        states = game.new(game_seeds(seed, number, 1))
        number += 1
        for _ in range(int(random.integers(0, 12))):
            after = states.copy()
            game.apply(after, np.array([random.choice(game.legal_in(states).codes)], np.int32))
            if game.to_move(after)[0] < 0:
                break
            states = after
        if len(game.legal_in(states)) > 1:
            found += 1
            yield game.views(states, game.to_move(states))


def simulations_a_second(game: Game, agent: Agent, views: list[Views], simulations: int) -> float:
    """Simulations in a second of the processor, over all views; what it compiles is compiled before."""
    rows = np.zeros(1, np.int64)
    spent = 0.0
    for number, view in enumerate([views[0], *views]):
        memory = agent.start(game, view, game_seeds(number, 0, 1))
        began = time.thread_time()
        agent.act(view, memory, rows)
        spent += time.thread_time() - began if number else 0.0
    return simulations * len(views) / spent


def speed(given: argparse.Namespace) -> list[dict[str, Any]]:
    """A row a game: simulations a second of both, and how many times faster ours is."""
    rows = []
    for label in GAMES:
        if given.only and given.only not in label:
            continue
        name, ruleset = split_label(label)
        game, agents = make_game(name, ruleset, SEATS), Agents(name)
        views = list(decisions(game, given.seed, given.positions))
        ours = simulations_a_second(game, agents.make(f"ismcts:iterations={given.iterations}"), views, given.iterations)
        theirs = simulations_a_second(
            game, agents.make(f"openspiel-ismcts:simulations={given.iterations}"), views, given.iterations
        )
        print(f"{label:<18} {ours:>10,.0f} {theirs:>10,.0f} {ours / theirs:>8.1f}x", flush=True)
        rows.append({"game": label, "seed": given.seed, "positions": len(views), "ours": ours, "openspiel": theirs})
    return rows


def strength(given: argparse.Namespace) -> list[dict[str, Any]]:
    """A row a game: how often ours wins against OpenSpiel's with equal simulations."""
    rows = []
    for label, usual in GAMES.items():
        if given.only and given.only not in label:
            continue
        simulations = given.iterations or usual
        more = "".join(f",{item}" for item in given.ours)
        seats = f"ismcts:iterations={simulations}{more},openspiel-ismcts:simulations={simulations}"
        name, ruleset = split_label(label)
        agents = Agents(name)
        chairs = parse_seats(seats, agents.names(), make_game(name, ruleset, SEATS).roles)
        match = seat_match(label, chairs, agents, rotate=True)
        with open_workers(given.threads) as workers:
            result = run(match, given.games, given.seed, workers)
        wins, theirs = (int(count) for count in result.wins)
        low, high = result.rates[0].low, result.rates[0].high  # over deals, each of which is played in both seatings
        print(
            f"{label:<18} {simulations:>6,} simulations, {result.games} games, seed {given.seed}: "
            f"{100 * wins / result.games:.1f} % ({100 * low:.1f}-{100 * high:.1f}) against {theirs} wins of {result.games}",
            flush=True,
        )
        head = {"game": label, "seed": given.seed, "games": result.games, "simulations": simulations}
        rows.append({**head, "ours": given.ours, "wins": wins, "theirs": theirs, "low": low, "high": high})
    return rows


def main() -> None:
    """Measure one of both, print it and write it down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("speed", "strength"))
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--positions", type=int, default=12, help="decisions that are timed")
    parser.add_argument("--games", type=int, default=400, help="games of a match")
    parser.add_argument("--iterations", type=int, default=0, help="simulations a move; 1000 for speed, else by game")
    parser.add_argument("--threads", type=int, default=1, help="threads of a match")
    parser.add_argument("--ours", action="append", default=[], help="a parameter of our player, as c=0.7")
    parser.add_argument("--only", help="only games whose label holds this")
    given = parser.parse_args()
    if given.what == "speed":
        given.iterations = given.iterations or 1000
    rows = speed(given) if given.what == "speed" else strength(given)
    if given.json:
        given.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
