"""`cai2020`: the players of the duel that Cai and Jiang handed in at McGill in 2020, against the random player of their course.

Their report has two numbers: 47 % wins with the heuristic alone, 60 % with the search to depth 2. It does not say of how many
games, so a published number counts as exact: it agrees where our interval holds it. Every deal is played in both seatings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import msgspec
import numpy as np

from molehunt.agents.registry import Agents
from molehunt.arena.pieces import in_one_stream
from molehunt.arena.workers import Workers
from molehunt.core.match import play
from molehunt.core.seats import NOBODY
from molehunt.core.streams import game_seeds
from molehunt.games.duel.state import FIRST_SEAT, SEATS
from molehunt.games.registry import make_game
from molehunt.studies.duel_games import CHUNK, RULESET, SLOW_CHUNK, Counts, Tally, play_pair, sooner
from molehunt.studies.study import (
    AGREES,
    DIFFERS,
    NONE_PUBLISHED,
    FirstLook,
    Picture,
    Progress,
    Row,
    Section,
    Study,
    Tell,
    clustered_row,
    published_rows,
)

RANDOM, LISTED, GREEDY, AND_OR = "random", "random-listed", "greedy-2020", "and-or-2020"
WINS = f"{AND_OR}:wins_first"
"""The search to whom a win is worth more than any h. `and-or-2020` alone is what the report prints."""
DIGGER, STAR = "duel-star:digger", "duel-star"

PLAYERS: dict[str, int] = {RANDOM: 1, LISTED: 1, GREEDY: 1, AND_OR: 2, WINS: 2, DIGGER: 1, STAR: 20}
"""The players of the cross table, and the share of the games that each plays: one in so many. A pair plays the smaller share."""
STRONG = tuple(player for player in PLAYERS if player not in (RANDOM, LISTED))

DEFAULT = "default"
OF_H = (
    "open_ends=all",
    "map_first=no",
    "opening_w7=0",
    "end_w7=0",
    "opening_w7=0,end_w7=0",
    "opening_w3=0,end_w3=0",
)
OF_PRINTED = ("wins_first", "inner=largest", "nodes=1000", *OF_H)
OF_SEARCH = (
    "later=0",
    "wins_at_root=yes",
    "nodes=500",
    "nodes=1000",
    "nodes=2000",
    "nodes=20000",
    "opponent=modelled",
    "opponent=modelled,hands=32",
    "opponent=modelled,depth=3,nodes=5000",
)
READINGS = {GREEDY: (2, ("as_printed", *OF_H)), AND_OR: (5, OF_PRINTED), WINS: (5, (*OF_H, *OF_SEARCH))}
"""What the report leaves open, and what a limit of time does (a limit of nodes stands for it), by player with its share.

`inner=largest` takes the formula's max to the letter, though a smaller h is better; `wins_at_root` and `later=0` are between a win
that is worth its h and one that is worth more, the sooner the better."""

DEPTHS = {"depth=1": 2, "depth=2": 2, "depth=3,nodes=100000": 20, "depth=3": 100}
"""How deep the search looks where a win comes first, with the share of the games. Depth 3 is "2 level from the root ORNodes", if
the boards after one's own first move are the roots."""


@dataclass(frozen=True)
class Pair:
    """Games of one player against another, with their share of all games."""

    first: str
    second: str
    share: int

    def games(self, games: int) -> int:
        """How many games are played; none where the share is less than a deal in both seatings."""
        return games // self.share // SEATS * SEATS if self.share > 1 else games + games % SEATS

    @property
    def chunk(self) -> int:
        """Deals that one piece of work plays at once: a player that plays a share only is slow."""
        return CHUNK if self.share == 1 else SLOW_CHUNK


def meeting(first: str, second: str) -> Pair:
    """The pair of two players of the cross table."""
    return Pair(first, second, max(PLAYERS[first], PLAYERS[second]))


RANDOM_PAIRS = [meeting(player, player) for player in (RANDOM, LISTED)]
"""The random players against themselves."""


def spec_of(player: str, reading: str) -> str:
    """The player with a reading."""
    return player if reading == DEFAULT else f"{player}{',' if ':' in player else ':'}{reading}"


def reading_pair(player: str, reading: str) -> Pair:
    """The pair that measures a reading."""
    spec = spec_of(player, reading)
    return meeting(spec, LISTED) if spec in PLAYERS else Pair(spec, LISTED, READINGS[player][0])


def depth_pair(depth: str) -> Pair:
    """The pair that measures a depth."""
    return meeting(WINS, LISTED) if depth == "depth=2" else Pair(f"{WINS},{depth}", LISTED, DEPTHS[depth])


