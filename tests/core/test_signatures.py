"""A kernel of the usual commands is compiled for one signature, or it is said here why it has several."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import molehunt
from molehunt.agents.registry import Agents
from molehunt.arena.seating import parse_seats
from molehunt.core.compile_count import kernels_needed
from molehunt.core.kernel_cache import cache_root
from molehunt.games.registry import make_game, split_label

CLOCK = Path(__file__).parents[2] / "benchmarks" / "compile_time.py"
COMMANDS = (
    "arena saboteur/krisnadi --seats decision-2019*2,learned,means-ends-2016,random --games 1",
    "arena speed_clue/mitchell --seats advanced*2,random --games 1",
    "arena duel/mcgill --seats greedy-2020,learned --games 1",
)
DEAR_COMMANDS = (
    "arena saboteur/krisnadi --seats decision-2019,mole:worlds=1,learned,kripke-2012,random --games 1",
    "arena saboteur/official --seats mole:worlds=1,means-ends-2016,stranger:seed=1,kripke-2012,decision-2019 --games 1",
    "arena speed_clue/mitchell --seats exact,combined,advanced --games 2",
    "arena duel/mcgill --seats duel-star:deals=1,random-listed --games 1",
    "arena duel/mcgill --seats and-or-2020:depth=1,learned --games 1",
    "study suspicion --small",
)
"""Two minutes of compiling and more."""
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
    "agents.networks.add_rows": "the first layer reads small whole numbers, and the others reals",
    "agents.networks.find_others_than_0": "the first layer and moves are small whole numbers, and the others reals",
    "games.saboteur.rules.sayable": "what all know is asked of a state, or of a view",
    "games.speed_clue.actions.triple_mask": "a triple comes out of an unsigned word of the record, or out of an action",
    "reading.history.keep_event": "the last events are those of one game or of another",
    "reading.history.kept": "as above",
}
SEVERAL_OF_ALL = SEVERAL | {
    "agents.duel.digger.note_cards": "what a seat knows is read in a state, or in a view",
    "beliefs.deals.problem.grown": "hands, their weights and whole deals are lists of words, of reals and of rows",
    "core.streams.shuffle": "cards are shuffled, and moves",
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


def compiled_for(commands: tuple[str, ...], folder: Path) -> dict[str, list[str]]:
    """The signatures by kernel that commands compile from an empty folder of machine code."""
    settings = {"MOLEHUNT_CACHE": str(folder), "PYTHONPATH": str(Path(molehunt.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", LISTED, str(CLOCK), *commands],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    hand_on(folder)
    found: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return found


def hand_on(folder: Path) -> None:
    """What the usual commands compile other tests need as well: let them find it where machine code is kept."""
    for path in folder.rglob("*.nbc"):
        target = cache_root() / path.relative_to(folder)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            beside = target.with_name(f"{target.name}.tmp.{os.getpid()}")
            shutil.copyfile(path, beside)
            beside.replace(target)


def with_several(found: dict[str, list[str]]) -> dict[str, list[str]]:
    """Those that were compiled more than once."""
    return {name: signatures for name, signatures in found.items() if len(signatures) > 1}


@pytest.mark.thorough
def test_a_kernel_has_one_signature_or_it_is_said_why(tmp_path: Path) -> None:
    found = compiled_for(COMMANDS, tmp_path)
    assert len(found) > 100
    needed = kernels_announced()
    # What belongs to the rules is found by its address, and is met while it is compiled.
    thoughts = {name for name in found if name.startswith("agents.") and not name.endswith("_one")}
    missed = {name for name in thoughts if f"molehunt.{name}" not in needed}
    assert len(thoughts) > 50 and len(missed) < len(thoughts) / 20, missed
    several = with_several(found)
    assert several.keys() == SEVERAL.keys(), several


@pytest.mark.long
def test_so_has_a_kernel_of_players_that_think_long(tmp_path: Path) -> None:
    found = compiled_for(DEAR_COMMANDS, tmp_path)
    assert len(found) > 500
    several = with_several(found)
    assert several.keys() == SEVERAL_OF_ALL.keys(), several
