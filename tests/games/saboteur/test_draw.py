"""The drawings of a view: every tunnel where it belongs, everything the seat knows, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from molehunt.core.seats import NOBODY
from molehunt.core.streams import game_seeds
from molehunt.games.saboteur import draw
from molehunt.games.saboteur.cards import (
    CARD_NUMBERS,
    FACE_DOWN_CODE,
    FIRST_GOAL_CODE,
    GOAL_NAMES,
    NO_CARD,
    START_CELL_CODE,
)
from molehunt.games.saboteur.draw.as_text import KEY, NARROW_COLUMNS
from molehunt.games.saboteur.friendly import Cell, View
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.ruleset import KRISNADI, OFFICIAL, VELDHUIS, Ruleset, cell_number
from molehunt.games.saboteur.state import (
    CARDS_GONE,
    GOLD_FOUND,
    NOT_KNOWN,
    VIEW,
)
from molehunt.games.tunnels.as_text import CELL_COLUMNS, CELL_LINES, WIDTH
from molehunt.games.tunnels.svg_cards import CARD_HEIGHT, CARD_WIDTH, GAP
from molehunt.games.tunnels.svg_parts import STYLE, label

SVG = "{http://www.w3.org/2000/svg}"

# The printed cards, as the rule book shows them: open edges as printed and turned by 180 degrees.
FORMS = {
    "P_NS": ("NS", "NS"),
    "P_EW": ("EW", "EW"),
    "P_SE": ("ES", "NW"),
    "P_SW": ("SW", "NE"),
    "P_NSE": ("NES", "NSW"),
    "P_EWN": ("NEW", "ESW"),
    "P_NESW": ("NESW", "NESW"),
    "D_N": ("N", "S"),
    "D_E": ("E", "W"),
    "D_NS": ("NS", "NS"),
    "D_EW": ("EW", "EW"),
    "D_SE": ("ES", "NW"),
    "D_SW": ("SW", "NE"),
    "D_NSE": ("NES", "NSW"),
    "D_EWN": ("NEW", "ESW"),
    "D_NESW": ("NESW", "NESW"),
    "start": ("NESW", "NESW"),
    "gold": ("NESW", "NESW"),
    "rock1": ("SW", "NE"),
    "rock2": ("ES", "NW"),
}
EVERY_FORM = [(name, turned, forms[turned]) for name, forms in FORMS.items() for turned in (False, True)]


def code_of(name: str, turned: bool) -> int:
    """The code of what lies on a cell, by its name."""
    if name == "start":
        return START_CELL_CODE
    if name == "goal":
        return FACE_DOWN_CODE
    if name in GOAL_NAMES:
        return FIRST_GOAL_CODE + 2 * (GOAL_NAMES.index(name) - 1) + turned
    return 1 + 2 * CARD_NUMBERS[name] + turned


def view_of(
    board: dict[Cell, tuple[str, bool]],
    *,
    ruleset: Ruleset = KRISNADI,
    seats: int = 5,
    hand: tuple[str, ...] = (),
    reachable: Iterable[Cell] = (),
    **fields: Any,
) -> View:
    """A view written by hand: what lies where, and fields of the record by name."""
    game = Saboteur(ruleset, seats)
    record = np.zeros(1, VIEW)
    row = record[0]
    row["hand"] = NO_CARD
    row["accused"] = NOBODY
    row["hand"][: len(hand)] = [CARD_NUMBERS[name] for name in hand]
    laid = {ruleset.start: ("start", False), **dict.fromkeys(ruleset.goals, ("goal", False)), **board}
    maze = row["maze"]
    maze["tile_count"] = len(laid)
    for tile, (cell, (name, turned)) in enumerate(laid.items()):
        maze["cells"][tile] = cell_number(*cell)
        maze["what"][tile] = code_of(name, turned)
    ends = [cell_number(*cell) for cell in reachable]
    maze["end_count"] = len(ends)
    maze["ends"][: len(ends)] = ends
    row["seats"], row["saboteur_count"] = seats, ruleset.saboteurs_for(seats)
    for name, value in fields.items():
        if not row.dtype[name].shape:
            row[name] = value
        elif name in {"past_roles", "packs"}:
            row[name][: len(value), : len(value[0])] = value
        else:
            row[name][: len(value)] = value
    view: View = game.friendly_view(record)
    return view


def played(seats: int, moves: int, index: int, ruleset: Ruleset = KRISNADI) -> tuple[Saboteur, Any]:
    """A game after some moves drawn at random, discards only where nothing else is legal."""
    game = Saboteur(ruleset, seats)
    states = game.new(game_seeds(3, index, 1))
    chance = np.random.default_rng(index)
    for _ in range(moves):
        if game.outcome(states) is not None:
            break
        actions = list(game.legal_actions(game.views(states, game.to_move(states))))
        actions = [action for action in actions if not str(action).startswith("discard")] or actions
        game.apply(states, np.array([actions[chance.integers(len(actions))]], np.int32))
    return game, states


def text_cell(drawing: str, column: int, row: int, width: int = CELL_COLUMNS, margin: int = 2) -> list[str]:
    """The characters of one cell of a text drawing."""
    lines = [line.ljust(WIDTH) for line in drawing.splitlines()[1 + row * CELL_LINES : 1 + (row + 1) * CELL_LINES]]
    return [line[margin + column * width : margin + (column + 1) * width] for line in lines]


def parsed(drawing: str) -> ET.Element:
    """The root element of a drawing."""
    return ET.fromstring(drawing)  # noqa: S314  (our own drawing)


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    """All elements of a style class."""
    return [element for element in root.iter() if name in element.get("class", "").split()]


def svg_card(view: View, cell: Cell) -> ET.Element:
    """The element of the card on a cell."""
    cards = of_class(parsed(draw.svg(view)), "card")
    return next(card for card in cards if re.search(rf"\bat {cell[0]},{cell[1]}\b", card.get("aria-label", "")))


def points(way: str) -> list[tuple[float, float]]:
    """The two ends of one piece of a path."""
    numbers = [float(word) for word in re.findall(r"-?[\d.]+", way)]
    return [(numbers[0], numbers[1]), (numbers[-2], numbers[-1])]


def edge_at(x: float, y: float) -> str:
    """The edge of a card that a point lies on or beyond, in the middle of that edge; empty for a point inside."""
    if x == CARD_WIDTH / 2:
        return "N" if y <= 0 else "S" if y >= CARD_HEIGHT else ""
    if y == CARD_HEIGHT / 2:
        return "W" if x <= 0 else "E" if x >= CARD_WIDTH else ""
    return ""


def ways(card: ET.Element) -> list[str]:
    """For each piece of a card's tunnel, the edges at which it ends."""
    (floor,) = of_class(card, "floor")
    return ["".join(edge_at(x, y) for x, y in points(way)) for way in floor.get("d", "").split("M")[1:]]


