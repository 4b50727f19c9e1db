"""What the studies of Speed Clue measure: how many rounds a solution takes, and who wins in a mix of players."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from molehunt.agents.registry import Agents
from molehunt.arena.statistics import Z
from molehunt.core.agent import Agent
from molehunt.core.game import Game
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.speed_clue.game import check_game

CHUNK, SLOW_CHUNK = 1024, 16
"""Games that advance in lockstep in one thread; fewer where a player thinks about each view alone."""


@dataclass(frozen=True)
class Cell:
    """Games of one kind played: turns until the end of each, and the winning seat (-1: undecided)."""

    turns: npt.NDArray[np.int64]
    winners: npt.NDArray[np.int64]


def turns_of(game: Game, agents: Sequence[Agent], games: int, seed: int, pool: ThreadPoolExecutor) -> Cell:
    """Play games of one seating; the same for any number of threads."""
    clue = check_game("the study", game)
    chunk = CHUNK if all(agent.in_batches for agent in agents) else SLOW_CHUNK

    def part(first: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        played = play(game, agents, game_seeds(seed, first, min(chunk, games - first)))
        wins = game.wins(played.states)
        return clue.turns(played.states), np.where(wins.any(axis=1), wins.argmax(axis=1), -1)

    parts = list(pool.map(part, range(0, games, chunk)))
    return Cell(np.concatenate([turns for turns, _ in parts]), np.concatenate([winners for _, winners in parts]))


def rounds_begun(turns: npt.NDArray[np.int64], seats: int) -> npt.NDArray[np.float64]:
    """Rounds counted from 1: the round in which the solution is found counts."""
    return np.ceil(turns / seats)


def rounds_complete(turns: npt.NDArray[np.int64], seats: int) -> npt.NDArray[np.float64]:
    """Rounds counted when they are complete: the one in which the solution is found does not count."""
    return np.floor((turns - 1) / seats)


COUNTS = {"begun": rounds_begun, "complete": rounds_complete}
"""Ways to count rounds, by name; the first is the plain one. (Turns divided by seats is none: all printed means are multiples of
1/500, so rounds were whole numbers.)"""


def self_play(agent: str, seats: int, deal: int, games: int, seed: int, pool: ThreadPoolExecutor) -> Cell:
    """Games of one player against itself, on a listed deal or (deal 0) on random ones."""
    game = make_game("speed_clue", "mitchell" if not deal else f"mitchell:deal={deal}", seats)
    return turns_of(game, [Agents("speed_clue").make(agent)] * seats, games, seed, pool)


def arrangements(first: int, seats: int) -> list[tuple[int, ...]]:
    """Every different seating of `first` players of kind 0 and the rest of kind 1."""
    return sorted(set(permutations([0] * first + [1] * (seats - first))))


def mix(
    kinds: tuple[str, str], first: int, seats: int, games: int, seed: int, pool: ThreadPoolExecutor
) -> tuple[int, int]:
    """(wins of the first kind, games) of random deals, the games spread evenly over all seatings.

    Where there are fewer games than seatings, each has a seating drawn by the seed.
    """
    game = make_game("speed_clue", "mitchell", seats)
    agents = [Agents("speed_clue").make(kind) for kind in kinds]
    seatings = arrangements(first, seats)
    if games < len(seatings):
        drawn = np.random.default_rng(seed).choice(len(seatings), games, replace=False)
        seatings = [seatings[number] for number in drawn]
    each = -(-games // len(seatings))
    wins = 0
    for number, seating in enumerate(seatings):
        cell = turns_of(game, [agents[kind] for kind in seating], each, seed * 1009 + number, pool)
        kind_of = np.array([*seating, -1])
        wins += int((kind_of[cell.winners] == 0).sum())
    return wins, each * len(seatings)


def mean_interval(values: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    """(mean, low, high) at 95 %."""
    mean = float(values.mean())
    half = Z * float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else float("inf")
    return mean, mean - half, mean + half
