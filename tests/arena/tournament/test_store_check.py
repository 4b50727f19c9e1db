"""`molehunt results --verify`: whatever is changed in a store is named, and a whole store is called whole."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import duckdb
import pytest

from arena.tournament.small import TEXT, plan_of
from cli.calling import call
from molehunt.arena.databases import RESULTS
from molehunt.arena.store import RECORDS, Store
from molehunt.arena.store_check import Verified, verify
from molehunt.arena.tournament.play import Progress, play_tournament
from molehunt.arena.workers import open_workers


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "store"
    progress = Progress(plan_of(TEXT))
    with Store(folder, progress.plan) as store, open_workers(1) as workers:
        play_tournament(progress, workers, store)
    return folder


@pytest.fixture
def store(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "store"))


def looked_at(folder: Path) -> Verified:
    with open_workers(1) as workers:
        return verify(folder, workers, lambda done, total: None)


def change(folder: Path, *statements: str) -> None:
    with duckdb.connect(str(folder / RESULTS)) as base:
        for statement in statements:
            base.execute(statement)


def test_a_whole_store_is_called_whole(store: Path) -> None:
    found = looked_at(store)
    assert (found.units, found.games, found.hashed, found.played, found.records) == (6, 120, 6, 0, 120)
    assert found.damage == []
    made = call("results", str(store), "--verify")
    assert made.status == 0 and made.out.endswith("All is as it was written.\n")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE games SET wins = 3 - wins WHERE unit = 2 AND deal = 7 AND wins > 0", "unit 2 (duel/mcgill"),
        ("UPDATE games SET ending = 1 - ending WHERE unit = 1 AND deal = 3", "unit 1 (duel/mcgill"),
        ("UPDATE units SET moves = moves + 1 WHERE unit = 4", "unit 4 (duel/mcgill"),
        ("DELETE FROM games WHERE unit = 3 AND deal = 0", "unit 3 has 19 games of 20"),
        ("DELETE FROM units WHERE unit = 5", "there are games of unit 5, which is not finished"),
        ("UPDATE units SET lineup = 7 WHERE unit = 0", "unit 0 is none of the plan"),
    ],
)
def test_changed_games_are_named(store: Path, statement: str, said: str) -> None:
    change(store, statement)
    assert any(said in each for each in looked_at(store).damage)


def test_overwritten_records_are_named(store: Path) -> None:
    file = store / RECORDS
    data = bytearray(file.read_bytes())
    data[len(data) // 3 : len(data) // 3 + 40] = bytes(40)
    file.write_bytes(data)
    found = looked_at(store)
    assert len(found.damage) == 1 and f"of {RECORDS}) are not what was written" in found.damage[0]
    made = call("results", str(store), "--verify")
    assert made.status == 1 and "Damaged: the records of unit" in made.out and "is not what was written" in made.err


def test_overwritten_database_is_named(store: Path) -> None:
    file = store / RESULTS
    data = bytearray(file.read_bytes())
    half = len(data) // 2
    data[half : half + 100_000] = random.Random(1).randbytes(min(100_000, len(data) - half))
    file.write_bytes(data)
    made = call("results", str(store), "--verify")
    assert made.status == 1
    assert "cannot be read" in made.out + made.err and str(store) in made.err


def test_units_of_an_older_store_are_played_again(store: Path) -> None:
    change(store, "DROP TABLE checks")
    found = looked_at(store)
    assert (found.hashed, found.played, found.damage) == (0, 6, [])
    change(store, "UPDATE games SET wins = 3 - wins WHERE unit = 2 AND wins > 0")
    found = looked_at(store)
    assert found.played == 6 and "comes to something else when played again" in found.damage[0]


def test_verify_answers_nothing_else(store: Path) -> None:
    assert call("results", str(store), "--verify", "--ask", "standings").status == 2
    assert call("results", str(store), "--threads", "1").status == 2
