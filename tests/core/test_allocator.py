"""Batches of games take memory that earlier ones freed."""

import platform
import subprocess
import sys

import pytest

SCRIPT = """
import resource
import sys
from molehunt.core import allocator, match

if sys.argv[1] == "as it is by default":
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


def new_pages(how: str) -> int:
    """Pages that the system handed out for three batches of 512 games, after three others."""
    return int(subprocess.run([sys.executable, "-c", SCRIPT, how], check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library is another one")
def test_a_batch_of_games_takes_memory_that_an_earlier_one_freed() -> None:
    kept, by_default = new_pages("as it is here"), new_pages("as it is by default")
    assert kept < 300
    assert by_default > 3 * kept
