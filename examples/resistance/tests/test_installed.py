"""What molehunt does with the game as an installed package, by its entry points alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import molehunt
from molehunt.agents.registry import Agents
from molehunt.arena.match import run, seat_match
from molehunt.arena.seating import Chair
from molehunt.games.registry import all_games, game_entry, make_game, split_label
from resistance.entry import RULES
from resistance_games import SEATS


def command(*words: str, given: str = "", cwd: Path | None = None) -> str:
    """What a command of molehunt prints; it must end well."""
    done = subprocess.run(
        [sys.executable, "-m", "molehunt", *words], input=given, capture_output=True, text=True, check=False, cwd=cwd
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_package_brings_the_game_and_its_players() -> None:
    assert "resistance" in all_games()
    entry = game_entry("resistance")
    assert entry.rules_text(make_game("resistance", "standard", 5)) == RULES
    assert split_label("resistance") == ("resistance", "standard")
    assert {"random", "counting"} <= set(Agents("resistance").names())
    assert Agents("resistance").make("counting:logic,lie_low=0.5").name == "counting:sabotage=0.0,lie_low=0.5"


def test_nothing_in_molehunt_names_the_game() -> None:
    package = Path(molehunt.__file__).parent
    sources = [path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert len(sources) > 100
    assert not [path for path in sources if b"resistance" in path.read_bytes().lower()]


def test_the_game_and_its_ruleset_are_listed() -> None:
    assert "resistance/standard" in command("games")
    assert "two_fails" in command("games", "resistance/standard")


@pytest.mark.parametrize("seats", SEATS)
def test_the_arena_plays_with_every_number_of_seats(seats: int) -> None:
    chairs = [Chair("counting"), *[Chair("random")] * (seats - 1)]
    result = run(seat_match("resistance", chairs, Agents("resistance"), rotate=True), 4 * seats, seed=1, workers=2)
    assert result.games == result.outcomes.sum() == 4 * seats
    spies = [
        Chair("counting", "spy"),
        *[Chair("random", "spy")] * (make_game("resistance", "standard", seats).role_counts()[1] - 1),
    ]
    loyal = [Chair("random", "resistance")] * (seats - len(spies))
    result = run(seat_match("resistance/standard", [*spies, *loyal], Agents("resistance")), 20, seed=1)
    assert result.wins[0] + result.wins[-1] == 20


def test_records_of_a_match_replay_and_are_shown(tmp_path: Path) -> None:
    records = tmp_path / "games.jsonl"
    command("arena", "resistance", "--seats", "counting*3,random*3", "--games", "10", "--records", str(records))
    assert len(records.read_text().splitlines()) == 10
    said = command("replay", str(records))
    assert "replay to the byte" in said and "propose:" in said
    assert "mission" in command("show", str(records), "--move", "9")
    assert command("show", "resistance", "--svg", "-").startswith("<svg")


def test_a_tournament_counts_roles(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(
        'name = "one"\ngame = "resistance/standard"\nseats = 5\nplayers = ["counting", "random"]\ndeals = 4\n', "utf-8"
    )
    said = command("tournament", "one.toml", "--store", "store", cwd=tmp_path)
    assert "spy" in said and "resistance" in said and "counting" in said


def test_a_person_plays_in_a_pipe(tmp_path: Path) -> None:
    record = tmp_path / "mine.jsonl"
    words = ("play", "resistance", "--seed", "3", "--opponents", "5", "--name", "Ann", "--record", str(record))
    said = command(*words, given="1\n" * 200)
    assert "You approve the team." in said and "m1" in said
    assert "wins; the spies were" in said or "win; the spies were" in said
    assert len(json.loads(record.read_text())["seats"]) == 6


def test_players_think_the_same_in_any_number_of_threads() -> None:
    wins = []
    for workers in (1, 2):
        match = seat_match("resistance", [Chair("counting")] * 7, Agents("resistance"))
        wins.append(run(match, 600, seed=4, workers=workers).wins)
    assert np.array_equal(wins[0], wins[1])
