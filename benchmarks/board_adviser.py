"""The adviser of Clue in simulated games on a board: rooms that are forced, suggestions heard in part, cards face up, two to four
players; every probability beside all deals, listed, and every conflict and explanation looked at for entries that can be left out.
Stops at the first difference. 500 games, about three minutes; another number and first seed can be given."""

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from advice.board_check import check_game

GAMES, FIRST_SEED = 500, 10_001


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, nargs="?", default=GAMES)
    parser.add_argument("seed", type=int, nargs="?", default=FIRST_SEED, help="that of the first game")
    given = parser.parse_args()
    found: Counter[str] = Counter()
    for seed in range(given.seed, given.seed + given.games):
        try:
            found += check_game(seed)
        except AssertionError as error:
            raise SystemExit(f"the game of seed {seed} differs: {error}") from error
    print(", ".join(f"{number:,} {what}" for what, number in found.items()), "and no difference")


if __name__ == "__main__":
    main()
