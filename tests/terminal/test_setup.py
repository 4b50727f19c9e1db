"""Who is offered as an opponent in the terminal can sit down there."""

from __future__ import annotations

import importlib.util

import pytest

from molehunt.terminal.setup import Setup, offered


def names(setup: Setup) -> set[str]:
    return {entry.name for entry in offered(setup)}


def test_players_of_small_games_are_offered_where_the_game_is_small() -> None:
    assert "equilibrium" in names(Setup("saboteur", 1, "small"))
    large = names(Setup("saboteur", 1, "krisnadi"))
    assert "equilibrium" not in large and {"random", "kripke-2012", "ismcts"} <= large


def test_players_of_a_library_that_is_not_installed_are_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pyspiel" else find(name))
    assert not {name for name in names(Setup("duel", 1)) if name.startswith("openspiel")}
