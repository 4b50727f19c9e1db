"""What the board is worth, and what it would be worth after a card: all placements of a hand, from one look at the board.

The value of a board is that of the best cell onto which its tunnels open (2019 paper, equation 10); where the best stays, the mean
of all such cells decides. A card laid on an open end changes few of them: it takes that cell away and opens at most three.
So the cells are valued once a view (`survey_board`), and a placement is reckoned from what it changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.saboteur.slots import SAME
from molehunt.core.copying import copy_record
from molehunt.core.kernels import bit, kernel, lowest, popcount, without_lowest
from molehunt.games.saboteur.cards import MINER
from molehunt.games.saboteur.maze import (
    FIRST_END,
    FIRST_PATH,
    FIRST_TILE,
    MAX_OPENED,
    NOTHING,
    STEPS,
    enter,
    find,
    goals_reached,
    inside,
    join,
    lets_in,
    opened_cells,
    opposite,
    remove_end,
)
from molehunt.games.saboteur.state import MAX_ENDS, MAX_TILES, MAZE, THROUGH

ROUNDING = 1e-12
"""Means that differ by less are the same sum, added in another order."""
MINER_CELLS = 5
"""A miner's mean value sums this many cells."""

FIRST_GOAL = MAX_ENDS
"""In a set of what a tile opens onto: open end e at bit e, goal g at bit FIRST_GOAL + g."""

PROSPECTS = np.dtype(
    [
        ("maze", MAZE, (1,)),  # a copy to try things in
        ("cells", np.int16, (MAX_OPENED,)),  # a list of cells that tunnels open onto
        # The board as it is.
        ("best", np.float64),
        ("mean", np.float64),
        ("total", np.float64),  # the sum of all values
        ("count", np.int64),
        ("worth", np.float64, (MAX_ENDS,)),  # the value of each open end
        ("largest", np.float64, (MINER_CELLS + 1,)),  # the largest values, in order
        ("trial", np.float64, (MINER_CELLS + 1,)),  # the same after a card
        # What lies beside each open end, found when it is first asked.
        ("known", np.uint64),  # the open ends for which it is known
        ("sides", np.int64, (MAX_ENDS,)),
        ("beside", np.float64, (MAX_ENDS, 4)),
        # Which tiles lead where: see `link_tiles`.
        ("leads", np.uint64, (MAX_TILES,)),
        ("entered", np.uint64, (MAX_TILES,)),
        ("opens", np.uint64, (MAX_TILES,)),
    ]
)
"""Scratch for the prospects of one view.

`sides` are two sets of sides: those at which a tunnel would open onto a new cell, worth `beside`, and, four bits up, those at which
lies a tile that is not joined to the start.
"""


# --- Lists of cells -----------------------------------------------------------------------------------------------------


@kernel
def keep_largest(largest: Any, kept: int, value: float) -> None:
    """Put a value into its place among the `kept` largest; the least of them falls out."""
    place = kept - 1
    if value > largest[place]:
        while place > 0 and largest[place - 1] < value:
            largest[place] = largest[place - 1]
            place -= 1
        largest[place] = value


@kernel
def mean_of(total: float, largest: Any, count: int, role: int) -> float:
    """The mean value of `count` cells whose values sum to `total`: a miner sums only the largest. 0 where there are none."""
    if count == 0:
        return 0.0
    if role != MINER or count <= MINER_CELLS:
        return total / count
    total = 0.0
    for place in range(MINER_CELLS):
        total += largest[place]
    return total / count


@kernel
def weigh(cells: Any, count: int, values: Any, role: int, largest: Any) -> tuple[float, float]:
    """(the best value of a list of cells, minus infinity where it is empty; their mean value)."""
    best = -np.inf
    total = 0.0
    for index in range(count):
        value = values[cells[index]]
        best = max(best, value)
        total += value
    if role == MINER and count > MINER_CELLS:
        largest[:] = -np.inf
        for index in range(count):
            keep_largest(largest, MINER_CELLS, values[cells[index]])
    return best, mean_of(total, largest, count, role)


@kernel
def board_change(best_before: float, mean_before: float, best: float, mean: float, mean_breaks_ties: bool) -> float:
    """v(B') - v(B). Where the largest value stays it is the change of the mean, if `mean_breaks_ties`."""
    if best_before == best or abs(best - best_before) <= SAME:
        if not mean_breaks_ties:
            return 0.0
        change = mean - mean_before
        return 0.0 if abs(change) <= ROUNDING else change
    return best - best_before


# --- A card laid --------------------------------------------------------------------------------------------------------


@kernel
def survey_board(maze: Any, role: int, values: Any, with_goals: bool, scratch: Any) -> None:
    """Value the cells onto which tunnels open as they are now."""
    largest = scratch.largest
    largest[:] = -np.inf
    total = 0.0
    count = maze.end_count
    for end in range(count):
        value = values[maze.ends[end]]
        scratch.worth[end] = value
        total += value
        keep_largest(largest, MINER_CELLS + 1, value)
    if with_goals and maze.opened_goals:
        reached = goals_reached(maze)
        for goal in range(3):
            if reached >> goal & 1:
                value = values[maze.cells[1 + goal]]
                total += value
                keep_largest(largest, MINER_CELLS + 1, value)
                count += 1
    scratch.best = largest[0]
    scratch.mean = mean_of(total, largest, count, role)
    scratch.total = total
    scratch.count = count
    scratch.known = np.uint64(0)


