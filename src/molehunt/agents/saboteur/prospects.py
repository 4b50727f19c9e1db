"""What the board is worth, and what it would be worth after a card: all placements of a hand, from one look at the board.

The value of a board is that of the best cell onto which its tunnels open (2019 paper, equation 10); where the best stays, the mean
of all such cells decides. A card laid on an open end changes few of them: it takes that cell away and opens at most three.
So the cells are valued once (`survey_board`), and a placement is reckoned from what it changes.

Two moves in three leave the board as it is. What was found out about it is kept until it changes (`turn_to`): what lies where for
all, and an outlook for each role and state of knowledge, as these value cells differently.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.saboteur.slots import SAME
from molehunt.core.copying import copy_record, same_record
from molehunt.core.kernels import bit, kernel, lowest, popcount, without_lowest
from molehunt.games.saboteur.cards import KINDS, MINER
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
    order_cells,
    remove_end,
)
from molehunt.games.saboteur.state import MAX_ENDS, MAX_TILES, MAZE, THROUGH
from molehunt.reading.saboteur.knowledge import SCORES

ROUNDING = 1e-12
"""Means that differ by less are the same sum, added in another order."""
MINER_CELLS = 5
"""A miner's mean value sums this many cells."""

FIRST_GOAL = MAX_ENDS
"""In a set of what a tile opens onto: open end e at bit e, goal g at bit FIRST_GOAL + g."""

MAX_WAYS = 2 * MAX_ENDS
"""More than there are ways to play a path card or a rockfall."""

OUTLOOK = np.dtype(
    [
        ("best", np.float64),
        ("mean", np.float64),
        ("total", np.float64),  # the sum of all values
        ("count", np.int64),
        ("worth", np.float64, (MAX_ENDS,)),  # the value of each open end
        ("largest", np.float64, (MINER_CELLS + 1,)),  # the largest values, in order
        # What cards are worth: see `appraisals`.
        ("appraised", np.uint64),
        ("values", np.float64, (KINDS,)),
        ("way_counts", np.uint8, (KINDS,)),
        ("ways", np.uint8, (KINDS, MAX_WAYS)),
    ]
)
"""What a board is worth to players of one role with one state of knowledge."""

PROSPECTS = np.dtype(
    [
        ("board", MAZE, (1,)),  # the maze that the rest is about
        ("ends", np.int16, (MAX_ENDS,)),  # its open ends in the order of their cells
        ("tiles", np.int16, (MAX_TILES,)),  # its path cards in the order of their cells; after `link_tiles`
        # What lies beside each open end, found when it is first asked.
        ("sides_known", np.uint64),  # the open ends for which it is known
        ("sides", np.int64, (MAX_ENDS,)),
        # Which tiles lead where: see `link_tiles`.
        ("linked", np.int64),
        ("leads", np.uint64, (MAX_TILES,)),
        ("entered", np.uint64, (MAX_TILES,)),
        ("opens", np.uint64, (MAX_TILES,)),
        (
            "surveyed",
            np.int64,
        ),  # the outlooks that are about this board, outlook (role, score) at bit role * SCORES + score
        ("outlooks", OUTLOOK, (2, SCORES)),
        ("maze", MAZE, (1,)),  # a copy to try things in
        ("cells", np.int16, (MAX_OPENED,)),  # a list of cells that tunnels open onto
    ]
)
"""What was found out about a board.

`ends` and `tiles` are in the order in which players go through them: so ties are broken the same way whatever the history of a
maze. `sides` are two sets of sides: those at which a tunnel would open onto a new cell, and, four bits up, those at which lies a
tile that is not joined to the start.
"""


@kernel
def turn_to(maze: Any, prospects: Any) -> None:
    """Let the prospects be about a maze; what was found out about another one is forgotten."""
    if same_record(maze, prospects.board[0]):
        return
    copy_record(maze, prospects.board[0])
    prospects.sides_known = np.uint64(0)
    prospects.linked = 0
    prospects.surveyed = 0
    order_cells(maze.ends, 0, maze.end_count, prospects.ends)


# --- Lists of cells -----------------------------------------------------------------------------------------------------


@kernel
def with_one_more(a: float, b: float, c: float, d: float, e: float, value: float) -> Any:
    """The five largest values in order after one more; without a branch, as nobody can guess what comes."""
    a, value = max(a, value), min(a, value)
    b, value = max(b, value), min(b, value)
    c, value = max(c, value), min(c, value)
    d, value = max(d, value), min(d, value)
    return a, b, c, d, max(e, value)


