"""The player that solves a small game."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.agents.equilibrium import solved
from molehunt.agents.registry import Agents
from molehunt.core.errors import BadInput
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.search.tree_values import best_response, expected_payoffs

GAMES = 4000
SPEC = "equilibrium:iterations=60"


@pytest.mark.parametrize("name", ["saboteur", "speed_clue"])
def test_it_wins_as_often_as_its_strategy_says_and_nobody_beats_it(name: str) -> None:
    game = make_game(name, "small", 2)
    agent, random = Agents(name).make(SPEC), Agents(name).make("random")
    found = solved(game, 60)
    value = expected_payoffs(found.tree, found.strategy)[0]
    seeds = game_seeds(8, 0, GAMES)
    won = game.margins(play(game, [agent, agent], seeds).states)[:, 0]
    assert abs(won.mean() - value) < 4 * won.std() / np.sqrt(GAMES)
    best = best_response(found.tree, found.strategy, 1)[0]
    other = game.margins(play(game, [agent, random], seeds).states)[:, 1]
    assert other.mean() < best + 4 * other.std() / np.sqrt(GAMES)


def test_it_says_which_games_it_plays() -> None:
    game = make_game("speed_clue", "mitchell", 3)
    with pytest.raises(BadInput, match="equilibrium plays small games only, as speed_clue/small: the deals"):
        play(game, [Agents("speed_clue").make("equilibrium")] * 3, game_seeds(0, 0, 1))


def test_the_strength_of_its_solution_can_be_set() -> None:
    agent = Agents("saboteur").make("equilibrium:iterations=5")
    assert agent.name == "equilibrium:iterations=5"
