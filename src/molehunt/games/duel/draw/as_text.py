"""A view as plain Unicode text: the used part of the board with box-drawing tunnels, and below it all else the seat knows.

Tunnels that no way from the entrance leads into have dashed walls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from molehunt.core.language import later
from molehunt.games.duel.cards import GOAL_PLACES, tile_shape
from molehunt.games.duel.draw.wording import (
    GOALS,
    HIDDEN_GOAL,
    Cell,
    columns_and_rows,
    cut_off,
    extent_sentence,
    goal_sentence,
    is_tile,
    looked_goals,
    move_sentence,
    role_sentence,
)
from molehunt.games.tunnels.as_text import (
    DEAD_END_MARK,
    EMPTY_MARK,
    OPEN_MARK,
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

if TYPE_CHECKING:
    from molehunt.games.duel.friendly import View

ENTRANCE_MARK, NUGGET_MARK, BLANK_MARK = "S", "$", "o"
WALLS, CUT_OFF_WALLS = "─│", "┄┆"
KEY = [
    later("S entrance  ? goal, not revealed  $ nugget  o blank  x dead-end"),
    later("┄┆ cut off from the entrance  + a tile may fit  · empty"),
]
"""What the marks say."""
_MARKS = {"entrance": ENTRANCE_MARK, "nugget": NUGGET_MARK, "blank": BLANK_MARK}
_DASHED = str.maketrans(WALLS, CUT_OFF_WALLS)


def text(view: View) -> str:
    """The drawing of a view as lines of text, without colours and without a line feed at the end."""
    goals = [f"{place:<6}  {goal_sentence(view, place)}" for place in GOAL_PLACES]
    return joined_parts(
        board_lines(view),
        [*KEY, extent_sentence()],
        table_lines(view),
        beside("goals", goals),
        hand_lines(view.hand, lambda name: card_lines(name) if is_tile(name) else None),
    )


def board_lines(view: View) -> list[str]:
    """The used part of the board under a line with the columns, each row with its number at the left."""
    columns, rows = columns_and_rows(view)
    apart = cut_off(view)
    margin = len(str(rows[-1])) + 1
    return grid_lines(columns, rows, lambda x, y: cell_lines(view, (y, x), is_cut_off=(y, x) in apart), margin=margin)


def card_lines(name: str) -> list[str]:
    """What lies open on a cell: a tile, the entrance or a goal that is revealed."""
    edges, joined = tile_shape(name)
    return tunnel_lines(edges, _MARKS.get(name, " " if joined else DEAD_END_MARK))


def cell_lines(view: View, cell: Cell, *, is_cut_off: bool) -> list[str]:
    """One cell of the board."""
    name = view.board.get(cell)
    if name is None:
        return mark_lines(OPEN_MARK if cell in view.open_cells else EMPTY_MARK)
    if name == HIDDEN_GOAL:
        seen = view.goals[GOALS[cell]]
        return face_down_lines(f"({_MARKS[seen]})" if seen else " ? ")
    lines = card_lines(name)
    return [line.translate(_DASHED) for line in lines] if is_cut_off else lines


def table_lines(view: View) -> list[str]:
    """What is not on the board: whose turn it is, the deck, and a line for each seat."""
    lines = [
        *flowing(f"turn {view.turn}", move_sentence(view), deck_sentence(view.deck_left)),
        role_sentence(view),
        "  seat   cards  malus  discarded  looked at",
    ]
    for seat, cards in enumerate(view.hand_sizes):
        moves = ">" if seat == view.to_move else " "
        who = f"{seat} you" if seat == view.seat else f"{seat}"
        looked = " ".join(looked_goals(view, seat)) or "-"
        lines.append(f"{moves} {who:<6} {cards:>5}  {view.malus[seat]:>5}  {view.discard_counts[seat]:>9}  {looked}")
    return lines
