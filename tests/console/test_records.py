"""`molehunt replay` and `molehunt show`."""

from __future__ import annotations

import gzip
import io
import os
import re
import threading
import tracemalloc
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest

from cli.calling import GAME, call
from games.duel.test_course import log_of
from molehunt.agents.registry import Agents
from molehunt.core.record import Record, parse_record, read_records
from molehunt.core.replay import Replay
from molehunt.games.registry import make_game
from molehunt.table.session import Session, Sitter
from molehunt.terminal import saving


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    assert call("arena", GAME, "--seats", "random*2,decision-2019", "--games", "3", "--records", str(path)).status == 0
    return path


@pytest.fixture(scope="module")
def records(file: Path) -> list[Record]:
    return [record for _, record in read_records(file)]


def test_replay_shows_every_game_move_by_move(file: Path, records: list[Record]) -> None:
    made = call("replay", str(file))
    assert (made.status, made.err) == (0, "")
    moves = sum(len(record.moves) for record in records)
    assert made.out.splitlines()[-1] == f"3 games with {moves} moves replay to the byte."
    games = re.split(r"^(?=Game \d+: )", made.out, flags=re.MULTILINE)[1:]
    assert len(games) == 3
    for number, (text, record) in enumerate(zip(games, records, strict=True), start=1):
        assert text.startswith(f"Game {number}: saboteur/krisnadi, seed {record.seed}\n")
        roles = Replay(record, make_game).game.roles_of(Replay(record, make_game).states[0])[0]
        for seat, name in enumerate(record.seats):
            assert f"\n  seat {seat}: {name}, {('miner', 'saboteur')[roles[seat]]}\n" in text
        shown = re.findall(r"^ +(\d+)\. seat \d: ([^ ,\n]+(?:,\d+r?)?)", text, re.MULTILINE)
        assert [int(turn) for turn, _ in shown] == list(range(1, len(record.moves) + 1))
        # Each move as its own player knows it: discards are open.
        assert [move for _, move in shown] == list(record.moves)
        winners = ", ".join(f"seat {seat}" for seat in record.ending.winners)
        assert f"{record.ending.reason}: {winners} won." in text


def test_quiet_replay_is_one_line(file: Path, records: list[Record]) -> None:
    moves = sum(len(record.moves) for record in records)
    assert call("replay", str(file), "--quiet").out == f"3 games with {moves} moves replay to the byte.\n"


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize("words", [("replay",), ("analyse",), ("believe", "K_0 saboteur_0", "--record")])
def test_a_game_that_play_has_saved_is_no_record_and_who_takes_it_for_one_is_told_how_it_goes_on(
    words: tuple[str, ...], over: bool, tmp_path: Path
) -> None:
    agent = Agents("saboteur").make("random")
    session = Session(make_game("saboteur", "small", 2), [Sitter("You"), Sitter("Alice", agent)], 1)
    while over and session.outcome is None:
        if not session.step():
            session.apply(0, int(session.game.legal_actions(session.view(0)).codes[0]))
    file = tmp_path / "my game.json"
    file.write_bytes(saving.to_json(session.saved()))
    made = call(*words, str(file))
    assert (made.status, made.out) == (2, "")
    said = " ".join(made.err.split())
    assert f"{file} is no record, but a game that molehunt play --save keeps" in said
    assert (f"molehunt play saboteur --resume '{file}' goes on with it" in said) == (not over)
    assert ("it was played to its end" in said) == over


@pytest.mark.parametrize("words", [("replay", "--quiet"), ("show",), ("analyse", "--worlds", "2")])
def test_records_are_read_from_a_pipe_as_from_a_file(words: tuple[str, ...], file: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(file.read_bytes(),), daemon=True)
    writer.start()
    made = call(words[0], str(pipe), *words[1:])
    writer.join(60)
    assert (made.status, made.out) == (0, call(words[0], str(file), *words[1:]).out)