@kernel
def weigh(cells: Any, count: int, values: Any, role: int) -> tuple[float, float]:
    """(the best value of a list of cells, minus infinity where it is empty; their mean value).

    A miner's mean sums only the five largest values. It is 0 where there are no cells.
    """
    best = -np.inf
    total = 0.0
    for index in range(count):
        value = values[cells[index]]
        best = max(best, value)
        total += value
    if role == MINER and count > MINER_CELLS:
        a = b = c = d = e = -np.inf
        for index in range(count):
            a, b, c, d, e = with_one_more(a, b, c, d, e, values[cells[index]])
        total = a + b + c + d + e
    return best, total / count if count else 0.0


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
def survey_board(maze: Any, role: int, values: Any, with_goals: bool, outlook: Any) -> None:
    """Value the cells onto which tunnels open as they are now."""
    a = b = c = d = e = f = -np.inf
    total = 0.0
    count = maze.end_count
    for end in range(count):
        value = values[maze.ends[end]]
        outlook.worth[end] = value
        total += value
        f = max(f, min(e, value))
        a, b, c, d, e = with_one_more(a, b, c, d, e, value)
    if with_goals and maze.opened_goals:
        reached = goals_reached(maze)
        for goal in range(3):
            if reached >> goal & 1:
                value = values[maze.cells[1 + goal]]
                total += value
                f = max(f, min(e, value))
                a, b, c, d, e = with_one_more(a, b, c, d, e, value)
                count += 1
    outlook.total = total
    outlook.count = count
    outlook.best = a
    if role == MINER and count > MINER_CELLS:
        total = a + b + c + d + e
    outlook.mean = total / count if count else 0.0
    largest = outlook.largest
    largest[0], largest[1], largest[2], largest[3], largest[4], largest[5] = a, b, c, d, e, f
    outlook.appraised = np.uint64(0)


@kernel
def look_beside(maze: Any, end: int, params: Any, prospects: Any) -> None:
    """Find what lies beside an open end."""
    sides = 0
    for side in range(4):
        beyond = maze.ends[end] + STEPS[side]
        entry = find(maze, beyond)
        if entry == NOTHING:
            if inside(beyond, params):
                sides |= 1 << side
        elif entry < FIRST_END and not maze.joined >> np.uint64(entry - FIRST_TILE) & np.uint64(1):
            sides |= 16 << side
    prospects.sides[end] = sides
    prospects.sides_known |= bit(end)


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
    prospects: Any,
    outlook: Any,
) -> float:
    """`board_change` if a card with these open edges were laid on an open end, where it fits; after `survey_board`."""
    opened = 0
    if through:
        if not prospects.sides_known >> np.uint64(end) & np.uint64(1):
            look_beside(maze, end, params, prospects)
        sides = prospects.sides[end]
        if sides >> 4 & edges:
            # The card joins a part of the maze that was cut off, or opens onto a goal: look closely.
            count = cells_if_joined(maze, end, edges, with_goals, params, prospects)
            best, mean = weigh(prospects.cells, count, values, role)
            return board_change(outlook.best, outlook.mean, best, mean, mean_breaks_ties)
        opened = sides & edges
    return change_if_opened(maze, end, opened, role, values, mean_breaks_ties, outlook)


@kernel
def change_if_opened(
    maze: Any, end: int, opened: int, role: int, values: Any, mean_breaks_ties: bool, outlook: Any
) -> float:
    """`board_change` if an open end were gone and tunnels opened onto the cells at a set of its sides instead."""
    gone = outlook.worth[end]
    largest = outlook.largest
    best = largest[1] if gone == largest[0] else largest[0]
    total = outlook.total - gone
    cell = maze.ends[end]
    sides = np.uint64(opened)
    while sides:
        value = values[cell + STEPS[lowest(sides)]]
        sides = without_lowest(sides)
        best = max(best, value)
        total += value
    mean = 0.0
    if mean_breaks_ties and (best == outlook.best or abs(best - outlook.best) <= SAME):
        count = outlook.count - 1 + popcount(np.uint64(opened))
        if role == MINER and count > MINER_CELLS:
            # The largest without the one that goes, and with those that come.
            a, b, c, d, e = largest[0], largest[1], largest[2], largest[3], largest[4]
            missing = a == gone
            a = b if missing else a
            missing |= b == gone
            b = c if missing else b
            missing |= c == gone
            c = d if missing else c
            missing |= d == gone
            d = e if missing else d
            missing |= e == gone
            e = largest[5] if missing else e
            sides = np.uint64(opened)
            while sides:
                a, b, c, d, e = with_one_more(a, b, c, d, e, values[cell + STEPS[lowest(sides)]])
                sides = without_lowest(sides)
            total = a + b + c + d + e
        mean = total / count if count else 0.0
    return board_change(outlook.best, outlook.mean, best, mean, mean_breaks_ties)


