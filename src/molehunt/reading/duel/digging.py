"""How far the nugget is: what the cheapest way from the tunnel to a goal costs, for a player with given cards.

A way goes from an open edge of the tunnel over empty cells, each of which takes a tile that joins the side where the way
comes in with the side where it goes out, and over what lies on the board already, which costs nothing where it joins them. A
tile costs one turn; where the hand holds none that fits, it costs more, the fewer of those that fit are unseen. A tile that
is in the way costs a destroy card.

`costs[cell, side]` is what it costs to go on from `side` of a cell to the goal, the cell's own tile included.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel, lowest, without_lowest
from molehunt.games.duel.cards import (
    CODE_CENTRE,
    CODE_EDGES,
    CODE_SPEAKS,
    EMPTY,
    FIRST_TILE_CODE,
    OPEN,
    TILE_EDGES,
    TILE_FORMS,
    TILES,
)
from molehunt.games.duel.maze import STEPS, holds, opposite
from molehunt.games.duel.state import CELLS, GOAL_CELLS, GRID, SIZE, WORDS, cell_number
from molehunt.games.tunnels.cards import FITS_WITH

NO_WAY = 99.0
"""The cost of a way that there is not."""
ALL_SETS = 0xFFFF
TURNS = int(NO_WAY)
MOST_ENDS = 4 * 4 * CELLS
"""No way costs so many turns; an open end of a way is lowered a few times at most, one end of three other ones."""
FIRST_ROW, LAST_ROW = cell_number(3, 0) // GRID, cell_number(SIZE - 1, 0) // GRID
"""Ways are sought from two rows above the entrance down, as rows of the grid."""
GOAL_COLUMNS = sum(1 << int(cell) % GRID for cell in GOAL_CELLS)
"""The columns of the goals, column c of the grid at bit c."""
ABOVE, BESIDE = 3, 2
"""How many rows above the deepest cell of the tunnel, and columns beside tunnel and goals, are near."""
TINY = 1e-9

TUNNEL = np.array([CODE_CENTRE[FIRST_TILE_CODE + 2 * tile] == OPEN for tile in range(TILES)])
"""Whether tunnels run through a tile: shape (16,)."""

JOINS = np.array(
    [
        [
            sum(1 << edges for edges in range(16) if edges >> one & edges >> other & 1) if one != other else 0
            for other in range(4)
        ]
        for one in range(4)
    ],
    np.int64,
)
"""The edge sets that are open at both of two sides: shape (4, 4)."""

SUPPLY = np.dtype(
    [
        ("have", np.int64),  # the edge sets that the hand can lay as tunnels, set e at bit e
        ("unseen", np.float64, (16,)),  # how likely an unseen card is to be a tunnel with these open edges
        ("free", np.float64, (4, 4)),  # what a tile costs that joins two sides of a cell on which anything fits
        ("destroys", np.int64),  # destroy cards in hand
        ("patience", np.float64),  # what it costs to wait for a draw
    ]
)
"""What a player can build with."""


@kernel
def fill_supply(hand: Any, unseen: Any, destroys: int, patience: float, supply: Any) -> None:
    """Note what a player can build with, from how many cards of each kind it holds and has not seen."""
    supply.have = 0
    supply.unseen[:] = 0
    supply.destroys = destroys
    supply.patience = patience
    total = 0
    for kind in range(len(unseen)):
        total += unseen[kind]
    for tile in range(TILES):
        if not TUNNEL[tile]:
            continue
        for flipped in range(TILE_FORMS[tile]):
            edges = TILE_EDGES[tile, flipped]
            if hand[tile]:
                supply.have |= 1 << edges
            if total:
                supply.unseen[edges] += unseen[tile] / total
    for one in range(4):
        for other in range(4):
            supply.free[one, other] = cost_of_tile(supply, JOINS[one, other])


@kernel
def cost_of_tile(supply: Any, sets: int) -> Any:
    """What it costs to lay a tunnel with one of some edge sets: a turn, and more where the hand has none."""
    if sets & supply.have:
        return 1.0
    chance = 0.0
    for edges in range(3, 16):
        if sets >> edges & 1:
            chance += supply.unseen[edges]
    return min(1.0 + supply.patience / chance, NO_WAY) if chance > 0 else NO_WAY


@kernel
def sets_that_fit(maze: Any, cell: int) -> int:
    """The edge sets that match all that lies around a cell, whether open meets open or not."""
    fits = ALL_SETS
    for side in range(4):
        code = maze.what[cell + STEPS[side]]
        if CODE_SPEAKS[code]:
            fits &= int(FITS_WITH[side, CODE_EDGES[code] >> opposite(side) & 1])
    return fits


@kernel
def find_costs_near(maze: Any, goal: int, supply: Any, costs: Any) -> None:
    """Fill `costs`, shape (CELLS, 4), for one goal, where the game is.

    That is from a few rows above the deepest cell of the tunnel on, and as far aside as tunnel and goals go. A way that
    leaves this part of the board counts as none. It takes half the time of the whole board.
    """
    top, left, right = where_the_game_is(maze)
    spread_costs(maze, goal, supply, costs, top, left, right, False)


@kernel
def find_costs_to_tunnel(maze: Any, goal: int, supply: Any, costs: Any) -> None:
    """`find_costs_near` as far as the tunnel is: what costs more than the way from the tunnel may count as no way."""
    top, left, right = where_the_game_is(maze)
    spread_costs(maze, goal, supply, costs, top, left, right, True)


@kernel
def where_the_game_is(maze: Any) -> Any:
    """The first row, the first and the last column of the grid in which ways are sought."""
    deepest = FIRST_ROW
    columns = np.int64(GOAL_COLUMNS)
    for word in range(WORDS - 1, -1, -1):
        rest = maze.joined[word]
        for row_in_word in range(WORDS):
            row = word * WORDS + row_in_word
            here = np.int64(rest >> np.uint64(GRID * row_in_word) & np.uint64(ALL_SETS))
            if here:
                columns |= here
                deepest = max(deepest, row)
    left = 1
    while not columns >> left & 1:
        left += 1
    right = SIZE
    while not columns >> right & 1:
        right -= 1
    return max(FIRST_ROW, deepest - ABOVE), max(1, left - BESIDE), min(SIZE, right + BESIDE)


@kernel
def spread_costs(
    maze: Any, goal: int, supply: Any, costs: Any, top: int, left: int, right: int, to_tunnel: bool
) -> None:
    """Fill `costs` between some rows and columns, from the goal outwards, turn by turn (Dial's buckets).

    A tile costs a turn at least, so what is found within a turn lowers nothing else of that turn but over tiles that lie there
    and cost nothing. `to_tunnel` leaves out what costs more than the cheapest way from the tunnel.
    """
    costs[:] = NO_WAY
    target = GOAL_CELLS[goal]
    first = np.full(TURNS, -1, np.int64)  # the open ends of each turn as chains: the first ...
    after = np.empty(MOST_ENDS, np.int64)  # ... the next one of each ...
    ends = np.empty(MOST_ENDS, np.int64)  # ... and what it is, 4 * cell + side
    for side in range(4):
        costs[target, side] = 0
        ends[side] = 4 * target + side
        after[side] = first[0]
        first[0] = side
    count = 4
    most = NO_WAY
    for turn in range(TURNS):
        if turn > most:
            break
        while first[turn] >= 0:
            end = ends[first[turn]]
            first[turn] = after[first[turn]]
            onward = costs[end >> 2, end & 3]
            cell = (end >> 2) + STEPS[end & 3]
            row, column = cell // GRID, cell % GRID
            if onward < turn or cell == target or not (top <= row <= LAST_ROW and left <= column <= right):
                continue
            out = opposite(end & 3)
            code = maze.what[cell]
            through = CODE_CENTRE[code] == OPEN
            builds = code == EMPTY or (supply.destroys > 0 and holds(maze.tiles, cell))
            if not through and not builds:
                continue
            toll = 0.0 if code == EMPTY else 1.0
            fits = sets_that_fit(maze, cell) if builds else 0
            for side in range(4):
                if side == out:
                    continue
                if through and CODE_EDGES[code] >> side & CODE_EDGES[code] >> out & 1:
                    cost = onward
                elif builds:
                    cost = onward + toll + cost_of_joining(supply, side, out, fits)
                else:
                    continue
                if cost >= costs[cell, side] - TINY or cost > most + TINY or count == MOST_ENDS:
                    continue
                costs[cell, side] = cost
                ends[count] = 4 * cell + side
                after[count] = first[int(cost)]
                first[int(cost)] = count
                count += 1
                if to_tunnel and cost < most and is_end_of_tunnel(maze, cell, side):
                    most = cost


@kernel
def cost_of_joining(supply: Any, one: int, other: int, fits: int) -> Any:
    """What a tile costs that joins two sides of a cell, where these edge sets fit."""
    return supply.free[one, other] if fits == ALL_SETS else cost_of_tile(supply, JOINS[one, other] & fits)


@kernel
def is_end_of_tunnel(maze: Any, cell: int, side: int) -> bool:
    """Whether the tunnel opens onto this side of a cell that it has not reached."""
    beyond = cell + STEPS[side]
    code = maze.what[beyond]
    return (
        holds(maze.joined, beyond)
        and CODE_CENTRE[code] == OPEN
        and CODE_EDGES[code] >> opposite(side) & 1 != 0
        and not holds(maze.joined, cell)
    )


@kernel
def cost_from_tunnel(maze: Any, goal: int, costs: Any) -> Any:
    """What the cheapest way from the tunnel to the goal costs; 0 where the tunnel is there."""
    if holds(maze.joined, GOAL_CELLS[goal]):
        return 0.0
    best = NO_WAY
    for word in range(WORDS):
        rest = maze.joined[word]
        while rest:
            cell = word << 6 | lowest(rest)
            rest = without_lowest(rest)
            code = maze.what[cell]
            if CODE_CENTRE[code] != OPEN:
                continue
            for side in range(4):
                beyond = cell + STEPS[side]
                if CODE_EDGES[code] >> side & 1 and not holds(maze.joined, beyond):
                    best = min(best, costs[beyond, opposite(side)])
    return best


@kernel
def is_reached(maze: Any, cell: int) -> bool:
    """Whether a tunnel from the entrance opens onto a cell."""
    for side in range(4):
        beyond = cell + STEPS[side]
        code = maze.what[beyond]
        if CODE_CENTRE[code] == OPEN and CODE_EDGES[code] >> opposite(side) & 1 and holds(maze.joined, beyond):
            return True
    return False


@kernel
def cost_after_tile(maze: Any, costs: Any, tile: int, flipped: int, cell: int) -> Any:
    """What the way costs that goes on from a tunnel laid on a cell that the tunnel opens onto."""
    best = NO_WAY
    for side in range(4):
        beyond = cell + STEPS[side]
        if TILE_EDGES[tile, flipped] >> side & 1 and not holds(maze.joined, beyond):
            best = min(best, costs[beyond, opposite(side)])
    return best


@kernel
def finishing_sets(maze: Any, costs: Any, cells: Any) -> int:
    """The edge sets of tunnels that would reach the goal from some cell at once; such cells are those of `cells`."""
    found = 0
    for word in range(WORDS):
        rest = cells[word]
        while rest:
            cell = word << 6 | lowest(rest)
            rest = without_lowest(rest)
            if not is_reached(maze, cell):
                continue
            for side in range(4):
                if costs[cell + STEPS[side], opposite(side)] == 0:
                    fits = sets_that_fit(maze, cell)
                    for entry in range(4):
                        if entry != side:
                            found |= fits & JOINS[entry, side]
    return found
