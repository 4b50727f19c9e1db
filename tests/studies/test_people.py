"""The analysis of games with people, on made-up series in which the answers are known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from molehunt.core.errors import BadInput
from molehunt.core.record import Ending, Record
from molehunt.studies.clue_series import TESTS
from molehunt.studies.people import LEAST, analysis, answers, person_of, seat_of_person, told
from molehunt.studies.people_protocol import AGREEMENT, CONSENT, LAST
from molehunt.studies.people_store import PeopleStore


def game(seats: Sequence[str], winner: int) -> Record:
    """A finished game of which only seats and winner matter."""
    return Record(
        molehunt=1,
        game="speed_clue",
        ruleset="mitchell",
        seed=1,
        seats=tuple(seats),
        roles=None,
        moves=(),
        ending=Ending("somebody accused", (winner,)),
    )


def series(number: int, weight: dict[str, float]) -> list[Record]:
    """A person's series in which each seat wins in proportion to its weight."""
    chance = np.random.default_rng(number)
    records = []
    for test in TESTS:
        for _ in range(3):
            seats = list(test)
            seats.insert(int(chance.integers(len(test) + 1)), str(number))
            weights = np.array([weight.get(player, weight["person"]) for player in seats])
            records.append(game(seats, int(chance.choice(len(seats), p=weights / weights.sum()))))
    return records


def test_what_a_person_has_won_above_a_fair_share() -> None:
    person = person_of([game(("7", "basic", "basic"), 0), game(("advanced", "7", "basic", "basic"), 2)])
    assert (person.games, person.won) == (2, 1)
    assert person.above == pytest.approx(1 - 1 / 3 - 1 / 4)
    # Only the second game has both strategies: one advanced seat, two basic ones, of which one won.
    assert (person.wins, person.seats) == ((0, 1), (1, 2))


def test_equal_players_are_not_told_apart_and_unequal_ones_are() -> None:
    alike = answers([person_of(series(n, {"person": 1, "advanced": 1, "basic": 1})) for n in range(30)])
    assert [one.low < 0 < one.high for one in alike] == [True, True]
    apart = answers([person_of(series(n, {"person": 3, "advanced": 2, "basic": 1})) for n in range(30)])
    assert all(one.low > 0 and one.low < one.measured < one.high and one.people == 30 for one in apart)


def test_of_few_people_nothing_is_said_but_what_they_did() -> None:
    few = [person_of(series(n, {"person": 9, "advanced": 1, "basic": 1})) for n in range(LEAST - 1)]
    assert answers(few) == [] and len(told(few)) == 2
    assert len(told([*few, few[0]])) == 3


def test_where_one_strategy_alone_sat_the_second_question_has_no_answer() -> None:
    people = [person_of([game(("7", "basic", "basic"), n % 3)]) for n in range(LEAST)]
    assert [one.what for one in answers(people)] == ["people above a fair share"]


def test_games_without_one_person_are_refused() -> None:
    for seats in (("basic", "advanced", "basic"), ("7", "8", "basic")):
        with pytest.raises(BadInput, match="one person among advanced and basic"):
            seat_of_person(game(seats, 0))


def made_up(folder: Path, count: int) -> Path:
    """A store of so many made-up people who have played all games and chosen the first answer everywhere."""
    with PeopleStore(folder, rehearsal=True) as store:
        for number in range(count):
            person = store.person(store.join())
            assert person is not None
            for game, record in enumerate(series(number, {"person": 1, "advanced": 1, "basic": 1})):
                store.begin(person, game, f"{number}-{game}")
                store.end(f"{number}-{game}", record)
            store.answer(person, {question.id: "".join(question.choices[:1]) for question in LAST})
    return folder


def test_a_store_is_analysed_and_says_where_its_people_are_made_up(tmp_path: Path) -> None:
    few = analysis(made_up(tmp_path / "few", 2))
    assert few[0].startswith("These people are made up") and few[1].startswith("2 people, 108 games, ")
    assert len(few) == 3
    enough = analysis(made_up(tmp_path / "enough", LEAST))
    assert enough[1].startswith(f"{LEAST} people, {54 * LEAST} games, ")
    assert "people above a fair share: " in enough[2]
    assert f"early: never {LEAST}, at times 0, often 0" in enough and "notes: 0 wrote something" in enough
    with pytest.raises(BadInput, match="is no store"):
        analysis(tmp_path / "none")


def test_the_page_says_what_the_protocol_says() -> None:
    page = " ".join((Path(__file__).parents[2] / "docs" / "people.md").read_text("utf-8").replace("\n>", " ").split())
    for text in (*CONSENT, AGREEMENT, *(question.text for question in LAST)):
        assert text in page
