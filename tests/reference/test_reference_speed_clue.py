"""The reference engine and players of Speed Clue: hand-worked positions, random games, deductions against every deal."""

from __future__ import annotations

import copy
import random
from collections import Counter
from itertools import chain

import pytest

from .speed_clue import (
    FULL_EDITION,
    Edition,
    Event,
    IllegalMove,
    ReferenceClue,
    Suggestion,
    Triple,
    View,
    all_cards,
    cards_of,
    hand_sizes,
    new_game,
    suggest,
    triples,
)
from .speed_clue_players import (
    DEDUCTION_6,
    NO_KNOWLEDGE,
    OVERALL,
    STRATEGIES,
    Deal,
    Knowledge,
    ReferencePlayer,
    Source,
    advanced_suggestions,
    answer,
    basic_suggestions,
    next_possible_suggestions,
    no_intelligence_suggestions,
    play,
    possible_deals,
    previous_possible_suggestions,
)

SMALL: Edition = (["Red", "Blue", "Green"], ["Axe", "Bow", "Club"], ["Attic", "Barn", "Cave", "Den"])
ENVELOPE: Triple = ("Red", "Axe", "Attic")
HANDS = [["Blue", "Bow", "Barn"], ["Green", "Club"], ["Cave", "Den"]]

ORDERS = ["mitchell", "contest"]


def position(*moves: str, order: str = "mitchell", first_seat: int = 0, max_suggestions: int = 512) -> ReferenceClue:
    """The small edition with the deal above, after some moves. Who has but one card to show has shown it."""
    game = ReferenceClue(SMALL, order, ENVELOPE, HANDS, first_seat, max_suggestions)
    for move in moves:
        play_and_show(game, move)
    return game


def play_and_show(game: ReferenceClue, move: str) -> None:
    """Play one move. Who must answer it and has but one card to show shows it."""
    game.apply(move)
    if game.phase == "answer" and len(game.legal_moves()) == 1:
        game.apply(game.legal_moves()[0])


def accusations_of(game: ReferenceClue) -> list[Triple]:
    """The accusations that are legal now."""
    return [cards_of(move) for move in game.legal_moves() if move.startswith("accuse ")]


# --- Cards and hands --------------------------------------------------------------------------------------------------


def test_there_are_6_suspects_6_weapons_and_9_locations() -> None:
    assert [len(category) for category in FULL_EDITION] == [6, 6, 9]
    assert len(set(all_cards(FULL_EDITION))) == 21
    assert len(triples(FULL_EDITION)) == 324


@pytest.mark.parametrize(
    ("seats", "sizes"), [(3, [6, 6, 6]), (4, [5, 5, 4, 4]), (5, [4, 4, 4, 3, 3]), (6, [3, 3, 3, 3, 3, 3])]
)
def test_all_18_cards_are_dealt_and_earlier_seats_hold_more(seats: int, sizes: list[int]) -> None:
    assert hand_sizes(FULL_EDITION, seats) == sizes
    game = new_game(random.Random(seats), seats)
    assert [len(hand) for hand in game.hands] == sizes
    assert sorted([*game.envelope, *chain.from_iterable(game.hands)]) == sorted(all_cards(FULL_EDITION))


@pytest.mark.parametrize(
    ("envelope", "hands"),
    [
        (("Axe", "Red", "Attic"), HANDS),  # a weapon where the suspect belongs
        (ENVELOPE, [["Blue", "Bow", "Barn"], ["Green", "Club"], ["Cave"]]),  # a card left over
        (ENVELOPE, [["Blue", "Bow", "Barn"], ["Green", "Club"], ["Cave", "Den", "Red"]]),  # a card in two places
    ],
)
def test_every_card_has_one_place(envelope: Triple, hands: list[list[str]]) -> None:
    with pytest.raises(ValueError, match="envelope"):
        ReferenceClue(SMALL, "mitchell", envelope, hands)


# --- Suggestions and answers ------------------------------------------------------------------------------------------


def test_a_suggestion_names_any_card_of_each_kind_own_cards_allowed() -> None:
    suggestions = {move for move in position().legal_moves() if move.startswith("suggest ")}
    assert suggestions == {suggest(cards) for cards in triples(SMALL)}
    assert "suggest Blue, Bow, Barn" in suggestions


def test_players_answer_from_the_next_seat_on_until_one_disproves() -> None:
    game = position("suggest Red, Axe, Cave")
    assert game.record == [Suggestion(0, ("Red", "Axe", "Cave"), [1], 2, "Cave", finished=True)]
    assert (game.phase, game.to_move) == ("after", 0)
    # Seat 2 holds the Cave too, but it stops at seat 1.
    game = position("suggest Red, Club, Cave")
    assert game.record == [Suggestion(0, ("Red", "Club", "Cave"), [], 1, "Club", finished=True)]


def test_the_seats_are_asked_around_the_table() -> None:
    game = position("suggest Red, Axe, Barn", first_seat=1)
    assert game.record == [Suggestion(1, ("Red", "Axe", "Barn"), [2], 0, "Barn", finished=True)]


