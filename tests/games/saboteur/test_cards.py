"""The cards against the rule book of 2004: 40 path cards, 27 action cards, and how they look when turned.

Every number here was counted on the cards, none is taken from the code.
"""

from __future__ import annotations

import pytest

from molehunt.games.saboteur import cards
from molehunt.games.saboteur.cards import (
    CARD_NAMES,
    CARD_NUMBERS,
    CARD_TOOLS,
    DECK_COUNTS,
    FIRST_BREAK,
    FIRST_FIX,
    GOAL_EDGES,
    GOAL_NAMES,
)
from molehunt.games.tunnels.cards import CARD_EDGES, CARD_FORMS, CARD_THROUGH, edges_from_letters, turn_edges

# name, open edges north east south west, through card, how many, open edges when turned
PATHS = [
    ("P_NS", "1010", True, 4, "1010"),
    ("P_EW", "0101", True, 3, "0101"),
    ("P_SE", "0110", True, 4, "1001"),
    ("P_SW", "0011", True, 5, "1100"),
    ("P_NSE", "1110", True, 5, "1011"),
    ("P_EWN", "1101", True, 5, "0111"),
    ("P_NESW", "1111", True, 5, "1111"),
    ("D_N", "1000", False, 1, "0010"),
    ("D_E", "0100", False, 1, "0001"),
    ("D_NS", "1010", False, 1, "1010"),
    ("D_EW", "0101", False, 1, "0101"),
    ("D_SE", "0110", False, 1, "1001"),
    ("D_SW", "0011", False, 1, "1100"),
    ("D_NSE", "1110", False, 1, "1011"),
    ("D_EWN", "1101", False, 1, "0111"),
    ("D_NESW", "1111", False, 1, "1111"),
]
ACTIONS = {
    "break:cart": 3,
    "break:lantern": 3,
    "break:pickaxe": 3,
    "fix:cart": 2,
    "fix:lantern": 2,
    "fix:pickaxe": 2,
    "fix:cart+lantern": 1,
    "fix:cart+pickaxe": 1,
    "fix:lantern+pickaxe": 1,
    "rockfall": 3,
    "map": 6,
}


def edges(nesw: str) -> int:
    """The mask of "1010": north 1, east 2, south 4, west 8."""
    return sum(1 << side for side, is_open in enumerate(nesw) if is_open == "1")


def count(name: str) -> int:
    return int(DECK_COUNTS[CARD_NUMBERS[name]])


def test_a_deck_has_67_cards_40_path_and_27_action() -> None:
    assert DECK_COUNTS.sum() == 67
    assert DECK_COUNTS[:FIRST_BREAK].sum() == 40
    assert DECK_COUNTS[FIRST_BREAK:].sum() == 27


def test_31_path_cards_are_tunnels_and_9_are_dead_ends() -> None:
    assert DECK_COUNTS[:FIRST_BREAK][CARD_THROUGH].sum() == 31
    assert DECK_COUNTS[:FIRST_BREAK][~CARD_THROUGH].sum() == 9
    assert cards.FIRST_DEAD_END == 7


def test_kinds_of_cards_are_those_of_the_rule_book() -> None:
    assert set(CARD_NAMES) == {path[0] for path in PATHS} | set(ACTIONS) | {"block", "deblock"}
    assert len(CARD_NAMES) == len(set(CARD_NAMES)) == cards.KINDS == 29
    assert [CARD_NUMBERS[name] for name in CARD_NAMES] == list(range(29))


def test_a_deck_with_one_tool_has_as_many_blocks_and_repairs_of_one_kind() -> None:
    counts = dict(zip(CARD_NAMES, cards.ONE_TOOL_DECK_COUNTS.tolist(), strict=True))
    assert (counts["block"], counts["deblock"], counts["rockfall"], counts["map"]) == (9, 9, 3, 6)
    assert not any(count for name, count in counts.items() if name.startswith(("break:", "fix:")))
    assert cards.ONE_TOOL_DECK_COUNTS[:FIRST_BREAK].tolist() == DECK_COUNTS[:FIRST_BREAK].tolist()
    assert cards.ONE_TOOL_DECK_COUNTS.sum() == DECK_COUNTS.sum() == 67
    assert count("block") == count("deblock") == 0
    # The one tool is none of the other three.
    assert CARD_TOOLS[CARD_NUMBERS["block"]] == CARD_TOOLS[CARD_NUMBERS["deblock"]] == 0b1000


