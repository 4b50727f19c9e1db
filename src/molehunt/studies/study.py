"""What a study is: a paper's numbers beside ours, row by row, with intervals and verdicts."""

from __future__ import annotations

import csv
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module, resources
from threading import Lock
from typing import Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from molehunt.arena.agent_files import AgentFile, agents_from
from molehunt.arena.clusters import rate_interval
from molehunt.arena.pieces import PieceStore, Stream
from molehunt.arena.statistics import difference, wilson
from molehunt.arena.tuning.race import Gap
from molehunt.arena.workers import Workers, using
from molehunt.core.errors import BadInput, UnknownName, check_is, value_text
from molehunt.core.language import later
from molehunt.core.notebook import table
from molehunt.core.numbers import is_whole
from molehunt.core.words import joined

AGREES, DIFFERS, NONE_PUBLISHED = "agrees", "differs", "none published"

Tell = Callable[[int, int], None]
Measure = Callable[[int, int, Workers, Tell], "list[Row]"]


@dataclass(frozen=True)
class StudiedPlayer:
    """A player that somebody names to a study: its game, how it is typed, and the files of one's own that it may come from."""

    game: str
    spec: str
    files: tuple[AgentFile, ...] = ()

    @property
    def name(self) -> str:
        """How its rows are called."""
        return f"{self.game}/{self.spec}"


def told_apart(players: Sequence[StudiedPlayer]) -> list[StudiedPlayer]:
    """The players, each by the name that it has however it was typed; BadInput where one is named twice."""
    found: dict[str, StudiedPlayer] = {}
    for each in players:
        player = replace(each, spec=agents_from(each.game, each.files).make(each.spec).name)
        if player.name in found:
            raise BadInput(f"{player.name} is named twice")
        found[player.name] = player
    return list(found.values())


MeasurePlayers = Callable[[Sequence[StudiedPlayer], int, int, Workers, Tell], "list[Row]"]


def silent(done: int, total: int) -> None:
    """Tell nobody how far the work is."""


class Progress:
    """Counts what has been played of a study, whoever tells of it, and tells how much of all that is."""

    def __init__(self, tell: Tell, total: int) -> None:
        self._tell, self._total, self._done = tell, total, 0
        self._lock = Lock()
        tell(0, total)

    def played(self, count: int = 1) -> None:
        """So many games (or cells) more."""
        with self._lock:
            self._done += count
            self._tell(self._done, self._total)

    def counter(self) -> Tell:
        """For one cell that tells how many of its own games have been played."""
        before = 0

        def tell(done: int, _: int) -> None:
            nonlocal before
            if done > before:
                self.played(done - before)
                before = done

        return tell


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One quantity, in the paper's unit: what was published, what was measured with its 95 % interval, the verdict."""

    id: str
    quantity: str
    published: float | None
    measured: float
    low: float
    high: float
    games: int
    verdict: str


