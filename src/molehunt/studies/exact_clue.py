"""Exact Clue: how strong `exact` is, what each of its ingredients is worth, and what simple deductions miss.

Nothing of this is published. Players of the report of 2020 sit on the other seats; exact inference also tells how often the
report's seven deductions miss a fact that is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from molehunt.arena.pieces import in_one_stream
from molehunt.arena.workers import Workers
from molehunt.studies.clue_games import mix, wins_in_mix
from molehunt.studies.missed_facts import WINDOWS, count_missed
from molehunt.studies.paired import Comparison, paired_rows
from molehunt.studies.study import FirstLook, Progress, Row, Section, Study, Tell, clustered_row, rate_row

SEATS = (3, 4, 5, 6)
OTHERS = (
    "combined",
    "mixed",
    "basic",
    "next-possible",
    "previous-possible",
    "next-not-held",
    "deduction-only",
    "no-intelligence",
    "random",
)
WITHOUT = {
    "all": ("exact", "nothing left out"),
    "reading": ("exact:read=no", "without reading what suggestions and silences betray"),
    "weights": ("exact:choose=no", "without weights for cards that were chosen to be shown"),
    "likeliest": ("exact:ask=gain", "suggesting what tells most, not the likeliest envelope"),
    "leak": ("exact:askers=0", "showing the first card, not the one that tells least"),
    "early": ("exact:early=no", "without early accusations"),
    "rules": (
        "exact:read=no,choose=no,early=no,askers=0",
        "the rules alone: exact deductions, what tells most",
    ),
}
"""Ingredients: the player, and what it does without."""
WHOLE = "all"
"""The player with every ingredient."""
SHARE, SHARE_OF_WORTH = 20, 4
"""Cells but the two most important ones have one game in so many; those of the ingredients, which are close, more."""


@dataclass(frozen=True)
class Worth:
    """Which games `exact` wins without an ingredient, shape (games,)."""

    seats: int
    name: str
    won: npt.NDArray[np.bool_]


Found: TypeAlias = "Row | list[Row] | Worth"


def share_of(games: int, part: int = SHARE) -> int:
    """So many games in a cell."""
    return max(2, games // part)


def strength_row(seats: int, other: str, games: int, seed: int, workers: Workers) -> Row:
    """One `exact` among players of one other kind, in every seat."""
    wins, played = mix(("exact", other), 1, seats, games, seed, workers)
    quantity = f"games won by exact among {seats - 1} x {other}, % (a fair share is {100 / seats:.0f})"
    return rate_row(f"strength/{seats}/{other}", quantity, wins, played, None)


def mixes_row(seats: int, number: int, games: int, seed: int, workers: Workers) -> Row:
    """Several `exact` at a table with `advanced`: how often one of them wins."""
    wins, played = mix(("exact", "advanced"), number, seats, games, seed, workers)
    fair = f"(a fair share is {100 * number / seats:.0f})"
    quantity = f"games won by one of {number} x exact, {seats - number} x advanced, % {fair}"
    return rate_row(f"mixes/{seats}/{number}+{seats - number}", quantity, wins, played, None)


def worth_wins(seats: int, name: str, games: int, seed: int, workers: Workers) -> Worth:
    """Which games `exact` wins without one ingredient, on the same deals for all, against `combined`."""
    return Worth(seats, name, wins_in_mix((WITHOUT[name][0], "combined"), 1, seats, games, seed + 1, workers))


def worth_rows(found: Sequence[Worth]) -> list[Row]:
    """How often `exact` wins without each ingredient; and what it loses by it, on the same deals, as far as they were played."""
    rows, comparisons = [], []
    whole = {worth.seats: worth.won for worth in found if worth.name == WHOLE}
    for worth in found:
        what = WITHOUT[worth.name][1]
        quantity = f"games won among {worth.seats - 1} x combined, %: {what}"
        rows.append(rate_row(f"worth/{worth.seats}/{worth.name}", quantity, int(worth.won.sum()), len(worth.won), None))
        if worth.name != WHOLE and worth.seats in whole:
            quantity = f"points above nothing left out, on the same deals, {worth.seats} players: {what}"
            cell = f"change/{worth.seats}/{worth.name}"
            comparisons.append(Comparison(cell, quantity, worth.won.astype(float), whole[worth.seats].astype(float)))
    return [*rows, *paired_rows(comparisons)]


def missed_rows(seats: int, player: str, games: int, seed: int, workers: Workers) -> list[Row]:
    """How often the deductions of a player miss what is certain, by the number of suggestions that they have seen.

    Intervals are over games.
    """
    found = count_missed(player, seats, games, seed, workers)
    rows = []
    for window in (None, *WINDOWS):
        states, wanting = found[window]
        if states.any():
            when = "all states" if window is None else f"{window[0]} to {window[1] - 1} suggestions made"
            label = "all" if window is None else f"{window[0]}-{window[1] - 1}"
            quantity = f"states in which the sheet of {player} misses something certain, %: {seats} players, {when}"
            rows.append(clustered_row(f"missed/{seats}/{player}-{label}", quantity, wanting, states))
    return rows


def cells(games: int, seed: int) -> dict[str, Callable[[Workers], Found]]:
    """All cells by name: strength in every seat, mixes, what ingredients are worth, what simple deductions miss."""
    todo: dict[str, Callable[[Workers], Found]] = {}
    for seats in SEATS:
        for other in ("advanced", *OTHERS):
            number = games if other == "advanced" and seats in (SEATS[0], SEATS[-1]) else share_of(games)
            todo[f"strength/{seats}/{other}"] = partial(strength_row, seats, other, number, seed)
    for seats in SEATS:
        for number in range(2, seats):
            todo[f"mixes/{seats}/{number}"] = partial(mixes_row, seats, number, share_of(games), seed)
    for seats in (SEATS[0], SEATS[-1]):
        for name in WITHOUT:
            todo[f"worth/{seats}/{name}"] = partial(worth_wins, seats, name, share_of(games, SHARE_OF_WORTH), seed)
    for seats in SEATS:
        for player in ("advanced", "combined"):
            todo[f"missed/{seats}/{player}"] = partial(missed_rows, seats, player, share_of(games), seed)
    return todo


def play_all(todo: Mapping[str, Callable[[Workers], Found]], workers: Workers, tell: Tell) -> list[Row]:
    """The rows of some cells, played as one stream."""
    progress = Progress(tell, len(todo))

    def play_one(cell: Callable[[Workers], Found], stream: Workers) -> Found:
        found = cell(stream)
        progress.played()
        return found

    each = list(in_one_stream(workers, {name: partial(play_one, cell) for name, cell in todo.items()}).values())
    rows = [
        row for found in each if not isinstance(found, Worth) for row in ([found] if isinstance(found, Row) else found)
    ]
    return [*rows, *worth_rows([found for found in each if isinstance(found, Worth)])]


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play every cell."""
    return play_all(cells(games, seed), workers, tell)


