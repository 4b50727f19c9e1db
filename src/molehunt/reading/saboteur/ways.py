"""The best way to a goal: how many path cards are still needed, and how that changes with a card laid or taken away.

A way leads from an open end over empty cells to a cell beside the goal; its length is the number of cards to lay, the open end's
own and the last one included. An open end can be left on a side where some tunnel that fits there has an opening. What lies in
the mine already is in the way. The search grows layers of cells from the goal, a row of the grid being one 64-bit word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import bit, kernel, lowest
from molehunt.games.saboteur.maze import STEPS, copy_maze, lay, lets_in, opposite, take_away, tile_at, what_fits
from molehunt.games.saboteur.ruleset import BOTTOM, GRID, LEFT, RIGHT, TOP
from molehunt.games.saboteur.state import MAX_ENDS, MAZE
from molehunt.games.tunnels.cards import CARD_EDGES, CARD_THROUGH, FITS_WITH

NO_WAY = 30.0
"""The length of a way that there is not: longer than any that 40 path cards are laid for."""
MOST_LAYERS = 29
FIRST_LAYER = 2
"""The length of a way over a cell beside the goal: an open end's card is laid first."""
FAR = 127
"""Stands for more steps than any way has."""
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
        ("at_goals", np.int64, (MAX_ENDS,)),  # goals to which each open end can lead, as a set
        # Of the open ends that a card on each open end would make, by its side: the same two, and the goal that lies there.
        ("beyond", np.int16, (MAX_ENDS, 4, 4)),
        ("beyond_goals", np.int64, (MAX_ENDS, 4)),
        ("onto", np.int64, (MAX_ENDS, 4)),
        ("steps", np.int8, (GRID, GRID)),  # of the best way from each cell to one goal; FAR where there is none
        ("near", np.int64, (MAX_ENDS,)),  # the fewest of the cells onto which each open end can be left
        ("after", np.uint64, (MOST_LAYERS, GRID)),  # the cells that were not yet reached after so many steps
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
def goals_at(maze: Any, cell: int) -> int:
    """The goal that lies on a cell, as a set."""
    goals = 0
    for goal in range(3):
        goals |= (maze.cells[1 + goal] == cell) << goal
    return goals


@kernel
def find_exits(maze: Any, cell: int, fits: Any, scratch: Any, out: Any) -> int:
    """Write the empty cells to which a tunnel laid on `cell` can lead; the goals to which it can, as a set."""
    goals = 0
    for side in range(4):
        out[side] = NO_CELL
        if fits & LEADS_TO[side]:
            beyond = cell + STEPS[side]
            if is_free(scratch, beyond):
                out[side] = beyond
            else:
                goals |= goals_at(maze, beyond)
    return goals


@kernel
def note_exits(maze: Any, scratch: Any) -> None:
    """Note where every open end can lead; `mark_free` came before."""
    for end in range(maze.end_count):
        scratch.at_goals[end] = find_exits(maze, maze.ends[end], maze.fits[end], scratch, scratch.exits[end])


@kernel
def note_beyond(maze: Any, scratch: Any) -> None:
    """Note where the open ends can lead that a card on each open end would make."""
    for end in range(maze.end_count):
        for side in range(4):
            cell = maze.ends[end] + STEPS[side]
            scratch.onto[end, side] = scratch.beyond_goals[end, side] = 0
            if is_free(scratch, cell):
                fits = np.uint16(what_fits(maze, cell) & FITS_WITH[opposite(side), 1])
                out = scratch.beyond[end, side]
                scratch.beyond_goals[end, side] = find_exits(maze, cell, fits, scratch, out)
                out[opposite(side)] = NO_CELL
            else:
                scratch.beyond[end, side, :] = NO_CELL
                scratch.onto[end, side] = goals_at(maze, cell)


