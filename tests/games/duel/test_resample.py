"""States drawn from a view: the seat cannot tell them from the truth, and all that it holds possible comes up equally often."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import numpy.typing as npt
import pytest

from core.chance import assert_distributed, assert_uniform
from games.duel.playing import (
    CARDS,
    GAME,
    TUNNEL,
    give,
    lead,
    legal,
    mover,
    opening,
    positions,
    seeds_of,
    seen_by,
    walk,
)
from molehunt.core.game import States

MANY = 6000


def resampled(states: States, seat: int, count: int, first: int = 0) -> States:
    """So many states as this seat may imagine them."""
    return GAME.resample(np.repeat(seen_by(states, seat), count), seeds_of(first, count))


def all_cards(state: npt.NDArray[np.void]) -> list[int]:
    """How many cards of each kind a state holds, wherever they are."""
    held = [
        card for card in state["hands"].reshape(-1).tolist() + state["deck"][state["drawn"] :].tolist() if card >= 0
    ]
    return (np.bincount(held, minlength=20) + state["discards"].sum(axis=0) + state["played"]).tolist()  # type: ignore[no-any-return]


DECK = [4, 1, 1, 1, 1, 4, 5, 5, 5, 5, 3, 1, 1, 1, 1, 1, 3, 2, 4, 6]


# --- What is drawn is possible ------------------------------------------------------------------------------------------


def test_seat_cannot_tell_resampled_states_apart() -> None:
    for states in positions(10):
        for seat in (0, 1):
            view = seen_by(states, seat).tobytes()
            drawn = resampled(states, seat, 6)
            assert {seen_by(drawn[index : index + 1], seat).tobytes() for index in range(6)} == {view}
            assert len({state.tobytes() for state in drawn}) == 6


def test_final_states_are_resampled_too() -> None:
    for number in (1, 2, 4):
        *_, (states, slow) = walk(number)
        assert slow.over
        for seat in (0, 1):
            drawn = resampled(states, seat, 5)
            assert {seen_by(drawn[index : index + 1], seat).tobytes() for index in range(5)} == {
                seen_by(states, seat).tobytes()
            }


def test_resampled_states_are_whole() -> None:
    """55 cards, each in one place; one nugget; the sizes of the true state."""
    for states in positions(10):
        for seat in (0, 1):
            for state in resampled(states, seat, 4):
                assert all_cards(state) == DECK
                assert sorted(state["goals"].tolist()) == [1, 1, 2]
                sizes = state["hand_sizes"].tolist()
                assert sizes == states["hand_sizes"][0].tolist()
                for other in (0, 1):
                    hand = state["hands"][other]
                    assert (hand[: sizes[other]] >= 0).all() and (hand[sizes[other] :] == -1).all()
                assert state["discards"].sum(axis=1).tolist() == states["discards"][0].sum(axis=1).tolist()


def test_resampled_states_are_played_on_like_any_other() -> None:
    for states in positions(5, every=11):
        drawn = resampled(states, mover(states), 20)
        for action in list(legal(states))[::9]:
            GAME.apply(drawn.copy(), np.full(20, int(action), np.int32))
        GAME.play_randomly(drawn, seeds_of(0, 20))
        assert (GAME.outcome_codes(drawn) >= 0).all()
        assert all(all_cards(state) == DECK for state in drawn)


def test_resampling_is_a_function_of_its_stream() -> None:
    states = opening(*TUNNEL)
    views = np.repeat(seen_by(states, 0), 8)
    together = GAME.resample(views, seeds_of(3, 8))
    assert GAME.resample(views, seeds_of(3, 8)).tobytes() == together.tobytes()
    for index in range(8):
        assert GAME.resample(views[:1], seeds_of(3 + index, 1)).tobytes() == together[index : index + 1].tobytes()
    # The games that start from it deal differently from each other and from the true one.
    assert len({*together["stream"][:, 0].tolist(), int(states["stream"][0, 0])}) == 9


# --- How often --------------------------------------------------------------------------------------------------------


def places(states: States) -> Counter[int]:
    return Counter(np.argmax(states["goals"], axis=1).tolist())


def test_nugget_is_under_any_goal_equally_often() -> None:
    assert_uniform(places(resampled(opening(), 0, MANY)), 3)


@pytest.mark.parametrize(
    ("goals", "seat", "possible"),
    [
        # Seat 1 looks left, seat 0 looks right.
        ("nugget blank blank", 1, {0}),
        ("nugget blank blank", 0, {0, 1}),
        ("blank nugget blank", 1, {1, 2}),
        ("blank nugget blank", 0, {0, 1}),
        ("blank blank nugget", 1, {1, 2}),
        ("blank blank nugget", 0, {2}),
    ],
)
def test_nugget_is_where_the_maps_of_the_seat_allow(goals: str, seat: int, possible: set[int]) -> None:
    found = places(resampled(opening("map:left", "map:right", goals=goals), seat, MANY // 2))
    assert set(found) == possible
    if len(possible) > 1:
        assert_uniform(found, len(possible))


def test_nugget_is_not_under_a_goal_that_was_reached() -> None:
    states = opening(*TUNNEL, "8@11,5")
    assert states["revealed"][0] == 2
    assert_uniform(places(resampled(states, 0, MANY)), 2)
    lead(states, "map:left")
    assert set(places(resampled(states, 1, MANY))) == {2}
    assert_uniform(places(resampled(states, 0, MANY)), 2)


@pytest.mark.parametrize("seat", [0, 1])
def test_every_place_of_a_hidden_card_holds_each_unseen_card_equally_often(seat: int) -> None:
    """The first and the last card of the other's hand, the next card and the last of the deck, and one of the discards."""
    states = opening("drop:5", "drop:8", "0@6,5", "drop:9", "drop:6", "malus", number=3)
    view = seen_by(states, seat)[0]
    # 55 cards without the seven in hand, two discarded oneself, and two played.
    assert int(view["unseen"].sum()) == 44
    chances = {kind: int(count) / 44 for kind, count in enumerate(view["unseen"]) if count}
    drawn = resampled(states, seat, MANY)
    next_card = int(states["drawn"][0])
    for cards in (
        drawn["hands"][:, 1 - seat, 0],
        drawn["hands"][:, 1 - seat, 6],
        drawn["deck"][:, next_card],
        drawn["deck"][:, 54],
    ):
        assert_distributed(Counter(cards.tolist()), chances)
    discarded = Counter(
        {kind: int(count) for kind, count in enumerate(drawn["discards"][:, 1 - seat].sum(axis=0)) if count}
    )
    assert sum(discarded.values()) == 2 * MANY
    assert_distributed(discarded, chances)