@pytest.mark.parametrize(("name", "turned", "edges"), EVERY_FORM)
def test_text_opens_a_card_at_its_open_edges_and_nowhere_else(name: str, turned: bool, edges: str) -> None:
    cell = KRISNADI.start if name == "start" else (8, 2)
    upper, middle, lower = text_cell(draw.text(view_of({cell: (name, turned)})), *cell)
    gaps = {"N": upper[2], "E": middle[3], "S": lower[2], "W": middle[1]}
    assert "".join(edge for edge, character in gaps.items() if character == " ") == edges
    assert gaps["N"] in " ─" and gaps["S"] in " ─" and gaps["E"] in " │" and gaps["W"] in " │"
    # The walls beside an open edge run to the border of the cell, those beside a closed one stay inside.
    assert [upper[0], lower[0]] == ["─" if "W" in edges else " "] * 2
    assert [upper[4], lower[4]] == ["─" if "E" in edges else " "] * 2
    if "N" in edges:
        assert [upper[1], upper[3]] == ["╯" if "W" in edges else "│", "╰" if "E" in edges else "│"]
    if "S" in edges:
        assert [lower[1], lower[3]] == ["╮" if "W" in edges else "│", "╭" if "E" in edges else "│"]


@pytest.mark.parametrize(("name", "turned", "edges"), EVERY_FORM)
def test_svg_runs_tunnels_to_the_open_edges_and_nowhere_else(name: str, turned: bool, edges: str) -> None:
    cell = KRISNADI.start if name == "start" else (8, 2)
    card = svg_card(view_of({cell: (name, turned)}), cell)
    pieces = ways(card)
    assert set("".join(pieces)) == set(edges)
    assert of_class(card, "wall")[0].get("d") == of_class(card, "floor")[0].get("d")
    # Open edges are joined inside, except in a dead-end: each has its own piece of tunnel, and rubble lies between.
    if name.startswith("D_"):
        assert all(len(piece) == 1 for piece in pieces)
    else:
        assert all(len(piece) == 2 for piece in pieces)
        assert {frozenset(piece) for piece in pieces} >= {frozenset(pair) for pair in pairwise(edges)}
    assert bool(of_class(card, "rubble")) == name.startswith("D_")


@pytest.mark.parametrize(
    ("name", "mark"), [("P_EW", " "), ("D_EW", "x"), ("gold", "$"), ("rock1", "o"), ("rock2", "o")]
)
def test_text_marks_dead_ends_gold_and_stones_in_the_middle(name: str, mark: str) -> None:
    assert text_cell(draw.text(view_of({(8, 0): (name, False)})), 8, 0)[1][2] == mark


def test_tunnels_of_neighbours_meet_between_the_cards() -> None:
    root = parsed(draw.svg(view_of({(1, 2): ("P_EW", False), (0, 3): ("P_NS", False)})))
    ends: dict[str, dict[str, tuple[float, float]]] = {}
    for card in of_class(root, "card"):
        if not of_class(card, "floor"):
            continue
        shift = points(card.get("transform", ""))[0]
        title = card.findtext(f"{SVG}title", "")
        ends[title] = {
            edge_at(x, y): (x + shift[0], y + shift[1])
            for way in of_class(card, "floor")[0].get("d", "").split("M")[1:]
            for x, y in points(way)
        }
    assert ends["start 0,2"]["E"] == ends["P_EW@1,2"]["W"]
    assert ends["start 0,2"]["S"] == ends["P_NS@0,3"]["N"]
    assert ends["P_EW@1,2"]["E"][0] - ends["P_EW@1,2"]["W"][0] == CARD_WIDTH + GAP


