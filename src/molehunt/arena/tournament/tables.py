"""The tables of a tournament: standings, cross tables, paired differences, decisions, ratings; for screen, JSON and report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from molehunt import __version__
from molehunt.arena.clusters import difference_interval, mean_interval_by_deal, rate_interval
from molehunt.arena.tournament.events import ANY
from molehunt.arena.tournament.outcomes import EventOutcomes
from molehunt.arena.tournament.plan import Plan
from molehunt.arena.tournament.ratings import rate_players
from molehunt.arena.tournament.stopping import decide
from molehunt.arena.tournament.tally import ByDeal, Tally

DIGITS = 9
"""Digits of the fractions in JSON: more than any number here is known to."""
ALL = "all"
"""What stands for the role where all roles are counted together."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A row of a table; rates are fractions, intervals 95 %."""


class Standing(Row, frozen=True, kw_only=True):
    """How often a player won in a role: `seats` are seats in games; `payoff` is None where it is the rate.

    Its interval is None where there is one deal, of which nothing is known of others.
    """

    player: str
    role: str
    seats: int
    wins: int
    rate: float
    low: float
    high: float
    payoff: float | None = None
    payoff_low: float | None = None
    payoff_high: float | None = None


class Crossing(Row, frozen=True, kw_only=True):
    """How often `player` in `role` won against `other` in `other_role` (without roles: with `other` at the table).

    `seats` are the seats of the player in such games, however many of the other there are.
    """

    player: str
    role: str
    other: str
    other_role: str
    seats: int
    rate: float
    low: float
    high: float
    payoff: float | None = None


class Difference(Row, frozen=True, kw_only=True):
    """The rate of one player minus that of another on the same deals."""

    first: str
    second: str
    role: str
    deals: int
    difference: float
    low: float
    high: float


class Decided(Difference, frozen=True, kw_only=True):
    """What the confidence sequence of a stopping rule says of a pair: `first`, `second`, `alike` or `open`."""

    verdict: str


class Rated(Row, frozen=True, kw_only=True):
    """The rating of a player in a role, in points around the role's mean; `mu` and `sigma` are openskill's, None without it."""

    player: str
    role: str
    games: int
    points: float
    low: float
    high: float
    mu: float | None
    sigma: float | None


class EventTable(Row, frozen=True, kw_only=True):
    """Everything about an event. `deals` were played by all lineups in all seatings."""

    event: str
    game: str
    lineups: int
    deals: int
    games: int
    moves: int
    stopped: bool
    endings: dict[str, int]
    standings: list[Standing]
    cross: list[Crossing]
    differences: list[Difference]
    decisions: list[Decided]
    ratings: list[Rated]


def crossed_roles(event: EventTable) -> list[str]:
    """The roles whose cross tables are shown: the second of two is left out where it says the same as the first.

    So it does where the one side wins whenever the other does not; who is paid in gold may win alone on its side.
    """
    roles = list(dict.fromkeys(row.role for row in event.cross))
    if len(roles) != 2:
        return roles
    first, second = ({(row.player, row.other): row.rate for row in event.cross if row.role == role} for role in roles)
    turned = {(other, player): 1 - rate for (player, other), rate in second.items()}
    same = first.keys() == turned.keys() and all(abs(first[pair] - turned[pair]) < 10**-DIGITS * 2 for pair in first)
    return roles[:1] if same else roles


class TournamentTable(Row, frozen=True, kw_only=True):
    """Everything about a tournament. It holds no seconds: the same tournament gives the same bytes.

    `faults` are how many games isolated players lost by fault, by the reason; `failed` says of files and players that were left
    out why they could not play.
    """

    tournament: str
    version: str
    seed: int
    games: int
    finished: bool
    events: list[EventTable]
    faults: dict[str, int]
    failed: dict[str, str]


def make_tables(
    plan: Plan, outcomes: Sequence[EventOutcomes], finished: bool, faults: Mapping[str, int] | None = None
) -> TournamentTable:
    """The tables of a tournament, finished or not, and which `faults` were counted in it."""
    return TournamentTable(
        tournament=plan.name,
        version=__version__,
        seed=plan.seed,
        games=sum(each.played for each in outcomes),
        finished=finished,
        events=[_event_table(each) for each in outcomes if each.played],
        faults=dict(sorted((faults or {}).items())),
        failed={each.name: each.error for each in plan.failed},
    )


