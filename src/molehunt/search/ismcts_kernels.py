"""The compiled part of information set Monte Carlo tree search: one iteration, and many of them, in any game.

Records are arrays of bytes and the game's functions are reached by their addresses (`games.calls`), so this is compiled once.
An iteration plays on in a world of its own: down the tree to a move that was never tried, from there to a value for each
seat, which is then credited to all moves on the way. A node is an information set, found by its key; its edges are the
actions tried there. An action need not be legal in every world that comes to a node, so each edge counts how often it was
available (Cowling, Powley and Whitehouse 2012, section IV-B).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.core.streams import below, derive, mix
from molehunt.games.calls import (
    GOES_ON,
    advance,
    infoset_key,
    legal,
    look,
    margins,
    payoffs,
    play_randomly,
    redact,
    to_move,
)

UCB, TUNED, PUCT = range(3)
"""Rules of selection: UCB1 and UCB1-Tuned (Auer et al. 2002), PUCT (Rosin 2011, as in Silver et al. 2017)."""

EDGE = np.dtype(
    [
        ("action", np.int32),
        ("next", np.int32),
        ("visits", np.int64),
        ("available", np.int64),
        ("value", np.float64),
        ("squares", np.float64),
    ]
)
"""A tried action of a node: the next edge of the node (-1: the last), how often it was chosen and could have been, and the sum of
its values and of their squares, each the mover's."""

NODES, EDGES, STAMP, REFUSED = range(4)
"""Entries of `Tree.counts`: nodes and edges in use, a running number for `Scratch.stamps`, how often memory was full."""

FINE, TOO_LONG, NO_WEIGHT, NO_VALUE = range(4)
"""How an iteration ends: as it should; in a play that goes on after the most moves of one; with a prior that is no
weight, or a value that is no number, after which no move would be the best."""

NO_EDGE = -1
OWN_MOVE = np.uint64(0x5E1F)
"""What stands for a searcher's own move in a chain of what they are told, beside the action."""


class Tree(NamedTuple):
    """The memory of a search. `keys` and `places` find a node (its number + 1, 0: free) by its key, in a table of 2**k places."""

    keys: Any
    places: Any
    first: Any
    visits: Any
    edges: Any
    counts: Any


class Scratch(NamedTuple):
    """What an iteration works with: records as bytes; the legal actions, their edges, scores and priors; a hash of actions."""

    seen: Any
    event: Any
    told: Any
    actions: Any
    edge_of: Any
    scores: Any
    priors: Any
    slots: Any
    stamps: Any
    stream: Any
    won: Any


class Paths(NamedTuple):
    """The ways of a block of iterations: edges and movers by depth, how many; the values of the seats; what was seen by depth.

    `seen` has as many columns as moves are noted, none where nobody will read them.
    """

    edges: Any
    movers: Any
    lengths: Any
    values: Any
    seen: Any


class Rule(NamedTuple):
    """How to search.

    The searcher's seat, whether nodes are the searcher's (else the mover's), selection, its constant, by how much a value
    that is not yet known counts less than 0, and the most moves of a play (0: any number).
    """

    searcher: int
    single: bool
    selection: int
    c: float
    loss: float
    longest: int


@kernel
def hash_bytes(data: Any) -> Any:
    """A word for an array of bytes (FNV-1a, then mixed)."""
    word = np.uint64(0xCBF29CE484222325)
    for index in range(len(data)):
        word = (word ^ np.uint64(data[index])) * np.uint64(0x100000001B3)
    return mix(word)


@kernel
def told_own(chain: Any, action: Any) -> Any:
    """What a searcher has been told, after a move of their own."""
    return derive(derive(chain, OWN_MOVE), np.uint64(np.int64(action)))


@kernel
def told(chain: Any, event: Any) -> Any:
    """What a searcher has been told, after the move of another of which this event tells them, as bytes."""
    return derive(chain, hash_bytes(event))


# --- Nodes and edges ----------------------------------------------------------------------------------------------------


@kernel
def node_of(tree: Any, key: Any, make: bool) -> Any:
    """The number of the node of a key; a new one where there is none and `make` says so, -1 where there is none or no room."""
    mask = len(tree.places) - 1
    place = np.int64(mix(key) & np.uint64(mask))
    while tree.places[place]:
        if tree.keys[place] == key:
            return np.int64(tree.places[place] - 1)
        place = (place + 1) & mask
    if not make:
        return np.int64(-1)
    node = tree.counts[NODES]
    if node >= len(tree.first):
        tree.counts[REFUSED] += 1
        return np.int64(-1)
    tree.counts[NODES] = node + 1
    tree.keys[place] = key
    tree.places[place] = node + 1
    tree.first[node] = NO_EDGE
    tree.visits[node] = 0
    return np.int64(node)


