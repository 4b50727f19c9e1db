"""The cards against the rules: 40 tiles under the numbers of the course's program, 15 action cards, and how tiles look flipped.

Every number here is written out from the rules' table, none is taken from the code.
"""

from __future__ import annotations

import pytest

from molehunt.core.errors import BadNotation
from molehunt.games.duel import cards
from molehunt.games.duel.cards import (
    ARM,
    CARD_NAMES,
    CLOSED,
    CODE_CENTRE,
    CODE_EDGES,
    CODE_SPEAKS,
    DECK_COUNTS,
    OPEN,
    TILE_EDGES,
    TILE_FORMS,
    card_number,
    code_name,
    tile_name,
    tile_shape,
)

# number, open edges, centre, how many, open edges when flipped ("" where it looks the same)
TILES = [
    (0, "NS", OPEN, 4, ""),
    (1, "NS", CLOSED, 1, ""),
    (2, "NES", CLOSED, 1, "NSW"),
    (3, "NE", CLOSED, 1, "SW"),
    (4, "E", ARM, 1, "W"),
    (5, "ES", OPEN, 4, "NW"),
    (6, "NSW", OPEN, 5, "NES"),
    (7, "NE", OPEN, 5, "SW"),
    (8, "NESW", OPEN, 5, ""),
    (9, "ESW", OPEN, 5, "NEW"),
    (10, "EW", OPEN, 3, ""),
    (11, "ESW", CLOSED, 1, "NEW"),
    (12, "N", ARM, 1, "S"),
    (13, "NESW", CLOSED, 1, ""),
    (14, "NW", CLOSED, 1, "ES"),
    (15, "EW", CLOSED, 1, ""),
]
ACTIONS = {"destroy": 3, "malus": 2, "bonus": 4, "map": 6}
NUMBERS = [row[0] for row in TILES]


def letters(mask: int) -> str:
    return "".join(edge for bit, edge in ((1, "N"), (2, "E"), (4, "S"), (8, "W")) if mask & bit)


def test_deck_has_40_tiles_and_15_actions() -> None:
    assert int(DECK_COUNTS.sum()) == 55
    assert int(DECK_COUNTS[:16].sum()) == 40
    assert (*map(str, range(16)), "destroy", "malus", "bonus", "map") == CARD_NAMES
    assert len(DECK_COUNTS) == len(CARD_NAMES)


@pytest.mark.parametrize(("number", "edges", "centre", "count", "flipped"), TILES)
def test_tile(number: int, edges: str, centre: int, count: int, flipped: str) -> None:
    assert int(DECK_COUNTS[number]) == count
    assert TILE_FORMS[number] == (2 if flipped else 1)
    assert [letters(mask) for mask in TILE_EDGES[number]] == [edges, flipped or edges]
    for form, open_edges in enumerate((edges, flipped or edges)):
        code = 1 + 2 * number + form
        assert letters(CODE_EDGES[code]) == open_edges
        assert CODE_CENTRE[code] == centre
        assert CODE_SPEAKS[code]
        assert code_name(code) == tile_name(number, form) == f"{number}{'_flip' if form else ''}"
        assert tile_shape(code_name(code)) == (open_edges, centre == OPEN)


@pytest.mark.parametrize(("name", "count"), ACTIONS.items())
def test_action_card(name: str, count: int) -> None:
    assert DECK_COUNTS[CARD_NAMES.index(name)] == count


def test_flipping_turns_by_180_degrees() -> None:
    turned = str.maketrans("NESW", "SWNE")
    for number in NUMBERS:
        edges, flipped = (set(letters(mask)) for mask in TILE_EDGES[number])
        assert {edge.translate(turned) for edge in edges} == flipped
        assert (edges == flipped) == (TILE_FORMS[number] == 1)


def test_entrance_and_goals_are_open_crosses() -> None:
    for code, name in ((33, "entrance"), (34, "goal"), (35, "blank"), (36, "nugget")):
        assert code_name(code) == name
        assert letters(CODE_EDGES[code]) == "NESW"
        assert CODE_CENTRE[code] == OPEN
        assert tile_shape(name) == ("NESW", True)
    assert (*range(33, 38),) == (
        cards.ENTRANCE,
        cards.HIDDEN_GOAL,
        cards.BLANK_GOAL,
        cards.NUGGET_GOAL,
        cards.OFF_BOARD,
    )


def test_empty_cells_the_rim_and_hidden_goals_say_nothing() -> None:
    assert [code for code in range(len(CODE_SPEAKS)) if not CODE_SPEAKS[code]] == [0, 34, 37]
    for code in (0, 37):
        assert CODE_EDGES[code] == 0
        assert CODE_CENTRE[code] == CLOSED


def test_cards_are_found_by_name() -> None:
    assert [card_number(name) for name in CARD_NAMES] == list(range(20))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("16", "no card is called '16'; cards are 0 to 15"),
        ("destory", "did you mean 'destroy'?"),
        ("", "no card is called ''; cards are 0 to 15, destroy, malus, bonus, map"),
        ("P_NS", "cards are 0 to 15"),
        ("5_flip", "no card is called '5_flip'"),
        ("x" * 1000, "cards are 0 to 15"),
    ],
)
def test_unknown_card_is_refused_with_what_would_be_right(name: str, message: str) -> None:
    with pytest.raises(BadNotation) as error:
        card_number(name)
    assert message in str(error.value)
    assert len(str(error.value)) < 200