GOLDEN = """\
    0    1    2    3    4    5    6    7    8
                                          ┏━━━┓
0   ·    ·    ·    ·    ·    ·    ·    ·  ┃($)┃
                                          ┗━━━┛
            ─╯ ╰─
1   ·    ·    x    ·    ·    ·    ·    ·    ·
            ─────
  ─╯ ╰───────╯ ╰────╮                     ┏━━━┓
2   S               │   ·    ·    ·    ·  ┃ ? ┃
  ─╮ ╭───────╮ ╭──╮ │                     ┗━━━┛
             │ │  │ ╰─
3   +    ·   │x│  │     +    ·    ·    ·    ·
             ╰─╯  │ ╭─
                                           ╭───
4   ·    ·    ·    +    ·    ·    ·    ·   │o
                                           │ ╭─

S start  ? goal, face down  $ gold  o stone  x dead-end  + reachable  · empty

turn 23 · seat 4 is to move · 15 cards in the deck
you are seat 1, a saboteur · 2 saboteurs among 5 players
  seat     cards  broken                 looked at
  0            6  cart lantern pickaxe   -
  1 you        6  -                      top
  2            5  pickaxe                top middle bottom
  3            6  -                      -
> 4            6  -                      -

goals  top     gold, seen on a map
       middle  face down
       bottom  stone (rock2), face up

hand   ─╯ ╰─         ─────               ───╮
                                           x│
       ─────         ─────               ─╮ │
       P_EWN   map    P_EW  fix:lantern   D_SW  rockfall"""


def worked_position() -> View:
    """A position with one of everything that a drawing shows."""
    return view_of(
        {
            (1, 2): ("P_EW", False),
            (2, 2): ("P_NESW", False),
            (2, 1): ("D_EWN", False),
            (2, 3): ("D_N", False),
            (3, 2): ("P_SW", False),
            (3, 3): ("P_NSE", False),
            (8, 4): ("rock2", False),
        },
        reachable=[(0, 3), (4, 3), (3, 4)],
        hand=("P_EWN", "map", "P_EW", "fix:lantern", "D_SW", "rockfall"),
        seat=1,
        role=1,
        turn=23,
        to_move=4,
        drawn=67 - 15,
        revealed=0b100,
        goals=[1, 0, 3],
        hand_sizes=[6, 6, 5, 6, 6],
        broken=[0b111, 0, 0b100],
        looked=[0, 0b001, 0b111],
    )


def test_text_of_a_worked_position() -> None:
    assert draw.text(worked_position()) == GOLDEN


def test_one_card_in_the_deck_is_one() -> None:
    assert "to move · 1 card in the deck\n" in draw.text(view_of({}, drawn=67 - 1))


def test_svg_of_a_worked_position_says_everything_in_labels() -> None:
    root = parsed(draw.svg(worked_position()))
    labels = [element.get("aria-label") for element in root.iter() if element.get("role") == "img"]
    assert labels == [
        "the top goal at 8,0: gold, seen on a map",
        "D_EWN, a dead-end, blocked inside, open up, right and left, at 2,1",
        "the start at 0,2, a tunnel open to all sides",
        "P_EW, a tunnel open right and left, at 1,2",
        "P_NESW, a tunnel open up, right, down and left, at 2,2",
        "P_SW, a tunnel open down and left, at 3,2",
        "the middle goal at 8,2: face down",
        "empty cell at 0,3, reachable",
        "D_N, a dead-end, blocked inside, open up, at 2,3",
        "P_NSE, a tunnel open up, right and down, at 3,3",
        "empty cell at 4,3, reachable",
        "empty cell at 3,4, reachable",
        "the bottom goal at 8,4: stone (rock2), face up, a tunnel open right and down",
        "seat 0: 6 cards in hand, broken cart, lantern and pickaxe",
        "seat 1 (you): 6 cards in hand, has looked at the top goal",
        "seat 2: 5 cards in hand, broken pickaxe, has looked at the top, middle and bottom goals",
        "seat 3: 6 cards in hand",
        "seat 4: 6 cards in hand, is to move",
        "P_EWN, a tunnel open up, right and left",
        "map",
        "P_EW, a tunnel open right and left",
        "fix:lantern",
        "D_SW, a dead-end, blocked inside, open down and left",
        "rockfall",
    ]
    assert root.findtext(f"{SVG}title") == "Saboteur, turn 23, as seen by seat 1"
    assert root.findtext(f"{SVG}desc") == (
        "You are seat 1, a saboteur. Seat 4 is to move. 2 saboteurs among 5 players. 15 cards in the deck. "
        "Goals: top gold, seen on a map; middle face down; bottom stone (rock2), face up. "
        "Your hand: P_EWN, map, P_EW, fix:lantern, D_SW and rockfall."
    )


