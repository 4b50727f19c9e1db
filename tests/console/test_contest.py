"""`molehunt contest-client` and `molehunt contest-server`."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from adapters.speed_clue_contest.contest_room import HOST, Leave, Program, hold, ours, scripted
from cli.calling import PLAYERS, SOURCES, call, command, environment, killed_after
from molehunt.adapters.speed_clue_contest.programs import command_words, listen
from molehunt.adapters.speed_clue_contest.protocol import Message, Suggest
from molehunt.adapters.speed_clue_contest.talk import ContestError
from molehunt.arena.statistics import wilson
from molehunt.console import contest

SHORT = """
import socket, sys
server = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
server.sendall(sys.argv[1].encode() + b" alive")
while said := server.recv(512):
    {body}
    server.sendall(b"dead" if said == b"done" else b"ok")
"""
"""A program in a few lines, which knows no game: it only listens."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(PLAYERS, "utf-8")
    (tmp_path / "listener.py").write_text(SHORT.format(body=""))
    (tmp_path / "leaver.py").write_text(SHORT.format(body="if said == b'suggest': sys.exit(7)"))
    return tmp_path


def free_port() -> int:
    with socket.create_server((HOST, 0)) as door:
        return int(door.getsockname()[1])


def start(program: Program, port: int) -> threading.Thread:
    """A program in a thread."""

    def run() -> None:
        with contextlib.suppress(ContestError):
            program(port)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def serve(programs: list[Program], *words: str) -> Any:
    """The server in this process, with programs in threads, which come when its door is open.

    Who knocks before that, again and again, may come too late on a slow machine, or be let in by itself: a system that looks for
    a free port to call from may take the very one that is called.
    """
    threads: list[threading.Thread] = []

    def listen_and_call(host: str, port: int) -> socket.socket:
        door = listen(host, port)
        threads.extend(start(program, door.getsockname()[1]) for program in programs)
        return door

    with mock.patch.object(contest, "listen", listen_and_call):
        made = call("contest-server", "--players", str(len(programs)), "--port", "0", *words)
    assert len(threads) == len(programs)
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    return made


def test_the_server_prints_the_standing(folder: Path) -> None:
    made = serve([ours("zoe", "basic"), ours("ann"), ours("bob")], "--games", "6", "--json", "out.json")
    assert made.status == 0
    assert re.search(r"^listening at 127\.0\.0\.1, port \d+; waiting for 3 programs$", made.err, re.MULTILINE)
    got = json.loads((folder / "out.json").read_text())
    assert list(got) == ["games", "seconds", "players", "outcomes", "faults"]
    assert (got["games"], got["faults"]) == (6, [])
    assert got["outcomes"] == {"solved": 6, "last-left": 0, "undecided": 0}
    assert [row["player"] for row in got["players"]] == ["ann", "bob", "zoe"]
    assert sum(row["wins"] for row in got["players"]) == 6
    for row in got["players"]:
        assert list(row) == ["player", "wins", "rate", "low", "high", "failed"]
        assert (row["rate"], row["failed"]) == (row["wins"] / 6, 0)
        assert (row["low"], row["high"]) == wilson(row["wins"], 6)
    lines = made.out.splitlines()
    assert lines[0] == "speed_clue/contest: 6 games, seed 0"
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines if line.startswith("│")]
    assert rows == [
        [
            row["player"],
            str(row["wins"]),
            f"{100 * row['rate']:.1f} %",
            f"{100 * row['low']:.1f} to {100 * row['high']:.1f} %",
            "0",
        ]
        for row in sorted(got["players"], key=lambda row: -row["wins"])
    ]
    assert lines[1] == "Every one of the 6 seat orders was played 1 time."
    assert lines[-1] == "Faults: 0."


def test_faults_are_told_and_the_contest_goes_on() -> None:
    def leave_in_the_second(game: int, message: Message, reply: str) -> str:
        if game == 2 and isinstance(message, Suggest):
            raise Leave
        return "no" if game == 1 and isinstance(message, Suggest) else reply

    made = serve([ours("ann"), scripted("bad", leave_in_the_second), ours("[red]")], "--games", "4", "--json", "-")
    assert made.status == 0
    got = json.loads(made.out)
    assert [(fault["game"], fault["player"], fault["kind"]) for fault in got["faults"]] == [
        (1, "bad", "nonsense"),
        (2, "bad", "hung up"),
    ]
    assert got["players"][2] | {"wins": 0, "rate": 0, "low": 0, "high": 0} == {
        "player": "bad", "wins": 0, "rate": 0, "low": 0, "high": 0, "failed": 4
    }  # fmt: skip
    assert got["players"][0]["player"] == "[red]"
    assert "game 1: bad (nonsense): answered 'suggest' with nonsense: 'no' is no reply" in made.err
    assert "game 2: bad (hung up): hung up" in made.err
    assert "Traceback" not in made.err


