"""Count the habits of known players.

`python -m molehunt.learning.saboteur.habits [games]` writes `reading/saboteur/habits.json` anew. The players of `STYLES` sit at
tables of every ruleset, each seat drawn by chance, or all seats the same player. A first pass counts with suspicions that know no
habits, a second with those of the first. The mole reads the file itself: so all others are counted first, and it plays by what
they do.

What is claimed after a map stands apart from all other deeds: `python -m molehunt.learning.saboteur.habits claims [games]` counts
claims alone, at tables where players talk, and leaves the rest of the file as it is.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import molehunt.reading.saboteur
from molehunt.agents.registry import Agents
from molehunt.core.match import Played, play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.cards import GOLD
from molehunt.games.saboteur.game import Saboteur, check_game
from molehunt.reading.saboteur.deeds import CIRCUMSTANCES, DEEDS, NO_DEED, TRUE_CLAIM
from molehunt.reading.saboteur.habits import FILE, STYLES, Counts, as_rows, chances_of, decode, encode, habits
from molehunt.reading.saboteur.onlooker import CIRCUMSTANCES as WHERE
from molehunt.reading.saboteur.onlooker import DEED, ROLE, SEAT, Course, Onlooker, read_round
from molehunt.reading.saboteur.suspicion import SCRATCH, deal_of, new_cases

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
TALKING = (("veldhuis:rounds=1", 5), ("official+talk:rounds=1", 5), ("official+talk:rounds=1", 8))
"""The same for claims."""
SEED = 20
GAMES = 4000
CLAIM_GAMES = 600
CLAIM_PASSES = 3
"""How often claims are counted: the mole's depend on what the file says of claims."""
AT_ONCE = 10
"""Games of one seating."""


@dataclass(frozen=True)
class Batch:
    """Games of one seating: the game, who sat where (numbers of the players), what was played."""

    game: Saboteur
    players: npt.NDArray[np.int64]
    played: Played


def batch_of(
    players: Sequence[str], tables: Sequence[tuple[str, int]], number: int, first: int, games: int, seed: int
) -> Batch:
    """So many games of players drawn by chance, at the table whose turn it is; all follows from `seed` and `number`.

    The deals are those from number `first` on. Every other time a table is visited, all seats are the same player.
    """
    ruleset, seats = tables[number % len(tables)]
    game = check_game("habits", make_game("saboteur", ruleset, seats))
    drawn = np.random.default_rng((seed, number)).integers(len(players), size=seats)
    if number // len(tables) % 2:
        drawn[:] = drawn[0]
    agents = {each: Agents("saboteur").make(players[each]) for each in drawn.tolist()}
    seeds = game_seeds(seed, first, games)
    return Batch(game, drawn, play(game, [agents[each] for each in drawn.tolist()], seeds, keep_actions=True))


def mixed(players: Sequence[str], tables: Sequence[tuple[str, int]], games: int, seed: int) -> Iterator[Batch]:
    """Games of players drawn by chance, in turn at every table."""
    for number in range(-(-games // AT_ONCE)):
        yield batch_of(players, tables, number, number * AT_ONCE, AT_ONCE, seed)


@dataclass(frozen=True)
class Read:
    """A game as an onlooker read it.

    `deeds` has the shape (moves, 4), `chances` (3, seats, seats), `golds` (3, seats, 3), `reached` (3,); the gold lies on `gold`.
    """

    deeds: npt.NDArray[np.int64]
    chances: npt.NDArray[np.float64]
    golds: npt.NDArray[np.float64]
    reached: npt.NDArray[np.int64]
    roles: npt.NDArray[np.int8]
    gold: int


def read(batch: Batch, table: npt.NDArray[np.float64]) -> Iterator[Read]:
    """Read every game of a batch."""
    game, played = batch.game, batch.played
    deal = deal_of(game)
    states = game.new(played.seeds)
    onlooker = Onlooker(
        habits=table,
        teams=deal.teams,
        odds=deal.odds,
        params=game.params,
        case=new_cases(1, game.seats),
        scratch=np.zeros(1, SCRATCH),
        event=np.zeros(1, game.event_dtype),
        joint=np.zeros((len(deal.teams), 3)),
    )
    for number, moves in enumerate(played.actions or []):
        state = states[number : number + 1]
        course = Course.of(len(moves), game.seats)
        gold = int(np.flatnonzero(state["goals"][0] == GOLD)[0])
        read_round(onlooker, state, np.array(moves, np.int32), course)
        yield Read(*course, game.roles_of(state)[0], gold)


def count(players: Sequence[str], batches: Sequence[Batch], table: npt.NDArray[np.float64]) -> Counts:
    """How often each of the players did which deed, by their places in STYLES."""
    places = np.array([STYLES.index(player) for player in players])
    counts = np.zeros((len(STYLES), 2, CIRCUMSTANCES, len(DEEDS)), np.int64)
    for batch in batches:
        for each in read(batch, table):
            rows = each.deeds[each.deeds[:, DEED] != NO_DEED]
            np.add.at(counts, (places[batch.players[rows[:, SEAT]]], rows[:, ROLE], rows[:, WHERE], rows[:, DEED]), 1)
    return counts


def fit(players: Sequence[str], games: int, seed: int) -> Counts:
    """The habits of players of STYLES in so many games among each other."""
    batches = list(mixed(players, TABLES, games, seed))
    unknown = np.zeros((len(STYLES), 2, CIRCUMSTANCES, len(DEEDS)), np.int64)
    first = count(players, batches, as_rows(chances_of(unknown)))
    return count(players, batches, as_rows(chances_of(first)))


def file() -> Path:
    """The file of habits."""
    return Path(molehunt.reading.saboteur.__file__).parent / FILE


def counts_of_file() -> Counts:
    """What the file says."""
    return decode(json.loads(file().read_text(encoding="utf-8")))


def write(counts: Counts) -> Path:
    """Write the file, which players read from now on."""
    path = file()
    path.write_text(json.dumps(encode(counts), separators=(",", ":")) + "\n", encoding="utf-8")
    habits.cache_clear()
    return path


def with_claims(counts: Counts, claims: Counts) -> Counts:
    """Counts with the claims of others in place of their own."""
    counts = counts.copy()
    counts[..., TRUE_CLAIM:] = claims[..., TRUE_CLAIM:]
    return counts


def count_claims(games: int, seed: int) -> Counts:
    """The counts of the file with the claims of so many games among the players of STYLES."""
    return with_claims(counts_of_file(), count(STYLES, list(mixed(STYLES, TALKING, games, seed)), habits()))


def main(arguments: Sequence[str]) -> None:
    """Write the file: first without those who read it, then with them; or only its claims."""
    if arguments and arguments[0] == "claims":
        games = int(arguments[1]) if arguments[1:] else CLAIM_GAMES
        for _ in range(CLAIM_PASSES):
            write(count_claims(games, SEED))
        counts = counts_of_file()
        sys.stdout.write(f"{counts[..., TRUE_CLAIM:].sum():,} claims of {', '.join(STYLES)}: {FILE}\n")
        return
    games = int(arguments[0]) if arguments else GAMES
    write(fit([style for style in STYLES if not style.startswith("mole")], games, SEED))
    counts = fit(STYLES, games, SEED)
    path = write(counts)
    sys.stdout.write(f"{counts.sum():,} moves of {', '.join(STYLES)}: {path}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
