"""Made-up games for the search: tables of places, compiled for the search, and searched slowly in plain Python.

A place has a turn, a value, and up to four moves to other places; moves of chance have probabilities. Any place may be led to from
many, so positions come again. A place of chance leads to no other place of chance.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.search.expectimax import CHANCE, OTHER, OVER, OWN, Model

PLACE = np.dtype([("place", np.int64)])
MOVES = 4
TURN, VALUE, COUNT, TARGETS, CHANCES, WIDTH = 0, 1, 2, 3, 3 + MOVES, 3 + 2 * MOVES
"""Entries of a row of the table: whose turn, the value, how many moves, where they lead, how likely each is."""

Table = npt.NDArray[np.float64]


def turn(positions: Any, settings: Any) -> int:
    return int(settings[positions[0].place * WIDTH + TURN])


def moves(positions: Any, settings: Any, out: Any, chances: Any) -> int:
    row = positions[0].place * WIDTH
    count = int(settings[row + COUNT])
    for index in range(count):
        out[index] = 10 + index
        chances[index] = settings[row + CHANCES + index]
    return count


def play(positions: Any, settings: Any, move: int) -> None:
    positions[0].place = int(settings[positions[0].place * WIDTH + TARGETS + move - 10])


def key(positions: Any, settings: Any, move: int, depth: int) -> Any:
    return np.uint64(settings[positions[0].place * WIDTH + TARGETS + move - 10])


def value(positions: Any, settings: Any) -> float:
    return float(settings[positions[0].place * WIDTH + VALUE])


def bounds(positions: Any, settings: Any, move: int, depth: int, out: Any) -> None:
    """The least and the greatest of all values of the table."""
    out[0], out[1] = settings[VALUE], settings[VALUE]
    for place in range(len(settings) // WIDTH):
        out[0], out[1] = min(out[0], settings[place * WIDTH + VALUE]), max(out[1], settings[place * WIDTH + VALUE])


def made_up_model(bounds: Any = bounds) -> Model:
    return Model(PLACE, MOVES, turn, moves, play, key, value, bounds)


def random_table(number: int, places: int, turns: tuple[int, ...] = (OVER, OWN, OWN, OTHER, OTHER, CHANCE)) -> Table:
    """A game of so many places, the first of which is the searcher's turn; values are whole numbers, so there are ties."""
    rng = np.random.default_rng(number)
    table = np.zeros((places, WIDTH))
    table[:, TURN] = rng.choice(turns, places)
    table[0, TURN] = OWN
    table[:, VALUE] = rng.integers(-9, 10, places)
    table[:, COUNT] = rng.integers(1, MOVES + 1, places)
    table[0, COUNT] = MOVES
    calm = np.flatnonzero(table[:, TURN] != CHANCE)
    for row in table:
        row[TARGETS:CHANCES] = rng.choice(calm, MOVES) if row[TURN] == CHANCE else rng.integers(0, places, MOVES)
        count = int(row[COUNT])
        shares = rng.integers(1, 6, count)
        row[CHANCES : CHANCES + count] = shares / shares.sum()
    return table


Known = dict[tuple[int, int], tuple[float, int]]


def slow_value(table: Table, place: int, depth: int, known: Known | None = None) -> tuple[float, int]:
    """What a place is worth with `depth` moves of players to come, and how many moves are played to find it.

    `known` is what was found before of the same table, by place and depth.
    """
    known = {} if known is None else known
    if (place, depth) not in known:
        known[place, depth] = _slow_value(table, place, depth, known)
    return known[place, depth]


def _slow_value(table: Table, place: int, depth: int, known: Known) -> tuple[float, int]:
    row = table[place]
    if depth == 0 or row[TURN] == OVER:
        return float(row[VALUE]), 0
    count = int(row[COUNT])
    left = depth if row[TURN] == CHANCE else depth - 1
    found = [slow_value(table, int(target), left, known) for target in row[TARGETS : TARGETS + count]]
    values, played = [value for value, _ in found], count + sum(nodes for _, nodes in found)
    if row[TURN] == CHANCE:
        return sum(share * value for share, value in zip(row[CHANCES:], values, strict=False)), played
    return (max if row[TURN] == OWN else min)(values), played


def slow_values(table: Table, depth: int) -> list[float]:
    """The value of each move of the first place, `depth` moves of players deep."""
    count = int(table[0, COUNT])
    known: Known = {}
    return [slow_value(table, int(target), depth - 1, known)[0] for target in table[0, TARGETS : TARGETS + count]]
