"""Files of foreign players that attack: other players, the processes in which they sit, those who read what is said of them."""

from __future__ import annotations

import gc
import json
import os
import re
import tempfile
import time
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from arena.foreign import TELL, Ear
from arena.test_isolation import LIMITS, is_there, match_of, played
from cli.calling import call
from molehunt.arena import confinement, isolation
from molehunt.arena.faults import lost_by_fault
from molehunt.arena.isolated import SCRATCH
from molehunt.arena.isolation import load_isolated
from molehunt.core.agent import Player, PlayerAgent
from molehunt.core.errors import AgentFailure, BadInput
from molehunt.core.game import Game
from molehunt.core.kernel_cache import cache_root
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


def spoilt(self, *chosen):
    if self.name == "victim":
        raise ValueError("spoilt by another")
    return move_of(self, *chosen)


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


ENDING = f"""
import signal
import tempfile
import threading
import time
from pathlib import Path

import molehunt

{TELL}
asked = Path(tempfile.gettempdir()) / "asked"


def end_this_process():
    while not asked.exists():
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)


threading.Thread(target=end_this_process, daemon=True).start()


class Ending(molehunt.Player):
    asked = 0

    def choose(self, view):
        self.asked += 1
        if self.asked == 2:
            tell(os.getpid())
            asked.touch()
            signal.pause()
        return view.legal_actions[0]
"""
STOPPING = ENDING.replace("Ending", "Stopping").replace("signal.SIGKILL", "signal.SIGSTOP")
ONCE = """
import os

import molehunt

with open(__file__ + ".text") as file:
    if file.read() == "end":
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
    path = tmp_path / f"{name}.py"
    path.write_text(text)
    ear = Ear(path)
    Path(f"{path}.text").write_text("begin")
    agents, _ = load_isolated("saboteur", [tmp_path / "victim.py", path], LIMITS)
    Path(f"{path}.text").write_text("end")
    game = make_game("saboteur", "krisnadi", 3)
    seated = [agents.make("victim"), agents.make(name), agents.make("random")]
    told_reasons: list[str] = []
    # After the first games another process is begun: at once where it has ended; where it is stopped, when no chair has come of it.
    for first in (0, 2, 4) if text == STOPPING else (0, 2):
        faults = lost_by_fault(game, play(game, seated, game_seeds(0, first, 2))).faults
        assert [(fault.game, fault.seat) for fault in faults] == [(0, 1), (1, 1)]
        told_reasons = [fault.reason for fault in faults]
        assert all(re.fullmatch(reason, each) for each in told_reasons)
    assert told_reasons[0] == reason.partition("|")[0]
    del agents, seated
    gc.collect()
    told = [*map(int, ear.heard())]
    assert bool(told) == (text != ONCE)
    if told:
        assert_gone(told)


def assert_gone(processes: list[int]) -> None:
    """Assert that the processes of these numbers end within some seconds."""
    for _ in range(100):
        if not any(map(is_there, processes)):
            break
        time.sleep(0.05)
    assert processes and not any(map(is_there, processes))


STARTER = f"""
import subprocess

import molehunt

{TELL}
tell(subprocess.Popen(["sleep", "600"]).pid)


class Starter(molehunt.Player):
    def choose(self, view):
        return view.legal_actions[0]
"""


def test_what_a_file_starts_as_it_is_loaded_is_ended_with_its_player(tmp_path: Path) -> None:
    path = tmp_path / "starter.py"
    path.write_text(STARTER)
    ear = Ear(path)
    agents, _ = load_isolated("saboteur", [path], LIMITS)
    game = make_game("saboteur", "krisnadi", 3)
    assert (
        len(play(game, [agents.make(name) for name in ("starter", "random", "random")], game_seeds(0, 0, 1)).states)
        == 1
    )
    del agents
    gc.collect()
    started = [*map(int, ear.heard())]
    assert len(started) == 2  # to say what the player is called, and to play
    assert_gone(started)


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


needs_landlock = pytest.mark.skipif(
    not confinement.is_possible(), reason="only Linux with Landlock keeps a process from files"
)


SPY = f"""
import json
import signal
import tempfile
from pathlib import Path

import numba

import molehunt

{TELL}
here = Path(__file__).parent
match, cache = json.loads((here / "spied.json").read_text())


@numba.njit(cache=True)
def doubled(number):
    return 2 * number


def write_and_read_again():
    with tempfile.NamedTemporaryFile("w+") as file:
        file.write("mine")
        file.seek(0)
        return file.read()