def test_the_suggester_does_not_answer_himself() -> None:
    game = position("suggest Blue, Axe, Attic")
    assert game.record == [Suggestion(0, ("Blue", "Axe", "Attic"), [1, 2], None, None, finished=True)]
    assert (game.phase, game.to_move) == ("after", 0)


def test_who_holds_several_of_the_cards_chooses_which_to_show() -> None:
    game = position("suggest Green, Club, Cave")
    assert (game.phase, game.to_move) == ("answer", 1)
    assert game.legal_moves() == ["show Green", "show Club"]
    assert game.record == [Suggestion(0, ("Green", "Club", "Cave"))]
    game.apply("show Club")
    assert game.record == [Suggestion(0, ("Green", "Club", "Cave"), [], 1, "Club", finished=True)]
    assert (game.phase, game.to_move) == ("after", 0)


def test_who_holds_one_of_the_cards_shows_it_by_a_move_of_his_own() -> None:
    game = ReferenceClue(SMALL, "mitchell", ENVELOPE, HANDS)
    events = game.apply("suggest Red, Axe, Cave")
    asked = {"seat": 0, "move": "suggest Red, Axe, Cave", "none": [1], "disprover": None, "shown": None}
    assert events == [asked | {"right": None}] * 3
    assert (game.phase, game.to_move, game.legal_moves()) == ("answer", 2, ["show Cave"])
    assert game.record == [Suggestion(0, ("Red", "Axe", "Cave"), [1])]
    game.apply("show Cave")
    assert game.record == [Suggestion(0, ("Red", "Axe", "Cave"), [1], 2, "Cave", finished=True)]
    assert (game.phase, game.to_move) == ("after", 0)


def test_the_card_is_shown_to_the_suggester_alone() -> None:
    game = ReferenceClue(SMALL, "mitchell", ENVELOPE, HANDS)
    game.apply("suggest Red, Axe, Cave")
    assert [game.view(seat)["options"] for seat in range(3)] == [[], [], ["Cave"]]
    events = game.apply("show Cave")
    showed = {"seat": 2, "none": [], "disprover": 2, "right": None}
    seen, unseen = showed | {"move": "show Cave", "shown": "Cave"}, showed | {"move": "show ?", "shown": None}
    assert events == [seen, unseen, seen]
    assert [game.view(seat)["record"][0].shown for seat in range(3)] == ["Cave", None, "Cave"]


def test_nobody_else_learns_whether_who_answers_has_a_choice() -> None:
    told = []
    for hands in (HANDS, [["Blue", "Club", "Barn"], ["Green", "Bow"], ["Cave", "Den"]]):
        game = ReferenceClue(SMALL, "mitchell", ENVELOPE, hands)
        events = [game.apply("suggest Green, Club, Cave"), game.apply("show Green")]
        told.append(([event[2] for event in events], game.view(2)))
    assert told[0] == told[1]


def test_a_chosen_card_is_shown_to_the_suggester_alone() -> None:
    game = position()
    events = game.apply("suggest Green, Club, Cave")
    asked = {"seat": 0, "move": "suggest Green, Club, Cave", "none": [], "disprover": None, "shown": None}
    assert events == [asked | {"right": None}] * 3
    assert [game.view(seat)["options"] for seat in range(3)] == [[], ["Green", "Club"], []]
    events = game.apply("show Club")
    showed = {"seat": 1, "none": [], "disprover": 1, "right": None}
    seen, unseen = showed | {"move": "show Club", "shown": "Club"}, showed | {"move": "show ?", "shown": None}
    assert events == [seen, seen, unseen]
    assert [game.view(seat)["record"][0].shown for seat in range(3)] == ["Club", "Club", None]
    assert [game.view(seat)["options"] for seat in range(3)] == [[], [], []]


# --- Accusations ------------------------------------------------------------------------------------------------------


def test_a_player_accuses_instead_of_suggesting_or_after_it() -> None:
    assert accusations_of(position()) == triples(SMALL)
    game = position("suggest Red, Axe, Cave")
    assert game.legal_moves()[0] == "end"
    assert accusations_of(game) == triples(SMALL)
    assert len(game.legal_moves()) == 1 + len(triples(SMALL))


@pytest.mark.parametrize("before", [[], ["suggest Red, Axe, Cave"]])
def test_a_right_accusation_wins_at_once(before: list[str]) -> None:
    game = position(*before)
    events = game.apply("accuse Red, Axe, Attic")
    assert (game.phase, game.to_move, game.winner, game.out) == ("over", None, 0, set())
    assert game.accusations == [(0, ENVELOPE, True)]
    accused = {"seat": 0, "move": "accuse Red, Axe, Attic", "none": [], "disprover": None, "shown": None}
    assert events == [accused | {"right": True}] * 3
    assert game.legal_moves() == []


def test_a_wrong_accuser_is_out_but_goes_on_answering() -> None:
    game = position("accuse Red, Axe, Cave")
    assert (game.phase, game.to_move, game.out, game.winner) == ("turn", 1, {0}, None)
    assert game.accusations == [(0, ("Red", "Axe", "Cave"), False)]
    play_and_show(game, "suggest Blue, Axe, Attic")
    assert (game.record[0].none, game.record[0].disprover, game.record[0].shown) == ([2], 0, "Blue")
    game.apply("end")
    game.apply("suggest Blue, Bow, Attic")
    assert (game.phase, game.to_move) == ("answer", 0)
    game.apply("show Bow")
    game.apply("end")
    assert game.to_move == 1  # the turn passes over seat 0


