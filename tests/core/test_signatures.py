"""A kernel of the usual commands is compiled for one signature, or it is said here why it has several."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import molehunt
from molehunt.agents.registry import Agents
from molehunt.arena.seating import parse_seats
from molehunt.core.compile_count import kernels_needed
from molehunt.games.registry import make_game, split_label

CLOCK = Path(__file__).parents[2] / "benchmarks" / "compile_time.py"
COMMANDS = (
    "arena saboteur/krisnadi --seats decision-2019*3,means-ends-2016,random --games 4",
    "arena speed_clue/mitchell --seats advanced*2,random --games 4",
    "arena duel/mcgill --seats greedy-2020,random-listed --games 2",
)
LISTED = """
import json, runpy, sys
clock_file, *commands = sys.argv[1:]
names = runpy.run_path(clock_file)
clock = names["Clock"]()
names["watch"](clock)
for command in commands:
    names["run"](command)
print(json.dumps({name: sorted(set(found)) for name, found in clock.signatures.items() if not name.startswith("numba")}))
"""

SEVERAL = {
    "reading.choice.prefer": "what is compared are reals for some players, and whole numbers for others",
    "games.saboteur.rules.tool_plays": "tools come as a field of a record, unsigned, or as a number",
    "games.saboteur.rules.may_break": "as above",
    "games.saboteur.rules.sayable": "what all know is asked of a state, or of a view",
    "games.speed_clue.actions.triple_mask": "a triple comes out of an unsigned word of the record, or out of an action",
    "agents.duel.positions.tile_word": "a turned tile comes as a field of a record, unsigned, or as a number",
}
"""Why a kernel has several signatures. Unsigned numbers are not widened: beside a word of 64 bits they would become reals."""


def kernels_announced() -> set[str]:
    """The kernels that are said at the start to be needed for the commands."""
    names = set[str]()
    for words in (command.split() for command in COMMANDS):
        agents = Agents(split_label(words[1])[0])
        chairs = parse_seats(words[3], agents.names(), ())
        game = make_game(*split_label(words[1]), len(chairs))
        names |= kernels_needed(game, *(agents.make(chair.agent) for chair in chairs)).keys()
    return names


@pytest.mark.thorough
def test_a_kernel_has_one_signature_or_it_is_said_why(tmp_path: Path) -> None:
    settings = {"MOLEHUNT_CACHE": str(tmp_path), "PYTHONPATH": str(Path(molehunt.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", LISTED, str(CLOCK), *COMMANDS],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    assert len(found) > 100
    needed = kernels_announced()
    # What belongs to the rules is found by its address, and is met while it is compiled.
    thoughts = {name for name in found if name.startswith("agents.") and not name.endswith("_one")}
    missed = {name for name in thoughts if f"molehunt.{name}" not in needed}
    assert len(thoughts) > 50 and len(missed) < len(thoughts) / 20, missed
    several = {name: signatures for name, signatures in found.items() if len(signatures) > 1}
    assert several.keys() == SEVERAL.keys(), several
