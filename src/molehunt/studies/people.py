"""People against the players of 2020: the analysis of docs/people.md, written before there is anything to analyse.

`molehunt study people --store FOLDER` reads what `molehunt serve --people FOLDER` keeps. People differ and each plays many games,
so every interval is over people, not over games.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from molehunt.arena.clusters import difference_interval, mean_interval_by_deal
from molehunt.core.errors import BadInput
from molehunt.core.record import Record
from molehunt.games.speed_clue.ruleset import MAX_SEATS, MIN_SEATS
from molehunt.studies.clue_series import ADVANCED, BASIC
from molehunt.studies.people_protocol import LAST, questions_after
from molehunt.studies.people_store import Kept, read_people

STRATEGIES = (ADVANCED, BASIC)
LEAST = 12
"""People; of fewer nothing is said but what they did."""


@dataclass(frozen=True)
class Person:
    """What came of one person's games.

    `above` is the sum over games of 1 for a win, 0 else, minus a fair share; `wins` and `seats` are of the artificial players by
    strategy, in games in which both strategies sat.
    """

    games: int
    won: int
    above: float
    wins: tuple[int, int]
    seats: tuple[int, int]


@dataclass(frozen=True)
class Answer:
    """A number with its 95 % interval over so many people."""

    what: str
    measured: float
    low: float
    high: float
    people: int

    def __str__(self) -> str:
        within = f"{self.low:+z.1f} to {self.high:+z.1f}" if math.isfinite(self.low) else "interval unknown"
        return f"{self.what}: {self.measured:+z.1f} points ({within}; {self.people} people)"


def seat_of_person(record: Record) -> int:
    """Where the one person of a game sat; BadInput where there is no such seat, or several."""
    seats = [seat for seat, player in enumerate(record.seats) if player not in STRATEGIES]
    if len(seats) != 1:
        raise BadInput(
            f"a game of a series has one person among {' and '.join(STRATEGIES)}, not the seats {record.seats}"
        )
    return seats[0]


def person_of(records: Sequence[Record]) -> Person:
    """What came of one person's games; those of a series that was broken off count, too."""
    won, above = 0, 0.0
    wins, seats = [0, 0], [0, 0]
    for record in records:
        own = seat_of_person(record)
        winners = set(record.ending.winners)
        won += own in winners
        above += (own in winners) - 1 / len(record.seats)
        if set(STRATEGIES) <= set(record.seats):
            for seat, player in enumerate(record.seats):
                if seat != own:
                    wins[STRATEGIES.index(player)] += seat in winners
                    seats[STRATEGIES.index(player)] += 1
    return Person(len(records), won, above, (wins[0], wins[1]), (seats[0], seats[1]))


def answers(people: Sequence[Person]) -> list[Answer]:
    """The two questions of the protocol, in the order in which they are asked; none where there are too few people."""
    if len(people) < LEAST:
        return []
    above = np.array([person.above for person in people])
    games = np.array([person.games for person in people])
    low, high = mean_interval_by_deal(above, games)
    first = Answer("people above a fair share", *_points(above.sum() / games.sum(), low, high), len(people))
    wins, seats = _columns([person.wins for person in people]), _columns([person.seats for person in people])
    if not all(column.sum() for column in seats):
        return [first]
    gap = wins[0].sum() / seats[0].sum() - wins[1].sum() / seats[1].sum()
    low, high = difference_interval(wins[0], seats[0], wins[1], seats[1])
    second = Answer("advanced above basic, at tables with a person and both", *_points(gap, low, high), len(people))
    return [first, second]


def _points(*shares: float) -> tuple[float, float, float]:
    first, second, third = (100 * share for share in shares)
    return first, second, third


def _columns(pairs: Sequence[tuple[int, int]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    table = np.array(pairs, np.int64)
    return table[:, 0], table[:, 1]


def told(people: Sequence[Person]) -> list[str]:
    """What is said of some people, in lines."""
    games, won = sum(person.games for person in people), sum(person.won for person in people)
    lines = [f"{len(people)} people, {games} games, {won} won by people."]
    if len(people) < LEAST:
        lines.append(f"Of fewer than {LEAST} people nothing more is said.")
    return [*lines, *map(str, answers(people))]


def answered(kept: Sequence[Kept]) -> list[str]:
    """How often each answer was chosen, in lines; of questions that are answered in words, how many wrote something."""
    lines = []
    for question in (*(one for count in range(MIN_SEATS, MAX_SEATS + 1) for one in questions_after(count)), *LAST):
        given = Counter(text for each in kept if (text := each.answers.get(question.id)))
        counts = ", ".join(f"{choice} {given[choice]}" for choice in question.choices)
        lines.append(f"{question.id}: {counts or f'{given.total()} wrote something'}")
    return lines


def analysis(folder: Path) -> list[str]:
    """What a store of people says, in lines; BadInput where the folder is none.

    Whoever has finished no game counts with their answers alone.
    """
    rehearsal, kept = read_people(folder)
    people = [person_of([*each.records.values()]) for each in kept if each.records]
    lines = told(people)
    if len(people) >= LEAST:
        lines += answered(kept)
    if rehearsal:
        lines.insert(0, "These people are made up, for a rehearsal: nothing here is a result.")
    return lines
