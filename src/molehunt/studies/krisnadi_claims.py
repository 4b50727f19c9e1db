"""krisnadi2019: what the text of the paper claims of its tables, judged by the cells of ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from molehunt.arena.statistics import wilson
from molehunt.studies.study import FAILS, HOLDS, UNDECIDED, VERDICTS, Row, rate_row

CELLS = 18
"""Cells of the three tables."""
RUN = 1000
"""Games of one run of the paper; its maxima and minima are those of single runs."""


@dataclass(frozen=True)
class Claim:
    """A sentence of section 4 with a number: of which cell it speaks, and in whose wins."""

    id: str
    says: str
    cell: str
    percent: float
    games: int
    of_miners: bool = False


CLAIMS = (
    Claim("most-miners", "the maximum win rate of miners is 94.1 % (one run)", "table3/1+4", 94.1, RUN, of_miners=True),
    Claim("most-saboteurs", "the maximum saboteur win rate is 98.2 % (one run)", "table4/2+3", 98.2, RUN),
    Claim("four-to-one", "at four miners to one the saboteur wins at least 73 % (one run)", "table4/1+4", 73.0, RUN),
    Claim("miners-1+3", "one saboteur: three miners win 81.17 % on average", "table5/1+3", 81.17, 3 * RUN, True),
    Claim("miners-1+4", "one saboteur: four miners win 88.57 % on average", "table5/1+4", 88.57, 3 * RUN, True),
    Claim("three-times", "two saboteurs against three miners win three times as often", "table5/2+3", 75.0, 3 * RUN),
    Claim("even", "two against four is even, 1.19 to 1 for saboteurs", "table5/2+4", 100 * 1.19 / 2.19, 3 * RUN),
)


def judged_in_words(cell: str, says: str, rows: Sequence[Row], holds: Callable[[float], bool]) -> Row:
    """A claim without a number: it holds where it does at both ends of every cell's interval, fails where at neither of some.

    Of many cells one strays now and then. So that a true claim fails in one study of twenty at most, the intervals by which it
    fails are those that hold for all cells together (Bonferroni).
    """
    all_hold = all(holds(row.low) and holds(row.high) for row in rows)
    wide = NormalDist().inv_cdf(1 - 0.025 / len(rows))
    ends = [wilson(row.measured * row.games / 100, row.games, wide) for row in rows]
    some_fails = any(not holds(100 * low) and not holds(100 * high) for low, high in ends)
    verdict = HOLDS if all_hold else FAILS if some_fails else UNDECIDED
    closest = min(rows, key=lambda row: abs(row.measured - 50))
    return Row(
        id=cell,
        quantity=f"saboteur wins, % (the cell nearest to a half): {says}: {verdict}",
        published=None,
        measured=closest.measured,
        low=closest.low,
        high=closest.high,
        games=closest.games,
        verdict=VERDICTS[verdict],
    )


def claim_rows(played: Sequence[Row]) -> list[Row]:
    """The claims, judged by the rows of Tables 3 to 5; none where one of those is missing."""
    rows = {row.id: row for row in played if row.id.startswith(("table3/", "table4/", "table5/"))}
    if len(rows) < CELLS:
        return []
    result = []
    for claim in CLAIMS:
        cell = rows[claim.cell]
        wins = round(cell.measured * cell.games / 100)
        side = "miner" if claim.of_miners else "saboteur"
        quantity = f"{side} wins, % ({claim.cell}): {claim.says}"
        wins = cell.games - wins if claim.of_miners else wins
        result.append(rate_row(f"claim/{claim.id}", quantity, wins, cell.games, (claim.percent, claim.games)))

    def some(*cells: str) -> list[Row]:
        return [rows[cell] for cell in cells]

    table3 = [row for cell, row in rows.items() if cell.startswith("table3/")]
    result += [
        judged_in_words(
            "claim/miners-better", "miners do better than saboteurs in every cell of Table 3", table3, lambda p: p < 50
        ),
        judged_in_words(
            "claim/unfavourable",
            "five and six miners are not favourable to two saboteurs",
            some("table5/2+5", "table5/2+6"),
            lambda p: p < 50,
        ),
        _more_miners(rows),
    ]
    return result


def _more_miners(rows: Mapping[str, Row]) -> Row:
    """Whether saboteurs win less often with each miner more, as the text says of Table 3."""
    pairs = [("1+3", "1+4"), ("2+3", "2+4"), ("2+4", "2+5"), ("2+5", "2+6")]
    cells = [(rows[f"table3/{fewer}"], rows[f"table3/{more}"]) for fewer, more in pairs]
    if all(more.high < fewer.low for fewer, more in cells):
        verdict = HOLDS
    else:
        verdict = FAILS if any(more.low > fewer.high for fewer, more in cells) else UNDECIDED
    fewer, more = min(cells, key=lambda pair: pair[0].measured - pair[1].measured)
    return Row(
        id="claim/more-miners",
        quantity=f"points fewer saboteur wins with one miner more, the least of four pairs of Table 3: {verdict}",
        published=None,
        measured=round(fewer.measured - more.measured, 3),
        low=round(fewer.low - more.high, 3),
        high=round(fewer.high - more.low, 3),
        games=fewer.games,
        verdict=VERDICTS[verdict],
    )