def test_the_last_player_left_wins() -> None:
    game = position("accuse Red, Axe, Cave", "suggest Red, Axe, Attic", "accuse Red, Axe, Den")
    assert (game.phase, game.winner, game.out) == ("over", 2, {0, 1})


def test_the_turn_passes_to_the_next_seat_and_turns_are_counted() -> None:
    game = position(first_seat=2)
    assert (game.to_move, game.turns) == (2, 1)
    for turns, seat in [(2, 0), (3, 1), (4, 2)]:
        game.apply("suggest Red, Axe, Attic")
        game.apply("end")
        assert (game.phase, game.to_move, game.turns) == ("turn", seat, turns)
    game.apply("accuse Red, Axe, Den")
    assert (game.phase, game.to_move, game.turns) == ("turn", 0, 5)


def test_the_game_ends_undecided_after_the_answer_to_the_last_suggestion() -> None:
    game = position("suggest Red, Axe, Attic", "end", "suggest Blue, Bow, Attic", max_suggestions=2)
    assert (game.phase, game.to_move) == ("answer", 0)
    game.apply("show Blue")
    assert (game.phase, game.to_move, game.winner) == ("over", None, None)
    assert game.record[-1].shown == "Blue"
    game = position("suggest Red, Axe, Attic", max_suggestions=1)
    assert (game.phase, game.winner) == ("over", None)


@pytest.mark.parametrize(
    ("moves", "illegal"),
    [
        ([], "end"),
        ([], "suggest Axe, Red, Attic"),
        ([], "suggest Red, Axe"),
        ([], "show Blue"),
        (["suggest Green, Club, Cave"], "show Cave"),  # the other seat holds it
        (["suggest Green, Club, Cave"], "end"),
        (["suggest Red, Axe, Cave"], "suggest Red, Axe, Cave"),
        (["accuse Red, Axe, Attic"], "end"),
    ],
)
def test_an_illegal_move_changes_nothing(moves: list[str], illegal: str) -> None:
    game = position(*moves)
    before = copy.deepcopy(vars(game))
    with pytest.raises(IllegalMove):
        game.apply(illegal)
    assert vars(game) == before


# --- The order contest ------------------------------------------------------------------------------------------------


def test_contest_a_suggestion_must_be_made_first() -> None:
    assert position(order="contest").legal_moves() == [suggest(cards) for cards in triples(SMALL)]


def test_contest_nobody_repeats_his_own_suggestion() -> None:
    game = position("suggest Red, Axe, Cave", "end", order="contest")
    assert "suggest Red, Axe, Cave" in game.legal_moves()  # seat 1 has not made it
    for move in ["suggest Red, Axe, Cave", "end", "suggest Red, Axe, Barn", "end"]:
        play_and_show(game, move)
    assert set(game.legal_moves()) == {suggest(cards) for cards in triples(SMALL)} - {"suggest Red, Axe, Cave"}


def test_contest_who_has_made_all_suggestions_may_make_any() -> None:
    game = position(order="contest")
    game.record = [Suggestion(0, cards, [1, 2], None, None, finished=True) for cards in triples(SMALL)]
    assert game.legal_moves() == [suggest(cards) for cards in triples(SMALL)]


def test_contest_no_accusation_names_a_card_that_one_holds_or_has_been_shown() -> None:
    game = position("suggest Green, Club, Cave", "show Club", order="contest")
    assert game.legal_moves()[0] == "end"
    assert set(accusations_of(game)) == {
        (suspect, "Axe", location) for suspect in ("Red", "Green") for location in ("Attic", "Cave", "Den")
    }


def test_contest_an_undisproved_suggestion_without_own_cards_must_be_accused() -> None:
    game = position("suggest Red, Axe, Attic", order="contest")
    assert game.legal_moves() == ["accuse Red, Axe, Attic"]
    game = position("suggest Blue, Axe, Attic", order="contest")
    assert "end" in game.legal_moves()
    assert len(game.legal_moves()) == 1 + 2 * 2 * 3


def test_contest_a_disproved_suggestion_need_not_be_accused() -> None:
    assert "end" in position("suggest Red, Axe, Cave", order="contest").legal_moves()


# --- Random games -----------------------------------------------------------------------------------------------------


