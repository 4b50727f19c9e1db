"""Depth-limited expectimax and expectiminimax over any game: own moves, the other's moves, and chance (Michie 1966; Ballard 1983).

A *model* says what the search needs to know of a game, as compiled functions over arrays of one record, a position
(`Model`). Values are the searcher's, higher is better. A position in which the searcher is to move is worth its best child,
one in which the other is to move its worst, one of chance the mean of its children by their probabilities. Depth counts
moves of players; chance counts nothing.

Positions that are equal are searched once: the model gives each move a key that is the same for the same outcome, and values are
kept by key and remaining depth. The search looks a key up before it plays the move, so a model whose keys are cheap is
searched fast.

A pruned search (alpha-beta, Knuth and Moore 1975; at chance Star1, Ballard 1983) leaves out what cannot change which moves are
best. It asks for each value within a window: below it and above it a bound is enough. In a position of chance the mean is bounded
by what has been searched and by the model's bounds of the rest. What is cut lies outside its window by more than rounding can
come to, so moves that share the best value are all found.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput, value_text
from molehunt.core.interpreting import interpreted_with, is_interpreting, unchanged
from molehunt.core.kernels import first_class, kernel
from molehunt.core.numbers import is_whole
from molehunt.core.streams import GAMMA, mix
from molehunt.games.calls import borrowed

OVER, OWN, OTHER, CHANCE = 0, 1, 2, 3
"""Whose turn it is in a position."""

MOST_DEPTH = 8
DEEPEST, MOST_BITS = 1000, 30
"""The largest `most_depth` and `table_bits` of a search."""
TABLE_BITS = 16
"""The default size of the table of values, as a power of two."""
ROOT = np.zeros(1, np.int64)
"""The level of the root, also the depth of an immediate value. As a literal it would give the recursion a second type, whose
compiled code cannot be loaded again."""
PROBES = 4
"""Places of the table in which a key may stand."""
FIRST_RATE = 500_000.0
"""Nodes a second, as expected before any was measured."""

ROUNDING = 1e-12
"""A mean lies outside a window if it does so by this share of the numbers that it is made of; its rounding is less."""

ENTRY = np.dtype([("key", np.uint64), ("least", np.float64), ("greatest", np.float64), ("run", np.int64)])
"""What is known of a value: it is exact where `least` and `greatest` are equal."""
NODE = np.dtype([("low", np.float64), ("high", np.float64), ("least", np.float64), ("greatest", np.float64)])
"""A value at a level of the stack: the window in which it is asked for, and what was found, exact or outside the window. At
the root, `low` is the best value so far."""

NODES, LIMIT, RUN, HITS, STOPPED = range(5)
"""Entries of `counts`: moves played, how many may be (0: any number), the number of the run, values found in the table,
why the search has stopped: not at all (0), AT_LIMIT, TOO_DEEP."""
AT_LIMIT, TOO_DEEP = 1, 2
"""The limit was reached; there is no room on the stack for what follows."""


class Functions(NamedTuple):
    """The functions of a model, as kernels take them."""

    turn: Any
    moves: Any
    play: Any
    key: Any
    value: Any
    bounds: Any


def no_bounds(positions: Any, settings: Any, move: int, depth: int, out: Any) -> None:  # noqa: ARG001 - a function of a model
    """The `bounds` of a model whose values may be anything."""
    out[0], out[1] = -np.inf, np.inf


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
    * `bounds(positions, settings, move, depth, out)`: writes to `out` the least and the greatest value that a search can find
      after a move of chance, with `depth` moves of players to come. Without them, or where one of them is infinite, a pruned
      search cuts nothing at chance.
    """

    dtype: np.dtype[Any]
    most_moves: int
    turn: Callable[..., Any]
    moves: Callable[..., Any]
    play: Callable[..., Any]
    key: Callable[..., Any]
    value: Callable[..., Any]
    bounds: Callable[..., Any] = no_bounds

    def __reduce__(self) -> tuple[Any, ...]:
        # Without what was made of the functions, which can be made again, and not be pickled.
        return Model, tuple(getattr(self, each.name) for each in fields(self))

    def functions(self, pruned: bool = True) -> Functions:
        """The functions as kernels take them; compiled when they are first asked for.

        A search that is not `pruned` asks for no bounds, so theirs are not compiled for it.
        """
        if is_interpreting():
            return self._interpreted(pruned)
        return self._compiled if pruned else self._compiled_without_bounds

    def _interpreted(self, pruned: bool) -> Functions:
        model = self if pruned else replace(self, bounds=no_bounds)
        signatures = _signatures(self.dtype)
        return Functions(*(interpreted_with(signatures[name], getattr(model, name)) for name in Functions._fields))

    @functools.cached_property
    def _compiled(self) -> Functions:
        return self._compiled_without_bounds._replace(bounds=self.compiled("bounds"))

    @functools.cached_property
    def _compiled_without_bounds(self) -> Functions:
        unbounded = replace(self, bounds=no_bounds)
        return Functions(*map(unbounded.compiled, Functions._fields))

    def compiled(self, name: str) -> Any:
        """One of the functions, compiled."""
        return first_class(_signatures(self.dtype)[name], getattr(self, name))


