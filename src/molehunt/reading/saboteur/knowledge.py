"""What a seat knows of the goals, and what the cells of the mine are worth to it (2019 paper, equations 5-8, Table 2)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.kernels import kernel
from molehunt.games.saboteur.actions import target_of
from molehunt.games.saboteur.cards import FIRST_GOAL_CODE, GOLD, MINER, SABOTEUR, UNKNOWN_GOAL
from molehunt.games.saboteur.ruleset import GRID, Ruleset, cell_number

GOLD_UNKNOWN, TOP_IS_STONE, GOLD_TOP, GOLD_MIDDLE, GOLD_BOTTOM = range(5)
"""Table 2's score of a player's knowledge, plus one."""
SCORES = 5

LAST_COLUMN, LAST_ROW = 8, 4
"""In the mine of the papers it is eight columns from the start to the goals and four rows from the top goal to the bottom one."""

STONE = 9
"""A goal known to be a stone by deduction, not by sight: which of the two stones it is, is not known."""

VALUE_TABLE = np.dtype([("values", np.float64, (2, SCORES, GRID * GRID))])
"""What each cell of the mine is worth, for each role and score."""


@kernel
def deduce(goals: Any) -> None:
    """Close the knowledge of three goals: two stones imply the gold, the gold implies the stones. In place."""
    stones = 0
    gold = -1
    for goal in range(3):
        if goals[goal] == GOLD:
            gold = goal
        elif goals[goal] != UNKNOWN_GOAL:
            stones += 1
    for goal in range(3):
        if goals[goal] == UNKNOWN_GOAL:
            if gold >= 0:
                goals[goal] = STONE
            elif stones == 2:
                goals[goal] = GOLD


@kernel
def score(goals: Any) -> int:
    """Table 2: the score of the (closed) knowledge of three goals, plus one."""
    for goal in range(3):
        if goals[goal] == GOLD:
            return GOLD_TOP + goal
    return GOLD_UNKNOWN if goals[0] == UNKNOWN_GOAL else TOP_IS_STONE


@kernel
def learn_goals(goals: Any, event: Any) -> None:
    """Take into the knowledge of three goals what an event shows: a map of one's own, and goals turned over."""
    if event.seen != UNKNOWN_GOAL:
        goals[target_of(event.action)] = event.seen
    for goal in range(3):
        if event.revealed >> goal & 1:
            goals[goal] = (event.goals[goal] - FIRST_GOAL_CODE) // 2 + 1
    deduce(goals)


def corridor(ruleset: Ruleset, x: int, y: int) -> tuple[float, float]:
    """A cell as the equations count it: (how far along the way to the goals, 0 to 8; the row, 0 at the top goal to 4).

    In the mine of the papers, the nine columns and five rows from the start to the goals, that is (x, y) itself. A cell outside
    it lies on a detour: it counts as the nearest row of the corridor, and as many columns further back as it lies beside or beyond
    it.

    Where the goals are not eight columns from the start, or not four rows apart, both are counted in shares of the way: a cell
    c columns after the start (detours taken off), of C to the goals, is at 8 c / C; a cell r rows below the top goal, of R to
    the bottom one, is in row 4 r / R. So the start is at 0 and the goals at 8, the goals are in the rows 0, 2 and 4, and the
    equations give these cells the values that they have in the papers. With C = 8 and R = 4 nothing changes.
    """
    columns = max(ruleset.goals[0][0] - ruleset.start[0], 1)
    rows = max(ruleset.goals[-1][1] - ruleset.goals[0][1], 1)
    along = x - ruleset.start[0]
    row = y - ruleset.goals[0][1]
    detour = max(along - columns, 0) + max(-row, 0) + max(row - rows, 0)
    return LAST_COLUMN * (min(along, columns) - detour) / columns, LAST_ROW * min(max(row, 0), rows) / rows


def column_value(role: int, along: float) -> float:
    """v(x), equation (6), for x = 0 (the start) to 8 (the goals)."""
    return 0.1 * (1 + along) if role == MINER else 0.1 * (9 - along)


def row_value(role: int, knowledge: int, y: float) -> float:
    """v(y), equations (7) and (8), for y = 0 (top) to 4 (bottom)."""
    if knowledge == GOLD_UNKNOWN:
        return 1.0
    if knowledge == TOP_IS_STONE:
        return min(0.5 * y, 1.0) if role == MINER else max(1 - 0.5 * y, 0.0)
    if knowledge == GOLD_TOP:
        return 1 - 0.25 * y if role == MINER else y**2 / 16
    if knowledge == GOLD_MIDDLE:
        return 1 - abs(1 - 0.5 * y) if role == MINER else abs(1 - 0.5 * y)
    return 0.25 * y if role == MINER else (y - 4) ** 2 / 16


def cell_value(role: int, knowledge: int, x: float, y: float, halve: bool = False) -> float:
    """v(x, y), equation (5); `halve` halves v(x) while the top goal is known to be a stone and the gold is unknown."""
    value = column_value(role, x) * row_value(role, knowledge, y)
    return value / 2 if halve and knowledge == TOP_IS_STONE else value


@cache
def value_table(ruleset: Ruleset, halve: bool) -> npt.NDArray[Any]:
    """The VALUE_TABLE of a ruleset: shape (1,). It is made once, and only read."""
    table = np.zeros(1, VALUE_TABLE)
    left, top, right, bottom = ruleset.bounds
    for role in (MINER, SABOTEUR):
        for knowledge in range(SCORES):
            for x in range(left, right + 1):
                for y in range(top, bottom + 1):
                    value = cell_value(role, knowledge, *corridor(ruleset, x, y), halve)
                    table["values"][0, role, knowledge, cell_number(x, y)] = round(value, 12)
    return table
