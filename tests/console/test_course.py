"""`molehunt course-client` at a server made after the course's program."""

from __future__ import annotations

import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from adapters.course_room import Server, client
from cli.calling import call
from molehunt.adapters.duel_course import Ending
from molehunt.agents.registry import Agents
from molehunt.console import course, sitting
from molehunt.core.agent import Agent


def test_it_plays_one_game_and_says_how_it_ended() -> None:
    server, endings = Server(3), dict[str, Any]()
    other = threading.Thread(target=client, args=(server.port, "other", Agents("duel").make("greedy-2020"), endings))
    room = threading.Thread(target=server.hold)
    for thread in (room, other):
        thread.start()
    made = call("course-client", "--agent", "stranger:seed=3", "--port", str(server.port), "--name", "mole")
    for thread in (room, other):
        thread.join(60)
    assert (made.status, made.err) == (0, "") and not server.faults
    seat, winner = 1 - endings["other"].seat, endings["other"].winner
    result = "a draw" if winner < 0 else "won" if winner == seat else "lost"
    assert made.out.startswith(f"stranger:seed=3 as Player-{seat}: {result} (")
    assert f"START Player-{seat} mole" in server.lines


def test_a_quick_player_stands_in_until_there_is_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    seated: list[tuple[str, str]] = []

    def play(_incoming: Any, _send: Any, _name: str, agent: Agent, _seed: int, stand_in: Agent) -> Ending:
        seated.append((agent.name, stand_in.name))
        return Ending(0, 0, "WINNER 0")

    monkeypatch.setattr(course, "play_course_game", play)
    with socket.create_server(("127.0.0.1", 0)) as door:
        made = call("course-client", "--agent", "random", "--port", str(door.getsockname()[1]))
    assert made.status == 0 and seated == [("random", course.STAND_IN)]
    assert not Agents("duel").make(course.STAND_IN).needs_machine_code


def test_what_the_server_says_at_the_end_moves_no_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course, "play_course_game", lambda *_: Ending(1, 1, "\x1b[2J[bold] WINNER 1"))
    with socket.create_server(("127.0.0.1", 0)) as door:
        made = call("course-client", "--agent", "random", "--port", str(door.getsockname()[1]))
    assert made.out == "random as Player-1: won (\\x1b[2J[bold] WINNER 1).\n"


FAILING = """
import molehunt


class Raising(molehunt.Player):
    def choose(self, view):
        raise KeyError("card")


class Silent(molehunt.Player):
    def choose(self, view):
        pass


class Hearing(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0]

    def notice(self, event):
        raise ValueError("heard")
"""


@pytest.mark.parametrize(
    ("agent", "why"),
    [
        ("raising", "raising failed in choose: KeyError: 'card'"),
        ("silent", "silent must choose one of view.legal_actions or its notation, not None"),
        ("hearing", "hearing failed in notice: ValueError: heard"),
    ],
)
def test_a_player_of_a_file_that_fails_is_told_of_before_it_connects(
    agent: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It connected, and failed in the only game."""
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(FAILING)
    # Nobody listens at the port: so far it does not come.
    made = call("course-client", "--agent", agent, "--agents-from", "own.py", "--port", "1")
    assert (made.status, made.out) == (1, "")
    assert made.err.startswith(f"molehunt: {agent} cannot play, as was seen before any game: {why}")


def test_who_thinks_for_long_before_any_game_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sitting, "LONG", 0.1)
    Path("own.py").write_text(
        "import time\nimport molehunt\n\n\nclass Slow(molehunt.Player):\n    def choose(self, view):\n"
        "        time.sleep(1)\n        raise ValueError('at last')\n"
    )
    for words in (("course-client", "--port", "1"), ("contest-client", "me", "1")):
        made = call(*words, "--agent", "slow", "--agents-from", "own.py")
        first, last = made.err.splitlines()
        assert first.startswith("slow has been thinking for 0.1 s or more before any game, now at own.py:7, in choose")
        assert made.status == 1 and "slow failed in choose: ValueError: at last" in last


def test_without_a_server_it_fails_with_a_word_and_a_wrong_call_is_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = str(door.getsockname()[1])
    failed = call("course-client", "--agent", "random", "--port", port)
    assert failed.status == 1 and "is it running there" in failed.err and "Traceback" not in failed.err
    for words in (("--port", "0"), ("--wait", "-1"), ("--name", ""), ("--agent", "exact"), ("--seed", "-1")):
        wrong = call("course-client", *words)
        assert wrong.status == 2 and wrong.err.strip()
