"""A package brings what its game says in other languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from molehunt.core import language
from molehunt.core.errors import GameFailure
from molehunt.core.language import _, speaking
from molehunt.core.panels import named, seat_name
from molehunt.games.registry import game_entry, guests, make_game
from outside.installing import installed

ENTRY = """
from molehunt.games.entry import GameEntry, RulesetEntry

ENTRY = GameEntry(
    name="hidden_coin",
    title="A coin: who has it",
    rulesets={"parlour": RulesetEntry("each peeks", 2, 4), "blind": RulesetEntry("nobody peeks", 3, 4)},
    game="outside.coin.game:Coin",
    editions="outside.coin.game:RULESETS",
    languages="LANGUAGES_coin:LANGUAGES",
)
"""
GERMAN = {"A coin: who has it": "Eine Münze: wer hat sie", "each peeks": "jeder guckt", "The game is over": "Aus!"}


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """The catalogues of one test are not those of the next."""
    monkeypatch.setattr(language, "_catalogues", {})
    monkeypatch.setattr(language, "_brought", [])


def package(folder: Path, languages: str) -> Path:
    made = folder / f"{languages}_coin"
    made.mkdir()
    made.joinpath("__init__.py").write_text(ENTRY.replace("LANGUAGES", languages))
    made.joinpath("said").mkdir()
    catalogue = Catalog(locale="de")
    for text, said in GERMAN.items():
        catalogue.add(text, said)
    with made.joinpath("said", "de.mo").open("wb") as file:
        write_mo(file, catalogue)
    return folder


def test_a_game_of_a_package_speaks_the_languages_that_it_brings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = package(tmp_path, "said")
    with installed(folder, "coin", {"molehunt.games": "coin = said_coin:ENTRY"}, monkeypatch), speaking("de"):
        entry = game_entry("hidden_coin")  # is looked for when German is spoken already
        assert entry.short_title == "Eine Münze"
        assert entry.rules_text(make_game("hidden_coin", "parlour", 2)) == "Eine Münze: wer hat sie. Jeder guckt."
        assert entry.rules_text(make_game("hidden_coin", "blind", 3)) == "Eine Münze: wer hat sie. Nobody peeks."
        assert _("The game is over") == "Das Spiel ist vorbei"  # what molehunt says stays
        assert game_entry("duel").short_title == "Das Duell"
        with speaking("en"):
            assert entry.short_title == "A coin"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = package(tmp_path, "lost")
    with (
        installed(folder, "coin", {"molehunt.games": "coin = lost_coin:ENTRY"}, monkeypatch),
        pytest.raises(GameFailure, match=r"the entry of hidden_coin names 'lost_coin:lost', but .*lost is no folder"),
    ):
        guests()


@pytest.mark.parametrize("code", ["en", "de"])
def test_a_game_without_a_catalogue_is_told_with_the_names_of_those_at_the_table(code: str) -> None:
    """In German its sentences spoke of seats."""
    with speaking(code):
        assert (
            named("Seat 0: peek:2. seat 1 watches, seat 7 not.", ("Ann", "Bob"))
            == "Ann: peek:2. Bob watches, seat 7 not."
        )
        assert named(f"{seat_name(1)} und seat 1", ("seat 1", "seat 0")) == "seat 0 und seat 0"
