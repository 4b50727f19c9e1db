"""A game is a function of its seed, and the deal is fair."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from core.chance import assert_distributed, assert_uniform
from games.duel.playing import CARDS, GAME, seeds_of
from molehunt.core.errors import BadInput
from molehunt.core.game import States
from molehunt.games.duel.notation import format_action
from reference.duel import ALL_CARDS, ENTRANCE, GOAL_CELLS, ReferenceDuel

MANY = 24_000
COUNTS = [ALL_CARDS[card] for card in CARDS]


@pytest.fixture(scope="module")
def many() -> States:
    return GAME.new(seeds_of(0, MANY))


# --- The seed ---------------------------------------------------------------------------------------------------------


def test_deal_does_not_depend_on_its_batch() -> None:
    seeds = seeds_of(0, 50)
    together = GAME.new(seeds)
    assert GAME.new(seeds).tobytes() == together.tobytes()
    backwards = GAME.new(seeds[::-1])[::-1]
    for number in range(50):
        assert GAME.new(seeds[number : number + 1]).tobytes() == together[number].tobytes()
        assert backwards[number].tobytes() == together[number].tobytes()
    assert len({state.tobytes() for state in together}) == 50


def test_random_games_do_not_depend_on_their_batch() -> None:
    seeds, streams = seeds_of(0, 40), seeds_of(1000, 40)
    kept = streams.copy()
    together = GAME.new(seeds)
    moves = GAME.play_randomly(together, streams)
    assert streams.tobytes() == kept.tobytes()
    alone = 0
    for number in range(40):
        states = GAME.new(seeds[number : number + 1])
        alone += GAME.play_randomly(states, streams[number : number + 1])
        assert states.tobytes() == together[number].tobytes()
    assert alone == moves


def test_the_deal_is_all_chance_that_there_is_in_a_game() -> None:
    """The stream of a game is not touched after the deal: the same moves make the same game."""
    states = GAME.new(seeds_of(0, 20))
    streams = states["stream"].copy()
    GAME.play_randomly(states, seeds_of(1, 20))
    assert np.array_equal(states["stream"], streams)


def test_large_seeds_are_seeds() -> None:
    seeds = np.array([0, 1, 2**53 - 1, 2**64 - 1], np.uint64)
    assert len({state.tobytes() for state in GAME.new(seeds)}) == 4


def test_there_are_no_roles() -> None:
    assert GAME.role_counts() == ()
    assert not GAME.roles_of(GAME.new(seeds_of(0, 3))).any()
    with pytest.raises(BadInput, match="duel has no roles to seat"):
        GAME.new(seeds_of(0, 3), np.zeros((3, 2), np.int8))


# --- The deal ---------------------------------------------------------------------------------------------------------


def test_every_deal_has_55_cards_seven_each_dealt_alternately_player_1_first(many: States) -> None:
    assert (np.sort(many["deck"], axis=1) == np.repeat(np.arange(20), COUNTS)).all()
    assert np.array_equal(many["hands"][:, 1], many["deck"][:, 0:14:2])
    assert np.array_equal(many["hands"][:, 0], many["deck"][:, 1:14:2])
    assert (many["hand_sizes"] == 7).all()
    assert (np.sort(many["goals"], axis=1) == [1, 1, 2]).all()
    begins = {"turn": 0, "to_move": 1, "drawn": 14, "outcome": 0, "winner": -1, "revealed": 0}
    assert all((many[name] == value).all() for name, value in begins.items())
    assert not any(many[name].any() for name in ("discards", "played", "malus", "looked"))


def test_every_game_begins_with_the_same_board(many: States) -> None:
    assert (many["maze"] == many["maze"][0]).all()
    board = GAME.friendly_view(GAME.views(many[:1], np.zeros(1, np.int8))).board
    assert board == {ENTRANCE: "entrance", **dict.fromkeys(GOAL_CELLS, "goal")}


def test_nugget_is_under_any_goal_equally_often(many: States) -> None:
    assert_uniform(Counter(np.argmax(many["goals"], axis=1).tolist()), 3)


@pytest.mark.parametrize("place", [0, 1, 13, 14, 54])
def test_any_place_of_the_deck_holds_each_card_equally_often(many: States, place: int) -> None:
    assert_distributed(
        Counter(many["deck"][:, place].tolist()), {kind: count / 55 for kind, count in enumerate(COUNTS)}
    )


def test_nugget_and_cards_are_dealt_apart(many: States) -> None:
    pairs = Counter(zip(np.argmax(many["goals"], axis=1).tolist(), many["deck"][:, 0].tolist(), strict=True))
    assert_distributed(pairs, {(goal, kind): count / 165 for goal in range(3) for kind, count in enumerate(COUNTS)})


def test_two_cards_are_drawn_without_putting_back(many: States) -> None:
    pairs = Counter(zip(many["deck"][:, 0].tolist(), many["deck"][:, 1].tolist(), strict=True))
    chances = {
        (one, two): first * (second - (one == two)) / (55 * 54)
        for one, first in enumerate(COUNTS)
        for two, second in enumerate(COUNTS)
        if first * (second - (one == two))
    }
    # The rarest pairs are too rare to be counted one by one.
    rare = {pair for pair, chance in chances.items() if chance * MANY < 20}
    assert set(pairs) <= set(chances)
    found, expected = Counter[object](), Counter[object]()
    for pair, chance in chances.items():
        found["rare" if pair in rare else pair] += pairs[pair]
        expected["rare" if pair in rare else pair] += chance  # type: ignore[assignment]
    assert_distributed(found, expected)


def test_neighbouring_seeds_deal_unlike_games() -> None:
    """Games of consecutive seeds hold no more cards in the same places than chance has it."""
    decks = GAME.new(np.arange(2000, dtype=np.uint64))["deck"]
    same = (decks[1:] == decks[:-1]).mean()
    chance = sum(count * count for count in COUNTS) / 55**2
    assert abs(same - chance) < 0.005


def test_reference_deals_by_the_same_rule() -> None:
    """What the slow engine takes for a deal is what a record holds: its first moves are those of the record."""
    states = GAME.new(seeds_of(7, 1))
    hands = [[CARDS[card] for card in hand] for hand in states["hands"][0].tolist()]
    slow = ReferenceDuel(["blank", "blank", "nugget"], hands, [CARDS[card] for card in states["deck"][0, 14:].tolist()])
    listed = GAME.legal_actions(GAME.views(states, np.ones(1, np.int8)))
    assert sorted(format_action(int(action)) for action in listed) == sorted(slow.legal_moves())
