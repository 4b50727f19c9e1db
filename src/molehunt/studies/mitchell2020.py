"""Mitchell 2020, the Speed Clue platform: Tables 5.1 to 5.3, the claims of its chapter 5, and what it only proposed.

The report leaves several readings open and its program is not to be had, so every table stands here twice: in the plain, sound
reading of its text, and in the closest one found by a search over all readings (`search`).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise, product
from typing import Any, TypeVar

import numpy as np

from molehunt.arena.pieces import in_one_stream
from molehunt.arena.statistics import mean_interval, student
from molehunt.arena.workers import Workers
from molehunt.studies.clue_games import COUNTS, mix, self_play
from molehunt.studies.mitchell_proposals import SEATS, proposal_cells, proposal_rows
from molehunt.studies.study import (
    AGREES,
    DIFFERS,
    FirstLook,
    Progress,
    Row,
    Section,
    Study,
    Tell,
    cases_row,
    published_rows,
    rate_row,
)

T = TypeVar("T")
PUBLISHED_GAMES = 500
IN_HANDS = 18
"""Cards that are dealt to the players."""


@dataclasses.dataclass(frozen=True)
class Reading:
    """One way to read the report: what both players do, what `advanced` does besides, and how rounds are counted."""

    both: tuple[str, ...] = ()
    advanced: tuple[str, ...] = ()
    count: str = "begun"

    def spec(self, agent: str) -> str:
        """The player `basic` or `advanced` in this reading."""
        items = [*self.both, *(self.advanced if agent == "advanced" else ())]
        return agent + (":" + ",".join(items) if items else "")

    def __str__(self) -> str:
        return ", ".join([*self.both, *self.advanced, f"rounds {self.count}"])


PLAIN = Reading()
CLOSEST = Reading(("deduction_6=never",), ("fallback=unsolved_only",), "complete")
"""Of the readings nearest to all 54 published values, which 2,000 games a cell do not tell apart, the one that keeps closest to the
report's text. It was chosen by the numbers beside which it stands, so that they agree is no test of it; docs/papers/mitchell2020.md
has the readings as Table 5.1 alone ranks them."""


@dataclasses.dataclass(frozen=True)
class RoundsCell:
    """One cell of Tables 5.1 and 5.2."""

    table: str
    deal: int
    seats: int
    agent: str
    published: float

    @property
    def id(self) -> str:
        """Table and cell, as it stands in the rows."""
        return f"table{self.table}/deal{self.deal}-{self.seats}-{self.agent}"


@dataclasses.dataclass(frozen=True)
class MixCell:
    """One test of Table 5.3: `advanced` of `seats` players are advanced, the others basic."""

    test: int
    seats: int
    advanced: int
    wins: int
    games: int


def rounds_cells() -> list[RoundsCell]:
    """The 40 cells of Tables 5.1 and 5.2."""
    return [
        RoundsCell(row["table"], int(row["deal"]), int(row["players"]), row["agent"], float(row["mean_rounds"]))
        for row in published_rows("mitchell2020_rounds.csv")
    ]


def mix_cells() -> list[MixCell]:
    """The 14 tests of Table 5.3."""
    tests: dict[int, list[dict[str, str]]] = {}
    for row in published_rows("mitchell2020_wins.csv"):
        tests.setdefault(int(row["test"]), []).append(row)
    return [
        MixCell(
            test,
            len(rows),
            sum(row["agent"] == "advanced" for row in rows),
            sum(int(row["wins"]) for row in rows if row["agent"] == "advanced"),
            sum(int(row["wins"]) for row in rows),
        )
        for test, rows in sorted(tests.items())
    ]


# --- The tables ---------------------------------------------------------------------------------------------------------


def rounds_row(prefix: str, cell: RoundsCell, reading: Reading, games: int, seed: int, workers: Workers) -> Row:
    """A mean number of rounds beside the printed one; the printed mean of 500 games is taken to have our spread."""
    turns = self_play(reading.spec(cell.agent), cell.seats, cell.deal, games, seed, workers).turns
    rounds = COUNTS[reading.count](turns, cell.seats)
    mean, low, high = mean_interval(rounds)
    spread = float(rounds.std(ddof=1)) if games > 1 else math.inf
    gap = student(max(1, games - 1)) * spread * math.sqrt(1 / games + 1 / PUBLISHED_GAMES)
    return Row(
        id=prefix + cell.id,
        quantity=f"mean rounds until the solution: deal {cell.deal}, {cell.seats} x {cell.agent}",
        published=cell.published,
        measured=round(mean, 3),
        low=round(low, 3),
        high=round(high, 3),
        games=games,
        verdict=AGREES if abs(mean - cell.published) <= gap else DIFFERS,
    )


def mix_row(prefix: str, cell: MixCell, reading: Reading, games: int, seed: int, workers: Workers) -> Row:
    """How often an advanced player wins in a mix, beside the printed count."""
    specs = (reading.spec("advanced"), reading.spec("basic"))
    wins, played = mix(specs, cell.advanced, cell.seats, games, seed, workers)
    basics = cell.seats - cell.advanced
    return rate_row(
        f"{prefix}table5.3/test{cell.test}",
        f"wins of the advanced players, %: {cell.advanced} x advanced with {basics} x basic",
        wins,
        played,
        (100 * cell.wins / cell.games, cell.games),
    )


# --- The claims of chapter 5 ---------------------------------------------------------------------------------------------


FASTER = 18
"""The cells of Tables 5.1 and 5.2 in which `advanced` is printed with fewer rounds; of 20."""


def most_rounds(seats: int) -> int:
    """How many suggestions of unseen cards the player who begins makes at most until only the envelope is left (section 3.1).

    Every suggestion but one of the very envelope is disproved with a card that was not seen before, and the others hold so many.
    """
    return IN_HANDS - -(-IN_HANDS // seats)


def claims(rows: list[Row], games: int) -> list[Row]:
    """The claims of chapter 5, judged by our numbers in the plain reading."""
    rounds = {row.id: row.measured for row in rows if row.id.startswith(("table5.1/", "table5.2/"))}
    mixes = {row.id: row.measured for row in rows if row.id.startswith("table5.3/")}

    def of(deal: int, seats: int, agent: str) -> float:
        return rounds[f"table5.{1 if deal <= 6 else 2}/deal{deal}-{seats}-{agent}"]

    def lead(seats: int) -> float:
        """How many rounds `advanced` is faster, on deals 7 and 8."""
        return sum(of(deal, seats, "basic") - of(deal, seats, "advanced") for deal in (7, 8)) / 2

    cells = [(cell.deal, cell.seats) for cell in rounds_cells() if cell.agent == "basic"]
    faster = sum(of(deal, seats, "advanced") < of(deal, seats, "basic") for deal, seats in cells)
    ahead = sum(
        mixes[f"table5.3/test{c.test}"] / c.advanced > (100 - mixes[f"table5.3/test{c.test}"]) / (c.seats - c.advanced)
        for c in mix_cells()
    )
    steps = list(pairwise(SEATS))
    shrinking = sum(lead(fewer) > lead(more) for fewer, more in steps)
    quicker = sum(
        of(deal, more, agent) < of(deal, fewer, agent)
        for deal in (7, 8)
        for agent in ("basic", "advanced")
        for fewer, more in steps
    )
    basic_8 = sum(of(8, seats, "basic") < of(7, seats, "basic") for seats in SEATS)
    advanced_7 = sum((of(7, seats, "advanced") < of(8, seats, "advanced")) == (seats != 3) for seats in SEATS)
    return [
        cases_row(
            "claim/advanced-wins-every-mix",
            "an advanced player wins more than a basic one, in every mix",
            ahead,
            14,
            games,
        ),
        cases_row(
            "claim/advanced-is-faster",
            "equal advanced players are faster, in all printed cells but two (six players, deals 6 and 8)",
            faster,
            FASTER,
            games,
        ),
        cases_row(
            "claim/most-rounds-3",
            "3.1: rounds that elimination takes at most, three players",
            most_rounds(3),
            12,
            games,
        ),
        cases_row(
            "claim/most-rounds-6", "3.1: rounds that elimination takes at most, six players", most_rounds(6), 14, games
        ),
        cases_row("claim/lead-shrinks", "the lead of advanced shrinks with every further player", shrinking, 3, games),
        cases_row("claim/more-players-fewer-rounds", "every further player makes for fewer rounds", quicker, 12, games),
        cases_row("claim/basic-prefers-deal-8", "basic is faster on deal 8 than on deal 7", basic_8, 4, games),
        cases_row(
            "claim/advanced-prefers-deal-7",
            "advanced is faster on deal 7, except with three players",
            advanced_7,
            4,
            games,
        ),
    ]


# --- All of it ----------------------------------------------------------------------------------------------------------


def table_cells(games: int, seed: int) -> dict[str, Callable[[Workers], Row]]:
    """Every cell of every table, in both readings."""
    todo: dict[str, Callable[[Workers], Row]] = {}
    for prefix, reading in (("", PLAIN), ("closest/", CLOSEST)):
        for rounds_cell in rounds_cells():
            todo[prefix + rounds_cell.id] = partial(rounds_row, prefix, rounds_cell, reading, games, seed)
        for mix_cell in mix_cells():
            name = f"{prefix}table5.3/test{mix_cell.test}"
            todo[name] = partial(mix_row, prefix, mix_cell, reading, games, seed)
    return todo


def play_all(todo: Mapping[str, Callable[[Workers], T]], workers: Workers, tell: Tell) -> dict[str, T]:
    """What some cells come to, played as one stream."""
    progress = Progress(tell, len(todo))

    def play(cell: Callable[[Workers], T], stream: Workers) -> T:
        found = cell(stream)
        progress.played()
        return found

    return in_one_stream(workers, {name: partial(play, cell) for name, cell in todo.items()})


def look_measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play every cell of every table in both readings."""
    return list(play_all(table_cells(games, seed), workers, tell).values())


