"""No kind of store is taken for another one, and none is changed by what was to be put there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import duckdb
import pytest

from arena.tournament.small import plan_of
from molehunt.arena.databases import (
    KINDS,
    PEOPLE,
    PIECES,
    RESULTS,
    TOURNAMENT,
    TRAINING,
    StoreFailure,
    open_for_reading,
    tables_of,
    transaction,
)
from molehunt.arena.pieces import PieceStore
from molehunt.arena.store import Store
from molehunt.core.errors import BadInput
from molehunt.learning.store import TrainingStore, read_run
from molehunt.studies.people_store import PeopleStore

STORES: dict[str, Callable[[Path], AbstractContextManager[Any]]] = {
    TOURNAMENT: lambda folder: Store(folder, plan_of()),
    PEOPLE: PeopleStore,
    TRAINING: lambda folder: TrainingStore(folder, '{"game":"duel"}'),
    PIECES: lambda folder: PieceStore(folder, "0.1"),
}


def content(folder: Path) -> dict[str, list[Any]]:
    """All tables of a store, with their rows."""
    with duckdb.connect(str(folder / RESULTS), read_only=True) as base:
        return {name: base.table(name).fetchall() for name in sorted(tables_of(base))}


@pytest.mark.parametrize("there", STORES)
def test_a_store_of_another_kind_is_named_and_left_as_it_is(there: str, tmp_path: Path) -> None:
    with STORES[there](tmp_path):
        pass
    before = content(tmp_path)
    for kind, store in STORES.items():
        if kind == there:
            with store(tmp_path):  # one goes on with one's own
                pass
        else:
            told = f"{tmp_path.name} is the store of {KINDS[there][1]}; give .* a folder of (its|their) own"
            with pytest.raises(BadInput, match=told), store(tmp_path):
                pass
            told = f"{RESULTS} holds no {KINDS[kind][0]} but {KINDS[there][1]}"
            with pytest.raises(BadInput, match=told), open_for_reading(tmp_path, (kind,)):
                pass
        assert content(tmp_path) == before
    assert set(STORES) == set(KINDS)


@pytest.mark.parametrize("kind", [TOURNAMENT, PEOPLE, TRAINING])
def test_a_store_that_is_closed_says_so(kind: str, tmp_path: Path) -> None:
    with STORES[kind](tmp_path) as store:
        assert store.base
    with pytest.raises(StoreFailure, match="the store is closed"):
        _ = store.base


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / RESULTS)) as base:
        base.execute("CREATE TABLE birds (name VARCHAR)")
    for store in STORES.values():
        with pytest.raises(BadInput, match="is the store of something else"), store(tmp_path):
            pass
        assert content(tmp_path) == {"birds": []}


def test_a_tournament_beside_which_a_run_was_refused_once_is_still_read_as_one(tmp_path: Path) -> None:
    with STORES[TOURNAMENT](tmp_path) as store:
        store.base.execute("CREATE TABLE training (identity VARCHAR)")  # as versions before did
    with open_for_reading(tmp_path, (TOURNAMENT, TRAINING)) as base:
        assert read_run(base) is None


def test_of_a_transaction_that_fails_nothing_is_there(tmp_path: Path) -> None:
    def write(error: BaseException | None) -> None:
        with transaction(base, tmp_path):
            base.execute("INSERT INTO birds VALUES ('crow')")
            if error is not None:
                raise error
            base.execute("INSERT INTO birds VALUES ('crow')")

    with duckdb.connect(str(tmp_path / RESULTS)) as base:
        base.execute("CREATE TABLE birds (name VARCHAR PRIMARY KEY)")
        with pytest.raises(StoreFailure, match="cannot write into"):
            write(None)
        with pytest.raises(KeyboardInterrupt):
            write(KeyboardInterrupt())
    assert content(tmp_path) == {"birds": []}
