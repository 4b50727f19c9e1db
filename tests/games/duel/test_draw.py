"""The drawings of the duel: every tunnel where it belongs, everything the seat knows, and nothing else.

The views are written by hand: a drawing asks for nothing but what stands in `Seen`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast
from xml.etree import ElementTree as ET

import pytest

from molehunt.games.duel import draw
from molehunt.games.duel.draw.as_text import CUT_OFF_WALLS, KEY, WALLS
from molehunt.games.tunnels.as_text import CELL_COLUMNS, CELL_LINES, WIDTH
from molehunt.games.tunnels.svg_cards import CARD_HEIGHT, CARD_WIDTH

if TYPE_CHECKING:
    from molehunt.games.duel.friendly import View

SVG = "{http://www.w3.org/2000/svg}"
Cell = tuple[int, int]
BARE: dict[Cell, str] = {(5, 5): "entrance", (12, 3): "goal", (12, 5): "goal", (12, 7): "goal"}
SHAPES = {
    "0": ("NS", True),
    "1": ("NS", False),
    "2": ("NES", False),
    "2_flip": ("NSW", False),
    "3": ("NE", False),
    "4": ("E", False),
    "4_flip": ("W", False),
    "5": ("ES", True),
    "5_flip": ("NW", True),
    "6": ("NSW", True),
    "7_flip": ("SW", True),
    "8": ("NESW", True),
    "9": ("ESW", True),
    "10": ("EW", True),
    "11_flip": ("NEW", False),
    "12": ("N", False),
    "13": ("NESW", False),
    "14": ("NW", False),
    "15": ("EW", False),
    "blank": ("NESW", True),
    "nugget": ("NESW", True),
}
"""Open edges and open centres, from the table of the rules."""


@dataclass(frozen=True)
class Seen:
    """What a drawing asks of a view."""

    seat: int = 0
    turn: int = 0
    to_move: int | None = 1
    over: bool = False
    winner: int | None = None
    deck_left: int = 41
    hand: tuple[str, ...] = ()
    hand_sizes: tuple[int, int] = (7, 7)
    malus: tuple[int, int] = (0, 0)
    goals: dict[str, str | None] = field(default_factory=lambda: dict.fromkeys(("left", "middle", "right")))
    revealed: frozenset[str] = frozenset()
    looked: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    board: dict[Cell, str] = field(default_factory=lambda: dict(BARE))
    joined: frozenset[Cell] = frozenset({(5, 5)})
    open_cells: frozenset[Cell] = frozenset()
    discard_counts: tuple[int, int] = (0, 0)
    # What the seat could count, and no drawing shows.
    unseen: Counter[str] = field(default_factory=Counter)
    played: Counter[str] = field(default_factory=Counter)
    discarded: Counter[str] = field(default_factory=Counter)


WORKED = Seen(
    turn=23,
    to_move=0,
    deck_left=18,
    hand=("5", "destroy", "malus", "bonus", "map", "11", "14"),
    hand_sizes=(7, 6),
    malus=(1, 0),
    goals={"left": "nugget", "middle": None, "right": "blank"},
    revealed=frozenset({"right"}),
    looked=(frozenset({"left"}), frozenset({"middle", "left"})),
    board=BARE
    | {(6, 5): "0", (7, 5): "8", (7, 6): "4_flip", (7, 4): "3", (9, 6): "15", (11, 7): "0", (12, 7): "blank"},
    joined=frozenset({(5, 5), (6, 5), (7, 5), (7, 6)}),
    open_cells=frozenset({(5, 4), (8, 5)}),
    discard_counts=(0, 12),
)
"""A position with one of everything: a closed tile and an arm at an open tunnel, tiles and a goal cut off, a goal seen."""


def text_of(seen: Seen) -> str:
    return draw.text(cast("View", seen))


def svg_of(seen: Seen) -> ET.Element:
    return ET.fromstring(draw.svg(cast("View", seen)))  # noqa: S314  (our own drawing)


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    """All elements of a style class."""
    return [element for element in root.iter() if name in element.get("class", "").split()]


def labels(root: ET.Element) -> list[str | None]:
    return [element.get("aria-label") for element in root.iter() if element.get("role") == "img"]


def written(root: ET.Element) -> list[str | None]:
    return [element.text for element in root.iter(f"{SVG}text")]


def svg_card(root: ET.Element, title: str) -> ET.Element:
    """The element of what lies on the board, by its title."""
    return next(card for card in of_class(root, "card") if card.findtext(f"{SVG}title") == title)


def with_tile(name: str, *, joined: bool = True) -> Seen:
    """A view with one tile left of the entrance, or a goal that is revealed."""
    cell = (5, 4) if name[0].isdigit() else (12, 5)
    return Seen(board=BARE | {cell: name}, joined=frozenset({(5, 5), cell} if joined else {(5, 5)}))


def text_cell(drawing: str, column: int, row: int) -> list[str]:
    """The characters of one cell of a text drawing, counted from the first that is drawn."""
    lines = [line.ljust(WIDTH) for line in drawing.splitlines()[1 + row * CELL_LINES : 1 + (row + 1) * CELL_LINES]]
    return [line[3 + column * CELL_COLUMNS : 3 + (column + 1) * CELL_COLUMNS] for line in lines]


def place_of(name: str) -> Cell:
    """Where `with_tile` is found in the text: (column, row) from the first that is drawn."""
    return (1, 0) if name[0].isdigit() else (2, 7)


@pytest.mark.parametrize("name", SHAPES)
def test_a_tile_is_open_at_its_open_edges_and_nowhere_else(name: str) -> None:
    edges, joined = SHAPES[name]
    upper, middle, lower = text_cell(text_of(with_tile(name)), *place_of(name))
    gaps = {"N": upper[2], "E": middle[3], "S": lower[2], "W": middle[1]}
    assert "".join(edge for edge, character in gaps.items() if character == " ") == edges
    assert middle[2] == {"blank": "o", "nugget": "$"}.get(name, " " if joined else "x")
    card = svg_card(svg_of(with_tile(name)), f"{name}@5,4" if name[0].isdigit() else f"{name} 12,5")
    (floor,) = of_class(card, "floor")
    reached = set()
    for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", floor.get("d", "")):
        across, down = float(x) / CARD_WIDTH, float(y) / CARD_HEIGHT
        reached |= {
            e for e, beyond in {"N": down < 0, "E": across > 1, "S": down > 1, "W": across < 0}.items() if beyond
        }
    assert reached == set(edges)
    assert bool(of_class(card, "rubble")) == (not joined)


GOLDEN = """\
     3    4    5    6    7
             ─╯ ╰─
 5   ·    +    S    ·    ·
             ─╮ ╭─
              │ │
 6   ·    ·   │ │   ·    ·
              │ │
         │ ╰──╯ ╰────╮
 7   ·   │x         x│   ·
         ╰────╮ ╭────╯

 8   ·    ·    +    ·    ·

                  ┄┄┄┄┄
 9   ·    ·    ·    x    ·
                  ┄┄┄┄┄

