"""How often the analysis ends with a saboteur's line on top, to an onlooker: games between players of one kind, five at a table.

    python benchmarks/suspicion_lines.py [games] [seed] [player] [ruleset]

A game counts where the highest line at its end, before the roles are opened, is a saboteur's; and, more strictly, where every
saboteur's line is above every innocent's. How long an analysis takes, warm, is measured on the first ten.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from molehunt.agents.registry import Agents
from molehunt.analysis.analyse import analyse
from molehunt.analysis.saboteur import SaboteurAnalyst
from molehunt.arena.statistics import wilson
from molehunt.core.match import play
from molehunt.core.position import Position
from molehunt.core.replay import Played
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game

SEATS = 5
TIMED = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, nargs="?", default=200)
    parser.add_argument("seed", type=int, nargs="?", default=10001)
    parser.add_argument("player", nargs="?", default="decision-2019")
    parser.add_argument("ruleset", nargs="?", default="krisnadi")
    given = parser.parse_args()
    games, seed, player = given.games, given.seed, given.player
    game = make_game("saboteur", given.ruleset, SEATS)
    agent = Agents("saboteur").make(player)
    done = play(game, [agent] * SEATS, game_seeds(seed, 0, games), keep_actions=True)
    assert done.actions is not None
    top, apart, taken = 0, 0, []
    for number, actions in enumerate(done.actions):
        played = Played(Position(game, int(done.seeds[number])), [player] * SEATS)
        for action in actions:
            played.play("", action)
        last = SaboteurAnalyst(played, [""] * SEATS).rounds[-1]
        guilt = SaboteurAnalyst(played, [""] * SEATS).guilt(last, None)[-1]
        guilty, innocent = guilt[last.roles == 1], guilt[last.roles == 0]
        top += bool(guilty.max() > innocent.max())
        apart += bool(guilty.min() > innocent.max())
        if number <= TIMED:
            began = time.process_time()
            analyse(played)
            taken.append(time.process_time() - began)
    for name, count in (("a saboteur's line is above every innocent's", top), ("all saboteurs' lines are", apart)):
        low, high = wilson(count, int(games))
        print(f"{name}: {count} of {games}, {100 * count / int(games):.1f} % ({100 * low:.1f} to {100 * high:.1f} %)")
    warm = np.array(taken[1:])
    print(
        f"one analysis, warm: {warm.mean():.2f} s of CPU time on average, {warm.max():.2f} s at most, {len(warm)} games"
    )


if __name__ == "__main__":
    main()