LOOKED_AT = (SEATS[0], ("advanced", "combined", "basic", "random"))
"""How many sit at a table in a first look, and among whom."""


def look_measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """One `exact` among players of four other kinds, three at a table."""
    seats, others = LOOKED_AT
    return play_all({other: partial(strength_row, seats, other, games, seed) for other in others}, workers, tell)


def look_verdict(rows: Sequence[Row]) -> str:
    """What `exact` wins among the best players of the report."""
    seats, others = LOOKED_AT
    return (
        f"nothing is published; exact wins {rows[0].measured:.0f} % of its games among {seats - 1} x {others[0]}, "
        f"where a fair share is {100 / seats:.0f} %"
    )


STUDY = Study(
    name="exact_clue",
    title="Speed Clue: exact inference against every other player",
    source="The platform of 2020 (Katie Mitchell's report) with players that reason exactly; nothing published to compare with.",
    default_games=2000,
    small_games=10,
    unit="%",
    sections=(
        *(
            Section(
                f"strength/{seats}/",
                f"Strength with {seats} players",
                f"One exact among {seats - 1} of another kind, every seat in turn.",
            )
            for seats in SEATS
        ),
        *(
            Section(f"mixes/{seats}/", f"Mixes of {seats}", "Several exact with advanced, every seating in turn.")
            for seats in SEATS
        ),
        *(
            Section(
                f"worth/{seats}/",
                f"What each ingredient is worth, {seats} players",
                "The same deals and seats for every row.",
            )
            for seats in (SEATS[0], SEATS[-1])
        ),
        *(
            Section(
                f"change/{seats}/",
                f"What each ingredient changes, {seats} players",
                "Points above the player with all of them, game by game on the same deals. `more` and `less` hold at 95 % for all "
                "ingredients and both numbers of players together (Holm).",
            )
            for seats in (SEATS[0], SEATS[-1])
        ),
        *(
            Section(
                f"missed/{seats}/",
                f"What simple deductions miss, {seats} players",
                "At the beginning of each turn: the sheet of the player on turn beside all that is certain: which cards a seat "
                "has or lacks, and which are or are not in the envelope. Intervals are over games.",
            )
            for seats in SEATS
        ),
    ),
    measure=measure,
    look=FirstLook((f"strength/{LOOKED_AT[0]}/",), look_verdict, look_measure),
)
