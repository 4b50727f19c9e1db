"""Worlds for a search: states that a seat holds possible, drawn by the game's own `resample`.

A world may be drawn with weights for the sets of seats that hold role 1, and drawn worlds may be weighed by a function of
the caller's (importance resampling). Worlds that the *others* hold possible, though the searcher knows better, are what Cowling,
Whitehouse and Powley (2015, section IV) call self-determinizations: here a walk from world to world, each drawn from what some
seat sees of the one before. Such a walk leaves what an onlooker believes as it is and forgets what the searcher knows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput
from molehunt.core.game import Game, States, Views
from molehunt.core.streams import SEED_BITS, game_seeds

HOPS = 3
"""Draws from the view of a seat between a world that the searcher holds possible and one that others do."""
POOL = 4
"""Worlds that are drawn for each one that is kept, where they are weighed."""
FIRST_DRAWS = 1024
"""Worlds from which the first weights of role sets are taken."""
UNSEEN = 1e-3
"""How many draws a set counts as that was never drawn; sets that cannot be are never drawn whatever they count."""

Weights = npt.NDArray[np.float64]
Weigh = Callable[[States], Weights]


def _stream(seed: int, label: int) -> int:
    """The seed of a stream of its own."""
    return int(game_seeds(seed, label, 1)[0])


def role_sets(game: Game, states: States) -> npt.NDArray[np.int64]:
    """The set of seats that hold role 1 in each state (seat s at bit s): shape (n,); 0 in games without roles."""
    held = game.roles_of(states) == 1
    result: npt.NDArray[np.int64] = held @ (1 << np.arange(game.seats, dtype=np.int64))
    return result


def _kept(states: States, weights: Weights, count: int, seed: int) -> States:
    """So many of the drawn worlds, each as often as its weight says (systematic resampling)."""
    if weights.shape != (len(states),) or not np.isfinite(weights).all() or (weights < 0).any():
        raise BadInput(f"weigh must give a finite weight, not negative, for each of {len(states)} worlds")
    if not weights.sum():
        return states[:count]
    marks = (np.arange(count) + seed / 2**SEED_BITS) * (weights.sum() / count)
    kept: States = states[np.minimum(np.searchsorted(np.cumsum(weights), marks, side="right"), len(states) - 1)]
    return kept


@dataclass(frozen=True)
class Sampler:
    """Draws worlds that fit a view, shape (1,).

    `weights` and `others`, shape (2**seats,), weigh the sets of seats with role 1: for what the searcher believes, and for what an
    onlooker does; None: as likely as the deal makes them. `weigh` takes states and gives a weight each, shape (n,), not negative.
    """

    game: Game
    view: Views
    seat: int
    weights: Weights | None = None
    others: Weights | None = None
    weigh: Weigh | None = None

    def draw(self, seed: int, first: int, count: int) -> States:
        """Worlds number `first` to `first + count - 1` of the stream that `seed` starts; weighed ones depend on the block, too."""
        drawn = count if self.weigh is None else count * POOL
        streams = game_seeds(seed, first if self.weigh is None else first * POOL, drawn)
        states = self.game.resample(np.repeat(self.view, drawn), streams, self.weights)
        if self.weigh is None:
            return states
        return _kept(states, np.asarray(self.weigh(states), np.float64), count, _stream(seed ^ 1, first))

    def draw_as_others(self, seed: int, first: int, count: int) -> States:
        """As `draw`, worlds that some others may hold possible: what the searcher alone knows is drawn anew."""
        states = self.game.resample(np.repeat(self.view, count), game_seeds(seed, first, count), self.weights)
        seats = np.full(count, self.seat, np.int64)
        for hop in range(HOPS):
            chances = game_seeds(_stream(seed, 2 * hop + 1), first, count)
            seats = (seats + 1 + (chances % np.uint64(max(self.game.seats - 1, 1))).astype(np.int64)) % self.game.seats
            views = self.game.views(states, seats.astype(np.int8))
            states = self.game.resample(views, game_seeds(_stream(seed, 2 * hop + 2), first, count), self.others)
        return states


def first_weights(game: Game, view: Views, seat: int, seed: int, *, as_others: bool = False) -> Weights:
    """How likely each set of seats is to hold role 1, shape (2**seats,), to a seat at a view, or to an onlooker; from draws."""
    sampler = Sampler(game, view, seat)
    states = (sampler.draw_as_others if as_others else sampler.draw)(seed, 0, FIRST_DRAWS)
    counts = np.bincount(role_sets(game, states), minlength=1 << game.seats) + UNSEEN
    result: Weights = counts / counts.sum()
    return result


def seat_chances(weights: Weights, seats: int) -> npt.NDArray[np.float64]:
    """The chance that each seat holds role 1: shape (seats,)."""
    member = (np.arange(len(weights))[:, None] >> np.arange(seats)) & 1
    total = weights.sum()
    result: npt.NDArray[np.float64] = weights @ member / (total if total > 0 else 1.0)
    return result
