"""Positions that `and-or-2020` looks at a move at depth 2: anew each time, as its report searches, and with a table of values."""

from __future__ import annotations

import numpy as np

from molehunt.agents.duel.and_or_2020 import EDITIONS, AndOr2020Agent
from molehunt.agents.duel.heuristic_2020 import GUESS, guess_goal
from molehunt.agents.duel.positions import POSITION, duel_model, position_of_view
from molehunt.agents.registry import Agents
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.search.expectimax import Search

GAMES, SEED, DEPTH, SEAT = 8, 9, 2, 1


def main() -> None:
    game, searcher, search = (
        make_game("duel", "mcgill", 2),
        AndOr2020Agent(parameters=EDITIONS["wins_first"]),
        Search(duel_model()),
    )
    seeds = game_seeds(SEED, 0, GAMES)
    played = play(game, (Agents("duel").make("random-listed"), searcher), seeds, keep_actions=True)
    states = game.new(seeds)
    nodes: dict[bool, list[int]] = {False: [], True: []}
    for row, actions in enumerate(played.actions or ()):
        here = np.array([row])
        for action in actions:
            if game.to_move(states)[row] == SEAT:
                (view,) = game.views(states, np.full(1, SEAT, np.int8), here)
                position, settings = np.zeros(1, POSITION), searcher.settings.copy()
                position_of_view(view, position[0])
                settings[GUESS] = guess_goal(view["goals"])
                for cached, counts in nodes.items():
                    counts.append(search.run(position, settings, DEPTH, cached=cached).nodes)
            game.apply(states, np.array([action], np.int32), here)
    for cached, counts in nodes.items():
        said = "with a table of values" if cached else "each position anew"
        print(f"{said}: mean {np.mean(counts):,.0f}, most {max(counts):,}, of {len(counts)} moves")


if __name__ == "__main__":
    main()
