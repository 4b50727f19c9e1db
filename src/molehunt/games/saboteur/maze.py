"""The maze: what lies where, where tunnels from the start lead, and what fits there. Bit layouts stand in `state`.

A maze is a short list of tiles and of open ends, whatever the size of the mine, so a move costs as much as there are open ends
around it. Every maze is joined up from the start, so laying a card goes on from what is known; a rockfall and a goal that turns
over change what was known, and the tunnels are followed anew from the start (`survey`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.copying import copy_record
from molehunt.core.kernels import bit, kernel, lowest, without_lowest
from molehunt.games.saboteur.actions import PLAY_PATH, PLAY_ROCKFALL, card_of, form_of, play_of, target_of
from molehunt.games.saboteur.cards import EMPTY_CELL, FACE_DOWN_CODE, FIRST_GOAL_CODE, GOAL_EDGES, START_CELL_CODE
from molehunt.games.saboteur.ruleset import BOTTOM, GOALS, GOALS_FIT, GRID, LEFT, RIGHT, START, STONES_LET_IN, TOP
from molehunt.games.saboteur.state import DOOR, INDEX_SIZE, MAX_ENDS, MAX_TILES, SILENT, THROUGH
from molehunt.games.tunnels.cards import ALL_EDGES, CARD_EDGES, CARD_THROUGH, FITS_WITH

STEPS = np.array([-GRID, 1, GRID, -1], np.int64)
"""From a cell to its neighbour in the north, east, south and west."""

NOTHING, FIRST_TILE, FIRST_END = 0, 1, 128
"""What `find` says: nothing, FIRST_TILE + a tile, FIRST_END + an open end."""
FIRST_PATH = 4
"""The first tile that is a path card."""

ALL_FIT = np.uint16(0xFFFF)


# --- Cells --------------------------------------------------------------------------------------------------------------


@kernel
def inside(cell: int, params: Any) -> bool:
    """Whether a cell belongs to the mine."""
    column, row = cell & (GRID - 1), cell // GRID
    return params[LEFT] <= column <= params[RIGHT] and params[TOP] <= row <= params[BOTTOM]


@kernel
def place_in_index(cell: int) -> int:
    """Where the index keeps a cell: by the last four bits of its row and of its column."""
    return (cell // GRID & 15) << 4 | cell & 15


@kernel
def find(maze: Any, cell: int) -> int:
    """What is on a cell: NOTHING, FIRST_TILE + tile, or FIRST_END + open end."""
    if not maze.crowded:
        entry = maze.index[place_in_index(cell)]
        if entry == NOTHING:
            return NOTHING
        held = maze.ends[entry - FIRST_END] if entry >= FIRST_END else maze.cells[entry - FIRST_TILE]
        return entry if held == cell else NOTHING
    for tile in range(maze.tile_count):
        if maze.cells[tile] == cell:
            return FIRST_TILE + tile
    for end in range(maze.end_count):
        if maze.ends[end] == cell:
            return FIRST_END + end
    return NOTHING


@kernel
def enter(maze: Any, cell: int, entry: int) -> None:
    """Put into the index what is on a cell. Where two cells want one place, the index is given up until the next survey."""
    place = place_in_index(cell)
    there = maze.index[place]
    if there != NOTHING:
        held = maze.ends[there - FIRST_END] if there >= FIRST_END else maze.cells[there - FIRST_TILE]
        if held != cell:
            maze.crowded = 1
    maze.index[place] = entry


@kernel
def tile_at(maze: Any, cell: int) -> int:
    """The tile on a cell, -1 where there is none."""
    entry = find(maze, cell)
    return entry - FIRST_TILE if FIRST_TILE <= entry < FIRST_END else -1


@kernel
def end_at(maze: Any, cell: int) -> int:
    """The open end on a cell, -1 where there is none."""
    entry = find(maze, cell)
    return entry - FIRST_END if entry >= FIRST_END else -1


# --- Tunnels ------------------------------------------------------------------------------------------------------------


@kernel
def lets_in(edges: int, side: int) -> bool:
    """Whether a tunnel that comes from the neighbour at `side` enters a tile with these edges."""
    return edges >> side & 1 != 0 or edges & DOOR != 0


@kernel
def opposite(side: int) -> int:
    """The side that faces a side."""
    return side ^ 2


@kernel
def what_fits(maze: Any, cell: int) -> Any:
    """The edge sets that fit all neighbours of an empty cell: open meets open, wall meets wall."""
    fits = ALL_FIT
    for side in range(4):
        tile = tile_at(maze, cell + STEPS[side])
        if tile >= 0 and not maze.edges[tile] & SILENT:
            fits &= FITS_WITH[side, maze.edges[tile] >> opposite(side) & 1]
    return fits


@kernel
def add_end(maze: Any, cell: int) -> None:
    """A tunnel opens onto an empty cell; nothing is noted where a maze that no deck can make has more of these than have room."""
    end = maze.end_count
    if end >= MAX_ENDS:
        return
    maze.ends[end] = cell
    maze.fits[end] = what_fits(maze, cell)
    maze.end_count = end + 1
    enter(maze, cell, FIRST_END + end)


@kernel
def remove_end(maze: Any, end: int) -> None:
    """A card will lie where an open end was: the last open end takes its number."""
    last = maze.end_count - 1
    maze.index[place_in_index(maze.ends[end])] = NOTHING
    maze.end_count = last
    if end != last:
        cell = maze.ends[last]
        maze.ends[end] = cell
        maze.fits[end] = maze.fits[last]
        maze.index[place_in_index(cell)] = FIRST_END + end


@kernel
def join(maze: Any, tile: int, params: Any) -> None:
    """A tile is joined to the start: follow the tunnels from it to all that they join and open onto.

    A dead-end is joined but passes nothing on.
    """
    pending = bit(tile)
    while pending:
        tile = lowest(pending)
        pending = without_lowest(pending)
        maze.joined |= bit(tile)
        edges = maze.edges[tile]
        if not edges & THROUGH:
            continue
        for side in range(4):
            if not edges >> side & 1:
                continue
            beyond = maze.cells[tile] + STEPS[side]
            entry = find(maze, beyond)
            if entry == NOTHING:
                if inside(beyond, params):
                    add_end(maze, beyond)
            elif entry < FIRST_END:
                other = entry - FIRST_TILE
                if 1 <= other < FIRST_PATH:
                    maze.opened_goals |= 1 << (other - 1)
                if not maze.joined >> np.uint64(other) & np.uint64(1) and lets_in(maze.edges[other], opposite(side)):
                    pending |= bit(other)


@kernel
def survey(maze: Any, params: Any) -> None:
    """Follow the tunnels anew from the start."""
    maze.joined = np.uint64(0)
    maze.end_count = 0
    maze.opened_goals = 0
    maze.crowded = 0
    for place in range(INDEX_SIZE):
        maze.index[place] = NOTHING
    for tile in range(maze.tile_count):
        enter(maze, maze.cells[tile], FIRST_TILE + tile)
    join(maze, 0, params)


# --- Changes ------------------------------------------------------------------------------------------------------------


@kernel
def clear_maze(maze: Any) -> None:
    """Nothing lies anywhere, and nothing is left of what lay there."""
    maze.cells[:] = 0
    maze.ends[:] = 0
    maze.fits[:] = 0
    maze.what[:] = EMPTY_CELL
    maze.edges[:] = 0


@kernel
def lay_out(maze: Any, params: Any) -> None:
    """The start and three face-down goals in an empty mine."""
    clear_maze(maze)
    maze.tile_count = FIRST_PATH
    maze.cells[0] = params[START]
    maze.what[0] = START_CELL_CODE
    maze.edges[0] = ALL_EDGES | THROUGH
    for goal in range(3):
        maze.cells[1 + goal] = params[GOALS + goal]
        maze.what[1 + goal] = FACE_DOWN_CODE
        maze.edges[1 + goal] = ALL_EDGES | THROUGH if params[GOALS_FIT] else SILENT
    survey(maze, params)


@kernel
def lay(maze: Any, card: int, form: int, cell: int, params: Any) -> None:
    """Lay a path card on an open end, where it fits. Nothing changes where there is none, or more cards lie than there are."""
    edges = CARD_EDGES[card, form] | (THROUGH if CARD_THROUGH[card] else 0)
    end = end_at(maze, cell)
    tile = maze.tile_count
    if end < 0 or tile >= MAX_TILES:
        return
    remove_end(maze, end)
    maze.cells[tile] = cell
    maze.what[tile] = 1 + 2 * card + form
    maze.edges[tile] = edges
    maze.tile_count = tile + 1
    enter(maze, cell, FIRST_TILE + tile)
    for side in range(4):
        entry = find(maze, cell + STEPS[side])
        if entry >= FIRST_END:
            maze.fits[entry - FIRST_END] &= FITS_WITH[opposite(side), edges >> side & 1]
    join(maze, tile, params)


@kernel
def take_away(maze: Any, cell: int, params: Any) -> int:
    """A rockfall: the path card on a cell is gone. Returns what it was, as a code; EMPTY_CELL where there is none."""
    tile = tile_at(maze, cell)
    if tile < FIRST_PATH:
        return EMPTY_CELL
    code = maze.what[tile]
    last = maze.tile_count - 1
    maze.cells[tile], maze.what[tile], maze.edges[tile] = maze.cells[last], maze.what[last], maze.edges[last]
    maze.cells[last], maze.what[last], maze.edges[last] = 0, EMPTY_CELL, 0
    maze.tile_count = last
    survey(maze, params)
    return code


@kernel
def show_goal(maze: Any, goal: int, code: int, params: Any) -> None:
    """A goal turns over and lies as `code` says; the survey is left to the caller."""
    content, turned = (code - FIRST_GOAL_CODE) // 2 + 1, (code - FIRST_GOAL_CODE) % 2
    maze.what[1 + goal] = code
    maze.edges[1 + goal] = GOAL_EDGES[content, turned] | THROUGH | (DOOR if params[STONES_LET_IN] else 0)


@kernel
def goals_reached(maze: Any) -> int:
    """The goals that a tunnel from the start enters or, face down, opens onto, as a set.

    A stone that shows the tunnel a wall is not among them.
    """
    reached = 0
    for goal in range(3):
        entered = maze.joined >> np.uint64(1 + goal) & np.uint64(1)
        if maze.opened_goals >> goal & 1 and (entered or not maze.edges[1 + goal] & THROUGH):
            reached |= 1 << goal
    return reached


@kernel
def follow_card(maze: Any, event: Any, params: Any) -> None:
    """Do to a picture of the maze what the card of an event did to the maze."""
    play = play_of(event.action)
    if play == PLAY_PATH:
        lay(maze, card_of(event.action), form_of(event.action), target_of(event.action), params)
    elif play == PLAY_ROCKFALL:
        take_away(maze, target_of(event.action), params)


@kernel
def follow_goals(maze: Any, event: Any, params: Any) -> None:
    """Turn over in a picture of the maze the goals that turned over at the end of the turn."""
    if event.revealed:
        for goal in range(3):
            if event.revealed >> goal & 1:
                show_goal(maze, goal, event.goals[goal], params)
        survey(maze, params)


# --- In order of cells ---------------------------------------------------------------------------------------------------


@kernel
def order_cells(cells: Any, first: int, last: int, out: Any) -> None:
    """Write the numbers from `first` to `last` - 1 to `out`, in the order of their cells: row by row, from left to right."""
    for number in range(first, last):
        place = number - first
        while place > 0 and cells[out[place - 1]] > cells[number]:
            out[place] = out[place - 1]
            place -= 1
        out[place] = number


# --- What tunnels open onto ----------------------------------------------------------------------------------------------


@kernel
def opened_cells(maze: Any, with_goals: bool, out: Any) -> int:
    """Write the cells that tunnels open onto, the open ends and then the goals reached if wanted, to `out`; return how many."""
    count = int(maze.end_count)
    for end in range(count):
        out[end] = maze.ends[end]
    if with_goals and maze.opened_goals:
        reached = goals_reached(maze)
        for goal in range(3):
            if reached >> goal & 1:
                out[count] = maze.cells[1 + goal]
                count += 1
    return count


MAX_OPENED = MAX_TILES
"""More than the cells that tunnels can open onto, the goals included."""


# --- Copies --------------------------------------------------------------------------------------------------------------


@kernel
def copy_maze(source: Any, target: Any) -> None:
    """Make `target` the same maze."""
    copy_record(source, target)
