"""Ratings of players from games of teams: a Plackett-Luce (Bradley-Terry) fit with intervals, and openskill's online ratings.

A rating belongs to a player in a role. The strength of a side is the mean of its members' log-strengths; a side wins with
probability exp(its strength) / (the sum over the sides). Where seats have roles a side is all seats of a role (Bradley and Terry,
Biometrika 39 (1952)), else a seat is a side (Luce 1959; Plackett, Appl. Statist. 24 (1975)). Of a game with several winners each
counts as the first among itself and the losers, in equal parts; a game that all sides win or lose tells nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from molehunt.arena.statistics import Z, student
from molehunt.arena.tournament.events import ANY
from molehunt.arena.tournament.outcomes import EventOutcomes

PRIOR_SPREAD = 3.0
"""The standard deviation of the prior on every log-strength, a normal distribution around 0. It is weak: 3 is 521 points, odds of
20 to 1. It keeps the rating of a player finite that always wins or always loses, and fixes the level of all ratings."""
POINTS = 400 / math.log(10)
"""Points for one unit of log-strength: 400 points are odds of ten to one, as in Elo's ratings."""
STEPS = 60
TOLERANCE = 1e-10
ONLINE_GAMES = 20_000
"""So many games, deal by deal from the first, make the online ratings; they have long settled by then."""


@dataclass(frozen=True)
class Rating:
    """The rating of a player in a role, in points around the mean of its role, with its 95 % interval; `online` by openskill.

    `online` is (mu, sigma), None without openskill.
    """

    player: str
    role: str
    points: float
    low: float
    high: float
    games: int
    online: tuple[float, float] | None


@dataclass(frozen=True)
class Fit:
    """Log-strengths, shape (players,), and two estimates of their covariance: clustered by deal, and that of the model.

    `deals` is how many deals there are.
    """

    strengths: npt.NDArray[np.float64]
    clustered: npt.NDArray[np.float64]
    model: npt.NDArray[np.float64]
    deals: int

    def half_width(self, contrast: npt.NDArray[np.float64]) -> float:
        """Half the 95 % interval of a sum of strengths with these weights, by the estimate that makes it larger.

        The games of a player that always wins do not vary, so the clustered estimate takes its rating for certain; of a single deal
        it says nothing. What is estimated of few deals has Student's distribution (Cameron and Miller, J. Hum. Resour. 50 (2015)).
        """
        clustered = student(self.deals - 1) * _deviation(contrast, self.clustered) if self.deals > 1 else 0.0
        return max(clustered, Z * _deviation(contrast, self.model))


def _deviation(contrast: npt.NDArray[np.float64], covariance: npt.NDArray[np.float64]) -> float:
    """The standard error of a sum with these weights."""
    return math.sqrt(max(0.0, float(contrast @ covariance @ contrast)))


@dataclass(frozen=True)
class _Choice:
    """Groups of games in which one and the same side is among the winners: that side (first) against the losers.

    `competes` (groups, sides) and `sides` (groups, sides, players) with the winner as side 0; `weight`: its part of the game.
    """

    groups: npt.NDArray[np.int64]
    competes: npt.NDArray[np.bool_]
    sides: npt.NDArray[np.float64]
    weight: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Contests:
    """Who met whom and who won, games that are alike as one group.

    `sides`, shape (groups, sides, players): the share that each player has in a side; an absent side is all 0 and not in `present`.
    `won` and `present`, shape (groups, sides). `group` and `deal` say of each game to which group and which deal it belongs.
    """

    sides: npt.NDArray[np.float64]
    present: npt.NDArray[np.bool_]
    won: npt.NDArray[np.bool_]
    group: npt.NDArray[np.int64]
    deal: npt.NDArray[np.int64]

    @property
    def telling(self) -> npt.NDArray[np.bool_]:
        """Whether some side won and some lost, by group."""
        won, lost = self.won & self.present, ~self.won & self.present
        result: npt.NDArray[np.bool_] = won.max(axis=1) & lost.max(axis=1)
        return result


