"""The files that commands write: results are seen first, files are tried first, and every error names its file."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.calling import GAME, PLAYERS, call, command, environment
from molehunt.console.outputs import Outputs, check_writable
from molehunt.core.errors import BadInput, NotWritten

FULL = Path("/dev/full")
full_device = pytest.mark.skipif(not FULL.is_char_device(), reason="a device that is always full is one of Linux")
ARENA = ("arena", GAME, "--seats", "random*3", "--games", "20")
TOURNAMENT = """
name = "full"
game = "saboteur/krisnadi"
seats = 3
players = ["random", "decision-2019"]
deals = 4
"""


@full_device
@pytest.mark.parametrize("option", ["--json", "--records"])
def test_full_disk_costs_nobody_the_table(option: str) -> None:
    made = call(*ARENA, option, str(FULL))
    assert made.status == 1
    assert "20 games, seed 0" in made.out and "95 % interval" in made.out
    assert made.err.strip() == "molehunt: cannot write /dev/full: No space left on device"


@full_device
@pytest.mark.parametrize(
    ("words", "seen"),
    [
        (("study", "krisnadi2019", "--small", "--games", "2", "--json", str(FULL)), "published cells agree"),
        (("study", "krisnadi2019", "--games", "2", "--report", str(FULL)), "published cells agree"),
    ],
)
def test_full_disk_costs_nobody_a_study(words: tuple[str, ...], seen: str) -> None:
    made = call(*words)
    assert made.status == 1 and seen in made.out.replace("\n", " ")
    assert "cannot write /dev/full: No space left on device" in made.err


CHATTY = """
import molehunt


class Chatty(molehunt.Player):
    def choose(self, view):
        print("so many moves:", len(view.legal_actions))
        return view.legal_actions[0]
"""


def test_what_a_player_prints_does_not_mix_with_what_programs_read(tmp_path: Path) -> None:
    file = tmp_path / "chatty.py"
    file.write_text(CHATTY)
    words = ("arena", GAME, "--agents-from", str(file), "--seats", "chatty*3", "--games", "2")
    to_program = call(*words, "--json", "-")
    assert to_program.status == 0 and json.loads(to_program.out)["games"] == 2
    assert "so many moves:" in to_program.err
    assert "so many moves:" in call(*words).out


WANDERER = """
import os

import molehunt

HERE = os.path.dirname(os.path.abspath(__file__))
os.chdir(HERE)


class {name}(molehunt.Player):
    def choose(self, view):
        os.chdir(HERE)
        return view.legal_actions[0]
"""


def test_files_come_where_they_were_asked_for_whatever_folder_a_player_goes_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.py").write_text(WANDERER.format(name=name.title()))
        words += ["--agents-from", f"{name}/{name}.py"]
    made = call(
        "arena", GAME, *words, "--seats", "one,two,random", "--games", "2", "--json", "a.json", "--records", "r.jsonl"
    )
    assert (made.status, made.err.strip()) == (0, "")
    assert json.loads((tmp_path / "a.json").read_bytes())["games"] == 2
    assert len((tmp_path / "r.jsonl").read_bytes().splitlines()) == 2


FIRST = """
import molehunt


class First(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0]
"""


def test_who_calls_from_a_folder_that_has_been_removed_reads_and_writes_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(FIRST)
    records = tmp_path / "r.jsonl"
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    # Another file of this name, called by a name in the folder, has been loaded before.
    (gone / "mine.py").write_text(FIRST)
    monkeypatch.delitem(sys.modules, "molehunt_agents_mine", raising=False)
    assert call("arena", GAME, "--seats", "random*3", "--games", "2", "--agents-from", "mine.py").status == 0
    shutil.rmtree(gone)
    seats = ("--seats", "random*3", "--games", "2")
    made = call("arena", GAME, *seats, "--agents-from", str(tmp_path / "mine.py"), "--records", str(records))
    assert (made.status, made.err.strip()) == (0, "")
    assert len(records.read_bytes().splitlines()) == 2
    for words, told in (
        (("--agents-from", "mine.py"), "molehunt: the folder in which this was called has been removed\n"),
        (("--records", "r.jsonl"), "molehunt: cannot write r.jsonl: No such file or directory\n"),
    ):
        made = call("arena", GAME, *seats, *words)
        assert made.status != 0 and made.err == told


@full_device
def test_other_files_are_written_where_one_cannot_be(tmp_path: Path) -> None:
    rows = tmp_path / "rows.json"
    made = call(*ARENA, "--records", str(FULL), "--json", str(rows))
    assert made.status == 1 and json.loads(rows.read_bytes())["games"] == 20
    assert made.err.strip() == "molehunt: cannot write /dev/full: No space left on device"


def into_full_output(*words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A command whose standard output is full."""
    with FULL.open("w") as full:
        return subprocess.run(
            command(*words), stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment(**variables)
        )


