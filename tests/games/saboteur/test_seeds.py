"""A game is a function of its seed, and the deal is fair."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt
import pytest

from core.chance import assert_distributed, assert_uniform
from games.saboteur.playing import saboteur, seeds_of
from molehunt.core.errors import BadInput
from molehunt.core.game import States
from molehunt.core.streams import seat_streams
from molehunt.games.saboteur.cards import DECK_COUNTS, KINDS
from molehunt.games.saboteur.ruleset import cell_place

SEATS = [3, 4, 5, 6, 7, 8, 9, 10]
MANY = 24_000


@pytest.fixture(scope="module")
def many() -> States:
    """Deals for five seats."""
    return saboteur(5).new(seeds_of(0, MANY))


def seated(games: int, seats: int, saboteurs: tuple[int, ...]) -> npt.NDArray[np.int8]:
    roles = np.zeros((games, seats), np.int8)
    roles[:, list(saboteurs)] = 1
    return roles


@pytest.mark.parametrize("seats", SEATS)
def test_deal_does_not_depend_on_its_batch(seats: int) -> None:
    game, seeds = saboteur(seats), seeds_of(0, 50)
    together = game.new(seeds)
    assert game.new(seeds).tobytes() == together.tobytes()
    backwards = game.new(seeds[::-1])[::-1]
    for number in range(50):
        assert game.new(seeds[number : number + 1]).tobytes() == together[number].tobytes()
        assert backwards[number].tobytes() == together[number].tobytes()
    assert len({state.tobytes() for state in together}) == 50


def test_random_games_do_not_depend_on_their_batch() -> None:
    game, seeds = saboteur(6), seeds_of(0, 40)
    together = game.new(seeds)
    moves = game.play_randomly(together, seat_streams(seeds, 1)[:, 0])
    alone = 0
    for number in range(40):
        states = game.new(seeds[number : number + 1])
        alone += game.play_randomly(states, seat_streams(seeds[number : number + 1], 1)[:, 0])
        assert states.tobytes() == together[number].tobytes()
    assert alone == moves


def test_large_seeds_are_seeds() -> None:
    game = saboteur(5)
    seeds = np.array([0, 1, 2**53 - 1, 2**64 - 1], np.uint64)
    assert len({state.tobytes() for state in game.new(seeds)}) == 4


@pytest.mark.parametrize("seats", SEATS)
def test_every_deal_has_67_cards_three_goals_and_an_empty_mine(seats: int) -> None:
    game = saboteur(seats)
    states = game.new(seeds_of(0, 100))
    hand = int(states["hand_sizes"][0, 0])
    for state in states:
        assert np.array_equal(np.bincount(state["deck"], minlength=KINDS), DECK_COUNTS)
        assert sorted(state["goals"].tolist()) == [1, 2, 3]
        assert np.array_equal(state["hands"][:seats, :hand].reshape(-1), state["deck"][: seats * hand])
        assert (state["hands"][:seats, hand:] == -1).all() and (state["hands"][seats:] == -1).all()
        maze = state["maze"]
        assert (int(maze["tile_count"]), int(maze["end_count"])) == (4, 3)
        assert [cell_place(cell) for cell in maze["cells"][:4].tolist()] == [(0, 2), (8, 0), (8, 2), (8, 4)]
        assert {cell_place(cell) for cell in maze["ends"][:3].tolist()} == {(0, 1), (1, 2), (0, 3)}
        assert int(maze["joined"]) == 1
        assert not any(state[name].any() for name in ("discards", "played", "broken", "looked", "claims"))
        assert not any(state[name].any() for name in ("nuggets", "gains", "packs"))
        assert state["drawn"] == seats * hand
        untouched = ("turn", "outcome", "revealed", "round", "claiming", "gold_rounds", "gold_drawn")
        assert not any(state[name] for name in untouched)


# --- Roles ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", SEATS)
def test_roles_that_are_given_leave_the_rest_of_the_deal_the_same(seats: int) -> None:
    game, seeds = saboteur(seats), seeds_of(0, 30)
    count = game.role_counts()[1]
    for saboteurs in list(combinations(range(seats), count))[:10]:
        roles = seated(30, seats, saboteurs)
        dealt, given = game.new(seeds), game.new(seeds, roles)
        assert np.array_equal(game.roles_of(given), roles)
        dealt["roles"] = given["roles"]
        assert dealt.tobytes() == given.tobytes()


def test_roles_that_are_given_may_differ_from_game_to_game() -> None:
    game, seeds = saboteur(5), seeds_of(0, 3)
    roles = np.array([[1, 1, 0, 0, 0], [0, 0, 1, 0, 1], [0, 1, 0, 1, 0]])
    assert np.array_equal(game.roles_of(game.new(seeds, roles.astype(np.int8))), roles)
    assert np.array_equal(game.roles_of(game.new(seeds, roles)), roles)


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        ([[1, 0, 0, 0, 0]], "2 saboteurs"),
        ([[1, 1, 1, 0, 0]], "2 saboteurs"),
        ([[2, 0, 0, 0, 0]], "2 saboteurs"),
        ([[1, 2, -1, 0, 0]], "2 saboteurs"),
        ([[1, 1, 0, 0]], r"shape \(1, 5\), not \(1, 4\)"),
        ([[1, 1, 0, 0, 0]] * 2, r"shape \(1, 5\), not \(2, 5\)"),
    ],
)
def test_roles_that_are_no_legal_set_are_refused(roles: list[list[int]], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        saboteur(5).new(seeds_of(0, 1), np.array(roles, np.int8))


def test_roles_of_a_state_are_a_copy() -> None:
    game = saboteur(5)
    states = game.new(seeds_of(0, 2))
    before = states.tobytes()
    game.roles_of(states)[:] = 7
    assert states.tobytes() == before


# --- Fairness ---------------------------------------------------------------------------------------------------------


def test_every_set_of_seats_is_dealt_the_saboteurs_equally_often(many: States) -> None:
    counts = Counter(tuple(np.flatnonzero(roles[:5]).tolist()) for roles in many["roles"])
    assert set(counts) == set(combinations(range(5), 2))
    assert_uniform(counts, 10)


def test_every_order_of_the_goals_is_equally_likely(many: States) -> None:
    counts = Counter(tuple(goals.tolist()) for goals in many["goals"])
    assert set(counts) == set(permutations((1, 2, 3)))
    assert_uniform(counts, 6)


def test_every_seat_begins_equally_often(many: States) -> None:
    assert_uniform(Counter(many["to_move"].tolist()), 5)


@pytest.mark.parametrize("place", [0, 5, 29, 30, 66])
def test_every_place_of_the_deck_holds_every_kind_as_often_as_there_are_cards_of_it(many: States, place: int) -> None:
    counts = Counter(many["deck"][:, place].tolist())
    assert_distributed(counts, {kind: count / 67 for kind, count in enumerate(DECK_COUNTS.tolist()) if count})


def test_roles_goals_first_seat_and_first_card_are_independent(many: States) -> None:
    first_saboteur = many["roles"][:, 0]
    gold = np.argmax(many["goals"] == 1, axis=1)
    begins = many["to_move"]
    path = many["deck"][:, 0] < 16
    pairs = Counter(zip(first_saboteur.tolist(), gold.tolist(), begins.tolist(), path.tolist(), strict=True))
    share = {
        (role, place, seat, is_path): (0.4 if role else 0.6) / 15 * ((40 if is_path else 27) / 67)
        for role in (0, 1)
        for place in range(3)
        for seat in range(5)
        for is_path in (True, False)
    }
    assert_distributed(pairs, share)


# --- Rulesets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "items", ["first_seat=3", "may_break_own=yes", "stones_let_in=no", "talk=yes", "rounds=3", "stones_face_entry=yes"]
)
def test_other_rules_leave_the_cards_of_a_seed_the_same(items: str) -> None:
    plain, other = saboteur(5).new(seeds_of(0, 20)), saboteur(5, items).new(seeds_of(0, 20))
    for name in ("deck", "hands", "roles", "goals", "stream"):
        assert np.array_equal(plain[name], other[name])