@pytest.mark.parametrize(
    "words", [("replay", "-", "--quiet"), ("replay", "--quiet", "-"), ("analyse", "-", "--worlds", "2")]
)
def test_a_lone_dash_is_standard_input_for_records_and_logs(
    words: tuple[str, ...], file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "game.log"
    log.write_text(log_of(3)[0])
    for path in (file, log):
        pipe = tmp_path / f"{path.name}.pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_bytes, args=(path.read_bytes(),), daemon=True)
        writer.start()
        expected = call(*(str(path) if word == "-" else word for word in words))
        assert call(*(str(pipe) if word == "-" else word for word in words)) == expected
        writer.join(60)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
        assert call(*words) == expected and expected.status == 0
    assert "Unknown option: -" in call("replay", "-", "-").err


@pytest.mark.parametrize(
    "words", [("show", "-", "--move", "9", "--game", "2"), ("believe", "B_1 sab(0)", "--record", "-", "--move", "9")]
)
def test_a_lone_dash_is_standard_input_for_records(
    words: tuple[str, ...], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = call(*(str(file) if word == "-" else word for word in words))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    assert call(*words) == expected and expected.status == 0


@pytest.mark.parametrize("words", [("replay", "-"), ("show", "-"), ("believe", "B_1 sab(0)", "--record", "-")])
def test_without_standard_input_nothing_is_read_from_it(
    words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    made = call(*words)
    assert made.status == 2 and made.err == "molehunt: there is no standard input to read\n"


def test_the_name_of_a_file_is_told_in_one_piece_on_a_narrow_screen(tmp_path: Path) -> None:
    drawing = tmp_path / f"{'long' * 12}.svg"
    assert call("show", GAME, "--svg", str(drawing), columns=40).out == f"Drawn into {drawing}.\n"


def test_one_game_is_not_called_games(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_bytes(file.read_bytes().splitlines(keepends=True)[0])
    assert call("replay", str(path), "--quiet").out.startswith("1 game with ")


def test_bad_record_is_named_by_file_and_line(file: Path, tmp_path: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    path = tmp_path / "bad.jsonl"
    path.write_bytes(lines[0] + b"\n" + lines[1].replace(b'"seed":', b'"seed":1'))
    for words in (("replay", str(path), "--quiet"), ("show", str(path), "--line", "2")):
        made = call(*words)
        assert made.status == 2 and not made.out
        assert re.match(rf"molehunt: {re.escape(str(path))}, line 3: ", made.err)


def test_name_in_a_record_does_not_move_the_cursor(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    record = parse_record(file.read_bytes().splitlines()[0])
    odd = msgspec.structs.replace(record, seats=("\x1b[31m[red]\r", *record.seats[1:]), check="")
    path.write_bytes(odd.line())
    made = call("replay", str(path))
    assert made.status == 0
    assert "  seat 0: ?[31m[red]?, " in made.out and "\x1b" not in made.out


def test_show_draws_the_end_of_the_first_game_by_default(file: Path, records: list[Record]) -> None:
    again = Replay(records[0], make_game)
    made = call("show", str(file))
    assert (made.status, made.err) == (0, "")
    assert made.out.rstrip("\n") == again.game.draw_text(again.view(len(again.actions))).rstrip("\n")


@pytest.mark.parametrize(("line", "move", "seat"), [(1, 0, 0), (2, 5, 2), (3, 17, 1)])
def test_show_draws_the_view_of_a_seat_after_a_move(
    line: int, move: int, seat: int, file: Path, records: list[Record]
) -> None:
    again = Replay(records[line - 1], make_game)
    made = call("show", str(file), "--game", str(line), "--move", str(move), "--seat", str(seat))
    assert made.out.rstrip("\n") == again.game.draw_text(again.view(move, seat)).rstrip("\n")
    assert f"you are seat {seat}" in made.out


def test_show_draws_a_fresh_deal(file: Path) -> None:
    made = call("show", GAME)
    assert made.status == 0
    assert (
        made.out == call("show", "saboteur", "--seed", "0", "--seats", "5").out == call("show", GAME, "--move", "0").out
    )
    assert made.out != call("show", GAME, "--seed", "1").out
    assert "you are seat 3" in call("show", GAME, "--seat", "3", "--seats", "4").out
    assert "among 4 players" in call("show", GAME, "--seats", "4").out


def test_show_takes_the_name_of_a_game_for_one_where_a_folder_is_called_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is where somebody writes a game: the folder is its package."""
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("duel").mkdir()
    made = call("show", "duel")
    assert (made.status, made.err) == (0, "")
    tmp_path.joinpath("duet").mkdir()
    assert call("show", "duet").err == "molehunt: cannot read duet: Is a directory\n"


def test_show_writes_a_drawing(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    made = call("show", str(file), "--move", "9", "--svg", str(path))
    assert made.status == 0 and made.out.replace("\n", "") == f"Drawn into {path}."
    assert ET.fromstring(path.read_text("utf-8")).tag.endswith("svg")  # noqa: S314 - our own drawing
    assert call("show", str(file), "--move", "9", "--svg", "-").out == path.read_text("utf-8")


def test_a_file_comes_before_a_game_of_the_same_name(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "saboteur").write_bytes(file.read_bytes())
    assert call("show", "saboteur").out == call("show", str(file)).out


def test_of_a_file_of_many_records_one_at_a_time_is_in_memory(file: Path, tmp_path: Path) -> None:
    lines = file.read_bytes() * 30

    def peak(times: int, words: tuple[str, ...]) -> int:
        many = tmp_path / f"{times}.jsonl"
        many.write_bytes(lines * times)
        tracemalloc.start()
        try:
            assert call(words[0], str(many), *words[1:]).status == 0
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    for words in (("show",), ("show", "--game", "70"), ("analyse", "--worlds", "1")):
        peak(1, words)  # what is kept from the first time on is counted there
        assert peak(80, words) < peak(1, words) + 10 * len(lines), words


@pytest.mark.parametrize("packed", [False, True])
def test_a_record_is_shown_that_stands_before_a_line_that_is_none(packed: bool, file: Path, tmp_path: Path) -> None:
    torn = tmp_path / "torn.jsonl"
    content = file.read_bytes().splitlines()[0] + b"\r\n\nno record\n"
    torn.write_bytes(gzip.compress(content) if packed else content)
    assert call("show", str(torn)).status == 0
    for words in (("show", "--game", "2"), ("replay", "--quiet")):
        assert f"{torn}, line 3: " in call(words[0], str(torn), *words[1:]).err


def test_a_game_that_a_file_does_not_hold_is_refused_with_how_many_there_are(file: Path) -> None:
    for number in ("0", "4"):
        assert f"--game must be 1 to 3, not {number}" in call("show", str(file), "--game", number).err
