"""The setups of `veldhuis2012`: how their rounds are played, and what is counted in them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.kripke_parameters import STRATEGIES
from molehunt.arena.pieces import in_one_stream
from molehunt.arena.workers import Workers, each_in_order
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.state import GOLD_FOUND
from molehunt.studies.study import Progress, Tell

RULESET = "veldhuis:rounds=1"
"""Rounds, not games, as in the paper: roles are dealt anew in every round, and players forget."""
SEATS = 5
PLAYER = "kripke-2012"
DEPTHS = (1, 2)
FACTORS = (1.5, 5.0)
CHUNK = 500
"""Rounds that are played together."""


@dataclass(frozen=True)
class Setup:
    """One of the paper's configurations, with what differs from the normal numbers of the player."""

    strategy: str
    depth: int
    factor: float
    changes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As ids name it: strategy, depth, factor."""
        return f"{self.strategy}-{self.depth}-{self.factor:g}"

    @property
    def agent(self) -> str:
        """The player that sits on all seats."""
        items = (f"strategy={self.strategy}", f"depth={self.depth}", f"disbelief={self.factor}", *self.changes)
        return f"{PLAYER}:{','.join(items)}"


def setups(changes: tuple[str, ...] = ()) -> list[Setup]:
    """The twelve setups, in the order of the report."""
    return [Setup(s, d, f, changes) for s in STRATEGIES for d in DEPTHS for f in FACTORS]


@dataclass(frozen=True, eq=False)
class Tally:
    """What rounds of one setup came to, in the order of the deals; shape (rounds,) each.

    `won` says whether the saboteurs won, `lost` how many agents did not believe the true state at the end, `believed` how
    many states an agent believed then, on average. All setups see the same deals, so what is said of several is reckoned
    by deals.
    """

    won: npt.NDArray[np.bool_]
    lost: npt.NDArray[np.int64]
    believed: npt.NDArray[np.float64]

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return len(self.won)

    @property
    def all_true(self) -> npt.NDArray[np.bool_]:
        """After which rounds every agent believed the true state."""
        true: npt.NDArray[np.bool_] = self.lost == 0
        return true

    def __add__(self, other: Tally) -> Tally:
        """These rounds, then the other ones."""
        pairs = zip(dataclasses.astuple(self), dataclasses.astuple(other), strict=True)
        return Tally(*(np.concatenate(pair) for pair in pairs))


def watch(setup: Setup, seeds: npt.NDArray[np.uint64]) -> Tally:
    """Play a round for each seed and look at what every agent believes at its end."""
    game = make_game("saboteur", RULESET, SEATS)
    agent = Agents("saboteur").make(setup.agent)
    played = play(game, [agent] * SEATS, seeds)
    memory: Any = played.chairs[0].memory
    rounds = len(seeds)
    believed = memory.believed()[:, 0].reshape(rounds, SEATS, -1)
    roles = game.roles_of(played.states)
    true_state = (memory.roles.T[None] == roles[:, None]).all(axis=2).argmax(axis=1)
    holds_true = believed[np.arange(rounds), :, true_state]
    return Tally(
        won=played.states["outcome"] != GOLD_FOUND,
        lost=(~holds_true).sum(axis=1),
        believed=believed.sum(axis=2).mean(axis=1),
    )


def watch_range(setup: Setup, seed: int, first: int, rounds: int) -> Tally:
    """The same for some rounds of a run."""
    return watch(setup, game_seeds(seed, first, rounds))


def tally_of(setup: Setup, games: int, seed: int, workers: Workers, played: Callable[[int], None]) -> Tally:
    """The tally of one setup; `played` hears of rounds that have been played."""
    pieces = [(setup, seed, first, min(CHUNK, games - first)) for first in range(0, games, CHUNK)]
    parts = []
    for tally in each_in_order(workers, watch_range, pieces):
        parts.append(tally)
        played(tally.rounds)
    return sum(parts[1:], parts[0])


def tallies(todo: Sequence[Setup], games: int, seed: int, workers: Workers, tell: Tell) -> dict[Setup, Tally]:
    """The tally of each setup that could be played to its end, all of them on the same deals, played as one stream."""
    progress = Progress(tell, games * len(todo))

    def play_one(setup: Setup, stream: Workers) -> Tally:
        return tally_of(setup, games, seed, stream, progress.played)

    found = in_one_stream(workers, {setup.agent: partial(play_one, setup) for setup in todo})
    return {setup: found[setup.agent] for setup in todo if setup.agent in found}
