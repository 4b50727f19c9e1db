"""The command line as a process of its own: what it imports, Ctrl-C, and where its output goes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx2 as httpx
import pytest

from cli.calling import GAME, call, command, environment, killed_after, process
from molehunt import __version__
from molehunt.studies.study import STUDIES

# Plays, and tells by a file when so many of its kind were made.
SLOW = """
import time
from pathlib import Path

import molehunt


class Slow(molehunt.Player):
    made = 0

    def __init__(self):
        Slow.made += 1
        if Slow.made > 3 * 16 * 3:
            Path("ready").touch()

    def choose(self, view):
        time.sleep(0.0002)
        return view.legal_actions[0]


class Stuck(molehunt.Player):
    def choose(self, view):
        Path("ready").touch()
        while True:
            pass
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "slow.py").write_text(SLOW)
    return tmp_path


def test_module_is_the_command() -> None:
    made = process("--version")
    assert (made.returncode, made.stdout, made.stderr) == (0, f"{__version__}\n", "")
    made = process("games")
    assert (made.returncode, made.stdout) == (0, call("games").out)
    made = process("arena", "chess", "--seats", "random")
    assert (made.returncode, made.stdout) == (2, "")
    assert made.stderr.startswith("molehunt: unknown game 'chess' (known: ")


def test_help_of_every_command_imports_nothing_heavy() -> None:
    code = (
        "import sys; from molehunt.cli import main\n"
        "for words in ([], ['--version'], *([name, '--help'] for name in"
        " ('study', 'arena', 'bench', 'agents', 'games', 'replay', 'show', 'play', 'advise'))): assert main(words) == 0\n"
        "heavy = {'numba', 'numpy', 'llvmlite', 'matplotlib', 'jinja2'} & set(sys.modules)\n"
        "sys.exit(f'imported: {heavy}' if heavy else 0)"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment())
    assert (made.returncode, made.stderr) == (0, "")


@pytest.mark.parametrize("module", ["cyclopts", "numba", "msgspec"])
def test_ctrl_c_while_all_is_still_imported_is_no_traceback(module: str) -> None:
    code = (
        "import sys\n"
        "class Pressed:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {module!r}: raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Pressed())\n"
        f"from molehunt.cli import main; sys.exit(main(['show', {GAME!r}]))"
    )
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment())
    assert (made.returncode, made.stdout, made.stderr) == (1, "", "molehunt: stopped\n")


def interrupt(folder: Path, *words: str) -> tuple[int, str, str]:
    """Start a match, press Ctrl-C once it is under way; exit status, output, errors."""
    return interrupted(folder, "arena", GAME, "--agents-from", "slow.py", "--games", "100000", *words)


