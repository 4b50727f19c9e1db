"""How much more a whole side of `mole` wins against strangers than a side of `decision-2019` in the same chairs of the same deals.

    python benchmarks/mole_strangers.py [GAMES] [SPEC] [SEED]

The tables of `krisnadi` at which `mole` is held against players of 2019, with strangers in their place: at every table others,
of seeds above 30,000. Each line tells how often the side wins in percent, and the gain with its 95 % interval over tables.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.agents.registry import Agents
from molehunt.arena.tuning.race import gap_of_wins
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.saboteur.cards import SABOTEUR
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.ruleset import KRISNADI, with_saboteurs

AGENTS = Agents("saboteur")
BASE, FIRST_STRANGER = "decision-2019", 30_001


class Table(NamedTuple):
    """How many saboteurs and how many miners sit there, and whether the saboteurs are the side that is measured."""

    saboteurs: int
    miners: int
    sabotage: bool


TABLES = [Table(1, 3, True), Table(2, 3, True), Table(2, 3, False), Table(1, 4, True), Table(1, 4, False)]


def wins(player: str, at: Table, games: int, seed: int) -> npt.NDArray[np.float64]:
    """Which games a side wins that is all of one player, against strangers: shape (games,)."""
    seats = at.saboteurs + at.miners
    game = Saboteur(with_saboteurs(KRISNADI, at.saboteurs), seats)
    chance = np.random.default_rng(seed)
    mine = AGENTS.make(player)
    won = np.zeros(games)
    for number in range(games):
        roles = np.zeros((1, seats), np.int8)
        roles[0, chance.permutation(seats)[: at.saboteurs]] = SABOTEUR
        table = [
            mine
            if (roles[0, seat] == SABOTEUR) == at.sabotage
            else AGENTS.make(f"stranger:seed={FIRST_STRANGER + seats * number + seat}")
            for seat in range(seats)
        ]
        states = play(game, table, game_seeds(seed, number, 1), roles).states
        won[number] = (game.outcome_codes(states)[0] != 0) == at.sabotage
    return won


def main() -> None:
    """Print a line for each table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, nargs="?", default=1000, help="2 or more: of one there is no interval")
    parser.add_argument("spec", nargs="?", default="mole")
    parser.add_argument("seed", type=int, nargs="?", default=30402)
    given = parser.parse_args()
    if given.games < 2:
        parser.error(f"games are 2 or more, not {given.games}")
    games, spec, seed = given.games, given.spec, given.seed
    for at in TABLES:
        base = wins(BASE, at, games, seed)
        won = wins(spec, at, games, seed)
        side = "saboteurs" if at.sabotage else "miners"
        gain = gap_of_wins(won, base)
        print(
            f"{at.saboteurs}+{at.miners}, all {side}: {BASE} {100 * base.mean():.1f} %, {spec} {100 * won.mean():.1f} %, "
            f"gain {100 * gain.mean:+.1f} ({100 * gain.low:+.1f} to {100 * gain.high:+.1f}) points"
        )


if __name__ == "__main__":
    main()