def fit_strengths(contests: Contests) -> Fit:
    """The log-strengths that are most probable after the games, by Newton's method.

    The clustered covariance is the sandwich estimate (Liang and Zeger, Biometrika 73 (1986)), in which the prior counts as one more
    observation; that of the model is the inverse of minus the second derivative of the log-posterior.
    """
    choices = _choices(contests)
    counts = np.bincount(contests.group, minlength=len(contests.sides))
    players = contests.sides.shape[2]
    precision = 1 / PRIOR_SPREAD**2
    strengths = np.zeros(players)
    value, scores, bend = _derivatives(strengths, choices, counts, precision)
    for _ in range(STEPS):
        step = np.linalg.solve(bend, counts @ scores - precision * strengths)
        size = 1.0
        while size > TOLERANCE:
            tried = _derivatives(strengths + size * step, choices, counts, precision)
            if tried[0] >= value - TOLERANCE:
                break
            size /= 2
        strengths = strengths + size * step
        value, scores, bend = _derivatives(strengths, choices, counts, precision)
        if np.abs(size * step).max() < TOLERANCE:
            break
    deals = int(contests.deal.max()) + 1 if len(contests.deal) else 0
    by_deal = np.stack(
        [
            np.bincount(contests.deal, weights=scores[contests.group, player], minlength=deals)
            for player in range(players)
        ],
        axis=1,
    )
    turned: npt.NDArray[np.float64] = np.linalg.inv(bend).astype(np.float64)
    inner = by_deal.T @ by_deal * (deals / max(1, deals - 1)) + precision * np.eye(players)
    return Fit(strengths, turned @ inner @ turned, turned, deals)


def _choices(contests: Contests) -> list[_Choice]:
    """Each winner among itself and the losers, one entry for each side."""
    result = []
    winners = (contests.won & contests.present).sum(axis=1)
    for side in range(contests.sides.shape[1]):
        groups = np.flatnonzero(contests.telling & contests.won[:, side] & contests.present[:, side])
        if len(groups):
            competes = contests.present[groups] & ~contests.won[groups]
            competes[:, side] = True
            turned = np.roll(contests.sides[groups], -side, axis=1)
            result.append(_Choice(groups, np.roll(competes, -side, axis=1), turned, 1 / winners[groups]))
    return result