ROUNDS_GOLDEN = """\
     -2   -1   0    1    2    3    4    5    6    7    8    9    10   11

-3   ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·

                                                     ┏━━━┓
-2   ·    ·    ·    ·    ·    ·    ·    ·    ·    ·  ┃ ? ┃  ·    ·    ·
                                                     ┗━━━┛

-1   ·    +    +    ·    ·    ·    ·    ·    ·    ·    ·    +    ·    ·

         │ ╰──╯ ╰─                                   ┏━━━┓─╯ ╰─
 0   ·   │     S    ·    ·    ·    ·    ·    ·    ·  ┃(╭)┃       +    ·
         │ ╭──╮ ╭─                                   ┗━━━┛─────

 1   ·    +    +    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·

                                                      │ ╰─
 2   ·    ·    ·    ·    ·    ·    ·    ·    ·    ·   │o    +    ·    ·
                                                      ╰───

 3   ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·    ·


S start  ? goal, face down  $ gold  o stone  x dead-end  + reachable  · empty
the mine has no bounds; what is not shown is empty

round 3 of 3 · turn 131 · you must say what you saw on the middle goal
40 cards in the deck
you are seat 2, a miner · at most 1 saboteur among 4 players
  seat   cards  gold  broken                 looked at, and says
  0          6     ?  -                      top=gold bottom=stone
  1          6     ?  cart pickaxe           -
> 2 you      5     4  -                      middle
  3          6     ?  -                      middle=stone

rounds the gold was reached in 1 of 2 rounds so far
       round 1: seat 3 was a saboteur
       round 2: there was no saboteur

goals  top     face down
       middle  stone (rock2), seen on a map
       bottom  stone (rock1), face up

hand   ───╮
         x│
       ─╮ │
        D_SW  fix:cart+lantern"""


def rounds_position() -> View:
    """A position of the rule book's game with talk: cells left of the start and beyond the goals, rounds, gold, claims."""
    return view_of(
        {(-1, 0): ("P_NSE", False), (9, 0): ("P_EWN", False), (8, 2): ("rock1", True)},
        ruleset=replace(OFFICIAL, talk=True),
        seats=4,
        reachable=[(-1, -1), (-1, 1), (0, -1), (0, 1), (9, -1), (10, 0), (9, 2)],
        hand=("D_SW", "fix:cart+lantern"),
        seat=2,
        turn=131,
        to_move=2,
        claiming=2,
        drawn=67 - 40,
        revealed=0b100,
        round=2,
        gold_rounds=1,
        goals=[0, 3, 2],
        hand_sizes=[6, 6, 5, 6],
        broken=[0, 0b101],
        looked=[0b101, 0, 0b010, 0b010],
        claims=[[1, 0, 2], [0, 0, 0], [0, 0, 0], [0, 2, 0]],
        nuggets=[NOT_KNOWN, NOT_KNOWN, 4, NOT_KNOWN],
        packs=[[NOT_KNOWN] * 4] * 2,
        past_roles=[[0, 0, 0, 1], [0, 0, 0, 0]],
    )


def blocks_position() -> View:
    """A position of the game with one kind of block."""
    return view_of(
        {(3, 6): ("P_EW", False)},
        ruleset=VELDHUIS,
        reachable=[(4, 6)],
        hand=("block", "deblock", "P_EW"),
        seat=1,
        to_move=3,
        claiming=1,
        hand_sizes=[6, 3, 6, 6, 6],
        broken=[0, 0b1000, 0, 0b1000],
        looked=[0b010, 0, 0, 0b001],
        claims=[[0, 1, 0]],
        round=1,
        past_roles=[[1, 0, 0, 1, 0]],
        nuggets=[1, 0, 0, 1, 0],
    )


def test_text_of_a_position_with_rounds_gold_and_claims() -> None:
    assert draw.text(rounds_position()) == ROUNDS_GOLDEN


def test_svg_of_a_position_with_rounds_gold_and_claims_says_everything_in_labels() -> None:
    root = parsed(draw.svg(rounds_position()))
    assert [seat.get("aria-label") for seat in of_class(root, "seat")] == [
        (
            "seat 0: 6 cards in hand, secret gold, has looked at the top and bottom goals, "
            "says it saw gold at the top and stone at the bottom"
        ),
        "seat 1: 6 cards in hand, secret gold, broken cart and pickaxe",
        "seat 2 (you): 5 cards in hand, 4 nuggets, has looked at the middle goal, is to move",
        "seat 3: 6 cards in hand, secret gold, has looked at the middle goal, says it saw stone at the middle",
    ]
    assert root.findtext(f"{SVG}desc") == (
        "You are seat 2, a miner. You must say what you saw on the middle goal. At most 1 saboteur among 4 players. "
        "Round 3 of 3 · turn 131. The gold was reached in 1 of 2 rounds so far. Round 1: seat 3 was a saboteur. "
        "Round 2: there was no saboteur. 40 cards in the deck. The mine has no bounds. "
        "Goals: top face down; middle stone (rock2), seen on a map; bottom stone (rock1), face up. "
        "Your hand: D_SW and fix:cart+lantern."
    )
    labels = [element.get("aria-label") for element in root.iter() if element.get("role") == "img"]
    assert "P_NSE, a tunnel open up, right and down, at -1,0" in labels
    assert "P_EWN, a tunnel open up, right and left, at 9,0" in labels
    assert {"empty cell at -1,-1, reachable", "empty cell at 10,0, reachable"} <= set(labels)


