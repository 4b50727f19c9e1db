"""How well others see through a player of Saboteur that is named: what they hold of its role, as a saboteur and as a miner.

It sits at the tables of the study of suspicion, and all other seats are drawn from the players there. They and the deals are the
same for every player that is named, so that two of them differ by what they do, not by their company.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from molehunt.arena.faults import Where, play_or_say_where
from molehunt.arena.pieces import in_one_stream
from molehunt.arena.workers import Workers, the_game, the_player
from molehunt.core.errors import BadInput
from molehunt.core.streams import game_seeds
from molehunt.games.saboteur.game import check_game
from molehunt.learning.saboteur.habits import TABLES, Batch
from molehunt.studies.role_readers import (
    AT_ONCE,
    GROUPS,
    MEASURES,
    OURS,
    POINTS,
    READERS,
    Interval,
    Judged,
    held_in,
    over_tables,
    score_row,
    seatings,
    when,
)
from molehunt.studies.study import Progress, Row, Section, StudiedPlayer, Tell, told_apart

GAME = "saboteur"
DEAL, POINT, ROLE, FIRST_READER = range(4)
"""Columns of what is held of a player: the deal, the point, whether it is a saboteur, then one for each of READERS."""
ROLES = ("miner", "saboteur")
TOLD = ("logloss", "auc")
"""Of MEASURES; the others are about readers, not about whom they read."""

Held = npt.NDArray[np.float64]


# --- Playing ------------------------------------------------------------------------------------------------------------------


def seating_of(number: int, seed: int) -> tuple[str, int, list[str | None]]:
    """A table: the ruleset, the chair of the player that is named, and the specs of all seats, None on that chair."""
    ruleset, seats = TABLES[number % len(TABLES)]
    others = GROUPS["mixed"]
    drawn = np.random.default_rng((seed, number)).integers(len(others), size=seats)
    chair = number // len(TABLES) % seats
    return ruleset, chair, [None if seat == chair else others[each] for seat, each in enumerate(drawn.tolist())]


def watch_suspect(suspect: StudiedPlayer, number: int, games: int, seed: int) -> Held:
    """What the others held of a player in the games of a table: a row for each point and other seat, columns as above."""
    ruleset, chair, specs = seating_of(number, seed)
    game = the_game(GAME, ruleset, len(specs))
    mine = the_player(GAME, suspect.spec, suspect.files)
    seated = [mine if spec is None else the_player(GAME, spec) for spec in specs]
    first = number * AT_ONCE
    place = Where(f"{GAME}/{ruleset}", tuple(each.name for each in seated), seed, first).later
    played = play_or_say_where(game, seated, game_seeds(seed, first, games), None, True, None, place)
    batch = Batch(check_game("suspicions", game), np.zeros(len(specs), np.int64), played)
    rows = [
        [first + row, point, each.roles[chair], *held[:, seat, chair]]
        for row, point, each, held in held_in(batch)
        for seat in range(len(specs))
        if seat != chair
    ]
    return np.array(rows, np.float64).reshape(-1, FIRST_READER + len(READERS))


def watch_all(suspect: StudiedPlayer, games: int, seed: int, workers: Workers) -> Held:
    """The same of all games."""
    pieces = [workers.submit(watch_suspect, suspect, number, some, seed) for number, some in seatings(games)]
    return np.concatenate([piece.result() for piece in pieces])


# --- Rows -------------------------------------------------------------------------------------------------------------------


def tables_of(held: Held) -> npt.NDArray[np.int64]:
    """At which table each row was, numbered as they were played."""
    return held[:, DEAL].astype(np.int64) // AT_ONCE


def means_by_role(held: Held, tables: npt.NDArray[np.int64]) -> dict[str, Interval]:
    """The mean of what each reader but the deal held of the player in each role that it had, by reader and role."""
    found: dict[str, Interval] = {}
    for role, title in enumerate(ROLES):
        rows = held[:, ROLE] == role
        if rows.any():
            some, whose = held[rows], np.unique(tables[rows], return_inverse=True)[1]

            def means(weights: npt.NDArray[np.float64], some: Held = some) -> dict[str, float]:
                return dict(zip(READERS, (weights @ some[:, FIRST_READER:] / weights.sum()).tolist(), strict=True))

            held_by = over_tables(whose, means, dict.fromkeys(READERS, (0.0, 1.0)))
            found |= {f"{reader}/{title}": interval for reader, interval in held_by.items()}
    return {cell: found[cell] for reader in READERS[OURS:] for role in ROLES if (cell := f"{reader}/{role}") in found}


def losses_above(held: Held, first: Held) -> tuple[dict[str, Interval], int]:
    """How much more log loss each reader but the deal has on a player than on the first one, and in how many games.

    Both at the tables at which both were seen.
    """
    both = np.intersect1d(tables_of(held), tables_of(first))
    if not len(both):
        return {}, 0
    mine, firsts = (each[np.isin(tables_of(each), both)] for each in (held, first))
    whose = np.concatenate([np.searchsorted(both, tables_of(each)) for each in (mine, firsts)])

    sides = [
        [Judged(each[:, column], each[:, ROLE], tables_of(each)) for column in range(FIRST_READER, each.shape[1])]
        for each in (mine, firsts)
    ]

    def differences(weights: npt.NDArray[np.float64]) -> dict[str, float]:
        before, after = weights[: len(mine)], weights[len(mine) :]
        return {
            reader: own.measures(before)["logloss"] - other.measures(after)["logloss"]
            for reader, own, other in list(zip(READERS, *sides, strict=True))[OURS:]
        }

    return over_tables(whose, differences), len(np.unique(mine[:, DEAL]))


def rows_of(suspect: StudiedPlayer, held: Held) -> list[Row]:
    """The rows of a player: what was held of it in each role, and how good that was."""
    rows = []
    for point, number in POINTS.items():
        here = held[held[:, POINT] == number]
        if not len(here):
            continue
        games = len(np.unique(here[:, DEAL]))
        tables = np.unique(tables_of(here), return_inverse=True)[1]
        for cell, interval in means_by_role(here, tables).items():
            reader, _, role = cell.partition("/")
            quantity = f"chance of being a saboteur: {reader} on {suspect.spec}, a {role}, {when(point)}"
            seen = len(np.unique(here[here[:, ROLE] == ROLES.index(role), DEAL]))
            rows.append(score_row(f"held/{suspect.name}/{point}/{cell}", quantity, interval, seen))
        for column, reader in enumerate(READERS, FIRST_READER):
            of_reader = Judged(here[:, column], here[:, ROLE], tables).with_intervals()
            rows += [
                score_row(
                    f"{measure}/{suspect.name}/{point}/{reader}",
                    f"{MEASURES[measure]}: {reader} on {suspect.spec}, {when(point)}",
                    interval,
                    games,
                )
                for measure, interval in of_reader.items()
                if measure in TOLD
            ]
    return rows


def rows_above(suspect: StudiedPlayer, held: Held, first: StudiedPlayer, of_first: Held) -> list[Row]:
    """How much less well a player is seen through than the first one."""
    rows = []
    for point, number in POINTS.items():
        found, games = losses_above(held[held[:, POINT] == number], of_first[of_first[:, POINT] == number])
        rows += [
            score_row(
                f"above/{suspect.name}/{point}/{reader}",
                f"log loss more than on {first.spec}, in nats: {reader} on {suspect.spec}, {when(point)}",
                interval,
                games,
            )
            for reader, interval in found.items()
        ]
    return rows


def measure_players(players: Sequence[StudiedPlayer], games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Let the players that are named sit among those of the study, and ask the others what they are."""
    for each in players:
        if each.game != GAME:
            raise BadInput(f"roles are guessed in saboteur alone; {each.name} has none to hide")
    suspects = told_apart(players)
    progress = Progress(tell, len(suspects))

    def of_suspect(suspect: StudiedPlayer, pool: Workers) -> tuple[StudiedPlayer, Held]:
        held = watch_all(suspect, games, seed, pool)
        progress.played()
        return suspect, held

    watched = list(in_one_stream(workers, {each.name: partial(of_suspect, each) for each in suspects}).values())
    rows = [row for suspect, held in watched for row in rows_of(suspect, held)]
    if watched and watched[0][0] == suspects[0]:  # not where the study was stopped before
        rows += [row for suspect, held in watched[1:] for row in rows_above(suspect, held, *watched[0])]
    return [row for section in SECTIONS for row in rows if row.id.startswith(section.prefix)]


_SAME = "; of all players among the same others, on the same deals. Intervals by drawing tables again."

SECTIONS = (
    Section(
        f"held/{GAME}/",
        "Players that are named: what others hold of them",
        "The mean chance of being a saboteur that others see in the player, as a saboteur and as a miner"
        f"{_SAME} Who hides has the same in both roles.",
    ),
    Section(
        f"above/{GAME}/",
        "Players that are named: how much less well they are seen through",
        f"The log loss of what others hold of the player above that on the player that was named first{_SAME}",
    ),
    *(
        Section(
            f"{name}/{GAME}/",
            f"{title[0].upper()}{title[1:]}: players that are named",
            "All others about the player. Intervals by drawing tables again.",
        )
        for name, title in MEASURES.items()
        if name in TOLD
    ),
)