def _derivatives(
    strengths: npt.NDArray[np.float64], choices: Sequence[_Choice], counts: npt.NDArray[np.int64], precision: float
) -> tuple[float, npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The log-posterior, its gradient for one game of each group, shape (groups, players), and minus its second derivative."""
    value = -0.5 * precision * float(strengths @ strengths)
    scores = np.zeros((len(counts), len(strengths)))
    bend = precision * np.eye(len(strengths))
    for choice in choices:
        groups, sides, weight = choice.groups, choice.sides, choice.weight
        level = np.where(choice.competes, sides @ strengths, -np.inf)
        top = level.max(axis=1, keepdims=True)
        odds = np.exp(level - top)
        total = odds.sum(axis=1, keepdims=True)
        share = odds / total
        value += float(((level[:, 0] - top[:, 0] - np.log(total[:, 0])) * weight) @ counts[groups])
        expected = np.einsum("gs,gsp->gp", share, sides)
        np.add.at(scores, groups, (sides[:, 0] - expected) * weight[:, None])
        mass = weight * counts[groups]
        bend += np.einsum("g,gs,gsp,gsq->pq", mass, share, sides, sides, optimize=True)
        bend -= np.einsum("g,gp,gq->pq", mass, expected, expected, optimize=True)
    return value, scores, bend


def contests_of(outcomes: EventOutcomes) -> tuple[list[tuple[str, int]], Contests]:
    """The (player, role) pairs that played in an event, and its games as contests."""
    event = outcomes.event
    entries = [(player, role) for player in event.players for role in range(len(event.roles))]
    place = {entry: number for number, entry in enumerate(entries)}
    by_role = event.roles != (ANY,)
    sides = len(event.roles) if by_role else event.seats
    known: dict[tuple[bytes, bytes], int] = {}
    made: list[tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_]]] = []
    groups, deals = [], []
    for number, lineup in enumerate(event.lineups):
        for seat_number, seating in enumerate(lineup.seatings):
            players = [lineup.chairs[chair].agent for chair in seating]
            games = outcomes.games[number][seat_number]
            keys = np.stack([games.wins.values.astype(np.uint64), games.roles.values], axis=1)
            patterns, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
            won, roles = outcomes.won(number, seat_number), outcomes.role(number, seat_number)
            numbers = np.empty(len(patterns), np.int64)
            for index, game in enumerate(first):
                shares, present, victors = (
                    np.zeros((sides, len(entries))),
                    np.zeros(sides, np.bool_),
                    np.zeros(sides, np.bool_),
                )
                for seat, player in enumerate(players):
                    role = int(roles[game, seat])
                    side = role if by_role else seat
                    shares[side, place[player, role]] += 1
                    present[side] = True
                    victors[side] |= won[game, seat]
                shares /= np.maximum(1, shares.sum(axis=1, keepdims=True))
                key = (shares.tobytes(), victors.tobytes())
                if key not in known:
                    known[key] = len(made)
                    made.append((shares, present, victors))
                numbers[index] = known[key]
            groups.append(numbers[which.reshape(-1)])
            deals.append(np.arange(len(which.reshape(-1))))
    empty = np.zeros(0, np.int64)
    return entries, Contests(
        sides=np.array([shares for shares, _, _ in made]).reshape(len(made), sides, len(entries)),
        present=np.array([present for _, present, _ in made]).reshape(len(made), sides),
        won=np.array([victors for _, _, victors in made]).reshape(len(made), sides),
        group=np.concatenate(groups) if groups else empty,
        deal=np.concatenate(deals) if deals else empty,
    )


def rate_players(outcomes: EventOutcomes) -> list[Rating]:
    """The ratings of an event, role by role, the best first; those of a role are around their mean."""
    event = outcomes.event
    entries, contests = contests_of(outcomes)
    if not len(contests.group):
        return []
    fit = fit_strengths(contests)
    sat = (contests.sides > 0).max(axis=1)
    games = np.bincount(contests.group, minlength=len(sat)) @ sat
    after = online_ratings(entries, contests)
    result = []
    for role, name in enumerate(event.roles):
        mine = [number for number, entry in enumerate(entries) if entry[1] == role and games[number]]
        ratings = []
        for number in mine:
            contrast = np.zeros(len(entries))
            contrast[mine] = -1 / len(mine)
            contrast[number] += 1
            points = POINTS * float(contrast @ fit.strengths)
            half = POINTS * fit.half_width(contrast)
            played = int(games[number])
            ratings.append(
                Rating(
                    entries[number][0],
                    name,
                    points,
                    points - half,
                    points + half,
                    played,
                    after[number] if after else None,
                )
            )
        result += sorted(ratings, key=lambda rating: -rating.points)
    return result


def online_ratings(entries: Sequence[tuple[str, int]], contests: Contests) -> list[tuple[float, float]] | None:
    """(mu, sigma) of each player in each role after the games one by one, by openskill's Plackett-Luce model; None without it.

    Games come deal by deal. A player on several sides of a game is changed by the mean of their changes. The model is that of
    Weng and Lin, A Bayesian approximation method for online ranking, JMLR 12 (2011).
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        return None
    model = PlackettLuce()
    ratings = [model.rating() for _ in entries]
    order = np.argsort(contests.deal, kind="stable")
    order = order[contests.telling[contests.group[order]]][:ONLINE_GAMES]
    members = [
        [np.flatnonzero(side).tolist() for side, here in zip(sides, present, strict=True) if here]
        for sides, present in zip(contests.sides, contests.present, strict=True)
    ]
    ranks = [
        [0.0 if won else 1.0 for won, here in zip(winners, present, strict=True) if here]
        for winners, present in zip(contests.won, contests.present, strict=True)
    ]
    for game in order:
        group = int(contests.group[game])
        teams = [[ratings[number] for number in team] for team in members[group]]
        rated = model.rate(teams, ranks=ranks[group])
        changes: dict[int, list[tuple[float, float]]] = {}
        for team, after in zip(members[group], rated, strict=True):
            for number, rating in zip(team, after, strict=True):
                changes.setdefault(number, []).append((rating.mu, rating.sigma))
        for number, values in changes.items():
            mu = sum(value[0] for value in values) / len(values)
            sigma = sum(value[1] for value in values) / len(values)
            ratings[number] = model.rating(mu=mu, sigma=sigma)
    return [(float(rating.mu), float(rating.sigma)) for rating in ratings]