class Follower:
    """One seat that follows the game by its events alone."""

    def __init__(self, game: ReferenceClue, seat: int) -> None:
        view = game.view(seat)
        self.view = view
        self.max_suggestions = game.max_suggestions

    def take_in(self, event: Event) -> None:
        view, verb = self.view, event["move"].partition(" ")[0]
        view["options"] = []
        if verb == "suggest":
            made = Suggestion(event["seat"], cards_of(event["move"]), event["none"])
            view["record"].append(made)
            view["phase"], view["to_move"] = "answer", (made.seat + len(made.none) + 1) % view["seats"]
            if view["to_move"] == made.seat:
                self._answered(made, event)
            elif view["to_move"] == view["seat"]:
                view["options"] = [card for card in made.cards if card in view["hand"]]
        elif verb == "show":
            self._answered(view["record"][-1], event)
        elif verb == "accuse":
            assert event["right"] is not None
            view["accusations"].append((event["seat"], cards_of(event["move"]), event["right"]))
            if not event["right"]:
                view["out"].add(event["seat"])
            self._pass_turn(event["seat"], over=event["right"] or len(view["out"]) == view["seats"] - 1)
        else:
            self._pass_turn(event["seat"], over=False)

    def _answered(self, made: Suggestion, event: Event) -> None:
        made.disprover, made.shown, made.finished = event["disprover"], event["shown"], True
        over = len(self.view["record"]) == self.max_suggestions
        self.view["phase"], self.view["to_move"] = ("over", None) if over else ("after", made.seat)

    def _pass_turn(self, seat: int, over: bool) -> None:
        view = self.view
        left = [(seat + step) % view["seats"] for step in range(1, view["seats"] + 1)]
        view["phase"] = "over" if over else "turn"
        view["to_move"] = None if over else next(other for other in left if other not in view["out"])


def random_move(game: ReferenceClue, rng: random.Random, rash: float = 0.05) -> str:
    """A random move, from so large a share of all that may be an accusation: a small one, lest the game be short."""
    legal = game.legal_moves()
    quiet = [move for move in legal if not move.startswith("accuse ")]
    return rng.choice(quiet if quiet and rng.random() < 1 - rash else legal)


def check_places_and_answers(game: ReferenceClue) -> None:
    """Every card has one place, and every answer is true."""
    assert Counter([*game.envelope, *chain.from_iterable(game.hands)]) == Counter(all_cards(game.edition))
    for made in game.record:
        assert all(not set(made.cards) & set(game.hands[seat]) for seat in made.none)
        asked = [(made.seat + step) % len(game.hands) for step in range(1, len(game.hands))]
        answered = [*made.none, *([] if made.disprover is None else [made.disprover])]
        assert answered == asked[: len(answered)]
        if made.disprover is not None:
            assert made.shown in set(made.cards) & set(game.hands[made.disprover])
        assert made.finished == (made.disprover is not None or len(made.none) == len(asked))


def check_moves_and_turns(game: ReferenceClue) -> None:
    """No move twice; those who are out have no turn; the game is over when it is decided."""
    legal = game.legal_moves()
    assert len(set(legal)) == len(legal)
    assert (game.to_move is None) == (game.phase == "over") == (legal == [])
    if game.phase in {"turn", "after"}:
        assert game.to_move not in game.out
    assert game.out == {seat for seat, _, right in game.accusations if not right}
    assert all((cards == game.envelope) == right for _, cards, right in game.accusations)
    if game.winner is not None:
        others = set(range(len(game.hands))) - {game.winner}
        assert (game.winner, game.envelope, True) in game.accusations or game.out == others


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_random_games_keep_the_rules_and_events_let_each_seat_follow(seats: int, order: str) -> None:
    rng = random.Random(f"{seats} {order}")
    for _ in range(5):
        game = new_game(rng, seats, order, first_seat=rng.randrange(seats))
        game.max_suggestions = 40
        followers = [Follower(game, seat) for seat in range(seats)]
        while game.to_move is not None:
            events = game.apply(random_move(game, rng))
            check_places_and_answers(game)
            check_moves_and_turns(game)
            for seat, follower in enumerate(followers):
                follower.take_in(copy.deepcopy(events[seat]))
                assert follower.view == game.view(seat)


@pytest.mark.parametrize("order", ORDERS)
def test_a_view_is_a_copy(order: str) -> None:
    game = position("suggest Red, Axe, Cave", order=order)
    before = copy.deepcopy(vars(game))
    view = game.view(0)
    view["record"][0].none.append(2)
    view["record"].clear()
    view["hand"].clear()
    view["out"].add(1)
    view["accusations"].append((0, ENVELOPE, True))
    assert vars(game) == before


class Diverged(Exception):
    """With another deal the game would have gone otherwise, and the seat would know."""


def replay(
    deal: Deal, original: ReferenceClue, first_seat: int, moves: list[str], seat: int
) -> tuple[View, list[Event]]:
    """The same game with another deal: what the seat sees in the end, and what it is told. Where others choose a card
    that the seat does not see, they may choose another one; they choose one with which whoever asked may later accuse
    as they did, if they can. Raises Diverged, or IllegalMove, where the game cannot go the same way."""
    hands = [sorted(hand) for hand in deal.hands]
    game = ReferenceClue(original.edition, original.order, deal.envelope, hands, first_seat)
    events: list[Event] = []
    suggestions = iter(original.record)
    for move in moves:
        if move.startswith("show "):
            continue
        events.append(game.apply(move)[seat])
        if not move.startswith("suggest "):
            continue
        made = next(suggestions)
        if game.phase == "answer":
            seen = seat in {made.seat, made.disprover}
            if game.to_move != made.disprover or (seen and f"show {made.shown}" not in game.legal_moves()):
                raise Diverged
            accused = {card for other, cards, _ in original.accusations if other == made.seat for card in cards}
            shows = sorted(game.legal_moves(), key=lambda move: move.removeprefix("show ") in accused)
            events.append(game.apply(f"show {made.shown}" if seen else shows[0])[seat])
    return game.view(seat), events


