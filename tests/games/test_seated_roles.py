"""Roles that are given to a deal are those that are seated, or they are refused, whichever game it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.errors import BadInput, GameFailure
from molehunt.core.game import Game, States
from molehunt.core.match import play
from molehunt.core.position import Position
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from search.plain_rules import as_plain


def ignoring_roles(game: Any) -> Game:
    """The game in plain Python, which deals whatever roles it is given."""
    plain: Any = as_plain(game)

    class Ignoring(type(plain)):  # type: ignore[misc]
        def new(self, seeds: Any, roles: npt.NDArray[np.int8] | None = None) -> States:
            del roles
            dealt: States = self.compiled.new(seeds)
            return dealt

    made: Game = Ignoring(game)
    return made


@pytest.mark.parametrize("name", ["duel", "speed_clue"])
def test_roles_are_refused_by_a_game_without_any_in_plain_python_too(name: str) -> None:
    compiled = make_game(name, "mcgill" if name == "duel" else "small", 2)
    agents = [Agents(name).make("random")] * 2
    for game in (compiled, as_plain(compiled), ignoring_roles(compiled)):  # type: ignore[arg-type]
        roles = np.zeros((1, 2), np.int8)
        with pytest.raises(BadInput, match=f"{name} has no roles to seat"):
            game.new(game_seeds(1, 0, 1), roles)
        with pytest.raises(BadInput, match=f"{name} has no roles to seat"):
            play(game, agents, game_seeds(1, 0, 1), roles)
        with pytest.raises(BadInput, match=f"{name} has no roles to seat"):
            Position(game, 1, [0, 0])


def test_a_game_that_seats_other_roles_than_it_is_given_is_named() -> None:
    compiled: Any = make_game("saboteur", "krisnadi", 4)
    seeds = game_seeds(1, 0, 6)
    dealt = compiled.roles_of(compiled.new(seeds))
    other = np.roll(dealt, 1, axis=1)
    assert (as_plain(compiled).roles_of(as_plain(compiled).new(seeds, other)) == other).all()
    game = ignoring_roles(compiled)
    assert (game.roles_of(game.new(seeds, dealt)) == dealt).all()
    with pytest.raises(GameFailure, match="new of saboteur/krisnadi seats other roles than those it is given"):
        game.new(seeds, other)
