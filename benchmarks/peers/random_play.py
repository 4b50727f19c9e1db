"""Random legal play, moves a second: our games beside the nearest ones of OpenSpiel, PettingZoo and RLCard, in one run.

python benchmarks/peers/random_play.py [--seconds 2] [--json peers.json]

What is not installed is named and left out: pip install open-spiel 'pettingzoo[classic]' rlcard. A move is one decision of a player
that the rules call for (chance events do not count). `stepping` asks for the legal moves, chooses one and plays it, from Python,
as a learner does. `one loop` plays whole games inside compiled code, `lockstep` many games at once with a view and events for
every seat. Games differ in seats and length, which stand beside: the numbers say what a library costs, not how good it is.
"""

import argparse
import importlib
import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass
class Row:
    library: str
    game: str
    how: str
    seats: int
    moves_a_game: float
    moves_a_second: float


Games = Iterator[int]
"""Plays games without end; gives the moves of each (or of each batch)."""


def timed(row: tuple[str, str, str, int], games: Games, seconds: float, at_once: int = 1) -> Row:
    """Play for so long, after a game that warms up."""
    next(games)
    played = moves = 0
    began = time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        moves += next(games)
        played += at_once
    return Row(*row, moves / played, moves / spent)


# ---- Ours

OURS = (("saboteur", "krisnadi", 5), ("duel", "mcgill", 2), ("speed_clue", "mitchell", 3))
BATCH = 4096


def one_loop(name: str, ruleset: str, seats: int) -> Games:
    from molehunt import make_game
    from molehunt.core.streams import game_seeds

    game = make_game(name, ruleset, seats)
    for first in range(0, sys.maxsize, BATCH):
        seeds = game_seeds(1, first, BATCH)
        yield game.play_randomly(game.new(seeds), seeds)


def lockstep(name: str, ruleset: str, seats: int) -> Games:
    from molehunt import Agents, make_game, play
    from molehunt.core.streams import game_seeds

    game = make_game(name, ruleset, seats)
    agent = Agents(name).make("random")
    for first in range(0, sys.maxsize, BATCH):
        yield play(game, [agent] * seats, game_seeds(1, first, BATCH)).moves


def ours(seconds: float) -> Iterator[Row]:
    for name, ruleset, seats in OURS:
        label = f"{name}/{ruleset}"
        yield timed(("molehunt", label, "one loop", seats), one_loop(name, ruleset, seats), seconds, BATCH)
        yield timed(("molehunt", label, "lockstep", seats), lockstep(name, ruleset, seats), seconds, BATCH)
        try:
            from molehunt.adapters.pettingzoo import env
        except ImportError as error:
            print(f"our PettingZoo environments are left out: {error}", file=sys.stderr)
        else:
            yield timed(("molehunt", label, "stepping, AEC", seats), agents_in_turn(env(label, seats)), seconds)
        try:
            from molehunt.adapters.openspiel.games import load_game
        except ImportError as error:
            print(f"our games in OpenSpiel are left out: {error}", file=sys.stderr)
        else:
            there = spiel(load_game(label, seats=seats))
            yield timed(("molehunt", label, "stepping in OpenSpiel", seats), there, seconds)


# ---- OpenSpiel: hidden information and cards; go_fish asks for cards as Clue does, kuhn_poker is its smallest in Python

SPIELS = ("go_fish", "hearts", "gin_rummy", "leduc_poker", "python_kuhn_poker")


def spiel(game: Any) -> Games:
    choose = random.Random(1)
    while True:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(choose.choices(outcomes, weights)[0])
            else:
                state.apply_action(choose.choice(state.legal_actions()))
                moves += 1
        yield moves


def open_spiel(seconds: float) -> Iterator[Row]:
    pyspiel = importlib.import_module("pyspiel")
    importlib.import_module("open_spiel.python.games.kuhn_poker")
    there = pyspiel.registered_names()
    for name in SPIELS:
        if name in there:
            game = pyspiel.load_game(name)
            inside = "Python" if name.startswith("python_") else "C++"
            yield timed(("OpenSpiel", name, f"stepping, rules in {inside}", game.num_players()), spiel(game), seconds)


# ---- PettingZoo

ZOO = ("leduc_holdem_v4", "texas_holdem_v4", "hanabi_v5")


def agents_in_turn(env: Any) -> Games:
    """Random play of an AEC environment by its action mask."""
    chance = random.Random(1).random
    for seed in range(sys.maxsize):
        env.reset(seed=seed)
        moves = 0
        while env.agents:
            observation, _, termination, truncation, info = env.last()
            if termination or truncation:
                env.step(None)
                continue
            mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
            legal = mask.nonzero()[0]
            env.step(int(legal[int(chance() * len(legal))]))
            moves += 1
        yield moves


def pettingzoo(seconds: float) -> Iterator[Row]:
    classic = importlib.import_module("pettingzoo.classic")
    for name in ZOO:
        try:
            env = importlib.import_module(f"{classic.__name__}.{name}").raw_env()
        except (ImportError, ModuleNotFoundError) as error:
            print(f"PettingZoo's {name} is left out: {error}", file=sys.stderr)
            continue
        yield timed(("PettingZoo", name, "stepping, AEC", len(env.possible_agents)), agents_in_turn(env), seconds)


# ---- RLCard

RL_CARDS = ("leduc-holdem", "gin-rummy", "uno", "doudizhu")


def dealt(env: Any) -> Games:
    choose = random.Random(1)
    while True:
        state, _ = env.reset()
        moves = 0
        while not env.is_over():
            state, _ = env.step(choose.choice(list(state["legal_actions"])))
            moves += 1
        yield moves


def rlcard(seconds: float) -> Iterator[Row]:
    library = importlib.import_module("rlcard")
    for name in RL_CARDS:
        env = library.make(name, config={"seed": 1})
        yield timed(("RLCard", name, "stepping", env.num_players), dealt(env), seconds)


LIBRARIES: dict[str, Callable[[float], Iterator[Row]]] = {
    "molehunt": ours,
    "OpenSpiel": open_spiel,
    "PettingZoo": pettingzoo,
    "RLCard": rlcard,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each is measured")
    parser.add_argument("--json", type=Path, help="write the rows to this file")
    arguments = parser.parse_args()
    rows: list[Row] = []
    print(f"{'library':<11}{'game':<24}{'how':<34}{'seats':>6}{'moves/game':>12}{'moves/s':>13}")
    for library, measure in LIBRARIES.items():
        try:
            for row in measure(arguments.seconds):
                rows.append(row)
                print(
                    f"{row.library:<11}{row.game:<24}{row.how:<34}{row.seats:>6}{row.moves_a_game:>12.1f}{row.moves_a_second:>13,.0f}",
                    flush=True,
                )
        except ImportError as error:
            print(f"{library} is left out: {error}", file=sys.stderr)
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
