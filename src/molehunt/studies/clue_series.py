"""The series of section 5.3 of the 2020 report, game by game: who meets a person, on which seat they sit, and which deal it is.

18 tests: with n artificial players, n = 2 to 5, all mixes from n basic ones to n advanced ones, three games each. The
report shuffles the order of the players in every game; with n players a block has 3 n games, and the person sits three times on
every seat.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from molehunt.core.streams import game_seeds
from molehunt.games.speed_clue.ruleset import MAX_SEATS, MIN_SEATS

BASIC, ADVANCED = "basic", "advanced"
GAMES_A_TEST = 3
TESTS: tuple[tuple[str, ...], ...] = tuple(
    (ADVANCED,) * advanced + (BASIC,) * (players - 1 - advanced)
    for players in range(MIN_SEATS, MAX_SEATS + 1)
    for advanced in range(players)
)
"""The opponents of each test of Table 5.4, Player 2 first."""
ORDERS = ((3, 4, 6, 5), (4, 5, 3, 6), (5, 6, 4, 3), (6, 3, 5, 4))
"""In which order the numbers of players come: each once in every place, and each once after every other (Williams 1949)."""


@dataclass(frozen=True)
class SeriesGame:
    """One game: its test, counted from 0, the person's seat, and the seed of its deal.

    `columns` says for the other seats, in their order, which player of the test sits there: its column of Table 5.4, where the
    person has column 0.
    """

    test: int
    seat: int
    columns: tuple[int, ...]
    seed: int

    @property
    def players(self) -> int:
        """How many sit at the table, the person counted."""
        return len(self.columns) + 1

    @property
    def opponents(self) -> tuple[str, ...]:
        """The strategies on the other seats, in their order."""
        return tuple(TESTS[self.test][column - 1] for column in self.columns)

    @property
    def column_of(self) -> tuple[int, ...]:
        """The column of Table 5.4 of every seat."""
        return (*self.columns[: self.seat], 0, *self.columns[self.seat :])


def tests_of(players: int) -> list[int]:
    """The tests with so many players, the person counted."""
    return [number for number, test in enumerate(TESTS) if len(test) + 1 == players]


def drawn_series(seed: int, players: Sequence[int]) -> list[SeriesGame]:
    """A series whose order, seats and opponents' places are all drawn by a seed, as the report has it."""
    chance = random.Random(seed)
    found: list[SeriesGame] = []
    for count in players:
        tests = tests_of(count) * GAMES_A_TEST
        seats = [*range(count)] * GAMES_A_TEST
        chance.shuffle(tests)
        chance.shuffle(seats)
        found += [
            _game(chance, seed, len(found) + nth, *each) for nth, each in enumerate(zip(tests, seats, strict=True))
        ]
    return found


def listed_series(seed: int, person: int) -> list[SeriesGame]:
    """The series of a person of a study, counted from 0: balanced by a list, the rest drawn by the seed.

    Within a series every seat comes three times with each number of players, and the three games of a test are on three seats.
    Over 4 n people with n players, every test comes equally often on every seat in every order of the numbers of players.
    """
    chance = random.Random(seed)
    order, turn = ORDERS[person % len(ORDERS)], person // len(ORDERS)
    found: list[SeriesGame] = []
    for count in order:
        block = [
            (test, (place + repeat + turn) % count)
            for repeat in range(GAMES_A_TEST)
            for place, test in enumerate(tests_of(count))
        ]
        chance.shuffle(block)
        found += [_game(chance, seed, len(found) + nth, *each) for nth, each in enumerate(block)]
    return found


def _game(chance: random.Random, seed: int, number: int, test: int, seat: int) -> SeriesGame:
    """A game of a test on a seat, with its opponents' places drawn."""
    columns = [*range(1, len(TESTS[test]) + 1)]
    chance.shuffle(columns)
    return SeriesGame(test, seat, tuple(columns), int(game_seeds(seed, number, 1)[0]))
