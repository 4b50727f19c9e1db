"""What stands beside a learner on small games: the exact margin of a best response."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.games.compiled import CompiledGame
from molehunt.games.registry import make_game
from molehunt.learning.exploit import exact_margin
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
    found = exact_margin(small(), Agents("saboteur").make("random"), role, 1)
    assert found is not None
    assert found.low - 0.02 <= wanted <= found.high + 0.02
    assert found.high - found.low < 0.5


def test_there_is_none_where_the_tree_is_too_large_or_more_than_two_sit() -> None:
    duel, three = make_game("duel", "mcgill", 2), make_game("saboteur", "small", 3)
    assert isinstance(duel, CompiledGame) and isinstance(three, CompiledGame)
    assert exact_margin(duel, Agents("duel").make("random"), "", 1) is None
    assert exact_margin(three, Agents("saboteur").make("random"), "miner", 1) is None
