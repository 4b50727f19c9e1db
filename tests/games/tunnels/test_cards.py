"""The path cards that the games of tunnels share; what is printed on each is in `saboteur/test_cards.py`."""

from __future__ import annotations

from xml.etree.ElementTree import tostring

import pytest

from molehunt.games.tunnels.cards import (
    CARD_EDGES,
    CARD_THROUGH,
    FITS_WITH,
    PATH_COUNTS,
    PATH_NAMES,
    edges_from_letters,
    letters_of_edges,
)
from molehunt.games.tunnels.svg_cards import rock


def test_a_deck_holds_40_path_cards_of_16_kinds() -> None:
    assert PATH_COUNTS.sum() == 40
    assert len(PATH_NAMES) == len(PATH_COUNTS) == len(CARD_EDGES) == len(CARD_THROUGH) == 16


@pytest.mark.parametrize(
    ("letters", "mask"), [("", 0), ("N", 1), ("E", 2), ("S", 4), ("W", 8), ("NESW", 15), ("EW", 10)]
)
def test_letters_and_masks_of_edges_are_each_other(letters: str, mask: int) -> None:
    assert edges_from_letters(letters) == mask
    assert letters_of_edges(mask) == letters


def test_open_fits_open_and_wall_fits_wall() -> None:
    for side, letter in enumerate("NESW"):
        for is_open in (False, True):
            fitting = {letters_of_edges(mask) for mask in range(16) if FITS_WITH[side, int(is_open)] >> mask & 1}
            assert fitting == {
                letters_of_edges(mask) for mask in range(16) if (letter in letters_of_edges(mask)) == is_open
            }


def test_path_cards_have_pebbles_that_turn_with_the_card_and_goals_have_none() -> None:
    drawn = {
        (turned, face): tostring(rock(turned, face), "unicode") for turned in (False, True) for face in ("rock", "goal")
    }
    assert [("pebble" in drawn[turned, face]) for turned, face in drawn] == [True, False, True, False]
    assert ["rotate(180" in drawn[turned, "rock"] for turned in (False, True)] == [False, True]
