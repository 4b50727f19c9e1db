"""States drawn from a view: possible, equally likely, and all of them, the truth included."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core.chance import assert_distributed, assert_uniform
from games.saboteur.playing import SWITCHES, legal, mover, pick, play, positions, saboteur, seeds_of, seen_by
from molehunt.core.game import States
from molehunt.core.streams import seat_streams
from molehunt.games.saboteur.actions import DISCARD, HIDDEN_CARD
from molehunt.games.saboteur.cards import CARD_NUMBERS, DECK_COUNTS, KINDS
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.state import DECK, DRAWN, TO_MOVE


def resampled(game: Saboteur, states: States, seat: int, count: int, first: int = 0) -> States:
    """So many states drawn from the view of one seat of the first state."""
    views = np.repeat(seen_by(game, states, seat), count)
    return game.resample(views, seat_streams(seeds_of(first, count), 1)[:, 0])


# --- Possible ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 5, 7, 10])
@pytest.mark.parametrize("items", ["", SWITCHES[-1]])
def test_seat_sees_the_same_in_every_resampled_state_and_may_do_the_same(seats: int, items: str) -> None:
    game = saboteur(seats, items)
    compared = 0
    for states in positions(game, 12):
        for seat in range(seats):
            drawn = resampled(game, states, seat, 4)
            view = seen_by(game, states, seat)
            views = game.views(drawn, np.full(4, seat, np.int8))
            assert all(again.tobytes() == view.tobytes() for again in views)
            assert list(game.legal_actions(views[0])) == list(game.legal_actions(view))
            compared += 1
    assert compared > 60


@pytest.mark.parametrize("seats", [3, 5, 8, 10])
def test_resampled_state_is_a_deal_of_one_deck_and_one_set_of_roles_and_goals(seats: int) -> None:
    game = saboteur(seats)
    for states in positions(game, 8):
        for seat in range(seats):
            for state in resampled(game, states, seat, 3):
                left = state["deck"][state["info"][DRAWN] :]
                held = state["hands"][state["hands"] >= 0]
                cards = np.bincount(np.concatenate([left, held]), minlength=KINDS)
                assert np.array_equal(cards + state["discards"].sum(axis=0) + state["played"], DECK_COUNTS)
                assert (state["deck"][: state["info"][DRAWN]] == -1).all()
                sizes = (state["hands"] >= 0).sum(axis=1)
                assert np.array_equal(sizes, state["hand_sizes"])
                assert all((state["hands"][s, : sizes[s]] >= 0).all() for s in range(10))
                assert sorted(state["goals"].tolist()) == [1, 2, 3]
                assert state["roles"].sum() == game.role_counts()[1]
                assert not state["roles"][seats:].any()


def test_resampled_state_can_be_played_to_its_end() -> None:
    game = saboteur(5)
    for states in positions(game, 6):
        drawn = resampled(game, states, mover(states), 20)
        game.play_randomly(drawn, seat_streams(seeds_of(0, 20), 1)[:, 0])
        assert (game.to_move(drawn) == -1).all()
        for state in drawn:
            gone = state["played"] + state["discards"].sum(axis=0)
            assert (gone <= DECK_COUNTS).all()


def test_resampling_of_a_finished_game_keeps_the_outcome() -> None:
    game = saboteur(5)
    states = game.new(seeds_of(0, 30))
    game.play_randomly(states, seat_streams(seeds_of(0, 30), 1)[:, 0])
    drawn = game.resample(game.views(states, np.full(30, 2, np.int8)), seat_streams(seeds_of(9, 30), 1)[:, 0])
    assert np.array_equal(game.outcome_codes(drawn), game.outcome_codes(states))


# --- From its stream alone --------------------------------------------------------------------------------------------


def test_resampled_state_is_a_function_of_view_and_stream() -> None:
    game = saboteur(5)
    for states in positions(game, 3):
        together = resampled(game, states, 1, 10)
        for number in range(10):
            alone = resampled(game, states, 1, 1, number)
            assert alone.tobytes() == together[number : number + 1].tobytes()
        assert len({state.tobytes() for state in together}) == 10


def test_stream_of_a_resampled_state_is_not_the_games() -> None:
    game = saboteur(5)
    for states in positions(game, 5):
        view = seen_by(game, states, 0)
        stream = states["stream"][:, 0].copy()
        assert game.resample(view, stream)["stream"][0, 0] != states["stream"][0, 0]
        assert stream[0] == states["stream"][0, 0]


def test_view_is_left_alone() -> None:
    game = saboteur(5)
    for states in positions(game, 2):
        view = seen_by(game, states, 3)
        before = view.tobytes()
        game.resample(view, np.array([5], np.uint64))
        assert view.tobytes() == before


# --- What varies ------------------------------------------------------------------------------------------------------


def test_what_the_seat_does_not_know_varies_and_what_it_knows_does_not() -> None:
    game = saboteur(5)
    states = game.new(seeds_of(3, 1))
    seat = mover(states)
    states["hands"][0, seat, 0] = CARD_NUMBERS["map"]
    play(game, states, "map:bottom")
    drawn = resampled(game, states, seat, 300)
    others = [other for other in range(5) if other != seat]
    for other in others:
        assert len(np.unique(drawn["roles"][:, other])) == 2
        assert len({hand.tobytes() for hand in drawn["hands"][:, other]}) == 300
    assert len({deck.tobytes() for deck in drawn["deck"]}) == 300
    assert (drawn["roles"][:, seat] == states["roles"][0, seat]).all()
    assert (drawn["hands"][:, seat] == states["hands"][0, seat]).all()
    assert (drawn["goals"][:, 2] == states["goals"][0, 2]).all()
    assert all(len(np.unique(drawn["goals"][:, goal])) == 2 for goal in (0, 1))


# --- Equally likely ---------------------------------------------------------------------------------------------------

MANY = 24_000


@pytest.fixture(scope="module")
def middle() -> tuple[Saboteur, States, int]:
    """A position in which seat 1, a miner, has seen nothing on the goals, and others have thrown cards away."""
    game = saboteur(5)
    roles = np.array([[1, 0, 0, 1, 0]], np.int8)
    states = game.new(seeds_of(8, 1), roles)
    rng = random.Random(4)
    for _ in range(30):
        moves = [str(action) for action in legal(game, states) if not str(action).startswith("map")]
        play(game, states, pick(rng, moves, 0.0))
    assert states["discards"][0, [0, 2, 3, 4]].any(axis=1).all()
    return game, states, 1


@pytest.fixture(scope="module")
def many(middle: tuple[Saboteur, States, int]) -> States:
    game, states, seat = middle
    return resampled(game, states, seat, MANY)


def unseen(middle: tuple[Saboteur, States, int]) -> dict[int, float]:
    """The share of each kind among the cards that the seat has not seen."""
    game, states, seat = middle
    counts = seen_by(game, states, seat)[0]["unseen"]
    return {kind: count / counts.sum() for kind, count in enumerate(counts.tolist()) if count}


def test_every_set_of_other_seats_holds_the_saboteurs_equally_often(many: States) -> None:
    counts = Counter(tuple(np.flatnonzero(roles).tolist()) for roles in many["roles"])
    assert set(counts) == set(itertools.combinations((0, 2, 3, 4), 2))
    assert_uniform(counts, 6)


def test_a_saboteur_looks_for_the_other_saboteurs_only() -> None:
    game = saboteur(7)
    states = game.new(seeds_of(0, 1), np.array([[0, 0, 1, 1, 0, 0, 1]], np.int8))
    counts = Counter(tuple(np.flatnonzero(roles).tolist()) for roles in resampled(game, states, 2, 9000)["roles"])
    assert set(counts) == {tuple(sorted((2, *pair))) for pair in itertools.combinations((0, 1, 3, 4, 5, 6), 2)}
    assert_uniform(counts, 15)


def test_every_order_of_the_unknown_goals_is_equally_likely(many: States) -> None:
    assert_uniform(Counter(tuple(goals.tolist()) for goals in many["goals"]), 6)


@pytest.mark.parametrize("goal", [0, 1, 2])
def test_goals_that_are_left_when_one_is_known_are_equally_likely(goal: int) -> None:
    game = saboteur(5)
    states = game.new(seeds_of(3, 1))
    seat = mover(states)
    states["hands"][0, seat, 0] = CARD_NUMBERS["map"]
    play(game, states, f"map:{('top', 'middle', 'bottom')[goal]}")
    counts = Counter(tuple(goals.tolist()) for goals in resampled(game, states, seat, 2000)["goals"])
    assert_uniform(counts, 2)
    assert all(goals[goal] == states["goals"][0, goal] for goals in counts)


@pytest.mark.parametrize(("seat", "slot"), [(0, 0), (2, 5), (4, 3)])
def test_every_unseen_card_is_in_a_hand_as_often_as_there_are_of_it(
    middle: tuple[Saboteur, States, int], many: States, seat: int, slot: int
) -> None:
    assert_distributed(Counter(many["hands"][:, seat, slot].tolist()), unseen(middle))


@pytest.mark.parametrize("place", [0, -1])
def test_every_unseen_card_is_in_the_deck_as_often_as_there_are_of_it(
    middle: tuple[Saboteur, States, int], many: States, place: int
) -> None:
    left = many["deck"][:, int(middle[1]["info"][0, DRAWN]) :]
    assert_distributed(Counter(left[:, place].tolist()), unseen(middle))


def test_every_unseen_card_was_thrown_away_as_often_as_there_are_of_it(
    middle: tuple[Saboteur, States, int], many: States
) -> None:
    # One count a draw, so that the counts are independent: the first kind that seat 3 threw away, if it was one card.
    _, states, _ = middle
    seat = next(other for other in (0, 2, 3, 4) if states["discards"][0, other].sum())
    thrown = int(states["discards"][0, seat].sum())
    total = many["discards"][:, seat].sum(axis=0) / MANY
    for kind, share in unseen(middle).items():
        # The mean of a hypergeometric count, within five standard errors.
        assert total[kind] == pytest.approx(thrown * share, abs=5 * (thrown * share / MANY) ** 0.5)


def test_roles_goals_and_cards_are_drawn_independently(many: States) -> None:
    pairs = Counter(
        (int(state["roles"][0]), int(np.argmax(state["goals"] == 1)), bool(state["hands"][0, 0] < 16)) for state in many
    )
    paths = sum(count for (_, _, path), count in pairs.items() if path) / MANY
    share = {
        (role, goal, path): (paths if path else 1 - paths) / 6
        for role in (0, 1)
        for goal in range(3)
        for path in (True, False)
    }
    assert_distributed(pairs, share)


# --- All of them, counted by hand -------------------------------------------------------------------------------------


def near_the_end(seat: int) -> tuple[Saboteur, States]:
    """Three seats; seven cards are left: two each for seats 0 and 1, one for seat 2, one in the deck, and one that seat
    2 threw away. Everything else was played. Seat 1 is the saboteur, and has looked at the goal in the middle."""
    game = saboteur(3)
    states = game.new(seeds_of(0, 1), np.array([[0, 1, 0]], np.int8))
    number = CARD_NUMBERS
    hands = [["map", "P_NS"], ["map", "rockfall"], ["map"]]
    states["hands"][0] = -1
    states["hand_sizes"][0] = 0
    for owner, cards in enumerate(hands):
        states["hands"][0, owner, : len(cards)] = [number[card] for card in cards]
        states["hand_sizes"][0, owner] = len(cards)
    states["deck"][0, DECK - 1] = number["P_NS"]
    states["discards"][0, 2, number["rockfall"]] = 1
    states["played"][0] = DECK_COUNTS
    for card in ["map"] * 3 + ["P_NS"] * 2 + ["rockfall"] * 2:
        states["played"][0, number[card]] -= 1
    states["looked"][0, 1] = 0b010
    states["info"][0, DRAWN] = DECK - 1
    states["info"][0, TO_MOVE] = seat
    return game, states


World = tuple[tuple[int, ...], ...]


def world_of(state: Any) -> World:
    """All that is hidden of a state: roles, goals, hands, what was thrown away, the deck."""
    hands = tuple(
        tuple(hand[:size].tolist()) for hand, size in zip(state["hands"][:3], state["hand_sizes"][:3], strict=True)
    )
    thrown = tuple(np.repeat(np.arange(KINDS), counts).tolist() for counts in state["discards"][:3])
    deck = tuple(state["deck"][state["info"][DRAWN] :].tolist())
    return (tuple(state["roles"][:3].tolist()), tuple(state["goals"].tolist()), *hands, *map(tuple, thrown), deck)


def all_worlds(states: States, seat: int) -> Counter[World]:
    """Every deal that a seat holds possible, as often as there are ways to deal it: all orders of all hidden things."""
    truth = states[0]
    hands = [truth["hands"][s, : truth["hand_sizes"][s]].tolist() for s in range(3)]
    thrown = [np.repeat(np.arange(KINDS), truth["discards"][s]).tolist() for s in range(3)]
    deck = truth["deck"][truth["info"][DRAWN] :].tolist()
    others = [other for other in range(3) if other != seat]
    hidden = [card for other in others for card in hands[other] + thrown[other]] + deck
    worlds: Counter[World] = Counter()
    for saboteur_seat in [seat] if truth["roles"][seat] else others:
        roles = tuple(int(s == saboteur_seat) for s in range(3))
        for goals in itertools.permutations((1, 2, 3)):
            if truth["looked"][seat] and goals[1] != truth["goals"][1]:
                continue
            for order in itertools.permutations(hidden):
                cards = iter(order)
                new_hands, new_thrown = list(map(tuple, hands)), list(map(tuple, thrown))
                for other in others:
                    new_hands[other] = tuple(next(cards) for _ in hands[other])
                    new_thrown[other] = tuple(sorted(next(cards) for _ in thrown[other]))
                worlds[(roles, goals, *new_hands, *new_thrown, tuple(cards))] += 1
    return worlds


@pytest.mark.parametrize(
    ("seat", "deals"),
    # Seat 0 does not know 2 maps, 2 rockfalls and 1 path card in 5 places: 30 orders, 2 sets of roles, 6 orders of goals.
    # Seat 1, the saboteur, has seen one goal: 2 maps, 2 path cards, 1 rockfall: 30 orders, 1, 2.
    # Seat 2 knows its own discard: 2 maps, 2 path cards, 1 rockfall in 5 places: 30 orders, 2, 6.
    [(0, 360), (1, 60), (2, 360)],
)
def test_every_possible_deal_is_drawn_as_often_as_it_can_be_dealt(seat: int, deals: int) -> None:
    game, states = near_the_end(seat)
    worlds = all_worlds(states, seat)
    total = sum(worlds.values())
    assert len(worlds) == deals
    drawn = resampled(game, states, seat, 30 * deals)
    counts = Counter(world_of(state) for state in drawn)
    assert_distributed(counts, {world: ways / total for world, ways in worlds.items()})
    assert len(counts) == deals
    assert world_of(states[0]) in counts


# --- What happened before ---------------------------------------------------------------------------------------------


class Told:
    """One random game, with what one seat was told of every move."""

    def __init__(self, number: int, seats: int) -> None:
        self.game = saboteur(seats)
        self.rng = random.Random(number)
        self.seat = self.rng.randrange(seats)
        self.states = self.game.new(seeds_of(number, 1))
        self.dealt = self.states.copy()
        self.number = number
        self.told: list[Any] = []

    def play(self) -> Iterator[int]:
        while mover(self.states) >= 0:
            yield len(self.told)
            moves = [str(action) for action in legal(self.game, self.states)]
            maps = [move for move in moves if move.startswith("map")]
            move = self.rng.choice(maps) if maps and self.rng.random() < 0.5 else pick(self.rng, moves, 0.6)
            events = play(self.game, self.states, move)
            self.told.append(events[self.seat].copy())

    def retold(self, drawn: Any) -> tuple[States, list[Any]]:
        """Play the game again so that it ends in the state `drawn`; what the seat is told then.

        Every other seat is dealt its cards in the order in which they left its hand, and then those that it still holds;
        what it threw away is what `drawn` says.
        """
        seats = self.game.seats
        thrown = {
            seat: np.repeat(np.arange(KINDS), drawn["discards"][seat]).tolist()
            for seat in range(seats)
            if seat != self.seat
        }
        moves: list[tuple[int, int]] = []
        left: dict[int, list[int]] = {seat: [] for seat in range(seats)}
        for event in self.told:
            seat, action = int(event["seat"]), int(event["action"])
            if action == HIDDEN_CARD << 20 | DISCARD << 16:
                action = thrown[seat].pop() << 20 | DISCARD << 16
            moves.append((seat, action))
            left[seat].append(action >> 20)
        assert not any(thrown.values())
        queues = {
            seat: left[seat] + drawn["hands"][seat, : drawn["hand_sizes"][seat]].tolist() for seat in range(seats)
        }
        size = int(self.dealt["hand_sizes"][0, 0])
        own = self.dealt["hands"][0, self.seat, :size].tolist() + [
            int(e["drew"]) for e in self.told if e["seat"] == self.seat and e["drew"] >= 0
        ]
        assert sorted(queues[self.seat]) == sorted(own)
        queues[self.seat] = own

        deck = [queues[seat].pop(0) for seat in range(seats) for _ in range(size)]
        drawers = [seat for seat, _ in moves][: int(drawn["info"][DRAWN]) - len(deck)]
        deck += [queues[seat].pop(0) for seat in drawers]
        deck += drawn["deck"][drawn["info"][DRAWN] :].tolist()
        assert len(deck) == DECK and not any(queues.values())

        states = self.game.new(seeds_of(self.number, 1), drawn["roles"][None, :seats])
        states["goals"][0] = drawn["goals"]
        states["deck"][0] = deck
        for seat in range(seats):
            states["hands"][0, seat, :size] = deck[size * seat : size * (seat + 1)]
        return states, [play(self.game, states, action)[self.seat].copy() for _, action in moves]


@pytest.mark.parametrize("seats", [3, 5, 7, 10])
def test_all_that_a_seat_was_told_could_have_happened_in_a_resampled_state(seats: int) -> None:
    replayed = 0
    for number in range(10):
        told = Told(number, seats)
        for turn in told.play():
            if turn % 8 != number % 8:
                continue
            drawn = resampled(told.game, told.states, told.seat, 1, turn)[0]
            states, events = told.retold(drawn)
            assert [event.tobytes() for event in events] == [event.tobytes() for event in told.told]
            for name in states.dtype.names or ():
                if name == "deck":
                    first = int(drawn["info"][DRAWN])
                    assert np.array_equal(states["deck"][0, first:], drawn["deck"][first:])
                elif name != "stream":
                    assert np.array_equal(states[name][0], drawn[name]), name
            replayed += 1
    assert replayed > 40


def test_seats_of_these_games_are_told_of_goals() -> None:
    # The test above would be weak if no goal was ever turned over or looked at.
    turned_up = looked = 0
    for number in range(20):
        told = Told(number, 5)
        for _ in told.play():
            pass
        turned_up += sum(bool(event["turned_up"]) for event in told.told)
        looked += sum(bool(event["seen"]) for event in told.told)
    assert turned_up > 3 and looked > 3
