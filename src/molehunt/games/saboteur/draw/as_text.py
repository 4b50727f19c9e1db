"""A view as plain Unicode text: a board of box-drawing tunnels, and below it everything else the seat knows.

A cell is CELL_COLUMNS x CELL_LINES characters. The walls of a tunnel are drawn, not its floor: an open edge is a gap
between two walls, so a tunnel can be followed from card to card with the eye. Of a large mine the part that is used is
drawn; where that is too wide, with narrow cells, which leave out the first and the last column of a wide one.
"""

from __future__ import annotations

from molehunt.games.saboteur.cards import BROKEN_TOOLS, GOAL_PLACES
from molehunt.games.saboteur.draw.wording import (
    FACE_DOWN,
    PATH_CARDS,
    broken_tools,
    claims_of,
    edges_of,
    goal_places,
    goal_sentence,
    gold_is_counted,
    mine_sentence,
    move_sentence,
    past_sentences,
    role_sentence,
    saboteurs_sentence,
    turn_sentence,
    used_columns_and_rows,
)
from molehunt.games.saboteur.friendly import Cell, View

CELL_COLUMNS, CELL_LINES = 5, 3
NARROW_COLUMNS = 3
WIDTH = 80
"""No line is longer."""

START_MARK, GOLD_MARK, STONE_MARK = "S", "$", "o"
DEAD_END_MARK = "x"
REACHABLE_MARK, EMPTY_MARK = "+", "·"
KEY = (
    f"{START_MARK} start  ? goal, face down  {GOLD_MARK} gold  {STONE_MARK} stone  {DEAD_END_MARK} dead-end  "
    f"{REACHABLE_MARK} reachable  {EMPTY_MARK} empty"
)
_TITLE = len("goals  ")
_GAP = "  "
_AND = " · "
_SEEN_MARKS = {"gold": GOLD_MARK, "rock1": "╮", "rock2": "╭"}
_OPEN_MARKS = {"start": START_MARK, "gold": GOLD_MARK, "rock1": STONE_MARK, "rock2": STONE_MARK}

# The four corners of a tunnel's walls, each as it is where its two edges (first the vertical, then the horizontal) are
# closed and closed, closed and open, open and closed, open and open.
_CORNERS = {"NW": "╭─│╯", "NE": "╮─│╰", "SW": "╰─│╮", "SE": "╯─│╭"}


def text(view: View) -> str:
    """The drawing of a view as lines of text, without colours and without a line feed at the end."""
    parts = [
        board_lines(view),
        [KEY, *extent_lines(view)],
        table_lines(view),
        past_lines(view),
        goal_lines(view),
        hand_lines(view),
    ]
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in parts if part)


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


def cell_lines(view: View, cell: Cell, width: int = CELL_COLUMNS) -> list[str]:
    """One cell of the board, as CELL_LINES lines of `width` characters: CELL_COLUMNS or NARROW_COLUMNS."""
    name, turned = view.board.get(cell, ("", False))
    if name == FACE_DOWN:
        seen = view.goals[goal_places(view.game.rules)[cell]]
        content = f"({_SEEN_MARKS[seen]})" if seen else " ? "
        inner = slice(0, 3) if width == CELL_COLUMNS else slice(1, 2)
        return [f"┏{'━' * (width - 2)}┓", f"┃{content[inner]}┃", f"┗{'━' * (width - 2)}┛"]
    if name:
        lines = card_lines(name, turned)
    else:
        mark = REACHABLE_MARK if cell in view.reachable else EMPTY_MARK
        lines = [" " * CELL_COLUMNS, mark.center(CELL_COLUMNS), " " * CELL_COLUMNS]
    cut = (CELL_COLUMNS - width) // 2
    return [line[cut : CELL_COLUMNS - cut] for line in lines]


def board_lines(view: View) -> list[str]:
    """The used part of the board under a line with x, each row of cells with its y at the left.

    Where wide cells do not fit into WIDTH, the cells are narrow, and a line with x names the even columns only. Where narrow
    ones do not fit either, the board comes in strips from left to right, one below the other.
    """
    columns, rows = used_columns_and_rows(view)
    margin = max(len(str(y)) for y in rows) + 1
    width = CELL_COLUMNS if margin + CELL_COLUMNS * len(columns) <= WIDTH else NARROW_COLUMNS
    strips = -(-len(columns) // ((WIDTH - margin) // width))
    wide = -(-len(columns) // strips)
    lines: list[str] = []
    for first in range(0, len(columns), wide):
        lines += [""] * bool(first) + _strip_lines(view, columns[first : first + wide], rows, margin, width)
    return lines


def _strip_lines(view: View, columns: range, rows: range, margin: int, width: int) -> list[str]:
    """Some columns of the board, in cells of a width."""
    step = 1 if width == CELL_COLUMNS else 2
    lines = [" " * margin + "".join((str(x) if x % step == 0 else "").center(width) for x in columns)]
    for y in rows:
        cells = [cell_lines(view, (x, y), width) for x in columns]
        for line in range(CELL_LINES):
            label = str(y) if line == CELL_LINES // 2 else ""
            lines.append(label.rjust(margin - 1) + " " + "".join(cell[line] for cell in cells))
    return lines


def extent_lines(view: View) -> list[str]:
    """How far the mine goes, where it is not drawn whole."""
    columns, rows = used_columns_and_rows(view)
    if (columns[0], rows[0], columns[-1], rows[-1]) == view.game.rules.bounds:
        return []
    return [f"{mine_sentence(view)}; what is not shown is empty"]


def table_lines(view: View) -> list[str]:
    """What is not on the board: whose turn it is, the deck, and a line for each seat."""
    lines = [
        *_flowing(turn_sentence(view), move_sentence(view), f"{view.deck_left} cards in the deck"),
        *_flowing(role_sentence(view), saboteurs_sentence(view)),
    ]
    rules = view.game.rules
    gold = gold_is_counted(rules)
    who_width = 6 if gold else 8  # with gold, three broken tools and three claims a line is just WIDTH long
    broken_title = "blocked" if rules.one_tool else "broken"
    broken_width = len(broken_title) if rules.one_tool else len(" ".join(BROKEN_TOOLS)) + 1
    says = ", and says" * rules.talk
    lines.append(f"  {'seat':<{who_width}} cards{'  gold' * gold}  {broken_title:<{broken_width}}  looked at{says}")
    for seat, cards in enumerate(view.hand_sizes):
        moves = ">" if seat == view.to_move else " "
        who = f"{seat} you" if seat == view.seat else f"{seat}"
        nuggets = f"  {'?' if view.nuggets[seat] is None else view.nuggets[seat]:>4}" * gold
        broken = " ".join("yes" if rules.one_tool else tool for tool in broken_tools(view, seat)) or "-"
        looked = " ".join(f"{place}={said}" if said else place for place, said in claims_of(view, seat).items()) or "-"
        lines.append(f"{moves} {who:<{who_width}} {cards:>5}{nuggets}  {broken:<{broken_width}}  {looked}")
    return lines


def _flowing(*parts: str) -> list[str]:
    """Parts of a sentence on one line, or on more where they are longer than WIDTH together."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1] + _AND + part) <= WIDTH:
            lines[-1] += _AND + part
        else:
            lines.append(part)
    return lines


def past_lines(view: View) -> list[str]:
    """What all have learned at the end of each round that is over; no lines before the end of the first."""
    return _beside("rounds" if view.rounds > 1 else "roles", past_sentences(view))


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
