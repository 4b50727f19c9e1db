"""Rulesets as they are typed, and who may play."""

from __future__ import annotations

import pytest

from games.duel.playing import GAME
from molehunt.core.errors import BadInput, BadParameter, UnknownName
from molehunt.games.duel.game import Duel, check_game
from molehunt.games.duel.ruleset import MCGILL, RULESETS, ruleset_from_text, ruleset_to_text
from molehunt.games.registry import make_game


def test_there_is_one_ruleset_and_its_text_is_read_back() -> None:
    assert set(RULESETS) == {"mcgill"}
    assert ruleset_to_text(MCGILL) == "mcgill" == GAME.spec
    assert ruleset_from_text("mcgill", []) == MCGILL == GAME.ruleset


def test_unknown_ruleset_and_parameters_are_refused() -> None:
    with pytest.raises(UnknownName, match=r"unknown ruleset of duel 'mcgil'; did you mean 'mcgill'\?"):
        ruleset_from_text("mcgil", [])
    with pytest.raises(UnknownName, match="unknown parameter of ruleset mcgill 'cards'"):
        ruleset_from_text("mcgill", ["cards=5"])


@pytest.mark.parametrize("seats", [0, 1, 3, 10])
def test_two_play(seats: int) -> None:
    with pytest.raises(BadParameter, match=f"duel is played by 2 seats, not {seats}"):
        Duel(MCGILL, seats)
    assert Duel(MCGILL, 2).seats == 2


def test_an_agent_of_the_duel_wants_the_duel() -> None:
    assert check_game("uniform", GAME) is GAME
    other = make_game("saboteur", "krisnadi", 5)
    with pytest.raises(BadInput, match="uniform plays duel, not saboteur"):
        check_game("uniform", other)
