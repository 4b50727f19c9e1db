"""A million random games of Saboteur, with bounds checks: no index ever leaves its array.

    python benchmarks/million_random_games.py                     # a million games of krisnadi with five seats
    python benchmarks/million_random_games.py 20000               # another number of games
    python benchmarks/million_random_games.py 100000 official     # another ruleset, with three to ten seats in turn
    python benchmarks/million_random_games.py 100000 veldhuis     # its five seats
    python benchmarks/million_random_games.py 50000 official 10   # one number of seats

A ruleset is typed as on the command line: `official+talk`, `official:rounds=1`, `krisnadi:talk=yes`. Prints a line of
progress a batch, then the moves, the seconds and the peak memory. The exit status is 0 if every game came to an end.
NUMBA_BOUNDSCHECK=0 plays without the checks, for comparison.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time

os.environ.setdefault("NUMBA_BOUNDSCHECK", "1")  # read by Numba when it is imported

import numpy as np

from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.ruleset import ruleset_from_text

SEATS = {"krisnadi": range(5, 6)}
"""The numbers of seats where none is asked for; of other rulesets all that they allow, each with its part of the games."""
BATCH = 20_000
SEED = 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, nargs="?", default=1_000_000)
    parser.add_argument("ruleset", nargs="?", default="krisnadi")
    parser.add_argument("seats", type=int, nargs="?")
    given = parser.parse_args()
    name, _, items = given.ruleset.partition(":")
    ruleset = ruleset_from_text(name, items.split(",") if items else [])
    fewest, most = ruleset.seat_limits
    tables = SEATS.get(ruleset.name, range(fewest, most + 1))
    if given.seats is not None:
        tables = range(given.seats, given.seats + 1)
    return max(play(Saboteur(ruleset, seats), given.games // len(tables)) for seats in tables)


def play(game: Saboteur, games: int) -> int:
    """Play so many games; the exit status."""
    checks = "on" if os.environ["NUMBA_BOUNDSCHECK"] == "1" else "off"
    print(f"{games} random games of {game.label}, {game.seats} seats, bounds checks {checks}")
    started = time.perf_counter()
    game.play_randomly(game.new(game_seeds(SEED, 0, 1)), seat_streams(game_seeds(SEED, 0, 1), 1)[:, 0])
    print(f"compiled or loaded in {time.perf_counter() - started:.1f} s", flush=True)

    started = time.perf_counter()
    moves = 0
    ends = np.zeros(len(game.outcome_names()), np.int64)
    for first in range(0, games, BATCH):
        seeds = game_seeds(SEED, first, min(BATCH, games - first))
        states = game.new(seeds)
        moves += game.play_randomly(states, seat_streams(seeds, 1)[:, 0])
        codes = game.outcome_codes(states)
        if (codes < 0).any() or (game.to_move(states) >= 0).any():
            print(f"the game with seed {seeds[codes < 0][0]} did not come to an end")
            return 1
        ends += np.bincount(codes, minlength=len(ends))
        print(f"{first + len(seeds):>9} games, {moves:>10} moves, {time.perf_counter() - started:6.1f} s", flush=True)

    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(", ".join(f"{name}: {count}" for name, count in zip(game.outcome_names(), ends.tolist(), strict=True)))
    print(f"{moves} moves in {seconds:.1f} s, {moves / seconds:.0f} moves a second; peak memory {peak:.0f} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