@functools.cache
def _signatures(dtype: np.dtype[Any]) -> dict[str, Any]:
    """What the functions of a model are for the compiler, by name, where `dtype` is a position."""
    positions = numba.types.Array(numba.from_dtype(dtype), 1, "C")
    reals = numba.types.Array(numba.types.float64, 1, "C")
    codes = numba.types.Array(numba.types.int32, 1, "C")
    whole, real, word = numba.types.int64, numba.types.float64, numba.types.uint64
    return {
        "turn": whole(positions, reals),
        "moves": whole(positions, reals, codes, reals),
        "play": numba.types.void(positions, reals, whole),
        "key": word(positions, reals, whole, whole),
        "value": real(positions, reals),
        "bounds": numba.types.void(positions, reals, whole, whole, reals),
    }


@dataclass(frozen=True)
class Found:
    """What a search found.

    The `moves` of the root, the value of each, which were searched to the end and not cut (the others have their immediate
    values), the nodes played, and how many values came from the table.
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
    bounds: Any
    nodes: Any
    table: Any
    counts: Any


def _check_whole(what: str, value: object, least: int, most: int) -> None:
    """BadInput where something is no whole number from `least` to `most`."""
    if not is_whole(value) or not least <= value <= most:
        raise BadInput(f"{what} is a whole number from {least} to {most}, not {value_text(value)}")


def compile_search(model: Model) -> None:
    """Have compiled what searches a model, but for the functions of the model, which kernels are given by address."""
    Search(replace(model, **_NOTHING), most_depth=1, table_bits=3).run(np.zeros(1, model.dtype), np.zeros(1), 1)


def _none(_positions: Any, _settings: Any) -> int:
    return 0


def _one_move(_positions: Any, _settings: Any, out: Any, chances: Any) -> int:
    out[0], chances[0] = 0, 1.0
    return 1


def _stays(_positions: Any, _settings: Any, _move: int) -> None:
    pass


def _one_key(_positions: Any, _settings: Any, _move: int, _depth: int) -> int:
    return 0


def _no_worth(_positions: Any, _settings: Any) -> float:
    return 0.0


_NOTHING: dict[str, Any] = {
    "turn": _none,
    "moves": _one_move,
    "play": _stays,
    "key": _one_key,
    "value": _no_worth,
    "bounds": no_bounds,
}
"""A game of one move after which it is over, in the place of any."""


class Search:
    """Searches positions of one model. It holds stacks and a table of values, so one thread uses it at a time.

    It searches to a depth of `most_depth` at most, where chance has a move after each move of a player. The table has
    2**`table_bits` places, 4 or more. BadInput where these are no such numbers.
    """

    def __init__(self, model: Model, most_depth: int = MOST_DEPTH, table_bits: int = TABLE_BITS) -> None:
        _check_whole("the depth of a search", most_depth, 1, DEEPEST)
        _check_whole("how many bits number the places of the table", table_bits, 2, MOST_BITS)
        levels = 2 * most_depth + 1
        self._made_of = (model, most_depth, table_bits)
        self._model = model
        self._tools = _Tools(
            np.zeros(0),
            np.zeros(levels, model.dtype),
            np.zeros((levels, model.most_moves), np.int32),
            np.zeros((levels, model.most_moves)),
            np.zeros((levels, model.most_moves + 1, 2)),
            np.zeros(levels, NODE),
            np.zeros(1 << table_bits, ENTRY),
            np.zeros(5, np.int64),
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> Search:
        """A search of the same model that another thread may use; its table is empty, which changes no result."""
        return Search(*self._made_of)

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled search begins with an empty table as a copied one does."""
        return Search, self._made_of

    def run(
        self,
        position: npt.NDArray[Any],
        settings: npt.NDArray[np.float64],
        depth: int,
        *,
        nodes: int = 0,
        seconds: float = 0.0,
        cached: bool = True,
        pruned: bool = False,
        only_best: bool = False,
    ) -> Found:
        """Search the moves of a position (an array of one record), in which the searcher is to move, to a depth of 1 or more.

        The moves are first sorted by their immediate values, then searched, the best first, until `nodes` moves were played
        or `seconds` are over (0: no limit); a move that is not searched to the end does not count as searched. The sorting, one
        node a move, is done in any case. `cached` says whether equal positions are searched once; `pruned`, whether moves are cut
        that are worse than the best so far: the moves that are best, and what they are worth, are the same. `only_best` has it
        pruned as long as kernels are interpreted; in the middle of it they may become compiled.

        BadInput where the search was not made for such a depth, or there is no such position; where moves of chance
        follow each other so often that the stack, which has room for one after each move of a player, is full.
        """
        model, most_depth, _ = self._made_of
        _check_whole("the depth of this search", depth, 1, most_depth)
        given: object = position
        if not isinstance(given, np.ndarray) or given.dtype != model.dtype or given.shape != (1,):
            raise BadInput(f"a search begins at an array of one record of its model, not at {value_text(position)}")
        began = time.perf_counter()
        tools = self._tools._replace(settings=settings)
        counts = tools.counts
        counts[RUN] += 1
        counts[[NODES, LIMIT, HITS, STOPPED]] = 0
        tools.stack[:1] = position
        with unchanged():
            functions = self._model.functions(pruned=False)
            moves = tools.lists[0, : _list_moves(functions.moves, tools)].copy()
            values, sorts = np.empty(len(moves)), np.empty(len(moves), np.bool_)
            _search_moves(functions, tools, moves, 0, cached, False, values, sorts)
        tools.nodes["low"][0] = -np.inf
        searched = np.full(len(moves), depth == 1)
        order = np.argsort(-values, kind="stable") if depth > 1 else np.zeros(0, np.int64)
        first = 0
        while first < len(order) and not counts[STOPPED]:
            with unchanged() as interprets:
                some = order[first : first + 1] if seconds or interprets else order[first:]
                counts[LIMIT] = nodes
                if seconds:
                    used = time.perf_counter() - began
                    rate = counts[NODES] / used if first else FIRST_RATE
                    allowed = int(counts[NODES] + max(seconds - used, 0.0) * rate) + 1
                    counts[LIMIT] = min(nodes, allowed) if nodes else allowed
                cut = pruned or (only_best and interprets)
                functions = self._model.functions(cut)
                results, exact = np.empty(len(some)), np.zeros(len(some), np.bool_)
                _search_moves(functions, tools, moves[some], depth - 1, cached, cut, results, exact)
            if counts[STOPPED] == TOO_DEEP:
                raise BadInput(
                    f"moves of chance follow each other more often than a search of depth {most_depth} has room for; "
                    "make one with a larger most_depth"
                )
            values[some[exact]] = results[exact]
            searched[some[exact]] = True
            first += len(some)
        return Found(moves, values, searched, int(counts[NODES]), int(counts[HITS]))