FORBIDDEN = {{
    "command line": lambda: Path(f"/proc/{{match}}/cmdline").read_bytes(),
    "memory": lambda: Path(f"/proc/{{match}}/mem").open("rb"),
    "stop": lambda: os.kill(match, signal.SIGCONT),
    "end its own parent": lambda: os.kill(os.getppid(), signal.SIGCONT),
    "results": lambda: (here / "results.jsonl").read_bytes(),
    "plan": lambda: (here / "class.toml").read_bytes(),
    "store": lambda: [each.read_bytes() for each in (here / "kept").rglob("*") if each.is_file()],
    "history": lambda: (here / ".history").read_bytes(),
    "code": lambda: (here / "victim.py").read_text(),
    "change code": lambda: (here / "victim.py").write_text(""),
    "machine code": lambda: (Path(cache) / "spoilt").write_text(""),
    "note": lambda: (here / "note").write_text(""),
    "elsewhere": lambda: sorted(here.parent.iterdir()),
}}
ALLOWED = {{
    "data": lambda: (here / "data.txt").read_text(),
    "more data": lambda: (here / "folder" / "data.txt").read_text(),
    "linked data": lambda: (here / "linked.txt").read_text(),
    "temporary": write_and_read_again,
    "kernel": lambda: doubled(2),
}}


def done(doing):
    try:
        doing()
    except PermissionError:
        return False
    except FileNotFoundError:
        return None
    return True


def tell_what_can_be_done(forbidden):
    tell(json.dumps([{{name: done(each[name]) for name in names}} for each, names in [(FORBIDDEN, forbidden), (ALLOWED, ALLOWED)]]))


tell_what_can_be_done(["command line", "memory", "stop", "results", "code", "machine code", "elsewhere"])


class Spy(molehunt.Player):
    def choose(self, view):
        tell_what_can_be_done(FORBIDDEN)
        return view.legal_actions[0]
"""


def spied(tmp_path: Path) -> Ear:
    """A folder of a match, `here`, with a file of players that looks for what it should not see."""
    here = tmp_path / "here"
    (here / "folder").mkdir(parents=True)
    for name in ("data.txt", "folder/data.txt", ".history", "../far.txt"):
        (here / name).write_text("data")
    (here / "linked.txt").symlink_to("../far.txt")
    (here / "results.jsonl").touch()
    (here / "spied.json").write_text(json.dumps([os.getpid(), str(cache_root())]))
    (here / "victim.py").write_text(VICTIM)
    (here / "spy.py").write_text(SPY)
    return Ear(here / "spy.py")


def assert_confined(told: list[str], but: frozenset[str] = frozenset()) -> None:
    """Assert that all were kept from everything that is forbidden, `but` from what was not there."""
    assert told
    for words in told:
        forbidden, allowed = json.loads(words)
        assert [name for name, possible in forbidden.items() if possible is not False and name not in but] == []
        assert [name for name, possible in allowed.items() if not possible] == []


@needs_landlock
def test_an_isolated_player_can_open_nothing_that_tells_of_the_deal_nor_other_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ear = spied(tmp_path)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path / "here")
    words = "arena duel/mcgill --agents-from spy.py --agents-from victim.py --seats spy,victim --games 1 --isolate"
    made = call(*words.split(), "--records", "results.jsonl")
    assert made.status == 0, made.err
    assert_confined(ear.heard(), but=frozenset(["plan", "store"]))
    assert not sorted((tmp_path / "temporary").glob(f"{SCRATCH}*"))


@needs_landlock
def test_in_a_tournament_the_plan_and_what_is_kept_are_out_of_reach_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ear = spied(tmp_path)
    monkeypatch.chdir(tmp_path / "here")
    Path("class.toml").write_text(
        'name = "class"\ngame = "duel/mcgill"\nplayers = ["spy", "victim"]\n'
        'agents_from = ["spy.py", "victim.py"]\ndeals = 1\nisolate = true\n'
    )
    made = call("tournament", "class.toml", "--store", "kept", "--json", "results.jsonl")
    assert made.status == 0, made.err
    assert_confined(ear.heard())


@needs_landlock
@pytest.mark.parametrize("loading", [True, False])
def test_who_opens_what_an_isolated_player_may_not_is_told_what_it_may(tmp_path: Path, loading: bool) -> None:
    path = tmp_path / "writer.py"
    opened = 'open(__file__ + ".log", "w")'
    path.write_text(
        f"import molehunt\n{opened if loading else ''}\n"
        f"class Writer(molehunt.Player):\n    def choose(self, view):\n        {opened}"
    )
    made = call(*f"arena duel/mcgill --agents-from {path} --seats writer,random --games 1 --isolate".split())
    assert made.status == 1
    said = " ".join((made.out + made.err).split())
    assert "PermissionError: [Errno 13] Permission denied" in said
    assert (
        "; an isolated player reads what lies beside its file, and writes where tempfile puts its files, which go "
        in said
    )
    assert "go with its process: to keep what it writes, play without --isolate" in said
