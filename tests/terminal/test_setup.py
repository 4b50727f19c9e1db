"""Who is offered as an opponent in the terminal can sit down there."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from itertools import pairwise

import pytest

from molehunt.terminal import clue_setup
from molehunt.terminal.prompts import LeftTable, Prompter
from molehunt.terminal.setup import Setup, ask_setup, make
from molehunt.terminal.sitting import offered
from terminal.clue_person import Screen


def names(setup: Setup) -> set[str]:
    return {entry.name for entry in offered(make(setup))}


def test_players_of_small_games_are_offered_where_the_game_is_small() -> None:
    assert "equilibrium" in names(Setup("saboteur", 1, "small"))
    large = names(Setup("saboteur", 1, "krisnadi"))
    assert "equilibrium" not in large and {"random", "kripke-2012", "ismcts"} <= large


def test_players_of_a_library_that_is_not_installed_are_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pyspiel" else find(name))
    assert not {name for name in names(Setup("duel", 1)) if name.startswith("openspiel")}


@pytest.mark.parametrize("game", ["duel", "speed-clue"])
def test_players_are_listed_the_easiest_to_beat_first(game: str) -> None:
    lines, screen = ["players", "quit"], Screen()
    prompter = Prompter(screen.console, lambda _prompt: lines.pop(0))
    asks: dict[str, Callable[[], object]] = {
        "duel": lambda: ask_setup(prompter, Setup("duel", 1), set()),
        "speed-clue": lambda: clue_setup.ask_setup(prompter, clue_setup.Setup(1), set()),
    }
    with pytest.raises(LeftTable):
        asks[game]()
    told = " ".join(screen().split())
    words = ["easy to beat", "of middling strength", "hard to beat"]
    assert all(word in told for word in words)
    for easier, harder in pairwise(words):
        assert told.rindex(f"({easier})") < told.index(f"({harder})")
    assert told.index("ismcts ") > told.rindex("(hard to beat)")


def test_help_tells_of_every_ruleset_that_is_offered_and_of_the_usual_one_first() -> None:
    lines, screen = ["?", "quit"], Screen()
    with pytest.raises(LeftTable):
        ask_setup(Prompter(screen.console, lambda _prompt: lines.pop(0)), Setup("saboteur", 1), {"name"})
    told = [line.split() for line in screen().splitlines() if line and not line.startswith(" ")]
    first = next(number for number, words in enumerate(told) if words[0] == "official+talk")
    assert [words[0] for words in told[first : first + 2]] == ["official+talk", "krisnadi"]
    assert "with talk" in " ".join(told[first])
