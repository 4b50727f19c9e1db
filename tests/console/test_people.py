"""`molehunt study people`: what a store of people says, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.calling import call
from molehunt.studies.people_store import PeopleStore


def test_a_store_of_people_is_told(tmp_path: Path) -> None:
    with PeopleStore(tmp_path / "trial", rehearsal=True) as store:
        store.join()
    told = call("study", "people", "--store", str(tmp_path / "trial"))
    assert told.status == 0
    assert told.out.splitlines()[:2] == [
        "These people are made up, for a rehearsal: nothing here is a result.",
        "0 people, 0 games, 0 won by people.",
    ]


def test_without_a_store_it_is_said_what_is_wanted(tmp_path: Path) -> None:
    told = call("study", "people")
    assert told.status == 2 and "molehunt study people --store FOLDER" in told.err
    told = call("study", "people", "--store", str(tmp_path / "none"))
    assert (
        told.status == 2 and "is no store" in told.err and f"`molehunt serve --people {tmp_path / 'none'}`" in told.err
    )


@pytest.mark.parametrize(
    "words",
    [
        ("--json", "people.json"),
        ("--report", "people.html"),
        ("--games", "0"),
        ("--threads", "0"),
        ("--seed", "3"),
        ("--small",),
        ("--readings",),
        ("--cluster", "auto"),
        ("--player", "duel/random"),
        ("--agents-from", "mine.py"),
    ],
    ids=lambda words: words[0],
)
def test_what_other_studies_are_asked_for_is_refused(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with PeopleStore(Path("trial"), rehearsal=True) as store:
        store.join()
    told = call("study", "people", "--store", "trial", *words)
    assert told.status == 2 and f"there is no {words[0]} with it" in told.err
    assert told.out == ""
