"""Two runs of the bench side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from molehunt.core.errors import BadInput
from molehunt.studies import bench
from molehunt.studies.bench import BenchRow
from molehunt.studies.bench_against import (
    FASTER,
    GONE,
    LESS,
    NEW,
    SAME,
    SLOWER,
    best_of,
    compare,
    measure_often,
    read_rows,
)


def runs(*values: tuple[float, ...], unit: str = "games/s") -> list[list[BenchRow]]:
    return [[BenchRow(f"row{number}", value, unit) for number, value in enumerate(run)] for run in values]


def test_the_best_is_the_most_for_a_speed_and_the_least_for_a_time() -> None:
    assert [row.value for row in best_of(runs((3.0, 1.0), (2.0, 5.0)))] == [3.0, 5.0]
    assert [row.value for row in best_of(runs((3.0, 1.0), (2.0, 5.0), unit="ms"))] == [2.0, 1.0]


@pytest.mark.parametrize(
    ("then", "now", "unit", "verdict"),
    [
        (100, 130, "games/s", FASTER),
        (130, 100, "games/s", SLOWER),
        (100, 130, "ms", SLOWER),
        (130, 100, "s", FASTER),
        (100, 102, "games/s", SAME),
        (130, 100, "MiB", LESS),
    ],
)
def test_more_is_faster_for_a_speed_and_slower_for_a_time(then: float, now: float, unit: str, verdict: str) -> None:
    (row,) = compare([BenchRow("row0", then, unit)], runs((now,), (now,), unit=unit))
    assert row.verdict == verdict
    assert row.change == pytest.approx(now / then - 1)


def test_a_change_within_the_noise_of_the_runs_is_none() -> None:
    (quiet,) = compare([BenchRow("row0", 100, "games/s")], runs((110.0,), (109.9,)))
    (noisy,) = compare([BenchRow("row0", 100, "games/s")], runs((110.0,), (95.0,)))
    assert (quiet.verdict, noisy.verdict) == (FASTER, SAME)


def test_rows_of_one_run_alone_are_named() -> None:
    found = compare([BenchRow("old", 1.0, "s")], runs((2.0,)))
    assert [(row.name, row.verdict) for row in found] == [("row0", NEW), ("old", GONE)]


def test_a_changed_unit_is_refused() -> None:
    with pytest.raises(BadInput, match="was measured in ms then and is in games/s now"):
        compare([BenchRow("row0", 1.0, "ms")], runs((2.0,)))


@pytest.mark.parametrize("text", ["", "{}", "[]", "[1]", '[{"name": "a", "value": 0, "unit": "s"}]', "\xff"])
def test_a_file_that_holds_no_rows_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "bench.json"
    path.write_text(text, "latin-1")
    with pytest.raises(BadInput, match=r"bench\.json holds"):
        read_rows(path)
    with pytest.raises(BadInput, match="cannot read"):
        read_rows(tmp_path / "none.json")


def test_everything_is_measured_several_times_with_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    values = iter(range(1, 9))
    for module in (bench, __import__("molehunt.studies.bench_against", fromlist=["STEPS"])):
        monkeypatch.setattr(
            module, "STEPS", (("a", "s", lambda: float(next(values))), ("b", "s", lambda: float(next(values))))
        )
    told: list[tuple[int, int]] = []
    found = measure_often(lambda done, total: told.append((done, total)), runs=2)
    assert [[row.value for row in run] for run in found] == [[1, 2], [3, 4]]
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4)]