def test_the_server_starts_programs_itself_and_ours_is_one_of_them(folder: Path) -> None:
    python = shlex.quote(sys.executable)
    client = f"env PYTHONPATH={shlex.quote(SOURCES)} {python} -m molehunt contest-client {{id}} {{port}} --seed 3"
    made = call(
        "contest-server", "--games", "3", "--seed", "3", "--json", "out.json",
        "--run", client, "--run", f"{python} listener.py", "--run", f"{python} leaver.py",
    )  # fmt: skip
    assert made.status == 0, made.err
    got = json.loads((folder / "out.json").read_text())
    assert [row["player"] for row in got["players"]] == ["player1", "player2", "player3"]
    assert got["players"][0]["wins"] == 3
    # The listener never suggests; the leaver's process has ended, which is told.
    assert [fault["game"] for fault in got["faults"] if fault["player"] == "player2"] == [1, 2, 3]
    (left,) = [fault for fault in got["faults"] if fault["player"] == "player3"]
    assert (left["kind"], left["reason"]) == ("hung up", "hung up; its process ended with status 7")
    assert "player3 (hung up)" in made.out


def test_the_client_says_how_it_went() -> None:
    made: list[Any] = []

    def client(port: int) -> None:
        made.append(call("contest-client", "me", str(port), "--agent", "advanced"))

    standing, raised = hold([client, ours("you", "basic"), ours("they", "basic")], 3)
    assert (raised, standing.faults) == ([], [])
    me = standing.players.index("me")
    assert (made[0].status, made[0].out) == (0, f"me (advanced): 3 games, {standing.wins[me]} won.\n")


def test_players_of_ones_own_play_too(folder: Path) -> None:
    (folder / "own.py").write_text(
        "import molehunt\n\n\nclass Lazy(molehunt.Player):\n    def choose(self, view):\n        return view.legal_actions[-1]\n"
    )
    made: dict[str, Any] = {}

    def client(name: str) -> Program:
        def run(port: int) -> None:
            made[name] = call("contest-client", name, str(port), "--agent", name, "--agents-from", "own.py")

        return run

    standing, _ = hold([client("lazy"), ours("you"), ours("they")], 3)
    assert (made["lazy"].status, standing.faults) == (0, [])


OWN = """
import molehunt


class Four(molehunt.Player):
    def begin(self, game, seat, view):
        assert game.seats == 4

    def choose(self, view):
        return view.legal_actions[0]


class Wrong(molehunt.Player):
    def choose(self, view):
        return "end"


class Raising(molehunt.Player):
    def begin(self, game, seat, view):
        raise KeyError("rules")


class Importing(molehunt.Player):
    def choose(self, view):
        import no_such_package


class Quiet(molehunt.Player):
    def choose(self, view):
        if any(action >> 16 == 3 for action in view.legal_actions):
            raise ValueError("cannot show")
        return view.legal_actions[-1]
"""


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("wrong", "wrong chose what is not legal here: end"),
        ("raising", "raising failed in begin: KeyError: 'rules'"),
        ("importing", "importing failed in choose: ModuleNotFoundError: No module named 'no_such_package'"),
        ("quiet", "quiet failed in choose: ValueError: cannot show"),
        ("learned", "learned has no weights for speed_clue/contest with 3 seats"),
    ],
)
def test_a_player_that_fails_is_told_of_before_it_connects(agent: str, why: str, folder: Path) -> None:
    (folder / "own.py").write_text(OWN)
    # Nobody listens at the port: so far it does not come.
    failed = call("contest-client", "me", str(free_port()), "--agent", agent, "--agents-from", "own.py")
    assert (failed.status, failed.out) == (1, "")
    assert failed.err.startswith(f"molehunt: {agent} cannot play, as was seen before any game: {why}")


def test_a_player_for_some_number_of_seats_may_connect(folder: Path) -> None:
    (folder / "own.py").write_text(OWN)
    refused = call("contest-client", "me", str(free_port()), "--agent", "four", "--agents-from", "own.py")
    assert "cannot reach a server" in refused.err