@kernel
def want_exits(maze: Any, closed: int, scratch: Any) -> None:
    """Mark the cells onto which open ends other than `closed` can be left."""
    for row in range(scratch.first_row - 1, scratch.last_row + 2):
        scratch.wanted[row] = NONE
    for end in range(maze.end_count):
        for side in range(4):
            cell = scratch.exits[end, side]
            if cell != NO_CELL and end != closed:
                scratch.wanted[cell // GRID] |= bit(cell & (GRID - 1))


@kernel
def start_layer(scratch: Any, goal_cell: int) -> None:
    """The first layer: the empty cells beside the goal. They are taken out of `next`, which holds the cells not yet reached."""
    for row in range(scratch.first_row - 1, scratch.last_row + 2):
        scratch.next[row] = scratch.free[row]
        scratch.layer[row] = NONE
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
def is_wanted(scratch: Any) -> bool:
    """Whether the layer holds a wanted cell."""
    for row in range(scratch.first_row, scratch.last_row + 1):
        if scratch.layer[row] & scratch.wanted[row]:
            return True
    return False


@kernel
def shortest_way(maze: Any, goal: int, scratch: Any) -> float:
    """The length of the best way to a goal; `mark_free`, `note_exits` and `want_exits` came before."""
    if maze.opened_goals >> goal & 1:
        return 0.0
    for end in range(maze.end_count):
        if scratch.at_goals[end] >> goal & 1:
            return 1.0
    start_layer(scratch, maze.cells[1 + goal])
    for length in range(FIRST_LAYER, MOST_LAYERS):
        if is_wanted(scratch):
            return 1.0 * length
        if not grow_layer(scratch):
            break
    return NO_WAY


@kernel
def note_steps(goal_cell: int, scratch: Any) -> None:
    """Note how far every cell is from a goal, and after each layer which were not yet reached."""
    for row in range(scratch.first_row, scratch.last_row + 1):
        scratch.steps[row] = FAR
        scratch.after[FIRST_LAYER - 1, row] = scratch.free[row]
    start_layer(scratch, goal_cell)
    for length in range(FIRST_LAYER, MOST_LAYERS):
        for row in range(scratch.first_row, scratch.last_row + 1):
            scratch.after[length, row] = scratch.next[row]
            cells = scratch.layer[row]
            while cells:
                scratch.steps[row, lowest(cells)] = length
                cells &= cells - ONE
        if not grow_layer(scratch):
            break


@kernel
def nearest_of(cells: Any, beside: int, scratch: Any) -> int:
    """The fewest steps to the goal from one of up to four cells, `beside` left out."""
    least = FAR
    for side in range(4):
        cell = cells[side]
        if cell != NO_CELL and cell != beside:
            least = min(least, int(scratch.steps[cell // GRID, cell & (GRID - 1)]))
    return least


@kernel
def plan_way(maze: Any, goal: int, closed: int, scratch: Any) -> None:
    """Fill `other` and `over` for one open end and one goal; `note_steps` came before.

    A card on a cell does not change how far the cells are that are no farther than it; from there on the layers are grown again.
    """
    cell = maze.ends[closed]
    row, spot = cell // GRID, bit(cell & (GRID - 1))
    within = np.int64(scratch.steps[row, cell & (GRID - 1)]) if is_free(scratch, cell) else FAR
    best = FAR
    at_once = 0
    for end in range(maze.end_count):
        if end != closed:
            at_once |= scratch.at_goals[end]
            near = scratch.near[end]
            # Only who is as near as the cell itself may be near by it.
            best = min(best, near if near != within else nearest_of(scratch.exits[end], cell, scratch))
    if at_once >> goal & 1:
        best = 1
    if maze.opened_goals >> goal & 1:
        best = 0
    over = scratch.over[closed, goal]
    pending = 0
    for side in range(4):
        length = nearest_of(scratch.beyond[closed, side], cell, scratch)
        if scratch.onto[closed, side] >> goal & 1:
            length = 0
        elif scratch.beyond_goals[closed, side] >> goal & 1:
            length = 1
        if within < length < FAR:
            length = FAR
            pending |= 1 << side
        over[side] = 1.0 * length if length < FAR else NO_WAY
    sought = within < best < FAR
    scratch.other[closed, goal] = NO_WAY if sought or best == FAR else 1.0 * best
    if not sought and not pending:
        return
    if sought:
        want_exits(maze, closed, scratch)
    for line in range(scratch.first_row, scratch.last_row + 1):
        scratch.next[line] = scratch.after[within, line]
        scratch.layer[line] = scratch.after[within - 1, line] & ~scratch.after[within, line]
    scratch.layer[row] &= ~spot
    for length in range(within + 1, MOST_LAYERS):
        if not grow_layer(scratch):
            return
        if sought and is_wanted(scratch):
            scratch.other[closed, goal] = 1.0 * length
            sought = False
        for side in range(4):
            if pending >> side & 1 and reached(scratch, scratch.beyond[closed, side]):
                over[side] = 1.0 * length
                pending &= ~(1 << side)
        if not sought and not pending:
            return


@kernel
def best_ways(maze: Any, odds: Any, scratch: Any, params: Any, lengths: Any) -> None:
    """The length of the best way to each goal that may be the gold; NO_WAY for the others."""
    mark_free(maze, scratch, params)
    note_exits(maze, scratch)
    want_exits(maze, -1, scratch)
    for goal in range(3):
        lengths[goal] = shortest_way(maze, goal, scratch) if odds[goal] > 0.0 else NO_WAY


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
    note_exits(maze, scratch)
    note_beyond(maze, scratch)
    for goal in range(3):
        if odds[goal] > 0.0:
            note_steps(maze.cells[1 + goal], scratch)
            for end in range(maze.end_count):
                scratch.near[end] = nearest_of(scratch.exits[end], NO_CELL, scratch)
            for end in range(maze.end_count):
                plan_way(maze, goal, end, scratch)


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
