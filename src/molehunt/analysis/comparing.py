"""A move beside the best one.

All are tried in the same worlds, and the worse half is left out again and again; the best and the move that was played are then
compared in worlds that had no part in the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.analysis.findings import GOOD, INACCURATE, MISTAKEN
from molehunt.arena.statistics import Z, student

KEPT = 4
"""Moves that are compared further after the first look."""
FIRST_SHARE = 8
"""The first look at all moves takes this part of the worlds of the last comparison."""
LEAST_WORLDS = 4
INACCURATE_FROM, MISTAKEN_FROM = 0.05, 0.15
"""The chance to win from which on losing it is called so."""
SURE = 2.0
"""A loss counts where it is more than so many standard errors."""

TryMoves = Callable[[Sequence[int], int, int], npt.NDArray[np.float64]]
"""What moves bring in worlds: of (moves, number of the first world, how many worlds), shape (worlds, moves), from 0 to 1."""


class Verdict(NamedTuple):
    """The best move, the chance to win after it and after the one that was played, their difference and its standard error.

    Where worlds are few, the error is so much larger that as many of them reach as far as of a normal variable (`error_of`).
    """

    best: int
    best_chance: float
    chance: float
    lost: float
    error: float


def compare(try_moves: TryMoves, moves: Sequence[int], played: int, worlds: int) -> Verdict:
    """Compare a move with the others that there are, the last time in so many worlds.

    Where another is no better in those worlds, the move itself is the best.
    """
    best, first = _choose(try_moves, list(moves), played, max(LEAST_WORLDS, worlds // FIRST_SHARE))
    if best == played:
        chance = float(try_moves([played], first, worlds).mean())
        return Verdict(played, chance, chance, 0.0, 0.0)
    brought = try_moves([best, played], first, worlds)
    by_world = brought[:, 0] - brought[:, 1]
    lost, chances = float(by_world.mean()), brought.mean(axis=0)
    if lost <= 0:
        return Verdict(played, float(chances[1]), float(chances[1]), 0.0, 0.0)
    return Verdict(best, float(chances[0]), float(chances[1]), lost, error_of(by_world))


def error_of(by_world: npt.NDArray[np.float64]) -> float:
    """The standard error of the mean of what one move brings more than another, shape (worlds,), from -1 to 1; at most 1.

    As if there had been a world more each way, a whole win apart, so that it does not vanish where few worlds differ or all
    that do agree (Bonett and Price 2012, J. Educ. Behav. Stat. 37), and wider by Student's distribution where there are few.
    """
    with_doubt = np.concatenate([by_world, [1.0, -1.0]])
    worlds, seen = len(by_world), len(with_doubt)
    of_mean = float(with_doubt.std()) / np.sqrt(seen) * seen / worlds
    return min(1.0, float(of_mean) * student(seen - 1) / Z)


def _choose(try_moves: TryMoves, moves: list[int], played: int, worlds: int) -> tuple[int, int]:
    """The best of the moves, and the number of the first world that had no part in finding it. Of equals it is the one played."""
    alive = sorted(moves, key=lambda move: move != played)
    totals = np.zeros(len(alive))
    first = 0
    while len(alive) > 1:
        totals = totals + try_moves(alive, first, worlds).sum(axis=0)
        kept = max(1, min(KEPT, len(alive) // 2) if not first else len(alive) // 2)
        order = np.argsort(-totals, kind="stable")[:kept]
        alive, totals = [alive[place] for place in order], totals[order]
        first += worlds
        worlds *= 2
    return alive[0], first


def grade(verdict: Verdict) -> str:
    """What a loss is called: it must be large, and larger than chance makes it."""
    if verdict.lost < INACCURATE_FROM or verdict.lost <= SURE * verdict.error:
        return GOOD
    return INACCURATE if verdict.lost < MISTAKEN_FROM else MISTAKEN
