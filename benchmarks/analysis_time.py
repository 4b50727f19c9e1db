"""How long the analysis of a game of one round takes, warm: CPU seconds of one thread.

python benchmarks/analysis_time.py [games] [seed]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from molehunt.analysis.analyse import analyse
from molehunt.analysis.puzzle import played_game
from molehunt.core.streams import game_seeds

TABLES = (
    ("saboteur", "krisnadi", ("decision-2019",) * 5),
    ("saboteur", "krisnadi", ("decision-2019",) * 10),
    ("saboteur", "official+talk:rounds=1", ("kripke-2012",) * 5),
    ("duel", "mcgill", ("greedy-2020", "greedy-2020")),
    ("duel", "mcgill", ("random", "random")),
    ("speed_clue", "mitchell", ("advanced",) * 4),
    ("speed_clue", "mitchell", ("basic",) * 6),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, nargs="?", default=20)
    parser.add_argument("seed", type=int, nargs="?", default=10001)
    given = parser.parse_args()
    games, seed = given.games, given.seed
    for name, ruleset, players in TABLES:
        taken, worlds = [], []
        for number, start in enumerate((0, *game_seeds(seed, 0, games).tolist())):
            played = played_game(name, ruleset, players, start)
            began = time.process_time()
            found = analyse(played)
            # The first compiles, or fetches what was compiled.
            if number:
                taken.append(time.process_time() - began)
                worlds.append(found.worlds)
        seconds = np.array(taken)
        print(
            f"{name}/{ruleset}, {','.join(players)}: {seconds.mean():.2f} s, at most {seconds.max():.2f} s, "
            f"in {np.mean(worlds):.0f} worlds, {games} games",
            flush=True,
        )


if __name__ == "__main__":
    main()