def every_deal(game: ReferenceClue, seat: int) -> list[Deal]:
    """All deals in which a seat holds the hand that it holds."""
    start = ReferenceClue(game.edition, game.order, game.envelope, game.hands)
    return possible_deals(game.edition, start.view(seat))


def random_small_game(
    rng: random.Random, seats: int, order: str, suggestions: int, rash: float = 0.05
) -> tuple[ReferenceClue, int, list[str], list[list[Event]]]:
    """A random game of the small edition up to some suggestion, its first seat, its moves, and each seat's events."""
    first_seat = rng.randrange(seats)
    game = new_game(rng, seats, order, SMALL, first_seat)
    moves: list[str] = []
    events: list[list[Event]] = [[] for _ in range(seats)]
    while game.to_move is not None and (len(game.record) < suggestions or game.phase == "answer"):
        moves.append(random_move(game, rng, rash))
        for seat, event in enumerate(game.apply(moves[-1])):
            events[seat].append(event)
    return game, first_seat, moves, events


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seats", [3, 4])
def test_re_dealing_what_a_seat_cannot_know_leaves_its_view_and_events_as_they_were(seats: int, order: str) -> None:
    rng = random.Random(f"re-deal {seats} {order}")
    replayed = 0
    for _ in range(6):
        game, first_seat, moves, events = random_small_game(rng, seats, order, rng.randrange(1, 9))
        for seat in range(seats):
            deals = possible_deals(SMALL, game.view(seat), order)
            for deal in rng.sample(deals, min(len(deals), 12)):
                assert replay(deal, game, first_seat, moves, seat) == (game.view(seat), events[seat])
                replayed += 1
    assert replayed > 50


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seats", [3, 4])
def test_possible_deals_are_those_with_which_the_game_goes_the_same_way(seats: int, order: str) -> None:
    rng = random.Random(f"possible {seats}")
    told = 0
    for number in range(3 if order == "mitchell" else 10):
        rash = 0.05 if number < 3 else 0.3
        game, first_seat, moves, events = random_small_game(rng, seats, order, rng.randrange(1, 7), rash)
        for seat in (0, seats - 1):
            possible = set(possible_deals(SMALL, game.view(seat), order))
            told += len(possible) < len(possible_deals(SMALL, game.view(seat)))
            assert Deal(game.envelope, tuple(frozenset(hand) for hand in game.hands)) in possible
            for deal in every_deal(game, seat):
                try:
                    same = replay(deal, game, first_seat, moves, seat) == (game.view(seat), events[seat])
                except (Diverged, IllegalMove):
                    same = False
                assert same == (deal in possible)
    # In the contest what a player does tells something of his hand.
    assert (told > 3) == (order == "contest"), told


def test_at_the_start_every_deal_of_the_other_cards_is_possible() -> None:
    # Seat 0 holds one card of each kind: 2 * 2 * 3 envelopes, and 4 cards in hands of 2 and 2.
    assert len(possible_deals(SMALL, position().view(0))) == 12 * 6
    # Seat 1 holds a suspect and a weapon: 2 * 2 * 4 envelopes, and 5 cards in hands of 3 and 2.
    assert len(possible_deals(SMALL, position().view(1))) == 16 * 10


def test_who_is_asked_which_card_to_show_holds_one_of_the_three() -> None:
    deals = possible_deals(SMALL, position("suggest Green, Club, Cave").view(2))
    assert deals and all(deal.hands[1] & {"Green", "Club", "Cave"} for deal in deals)
    assert any(len(deal.hands[1] & {"Green", "Club", "Cave"}) == 1 for deal in deals)


def test_a_wrong_accusation_rules_out_three_cards_together_and_a_right_one_names_them() -> None:
    envelopes = {deal.envelope for deal in possible_deals(SMALL, position("accuse Red, Axe, Cave").view(2))}
    assert len(envelopes) == 3 * 3 * 2  # seat 2 holds the Cave itself
    envelopes = {deal.envelope for deal in possible_deals(SMALL, position("accuse Red, Axe, Barn").view(2))}
    assert len(envelopes) == 3 * 3 * 2 - 1
    envelopes = {deal.envelope for deal in possible_deals(SMALL, position("accuse Red, Axe, Attic").view(2))}
    assert envelopes == {ENVELOPE}


# --- The knowledge base: deductions 1 to 7 ----------------------------------------------------------------------------


def sheet(knowledge: Knowledge, card: str) -> str:
    """The states of a card at each player, then overall."""
    return "".join(knowledge.state[card, player] for player in (*range(knowledge.seats), OVERALL))


def knows(*moves: str, seat: int, first_seat: int = 0, deduction_6: str = "sound") -> Knowledge:
    """What a seat knows after some moves of the hand-worked game."""
    view = position(*moves, first_seat=first_seat).view(seat)
    knowledge = Knowledge(SMALL, seat, 3, view["hand"], deduction_6)
    knowledge.read(view)
    return knowledge


