"""A view as plain Unicode text: a board of box-drawing tunnels, and below it everything else the seat knows.

A cell is CELL_COLUMNS x CELL_LINES characters. The walls of a tunnel are drawn, not its floor: an open edge is a gap
between two walls, so a tunnel can be followed from card to card with the eye.
"""

from __future__ import annotations

from molehunt.games.saboteur.cards import GOAL_PLACES
from molehunt.games.saboteur.draw.wording import (
    FACE_DOWN,
    PATH_CARDS,
    broken_tools,
    columns_and_rows,
    edges_of,
    goal_places,
    goal_sentence,
    looked_goals,
    move_sentence,
    role_sentence,
    saboteurs_sentence,
)
from molehunt.games.saboteur.friendly import Cell, View

CELL_COLUMNS, CELL_LINES = 5, 3
WIDTH = 80
"""No line is longer, on a board of up to 15 columns."""

START_MARK, GOLD_MARK, STONE_MARK = "S", "$", "o"
DEAD_END_MARK = "x"
REACHABLE_MARK, EMPTY_MARK = "+", "·"
KEY = (
    f"{START_MARK} start  ? goal, face down  {GOLD_MARK} gold  {STONE_MARK} stone  {DEAD_END_MARK} dead-end  "
    f"{REACHABLE_MARK} reachable  {EMPTY_MARK} empty"
)
_TITLE = len("goals  ")
_GAP = "  "
_SEEN_MARKS = {"gold": GOLD_MARK, "rock1": "╮", "rock2": "╭"}
_OPEN_MARKS = {"start": START_MARK, "gold": GOLD_MARK, "rock1": STONE_MARK, "rock2": STONE_MARK}

# The four corners of a tunnel's walls, each as it is where its two edges (first the vertical, then the horizontal) are
# closed and closed, closed and open, open and closed, open and open.
_CORNERS = {"NW": "╭─│╯", "NE": "╮─│╰", "SW": "╰─│╮", "SE": "╯─│╭"}


def text(view: View) -> str:
    """The drawing of a view as lines of text, without colours and without a line feed at the end."""
    parts = [
        board_lines(view),
        [KEY],
        table_lines(view),
        goal_lines(view),
        hand_lines(view),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts)


def tunnel_lines(edges: str, mark: str) -> list[str]:
    """The walls around a tunnel with the given open edges, and a mark in its middle: CELL_LINES lines."""

    def corner(vertical: str, horizontal: str) -> str:
        return _CORNERS[vertical + horizontal][2 * (vertical in edges) + (horizontal in edges)]

    def wall(vertical: str) -> str:
        left, right = ("─" if side in edges else " " for side in "WE")
        middle = " " if vertical in edges else "─"
        return left + corner(vertical, "W") + middle + corner(vertical, "E") + right

    left, right = (" " if side in edges else "│" for side in "WE")
    return [wall("N"), f" {left}{mark}{right} ", wall("S")]


def card_lines(name: str, turned: bool = False) -> list[str]:
    """What lies open on a cell, as CELL_LINES lines of CELL_COLUMNS characters: a path card, the start or a goal."""
    edges, joined = edges_of(name, turned)
    return tunnel_lines(edges, _OPEN_MARKS.get(name, " " if joined else DEAD_END_MARK))


def cell_lines(view: View, cell: Cell) -> list[str]:
    """One cell of the board, as CELL_LINES lines of CELL_COLUMNS characters."""
    name, turned = view.board.get(cell, ("", False))
    if name == FACE_DOWN:
        seen = view.goals[goal_places(view.game.rules)[cell]]
        return ["┏━━━┓", f"┃({_SEEN_MARKS[seen]})┃" if seen else "┃ ? ┃", "┗━━━┛"]
    if name:
        return card_lines(name, turned)
    mark = REACHABLE_MARK if cell in view.reachable else EMPTY_MARK
    return [" " * CELL_COLUMNS, mark.center(CELL_COLUMNS), " " * CELL_COLUMNS]


def board_lines(view: View) -> list[str]:
    """The whole board under a line with x, each row of cells with its y at the left."""
    columns, rows = columns_and_rows(view.game.rules)
    margin = max(len(str(y)) for y in rows) + 1
    lines = [" " * margin + "".join(str(x).center(CELL_COLUMNS) for x in columns)]
    for y in rows:
        cells = [cell_lines(view, (x, y)) for x in columns]
        for line in range(CELL_LINES):
            label = str(y) if line == CELL_LINES // 2 else ""
            lines.append(label.rjust(margin - 1) + " " + "".join(cell[line] for cell in cells))
    return lines


def table_lines(view: View) -> list[str]:
    """What is not on the board: whose turn it is, the deck, and a line for each seat."""
    lines = [
        f"turn {view.turn} · {move_sentence(view)} · {view.deck_left} cards in the deck",
        f"{role_sentence(view)} · {saboteurs_sentence(view)}",
        "  seat     cards  broken                 looked at",
    ]
    for seat, cards in enumerate(view.hand_sizes):
        moves = ">" if seat == view.to_move else " "
        who = f"{seat} you" if seat == view.seat else f"{seat}"
        broken = " ".join(broken_tools(view, seat)) or "-"
        looked = " ".join(looked_goals(view, seat)) or "-"
        lines.append(f"{moves} {who:<8} {cards:>5}  {broken:<21}  {looked}")
    return lines


def goal_lines(view: View) -> list[str]:
    """What the seat knows of each goal."""
    return _beside("goals", [f"{place:<6}  {goal_sentence(view, place)}" for place in GOAL_PLACES])


def hand_lines(view: View) -> list[str]:
    """The seat's own hand by name, the oldest card first; path cards with their picture above the name."""
    rows: list[list[str]] = [[]]
    for name in view.hand:
        if sum(_hand_width(held) + len(_GAP) for held in rows[-1]) + _hand_width(name) > WIDTH - _TITLE:
            rows.append([])
        rows[-1].append(name)
    return _beside("hand", [line for row in rows for line in _hand_row(row)] if view.hand else ["empty"])


def _beside(title: str, lines: list[str]) -> list[str]:
    """Lines with a title to the left of the first."""
    return [(title if number == 0 else "").ljust(_TITLE) + line for number, line in enumerate(lines)]


def _hand_width(name: str) -> int:
    return max(len(name), CELL_COLUMNS)


def _hand_row(names: list[str]) -> list[str]:
    """Some cards side by side: the pictures, where there are any, and the names under them."""
    pictures = [card_lines(name) if name in PATH_CARDS else [""] * CELL_LINES for name in names]
    shown = range(CELL_LINES) if PATH_CARDS & set(names) else range(0)
    lines = [[picture[line] for picture in pictures] for line in shown]
    return [
        _GAP.join(word.center(_hand_width(name)) for word, name in zip(line, names, strict=True))
        for line in [*lines, names]
    ]
