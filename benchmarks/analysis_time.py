"""How long the analysis of a game of one round takes, warm: CPU seconds of one thread.

python benchmarks/analysis_time.py [games] [seed]
"""

from __future__ import annotations

import sys
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
    games, seed = (int(each) for each in (sys.argv[1:] + ["20", "10001"][len(sys.argv) - 1 :])[:2])
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
