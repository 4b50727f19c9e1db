"""Hansen and Hansen 2019, "Clues About Bluffing in Clue": whether it pays to name cards of one's own early in the game.

Its abstract alone could be had, and it holds no number: two findings in words, as they stand in `published/hansen2019.csv`. Here
one player who bluffs sits with two who play alike and do not, in every seat. To do it right or wrong is taken to be a matter of
how: in how many of one's first suggestions, and whether own cards fill each place by chance or all places but one, so that one
kind is asked for. The best and the worst way are found in one half of the games and counted in the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from molehunt.arena.pieces import in_one_stream
from molehunt.arena.statistics import wilson
from molehunt.arena.workers import Workers
from molehunt.studies.clue_games import mix
from molehunt.studies.study import (
    FAILS,
    HOLDS,
    UNDECIDED,
    VERDICTS,
    FirstLook,
    Progress,
    Row,
    Section,
    Study,
    Tell,
    published_rows,
    rate_row,
)

SEATS = 3
PLAYERS = ("advanced", "combined")
TABLES = (("advanced", "alike"), ("combined", "alike"), ("combined", "exact"))
"""Who bluffs, among whom: two who play alike but do not bluff; two who reason exactly, and read what suggestions betray."""
OWN = 3.0
"""How often own cards are named while one bluffs, against at random: wherever one can, nearly."""
FORMS = {"some": "in each place by chance", "all but one": "in all places but one"}
NEVER = "never"
LENGTHS = {1: "in the first suggestion", 2: "in the first two", 4: "in the first four", 0: "in all suggestions"}
SHARE = 60
"""Where `exact` sits, one game in so many is played."""
FAIR = 100 / SEATS


@dataclass(frozen=True)
class Cell:
    """One way to bluff of one player among others."""

    player: str
    other: str
    form: str
    length: int

    @property
    def id(self) -> str:
        """Its place in the study."""
        how = NEVER if self.form == NEVER else f"{self.form}-{self.length or 'all'}"
        return f"{self.player}/{self.other}/{how}"

    @property
    def bluffer(self) -> str:
        """Who bluffs, as it is typed."""
        if self.form == NEVER:
            return self.player
        return f"{self.player}:own={OWN},bluffs={self.length},cover={'yes' if self.form == 'all but one' else 'no'}"

    @property
    def how(self) -> str:
        """How they bluff, in words."""
        if self.form == NEVER:
            return "names no own cards on purpose"
        return f"names own cards {FORMS[self.form]}, {LENGTHS[self.length]}"

    @property
    def others(self) -> str:
        """Who sits beside, as it is typed."""
        return self.player if self.other == "alike" else self.other


@dataclass(frozen=True)
class Halves:
    """Games won and played of a cell, in two halves."""

    wins: tuple[int, int]
    games: tuple[int, int]


CELLS = (
    *(Cell(player, other, form, length) for player, other in TABLES for form in FORMS for length in LENGTHS),
    *(Cell(player, other, NEVER, 0) for player, other in TABLES if other != "alike"),
)


def play_cell(cell: Cell, games: int, seed: int, workers: Workers) -> Halves:
    """Play a cell; all cells of a player and others see the same deals."""
    number = max(1, games // (2 if cell.other == "alike" else 2 * SHARE))
    first, second = (mix((cell.bluffer, cell.others), 1, SEATS, number, 2 * seed + half, workers) for half in (0, 1))
    return Halves((first[0], second[0]), (first[1], second[1]))


def cell_row(cell: Cell, found: Halves) -> Row:
    """How often who bluffs so wins."""
    fair = f" (without it {FAIR:.0f})" if cell.other == "alike" else ""
    quantity = f"games won by {cell.player} who {cell.how}, among two {cell.other}, %{fair}"
    return rate_row(cell.id, quantity, sum(found.wins), sum(found.games), None)


def finding_rows(player: str, found: Mapping[Cell, Halves]) -> list[Row]:
    """Whether the best way to bluff among players alike wins more than a fair share, and the worst way less."""
    ways = {cell: halves for cell, halves in found.items() if (cell.player, cell.other) == (player, "alike")}
    rows = []
    for claim in published_rows("hansen2019.csv"):
        pick = max if claim["way"] == "best" else min
        cell = pick(ways, key=lambda cell: ways[cell].wins[0] / ways[cell].games[0])
        wins, games = ways[cell].wins[1], ways[cell].games[1]
        low, high = (100 * share for share in wilson(wins, games))
        above, below = low > FAIR, high < FAIR
        held, failed = (above, below) if claim["way"] == "best" else (below, above)
        said = HOLDS if held else FAILS if failed else UNDECIDED
        rows.append(
            Row(
                id=f"finding/{claim['finding']}/{player}",
                quantity=f"{claim['says']}; {player}, the {claim['way']} way of {len(ways)} (who {cell.how}), % won: {said}",
                published=None,
                measured=round(100 * wins / games, 3),
                low=round(low, 3),
                high=round(high, 3),
                games=games,
                verdict=VERDICTS[said],
            )
        )
    return rows


def play_cells(cells: Sequence[Cell], games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """The rows of some cells, and of the findings of every player of whom all cells are there."""
    progress = Progress(tell, len(cells))

    def play_one(cell: Cell, stream: Workers) -> Halves:
        found = play_cell(cell, games, seed, stream)
        progress.played()
        return found

    todo: dict[str, Callable[[Workers], Halves]] = {cell.id: partial(play_one, cell) for cell in cells}
    each = in_one_stream(workers, todo)
    found = {cell: each[cell.id] for cell in cells if cell.id in each}
    alike = len(FORMS) * len(LENGTHS)
    whole = [
        player for player in PLAYERS if sum((cell.player, cell.other) == (player, "alike") for cell in found) == alike
    ]
    return [
        *(cell_row(cell, halves) for cell, halves in found.items()),
        *(row for player in whole for row in finding_rows(player, found)),
    ]


def measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """Play every cell."""
    return play_cells(CELLS, games, seed, workers, tell)


def look_measure(games: int, seed: int, workers: Workers, tell: Tell) -> list[Row]:
    """The best player of the report's family among its like."""
    cells = [cell for cell in CELLS if (cell.player, cell.other) == (PLAYERS[-1], "alike")]
    return play_cells(cells, games, seed, workers, tell)


def look_verdict(rows: Sequence[Row]) -> str:
    """What the two findings come to."""
    said = [row.quantity.rpartition(": ")[2] for row in rows if row.id.startswith("finding/")]
    return f"that bluffing done right helps, {said[0]}; that done wrong it harms, {said[1]} (nothing but words is published)"


STUDY = Study(
    name="hansen2019",
    title="Clues about bluffing in Clue",
    source="D. M. Hansen and K. D. Hansen, Clues About Bluffing in Clue: Is Conventional Wisdom Wise?, IEEE Transactions on Games, "
    "2019: two findings of its abstract. Its text and tables could not be had.",
    default_games=6000,
    small_games=600,
    unit="%",
    sections=(
        *(
            Section(
                f"{player}/{other}/",
                f"{player} who bluffs among two {'who play alike and do not' if other == 'alike' else other}",
                "Every seat in turn; the same deals for every row, so the rows are closer to each other than their intervals say.",
            )
            for player, other in TABLES
        ),
        Section(
            "finding/", "What the abstract says", "The way is chosen in one half of the games and counted in the other."
        ),
    ),
    measure=measure,
    look=FirstLook(("finding/",), look_verdict, look_measure),
    judged="finding/",
    noun="findings",
)