@kernel
def cells_if_joined(maze: Any, end: int, edges: int, with_goals: bool, params: Any, prospects: Any) -> int:
    """The cells that tunnels open onto after a card was laid, found by laying it in a copy: how many, written to `cells`."""
    copy = prospects.maze[0]
    copy_record(maze, copy)
    cell = copy.ends[end]
    remove_end(copy, end)
    tile = copy.tile_count
    copy.cells[tile] = cell
    copy.edges[tile] = edges | THROUGH
    copy.tile_count = tile + 1
    enter(copy, cell, FIRST_TILE + tile)
    join(copy, tile, params)
    return opened_cells(copy, with_goals, prospects.cells)


# --- A card taken away --------------------------------------------------------------------------------------------------


@kernel
def link_tiles(maze: Any, prospects: Any) -> None:
    """Note which tiles lead where, for those that are joined to the start and pass on.

    `leads`: the tiles that lie where a tile opens; `entered`: those among them that a tunnel then enters; `opens`: the open ends
    and the goals onto which it opens.
    """
    prospects.linked = 1
    order_cells(maze.cells, FIRST_PATH, maze.tile_count, prospects.tiles)
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
        prospects.leads[tile] = leads
        prospects.entered[tile] = entered
        prospects.opens[tile] = opens


@kernel
def follow_past(gap: Any, prospects: Any) -> tuple[Any, Any, bool]:
    """Follow the tunnels from the start past a tile that is gone: (what is joined, what they open onto, whether onto the gap)."""
    joined = opens = np.uint64(0)
    entered = False
    pending = bit(0)
    while pending:
        reached = lowest(pending)
        pending = without_lowest(pending)
        joined |= bit(reached)
        opens |= prospects.opens[reached]
        entered = entered or prospects.leads[reached] & gap != np.uint64(0)
        pending |= prospects.entered[reached] & ~joined & ~gap
    return joined, opens, entered


@kernel
def change_if_gone(
    maze: Any,
    tile: int,
    role: int,
    values: Any,
    with_goals: bool,
    mean_breaks_ties: bool,
    prospects: Any,
    outlook: Any,
) -> float:
    """`board_change` if a path card were taken away; after `survey_board` and `link_tiles`."""
    joined, opens, entered = follow_past(bit(tile), prospects)
    # What they open onto.
    best = a = b = c = d = e = -np.inf
    total = 0.0
    count = 0
    if entered:
        best = a = total = values[maze.cells[tile]]
        count = 1
    while opens:
        found = lowest(opens)
        opens = without_lowest(opens)
        if found < FIRST_GOAL:
            value = outlook.worth[found]
        else:
            goal = 1 + found - FIRST_GOAL
            if not with_goals or (maze.edges[goal] & THROUGH and not joined >> np.uint64(goal) & np.uint64(1)):
                continue
            value = values[maze.cells[goal]]
        best = max(best, value)
        total += value
        a, b, c, d, e = with_one_more(a, b, c, d, e, value)
        count += 1
    if role == MINER and count > MINER_CELLS:
        total = a + b + c + d + e
    mean = total / count if count else 0.0
    return board_change(outlook.best, outlook.mean, best, mean, mean_breaks_ties)


@kernel
def weigh_tiles(maze: Any, tiles: Any, role: int, values: Any, prospects: Any) -> tuple[float, float]:
    """(the best value of the cells on which a set of tiles lies; their mean value)."""
    count = 0
    while tiles:
        prospects.cells[count] = maze.cells[lowest(tiles)]
        tiles = without_lowest(tiles)
        count += 1
    return weigh(prospects.cells, count, values, role)


@kernel
def change_of_tiles_if_gone(
    maze: Any, tile: int, role: int, values: Any, mean_breaks_ties: bool, prospects: Any
) -> float:
    """`board_change` by the cells on which joined tiles lie, if a path card were taken away; after `link_tiles`.

    Equation (11) of the 2019 paper in place of (9).
    """
    joined, _opens, _entered = follow_past(bit(tile), prospects)
    best_before, mean_before = weigh_tiles(maze, maze.joined, role, values, prospects)
    best, mean = weigh_tiles(maze, joined, role, values, prospects)
    return board_change(best_before, mean_before, best, mean, mean_breaks_ties)
