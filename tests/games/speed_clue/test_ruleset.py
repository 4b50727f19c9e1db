"""Rulesets: the listed deals, how cards are dealt, what can be set, and what is said when it cannot."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from core.chance import assert_uniform
from games.speed_clue.playing import ORDERS, SMALL_CARDS, clue, edition_of, names_in, play, seeds_of, small
from molehunt.core.errors import BadInput, BadParameter, IllegalAction, MolehuntError, UnknownName
from molehunt.games.registry import make_game
from molehunt.games.speed_clue.edition import listed_deals
from molehunt.games.speed_clue.ruleset import RULESETS, ruleset_from_text, ruleset_to_text
from reference.speed_clue import all_cards, hand_sizes

LISTED = sorted(listed_deals())


def test_there_are_listed_deals_1_to_8() -> None:
    assert sorted(LISTED) == sorted(
        [(deal, seats) for deal in range(1, 7) for seats in (3, 6)]
        + [(deal, seats) for deal in (7, 8) for seats in (3, 4, 5, 6)]
    )


@pytest.mark.parametrize(("deal", "seats"), LISTED)
def test_a_listed_deal_is_dealt_whatever_the_seed(deal: int, seats: int) -> None:
    game = clue(seats, "mitchell", f"deal={deal}")
    listed = listed_deals()[deal, seats]
    names = all_cards(edition_of(game))
    for state in game.new(seeds_of(0, 5)):
        assert names_in(int(state["envelope"]), names) == [card for card in names if card in listed["envelope"]]
        for seat, hand in enumerate(listed["hands"]):
            assert set(names_in(int(state["hands"][seat]), names)) == set(hand)
        assert not state["hands"][seats:].any()
        assert (state["winner"], state["turns"]) == (-1, 1)
        begins = ("moves", "to_move", "phase", "outcome", "suggestion_count", "on_turn", "out")
        assert not any(state[name] for name in begins)


@pytest.mark.parametrize(("deal", "seats"), LISTED)
def test_listed_deals_hold_every_card_once_and_one_of_each_kind_in_the_envelope(deal: int, seats: int) -> None:
    listed, edition = listed_deals()[deal, seats], edition_of(clue())
    dealt = [*listed["envelope"], *(card for hand in listed["hands"] for card in hand)]
    assert sorted(dealt) == sorted(all_cards(edition))
    assert [len(set(listed["envelope"]) & set(kind)) for kind in edition] == [1, 1, 1]
    assert sorted(map(len, listed["hands"]), reverse=True) == hand_sizes(edition, seats)


def test_deal_1_for_three_is_as_printed() -> None:
    """Appendix B of the report, spelled out."""
    listed = listed_deals()[1, 3]
    assert listed["envelope"] == ["Professor Plum", "Lead Pipe", "Hall"]
    assert listed["hands"][0] == ["Miss Scarlett", "Colonel Mustard", "Rope", "Wrench", "Ballroom", "Library"]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_random_deals_give_every_card_one_place_and_earlier_seats_more(seats: int) -> None:
    game = clue(seats)
    for state in game.new(seeds_of(0, 50)):
        masks = [int(state["envelope"]), *map(int, state["hands"])]
        assert sum(masks) == np.bitwise_or.reduce(masks) == 2**21 - 1
        assert [hand.bit_count() for hand in masks[1:]] == hand_sizes(edition_of(game), seats) + [0] * (6 - seats)


def test_every_envelope_and_every_place_of_a_card_is_equally_likely() -> None:
    states = small().new(seeds_of(0, 8000))
    assert_uniform(Counter(map(int, states["envelope"])), 36)
    red = [card for card in states["hands"][:, :3].tolist() if any(hand & 1 for hand in card)]
    counts = Counter(next(seat for seat, hand in enumerate(hands) if hand & 1) for hands in red)
    total = sum(counts.values())
    assert all(abs(counts[seat] / total - size / 7) < 0.03 for seat, size in enumerate((3, 2, 2)))


# --- What can be set --------------------------------------------------------------------------------------------------


def test_first_seat_is_given_or_drawn() -> None:
    assert {int(seat) for seat in clue(4, "contest", "first_seat=2").new(seeds_of(0, 20))["to_move"]} == {2}
    drawn = clue(5, "mitchell", "first_seat=-1").new(seeds_of(0, 3000))
    assert (drawn["to_move"] == drawn["on_turn"]).all()
    assert_uniform(Counter(map(int, drawn["to_move"])), 5)


def test_a_drawn_first_seat_leaves_the_cards_as_they_were() -> None:
    given, drawn = (clue(3, "mitchell", f"first_seat={seat}").new(seeds_of(0, 20)) for seat in (0, -1))
    assert (given["hands"] == drawn["hands"]).all() and (given["envelope"] == drawn["envelope"]).all()


@pytest.mark.parametrize("limit", [1, 2])
def test_the_game_is_undecided_after_the_answer_to_the_last_suggestion(limit: int) -> None:
    game = clue(3, "mitchell", "deal=1", f"max_suggestions={limit}")
    states = game.new(seeds_of(0, 1))
    for number in range(limit):
        play(game, states, "suggest Plum, Lead Pipe, Hall")
        outcome = game.outcome(states)
        assert (outcome is not None) == (number + 1 == limit)
        if outcome is None:
            play(game, states, "end")
        else:
            assert (outcome.winners, outcome.payoffs) == ((), (0.0, 0.0, 0.0))
    with pytest.raises(IllegalAction, match="the game is over"):
        play(game, states, "end")


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "items",
    [[], ["deal=7"], ["first_seat=-1"], ["max_suggestions=9", "first_seat=2"], ["cards=contest"], ["cards=report"]],
)
def test_rulesets_are_written_and_read_back(order: str, items: list[str]) -> None:
    ruleset = ruleset_from_text(order, items)
    name, _, rest = ruleset_to_text(ruleset).partition(":")
    assert ruleset_from_text(name, rest.split(",") if rest else []) == ruleset


def test_defaults() -> None:
    cards = {name: ruleset.cards for name, ruleset in RULESETS.items()}
    assert cards == {"mitchell": "report", "contest": "contest", "small": "small"}
    for name, ruleset in RULESETS.items():
        limit = 2 if name == "small" else 256
        assert (ruleset.deal, ruleset.first_seat, ruleset.max_suggestions, ruleset.last_word) == (0, 0, limit, False)
    assert clue().label == "speed_clue/mitchell"


@pytest.mark.parametrize(
    ("order", "items", "seats", "message"),
    [
        ("mitchell", "", 2, "3 to 6 seats, not 2"),
        ("mitchell", "", 7, "3 to 6 seats, not 7"),
        ("small", "", 4, "small is played by 2 to 3 seats, not 4"),
        ("mitchell", "first_seat=3", 3, "first_seat must be below the number of seats, 3, not 3"),
        ("mitchell", "first_seat=-2", 3, "first_seat must be -1 to 5, not -2"),
        ("mitchell", "first_seat=6", 6, "first_seat must be -1 to 5, not 6"),
        ("mitchell", "max_suggestions=0", 3, "max_suggestions must be 1 to 256, not 0"),
        ("mitchell", "max_suggestions=257", 3, "max_suggestions must be 1 to 256, not 257"),
        ("mitchell", "max_suggestions=many", 3, "max_suggestions must be a whole number, not 'many'"),
        ("mitchell", "deal=9", 3, "deal must be 0 to 8, not 9"),
        ("mitchell", "deal=1", 4, "deal 1 is listed for 3, 6 seats, not 4"),
        ("contest", "deal=1", 3, "the listed deals are of the card set report"),
        ("mitchell", f"deal=1,cards={SMALL_CARDS}", 3, "the listed deals are of the card set report"),
    ],
)
def test_what_cannot_be_played_is_refused(order: str, items: str, seats: int, message: str) -> None:
    with pytest.raises(BadParameter) as refused:
        make_game("speed_clue", f"{order}:{items}" if items else order, seats)
    assert message in str(refused.value)


@pytest.mark.parametrize("text", ["mitchel", "mitchell:dela=1", "mitchell:7", "contest:cards"])
def test_unknown_names_are_refused_with_the_known_ones(text: str) -> None:
    with pytest.raises(UnknownName):
        make_game("speed_clue", text, 3)


def test_too_few_cards_for_the_seats_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "six.json"
    path.write_text(
        '{"suspects": {"A": "a", "B": "b"}, "weapons": {"C": "c", "D": "d"}, "locations": {"E": "e", "F": "f", "G": "g"}}'
    )
    assert clue(4, "mitchell", f"cards={path}").seats == 4
    with pytest.raises(BadParameter, match="too few cards for 5 seats"):
        clue(5, "mitchell", f"cards={path}")


def test_a_missing_card_set_is_refused() -> None:
    with pytest.raises(MolehuntError, match="no card set"):
        clue(3, "mitchell", "cards=none.json")


def test_there_are_no_roles_to_seat() -> None:
    with pytest.raises(BadInput, match="no roles"):
        clue().new(seeds_of(0, 1), np.zeros((1, 3), np.int8))
    assert clue().role_counts() == ()
