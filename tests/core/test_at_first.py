"""Who plays from Python waits for no compiler to begin: the first moves of a position are interpreted, with the same result."""

from __future__ import annotations

import hashlib
import os
import pickle
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import molehunt
from molehunt import Position
from molehunt.core import at_first, kernels
from molehunt.core.interpreting import interpreting, is_interpreting
from molehunt.games.registry import make_game

LABELS = ("saboteur/krisnadi", "duel/mcgill", "speed_clue/mitchell")

IN_A_NEW_PLACE = """
import random
import sys
sys.path.insert(0, {folder!r})
import molehunt
from molehunt.core import at_first
from molehunt.core.kernels import watch_compiling
import test_at_first as these

at_first.COMPILING = float("inf")
compiled = []
with watch_compiling(compiled.append):
    for label in {labels}:
        position = molehunt.deal(label, seed=1)
        random.seed(1)
        while position.outcome is None:
            view = position.view()
            assert str(view) and view._repr_svg_()
            position.play(random.choice(view.legal_actions))
        assert str(position) and position.svg() and repr(position) and position.view() and position.past(0)
        assert position.resample(0, 1).states.dtype == position.states.dtype
        again = molehunt.Replay(molehunt.parse_record(position.record.line()), molehunt.make_game)
        print(again.position.states.tobytes().hex())
    for label, player in {players}:
        print(*these.thoughts_of(label, player))
assert not compiled, compiled
"""
"""Whole plays, looked at from all sides, and what players think, where nothing was ever compiled."""

PLAYERS = [
    ("saboteur/krisnadi", "decision-2019"),
    ("saboteur/krisnadi", "kripke-2012"),
    ("duel/mcgill", "greedy-2020"),
    ("speed_clue/mitchell", "combined"),
]
"""Players that think quickly."""


def played(label: str, seed: int, draw: random.Random) -> Position:
    """A play of random moves."""
    position = molehunt.deal(label, seed=seed)
    while position.outcome is None:
        position.play(draw.choice(position.legal_actions))
    return position


def thoughts_of(label: str, player: str) -> tuple[str, str]:
    """Why a player would move as it would after some random moves, and what it believes: a word for each."""
    position, draw = molehunt.deal(label, seed=5), random.Random(5)
    for _ in range(4):
        position.play(draw.choice(position.legal_actions))
    agent = molehunt.Agents(label.partition("/")[0]).make(player)
    told = position.why(agent), repr(position.beliefs(agent))
    return hashlib.sha256(told[0].encode()).hexdigest(), hashlib.sha256(told[1].encode()).hexdigest()


