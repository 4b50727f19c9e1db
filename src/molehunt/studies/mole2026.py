"""`mole2026`: all players of Saboteur against each other, in the published seatings, and for gold in the official game.

In `krisnadi` the saboteurs of one player sit against the miners of another one. In `official` one player sits among four of
another, every deal in every seat, and what counts is its share of all the gold, as a multiple of a fair share; and by role what
it takes in a round, as a multiple of what one of the others takes in that role.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from molehunt.arena.pieces import in_one_stream
from molehunt.arena.statistics import student
from molehunt.arena.workers import Workers, each_in_order, the_game, the_player
from molehunt.core.match import Played, play
from molehunt.core.streams import game_seeds
from molehunt.core.words import counted
from molehunt.games.saboteur.cards import ROLE_NAMES as ROLES
from molehunt.games.saboteur.game import Saboteur, check_game
from molehunt.games.saboteur.state import GOING_ON
from molehunt.studies.krisnadi2019 import TEAMS, Cell, play_cells
from molehunt.studies.study import NONE_PUBLISHED, FirstLook, Progress, Row, Section, Study, Tell

PLAYERS = {
    "random": 1,
    "means-ends-2016": 1,
    "decision-2019": 1,
    "learned": 1,
    "kripke-2012:explicit": 2,
    "kripke-2012": 2,
    "mole": 2,
}
"""Who plays, and the share of the games that each plays, as it thinks: one in so many. A pair plays the smaller share."""
GOLD_RULESET, GOLD_SEATS = "official", 5
PIECE = 4
"""Deals of one piece of work."""
LOOKED_AT = ((1, 3), (2, 3))
"""What a first look shows: `mole` and a player of 2019 against one of 2019, in these sizes."""


LEARNED_TEAMS = ((1, 3), (1, 4), (2, 3))
"""The sizes for which there are weights of `learned`; it sits at no others."""


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
        if (s, m) in LEARNED_TEAMS or "learned" not in (saboteur, miner)
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


def gold_by_role(game: Saboteur, played: Played) -> npt.NDArray[np.int64]:
    """(nuggets, rounds) of each seat of finished games in each role: shape (games, seats, roles, 2)."""
    assert played.actions is not None  # noqa: S101 - they were asked for
    lengths = np.array([len(actions) for actions in played.actions])
    states = game.new(played.seeds)
    found = np.zeros((len(states), game.seats, len(ROLES), 2), np.int64)
    every = np.arange(game.seats)
    for turn in range(int(lengths.max())):
        going = np.flatnonzero(lengths > turn)
        events = game.apply(states, np.array([played.actions[row][turn] for row in going], np.int32), going)
        for row in np.flatnonzero(events["ended"][:, 0] != GOING_ON):
            roles = events["roles"][row, 0, : game.seats]
            found[going[row], every, roles, 0] += events["gained"][row]
            found[going[row], every, roles, 1] += 1
    return found


def gold_of(player: str, others: str, seed: int, first: int, deals: int) -> list[list[float]]:
    """What a player and the others took in some deals, each played in every seat: shape (deals, 2 + 4 x roles).

    First (the player's nuggets, all nuggets), then for each role (its nuggets in that role, its rounds in it, the others'
    nuggets, their rounds).
    """
    table = check_game("the study", the_game("saboteur", GOLD_RULESET, GOLD_SEATS))
    mine, other = the_player("saboteur", player), the_player("saboteur", others)
    seeds = game_seeds(seed, first, deals)
    found = np.zeros((deals, 2 + 4 * len(ROLES)))
    for seat in range(GOLD_SEATS):
        played = play(table, [mine if each == seat else other for each in range(GOLD_SEATS)], seeds, keep_actions=True)
        nuggets = played.states["nuggets"][:, :GOLD_SEATS]
        found[:, 0] += nuggets[:, seat]
        found[:, 1] += nuggets.sum(axis=1)
        taken = gold_by_role(table, played)
        both = np.stack([taken[:, seat], taken.sum(axis=1) - taken[:, seat]], axis=2)  # (deals, roles, whose, what)
        found[:, 2:] += both.reshape(deals, -1)
    rows: list[list[float]] = found.tolist()
    return rows


def share_of_gold(found: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    """(a player's share of all gold as a multiple of a fair share, and its interval at 95 %), from its gold and all gold by deals.

    The interval is that of a ratio of means, over deals (the delta method).
    """
    mine, gold = found.T
    ratio = float(mine.sum() / gold.sum())
    rest = mine - ratio * gold
    error = float(rest.std(ddof=1)) / (float(gold.mean()) * math.sqrt(len(found)))
    half = student(len(found) - 1) * error
    return GOLD_SEATS * ratio, GOLD_SEATS * (ratio - half), GOLD_SEATS * (ratio + half)


def times_the_others(found: npt.NDArray[np.float64]) -> tuple[float, float, float] | None:
    """(what a player takes in a round, as a multiple of what another one takes, and its interval at 95 %), by deals.

    `found` has columns (its nuggets, its rounds, the others' nuggets, their rounds). The interval is that of a ratio of two
    ratios of means, over deals (the delta method). None where the others took nothing, or somebody never had the role.
    """
    means = found.mean(axis=0)
    if not means[1:].all():
        return None
    mine, rounds, theirs, their_rounds = means
    value = float((mine / rounds) / (theirs / their_rounds))
    # By what each deal moves the value: the derivative for each mean, times how far the deal is from it.
    moved = found[:, 0] * their_rounds / (rounds * theirs) - value * (
        found[:, 1] / rounds + found[:, 2] / theirs - found[:, 3] / their_rounds
    )
    half = student(len(found) - 1) * float(moved.std(ddof=1)) / math.sqrt(len(found))
    return value, value - half, value + half


def gold_rows(quest: Quest, games: int, seed: int, told: Tell, workers: Workers) -> list[Row]:
    """The rows of a player among others: of all its gold, and of that in each role."""
    deals = quest.deals(games)
    pieces = ((quest.player, quest.others, seed, first, min(PIECE, deals - first)) for first in range(0, deals, PIECE))
    parts = []
    for part in each_in_order(workers, gold_of, pieces):
        parts.extend(part)
        told(len(parts) * GOLD_SEATS, deals * GOLD_SEATS)
    found = np.array(parts)
    among = f"{quest.player} among {GOLD_SEATS - 1} x {quest.others}"
    counted = {("gold", f"gold, as a multiple of a fair share: {among}"): share_of_gold(found[:, :2])}
    for role, name in enumerate(ROLES):
        quantity = f"gold a round as a {name}, as a multiple of what another {name} takes: {among}"
        value = times_the_others(found[:, 2 + 4 * role : 6 + 4 * role])
        if value is not None:
            counted[f"gold-as-{name}", quantity] = value
    return [
        Row(
            id=f"{kind}/{quest.player}/{quest.others}",
            quantity=quantity,
            published=None,
            measured=round(value, 4),
            low=round(low, 4),
            high=round(high, 4),
            games=deals * GOLD_SEATS,
            verdict=NONE_PUBLISHED,
        )
        for (kind, quantity), (value, low, high) in counted.items()
    ]


# --- The study ----------------------------------------------------------------------------------------------------------


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play the cross tables; all cells of a size see the same deals, of which those who think longer play the first."""
    quests = [Quest(player, others) for player in PLAYERS for others in PLAYERS if player != others]
    cells = cells_of([(saboteur, miner) for saboteur in PLAYERS for miner in PLAYERS], TEAMS)
    of_cells = sum(cell.games(games) for cell in cells)
    progress = Progress(tell, of_cells + GOLD_SEATS * sum(quest.deals(games) for quest in quests))
    rows = play_cells(cells, games, seed, workers, progress.counter())
    todo: dict[str, Callable[[Workers], list[Row]]] = {
        f"{quest.player}/{quest.others}": partial(gold_rows, quest, games, seed, progress.counter()) for quest in quests
    }
    found = in_one_stream(workers, todo)
    return [*rows, *(row for of_one in found.values() for row in of_one)]


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
    small_games=20,
    unit="%",
    sections=(
        *(
            Section(
                f"{s}+{m}/", f"{counted(s, 'saboteur')} against {m} miners", "How often the saboteurs of a player win."
            )
            for s, m in TEAMS
        ),
        Section(
            "gold/",
            "Gold in the official game",
            "One player among four of another kind, three rounds, every deal in every seat: its share of all gold, as a multiple "
            "of a fair share.",
        ),
        *(
            Section(
                f"gold-as-{name}/",
                f"Gold in the official game as a {name}",
                f"Of the same games: what the one player takes in a round as a {name}, as a multiple of what each of the others "
                f"takes in a round as a {name}.",
            )
            for name in ROLES
        ),
    ),
    measure=measure,
    look=FirstLook(tuple(f"{s}+{m}/" for s, m in LOOKED_AT), look_verdict, look_measure, games=200),
)
