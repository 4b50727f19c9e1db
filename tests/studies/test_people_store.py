"""Where games with people are kept: what is in it, what is not, and what withdrawal leaves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from molehunt.arena.databases import RESULTS, StoreFailure
from molehunt.core.errors import BadInput
from molehunt.core.record import Ending, Record
from molehunt.studies.people_store import PeopleStore, Person, read_people


def record(seed: int = 1) -> Record:
    """A finished game of which nothing but its seed matters."""
    return Record(
        molehunt=1,
        game="speed_clue",
        ruleset="mitchell",
        seed=seed,
        seats=("person:Person 0", "basic", "advanced"),
        roles=None,
        moves=(),
        ending=Ending("somebody accused", (0,)),
    )


def known(store: PeopleStore, link: str) -> Person:
    person = store.person(link)
    assert person is not None
    return person


def test_games_and_answers_are_there_again_when_the_store_is_opened_again(tmp_path: Path) -> None:
    with PeopleStore(tmp_path / "people") as store:
        link = store.join()
        person = known(store, link)
        store.begin(person, 0, "first")
        store.begin(person, 1, "second")
        store.end("first", record())
        store.end("first", record(2))
        store.end("nowhere", record(3))
        store.answer(person, {"early": "often", "notes": "it's -- nothing"})
        store.answer(person, {"early": "never"})
    with PeopleStore(tmp_path / "people") as store:
        assert known(store, link) == person and store.person("another") is None
        kept = store.kept(person)
        assert kept.records == {0: record()} and kept.places == {0: "first", 1: "second"}
        assert kept.answers == {"early": "never", "notes": "it's -- nothing"}
    assert read_people(tmp_path / "people") == (False, [kept])


def test_a_link_is_not_in_the_file_and_a_withdrawn_answer_no_longer(tmp_path: Path) -> None:
    file = tmp_path / RESULTS
    with PeopleStore(tmp_path) as store:
        stays, goes = store.join(), store.join()
        store.begin(known(store, goes), 0, "table-of-the-withdrawn")
        for link, words in ((stays, "gardenpath " * 40), (goes, "xylophone " * 40)):
            store.answer(known(store, link), {"notes": words})
    held = file.read_bytes()
    assert b"xylophone" in held and stays.encode() not in held and goes.encode() not in held
    with PeopleStore(tmp_path) as store:
        store.withdraw(known(store, goes))
        assert store.person(goes) is None
        assert known(store, store.join()).number == 2, "the number of somebody who withdrew is given to nobody else"
        assert store.kept(known(store, stays)).answers == {"notes": "gardenpath " * 40}
    assert b"gardenpath" in file.read_bytes() and b"xylophone" not in file.read_bytes()
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".duckdb"] == [RESULTS]


def test_what_could_not_be_written_out_of_the_file_is_when_that_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / RESULTS
    with PeopleStore(tmp_path) as store:
        links = [store.join() for _ in range(3)]
        for link, words in zip(links, ("gardenpath ", "xylophone ", "zeppelin "), strict=True):
            store.answer(known(store, link), {"notes": words * 40})
    with PeopleStore(tmp_path) as store:
        ask = store._all

        def full(query: str, values: list[Any] | None = None) -> list[tuple[Any, ...]]:
            if query.startswith("COPY"):
                raise duckdb.IOException("IO Error: no space left on device")
            return ask(query, values)

        monkeypatch.setattr(store, "_all", full)
        with pytest.raises(StoreFailure, match=r"deleted, but .* cannot be written anew: .*no space"):
            store.withdraw(known(store, links[1]))
        assert store.person(links[1]) is None
    assert b"xylophone" in file.read_bytes()
    with PeopleStore(tmp_path) as store:
        assert b"xylophone" not in file.read_bytes()
        store.withdraw(known(store, links[2]))
        assert store.kept(known(store, links[0])).answers == {"notes": "gardenpath " * 40}
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".duckdb"] == [RESULTS]
    assert b"zeppelin" not in file.read_bytes()


def test_made_up_people_and_real_ones_have_stores_of_their_own(tmp_path: Path) -> None:
    with PeopleStore(tmp_path, rehearsal=True) as store:
        store.join()
        with pytest.raises(BadInput, match="another process"):
            PeopleStore(tmp_path, rehearsal=True).__enter__()
    with pytest.raises(BadInput, match="made-up people of a rehearsal: add --rehearsal"):
        PeopleStore(tmp_path).__enter__()
    assert read_people(tmp_path)[0]
    with pytest.raises(BadInput, match="is no store"):
        read_people(tmp_path / "none")
