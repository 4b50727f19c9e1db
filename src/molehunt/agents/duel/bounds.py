"""How good or bad a position of the duel can become within some moves: bounds of h, and of a goal, for a pruned search.

Each term of h is bounded for itself: by the cards that are held or may be drawn, and by how far the tunnels can grow, a cell with a
tile and one more with each goal that is reached.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.duel.heuristic_2020 import (
    ABOVE_CELLS,
    END_CELLS,
    END_W2,
    END_W3,
    END_W7,
    GOOD,
    GUESS,
    HANDS,
    LATER,
    OPENING_W2,
    OPENING_W3,
    OPENING_W7,
    W1,
    W4,
    W5,
    W6,
    WIN,
    WINS_FIRST,
)
from molehunt.agents.duel.positions import ME, MY_DRAW, THEIR_HAND, THEY
from molehunt.core.kernels import kernel, lowest, popcount, without_lowest
from molehunt.games.duel.cards import BONUS, CODE_EDGES, DESTROY, EMPTY, ENTRANCE, MALUS, NO_CARD
from molehunt.games.duel.maze import STEPS, put, size_of
from molehunt.games.duel.state import ENTRANCE_CELL, GOAL_CELLS, GRID, WORDS

GOALS = len(GOAL_CELLS)
NEW_ENDS = 3
"""Open ends that a card adds at most: a tile joins an open edge with one of four; where one is destroyed, a cell is free."""
ROUNDING = 1e-12
"""Of the numbers that a value is made of: what adding them in another order may change is less."""


def value_bounds(positions: Any, settings: Any, move: int, depth: int, out: Any) -> None:
    """Write to `out` the least and the greatest value `depth` moves of players after a card or a hand has come.

    The values are those of `positions.value`: minus h, the opponent's win, and one's own where it comes first.
    """
    find_bounds(positions[0], settings, move, depth, out)


@kernel
def find_bounds(position: Any, settings: Any, move: int, depth: int, out: Any) -> None:
    """`value_bounds` of one position."""
    maze, malus = position.maze, position.malus

    # Who moves how often, and the cards that are used.
    drawn = move if position.next == MY_DRAW else NO_CARD
    theirs = 0
    if settings[HANDS]:
        theirs = (depth + 1) // 2 if position.next == THEIR_HAND else depth // 2
    mine = depth - 1 if position.next == THEIR_HAND else depth
    draws = mine - 1 if position.next == MY_DRAW else mine
    maluses = min(mine, within_reach(position, MALUS, drawn, draws))
    bonuses = min(mine, within_reach(position, BONUS, drawn, draws))
    destroyed = min(mine, within_reach(position, DESTROY, drawn, draws)) + theirs
    laid = theirs
    if bonuses >= malus[ME]:
        laid += max(0, mine - malus[ME])

    # The board: all from which a tunnel may go on, and how far.
    hidden = GOALS - popcount(np.uint64(position.revealed))
    known = np.zeros(WORDS, np.uint64)
    known[:] = maze.tiles
    put(known, ENTRANCE_CELL)
    for goal in range(GOALS):
        if position.revealed >> goal & 1:
            put(known, GOAL_CELLS[goal])
    faced = np.zeros(WORDS, np.uint64)
    deepest, good, ends = 0, 0, 0
    goal = GOAL_CELLS[np.int64(settings[GUESS])]
    nearest_opening, nearest_end = np.inf, np.inf
    for word in range(WORDS):
        rest = known[word]
        while rest:
            cell = word << 6 | lowest(rest)
            rest = without_lowest(rest)
            code = maze.what[cell]
            deepest = max(deepest, cell // GRID)
            if code < ENTRANCE:
                good += cell < settings[ABOVE_CELLS] and GOOD[code]
                ends += cell >= settings[END_CELLS]
            for side in range(4):
                if CODE_EDGES[code] >> side & 1 and maze.what[cell + STEPS[side]] == EMPTY:
                    put(faced, cell + STEPS[side])
            rows, columns = abs(cell // GRID - goal // GRID), abs(cell % GRID - goal % GRID)
            nearest_opening = min(nearest_opening, settings[W1] * rows + settings[OPENING_W2] * columns)
            nearest_end = min(nearest_end, settings[W1] * rows + settings[END_W2] * columns)
    goal_reached = laid > 0 and deepest + laid >= goal // GRID - 1
    steps = laid + hidden if goal_reached else laid
    open_ends = size_of(faced) + NEW_ENDS * (steps + destroyed)

    # h in the opening and in the end game, where they can come.
    out[0], out[1] = np.inf, -np.inf
    held = position.hand[MALUS] + (drawn == MALUS)
    for end_game in range(2):
        if (ends == 0 and (deepest + steps) * GRID + GRID <= settings[END_CELLS]) if end_game else ends > destroyed:
            continue
        w2 = settings[END_W2] if end_game else settings[OPENING_W2]
        w3 = settings[END_W3] if end_game else settings[OPENING_W3]
        w7 = settings[END_W7] if end_game else settings[OPENING_W7]
        nearest = nearest_end if end_game else nearest_opening
        nearest -= steps * max(abs(settings[W1]), abs(w2))
        if settings[W1] >= 0 and w2 >= 0:
            nearest = max(nearest, 0.0)
        farthest = settings[W1] * abs(ENTRANCE_CELL // GRID - goal // GRID) + w2 * abs(
            ENTRANCE_CELL % GRID - goal % GRID
        )
        least, greatest = nearest + min(w3, 0.0), farthest + w3
        size = abs(nearest) + abs(farthest) + abs(w3)
        for term in range(4):
            if term == 0:
                weight, few, many = settings[W4], 0, open_ends
            elif term == 1:
                weight, few, many = settings[W5], max(0, malus[ME] - bonuses), malus[ME] + theirs
            elif term == 2:
                weight, few, many = settings[W6], max(0, good - destroyed), good + laid
            elif end_game:
                weight, few, many = w7, max(0, malus[THEY] - theirs), malus[THEY] + maluses
            else:
                weight, few, many = w7, max(0, held - mine), within_reach(position, MALUS, drawn, draws)
            least += min(weight * few, weight * many)
            greatest += max(weight * few, weight * many)
            size += abs(weight) * many
        out[0] = min(out[0], -greatest - ROUNDING * size)
        out[1] = max(out[1], -least + ROUNDING * size)

    # A goal.
    if goal_reached and theirs:
        out[0] = min(out[0], -WIN)
    if goal_reached and settings[WINS_FIRST] and mine:
        out[0] = min(out[0], WIN - settings[LATER] * (position.made + mine))
        out[1] = max(out[1], WIN - settings[LATER] * (position.made + 1))


@kernel
def within_reach(position: Any, kind: int, drawn: int, draws: int) -> int:
    """How many cards of a kind I hold, with the one that is drawn now, and after so many further draws at most."""
    comes = kind == drawn
    return position.hand[kind] + comes + max(0, min(draws, position.unseen[kind] - comes))
