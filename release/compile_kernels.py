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
from pathlib import Path

READY = """
from molehunt.console.advise import get_adviser_ready
from molehunt.console.serve import get_ready
from molehunt.games.registry import BUILT_IN

get_ready(BUILT_IN)
get_adviser_ready()
"""
"""What a server makes ready: every game at a table with its default players, and the adviser."""
PLAYERS = """
from molehunt.agents.registry import BUILT_IN
from molehunt.games.registry import game_entry

for player in BUILT_IN:
    if not player.small_games:
        print(player.game, player.name, game_entry(player.game).seat_limits[0])
"""
"""Names every player that the package itself has of a game of full size, and for how few the game is."""


def python(code: str) -> str:
    """What a program of Python prints; CalledProcessError where it fails."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def usual() -> list[str]:
    """The commands of a first day: every study in small, and every player against itself."""
    commands = ["study --small --games 2"]
    for line in python(PLAYERS).splitlines():
        game, name, seats = line.split()
        commands.append(f"arena {game} --seats {name}*{seats} --games 2")
    return commands


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, help="where the machine code goes; it is made if it is not there")
    parser.add_argument("commands", nargs="*", help="commands of molehunt, without its name")
    given = parser.parse_args()
    os.environ["MOLEHUNT_CACHE"] = str(given.folder.resolve())
    given.folder.mkdir(parents=True, exist_ok=True)
    from molehunt.core.processor import baseline

    if baseline() is None:
        sys.exit("There is no baseline for this kind of machine: its machine code would serve this processor alone.")
    if not given.commands:
        python(READY)
    for command in given.commands or usual():
        print(f"molehunt {command}", flush=True)
        subprocess.run([sys.executable, "-m", "molehunt", *command.split()], check=True, stdout=subprocess.DEVNULL)
    kept = [path for path in given.folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in kept) / 2**20
    print(f"{given.folder}: {len(kept)} files of machine code, {size:.1f} MiB")


if __name__ == "__main__":
    main()