@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGTERM])
def test_who_ends_a_contest_is_shown_the_standing_so_far(folder: Path, ended_by: signal.Signals) -> None:
    games = 0

    def count(game: int, message: Message, reply: str) -> str:
        nonlocal games
        games = game
        return reply

    with subprocess.Popen(
        command("contest-server", "--games", "100000", "--port", "0", "--json", "out.json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as running:
        assert running.stderr is not None
        try:
            with killed_after(running):
                listening = re.search(r"port (\d+);", running.stderr.readline())
            assert listening is not None
            port = int(listening[1])
            threads = [start(program, port) for program in (scripted("a", count), ours("b"), ours("c"))]
            for _ in range(2400):
                if games > 4 or running.poll() is not None:
                    break
                time.sleep(0.05)
            running.send_signal(ended_by)
            out, err = running.communicate(timeout=60)
        finally:
            running.kill()
    for thread in threads:
        thread.join(60)
    got = json.loads((folder / "out.json").read_text())
    assert running.returncode == 1
    assert got["games"] >= 4 and sum(row["wins"] for row in got["players"]) == got["games"]
    assert got["faults"] == []
    assert f"speed_clue/contest: {got['games']} games, seed 0\n" in out and "95 % interval" in out
    assert err.splitlines()[-1] == (
        f"molehunt: stopped after {got['games']} games; the standing above is of the games played until then"
    )
    assert "Traceback" not in err


SERVER = ("contest-server",)
CLIENT = ("contest-client",)
WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "client without port": ((*CLIENT, "me"), "PORT"),
    "client at a port that is a word": ((*CLIENT, "me", "http"), "a whole number is needed, not http"),
    "client at no port": ((*CLIENT, "me", "0"), "PORT must be 1 to 65535, not 0"),
    "client with spaces": ((*CLIENT, "my program", "9"), "a program cannot be called 'my program'"),
    "client without a name": ((*CLIENT, "", "9"), "a program cannot be called ''"),
    "client with an unknown player": ((*CLIENT, "me", "9", "--agent", "combine"), "did you mean 'combined'?"),
    "client with a bad seed": ((*CLIENT, "me", "9", "--seed", "-1"), "--seed must be 0 to"),
    "client that waits for less than no time": ((*CLIENT, "me", "9", "--wait", "-1"), "--wait must be 0 to 86400 seconds, not -1"),
    "client with players from nowhere": ((*CLIENT, "me", "9", "--agents-from", "no.py"), "there is no file no.py"),
    "two players": ((*SERVER, "--players", "2"), "--players must be 3 to 6, not 2"),
    "seven programs": ((*SERVER, *("--run", "x") * 7), "--players must be 3 to 6, not 7"),
    "too many programs": ((*SERVER, "--players", "3", *("--run", "x") * 4), "4 programs to --run, but only 3 --players"),
    "no games": ((*SERVER, "--games", "0"), "--games must be 1 to 1000000, not 0"),
    "no such port": ((*SERVER, "--port", "65536"), "--port must be 0 to 65535, not 65536"),
    "no time": ((*SERVER, "--timeout", "0"), "--timeout must be more than 0 and at most 86400 seconds, not 0"),
    "time that is no number": ((*SERVER, "--wait", "nan"), "--wait must be more than 0"),
    "server with a bad seed": ((*SERVER, "--seed", "-1"), "--seed must be 0 to"),
    "an empty command": ((*SERVER, "--run", " "), "an empty command starts no program"),
    "an open quote": ((*SERVER, "--run", "x 'y"), "cannot be read: No closing quotation"),
    "no such program": ((*SERVER, "--run", "./no-such-program"), "cannot start './no-such-program': No such file"),
    "json nowhere": ((*SERVER, "--json", "no/x.json"), "there is no folder no"),
}  # fmt: skip


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG.keys())
def test_wrong_call_is_explained(words: tuple[str, ...], message: str, folder: Path) -> None:
    made = call(*words)
    assert (made.status, made.out) == (2, "")
    assert message in made.err
    assert "Traceback" not in made.err and "internal error" not in made.err


