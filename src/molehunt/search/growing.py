"""Growing the tree of a small game from its deals, all positions of a level at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput, check_is
from molehunt.core.game import Actions, Events, Seats, States, Views
from molehunt.core.kernels import kernel
from molehunt.core.long_work import say_how_far
from molehunt.core.seats import NOBODY
from molehunt.core.streams import GAMMA, mix
from molehunt.search.trees import NOWHERE, Ints, Sights, Tree

MOST_NODES = 4_000_000
"""A tree with more nodes is refused: its arrays would need gigabytes."""
PROBES, TELLING, TIMES = 20, 15, 8
"""Of so many random plays so many must tell of a tree so many times too large: of one that is not, they do once in 10**9."""
AT_ONCE = 20_000
"""Positions in which moves are made in one call, so that the records of finished games need not be held."""

Numbers = npt.NDArray[np.int64]


@runtime_checkable
class Playable(Protocol):
    """What a game must do to be grown; `core.game.Game` does, where its deals can be listed."""

    @property
    def label(self) -> str: ...
    @property
    def seats(self) -> int: ...
    @property
    def event_dtype(self) -> np.dtype[Any]: ...

    def deals(self, roles: npt.NDArray[np.int8] | None = None) -> tuple[States, npt.NDArray[np.float64]]: ...
    def to_move(self, states: States) -> Seats: ...
    def views(self, states: States, seats: Seats) -> Views: ...
    def legal_actions(self, view: Any) -> Any: ...
    def apply(self, states: States, actions: Actions) -> Events: ...
    def margins(self, states: States) -> npt.NDArray[np.float64]: ...


@kernel
def mix_in(words: Any, keys: Any) -> None:
    """Mix the words of row i into `keys[i]`, so that equal keys mean equal rows (but for one chance in 2**64 a pair)."""
    for row in range(words.shape[0]):
        key = keys[row]
        for column in range(words.shape[1]):
            key = mix((key ^ words[row, column]) + GAMMA)
        keys[row] = key


def keys_of(before: Numbers, *records: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Keys of observations: of the number of the one before, and of what was told or seen since; shape (n,)."""
    keys = np.zeros(len(before), np.uint64)
    # The number is mixed by itself first: joined to another small number, it would meet others.
    mix_in(before.astype(np.int64).view(np.uint64).reshape(-1, 1), keys)
    for each in records:
        mix_in(words_of(each), keys)
    return keys


