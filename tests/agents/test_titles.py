"""What people at a table call the players."""

from __future__ import annotations

from molehunt.agents.built_in import BUILT_IN, GENERAL
from molehunt.agents.registry import Agents, entries
from molehunt.games.registry import all_games


def test_every_player_that_comes_with_the_project_has_a_title_of_its_own_in_each_game() -> None:
    for game in all_games():
        titles = [entry.called for entry in BUILT_IN if entry.game == game]
        assert all(title.startswith("the ") for title in titles)
        assert len(set(titles)) == len(titles)
    assert all(entry.called for entry in GENERAL)


def test_a_spec_is_called_as_its_player_whatever_its_parameters() -> None:
    assert Agents("saboteur").called("decision-2019:as_printed") == "the careful digger"
    assert Agents("duel").called("ismcts:iterations=5") == "the dreamer of worlds"
    assert Agents("duel").called("nobody") == ""


def test_the_entries_of_a_game_are_those_of_all_that_name_it() -> None:
    for game in all_games():
        assert list(entries(game)) == [entry for entry in entries() if entry.game == game] != []
    assert list(entries("nowhere")) == []