def interrupted(folder: Path, *words: str) -> tuple[int, str, str]:
    """Call a command, press Ctrl-C once a player has been asked; exit status, output, errors."""
    with subprocess.Popen(
        command(*words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as running:
        try:
            for _ in range(3000):
                if (folder / "ready").exists() or running.poll() is not None:
                    break
                time.sleep(0.1)
            running.send_signal(signal.SIGINT)
            out, err = running.communicate(timeout=60)
        finally:
            running.kill()
    return running.returncode, out, err


def test_ctrl_c_keeps_what_was_played_and_says_so(folder: Path) -> None:
    files = ("--json", "out.json", "--records", "g.jsonl", "--threads", "1")
    status, out, err = interrupt(folder, "--seats", "slow*3", *files)
    got = json.loads((folder / "out.json").read_text())
    games = got["games"]
    assert status == 1
    assert games >= 16
    assert err.splitlines()[-1] == (
        f"molehunt: stopped after {games} games; the result above is of the games played until then"
    )
    assert "Traceback" not in err
    assert f"saboteur/krisnadi: {games} games, seed 0\n" in out
    assert out.count("│ slow  │") == 3
    replay = call("replay", "g.jsonl", "--quiet")
    assert (replay.status, replay.out) == (0, f"{games} games with {got['moves']} moves replay to the byte.\n")
    # They are the first games of the same match played to its end.
    words = ("--agents-from", "slow.py", "--seats", "slow*3", "--games", str(games), "--json", "-")
    full = json.loads(call("arena", GAME, *words).out)
    assert (full["moves"], full["seats"], full["outcomes"]) == (got["moves"], got["seats"], got["outcomes"])


def test_ctrl_c_ends_a_player_that_never_answers(folder: Path) -> None:
    status, out, err = interrupt(folder, "--seats", "stuck*3", "--threads", "2")
    assert status == 1
    assert "saboteur/krisnadi: 0 games, seed 0" in out
    assert "stopped after 0 games" in err and "Traceback" not in err
    place = re.search(r"^A player was thinking at \S*slow\.py:(\d+), in choose\.$", err, re.MULTILINE)
    assert place and SLOW.splitlines()[int(place[1]) - 1].strip() in {"while True:", "pass"}


def test_ctrl_c_says_where_a_player_is_that_tuning_waits_for_or_whose_file_never_ends(folder: Path) -> None:
    pytest.importorskip("optuna")
    words = ("--agents-from", "slow.py", "--against", "stuck", "--role", "saboteur", "--seats", "3", "--threads", "1")
    status, _, err = interrupted(folder, "tune", "decision-2019", "--space", "d_b=0..5", *words)
    assert status == 1 and "Traceback" not in err
    assert re.search(r"^A player was thinking at \S*slow\.py:\d+, in choose\.$", err, re.MULTILINE)
    (folder / "slow.py").write_text('from pathlib import Path\nPath("ready").touch()\nwhile True:\n    pass\n')
    (folder / "ready").unlink()
    status, _, err = interrupt(folder, "--seats", "stuck*3")
    assert status == 1
    assert re.fullmatch(
        r"A player was thinking at slow\.py:[34], in <module>\.\nmolehunt: stopped\n",
        err.partition("once.\n")[2] or err,
    )


def ends(group: int) -> bool:
    """Whether all processes of a group end within ten seconds."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def test_ctrl_c_keeps_the_studies_that_are_finished_and_leaves_no_process() -> None:
    with subprocess.Popen(
        command("study", "--small", "--games", "2", "--threads", "2"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        start_new_session=True,
    ) as running:
        assert running.stdout is not None
        try:
            lines = []
            for line in running.stdout:
                lines.append(line)
                if line.startswith("mitchell2020: "):
                    break
            os.killpg(running.pid, signal.SIGINT)  # as a terminal does: to all processes
            out, err = running.communicate(timeout=60)
        finally:
            running.kill()
    assert running.returncode == 1
    found = re.fullmatch(
        r"molehunt: stopped; (\d+) of (\d+) studies stand above; .* docs/results.md", err.splitlines()[-1]
    )
    assert found and int(found[2]) == len(STUDIES) and "Traceback" not in err
    shown = [line for line in [*lines, *out.splitlines()] if line.partition(": ")[0] in STUDIES]
    assert len(shown) > 0 and int(found[1]) - len(shown) in (0, 1)  # one may have been about to be shown
    assert ends(running.pid)


def test_reader_that_has_had_enough_is_no_failure(folder: Path) -> None:
    words = ("arena", GAME, "--seats", "random*3", "--games", "100", "--records", "g.jsonl")
    assert call(*words).status == 0
    for asked in (("replay", "g.jsonl"), ("--help",), ("show", "g.jsonl", "--svg", "-")):
        with subprocess.Popen(
            command(*asked), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
        ) as running:
            assert running.stdout is not None and running.stderr is not None
            running.stdout.close()
            assert running.stderr.read() == ""
            assert running.wait(60) == 0


@pytest.mark.skipif(
    not Path("/dev/full").is_char_device(),
    reason="a disk that is full whenever it is written to is a device of Linux and some BSDs; without one a full disk would "
    "have to be made, and no line of the command asks which system it runs on",
)
def test_full_disk_is_a_failure_in_plain_words() -> None:
    with Path("/dev/full").open("w") as full:
        made = subprocess.run(
            command("games"), stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment()
        )
    assert made.returncode == 1
    assert made.stderr.startswith("molehunt: ") and "No space left on device" in made.stderr
    assert "internal" not in made.stderr and "Traceback" not in made.stderr


def test_no_standard_output_is_no_failure() -> None:
    code = "import os, sys; os.close(1); os.execv(sys.executable, [sys.executable, '-m', 'molehunt', *sys.argv[1:]])"
    for words in (["games"], ["--help"], ["show", GAME]):
        made = subprocess.run(
            [sys.executable, "-c", code, *words], stderr=subprocess.PIPE, text=True, check=False, env=environment()
        )
        assert (made.returncode, made.stderr) == (0, "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_terminal_that_lacks_signs_is_shown_plain_ones(encoding: str) -> None:
    made = subprocess.run(
        command("show", GAME), capture_output=True, check=False, env=environment(PYTHONIOENCODING=encoding)
    )
    assert (made.returncode, made.stderr) == (0, b"")
    assert b"| ? |" in made.stdout and b"'---'" in made.stdout and b"??" not in made.stdout


def test_first_use_says_that_it_compiles(folder: Path) -> None:
    # A fresh cache folder; the command is stopped as soon as it has said so.
    with subprocess.Popen(
        command("arena", GAME, "--seats", "random*3", "--games", "1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(MOLEHUNT_CACHE=str(folder / "cache")),
    ) as running:
        assert running.stderr is not None
        with killed_after(running):
            line = running.stderr.readline()
        running.send_signal(signal.SIGINT)
        try:
            assert running.wait(60) == 1
        finally:
            running.kill()
    assert re.fullmatch(r"First use: compiling the kernels for this machine; .*\n", line)


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM], ids=lambda ending: ending.name)
def test_a_server_that_is_stopped_says_that_the_tables_are_kept(ending: signal.Signals, folder: Path) -> None:
    """SIGTERM is what containers and services are stopped with."""
    with subprocess.Popen(
        command("serve", "--port", "0", "--store", folder / "tables.db"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment(PYTHONUNBUFFERED="1"),
    ) as running:
        assert running.stdout is not None
        with killed_after(running):
            address = re.search(r"http://127\.0\.0\.1:\d+", running.stdout.readline())
            assert address
            httpx.get(address[0], timeout=300).raise_for_status()  # it listens before it runs, and answers then
            running.send_signal(ending)
            said = running.stdout.read()
        assert running.wait(60) == 0
    assert said.endswith("The server has stopped; the tables are kept.\n")


def test_a_broken_pipe_of_somebodys_own_is_no_output_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ended with status 0 and no word."""

    def fails(*_: object) -> int:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr("molehunt.console.listings.list_games", fails)
    made = call("games")
    assert (made.status, made.err) == (1, "molehunt: [Errno 32] Broken pipe\n")


def test_who_leaves_the_program_over_a_broken_pipe_of_its_own_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ended with status 0 and no word, as if it were standard output."""

    def leaves(*_: object) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        try:
            os.write(writer, b"x")
        except BrokenPipeError:
            sys.exit(1)
        finally:
            os.close(writer)

    monkeypatch.setattr("molehunt.console.listings.list_games", leaves)
    made = call("games")
    assert (made.status, made.err) == (1, "molehunt: a player left the program (SystemExit)\n")


PRINTING = """
import os
import sys

import molehunt


class Chatty(molehunt.Player):
    def choose(self, view):
        print("x" * 100_000)
        return view.legal_actions[0]


class Closing(molehunt.Player):
    def choose(self, view):
        sys.stdout.close()
        return view.legal_actions[0]


class ClosingBoth(molehunt.Player):
    def choose(self, view):
        sys.stdout.close()
        sys.stderr.close()
        return view.legal_actions[0]


class ClosingNumbers(molehunt.Player):
    def choose(self, view):
        for number in (1, 2):
            try:
                os.close(number)
            except OSError:
                pass
        return view.legal_actions[0]


class Failing(ClosingBoth):
    def choose(self, view):
        super().choose(view)
        raise ValueError("after that")


class FailingNumbers(ClosingNumbers):
    def choose(self, view):
        super().choose(view)
        raise ValueError("after that")


class Replacing(molehunt.Player):
    def choose(self, view):
        sys.stdout = sys.stderr = None
        return view.legal_actions[0]
"""
THREADING = """
import threading
import time

import molehunt


class Threading(molehunt.Player):
    def choose(self, view):
        threading.Thread(target=lambda: time.sleep(100_000)).start()
        return view.legal_actions[0]
"""


def test_threads_that_a_player_has_begun_do_not_keep_the_command(folder: Path) -> None:
    """The table stood there, and the command never ended."""
    (folder / "threading_player.py").write_text(THREADING)
    words = ("arena", GAME, "--agents-from", "threading_player.py", "--games", "1", "--threads", "1")
    made = process(*words, "--seats", "threading,random*2")
    assert made.returncode == 0 and "1 game" in made.stdout
    assert re.search(
        r"molehunt: a player has begun \d+ threads and not ended; the command ends all the same\n$", made.stderr
    )


MATCH = ("arena", GAME, "--agents-from", "printing.py", "--games", "2", "--threads", "1")


@pytest.mark.parametrize("how", ["closing", "closing-both", "closing-numbers", "replacing"])
@pytest.mark.parametrize("to", ["table", "json"])
def test_a_player_that_closes_what_is_printed_to_takes_no_table_along(how: str, to: str, folder: Path) -> None:
    """The table was gone, and where both were closed nothing said so, or an error of Python's own."""
    (folder / "printing.py").write_text(PRINTING)
    made = process(*MATCH, "--seats", f"{how}*3", *(["--json", "-"] if to == "json" else []))
    assert made.returncode == 0
    assert "100.0 %" in made.stdout if to == "table" else json.loads(made.stdout)["games"] == 2
    said = {"closing-both": ["error", "output"], "closing-numbers": ["error", "output"], "replacing": []}
    if to == "table":
        lines = [line for line in made.stderr.splitlines() if "is open again" in line]
        assert lines == [
            f"molehunt: standard {each} was closed by a player or a game; it is open again"
            for each in said.get(how, ["output"])
        ]
    assert "internal" not in made.stderr and "lost sys" not in made.stderr


@pytest.mark.parametrize("how", ["failing", "failing-numbers"])
def test_what_is_wrong_with_a_player_that_has_closed_what_is_printed_to_is_told(how: str, folder: Path) -> None:
    (folder / "printing.py").write_text(PRINTING)
    (folder / "match.toml").write_text(
        f'name = "match"\ngame = "duel/mcgill"\nplayers = ["{how}", "random"]\nagents_from = ["printing.py"]\ndeals = 1\n'
    )
    made = process("tournament", "match.toml", "--threads", "1", "--json", "out.json")
    assert made.returncode == 1 and (folder / "out.json").exists()
    assert f"Lost by fault in 2 games: {how} failed in choose: ValueError: after that" in made.stdout
    assert f"Lost by fault: {how} failed in choose" in made.stderr
    assert made.stderr.splitlines()[-1] == "molehunt: the others have played; 2 games lost by fault, as told above"


def test_a_player_that_prints_what_nobody_reads_has_not_failed(folder: Path) -> None:
    (folder / "printing.py").write_text(PRINTING)
    reader, writer = os.pipe()
    os.close(reader)
    try:
        made = subprocess.run(
            command(*MATCH, "--seats", "chatty*3"),
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=environment(),
        )
    finally:
        os.close(writer)
    assert made.returncode == 0 and "failed" not in made.stderr


REMARKING = """
from molehunt.console.screen import out, side

side.print("remark")
side.print("remark")
out.print("result")
"""


def test_results_are_there_where_nobody_reads_the_remarks() -> None:
    """It ended with status 0 and half of what was asked for, or nothing."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        made = subprocess.run(
            [sys.executable, "-c", REMARKING],
            stdout=subprocess.PIPE,
            stderr=writer,
            text=True,
            check=False,
            env=environment(),
        )
    finally:
        os.close(writer)
    assert (made.returncode, made.stdout) == (0, "result\n")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_nobody_reads_is_no_failure(unbuffered: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        made = subprocess.run(
            command("games"),
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=environment() | {"PYTHONUNBUFFERED": unbuffered},
        )
    finally:
        os.close(writer)
    assert (made.returncode, made.stderr) == (0, "")