@pytest.mark.parametrize(("name", "nesw", "through", "number", "turned"), PATHS)
def test_path_card(name: str, nesw: str, through: bool, number: int, turned: str) -> None:
    card = CARD_NUMBERS[name]
    assert card < FIRST_BREAK
    assert count(name) == number
    assert CARD_EDGES[card].tolist() == [edges(nesw), edges(turned)]
    assert bool(CARD_THROUGH[card]) == through
    assert CARD_FORMS[card] == (1 if nesw == turned else 2)
    assert CARD_TOOLS[card] == 0


@pytest.mark.parametrize(("name", "number"), ACTIONS.items())
def test_action_card(name: str, number: int) -> None:
    assert CARD_NUMBERS[name] >= FIRST_BREAK
    assert count(name) == number


def test_bends_to_the_south_and_east_are_4_and_those_to_the_south_and_west_5() -> None:
    # The bends are mirror images: no turn makes one from the other.
    east, west = CARD_NUMBERS["P_SE"], CARD_NUMBERS["P_SW"]
    assert (count("P_SE"), count("P_SW")) == (4, 5)
    assert not set(CARD_EDGES[east].tolist()) & set(CARD_EDGES[west].tolist())


@pytest.mark.parametrize(
    ("name", "tools"),
    [
        ("break:cart", 1),
        ("break:lantern", 2),
        ("break:pickaxe", 4),
        ("fix:cart", 1),
        ("fix:lantern", 2),
        ("fix:pickaxe", 4),
        ("fix:cart+lantern", 3),
        ("fix:cart+pickaxe", 5),
        ("fix:lantern+pickaxe", 6),
        ("rockfall", 0),
        ("map", 0),
    ],
)
def test_tools_on_a_card(name: str, tools: int) -> None:
    assert CARD_TOOLS[CARD_NUMBERS[name]] == tools


def test_breaks_then_repairs_then_rockfall_and_map_follow_the_path_cards() -> None:
    assert all(name.startswith("break:") or name == "block" for name in CARD_NAMES[FIRST_BREAK:FIRST_FIX])
    assert all(name.startswith("fix:") or name == "deblock" for name in CARD_NAMES[FIRST_FIX : cards.ROCKFALL])
    assert (CARD_NAMES[cards.ROCKFALL], CARD_NAMES[cards.MAP]) == ("rockfall", "map")


@pytest.mark.parametrize(
    ("letters", "turned"), [("N", "S"), ("E", "W"), ("S", "N"), ("W", "E"), ("NE", "SW"), ("", ""), ("NESW", "NESW")]
)
def test_turning_swaps_north_with_south_and_east_with_west(letters: str, turned: str) -> None:
    assert turn_edges(edges_from_letters(letters)) == edges_from_letters(turned)


def test_turning_twice_changes_nothing() -> None:
    assert [turn_edges(turn_edges(mask)) for mask in range(16)] == list(range(16))


def test_gold_is_an_open_cross_and_the_stones_are_mirror_bends() -> None:
    assert GOAL_NAMES == ("unknown", "gold", "rock1", "rock2")
    south_west, north_east, south_east, north_west = edges("0011"), edges("1100"), edges("0110"), edges("1001")
    assert GOAL_EDGES.tolist() == [[0, 0], [15, 15], [south_west, north_east], [south_east, north_west]]


def test_codes_of_what_lies_on_a_cell_do_not_meet() -> None:
    paths = {1 + 2 * card + turned for card in range(16) for turned in (0, 1)}
    goals = {cards.FIRST_GOAL_CODE + 2 * (content - 1) + turned for content in (1, 2, 3) for turned in (0, 1)}
    assert len(paths | goals | {cards.EMPTY_CELL, cards.START_CELL_CODE, cards.FACE_DOWN_CODE}) == 32 + 6 + 3
    assert max(goals) < 256
