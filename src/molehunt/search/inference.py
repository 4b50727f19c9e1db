"""Who holds which role, read from what a search found: the tree's statistics as a model of the others.

A search notes for each iteration which seats held role 1 in its world, and what the searcher would have been told of each move in
the tree (`ismcts_terms.Noted`). When the others then move, the iterations that went the same way say in which worlds such a move is
chosen. Two ways to read them:

* `cowling`: Cowling, Whitehouse and Powley (2015), equation (2): the belief moves to the share of the role sets among the
  iterations that went this way, by as much as these are of all iterations.
* `bayes`: the rule of Bayes. How likely a move is in the worlds of a role set is the share of their iterations that
  came this far and went on with it; few iterations are drawn to the share over all role sets, as by `PULL` further ones.

Neither lets a role set vanish by chance; sets that cannot be are never drawn by `resample`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from molehunt.search.ismcts_terms import Noted
from molehunt.search.worlds import Weights

COWLING, BAYES = "cowling", "bayes"
WAYS = (COWLING, BAYES)
PULL = 10.0
"""So many iterations are added to those of each role set, that went on as all role sets together did."""


def followed(noted: Noted, chain: int, depth: int, *, as_others: bool) -> npt.NDArray[np.bool_]:
    """The iterations, of one kind of worlds, whose moves up to number `depth` were told as `chain`: shape (n,)."""
    if depth >= noted.chains.shape[1]:
        return np.zeros(len(noted.chains), np.bool_)
    result: npt.NDArray[np.bool_] = (noted.chains[:, depth] == np.uint64(chain)) & (noted.as_others == as_others)
    return result


def updated(
    weights: Weights, noted: Noted, before: int, chain: int, depth: int, way: str, *, as_others: bool = False
) -> Weights:
    """The weights of role sets, shape (2**seats,), after a move of another, number `depth` from the root of the search.

    `before` and `chain` are what the searcher had been told before and after it. `as_others` reads the worlds that others hold
    possible, for what an onlooker believes. Where no iteration went this way, the weights stay as they are.
    """
    went = followed(noted, chain, depth, as_others=as_others)
    if not went.any():
        return weights
    size = len(weights)
    counts = np.bincount(noted.sets[went], minlength=size).astype(np.float64)
    if way == COWLING:
        pace = went.sum() / max(int((noted.as_others == as_others).sum()), 1)
        return (1 - pace) * weights / weights.sum() + pace * counts / counts.sum()
    came = noted.chains[:, depth] != 0
    came &= noted.as_others == as_others
    if depth:
        came &= noted.chains[:, depth - 1] == np.uint64(before)
    reached = np.bincount(noted.sets[came], minlength=size)
    share = went.sum() / came.sum()
    result: Weights = weights * (counts + PULL * share) / (reached + PULL)
    result /= result.sum()
    return result
