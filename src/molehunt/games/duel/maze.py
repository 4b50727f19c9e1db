"""The board of the duel: what lies where, what fits where, and where tunnels from the entrance lead. Bit layouts stand in `state`.

Unlike in Saboteur a tile need not be joined to the entrance, so what counts for laying is every open edge on the board. For each
of the 16 edge sets the board keeps the cells on which a tile with these open edges may be laid; a move changes at most five cells.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.copying import copy_record
from molehunt.core.kernels import kernel, lowest, popcount, without_lowest
from molehunt.games.duel.cards import (
    BLANK_GOAL,
    CLOSED,
    CODE_CENTRE,
    CODE_EDGES,
    CODE_SPEAKS,
    EMPTY,
    ENTRANCE,
    FIRST_TILE_CODE,
    HIDDEN_GOAL,
    OFF_BOARD,
    OPEN,
    TILE_EDGES,
)
from molehunt.games.duel.state import CELLS, EDGE_SETS, ENTRANCE_CELL, GOAL_CELLS, GRID, SIZE, WORDS, cell_number
from molehunt.games.tunnels.cards import FITS_WITH

STEPS = np.array([-GRID, 1, GRID, -1], np.int64)
"""From a cell to its neighbour in the north, east, south and west."""
ALL_FIT = 0xFFFF
NOTHING_FITS = 0

EMPTY_BOARD = np.full(CELLS, OFF_BOARD, np.uint8)
"""The codes of a board with the entrance and three goals on it."""
for _row in range(SIZE):
    EMPTY_BOARD[cell_number(_row, 0) : cell_number(_row, SIZE)] = EMPTY
EMPTY_BOARD[ENTRANCE_CELL] = ENTRANCE
EMPTY_BOARD[GOAL_CELLS] = HIDDEN_GOAL


# --- Sets of cells -------------------------------------------------------------------------------------------------------


@kernel
def holds(cells: Any, cell: int) -> bool:
    """Whether a set holds a cell."""
    return cells[cell >> 6] >> np.uint64(cell & 63) & np.uint64(1) != 0


@kernel
def put(cells: Any, cell: int) -> None:
    """Put a cell into a set."""
    cells[cell >> 6] |= np.uint64(1) << np.uint64(cell & 63)


@kernel
def take(cells: Any, cell: int) -> None:
    """Take a cell out of a set."""
    cells[cell >> 6] &= ~(np.uint64(1) << np.uint64(cell & 63))


@kernel
def size_of(cells: Any) -> int:
    """How many cells a set holds."""
    count = 0
    for word in range(WORDS):
        count += popcount(cells[word])
    return count


@kernel
def nth_cell(cells: Any, nth: int) -> int:
    """The `nth` cell of a set that holds more than `nth`, counted from 0 in the order of cells."""
    for word in range(WORDS):
        here = popcount(cells[word])
        if nth < here:
            rest = cells[word]
            for _ in range(nth):
                rest = without_lowest(rest)
            return word << 6 | lowest(rest)
        nth -= here
    return -1


# --- What fits -----------------------------------------------------------------------------------------------------------


@kernel
def opposite(side: int) -> int:
    """The side that faces a side."""
    return side ^ 2


@kernel
def what_fits(maze: Any, cell: int) -> Any:
    """The edge sets that may be laid on an empty cell, set e at bit e.

    Every neighbour that says something is matched exactly, and open meets open at least once.
    """
    fits = ALL_FIT
    meets = False
    for side in range(4):
        code = maze.what[cell + STEPS[side]]
        if CODE_SPEAKS[code]:
            is_open = CODE_EDGES[code] >> opposite(side) & 1
            fits &= int(FITS_WITH[side, is_open])
            meets = meets or is_open != 0
    return fits if meets else NOTHING_FITS


@kernel
def refresh(maze: Any, cell: int) -> None:
    """Note anew what may be laid on a cell, after it or a neighbour has changed."""
    fits = what_fits(maze, cell) if maze.what[cell] == EMPTY else NOTHING_FITS
    word = cell >> 6
    place = np.uint64(cell & 63)
    others = ~(np.uint64(1) << place)
    for edges in range(1, EDGE_SETS):
        maze.fitting[edges, word] = maze.fitting[edges, word] & others | np.uint64(fits >> edges & 1) << place


@kernel
def refresh_around(maze: Any, cell: int) -> None:
    """`refresh` the neighbours of a cell."""
    for side in range(4):
        beyond = cell + STEPS[side]
        if maze.what[beyond] == EMPTY:
            refresh(maze, beyond)


# --- Tunnels -------------------------------------------------------------------------------------------------------------


@kernel
def follow(maze: Any) -> None:
    """The pending cells are joined to the entrance: follow the tunnels from them to all that they reach.

    A tunnel runs on through open centres, goals included, revealed or not; it ends in an arm and does not enter a closed centre.
    """
    for _ in range(CELLS):
        cell = -1
        for word in range(WORDS):
            if maze.pending[word]:
                cell = word << 6 | lowest(maze.pending[word])
                break
        if cell < 0:
            return
        take(maze.pending, cell)
        put(maze.joined, cell)
        code = maze.what[cell]
        if CODE_CENTRE[code] != OPEN:
            continue
        for side in range(4):
            if not CODE_EDGES[code] >> side & 1:
                continue
            beyond = cell + STEPS[side]
            other = maze.what[beyond]
            if (
                CODE_EDGES[other] >> opposite(side) & 1
                and CODE_CENTRE[other] != CLOSED
                and not holds(maze.joined, beyond)
            ):
                put(maze.pending, beyond)


@kernel
def survey(maze: Any) -> None:
    """Follow the tunnels anew from the entrance."""
    maze.joined[:] = 0
    put(maze.pending, ENTRANCE_CELL)
    follow(maze)


@kernel
def is_led_to(maze: Any, cell: int) -> bool:
    """Whether a tunnel from the entrance leads into the centre of what lies on a cell."""
    code = maze.what[cell]
    if CODE_CENTRE[code] == CLOSED:
        return False
    for side in range(4):
        beyond = cell + STEPS[side]
        other = maze.what[beyond]
        if (
            CODE_EDGES[code] >> side & 1
            and CODE_EDGES[other] >> opposite(side) & 1
            and CODE_CENTRE[other] == OPEN
            and holds(maze.joined, beyond)
        ):
            return True
    return False


# --- Changes -------------------------------------------------------------------------------------------------------------


@kernel
def lay_out(maze: Any) -> None:
    """The entrance and three goals, not revealed, on an empty board."""
    maze.what[:] = EMPTY_BOARD
    maze.fitting[:] = 0
    maze.tiles[:] = 0
    maze.pending[:] = 0
    refresh_around(maze, ENTRANCE_CELL)
    survey(maze)


@kernel
def lay(maze: Any, tile: int, flipped: int, cell: int) -> None:
    """Lay a tile on a cell where it may be laid."""
    maze.what[cell] = FIRST_TILE_CODE + 2 * tile + flipped
    put(maze.tiles, cell)
    refresh(maze, cell)
    refresh_around(maze, cell)
    if is_led_to(maze, cell):
        put(maze.pending, cell)
        follow(maze)


@kernel
def take_away(maze: Any, cell: int) -> int:
    """A destroy card: the tile on a cell is gone. Returns what it was, as a code."""
    code = maze.what[cell]
    maze.what[cell] = EMPTY
    take(maze.tiles, cell)
    refresh(maze, cell)
    refresh_around(maze, cell)
    if holds(maze.joined, cell):
        survey(maze)
    return code


@kernel
def show_goal(maze: Any, goal: int, content: int) -> None:
    """A goal is revealed to both, for good: from now on it says what fits beside it."""
    cell = GOAL_CELLS[goal]
    maze.what[cell] = BLANK_GOAL + content - 1
    refresh_around(maze, cell)


@kernel
def goals_reached(maze: Any) -> int:
    """The goals that are joined to the entrance, as a set."""
    reached = 0
    for goal in range(3):
        if holds(maze.joined, GOAL_CELLS[goal]):
            reached |= 1 << goal
    return reached


@kernel
def copy_maze(source: Any, target: Any) -> None:
    """Make `target` the same board."""
    copy_record(source, target)


@kernel
def may_lay(maze: Any, tile: int, flipped: int, cell: int) -> bool:
    """Whether a tile fits on a cell (whether a malus forbids it is not asked)."""
    return holds(maze.fitting[TILE_EDGES[tile, flipped]], cell)
