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
from molehunt.games.saboteur.draw.as_text import CELL_COLUMNS, CELL_LINES, WIDTH
from molehunt.games.saboteur.draw.svg_cards import CARD_HEIGHT, CARD_WIDTH, GAP
from molehunt.games.saboteur.draw.svg_parts import STYLE, label
from molehunt.games.saboteur.friendly import Cell, View
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.ruleset import KRISNADI, Ruleset
from molehunt.games.saboteur.state import (
    DRAWN,
    FACE_UP,
    GOLD_FOUND,
    IN_GAME,
    OPENED,
    OUTCOME,
    ROLE,
    SABOTEUR_COUNT,
    SEAT,
    TO_MOVE,
    TURN,
    VIEW,
)

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
    **info: Any,
) -> View:
    """A view written by hand: what lies where, and entries of `info` and fields of the record by name."""
    game = Saboteur(ruleset, seats)
    record = np.zeros(1, VIEW)
    row = record[0]
    row["hand"] = NO_CARD
    row["hand"][: len(hand)] = [CARD_NUMBERS[name] for name in hand]
    laid = {ruleset.start: ("start", False), **dict.fromkeys(ruleset.goals, ("goal", False)), **board}
    for cell, (name, turned) in laid.items():
        row["cells"][ruleset.cell(*cell)] = code_of(name, turned)
    row["planes"][OPENED] = sum(1 << ruleset.cell(*cell) for cell in reachable)
    row["info"][[IN_GAME, SABOTEUR_COUNT]] = seats, ruleset.saboteurs_for(seats)
    numbers = {"seat": SEAT, "role": ROLE, "turn": TURN, "to_move": TO_MOVE, "drawn": DRAWN, "outcome": OUTCOME}
    numbers["face_up"] = FACE_UP
    for name, value in info.items():
        if name in numbers:
            row["info"][numbers[name]] = value
        else:
            row[name][: len(value)] = value
    view: View = game.friendly_view(record)
    return view


def played(seats: int, moves: int, index: int) -> tuple[Saboteur, Any]:
    """A game after some moves drawn at random, discards only where nothing else is legal."""
    game = Saboteur(seats=seats)
    states = game.new(game_seeds(3, index, 1))
    chance = np.random.default_rng(index)
    for _ in range(moves):
        if game.outcome(states) is not None:
            break
        actions = list(game.legal_actions(game.views(states, game.to_move(states))))
        actions = [action for action in actions if not str(action).startswith("discard")] or actions
        game.apply(states, np.array([actions[chance.integers(len(actions))]], np.int32))
    return game, states


def text_cell(drawing: str, column: int, row: int) -> list[str]:
    """The characters of one cell of a text drawing."""
    lines = [line.ljust(WIDTH) for line in drawing.splitlines()[1 + row * CELL_LINES : 1 + (row + 1) * CELL_LINES]]
    return [line[2 + column * CELL_COLUMNS : 2 + (column + 1) * CELL_COLUMNS] for line in lines]


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
you are seat 1, a saboteur · 2 saboteurs among 5 seats
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
        face_up=0b100,
        goals=[1, 0, 3],
        hand_sizes=[6, 6, 5, 6, 6],
        broken=[0b111, 0, 0b100],
        looked=[0, 0b001, 0b111],
    )


def test_text_of_a_worked_position() -> None:
    assert draw.text(worked_position()) == GOLDEN


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
        "You are seat 1, a saboteur. Seat 4 is to move. 2 saboteurs among 5 seats. 15 cards in the deck. "
        "Goals: top gold, seen on a map; middle face down; bottom stone (rock2), face up. "
        "Your hand: P_EWN, map, P_EW, fix:lantern, D_SW and rockfall."
    )


def test_svg_shows_the_broken_tools_of_each_seat() -> None:
    seats = of_class(parsed(draw.svg(worked_position())), "seat")
    assert [len(of_class(seat, "badge")) for seat in seats] == [3, 0, 1, 0, 0]
    assert [len(of_class(seat, "you")) for seat in seats] == [0, 1, 0, 0, 0]


