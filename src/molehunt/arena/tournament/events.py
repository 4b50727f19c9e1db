"""The events of a tournament: a game, its lineups and seatings, when it stops; and the units of work in which it is played."""

from __future__ import annotations

from dataclasses import dataclass

from molehunt.arena.tournament.lineups import Lineup

ANY = "any"
"""The role of all seats in a game whose seats have no roles, or change them."""


@dataclass(frozen=True)
class Stop:
    """When an event stops: when each of these pairs is decided, looked at every `every` deals; see `stopping`."""

    compare: tuple[tuple[str, str], ...]
    role: str | None
    level: float
    margin: float | None
    least: int
    every: int


@dataclass(frozen=True)
class Event:
    """A game with its lineups. `players` are as typed in short; `roles` are the roles that statistics tell apart, [ANY] without.

    `block` is how many deals all lineups play before any plays further ones; `chunks` how many of them make a unit, by lineup.
    """

    number: int
    name: str
    label: str
    seats: int
    players: tuple[str, ...]
    roles: tuple[str, ...]
    lineups: tuple[Lineup, ...]
    deals: int
    compare: tuple[tuple[str, str], ...]
    stop: Stop | None
    block: int
    chunks: tuple[int, ...]
    endings: tuple[str, ...]

    @property
    def seatings(self) -> int:
        """Games that one deal is played in."""
        return sum(len(lineup.seatings) for lineup in self.lineups)

    @property
    def games(self) -> int:
        """Games that the event has if it is not stopped."""
        return self.deals * self.seatings


@dataclass(frozen=True)
class Unit:
    """A piece of work: some deals of a lineup in one seating. `number` is its place in the plan."""

    number: int
    event: int
    lineup: int
    seating: int
    first: int
    deals: int
