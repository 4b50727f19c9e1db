"""Playing a tournament: the units of its plan, done by any executor, counted in the order of the plan."""

from __future__ import annotations

import gzip
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from molehunt.arena.faults import SeatFault, Where, games_by_reason, lost_by_fault, payoffs_of, play_with_faults
from molehunt.arena.match import MatchSpec, the_match
from molehunt.arena.tournament.events import ANY, Event, Unit
from molehunt.arena.tournament.lineups import Seating
from molehunt.arena.tournament.outcomes import MAX_SEATS, ROLE_BITS, EventOutcomes, UnitResult, no_outcomes
from molehunt.arena.tournament.plan import Plan
from molehunt.arena.tournament.stopping import decided
from molehunt.arena.workers import Workers, in_order, using
from molehunt.core.errors import BadInput, MolehuntError
from molehunt.core.record import make_record
from molehunt.core.streams import game_seeds


@dataclass(frozen=True)
class Task:
    """A unit as a worker gets it: everything that it needs, in texts and numbers."""

    number: int
    match: MatchSpec
    seating: Seating
    tells_roles: bool
    seed: int
    first: int
    deals: int
    keep: bool


def task_of(plan: Plan, unit: Unit) -> Task:
    """A unit of a plan as a worker gets it."""
    event = plan.events[unit.event]
    return Task(
        number=unit.number,
        match=plan.match_of(event, event.lineups[unit.lineup]),
        seating=plan.seating_of(unit),
        tells_roles=event.roles != (ANY,),
        seed=plan.seed,
        first=unit.first,
        deals=unit.deals,
        keep=plan.records,
    )


def play_task(task: Task) -> UnitResult:
    """Play a unit; the same task gives the same result anywhere, but for its seconds."""
    began = time.perf_counter()
    match = the_match(task.match)
    game = match.game
    seats = list(task.seating)
    if len(seats) > MAX_SEATS:
        raise BadInput(f"a tournament is for at most {MAX_SEATS} seats, not {len(seats)}")
    seeds = game_seeds(task.seed, task.first, task.deals)
    base = match.roles()
    roles = None if base is None else np.tile(base[seats], (task.deals, 1))
    played = play_with_faults(game, [match.agents[chair] for chair in seats], seeds, roles, task.keep)
    lost = lost_by_fault(game, played)
    won = game.wins(played.states) & ~lost.seats
    payoffs = payoffs_of(game, played, lost)
    places = np.arange(len(seats), dtype=np.uint64)
    had = game.roles_of(played.states).astype(np.uint64) if task.tells_roles else np.zeros_like(won, np.uint64)
    records = b""
    if played.actions is not None:
        names = tuple(match.names[chair] for chair in seats)
        lines = [
            make_record(
                game,
                int(seeds[i]),
                names,
                None if roles is None else roles[i],
                actions,
                played.states[i],
                faults=lost.of(i),
                failed_after=lost.after(game, i, int(seeds[i]), None if roles is None else roles[i], actions),
            ).line()
            for i, actions in enumerate(played.actions)
        ]
        records = gzip.compress(b"".join(lines), mtime=0)
    return UnitResult(
        number=task.number,
        wins=(won.astype(np.uint64) << places).sum(axis=1).astype(np.uint16),
        roles=(had << (places * np.uint64(ROLE_BITS))).sum(axis=1, dtype=np.uint64),
        endings=game.endings(played.states).astype(np.uint8),
        payoffs=None if np.array_equal(payoffs, won) else payoffs.astype(np.float32),
        moves=played.moves,
        seconds=time.perf_counter() - began,
        records=records,
        faults=tuple(lost.faults),
    )


class Keeper(Protocol):
    """What keeps finished units: a store, or nothing."""

    def keep(self, unit: Unit, result: UnitResult) -> None:
        """Take a finished unit; they come in the order of the plan."""

    def flush(self) -> None:
        """Make sure that everything taken is kept."""


class Nothing:
    """Keeps nothing."""

    def keep(self, unit: Unit, result: UnitResult) -> None:
        """Nothing is kept."""

    def flush(self) -> None:
        """Nothing is to be done."""


