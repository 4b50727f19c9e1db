"""`equilibrium`: plays a small game as a Nash equilibrium does, found once on its whole tree (CFR+)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent, Rows, check_chairs, check_seating, check_views, seats_of_views
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.kernels import kernel
from molehunt.core.language import later
from molehunt.core.memory import CONSTANT_PART
from molehunt.core.specs import parameter
from molehunt.core.streams import next_word
from molehunt.games.registry import make_game
from molehunt.search.growing import grow, keys_of
from molehunt.search.regrets import Solver
from molehunt.search.tree_values import reaches
from molehunt.search.trees import Sights, Strategy, Tree

KEPT = 4
"""Solved games that are kept."""
WORD_BITS = 53


@dataclass(frozen=True)
class Parameters:
    """What can be set in `equilibrium`."""

    iterations: int = parameter(
        300, later("iterations of CFR+; more come nearer to an equilibrium"), low=1, high=1_000_000
    )


EDITIONS: dict[str, Parameters] = {"solved": Parameters()}


@dataclass(frozen=True)
class _Index:
    """How a seat finds its place: `keys` in order, of an observation before and an event or a first view; and what it is."""

    keys: npt.NDArray[np.uint64]
    places: npt.NDArray[np.int64]

    def find(self, before: npt.NDArray[np.int64], records: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """The observations that follow; -1 where there is none (after the end)."""
        keys = keys_of(before, records)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, self.places[at], -1)


def _index(sights: Sights) -> _Index:
    later = len(sights.deals)
    before = sights.parents.astype(np.int64)
    keys = np.concatenate([keys_of(before[:later], sights.deals), keys_of(before[later:], sights.events[later:])])
    order = np.argsort(keys)
    if (np.diff(keys[order].astype(np.int64)) == 0).any():
        raise BadInput("its events do not tell a seat all that its views do")
    return _Index(keys[order], order.astype(np.int64))


@dataclass(frozen=True)
class _Views:
    """How a seat that has not followed a game finds information sets by its view: `keys` in order, and what each belongs to.

    `weights` says how often each is reached, `places` which observation of its seat it is.
    """

    keys: npt.NDArray[np.uint64]
    infosets: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]
    places: npt.NDArray[np.int64]

    def draw(self, key: np.uint64, stream: npt.NDArray[np.uint64]) -> int:
        """One of the information sets with this view, each as likely as it is reached; -1 where there is none."""
        found = self.infosets[np.searchsorted(self.keys, key) : np.searchsorted(self.keys, key, "right")]
        if len(found) < 2:
            return int(found[0]) if len(found) else -1
        shares = np.cumsum(self.weights[found]) if self.weights[found].any() else np.arange(1.0, len(found) + 1)
        left = (int(next_word(stream)) >> (64 - WORD_BITS)) / (1 << WORD_BITS) * shares[-1]
        return int(found[min(np.searchsorted(shares, left, "right"), len(found) - 1)])


def _index_views(game: Game, tree: Tree, strategy: Strategy) -> _Views:
    inner = tree.infosets >= 0
    weights = np.bincount(tree.infosets[inner], reaches(tree, strategy)[inner], len(tree.seats)).astype(np.float64)
    places = np.full(len(tree.seats), -1, np.int64)
    for sights in tree.sights:
        own = np.flatnonzero(sights.infosets >= 0)
        places[sights.infosets[own]] = own
    keys = _keys_of_views(game, tree.views)
    order = np.argsort(keys, kind="stable")
    return _Views(keys[order], order.astype(np.int64), weights, places)


def _keys_of_views(game: Game, views: Views) -> npt.NDArray[np.uint64]:
    return keys_of(np.zeros(len(views), np.int64), game.as_listed(views))


@dataclass(frozen=True)
class _Solved:
    game: Game
    tree: Tree
    strategy: Strategy
    indexes: tuple[_Index, ...]
    views: _Views


_solving = Lock()


@lru_cache(KEPT)
def _solve(name: str, ruleset: str, seats: int, iterations: int) -> _Solved:
    game = make_game(name, ruleset, seats)
    tree = grow(game)
    strategy = Solver(tree).run(iterations)
    return _Solved(
        game, tree, strategy, tuple(_index(sights) for sights in tree.sights), _index_views(game, tree, strategy)
    )


def solved(game: Game, iterations: int) -> _Solved:
    """The tree and the equilibrium of a game, found when it is first asked for; BadInput where it is too large."""
    with _solving:
        return _solve(game.name, game.spec, game.seats, iterations)


@kernel
def _draw(infosets: Any, slot_starts: Any, strategy: Any, actions: Any, streams: Any, rows: Any, out: Any) -> None:
    """An action at each information set, as often as the strategy says, with the stream of its chair."""
    for index in range(len(infosets)):
        stream = streams[rows[index] : rows[index] + 1]
        left = (next_word(stream) >> np.uint64(64 - WORD_BITS)) / float(1 << WORD_BITS)
        last = slot_starts[infosets[index] + 1] - 1
        slot = slot_starts[infosets[index]]
        while slot < last and left >= strategy[slot]:
            left -= strategy[slot]
            slot += 1
        out[index] = actions[slot]


@dataclass
class Memory:
    """All chairs of an agent: the seat of each, where it stands among the observations of its seat, and its stream."""

    game: _Solved = field(metadata=CONSTANT_PART)
    seats: npt.NDArray[np.int16]
    places: npt.NDArray[np.int64]
    streams: npt.NDArray[np.uint64]


class EquilibriumAgent(Agent):
    """Plays the average strategy of CFR+ at each information set.

    With two seats nobody wins more against it than it is far from an equilibrium; with more seats nothing is promised. One that
    comes to a game that has begun takes what happened before for likely as it is in equilibrium.
    """

    def __init__(self, name: str, parameters: Parameters) -> None:
        self.name = name
        self.parameters = parameters

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        try:
            found = solved(game, self.parameters.iterations)
        except BadInput as error:
            raise BadInput(f"{self.name} plays small games only, as {game.name}/small: {error}") from None
        check_seating(game, views, streams)
        memory = Memory(found, seats_of_views(views), np.full(len(views), -1, np.int64), streams.copy())
        first = game.as_listed(views)
        for seat, index in enumerate(found.indexes):
            # A first view says whose it is.
            places = index.find(np.full(len(views), -1), first)
            memory.places[places >= 0] = places[places >= 0]
            memory.seats[places >= 0] = seat
        return memory

    def act(self, views: Views, memory: Memory, rows: Rows) -> Actions:
        rows = check_views(memory, views, rows, memory.game.game.view_dtype)
        tree = memory.game.tree
        self._find_places(views, memory, rows)
        actions = np.empty(len(rows), np.int32)
        infosets = np.full(len(rows), -1, np.int32)
        for seat, sights in enumerate(tree.sights):
            mine = memory.seats[rows] == seat
            places = memory.places[rows][mine]
            infosets[mine] = np.where(places >= 0, sights.infosets[places], -1)
        if (infosets < 0).any():
            raise AgentFailure(f"{self.name} does not know this position of {tree.label}; it cannot come up in a game")
        _draw(infosets, tree.slot_starts, memory.game.strategy, tree.actions, memory.streams, rows, actions)
        return actions

    def _find_places(self, views: Views, memory: Memory, rows: Rows) -> None:
        """Where a chair came to a game that had begun, take it to be at an information set in which it would see this view."""
        lost = np.flatnonzero(memory.places[rows] < 0)
        if not len(lost):
            return
        solved_game = memory.game
        keys = _keys_of_views(solved_game.game, views[lost])
        for row, key in zip(rows[lost], keys, strict=True):
            infoset = solved_game.views.draw(key, memory.streams[row : row + 1])
            if infoset >= 0:
                memory.seats[row] = solved_game.tree.seats[infoset]
                memory.places[row] = solved_game.views.places[infoset]

    def observe(self, events: Events, memory: Memory, rows: Rows) -> None:
        rows = check_chairs(memory, events, rows, memory.game.game.event_dtype)
        for seat, index in enumerate(memory.game.indexes):
            mine = memory.seats[rows] == seat
            if mine.any():
                memory.places[rows[mine]] = index.find(memory.places[rows[mine]], events[mine])
