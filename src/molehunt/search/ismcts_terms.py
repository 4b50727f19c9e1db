"""What goes into an information set Monte Carlo tree search, and what comes out of it (`search.ismcts`)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput, value_text
from molehunt.core.numbers import is_whole
from molehunt.search.ismcts_kernels import PUCT, TUNED, UCB

SELECTIONS = {"ucb": UCB, "tuned": TUNED, "puct": PUCT}
SINGLE, MANY = "single", "many"
MOST_DEPTH = 256
"""Moves of a tree at most, from its root."""
MOST_NOTED = 16
"""Moves from the root that are noted for inference at most."""


@dataclass(frozen=True)
class Settings:
    """How to search.

    `iterations` and `seconds` bound a search, 0 means no bound. `selection` is "ucb" (UCB1), "tuned" (UCB1-Tuned) or "puct",
    and `c` its constant, for values from -1 to 1. `trees` is "many" or "single". `roots` independent trees share the
    iterations; `threads` of them run at once, which changes no result. A tree has at most `nodes` nodes and as many edges;
    where it is full, iterations end where they leave it. `bluffing` is the share of iterations in worlds that others hold
    possible; it comes first (the schemes SPLIT and BLUFF of Cowling, Whitehouse and Powley 2015, section IV). `noted` is how
    many moves from the root are noted for inference (`search.inference`).
    """

    iterations: int = 1000
    seconds: float = 0.0
    c: float = 1.0
    selection: str = "ucb"
    trees: str = MANY
    roots: int = 1
    threads: int = 1
    nodes: int = 1 << 18
    bluffing: float = 0.0
    noted: int = 0

    def __post_init__(self) -> None:
        for name in ("iterations", "roots", "threads", "nodes", "noted"):
            given: object = getattr(self, name)
            if not is_whole(given):
                raise BadInput(f"{name} of a search is a whole number, not {value_text(given)}")
        if self.iterations < 0 or not self.seconds >= 0 or not (self.iterations or self.seconds):
            raise BadInput("a search needs a bound: iterations or seconds above 0")
        if self.selection not in SELECTIONS:
            raise BadInput(f"selection is one of {', '.join(SELECTIONS)}, not {self.selection!r}")
        if self.trees not in {SINGLE, MANY}:
            raise BadInput(f"trees is {SINGLE} or {MANY}, not {self.trees!r}")
        if not 0 <= self.c < float("inf"):
            raise BadInput(f"the constant of selection is not negative, not {self.c}")
        if min(self.roots, self.threads, self.nodes) < 1:
            raise BadInput("a search needs at least 1 root, 1 thread and 1 node")
        if not 0 <= self.bluffing < 1:
            raise BadInput(f"the share of bluffing iterations is at least 0 and less than 1, not {self.bluffing}")
        if self.bluffing and self.trees == SINGLE:
            raise BadInput("bluffing needs trees=many: in a single tree the others know what the searcher does")
        if not 0 <= self.noted <= MOST_NOTED:
            raise BadInput(f"0 to {MOST_NOTED} moves are noted, not {self.noted}")


@dataclass(frozen=True)
class Noted:
    """What inference reads of a search: a row an iteration.

    `chains`, shape (n, noted): a word for what the searcher was told up to each move in the tree, 0 beyond it. `sets`, shape (n,):
    the seats that held role 1 in its world. `as_others`, shape (n,): whether the world was one that others hold possible.
    """

    chains: npt.NDArray[np.uint64]
    sets: npt.NDArray[np.int64]
    as_others: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Found:
    """What a search found at its root.

    For each legal action, in their order: `visits`, the mean `values` of the searcher, their standard `deviations` (0 where
    there is no visit), and the visits `as_others`, in worlds that others hold possible and in which the searcher would know
    something else. Then the number of iterations, of
    nodes, how often the memory was full, and what inference reads.
    """

    actions: npt.NDArray[np.int32]
    visits: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]
    deviations: npt.NDArray[np.float64]
    as_others: npt.NDArray[np.int64]
    iterations: int
    nodes: int
    refused: int
    noted: Noted

    @property
    def best(self) -> int:
        """The action that was tried most, the better one of two; BadInput where it was not the searcher's move."""
        return int(self.actions[self._most(self.visits)])

    @property
    def bluff(self) -> int:
        """The action of the rule BLUFF: of those not significantly worse than the best, the one tried most in all worlds.

        Cowling, Whitehouse and Powley (2015), equation (3): the mean is less than one standard deviation below that of the best.
        """
        best = self._most(self.visits)
        near = self.values[best] - self.values < np.minimum(self.deviations[best], self.deviations)
        near = (near & (self.visits > 0)) | (np.arange(len(self.actions)) == best)
        return int(self.actions[self._most(np.where(near, self.visits + self.as_others, -1))])

    def _most(self, counts: npt.NDArray[np.int64]) -> int:
        if not len(self.actions):
            raise BadInput("it is not the searcher's move")
        return int(np.lexsort((-self.values, -counts))[0])