def test_at_the_deal_a_player_knows_his_own_hand_only() -> None:
    knowledge = knows(seat=0)
    assert [sheet(knowledge, card) for card in ("Blue", "Bow", "Barn")] == ["BEEG"] * 3
    others = [card for card in all_cards(SMALL) if card not in HANDS[0]]
    assert [sheet(knowledge, card) for card in others] == ["CAAA"] * 7
    assert knowledge.source["Blue", 0] == knowledge.source["Blue", OVERALL] == Source(1, 0)
    assert ("Red", 1) not in knowledge.source


def test_deduction_1_a_card_shown_is_held_there_and_nowhere_else() -> None:
    knowledge = knows("suggest Red, Axe, Cave", seat=0)
    assert sheet(knowledge, "Cave") == "CCBG"
    assert knowledge.source["Cave", 2] == knowledge.source["Cave", OVERALL] == Source(1, 1)
    # Seat 1 had none of the three; its entry came first and stays.
    assert knowledge.source["Cave", 1] == Source(2, 1)


def test_deduction_2_who_could_not_answer_holds_none_of_the_three() -> None:
    knowledge = knows("suggest Red, Axe, Cave", seat=2)
    assert [sheet(knowledge, card) for card in ("Red", "Axe")] == ["ACCA"] * 2
    assert knowledge.source["Red", 1] == Source(2, 1)
    assert sheet(knowledge, "Cave") == "FEBG"  # his own, and he showed it to seat 0


def test_deduction_3_a_card_that_nobody_holds_is_in_the_envelope() -> None:
    knowledge = knows("suggest Blue, Axe, Attic", seat=0)
    assert [sheet(knowledge, card) for card in ("Axe", "Attic")] == ["CCCH"] * 2
    assert knowledge.source["Axe", OVERALL] == Source(3, 1)
    assert sheet(knowledge, "Blue") == "BEEG"  # his own card, that nobody else holds
    # To seat 1 the suggester may hold the cards that nobody else has.
    assert sheet(knows("suggest Blue, Axe, Attic", seat=1), "Axe") == "ACCA"


def test_deduction_4_who_showed_one_of_three_and_holds_two_not_holds_the_third() -> None:
    moves = ["suggest Red, Axe, Barn", "end"]  # seats 1 and 2 hold none of these
    moves += ["suggest Red, Axe, Den", "end"]  # seat 2 shows a card to seat 1: it can only be the Den
    knowledge = knows(*moves, seat=0)
    assert sheet(knowledge, "Den") == "CCBG"
    assert knowledge.source["Den", 2] == Source(4, 2)
    assert knowledge.source["Den", 1] == knowledge.source["Den", OVERALL] == Source(1, 2)


def test_deduction_4_counts_own_cards_as_not_held_by_others() -> None:
    knowledge = knows("suggest Blue, Bow, Cave", seat=0, first_seat=1)  # seat 2 shows a card to seat 1
    assert sheet(knowledge, "Cave") == "CCBG"
    assert knowledge.source["Cave", 2] == Source(4, 1)


def test_deduction_5_who_showed_one_of_three_may_hold_each_that_is_not_settled() -> None:
    # Seat 0 has none of these, and seat 1 shows the Green to seat 2.
    knowledge = knows("suggest Green, Axe, Cave", seat=0, first_seat=2)
    assert [sheet(knowledge, card) for card in ("Green", "Axe", "Cave")] == ["CDAA"] * 3
    assert knowledge.source["Green", 1] == Source(5, 1)
    # An own card is settled.
    knowledge = knows("suggest Blue, Club, Den", seat=1, first_seat=2)
    assert [sheet(knowledge, card) for card in ("Blue", "Club", "Den")] == ["DCAA", "EBEG", "DCAA"]


def test_deduction_6_the_last_card_of_a_category_is_in_the_envelope() -> None:
    moves = ["suggest Green, Axe, Attic"]  # seat 0 holds the Blue and is shown the Green
    knowledge = knows(*moves, seat=0)
    assert sheet(knowledge, "Red") == "CAAH"
    assert knowledge.source["Red", OVERALL] == Source(6, 1)
    assert knows(*moves, seat=0, deduction_6="not_at_deal").source["Red", OVERALL] == Source(6, 1)
    assert sheet(knows(*moves, seat=0, deduction_6="never"), "Red") == "CAAA"


def test_deduction_6_at_the_deal() -> None:
    hand = {"Blue", "Green", "Axe"}
    red = {switch: sheet(Knowledge(SMALL, 0, 3, hand, switch), "Red") for switch in DEDUCTION_6}
    assert red == {"sound": "CAAH", "never": "CAAA", "not_at_deal": "CAAA"}
    assert Knowledge(SMALL, 0, 3, hand).source["Red", OVERALL] == Source(6, 0)


def test_deduction_7_beside_the_envelope_card_no_card_of_the_category_is_in_the_envelope() -> None:
    knowledge = knows("suggest Blue, Axe, Attic", seat=0)
    assert [sheet(knowledge, card) for card in ("Cave", "Den", "Club")] == ["CAAG"] * 3
    assert knowledge.source["Cave", OVERALL] == Source(7, 1)
    assert [sheet(knowledge, card) for card in ("Red", "Green")] == ["CAAA"] * 2


