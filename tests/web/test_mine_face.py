"""What the faces of both mining games share: headlines, the backs of goals, and what an open position keeps and reveals."""

from __future__ import annotations

import pytest

from molehunt.core.language import speaking
from molehunt.games.saboteur.draw.wording import card_sentence
from molehunt.table.saboteur_words import card_title
from molehunt.table.tunnel_words import plain
from molehunt.web.mine_face import KnownGoal, Lying, MinePosition, back, board, hand, headline, reveal

NAMES = ("Ann", "Bob")
GOLD, STONE = "gold", "rock1"


def position(**more: object) -> MinePosition:
    """A position with a goal that is revealed and two that are not."""
    goals = [
        KnownGoal(place, 8, y, None, place == "top", "") for y, place in ((0, "top"), (2, "middle"), (4, "bottom"))
    ]
    cells = [Lying(8, y, back(None), "a goal, face down") for y in (0, 2, 4)]
    mine = board((range(9), range(5)), cells, [(1, 2), (0, 1)], False)
    values = {"headline": "", "lines": [], "board": mine, "hand": None, "seats": [], "tools": [], "moves": []} | more
    return MinePosition(goals=goals, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("to_move", "seat", "claim", "told"),
    [
        (None, 0, None, "The game is over"),
        (0, 0, None, "Your move"),
        (1, 0, None, "Bob is to move"),
        (1, None, None, "Bob is to move"),
        (0, 0, "top", "Say what you saw on the top goal"),
        (1, 0, "top", "Bob is about to say what was seen"),
    ],
)
def test_the_headline_tells_each_reader_who_is_to_move(
    to_move: int | None, seat: int | None, claim: str | None, told: str
) -> None:
    assert headline(to_move, seat, NAMES, claim) == told


def test_a_board_says_how_far_it_goes_and_lists_reachable_cells_in_order() -> None:
    mine = position().board
    assert mine.reachable == [(0, 1), (1, 2)]
    assert len(mine.cells) == 3


def test_what_lies_under_goals_is_revealed_and_what_lies_open_stays_as_it_is() -> None:
    found = position()
    top = found.board.cells[0].symbol
    reveal(found, [STONE, GOLD, STONE])
    assert [goal.known for goal in found.goals] == ["stone", "gold", "stone"]
    assert [cell.symbol for cell in found.board.cells] == [top, back(GOLD), back(STONE)]
    assert found.board.cells[1].words == "the middle goal, face down: gold"
    assert len({back(None), back(GOLD), back(STONE)}) == 3


def test_an_open_position_keeps_the_hand_of_who_looks_at_it() -> None:
    own = position(hand=hand(["map"], card_title, lambda card: f"a {card}"), role="miner")
    found = position()
    found.keep(own)
    assert found.hand is not None and found.hand == own.hand
    assert [(held.card, held.name) for held in found.hand] == [("map", card_title("map"))]
    assert found.role == "miner"


@pytest.mark.parametrize(
    ("code", "turned", "told"),
    [
        ("en", False, "A tunnel open up and down"),
        ("en", True, "A tunnel open up and down"),
        ("de", False, "Ein Gang, offen nach oben und unten"),
        ("de", True, "Ein Gang, offen nach oben und unten"),
    ],
)
def test_what_lies_on_a_cell_is_said_without_its_name_in_records(code: str, turned: bool, told: str) -> None:
    with speaking(code):
        assert plain(card_sentence("P_NS", turned)) == told
        assert plain(card_sentence("map"), "map") == "Map"
