"""The extensive form of a small game: every deal, every move, every information set, flattened into arrays.

A tree is grown from any game whose deals can be listed, level by level, all positions of a level at once. Chance acts at the
root alone: what is drawn later is part of the deal. An *information set* of a seat is everything that the seat has seen so
far, its views and its events in order, so recall is perfect; because every move is told to every seat in some form, all nodes
of an information set lie on one level (Kuhn 1953, "Extensive games and the problem of information").

A *strategy* is one float64 per slot, a slot being an action at an information set: shape (slots,), summing to 1 over the slots
of each information set.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.core.game import Events, Views
from molehunt.core.words import counted, joined

Ints = npt.NDArray[np.int32]
Strategy = npt.NDArray[np.float64]

NOWHERE = -1
"""In the arrays of a tree: no parent, slot, information set or child."""


@dataclass(frozen=True)
class Sights:
    """What one seat sees on its way: the tree of its observations, which is what a player needs to be walked through a game.

    Observation o was made at `levels[o]`; before it the seat had made `parents[o]` (NOWHERE at the deal). `events[o]` is what the
    seat was told of the move between them (unused at the deal). `slots[o]` is the slot of that move where it was the seat's
    own, else NOWHERE. `infosets[o]` is the information set where the seat is to move, else NOWHERE. Observations are ordered
    by level; `deals[o]` is the seat's first view, for those of level 0.
    """

    parents: Ints
    levels: Ints
    slots: Ints
    infosets: Ints
    events: Events
    deals: Views

    def __repr__(self) -> str:
        return f"<Sights of one seat: {counted(len(self.parents), 'observation')}>"


class Branches(NamedTuple):
    """What kernels read of a tree: arrays of `Tree` under their names there."""

    parents: Ints
    slots: Ints
    movers: npt.NDArray[np.int8]
    infosets: Ints
    first_children: Ints
    payoffs: npt.NDArray[np.float64]
    level_starts: Ints
    chances: npt.NDArray[np.float64]
    seats: npt.NDArray[np.int8]
    slot_starts: Ints


@dataclass(frozen=True)
class Tree:
    """A game tree. Nodes are ordered by level, the children of a node stand side by side in the order of its actions.

    By node: `parents` and `slots` (the move that led there; NOWHERE at a deal), `movers` (the seat to move, NOBODY at an
    end), `infosets` (NOWHERE at an end), `first_children`, and `payoffs`, shape (nodes, seats), 0 but at ends. `level_starts[l]` is
    the first node of level l; `chances` are the probabilities of the deals, the nodes of level 0.

    By information set: `seats`, and `slot_starts`, shape (information sets + 1,). `actions` is by slot. `views[i]` is what the seat
    sees at information set i. `sights[s]` are the observations of seat s.
    """

    label: str
    parents: Ints
    slots: Ints
    movers: npt.NDArray[np.int8]
    infosets: Ints
    first_children: Ints
    payoffs: npt.NDArray[np.float64]
    level_starts: Ints
    chances: npt.NDArray[np.float64]
    seats: npt.NDArray[np.int8]
    slot_starts: Ints
    actions: Ints
    views: Views
    sights: tuple[Sights, ...]

    def __repr__(self) -> str:
        sizes = (len(self.chances), "deal"), (len(self.parents), "node"), (len(self.seats), "information set")
        return f"<Tree of {self.label}: {joined([counted(number, what) for number, what in sizes])}>"

    @property
    def branches(self) -> Branches:
        """The tree as kernels take it."""
        return Branches(*(getattr(self, name) for name in Branches._fields))

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self.payoffs.shape[1]

    @property
    def histories(self) -> int:
        """How many nodes there are: deals, positions and ends."""
        return len(self.parents)

    def uniform(self) -> Strategy:
        """The strategy that takes every action equally often."""
        counts = np.diff(self.slot_starts)
        return np.repeat(1.0 / counts, counts)

    def joined(self, strategies: list[Strategy]) -> Strategy:
        """The strategy of which seat s takes its part from `strategies[s]`."""
        owners = np.repeat(self.seats, np.diff(self.slot_starts))
        return np.choose(owners, strategies) if len(strategies) > 1 else strategies[0].copy()