def test_reading_in_parts_is_reading_at_once() -> None:
    rng = random.Random("in parts")
    for _ in range(5):
        game = new_game(rng, 4)
        game.max_suggestions = 25
        parts = [Knowledge(FULL_EDITION, seat, 4, set(game.hands[seat])) for seat in range(4)]
        while game.to_move is not None:
            game.apply(random_move(game, rng))
            if rng.random() < 0.3:
                reader = rng.randrange(4)
                parts[reader].read(game.view(reader))
        for seat in range(4):
            parts[seat].read(game.view(seat))
            whole = Knowledge(FULL_EDITION, seat, 4, set(game.hands[seat]))
            whole.read(game.view(seat))
            assert (parts[seat].state, parts[seat].source) == (whole.state, whole.source)


def agrees(knowledge: Knowledge, deal: Deal) -> bool:
    """Whether every entry is true of a deal. Where a player only may own a card, nothing is claimed."""
    return all(
        (card in deal.envelope) == (state == "H")
        if player == OVERALL
        else (card in deal.hands[int(player)]) == (state == "B")
        for (card, player), state in knowledge.state.items()
        if state not in {"A", "D"}
    )


@pytest.mark.parametrize("deduction_6", DEDUCTION_6)
@pytest.mark.parametrize("seats", [3, 4])
def test_what_the_deductions_say_holds_in_every_possible_deal(seats: int, deduction_6: str) -> None:
    rng = random.Random(f"sound {seats}")
    for _ in range(12):
        game, _, _, _ = random_small_game(rng, seats, "mitchell", rng.randrange(1, 12))
        for seat in range(seats):
            view = game.view(seat)
            knowledge = Knowledge(SMALL, seat, seats, view["hand"], deduction_6)
            knowledge.read(view)
            assert all(agrees(knowledge, deal) for deal in possible_deals(SMALL, view))


def test_every_entry_but_no_knowledge_has_a_source() -> None:
    rng = random.Random("sources")
    game, _, _, _ = random_small_game(rng, 3, "mitchell", 8)
    for seat in range(3):
        knowledge = Knowledge(SMALL, seat, 3, set(game.hands[seat]))
        knowledge.read(game.view(seat))
        assert set(knowledge.source) == {key for key, state in knowledge.state.items() if state != NO_KNOWLEDGE}
        assert {source.turn for source in knowledge.source.values()} <= set(range(len(game.record) + 1))


# --- Strategies -------------------------------------------------------------------------------------------------------


def with_states(hand: set[str], **states: str) -> Knowledge:
    """Seat 0 of three with this hand; `Red="ACAA"` overwrites the entries of a card at the players and overall."""
    knowledge = Knowledge(SMALL, 0, 3, hand)
    columns: tuple[int | str, ...] = (0, 1, 2, OVERALL)
    for card, row in states.items():
        for player, state in zip(columns, row, strict=True):
            knowledge.state[card, player] = state
    return knowledge


HAND = {"Blue", "Bow", "Barn"}


def test_basic_suggests_cards_that_may_be_in_the_envelope() -> None:
    expected = {(s, w, p) for s in ("Red", "Green") for w in ("Axe", "Club") for p in ("Attic", "Cave", "Den")}
    assert set(basic_suggestions(with_states(HAND))) == expected


def test_basic_suggests_any_card_of_a_category_whose_envelope_card_is_known() -> None:
    knowledge = with_states(HAND, Red="CCCH", Green="CAAG", Axe="CAAA", Club="CBCG", Cave="CCBG", Den="CBCG")
    assert set(basic_suggestions(knowledge)) == {(s, "Axe", "Attic") for s in ("Red", "Blue", "Green")}


def test_systematic_players_suggest_the_envelope_card_that_they_know() -> None:
    knowledge = with_states(HAND, Red="CCCH", Green="CAAG")
    assert {cards[0] for cards in basic_suggestions(knowledge, "envelope_card")} == {"Red"}
    assert {cards[0] for cards in advanced_suggestions(knowledge, "envelope_card")} == {"Red"}


def test_a_systematic_player_goes_on_when_nobody_had_any_of_the_first_cards() -> None:
    game = position()
    player = ReferencePlayer(random.Random(0), SMALL, "no_intelligence", "systematic")
    expected = ["suggest Red, Axe, Attic", "end", "suggest Red, Axe, Cave"]
    for move in expected:
        while game.to_move != 0:
            game.apply("suggest Red, Axe, Attic" if game.phase == "turn" else "end")
        assert player.act(game.view(0), game.legal_moves()) == move
        game.apply(move)


def test_advanced_suggests_two_cards_that_the_next_and_one_that_the_player_after_next_does_not_hold() -> None:
    knowledge = with_states(HAND, Red="CCAA", Axe="CCAA", Den="CACA")
    assert set(advanced_suggestions(knowledge)) == {("Red", "Axe", "Den")}
    # In any assignment of the categories: here the weapon is the one that the player after next does not hold.
    knowledge = with_states(HAND, Red="CCAA", Axe="CACA", Den="CCAA", Cave="CCAA")
    assert set(advanced_suggestions(knowledge)) == {("Red", "Axe", "Den"), ("Red", "Axe", "Cave")}


