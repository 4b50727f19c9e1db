"""Learned players that have learned nothing: networks of random weights for whatever table they sit down at."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from molehunt.agents import networks
from molehunt.agents.learned import LearnedAgent, Told
from molehunt.agents.networks import Network
from molehunt.core.game import Game

WIDTH, JOINT = 16, 8


@lru_cache(64)
def random_network(sizes: tuple[int, int], seed: int = 1, history: int = 0) -> Network:
    """A small network for positions and moves of these sizes, that is told so many of the last moves."""
    shape = (sizes[0], WIDTH, sizes[1], JOINT)
    flat = np.random.default_rng(seed).standard_normal(networks.size_of(shape)) / 10
    return networks.from_flat(flat.astype(np.float32), shape, {networks.HISTORY: str(history)})


def untrained(kind: type[LearnedAgent], beliefs: bool = False, history: int = 0) -> LearnedAgent:
    """A learned player of a game that plays with a random network, by chance, in every ruleset and with any number of seats."""

    class Untrained(kind):  # type: ignore[misc, valid-type]
        def network(self, game: Game) -> Network:
            return random_network(self.sizes(game, Told(beliefs, history)), history=history)

    name = "learned" + ":told beliefs" * beliefs + f":told {history} moves" * bool(history)
    agent: LearnedAgent = Untrained.of(random_network((1, 1)), 1.0, name)
    return agent
