"""A tournament of 100,000 games is killed (kill -9) at random moments and goes on; its end is compared with one that ran through.

python benchmarks/kill_and_resume.py [--games 100000] [--kills 5] [--seed 0] [--records] [--threads 2]
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILE = """
name = "kill and resume"
game = "saboteur/krisnadi"
players = ["decision-2019", "means-ends-2016"]
roles = {{ saboteur = 2, miner = 3 }}
deals = 5000
seed = 7
records = {records}
"""


def command(file: Path, store: Path, answer: Path, games: int, threads: int) -> list[str]:
    words = ["tournament", str(file), "--store", str(store), "--json", str(answer), "--games", str(games)]
    return [sys.executable, "-m", "molehunt", *words, "--threads", str(threads)]


def run(words: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def kept(store: Path) -> int:
    words = [
        sys.executable,
        "-m",
        "molehunt",
        "results",
        str(store),
        "--sql",
        "SELECT count(*) AS games FROM games",
        "--json",
        "-",
    ]
    done = subprocess.run(words, capture_output=True, check=False)
    return int(json.loads(done.stdout)[0]["games"]) if done.returncode == 0 else 0


def kill_at_random(  # noqa: PLR0913, PLR0917 - the settings of a benchmark
    words: list[str], store: Path, games: int, kills: int, whole: float, moments: random.Random
) -> None:
    """Start and kill: once in the first seconds, once near the end, else anywhere; every moment counts from the last start."""
    left = whole
    for number in range(kills):
        if number == 0:
            wait = moments.uniform(0.2, 3.0)
        elif number == kills - 1:
            wait = max(0.3, left - moments.uniform(0.0, 2.0))
        else:
            wait = moments.uniform(0.3, max(0.4, 1.6 * left / (kills - number)))
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(wait)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        else:
            print(f"it ended after {number} kills, before the next one")
            return
        there = kept(store)
        left = whole * (1 - there / games) + 1.0
        print(f"killed after {wait:.2f} s: {there:,} games are kept")


def records_of(store: Path) -> bytes:
    target = store.with_suffix(".jsonl")
    run([sys.executable, "-m", "molehunt", "results", str(store), "--records", str(target)])
    return target.read_bytes()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--records", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file, through, killed = folder / "tournament.toml", folder / "through", folder / "killed"
        file.write_text(FILE.format(records="true" if asked.records else "false"))
        run(command(file, folder / "warm", folder / "warm.json", 1000, asked.threads))  # compile the kernels
        whole = run(command(file, through, folder / "through.json", asked.games, asked.threads))
        print(f"{asked.games:,} games at one go: {whole:.1f} s")
        words = command(file, killed, folder / "killed.json", asked.games, asked.threads)
        kill_at_random(words, killed, asked.games, asked.kills, whole, random.Random(asked.seed))
        print(f"the last run took {run(words):.1f} s")
        one, other = ((folder / each).read_bytes() for each in ("through.json", "killed.json"))
        assert json.loads(one)["games"] >= asked.games
        print(f"JSON: {len(one):,} bytes, {'identical' if one == other else 'DIFFERENT'}")
        same = one == other
        if asked.records:
            lines, again = records_of(through), records_of(killed)
            same = same and lines == again
            print(f"records: {len(lines.splitlines()):,} games, {'identical' if lines == again else 'DIFFERENT'}")
    sys.exit(not same)


if __name__ == "__main__":
    main()
