"""Strangers: how our players, or any that are named, do among players drawn from a space of habits (nothing published).

Every player meets the same strangers, of seeds above 10,000, in every seat; the other seats are the stranger's. Three numbers: the
mean over the strangers, the mean over the worst tenth, and the mean over those of each style. The worst tenth is found in one half
of the games and counted in the other, and the other way round: else those would be among the worst who were lucky.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from molehunt.agents.built_in import BUILT_IN
from molehunt.agents.registry import Agents
from molehunt.arena.agent_files import AgentFile
from molehunt.arena.faults import Where, play_or_say_where
from molehunt.arena.pieces import in_one_stream
from molehunt.arena.statistics import share_within, student, wilson
from molehunt.arena.tuning.race import Gap
from molehunt.arena.workers import Workers, each_in_order, the_game, the_player
from molehunt.core.errors import BadInput
from molehunt.core.specs import split_spec
from molehunt.core.streams import game_seeds
from molehunt.studies.study import (
    NONE_PUBLISHED,
    FirstLook,
    Progress,
    Row,
    Section,
    StudiedPlayer,
    Study,
    Tell,
    points_row,
    those_with,
    told_apart,
)

STRANGER = "stranger"
FIRST_SEED = 10_001
"""The first stranger that is met; seeds below 1,000 are for tuning."""
HALVES, DEALS = 2, 2
"""Deals are counted in two halves; so many deals a half, each played in every seat."""
TABLES = {"duel": ("mcgill", 2), "speed_clue": ("mitchell", 3), "saboteur": ("krisnadi", 5)}
"""The ruleset and the seats of each game that may have strangers."""
LOOKED_AT = ("duel", "speed_clue")
"""The games of a first look."""
NOT_LOOKED_AT = ("speed_clue/learned",)
"""Left out of a first look: nobody else there needs what would be compiled for it."""
SHARES = {"duel-star": 4, "exact": 2, "and-or-2020": 4}
"""Players that think longer meet one stranger in so many of those that the others meet, the first ones."""
PIECE = 4
"""Strangers of one piece of work."""
KINDS_OF_ROWS = ("mean", "gain", "worst", "style")
"""What rows are of, in the order in which they are told."""
WORST, FEWEST = 10, 5
"""The worst one in so many; so many strangers are met at least."""

Wins = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Meeting:
    """A player among strangers: the game, the player, how many strangers it meets, and the files that it may come from."""

    game: str
    player: str
    strangers: int
    files: tuple[AgentFile, ...] = ()

    @property
    def name(self) -> str:
        """How its rows are called."""
        return f"{self.game}/{self.player}"


def games_with_strangers() -> list[str]:
    """The games that have strangers."""
    return [entry.game for entry in BUILT_IN if entry.name == STRANGER and entry.game in TABLES]


def players_of(game: str) -> list[str]:
    """The players of a game that meet its strangers: all of our own but those of small games."""
    own = (entry for entry in BUILT_IN if entry.game == game and entry.name != STRANGER)
    return [entry.name for entry in own if not entry.small_games]


def meetings(games: int) -> list[Meeting]:
    """All that is played: as many strangers as `games` games each need."""
    found: list[Meeting] = []
    for game in games_with_strangers():
        found.extend(Meeting(game, player, strangers_for(game, player, games)) for player in players_of(game))
    return found


def strangers_for(game: str, player: str, games: int) -> int:
    """How many strangers a player meets in some `games` games."""
    most = games // (TABLES[game][1] * DEALS * HALVES)
    return max(FEWEST, most // SHARES.get(split_spec(player)[0], 1))


def meetings_of(players: Sequence[StudiedPlayer], games: int) -> list[Meeting]:
    """What is played of players that are named; BadInput where one cannot meet strangers or is named twice."""
    for each in players:
        if each.game not in games_with_strangers():
            known = ", ".join(games_with_strangers())
            raise BadInput(f"the games with strangers are {known}; nobody can meet any in {each.game}")
    return [
        Meeting(each.game, each.spec, strangers_for(each.game, each.spec, games), each.files)
        for each in told_apart(players)
    ]


# --- Playing ------------------------------------------------------------------------------------------------------------


def play_strangers(
    game: str, player: str, first: int, count: int, seed: int, files: tuple[AgentFile, ...] = ()
) -> list[list[float]]:
    """The share of games that a player wins against some strangers, by half, in lists of `HALVES` numbers.

    The deals are those of a run of their own for each stranger.
    """
    ruleset, seats = TABLES[game]
    table = the_game(game, ruleset, seats)
    mine = the_player(game, player, files)
    found = []
    for stranger in range(first, first + count):
        other = the_player(game, f"{STRANGER}:seed={stranger}")
        deal = stranger * HALVES * DEALS
        seeds = game_seeds(seed, deal, HALVES * DEALS)
        won = np.zeros(HALVES * DEALS)
        for seat in range(seats):
            seated = [mine if each == seat else other for each in range(seats)]
            names = tuple(each.name for each in seated)
            place = Where(f"{game}/{ruleset}", names, seed, deal).later
            ends = play_or_say_where(table, seated, seeds, None, False, None, place)
            won += table.wins(ends.states)[:, seat]
        found.append((won.reshape(HALVES, DEALS).sum(axis=1) / (DEALS * seats)).tolist())
    return found


def wins_against_strangers(meeting: Meeting, seed: int, workers: Workers) -> Wins:
    """The share of games that a player wins against each stranger, by half: shape (strangers, HALVES)."""
    last = FIRST_SEED + meeting.strangers
    pieces = (
        (meeting.game, meeting.player, first, min(PIECE, last - first), seed, meeting.files)
        for first in range(FIRST_SEED, last, PIECE)
    )
    return np.array([each for part in each_in_order(workers, play_strangers, pieces) for each in part])


# --- Counting -----------------------------------------------------------------------------------------------------------


def mean_row(cell: str, quantity: str, wins: Wins, games: int, strangers: npt.NDArray[np.int64] | None = None) -> Row:
    """The mean over strangers, in percent, with the interval that their differences give (`share_within`).

    `strangers` says whose each number is, where one may have several: shape (n,). A single stranger says nothing of the others.
    """
    mean = float(wins.mean())
    whose = np.arange(len(wins)) if strangers is None else strangers
    sums = np.array([(wins[whose == each] - mean).sum() for each in np.unique(whose)])
    low, high = 0.0, 1.0
    if len(sums) > 1:
        variance = len(sums) / (len(sums) - 1) * float((sums**2).sum()) / len(wins) ** 2
        low, high = share_within(mean, variance, len(sums))
    percent = [round(100 * number, 3) for number in (mean, low, high)]
    return Row(
        id=cell,
        quantity=quantity,
        published=None,
        measured=percent[0],
        low=percent[1],
        high=percent[2],
        games=games,
        verdict=NONE_PUBLISHED,
    )


def worst_tenth(wins: Wins) -> tuple[Wins, npt.NDArray[np.int64]]:
    """What is won against the worst tenth, found in one half of the games and counted in the other, and which stranger each is."""
    worst = max(1, len(wins) // WORST)
    found = [np.argsort(wins[:, half], kind="stable")[:worst] for half in range(HALVES)]
    return np.concatenate([wins[found[half], 1 - half] for half in range(HALVES)]), np.concatenate(found)


def styles_of(game: str, count: int) -> dict[str, list[int]]:
    """The strangers of each style, by what they are called; a game may have no styles."""
    found: dict[str, list[int]] = {}
    agents = Agents(game)
    for number in range(count):
        stranger = agents.make(f"{STRANGER}:seed={FIRST_SEED + number}")
        for style in getattr(stranger, "styles", ()):
            found.setdefault(style, []).append(number)
    return found


def rows_of(meeting: Meeting, wins: Wins) -> Iterator[Row]:
    """The rows of one player: the mean, the worst tenth, and the styles."""
    each = HALVES * DEALS * TABLES[meeting.game][1]
    of = f"wins of {meeting.player}, %"
    among = f"{meeting.strangers} strangers, {each} games each"
    yield mean_row(f"mean/{meeting.name}", f"{of}: {among}", wins.mean(axis=1), each * len(wins))
    worst, whose = worst_tenth(wins)
    games = each // HALVES * len(worst)
    yield mean_row(f"worst/{meeting.name}", f"{of}: the worst tenth of {among}", worst, games, whose)
    for style, numbers in sorted(styles_of(meeting.game, meeting.strangers).items()):
        if len(numbers) > 1:
            some = wins[numbers].mean(axis=1)
            yield mean_row(
                f"style/{meeting.name}/{style}", f"{of}: {len(numbers)} strangers, {style}", some, each * len(numbers)
            )


def gains_of(meetings_played: Sequence[tuple[Meeting, Wins]]) -> Iterator[Row]:
    """How much more the players of a game win than the first of them, against the same strangers in the same games."""
    firsts: dict[str, tuple[Meeting, Wins]] = {}
    for meeting, wins in meetings_played:
        first, before = firsts.setdefault(meeting.game, (meeting, wins))
        if meeting is first:
            continue
        both = min(len(wins), len(before))
        differences = (wins[:both] - before[:both]).mean(axis=1)
        games = both * HALVES * DEALS * TABLES[meeting.game][1]
        mean, error = float(differences.mean()), float(differences.std(ddof=1)) / math.sqrt(both)
        # Where all differ alike, as many strangers without a difference leave the doubt.
        half = student(both - 1) * error if error else wilson(0, both)[1]
        of = f"wins of {meeting.player} more than {first.player}, {both} strangers, the same games"
        quantity = f"above the first, points: {of}"
        yield points_row(f"gain/{meeting.name}", quantity, Gap(mean, mean - half, mean + half, games))


def play_meetings(
    todo: Sequence[Meeting], seed: int, workers: Workers, tell: Tell, *, compared: bool = False
) -> list[Row]:
    """The rows of some players, played as one stream: the means first, then the worst tenths, then the styles.

    With `compared`, also how much more each wins than the first one of its game.
    """
    progress = Progress(tell, sum(meeting.strangers for meeting in todo))

    def play_one(meeting: Meeting, stream: Workers) -> tuple[Meeting, Wins]:
        wins = wins_against_strangers(meeting, seed, stream)
        progress.played(meeting.strangers)
        return meeting, wins

    cells: dict[str, Callable[[Workers], tuple[Meeting, Wins]]] = {
        meeting.name: partial(play_one, meeting) for meeting in todo
    }
    played = list(in_one_stream(workers, cells).values())
    rows = [row for meeting, wins in played for row in rows_of(meeting, wins)]
    if compared:
        rows.extend(gains_of(played))
    return sorted(rows, key=lambda row: KINDS_OF_ROWS.index(row.id.partition("/")[0]))


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Let every player meet the strangers of its game."""
    return play_meetings(meetings(games), seed, workers, tell)


