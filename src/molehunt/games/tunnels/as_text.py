"""Tunnels as plain Unicode text: box-drawing cards of CELL_COLUMNS x CELL_LINES characters, and what stands below a board.

The walls of a tunnel are drawn, not its floor: an open edge is a gap between two walls, so a tunnel can be followed from
card to card with the eye.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

CELL_COLUMNS, CELL_LINES = 5, 3
WIDTH = 80
"""No line is longer."""

DEAD_END_MARK = "x"
OPEN_MARK, EMPTY_MARK = "+", "·"
"""A cell without a card, where one may fit, and where none does."""
_TITLE = len("goals  ")
_GAP = "  "
_AND = " · "

# The four corners of a tunnel's walls, each as it is where its two edges (first the vertical, then the horizontal) are
# closed and closed, closed and open, open and closed, open and open.
_CORNERS = {"NW": "╭─│╯", "NE": "╮─│╰", "SW": "╰─│╮", "SE": "╯─│╭"}


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


def face_down_lines(content: str, width: int = CELL_COLUMNS) -> list[str]:
    """A goal that lies face down, `width` characters wide, around what is written on its back."""
    return [f"┏{'━' * (width - 2)}┓", f"┃{content}┃", f"┗{'━' * (width - 2)}┛"]


def mark_lines(mark: str) -> list[str]:
    """A cell without a card, with a mark in its middle."""
    return [" " * CELL_COLUMNS, mark.center(CELL_COLUMNS), " " * CELL_COLUMNS]


def grid_lines(
    columns: Sequence[int],
    rows: Sequence[int],
    cell: Callable[[int, int], list[str]],
    *,
    margin: int,
    width: int = CELL_COLUMNS,
) -> list[str]:
    """A board of cells `width` wide under a line with the numbers of the columns, each row with its number at the left.

    `cell` gives the lines of the cell at (column, row). Where cells are narrow, the even columns only are named.
    """
    step = 1 if width == CELL_COLUMNS else 2
    lines = [" " * margin + "".join((str(x) if x % step == 0 else "").center(width) for x in columns)]
    for y in rows:
        cells = [cell(x, y) for x in columns]
        for line in range(CELL_LINES):
            label = str(y) if line == CELL_LINES // 2 else ""
            lines.append(label.rjust(margin - 1) + " " + "".join(drawn[line] for drawn in cells))
    return lines


def joined_parts(*parts: list[str]) -> str:
    """The parts of a drawing with an empty line between them; parts without lines are left out."""
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts if part)


def flowing(*parts: str) -> list[str]:
    """Parts of a sentence on one line, or on more where they are longer than WIDTH together."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1] + _AND + part) <= WIDTH:
            lines[-1] += _AND + part
        else:
            lines.append(part)
    return lines


def folded(line: str, most: int) -> list[str]:
    """A line of entries with two spaces between them, as lines of at most `most` characters, broken between entries alone."""
    lines = [""]
    for entry in re.split(r" {2,}", line.strip()):
        if lines[-1] and len(lines[-1]) + len(_GAP) + len(entry) > most:
            lines.append("")
        lines[-1] += _GAP * bool(lines[-1]) + entry
    return lines


def beside(title: str, lines: list[str]) -> list[str]:
    """Lines with a title to the left of the first, and a space between them at least."""
    width = max(_TITLE, len(title) + 1)
    return [(title if number == 0 else "").ljust(width) + line for number, line in enumerate(lines)]


def without_gaps(lines: Sequence[str]) -> list[str]:
    """A board in as few lines as it can have: a row of cells without a card is its middle line alone."""
    return [line for line in lines if line.strip()]


def part_in_sight(board: Sequence[str], room: int) -> tuple[list[str], tuple[str, str]]:
    """Of a board as `grid_lines` draws it, what matters most, in `room` lines; and the numbers of the first and the last row of it.

    That are rows one below the other, without gaps, under the line with the columns: those with most cells where a card may fit, of
    as many the lowest ones.
    """
    rows = [without_gaps(board[top : top + CELL_LINES]) for top in range(1, len(board), CELL_LINES)]
    numbers = [board[top + CELL_LINES // 2].split()[0] for top in range(1, len(board), CELL_LINES)]
    best, most = (0, 1), -1
    for first in range(len(rows)):
        height = marks = 0
        for last, row in enumerate(rows[first:], first):
            height += len(row)
            if height >= room and last > first:
                break
            marks += sum(line.count(OPEN_MARK) for line in row)
            if marks >= most:
                best, most = (first, last + 1), marks
    first, end = best
    return [board[0], *(line for row in rows[first:end] for line in row)], (numbers[first], numbers[end - 1])


def hand_lines(
    names: Sequence[str],
    picture: Callable[[str], list[str] | None],
    most: int = WIDTH,
    words: tuple[str, str] = ("hand", "empty"),
) -> list[str]:
    """A hand by name; cards that have a picture of CELL_LINES lines show it above the name. No line is longer than `most`.

    `words` are the title, and what is said of a hand without cards.
    """
    rows: list[list[str]] = [[]]
    for name in names:
        if sum(_hand_width(held) + len(_GAP) for held in rows[-1]) + _hand_width(name) > most - _TITLE:
            rows.append([])
        rows[-1].append(name)
    title, empty = words
    return beside(title, [line for row in rows for line in _hand_row(row, picture)] if names else [empty])


def _hand_width(name: str) -> int:
    return max(len(name), CELL_COLUMNS)


def _hand_row(names: list[str], picture: Callable[[str], list[str] | None]) -> list[str]:
    """Some cards side by side: the pictures, where there are any, and the names under them."""
    pictures = [picture(name) for name in names]
    lines = (
        [[drawn[line] if drawn else "" for drawn in pictures] for line in range(CELL_LINES)] if any(pictures) else []
    )
    return [
        _GAP.join(word.center(_hand_width(name)) for word, name in zip(line, names, strict=True))
        for line in [*lines, names]
    ]
