"""The series of section 5.3: a person against every mix of basic and advanced players."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from molehunt.console.play import play_speed_clue
from molehunt.core.record import read_records
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game
from molehunt.studies.clue_series import TESTS
from molehunt.terminal.clue_series import Series
from terminal.clue_person import Person, Spoken

STRATEGIES = ("advanced", "basic")


def test_the_tests_of_the_series_are_those_of_table_5_4() -> None:
    letters = ["".join("AB"[kind == "basic"] for kind in test) for test in TESTS]
    assert letters[:9] == ["BB", "AB", "AA", "BBB", "ABB", "AAB", "AAA", "BBBB", "ABBB"]
    assert (len(TESTS), letters[12], letters[17]) == (18, "BBBBB", "AAAAA")


def test_a_series_hides_strategies_until_its_end_and_writes_its_table(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    spoken = Spoken(capsys)
    person = Person(spoken, 1)
    table, record = tmp_path / "table.md", tmp_path / "games.jsonl"
    assert play_speed_clue(series=[3], seed=5, read=person, table=table, record=record) == 0
    text = spoken()
    before, _, after = text.partition("All games with 3 players are over.")
    assert not re.search("advanced|basic", before)
    rows = [line.split() for line in after.splitlines() if re.match(r"\d  ", line)]
    assert [row[0] for row in rows[:3]] == ["1", "2", "3"]
    records = [record for _, record in read_records(record)]
    assert len(records) == 9
    for game in records:
        Replay(game, make_game)
    people = [next(seat for seat, kind in enumerate(game.seats) if kind not in STRATEGIES) for game in records]
    assert sorted(people) == [0, 0, 0, 1, 1, 1, 2, 2, 2] and people != sorted(people), (
        "every seat three times, in a drawn order"
    )
    kinds = sorted("".join(sorted(kind for kind in game.seats if kind in STRATEGIES)) for game in records)
    assert kinds == ["advancedadvanced"] * 3 + ["advancedbasic"] * 3 + ["basicbasic"] * 3
    won = {"H": 0, "A": 0, "B": 0}
    for game, person_seat in zip(records, people, strict=True):
        for seat in game.ending.winners:
            won["H" if seat == person_seat else "A" if game.seats[seat] == "advanced" else "B"] += 1
    assert f"9 of 9 games: human {won['H']}, advanced {won['A']}, basic {won['B']}." in after
    lines = table.read_text("utf-8").splitlines()
    assert lines[0] == "| Test | Player 1 | Player 2 | Player 3 | Player 4 | Player 5 | Player 6 | Games |"
    assert re.fullmatch(r"\| 2 \| H \(\d\) \| A \(\d\) \| B \(\d\) \| X \| X \| X \| 3 \|", lines[3])
    counted = {kind: sum(map(int, re.findall(rf"{kind} \((\d)\)", "".join(lines[2:])))) for kind in won}
    assert counted == won


def test_leaving_a_series_prints_the_table_so_far(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    spoken = Spoken(capsys)
    table = tmp_path / "table.csv"
    person = Person(spoken, 2, wrong={"Enter deals": ["", "quit"]})
    assert play_speed_clue(series=[3, 4], seed=9, read=person, table=table) == 0
    text = spoken()
    assert "The series was not finished." in text and "2 of 21 games: human" in text
    assert sum(int(row[-1]) for row in table.read_text("utf-8").splitlines()[1:]) == 2


def test_a_series_without_a_finished_game_has_an_empty_table(capsys: pytest.CaptureFixture[str]) -> None:
    person = Person(lambda: "", leave_after=0)
    assert play_speed_clue(series=[], seed=9, read=person) == 1
    assert "0 of 54 games: human 0, advanced 0, basic 0." in capsys.readouterr().out
    assert Series().rows() == []
