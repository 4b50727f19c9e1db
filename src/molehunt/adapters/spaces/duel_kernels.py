"""Masks and observations of the duel, compiled. What is where is said in `duel`."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.adapters.spaces.shown import SEE_MASK, SEE_VIEW
from molehunt.core.kernels import kernel, lowest, without_lowest
from molehunt.core.seats import NOBODY
from molehunt.games.duel.actions import DISCARD, card_of, flipped_of, play_of, target_of
from molehunt.games.duel.cards import (
    CODE_CENTRE,
    CODE_EDGES,
    DESTROY,
    KINDS,
    MAP,
    NO_CARD,
    OPEN,
    TILE_EDGES,
    TILE_FORMS,
    TILES,
)
from molehunt.games.duel.maze import holds
from molehunt.games.duel.rules import may_lay_any, may_look, may_play_alone
from molehunt.games.duel.state import (
    CELLS,
    DECK,
    ENTRANCE_CELL,
    GOAL_CELLS,
    GRID,
    HAND,
    SEATS,
    SIZE,
    WORDS,
)
from molehunt.games.duel.views import look_beside_maze
from molehunt.games.tunnels.hands import is_repeated

# The table of a numbering: where each cell stands among the cells; the first index of each card that is played, unflipped and
# flipped; of each discard.
PLACES = 0
PLAYS_AT = CELLS
DISCARDS_AT = PLAYS_AT + 2 * KINDS
TABLE_SIZE = DISCARDS_AT + KINDS

PLANES = (
    "open to the north",
    "open to the east",
    "open to the south",
    "open to the west",
    "tunnels run through the centre",
    "something lies here",
    "joined to the entrance",
)
CENTRE_PLANE, LIES_PLANE, JOINED_PLANE = 4, 5, 6
PLANE = SIZE * SIZE
BOARD = len(PLANES) * PLANE
CODE_PLANES = CODE_EDGES.astype(np.int64) | (CODE_CENTRE == OPEN) << CENTRE_PLANE | 1 << LIES_PLANE
"""By code of what lies on a cell, the planes before the last that say yes, as the bits of a number."""
GRID_SHIFT = GRID.bit_length() - 1
"""Cells are numbered row by row, and a row has a power of two of them."""


# --- Actions ------------------------------------------------------------------------------------------------------------


@kernel
def index_of(action: int, seat: int, numbering: Any, params: Any) -> int:
    """The index of an action that may be legal somewhere, -1 where it has none."""
    card, target = card_of(action), target_of(action)
    if play_of(action) == DISCARD:
        return numbering[DISCARDS_AT + card]
    first = numbering[PLAYS_AT + 2 * card + flipped_of(action)]
    return first + numbering[PLACES + target] if card < TILES or card == DESTROY else first + target


@kernel
def mark_cells(cells: Any, first: int, numbering: Any, value: int, mask: Any) -> None:
    """Write `value` for each cell of a set, to the entries of a mask from `first` on."""
    for word in range(WORDS):
        rest = cells[word]
        while rest:
            mask[first + numbering[PLACES + (word << 6 | lowest(rest))]] = value
            rest = without_lowest(rest)


@kernel
def mark_legal(
    hand: Any,
    maze: Any,
    malus: Any,
    seat: int,
    origin: int,
    revealed: int,
    numbering: Any,
    params: Any,
    value: int,
    mask: Any,
) -> None:
    """Write `value` to the entries of a mask that are legal for the seat to move."""
    for slot in range(HAND):
        card = hand[slot]
        if card == NO_CARD or is_repeated(hand, slot):
            continue
        mask[numbering[DISCARDS_AT + card]] = value
        firsts = PLAYS_AT + 2 * card
        if card < TILES:
            if may_lay_any(malus[seat]):
                for flipped in range(TILE_FORMS[card]):
                    mark_cells(
                        maze.fitting[TILE_EDGES[card, flipped]], numbering[firsts + flipped], numbering, value, mask
                    )
        elif card == MAP:
            for goal in range(3):
                if may_look(revealed, goal):
                    mask[numbering[firsts] + goal] = value
        elif card == DESTROY:
            mark_cells(maze.tiles, numbering[firsts], numbering, value, mask)
        elif may_play_alone(card, malus[seat]):
            mask[numbering[firsts]] = value


@kernel
def fill_masks(views: Any, relative: bool, numbering: Any, params: Any, out: Any) -> None:
    """Which actions are legal at each view: shape (n, size)."""
    for index in range(len(views)):
        view = views[index]
        seat = view.seat
        out[index, :] = 0
        if view.to_move == seat and seat != NOBODY:
            mark_legal(view.hand, view.maze, view.malus, seat, seat, view.revealed, numbering, params, 1, out[index])


# --- Observations -------------------------------------------------------------------------------------------------------


@kernel
def mark_cell(maze: Any, cell: int, out: Any) -> None:
    """`mark_board` for one cell on which something lies."""
    at = np.uint64((cell >> GRID_SHIFT) * SIZE + (cell & GRID - 1) - SIZE - 1)
    planes = CODE_PLANES[np.uint64(maze.what[cell])]
    for plane in range(JOINED_PLANE):
        out[np.uint64(plane * PLANE) + at] = planes >> plane & 1
    out[np.uint64(JOINED_PLANE * PLANE) + at] = holds(maze.joined, cell)


@kernel
def mark_board(maze: Any, out: Any) -> int:
    """Write 1 to the planes of a board, zeros at the front of an observation, wherever one says yes; return their size."""
    for word in range(WORDS):
        rest = maze.tiles[word]
        while rest:
            mark_cell(maze, word << 6 | lowest(rest), out)
            rest = without_lowest(rest)
    mark_cell(maze, ENTRANCE_CELL, out)
    for goal in range(3):
        mark_cell(maze, GOAL_CELLS[goal], out)
    return BOARD


@kernel
def write_view(view: Any, numbering: Any, params: Any, at: int, out: Any) -> int:
    """Write all that follows the board, from place `at` on; return the size of the observation."""
    seat = view.seat
    for kind in range(KINDS):
        out[at + kind] = 0
        out[at + KINDS + kind] = view.unseen[kind]
        out[at + 2 * KINDS + kind] = view.discards[kind]
        out[at + 3 * KINDS + kind] = view.played[kind]
    for slot in range(HAND):
        if view.hand[slot] != NO_CARD:
            out[at + view.hand[slot]] += 1
    at += 4 * KINDS
    for goal in range(3):
        out[at + 2 * goal] = view.goals[goal] == 1
        out[at + 2 * goal + 1] = view.goals[goal] == 2
        out[at + 6 + goal] = view.revealed >> goal & 1
    at += 9
    out[at] = DECK - view.drawn
    out[at + 1] = view.outcome == 1
    out[at + 2] = view.outcome == 2
    at += 3
    for away in range(SEATS):
        player = (seat + away) % SEATS
        out[at + away] = view.to_move == player
        out[at + SEATS + away] = view.winner == player
        out[at + 2 * SEATS + away] = view.hand_sizes[player]
        out[at + 3 * SEATS + away] = view.discard_counts[player]
        out[at + 4 * SEATS + away] = view.malus[player]
        for goal in range(3):
            out[at + 5 * SEATS + 3 * away + goal] = view.looked[player] >> goal & 1
    return at + 8 * SEATS


@kernel
def fill_observations(views: Any, numbering: Any, params: Any, out: Any) -> int:
    """Write each view as numbers to a row of `out`; return how many numbers one has."""
    at = 0
    for index in range(len(views)):
        row = out[index]
        row[:BOARD] = 0
        at = mark_board(views[index].maze, row)
        at = write_view(views[index], numbering, params, at, row)
    return at


# --- One state ----------------------------------------------------------------------------------------------------------


@kernel
def show(
    states: Any, seat: int, views: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int
) -> None:
    """Write the observation and the mask of a seat: see `spaces.shown`."""
    state = states[0]
    if wanted & SEE_VIEW:
        look_beside_maze(state, seat, views[0])
        at = mark_board(state.maze, observation)
        write_view(views[0], numbering, params, at, observation)
    if wanted & SEE_MASK and state.to_move == seat:
        mark_moves(state, numbering, params, 1, mask)


@kernel
def clear(states: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int) -> None:
    """Write zeros where `show` wrote: see `spaces.shown`."""
    state = states[0]
    if wanted & SEE_VIEW:
        observation[:BOARD] = 0
    if wanted & SEE_MASK and state.to_move != NOBODY:
        mark_moves(state, numbering, params, 0, mask)


@kernel
def mark_moves(state: Any, numbering: Any, params: Any, value: int, mask: Any) -> None:
    """`mark_legal` for the seat to move in a state."""
    seat = state.to_move
    mark_legal(state.hands[seat], state.maze, state.malus, seat, seat, state.revealed, numbering, params, value, mask)
