"""Count the habits of known players: `python -m molehunt.studies.habits [games]` writes `agents/saboteur/habits.json` anew.

The players of `STYLES` sit at tables of every ruleset, each seat drawn by chance, or all seats the same player. A first pass counts
with suspicions that know no habits, a second with those of the first.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import molehunt.agents.saboteur
from molehunt.agents.registry import Agents
from molehunt.agents.saboteur.deeds import CIRCUMSTANCES, DEEDS
from molehunt.agents.saboteur.habits import FILE, STYLES, Counts, as_rows, chances_of, encode
from molehunt.agents.saboteur.reading import CIRCUMSTANCES as WHERE
from molehunt.agents.saboteur.reading import DEED, ROLE, SEAT, read_round
from molehunt.agents.saboteur.suspicion import SCRATCH, deal_of, new_cases
from molehunt.core.match import Played, play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.game import Saboteur, check_game

TABLES = (
    ("krisnadi", 4),
    ("krisnadi", 5),
    ("krisnadi", 7),
    ("krisnadi", 3),
    ("krisnadi", 10),
    ("official:rounds=1", 5),
    ("official:rounds=1", 8),
    ("veldhuis:rounds=1", 5),
)
"""The rulesets and numbers of seats at which habits are counted."""
SEED = 20
GAMES = 16000
AT_ONCE = 10
"""Games of one seating."""


@dataclass(frozen=True)
class Batch:
    """Games of one seating: the game, who sat where (numbers of the players), what was played."""

    game: Saboteur
    players: npt.NDArray[np.int64]
    played: Played


def mixed(players: Sequence[str], tables: Sequence[tuple[str, int]], games: int, seed: int) -> Iterator[Batch]:
    """Games of players drawn by chance, in turn at every table; the seeds of games follow from `seed`.

    Every other time a table is visited, all seats are the same player.
    """
    agents = [Agents("saboteur").make(player) for player in players]
    chance = np.random.default_rng(seed)
    for number in range(-(-games // AT_ONCE)):
        ruleset, seats = tables[number % len(tables)]
        game = check_game("habits", make_game("saboteur", ruleset, seats))
        drawn = chance.integers(len(players), size=seats)
        if number // len(tables) % 2:
            drawn[:] = drawn[0]
        seeds = game_seeds(seed, number * AT_ONCE, min(AT_ONCE, games - number * AT_ONCE))
        yield Batch(game, drawn, play(game, [agents[each] for each in drawn], seeds, keep_actions=True))


@dataclass(frozen=True)
class Read:
    """A game as an onlooker read it: `deeds`, shape (moves, 4), `chances`, shape (3, seats, seats), and `reached`, shape (3,)."""

    deeds: npt.NDArray[np.int64]
    chances: npt.NDArray[np.float64]
    reached: npt.NDArray[np.int64]
    roles: npt.NDArray[np.int8]


def read(batch: Batch, habits: npt.NDArray[np.float64]) -> Iterator[Read]:
    """Read every game of a batch."""
    game, played = batch.game, batch.played
    deal = deal_of(game)
    states = game.new(played.seeds)
    cases, scratch = new_cases(1, game.seats), np.zeros(1, SCRATCH)
    events = np.zeros(1, game.event_dtype)
    for number, moves in enumerate(played.actions or []):
        actions = np.array(moves, np.int32)
        deeds = np.zeros((len(actions), 4), np.int64)
        chances, reached = np.zeros((3, game.seats, game.seats)), np.zeros(3, np.int64)
        joint = np.zeros((len(deal.teams), 3))
        read_round(
            states[number : number + 1],
            actions,
            habits,
            deal.teams,
            deal.odds,
            cases,
            scratch,
            game.params,
            events,
            joint,
            deeds,
            chances,
            reached,
        )
        yield Read(deeds, chances, reached, game.roles_of(states[number : number + 1])[0])


def count(batches: Sequence[Batch], habits: npt.NDArray[np.float64]) -> Counts:
    """How often each player did which deed."""
    counts = np.zeros((len(STYLES), 2, CIRCUMSTANCES, len(DEEDS)), np.int64)
    for batch in batches:
        for each in read(batch, habits):
            rows = each.deeds
            np.add.at(counts, (batch.players[rows[:, SEAT]], rows[:, ROLE], rows[:, WHERE], rows[:, DEED]), 1)
    return counts


def fit(games: int, seed: int) -> Counts:
    """The habits of the players of STYLES in so many games."""
    batches = list(mixed(STYLES, TABLES, games, seed))
    unknown = np.zeros((len(STYLES), 2, CIRCUMSTANCES, len(DEEDS)), np.int64)
    first = count(batches, as_rows(chances_of(unknown)))
    return count(batches, as_rows(chances_of(first)))


def main(arguments: Sequence[str]) -> None:
    """Write the file."""
    counts = fit(int(arguments[0]) if arguments else GAMES, SEED)
    path = Path(molehunt.agents.saboteur.__file__).parent / FILE
    path.write_text(json.dumps(encode(counts), separators=(",", ":")) + "\n", encoding="utf-8")
    sys.stdout.write(f"{counts.sum():,} moves of {', '.join(STYLES)}: {path}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
