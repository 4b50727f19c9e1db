"""What other processes compile for: a deal of each match with somebody new, and nothing of somebody's own code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli.calling import environment
from molehunt.arena.agent_files import AgentFile
from molehunt.arena.ahead import ahead_of
from molehunt.arena.isolation import Isolation
from molehunt.arena.match import MatchSpec
from molehunt.arena.seating import Chair


def spec(label: str, seats: str, **more: object) -> MatchSpec:
    return MatchSpec(label, tuple(map(Chair, seats.split())), **more)  # type: ignore[arg-type]


def seated(*specs: MatchSpec) -> list[tuple[str, str]]:
    """The label and the seats of each match of which a deal is played."""
    _, chosen = ahead_of(specs)
    return [(each.label, " ".join(chair.agent for chair in each.chairs)) for each in chosen]


def test_of_each_match_with_somebody_new_a_deal_is_played() -> None:
    assert seated(
        spec("duel/mcgill", "greedy-2020 random"),
        spec("duel/mcgill", "random greedy-2020"),
        spec("duel/mcgill", "random random"),
        spec("duel/mcgill", "random and-or-2020:depth=1"),
        spec("saboteur/krisnadi", "random random random"),
    ) == [
        ("duel/mcgill", "greedy-2020 random"),
        ("duel/mcgill", "random and-or-2020:depth=1"),
        ("saboteur/krisnadi", "random random random"),
    ]


def test_the_code_of_others_is_not_run_there() -> None:
    mine = AgentFile("mine.py", "raise SystemExit")
    (chosen,) = ahead_of([spec("duel/mcgill", "mine greedy-2020", files=(mine,), isolation=Isolation(), rotate=True)])[
        1
    ]
    assert chosen == spec("duel/mcgill", "random greedy-2020")
    # A player of another game may have the name of one's own.
    assert seated(spec("duel/mcgill", "kripke-2012 ismcts:iterations=3")) == [
        ("duel/mcgill", "random ismcts:iterations=3")
    ]


@pytest.mark.thorough
def test_a_first_match_is_the_same_on_one_thread_and_with_processes_that_compile_for_it(tmp_path: Path) -> None:
    def play(threads: int, cache: Path) -> dict[str, object]:
        words = f"arena duel/mcgill --seats greedy-2020,random --games 30 --json - --threads {threads}".split()
        done = subprocess.run(
            [sys.executable, "-m", "molehunt", *words],
            env=environment(MOLEHUNT_CACHE=str(cache)),
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        )
        assert "Traceback" not in done.stderr
        found: dict[str, object] = json.loads(done.stdout)
        return {key: found[key] for key in ("games", "moves", "seats", "outcomes")}

    cold = play(3, tmp_path)
    assert cold == play(1, tmp_path)
    kept = {path.relative_to(tmp_path) for path in tmp_path.rglob("*.nbc")}
    assert len(kept) > 50
    assert not list(tmp_path.rglob("*.tmp.*"))
