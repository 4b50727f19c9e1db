"""Relations between worlds as rows of bits, and what a model checker does with them.

A set of n worlds is a uint64[words] with words = ceil(n / 64): world w is bit w % 64 of word w // 64. The bits from n on
are zero, always. The relation of one agent is a uint64[n, words]: row w is the set of the worlds that the agent holds
possible in world w. The relations of several agents are a uint64[agents, n, words].

The names of the properties of frames, and which axiom each one stands for, are those of Fagin, Halpern, Moses and Vardi,
Reasoning About Knowledge (1995), section 3.1: reflexive T, serial D, transitive 4, Euclidean 5, symmetric B.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.kernels import bit, kernel, lowest, without_lowest

NONE = np.uint64(0)
WORD = 64

Words = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]


def words_for(worlds: int) -> int:
    """How many words a set of that many worlds takes."""
    return -(-worlds // WORD)


def pack(mask: npt.NDArray[Any]) -> Words:
    """bool[..., n] as uint64[..., words]."""
    worlds = mask.shape[-1]
    padded = np.zeros((*mask.shape[:-1], words_for(worlds) * WORD), np.bool_)
    padded[..., :worlds] = mask
    packed = np.packbits(padded, axis=-1, bitorder="little")
    return packed.view(np.dtype("<u8")).astype(np.uint64)


def unpack(words: Words, worlds: int) -> Mask:
    """The opposite of `pack`: uint64[..., words] as bool[..., n]."""
    octets = np.ascontiguousarray(words.astype(np.dtype("<u8"))).view(np.uint8)
    return np.unpackbits(octets, axis=-1, count=worlds, bitorder="little").astype(np.bool_)


# ---- The operators


@kernel
def box(rows: Any, truth: Any) -> Any:
    """The worlds whose whole row lies in the set `truth`: where "in all worlds held possible" is true."""
    found = np.zeros(truth.shape[0], np.uint64)
    for world in range(rows.shape[0]):
        inside = True
        for word in range(truth.shape[0]):
            if rows[world, word] & ~truth[word] != NONE:
                inside = False
                break
        if inside:
            found[world >> 6] |= bit(world & 63)
    return found


@kernel
def union(rows: Any, agents: Any) -> Any:
    """The union of the relations of some agents (int64 positions in `rows`, at least one): a uint64[n, words]."""
    joined = rows[agents[0]].copy()
    for agent in agents[1:]:
        for world in range(rows.shape[1]):
            for word in range(rows.shape[2]):
                joined[world, word] |= rows[agent, world, word]
    return joined


@kernel
def converse(rows: Any) -> Any:
    """The relation read backwards: row v is the set of the worlds in whose rows v is."""
    backwards = np.zeros(rows.shape, np.uint64)
    for world in range(rows.shape[0]):
        for word in range(rows.shape[1]):
            left = rows[world, word]
            while left != NONE:
                backwards[(word << 6) + lowest(left), world >> 6] |= bit(world & 63)
                left = without_lowest(left)
    return backwards


@kernel
def box_of_closure(backwards: Any, truth: Any, everything: Any) -> Any:
    """`box` for the transitive closure of a relation, given its converse.

    One search backwards from the worlds outside `truth` finds all worlds from which such a world is reached in one step
    or more; the others are the answer. Every row is read at most once, so long chains cost no more than short ones.
    """
    words = truth.shape[0]
    reaching = np.zeros(words, np.uint64)
    queued = everything & ~truth
    queue = np.empty(backwards.shape[0], np.int64)
    waiting = 0
    for word in range(words):
        left = queued[word]
        while left != NONE:
            queue[waiting] = (word << 6) + lowest(left)
            waiting += 1
            left = without_lowest(left)
    taken = 0
    while taken < waiting:
        world = queue[taken]
        taken += 1
        for word in range(words):
            reaching[word] |= backwards[world, word]
            left = backwards[world, word] & ~queued[word]
            queued[word] |= left
            while left != NONE:
                queue[waiting] = (word << 6) + lowest(left)
                waiting += 1
                left = without_lowest(left)
    return everything & ~reaching


# ---- Properties of frames


@kernel
def reflexive(rows: Any) -> bool:
    """Whether every world is in its own row."""
    for world in range(rows.shape[0]):
        if rows[world, world >> 6] & bit(world & 63) == NONE:
            return False
    return True


@kernel
def serial(rows: Any) -> bool:
    """Whether no row is empty."""
    for world in range(rows.shape[0]):
        empty = True
        for word in range(rows.shape[1]):
            if rows[world, word] != NONE:
                empty = False
        if empty:
            return False
    return True


@kernel
def symmetric(rows: Any) -> bool:
    """Whether w is in the row of v wherever v is in the row of w."""
    for world in range(rows.shape[0]):
        for word in range(rows.shape[1]):
            left = rows[world, word]
            while left != NONE:
                if rows[(word << 6) + lowest(left), world >> 6] & bit(world & 63) == NONE:
                    return False
                left = without_lowest(left)
    return True


@kernel
def part_of(rows: Any, world: int, other: int) -> bool:
    """Whether the row of one world is part of the row of another."""
    for word in range(rows.shape[1]):
        if rows[world, word] & ~rows[other, word] != NONE:
            return False
    return True


@kernel
def transitive(rows: Any) -> bool:
    """Whether the row of every world in a row is part of that row."""
    for world in range(rows.shape[0]):
        for word in range(rows.shape[1]):
            left = rows[world, word]
            while left != NONE:
                if not part_of(rows, (word << 6) + lowest(left), world):
                    return False
                left = without_lowest(left)
    return True


@kernel
def euclidean(rows: Any) -> bool:
    """Whether a row is part of the row of every world in it."""
    for world in range(rows.shape[0]):
        for word in range(rows.shape[1]):
            left = rows[world, word]
            while left != NONE:
                if not part_of(rows, world, (word << 6) + lowest(left)):
                    return False
                left = without_lowest(left)
    return True


# ---- New models from old ones


@kernel
def product(rows: Any, worlds: Any, events: Any, allowed: Any) -> Any:
    """The relations of a product of a model with events.

    rows: uint64[agents, n, words]; worlds, events: int64[m], the old world and the event of each new world; allowed:
    bool[agents, events, events], whether an agent holds the second event possible when the first one happens. A new world
    holds another one possible where both its parts do. With one event, `worlds` alone chooses: that is a restriction.
    """
    size = worlds.shape[0]
    made = np.zeros((rows.shape[0], size, (size + 63) >> 6), np.uint64)
    for agent in range(rows.shape[0]):
        for new in range(size):
            row = rows[agent, worlds[new]]
            open_to = allowed[agent, events[new]]
            for other in range(size):
                world = worlds[other]
                if open_to[events[other]] and row[world >> 6] & bit(world & 63) != NONE:
                    made[agent, new, other >> 6] |= bit(other & 63)
    return made