@kernel
def _lend(tools: Any) -> Any:
    """The same tools, whose arrays are not counted: the caller holds them as long as a search takes."""
    return _Tools(
        borrowed(tools.settings),
        borrowed(tools.stack),
        borrowed(tools.lists),
        borrowed(tools.chances),
        borrowed(tools.bounds),
        borrowed(tools.nodes),
        borrowed(tools.table),
        borrowed(tools.counts),
    )


@kernel
def _list_moves(moves: Any, tools: Any) -> Any:
    """List the moves of the root to `lists[0]`; returns how many."""
    tools = _lend(tools)
    return moves(tools.stack[0:1], tools.settings, tools.lists[0], tools.chances[0])


@kernel
def _search_moves(
    functions: Any, tools: Any, some: Any, depth: int, cached: bool, pruned: bool, results: Any, exact: Any
) -> None:
    """The values of some moves of the root, with `depth` moves of players to come after them, until the limit is reached.

    `exact` says of each whether its value was found.
    """
    tools = _lend(tools)
    root, node = tools.nodes[0], tools.nodes[1]
    for index in range(len(some)):
        _set_window(node, root.low if pruned else -np.inf, np.inf)
        _search_move(functions, tools, ROOT[0], some[index], depth, cached, pruned)
        if tools.counts[STOPPED]:
            return
        results[index] = node.least
        exact[index] = node.least == node.greatest
        if exact[index]:
            root.low = max(root.low, node.least)


