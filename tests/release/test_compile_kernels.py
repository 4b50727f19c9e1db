"""What is compiled for a release by default: every command can be given, and seats whom it names."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import molehunt.cli.running  # noqa: F401 - puts all commands on the command line
from molehunt.agents.built_in import BUILT_IN
from molehunt.agents.registry import Agents
from molehunt.arena.match import Match, seat_match
from molehunt.arena.seating import parse_seats
from molehunt.cli.app import app
from molehunt.core.interpreting import interpreting
from molehunt.core.match import Chairs
from molehunt.core.processor import baseline
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.registry import game_entry, split_label

SCRIPT = Path(__file__).resolve().parents[2] / "release" / "compile_kernels.py"


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("compile_kernels", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def match_of(label: str, seats: str) -> Match:
    """The match that a command of the arena asks for."""
    agents = Agents(split_label(label)[0])
    return seat_match(label, parse_seats(seats, agents.names(), game_entry(agents.game).roles), agents)


def test_every_command_can_be_given_and_seats_its_players(script: Any) -> None:
    played = set()
    for line in script.usual():
        command, bound, _ = app.parse_args(line.split(), print_error=False, exit_on_error=False)
        if command.__name__ != "arena":
            assert command.__name__ == "study"
            continue
        match = match_of(bound.arguments["label"], bound.arguments["seats"])
        seats = list(range(match.game.seats))
        seeds = game_seeds(1, 0, 1)
        (agent,) = set(match.agents)
        with interpreting():
            Chairs.sit_down(agent, seats, match.game, match.game.new(seeds), seat_streams(seeds, len(seats)))
        played.add((match.game.name, agent.name.partition(":")[0]))
    assert played == {(player.game, player.name) for player in BUILT_IN if not player.small_games}


def test_a_command_that_fails_ends_it_without_a_traceback(tmp_path: Path) -> None:
    if baseline() is None:
        pytest.skip("there is no baseline for this machine, so nothing is compiled here")
    made = subprocess.run(
        [sys.executable, SCRIPT, tmp_path, "arena chess --seats random*2"], capture_output=True, text=True, check=False
    )
    assert made.returncode == 1 and "Traceback" not in made.stderr
    assert "This failed (exit status 2), and the machine code is not complete." in made.stderr