@kernel
def _new_edge(tree: Any, node: Any, action: Any) -> Any:
    """A new edge of a node, first in its list; there is room."""
    edge = tree.counts[EDGES]
    tree.counts[EDGES] = edge + 1
    tree.edges[edge].action = action
    tree.edges[edge].next = tree.first[node]
    tree.edges[edge].visits = 0
    tree.edges[edge].available = 1
    tree.edges[edge].value = 0.0
    tree.edges[edge].squares = 0.0
    tree.first[node] = edge
    return np.int64(edge)


@kernel
def _match(tree: Any, node: int, count: int, scratch: Any) -> Any:
    """Write to `edge_of` the edge of each of the first `count` actions, -1 for those never tried; how many were tried."""
    tree.counts[STAMP] += 1
    stamp, mask = tree.counts[STAMP], len(scratch.slots) - 1
    for index in range(count):
        scratch.edge_of[index] = NO_EDGE
        place = np.int64(mix(np.uint64(np.int64(scratch.actions[index]))) & np.uint64(mask))
        while scratch.stamps[place] == stamp:
            place = (place + 1) & mask
        scratch.stamps[place] = stamp
        scratch.slots[place] = index
    known = np.int64(0)
    edge = np.int64(tree.first[node])
    while edge >= 0:
        action = tree.edges[edge].action
        place = np.int64(mix(np.uint64(np.int64(action))) & np.uint64(mask))
        while scratch.stamps[place] == stamp:
            index = scratch.slots[place]
            if scratch.actions[index] == action:
                scratch.edge_of[index] = edge
                known += 1
                break
            place = (place + 1) & mask
        edge = np.int64(tree.edges[edge].next)
    return known


# --- Selection ----------------------------------------------------------------------------------------------------------


@kernel
def _untried(scratch: Any, count: int, known: int) -> Any:
    """A uniformly random action among those never tried, as an index."""
    left = below(scratch.stream, count - known)
    for index in range(count):
        if scratch.edge_of[index] == NO_EDGE:
            if left == 0:
                return np.int64(index)
            left -= 1
    return np.int64(-1)


@kernel
def _score(edge: Any, selection: int, c: float) -> float:
    """What UCB1 or UCB1-Tuned says of a tried action. Tuned bounds are for values from 0 to 1, so values are put there."""
    mean = edge.value / edge.visits
    width = math.log(edge.available) / edge.visits
    if selection == UCB:
        return mean + c * math.sqrt(2.0 * width)
    spread = max(edge.squares / edge.visits - mean * mean, 0.0) / 4.0
    return (mean + 1.0) / 2.0 + c * math.sqrt(width * min(0.25, spread + math.sqrt(2.0 * width)))


@kernel
def _score_all(prior: Any, params: Any, tree: Any, node: int, state: Any, count: int, scratch: Any, rule: Any) -> bool:
    """The scores of all actions; under PUCT also of those never tried, whose mean is taken to be that of the node.

    False where the prior of one is no weight.
    """
    if rule.selection != PUCT:
        for index in range(count):
            edge = scratch.edge_of[index]
            scratch.scores[index] = -np.inf if edge == NO_EDGE else _score(tree.edges[edge], rule.selection, rule.c)
        return True
    for index in range(count):
        scratch.priors[index] = 1.0
    if len(prior):
        payoffs(prior, state, params, scratch.priors)
    total, value, visits = 0.0, 0.0, 0.0
    for index in range(count):
        if not 0.0 <= scratch.priors[index] < np.inf:
            return False
        total += scratch.priors[index]
        edge = scratch.edge_of[index]
        if edge != NO_EDGE:
            value += tree.edges[edge].value
            visits += tree.edges[edge].visits
    root = math.sqrt(max(tree.visits[node], 1))
    room = tree.counts[EDGES] < len(tree.edges)
    for index in range(count):
        edge = scratch.edge_of[index]
        share = scratch.priors[index] / total if total > 0.0 else 1.0 / count
        mean = value / visits if visits > 0.0 else 0.0
        tries = 0.0
        if edge != NO_EDGE:
            tries = tree.edges[edge].visits
            mean = tree.edges[edge].value / tries
        scratch.scores[index] = mean + rule.c * share * root / (1.0 + tries)
        if edge == NO_EDGE and not room:
            scratch.scores[index] = -np.inf
    return True


@kernel
def _best(scratch: Any, count: int) -> Any:
    """One of the actions with the highest score, each equally likely, as an index."""
    best, ties = -np.inf, 0
    for index in range(count):
        if scratch.scores[index] > best:
            best, ties = scratch.scores[index], 1
        elif scratch.scores[index] == best:
            ties += 1
    left = below(scratch.stream, ties) if ties > 1 else np.int64(0)
    for index in range(count):
        if scratch.scores[index] == best:
            if left == 0:
                return np.int64(index)
            left -= 1
    return np.int64(-1)


# --- One iteration ------------------------------------------------------------------------------------------------------