def late(number: int) -> States:
    """A position in which the deck is gone and both hold three cards; the discards of seat 1 but one were played instead."""
    for states, slow in walk(number):
        if len(slow.hands[1]) == 3 and slow.to_move == 0:
            late = states.copy()
            discards = late["discards"][0, 1]
            kept = int(np.flatnonzero(discards)[-1])
            late["played"][0] += discards
            late["played"][0, kept] -= 1
            discards[:] = 0
            discards[kept] = 1
            return late
    raise AssertionError("the game ended before")


@pytest.mark.parametrize("number", [0, 5, 10])
def test_late_deals_come_up_as_often_as_the_orders_of_the_cards_say(number: int) -> None:
    """The other's hand, the other's drop and the nugget together, against a count of all orders of the unseen cards."""
    states = late(number)
    view = seen_by(states, 0)[0]
    pool = [kind for kind, count in enumerate(view["unseen"]) for _ in range(count)]
    assert len(pool) == 4
    known = view["goals"].tolist()
    nuggets = [goal for goal in range(3) if known[goal] == 2 or (known[goal] == 0 and 2 not in known)]
    orders = Counter((order[:3], order[3], nugget) for order in permutations(pool) for nugget in nuggets)
    chances = {deal: count / orders.total() for deal, count in orders.items()}
    drawn = resampled(states, 0, MANY)
    found = Counter(
        (tuple(state["hands"][1, :3].tolist()), int(np.argmax(state["discards"][1])), int(np.argmax(state["goals"])))
        for state in drawn
    )
    assert len(chances) >= 4
    assert_distributed(found, chances)


def test_two_hidden_cards_are_drawn_without_putting_back() -> None:
    """Malus is in the deck twice: both, one and none of them among the other's seven cards and the rest of the deck."""
    states = opening(number=6)
    give(states, *CARDS[:7], seat=0)
    view = seen_by(states, 0)[0]
    assert view["unseen"][CARDS.index("malus")] == 2
    drawn = resampled(states, 0, MANY)
    found = Counter((drawn["hands"][:, 1] == CARDS.index("malus")).sum(axis=1).tolist())
    pairs = 48 * 47
    assert_distributed(found, {2: 7 * 6 / pairs, 1: 2 * 7 * 41 / pairs, 0: 41 * 40 / pairs})


def test_resampled_truth_is_one_of_many() -> None:
    """What really lies hidden comes up, too: the true hand of the other at a late position."""
    states = late(0)
    hand = sorted(states["hands"][0, 1, :3].tolist())
    drawn = resampled(states, 0, 500)
    assert any(sorted(state["hands"][1, :3].tolist()) == hand for state in drawn)
