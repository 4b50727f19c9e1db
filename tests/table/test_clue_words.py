"""Moves of Speed Clue in words."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from molehunt.core.language import speaking
from molehunt.games.speed_clue.friendly import Suggestion
from molehunt.table import clue_words


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("suggest Pe, Ro, Ha", "Suggest Pe, Ro, Ha"),
        ("accuse Pe, Ro, Ha", "Accuse Pe, Ro, Ha"),
        ("show Ro", "Show Ro"),
        ("end", "End the turn"),
    ],
)
def test_moves_are_said_as_what_to_do(move: str, said: str) -> None:
    assert clue_words.move_words(move, ("Alice", "Bob", "Carol"), 0) == said


def test_of_the_reader_among_others_it_is_said_as_the_language_has_it() -> None:
    asked = Suggestion(0, ("Rope", "Hall", "Plum"), (1, 2), None, None, awaited=False)
    event: Any = SimpleNamespace(seat=0, move="suggest Rope, Hall, Plum", right=None, suggestion=asked)
    names = ("Alice", "Bob", "Carol")
    assert "Bob and you have none." in clue_words.sentence(event, names, 2)
    with speaking("de"):
        assert "Bob und du habt keine davon." in clue_words.sentence(event, names, 2)
        assert "Bob und Carol haben keine davon." in clue_words.sentence(event, names, 0)
