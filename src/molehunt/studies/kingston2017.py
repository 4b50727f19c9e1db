"""Kingston 2017: five strategies of Clue, on deals 1 to 6 with three and six players.

Its numbers could not be had, so nothing is published here: a table with its intervals. The strategies are as the 2020 report
describes them; each chooses among equally good cards at random, or systematically from the top of the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from statistics import fmean

from molehunt.arena.pieces import in_one_stream
from molehunt.arena.workers import Workers
from molehunt.studies.clue_games import mean_interval, rounds_begun, self_play
from molehunt.studies.study import NONE_PUBLISHED, FirstLook, Progress, Row, Section, Study, Tell

STRATEGIES = ("no-intelligence", "deduction-only", "next-possible", "previous-possible", "next-not-held")
CHOICES = ("random", "systematic")
DEALS = (1, 2, 3, 4, 5, 6)
SEATS = (3, 6)


def row(choice: str, seats: int, deal: int, strategy: str, games: int, seed: int, workers: Workers) -> Row:
    """The mean number of rounds until the solution, of one strategy against itself."""
    turns = self_play(f"{strategy}:{choice}", seats, deal, games, seed, workers).turns
    mean, low, high = mean_interval(rounds_begun(turns, seats))
    return Row(
        id=f"{choice}/{seats}/deal{deal}-{strategy}",
        quantity=f"mean rounds until the solution: deal {deal}, {seats} x {strategy}, {choice} choice",
        published=None,
        measured=round(mean, 3),
        low=round(low, 3),
        high=round(high, 3),
        games=games,
        verdict=NONE_PUBLISHED,
    )


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play every cell."""
    cells = list(product(CHOICES, SEATS, DEALS, STRATEGIES))
    progress = Progress(tell, len(cells))

    def play(cell: tuple[str, int, int, str], stream: Workers) -> Row:
        found = row(*cell, games, seed, stream)
        progress.played()
        return found

    todo = {
        f"{choice}/{seats}/deal{deal}-{strategy}": partial(play, (choice, seats, deal, strategy))
        for choice, seats, deal, strategy in cells
    }
    return list(in_one_stream(workers, todo).values())


def look_verdict(rows: Sequence[Row]) -> str:
    """The quickest and the slowest strategy, over all deals and both choices."""
    found = {
        strategy: fmean(row.measured for row in rows if row.id.endswith(f"-{strategy}")) for strategy in STRATEGIES
    }
    quickest, slowest = min(found, key=found.__getitem__), max(found, key=found.__getitem__)
    return (
        f"nothing is published; the quickest of five strategies is {quickest}, {found[quickest]:.1f} rounds on average, "
        f"the slowest {slowest}, {found[slowest]:.1f}"
    )


STUDY = Study(
    name="kingston2017",
    title="Speed Clue: Kingston's five strategies on the listed deals",
    source="J. Kingston: the five strategies as described in the Speed Clue report of 2020, section 2.3.3.",
    default_games=2000,
    small_games=50,
    unit="rounds",
    sections=tuple(
        Section(f"{choice}/{seats}/", f"{seats} players, {choice} choice", "Mean rounds until the solution, self-play.")
        for choice in CHOICES
        for seats in SEATS
    ),
    measure=measure,
    look=FirstLook((), look_verdict),
)
