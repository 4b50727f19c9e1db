"""Who meets whom, and who sits where: lineups and their seatings."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, islice, product

import numpy as np

from molehunt.arena.seating import Chair
from molehunt.core.errors import BadInput

MAX_LINEUPS = 5_000
MAX_SEATINGS = 5_040

Seating = tuple[int, ...]
"""Which chair of the lineup sits on each seat."""


@dataclass(frozen=True)
class Lineup:
    """Who plays in the same game, chair by chair, and in which seatings they play every deal."""

    chairs: tuple[Chair, ...]
    seatings: tuple[Seating, ...]

    def __str__(self) -> str:
        counts = Counter(map(str, self.chairs))
        return ", ".join(name if number == 1 else f"{name}*{number}" for name, number in counts.items())


def role_lineups(
    roles: Mapping[str, int], players: Mapping[str, Sequence[str]], mix: str
) -> Iterator[tuple[Chair, ...]]:
    """Lineups where roles are seated: `roles` says how many seats have each, `players` who may play it.

    `pairs`: all seats of a role have the same player, and every choice for one role meets every choice for the other. `mixes`:
    every mixture within a role, too. `different`: mixtures in which no player has two seats of a role.
    """
    ways: dict[str, Callable[[Sequence[str], int], Iterator[tuple[str, ...]]]] = {
        "pairs": _alone,
        "mixes": combinations_with_replacement,
        "different": combinations,
    }
    choose = ways[mix]
    teams = [list(choose(players[role], count)) if count else [()] for role, count in roles.items()]
    for chosen in product(*teams):
        yield tuple(Chair(player, role) for role, team in zip(roles, chosen, strict=True) for player in team)


def _alone(players: Sequence[str], count: int) -> Iterator[tuple[str, ...]]:
    return ((player,) * count for player in players)


def free_lineups(seats: int, players: Sequence[str], mix: str) -> Iterator[tuple[Chair, ...]]:
    """Lineups where no roles are seated.

    `pairs`: every two players, in every split of the seats between them. `different`: every choice of as many players as there
    are seats. `mixes`: every mixture of at least two players. One player alone always plays against itself.
    """
    teams: Iterator[tuple[str, ...]]
    if len(players) == 1:
        teams = iter([(players[0],) * seats])
    elif mix == "pairs":
        teams = (
            (one,) * count + (other,) * (seats - count)
            for one, other in combinations(players, 2)
            for count in range(1, seats)
        )
    elif mix == "different":
        teams = combinations(players, seats)
    else:
        teams = (team for team in combinations_with_replacement(players, seats) if len(set(team)) > 1)
    return (tuple(Chair(player) for player in team) for team in teams)


def taken(lineups: Iterator[tuple[Chair, ...]], event: str) -> list[tuple[Chair, ...]]:
    """The lineups as a list; BadInput where there are none or too many."""
    result = list(islice(lineups, MAX_LINEUPS + 1))
    if len(result) > MAX_LINEUPS:
        raise BadInput(f"{event} has more than {MAX_LINEUPS:,} lineups; choose lineups = 'pairs', or list them")
    if not result:
        raise BadInput(f"{event} has no lineups: 'different' needs at least as many players as seats")
    return result


def seatings_of(chairs: Sequence[Chair], kind: str, sample: int | None, seed: int) -> tuple[Seating, ...]:
    """The seatings in which a lineup plays every deal.

    `listed`: the chairs as they are listed. `all`: every arrangement that differs in who sits where. `balanced`: cyclic Latin
    squares, in which every chair sits on every seat equally often (so does every player in every role): the chairs as listed in
    all their rotations, and for a greater `sample` further orders, drawn from the seed, in theirs, until there are so many.
    """
    count = len(chairs)
    if kind == "listed":
        return (tuple(range(count)),)
    if kind == "all" or (sample is not None and sample >= _arrangements(chairs)):
        if _arrangements(chairs) > MAX_SEATINGS:
            raise BadInput(
                f"the lineup {Lineup(tuple(chairs), ())} has {_arrangements(chairs):,} seatings; "
                f"use seatings = 'balanced' with sample = {4 * count}"
            )
        return tuple(_distinct(chairs))
    seatings: dict[tuple[Chair, ...], Seating] = {}
    order = list(range(count))
    random = np.random.default_rng((seed, count))
    while True:
        for shift in range(count):
            seating = tuple(order[(seat + shift) % count] for seat in range(count))
            seatings.setdefault(tuple(chairs[chair] for chair in seating), seating)
        if len(seatings) >= (sample or 1):
            return tuple(seatings.values())
        order = [int(chair) for chair in random.permutation(count)]


def _arrangements(chairs: Sequence[Chair]) -> int:
    """How many arrangements differ in who sits where."""
    return math.factorial(len(chairs)) // math.prod(math.factorial(number) for number in Counter(chairs).values())


def _distinct(chairs: Sequence[Chair]) -> Iterator[Seating]:
    """Every arrangement once: of chairs that are alike, those listed earlier sit on the lower seats."""
    alike: dict[Chair, list[int]] = {}
    for number, chair in enumerate(chairs):
        alike.setdefault(chair, []).append(number)
    groups = list(alike.values())

    def place(seated: Seating, used: tuple[int, ...]) -> Iterator[Seating]:
        if len(seated) == len(chairs):
            yield seated
        for which, group in enumerate(groups):
            if used[which] < len(group):
                rest = tuple(number + (which == each) for each, number in enumerate(used))
                yield from place((*seated, group[used[which]]), rest)

    return place((), (0,) * len(groups))