@full_device
@pytest.mark.parametrize("buffered", [{}, {"PYTHONUNBUFFERED": "1"}], ids=["buffered", "unbuffered"])
def test_full_standard_output_is_named_and_costs_no_file(tmp_path: Path, buffered: dict[str, str]) -> None:
    rows = tmp_path / "rows.json"
    made = into_full_output(*ARENA, "--json", rows, **buffered)
    assert made.returncode == 1
    assert "cannot write to standard output: No space left on device" in made.stderr
    assert json.loads(rows.read_bytes())["games"] == 20


@full_device
@pytest.mark.parametrize("buffered", [{}, {"PYTHONUNBUFFERED": "1"}], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("words", [("--help",), ("show", GAME), (*ARENA, "--json", "-"), ("show", GAME, "--svg", "-")])
def test_full_standard_output_is_named_whatever_is_written_there(
    words: tuple[str, ...], buffered: dict[str, str]
) -> None:
    made = into_full_output(*words, **buffered)
    assert made.returncode == 1
    assert made.stderr.splitlines()[-1] == "molehunt: cannot write to standard output: No space left on device"


def test_nothing_is_said_where_there_is_no_terminal_and_nothing_of_standard_output(tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    words = ("analyse", str(records), "--worlds", "2", "--page")
    assert call(*ARENA, "--records", str(records)).status == 0
    call(*words, "-")  # on first use it is said that kernels are compiled
    shown = call(*words, "-")
    assert (shown.status, shown.err) == (0, "") and shown.out.startswith("<!doctype html>")
    page = tmp_path / "page.html"
    written = call(*words, str(page))
    assert (written.status, written.err) == (0, f"The page is in {page}.\n")


def test_failing_work_leaves_older_files_as_they_were(tmp_path: Path) -> None:
    players, records, rows = tmp_path / "players.py", tmp_path / "games.jsonl", tmp_path / "rows.json"
    players.write_text(PLAYERS, "utf-8")
    for file in (records, rows):
        file.write_text("older\n")
    seats = ("arena", GAME, "--seats", "clumsy*3", "--agents-from", str(players), "--games", "20")
    made = call(*seats, "--records", str(records), "--json", str(rows))
    assert made.status == 1 and "no_such_thing" in made.err
    assert records.read_text() == rows.read_text() == "older\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.jsonl", "players.py", "rows.json"]


def test_finished_work_takes_the_place_of_older_files(tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    records.write_text("older\n")
    assert call(*ARENA, "--records", str(records)).status == 0
    assert len(records.read_bytes().splitlines()) == 20


@pytest.mark.parametrize(
    ("words", "option", "said"),
    [
        (("play", "duel"), "--save", "no game that --save has written"),
        (("play", "duel"), "--record", "no records of games"),
        (("play", "speed-clue", "--series"), "--table", "no table of a series"),
    ],
)
def test_what_somebody_has_is_not_replaced_by_a_game(
    words: tuple[str, ...], option: str, said: str, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.txt"
    for text in ("Monday: milk\n", "import molehunt\n", '{"games": 1}', "\0\1\2"):
        notes.write_text(text)
        made = call(*words, option, str(notes))
        assert made.status == 2 and made.out == ""
        assert f"cannot write {notes}: it holds {said}, and only such a file is replaced" in made.err
        assert notes.read_text() == text


def test_trying_a_file_changes_nothing(tmp_path: Path) -> None:
    kept, fresh = tmp_path / "kept", tmp_path / "fresh"
    kept.write_text("kept")
    check_writable(kept, fresh)
    assert kept.read_text() == "kept" and not fresh.exists()
    with pytest.raises(BadInput, match="two things to standard output"):
        check_writable(Path("-"), Path("-"))


def test_all_files_that_cannot_be_written_are_named(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    outputs = Outputs(gone / "a", gone / "b")
    for name in "ab":
        outputs.put(gone / name, lambda: "x")
    gone.rmdir()
    with pytest.raises(NotWritten) as caught, outputs:
        pass
    assert [str(gone / name) in line for name, line in zip("ab", str(caught.value).splitlines(), strict=True)] == [
        True,
        True,
    ]


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, {0}))
from molehunt.cli import main
sys.exit(main())
"""
"""The command line where no file can grow beyond some size: a full disk for those that are large."""


@pytest.mark.parametrize("limit", [0, 4_000, 2_000_000])
def test_store_on_a_full_disk_is_named(tmp_path: Path, limit: int) -> None:
    file, store = tmp_path / "t.toml", tmp_path / "store"
    file.write_text(TOURNAMENT.replace("deals = 4\n", "deals = 40_000\n" if limit > 1_000_000 else "deals = 4\n"))
    words = [*command("tournament", file, "--store", store)]
    words[1:3] = ["-B", "-c", LIMITED.format(limit)]  # Python itself keeps half of its compiled files on a full disk
    made = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300, env=environment())
    assert made.returncode == 1, made.stderr
    assert str(store) in made.stderr and "cannot" in made.stderr
    assert "Traceback" not in made.stderr and "internal error" not in made.stderr
    if limit > 1_000_000:  # what was played is told before that
        played = re.search(r"([\d,]+) games played in", made.stdout)
        assert played and "decision-2019" in made.stdout
        assert f"the tables tell of {played[1]} games" in " ".join(made.stderr.split())