class Report(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The rows of a study and how long it took, as they are written to JSON; `missing` are the cells that were not finished."""

    study: str
    seconds: float
    rows: list[Row]
    missing: list[str] = []

    def _repr_html_(self) -> str:
        rows = []
        for row in self.rows:
            published = "" if row.published is None else f"{row.published:zg}"
            numbers = (published, f"{row.measured:zg}", f"{row.low:zg} to {row.high:zg}".replace("inf", "∞"))
            rows.append((row.id, row.quantity, *numbers, row.games, verdict_in_words(row)))
        headings = ("id", "quantity", "published", "measured", "95 % interval", "games", "verdict")
        return table(headings, rows, f"{self.study}, {self.seconds:.1f} s")


@dataclass(frozen=True)
class Section:
    """A part of a study's text: a heading, what the rows whose ids begin with `prefix` show, and how to read them.

    `beside` is the prefix of the section whose rows these are compared with, the row whose id ends alike. With `curves`, the rows
    are points of curves, `prefix` + `plot/curve/x`, and are drawn as lines. With `one_axis`, plots that stand beside each other go
    from the same number to the same number.
    """

    prefix: str
    title: str
    text: str
    beside: str = ""
    curves: bool = False
    one_axis: bool = False


@dataclass(frozen=True)
class Picture:
    """A picture of a study's report: a heading, what it shows, a self-contained SVG, and lines to read beside it."""

    title: str
    text: str
    svg: str
    lines: tuple[str, ...]


class Ranked(Protocol):
    """A reading of a paper, and how far its numbers are from the published ones."""

    def values(self) -> Mapping[str, float | str]:
        """What there is to tell of it, by heading, numbers as numbers."""

    def columns(self) -> dict[str, str]:
        """What to print of it, by heading."""


@dataclass(frozen=True)
class FirstLook:
    """What `molehunt study --small` plays and shows of a study: done within seconds, and short enough to be read.

    `sections` are the prefixes of the sections that are shown; without any, the verdict stands alone. `verdict` says in a
    sentence what the rows tell; by default, how many of the published numbers agree. `measure` plays less than the study does:
    what is shown or spoken of; so it may play more `games` a cell than the whole study does in small.
    """

    sections: tuple[str, ...]
    verdict: Callable[[Sequence[Row]], str] | None = None
    measure: Measure | None = None
    games: int | None = None


@dataclass(frozen=True)
class Study:
    """A paper as a study. `measure(games, seed, workers, tell)` plays `games` games a cell and returns the rows.

    It plays its cells with `arena.pieces.in_one_stream`, and leaves out the rows of those that are missing in what that gives.

    `search`, where a paper leaves readings open, takes the same arguments and ranks all readings, the nearest first.
    `measure_players`, where a study can be made of any player, measures those that it is given instead of the study's own.
    `pictures(seed)` gives what the report draws besides. The rows whose ids begin with `judged` are what is published, and are
    called `noun`. With `exact`, nobody says of how many games the published rates are, and they count as exact.
    """

    name: str
    title: str
    source: str
    default_games: int
    small_games: int
    unit: str
    sections: tuple[Section, ...]
    measure: Measure
    search: Callable[[int, int, Workers, Tell], Sequence[Ranked]] | None = None
    measure_players: MeasurePlayers | None = None
    pictures: Callable[[int], Sequence[Picture]] | None = None
    look: FirstLook = FirstLook(())
    judged: str | tuple[str, ...] = ""
    noun: str = "cells"
    exact: bool = False

    def run(
        self,
        games: int,
        seed: int,
        workers: Workers | int,
        tell: Tell = silent,
        store: PieceStore | None = None,
        patient: bool = False,
        players: Sequence[StudiedPlayer] = (),
    ) -> Report:
        """Play the study and time it. `workers` come from `open_workers`; a number is so many threads.

        With `players` it is made of these alone; BadInput where the study has only players of its own, or no games are asked for.
        What is in `store` is not played again, and what is played is kept there. With `patient`, a Ctrl-C ends it with the rows
        that there are, and the report says which cells are missing; else it raises KeyboardInterrupt.
        """
        for each in players:
            check_is(
                each,
                StudiedPlayer,
                "a player that is named is a StudiedPlayer, as StudiedPlayer('duel', 'greedy-2020')",
            )
        if not is_whole(games) or games < 1:
            raise BadInput(f"how many games a cell has is a whole number, 1 or more, not {value_text(games)}")
        if players and self.measure_players is None:
            raise BadInput(f"the study {self.name} is of players of its own choice, and measures none that are named")
        began = time.perf_counter()
        measure = partial(self.measure_players, players) if players and self.measure_players else self.measure
        with using(workers) as pool:
            stream = Stream(pool, store, patient)
            rows = measure(games, seed, stream, tell)
        return Report(study=self.name, seconds=time.perf_counter() - began, rows=rows, missing=stream.missing)

    def glance(self, games: int, seed: int, workers: Workers | int, tell: Tell = silent) -> Report:
        """Play what a first look shows of the study, and time it."""
        began = time.perf_counter()
        with using(workers) as pool:
            rows = (self.look.measure or self.measure)(games, seed, pool, tell)
        return Report(study=self.name, seconds=time.perf_counter() - began, rows=rows)

    def verdict(self, rows: Sequence[Row]) -> str:
        """How many of the published numbers agree with rows of this study, and how many findings are undecided."""
        judged = [row for row in rows if row.id.startswith(self.judged) and is_judged(row)]
        if not judged:
            return "no published numbers to compare with"
        said = f"{sum(row.verdict == AGREES for row in judged)} of {len(judged)} published {self.noun} agree"
        undecided = sum(verdict_in_words(row) == UNDECIDED for row in judged)
        return f"{said}, {undecided} {'is' if undecided == 1 else 'are'} undecided" if undecided else said


def those_with(value: float, values: Mapping[str, float]) -> str:
    """Whose value is this one, as a list in a sentence: in a short run several may have the best."""
    return joined(name for name, each in values.items() if each == value)


STUDIES = {
    "krisnadi2019": later("Saboteur: the decision system of 2019 against itself and the baseline of 2016 (Tables 3-5)"),
    "readings2019": later("Saboteur: the decision system of 2019 as its text can be read (Table 5 over all readings)"),
    "kingston2017": later("Speed Clue: five strategies on deals 1-6 (no published numbers)"),
    "veldhuis2012": later(
        "Saboteur: players with Kripke models and bluffing saboteurs, 12 setups, 6 findings (in words only)"
    ),
    "mitchell2020": later(
        "Speed Clue: the basic and advanced players of 2020 (Tables 5.1-5.3), and what their report proposed"
    ),
    "hansen2019": later("Speed Clue: whether naming cards of one's own early pays (two findings in words)"),
    "neller2018": later(
        "Speed Clue: chances from samples of a heuristic search beside exact ones (two findings in words)"
    ),
    "cai2020": later("The duel: the heuristic and the AND/OR search of 2020 against random players (two numbers)"),
    "constants2019": later(
        "Saboteur: what each constant of the decision system of 2019 is worth, and all of them tuned"
    ),
    "exact_clue": later(
        "Speed Clue: exact inference against every other player, and what simple deductions miss (nothing published)"
    ),
    "strangers": later(
        "Our players among players drawn from a space of habits: mean, worst tenth, by style (nothing published)"
    ),
    "opponents2020": later(
        "The duel: a Bayesian network of the opponent, learned across games (proposed in 2020; nothing published)"
    ),
    "mechanisms": later(
        "How often what the papers describe happens: cards, deductions, trust, borrowed beliefs (nothing published)"
    ),
    "deeper_beliefs": later(
        "Saboteur: what beliefs about beliefs are worth, at depths one to three (nothing published)"
    ),
    "bluffing": later(
        "Saboteur: saboteurs who pretend to be miners never, sometimes and always, by seats (nothing published)"
    ),
    "suspicion": later(
        "Saboteur: how good beliefs about who is a saboteur are, beside those of other players (nothing published)"
    ),
    "mole2026": later(
        "Saboteur: all players against each other in the published seatings, and for gold (nothing published)"
    ),
    "exploitability": later("Small games: how much each player loses to one who knows it (nothing published)"),
}
"""The studies by name, each a module of this package with a value STUDY."""


def load_study(name: str) -> Study:
    """The study of a name; UnknownName if there is none, BadInput if it is no text."""
    check_is(name, str, "a study is named by a text, as 'krisnadi2019'")
    if name not in STUDIES:
        raise UnknownName("study", name, STUDIES)
    study: Study = import_module(f"molehunt.studies.{name}").STUDY
    return study


HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "undecided"
"""What is said of a finding that is published in words, at the end of its row's quantity."""
VERDICTS = {HOLDS: AGREES, FAILS: DIFFERS, UNDECIDED: NONE_PUBLISHED}
"""The verdict of its row."""


def verdict_in_words(row: Row) -> str:
    """The verdict of a row; of a finding in words, whether it holds, does not hold, or is undecided."""
    said = row.quantity.rpartition(": ")[2]
    return said if said in (HOLDS, FAILS, UNDECIDED) else row.verdict


def is_judged(row: Row) -> bool:
    """Whether there is something published to agree with: a number, or a finding in words."""
    return row.published is not None or verdict_in_words(row) in (HOLDS, FAILS, UNDECIDED)


SMALL_NUMBERS = 2.0
"""Where no number of a table is larger, and none is a percentage or points of one, it is shown with four digits after the point."""


def digits_of(rows: Sequence[Row], usual: int = 1) -> int:
    """How many digits after the point the numbers of some rows are shown with: as usual, or four where they are small.

    Ends of an interval that are not known say nothing of how large numbers are.
    """
    sizes = (abs(number) for row in rows for number in (row.measured, row.low, row.high) if math.isfinite(number))
    largest = max(sizes, default=SMALL_NUMBERS)
    percent = any("%" in row.quantity or "points" in row.quantity for row in rows)
    return usual if percent or largest > SMALL_NUMBERS else 4


def published_rows(file: str) -> list[dict[str, str]]:
    """The rows of a CSV file of published numbers, as they are in the package."""
    text = resources.files("molehunt.studies").joinpath("published", file).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


def points_row(cell: str, quantity: str, difference: Gap) -> Row:
    """A row for a paired difference of rates, in points; nothing is published to compare it with."""
    return Row(
        id=cell,
        quantity=quantity,
        published=None,
        measured=round(100 * difference.mean, 3),
        low=round(100 * difference.low, 3),
        high=round(100 * difference.high, 3),
        games=difference.deals,
        verdict=NONE_PUBLISHED,
    )


def cases_row(cell: str, text: str, holds: int, of: int, games: int) -> Row:
    """A row for a claim about so many cases: in how many of them it holds in our numbers. It agrees where it holds in all."""
    return Row(
        id=cell,
        quantity=f"{text} (cases)",
        published=float(of),
        measured=float(holds),
        low=float(holds),
        high=float(holds),
        games=games,
        verdict=AGREES if holds == of else DIFFERS,
    )


def rate_row(cell: str, quantity: str, wins: float, games: int, published: tuple[float, int] | None) -> Row:
    """A row for a rate in percent. `published` is (percent, games behind it).

    The verdict is `agrees` where the 95 % interval of the difference of the two rates holds 0. BadInput where there are no games,
    or not so many.
    """
    asked: object = games
    won: object = wins
    if not is_whole(asked) or asked < 1 or not isinstance(won, int | float | np.number) or not 0 <= wins <= asked:
        raise BadInput(
            f"{cell}: a rate is of wins from 0 to the number of games, 1 or more, not of {value_text(wins)} in "
            f"{value_text(games)}"
        )
    low, high = wilson(wins, games)
    verdict = NONE_PUBLISHED
    if published is not None:
        behind_it: object = published
        if not isinstance(behind_it, tuple) or len(behind_it) != 2:
            raise BadInput(f"{cell}: what is published is (percent, games), not {value_text(published)}")
        percent, behind = published
        gap_low, gap_high = difference(wins, games, percent * behind / 100, behind)
        verdict = AGREES if gap_low <= 0 <= gap_high else DIFFERS
    return Row(
        id=cell,
        quantity=quantity,
        published=None if published is None else round(published[0], 3),
        measured=round(100 * wins / games, 3),
        low=round(100 * low, 3),
        high=round(100 * high, 3),
        games=games,
        verdict=verdict,
    )


def clustered_row(cell: str, quantity: str, counts: npt.NDArray[np.int64], chances: npt.NDArray[np.int64]) -> Row:
    """A row for a rate in percent of which nothing is published, from counts and chances by deal or game, shape (n,) each.

    The chances of one deal depend on each other, so its interval is over deals, and `games` are those with chances.
    """
    low, high = rate_interval(counts, chances)
    return Row(
        id=cell,
        quantity=quantity,
        published=None,
        measured=round(100 * float(counts.sum() / chances.sum()), 3),
        low=round(100 * low, 3),
        high=round(100 * high, 3),
        games=int((chances > 0).sum()),
        verdict=NONE_PUBLISHED,
    )
