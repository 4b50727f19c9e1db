"""Resampled states fit the view to the byte, and are drawn exactly as said: against all sets of spies, written out."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from resistance.agents.counting import suspects
from resistance.game import Resistance
from resistance_games import SEATS, make, mission, play, positions, seated, view_of, vote

DRAWS = 4000


def consistent(game: Resistance, view: Any) -> list[int]:
    """Every set of spies that a view allows, by trying all."""
    friendly = game.friendly_view(view)
    spies = game.role_counts()[1]
    found = []
    for those in combinations(range(game.seats), spies):
        knows = all(role is None or (role == "spy") == (seat in those) for seat, role in enumerate(friendly.roles))
        if knows and all(
            each.fails is None or len(set(each.team or ()) & set(those)) >= each.fails for each in friendly.missions
        ):
            found.append(sum(1 << seat for seat in those))
    return sorted(found)


def draws(game: Resistance, view: Any, count: int = DRAWS, weights: Any = None) -> Any:
    return game.resample(np.repeat(view, count), np.arange(count, dtype=np.uint64), weights)


def spies_in(game: Resistance, states: Any) -> Any:
    return game.roles_of(states).astype(np.int64) @ (1 << np.arange(game.seats))


def is_likely(counts: Any, expected: Any) -> bool:
    """Whether counts are what chances make, by chi square (five standard deviations)."""
    freedom = max(len(counts) - 1, 1)
    square = ((np.asarray(counts) - expected) ** 2 / expected).sum()
    return bool(square < freedom + 5 * np.sqrt(2 * freedom))


@pytest.mark.parametrize("seats", SEATS)
def test_the_view_of_a_resampled_state_is_the_view_to_the_byte(seats: int) -> None:
    game = make(seats)
    for number, states in enumerate(positions(game, 6, seed=seats)):
        for seat in {number % seats, int(game.to_move(states)[0])}:
            view = view_of(game, states, seat)
            again = game.resample(np.repeat(view, 3), np.arange(number, number + 3, dtype=np.uint64))
            for index in range(3):
                assert view_of(game, again[index : index + 1], seat).tobytes() == view.tobytes()
                assert game.public_view(again[index]).tobytes() == game.public_view(states).tobytes()


@pytest.mark.parametrize("seats", SEATS)
def test_only_spies_of_the_team_have_failed_missions_in_resampled_states(seats: int) -> None:
    game = make(seats)
    for number, states in enumerate(positions(game, 4, seed=seats + 20)):
        view = view_of(game, states, number % seats)
        again = draws(game, view, 20)
        spies = spies_in(game, again)
        assert set(spies) <= set(consistent(game, view))
        for each in game.friendly_view(view).missions:
            failed = again["failed_by"][:, each.number - 1].astype(np.int64)
            assert (failed & ~spies == 0).all()
            if each.team is not None:
                assert (failed & ~sum(1 << seat for seat in each.team) == 0).all()
                assert (np.bitwise_count(failed) == each.fails).all()


@pytest.mark.parametrize("seats", SEATS)
def test_every_possible_set_of_spies_is_equally_likely(seats: int) -> None:
    game = make(seats)
    looked_at = 0
    for number, states in enumerate(positions(game, 6, seed=seats + 40)):
        view = view_of(game, states, number % seats)
        wanted = consistent(game, view)
        assert [sum(1 << seat for seat in those) for those in suspects(view, game.params)] == wanted
        if number % 25 or len(wanted) == 1:
            continue
        values, counts = np.unique_counts(spies_in(game, draws(game, view)))
        assert values.tolist() == wanted
        assert is_likely(counts, DRAWS / len(wanted))
        looked_at += 1
    assert looked_at >= 3


def test_missions_rule_sets_out() -> None:
    game = make(5)
    states = seated(game, {0, 1})
    mission(game, states, "0,2", {0})
    view = view_of(game, states, 3)
    # One of 0 and 2 is a spy, and 3 is not: (0, 1), (0, 2), (0, 4), (1, 2), (2, 4).
    assert consistent(game, view) == [0b00011, 0b00101, 0b00110, 0b10001, 0b10100]
    mission(game, states, "0,1,4", {0, 1})
    assert consistent(game, view_of(game, states, 3)) == [0b00011, 0b10001]
    assert consistent(game, view_of(game, states, 2)) == [0b00011, 0b10001]
    assert consistent(game, view_of(game, states, 4)) == [0b00011]


@pytest.mark.parametrize("seats", [5, 8])
def test_weights_are_honoured(seats: int) -> None:
    game = make(seats)
    random = np.random.default_rng(seats)
    for number, states in enumerate(positions(game, 3, seed=seats + 60)):
        view = view_of(game, states, number % seats)
        wanted = consistent(game, view)
        if number % 20 or len(wanted) < 3:
            continue
        weights = random.random(1 << seats)
        weights[wanted[0]] = 0.0
        values, counts = np.unique_counts(spies_in(game, draws(game, view, weights=weights)))
        expected = {word: weights[word] for word in wanted if weights[word]}
        assert set(values) <= set(expected)
        shares = np.array([expected[word] for word in values])
        assert is_likely(counts, DRAWS * shares / sum(expected.values()))
        # The roles as given, and where nothing is left that can be, as without weights.
        only = np.zeros(1 << seats)
        only[wanted[1]] = 1.0
        assert set(spies_in(game, draws(game, view, 50, only))) == {wanted[1]}
        nothing = np.ones(1 << seats)
        nothing[wanted] = 0.0
        assert set(spies_in(game, draws(game, view, weights=nothing))) == set(wanted)


def test_which_spy_of_a_team_failed_is_equally_likely() -> None:
    game = make(7)
    states = seated(game, {0, 1, 2})
    mission(game, states, "0,1", {0})
    again = draws(game, view_of(game, states, 2))
    assert set(spies_in(game, again)) == {0b111}
    _, counts = np.unique_counts(again["failed_by"][:, 0])
    assert len(counts) == 2 and is_likely(counts, DRAWS / 2)
    # Who played themselves knows.
    assert set(draws(game, view_of(game, states, 0), 50)["failed_by"][:, 0]) == {0b1}
    assert set(draws(game, view_of(game, states, 1), 50)["failed_by"][:, 0]) == {0b1}


def test_secret_votes_are_drawn_from_both() -> None:
    game = make(5)
    states = seated(game, {0, 1})
    play(game, states, "propose:0,1", "approve", "reject", "approve")
    values, counts = np.unique_counts(draws(game, view_of(game, states, 1))["ayes"][:, 0, 0])
    assert values.tolist() == [0, 0b1, 0b100, 0b101] and is_likely(counts, DRAWS / 4)


def test_secret_cards_are_drawn_from_what_their_owners_could_have_played() -> None:
    game = make(5)
    states = seated(game, {0, 1})
    vote(game, states, "0,2")
    play(game, states, "fail")
    again = draws(game, view_of(game, states, 4))
    failed, first_is_spy = again["failed_by"][:, 0] == 1, again["roles"][:, 0] == 1
    assert not failed[~first_is_spy].any()
    assert is_likely(np.unique_counts(failed[first_is_spy]).counts, first_is_spy.sum() / 2)
    assert set(draws(game, view_of(game, states, 0), 50)["failed_by"][:, 0]) == {1}


def test_deals_lists_every_deal_once() -> None:
    game = make(5)
    states, chances = game.deals()
    assert len(states) == 50 and np.isclose(chances.sum(), 1.0)
    assert len({state.tobytes() for state in states}) == 50
    seated_states, _ = game.deals(np.array([1, 0, 0, 1, 0], np.int8))
    assert set(spies_in(game, seated_states)) == {0b1001} and len(seated_states) == 5
