"""Files of foreign players that attack: other players, the processes in which they sit, those who read what is said of them."""

from __future__ import annotations

import gc
import re
import time
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from arena.test_isolation import LIMITS, is_there, match_of, played
from cli.calling import call
from molehunt.arena import isolation
from molehunt.arena.faults import lost_by_fault
from molehunt.arena.isolation import load_isolated
from molehunt.core.agent import Player, PlayerAgent
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.core.game import Game
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game

VICTIM = """
import molehunt


class Victim(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0]
"""
SABOTEUR = """
import molehunt
from molehunt.core import agent, specs
from molehunt.agents import registry

move_of = agent.PlayerAgent._move_of


def spoilt(self, game, chosen):
    if self.name == "victim":
        raise ValueError("spoilt by another")
    return move_of(self, game, chosen)


def unmade(self, spec):
    raise ValueError("nobody is made any more")


agent.PlayerAgent._move_of = spoilt
make, registry.Agents.make = registry.Agents.make, lambda self, spec: (make if "spoiler" in spec else unmade)(self, spec)


class Spoiler(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0]
"""


@pytest.mark.parametrize("order", [("victim.py", "spoiler.py"), ("spoiler.py", "victim.py")])
def test_the_file_of_one_player_reaches_no_other_player(tmp_path: Path, order: tuple[str, str]) -> None:
    (tmp_path / "victim.py").write_text(VICTIM)
    (tmp_path / "spoiler.py").write_text(SABOTEUR)
    agents, _ = load_isolated("saboteur", [tmp_path / name for name in order], LIMITS)
    game = make_game("saboteur", "krisnadi", 3)
    seated = [agents.make("victim"), agents.make("spoiler"), agents.make("random")]
    result = play(game, seated, game_seeds(0, 0, 2))
    assert lost_by_fault(game, result).faults == []


def test_two_files_with_players_of_one_name_are_refused_with_the_second(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / f"{name}.py").write_text(VICTIM)
    with pytest.raises(
        BadInput, match=r"second\.py: another player is called 'victim'; give this one an attribute name"
    ):
        load_isolated("saboteur", [tmp_path / "first.py", tmp_path / "second.py"], LIMITS)


def test_of_several_files_the_one_is_named_that_ends_its_process(tmp_path: Path) -> None:
    (tmp_path / "victim.py").write_text(VICTIM)
    (tmp_path / "gone.py").write_text("import os; os.kill(os.getpid(), 9)")
    with pytest.raises(AgentFailure, match=r"^gone\.py ends or hangs while it is loaded$"):
        load_isolated("saboteur", [tmp_path / "victim.py", tmp_path / "gone.py"], LIMITS)


ENDING = """
import os
import signal
import molehunt


class Ending(molehunt.Player):
    asked = 0

    def choose(self, view):
        self.asked += 1
        if self.asked == 2:
            with open(__file__ + ".processes", "a") as file:
                file.write(f"{os.getpid()} ")
            os.kill(os.getppid(), signal.SIGKILL)
            signal.pause()
        return view.legal_actions[0]
"""
STOPPING = ENDING.replace("Ending", "Stopping").replace("signal.SIGKILL", "signal.SIGSTOP")
ONCE = """
import os
from pathlib import Path

import molehunt

times = Path(__file__ + ".times")
with times.open("a") as file:
    file.write("x")
if times.stat().st_size > 1:  # its name was asked for before
    os.kill(os.getpid(), 9)


class Once(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0]
"""


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        (
            ENDING,
            "ending",
            "ending: its process ended|ending has ended or stopped the process that its chairs come from",
        ),
        (
            STOPPING,
            "stopping",
            "stopping took more than 2 s for a move|stopping has ended or stopped the process that its chairs come from",
        ),
        (ONCE, "once", "once ends or hangs while it is loaded"),
    ],
)
def test_who_ends_the_process_of_its_own_chairs_loses_its_games_and_the_others_play_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, name: str, reason: str
) -> None:
    monkeypatch.setattr(isolation, "FORKING", 1.0)
    (tmp_path / "victim.py").write_text(VICTIM)
    (tmp_path / f"{name}.py").write_text(text)
    agents, _ = load_isolated("saboteur", [tmp_path / "victim.py", tmp_path / f"{name}.py"], LIMITS)
    game = make_game("saboteur", "krisnadi", 3)
    seated = [agents.make("victim"), agents.make(name), agents.make("random")]
    for first in (0, 2):  # after the first games another process is begun
        faults = lost_by_fault(game, play(game, seated, game_seeds(0, first, 2))).faults
        assert [(fault.game, fault.seat) for fault in faults] == [(0, 1), (1, 1)]
        assert all(re.fullmatch(reason, fault.reason) for fault in faults)
    del agents, seated
    gc.collect()
    if text != ONCE:
        assert_gone(Path(f"{tmp_path}/{name}.py.processes"))


