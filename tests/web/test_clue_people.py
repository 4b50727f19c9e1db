"""A study with people over HTTP: consent, games that do not tell who is which, questions, and withdrawal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from starlette.testclient import TestClient

from molehunt.arena.databases import StoreFailure
from molehunt.core.record import Ending, Record
from molehunt.studies.clue_series import listed_series
from molehunt.studies.people_protocol import LAST, Question
from molehunt.studies.people_store import PeopleStore, Person
from molehunt.web.clue_people import PACE, next_step
from web.people import line, server, setup

STRATEGIES = ("basic", "advanced")


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PeopleStore]:
    # In the first game of this series the person moves more than twice; others may be over before they move at all.
    monkeypatch.setattr("molehunt.studies.people_store.secrets.randbelow", lambda _most: 7)
    with PeopleStore(tmp_path / "people", rehearsal=True) as store:
        yield store


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Artificial players move without the pause in which people see what they do."""
    monkeypatch.setattr("molehunt.web.clue_people.PACE", 0)


def joined(client: TestClient) -> str:
    """The address of a made-up person who has agreed, for what they ask."""
    found = client.post("/api/study", json={"agreed": True})
    assert found.status_code == 201
    link: str = found.json()["link"]
    return f"/api{link}"


def person_at(store: PeopleStore, own: str) -> Person:
    person = store.person(own.rpartition("/")[2])
    assert person is not None
    return person


def has_played(store: PeopleStore, person: Person, games: range) -> None:
    """Somebody has played some games of their series, and the first seat has won them all."""
    for number in games:
        game = listed_series(person.seed, person.number)[number]
        seats = [*game.opponents]
        seats.insert(game.seat, f"person:Person {person.number}")
        store.begin(person, number, f"{person.number}-{number}")
        record = Record(
            molehunt=1,
            game="speed_clue",
            ruleset="mitchell",
            seed=game.seed,
            seats=tuple(seats),
            roles=None,
            moves=(),
            ending=Ending("somebody accused", (0,)),
        )
        store.end(f"{person.number}-{number}", record)


def chosen(questions: list[dict[str, Any]] | tuple[Question, ...]) -> dict[str, str]:
    """The first answer to each question, words where any will do."""
    given = {}
    for question in questions:
        name, choices = (
            (question.id, question.choices)
            if isinstance(question, Question)
            else (question["id"], question.get("choices"))
        )
        given[name] = choices[0] if choices else "some words"
    return given


def test_nobody_takes_part_without_agreeing_and_nobody_is_found_by_guessing(people: PeopleStore) -> None:
    with server(people=people) as client:
        assert "You may stop at any time" in client.get("/study").text
        assert "A rehearsal" in client.get("/study").text
        assert "agrees first" in client.post("/api/study", json={"agreed": False}).json()["error"]
        assert client.get("/api/study/guessed").status_code == 404
        assert client.get("/study/guessed").status_code == 404
    with server() as client:
        assert client.get("/study").status_code == 404


@pytest.mark.usefixtures("at_once")
def test_a_game_of_the_study_ends_in_the_store_and_never_tells_who_was_which(people: PeopleStore) -> None:
    with server(people=people) as client:
        own = joined(client)
        person = person_at(people, own)
        assert client.get(own).json()["step"] == "game"
        link = client.post(f"{own}/game").json()["link"]
        assert client.post(f"{own}/game").json()["link"] == link, "the table that is open is gone on with"
        with line(client, link.removeprefix("/t/")) as somebody:
            somebody.play_on()
            told = " ".join(somebody.raw)
            over = somebody.frame["over"]
            assert over["back"] == "/study" and not over["replay"]
            assert not set(somebody.frame["can"]) & {"why", "beliefs", "again"}
            for wish in ({"do": "why", "move": 1}, {"do": "again"}):
                assert somebody.ask(**wish)["type"] == "refused"
        assert not any(f'"{strategy}' in told for strategy in STRATEGIES)
        assert f"Person {person.number}" not in client.get("/statistics").text
        (record,) = people.kept(person).records.values()
        game = listed_series(person.seed, person.number)[0]
        assert record.seats[game.seat] == f"person:Person {person.number}" and record.seed == game.seed
        assert [seat for seat in record.seats if seat in STRATEGIES] == [*game.opponents]
        found = client.get(own).json()
        assert (found["played"], found["nth"], found["told"]) == (1, 2, [])


