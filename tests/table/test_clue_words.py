"""Moves of Speed Clue in words."""

from __future__ import annotations

import pytest

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
