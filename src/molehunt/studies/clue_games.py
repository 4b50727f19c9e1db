"""What the studies of Speed Clue measure: how many rounds a solution takes, and who wins in a mix of players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt

from molehunt.arena.workers import Workers, each_in_order, the_game, the_player
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.speed_clue.game import check_game

CHUNK, SLOW_CHUNK = 1024, 16
"""Games that advance in lockstep in one piece of work; fewer where a player thinks about each view alone."""


@dataclass(frozen=True)
class Cell:
    """Games of one kind played: turns until the end of each, and the winning seat (-1: undecided)."""

    turns: npt.NDArray[np.int64]
    winners: npt.NDArray[np.int64]


def play_games(ruleset: str, players: tuple[str, ...], seed: int, first: int, games: int) -> Cell:
    """Play some games of a run."""
    game = check_game("the study", the_game("speed_clue", ruleset, len(players)))
    agents = [the_player("speed_clue", player) for player in players]
    played = play(game, agents, game_seeds(seed, first, games))
    wins = game.wins(played.states)
    return Cell(game.turns(played.states), np.where(wins.any(axis=1), wins.argmax(axis=1), -1))


def turns_of(ruleset: str, players: Sequence[str], games: int, seed: int, workers: Workers) -> Cell:
    """Play games of one seating; the same whoever works."""
    seated = tuple(players)
    in_batches = all(the_player("speed_clue", player).in_batches for player in seated)
    chunk = CHUNK if in_batches else SLOW_CHUNK
    pieces = ((ruleset, seated, seed, first, min(chunk, games - first)) for first in range(0, games, chunk))
    parts = list(each_in_order(workers, play_games, pieces))
    return Cell(np.concatenate([part.turns for part in parts]), np.concatenate([part.winners for part in parts]))


def rounds_begun(turns: npt.NDArray[np.int64], seats: int) -> npt.NDArray[np.float64]:
    """Rounds counted from 1: the round in which the solution is found counts."""
    return np.ceil(turns / seats)


def rounds_complete(turns: npt.NDArray[np.int64], seats: int) -> npt.NDArray[np.float64]:
    """Rounds counted when they are complete: the one in which the solution is found does not count."""
    return np.floor((turns - 1) / seats)


COUNTS = {"begun": rounds_begun, "complete": rounds_complete}
"""Ways to count rounds, by name; the first is the plain one. (Turns divided by seats is none: all printed means are multiples of
1/500, so rounds were whole numbers.)"""


def self_play(agent: str, seats: int, deal: int, games: int, seed: int, workers: Workers) -> Cell:
    """Games of one player against itself, on a listed deal or (deal 0) on random ones."""
    ruleset = "mitchell" if not deal else f"mitchell:deal={deal}"
    return turns_of(ruleset, [agent] * seats, games, seed, workers)


def arrangements(first: int, seats: int) -> list[tuple[int, ...]]:
    """Every different seating of `first` players of kind 0 and the rest of kind 1."""
    return sorted(set(permutations([0] * first + [1] * (seats - first))))


def wins_in_mix(
    kinds: tuple[str, str], first: int, seats: int, games: int, seed: int, workers: Workers
) -> npt.NDArray[np.bool_]:
    """Which games of random deals the first kind wins, the games spread evenly over all seatings; shape (games,).

    Where there are fewer games than seatings, each has a seating drawn by the seed. Deals and seatings depend on the numbers
    alone, so two mixes of as many players, games and the same seed can be compared game by game; with twice the same kind it is
    said which games are won from the seats of the first.
    """
    seatings = arrangements(first, seats)
    if games < len(seatings):
        drawn = np.random.default_rng(seed).choice(len(seatings), games, replace=False)
        seatings = [seatings[number] for number in drawn]
    each = -(-games // len(seatings))
    won = []
    for number, seating in enumerate(seatings):
        cell = turns_of("mitchell", [kinds[kind] for kind in seating], each, seed * 1009 + number, workers)
        kind_of = np.array([*seating, -1])
        won.append(kind_of[cell.winners] == 0)
    return np.concatenate(won)


def mix(kinds: tuple[str, str], first: int, seats: int, games: int, seed: int, workers: Workers) -> tuple[int, int]:
    """(wins of the first kind, games) of random deals, as `wins_in_mix` plays them."""
    won = wins_in_mix(kinds, first, seats, games, seed, workers)
    return int(won.sum()), len(won)
