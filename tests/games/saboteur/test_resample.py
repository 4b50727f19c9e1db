"""States drawn from a view: possible, equally likely, and all of them, the truth included."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from core.chance import assert_distributed, assert_uniform
from games.saboteur.playing import SWITCHES, legal, mover, pick, play, positions, saboteur, seeds_of, seen_by, table
from molehunt.core.game import States
from molehunt.core.streams import seat_streams
from molehunt.games.saboteur.actions import CLAIM, DISCARD, HIDDEN_CARD, unpack
from molehunt.games.saboteur.cards import CARD_NUMBERS, DECK_COUNTS, KINDS
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.state import DECK, NOT_KNOWN
from reference.saboteur_match import GOLD_CARDS, pay_saboteurs, share_out


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
                left = state["deck"][state["drawn"] :]
                held = state["hands"][state["hands"] >= 0]
                cards = np.bincount(np.concatenate([left, held]), minlength=KINDS)
                assert np.array_equal(cards + state["discards"].sum(axis=0) + state["played"], DECK_COUNTS)
                assert (state["deck"][: state["drawn"]] == -1).all()
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
    left = many["deck"][:, int(middle[1]["drawn"][0]) :]
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
    states["discard_counts"][0, 2] = 1
    states["played"][0] = DECK_COUNTS
    for card in ["map"] * 3 + ["P_NS"] * 2 + ["rockfall"] * 2:
        states["played"][0, number[card]] -= 1
    states["looked"][0, 1] = 0b010
    states["drawn"][0] = DECK - 1
    states["to_move"][0] = seat
    return game, states


World = tuple[tuple[int, ...], ...]


def world_of(state: Any) -> World:
    """All that is hidden of a state: roles, goals, hands, what was thrown away, the deck."""
    hands = tuple(
        tuple(hand[:size].tolist()) for hand, size in zip(state["hands"][:3], state["hand_sizes"][:3], strict=True)
    )
    thrown = tuple(np.repeat(np.arange(KINDS), counts).tolist() for counts in state["discards"][:3])
    deck = tuple(state["deck"][state["drawn"] :].tolist())
    return (tuple(state["roles"][:3].tolist()), tuple(state["goals"].tolist()), *hands, *map(tuple, thrown), deck)


def all_worlds(states: States, seat: int) -> Counter[World]:
    """Every deal that a seat holds possible, as often as there are ways to deal it: all orders of all hidden things."""
    truth = states[0]
    hands = [truth["hands"][s, : truth["hand_sizes"][s]].tolist() for s in range(3)]
    thrown = [np.repeat(np.arange(KINDS), truth["discards"][s]).tolist() for s in range(3)]
    deck = truth["deck"][truth["drawn"] :].tolist()
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
    """One random game of one round, with what one seat was told of every move."""

    def __init__(self, number: int, seats: int, ruleset: str = "krisnadi") -> None:
        self.game = table(ruleset, seats)
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
        drawers: list[int] = []
        left: dict[int, list[int]] = {seat: [] for seat in range(seats)}
        for event in self.told:
            seat, action = int(event["seat"]), int(event["action"])
            if action == HIDDEN_CARD << 20 | DISCARD << 16:
                action = thrown[seat].pop() << 20 | DISCARD << 16
            moves.append((seat, action))
            if unpack(action)[0] != CLAIM:
                drawers.append(seat)
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
        deck += [queues[seat].pop(0) for seat in drawers[: int(drawn["drawn"]) - len(deck)]]
        deck += drawn["deck"][drawn["drawn"] :].tolist()
        assert len(deck) == DECK and not any(queues.values())

        states = self.game.new(seeds_of(self.number, 1), drawn["roles"][None, :seats])
        states["goals"][0] = drawn["goals"]
        states["gold"][0] = drawn["gold"]
        states["deck"][0] = deck
        for seat in range(seats):
            states["hands"][0, seat, :size] = deck[size * seat : size * (seat + 1)]
        return states, [play(self.game, states, action)[self.seat].copy() for _, action in moves]


ONE_ROUND = [("krisnadi", seats) for seats in (3, 5, 7, 10)]
ONE_ROUND += [("official+talk:rounds=1", 3), ("official+talk:rounds=1", 8), ("veldhuis:rounds=1", 5)]


@pytest.mark.parametrize(("ruleset", "seats"), ONE_ROUND)
def test_all_that_a_seat_was_told_could_have_happened_in_a_resampled_state(ruleset: str, seats: int) -> None:
    replayed = 0
    for number in range(10):
        told = Told(number, seats, ruleset)
        for turn in told.play():
            if turn % 8 != number % 8:
                continue
            drawn = resampled(told.game, told.states, told.seat, 1, turn)[0]
            states, events = told.retold(drawn)
            assert [event.tobytes() for event in events] == [event.tobytes() for event in told.told]
            for name in states.dtype.names or ():
                if name == "deck":
                    first = int(drawn["drawn"])
                    assert np.array_equal(states["deck"][0, first:], drawn["deck"][first:])
                elif name != "stream":
                    assert np.array_equal(states[name][0], drawn[name]), name
            replayed += 1
    assert replayed > 40


def test_seats_of_these_games_are_told_of_goals() -> None:
    # The test above would be weak if no goal was ever turned over or looked at.
    revealed = looked = 0
    for number in range(20):
        told = Told(number, 5)
        for _ in told.play():
            pass
        revealed += sum(bool(event["revealed"]) for event in told.told)
        looked += sum(bool(event["seen"]) for event in told.told)
    assert revealed > 3 and looked > 3


# --- Rounds, hidden roles and talk ------------------------------------------------------------------------------------

MORE_RULESETS = [("official", 3), ("official", 5), ("official", 10), ("official+talk", 7), ("veldhuis", 5)]
MORE_RULESETS += [("krisnadi:rounds=3,payment=shares", 6), ("veldhuis:payment=shares,hidden_role=yes", 5)]
MORE_RULESETS += [("official:pack=miners", 6), ("official:pack=miners,broken_unpaid=yes", 5)]


def gold_of(
    roles: list[list[int]], takers: list[int], packs: list[list[int]], seats: int, unpaid: list[int] | None = None
) -> tuple[list[int], list[int]]:
    """What everybody has after some rounds, and the gold cards that are left, by the slow engine."""
    left_out = unpaid or [0] * len(roles)
    left = sorted(GOLD_CARDS)
    purses = [0] * seats
    for row, taker, pack, out in zip(roles, takers, packs, left_out, strict=True):
        names = [("unpaid" if out >> seat & 1 else "miner", "saboteur")[role] for seat, role in enumerate(row)]
        if taker == NOT_KNOWN and "unpaid" in names:
            continue
        if taker == NOT_KNOWN:
            paid, left = pay_saboteurs(left, names)
        else:
            paid = share_out(pack, names, taker)
            for card in pack:
                left.remove(card)
        purses = [had + got for had, got in zip(purses, paid.income, strict=True)]
    return purses, left


def test_packs_are_as_large_as_there_are_miners_and_broken_ones_get_nothing() -> None:
    packs = unpaid = 0
    for states in positions(table("official:pack=miners,broken_unpaid=yes", 5), 24, every=17, digs=0.9):
        state = states[0]
        for number in range(int(state["round"])):
            size = int((state["packs"][number] > 0).sum())
            out = int(state["unpaid"][number])
            assert all(state["past_roles"][number, seat] == 0 for seat in range(5) if out >> seat & 1)
            assert not out >> max(int(state["takers"][number]), 0) & 1 or state["takers"][number] == NOT_KNOWN
            assert size in (0, int((state["past_roles"][number, :5] == 0).sum()))
            packs += size > 0
            unpaid += out > 0
    assert packs > 5 and unpaid > 2


@pytest.mark.parametrize(("ruleset", "seats"), MORE_RULESETS)
def test_seat_sees_the_same_in_every_resampled_state_of_every_round(ruleset: str, seats: int) -> None:
    game = table(ruleset, seats)
    rounds: Counter[int] = Counter()
    golden = hidden = 0
    for states in positions(game, 9, every=11, digs=0.9):
        number = int(states["round"][0])
        rounds[number] += 1
        golden += bool(states["gold_rounds"][0])
        for seat in range(seats):
            drawn = resampled(game, states, seat, 3)
            view = seen_by(game, states, seat)
            views = game.views(drawn, np.full(3, seat, np.int8))
            assert all(again.tobytes() == view.tobytes() for again in views)
            assert list(game.legal_actions(views[0])) == list(game.legal_actions(view))
            known = game.friendly_view(view).known_gold
            for state in [states[0], *drawn]:
                purses = zip(known, state["nuggets"].tolist(), strict=False)
                assert all(count in {None, purse} for count, purse in purses)
            hidden += len({state["nuggets"].tobytes() for state in drawn}) > 1
    assert min(rounds[number] for number in range(game.ruleset.rounds)) > 10
    assert golden > 10
    assert hidden > 10 or game.ruleset.payment == "pieces"


@pytest.mark.parametrize(("ruleset", "seats"), MORE_RULESETS)
def test_resampled_state_of_every_round_is_a_deal_of_one_deck_one_set_of_roles_and_one_pile(
    ruleset: str, seats: int
) -> None:
    game = table(ruleset, seats)
    saboteurs, counts = game.role_counts()[1], game.ruleset.deck_counts()
    numbers = set()
    for states in positions(game, 6, every=13, digs=0.9):
        number = int(states["round"][0])
        for seat in range(seats):
            for state in resampled(game, states, seat, 2):
                left = state["deck"][state["drawn"] :]
                held = state["hands"][state["hands"] >= 0]
                dealt = np.bincount(np.concatenate([left, held]), minlength=KINDS)
                assert np.array_equal(dealt + state["discards"].sum(axis=0) + state["played"], counts)
                assert sorted(state["goals"].tolist()) == [1, 2, 3]
                numbers.add(saboteurs - int(state["roles"].sum()))
                assert not state["roles"][seats:].any()
                if game.ruleset.payment == "pieces":
                    continue
                # Purses and pile are what the packs and the roles of past rounds make of one pile of gold.
                packs = [[card for card in pack if card > 0] for pack in state["packs"][:number].tolist()]
                roles = state["past_roles"][:number, :seats].tolist()
                unpaid = state["unpaid"][:number].tolist()
                purses, pile = gold_of(roles, state["takers"][:number].tolist(), packs, seats, unpaid)
                assert state["nuggets"][:seats].tolist() == purses
                drawn = int(state["gold_drawn"])
                assert sorted(state["gold"][drawn:].tolist()) == pile
                assert sorted(state["gold"].tolist()) == sorted(GOLD_CARDS)
    assert numbers == ({0, 1} if game.ruleset.hidden_role else {0})


@pytest.mark.parametrize(("ruleset", "seats"), MORE_RULESETS)
def test_resampled_state_of_every_round_can_be_played_to_its_end(ruleset: str, seats: int) -> None:
    game = table(ruleset, seats)
    for states in positions(game, 3, every=29, digs=0.9):
        drawn = resampled(game, states, mover(states), 10)
        game.play_randomly(drawn, seat_streams(seeds_of(0, 10), 1)[:, 0])
        assert (game.to_move(drawn) == -1).all()


def test_resampling_of_a_finished_game_of_three_rounds_keeps_the_outcome() -> None:
    for ruleset, seats in MORE_RULESETS:
        game = table(ruleset, seats)
        states = game.new(seeds_of(0, 20))
        game.play_randomly(states, seat_streams(seeds_of(0, 20), 1)[:, 0])
        views = game.views(states, np.full(20, 2, np.int8))
        drawn = game.resample(views, seat_streams(seeds_of(9, 20), 1)[:, 0])
        assert [game.outcome(state) for state in drawn] == [game.outcome(state) for state in states]


@pytest.mark.parametrize("role", [0, 1])
@pytest.mark.parametrize("seats", [3, 5, 7, 10])
def test_hidden_roles_are_drawn_as_often_as_they_can_be_dealt(seats: int, role: int) -> None:
    game = table("official", seats)
    saboteurs = game.role_counts()[1]
    seat = 1
    # Every order of the role cards is a deal; those that give this seat its role are what it holds possible.
    others = [1] * (saboteurs - role) + [0] * (seats - saboteurs + role)
    worlds: Counter[tuple[int, ...]] = Counter()
    for places in itertools.combinations(range(seats), sum(others)):
        dealt = [int(place in places) for place in range(seats)]
        # The last of the cards that others may have stays unseen.
        worlds[tuple(dealt[:-1])] += 1
    total = sum(worlds.values())
    states = game.new(seeds_of(0, 1))
    states["roles"][0, seat] = role
    found = Counter(
        tuple(np.delete(roles[:seats], seat).tolist()) for roles in resampled(game, states, seat, 12_000)["roles"]
    )
    if len(worlds) == 1:
        assert set(found) == set(worlds)
        return
    assert_distributed(found, {world: ways / total for world, ways in worlds.items()})


def test_a_lie_is_not_to_be_told_from_the_truth_by_those_who_have_not_looked() -> None:
    for ruleset, seats in (("official+talk", 6), ("veldhuis", 5)):
        game = table(ruleset, seats)
        compared = 0
        for states in positions(game, 12, every=5):
            maps = [str(action) for action in legal(game, states) if str(action).startswith("map")]
            for move in maps[:1]:
                seat, goal = mover(states), ("top", "middle", "bottom").index(move[4:])
                # The same position with another goal there, which nobody knows but those who have looked.
                free = [other for other in range(3) if other != goal and not states["revealed"][0] >> other & 1]
                if not free:
                    continue
                flipped = states.copy()
                flipped["goals"][0, [goal, free[0]]] = flipped["goals"][0, [free[0], goal]]
                pair = 1 << goal | 1 << free[0]
                blind = [other for other in range(seats) if other != seat and not states["looked"][0, other] & pair]
                for claimed in ("gold", "stone"):
                    one, other = states.copy(), flipped.copy()
                    for made in (move, f"claim:{move[4:]}={claimed}"):
                        told, told_there = play(game, one, made), play(game, other, made)
                        for watcher in blind:
                            assert told[watcher].tobytes() == told_there[watcher].tobytes()
                            assert seen_by(game, one, watcher).tobytes() == seen_by(game, other, watcher).tobytes()
                            compared += 1
                    # Its player sees the difference, unless the next round was dealt.
                    same = seen_by(game, one, seat).tobytes() == seen_by(game, other, seat).tobytes()
                    assert same == (one["round"][0] > states["round"][0] and mover(one) >= 0)
        assert compared > 100


def test_a_claim_does_not_change_what_a_seat_holds_possible() -> None:
    game = table("official+talk", 5)
    states = game.new(seeds_of(3, 1))
    seat = mover(states)
    states["hands"][0, seat, 0] = CARD_NUMBERS["map"]
    play(game, states, "map:top")
    play(game, states, "claim:top=gold")
    drawn = resampled(game, states, (seat + 1) % 5, 6000)
    assert_uniform(Counter(tuple(goals.tolist()) for goals in drawn["goals"]), 6)
    assert (drawn["claims"] == states["claims"]).all()


# --- Gold -------------------------------------------------------------------------------------------------------------

History = tuple[tuple[tuple[int, ...], ...], tuple[int, ...], tuple[int, ...]]
"""The packs of the rounds, what everybody has, and how many cards of one, two and three nuggets are left."""


def gold_histories(
    roles: list[list[int]], takers: list[int], seats: int, packs: tuple[tuple[int, ...], ...] = ()
) -> Iterator[tuple[tuple[tuple[int, ...], ...], Fraction]]:
    """All that the packs of some rounds may have been, with its chance: each pack by its values, the best first."""
    if len(packs) == len(roles):
        yield packs, Fraction(1)
        return
    number = len(packs)
    if takers[number] == NOT_KNOWN:
        yield from gold_histories(roles, takers, seats, (*packs, ()))
        return
    _, left = gold_of(roles[:number], takers[:number], [list(pack) for pack in packs], seats)
    size = min(seats, 9, len(left))
    pile = [left.count(value) for value in (1, 2, 3)]
    for twos in range(size + 1):
        for threes in range(size - twos + 1):
            ones = size - twos - threes
            ways = math.comb(pile[0], ones) * math.comb(pile[1], twos) * math.comb(pile[2], threes)
            if ways:
                pack = (3,) * threes + (2,) * twos + (1,) * ones
                chance = Fraction(ways, math.comb(len(left), size))
                for later, share in gold_histories(roles, takers, seats, (*packs, pack)):
                    yield later, chance * share


def after_rounds(
    seats: int, rounds: list[tuple[list[int], int | None]], number: int, ruleset: str = "official", games: int = 1
) -> tuple[Saboteur, States]:
    """Games in their second or third round: for each round that is over the saboteurs, and who reached the gold (None: the
    cards ran out)."""
    game = table(ruleset, seats)
    states = game.new(seeds_of(number, games))

    def play_everywhere(move: str) -> None:
        game.apply(states, np.full(games, game.parse_action(move), np.int32))

    for saboteurs, last in rounds:
        states["roles"] = 0
        states["roles"][:, saboteurs] = 1
        if last is None:
            states["hands"], states["hand_sizes"] = -1, 0
            states["drawn"] = DECK
            states["to_move"] = 0
            states["hands"][:, 0, 0], states["hand_sizes"][:, 0] = CARD_NUMBERS["map"], 1
            play_everywhere("discard:map")
            continue
        states["goals"] = [2, 1, 3]
        for x in range(1, 8):
            states["to_move"] = last
            states["hands"][:, last, 0] = CARD_NUMBERS["P_EW"]
            play_everywhere(f"P_EW@{x},0")
    return game, states


def history_of(state: Any, seats: int, rounds: int) -> History:
    drawn = int(state["gold_drawn"])
    left = state["gold"][drawn:].tolist()
    packs = tuple(tuple(card for card in pack if card) for pack in state["packs"][:rounds].tolist())
    return packs, tuple(state["nuggets"][:seats].tolist()), tuple(left.count(value) for value in (1, 2, 3))


def left_of(states: States) -> npt.NDArray[np.int64]:
    """How many cards of one, two and three nuggets are left in each state: shape (states, 3)."""
    lying = np.arange(states["gold"].shape[1]) >= states["gold_drawn"][:, None]
    return np.stack([(lying & (states["gold"] == value)).sum(axis=1) for value in (1, 2, 3)], axis=1)


def histories_of(states: States, seats: int, rounds: int) -> Counter[History]:
    """How often each history is that of a state. States that are alike in all that makes it are looked at once."""
    packs, purses = states["packs"][:, :rounds].reshape(len(states), -1), states["nuggets"][:, :seats]
    _, places, counts = np.unique(
        np.column_stack([packs, purses, left_of(states)]), axis=0, return_index=True, return_counts=True
    )
    found: Counter[History] = Counter()
    for place, count in zip(places.tolist(), counts.tolist(), strict=True):
        found[history_of(states[place], seats, rounds)] += count
    return found


GOLD_CASES: dict[str, tuple[int, list[tuple[list[int], int | None]]]] = {
    "one pack": (5, [([1, 4], 2)]),
    "one pack, reached by a saboteur": (5, [([1, 4], 1)]),
    "three seats": (3, [([1], 0)]),
    "three seats, all miners": (3, [([], 1)]),
    "ten seats": (10, [([0, 1, 2, 3], 9)]),
    "saboteurs, then a pack": (4, [([3], None), ([2], 1)]),
    "a pack, then saboteurs": (5, [([1, 4], 3), ([0, 2], None)]),
    "two packs": (4, [([1], 0), ([], 3)]),
    "two packs among three": (3, [([2], 0), ([0], 2)]),
}


@pytest.mark.parametrize("case", GOLD_CASES)
def test_gold_that_others_hold_is_drawn_as_often_as_it_can_have_been(case: str) -> None:
    seats, rounds = GOLD_CASES[case]
    draws = 8000
    for number, seat in itertools.product(range(2), range(min(seats, 4))):
        game, states = after_rounds(seats, rounds, number)
        truth = history_of(states[0], seats, len(rounds))
        view = seen_by(game, states, seat)[0]
        roles = [[int(other in saboteurs) for other in range(seats)] for saboteurs, _ in rounds]
        takers = view["takers"][: len(rounds)].tolist()
        # All that can have been, if it is what the seat saw.
        possible: dict[History, Fraction] = {}
        for packs, chance in gold_histories(roles, takers, seats):
            purses, left = gold_of(roles, takers, [list(pack) for pack in packs], seats)
            seen = [
                pack[taken_before_by_slow(row, taker, seat, len(pack)) :]
                for pack, row, taker in zip(packs, roles, takers, strict=True)
            ]
            seen_there = [tuple(card for card in pack if card > 0) for pack in view["packs"][: len(rounds)].tolist()]
            # How many cards are left all can see, and so how many the saboteurs were paid with.
            fewer = len(left) == len(GOLD_CARDS) - view["gold_drawn"]
            if purses[seat] == view["nuggets"][seat] and seen == seen_there and fewer:
                counts = tuple(left.count(value) for value in (1, 2, 3))
                possible[packs, tuple(purses), counts] = chance
        total = sum(possible.values())
        assert truth in possible
        drawn = resampled(game, states, seat, draws)
        found = histories_of(drawn, seats, len(rounds))
        assert set(found) <= set(possible)
        # What is too rare for the test counts together, and with the most frequent where even that is rare.
        shares: dict[History | None, float] = {}
        for history, chance in possible.items():
            share = float(chance / total)
            key = history if share * draws >= 10 else None
            shares[key] = shares.get(key, 0.0) + share
        merged: Counter[History | None] = Counter()
        best = max((key for key in shares if key is not None), key=lambda key: shares[key])
        if shares.get(None, 1.0) * draws < 10:
            shares[best] += shares.pop(None)
        for history, count in found.items():
            key = history if history in shares else None if None in shares else best
            merged[key] += count
        if len(shares) > 1:
            assert_distributed(merged, shares)
        # The pile lies in any order.
        alike = drawn[(left_of(drawn) == truth[2]).all(axis=1)]
        first = Counter(alike["gold"][np.arange(len(alike)), alike["gold_drawn"]].tolist())
        same = sum(first.values())
        expected = {value: count / sum(truth[2]) for value, count in enumerate(truth[2], start=1) if count}
        if same * min(expected.values()) >= 5:
            assert_distributed(first, expected)


def taken_before_by_slow(roles: list[int], taker: int, seat: int, size: int) -> int:
    """How many cards of a pack were gone when it came to a seat first."""
    if taker == NOT_KNOWN:
        return 0
    paid = share_out(list(range(size)), [("miner", "saboteur")[role] for role in roles], taker)
    return size - len(paid.packs[seat])


@pytest.mark.parametrize("case", ["saboteurs, then a pack", "a pack, then saboteurs", "two packs"])
def test_the_pile_lies_in_truth_as_resampling_says(case: str) -> None:
    # Over many games: the next card of the pile is a one, two or three as often as there are such cards.
    seats, rounds = GOLD_CASES[case]
    expected: Counter[int] = Counter()
    found: Counter[int] = Counter()
    _, states = after_rounds(seats, rounds, 0, games=3000)
    for gold, drawn in zip(states["gold"].tolist(), states["gold_drawn"].tolist(), strict=True):
        found[gold[drawn]] += 1
        expected.update(gold[drawn:])
    total = sum(expected.values())
    assert_distributed(found, {value: count / total for value, count in expected.items()})
