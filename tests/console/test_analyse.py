"""`molehunt analyse`: what is printed, what is written, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from cli.calling import call
from games.duel.test_course import log_of
from molehunt.analysis.analyse import analyse
from molehunt.analysis.findings import Analysis
from molehunt.analysis.words import sparkline
from molehunt.console.analyse import _ahead
from molehunt.core.ahead import uses_of
from molehunt.core.position import Position
from molehunt.core.record import check_of, read_records
from molehunt.core.replay import Replay
from molehunt.core.words import percent_said
from molehunt.games.registry import deal, make_game
from molehunt.table.people import recorded_names
from molehunt.web.replays import replay_data
from web import cups


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    made = call("arena", "saboteur/krisnadi", "--seats", "decision-2019*4", "--games", "2", "--records", str(path))
    assert made.status == 0
    return path


@pytest.fixture(scope="module")
def analysis(file: Path) -> Analysis:
    record = list(read_records(file))[1][1]
    return analyse(Replay(record, make_game), recorded_names(record.seats), worlds=6, seed=3)


def test_json_holds_the_numbers_of_the_library(file: Path, analysis: Analysis, tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    made = call("analyse", str(file), "--game", "2", "--worlds", "6", "--seed", "3", "--json", str(path))
    assert made.status == 0
    assert msgspec.json.decode(path.read_bytes(), type=Analysis) == analysis


def test_what_is_printed_is_what_was_found(file: Path, analysis: Analysis) -> None:
    made = call("analyse", str(file), "--game", "2", "--worlds", "6", "--seed", "3", "--seat", "1", columns=200)
    assert (made.status, made.err.strip()) == (0, "")
    charts = [chart for chart in analysis.charts if chart.viewer in (None, 1)]
    assert len(charts) == 4
    lines = [" ".join(line.split()) for line in made.out.splitlines()]
    for line in (line for chart in charts for line in chart.lines):
        drawn = f"{sparkline(line.values)} {percent_said(line.values[-1])}"
        assert f"{line.label} {'* ' if line.true else ''}{drawn}" in lines
    own = [each for each in analysis.judged if each.seat == 1]
    table = lines[lines.index("move played to win best to win") + 1 :]
    assert [line.split()[0] for line in table if line] == [str(each.move) for each in own]
    assert all(line.endswith(each.grade) for line, each in zip(table, own, strict=False))


def test_who_is_called_what_is_said_with_seat_and_player(tmp_path: Path) -> None:
    path, out = tmp_path / "duel.jsonl", tmp_path / "found.json"
    seats = ("greedy-2020", "random")
    assert call("arena", "duel", "--seats", ",".join(seats), "--games", "1", "--records", str(path)).status == 0
    made = call("analyse", str(path), "--worlds", "2", "--json", str(out))
    found = msgspec.json.decode(out.read_bytes(), type=Analysis)
    assert found.players == seats
    lines = made.out.splitlines()
    assert lines[1:3] == [f"{found.seats[seat]} sits on seat {seat}: {seats[seat]}" for seat in (0, 1)]


def test_the_same_is_printed_in_german_with_the_same_numbers(file: Path) -> None:
    ours, german = (
        call("analyse", str(file), "--worlds", "2", "--language", code, columns=200) for code in ("en", "de")
    )
    assert ours.status == german.status == 0
    assert "Wann hätte man es wissen können?" in german.out and "Züge" in german.out
    numbers = [re.findall(r"\d+(?:\.\d+)?", said.out) for said in (ours, german)]
    assert numbers[0] == numbers[1]
    assert not re.search(r"\b(?:moves?|played|likely|certain|never|good|mistaken|onlooker)\b", german.out)


def test_rows_of_chances_fit_a_narrow_screen_and_none_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    position = deal("saboteur/krisnadi", seats=5, seed=3)
    while position.outcome is None:
        position.play(position.legal_actions[0])
    path.write_bytes(position.record_of(("random",) * 5).line())
    wide = call("analyse", str(path), "--worlds", "2", columns=120).out
    for columns in (60, 45):
        narrow = call("analyse", str(path), "--worlds", "2", columns=columns).out
        rows = [line for line in narrow.splitlines() if set(line) & set("▁▂▃▄▅▆▇█")]
        assert len(rows) == sum(bool(set(line) & set("▁▂▃▄▅▆▇█")) for line in wide.splitlines()) >= 5
        assert all(line.rstrip().endswith("%") and len(line) <= columns for line in rows)


def test_processes_beside_look_at_the_game_that_is_analysed(file: Path) -> None:
    played = Replay(next(iter(read_records(file)))[1], make_game)
    ahead = _ahead(played)
    assert ahead is not None
    work, line = ahead
    uses = uses_of(lambda: work(line), seconds=60)  # a busy machine takes its time
    called = {entry._compiler.py_func.__name__ for entry, _, _ in uses.found.values()}
    assert {"follow_round", "try_moves"} <= called  # who is suspected, and moves played on


def test_a_log_of_the_course_is_analysed_too(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    path.write_text(log_of(3)[0])
    assert call("analyse", str(path), "--worlds", "2").status == 0


def test_a_game_without_an_analysis_of_its_own_is_analysed_and_it_is_said_how(tmp_path: Path) -> None:
    path = tmp_path / "cups.jsonl"
    with cups.installed():
        position = Position(make_game("cups", "six", 3), 5)
        for move in ("peek:1", *(f"lift:{cup}" for cup in range(6))):
            if position.outcome is None:
                position.play(move)
        path.write_bytes(position.record_of(("random",) * 3).line())
        made = call("analyse", str(path), "--worlds", "3")
    assert (made.status, made.err.strip()) == (0, "")
    assert "chances follow from the rules alone" in made.out
    assert "Who would win if all played on at random, to an onlooker" in made.out
    assert "When could one have known?" not in made.out  # of a game without roles nothing is said there


def test_a_log_of_the_course_is_shown_and_a_damaged_one_is_named_with_the_line(tmp_path: Path) -> None:
    good, bad = tmp_path / "game.log", tmp_path / "bad.log"
    text = log_of(3)[0]
    good.write_text(text)
    bad.write_text(text.replace("Tile:nugget", "Tile:hidden1"))
    made = call("show", str(good), "--seat", "1")
    assert (made.status, made.err) == (0, "") and "seat 1" in made.out
    for command in ("show", "analyse", "replay"):
        assert f"{bad}, game of line 5: line 5: the goals are" in call(command, str(bad)).err
    for command in ("show", "analyse"):
        assert "--game must be 1, not 2" in call(command, str(good), "--game", "2").err
    asked = call("believe", "sab(0)", "--record", str(good))
    assert asked.status == 2 and "a log of another program, whose players cannot be asked" in asked.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--game", "3"], "--game must be 1 to 2, not 3"),
        (["--seat", "4"], "--seat must be 0 to 3, not 4"),
        (["--worlds", "0"], "a move is compared in 1 to 100,000 worlds, not 0"),
        (["--seconds", "0"], "an analysis may take more than 0 and up to 3600 seconds"),
        (["--seconds", "nan"], "an analysis may take more than 0 and up to 3600 seconds"),
        (["--worlds", "5", "--seconds", "2"], "give one of them"),
        (["--seed", "-1"], "--seed must be 0 to"),
    ],
)
def test_a_wrong_call_is_refused_in_words(file: Path, words: list[str], said: str) -> None:
    made = call("analyse", str(file), *words)
    assert made.status == 2 and said in made.err and "Traceback" not in made.err


def test_a_file_that_is_no_record_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    path.write_text("{}\n")
    made = call("analyse", str(path))
    assert made.status != 0 and "line 1" in made.err


def test_a_line_has_a_block_for_each_place_or_for_some_of_many() -> None:
    assert sparkline((0.0, 0.5, 1.0)) == "▁▅█"
    assert len(sparkline([0.1] * 500)) == 24


def test_who_has_lost_by_fault_is_told_and_has_not_won(file: Path, tmp_path: Path) -> None:
    record = next(record for _, record in read_records(file))
    winner = record.ending.winners[0]
    faults = tuple("mine took more than 10 s for a move" if seat == winner else "" for seat in range(4))
    struck = msgspec.structs.replace(record, faults=faults)
    struck = msgspec.structs.replace(struck, check=check_of(struck))
    path = tmp_path / "struck.jsonl"
    path.write_bytes(struck.line())
    names = recorded_names(record.seats)
    told = f"{names[winner]} has lost by fault, and from there on chance moved in that seat: mine took more than 10 s for a move."
    made = call("analyse", str(path), "--worlds", "6", columns=300)
    assert told in made.out.splitlines()
    outcome = replay_data(Replay(struck, make_game), names)["outcome"]
    assert outcome["winners"] == [seat for seat in record.ending.winners if seat != winner]
    assert outcome["text"].endswith(f" {told}")
    assert names[winner] not in outcome["text"].removesuffix(told)
    assert "fault" not in replay_data(Replay(record, make_game), names)["outcome"]["text"]


def test_what_chance_moved_for_who_had_lost_by_fault_is_no_move_of_theirs(file: Path) -> None:
    record = next(record for _, record in read_records(file))
    whole = analyse(Replay(record, make_game), worlds=2)
    first = [each.move for each in whole.judged if each.seat == 1][1]
    faults, after = ("", "mine failed in choose", "", ""), (None, first - 1, None, None)
    failed = msgspec.structs.replace(record, faults=faults, failed_after=after)
    failed = msgspec.structs.replace(failed, check=check_of(failed))
    found = analyse(Replay(failed, make_game), worlds=2)
    assert found.judged == tuple(each for each in whole.judged if each.seat != 1 or each.move < first)
    assert 0 < len(found.judged) < len(whole.judged)