def test_what_cannot_be_had_is_a_failure_in_words(folder: Path) -> None:
    with listen(HOST, 0) as door:
        port = str(door.getsockname()[1])
        taken = call("contest-server", "--port", port)
        assert (taken.status, taken.out) == (1, "")
        assert taken.err == (
            f"molehunt: cannot listen at '127.0.0.1', port {port}: Address already in use; port 0 takes a free one\n"
        )
    refused = call("contest-client", "me", port)
    assert (refused.status, refused.out) == (1, "")
    assert f"cannot reach a server at '127.0.0.1', port {port}: Connection refused; is it running" in refused.err
    alone = call("contest-server", "--wait", "0.1")
    assert (alone.status, alone.out) == (1, "")
    assert alone.err.endswith("molehunt: 3 programs were to come within 0.1 s; 0 did (none), and 2 must\n")
    ended = call("contest-server", "--run", "false", "--run", "./no-such", "--run", "sh -c 'exec sleep 60'")
    assert (ended.status, ended.out) == (1, "")
    assert ended.err.endswith(
        "molehunt: of 3 programs 0 came, and 2 must; player1: 'false' ended with status 1 before it greeted as 'player1'; "
        "player2: cannot start './no-such': No such file or directory\n"
    )


BROKEN = {
    "cannot be started": ("./no-such-program", "cannot start './no-such-program': No such file or directory"),
    "ends at once": ("sh -c 'exit 3'", "\"sh -c 'exit 3'\" ended with status 3 before it greeted as 'player2'"),
    "greets with nonsense": (
        "{python} greeter.py",
        "ended with status 0 before it greeted as 'player2' (a caller says 'hello'; the greeting is: IDENTIFIER alive)",
    ),
    "never greets": ("sh -c 'exec sleep 600'", "exec sleep 600'\" did not greet as 'player2' within 3 s"),
}


@pytest.mark.parametrize(("program", "why"), BROKEN.values(), ids=BROKEN.keys())
def test_a_program_that_never_comes_loses_every_game_and_the_others_play(program: str, why: str, folder: Path) -> None:
    (folder / "greeter.py").write_text(
        "import socket, sys\nsocket.create_connection(('127.0.0.1', int(sys.argv[2]))).sendall(b'hello')\n"
    )
    python = shlex.quote(sys.executable)
    listener = f"{python} listener.py"
    made = call(
        "contest-server", "--games", "2", "--json", "out.json", *(["--wait", "3"] if "sleep" in program else []),
        "--run", listener, "--run", program.replace("{python}", python), "--run", listener,
    )  # fmt: skip
    assert made.status == 0, made.err
    got = json.loads((folder / "out.json").read_text())
    assert (got["games"], [row["player"] for row in got["players"]]) == (2, ["player1", "player2", "player3"])
    assert (got["players"][1]["failed"], got["players"][1]["wins"]) == (2, 0)
    (absent,) = [fault for fault in got["faults"] if fault["player"] == "player2"]
    assert (absent["game"], absent["kind"]) == (1, "absent") and absent["reason"].endswith(why)
    assert "player2 is absent: " in made.err and "it loses every game" in made.err
    assert "game 1: player2 (absent): " in made.out


@pytest.mark.parametrize("leaving", ["wait", "exit 1"])
def test_what_a_program_has_started_is_ended_with_it(folder: Path, leaving: str) -> None:
    (folder / "run.sh").write_text(f"sleep 600 &\necho $! > started\n{leaving}\n")
    ended = call("contest-server", "--wait", "2", "--run", "sh run.sh")
    assert ended.status == 1
    started = Path("/proc", (folder / "started").read_text().strip(), "cmdline")
    for _ in range(100):
        if not (started.exists() and started.read_bytes()):
            break
        time.sleep(0.05)
    assert not (started.exists() and started.read_bytes())


def test_the_identifier_and_the_port_go_where_they_are_wanted() -> None:
    assert command_words("./mine", "player1", 5) == ["./mine", "player1", "5"]
    assert command_words("./mine --port={port} '{id} {}'", "player1", 5) == ["./mine", "--port=5", "player1 {}"]


@pytest.mark.parametrize("name", ["contest-client", "contest-server"])
def test_help_says_what_each_option_is_and_imports_nothing_heavy(name: str) -> None:
    made = call(name, "--help")
    assert made.status == 0 and f"Usage: molehunt {name}" in made.out
    code = (
        f"import sys; from molehunt.cli import main; assert main(['{name}', '--help']) == 0; "
        "sys.exit(bool({'numba', 'numpy'} & set(sys.modules)))"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, env=environment()).returncode
        == 0
    )
