"""Counterfactual regret minimization on a game tree: CFR+ (Tammelin 2014; Tammelin, Burch, Johanson and Bowling 2015).

Regret matching over regrets that never fall below 0, the seats updated in turn, and an average that weighs iteration t by t. In a
game of two seats that is zero-sum the average strategy comes as near to an equilibrium as one likes; with more seats nothing is
promised, and `tree_values.nash_conv` says how far it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.errors import BadInput, check_is, value_text
from molehunt.core.kernels import kernel
from molehunt.core.long_work import say_how_far
from molehunt.core.numbers import is_whole
from molehunt.search.tree_values import reach
from molehunt.search.trees import Strategy, Tree

MOST_ITERATIONS = 2**62
"""What is counted in 64 bits; nobody has the time."""
NODES_AT_ONCE = 20_000_000
"""So many nodes are gone through, some tenths of a second, before it is said how far it is."""


@kernel
def _match(tree: Any, seat: int, regrets: Any, strategy: Any) -> None:
    """The strategy of a seat in proportion to its regrets, uniform where there are none."""
    for infoset in range(len(tree.seats)):
        if tree.seats[infoset] != seat:
            continue
        begin, end = tree.slot_starts[infoset], tree.slot_starts[infoset + 1]
        total = 0.0
        for slot in range(begin, end):
            total += regrets[slot]
        for slot in range(begin, end):
            strategy[slot] = regrets[slot] / total if total > 0 else 1.0 / (end - begin)


@kernel
def _iterate(tree: Any, first_iteration: int, iterations: int, strategy: Any, regrets: Any, sums: Any) -> None:
    """Some more iterations; `strategy` is the current one, `sums` the weighted sum of those so far."""
    nodes = len(tree.parents)
    movers, infosets, first_children = tree.movers, tree.infosets, tree.first_children
    seats, slot_starts = tree.seats, tree.slot_starts
    others, values = np.empty(nodes), np.empty(nodes)
    for iteration in range(first_iteration, first_iteration + iterations):
        for seat in range(tree.payoffs.shape[1]):
            reach(tree, strategy, seat, others)
            for node in range(nodes - 1, -1, -1):
                infoset = infosets[node]
                if infoset < 0:
                    values[node] = tree.payoffs[node, seat]
                    continue
                values[node] = 0.0
                begin, end = slot_starts[infoset], slot_starts[infoset + 1]
                for slot in range(begin, end):
                    values[node] += strategy[slot] * values[first_children[node] + slot - begin]
                if movers[node] == seat:
                    for slot in range(begin, end):
                        gain = values[first_children[node] + slot - begin] - values[node]
                        regrets[slot] += others[node] * gain
            for infoset in range(len(seats)):
                if seats[infoset] == seat:
                    for slot in range(slot_starts[infoset], slot_starts[infoset + 1]):
                        regrets[slot] = max(regrets[slot], 0.0)
            _match(tree, seat, regrets, strategy)
            _add_up(tree, seat, iteration, strategy, values, sums)


@kernel
def _add_up(tree: Any, seat: int, weight: int, strategy: Any, own: Any, sums: Any) -> None:
    """Add a seat's strategy to the weighted sum, each information set as often as the seat itself comes there.

    `own`, by node, is written on the way.
    """
    share = np.zeros(len(tree.seats))
    for node in range(len(tree.parents)):
        parent = tree.parents[node]
        own[node] = 1.0 if parent < 0 else own[parent]
        if parent >= 0 and tree.movers[parent] == seat:
            own[node] *= strategy[tree.slots[node]]
        if tree.movers[node] == seat:
            share[tree.infosets[node]] = own[node]
    for infoset in range(len(tree.seats)):
        if tree.seats[infoset] == seat:
            for slot in range(tree.slot_starts[infoset], tree.slot_starts[infoset + 1]):
                sums[slot] += weight * share[infoset] * strategy[slot]


class Solver:
    """CFR+ on one tree, some iterations at a time. `iterations` were done so far."""

    def __init__(self, tree: Tree) -> None:
        check_is(tree, Tree, "a solver is of a tree, as grow(game) makes one")
        self.tree = tree
        self.iterations = 0
        self._strategy = tree.uniform()
        self._regrets = np.zeros(len(self._strategy))
        self._sums = np.zeros(len(self._strategy))

    def run(self, iterations: int) -> Strategy:
        """Do so many more iterations; returns the average strategy. BadInput where that is no number of iterations."""
        given: object = iterations
        if not is_whole(given) or given < 0:
            raise BadInput(f"how many iterations is a whole number from 0 on, not {value_text(iterations)}")
        if self.iterations + given > MOST_ITERATIONS:
            raise BadInput(f"{MOST_ITERATIONS} iterations in all are the most, not {value_text(iterations)} more")
        branches = self.tree.branches
        at_once = max(1, NODES_AT_ONCE // len(self.tree.parents))
        for done in range(0, iterations, at_once):
            say_how_far(f"solving {self.tree.label}: {done:,} of {iterations:,} iterations")
            more = min(at_once, iterations - done)
            _iterate(branches, self.iterations + 1, more, self._strategy, self._regrets, self._sums)
            self.iterations += more
        return self.average()

    def average(self) -> Strategy:
        """The average strategy so far; uniform at information sets that its seat has not come to."""
        counts = np.diff(self.tree.slot_starts)
        totals = np.repeat(np.add.reduceat(self._sums, self.tree.slot_starts[:-1]), counts)
        return np.divide(self._sums, totals, out=self.tree.uniform(), where=totals > 0)