def measure_players(players: Sequence[StudiedPlayer], games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Let some players meet the strangers of their games."""
    return play_meetings(meetings_of(players, games), seed, workers, tell, compared=True)


def look_measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """The players that think quickly."""
    quick = [
        each
        for each in meetings(games)
        if each.game in LOOKED_AT and each.player not in SHARES and each.name not in NOT_LOOKED_AT
    ]
    return play_meetings(quick, seed, workers, tell)


def look_verdict(rows: Sequence[Row]) -> str:
    """Who does best, game by game."""
    said = []
    for game in games_with_strangers():
        means = [row for row in rows if row.id.startswith(f"mean/{game}/")]
        if means:
            won = {row.id.rpartition("/")[2]: row.measured for row in means}
            most = max(won.values())
            best = those_with(most, won)
            wins = "wins" if best in won else "win"
            said.append(f"{game}: {best} {wins} most, {most:.0f} %")
    return f"nothing is published; of the players that think quickly, {'; '.join(said)}"


STUDY = Study(
    name="strangers",
    title="Strangers: players among others drawn from a space of habits",
    source="Nothing published; the spaces of habits are in docs/strangers.md.",
    default_games=1600,
    small_games=80,
    unit="%",
    sections=(
        Section(
            "mean/",
            "The mean over all strangers",
            "Games won; in the duel, draws and losses are missing to 100 %, in Speed Clue a fair share is 33 %, in Saboteur a seat "
            "wins with its side. Every deal is played in every seat. The interval is that of the mean over strangers, whatever "
            "they have in common.",
        ),
        Section(
            "gain/",
            "How much more than the first",
            "Games won more than the player of the game that was named first, in percentage points, against the same strangers, on "
            "the same deals and seats. The interval is that of the mean difference over strangers.",
        ),
        Section(
            "worst/",
            "The worst tenth",
            "Games won against the tenth of the strangers against whom a player did worst in one half of the games, counted in the "
            "other half.",
        ),
        Section("style/", "By style", "Games won against the strangers of each style; most strangers have several."),
    ),
    measure=measure,
    measure_players=measure_players,
    look=FirstLook(("mean/",), verdict=look_verdict, measure=look_measure),
)
