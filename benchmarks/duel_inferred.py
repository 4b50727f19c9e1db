"""What it is worth, in the duel, to infer the hand of the other before their moves are searched: section 6 of the report of 2020.

python benchmarks/duel_inferred.py --games 200 --seed 20261 --json duel_inferred.json

Every player plays the same deals in both seatings; a win counts 1, a draw a half.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from molehunt.arena.workers import the_game, the_player
from molehunt.core.match import play
from molehunt.core.seats import NOBODY
from molehunt.core.streams import game_seeds
from molehunt.games.duel.state import SEATS
from molehunt.studies.duel_games import RULESET
from molehunt.studies.paired import Comparison, paired_rows
from molehunt.studies.study import Report, Row, clustered_row

SEARCH = "and-or-2020:wins_first,opponent=modelled"
DEEPER = f"{SEARCH},depth=3,nodes=5000"
INFERRED = "inferred=yes"
OTHERS = ("random-listed", "greedy-2020")


def wins_and_draws(
    player: str, other: str, games: int, seed: int
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which games a player wins and which nobody wins: each of shape (deals, SEATS)."""
    deals = games // SEATS
    won, drawn = np.empty((deals, SEATS), np.bool_), np.empty((deals, SEATS), np.bool_)
    for seat in range(SEATS):
        agents = [the_player("duel", spec) for spec in ((player, other) if seat == 0 else (other, player))]
        played = play(the_game("duel", RULESET, SEATS), agents, game_seeds(seed, 0, deals))
        winners = played.states["winner"]
        won[:, seat], drawn[:, seat] = winners == seat, winners == NOBODY
    return won, drawn


def measure(games: int, seed: int) -> list[Row]:
    """The rows: wins and draws of every player, and what inferring changes, deal by deal."""
    rows, comparisons = [], []
    for other in OTHERS:
        for name, plain in (("depth=2", SEARCH), ("depth=3", DEEPER)):
            scores = []
            for kind, player in (("elimination", plain), ("inferred", f"{plain},{INFERRED}")):
                won, drawn = wins_and_draws(player, other, games, seed)
                scores.append((won + drawn / 2).mean(axis=1))
                for what, found in (("wins", won), ("draws", drawn)):
                    cell = f"acting/{other}/{name}/{kind}/{what}"
                    said, counts = f"{what}, %: {player} against {other}", found.sum(axis=1)
                    row = clustered_row(cell, said, counts, np.full(len(found), SEATS))
                    rows.append(msgspec.structs.replace(row, games=found.size))
            said = f"points of score above hands by elimination, against {other}, {name}"
            comparisons.append(Comparison(f"change/{other}/{name}", said, scores[1], scores[0]))
    return [*rows, *paired_rows(comparisons)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=20261)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    began = time.perf_counter()
    rows = measure(given.games, given.seed)
    for row in rows:
        print(f"{row.measured:6.1f} ({row.low:.1f} to {row.high:.1f}) of {row.games:5}  {row.quantity}")
    if given.json:
        report = Report(study="duel_inferred", seconds=time.perf_counter() - began, rows=rows)
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1))


if __name__ == "__main__":
    main()