def test_svg_writes_what_each_seat_says_and_the_gold_that_is_known() -> None:
    root = parsed(draw.svg(rounds_position()))
    written = [[text.text for text in seat.iter(f"{SVG}text")] for seat in of_class(root, "seat")]
    assert written == [
        ["seat 0", "6", "?", "top: gold", "bottom: stone"],
        ["seat 1", "6", "?"],
        ["seat 2, you", "5", "4", "middle"],
        ["seat 3", "6", "?", "middle: stone"],
    ]
    assert [len(of_class(seat, "claim")) for seat in of_class(root, "seat")] == [2, 0, 0, 1]
    assert [len(of_class(claim, "gold")) for claim in of_class(root, "claim")] == [1, 0, 0]


def test_claims_about_one_goal_stand_below_each_other() -> None:
    seats = of_class(parsed(draw.svg(view_of({}, ruleset=VELDHUIS, looked=[7] * 5, claims=[[1, 2, 1]] * 5))), "seat")
    assert len(seats) == 5
    assert len({tuple(claim.get("transform") for claim in of_class(seat, "claim")) for seat in seats}) == 1


def test_what_is_said_before_cards_is_written_where_somebody_has_said_it() -> None:
    silent = worked_position()
    said = view_of({}, seat=1, to_move=0, accused=[2, -1, 1], asked=[0, 0b101, 0], broken=[0, 0b111])
    words = ["seat 0 accuses seat 2", "you ask for the cart and the pickaxe to be mended", "seat 2 accuses you"]
    assert not any("accuses" in drawn or "asks" in drawn for drawn in (draw.text(silent), draw.svg(silent)))
    lines = draw.text(said).splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("said"))
    assert [line[4:].strip() for line in lines[first : first + 3]] == words
    assert [text.text for text in parsed(draw.svg(said)).iter(f"{SVG}text") if text.text in words] == words
    blocked = view_of({}, ruleset=VELDHUIS, seat=1, asked=[0b1000], broken=[0b1000])
    assert "seat 0 asks for the block to be taken away" in draw.text(blocked)


def test_a_block_is_drawn_instead_of_three_tools() -> None:
    view = blocks_position()
    lines = draw.text(view).splitlines()
    start = next(number for number, line in enumerate(lines) if "blocked" in line)
    assert lines[start : start + 6] == [
        "  seat   cards  gold  blocked  looked at, and says",
        "  0          6     1  -        middle=gold",
        "  1 you      3     0  yes      -",
        "  2          6     0  -        -",
        "> 3          6     1  yes      top",
        "  4          6     0  -        -",
    ]
    assert "seat 3 must say what it saw on the top goal" in draw.text(view)
    root = parsed(draw.svg(view))
    seats = of_class(root, "seat")
    assert [len(of_class(seat, "faint")) for seat in seats] == [1, 0, 1, 0, 1]
    assert [", blocked" in (seat.get("aria-label") or "") for seat in seats] == [False, True, False, True, False]
    other = of_class(parsed(draw.svg(worked_position())), "seat")
    assert [len(of_class(seat, "faint")) for seat in other] == [0, 3, 2, 3, 3]


def test_block_and_deblock_cards_have_their_own_pictures() -> None:
    held = of_class(parsed(draw.svg(blocks_position())), "held")
    assert [card.get("aria-label") for card in held[:2]] == ["block", "deblock"]
    pictures = [{element.get("d") for element in card.iter(f"{SVG}path")} for card in held[:2]]
    assert pictures[0] and pictures[0] < pictures[1], "the sign of a block, and the same sign with a tick"
    assert [len(of_class(card, "bad")) for card in held[:2]] == [1, 0]
    assert [len(of_class(card, "good")) for card in held[:2]] == [0, 1]


@pytest.mark.parametrize("seats", [3, 4, 10])
def test_a_hidden_number_of_saboteurs_is_told_as_the_most_there_can_be(seats: int) -> None:
    most = OFFICIAL.saboteurs_for(seats)
    words = f"{most} saboteur{'s' if most > 1 else ''} among {seats} players"
    hidden = view_of({}, ruleset=OFFICIAL, seats=seats)
    assert f"at most {words}" in draw.text(hidden) and f"at most {words}" in draw.svg(hidden)
    known = view_of({}, ruleset=replace(OFFICIAL, hidden_role=False), seats=seats)
    assert f"· {words}" in draw.text(known) and f"· {words}" in draw.svg(known)


def test_gold_is_counted_only_where_it_tells_more_than_who_won() -> None:
    assert " gold " not in draw.text(view_of({})).replace(KEY, "")
    assert not of_class(parsed(draw.svg(view_of({}))), "gold")
    for ruleset in (replace(KRISNADI, rounds=2), replace(KRISNADI, payment="shares")):
        view = view_of({}, ruleset=ruleset, round=1, nuggets=[3, 0, NOT_KNOWN, 1, 12], packs=[[NOT_KNOWN] * 5])
        rows = [line.split() for line in draw.text(view).splitlines() if re.match("[> ] [0-4] ", line)]
        assert [row[-3] for row in rows] == ["3", "0", "?", "1", "12"]
        assert len(of_class(parsed(draw.svg(view)), "gold")) == 5


