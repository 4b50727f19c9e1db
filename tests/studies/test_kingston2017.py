"""The study of Kingston 2017: the rows of its two findings, from the rows of its cells."""

from __future__ import annotations

from itertools import product

from molehunt.studies.kingston2017 import CHOICES, DEALS, SEATS, STRATEGIES, STUDY, finding_rows
from molehunt.studies.study import NONE_PUBLISHED, Row


def cells(**slow: float) -> list[Row]:
    """Every cell with 5 to 6 rounds, but those named STRATEGY_DEAL of the systematic choice of three."""
    rows = []
    for choice, seats, deal, strategy in product(CHOICES, SEATS, DEALS, STRATEGIES):
        mean = 5.5
        if (choice, seats) == ("systematic", 3):
            mean = slow.get(f"{strategy.replace('-', '_')}_{deal}", mean)
        rows.append(
            Row(
                id=f"{choice}/{seats}/deal{deal}-{strategy}",
                quantity="",
                published=None,
                measured=mean,
                low=mean - 0.5,
                high=mean + 0.5,
                games=7,
                verdict=NONE_PUBLISHED,
            )
        )
    return rows


def test_a_deal_counts_as_slower_where_the_intervals_are_apart() -> None:
    rows = cells(next_not_held_1=6.6, next_not_held_2=6.4, next_possible_3=4.0, deduction_only_4=9.0)
    found = {row.id: row for row in finding_rows(rows, 7)}
    assert found["finding/slower-next-not-held/systematic-3"].measured == 1
    assert found["finding/slower-next-possible/systematic-3"].measured == 0
    assert sum(row.measured for name, row in found.items() if "slower" in name) == 1
    spread = found["finding/spread-deduction-only/systematic-3"]
    assert (spread.measured, spread.low, spread.high) == (3.5, 2.5, 4.5)
    assert found["finding/spread-next-not-held/random-6"].measured == 0
    assert {row.games for row in found.values()} == {7}


def test_without_all_cells_there_are_no_findings() -> None:
    assert finding_rows(cells()[1:], 7) == []


def test_a_small_study_has_cells_and_findings_each_in_a_section() -> None:
    rows = STUDY.run(4, 1, 1).rows
    assert len(rows) == len({row.id for row in rows}) == 120 + 4 * 5
    assert all(sum(row.id.startswith(section.prefix) for section in STUDY.sections) == 1 for row in rows)
    assert all(row.low <= row.measured <= row.high for row in rows)
