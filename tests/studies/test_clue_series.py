"""The series of the 2020 report: drawn as the report has it, and balanced by a list for a study with people."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from molehunt.studies.clue_series import ORDERS, TESTS, drawn_series, listed_series

SEATS = (3, 4, 5, 6)


@pytest.mark.parametrize("person", [0, 5, 11])
def test_in_a_listed_series_every_test_comes_three_times_and_every_seat_equally_often(person: int) -> None:
    series = listed_series(7, person)
    assert Counter(game.test for game in series) == dict.fromkeys(range(len(TESTS)), 3)
    assert len({game.seed for game in series}) == len(series)
    for players in SEATS:
        games = [game for game in series if game.players == players]
        assert Counter(game.seat for game in games) == dict.fromkeys(range(players), 3)
        for test in {game.test for game in games}:
            assert len({game.seat for game in games if game.test == test}) == 3


def test_over_people_tests_seats_and_orders_are_crossed() -> None:
    for players in SEATS:
        met = Counter(
            (person % len(ORDERS), game.test, game.seat)
            for person in range(len(ORDERS) * players)
            for game in listed_series(person, person)
            if game.players == players
        )
        assert set(met.values()) == {3} and len(met) == len(ORDERS) * players * players


def test_every_number_of_players_stands_once_in_every_place_and_after_every_other() -> None:
    assert all(sorted(place) == [3, 4, 5, 6] for place in zip(*ORDERS, strict=True))
    assert len({pair for order in ORDERS for pair in pairwise(order)}) == 12


def test_who_sits_where_is_told_by_seat() -> None:
    for game in listed_series(3, 2):
        others = [column for column in game.column_of if column]
        assert game.column_of[game.seat] == 0 and sorted(game.column_of) == list(range(game.players))
        assert game.opponents == tuple(TESTS[game.test][column - 1] for column in others)


def test_the_same_seed_draws_the_same_series_and_another_one_another() -> None:
    assert drawn_series(1, SEATS) == drawn_series(1, SEATS) != drawn_series(2, SEATS)
    assert [game.players for game in drawn_series(1, (4, 3))] == [4] * 12 + [3] * 9
