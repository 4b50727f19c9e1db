"""Who wins more on the same deals, and what of many such comparisons is decided.

Two players (or two readings of one) play the same deals in the same seats, so chance that strikes both alike cancels in their
differences. Where a study makes many comparisons, each is decided only as far as all of them together are (Holm 1979, A simple
sequentially rejective multiple test procedure, Scand. J. Statist. 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from molehunt.arena.statistics import holm, student, two_sided_of_student
from molehunt.arena.tuning.race import Gap, Scores, gap, with_doubt
from molehunt.core.errors import BadInput, check_is, value_text
from molehunt.studies.study import NONE_PUBLISHED, Row

MORE, LESS, NOT_DECIDED = "more", "less", "not decided"
"""What is said of a comparison at the end of its row's quantity."""
PERCENT = 100.0
"""The scale of rows in points, where scores are the share of games won."""


@dataclass(frozen=True)
class Comparison:
    """What two players scored in each of the same deals, and how the row is called that compares them, first minus second.

    `first` and `second` have shape (deals,), deal by deal. BadInput where they are no such arrays, or of different deals.
    """

    id: str
    quantity: str
    first: Scores
    second: Scores

    def __post_init__(self) -> None:
        for scores in (self.first, self.second):
            given: object = scores
            if not isinstance(given, np.ndarray) or given.ndim != 1 or given.dtype.kind not in "biuf":
                raise BadInput(f"{self.id}: scores are an array of a number for each deal, not {value_text(scores)}")
        if len(self.first) != len(self.second):
            raise BadInput(
                f"{self.id}: both are compared on the same deals, not on {len(self.first)} and {len(self.second)}"
            )


def chance_of(difference: Gap) -> float:
    """The probability of a mean difference as far from 0 where there is none: that of a paired t test, two-sided.

    Where all deals say the same there is no spread to go by, and it is that of as many tosses of a coin that fall
    alike. A single deal says nothing.
    """
    if difference.mean == 0 or difference.deals < 2:
        return 1.0
    free = difference.deals - 1
    error = (difference.high - difference.low) / (2 * student(free))
    return two_sided_of_student(difference.mean / error, free) if error > 0 else 2 * 0.5**difference.deals


def paired_rows(comparisons: Sequence[Comparison], scale: float = PERCENT) -> list[Row]:
    """A row for each comparison: its mean difference with a 95 % interval, and whether it is decided for all of them together.

    At the scale of percent, scores are shares of games won. A single deal says nothing, so a comparison of fewer than two
    has no row.
    """
    check_is(comparisons, Iterable, "rows are of a list of Comparison")
    for each in comparisons:
        check_is(each, Comparison, "rows are of a list of Comparison")
    comparisons = [each for each in comparisons if len(each.first) > 1]
    shares = scale == PERCENT
    gaps = [(with_doubt if shares else gap)(each.first, each.second) for each in comparisons]
    rows = []
    for each, difference, said in zip(comparisons, gaps, judged_together(gaps), strict=True):
        low, high = (
            (max(-1.0, difference.low), min(1.0, difference.high)) if shares else (difference.low, difference.high)
        )
        rows.append(
            Row(
                id=each.id,
                quantity=f"{each.quantity}: {said}",
                published=None,
                measured=round(scale * float(np.mean(each.first - each.second)), 3),
                low=round(scale * low, 3),
                high=round(scale * high, 3),
                games=len(each.first),
                verdict=NONE_PUBLISHED,
            )
        )
    return rows


def judged_together(gaps: Sequence[Gap]) -> list[str]:
    """What is said of each of some paired differences, so that all of it holds at 95 %: `more`, `less` or `not decided`."""
    decided = holm([chance_of(difference) for difference in gaps])
    return [
        (MORE if difference.mean > 0 else LESS) if sure else NOT_DECIDED
        for difference, sure in zip(gaps, decided, strict=True)
    ]


def said_together(rows: Sequence[Row]) -> list[Row]:
    """Rows of paired differences with, at the end of their quantity, what is said of them together."""
    gaps = [Gap(row.measured, row.low, row.high, row.games) for row in rows]
    return [
        msgspec.structs.replace(row, quantity=f"{row.quantity}: {said}")
        for row, said in zip(rows, judged_together(gaps), strict=True)
    ]


def said_of(row: Row) -> str:
    """What is decided of a row that compares: `more`, `less` or `not decided`."""
    return row.quantity.rpartition(": ")[2]
