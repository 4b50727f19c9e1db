"""How fast OpenSpiel's Monte Carlo CFR approaches equilibrium on the small rulesets, by its own measure and by ours.

python benchmarks/openspiel_convergence.py [--json FILE] [--seed 1] [--part 0.1] [--seconds 600]

Each small ruleset is grown into a tree, written as a Gambit file and loaded into OpenSpiel. Both of its samplings train until
NashConv is below `--part` of that of the uniform policy, or the time is over. NashConv is what the seats would win together, each
by answering best; over the number of seats it is called exploitability. It is measured twice: by OpenSpiel and by our tree.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from molehunt.adapters.openspiel.efg import SmallGame, small_game
from molehunt.adapters.openspiel.library import openspiel
from molehunt.adapters.openspiel.training import SAMPLING, solver
from molehunt.search.tree_values import nash_conv

GAMES = (("speed_clue/small", 2), ("speed_clue/small:max_suggestions=1", 3), ("saboteur/small", 2))
FIRST, FACTOR = 100, 2


def curve(small: SmallGame, sampling: str, seed: int, part: float, seconds: float) -> list[dict[str, Any]]:
    """A row for each time we looked: iterations, seconds of training, NashConv by OpenSpiel and by our tree."""
    pyspiel = openspiel()
    start = nash_conv(small.tree, small.tree.uniform())
    theirs = pyspiel.nash_conv(small.game, pyspiel.UniformRandomPolicy(small.game), True)
    rows = [{"iterations": 0, "seconds": 0.0, "openspiel": theirs, "tree": start}]
    run = solver(small.game, sampling, seed)
    trained, done, look_at = 0.0, 0, FIRST
    while rows[-1]["tree"] >= part * start and trained < seconds:
        began = time.perf_counter()
        for _ in range(look_at - done):
            run.run_iteration()
        trained += time.perf_counter() - began
        done, look_at = look_at, look_at * FACTOR
        average = run.average_policy()
        theirs = pyspiel.nash_conv(small.game, average, True)
        ours = nash_conv(small.tree, small.strategy(average))
        rows.append({"iterations": done, "seconds": round(trained, 2), "openspiel": theirs, "tree": ours})
        print(f"{done:>12,} {trained:>9.1f} s {theirs:>12.6f} {ours:>12.6f} {100 * ours / start:>8.1f} %", flush=True)
    return rows


def main() -> None:
    """Run every small ruleset with both samplings, print the curves and write them down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="write the curves to this file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", type=float, default=0.1, help="stop below this part of the start")
    parser.add_argument("--seconds", type=float, default=600, help="stop training after so many")
    parser.add_argument("--only", help="only games whose label holds this")
    given = parser.parse_args()
    results = []
    for label, seats in GAMES:
        if given.only and given.only not in label:
            continue
        small = small_game(label, seats)
        size = {"nodes": small.tree.histories, "information_sets": len(small.names)}
        for sampling in SAMPLING:
            print(f"\n{label}, {seats} seats, {size['nodes']:,} nodes, {size['information_sets']:,} information sets,")
            print(f"{sampling} sampling, seed {given.seed}")
            print("  iterations    training    OpenSpiel     our tree of start")
            rows = curve(small, sampling, given.seed, given.part, given.seconds)
            reached = rows[-1]["tree"] < given.part * rows[0]["tree"]
            print(f"below {given.part:g} of the start: {'yes' if reached else 'no'}")
            head = {"game": label, "seats": seats, "sampling": sampling, "seed": given.seed, **size}
            results.append({**head, "reached": reached, "curve": rows})
    if given.json:
        given.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
