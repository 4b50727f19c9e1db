"""A view as plain Unicode text: a board of box-drawing tunnels, and below it everything else the seat knows.

A cell is CELL_COLUMNS x CELL_LINES characters. Of a large mine the part that is used is drawn; where that is too wide, with
narrow cells, which leave out the first and the last column of a wide one.
"""

from __future__ import annotations

from molehunt.core.language import later
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
    said_sentences,
    turn_sentence,
    used_columns_and_rows,
)
from molehunt.games.saboteur.friendly import Cell, View
from molehunt.games.tunnels.as_text import (
    CELL_COLUMNS,
    DEAD_END_MARK,
    EMPTY_MARK,
    OPEN_MARK,
    WIDTH,
    beside,
    face_down_lines,
    flowing,
    grid_lines,
    hand_lines,
    joined_parts,
    mark_lines,
    tunnel_lines,
)
from molehunt.games.tunnels.wording import deck_sentence

NARROW_COLUMNS = 3

START_MARK, GOLD_MARK, STONE_MARK = "S", "$", "o"
KEY = later("S start  ? goal, face down  $ gold  o stone  x dead-end  + reachable  · empty")
"""What the marks say."""
_SEEN_MARKS = {"gold": GOLD_MARK, "rock1": "╮", "rock2": "╭"}
_OPEN_MARKS = {"start": START_MARK, "gold": GOLD_MARK, "rock1": STONE_MARK, "rock2": STONE_MARK}


def text(view: View) -> str:
    """The drawing of a view as lines of text, without colours and without a line feed at the end."""
    return joined_parts(
        board_lines(view),
        [KEY, *extent_lines(view)],
        table_lines(view),
        past_lines(view),
        said_lines(view),
        goal_lines(view),
        hand_lines(view.hand, lambda name: card_lines(name) if name in PATH_CARDS else None),
    )


def card_lines(name: str, turned: bool = False) -> list[str]:
    """What lies open on a cell: a path card, the start or a goal."""
    edges, joined = edges_of(name, turned)
    return tunnel_lines(edges, _OPEN_MARKS.get(name, " " if joined else DEAD_END_MARK))


def cell_lines(view: View, cell: Cell, width: int = CELL_COLUMNS) -> list[str]:
    """One cell of the board, `width` characters wide: CELL_COLUMNS or NARROW_COLUMNS."""
    name, turned = view.board.get(cell, ("", False))
    if name == FACE_DOWN:
        seen = view.goals[goal_places(view.game.ruleset)[cell]]
        content = f"({_SEEN_MARKS[seen]})" if seen else " ? "
        inner = slice(0, 3) if width == CELL_COLUMNS else slice(1, 2)
        return face_down_lines(content[inner], width)
    empty = OPEN_MARK if cell in view.reachable else EMPTY_MARK
    lines = card_lines(name, turned) if name else mark_lines(empty)
    cut = (CELL_COLUMNS - width) // 2
    return [line[cut : CELL_COLUMNS - cut] for line in lines]


def board_lines(view: View, most: int = WIDTH) -> list[str]:
    """The used part of the board under a line with x, each row of cells with its y at the left.

    Where wide cells do not fit into `most` characters, the cells are narrow, and a line with x names the even columns only. Where
    narrow ones do not fit either, the board comes in strips from left to right, one below the other.
    """
    columns, rows = used_columns_and_rows(view)
    margin = max(len(str(y)) for y in rows) + 1
    width = CELL_COLUMNS if margin + CELL_COLUMNS * len(columns) <= most else NARROW_COLUMNS
    strips = -(-len(columns) // ((most - margin) // width))
    wide = -(-len(columns) // strips)
    lines: list[str] = []
    for first in range(0, len(columns), wide):
        strip = columns[first : first + wide]
        lines += [""] * bool(first)
        lines += grid_lines(strip, rows, lambda x, y: cell_lines(view, (x, y), width), margin=margin, width=width)
    return lines


def extent_lines(view: View) -> list[str]:
    """How far the mine goes, where it is not drawn whole."""
    columns, rows = used_columns_and_rows(view)
    if (columns[0], rows[0], columns[-1], rows[-1]) == view.game.ruleset.bounds:
        return []
    return [f"{mine_sentence(view)}; what is not shown is empty"]


def table_lines(view: View) -> list[str]:
    """What is not on the board: whose turn it is, the deck, and a line for each seat."""
    lines = [
        *flowing(turn_sentence(view), move_sentence(view), deck_sentence(view.deck_left)),
        *flowing(role_sentence(view), saboteurs_sentence(view)),
    ]
    ruleset = view.game.ruleset
    gold = gold_is_counted(ruleset)
    who_width = 6 if gold else 8  # with gold, three broken tools and three claims a line is just WIDTH long
    broken_title = "blocked" if ruleset.one_tool else "broken"
    broken_width = len(broken_title) if ruleset.one_tool else len(" ".join(BROKEN_TOOLS)) + 1
    says = ", and says" * ruleset.talk
    lines.append(f"  {'seat':<{who_width}} cards{'  gold' * gold}  {broken_title:<{broken_width}}  looked at{says}")
    for seat, cards in enumerate(view.hand_sizes):
        moves = ">" if seat == view.to_move else " "
        who = f"{seat} you" if seat == view.seat else f"{seat}"
        nuggets = f"  {'?' if view.known_gold[seat] is None else view.known_gold[seat]:>4}" * gold
        broken = " ".join("yes" if ruleset.one_tool else tool for tool in broken_tools(view, seat)) or "-"
        looked = " ".join(f"{place}={said}" if said else place for place, said in claims_of(view, seat).items()) or "-"
        lines.append(f"{moves} {who:<{who_width}} {cards:>5}{nuggets}  {broken:<{broken_width}}  {looked}")
    return lines


def past_lines(view: View) -> list[str]:
    """What all have learned at the end of each round that is over; no lines before the end of the first."""
    return beside("rounds" if view.rounds > 1 else "roles", past_sentences(view))


def said_lines(view: View) -> list[str]:
    """Who accuses whom, and who asks for a repair; no lines where nobody does."""
    return beside("said", said_sentences(view))


def goal_lines(view: View) -> list[str]:
    """What the seat knows of each goal."""
    return beside("goals", [f"{place:<6}  {goal_sentence(view, place)}" for place in GOAL_PLACES])
