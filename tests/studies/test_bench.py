"""The bench: what it measures and in which units. How fast is fast enough is not asked here."""

from __future__ import annotations

import runpy
import sys
import time

import pytest

from molehunt.games.registry import GameEntry, all_games
from molehunt.studies import bench
from molehunt.studies.bench import STEPS, BenchRow, measure


def test_every_measurement_has_a_name_of_its_own_and_a_unit() -> None:
    names = [name for name, _, _ in STEPS]
    assert len(set(names)) == len(names)
    assert {unit for _, unit, _ in STEPS} <= {"moves/s", "games/s", "rounds/s", "states/s", "s", "ms", "us", "MiB"}
    for name, unit, _ in STEPS:
        assert (unit == "s") == (name.startswith("command/") or "table5" in name)


def test_measurements_are_taken_in_order_with_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "STEPS", (("a", "s", lambda: 1.5), ("b", "games/s", lambda: 7.0)))
    told: list[tuple[int, int]] = []
    assert measure(lambda done, total: told.append((done, total))) == [
        BenchRow("a", 1.5, "s"),
        BenchRow("b", 7.0, "games/s"),
    ]
    assert told == [(0, 2), (1, 2)]


def test_speed_is_the_best_of_a_few_runs_after_one_that_warms_up() -> None:
    speeds = iter([100.0, 3.0, 5.0, 4.0])
    assert bench._best(lambda: next(speeds)) == 5.0
    assert next(speeds, None) is None


def test_games_are_counted_by_the_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 2))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(clock)))
    assert bench.random_lockstep() > 4096 * 10 / 2  # two seconds by this clock, and games have more moves than ten
    assert bench.resampled() == 10_000
    assert bench.system_games("random", "random", games=64) == 32


def test_probabilities_of_deals_are_timed_in_the_middle_of_games(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(bench, "place_weights", lambda facts, places: asked.append(facts))
    monkeypatch.setattr(time, "perf_counter", iter([0.0, 0.002, 5.0, 5.004, 6.0, 6.009]).__next__)
    assert bench.deals_milliseconds(4, 6, games=3) == pytest.approx(4)  # the median; the first call of each warms up
    assert len(asked) == 6
    assert all(len(facts.sizes) == 3 and (facts.holds.any() or facts.lacks.any()) for facts in asked)


@pytest.mark.parametrize("entry", all_games().values(), ids=lambda entry: entry.name)
def test_random_games_of_every_game_are_measured_in_one_loop(entry: GameEntry) -> None:
    ruleset = next(iter(entry.rulesets))
    bench.random_rollouts(entry.name, ruleset, entry.usual_seats)
    assert bench.random_rollouts(entry.name, ruleset, entry.usual_seats) > 10_000


@pytest.mark.parametrize("wanted", [False, True])
def test_moves_of_a_batch_are_counted_by_the_second(wanted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", iter([1.0, 3.0]).__next__)
    assert bench.batched_moves("duel/mcgill", 2, wanted, moves=100, games=16) == 6 * 16 / 2


def test_calls_on_a_position_are_timed_for_the_slowest_game(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = 3 * (1 + bench.REPEATS)
    clock = iter([moment for run in range(runs) for moment in (float(run), run + (0.5 if run < runs - 4 else 0.75))])
    monkeypatch.setattr(time, "thread_time", clock.__next__)
    played: list[str] = []
    told = bench.position_microseconds(lambda position, action: played.append(str(position.play(action)[0])), calls=5)
    assert told == pytest.approx(0.75e6 / 5)
    assert len(played) == 5 * runs


def test_command_is_run_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "REPEATS", 1)
    assert 0.01 < bench.command_seconds("--version") < 60


def test_memory_is_in_mebibytes() -> None:
    held = bytearray(50 * 2**20)
    assert 50 < bench.peak_memory() < 100_000
    assert len(held) == 50 * 2**20


def test_where_nothing_tells_of_memory_all_else_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resource", None)  # as on Windows
    there = runpy.run_path(str(bench.__file__))["STEPS"]
    assert [name for name, _, _ in STEPS if name not in {name for name, _, _ in there}] == ["memory/peak"]
