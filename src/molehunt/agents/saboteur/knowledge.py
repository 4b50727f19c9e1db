"""What a seat knows of the goals, and what the cells of the mine are worth to it (2019 paper, equations 5-8, Table 2)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.kernels import kernel, popcount
from molehunt.games.saboteur.actions import target_of
from molehunt.games.saboteur.cards import FIRST_GOAL_CODE, GOLD, MINER, SABOTEUR, UNKNOWN_GOAL
from molehunt.games.saboteur.ruleset import Ruleset

GOLD_UNKNOWN, TOP_IS_STONE, GOLD_TOP, GOLD_MIDDLE, GOLD_BOTTOM = range(5)
"""Table 2's score of a player's knowledge, plus one."""
SCORES = 5

STONE = 9
"""A goal known to be a stone by deduction, not by sight: which of the two stones it is, is not known."""

MAX_LEVELS = 48
LEVEL_TABLE = np.dtype(
    [
        ("values", np.float64, (2, SCORES, MAX_LEVELS)),
        ("cells", np.uint64, (2, SCORES, MAX_LEVELS)),
        ("count", np.int64, (2, SCORES)),
    ]
)
"""The cells of the mine by their value, for each role and score: `cells[role, score, k]` is the set of cells that are worth
`values[role, score, k]`, the highest value first; there are `count[role, score]` values."""


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
        if event.turned_up >> goal & 1:
            goals[goal] = (event.goals[goal] - FIRST_GOAL_CODE) // 2 + 1
    deduce(goals)


@kernel
def best_value(cells: Any, levels: Any, role: int, knowledge: int) -> float:
    """v(B), equation (10): the largest value of a cell of the set; minus infinity where it is empty."""
    for level in range(levels.count[role, knowledge]):
        if cells & levels.cells[role, knowledge, level]:
            return levels.values[role, knowledge, level]
    return -np.inf


@kernel
def mean_value(cells: Any, levels: Any, role: int, knowledge: int, at_most: int) -> float:
    """The sum of the `at_most` largest cell values of the set, divided by the number of all its cells; 0 where empty."""
    number = popcount(cells)
    if number == 0:
        return 0.0
    left = min(at_most, number)
    total = 0.0
    for level in range(levels.count[role, knowledge]):
        here = min(left, popcount(cells & levels.cells[role, knowledge, level]))
        total += here * levels.values[role, knowledge, level]
        left -= here
        if left == 0:
            break
    return total / number


def column_values(role: int) -> list[float]:
    """v(x), equation (6), for x = 0 to 8."""
    return [0.1 * (1 + x) if role == MINER else 0.1 * (9 - x) for x in range(9)]


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


def cell_value(role: int, knowledge: int, x: int, y: int, halve: bool = False) -> float:
    """v(x, y), equation (5); `halve` halves v(x) while the top goal is known to be a stone and the gold is unknown."""
    value = column_values(role)[x] * row_value(role, knowledge, y)
    return value / 2 if halve and knowledge == TOP_IS_STONE else value


def level_table(ruleset: Ruleset, halve: bool) -> npt.NDArray[Any]:
    """The LEVEL_TABLE of a ruleset: shape (1,)."""
    table = np.zeros(1, LEVEL_TABLE)
    for role in (MINER, SABOTEUR):
        for knowledge in range(SCORES):
            cells: dict[float, int] = {}
            for x in range(ruleset.width):
                for y in range(ruleset.height):
                    value = round(cell_value(role, knowledge, x, y, halve), 12)
                    cells[value] = cells.get(value, 0) | 1 << ruleset.cell(x, y)
            for level, value in enumerate(sorted(cells, reverse=True)):
                table["values"][0, role, knowledge, level] = value
                table["cells"][0, role, knowledge, level] = cells[value]
            table["count"][0, role, knowledge] = len(cells)
    return table