def test_artificial_players_of_the_study_take_their_time(people: PeopleStore) -> None:
    with server(people=people) as client:
        link = client.post(f"{joined(client)}/game").json()["link"]
        with line(client, link.removeprefix("/t/")) as somebody:
            assert somebody.hear()["pace"] == PACE > 0


def test_no_page_can_set_a_table_that_does_not_tell(people: PeopleStore) -> None:
    with server(people=people) as client:
        answer = client.post("/api/tables", json=setup("speed_clue", blind=True))
        assert answer.status_code == 400 and "who is which is told" in answer.json()["error"].lower()


@pytest.mark.usefixtures("at_once")
def test_a_game_that_was_left_goes_on_on_another_server(people: PeopleStore, tmp_path: Path) -> None:
    with server(tmp_path / "tables.sqlite", people) as client:
        own = joined(client)
        link = client.post(f"{own}/game").json()["link"]
        with line(client, link.removeprefix("/t/")) as somebody:
            somebody.play_on(2)
            moves = somebody.frame["moves"]
    with server(tmp_path / "tables.sqlite", people) as client:
        assert client.post(f"{own}/game").json()["link"] == link
        with line(client, link.removeprefix("/t/")) as somebody:
            assert somebody.my_move()["moves"] >= moves > 0


def test_strategies_are_told_after_the_questions_about_them(people: PeopleStore) -> None:
    with server(people=people) as client:
        own = joined(client)
        person = person_at(people, own)
        block = [game.players for game in listed_series(person.seed, person.number)].count(3)
        has_played(people, person, range(block))
        found = client.get(own).json()
        assert found["step"] == "questions" and not found["told"]
        assert "choose an answer" in client.post(f"{own}/answers", json={"answers": {}}).json()["error"].lower()
        after = client.post(f"{own}/answers", json={"answers": chosen(found["questions"])}).json()
        assert after["step"] == "game" and after["nth"] == 1
        (told,) = after["told"]
        assert len(told) == block and all(set(game["seats"]) <= {"you", *STRATEGIES} for game in told)
        assert people.kept(person).answers["stronger_3"] == "no"


def test_the_last_questions_come_at_the_end_or_when_somebody_stops(people: PeopleStore) -> None:
    with server(people=people) as client:
        whole, stops = joined(client), joined(client)
        person = person_at(people, whole)
        has_played(people, person, range(54))
        for players in (3, 4, 6, 5):
            found = client.get(whole).json()
            assert found["questions"][0]["id"] == f"stronger_{players}"
            client.post(f"{whole}/answers", json={"answers": chosen(found["questions"])})
        assert [one["id"] for one in client.get(whole).json()["questions"]] == [one.id for one in LAST]
        found = client.post(f"{whole}/answers", json={"answers": chosen(LAST)}).json()
        assert found["step"] == "done" and len(found["told"]) == 4
        assert client.post(f"{whole}/game").status_code == 400
        has_played(people, person_at(people, stops), range(1))
        asked = client.post(f"{stops}/stop").json()
        assert asked["questions"][0]["id"] == "stronger_4", "asked of the games that were played"
        asked = client.post(f"{stops}/answers", json={"answers": chosen(asked["questions"])}).json()
        assert client.post(f"{stops}/answers", json={"answers": chosen(asked["questions"])}).json()["step"] == "done"


def test_who_withdraws_leaves_nothing_behind(people: PeopleStore, tmp_path: Path) -> None:
    with server(tmp_path / "tables.sqlite", people) as client:
        own = joined(client)
        link = client.post(f"{own}/game").json()["link"]
        assert client.post(f"{own}/withdraw").json() == {"link": "/study"}
        assert client.get(own).status_code == 404 and client.get(link).status_code == 404
        other = joined(client)
        assert next_step(person_at(people, other), people.kept(person_at(people, other)), True).number == 1


def test_a_game_of_the_study_that_could_not_be_kept_is_kept_when_somebody_asks_what_comes_next(
    people: PeopleStore, at_once: None
) -> None:
    with server(people=people) as client:
        own = joined(client)
        token = client.post(f"{own}/game").json()["link"].removeprefix("/t/")
        tables: Any = client.app.app.state.tables  # type: ignore[attr-defined]
        tables.blind_games = Mock(side_effect=StoreFailure("cannot write"))
        with line(client, token) as ann:
            ann.play_on()
            assert "wins" in ann.until(lambda frame: frame["over"])["over"]["text"]
        tables.blind_games = people.end
        client.get(own)
        assert client.get(own).json()["played"] == 1