@kernel
def look_beside(maze: Any, end: int, values: Any, params: Any, scratch: Any) -> None:
    """Find what lies beside an open end."""
    sides = 0
    for side in range(4):
        beyond = maze.ends[end] + STEPS[side]
        entry = find(maze, beyond)
        if entry == NOTHING:
            if inside(beyond, params):
                sides |= 1 << side
                scratch.beside[end, side] = values[beyond]
        elif entry < FIRST_END and not maze.joined >> np.uint64(entry - FIRST_TILE) & np.uint64(1):
            sides |= 16 << side
    scratch.sides[end] = sides
    scratch.known |= bit(end)


@kernel
def change_if_laid(
    maze: Any,
    end: int,
    edges: int,
    through: bool,
    role: int,
    values: Any,
    with_goals: bool,
    mean_breaks_ties: bool,
    params: Any,
    scratch: Any,
) -> float:
    """`board_change` if a card with these open edges were laid on an open end, where it fits; after `survey_board`."""
    opened = 0
    if through:
        if not scratch.known >> np.uint64(end) & np.uint64(1):
            look_beside(maze, end, values, params, scratch)
        if scratch.sides[end] >> 4 & edges:
            # The card joins a part of the maze that was cut off, or opens onto a goal: look closely.
            count = cells_if_joined(maze, end, edges, with_goals, params, scratch)
            best, mean = weigh(scratch.cells, count, values, role, scratch.trial)
            return board_change(scratch.best, scratch.mean, best, mean, mean_breaks_ties)
        opened = scratch.sides[end] & edges
    gone = scratch.worth[end]
    largest = scratch.largest
    best = largest[1] if gone == largest[0] else largest[0]
    total = scratch.total - gone
    for side in range(4):
        if opened >> side & 1:
            value = scratch.beside[end, side]
            best = max(best, value)
            total += value
    mean = 0.0
    if mean_breaks_ties and (best == scratch.best or abs(best - scratch.best) <= SAME):
        count = scratch.count - 1 + popcount(np.uint64(opened))
        trial = scratch.trial
        if role == MINER and count > MINER_CELLS:
            # The largest without the one that goes, and with those that come.
            skipped = 0
            for place in range(MINER_CELLS):
                if not skipped and largest[place] == gone:
                    skipped = 1
                trial[place] = largest[place + skipped]
            for side in range(4):
                if opened >> side & 1:
                    keep_largest(trial, MINER_CELLS, scratch.beside[end, side])
        mean = mean_of(total, trial, count, role)
    return board_change(scratch.best, scratch.mean, best, mean, mean_breaks_ties)


@kernel
def cells_if_joined(maze: Any, end: int, edges: int, with_goals: bool, params: Any, scratch: Any) -> int:
    """The cells that tunnels open onto after a card was laid, found by laying it in a copy: how many, written to `cells`."""
    copy = scratch.maze[0]
    copy_record(maze, copy)
    cell = copy.ends[end]
    remove_end(copy, end)
    tile = copy.tile_count
    copy.cells[tile] = cell
    copy.edges[tile] = edges | THROUGH
    copy.tile_count = tile + 1
    enter(copy, cell, FIRST_TILE + tile)
    join(copy, tile, params)
    return opened_cells(copy, with_goals, scratch.cells)


# --- A card taken away --------------------------------------------------------------------------------------------------


@kernel
def link_tiles(maze: Any, scratch: Any) -> None:
    """Note which tiles lead where, for those that are joined to the start and pass on.

    `leads`: the tiles that lie where a tile opens; `entered`: those among them that a tunnel then enters; `opens`: the open ends
    and the goals onto which it opens.
    """
    for tile in range(maze.tile_count):
        leads = entered = opens = np.uint64(0)
        edges = maze.edges[tile]
        if edges & THROUGH and maze.joined >> np.uint64(tile) & np.uint64(1):
            for side in range(4):
                if not edges >> side & 1:
                    continue
                entry = find(maze, maze.cells[tile] + STEPS[side])
                if entry >= FIRST_END:
                    opens |= bit(entry - FIRST_END)
                elif entry != NOTHING:
                    other = entry - FIRST_TILE
                    leads |= bit(other)
                    if 1 <= other < FIRST_PATH:
                        opens |= bit(FIRST_GOAL + other - 1)
                    if lets_in(maze.edges[other], opposite(side)):
                        entered |= bit(other)
        scratch.leads[tile] = leads
        scratch.entered[tile] = entered
        scratch.opens[tile] = opens


@kernel
def change_if_gone(
    maze: Any, tile: int, role: int, values: Any, with_goals: bool, mean_breaks_ties: bool, scratch: Any
) -> float:
    """`board_change` if a path card were taken away; after `survey_board` and `link_tiles`."""
    # Follow the tunnels from the start past the gap.
    joined = opens = np.uint64(0)
    entered = False
    pending = bit(0)
    gap = bit(tile)
    while pending:
        reached = lowest(pending)
        pending = without_lowest(pending)
        joined |= bit(reached)
        opens |= scratch.opens[reached]
        entered = entered or scratch.leads[reached] & gap != np.uint64(0)
        pending |= scratch.entered[reached] & ~joined & ~gap
    # What they open onto.
    trial = scratch.trial
    trial[:] = -np.inf
    total = 0.0
    count = 0
    if entered:
        value = values[maze.cells[tile]]
        total += value
        keep_largest(trial, MINER_CELLS, value)
        count += 1
    while opens:
        found = lowest(opens)
        opens = without_lowest(opens)
        if found < FIRST_GOAL:
            value = scratch.worth[found]
        else:
            goal = 1 + found - FIRST_GOAL
            if not with_goals or (maze.edges[goal] & THROUGH and not joined >> np.uint64(goal) & np.uint64(1)):
                continue
            value = values[maze.cells[goal]]
        total += value
        keep_largest(trial, MINER_CELLS, value)
        count += 1
    mean = mean_of(total, trial, count, role)
    return board_change(scratch.best, scratch.mean, trial[0], mean, mean_breaks_ties)
