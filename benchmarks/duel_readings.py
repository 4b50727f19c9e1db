"""The readings of the report of 2020 that the study `cai2020` plays, and nothing else of it: against the course's random player.

python benchmarks/duel_readings.py --games 500 --seed 2112 --json readings.json
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import msgspec

from molehunt.arena.workers import open_workers
from molehunt.studies.cai2020 import DEFAULT, READINGS, STUDY, play_pairs, reading_pair, reading_rows
from molehunt.studies.study import Report, silent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000, help="games, of which slow players play a share")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    began = time.perf_counter()
    some = [reading_pair(player, each) for player, (_, read) in READINGS.items() for each in (DEFAULT, *read)]
    with open_workers(given.threads) as workers:
        rows = list(reading_rows(play_pairs(list(dict.fromkeys(some)), given.games, given.seed, workers, silent)))
    for row in rows:
        print(f"{row.measured:6.1f} ({row.low:.1f} to {row.high:.1f}) of {row.games:5}  {row.quantity}")
    if given.json:
        report = Report(study=STUDY.name, seconds=time.perf_counter() - began, rows=rows)
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1))


if __name__ == "__main__":
    main()
