"""Kingston 2017: five strategies of Clue, on deals 1 to 6 with three and six players.

Its tables could not be had, so no number is published here: a table with its intervals, and rows for the two findings of its
abstract. The strategies are as the 2020 report
describes them; each chooses among equally good cards at random, or systematically from the top of the list.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product
from statistics import fmean

from molehunt.arena.pieces import in_one_stream
from molehunt.arena.statistics import mean_interval
from molehunt.arena.workers import Workers
from molehunt.studies.clue_games import rounds_begun, self_play
from molehunt.studies.study import NONE_PUBLISHED, FirstLook, Progress, Row, Section, Study, Tell, those_with

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


BASE = "deduction-only"


def finding_rows(rows: Sequence[Row], games: int) -> list[Row]:
    """What the abstract says: more deduction at times makes things worse, and much depends on the guilty room. Wants all cells.

    `slower` counts the deals on which a strategy that uses more is slower than `deduction-only`, their intervals apart. `spread` is
    how many rounds the slowest deal takes more than the quickest: the deals differ in their envelopes, of which the room is a part.
    """
    found = {row.id: row for row in rows}
    if len(found) < len(CHOICES) * len(SEATS) * len(DEALS) * len(STRATEGIES):
        return []
    result = []

    def add(name: str, quantity: str, measured: float, low: float, high: float) -> None:
        numbers = [round(number, 3) for number in (measured, low, high)]
        result.append(
            Row(
                id=f"finding/{name}",
                quantity=quantity,
                published=None,
                measured=numbers[0],
                low=numbers[1],
                high=numbers[2],
                games=games,
                verdict=NONE_PUBLISHED,
            )
        )

    for choice, seats in product(CHOICES, SEATS):
        where = f"{seats} players, {choice} choice"
        cells = {
            strategy: [found[f"{choice}/{seats}/deal{deal}-{strategy}"] for deal in DEALS] for strategy in STRATEGIES
        }
        for strategy in STRATEGIES[2:]:
            slower = sum(row.low > base.high for row, base in zip(cells[strategy], cells[BASE], strict=True))
            said = f"deals of {len(DEALS)} on which {strategy} is slower than {BASE}: {where}"
            add(f"slower-{strategy}/{choice}-{seats}", said, slower, slower, slower)
        for strategy in (BASE, STRATEGIES[-1]):
            slow, quick = (pick(cells[strategy], key=lambda row: row.measured) for pick in (max, min))
            said = f"rounds between the slowest and the quickest deal, {strategy}: {where}"
            gap = slow.measured - quick.measured
            add(f"spread-{strategy}/{choice}-{seats}", said, gap, slow.low - quick.high, slow.high - quick.low)
    return result


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
    rows = list(in_one_stream(workers, todo).values())
    return [*rows, *finding_rows(rows, games)]


def look_verdict(rows: Sequence[Row]) -> str:
    """The quickest and the slowest strategy, over all deals and both choices."""
    found = {
        strategy: fmean(row.measured for row in rows if row.id.endswith(f"-{strategy}") and "/deal" in row.id)
        for strategy in STRATEGIES
    }
    least, most = min(found.values()), max(found.values())
    return (
        f"nothing is published; the fewest rounds of five strategies takes {those_with(least, found)}, {least:.1f} on average, "
        f"the most {those_with(most, found)}, {most:.1f}"
    )


STUDY = Study(
    name="kingston2017",
    title="Speed Clue: Kingston's five strategies on the listed deals",
    source="J. Kingston: the five strategies as described in the Speed Clue report of 2020, section 2.3.3.",
    default_games=2000,
    small_games=50,
    unit="rounds",
    sections=(
        *(
            Section(
                f"{choice}/{seats}/", f"{seats} players, {choice} choice", "Mean rounds until the solution, self-play."
            )
            for choice in CHOICES
            for seats in SEATS
        ),
        Section(
            "finding/",
            "The findings of the abstract",
            "That more deduction at times makes things worse, and that much depends on the guilty room.",
        ),
    ),
    measure=measure,
    look=FirstLook((), look_verdict),
)
