"""Depth-limited expectimax and expectiminimax over any game: own moves, the other's moves, and chance (Michie 1966; Ballard 1983).

A *model* says what the search needs to know of a game, as compiled functions over arrays of one record, a position
(`Model`). Values are the searcher's, higher is better. A position in which the searcher is to move is worth its best child,
one in which the other is to move its worst, one of chance the mean of its children by their probabilities. Depth counts
moves of players; chance counts nothing.

Positions that are equal are searched once: the model gives each move a key that is the same for the same outcome, and values are
kept by key and remaining depth. The search looks a key up before it plays the move, so a model whose keys are cheap is
searched fast.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from molehunt.core.interpreting import interpreted, is_interpreting
from molehunt.core.kernels import first_class, kernel
from molehunt.core.streams import GAMMA, mix

OVER, OWN, OTHER, CHANCE = 0, 1, 2, 3
"""Whose turn it is in a position."""

MOST_DEPTH = 8
TABLE_BITS = 16
"""The default size of the table of values, as a power of two."""
ROOT = np.zeros(1, np.int64)
"""The level of the root, also the depth of an immediate value. As a literal it would give the recursion a second type, whose
compiled code cannot be loaded again."""
PROBES = 4
"""Places of the table in which a key may stand."""
FIRST_RATE = 500_000.0
"""Nodes a second, as expected before any was measured."""

ENTRY = np.dtype([("key", np.uint64), ("value", np.float64), ("run", np.int64)])

NODES, LIMIT, RUN, HITS, STOPPED = range(5)
"""Entries of `counts`: moves played, how many may be (0: any number), the number of the run, values found in the table,
whether the limit was reached."""


Functions = tuple[Any, Any, Any, Any, Any]


@dataclass(frozen=True)
class Model:
    """A game as the search sees it: functions over positions.

    The functions are plain, and may call kernels. Every one takes `positions`, an array whose first record is the position,
    and `settings`, an array of numbers that the caller sets and no function changes.

    * `turn(positions, settings)`: OVER, OWN, OTHER or CHANCE.
    * `moves(positions, settings, out, chances)`: writes the moves to `out` and, where the turn is CHANCE, their
      probabilities to `chances`; returns how many, at least one unless the position is OVER.
    * `play(positions, settings, move)`: makes a move in the position.
    * `key(positions, settings, move, depth)`: a word that is equal only for moves after which a search to that depth finds
      the same.
    * `value(positions, settings)`: what the position is worth, at the depth limit or when it is over.
    """

    dtype: np.dtype[Any]
    most_moves: int
    turn: Callable[..., Any]
    moves: Callable[..., Any]
    play: Callable[..., Any]
    key: Callable[..., Any]
    value: Callable[..., Any]

    def functions(self) -> Functions:
        """The functions in this order, as kernels take them; compiled when they are first asked for."""
        return self._interpreted if is_interpreting() else self._compiled

    @functools.cached_property
    def _interpreted(self) -> Functions:
        turn, moves, play, key, value = map(interpreted, (self.turn, self.moves, self.play, self.key, self.value))
        return turn, moves, play, key, value

    @functools.cached_property
    def _compiled(self) -> Functions:
        positions = numba.types.Array(numba.from_dtype(self.dtype), 1, "C")
        reals = numba.types.Array(numba.types.float64, 1, "C")
        codes = numba.types.Array(numba.types.int32, 1, "C")
        whole, real, word = numba.types.int64, numba.types.float64, numba.types.uint64
        return (
            first_class(whole(positions, reals), self.turn),
            first_class(whole(positions, reals, codes, reals), self.moves),
            first_class(numba.types.void(positions, reals, whole), self.play),
            first_class(word(positions, reals, whole, whole), self.key),
            first_class(real(positions, reals), self.value),
        )


@dataclass(frozen=True)
class Found:
    """What a search found.

    The `moves` of the root, the value of each, which were searched (the others have their immediate values), the nodes played,
    and how many values came from the table.
    """

    moves: npt.NDArray[np.int32]
    values: npt.NDArray[np.float64]
    searched: npt.NDArray[np.bool_]
    nodes: int
    hits: int

    @property
    def best(self) -> npt.NDArray[np.int32]:
        """The moves that share the best value of those that were searched; of all, where the limit left none."""
        among = self.searched if self.searched.any() else ~self.searched
        result: npt.NDArray[np.int32] = self.moves[among & (self.values == self.values[among].max())]
        return result


class _Tools(NamedTuple):
    """What the kernels of a search work with, beside the functions of the model."""

    settings: Any
    stack: Any
    lists: Any
    chances: Any
    table: Any
    counts: Any


class Search:
    """Searches positions of one model. It holds stacks and a table of values, so one thread uses it at a time."""

    def __init__(self, model: Model, most_depth: int = MOST_DEPTH, table_bits: int = TABLE_BITS) -> None:
        levels = 2 * most_depth + 1
        self._made_of = (model, most_depth, table_bits)
        self._model = model
        self._tools = _Tools(
            np.zeros(0),
            np.zeros(levels, model.dtype),
            np.zeros((levels, model.most_moves), np.int32),
            np.zeros((levels, model.most_moves)),
            np.zeros(1 << table_bits, ENTRY),
            np.zeros(5, np.int64),
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> Search:
        """A search of the same model that another thread may use; its table is empty, which changes no result."""
        return Search(*self._made_of)

    def run(
        self,
        position: npt.NDArray[Any],
        settings: npt.NDArray[np.float64],
        depth: int,
        *,
        nodes: int = 0,
        seconds: float = 0.0,
        cached: bool = True,
    ) -> Found:
        """Search the moves of a position (an array of one record), in which the searcher is to move, to a depth of 1 or more.

        The moves are first sorted by their immediate values, then searched, the best first, until `nodes` moves were played
        or `seconds` are over (0: no limit); a move that is not searched to the end does not count as searched. The sorting, one
        node a move, is done in any case. `cached` says whether equal positions are searched once.
        """
        began = time.perf_counter()
        functions = self._model.functions()
        tools = self._tools._replace(settings=settings)
        counts = tools.counts
        counts[RUN] += 1
        counts[[NODES, LIMIT, HITS, STOPPED]] = 0
        tools.stack[:1] = position
        count = _search_root(*functions, tools, cached)
        moves = tools.lists[0, :count].copy()
        values = tools.chances[0, :count].copy()
        searched = np.full(len(moves), depth == 1)
        order = np.argsort(-values, kind="stable") if depth > 1 else np.zeros(0, np.int64)
        step = 1 if seconds else len(moves)
        for first in range(0, len(order), step):
            some = order[first : first + step]
            counts[LIMIT] = nodes
            if seconds:
                used = time.perf_counter() - began
                rate = counts[NODES] / used if first else FIRST_RATE
                allowed = int(counts[NODES] + max(seconds - used, 0.0) * rate) + 1
                counts[LIMIT] = min(nodes, allowed) if nodes else allowed
            results = np.empty(len(some))
            done = _search_moves(*functions, tools, moves[some], depth - 1, cached, results)
            values[some[:done]] = results[:done]
            searched[some[:done]] = True
            if counts[STOPPED]:
                break
        return Found(moves, values, searched, int(counts[NODES]), int(counts[HITS]))


@kernel
def _search_root(turn: Any, moves: Any, play: Any, key: Any, value: Any, tools: Any, cached: bool) -> Any:
    """List the moves of the root to `lists[0]` and their immediate values to `chances[0]`; returns how many."""
    count = moves(tools.stack[0:1], tools.settings, tools.lists[0], tools.chances[0])
    for index in range(count):
        found = _value_of_move(turn, moves, play, key, value, tools, ROOT[0], tools.lists[0, index], ROOT[0], cached)
        tools.chances[0, index] = found
    return count


@kernel
def _search_moves(
    turn: Any,
    moves: Any,
    play: Any,
    key: Any,
    value: Any,
    tools: Any,
    some: Any,
    depth: int,
    cached: bool,
    results: Any,
) -> int:
    """The values of some moves of the root, with `depth` moves of players to come.

    Returns how many were found before the limit was reached.
    """
    for index in range(len(some)):
        results[index] = _value_of_move(turn, moves, play, key, value, tools, ROOT[0], some[index], depth, cached)
        if tools.counts[STOPPED]:
            return index
    return len(some)


@kernel
def _value_of_move(
    turn: Any, moves: Any, play: Any, key: Any, value: Any, tools: Any, level: int, move: int, depth: int, cached: bool
) -> Any:
    """What a move in the position at `level` of the stack is worth, with `depth` moves to come after it."""
    here = tools.stack[level : level + 1]
    counts, table = tools.counts, tools.table
    word = np.uint64(0)
    place = 0
    if cached:
        word = mix(key(here, tools.settings, move, depth) + np.uint64(depth) * GAMMA)
        place = int(word & np.uint64(len(table) - PROBES))
        for probe in range(place, place + PROBES):
            entry = table[probe]
            if entry.key == word and entry.run == counts[RUN]:
                counts[HITS] += 1
                return entry.value
    if counts[LIMIT] and counts[NODES] >= counts[LIMIT]:
        counts[STOPPED] = 1
        return 0.0
    counts[NODES] += 1
    tools.stack[level + 1] = tools.stack[level]
    below = tools.stack[level + 1 : level + 2]
    play(below, tools.settings, move)
    whose = turn(below, tools.settings)
    result = 0.0
    if depth == 0 or whose == OVER:
        result = value(below, tools.settings)
    else:
        replies, chances = tools.lists[level + 1], tools.chances[level + 1]
        count = moves(below, tools.settings, replies, chances)
        left = depth if whose == CHANCE else depth - 1
        for index in range(count):
            found = _value_of_move(turn, moves, play, key, value, tools, level + 1, replies[index], left, cached)
            if counts[STOPPED]:
                return 0.0
            if whose == CHANCE:
                result += chances[index] * found
            elif index == 0 or (found > result if whose == OWN else found < result):
                result = found
    if cached:
        # The first place that this run has not used, else the last.
        for probe in range(place, place + PROBES):
            entry = table[probe]
            if entry.run != counts[RUN] or probe == place + PROBES - 1:
                entry.key = word
                entry.value = result
                entry.run = counts[RUN]
                break
    return result