def test_gold_that_is_secret_is_drawn_for_its_owner_only() -> None:
    for moves in (120, 1000):
        game, states = played(5, moves, 3, OFFICIAL)
        over = game.outcome(states) is not None
        for seat in range(5):
            view = game.friendly_view(game.views(states, np.array([seat], np.int8)))
            nuggets = states["nuggets"][0, :5].tolist()
            known = ["?" if count is None else str(count) for count in view.known_gold]
            assert known == [str(count) for count in nuggets] if over else known[seat] == str(nuggets[seat])
            rows = [line for line in draw.text(view).splitlines() if re.match("[> ] [0-4] ", line)]
            assert [row.replace(" you", "").replace(">", "").split()[2] for row in rows] == known
            seats = of_class(parsed(draw.svg(view)), "seat")
            assert [list(drawn.iter(f"{SVG}text"))[2].text for drawn in seats] == known


@pytest.mark.parametrize(("rounds", "gold"), [(1, 2), (2, None)])
def test_gold_that_the_pile_may_not_have_had_is_not_worked_out(rounds: int, gold: int | None) -> None:
    fields: dict[str, Any] = {"takers": [NOT_KNOWN] * 2, "past_roles": [[1] * 9 + [0]] * 2}
    view = view_of({}, ruleset=OFFICIAL, seats=10, seat=9, round=rounds, nuggets=[NOT_KNOWN] * 9 + [0], **fields)
    assert view.known_gold == (gold,) * 9 + (0,)


def test_the_roles_of_a_round_are_told_when_it_is_over() -> None:
    going = view_of({})
    assert "were saboteurs" not in draw.text(going) + draw.svg(going)
    over = view_of({}, to_move=-1, outcome=GOLD_FOUND, round=1, past_roles=[[0, 1, 0, 1, 0]])
    assert "roles  seats 1 and 3 were saboteurs" in draw.text(over)
    assert ">seats 1 and 3 were saboteurs</text>" in draw.svg(over)


def test_the_end_of_a_game_of_rounds_tells_how_often_the_gold_was_reached() -> None:
    view = view_of(
        {},
        ruleset=VELDHUIS,
        to_move=-1,
        outcome=GOLD_FOUND,
        round=3,
        gold_rounds=2,
        past_roles=[[0, 1, 0, 1, 0], [1, 1, 0, 0, 0], [0, 0, 0, 1, 1]],
    )
    for drawing in (draw.text(view), draw.svg(view)):
        assert "ame over: the gold was reached in 2 of 3 rounds" in drawing
        assert "round 3 of 3" in drawing
        assert "round 3: seats 3 and 4 were saboteurs" in drawing


@pytest.mark.parametrize("ruleset", [OFFICIAL, VELDHUIS])
def test_text_draws_the_used_part_of_a_large_mine_with_a_cell_around_it(ruleset: Ruleset) -> None:
    x, y = ruleset.start
    right, low = ruleset.goals[2]
    lines = draw.text(view_of({(x, y - 3): ("P_NS", False)}, ruleset=ruleset)).splitlines()
    assert [int(column) for column in lines[0].split()] == list(range(x - 1, right + 2))
    rows = [int(line.split()[0]) for line in lines[2 : lines.index(KEY) : CELL_LINES]]
    assert rows == list(range(y - 4, low + 2))
    assert "; what is not shown is empty" in lines[lines.index(KEY) + 1]
    assert lines[lines.index(KEY) + 1].startswith("the mine ")


def test_text_draws_no_cell_beyond_the_bounds_of_the_mine() -> None:
    corners = {(0, 0): ("P_NS", False), (12, 12): ("P_NS", False)}
    lines = draw.text(view_of(corners, ruleset=VELDHUIS)).splitlines()
    assert [int(column) for column in lines[0].split()] == list(range(13))
    assert lines.index(KEY) == 1 + 13 * CELL_LINES + 1
    assert lines[lines.index(KEY) + 1] == ""


def test_svg_draws_a_bounded_mine_whole_and_of_an_open_one_what_is_used() -> None:
    def columns(view: View) -> list[str]:
        board = of_class(parsed(draw.svg(view)), "board")[0]
        return [text.text or "" for text in board.findall(f"{SVG}text")]

    assert columns(view_of({}, ruleset=VELDHUIS)) == [str(number) for number in [*range(13), *range(13)]]
    assert columns(rounds_position()) == [str(number) for number in [*range(-2, 12), *range(-3, 4)]]
    assert of_class(parsed(draw.svg(rounds_position())), "unbounded")
    assert not of_class(parsed(draw.svg(view_of({}, ruleset=VELDHUIS))), "unbounded")


@pytest.mark.parametrize(("name", "turned", "edges"), EVERY_FORM)
def test_narrow_cells_open_a_card_at_its_open_edges_and_nowhere_else(name: str, turned: bool, edges: str) -> None:
    cell = (0, 0) if name == "start" else (8, 0)
    view = view_of({(-9, 0): ("P_EW", False), cell: (name, turned)}, ruleset=OFFICIAL)
    drawing = draw.text(view)
    assert max(map(len, drawing.splitlines())) <= WIDTH
    upper, middle, lower = text_cell(drawing, cell[0] + 10, 3, NARROW_COLUMNS, 3)
    gaps = {"N": upper[1], "E": middle[2], "S": lower[1], "W": middle[0]}
    assert "".join(edge for edge, character in gaps.items() if character == " ") == edges
    assert text_cell(drawing, 18, 1, NARROW_COLUMNS, 3) == ["┏━┓", "┃?┃", "┗━┛"]
    names = drawing.splitlines()[0]
    assert [int(x) for x in names.split()] == list(range(-10, 10, 2))
    assert all(str(x) in names[3 + (x + 10) * 3 : 6 + (x + 10) * 3] for x in range(-10, 10, 2))