def _event_table(outcomes: EventOutcomes) -> EventTable:
    event = outcomes.event
    tally = Tally(outcomes, cross=True)
    endings = np.zeros(len(event.endings), np.int64)
    for row in outcomes.games:
        for seated in row:
            endings += np.bincount(seated.endings.values, minlength=len(endings))
    return EventTable(
        event=event.name,
        game=event.label,
        lineups=len(event.lineups),
        deals=outcomes.complete,
        games=outcomes.played,
        moves=outcomes.moves,
        stopped=outcomes.stopped,
        endings=dict(zip(event.endings, endings.tolist(), strict=True)),
        standings=_standings(tally, outcomes.has_payoffs),
        cross=_crossings(tally, outcomes.has_payoffs),
        differences=_differences(outcomes),
        decisions=[
            Decided(
                first=each.first,
                second=each.second,
                role=each.role or ALL,
                deals=each.deals,
                difference=_round(each.difference),
                low=_round(each.low),
                high=_round(each.high),
                verdict=each.verdict,
            )
            for each in decide(outcomes)
        ],
        ratings=[
            Rated(
                player=each.player,
                role=each.role,
                games=each.games,
                points=_round(each.points),
                low=_round(each.low),
                high=_round(each.high),
                mu=None if each.online is None else _round(each.online[0]),
                sigma=None if each.online is None else _round(each.online[1]),
            )
            for each in rate_players(outcomes)
        ],
    )


def _round(value: float) -> float:
    return round(float(value), DIGITS) + 0.0  # no minus before a zero


def _roles(tally: Tally) -> list[str | None]:
    """The roles that are told apart, and None for all together where there are several."""
    roles: list[str | None] = list(tally.event.roles)
    return [None, *roles] if len(roles) > 1 else roles


def _rate(sums: ByDeal) -> dict[str, Any]:
    low, high = rate_interval(sums.wins, sums.seats)
    return {"seats": int(sums.seats.sum()), "rate": _round(sums.rate), "low": _round(low), "high": _round(high)}


def _standings(tally: Tally, paid: bool) -> list[Standing]:
    """All players in each role, the best first."""
    result: list[Standing] = []
    for role in _roles(tally):
        rows = []
        for player in tally.event.players:
            sums = tally.of(player, role)
            if not sums.seats.any():
                continue
            payoff: dict[str, Any] = {}
            if paid:
                payoff = {"payoff": _round(sums.payoff)}
                low, high = mean_interval_by_deal(sums.paid, sums.seats)
                if low > -math.inf:
                    payoff |= {"payoff_low": _round(low), "payoff_high": _round(high)}
            name = _role_name(role)
            rows.append(Standing(player=player, role=name, wins=int(sums.wins.sum()), **_rate(sums), **payoff))
        result += sorted(rows, key=_worth, reverse=True)
    return result


def _worth(row: Standing) -> float:
    return row.rate if row.payoff is None else row.payoff


def _role_name(role: str | None) -> str:
    return ALL if role is None or role == ANY else role


def _crossings(tally: Tally, paid: bool) -> list[Crossing]:
    """Who against whom, in the order in which the players are listed."""
    places = {player: number for number, player in enumerate(tally.event.players)}
    keys = sorted(tally.crossed, key=lambda key: (-key[1], places[key[0]], key[3], places[key[2]]))
    result = []
    for player, role, other, other_role in keys:
        sums = tally.crossed[player, role, other, other_role]
        result.append(
            Crossing(
                player=player,
                role=_role_name(tally.event.roles[role]),
                other=other,
                other_role=_role_name(tally.event.roles[other_role]),
                payoff=_round(sums.payoff) if paid else None,
                **_rate(sums),
            )
        )
    return result


def _differences(outcomes: EventOutcomes) -> list[Difference]:
    """The chosen pairs in each role, over the deals that all lineups have played.

    In all roles together only those who play the same ones: else it would be roles that are compared.
    """
    tally = Tally(outcomes, outcomes.complete)
    result = []
    for first, second in outcomes.event.compare:
        alike = tally.played_by(first) == tally.played_by(second)
        for role in _roles(tally) if alike else tally.event.roles:
            one, other = tally.of(first, role), tally.of(second, role)
            both = (one.seats > 0) & (other.seats > 0)
            if not both.any():
                continue
            low, high = difference_interval(one.wins, one.seats, other.wins, other.seats)
            rates = [sums.wins[both].sum() / sums.seats[both].sum() for sums in (one, other)]
            result.append(
                Difference(
                    first=first,
                    second=second,
                    role=_role_name(role),
                    deals=int(both.sum()),
                    difference=_round(rates[0] - rates[1]),
                    low=_round(low),
                    high=_round(high),
                )
            )
    return result
