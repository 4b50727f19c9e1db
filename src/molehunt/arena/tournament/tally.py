"""What players got deal by deal: the numbers from which every rate, difference and cross table is made.

Deals are independent of each other; the games in which one deal is played in several seatings and lineups are not. So everything is
kept by deal: how much a player won on all its seats in the games of the deal, and how many seats these were.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from molehunt.arena.tournament.events import ANY
from molehunt.arena.tournament.outcomes import EventOutcomes


@dataclass
class ByDeal:
    """Sums by deal, shape (deals,) each: seats counted, games won on them, what they were paid."""

    seats: npt.NDArray[np.int64]
    wins: npt.NDArray[np.int64]
    paid: npt.NDArray[np.float64]

    @classmethod
    def nothing(cls, deals: int) -> ByDeal:
        """Sums of nothing."""
        return cls(np.zeros(deals, np.int64), np.zeros(deals, np.int64), np.zeros(deals))

    def add(self, here: npt.NDArray[np.bool_], won: npt.NDArray[np.bool_], paid: npt.NDArray[np.float64]) -> None:
        """Count one seat of one game of the first deals, where `here` says so."""
        count = len(here)
        self.seats[:count] += here
        self.wins[:count] += here & won
        self.paid[:count] += np.where(here, paid, 0.0)

    def plus(self, other: ByDeal) -> ByDeal:
        """The sums of both."""
        return ByDeal(self.seats + other.seats, self.wins + other.wins, self.paid + other.paid)

    @property
    def rate(self) -> float:
        """Wins a seat; 0 without seats."""
        return float(self.wins.sum() / max(1, self.seats.sum()))

    @property
    def payoff(self) -> float:
        """What a seat was paid on average; 0 without seats."""
        return float(self.paid.sum() / max(1, self.seats.sum()))


class Tally:
    """The sums of an event by player and role, over its first `deals` deals (None: over all that were played)."""

    def __init__(self, outcomes: EventOutcomes, deals: int | None = None, cross: bool = False) -> None:
        self.event = outcomes.event
        self.deals = outcomes.longest if deals is None else deals
        roles = range(len(self.event.roles))
        self.by_role = {
            (player, role): ByDeal.nothing(self.deals) for player, role in product(self.event.players, roles)
        }
        self.crossed: dict[tuple[str, int, str, int], ByDeal] = {}
        for number, lineup in enumerate(self.event.lineups):
            for place, seating in enumerate(lineup.seatings):
                players = [lineup.chairs[chair].agent for chair in seating]
                self._count(outcomes, number, place, players, cross)

    def _count(self, outcomes: EventOutcomes, lineup: int, seating: int, players: list[str], cross: bool) -> None:
        """Count the games of a lineup in a seating."""
        won = outcomes.won(lineup, seating)[: self.deals]
        paid = outcomes.paid(lineup, seating)[: self.deals]
        roles = outcomes.role(lineup, seating)[: self.deals]
        has = {
            (seat, role): roles[:, seat] == role
            for seat, role in product(range(len(players)), range(len(self.event.roles)))
        }
        for (seat, role), here in has.items():
            self.by_role[players[seat], role].add(here, won[:, seat], paid[:, seat])
        if not cross:
            return
        for (seat, role), mine in has.items():
            # Whom a seat meets: those of the other roles; without roles, every other seat. Two of a kind are met once.
            met: dict[tuple[str, int], npt.NDArray[np.bool_]] = {}
            for (other, against), theirs in has.items():
                if seat != other and (role != against or self.event.roles == (ANY,)):
                    key = (players[other], against)
                    met[key] = met[key] | theirs if key in met else theirs
            for whom, there in met.items():
                here = mine & there
                if here.any():
                    sums = self.crossed.setdefault((players[seat], role, *whom), ByDeal.nothing(self.deals))
                    sums.add(here, won[:, seat], paid[:, seat])

    def played_by(self, player: str) -> list[str]:
        """The roles that a player has played."""
        return [role for number, role in enumerate(self.event.roles) if self.by_role[player, number].seats.any()]

    def of(self, player: str, role: str | None = None) -> ByDeal:
        """The sums of a player in a role by name, or in all roles."""
        wanted = range(len(self.event.roles)) if role is None else [self.event.roles.index(role)]
        result = ByDeal.nothing(self.deals)
        for each in wanted:
            result = result.plus(self.by_role[player, each])
        return result


def deal_differences(tally: Tally, first: str, second: str, role: str | None) -> npt.NDArray[np.float64]:
    """The mean result of one player minus that of another, deal by deal, where both played: in -1 to 1."""
    one, other = tally.of(first, role), tally.of(second, role)
    both = (one.seats > 0) & (other.seats > 0)
    result: npt.NDArray[np.float64] = one.wins[both] / one.seats[both] - other.wins[both] / other.seats[both]
    return result