def pairs() -> list[Pair]:
    """All that is played, each once."""
    found = [meeting(player, other) for player in STRONG for other in (LISTED, RANDOM)]
    found += RANDOM_PAIRS
    found += [reading_pair(player, reading) for player, (_, readings) in READINGS.items() for reading in readings]
    found += [depth_pair(depth) for depth in DEPTHS]
    found += [meeting(first, second) for second, first in combinations(PLAYERS, 2)]
    return list(dict.fromkeys(found))


# --- The rows -----------------------------------------------------------------------------------------------------------

Tallies = dict[Pair, Tally]


def published() -> dict[str, float]:
    """The published percentages by cell."""
    return {row["cell"]: float(row["percent"]) for row in published_rows("cai2020.csv")}


def rate(cell: str, quantity: str, counts: Counts, chances: Counts, exact: float | None = None) -> Row:
    """A row for a rate in percent, from counts and chances by deal, beside a published number whose games nobody counted.

    Its interval is over deals: the two games of one depend on each other, and of two random players they are the same game.
    """
    row = msgspec.structs.replace(clustered_row(cell, quantity, counts, chances), games=int(chances.sum()))
    if exact is None:
        return row
    return msgspec.structs.replace(row, published=exact, verdict=AGREES if row.low <= exact <= row.high else DIFFERS)


def half_draws(player: str, tally: Tally, exact: float) -> Row:
    """A row for the mean score where a draw is half a win: as a rate of halves, of which every game has two."""
    quantity = f"wins and half the draws, %: {player}"
    halves = 2 * tally.wins + tally.draws
    row = rate(f"readings/{player}/half-draws", quantity, halves, 2 * games_of(tally), exact)
    return msgspec.structs.replace(row, games=tally.games)


def games_of(tally: Tally) -> Counts:
    """The games of each deal, shape (deals,)."""
    return np.full(len(tally.deals), SEATS)


def strength_rows(tallies: Tallies) -> Iterator[Row]:
    """Each player against the two random ones."""
    numbers = published()
    for player in STRONG:
        for other in (LISTED, RANDOM):
            if tally := tallies.get(meeting(player, other)):
                for what, count in (("wins", tally.wins), ("draws", tally.draws), ("losses", tally.losses)):
                    cell = f"strength/{player}/{other}/{what}"
                    said = f"{what}, %: {player} against {other}"
                    yield rate(cell, said, count, games_of(tally), numbers.get(cell))


def random_rows(tallies: Tallies) -> Iterator[Row]:
    """The random players against themselves: how many draws, and how long they are."""
    numbers = published()
    for player in (RANDOM, LISTED):
        tally = tallies.get(meeting(player, player))
        if tally is None:
            continue
        cell = f"random/{player}/draws"
        yield rate(cell, f"draws, %: {player} against itself", tally.draws, games_of(tally), numbers[cell])
        if tally.draws.any():
            cell = f"random/{player}/55-moves"
            quantity = f"draws of 55 moves among the draws, %: {player} against itself"
            yield rate(cell, quantity, tally.full, tally.draws, numbers[cell])


def reading_rows(tallies: Tallies) -> Iterator[Row]:
    """Wins against the course's random player, one reading changed at a time, beside the published number."""
    numbers = published()
    for player, (_, readings) in READINGS.items():
        exact = numbers[f"strength/{AND_OR if player == WINS else player}/{LISTED}/wins"]
        for reading in (DEFAULT, *readings):
            tally = tallies.get(reading_pair(player, reading))
            if not tally:
                continue
            gap = 100 * float(tally.wins.sum()) / tally.games - exact
            quantity = f"wins, %: {player}, {reading}; {gap:+z.1f} from the published {exact:g}"
            yield rate(f"readings/{player}/{reading}", quantity, tally.wins, games_of(tally), exact)
            if reading != DEFAULT:
                continue
            yield half_draws(player, tally, exact)
            decided = tally.wins + tally.losses
            if decided.any():
                quantity = f"wins among the games that were decided, %: {player}"
                yield rate(f"readings/{player}/decided", quantity, tally.wins, decided, exact)


def depth_rows(tallies: Tallies) -> Iterator[Row]:
    """Strength and time of the search by its depth. A time has no interval and no verdict: it is the machine's."""
    found = [(depth, tally) for depth in DEPTHS if (tally := tallies.get(depth_pair(depth)))]
    for depth, tally in found:
        yield rate(f"depth/wins/{depth}", f"wins, %: {WINS} with {depth}", tally.wins, games_of(tally))
    for depth, tally in found:
        took = round(tally.milliseconds, 3)
        yield Row(
            id=f"depth/milliseconds/{depth}",
            quantity=f"milliseconds a move, of processor time: {WINS} with {depth}",
            published=None,
            measured=took,
            low=took,
            high=took,
            games=tally.games,
            verdict=NONE_PUBLISHED,
        )