def test_whole_plays_and_thoughts_compile_nothing_where_nothing_was_compiled(tmp_path: Path) -> None:
    code = IN_A_NEW_PLACE.format(labels=LABELS, players=PLAYERS, folder=str(Path(__file__).parent))
    environment = os.environ | {"MOLEHUNT_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for label, states in zip(LABELS, lines, strict=False):
        position = molehunt.deal(label, seed=1)
        random.seed(1)
        with interpreting(wanted=False):
            while position.outcome is None:
                position.play(random.choice(position.view().legal_actions))
        assert position.states.tobytes().hex() == states
    with interpreting(wanted=False):
        assert [" ".join(thoughts_of(label, player)) for label, player in PLAYERS] == lines[len(LABELS) :]


@pytest.mark.parametrize(("label", "player"), [("speed_clue/mitchell", "exact"), ("duel/mcgill", "duel-star:deals=2")])
def test_for_players_that_think_long_machine_code_is_waited_for(
    label: str, player: str, anew: Callable[[float, float], None]
) -> None:
    position, agent = molehunt.deal(label, seed=5), molehunt.Agents(label.partition("/")[0]).make(player)
    said: list[bool] = []

    def why(*_: Any) -> str:
        said.append(is_interpreting())
        return ""

    agent.why = why  # type: ignore[method-assign,assignment]
    anew(100.0, 100.0)
    assert position.legal_actions
    assert at_first._spent > 0.0
    position.why(agent)
    assert said == [False]


@pytest.mark.parametrize("label", LABELS)
def test_the_same_moves_are_made_wherever_in_a_play_machine_code_takes_over(
    label: str, anew: Callable[[float, float], None]
) -> None:
    whole = played(label, 3, random.Random(3))
    for seconds in (0.0, 0.002, 0.02):
        anew(seconds, seconds)
        assert played(label, 3, random.Random(3)).record == whole.record


def test_once_it_is_over_positions_are_as_they_were_written_and_no_call_is_asked_about(
    anew: Callable[[float, float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    # As where nobody else interprets; both are as they were afterwards.
    monkeypatch.setattr(kernels, "_interpreter", kernels._interpreter)
    monkeypatch.setattr("molehunt.core.interpreting._from_now_on", False)
    anew(0.0, 0.0)
    assert hasattr(Position.play, "__wrapped__")
    position = molehunt.deal("duel", seed=1)
    assert kernels._interpreter is None
    assert not hasattr(Position.play, "__wrapped__")
    assert position.play(position.legal_actions[0]) is not None


def test_what_a_thread_has_said_holds(anew: Callable[[float, float], None]) -> None:
    anew(100.0, 100.0)
    with interpreting(wanted=False):
        molehunt.deal("duel", seed=1)
    assert at_first._spent == 0.0
    molehunt.deal("duel", seed=1)
    assert at_first._spent > 0.0
    assert not is_interpreting()


def test_a_game_of_another_package_is_compiled(
    anew: Callable[[float, float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    anew(100.0, 100.0)
    game = make_game("duel", "mcgill", 2)
    monkeypatch.setattr(type(game), "interpreted_first", False)
    Position(game, 1)
    assert at_first._spent == 0.0


def test_threads_that_play_when_machine_code_takes_over_come_to_the_same(anew: Callable[[float, float], None]) -> None:
    expected = [played("duel/mcgill", seed, random.Random(seed)).states.tobytes() for seed in range(8)]
    anew(0.05, 0.05)
    found: list[Any] = [None] * 8

    def play(seed: int) -> None:
        found[seed] = played("duel/mcgill", seed, random.Random(seed)).states.tobytes()

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected
    assert at_first._inside == 0


def test_a_move_that_is_broken_off_in_the_middle_is_not_made(
    anew: Callable[[float, float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    anew(100.0, 100.0)
    position = molehunt.deal("saboteur/krisnadi", seats=5, seed=1)
    before = position.states.tobytes()
    apply = type(position.game).apply

    def broken_off(*args: Any) -> Any:
        apply(*args)
        raise KeyboardInterrupt

    monkeypatch.setattr(type(position.game), "apply", broken_off)
    with pytest.raises(KeyboardInterrupt):
        position.play(position.legal_actions[0])
    assert position.states.tobytes() == before
    assert position.actions == []


def test_positions_are_pickled_and_asked_for_help_in_either_state(anew: Callable[[float, float], None]) -> None:
    anew(100.0, 100.0)
    position = molehunt.deal("duel", seed=1)
    again = pickle.loads(pickle.dumps(position))  # noqa: S301 - its own
    assert again.states.tobytes() == position.states.tobytes()
    assert (Position.play.__doc__ or "").startswith("Play an action")
    assert (Position.outcome.__doc__ or "").startswith("How the game ended")


def test_processes_that_make_machine_code_interpret_nothing_of_it() -> None:
    code = (
        "import os\n"
        "from molehunt.core import at_first\n"
        "from molehunt.core.beside import Ended, Task, do_beside\n"
        "news = do_beside([Task('look', at_first.seen_to)], 1)\n"
        "print([each.result for each in news if isinstance(each, Ended)], at_first.seen_to())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[True] False\n"


SAYING = """
import os, pty, sys
here, there = pty.openpty()
if {terminal}:
    os.dup2(there, 2)
from molehunt.core import at_first
if {command}:
    at_first.end()
from molehunt.core import kernel_cache, kernels
for _ in range(2 * kernel_cache.FIRST_USE):
    with kernels.event.trigger_event("numba:compile", data={{"dispatcher": None}}):
        pass
sys.stderr.flush()
if {terminal}:
    os.write(there, b"end\\n")
    told = b""
    while not told.endswith(b"end\\r\\n"):
        told += os.read(here, 1000)
    print(told.decode().replace("\\r", ""), end="")
"""


@pytest.mark.parametrize(
    ("terminal", "command", "lines"), [(True, False, ["molehunt: first use: compiling", "end"]), (True, True, ["end"])]
)
def test_who_waits_at_a_terminal_is_told_once_and_a_command_tells_by_itself(
    terminal: bool, command: bool, lines: list[str]
) -> None:
    code = SAYING.format(terminal=terminal, command=command)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [line.partition(" for ")[0] for line in done.stdout.split("\n") if line] == lines


def test_who_waits_in_a_notebook_is_told_once() -> None:
    """Its standard error is no terminal, and is shown all the same."""
    code = "import sys, types; sys.modules['ipykernel'] = types.ModuleType('ipykernel')"
    code += SAYING.format(terminal=False, command=False)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [line.partition(" for ")[0] for line in done.stderr.splitlines()] == ["molehunt: first use: compiling"]


def test_where_no_terminal_is_nothing_is_said() -> None:
    code = SAYING.format(terminal=False, command=False)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