class Progress:
    """A tournament as far as it has been counted: the outcomes, and which events have stopped.

    Units come in the order of the plan; at the end of a block it is looked whether the event stops. So what is counted depends on
    the plan alone, not on who played it when.
    """

    END = sys.maxsize
    """The number after that of every unit."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.outcomes: list[EventOutcomes] = no_outcomes(plan)
        self.games = 0
        self.faults: Counter[str] = Counter()
        """How many games players lost by fault, by the reason."""
        self.first_faults: dict[str, Where] = {}
        """For each of these reasons the first of the games that was counted, as it can be played again."""
        self.before = 0
        """How many of the games were there when the tournament was gone on with."""
        self.interrupted = False
        self.ahead: dict[int, UnitResult] = {}
        """Units that were finished before, and are counted when those before them in the plan have been played."""
        self.unwanted: list[int] = []
        """Units that were finished before, of events that have stopped earlier now."""

    def wants(self, unit: Unit) -> bool:
        """Whether a unit is counted: its event has not stopped."""
        return not self.outcomes[unit.event].stopped

    def count(self, unit: Unit, result: UnitResult) -> None:
        """Count a unit that is wanted."""
        self._add(unit, result)
        outcomes = self.outcomes[unit.event]
        if _ends_block(outcomes.event, unit):
            outcomes.stopped = decided(outcomes)

    def _add(self, unit: Unit, result: UnitResult) -> None:
        self.outcomes[unit.event].add(unit, result)
        self.faults += games_by_reason(result.faults)
        for fault in result.faults:
            if fault.reason not in self.first_faults:
                self.first_faults[fault.reason] = self._where(unit, fault)
        self.games += unit.deals

    def _where(self, unit: Unit, fault: SeatFault) -> Where:
        event = self.plan.events[unit.event]
        chairs = event.lineups[unit.lineup].chairs
        seats = tuple(str(chairs[chair]) for chair in self.plan.seating_of(unit))
        return Where(event.label, seats, self.plan.seed, unit.first + fault.game, seat=fault.seat)

    def resume(self, finished: Iterable[tuple[int, UnitResult]], gaps: bool = False) -> int:
        """Count units that were finished before, in order; the number of the unit to go on with.

        Where there may be gaps, as players have been mended, those after the first one are counted later (`count_ahead`).
        BadInput where they are not the plan's.
        """
        self.ahead = dict(finished)
        first = self.END
        for unit in self.plan.units():
            if unit.number in self.ahead:
                self._count_ahead(unit)
            elif self.wants(unit):
                first = unit.number
                break
        if self.ahead and not gaps:
            raise BadInput(f"the units are not those of this plan: {min(self.ahead)} comes where {first} should")
        if self.ahead and max(self.ahead) >= sum(1 for _ in self.plan.units()):
            raise BadInput(f"the units are not those of this plan: {max(self.ahead)} is none of them")
        self.before = self.games + sum(len(result.wins) for result in self.ahead.values())
        return first

    def count_ahead(self, until: int = END) -> None:
        """Count units that were finished before, as far as those before them in the plan have been played: up to unit `until`."""
        if self.ahead and min(self.ahead) < until:
            for unit in self.plan.units():
                if unit.number >= until or not self.ahead:
                    break
                if unit.number in self.ahead:
                    self._count_ahead(unit)

    def _count_ahead(self, unit: Unit) -> None:
        result = self.ahead.pop(unit.number)
        if self.wants(unit):
            self.count(unit, result)
        else:  # its event has stopped earlier than it had before
            self.unwanted.append(unit.number)
            self.before -= unit.deals

    def count_rest(self) -> None:
        """Count also what is there after units that are missing; no event stops by that."""
        for unit in self.plan.units() if self.ahead else ():
            if unit.number in self.ahead and self.wants(unit):
                self._add(unit, self.ahead.pop(unit.number))

    @property
    def total(self) -> int:
        """How many games there are if no further event stops."""
        return sum(each.played if each.stopped else each.event.games for each in self.outcomes)

    @property
    def finished(self) -> bool:
        """Whether everything has been played."""
        return self.games == self.total


def _ends_block(event: Event, unit: Unit) -> bool:
    end = unit.first + unit.deals
    last = unit.lineup == len(event.lineups) - 1 and unit.seating == len(event.lineups[-1].seatings) - 1
    return last and (end % event.block == 0 or end == event.deals)


def play_tournament(
    progress: Progress,
    workers: Workers | int,
    keeper: Keeper | None = None,
    tell: Callable[[int, int], None] | None = None,
    first: int = 0,
) -> None:
    """Play what is missing of a tournament, from unit `first` on, with any executor; a number of workers is so many threads.

    A KeyboardInterrupt ends it early with `progress.interrupted` set; what has been counted until then is kept.
    """
    plan = progress.plan
    keep = keeper or Nothing()
    under_way: dict[int, Unit] = {}

    def tasks() -> Iterator[tuple[Task]]:
        for unit in plan.units():
            if unit.number >= first and unit.number not in progress.ahead and progress.wants(unit):
                under_way[unit.number] = unit
                yield (task_of(plan, unit),)

    def take(result: UnitResult) -> None:
        unit = under_way.pop(result.number)
        progress.count_ahead(unit.number)
        if progress.wants(unit):
            progress.count(unit, result)
            keep.keep(unit, result)
        if tell is not None:
            tell(progress.games, progress.total)

    if tell is not None:
        tell(progress.games, progress.total)
    try:
        with using(workers) as pool:
            in_order(pool, play_task, tasks(), take)
        progress.count_ahead()
    except KeyboardInterrupt:
        progress.interrupted = True
    keep.flush()
    progress.count_rest()
    if not progress.interrupted and not progress.finished:
        raise MolehuntError(f"only {progress.games} of {progress.total} games were counted; please report this")
