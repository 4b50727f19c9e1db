"""`molehunt bench`: how fast this machine plays, and how that compares with an earlier run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from molehunt.console.outputs import STANDARD_OUTPUT, Outputs
from molehunt.console.screen import out, to_json, working

if TYPE_CHECKING:
    from molehunt.studies.bench import BenchRow
    from molehunt.studies.bench_against import Compared


def run_bench(json: Path | None, against: Path | None) -> int:
    """Measure this machine and show the rows, beside those of an earlier run where there is one."""
    from molehunt.studies.bench import STEPS, measure
    from molehunt.studies.bench_against import RUNS, best_of, compare, measure_often, read_rows

    with Outputs(json) as outputs:
        earlier = read_rows(against) if against else None
        with working(f"{len(STEPS)} measurements{f', {RUNS} times' if against else ''}") as tell:
            runs = [measure(tell)] if earlier is None else measure_often(tell)
        rows = best_of(runs)
        outputs.put(json, lambda: to_json(rows))
        if json != STANDARD_OUTPUT:
            out.print(_table(rows) if earlier is None else _comparison(compare(earlier, runs)))
    return 0


def _table(rows: list[BenchRow]) -> Table:
    table = Table("what", "value", "unit", box=None, pad_edge=False)
    for row in rows:
        table.add_row(row.name, _number(row.value), row.unit)
    return table


def _comparison(rows: list[Compared]) -> Table:
    table = Table("what", "then", "now", "unit", "change", "noise", "", box=None, pad_edge=False)
    for each in rows:
        change = "" if each.change is None else f"{100 * each.change:+.0f} %"
        table.add_row(
            escape(each.name),
            _number(each.then),
            _number(each.now),
            escape(each.unit),
            change,
            f"{100 * each.noise:.0f} %",
            each.verdict,
        )
    return table


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.2f}" if value < 100 else f"{value:,.0f}"
