"""`molehunt bench`: how fast this machine plays, and how that compares with an earlier run."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape
from rich.table import Table

from molehunt.console.screen import check_writable, out, to_json, working, write_file


def run_bench(json: Path | None, against: Path | None) -> int:
    """Measure this machine and show the rows, beside those of an earlier run where there is one."""
    from molehunt.studies.bench import STEPS, measure
    from molehunt.studies.bench_against import RUNS, best_of, compare, measure_often, read_rows

    check_writable(json)
    earlier = read_rows(against) if against else None
    with working(f"{len(STEPS)} measurements{f', {RUNS} times' if against else ''}") as tell:
        runs = [measure(tell)] if earlier is None else measure_often(tell)
    rows = best_of(runs)
    if json:
        write_file(json, to_json(rows))
    if str(json) == "-":
        return 0
    if earlier is None:
        table = Table("what", "value", "unit", box=None, pad_edge=False)
        for row in rows:
            table.add_row(row.name, _number(row.value), row.unit)
    else:
        table = Table("what", "then", "now", "unit", "change", "noise", "", box=None, pad_edge=False)
        for each in compare(earlier, runs):
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
    out.print(table)
    return 0


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.2f}" if value < 100 else f"{value:,.0f}"
