"""On a machine without machine code nobody waits: programs answer at once, with the moves that they make later."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from cli.calling import call, environment
from molehunt.console.contest import STAND_IN

PATIENCE = 120.0
HAND = "Gr Mu Ca Kn Ba Bi"


def answers(cache: Path | None, agent: str) -> list[str]:
    """What a contest client says to a server that lets it suggest once; `cache` is for machine code."""
    settings = {} if cache is None else {"MOLEHUNT_CACHE": str(cache)}
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE)
        command = [sys.executable, "-m", "molehunt", "contest-client", "me", str(server.getsockname()[1])]
        with subprocess.Popen(
            [*command, "--agent", agent], env=environment() | settings, stdout=subprocess.PIPE
        ) as client:
            line, _ = server.accept()
            line.settimeout(PATIENCE)
            with line:
                said = [line.recv(512).decode()]  # a message is what one write sends, without an end
                for question in (f"reset 3 0 {HAND}", "suggest", "suggestion 0 {0} - ", "accuse", "done"):
                    line.sendall(question.format(said[-1].removeprefix("suggest ")).encode())
                    said.append(line.recv(512).decode())
            client.wait(PATIENCE)
    return said


@pytest.mark.thorough
@pytest.mark.parametrize(("agent", "answering"), [("advanced", "advanced"), ("basic", "basic"), ("exact", STAND_IN)])
def test_contest_client_says_without_machine_code_what_it_says_with_it(
    agent: str, answering: str, tmp_path: Path
) -> None:
    cold = answers(tmp_path / "cache", agent)
    assert cold == answers(None, answering)
    assert cold[0] == "me alive"
    assert cold[2].startswith("suggest ")


@pytest.mark.thorough
@pytest.mark.parametrize("game", ["saboteur", "duel", "speed-clue"])
def test_play_deals_the_same_game_without_machine_code_and_leaves_no_process_behind(game: str, tmp_path: Path) -> None:
    def play(settings: dict[str, str]) -> subprocess.CompletedProcess[str]:
        options = ["--deal", "1", "--opponents", "advanced,basic"] if game == "speed-clue" else ["--seed", "3"]
        return subprocess.run(
            [sys.executable, "-m", "molehunt", "play", game, *options],
            env=environment() | settings,
            input="help\n" if game == "speed-clue" else "Anna\n" * 8 + "help\n",
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    cold = play({"MOLEHUNT_CACHE": str(tmp_path / "cache")})
    assert "Traceback" not in cold.stderr
    assert cold.stdout == play({}).stdout


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("saboteur/official+talk", ["replay", "FILE"]),
        ("saboteur/krisnadi", ["show", "FILE", "--move", "20"]),
        ("speed_clue/mitchell", ["show", "FILE", "--move", "5", "--svg", "-"]),
        ("duel/mcgill", ["replay", "FILE"]),
        ("duel/mcgill", ["show", "duel/mcgill", "--seed", "3"]),
    ],
)
def test_recorded_games_are_shown_at_once_and_compile_nothing(label: str, words: list[str], tmp_path: Path) -> None:
    file, cache = tmp_path / "games.jsonl", tmp_path / "cache"
    seats = "random*2" if label.startswith("duel") else "random*4"
    assert call("arena", label, "--seats", seats, "--games", "2", "--records", str(file)).status == 0

    def shown(settings: dict[str, str]) -> str:
        return subprocess.run(
            [sys.executable, "-m", "molehunt", *(str(file) if word == "FILE" else word for word in words)],
            env=environment() | settings,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        ).stdout

    cold = shown({"MOLEHUNT_CACHE": str(cache)})
    assert not list(cache.rglob("*.nbc"))
    assert cold == shown({}) and len(cold.splitlines()) > 3
