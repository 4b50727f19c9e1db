"""The best way to a goal: how many path cards are still needed, and how that changes with a card laid or taken away.

A way leads from an open end over empty cells to a cell beside the goal; its length is the number of cards to lay, the open end's
own and the last one included. An open end can be left on a side where some tunnel that fits there has an opening. What lies in
the mine already is in the way. The search grows layers of cells from the goal, a row of the grid being one 64-bit word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import bit, kernel
from molehunt.games.saboteur.maze import STEPS, copy_maze, lay, lets_in, opposite, take_away, tile_at, what_fits
from molehunt.games.saboteur.ruleset import BOTTOM, GRID, LEFT, RIGHT, TOP
from molehunt.games.saboteur.state import MAX_ENDS, MAZE
from molehunt.games.tunnels.cards import CARD_EDGES, CARD_THROUGH, FITS_WITH

NO_WAY = 30.0
"""The length of a way that there is not: longer than any that 40 path cards are laid for."""
MOST_LAYERS = 29
MARGIN = 2
"""Ways are sought up to so many cells around what lies in the mine."""

LEADS_TO = np.array(
    [sum(1 << edges for edges in range(16) if edges >> side & 1 and edges.bit_count() > 1) for side in range(4)],
    np.uint16,
)
"""The edge sets of tunnels that are open at a side: shape (4,). Every set of two or more edges is that of some tunnel."""

ONE = np.uint64(1)
NONE = np.uint64(0)

WAYS = np.dtype(
    [
        ("free", np.uint64, (GRID,)),  # empty cells, a word a row
        ("layer", np.uint64, (GRID,)),
        ("next", np.uint64, (GRID,)),
        ("wanted", np.uint64, (GRID,)),  # cells onto which open ends can be left
        ("exits", np.int16, (MAX_ENDS, 4)),  # the same by open end and side; NO_CELL where the side is shut
        ("beyond", np.int16, (4, 4)),  # exits of the open ends that a card on one cell would make, by its side
        ("other", np.float64, (MAX_ENDS, 3)),  # best way to each goal if a card lay on an open end: not over that card
        ("over", np.float64, (MAX_ENDS, 3, 4)),  # the same over that card, by the side at which it is left
        ("first_row", np.int64),
        ("last_row", np.int64),
        ("maze", MAZE, (1,)),  # a copy to try things in
    ]
)
"""Scratch for one search."""
NO_CELL = -1


@kernel
def mark_free(maze: Any, scratch: Any, params: Any) -> None:
    """Note the empty cells around what lies in the mine."""
    top, bottom, left, right = GRID, -1, GRID, -1
    for tile in range(maze.tile_count):
        row, column = maze.cells[tile] // GRID, maze.cells[tile] & (GRID - 1)
        top, bottom = min(top, row), max(bottom, row)
        left, right = min(left, column), max(right, column)
    top, bottom = max(top - MARGIN, params[TOP], 1), min(bottom + MARGIN, params[BOTTOM], GRID - 2)
    left, right = max(left - MARGIN, params[LEFT], 0), min(right + MARGIN, params[RIGHT], GRID - 2)
    row_mask = (bit(right + 1) - ONE) & ~(bit(left) - ONE)
    scratch.first_row, scratch.last_row = top, bottom
    for row in range(top - 1, bottom + 2):
        scratch.free[row] = row_mask if top <= row <= bottom else NONE
    for tile in range(maze.tile_count):
        row = maze.cells[tile] // GRID
        if top <= row <= bottom:
            scratch.free[row] &= ~bit(maze.cells[tile] & (GRID - 1))


@kernel
def is_free(scratch: Any, cell: int) -> bool:
    """Whether a cell is empty and within the search."""
    row = cell // GRID
    return (
        scratch.first_row <= row <= scratch.last_row and scratch.free[row] >> np.uint64(cell & (GRID - 1)) & ONE != NONE
    )


@kernel
def find_exits(cell: int, fits: Any, scratch: Any, goal_cell: int, out: Any) -> bool:
    """Write the empty cells to which a tunnel laid on `cell` can lead; whether it can lead to the goal itself."""
    at_goal = False
    for side in range(4):
        out[side] = NO_CELL
        if fits & LEADS_TO[side]:
            beyond = cell + STEPS[side]
            if beyond == goal_cell:
                at_goal = True
            elif is_free(scratch, beyond):
                out[side] = beyond
    return at_goal


@kernel
def start_layer(scratch: Any, goal_cell: int, blocked: int) -> None:
    """The first layer: the empty cells beside the goal. They are taken out of `next`, which holds the cells not yet reached."""
    for row in range(scratch.first_row - 1, scratch.last_row + 2):
        scratch.next[row] = scratch.free[row]
        scratch.layer[row] = NONE
    if blocked >= 0 and scratch.first_row <= blocked // GRID <= scratch.last_row:
        scratch.next[blocked // GRID] &= ~bit(blocked & (GRID - 1))
    for side in range(4):
        cell = goal_cell + STEPS[side]
        row = cell // GRID
        if scratch.first_row <= row <= scratch.last_row:
            spot = scratch.next[row] & bit(cell & (GRID - 1))
            scratch.layer[row] |= spot
            scratch.next[row] &= ~spot


@kernel
def grow_layer(scratch: Any) -> bool:
    """The next layer: all cells not yet reached beside the last one. False where there is none."""
    above = NONE
    some = NONE
    for row in range(scratch.first_row, scratch.last_row + 1):
        here = scratch.layer[row]
        new = (here << ONE | here >> ONE | above | scratch.layer[row + 1]) & scratch.next[row]
        above = here
        scratch.layer[row] = new
        scratch.next[row] &= ~new
        some |= new
    return some != NONE


@kernel
def reached(scratch: Any, cells: Any) -> bool:
    """Whether the layer holds one of up to four cells."""
    for side in range(4):
        cell = cells[side]
        if cell != NO_CELL and scratch.layer[cell // GRID] >> np.uint64(cell & (GRID - 1)) & ONE != NONE:
            return True
    return False


@kernel
def way_lengths(maze: Any, goal: int, closed: int, scratch: Any, over: Any) -> float:
    """The length of the best way to a goal if a card lay on the open end `closed` (-1: as things are), not over that card.

    `over[side]` is the length of the best way over it, if it is left at that side. `mark_free` came before.
    """
    goal_cell = maze.cells[1 + goal]
    closed_cell = maze.ends[closed] if closed >= 0 else NO_CELL
    best = 0.0 if maze.opened_goals >> goal & 1 else NO_WAY
    for row in range(scratch.first_row - 1, scratch.last_row + 2):
        scratch.wanted[row] = NONE
    for end in range(maze.end_count):
        if end == closed:
            continue
        if find_exits(maze.ends[end], maze.fits[end], scratch, goal_cell, scratch.exits[end]):
            best = min(best, 1.0)
        for side in range(4):
            cell = scratch.exits[end, side]
            if cell != NO_CELL:
                scratch.wanted[cell // GRID] |= bit(cell & (GRID - 1))
    pending = 0
    if closed >= 0:
        for side in range(4):
            over[side] = NO_WAY
            cell = closed_cell + STEPS[side]
            if cell == goal_cell:
                over[side] = 0.0
            elif is_free(scratch, cell):
                fits = np.uint16(what_fits(maze, cell) & FITS_WITH[opposite(side), 1])
                if find_exits(cell, fits, scratch, goal_cell, scratch.beyond[side]):
                    over[side] = 1.0
                else:
                    pending |= 1 << side
    if best < NO_WAY and not pending:
        return best
    start_layer(scratch, goal_cell, closed_cell)
    for length in range(2, MOST_LAYERS):
        if best >= NO_WAY:
            for row in range(scratch.first_row, scratch.last_row + 1):
                if scratch.layer[row] & scratch.wanted[row]:
                    best = 1.0 * length
                    break
        for side in range(4):
            if pending >> side & 1 and reached(scratch, scratch.beyond[side]):
                over[side] = 1.0 * length
                pending &= ~(1 << side)
        if (best < NO_WAY and not pending) or not grow_layer(scratch):
            break
    return best


@kernel
def best_ways(maze: Any, odds: Any, scratch: Any, params: Any, lengths: Any) -> None:
    """The length of the best way to each goal that may be the gold; NO_WAY for the others."""
    mark_free(maze, scratch, params)
    for goal in range(3):
        lengths[goal] = way_lengths(maze, goal, -1, scratch, scratch.over[0, goal]) if odds[goal] > 0.0 else NO_WAY


@kernel
def expected(lengths: Any, odds: Any) -> float:
    """The length expected over `odds`, the chances of the goals to be the gold."""
    total = 0.0
    for goal in range(3):
        if odds[goal] > 0.0:
            total += odds[goal] * lengths[goal]
    return total


@kernel
def nearest(lengths: Any, odds: Any) -> float:
    """The shortest way to a goal that may be the gold."""
    least = NO_WAY
    for goal in range(3):
        if odds[goal] > 0.0:
            least = min(least, lengths[goal])
    return least


@kernel
def plan_ways(maze: Any, odds: Any, scratch: Any, params: Any) -> None:
    """Fill `other` and `over` for every open end and every goal that may be the gold."""
    mark_free(maze, scratch, params)
    for end in range(maze.end_count):
        for goal in range(3):
            if odds[goal] > 0.0:
                scratch.other[end, goal] = way_lengths(maze, goal, end, scratch, scratch.over[end, goal])


@kernel
def joins_more(maze: Any, end: int, edges: int) -> bool:
    """Whether a tunnel with these edges on an open end would join a part of the maze that is cut off from the start."""
    for side in range(4):
        if edges >> side & 1:
            tile = tile_at(maze, maze.ends[end] + STEPS[side])
            cut_off = tile >= 0 and not maze.joined >> np.uint64(tile) & ONE
            if cut_off and lets_in(maze.edges[tile], opposite(side)):
                return True
    return False


@kernel
def ways_after(maze: Any, card: int, form: int, end: int, odds: Any, scratch: Any, params: Any, lengths: Any) -> None:
    """`best_ways` with a card laid on an open end; `plan_ways` came before."""
    edges = CARD_EDGES[card, form]
    through = CARD_THROUGH[card]
    if through and joins_more(maze, end, edges):
        copy = scratch.maze[0]
        copy_maze(maze, copy)
        lay(copy, card, form, maze.ends[end], params)
        best_ways(copy, odds, scratch, params, lengths)
        mark_free(maze, scratch, params)
        return
    for goal in range(3):
        best = NO_WAY
        if odds[goal] > 0.0:
            best = scratch.other[end, goal]
            for side in range(4):
                if through and edges >> side & 1:
                    best = min(best, scratch.over[end, goal, side])
        lengths[goal] = best


@kernel
def ways_without(maze: Any, tile: int, odds: Any, scratch: Any, params: Any, lengths: Any) -> None:
    """`best_ways` with a path card taken away."""
    copy = scratch.maze[0]
    copy_maze(maze, copy)
    take_away(copy, maze.cells[tile], params)
    best_ways(copy, odds, scratch, params, lengths)
