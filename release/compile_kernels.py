"""Compile what the usual commands use into a folder, which a wheel can then bring along (release/build_hook.py).

    python release/compile_kernels.py FOLDER                         everything that is usual; some minutes
    python release/compile_kernels.py FOLDER "arena duel --seats random*2 --games 1" ...    what these commands use

The machine code is for this kind of machine, this version of Python, and the versions of Numba and NumPy that are installed: those
of constraints.txt, for a release. It is found by the content of the sources, so it serves every copy of them. On a machine of which
no baseline is known (`molehunt.core.processor`) it would serve this processor alone, and nothing is compiled.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from molehunt.agents.built_in import BUILT_IN
from molehunt.agents.entry import AgentEntry
from molehunt.agents.learned import LearnedAgent
from molehunt.core.errors import BadInput
from molehunt.core.processor import baseline
from molehunt.core.sharing import NAME as LOCKS
from molehunt.games.registry import game_entry, make_game, split_label

READY = """
from molehunt.console.advise import get_adviser_ready
from molehunt.console.serve import get_ready
from molehunt.games.registry import BUILT_IN

get_ready(BUILT_IN)
get_adviser_ready()
"""
"""What a server makes ready: every game at a table with its default players, and the adviser."""


def python(code: str) -> None:
    """Run a program of Python; CalledProcessError where it fails."""
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def seats_of(player: AgentEntry) -> int:
    """How many play where a player sits on all seats: as many as usual, or as many as a learned one has weights for."""
    name, ruleset = split_label(player.game)
    limits = game_entry(name).ruleset_entry(ruleset)
    agent = player.make([])
    seats: int
    for seats in [limits.usual, *range(limits.fewest, limits.most + 1)]:
        if not isinstance(agent, LearnedAgent) or agent.shipped(make_game(name, ruleset, seats)).is_file():
            return seats
    raise BadInput(f"{player.name} has no weights for {name}/{ruleset}")


def usual() -> list[str]:
    """The commands of a first day: every study in small, and every player that the package itself has against itself."""
    return ["study --small --games 2"] + [
        f"arena {player.game} --seats {player.name}*{seats_of(player)} --games 2"
        for player in BUILT_IN
        if not player.small_games
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the machine code goes; it is made if it is not there")
    parser.add_argument("commands", nargs="*", help="commands of molehunt, without its name")
    given = parser.parse_args()
    os.environ["MOLEHUNT_CACHE"] = str(given.folder.resolve())
    given.folder.mkdir(parents=True, exist_ok=True)
    if baseline() is None:
        sys.exit("There is no baseline for this kind of machine: its machine code would serve this processor alone.")
    began = time.perf_counter()
    try:
        if not given.commands:
            print("what a server and the adviser make ready", flush=True)
            python(READY)
        for command in given.commands or usual():
            print(f"molehunt {command}", flush=True)
            subprocess.run([sys.executable, "-m", "molehunt", *command.split()], check=True, stdout=subprocess.DEVNULL)
    except subprocess.CalledProcessError as error:
        sys.exit(f"This failed (exit status {error.returncode}), and the machine code is not complete.")
    (given.folder / LOCKS).unlink(missing_ok=True)
    kept = [path for path in given.folder.rglob("*") if path.suffix in {".nbi", ".nbc"}]
    size = sum(path.stat().st_size for path in kept) / 2**20
    seconds = time.perf_counter() - began
    print(f"{given.folder}: {len(kept)} files of machine code, {size:.1f} MiB, in {seconds:.0f} s")


if __name__ == "__main__":
    main()