def test_a_mine_wider_than_a_terminal_is_drawn_in_strips() -> None:
    tunnel: dict[Cell, tuple[str, bool]] = {(x, 0): ("P_EW", False) for x in range(-18, 0)}
    drawing = draw.text(view_of(tunnel, ruleset=OFFICIAL, goals=[1, 0, 0]))
    assert max(map(len, drawing.splitlines())) <= WIDTH
    board = drawing.partition(KEY)[0].splitlines()
    headers = [number for number, line in enumerate(board) if re.fullmatch("[ 0-9-]+", line) and len(line.split()) > 3]
    assert headers == [0, 7 * CELL_LINES + 2]
    assert [int(x) for line in headers for x in board[line].split()] == list(range(-18, 10, 2))
    right = "\n".join(board[headers[1] :])
    columns = [*range(-19, -4), *range(-4, 10)]
    assert text_cell(right, columns.index(8) - 15, 1, NARROW_COLUMNS, 3) == ["┏━┓", "┃$┃", "┗━┛"]
    for x in range(-18, 0):
        strip, column = ("\n".join(board), x + 19) if x < -4 else (right, x + 4)
        assert text_cell(strip, column, 3, NARROW_COLUMNS, 3) == ["───", "   ", "───"]


def test_svg_shows_the_broken_tools_of_each_seat() -> None:
    seats = of_class(parsed(draw.svg(worked_position())), "seat")
    assert [len(of_class(seat, "badge")) for seat in seats] == [3, 0, 1, 0, 0]
    assert [len(of_class(seat, "you")) for seat in seats] == [0, 1, 0, 0, 0]


HELD_ONCE = [
    *((KRISNADI, seats, moves) for seats, moves in [(3, 0), (5, 12), (7, 30), (10, 45), (5, 200)]),
    *((OFFICIAL, seats, moves) for seats, moves in [(4, 30), (10, 100), (5, 400)]),
    *((VELDHUIS, 5, moves) for moves in [30, 150, 400]),
]


@pytest.mark.parametrize(("ruleset", "seats", "moves"), HELD_ONCE)
def test_svg_holds_each_card_each_reachable_cell_each_seat_and_the_hand_once(
    ruleset: Ruleset, seats: int, moves: int
) -> None:
    game, states = played(seats, moves, 11, ruleset)
    for seat in range(seats):
        view = game.friendly_view(game.views(states, np.array([seat], np.int8)))
        root = parsed(game.draw_svg(view.record))
        titles = [card.findtext(f"{SVG}title", "") for card in of_class(root, "card")]
        cells = {(int(x), int(y)) for x, y in (re.findall(r"(-?\d+),(-?\d+)", title)[0] for title in titles)}
        assert len(titles) == len(view.board) and cells == set(view.board)
        assert len(of_class(root, "reachable")) == len(view.reachable)
        assert len(of_class(root, "seat")) == seats
        assert [(held.get("aria-label") or "").split(",")[0] for held in of_class(root, "held")] == list(view.hand)


TALKING = replace(KRISNADI, talk=True, hidden_role=True, payment="shares", rounds=2)
UNSEEN = [
    *((KRISNADI, 4 + index % 5, 4 * index) for index in range(12)),
    *((OFFICIAL, 3 + index, 45 * index) for index in range(6)),
    *((VELDHUIS, 5, 45 * index) for index in range(6)),
    *((TALKING, 10 - index, 60 + 15 * index) for index in range(4)),
]


@pytest.mark.parametrize(("index", "case"), list(enumerate(UNSEEN)))
def test_nothing_is_drawn_that_the_seat_does_not_know(index: int, case: tuple[Ruleset, int, int]) -> None:
    ruleset, seats, moves = case
    game, states = played(seats, moves, index, ruleset)
    for seat in range(game.seats):
        view = game.views(states, np.array([seat], np.int8))
        drawings = {(game.draw_text(view), game.draw_svg(view))}
        for stream in range(3):
            possible = game.resample(view, np.array([1000 * index + stream], np.uint64))
            seen = game.views(possible, np.array([seat], np.int8))
            drawings.add((game.draw_text(seen), game.draw_svg(seen)))
        assert len(drawings) == 1


def test_a_goal_seen_on_a_map_is_drawn_for_the_seat_that_saw_it_only() -> None:
    hidden = view_of({})
    for content, (name, mark) in enumerate([("gold", "($)"), ("rock1", "(╮)"), ("rock2", "(╭)")], 1):
        seen = view_of({}, goals=[0, content, 0])
        assert text_cell(draw.text(seen), 8, 2)[1] == f"┃{mark}┃"
        assert text_cell(draw.text(hidden), 8, 2)[1] == "┃ ? ┃"
        assert of_class(svg_card(seen, (8, 2)), "goal-eye") and not of_class(svg_card(hidden, (8, 2)), "goal-eye")
        assert name in (svg_card(seen, (8, 2)).get("aria-label") or "")