def test_advanced_else_suggests_one_card_that_the_next_player_does_not_hold_and_two_as_basic() -> None:
    knowledge = with_states(HAND, Red="CCAA", Axe="CCAA")
    expected = {cards for cards in basic_suggestions(knowledge) if cards[0] == "Red" or cards[1] == "Axe"}
    assert set(advanced_suggestions(knowledge)) == expected
    # What only the player after next does not hold is of no use alone.
    knowledge = with_states(HAND, Red="CACA", Axe="CACA", Den="CACA")
    assert advanced_suggestions(knowledge) == basic_suggestions(knowledge)


def test_advanced_else_suggests_as_basic() -> None:
    knowledge = with_states(HAND)
    assert advanced_suggestions(knowledge) == basic_suggestions(knowledge)


def test_advanced_knows_that_the_next_player_does_not_hold_its_own_cards() -> None:
    knowledge = with_states(HAND, Red="CAAH", Green="CBCG")
    assert {cards[0] for cards in advanced_suggestions(knowledge)} == {"Blue"}


def test_no_intelligence_suggests_what_it_neither_holds_nor_has_seen() -> None:
    knowledge = Knowledge(SMALL, 0, 3, HAND, deduces=False)
    knowledge.read(position("suggest Green, Axe, Attic", "end", "suggest Red, Axe, Attic").view(0))
    assert sheet(knowledge, "Green") == "CBCG"
    assert sheet(knowledge, "Axe") == "CAAA"  # seat 2 said nothing, seat 1 said he has none: not written down
    expected = {("Red", w, p) for w in ("Axe", "Club") for p in ("Attic", "Cave", "Den")}
    assert set(no_intelligence_suggestions(knowledge)) == expected


def test_next_possible_asks_for_one_card_that_the_next_player_may_hold_locations_first() -> None:
    knowledge = with_states(HAND, Green="CDAA", Club="CDAA", Den="CDAA", Cave="CADA")
    assert {cards[2] for cards in next_possible_suggestions(knowledge)} == {"Den"}
    assert len(next_possible_suggestions(knowledge)) == 2 * 2
    knowledge = with_states(HAND, Green="CDAA", Club="CDAA")
    assert {cards[1] for cards in next_possible_suggestions(knowledge)} == {"Club"}
    knowledge = with_states(HAND, Green="CADA")
    assert next_possible_suggestions(knowledge) == basic_suggestions(knowledge)


def test_previous_possible_leaves_the_previous_player_one_card_to_show_locations_first() -> None:
    knowledge = with_states(HAND, Green="CADA", Red="CACA", Den="CADA", Cave="CDAA")
    assert set(previous_possible_suggestions(knowledge)) == {("Red", "Axe", "Den"), ("Red", "Club", "Den")}
    knowledge = with_states(HAND, Green="CDAA")
    assert previous_possible_suggestions(knowledge) == basic_suggestions(knowledge)


def asked(options: list[str], record: list[Suggestion]) -> View:
    """The view of seat 1, asked by seat 0 to show one of several cards."""
    view = position("suggest Green, Club, Cave").view(1)
    view["options"] = options
    view["record"] = [*record, *view["record"]]
    return view


def test_a_player_shows_what_he_has_shown_to_that_player_before() -> None:
    shown = Suggestion(0, ("Red", "Club", "Cave"), [], 1, "Club", finished=True)
    assert answer(asked(["Green", "Club"], [shown])) == "Club"
    # What he showed to another player does not count.
    shown = Suggestion(2, ("Red", "Club", "Cave"), [0], 1, "Club", finished=True)
    assert answer(asked(["Green", "Club"], [shown])) == "Green"


def test_a_player_else_shows_the_first_of_suspect_weapon_location() -> None:
    assert answer(asked(["Green", "Club"], [])) == "Green"
    assert answer(asked(["Club", "Cave"], [])) == "Club"
    both = [Suggestion(0, ("Red", "Club", "Cave"), [], 1, card, finished=True) for card in ("Cave", "Club")]
    assert answer(asked(["Green", "Club", "Cave"], both)) == "Club"


@pytest.mark.parametrize("choice", ["random", "systematic"])
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("order", ORDERS)
def test_players_never_accuse_wrongly_and_come_to_the_solution(strategy: str, choice: str, order: str) -> None:
    rng = random.Random(f"{strategy} {choice} {order}")
    for seats in (3, 4, 6):
        game = new_game(rng, seats, order)
        play(game, [ReferencePlayer(rng, FULL_EDITION, strategy, choice) for _ in range(seats)])
        assert game.accusations == [(game.winner, game.envelope, True)]


def test_no_intelligence_sees_the_12_other_cards_in_at_most_13_rounds_with_three_players() -> None:
    # Every suggestion shows a new card, but for the one that names the three cards of the envelope.
    rng = random.Random("twelve")
    for _ in range(5):
        game = new_game(rng, 3)
        play(game, [ReferencePlayer(rng, FULL_EDITION, "no_intelligence", "systematic") for _ in range(3)])
        assert game.turns <= 13 * 3