@kernel
def _search_move(functions: Any, tools: Any, level: int, move: int, depth: int, cached: bool, pruned: bool) -> None:
    """Find what a move in the position at `level` of the stack is worth, with `depth` moves to come after it.

    The node one level down holds the window, and what was found, if the limit was not reached.
    """
    here, node = tools.stack[level : level + 1], tools.nodes[level + 1]
    counts = tools.counts
    word = np.uint64(0)
    if cached:
        word = mix(functions.key(here, tools.settings, move, depth) + np.uint64(depth) * GAMMA)
        if _is_known(word, tools.table, node, counts):
            return
    if counts[LIMIT] and counts[NODES] >= counts[LIMIT]:
        counts[STOPPED] = AT_LIMIT
        return
    counts[NODES] += 1
    tools.stack[level + 1] = tools.stack[level]
    below = tools.stack[level + 1 : level + 2]
    functions.play(below, tools.settings, move)
    whose = functions.turn(below, tools.settings)
    if depth == 0 or whose == OVER:
        worth = functions.value(below, tools.settings)
        node.least, node.greatest = worth, worth
    elif level + 2 >= len(tools.stack):
        counts[STOPPED] = TOO_DEEP
        return
    else:
        replies, chances = tools.lists[level + 1], tools.chances[level + 1]
        count = functions.moves(below, tools.settings, replies, chances)
        child = tools.nodes[level + 2]
        rest = tools.bounds[level + 1]
        left, margin = depth - 1, 0.0
        if whose == CHANCE:
            left = depth
            if pruned:
                margin = _bound_rest(functions.bounds, below, tools.settings, replies, chances, count, left, rest)
            node.least, node.greatest = 0.0, 0.0
        else:
            worst = -np.inf if whose == OWN else np.inf
            node.least, node.greatest = worst, worst
        for index in range(count):
            if pruned and _is_cut(node, whose, rest[index], margin):
                break
            if pruned:
                _set_child_window(child, node, whose, chances[index], rest[index + 1], margin)
            else:
                _set_window(child, -np.inf, np.inf)
            _search_move(functions, tools, level + 1, replies[index], left, cached, pruned)
            if counts[STOPPED]:
                return
            if _take_in(node, child, whose, chances[index], rest[index + 1]):
                break
    if cached:
        _keep(word, tools.table, node, counts[RUN])


