"""The setups of `veldhuis2012`: how their rounds are played, and what is counted in them."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.kripke_parameters import STRATEGIES
from molehunt.arena.pieces import in_one_stream
from molehunt.arena.statistics import Z
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


@dataclass(frozen=True)
class Tally:
    """What rounds of one setup came to.

    `saboteur_wins` and `all_true` (every agent believed the true state at the end) count rounds, `failures` the agents that did not
    believe it; `states` are the believed states of every agent, as sum and as sum of squares of the means of the rounds.
    """

    rounds: int = 0
    saboteur_wins: int = 0
    all_true: int = 0
    failures: int = 0
    states: float = 0.0
    squares: float = 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(a + b for a, b in zip(dataclasses.astuple(self), dataclasses.astuple(other), strict=True)))

    def mean_states(self) -> tuple[float, float, float]:
        """(mean number of states that an agent believes at the end, its interval), over rounds."""
        mean = self.states / self.rounds
        spread = max(self.squares / self.rounds - mean * mean, 0.0)
        half = Z * math.sqrt(spread / self.rounds)
        return mean, mean - half, mean + half


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
    states = believed.sum(axis=2).mean(axis=1)
    return Tally(
        rounds=rounds,
        saboteur_wins=int((played.states["outcome"] != GOLD_FOUND).sum()),
        all_true=int(holds_true.all(axis=1).sum()),
        failures=int((~holds_true).sum()),
        states=float(states.sum()),
        squares=float((states**2).sum()),
    )


def watch_range(setup: Setup, seed: int, first: int, rounds: int) -> Tally:
    """The same for some rounds of a run."""
    return watch(setup, game_seeds(seed, first, rounds))


def tally_of(setup: Setup, games: int, seed: int, workers: Workers, played: Callable[[int], None]) -> Tally:
    """The tally of one setup; `played` hears of rounds that have been played."""
    found = Tally()
    pieces = [(setup, seed, first, min(CHUNK, games - first)) for first in range(0, games, CHUNK)]
    for tally in each_in_order(workers, watch_range, pieces):
        found += tally
        played(tally.rounds)
    return found


def tallies(todo: Sequence[Setup], games: int, seed: int, workers: Workers, tell: Tell) -> dict[Setup, Tally]:
    """The tally of each setup that could be played to its end, all of them on the same deals, played as one stream."""
    progress = Progress(tell, games * len(todo))

    def play_one(setup: Setup, stream: Workers) -> Tally:
        return tally_of(setup, games, seed, stream, progress.played)

    found = in_one_stream(workers, {setup.agent: partial(play_one, setup) for setup in todo})
    return {setup: found[setup.agent] for setup in todo if setup.agent in found}
