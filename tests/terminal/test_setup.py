"""Who is offered as an opponent in the terminal can sit down there."""

from __future__ import annotations

import importlib.util

import pytest

from molehunt.terminal.prompts import LeftTable, Prompter
from molehunt.terminal.setup import Setup, ask_setup, offered
from terminal.clue_person import Screen


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


def test_help_tells_of_every_ruleset_that_is_offered_and_of_the_usual_one_first() -> None:
    lines, screen = ["?", "quit"], Screen()
    with pytest.raises(LeftTable):
        ask_setup(Prompter(screen.console, lambda _prompt: lines.pop(0)), Setup("saboteur", 1), {"name"})
    told = [line.split() for line in screen().splitlines() if line and not line.startswith(" ")]
    first = next(number for number, words in enumerate(told) if words[0] == "official+talk")
    assert [words[0] for words in told[first : first + 2]] == ["official+talk", "krisnadi"]
    assert "with talk" in " ".join(told[first])