def assert_gone(noted: Path) -> None:
    """Assert that the processes whose numbers stand in a file end within some seconds."""
    processes = [int(number) for number in noted.read_text().split()]
    for _ in range(100):
        if not any(map(is_there, processes)):
            break
        time.sleep(0.05)
    assert processes and not any(map(is_there, processes))


STARTER = """
import subprocess
from pathlib import Path

import molehunt

started = subprocess.Popen(["sleep", "600"])
with open(__file__ + ".processes", "a") as file:
    file.write(f"{started.pid} ")


class Starter(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0]
"""


def test_what_a_file_starts_as_it_is_loaded_is_ended_with_its_player(tmp_path: Path) -> None:
    path = tmp_path / "starter.py"
    path.write_text(STARTER)
    agents, _ = load_isolated("saboteur", [path], LIMITS)
    game = make_game("saboteur", "krisnadi", 3)
    assert (
        len(play(game, [agents.make(name) for name in ("starter", "random", "random")], game_seeds(0, 0, 1)).states)
        == 1
    )
    del agents
    gc.collect()
    started = [int(number) for number in Path(f"{path}.processes").read_text().split()]
    assert len(started) == 2  # to say what the player is called, and to play
    assert_gone(Path(f"{path}.processes"))


SCREAMING = """
import os
import socket

import molehunt
from molehunt.arena import isolated

BELL = b"\\\\u001b[2J\\\\u0007"
send = isolated.send_frame
isolated.send_frame = lambda line, content: send(line, content.replace(b"quietly", b"loudly: " + BELL))


class Screaming(molehunt.Player):
    def choose(self, view):
        raise ValueError("quietly")
"""


def test_what_a_process_says_of_a_fault_moves_no_cursor(tmp_path: Path) -> None:
    path = tmp_path / "screaming.py"
    path.write_text(SCREAMING)
    result, _ = played(match_of(path, "screaming,random*2"), 1)
    (reason,) = result.faults
    assert reason.startswith(r"screaming failed in choose: ValueError: loudly: \x1b[2J\x07") and reason.isprintable()


class Calm(Player):
    """Does nothing to what it is given; counts what lies behind it."""

    behind: ClassVar[list[str]] = []

    def begin(self, game: Game, seat: int, view: Any) -> None:
        self.use("the view in begin", view.record)

    def choose(self, view: Any) -> str:
        move = str(view.legal_actions[int(self.random.integers(len(view.legal_actions)))])
        self.use("the view", view.record)
        return move

    def notice(self, event: Any) -> None:
        self.use("the event", event.record)

    def use(self, what: str, record: Any) -> None:
        whole = record
        while getattr(whole, "base", None) is not None:
            whole = whole.base
        bytes_there = whole.nbytes if isinstance(whole, np.ndarray | np.generic) else memoryview(whole).nbytes
        if bytes_there > record.nbytes:
            self.behind.append(what)


class Scribbler(Calm):
    """Writes over all that it is given, and over what lies behind it."""

    def use(self, what: str, record: Any) -> None:
        super().use(what, record)
        whole = np.atleast_1d(record)
        while isinstance(whole.base, np.ndarray):
            whole = whole.base
        whole[...] = np.zeros(1, whole.dtype)


@pytest.mark.parametrize(
    ("name", "ruleset", "seats"), [("saboteur", "official", 4), ("duel", "mcgill", 2), ("speed_clue", "mitchell", 3)]
)
def test_behind_what_a_player_is_given_lies_no_other_seat_and_writing_there_changes_nothing(
    name: str, ruleset: str, seats: int
) -> None:
    game = make_game(name, ruleset, seats)
    moves = []
    for kind in (Calm, Scribbler):
        kind.behind.clear()
        one, other = PlayerAgent("one", kind), PlayerAgent("other", Calm)
        moves.append(play(game, [one] * (seats - 1) + [other], range(4), keep_actions=True).actions)
        assert kind.behind == []
    assert moves[0] == moves[1]


LOGGING = """
import io
import sys

import molehunt

sys.stdout = sys.stderr = io.StringIO()


class Logging(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0]
"""


def test_a_file_that_sends_what_is_printed_elsewhere_takes_no_results_along(tmp_path: Path) -> None:
    path = tmp_path / "logging.py"
    path.write_text(LOGGING)
    told = call("arena", "saboteur/krisnadi", "--agents-from", str(path), "--seats", "logging,random*2", "--games", "1")
    assert told.status == 0 and "logging" in told.out


TAKING = """
import molehunt
from molehunt.arena import isolated

send = isolated.send_frame
isolated.send_frame = lambda line, content: send(line, content.replace(b'"taking"', b'"random"'))


class Taking(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0]
"""


def test_a_file_cannot_say_that_a_player_of_ours_is_its_own(tmp_path: Path) -> None:
    path = tmp_path / "taking.py"
    path.write_text(TAKING)
    with pytest.raises(BadInput, match=r"taking\.py: another player is called 'random'"):
        load_isolated("saboteur", [path], LIMITS)
