"""How long it takes until everything is compiled, from an empty cache: the commands below, one after the other, each in a
process of its own, with the seconds and the peak memory of each. Run it on a quiet machine."""

import argparse
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMANDS = (
    "arena saboteur/krisnadi --seats random*5 --games 10 --records games.jsonl",
    "arena saboteur/krisnadi --seats decision-2019*2,means-ends-2016*3 --games 10",
    "replay games.jsonl --quiet",
    "show games.jsonl --move 10 --svg board.svg",
    "study krisnadi2019 --games 1 --json study.json",
    "arena saboteur/veldhuis:rounds=1 --seats kripke-2012*5 --games 1 --records rounds.jsonl",
    "believe 'B_1 sab(2)' --record rounds.jsonl",
)
RESAMPLE = (
    "import numpy as np; from molehunt import make_game; g = make_game('saboteur', 'krisnadi', 5); "
    "s = g.new(np.arange(2, dtype=np.uint64)); v = g.views(s, g.to_move(s)); g.legal_actions(v[:1]); "
    "g.play_randomly(g.resample(v, np.arange(2, dtype=np.uint64)), np.arange(2, dtype=np.uint64))"
)


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"MOLEHUNT_CACHE": str(Path(folder) / "cache")}
        total = 0.0
        for command in (*COMMANDS, None):
            words = ["-c", RESAMPLE] if command is None else ["-m", "molehunt", *shlex.split(command)]
            began = time.perf_counter()
            subprocess.run([sys.executable, *words], check=True, cwd=folder, env=environment, capture_output=True)
            seconds = time.perf_counter() - began
            total += seconds
            print(f"{seconds:7.2f} s  {command or 'resample and random play from Python'}")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(f"{total:7.2f} s  in all; peak memory {peak:.0f} MiB")


if __name__ == "__main__":
    main()