def test_the_end_of_the_game_is_told() -> None:
    view = view_of({}, to_move=-1, outcome=GOLD_FOUND)
    assert "game over: the gold was reached" in draw.text(view)
    assert "Game over: the gold was reached" in draw.svg(view)
    (heading,) = of_class(parsed(draw.svg(view_of({}, to_move=-1, outcome=CARDS_GONE))), "heading")
    assert heading.text == "Game over: all cards are gone and the gold was not reached"
    assert heading.get("class") == "heading long", "smaller, for the turn stands on the same line"


@pytest.mark.parametrize(("width", "height"), [(9, 5), (14, 4), (6, 9), (3, 15), (15, 3)])
def test_boards_of_any_size_are_drawn_with_their_coordinates(width: int, height: int) -> None:
    goals = ((width - 1, 0), (width - 1, height // 2), (width - 1, height - 1))
    ruleset = replace(KRISNADI, bounds=(0, 0, width - 1, height - 1), start=(0, 0), goals=goals)
    view = view_of({(1, 1): ("P_NESW", False)}, ruleset=ruleset, reachable=[(2, 1)] if width > 3 else [])
    lines = draw.text(view).splitlines()
    margin = len(str(height - 1)) + 1
    assert [int(x) for x in lines[0].split()] == list(range(width))
    for x in range(width):
        middle = margin + x * CELL_COLUMNS + CELL_COLUMNS // 2
        assert str(x) in lines[0][middle - 1 : middle + 2]
    for y in range(height):
        assert lines[2 + y * CELL_LINES][: margin - 1].strip() == str(y)
    assert max(map(len, lines)) <= WIDTH
    root = parsed(draw.svg(view))
    _, _, wide, high = map(float, (root.get("viewBox") or "").split())
    assert wide > width * CARD_WIDTH and high > height * CARD_HEIGHT
    assert len(of_class(root, "card")) == 5


@pytest.mark.parametrize("ruleset", [OFFICIAL, replace(OFFICIAL, talk=True), TALKING])
def test_text_of_a_game_with_rounds_gold_and_claims_is_never_wider_than_a_terminal(ruleset: Ruleset) -> None:
    view = view_of(
        {},
        ruleset=ruleset,
        seats=10,
        hand=("fix:lantern+pickaxe",) * 4,
        round=1,
        turn=199,
        to_move=0,
        claiming=2,
        hand_sizes=[4] * 10,
        broken=[7] * 10,
        looked=[7] * 10,
        claims=[[2, 2, 2]] * 10,
        nuggets=[0] + [NOT_KNOWN] * 9,
        packs=[[NOT_KNOWN] * 9],
        past_roles=[[1] * 9 + [0]],
    )
    assert max(map(len, draw.text(view).splitlines())) <= WIDTH


def test_text_is_never_wider_than_a_terminal_and_has_no_control_characters() -> None:
    longest = ("fix:lantern+pickaxe",) * 6
    view = view_of({}, seats=10, hand=longest, hand_sizes=[4] * 10, broken=[7] * 10, looked=[7] * 10, goals=[2, 3, 2])
    drawing = draw.text(view)
    assert max(map(len, drawing.splitlines())) <= WIDTH
    assert drawing.count("fix:lantern+pickaxe") == 6
    assert all(character == "\n" or character.isprintable() for character in drawing)


@pytest.mark.parametrize("view", [worked_position(), rounds_position(), blocks_position()])
def test_svg_is_self_contained(view: View) -> None:
    drawing = draw.svg(view)
    root = parsed(drawing)
    assert root.tag == f"{SVG}svg"
    assert drawing.count("http") == 1 and "url(" not in drawing and "@import" not in drawing
    # Without ids and links, two drawings in one page cannot disturb each other.
    assert not [element for element in root.iter() if {"id", "href", "style"} & set(element.keys())]
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags == {"svg", "title", "desc", "style", "g", "rect", "circle", "path", "text"}


@pytest.mark.parametrize("view", [worked_position(), rounds_position(), blocks_position()])
def test_svg_defines_every_colour_and_class_that_it_uses_and_scopes_them(view: View) -> None:
    root = parsed(draw.svg(view))
    light, dark = STYLE.split("prefers-color-scheme: dark")
    defined = set(re.findall(r"(--[a-z-]+):", light))
    assert set(re.findall(r"var\((--[a-z-]+)\)", STYLE)) == defined
    assert set(re.findall(r"(--[a-z-]+):", dark)) <= defined
    classes = set(re.findall(r"\.([a-z-]+)", re.sub(r"\{[^{}]*\}", "", STYLE)))
    containers = {"board", "card", "reachable", "seats", "seat", "claim", "hand", "held"}
    used = {name for element in root.iter() for name in element.get("class", "").split()}
    assert used - containers <= classes
    assert all(line.startswith((".molehunt ", "@media", "}", " ")) for line in STYLE.splitlines() if line)


def test_text_in_an_svg_is_escaped() -> None:
    words = '</text><script>&"'
    written = ET.tostring(label(0, 0, words), encoding="unicode")
    assert "<script>" not in written
    assert parsed(written).text == words
