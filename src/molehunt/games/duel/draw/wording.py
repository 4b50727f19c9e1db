"""What both drawings share: which cells are shown and which are cut off, and how a view reads in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from molehunt.core.language import _, counted_in, later
from molehunt.core.panels import seat_name
from molehunt.core.places import place_said
from molehunt.games.duel.cards import FLIP, GOAL_PLACES, tile_shape
from molehunt.games.duel.state import ENTRANCE_CELL, GOAL_CELLS, SIZE, cell_place
from molehunt.games.tunnels.wording import in_order, looked_sentence, tunnel_sentence

if TYPE_CHECKING:
    from molehunt.games.duel.friendly import View

Cell = tuple[int, int]
"""A row and a column."""

ENTRANCE: Cell = cell_place(ENTRANCE_CELL)
GOALS: dict[Cell, str] = {cell_place(cell): place for cell, place in zip(GOAL_CELLS.tolist(), GOAL_PLACES, strict=True)}
HIDDEN_GOAL = "goal"
"""What a goal is called on the board before it is revealed."""

_BEYOND = {"N": (-1, 0, "S"), "E": (0, 1, "W"), "S": (1, 0, "N"), "W": (0, -1, "E")}
"""For each edge the step to the neighbour, and the neighbour's edge that faces it."""
_GOAL_WORDS = {"nugget": later("the nugget"), "blank": later("blank")}
RULE_WORDS = (
    *(later("left"), later("middle"), later("right"), later("nugget"), later("map"), later("malus"), later("bonus")),
    *(
        later("destroy"),
        later("the tunnel reached the nugget"),
        later("all cards are gone and nobody reached the nugget"),
    ),
)
"""Words of the rules, as they stand where the rules are compiled: what is shown of them is translated."""


def extent_sentence() -> str:
    """How cells are named, and how far they go."""
    return _("cells are row,column, both from 0 to {last}; what is not shown is empty", last=SIZE - 1)


def is_tile(name: str) -> bool:
    """Whether a card, or what lies on a cell, is a tile: "5", "5_flip"."""
    return name.removesuffix(FLIP).isdigit()


def columns_and_rows(view: View) -> tuple[range, range]:
    """The used part of the board: the columns and rows that hold something or an open cell, the entrance or a goal."""
    used = [*view.board, *view.open_cells, ENTRANCE, *GOALS]
    rows, columns = [row for row, _column in used], [column for _row, column in used]
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
    return _("you are seat {number}", number=view.seat) if view.seat >= 0 else _("you are watching")


def move_sentence(view: View) -> str:
    """Who is to move, or how the game ended."""
    if not view.over:
        own = view.to_move == view.seat
        return _("you are to move") if own else _("{name} is to move", name=seat_name(view.to_move or 0))
    if view.winner is None:
        return _("game over: a draw, nobody reached the nugget")
    if view.winner == view.seat:
        return _("game over: you have won, the tunnel reaches the nugget")
    return _("game over: {name} has won, the tunnel reaches the nugget", name=seat_name(view.winner))


def goal_sentence(view: View, place: str) -> str:
    """What the seat knows of one goal: "the nugget, revealed", "blank, seen on a map", "not known"."""
    content = view.goals[place]
    if content is None:
        return _("not known")
    what = _(_GOAL_WORDS[content])
    return _("{what}, revealed", what=what) if place in view.revealed else _("{what}, seen on a map", what=what)


def card_sentence(name: str) -> str:
    """A card in words, for those who hear the drawing: "5, a tunnel open right and down"; action cards by their name."""
    return f"{name}, {tunnel_sentence(*tile_shape(name))}" if is_tile(name) else name


def cell_sentence(view: View, cell: Cell, *, is_cut_off: bool) -> str:
    """What lies on a cell, in words, with the cell."""
    at = f"{cell[0]},{cell[1]}"
    name = view.board.get(cell)
    if name is None:
        if cell in view.open_cells:
            return _("empty cell at {cell}, a tile may fit", cell=at)
        return _("empty cell at {cell}, no tile fits", cell=at)
    if name == "entrance":
        return _("the entrance at {cell}, {tunnel}", cell=at, tunnel=tunnel_sentence(*tile_shape(name)))
    if is_tile(name):
        sentence = _("{what}, at {cell}", what=card_sentence(name), cell=at)
    else:
        place, known = place_said(GOALS[cell]), goal_sentence(view, GOALS[cell])
        if name == HIDDEN_GOAL:
            return _("the {place} goal at {cell}, not revealed: {known}", place=place, cell=at, known=known)
        sentence = _("the {place} goal at {cell}: {known}", place=place, cell=at, known=known)
        sentence += f", {tunnel_sentence(*tile_shape(name))}"
    return _("{what}, cut off from the entrance", what=sentence) if is_cut_off else sentence


def seat_sentence(view: View, seat: int, *, says_turn: bool = True) -> str:
    """A seat in words: its hand, its maluses, the goals it has looked at, how many cards it has discarded, that it is to move.

    Where it stands beside something else that says whose turn it is, it is silent about that (not `says_turn`).
    """
    who = _("{seat} (you)", seat=seat_name(seat)) if seat == view.seat else seat_name(seat)
    parts = [f"{who}: {counted_in('{n} card in hand', '{n} cards in hand', view.hand_sizes[seat])}"]
    if malus := view.malus[seat]:
        parts.append(counted_in("{n} malus", "{n} maluses", malus))
    if looked := looked_goals(view, seat):
        parts.append(looked_sentence(looked))
    if discarded := view.discard_counts[seat]:
        parts.append(counted_in("{n} card discarded", "{n} cards discarded", discarded))
    if says_turn and seat == view.to_move:
        parts.append(_("is to move"))
    return ", ".join(parts)