@pytest.mark.parametrize(("seats", "moves"), [(3, 0), (5, 12), (7, 30), (10, 45), (5, 200)])
def test_svg_holds_each_card_each_reachable_cell_each_seat_and_the_hand_once(seats: int, moves: int) -> None:
    game, states = played(seats, moves, 11)
    for seat in range(seats):
        view = game.friendly_view(game.views(states, np.array([seat], np.int8)))
        root = parsed(game.draw_svg(view.record))
        titles = [card.findtext(f"{SVG}title", "") for card in of_class(root, "card")]
        cells = {(int(x), int(y)) for x, y in (re.findall(r"(\d+),(\d+)", title)[0] for title in titles)}
        assert len(titles) == len(view.board) and cells == set(view.board)
        assert len(of_class(root, "reachable")) == len(view.reachable)
        assert len(of_class(root, "seat")) == seats
        assert [(held.get("aria-label") or "").split(",")[0] for held in of_class(root, "held")] == list(view.hand)


@pytest.mark.parametrize("index", range(12))
def test_nothing_is_drawn_that_the_seat_does_not_know(index: int) -> None:
    game, states = played(4 + index % 5, 4 * index, index)
    for seat in range(game.seats):
        view = game.views(states, np.array([seat], np.int8))
        drawings = {(game.draw_text(view), game.draw_svg(view))}
        for stream in range(6):
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


@pytest.mark.parametrize(("width", "height"), [(9, 5), (14, 4), (6, 9), (3, 15), (15, 3)])
def test_boards_of_any_size_are_drawn_with_their_coordinates(width: int, height: int) -> None:
    goals = ((width - 1, 0), (width - 1, height // 2), (width - 1, height - 1))
    ruleset = replace(KRISNADI, width=width, height=height, start=(0, 0), goals=goals)
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


def test_text_is_never_wider_than_a_terminal_and_has_no_control_characters() -> None:
    longest = ("fix:lantern+pickaxe",) * 6
    view = view_of({}, seats=10, hand=longest, hand_sizes=[4] * 10, broken=[7] * 10, looked=[7] * 10, goals=[2, 3, 2])
    drawing = draw.text(view)
    assert max(map(len, drawing.splitlines())) <= WIDTH
    assert drawing.count("fix:lantern+pickaxe") == 6
    assert all(character == "\n" or character.isprintable() for character in drawing)


def test_svg_is_self_contained() -> None:
    drawing = draw.svg(worked_position())
    root = parsed(drawing)
    assert root.tag == f"{SVG}svg"
    assert drawing.count("http") == 1 and "url(" not in drawing and "@import" not in drawing
    # Without ids and links, two drawings in one page cannot disturb each other.
    assert not [element for element in root.iter() if {"id", "href", "style"} & set(element.keys())]
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags == {"svg", "title", "desc", "style", "g", "rect", "circle", "path", "text"}


def test_svg_defines_every_colour_and_class_that_it_uses_and_scopes_them() -> None:
    view = worked_position()
    root = parsed(draw.svg(view))
    light, dark = STYLE.split("prefers-color-scheme: dark")
    defined = set(re.findall(r"(--[a-z-]+):", light))
    assert set(re.findall(r"var\((--[a-z-]+)\)", STYLE)) == defined
    assert set(re.findall(r"(--[a-z-]+):", dark)) <= defined
    classes = set(re.findall(r"\.([a-z-]+)", re.sub(r"\{[^{}]*\}", "", STYLE)))
    containers = {"board", "card", "reachable", "seats", "seat", "hand", "held"}
    used = {name for element in root.iter() for name in element.get("class", "").split()}
    assert used - containers <= classes
    assert all(line.startswith((".molehunt ", "@media", "}", " ")) for line in STYLE.splitlines() if line)


def test_text_in_an_svg_is_escaped() -> None:
    words = '</text><script>&"'
    written = ET.tostring(label(0, 0, words), encoding="unicode")
    assert "<script>" not in written
    assert parsed(written).text == words
