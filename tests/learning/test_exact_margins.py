"""What stands beside a learner on small games: the exact margin of a best response."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.games.compiled import CompiledGame
from molehunt.games.registry import make_game
from molehunt.learning.definition import TrainingText
from molehunt.learning.exploit import BOLD, exact_margin, training_of
from molehunt.learning.run import measure
from molehunt.learning.seating import Seating
from molehunt.search.growing import grow
from molehunt.search.tree_values import best_response


def small() -> CompiledGame:
    game = make_game("saboteur", "small", 2)
    assert isinstance(game, CompiledGame)
    return game


@pytest.mark.parametrize(("role", "roles"), [("miner", (0, 1)), ("saboteur", (1, 0))])
def test_it_is_the_mean_over_the_seats_of_the_role(role: str, roles: tuple[int, int]) -> None:
    """Of the player at random, whose behaviour is known."""
    trees = [grow(small(), np.array(each, np.int8)) for each in (roles, roles[::-1])]
    wanted = np.mean([best_response(tree, tree.uniform(), seat)[0] for seat, tree in enumerate(trees)])
    random = Agents("saboteur").make("random")
    found = exact_margin(small(), random, Agents("saboteur").make("decision-2019"), role, 1)
    assert found is not None
    assert found.low - 0.02 <= wanted <= found.high + 0.02
    assert found.high - found.low < 0.5
    assert found.learner < found.margin


def test_there_is_none_where_the_tree_is_too_large_or_more_than_two_sit() -> None:
    duel, three = make_game("duel", "mcgill", 2), make_game("saboteur", "small", 3)
    assert isinstance(duel, CompiledGame) and isinstance(three, CompiledGame)
    for game, role in ((duel, ""), (three, "miner")):
        random = Agents(game.name).make("random")
        assert exact_margin(game, random, random, role, 1) is None


@pytest.mark.parametrize("role", ["miner", "saboteur"])
def test_what_a_learner_wins_exactly_is_what_it_wins_in_games(role: str) -> None:
    """Of a player in the place of the learner that leaves nothing to chance, against itself."""
    player = Agents("saboteur").make("decision-2019")
    found = exact_margin(small(), player, player, role, 1)
    seating = Seating.of(small(), {role: 1.0}, {"decision-2019": 1.0})
    played = measure(small(), seating, "decision-2019", player, 4000, 1)
    assert found is not None
    assert played.low - 0.02 <= found.learner <= played.high + 0.02
    assert found.learner <= found.margin + 1e-9


def test_learners_have_seeds_of_their_own_and_every_second_is_bold() -> None:
    text = TrainingText(game="saboteur/small", steps=10, seats=2, seed=7)
    runs = [training_of(text, "random", {"miner": 1.0}, number) for number in range(4)]
    assert [run.seed for run in runs] == [7, 8, 9, 10]
    assert runs[0].ppo == runs[2].ppo == text.ppo and runs[1].ppo == runs[3].ppo
    assert all(getattr(runs[1].ppo, name) == value != getattr(text.ppo, name) for name, value in BOLD.items())
    assert all(run.opponents == {"random": 1.0} and run.roles == {"miner": 1.0} for run in runs)
