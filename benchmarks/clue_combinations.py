"""Which proposals of the 2020 Speed Clue report are best together: every combination, one such player among `advanced` ones, with
three to six players; how many fair shares it wins. Prints the best ones. About a minute."""

import argparse
import itertools
import os

from molehunt.arena.workers import open_workers
from molehunt.studies.clue_games import mix

GAMES, SEED, SHOWN = 1200, 5, 12
SEATS = (3, 4, 5, 6)
OPTIONS = {
    "ask": ("next_not_held", "mixed"),
    "all_opponents": ("yes", "no"),
    "solved": ("any", "own", "not_held", "envelope"),
    "cross_reference": ("yes", "no"),
    "show": ("first", "most_shown"),
}


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    found = []
    with open_workers(os.cpu_count()) as workers:
        for values in itertools.product(*OPTIONS.values()):
            items = ",".join(f"{name}={value}" for name, value in zip(OPTIONS, values, strict=True))
            shares = []
            for seats in SEATS:
                wins, games = mix((f"advanced:{items}", "advanced"), 1, seats, GAMES, SEED, workers)
                shares.append(seats * wins / games)
            found.append((sum(shares) / len(shares), shares, items))
    print(f"fair shares won (mean; with {SEATS} players), {GAMES} games each, seed {SEED}")
    for mean, shares, items in sorted(found, reverse=True)[:SHOWN]:
        print(f"{mean:.2f}  {'  '.join(f'{share:.2f}' for share in shares)}  {items}")


if __name__ == "__main__":
    main()
