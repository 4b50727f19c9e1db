"""What strategies are worth on a game tree: expected payoffs, best responses, and how far a profile is from equilibrium.

All of it is exact, one pass over the nodes. A best response is found level by level from the ends: at an information set the
seat's own past moves are known, so only chance and the others weigh its nodes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput, check_is, value_text
from molehunt.core.kernels import kernel
from molehunt.core.numbers import is_whole
from molehunt.core.seats import NOBODY
from molehunt.search.trees import Strategy, Tree

ROUNDING = 1e-4
"""By how much the numbers of a strategy may miss 1 in their sum: they may come from a file, rounded."""


@kernel
def reach(tree: Any, strategy: Any, without: int, out: Any) -> None:
    """How likely each node is to be reached, the moves of the seat `without` counting as certain (NOBODY: none of them)."""
    parents, slots, movers = tree.parents, tree.slots, tree.movers
    for node in range(len(parents)):
        parent = parents[node]
        if parent < 0:
            out[node] = tree.chances[node]
        elif movers[parent] == without:
            out[node] = out[parent]
        else:
            out[node] = out[parent] * strategy[slots[node]]


@kernel
def _respond(tree: Any, others: Any, seat: int, values: Any, totals: Any, response: Any) -> float:
    """The value of a best response of a seat; it is written to the seat's slots of `response`, its values to `totals`.

    `others`, by node, is how likely the others and chance come there; `values` is written on the way.
    """
    movers, infosets, first_children = tree.movers, tree.infosets, tree.first_children
    level_starts, slot_starts, payoffs = tree.level_starts, tree.slot_starts, tree.payoffs[:, seat]
    for level in range(len(level_starts) - 2, -1, -1):
        first, last = level_starts[level], level_starts[level + 1]
        for node in range(first, last):
            infoset = infosets[node]
            if infoset < 0:
                values[node] = others[node] * payoffs[node]
                continue
            values[node] = 0.0
            for slot in range(slot_starts[infoset], slot_starts[infoset + 1]):
                child = first_children[node] + slot - slot_starts[infoset]
                if movers[node] == seat:
                    totals[slot] += values[child]
                else:
                    values[node] += values[child]
        # The nodes of an information set lie on one level: its totals are complete now.
        for node in range(first, last):
            if movers[node] == seat:
                infoset = infosets[node]
                begin = slot_starts[infoset]
                best = begin
                for slot in range(begin + 1, slot_starts[infoset + 1]):
                    if totals[slot] > totals[best]:
                        best = slot
                for slot in range(begin, slot_starts[infoset + 1]):
                    response[slot] = 1.0 if slot == best else 0.0
                values[node] = values[first_children[node] + best - begin]
    total = 0.0
    for node in range(level_starts[1]):
        total += values[node]
    return total


def checked(tree: Tree, strategy: Strategy) -> Strategy:
    """A strategy of a tree as kernels take it; BadInput where it is none."""
    check_is(tree, Tree, "strategies are of a tree, as grow(game) makes one")
    given = np.asarray(strategy)
    slots = len(tree.actions)
    if given.shape != (slots,) or given.dtype.kind not in "fiu":
        raise BadInput(
            f"a strategy of this tree of {tree.label} has a number for each of {slots} slots, not {given.dtype} of shape "
            f"{given.shape}"
        )
    if not (given >= 0).all() or (np.abs(np.add.reduceat(given, tree.slot_starts[:-1]) - 1) > ROUNDING).any():
        raise BadInput("the numbers of a strategy are not negative, and sum to 1 at each information set")
    return np.ascontiguousarray(given, np.float64)


def _check_seat(tree: Tree, seat: int) -> None:
    given: object = seat
    if not is_whole(given) or not 0 <= given < tree.players:
        raise BadInput(f"{tree.label} has seats 0 to {tree.players - 1}, not {value_text(seat)}")


def reaches(tree: Tree, strategy: Strategy, without: int = NOBODY) -> npt.NDArray[np.float64]:
    """How likely each node is to be reached, shape (nodes,); the moves of the seat `without` count as certain.

    BadInput where the strategy is none of this tree.
    """
    strategy = checked(tree, strategy)
    out = np.empty(tree.histories)
    reach(tree.branches, strategy, without, out)
    return out


def expected_payoffs(tree: Tree, strategy: Strategy) -> npt.NDArray[np.float64]:
    """What each seat is paid on average where all play this strategy: shape (seats,).

    BadInput where it is none of this tree.
    """
    result: npt.NDArray[np.float64] = reaches(tree, strategy) @ tree.payoffs
    return result


def best_response(tree: Tree, strategy: Strategy, seat: int) -> tuple[float, Strategy]:
    """What a seat is paid on average where it knows the strategy of the others and answers best, and that answer.

    The answer is the given strategy with the seat's slots replaced by one action at each of its information sets, the first
    of the best. BadInput where there is no such seat, or the strategy is none of this tree.
    """
    _check_seat(tree, seat)
    response = checked(tree, strategy).copy()
    others = reaches(tree, response, seat)
    value = _respond(tree.branches, others, seat, np.empty(tree.histories), np.zeros(len(strategy)), response)
    return float(value), response


def nash_conv(tree: Tree, strategy: Strategy) -> float:
    """How much the seats would win together, each by answering best while the others stay: 0 in a Nash equilibrium."""
    payoffs = expected_payoffs(tree, strategy)
    return float(sum(best_response(tree, strategy, seat)[0] - payoffs[seat] for seat in range(tree.players)))


def exploitability(tree: Tree, strategy: Strategy) -> float:
    """`nash_conv` per seat, as it is usually given (Lanctot et al. 2019, OpenSpiel)."""
    return nash_conv(tree, strategy) / tree.players
