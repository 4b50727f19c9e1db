"""The series of section 5.3 of the 2020 report: a person against every mix of basic and advanced players, three games each.

The person learns which strategies played only when all games with that number of players are over; so their order, and who at the
table is which, are drawn at random, and the person's seat, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from molehunt.core.language import _, later
from molehunt.core.record import Record
from molehunt.studies.clue_series import ADVANCED, BASIC, TESTS, SeriesGame, drawn_series
from molehunt.terminal.clue_setup import MAX_OPPONENTS, Setup, play_game, set_commands
from molehunt.terminal.prompts import Prompter

LETTERS = {ADVANCED: "A", BASIC: "B"}
PUBLISHED = later("In the report's Table 5.4 the human won 19 of 54 games, the advanced players 21, the basic ones 14.")


@dataclass
class Series:
    """The games played so far: `wins[test][player]` and `games[test]`, tests and players counted from 0, and the records."""

    wins: list[list[int]] = field(default_factory=lambda: [[0] * (len(test) + 1) for test in TESTS])
    games: list[int] = field(default_factory=lambda: [0] * len(TESTS))
    records: list[Record] = field(default_factory=list)

    def rows(self, players: int | None = None) -> list[list[str]]:
        """Table 5.4 as far as it was played: a row a test (with so many players), under `HEADINGS`."""
        rows = []
        for number, (test, wins, games) in enumerate(zip(TESTS, self.wins, self.games, strict=True), start=1):
            if games and players in (None, len(test) + 1):
                kinds = ["H", *(LETTERS[kind] for kind in test)]
                cells = [f"{kind} ({won})" for kind, won in zip(kinds, wins, strict=True)]
                rows.append([str(number), *cells, *["X"] * (MAX_OPPONENTS + 1 - len(cells)), str(games)])
        return rows

    def totals(self) -> dict[str, int]:
        """Wins of the human, the advanced and the basic players: by letter."""
        totals = {"H": 0, "A": 0, "B": 0}
        for test, wins in zip(TESTS, self.wins, strict=True):
            for kind, won in zip(["H", *(LETTERS[kind] for kind in test)], wins, strict=True):
                totals[kind] += won
        return totals

    def summary(self, wanted: int) -> str:
        """How many of the `wanted` games were played, and who won them."""
        won = self.totals()
        return _(
            "{games} of {wanted} games: human {human}, advanced {advanced}, basic {basic}.",
            games=sum(self.games),
            wanted=wanted,
            human=won["H"],
            advanced=won["A"],
            basic=won["B"],
        )


HEADINGS = ["Test", *(f"Player {number}" for number in range(1, MAX_OPPONENTS + 2)), "Games"]


def play_series(setup: Setup, players: Sequence[int], prompter: Prompter, series: Series) -> None:
    """Play all tests with these numbers of players (the person counted), filling `series`; LeftTable where the person leaves."""
    set_commands(prompter, setup)
    games = drawn_series(setup.seed, players)
    prompter.say(
        _(
            "A series of {number} games. Strategies are told after all games with a number of players.",
            number=len(games),
        ),
        style="bold",
    )
    begun = False
    for count, block in groupby(games, lambda game: game.players):
        together = list(block)
        for nth, game in enumerate(together, start=1):
            if begun:
                prompter.ask(_("Enter deals the next game"))
            begun = True
            prompter.say()
            prompter.say(
                _("Game {nth} of {all} with {count} players", nth=nth, all=len(together), count=count), style="bold"
            )
            _play_one(setup, game, prompter, series)
        tell_block(series, count, prompter)


def _play_one(setup: Setup, game: SeriesGame, prompter: Prompter, series: Series) -> None:
    """Play one game of a series and count it."""
    one = replace(setup, seed=game.seed, deal=0, practice=False, seat=game.seat, opponents=game.opponents)
    session = play_game(one, prompter, tell=False)
    series.games[game.test] += 1
    outcome = session.outcome
    for winner in outcome.winners if outcome else ():
        series.wins[game.test][game.column_of[winner]] += 1
    series.records.append(session.record())


def tell_block(series: Series, count: int, prompter: Prompter) -> None:
    """Turn up the strategies of all games with a number of players."""
    prompter.say()
    prompter.say(
        _("All games with {count} players are over. H is you, A advanced, B basic; wins in brackets.", count=count),
        style="bold",
    )
    for line in as_text(series.rows(count)):
        prompter.say(line)


def as_text(rows: list[list[str]]) -> list[str]:
    """The table as lines of text."""
    return ["  ".join(f"{cell:<8}" for cell in row).rstrip() for row in [HEADINGS, *rows]]


def as_markdown(rows: list[list[str]]) -> str:
    """The table as Markdown."""
    lines = [HEADINGS, ["---"] * len(HEADINGS), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def as_csv(rows: list[list[str]]) -> str:
    """The table as comma-separated values."""
    return "".join(",".join(line) + "\n" for line in [HEADINGS, *rows])
