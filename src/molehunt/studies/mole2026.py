"""`mole2026`: all players of Saboteur against each other, in the published seatings, and for gold in the official game.

In `krisnadi` the saboteurs of one player sit against the miners of another one. In `official` one player sits among four of
another, every deal in every seat, and what counts is its share of all the gold, as a multiple of a fair share.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from molehunt.arena.pieces import in_one_stream
from molehunt.arena.statistics import Z
from molehunt.arena.workers import Workers, each_in_order, the_game, the_player
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.saboteur.game import check_game
from molehunt.studies.krisnadi2019 import TEAMS, Cell, play_cells
from molehunt.studies.study import NONE_PUBLISHED, FirstLook, Progress, Row, Section, Study, Tell

PLAYERS = {
    "random": 1,
    "means-ends-2016": 1,
    "decision-2019": 1,
    "kripke-2012:explicit": 4,
    "kripke-2012": 4,
    "mole": 20,
}
"""Who plays, and the share of the games that each plays, as it thinks: one in so many. A pair plays the smaller share."""
GOLD_RULESET, GOLD_SEATS = "official", 5
PIECE = 4
"""Deals of one piece of work."""
LOOKED_AT = ((1, 3), (2, 3))
"""What a first look shows: `mole` and a player of 2019 against one of 2019, in these sizes."""


def cells_of(pairs: Sequence[tuple[str, str]], teams: Sequence[tuple[int, int]]) -> list[Cell]:
    """The cells of pairs of saboteurs and miners."""
    return [
        Cell(
            f"{s}+{m}/{saboteur}/{miner}",
            f"saboteur wins, %: {s} x {saboteur} against {m} x {miner}",
            saboteur,
            miner,
            (s, m),
            None,
            share=max(PLAYERS[saboteur], PLAYERS[miner]),
        )
        for s, m in teams
        for saboteur, miner in pairs
    ]


# --- Gold ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Quest:
    """One player among others of another kind, for gold."""

    player: str
    others: str

    def deals(self, games: int) -> int:
        """How many deals are played in every seat, where a study plays so many games a cell."""
        return max(2, games // (GOLD_SEATS * max(PLAYERS[self.player], PLAYERS[self.others])))


def gold_of(player: str, others: str, seed: int, first: int, deals: int) -> list[list[float]]:
    """(the player's nuggets, all nuggets) of some deals, each played in every seat: shape (deals, 2)."""
    table = check_game("the study", the_game("saboteur", GOLD_RULESET, GOLD_SEATS))
    mine, other = the_player("saboteur", player), the_player("saboteur", others)
    seeds = game_seeds(seed, first, deals)
    found = np.zeros((deals, 2))
    for seat in range(GOLD_SEATS):
        ends = play(table, [mine if each == seat else other for each in range(GOLD_SEATS)], seeds)
        nuggets = ends.states["nuggets"][:, :GOLD_SEATS]
        found[:, 0] += nuggets[:, seat]
        found[:, 1] += nuggets.sum(axis=1)
    pairs: list[list[float]] = found.tolist()
    return pairs


def share_of_gold(found: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    """(a player's share of all gold as a multiple of a fair share, and its interval at 95 %), from pairs of `gold_of`.

    The interval is that of a ratio of means, over deals (the delta method).
    """
    mine, gold = found.T
    ratio = float(mine.sum() / gold.sum())
    rest = mine - ratio * gold
    error = float(rest.std(ddof=1)) / (float(gold.mean()) * math.sqrt(len(found)))
    return GOLD_SEATS * ratio, GOLD_SEATS * (ratio - Z * error), GOLD_SEATS * (ratio + Z * error)


def gold_row(quest: Quest, games: int, seed: int, told: Tell, workers: Workers) -> Row:
    """The row of a player among others."""
    deals = quest.deals(games)
    pieces = ((quest.player, quest.others, seed, first, min(PIECE, deals - first)) for first in range(0, deals, PIECE))
    found = []
    for part in each_in_order(workers, gold_of, pieces):
        found.extend(part)
        told(len(found) * GOLD_SEATS, deals * GOLD_SEATS)
    value, low, high = share_of_gold(np.array(found))
    return Row(
        id=f"gold/{quest.player}/{quest.others}",
        quantity=f"gold, as a multiple of a fair share: {quest.player} among {GOLD_SEATS - 1} x {quest.others}",
        published=None,
        measured=round(value, 4),
        low=round(low, 4),
        high=round(high, 4),
        games=deals * GOLD_SEATS,
        verdict=NONE_PUBLISHED,
    )


# --- The study ----------------------------------------------------------------------------------------------------------


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play the cross tables; all cells of a size see the same deals, of which those who think longer play the first."""
    quests = [Quest(player, others) for player in PLAYERS for others in PLAYERS if player != others]
    cells = cells_of([(saboteur, miner) for saboteur in PLAYERS for miner in PLAYERS], TEAMS)
    of_cells = sum(cell.games(games) for cell in cells)
    progress = Progress(tell, of_cells + GOLD_SEATS * sum(quest.deals(games) for quest in quests))
    rows = play_cells(cells, games, seed, workers, progress.counter())
    todo: dict[str, Callable[[Workers], Row]] = {
        f"gold/{quest.player}/{quest.others}": partial(gold_row, quest, games, seed, progress.counter())
        for quest in quests
    }
    return [*rows, *in_one_stream(workers, todo).values()]


def look_measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Saboteurs of 2019 and moles against miners of 2019."""
    return play_cells(
        cells_of([("decision-2019", "decision-2019"), ("mole", "decision-2019")], LOOKED_AT),
        games,
        seed,
        workers,
        tell,
    )


def look_verdict(rows: Sequence[Row]) -> str:
    """How often a lone saboteur wins."""
    won = {row.id: row.measured for row in rows}
    return (
        "nothing is published; against three miners of 2019 a lone mole wins "
        f"{won['1+3/mole/decision-2019']:.0f} %, a saboteur of 2019 {won['1+3/decision-2019/decision-2019']:.0f} %"
    )


STUDY = Study(
    name="mole2026",
    title="All players of Saboteur against each other",
    source="Nothing is published. The seatings are those of Krisnadi et al. 2019; gold is counted under the rules of 2004.",
    default_games=1000,
    small_games=200,
    unit="%",
    sections=(
        *(
            Section(f"{s}+{m}/", f"{s} saboteurs against {m} miners", "How often the saboteurs of a player win.")
            for s, m in TEAMS
        ),
        Section(
            "gold/",
            "Gold in the official game",
            "One player among four of another kind, three rounds, every deal in every seat: its share of all gold, as a multiple "
            "of a fair share.",
        ),
    ),
    measure=measure,
    look=FirstLook(tuple(f"{s}+{m}/" for s, m in LOOKED_AT), look_verdict, look_measure),
)