@kernel
def descend(
    calls: Any, prior: Any, params: Any, tree: Any, scratch: Any, paths: Any, row: int, state: Any, rule: Any
) -> int:
    """Go down the tree in a world, which is played on, up to and with the first move that was never tried in its node.

    It stops earlier where the game is over or memory is full. Visits are counted now, values later (`credit`). Returns
    FINE, or NO_WEIGHT.
    """
    depth = np.int64(0)
    chain = np.uint64(0)
    for column in range(paths.seen.shape[1]):
        paths.seen[row, column] = np.uint64(0)
    while depth < paths.edges.shape[1]:
        mover = to_move(calls, state, params)
        if mover < 0:
            break
        look(calls, state, rule.searcher if rule.single else mover, params, scratch.seen)
        node = node_of(tree, derive(infoset_key(calls, scratch.seen, params), np.uint64(mover)), True)
        if node < 0:
            break
        count = legal(calls, state, params, scratch.actions)
        known = _match(tree, node, count, scratch)
        room = tree.counts[EDGES] < len(tree.edges)
        if known == 0 and not room:
            tree.counts[REFUSED] += 1
            break
        if rule.selection != PUCT and known < count and room:
            index = _untried(scratch, count, known)
        else:
            if not _score_all(prior, params, tree, node, state, count, scratch, rule):
                return NO_WEIGHT
            index = _best(scratch, count)
        for other in range(count):
            if scratch.edge_of[other] != NO_EDGE:
                tree.edges[scratch.edge_of[other]].available += 1
        tree.visits[node] += 1
        edge = np.int64(scratch.edge_of[index])
        action: Any = np.int64(scratch.actions[index])
        fresh = edge == NO_EDGE
        if fresh:
            edge = _new_edge(tree, node, action)
        tree.edges[edge].visits += 1
        tree.edges[edge].value -= rule.loss
        paths.edges[row, depth] = edge
        paths.movers[row, depth] = mover
        advance(calls, state, action, params, scratch.event)
        if depth < paths.seen.shape[1]:
            if mover == rule.searcher:
                chain = told_own(chain, action)
            else:
                scratch.told[:] = scratch.event
                redact(calls, scratch.told, state, rule.searcher, params)
                chain = told(chain, scratch.told)
            paths.seen[row, depth] = chain
        depth += 1
        if fresh:
            break
    paths.lengths[row] = depth
    return FINE


@kernel
def evaluate(
    calls: Any, rollout: Any, values: Any, params: Any, scratch: Any, paths: Any, row: int, state: Any, longest: int
) -> int:
    """Write the values of a state to those of an iteration: of the game that is played to its end, or of a given function.

    Returns FINE, NO_VALUE, or TOO_LONG where the game goes on after `longest` moves.
    """
    if len(values) and to_move(calls, state, params) >= 0:
        payoffs(values, state, params, paths.values[row])
        for seat in range(paths.values.shape[1]):
            if not np.isfinite(paths.values[row, seat]):
                return NO_VALUE
        return FINE
    if play_randomly(rollout, state, params, scratch.stream, scratch.event, scratch.actions, longest) == GOES_ON:
        return TOO_LONG
    margins(calls, state, params, scratch.won, paths.values[row])
    return FINE


@kernel
def credit(tree: Any, paths: Any, row: int, loss: float) -> None:
    """Add the values of an iteration to the moves on its way, to each its mover's."""
    for depth in range(paths.lengths[row]):
        edge = paths.edges[row, depth]
        value = paths.values[row, paths.movers[row, depth]]
        tree.edges[edge].value += loss + value
        tree.edges[edge].squares += value * value


# --- Many iterations ----------------------------------------------------------------------------------------------------


@kernel
def run_block(
    calls: Any,
    rollout: Any,
    values: Any,
    prior: Any,
    params: Any,
    tree: Any,
    scratch: Any,
    paths: Any,
    worlds: Any,
    streams: Any,
    rule: Any,
) -> int:
    """An iteration in each world, one after the other, each with a random stream of its own; the worlds are played on.

    Returns FINE, or how the first iteration ended that did not end so; there it stops.
    """
    for row in range(len(worlds)):
        scratch.stream[0] = streams[row]
        end = descend(calls, prior, params, tree, scratch, paths, row, worlds[row], rule)
        if end == FINE:
            end = evaluate(calls, rollout, values, params, scratch, paths, row, worlds[row], rule.longest)
        if end != FINE:
            return end
        credit(tree, paths, row, rule.loss)
    return FINE


@kernel
def descend_block(
    calls: Any,
    prior: Any,
    params: Any,
    tree: Any,
    scratch: Any,
    paths: Any,
    worlds: Any,
    streams: Any,
    rule: Any,
) -> int:
    """The first half of an iteration in each world: the worlds become the states whose values are wanted.

    Returns FINE, or NO_WEIGHT.
    """
    for row in range(len(worlds)):
        scratch.stream[0] = streams[row]
        if descend(calls, prior, params, tree, scratch, paths, row, worlds[row], rule) != FINE:
            return NO_WEIGHT
    return FINE


@kernel
def credit_block(tree: Any, paths: Any, count: int, loss: float) -> None:
    """The second half, when the values of all are known."""
    for row in range(count):
        credit(tree, paths, row, loss)