def look_verdict(rows: Sequence[Row]) -> str:
    """How many printed numbers agree, in either reading."""
    counts = []
    for closest in (False, True):
        cells = [row.verdict == AGREES for row in rows if row.id.startswith("closest/") == closest]
        counts.append(f"{sum(cells)} of {len(cells)}")
    return (
        f"{counts[0]} published numbers agree with the report's text read plainly, {counts[1]} in the closest reading"
    )


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play every cell of every table in both readings, and the proposals."""
    tables = table_cells(games, seed)
    cells: dict[str, Callable[[Workers], Any]] = {**tables, **proposal_cells(games, seed)}
    found = play_all(cells, workers, tell)
    rows: list[Row] = [found[name] for name in tables if name in found]
    if len(rows) == len(tables):
        rows += claims(rows, games)
    return [*rows, *proposal_rows({name: won for name, won in found.items() if name not in tables})]


# --- The search over readings --------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Distance:
    """How far a reading is from the printed numbers, as root mean squares.

    Over the 24 cells of Table 5.1, by which readings are ranked; over the 16 of Table 5.2 and the 14 mixes of Table 5.3, which
    judge the choice.
    """

    reading: Reading
    chosen_by: float
    rounds: float
    points: float

    def values(self) -> dict[str, float | str]:
        """What there is to tell of it, by heading."""
        return {
            "5.1: rounds off": self.chosen_by,
            "5.2: rounds off": self.rounds,
            "5.3: points off": self.points,
            "reading": str(self.reading),
        }

    def columns(self) -> dict[str, str]:
        """What to print of it, by heading."""
        digits = {"5.1: rounds off": 2, "5.2: rounds off": 2, "5.3: points off": 1}
        return {
            key: f"{value:.{digits[key]}f}" if key in digits else str(value) for key, value in self.values().items()
        }


def readings() -> Iterator[Reading]:
    """All readings that the search goes through, but for the ways to count rounds."""
    for deduction_6, solved, accuse_after, show, fallback in product(
        ("sound", "never", "not_at_deal"),
        ("any", "own", "not_held", "envelope"),
        ("yes", "no"),
        ("first", "random"),
        ("report", "ideal_or_basic", "one_only", "unsolved_only"),
    ):
        both = (f"deduction_6={deduction_6}", f"solved={solved}", f"accuse_after={accuse_after}", f"show={show}")
        yield Reading(both, (f"fallback={fallback}",))


def search(games: int, seed: int, workers: Workers, tell: Tell) -> list[Distance]:
    """Every reading, the nearest to Table 5.1 first; Tables 5.2 and 5.3 play no part in the order."""
    todo = list(readings())
    rounds, mixes = rounds_cells(), mix_cells()
    progress = Progress(tell, len(todo))

    def judge(reading: Reading, stream: Workers) -> list[Distance]:
        turns = [self_play(reading.spec(c.agent), c.seats, c.deal, games, seed, stream).turns for c in rounds]
        gaps = []
        for cell in mixes:
            specs = (reading.spec("advanced"), reading.spec("basic"))
            wins, played = mix(specs, cell.advanced, cell.seats, games, seed, stream)
            gaps.append(100 * wins / played - 100 * cell.wins / cell.games)
        progress.played()
        found = []
        for count, rounds_of in COUNTS.items():
            errors: dict[str, list[float]] = {"5.1": [], "5.2": []}
            for t, c in zip(turns, rounds, strict=True):
                errors[c.table].append(float(rounds_of(t, c.seats).mean()) - c.published)
            exact = dataclasses.replace(reading, count=count)
            found.append(Distance(exact, *(_root_mean_square(some) for some in (*errors.values(), gaps))))
        return found

    each = in_one_stream(workers, {str(reading): partial(judge, reading) for reading in todo})
    return sorted((one for found in each.values() for one in found), key=lambda distance: distance.chosen_by)


def _root_mean_square(values: list[float]) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


STUDY = Study(
    name="mitchell2020",
    title="Speed Clue: the basic and advanced players of 2020, and what their report proposed",
    source="Katie Mitchell: artificial players for Speed Clue. Final-year report, University of Leeds, 2020.",
    default_games=2000,
    small_games=100,
    unit="rounds, or wins in %",
    sections=(
        Section("table5.1/", "Table 5.1: rounds on deals 1 to 6", "The plain reading of the report's text."),
        Section("table5.2/", "Table 5.2: rounds on deals 7 and 8", "The plain reading of the report's text."),
        Section("table5.3/", "Table 5.3: wins of the advanced players in mixes", "All seatings equally often."),
        Section(
            "claim/",
            "The claims of chapter 5",
            "In how many of the cases each holds in our numbers, by the means alone: near a tie chance decides.",
        ),
        Section("closest/table5.1/", "Table 5.1 in the closest reading", f"Assumed: {CLOSEST}."),
        Section("closest/table5.2/", "Table 5.2 in the closest reading", f"Assumed: {CLOSEST}."),
        Section("closest/table5.3/", "Table 5.3 in the closest reading", f"Assumed: {CLOSEST}."),
        Section(
            "proposal/",
            "What the report proposed and did not build",
            "One player with the proposal among players without it.",
        ),
        Section(
            "paired/",
            "What the proposals change",
            "Points won more than the same seat wins without the proposal, game by game on the same deals. `more` and `less` hold "
            "at 95 % for all comparisons of this section together (Holm).",
        ),
        Section(
            "prediction/",
            "Its predictions",
            "With how many numbers of players (of four) each proposal helps, by the section above.",
        ),
        Section(
            "rounds/",
            "The proposals in rounds",
            "Rounds that a table of players with the proposal needs more than one without it, on deals 1 to 6, game by game; below "
            "0 it is sooner. `more` and `less` as above, for this section.",
        ),
    ),
    measure=measure,
    look=FirstLook(("closest/table5.3/",), look_verdict, look_measure),
    search=search,
)
