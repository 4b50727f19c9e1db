"""What readers of a round of Saboteur hold of the roles, seat by seat, and how good that is.

Asked are the deal alone, the posterior of `reading.saboteur.suspicion`, and of the roles a `kripke-2012` and the trust of a
`decision-2019` who watched from the same seat: at a quarter and at half of the deck, and at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.registry import Agents
from molehunt.arena.statistics import Z, student
from molehunt.core.agent import Agent
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.ruleset import DECK_CARDS, HAND
from molehunt.learning.saboteur.habits import Batch, Read, read
from molehunt.reading.saboteur.habits import RANDOM, STYLES, habits
from molehunt.reading.saboteur.onlooker import END, HALF, QUARTER
from molehunt.reading.saboteur.role_beliefs import role_states
from molehunt.reading.saboteur.suspicion import deal_of
from molehunt.studies.constants2019 import TUNED
from molehunt.studies.study import NONE_PUBLISHED, Row

STRANGERS = tuple(f"stranger:seed={seed}" for seed in range(10001, 10009))
GROUPS: dict[str, tuple[str, ...]] = {
    "known": tuple(style for style in STYLES if style != RANDOM),
    "unknown": ("kripke-2012:strong-disbelief", "kripke-2012:depth-1", TUNED["saboteur"], TUNED["miner"], *STRANGERS),
}
GROUPS["mixed"] = GROUPS["known"] + GROUPS["unknown"]
"""Who is read: players whose habits were counted, others, and both. Of who plays at random nothing can be known."""
AT_ONCE = 5
"""Games of a seating."""
POINTS = {"quarter": QUARTER, "half": HALF, "end": END}
PRIOR, OURS, KRIPKE, TRUST = range(4)
READERS = ("prior", "suspicion", "kripke-2012", "decision-2019")
MEASURES = {
    "logloss": "log loss, in nats",
    "brier": "Brier score",
    "calibration": "expected calibration error, ten bins",
    "auc": "area under the curve",
}

LEAST_AND_MOST = {"logloss": (0.0, math.inf), "brier": (0.0, 1.0), "calibration": (0.0, 1.0), "auc": (0.0, 1.0)}

SURE = 0.02
"""A `kripke-2012` that believes no state in which somebody is a saboteur is taken to be so sure."""
TRUST_WEIGHT = 0.1
"""A set of saboteurs is less likely by this much (a logarithm) for every point of trust in its members: of 0.05, 0.1,
0.2 and 0.3 the best in 80 games of the published players, seed 1."""
LEAST = 1e-6
RESAMPLES = 200

Interval = tuple[float, float, float]
"""A number and the ends of its interval."""


def seatings(games: int) -> Iterator[tuple[int, int]]:
    """The number of each seating of so many games in all, and of how many games it is: AT_ONCE but for the last."""
    return ((number, min(AT_ONCE, games - number * AT_ONCE)) for number in range(-(-games // AT_ONCE)))


def score_row(cell: str, quantity: str, interval: Interval, games: int) -> Row:
    """A row of a number that nothing is published of, with its interval."""
    value, low, high = (round(number, 5) for number in interval)
    return Row(
        id=cell,
        quantity=quantity,
        published=None,
        measured=value,
        low=low,
        high=high,
        games=games,
        verdict=NONE_PUBLISHED,
    )


def when(point: str) -> str:
    """One of POINTS in words."""
    return "at the end" if point == "end" else f"at {'a quarter' if point == 'quarter' else 'half'} of the deck"


# --- What each reader holds -------------------------------------------------------------------------------------------------


def watch(batch: Batch) -> dict[tuple[int, int], npt.NDArray[np.float64]]:
    """What a `kripke-2012` and a `decision-2019` on every seat hold of the others: by (game, point), shape (2, seats, seats)."""
    game, played = batch.game, batch.played
    count, seats = len(played.seeds), game.seats
    states = game.new(played.seeds)
    chairs = np.tile(np.arange(seats, dtype=np.int8), count)
    views = game.views(states, chairs, np.repeat(np.arange(count), seats))
    watchers: list[Agent] = [Agents("saboteur").make(name) for name in READERS[KRIPKE:]]
    memories = [watcher.start(game, views, np.zeros(count * seats, np.uint64)) for watcher in watchers]
    hands = seats * int(game.params[HAND])
    drawable = int(game.params[DECK_CARDS]) - hands
    actions = played.actions or []
    found: dict[tuple[int, int], npt.NDArray[np.float64]] = {}
    for move in range(max(map(len, actions))):
        rows = np.array([row for row in range(count) if len(actions[row]) > move])
        events = game.apply(states, np.array([actions[row][move] for row in rows], np.int32), rows)
        told = (rows[:, None] * seats + np.arange(seats)).reshape(-1)
        for watcher, memory in zip(watchers, memories, strict=True):
            watcher.observe(events.reshape(-1), memory, told)
        for row in rows.tolist():
            drawn = 4 * (int(states["drawn"][row]) - hands)
            for point in POINTS.values():
                due = len(actions[row]) == move + 1 if point == END else drawn >= (point + 1) * drawable
                if due and (row, point) not in found:
                    of_row = slice(row * seats, (row + 1) * seats)
                    roles = game.roles_of(states[row : row + 1])[0]
                    found[row, point] = np.stack(
                        [
                            by_models(memories[0], of_row),
                            by_trust(game, memories[1].records["trust"][of_row, :seats], roles),
                        ]
                    )
    return found


def by_models(memory: Any, chairs: slice) -> npt.NDArray[np.float64]:
    """The share of the states that each chair believes in which each seat is a saboteur."""
    believed = memory.believed()[chairs, 0].astype(float)
    shares: npt.NDArray[np.float64] = believed @ memory.roles.T / believed.sum(axis=1, keepdims=True)
    return np.clip(shares, SURE, 1 - SURE)


def by_trust(game: Saboteur, trust: npt.NDArray[np.float64], roles: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
    """Trust as chances: sets of saboteurs weighed by the trust in their members; trust without bounds counts as 20."""
    odds, members = deal_of(game).odds, role_states(game).T
    trust = np.clip(trust, -20, 20)
    result = np.zeros((game.seats, game.seats))
    for seat in range(game.seats):
        others = members.copy()
        others[:, seat] = 0
        weights = odds * np.exp(-TRUST_WEIGHT * (others @ trust[seat])) * (members[:, seat] == roles[seat])
        result[seat] = weights @ members / weights.sum()
    return result


def by_deal(game: Saboteur, roles: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
    """What each seat holds of the others by the deal and its own role."""
    return by_trust(game, np.zeros((game.seats, game.seats)), roles)


def held_in(batch: Batch) -> Iterator[tuple[int, int, Read, npt.NDArray[np.float64]]]:
    """What all readers held: the game of the batch, the point, the game as read, and chances, (len(READERS), seats, seats).

    Points that a game did not reach are left out.
    """
    watched = watch(batch)
    for place, each in enumerate(read(batch, habits())):
        prior = by_deal(batch.game, each.roles)
        for point in POINTS.values():
            if each.reached[point]:
                yield place, point, each, np.stack([prior, each.chances[point], *watched[place, point]])


# --- How good it is ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judged:
    """What one reader held at one point: chances, whether it was so (the role), and at which table, from 0; shape (n,).

    A table is one seating of players under one ruleset, and all its games are one observation of how well such players
    are read.
    """

    chances: npt.NDArray[np.float64]
    roles: npt.NDArray[np.float64]
    tables: npt.NDArray[np.int64]

    @cached_property
    def _places(self) -> npt.NDArray[np.int64]:
        """The chances by their order; equal ones have the same place."""
        places: npt.NDArray[np.int64] = np.unique(self.chances, return_inverse=True)[1]
        return places

    def measures(self, weights: npt.NDArray[np.float64]) -> dict[str, float]:
        """Every measure, each row weighed."""
        chances = np.clip(self.chances, LEAST, 1 - LEAST)
        total = weights.sum()
        loss = -np.log(np.where(self.roles > 0, chances, 1 - chances))
        return {
            "logloss": float(weights @ loss / total),
            "brier": float(weights @ (chances - self.roles) ** 2 / total),
            "calibration": float(np.abs(self._gaps(weights)).sum()),
            "auc": area(self._places, self.roles, weights),
        }

    def _gaps(self, weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """By how much the chances in each of ten bins are too high, each bin weighed by its share of the rows."""
        chances = np.clip(self.chances, LEAST, 1 - LEAST)
        bins = np.minimum((10 * chances).astype(int), 9)
        gaps: npt.NDArray[np.float64] = np.zeros(10)
        np.add.at(gaps, bins, weights * (chances - self.roles))
        return gaps / float(weights.sum())

    def with_intervals(self) -> dict[str, Interval]:
        """Every measure with its interval.

        The calibration error is a sum of sizes, and of a right reader above 0 by chance alone. It lies no further from the true one
        than all gaps together lie from theirs: its interval is as wide as that is in 95 % of the tables drawn again.
        """
        found = over_tables(self.tables, self.measures, LEAST_AND_MOST)
        value, _, high = found["calibration"]
        if math.isfinite(high):
            gaps = self._gaps(np.ones(len(self.tables)))
            apart = [np.abs(self._gaps(weights) - gaps).sum() for weights in drawn_again(self.tables)]
            away = wider(self.tables) / Z * float(np.percentile(apart, 95))
            found["calibration"] = value, max(0.0, value - away), min(value + away, 1.0)
        return found


def drawn_again(tables: npt.NDArray[np.int64]) -> Iterator[npt.NDArray[np.float64]]:
    """Weights of rows by which whole tables are drawn again, RESAMPLES times. `tables` says whose each row is, from 0."""
    chance, count = np.random.default_rng(20161231), int(tables.max()) + 1
    for _ in range(RESAMPLES):
        yield np.bincount(chance.integers(count, size=count), minlength=count)[tables].astype(float)


def wider(tables: npt.NDArray[np.int64]) -> float:
    """By how many standard errors, as they show in tables drawn again, 95 % intervals reach; more where tables are few."""
    count = int(tables.max()) + 1
    return student(count - 1) * math.sqrt(count / (count - 1))


def over_tables(
    tables: npt.NDArray[np.int64],
    measures: Callable[[npt.NDArray[np.float64]], dict[str, float]],
    least_and_most: Mapping[str, tuple[float, float]] = MappingProxyType({}),
) -> dict[str, Interval]:
    """Measures of weighed rows with their 95 % intervals. `tables` says whose each row is, from 0.

    The standard error is that of whole tables drawn again, and Student's distribution makes intervals of few tables wide. They
    end at the least and the most that a measure can be. Of one table they are without bounds: drawn again it is always itself.
    """
    found = measures(np.ones(len(tables)))
    if not tables.max():
        return {name: (value, -math.inf, math.inf) for name, value in found.items()}
    again = [measures(weights) for weights in drawn_again(tables)]
    intervals: dict[str, Interval] = {}
    for name, value in found.items():
        away = wider(tables) * float(np.std([each[name] for each in again], ddof=1))
        least, most = least_and_most.get(name, (-math.inf, math.inf))
        intervals[name] = value, max(least, value - away), min(most, value + away)
    return intervals


def area(places: npt.NDArray[np.int64], roles: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]) -> float:
    """How often a saboteur has a higher place than a miner, equals counting half; weighed."""
    guilty = np.bincount(places, weights * roles)
    honest = np.bincount(places, weights * (1 - roles))
    below = np.cumsum(honest) - honest
    pairs = guilty.sum() * honest.sum()
    return float((guilty * (below + honest / 2)).sum() / pairs) if pairs else 0.5
