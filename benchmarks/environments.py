"""How fast the environments for learners play, by game: turns a second of PettingZoo, moves a second of batches, on one thread.

python benchmarks/environments.py [--turns 50000] [--moves 500000] [--games 256] [--seed 1] [--json FILE]

`loop` is reset, last and step with a random legal action of the mask, in Python; `own` is PettingZoo's own performance_benchmark,
which makes a list of all legal actions for every move and takes five seconds. `bare`, `masks`, `views` and `both` are batches that
write nothing, masks, observations, or both, with random legal actions chosen in a compiled loop that is part of the time.
The speeds are the best of three and by processor time, so that other programs disturb them less; `own` is by the clock.
"""

import argparse
import contextlib
import io
import json
import random
import re
import time
from collections.abc import Callable
from pathlib import Path

from molehunt.adapters.batched import BatchedGames
from molehunt.adapters.pettingzoo import env

GAMES = {
    "saboteur/krisnadi": 5,
    "saboteur/veldhuis": 5,
    "saboteur/official": 5,
    "duel/mcgill": 2,
    "speed_clue/mitchell": 3,
    "speed_clue/contest": 3,
}
"""How many sit at each."""
REPEATS = 3
WINDOW = (-4, -5, 12, 5)
"""The part of an open mine in the row that says window."""


def best(measure: Callable[[], float]) -> float:
    """The best of a few speeds, after one that warms up."""
    measure()
    return max(measure() for _ in range(REPEATS))


def loop(label: str, seats: int, turns: int, seed: int, window: tuple[int, int, int, int] | None) -> float:
    """Turns a second of whole games in Python."""
    table = env(label, seats, window=window)
    chance = random.Random(seed).random
    table.reset(seed=seed)
    done = 0
    began = time.thread_time()
    while done < turns:
        for _ in table.agent_iter():
            seen, _, terminated, _, _ = table.last()
            if terminated:
                table.step(None)
            else:
                legal = seen["action_mask"].view(bool).nonzero()[0]
                table.step(int(legal[int(chance() * len(legal))]))
            done += 1
        table.reset()
    return done / (time.thread_time() - began)


def own_benchmark(label: str, seats: int, window: tuple[int, int, int, int] | None) -> float:
    """Turns a second as PettingZoo's own benchmark counts them."""
    from pettingzoo.test import performance_benchmark

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        performance_benchmark(env(label, seats, window=window))
    found = re.search(r"([\d.]+) turns per second", printed.getvalue())
    return float(found[1]) if found else 0.0


def batch(  # noqa: PLR0913, PLR0917 - a row of the table
    label: str, seats: int, wanted: tuple[bool, bool], moves: int, games: int, seed: int, window: object
) -> float:
    """Moves a second of a batch with auto-reset."""
    views, masks = wanted
    table = BatchedGames(label, seats, games, observations=views, masks=masks, window=window)  # type: ignore[arg-type]
    table.reset(seed)
    steps = max(1, moves // games)
    began = time.thread_time()
    for _ in range(steps):
        table.step(table.random_actions())
    return steps * games / (time.thread_time() - began)


def main() -> None:
    """Print a row for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=50_000)
    parser.add_argument("--moves", type=int, default=500_000)
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--no-own", action="store_true", help="leave out PettingZoo's own benchmark")
    options = parser.parse_args()
    print(
        f"{'game':<28}{'actions':>8}{'numbers':>8} |{'loop':>9}{'own':>9} |{'bare':>11}{'masks':>11}{'views':>11}{'both':>11}"
    )
    rows = {}
    for label, seats, window in (
        *((label, seats, None) for label, seats in GAMES.items()),
        ("saboteur/official", 5, WINDOW),
    ):
        spaces = env(label, seats, window=window).stepped.spaces
        figures = {
            "loop": best(lambda: loop(label, seats, options.turns, options.seed, window)),  # noqa: B023
            "own": 0.0 if options.no_own else own_benchmark(label, seats, window),
        }
        for name, wanted in (
            ("bare", (False, False)),
            ("masks", (False, True)),
            ("views", (True, False)),
            ("both", (True, True)),
        ):
            figures[name] = best(
                lambda: batch(label, seats, wanted, options.moves, options.games, options.seed, window)  # noqa: B023
            )
        name = f"{label}/{seats}{' window' if window else ''}"
        rows[name] = figures
        loops = "".join(f"{figures[key]:>9,.0f}" for key in ("loop", "own"))
        batches = "".join(f"{figures[key]:>11,.0f}" for key in ("bare", "masks", "views", "both"))
        print(f"{name:<28}{spaces.size:>8,}{spaces.observation_size:>8,} |{loops} |{batches}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