10   ·    ·    ·    ·    ·

                        ┆ ┆
11   ·    ·    ·    ·   ┆ ┆
                        ┆ ┆
   ┏━━━┓     ┏━━━┓     ┄╯ ╰┄
12 ┃($)┃  ·  ┃ ? ┃  ·    o
   ┗━━━┛     ┗━━━┛     ┄╮ ╭┄

S entrance  ? goal, not revealed  $ nugget  o blank  x dead-end
┄┆ cut off from the entrance  + a tile may fit  · empty
cells are row,column, both from 0 to 13; what is not shown is empty

turn 23 · you are to move · 18 cards in the deck
you are seat 0
  seat   cards  malus  discarded  looked at
> 0 you      7      1          0  left
  1          6      0         12  left middle

goals  left    the nugget, seen on a map
       middle  not known
       right   blank, revealed

hand    ╭───                                ─────  ─╯ │
        │                                     x      x│
        │ ╭─                                ─╮ ╭─  ───╯
         5    destroy  malus  bonus   map     11     14"""


def test_text_of_a_worked_position() -> None:
    assert text_of(WORKED) == GOLDEN


def test_svg_of_a_worked_position_says_everything_in_labels() -> None:
    root = svg_of(WORKED)
    seats = [
        "seat 0 (you): 7 cards in hand, 1 malus, has looked at the left goal, is to move",
        "seat 1: 6 cards in hand, has looked at the left and middle goals, 12 cards discarded",
    ]
    assert labels(root) == [
        "empty cell at 5,4, a tile may fit",
        "the entrance at 5,5, a tunnel open up, right, down and left",
        "0, a tunnel open up and down, at 6,5",
        "3, a dead-end, blocked inside, open up and right, at 7,4",
        "8, a tunnel open up, right, down and left, at 7,5",
        "4_flip, a dead-end, blocked inside, open left, at 7,6",
        "empty cell at 8,5, a tile may fit",
        "15, a dead-end, blocked inside, open right and left, at 9,6, cut off from the entrance",
        "0, a tunnel open up and down, at 11,7, cut off from the entrance",
        "the left goal at 12,3, not revealed: the nugget, seen on a map",
        "the middle goal at 12,5, not revealed: not known",
        "the right goal at 12,7: blank, revealed, a tunnel open up, right, down and left, cut off from the entrance",
        *seats,
        "5, a tunnel open right and down",
        "destroy",
        "malus",
        "bonus",
        "map",
        "11, a dead-end, blocked inside, open right, down and left",
        "14, a dead-end, blocked inside, open up and left",
    ]
    assert root.findtext(f"{SVG}title") == "Saboteur duel, turn 23, as seen by seat 0"
    assert root.findtext(f"{SVG}desc") == (
        f"You are seat 0. You are to move. 18 cards in the deck. S{seats[0][1:]}. S{seats[1][1:]}. "
        "Goals: left the nugget, seen on a map; middle not known; right blank, revealed. "
        "Your hand: 5, destroy, malus, bonus, map, 11 and 14. "
        "Cells are row,column, both from 0 to 13; what is not shown is empty."
    )


def test_svg_shows_turn_deck_maluses_hands_and_discards() -> None:
    root = svg_of(WORKED)
    assert written(root)[:4] == ["You are to move", written(root)[1], "turn 23", "18 cards in the deck"]
    assert [written(seat) for seat in of_class(root, "seat")] == [
        ["seat 0, you", "7", "left"],
        ["seat 1", "6", "left middle", "12 discarded"],
    ]
    for malus in [(0, 0), (1, 0), (0, 2)]:
        drawn = of_class(svg_of(replace(WORKED, to_move=None, malus=malus)), "seat")
        assert [len(of_class(seat, "bad")) for seat in drawn] == list(malus)
    assert [written(held) for held in of_class(root, "held")] == [[name] for name in WORKED.hand]
    pictures = {name: ET.tostring(held[0]) for name, held in zip(WORKED.hand, of_class(root, "held"), strict=True)}
    assert len(set(pictures.values())) == len(pictures)
    assert written(of_class(svg_of(Seen()), "hand")[0]) == ["Your hand", "empty"]


@pytest.mark.parametrize("name", ["0", "8", "12", "13", "blank"])
def test_what_is_cut_off_from_the_entrance_looks_otherwise(name: str) -> None:
    # Left of the entrance 0, 12 show it a wall; beside 8 and 13 the tunnel of the entrance goes on.
    lies_at_tunnel = "W" in SHAPES[name][0] and name[0].isdigit()
    alike, cut = (text_cell(text_of(with_tile(name, joined=joined)), *place_of(name)) for joined in (True, False))
    dashed = [line.translate(str.maketrans(WALLS, CUT_OFF_WALLS)) for line in alike]
    # The walls of neighbours run to the border only, so a cell holds the walls of its own tile alone.
    assert cut == (alike if lies_at_tunnel else dashed) and dashed != alike
    for joined in (True, False):
        root = svg_of(with_tile(name, joined=joined))
        assert len(of_class(root, "cut-off")) == (not joined and not lies_at_tunnel)
        assert ("dark tunnels" in str(written(root)[1])) == (not joined and not lies_at_tunnel)


def test_a_closed_tile_passes_nothing_on() -> None:
    # 13 lies at the entrance; 10 lies beyond it, and is cut off even where 13 counts as joined.
    seen = Seen(board=BARE | {(5, 4): "13", (5, 3): "10"}, joined=frozenset({(5, 5), (5, 4)}))
    assert [card.findtext(f"{SVG}title") for card in of_class(svg_of(seen), "cut-off")] == ["10@5,3"]


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        (Seen(), "seat 1 is to move"),
        (Seen(seat=1), "you are to move"),
        (Seen(over=True, to_move=None, winner=0), "game over: you have won, the tunnel reaches the nugget"),
        (Seen(over=True, to_move=None, winner=1), "game over: seat 1 has won, the tunnel reaches the nugget"),
        (Seen(over=True, to_move=None), "game over: a draw, nobody reached the nugget"),
    ],
)
def test_a_drawing_says_who_is_to_move_and_how_the_game_ended(seen: Seen, words: str) -> None:
    assert f"turn 0 · {words}" in text_of(seen)
    assert ("\n> " in text_of(seen)) == (not seen.over)
    assert written(svg_of(seen))[0] == words[0].upper() + words[1:]


def test_a_goal_seen_on_a_map_is_drawn_as_seen_and_another_hides_its_content() -> None:
    hidden = Seen()
    for content, mark, drawn in (("nugget", "($)", "gold"), ("blank", "(o)", "stone")):
        seen = replace(hidden, goals=hidden.goals | {"middle": content})
        assert text_cell(text_of(seen), 2, 7)[1] == f"┃{mark}┃"
        assert text_cell(text_of(seen), 4, 7)[1] == text_cell(text_of(hidden), 2, 7)[1] == "┃ ? ┃"
        eyes = [len(of_class(svg_card(svg_of(seen), f"goal 12,{column}"), "goal-eye")) for column in (3, 5, 7)]
        assert eyes == [0, 1, 0]
        assert {name for name in ("gold", "stone") if of_class(svg_of(seen), name)} == {drawn}
    assert not of_class(svg_of(hidden), "gold") and not of_class(svg_of(hidden), "stone")
    assert "nugget" not in text_of(hidden).replace(KEY[0], "")


def test_equal_views_give_equal_drawings_and_what_is_not_shown_changes_nothing() -> None:
    # The same sets and tables in another order.
    other = replace(
        WORKED,
        board=dict(reversed(WORKED.board.items())),
        goals=dict(reversed(WORKED.goals.items())),
        looked=(frozenset({"left"}), frozenset({"left", "middle"})),
        unseen=Counter({"8": 3}),
    )
    assert text_of(other) == text_of(WORKED)
    assert ET.tostring(svg_of(other)) == ET.tostring(svg_of(WORKED))


def test_a_full_board_and_hand_are_80_characters_wide_at_most() -> None:
    corners = {(row, column): "8" for row in (0, 13) for column in (0, 13)}
    drawing = text_of(replace(WORKED, board=WORKED.board | corners, hand=("destroy",) * 7, deck_left=10, turn=54))
    assert max(map(len, drawing.splitlines())) <= WIDTH
    lines = drawing.splitlines()
    assert [int(column) for column in lines[0].split()] == list(range(14))
    rows = [int(line.split()[0]) for line in lines[2 : lines.index(KEY[0]) : CELL_LINES]]
    assert rows == list(range(14))


def test_only_the_used_part_of_the_board_is_drawn() -> None:
    seen = Seen(board=BARE | {(4, 2): "0"}, open_cells=frozenset({(3, 2), (6, 9)}))
    lines = text_of(seen).splitlines()
    assert [int(column) for column in lines[0].split()] == list(range(2, 10))
    assert [int(line.split()[0]) for line in lines[2 : lines.index(KEY[0]) : CELL_LINES]] == list(range(3, 13))
    numbers = [text.text for text in of_class(svg_of(seen), "board")[0].findall(f"{SVG}text")]
    assert numbers == [str(number) for number in [*range(2, 10), *range(3, 13)]]
    assert {written(cell)[0] for cell in of_class(svg_of(seen), "reachable")} == {"3,2", "6,9"}


def test_svg_stands_alone_and_follows_dark_mode() -> None:
    drawing = draw.svg(cast("View", WORKED))
    assert "@media (prefers-color-scheme: dark)" in drawing
    assert not re.search(r"href|<script|url\(|<image|@import|\bid=", drawing)
    used = {name for element in svg_of(WORKED).iter() for name in element.get("class", "").split()}
    styled = set(re.findall(r"\.([a-z-]+)", svg_of(WORKED).findtext(f"{SVG}style", "")))
    assert {"molehunt", "rock", "floor", "cut-off", "paper", "you", "bad"} <= used & styled