def cross_rows(tallies: Tallies) -> Iterator[Row]:
    """Who beats whom: both sides' wins of each pair."""
    for line in PLAYERS:
        for column in PLAYERS:
            if line == column:
                continue
            ours, theirs = tallies.get(meeting(line, column)), tallies.get(meeting(column, line))
            cell, said = f"cross/{line}/{column}", f"wins, %: {line} against {column}"
            if ours:
                yield rate(cell, said, ours.wins, games_of(ours))
            elif theirs:
                yield rate(cell, said, theirs.losses, games_of(theirs))


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play every pair that has games enough; all see the same deals."""
    tallies = play_pairs(pairs(), games, seed, workers, tell)
    kinds = (strength_rows, random_rows, reading_rows, depth_rows, cross_rows)
    return [row for kind in kinds for row in kind(tallies)]


def look_measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """What every player wins against the random player of the course, and the random ones against themselves."""
    against_random = [meeting(player, LISTED) for player in STRONG]
    tallies = play_pairs([*against_random, *RANDOM_PAIRS], games, seed, workers, tell)
    return [*(row for row in strength_rows(tallies) if row.id.endswith("/wins")), *random_rows(tallies)]


def play_pairs(some: Sequence[Pair], games: int, seed: int, workers: Workers, tell: Tell) -> Tallies:
    """What came of some pairs, of those that have games enough."""
    todo = [pair for pair in some if pair.games(games)]
    timed = {depth_pair(depth) for depth in DEPTHS}
    progress = Progress(tell, sum(pair.games(games) for pair in todo))

    def play_one(pair: Pair, stream: Workers) -> Tally:
        counter = progress.counter()
        count = pair.games(games)
        return play_pair(
            pair.first,
            pair.second,
            count,
            seed,
            stream,
            lambda done: counter(done, count),
            pair.chunk,
            timed=pair in timed,
        )

    found = in_one_stream(workers, {f"{pair.first} against {pair.second}": partial(play_one, pair) for pair in todo})
    return {pair: found[name] for pair in todo if (name := f"{pair.first} against {pair.second}") in found}


# --- Pictures -----------------------------------------------------------------------------------------------------------

PICTURED = 16
"""Games from which the pictures are taken."""


def pictures(seed: int) -> list[Picture]:
    """The end board of the first game that the search won and of the first that nobody won, as its player sees it."""
    game = make_game("duel", RULESET, SEATS)
    agents = [Agents("duel").make(name) for name in (LISTED, sooner(WINS))]
    played = play(game, agents, game_seeds(seed, 0, PICTURED))
    states = played.states
    result = []
    for title, winner in ((f"A game that {WINS} won", FIRST_SEAT), ("A draw", NOBODY)):
        for number in np.flatnonzero(states["winner"] == winner)[:1]:
            view = game.views(played.states, np.full(1, FIRST_SEAT, np.int8), np.array([number]))
            text = f"Game {number} of seed {seed}: {WINS} moves first, against {LISTED}."
            result.append(
                Picture(title, text, game.draw_svg(view), (f"The game ended after {states['turn'][number]} moves.",))
            )
    return result


STUDY = Study(
    name="cai2020",
    title="The duel: a heuristic and an AND/OR search against random players",
    source="Linda Cai, Yilin Jiang: Comp 424 Final Project Report. McGill University, 2020.",
    default_games=2000,
    small_games=30,
    unit="%",
    sections=(
        Section(
            "strength/",
            "Against the random players",
            "Random-listed is the random player of the course, which the published numbers are about; random is the uniform "
            "one. Every deal is played in both seatings. The report does not say of how many games its numbers are, so they "
            "count as exact. and-or-2020 is what it prints; to its edition wins_first a win is worth more than any h.",
        ),
        Section(
            "random/",
            "Random against random",
            "Random players hardly ever reach the nugget, and a draw has as many moves as there are cards.",
        ),
        Section(
            "readings/",
            "Which reading matters",
            "Wins against random-listed with one reading changed, beside the published number. half-draws counts a draw as half "
            "a win; decided leaves draws out. A limit of nodes stands for a limit of time: the report's search plays the best "
            "move so far when its time is up. As printed, a win is worth no more than its h; the search then puts the win off, for "
            "a board after one more move nearly always looks better. What made 60 is not known.",
        ),
        Section(
            "depth/",
            "Depth against strength against time",
            "The search, edition wins_first, against random-listed. The time is that of one move of the search on the machine that "
            "ran the study.",
        ),
        Section(
            "cross/",
            "Who beats whom",
            "Wins of the first against the second; what is missing to 100 % are draws and losses. duel-star is our own player, and "
            "its edition digger the part of it that plays no games on.",
        ),
    ),
    measure=measure,
    look=FirstLook(("strength/", "random/"), measure=look_measure),
    pictures=pictures,
    judged=("strength/", "random/"),
    exact=True,
)
