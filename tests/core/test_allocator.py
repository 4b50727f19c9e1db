"""Batches of games take memory that earlier ones freed."""

import os
import platform
import subprocess
import sys

import pytest

SCRIPT = """
import resource
import sys
from molehunt.core import allocator, match

if sys.argv[1] == "without":
    match.keep_freed_memory = lambda: False
from molehunt.agents.registry import Agents
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game

game = make_game("saboteur", "krisnadi", 5)
agent = Agents("saboteur").make("decision-2019")
faults = []
for batch in range(6):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    match.play(game, [agent] * 5, game_seeds(1, 512 * batch, 512))
    faults.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
print(sum(faults[3:]))
"""


AS_IT_BEGINS = {"MALLOC_MMAP_THRESHOLD_": str(128 << 10), "MALLOC_TRIM_THRESHOLD_": str(128 << 10)}
"""glibc as it begins; else it learns from what is freed first, which differs between versions of Python, what to keep."""


def new_pages(how: str) -> int:
    """Pages that the system handed out for three batches of 512 games, after three others."""
    command = [sys.executable, "-c", SCRIPT, how]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | AS_IT_BEGINS)
    return int(done.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is another one")
def test_a_batch_of_games_takes_memory_that_an_earlier_one_freed() -> None:
    kept, without = new_pages("as it is"), new_pages("without")
    assert kept < 300
    assert without > 3 * max(kept, 100)
