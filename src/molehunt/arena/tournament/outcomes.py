"""What came of the games of an event: who won and who had which role, game by game, as arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.arena.faults import SeatFault
from molehunt.arena.tournament.events import Event, Unit
from molehunt.arena.tournament.plan import Plan

ROLE_BITS = 4
"""Bits of a seat in the word that holds the roles of all seats; seat 0 has the lowest."""
MAX_SEATS = 16


@dataclass(frozen=True)
class UnitResult:
    """A finished unit, game by game in the order of its deals.

    `wins`, uint16: bit s is set where seat s has won. `roles`, uint64: four bits a seat, the number of its role. `endings`, uint8:
    how it ended, by the game's outcome names. `payoffs`, float32, shape (deals, seats): what the seats were paid, None where that
    is 1 for a win and 0 else. `records`: all records as one compressed member, empty unless they were asked for.
    `faults` are the games that players lost by fault, whatever came of them, and why.
    """

    number: int
    wins: npt.NDArray[np.uint16]
    roles: npt.NDArray[np.uint64]
    endings: npt.NDArray[np.uint8]
    payoffs: npt.NDArray[np.float32] | None
    moves: int
    seconds: float
    records: bytes = b""
    faults: tuple[SeatFault, ...] = ()


class Column:
    """An array that grows at its end."""

    def __init__(self, dtype: Any, width: tuple[int, ...] = ()) -> None:
        self._array = np.zeros((0, *width), dtype)
        self._used = 0

    def append(self, values: npt.NDArray[Any]) -> None:
        """Put values after those that are there."""
        wanted = self._used + len(values)
        if wanted > len(self._array):
            grown = np.zeros((max(wanted, 2 * len(self._array)), *self._array.shape[1:]), self._array.dtype)
            grown[: self._used] = self._array[: self._used]
            self._array = grown
        self._array[self._used : wanted] = values
        self._used = wanted

    @property
    def values(self) -> npt.NDArray[Any]:
        """What has been put in."""
        return self._array[: self._used]


@dataclass
class Seated:
    """The games of a lineup in one of its seatings, deal by deal from deal 0."""

    wins: Column = field(default_factory=lambda: Column(np.uint16))
    roles: Column = field(default_factory=lambda: Column(np.uint64))
    endings: Column = field(default_factory=lambda: Column(np.uint8))
    payoffs: Column | None = None


class EventOutcomes:
    """The games of an event: `games[lineup][seating]` are those of a lineup in a seating; `stopped`: no more are played."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.games = [[Seated() for _ in lineup.seatings] for lineup in event.lineups]
        self.moves = 0
        self.stopped = False

    def add(self, unit: Unit, result: UnitResult) -> None:
        """Count a unit; the units of a lineup in a seating come in the order of their deals."""
        seated = self.games[unit.lineup][unit.seating]
        if len(seated.wins.values) != unit.first:
            raise AssertionError(f"unit {unit.number} comes out of order")
        payoffs = result.payoffs
        if payoffs is not None and seated.payoffs is None:
            seated.payoffs = Column(np.float32, (self.event.seats,))
            seated.payoffs.append(_won(seated.wins.values, self.event.seats))
        seated.wins.append(result.wins)
        seated.roles.append(result.roles)
        seated.endings.append(result.endings)
        if seated.payoffs is not None:
            seated.payoffs.append(_won(result.wins, self.event.seats) if payoffs is None else payoffs)
        self.moves += result.moves

    @property
    def played(self) -> int:
        """How many games there are."""
        return sum(len(seated.wins.values) for row in self.games for seated in row)

    @property
    def complete(self) -> int:
        """How many deals all lineups have played in all seatings."""
        return min(len(seated.wins.values) for row in self.games for seated in row)

    @property
    def longest(self) -> int:
        """How many deals any lineup has played in any seating."""
        return max(len(seated.wins.values) for row in self.games for seated in row)

    @property
    def has_payoffs(self) -> bool:
        """Whether seats were paid otherwise than by 1 for a win."""
        return any(seated.payoffs is not None for row in self.games for seated in row)

    def won(self, lineup: int, seating: int) -> npt.NDArray[np.bool_]:
        """Who won, by seat: shape (deals, seats)."""
        return _won(self.games[lineup][seating].wins.values, self.event.seats).astype(np.bool_)

    def paid(self, lineup: int, seating: int) -> npt.NDArray[np.float64]:
        """What the seats were paid: shape (deals, seats)."""
        payoffs = self.games[lineup][seating].payoffs
        if payoffs is None:
            return self.won(lineup, seating).astype(np.float64)
        return payoffs.values.astype(np.float64)

    def role(self, lineup: int, seating: int) -> npt.NDArray[np.int8]:
        """The numbers of the roles, by seat: shape (deals, seats); all 0 where roles are not told apart."""
        words = self.games[lineup][seating].roles.values
        shifts = np.arange(self.event.seats, dtype=np.uint64) * np.uint64(ROLE_BITS)
        result: npt.NDArray[np.int8] = ((words[:, None] >> shifts) & np.uint64(2**ROLE_BITS - 1)).astype(np.int8)
        return result


def _won(words: npt.NDArray[np.uint16], seats: int) -> npt.NDArray[Any]:
    return (words[:, None] >> np.arange(seats, dtype=np.uint16)) & np.uint16(1)


def no_outcomes(plan: Plan) -> list[EventOutcomes]:
    """The outcomes of a plan of which nothing has been played."""
    return [EventOutcomes(event) for event in plan.events]
