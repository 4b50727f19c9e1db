"""`suspicion`: how good beliefs about who is a saboteur are, of players whose habits are known and of others. Nothing is published.

Games of one round are played and watched: at a quarter and at half of the deck and at the end each seat is asked how likely each
other is a saboteur, and where the gold may be if it does not know. Asked are the posterior of `reading.saboteur.suspicion`, the
deal alone, and of the roles a `kripke-2012` and the trust of a `decision-2019` who watched from the same seat. Of players that are
named, `studies.suspected` tells how well others see through them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import product

import numpy as np
import numpy.typing as npt

from molehunt.arena.pieces import in_one_stream
from molehunt.arena.workers import Workers
from molehunt.learning.saboteur.habits import TABLES, batch_of
from molehunt.studies import suspected
from molehunt.studies.role_readers import (
    AT_ONCE,
    GROUPS,
    MEASURES,
    OURS,
    POINTS,
    READERS,
    Judged,
    held_in,
    score_row,
    seatings,
    when,
)
from molehunt.studies.study import FirstLook, Progress, Row, Section, Study, Tell

ROLES, GOLDS = range(2)
ABOUT = ("", "gold-")
"""What is asked: who is a saboteur, or where the gold lies; what ids of the latter begin with."""
READERS_OF = (READERS, READERS[: OURS + 1])
"""Who is asked which: the published players hold no chances of where the gold lies."""
GAME, POINT, ASKED, TRUE, FIRST_READER = range(5)
"""Columns of what a piece finds: the game, the point, what is asked, whether it is so, then one for each of READERS."""


# --- What is held ------------------------------------------------------------------------------------------------------------


def judge_batch(group: str, number: int, games: int, seed: int) -> npt.NDArray[np.float64]:
    """What all readers held in the games of a seating: a row for each point, seat and other seat, or place of the gold."""
    batch = batch_of(GROUPS[group], TABLES, number, number * AT_ONCE, games, seed)
    rows = []
    for place, point, each, held in held_in(batch):
        seats = range(batch.game.seats)
        rows += [
            [number * AT_ONCE + place, point, ROLES, each.roles[other], *held[:, seat, other]]
            for seat in seats
            for other in seats
            if seat != other
        ]
        rows += [
            [number * AT_ONCE + place, point, GOLDS, goal == each.gold, 1 / len(may_be), chances[goal], 0.0, 0.0]
            for chances in each.golds[point]
            if len(may_be := np.flatnonzero(chances)) > 1
            for goal in may_be
        ]
    return np.array(rows, np.float64)


def judge(group: str, games: int, seed: int, workers: Workers) -> npt.NDArray[np.float64]:
    """The same for all games of a group."""
    pieces = [workers.submit(judge_batch, group, number, some, seed) for number, some in seatings(games)]
    return np.concatenate([piece.result() for piece in pieces])


# --- Rows ------------------------------------------------------------------------------------------------------------------


def rows_of(group: str, held: npt.NDArray[np.float64]) -> list[Row]:
    """The rows of a group."""
    rows = []
    for asked, (point, number) in product((ROLES, GOLDS), POINTS.items()):
        here = held[(held[:, POINT] == number) & (held[:, ASKED] == asked)]
        if not len(here):
            continue
        games = len(np.unique(here[:, GAME]))
        tables = np.unique(here[:, GAME] // AT_ONCE, return_inverse=True)[1]
        for reader, name in enumerate(READERS_OF[asked]):
            found = Judged(here[:, FIRST_READER + reader], here[:, TRUE], tables).with_intervals()
            for measure, interval in found.items():
                where = " of where the gold is" if asked == GOLDS else ""
                cell = f"{ABOUT[asked]}{measure}/{group}/{point}/{name}"
                quantity = f"{MEASURES[measure]}{where}: {name} on {group} players, {when(point)}"
                rows.append(score_row(cell, quantity, interval, games))
    return rows


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play and judge every group."""
    progress = Progress(tell, len(GROUPS))

    def of_group(group: str, pool: Workers) -> npt.NDArray[np.float64]:
        held = judge(group, games, seed, pool)
        progress.played()
        return held

    found = in_one_stream(workers, {group: partial(of_group, group) for group in GROUPS})
    rows = [row for group in GROUPS if group in found for row in rows_of(group, found[group])]
    return [row for section in SECTIONS for row in rows if row.id.startswith(section.prefix)]


SECTIONS = tuple(
    Section(
        f"{about}{name}/{group}/",
        f"{title[0].upper()}{title[1:]}: {'where the gold is, ' if about else ''}{group} players",
        f"Every seat {'that does not know it' if about else 'about every other one'}; intervals by drawing tables again.",
        one_axis=True,
    )
    for about in ABOUT
    for name, title in MEASURES.items()
    for group in GROUPS
)


def look_verdict(rows: Sequence[Row]) -> str:
    """How much better than the deal, and than the two players, the posterior is at half of the deck."""
    found = {row.id: row.measured for row in rows}
    saved = {
        group: 100 * (1 - found[f"logloss/{group}/half/suspicion"] / found[f"logloss/{group}/half/prior"])
        for group in ("known", "unknown")
    }
    return (
        f"nothing is published; at half of the deck suspicions cost {saved['known']:z.0f} % less log loss than the deal alone on "
        f"players whose habits are known, {saved['unknown']:z.0f} % on others"
    )


STUDY = Study(
    name="suspicion",
    title="Saboteur: how good beliefs about who is a saboteur are",
    source="Our own question: games of one round under every full-size ruleset, watched from every seat; nothing is published.",
    default_games=1000,
    small_games=60,
    unit="score",
    sections=SECTIONS + suspected.SECTIONS,
    measure=measure,
    measure_players=suspected.measure_players,
    look=FirstLook(("logloss/known/",), look_verdict),
)
