"""What both drawings share: which cells are shown and which are cut off, and how a view reads in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from molehunt.core.words import counted, joined
from molehunt.games.duel.cards import FLIP, GOAL_PLACES, tile_shape
from molehunt.games.duel.state import ENTRANCE_CELL, GOAL_CELLS, SIZE, cell_place
from molehunt.games.tunnels.wording import in_order, tunnel_sentence

if TYPE_CHECKING:
    from molehunt.games.duel.friendly import View

Cell = tuple[int, int]
"""A row and a column."""

ENTRANCE: Cell = cell_place(ENTRANCE_CELL)
GOALS: dict[Cell, str] = {cell_place(cell): place for cell, place in zip(GOAL_CELLS.tolist(), GOAL_PLACES, strict=True)}
HIDDEN_GOAL = "goal"
"""What a goal is called on the board before it is revealed."""
EXTENT = f"cells are row,column, both from 0 to {SIZE - 1}; what is not shown is empty"

_BEYOND = {"N": (-1, 0, "S"), "E": (0, 1, "W"), "S": (1, 0, "N"), "W": (0, -1, "E")}
"""For each edge the step to the neighbour, and the neighbour's edge that faces it."""
_GOAL_WORDS = {"nugget": "the nugget", "blank": "blank"}


def is_tile(name: str) -> bool:
    """Whether a card, or what lies on a cell, is a tile: "5", "5_flip"."""
    return name.removesuffix(FLIP).isdigit()


def columns_and_rows(view: View) -> tuple[range, range]:
    """The used part of the board: the columns and rows that hold something or an open cell, the entrance or a goal."""
    used = [*view.board, *view.open_cells, ENTRANCE, *GOALS]
    rows, columns = [row for row, _ in used], [column for _, column in used]
    return range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)


def cut_off(view: View) -> frozenset[Cell]:
    """The cells with tiles and revealed goals that no tunnel from the entrance enters.

    A dead-end is entered where it faces an open tunnel, even if its centre is closed, so that nothing is joined to it.
    """
    return frozenset(
        cell
        for cell, name in view.board.items()
        if name != HIDDEN_GOAL and cell not in view.joined and not _is_entered(view, cell)
    )


def _is_entered(view: View, cell: Cell) -> bool:
    for edge in tile_shape(view.board[cell])[0]:
        down, across, facing = _BEYOND[edge]
        neighbour = (cell[0] + down, cell[1] + across)
        if neighbour in view.joined and view.board[neighbour] != HIDDEN_GOAL:
            edges, runs_on = tile_shape(view.board[neighbour])
            if runs_on and facing in edges:
                return True
    return False


def looked_goals(view: View, seat: int) -> tuple[str, ...]:
    """The goals that a seat has looked at, in the order left, middle, right."""
    return in_order(view.looked[seat], GOAL_PLACES)


def role_sentence(view: View) -> str:
    """Which seat is the viewer's."""
    return f"you are seat {view.seat}" if view.seat >= 0 else "you are watching"


def move_sentence(view: View) -> str:
    """Who is to move, or how the game ended."""
    if not view.over:
        return "you are to move" if view.to_move == view.seat else f"seat {view.to_move} is to move"
    if view.winner is None:
        return "game over: a draw, nobody reached the nugget"
    who = "you have won" if view.winner == view.seat else f"seat {view.winner} has won"
    return f"game over: {who}, the tunnel reaches the nugget"


def deck_sentence(view: View) -> str:
    """How many cards the deck has left."""
    return f"{counted(view.deck_left, 'card')} in the deck"


def goal_sentence(view: View, place: str) -> str:
    """What the seat knows of one goal: "the nugget, revealed", "blank, seen on a map", "not known"."""
    content = view.goals[place]
    if content is None:
        return "not known"
    return f"{_GOAL_WORDS[content]}, {'revealed' if place in view.revealed else 'seen on a map'}"


def card_sentence(name: str) -> str:
    """A card in words, for those who hear the drawing: "5, a tunnel open right and down"; action cards by their name."""
    return f"{name}, {tunnel_sentence(*tile_shape(name))}" if is_tile(name) else name


def cell_sentence(view: View, cell: Cell, *, is_cut_off: bool) -> str:
    """What lies on a cell, in words, with the cell."""
    at = f"at {cell[0]},{cell[1]}"
    name = view.board.get(cell)
    if name is None:
        return f"empty cell {at}, {'a tile may fit' if cell in view.open_cells else 'no tile fits'}"
    if name == "entrance":
        return f"the entrance {at}, {tunnel_sentence(*tile_shape(name))}"
    if name == HIDDEN_GOAL:
        return f"the {GOALS[cell]} goal {at}, not revealed: {goal_sentence(view, GOALS[cell])}"
    sentence = (
        f"{card_sentence(name)}, {at}"
        if is_tile(name)
        else f"the {GOALS[cell]} goal {at}: {goal_sentence(view, GOALS[cell])}, {tunnel_sentence(*tile_shape(name))}"
    )
    return f"{sentence}{', cut off from the entrance' * is_cut_off}"


def seat_sentence(view: View, seat: int) -> str:
    """A seat in words: its hand, its maluses, the goals it has looked at, and how many cards it has discarded."""
    parts = [f"seat {seat}{' (you)' * (seat == view.seat)}: {counted(view.hand_sizes[seat], 'card')} in hand"]
    if malus := view.malus[seat]:
        parts.append(counted(malus, "malus", "maluses"))
    if looked := looked_goals(view, seat):
        parts.append(f"has looked at the {joined(looked)} goal{'s' * (len(looked) > 1)}")
    if discarded := view.discard_counts[seat]:
        parts.append(f"{counted(discarded, 'card')} discarded")
    if seat == view.to_move:
        parts.append("is to move")
    return ", ".join(parts)
