from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from molehunt.core.errors import BadInput
from molehunt.games.duel import cards as duel
from molehunt.games.saboteur import cards as saboteur
from molehunt.games.tunnels.cards import PATH_NAMES
from molehunt.web.sprite import sprite, symbol_name


def symbols(game: str) -> list[str]:
    return re.findall(r'<symbol id="([^"]+)"', sprite(game))


def test_every_card_of_saboteur_has_a_symbol_and_path_cards_one_for_each_way_up() -> None:
    names = {symbol_name(name) for name in saboteur.CARD_NAMES} | {symbol_name(name, True) for name in PATH_NAMES}
    on_the_board = {"c-start", "c-goal", "c-goal-gold", "c-goal-stone", "c-gold", "c-rock1", "c-rock1-r", "c-rock2-r"}
    assert names | on_the_board <= set(symbols("saboteur"))
    assert {"c-P_NSE-r", "c-break-cart", "c-fix-cart-lantern"} <= names


def test_every_card_of_the_duel_has_a_symbol_and_tiles_one_for_each_way_up() -> None:
    names = {symbol_name(name) for name in duel.CARD_NAMES}
    flipped = {symbol_name(f"{number}_flip") for number in range(duel.TILES)}
    assert names | flipped | {"c-entrance", "c-goal", "c-goal-nugget", "c-goal-blank"} <= set(symbols("duel"))


@pytest.mark.parametrize("game", ["saboteur", "duel"])
def test_a_sprite_is_one_well_formed_drawing_whose_names_are_its_own(game: str) -> None:
    ET.fromstring(sprite(game))  # noqa: S314 - our own drawing
    assert len(symbols(game)) == len(set(symbols(game)))
    assert {f"i-{name}" for name in ("cart", "cart-broken", "block", "eye", "card", "nugget", "stone")} <= set(
        symbols(game)
    )


def test_the_cards_of_clue_are_words_and_no_other_game_has_a_sprite() -> None:
    assert not sprite("speed_clue")
    with pytest.raises(BadInput, match="saboteur, duel"):
        sprite("chess")
