"""The analysis of games with people, on made-up series in which the answers are known."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from molehunt.core.errors import BadInput
from molehunt.core.record import Ending, Record
from molehunt.studies.people import LEAST, answers, main, person_of, seat_of_person, told
from molehunt.terminal.clue_series import TESTS


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


def test_files_are_read_and_what_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for number in range(2):
        file = tmp_path / f"{number}.jsonl"
        records = series(number, {"person": 1, "advanced": 1, "basic": 1})
        file.write_bytes(b"".join(record.line() for record in records))
        files.append(str(file))
    assert main(files) == 0
    assert capsys.readouterr().out.startswith("2 people, 108 games, ")
    assert main([*files, str(tmp_path / "none.jsonl")]) == 2 and "none.jsonl" in capsys.readouterr().err
    assert main([]) == 2 and "name a file of records" in capsys.readouterr().err