@kernel
def _is_known(word: Any, table: Any, node: Any, counts: Any) -> bool:
    """Whether the table says as much of a value as is asked for; then the node is told."""
    place = int(word & np.uint64(len(table) - PROBES))
    for probe in range(place, place + PROBES):
        entry = table[probe]
        if entry.key == word and entry.run == counts[RUN]:
            if entry.least == entry.greatest or entry.greatest < node.low or entry.least > node.high:
                counts[HITS] += 1
                node.least, node.greatest = entry.least, entry.greatest
                return True
            return False
    return False


@kernel
def _keep(word: Any, table: Any, node: Any, run: int) -> None:
    """Keep what was found: where the key stands, else in the first place that this run has not used, else in the last."""
    place = int(word & np.uint64(len(table) - PROBES))
    for probe in range(place, place + PROBES):
        entry = table[probe]
        if entry.run != run or entry.key == word or probe == place + PROBES - 1:
            entry.key = word
            entry.least, entry.greatest = node.least, node.greatest
            entry.run = run
            return


@kernel
def _set_window(node: Any, low: float, high: float) -> None:
    """Say where a value is asked for."""
    node.low, node.high = low, high


@kernel
def _bound_rest(
    bounds: Any, positions: Any, settings: Any, replies: Any, chances: Any, count: int, depth: int, rest: Any
) -> Any:
    """Write to `rest[i]` the least and the greatest that the moves of chance from the `i`-th on add to the mean.

    Returns how far outside a window a mean of such numbers must lie, so that it is not rounding.
    """
    size = 0.0
    rest[count, 0], rest[count, 1] = 0.0, 0.0
    for index in range(count - 1, -1, -1):
        bounds(positions, settings, replies[index], depth, rest[index])
        chance = chances[index]
        if chance > 0:
            size += chance * max(abs(rest[index, 0]), abs(rest[index, 1]))
        for side in range(2):
            rest[index, side] = rest[index + 1, side] + (chance * rest[index, side] if chance > 0 else 0.0)
    return ROUNDING * size


@kernel
def _is_cut(node: Any, whose: int, rest: Any, margin: float) -> bool:
    """Whether the moves not searched yet cannot bring a value into its window; then the node is told its bounds.

    `rest` is what these moves add to a mean.
    """
    if whose == OWN:
        if node.least > node.high:
            node.greatest = np.inf
            return True
    elif whose == OTHER:
        if node.greatest < node.low:
            node.least = -np.inf
            return True
    elif node.greatest + rest[1] < node.low - margin or node.least + rest[0] > node.high + margin:
        node.least += rest[0]
        node.greatest += rest[1]
        return True
    return False


@kernel
def _set_child_window(child: Any, node: Any, whose: int, chance: float, rest: Any, margin: float) -> None:
    """Say where a move's value is asked for: where it can still change the value of the node within its own window.

    At chance, `rest` is what the moves after it add to the mean.
    """
    if whose == OWN:
        _set_window(child, max(node.low, node.least), node.high)
    elif whose == OTHER:
        _set_window(child, node.low, min(node.high, node.greatest))
    elif chance > 0:
        done = node.least
        low, high = (node.low - margin - done - rest[1]) / chance, (node.high + margin - done - rest[0]) / chance
        _set_window(child, low, high)
    else:
        _set_window(child, -np.inf, np.inf)


@kernel
def _take_in(node: Any, child: Any, whose: int, chance: float, rest: Any) -> bool:
    """Take the value of a move into that of its node. Whether the node is settled: a mean is, with a part outside its window."""
    if whose == OWN:
        node.least, node.greatest = max(node.least, child.least), max(node.greatest, child.greatest)
        return False
    if whose == OTHER:
        node.least, node.greatest = min(node.least, child.least), min(node.greatest, child.greatest)
        return False
    settled = child.least != child.greatest
    node.least += chance * child.least
    node.greatest += chance * child.greatest
    if settled:
        node.least += rest[0]
        node.greatest += rest[1]
    return settled