def words_of(records: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Records as rows of 64-bit words: shape (n, words)."""
    size = records.dtype.itemsize
    filled = np.zeros((len(records), -(-size // 8) * 8), np.uint8)
    filled[:, :size] = np.ascontiguousarray(records).view(np.uint8).reshape(len(records), size)
    return filled.view(np.uint64)


def number_equal(keys: npt.NDArray[Any]) -> tuple[Numbers, Numbers]:
    """Number what is equal, in the order of first appearance: (the first place of each, the number at each place)."""
    _, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return first[order], rank[numbers]


def grow(game: Playable, roles: npt.NDArray[np.int8] | None = None) -> Tree:
    """The tree of a game, with the roles seated where `roles` says so, shape (seats,); of shape (n, seats), each row is as likely.

    BadInput where the deals cannot be listed or the tree has more than MOST_NODES nodes.
    """
    check_is(game, Playable, "a tree is grown of a game, as make_game makes one")
    if roles is None:
        states, chances = game.deals()
    else:
        dealt = [game.deals(row) for row in np.atleast_2d(roles)]
        states = np.concatenate([states for states, _ in dealt])
        chances = np.concatenate([chances for _, chances in dealt]) / len(dealt)
    grower = _Grower(game)
    positions = grower.root(states)
    if _is_far_too_large(game, states):
        raise grower.too_large()
    while len(positions.states):
        positions = grower.level(positions)
    return grower.tree(chances)


def _is_far_too_large(game: Playable, states: States) -> bool:
    """Whether random plays tell that the tree has too many nodes, which growing it in plain Python finds after minutes.

    The numbers of moves along a random play give an estimate of the nodes that is right on average (Knuth 1975). So a play tells
    of TIMES as many as there are with a chance of 1 in TIMES at most, and that so many of them do is no chance.
    """
    random = np.random.default_rng(0)
    here = states[random.integers(len(states), size=PROBES)]
    nodes = np.full(PROBES, float(len(states)))
    level, on = nodes.copy(), np.arange(PROBES)
    while True:
        movers = game.to_move(here[on])
        on = on[movers >= 0]
        if not len(on) or np.count_nonzero(nodes > TIMES * MOST_NODES) >= TELLING:
            return bool(np.count_nonzero(nodes > TIMES * MOST_NODES) >= TELLING)
        views = game.views(here[on], movers[movers >= 0])
        listed = [game.legal_actions(views[i : i + 1]).codes for i in range(len(on))]
        if not all(len(codes) for codes in listed):  # a mistake of the game, which growing meets
            return False
        level[on] *= [len(codes) for codes in listed]
        nodes[on] += level[on]
        after = here[on]
        game.apply(after, np.array([random.choice(codes) for codes in listed], np.int32))
        here[on] = after


@dataclass
class _Positions:
    """The positions of a level that go on: their states, their nodes, and what each seat has observed, by seat."""

    states: States
    nodes: Numbers
    seen: list[Numbers]


@dataclass
class _Eye:
    """The observations of one seat while the tree grows: lists of arrays, one for each level."""

    parents: list[Any] = field(default_factory=list)
    slots: list[Any] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    infosets: list[Any] = field(default_factory=list)
    deals: Any = None
    count: int = 0

    def look(self, events: Events, views: Views, before: Numbers, slots: Ints) -> Numbers:
        """Number what is observed at some positions, given the observations before and the move between."""
        keys = keys_of(before, events, views)
        first, numbers = number_equal(keys)
        self.parents.append(before[first].astype(np.int32))
        self.slots.append(slots[first])
        self.events.append(events[first])
        self.infosets.append(np.full(len(first), NOWHERE, np.int32))
        numbers += self.count
        self.count += len(first)
        return numbers

    def sights(self) -> Sights:
        """All observations."""
        levels = np.repeat(np.arange(len(self.parents)), [len(part) for part in self.parents]).astype(np.int32)
        return Sights(
            parents=np.concatenate(self.parents),
            levels=levels,
            slots=np.concatenate(self.slots),
            infosets=np.concatenate(self.infosets),
            events=np.concatenate(self.events),
            deals=self.deals,
        )


class _Grower:
    """The arrays of a tree while it grows, one for each level."""

    def __init__(self, game: Playable) -> None:
        self.game = game
        self.eyes = [_Eye() for _ in range(game.seats)]
        self.starts = [0]  # of the levels
        self.parents: list[Any] = []
        self.slots: list[Any] = []
        self.payoffs: list[Any] = []
        self.moves: list[tuple[Numbers, Seats, Numbers, Numbers]] = []  # node, mover, information set, first child
        self.seats: list[Any] = []
        self.views: list[Any] = []
        self.actions: list[Any] = []
        self.slot_starts = np.zeros(1, np.int64)

    def _make_room(self, nodes: int) -> None:
        """Refuse to grow by more nodes than there may be, before they take up memory."""
        if self.starts[-1] + nodes > MOST_NODES:
            raise self.too_large()

    def too_large(self) -> BadInput:
        """What is said of a tree that is not grown."""
        return BadInput(f"the tree of {self.game.label} has more than {MOST_NODES:,} nodes and is not grown")

    def _add_nodes(self, parents: Numbers, slots: Ints, payoffs: Any) -> None:
        self.parents.append(parents.astype(np.int32))
        self.slots.append(slots)
        self.payoffs.append(payoffs)
        self.starts.append(self.starts[-1] + len(parents))

    def _views(self, states: States, seat: int) -> Views:
        return self.game.views(states, np.full(len(states), seat, np.int8))

    def root(self, states: States) -> _Positions:
        """The deals."""
        self._make_room(len(states))
        nothing = np.full(len(states), NOWHERE, np.int32)
        self._add_nodes(nothing.astype(np.int64), nothing, np.zeros((len(states), self.game.seats)))
        events = np.zeros(len(states), self.game.event_dtype)
        seen = []
        for seat, eye in enumerate(self.eyes):
            views = self._views(states, seat)
            seen.append(eye.look(events, views, nothing.astype(np.int64), nothing))
            eye.deals = views[number_equal(seen[-1])[0]]
        return _Positions(states, np.arange(len(states)), seen)

    def level(self, positions: _Positions) -> _Positions:
        """Make every move at every position of a level; returns the positions that follow and go on."""
        movers = self.game.to_move(positions.states)
        infosets = np.empty(len(movers), np.int64)
        for seat in range(self.game.seats):
            mine = np.flatnonzero(movers == seat)
            if len(mine):
                infosets[mine] = self._ask(seat, positions.states[mine], positions.seen[seat][mine])
        counts = np.diff(self.slot_starts)[infosets]
        ends = np.cumsum(counts)
        self._make_room(int(counts.sum()))
        self.moves.append((positions.nodes, movers, infosets, self.starts[-1] + ends - counts))

        rows = np.repeat(np.arange(len(movers)), counts)
        slots = self.slot_starts[infosets][rows] + np.arange(len(rows)) - (ends - counts)[rows]
        children, following, events, payoffs = self._play(positions.states, rows, slots)
        first = self.starts[-1]
        self._add_nodes(positions.nodes[rows], slots.astype(np.int32), payoffs)
        seen = []
        for seat, eye in enumerate(self.eyes):
            before = positions.seen[seat][rows[children]]
            own = np.where(movers[rows[children]] == seat, slots[children], NOWHERE).astype(np.int32)
            seen.append(eye.look(events[:, seat], self._views(following, seat), before, own))
        return _Positions(following, first + children, seen)

    def _ask(self, seat: int, states: States, seen: Numbers) -> Numbers:
        """The information sets of a seat at positions where it is to move, which are new ones."""
        first, numbers = number_equal(seen)
        views = self._views(states[first], seat)
        start = len(self.slot_starts) - 1
        listed = [np.array(self.game.legal_actions(views[i : i + 1]).codes, np.int32) for i in range(len(views))]
        ends = self.slot_starts[-1] + np.cumsum([len(actions) for actions in listed])
        self.slot_starts = np.concatenate([self.slot_starts, ends])
        self.seats.append(np.full(len(first), seat, np.int8))
        self.views.append(views)
        self.actions += listed
        eye = self.eyes[seat]
        eye.infosets[-1][seen[first] - (eye.count - len(eye.infosets[-1]))] = start + np.arange(len(first))
        return start + numbers

    def _play(self, states: States, rows: Numbers, slots: Numbers) -> tuple[Numbers, States, Events, Any]:
        """Play the action of `slots[i]` in `states[rows[i]]`: which go on, their states and events, the payoffs of all."""
        actions = np.concatenate(self.actions)[slots]
        payoffs = np.zeros((len(rows), self.game.seats))
        children, following, events = [], [], []
        for begin in range(0, len(rows), AT_ONCE):
            say_how_far(f"growing the tree of {self.game.label}: {self.starts[-1] + begin:,} nodes")
            part = slice(begin, begin + AT_ONCE)
            after = states[rows[part]]
            told = self.game.apply(after, actions[part])
            payoffs[part] = self.game.margins(after)
            on = np.flatnonzero(self.game.to_move(after) >= 0)
            children.append(begin + on)
            following.append(after[on])
            events.append(told[on])
        return np.concatenate(children), np.concatenate(following), np.concatenate(events), payoffs

    def tree(self, chances: npt.NDArray[np.float64]) -> Tree:
        """The tree that has grown."""
        nodes = self.starts[-1]
        movers, infosets = np.full(nodes, NOBODY, np.int8), np.full(nodes, NOWHERE, np.int32)
        first_children = np.zeros(nodes, np.int32)
        for places, mover, infoset, child in self.moves:
            movers[places], infosets[places], first_children[places] = mover, infoset, child
        return Tree(
            label=self.game.label,
            parents=np.concatenate(self.parents),
            slots=np.concatenate(self.slots),
            movers=movers,
            infosets=infosets,
            first_children=first_children,
            payoffs=np.concatenate(self.payoffs),
            level_starts=np.array(self.starts, np.int32),
            chances=chances,
            seats=np.concatenate(self.seats),
            slot_starts=self.slot_starts.astype(np.int32),
            actions=np.concatenate(self.actions),
            views=np.concatenate(self.views),
            sights=tuple(eye.sights() for eye in self.eyes),
        )
