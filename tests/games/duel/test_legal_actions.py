"""What may be done: one position for every rule, worked out by hand, and that the list of legal actions, the check of one and the
random choice of one agree."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from core.chance import assert_uniform
from games.duel.playing import (
    CARDS,
    GAME,
    TUNNEL,
    action_of,
    cell_number,
    give,
    lead,
    legal,
    mover,
    opening,
    play,
    positions,
    seeds_of,
    seen_by,
)
from molehunt.core.errors import BadInput, IllegalAction
from molehunt.core.game import Action, States
from molehunt.games.duel.actions import pack
from molehunt.games.duel.rules import RULE_TEXTS


def plays(states: States, *cards: str) -> set[str]:
    """What may be done with these cards in hand, discards left out."""
    give(states, *cards)
    return {
        move for move in map(str, legal(states)) if move.partition("@")[0].partition("_")[0].partition(":")[0] in cards
    }


# --- What is wrong with an action -------------------------------------------------------------------------------------

HINDERED = "no tile is laid with a malus in front of oneself"
NO_SUCH_CARD = "the card is not in the hand"
DOES_NOT_FIT = "a tile goes on an empty cell, matches every neighbour edge by edge, and open meets open at least once"
NO_TILE = "a destroy card takes away a placed tile; the entrance and the goals stay"
NO_MALUS = "a bonus needs a malus in front of oneself"
REVEALED_ALREADY = "a map is for a goal that is not revealed"
TO_THE_BLANK = (*TUNNEL, "8@11,5")
"""The middle goal is reached."""


@pytest.mark.parametrize(
    ("before", "card", "move", "rule"),
    [
        ([], "0", "drop:?", "there is no such move"),
        ([], "0", "drop:malus", NO_SUCH_CARD),
        ([], "malus", "drop:malus#2", NO_SUCH_CARD),
        ([], "map", "drop:map#7", NO_SUCH_CARD),
        ([], "5", "0@6,5", NO_SUCH_CARD),
        ([], "map", "bonus", NO_SUCH_CARD),
        (["malus"], "0", "0@6,5", HINDERED),
        (["malus", "drop:5", "malus"], "8", "8@6,5", HINDERED),
        # On the entrance, on a tile, on a goal, nowhere near anything.
        ([], "8", "8@5,5", DOES_NOT_FIT),
        (["0@6,5"], "8", "8@6,5", DOES_NOT_FIT),
        ([], "8", "8@12,5", DOES_NOT_FIT),
        ([], "8", "8@0,0", DOES_NOT_FIT),
        # A wall against the open entrance; nothing but a wall against a wall; beside a goal that is hidden.
        ([], "10", "10@6,5", DOES_NOT_FIT),
        (["0@6,5"], "0", "0@6,6", DOES_NOT_FIT),
        ([], "8", "8@11,5", DOES_NOT_FIT),
        # Open towards the neighbour in the north, a wall towards the open one in the west.
        (["8@6,5", "8@5,6"], "0", "0@6,6", DOES_NOT_FIT),
        (TO_THE_BLANK, "map", "map:middle", REVEALED_ALREADY),
        # A revealed goal is an open cross.
        (TO_THE_BLANK, "0", "0@12,4", DOES_NOT_FIT),
        ([], "bonus", "bonus", NO_MALUS),
        (["malus", "bonus", "drop:5"], "bonus", "bonus", NO_MALUS),
        ([], "destroy", "destroy@5,5", NO_TILE),
        ([], "destroy", "destroy@12,3", NO_TILE),
        (TO_THE_BLANK, "destroy", "destroy@12,5", NO_TILE),
        ([], "destroy", "destroy@6,5", NO_TILE),
        (["0@6,5", "destroy@6,5"], "destroy", "destroy@6,5", NO_TILE),
    ],
)
def test_illegal_action_names_the_rule(before: list[str], card: str, move: str, rule: str) -> None:
    states = opening(*before)
    give(states, card)
    seat = mover(states)
    if rule == NO_SUCH_CARD:
        # Nothing else is held by chance; of a card whose copies are counted there is one.
        states["hands"][0, seat] = CARDS.index("bonus" if "#" in move else card)
        give(states, card)
    kept = states.tobytes()
    assert move not in legal(states)  # type: ignore[comparison-overlap]
    with pytest.raises(IllegalAction) as error:
        play(states, move)
    assert (error.value.seat, error.value.action, error.value.rule) == (seat, move, rule)
    assert states.tobytes() == kept


def test_tile_that_looks_the_same_flipped_is_laid_unflipped() -> None:
    states = opening()
    give(states, "0")
    kept = states.tobytes()
    with pytest.raises(IllegalAction, match="'0_flip@6,5': a tile that looks the same flipped is laid unflipped"):
        play(states, pack(1, 0, 1, cell_number((6, 5))))
    assert states.tobytes() == kept


@pytest.mark.parametrize(
    "action",
    [
        -1,
        0,
        1 << 17,
        2**31 - 1,
        -(2**31),
        pack(0, 0, 0, cell_number((6, 5))),
        pack(7, 0, 0, cell_number((6, 5))),
        pack(1, 19, 0, cell_number((6, 5))),
        pack(1, 20, 0, cell_number((6, 5))),
        pack(2, 19, 0, 3),
        pack(2, 19, 1, 0),
        pack(2, 0, 0, 0),
        pack(3, 19, 0, 0),
        pack(3, 17, 0, 1),
        pack(4, 17, 0, 0),
        pack(4, 18, 1, 0),
        pack(5, 16, 1, cell_number((6, 5))),
        pack(5, 19, 0, cell_number((6, 5))),
        pack(6, 0, 1, 0),
        pack(6, 0, 0, 7),
        pack(6, 31, 0, 0),
        action_of("8@6,5") | 1 << 30,
    ],
)
def test_number_that_is_no_action_is_no_such_move(action: int) -> None:
    states = opening("8@6,5", "malus")
    give(states, "0", "map", "malus", "bonus", "destroy")
    kept = states.tobytes()
    assert action not in legal(states)
    with pytest.raises(IllegalAction, match="there is no such move"):
        play(states, action)
    assert states.tobytes() == kept


def test_nothing_is_legal_after_the_end() -> None:
    states = opening(*TO_THE_BLANK, goals="blank nugget blank")
    assert mover(states) == -1
    assert not any(GAME.legal_actions(seen_by(states, seat)) for seat in (0, 1))
    kept = states.tobytes()
    with pytest.raises(IllegalAction, match="illegal action: 'map:left': the game is over"):
        play(states, "map:left")
    assert states.tobytes() == kept


def test_every_rule_has_its_words() -> None:
    assert len(RULE_TEXTS) == 10 == len(set(RULE_TEXTS))
    assert RULE_TEXTS[0] == "" and all(RULE_TEXTS[1:])


# --- What may be done -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile", "expected"),
    [
        ("0", {"0@4,5", "0@6,5"}),
        ("10", {"10@5,4", "10@5,6"}),
        ("5", {"5@4,5", "5@5,4", "5_flip@6,5", "5_flip@5,6"}),
        ("12", {"12@6,5", "12_flip@4,5"}),
        ("13", {"13@4,5", "13@6,5", "13@5,4", "13@5,6"}),
        ("6", {"6@4,5", "6@6,5", "6@5,6", "6_flip@4,5", "6_flip@6,5", "6_flip@5,4"}),
    ],
)
def test_first_tile_opens_onto_the_entrance(tile: str, expected: set[str]) -> None:
    assert plays(opening(), tile) == expected


def test_tile_need_not_be_joined_to_the_entrance() -> None:
    # The arm ends in its centre, but its edge is open; behind a closed centre tunnels go on; a destroyed tile leaves the rest.
    states = opening("1@6,5", "8@7,5", "destroy@6,5", "0@8,5")
    assert plays(states, "0") == {"0@4,5", "0@6,5", "0@9,5"}
    assert GAME.friendly_view(seen_by(states, 1)).joined == {(5, 5)}


def test_edge_of_the_board_asks_for_nothing() -> None:
    assert "8@13,5" in plays(opening(*TO_THE_BLANK), "8")
    states = opening("0@4,5", "8@3,5", "0@2,5", "0@1,5")
    assert plays(states, "9") >= {"9@0,5"}
    assert "0@0,5" in plays(states, "0")


def test_hidden_goal_is_absent_and_a_revealed_one_an_open_cross() -> None:
    states = opening(*TUNNEL)
    # Left of the end above the middle goal: nothing says a word about the goals.
    assert plays(states, "7") >= {"7@11,5"}
    lead(states, "7@11,5", "9@11,6")
    # The tunnel turns east over the hidden goal, and the cell between the goals is not fit for anything yet.
    assert GAME.friendly_view(seen_by(states, 0)).revealed == set()
    assert "10@12,6" not in plays(states, "10")
    assert "0@12,6" in plays(states, "0")
    lead(states, "8@12,6")
    assert GAME.friendly_view(seen_by(states, 0)).revealed == {"middle", "right"}


def test_malus_hinders_tiles_only() -> None:
    states = opening("0@6,5", "malus")
    give(states, "8", "malus", "bonus", "destroy", "map", "0", "5")
    assert set(map(str, legal(states))) == {
        "malus",
        "bonus",
        "destroy@6,5",
        *("map:left", "map:middle", "map:right"),
        *("drop:8", "drop:malus", "drop:bonus", "drop:destroy", "drop:map", "drop:0", "drop:5"),
    }


def test_maluses_add_up_and_a_bonus_takes_off_one() -> None:
    states = opening("malus", "drop:5", "malus")
    assert states["malus"][0].tolist() == [2, 0]
    give(states, "bonus", "bonus", "0")
    for left in (1, 0):
        assert "0@6,5" not in legal(states)  # type: ignore[comparison-overlap]
        play(states, "bonus")
        assert states["malus"][0].tolist() == [left, 0]
        lead(states, "drop:5")
    assert "0@6,5" in legal(states)  # type: ignore[comparison-overlap]


def test_goal_seen_before_may_be_looked_at_again() -> None:
    assert plays(opening("map:left", "drop:5"), "map") == {"map:left", "map:middle", "map:right"}


def test_copies_of_a_card_give_each_action_once() -> None:
    states = opening()
    give(states, "0", "0", "0", "0", "map", "map", "map")
    assert sorted(map(str, legal(states))) == [
        "0@4,5",
        "0@6,5",
        "drop:0",
        "drop:map",
        "map:left",
        "map:middle",
        "map:right",
    ]


def test_every_card_of_the_hand_may_be_dropped_and_no_other() -> None:
    for states in positions(10):
        discarded = {str(action).removeprefix("drop:") for action in legal(states) if str(action).startswith("drop:")}
        assert discarded == {CARDS[card] for card in states["hands"][0, mover(states)] if card >= 0}


def test_nobody_else_may_move() -> None:
    for states in positions(10):
        for seat in (0, 1):
            assert bool(GAME.legal_actions(seen_by(states, seat))) == (seat == mover(states))


# --- The object -------------------------------------------------------------------------------------------------------


def test_legal_actions_are_asked_by_action_number_and_text() -> None:
    states = opening()
    give(states, "map", "0")
    actions = legal(states)
    for action in actions:
        assert isinstance(action, Action)
        assert action in actions and int(action) in actions
        assert str(action) in actions  # type: ignore[comparison-overlap]
    for other in ("map:top", "destroy@6,5", "0@7,5", "", -1, 0, None):
        assert other not in actions
    # The underlying order: card by card as they lie in the hand, then the discards.
    assert list(map(str, actions))[:5] == ["map:left", "map:middle", "map:right", "0@4,5", "0@6,5"]
    assert [str(action).startswith("drop:") for action in actions] == sorted(
        str(action).startswith("drop:") for action in actions
    )


def test_one_record_and_an_array_of_one_are_the_same_view() -> None:
    view = seen_by(opening(), 1)
    assert list(GAME.legal_actions(view)) == list(GAME.legal_actions(view[0]))


# --- The list, the check and the random choice agree ------------------------------------------------------------------


def test_of_all_numbers_those_are_legal_that_are_listed() -> None:
    for states in (opening(*TO_THE_BLANK, "malus", "drop:5"), opening("8@6,5", "drop:15", "9_flip@7,5", "malus")):
        give(states, "6", "0", "map", "malus", "bonus", "destroy", "5")
        checked = {number for number in range(2**17) if GAME.fault(states, number) == 0}
        assert checked == set(map(int, legal(states)))
        rng = np.random.default_rng(0)
        assert all(GAME.fault(states, int(number)) for number in rng.integers(2**17, 2**31, 2000))
        assert all(GAME.fault(states, -int(number)) for number in rng.integers(1, 2**31, 2000))


def last_move(states: States) -> States:
    """The position as the last of the game: the deck and the other's hand are gone."""
    last = states.copy()
    seat = mover(last)
    last["drawn"][0] = 55
    last["hands"][0, 1 - seat] = -1
    last["hand_sizes"][0, 1 - seat] = 0
    return last


def test_random_action_is_uniform_over_the_list() -> None:
    compared = 0
    for number, states in enumerate(positions(6, every=13)):
        last = last_move(states)
        last["looked"][0] = 0
        actions = legal(last)
        results = {}
        for action in actions:
            after = last.copy()
            play(after, action)
            assert after["outcome"][0] > 0
            results[after.tobytes()] = action
        assert len(results) == len(actions)
        many = np.repeat(last, 60 * len(actions))
        assert GAME.play_randomly(many, seeds_of(1000 * number, len(many))) == len(many)
        found = Counter(results[state.tobytes()] for state in many)
        if len(actions) > 1:
            assert_uniform(found, len(actions))
            compared += len(actions)
    assert compared > 300


# --- Whole batches ----------------------------------------------------------------------------------------------------


def test_games_before_an_illegal_action_have_moved_and_those_after_it_have_not() -> None:
    states = GAME.new(seeds_of(0, 5))
    actions = np.array([int(legal(states[index : index + 1])[0]) for index in range(5)], np.int32)
    alone = [states[index : index + 1].copy() for index in range(5)]
    for state, action in zip(alone, actions, strict=True):
        play(state, int(action))
    before = states.copy()
    actions[3] = action_of("drop:?")
    with pytest.raises(IllegalAction) as error:
        GAME.apply(states, actions)
    assert error.value.seat == 1
    for index in range(3):
        assert states[index].tobytes() == alone[index].tobytes()
    assert states[3:].tobytes() == before[3:].tobytes()


def test_moves_are_played_in_the_rows_that_are_named() -> None:
    states = GAME.new(seeds_of(0, 6))
    before = states.copy()
    rows = np.array([4, 1])
    actions = np.array([int(legal(states[row : row + 1])[0]) for row in rows], np.int32)
    events = GAME.apply(states, actions, rows)
    assert events.shape == (2, 2)
    assert [index for index in range(6) if states[index].tobytes() != before[index].tobytes()] == [1, 4]
    with pytest.raises(BadInput, match="one action for each of 1 states, not 2"):
        GAME.apply(states, actions, rows[:1])


# --- How games end ----------------------------------------------------------------------------------------------------


def test_random_games_are_draws_in_55_moves_but_for_a_few() -> None:
    games = 20_000
    states = GAME.new(seeds_of(0, games))
    moves = GAME.play_randomly(states, seeds_of(10**6, games))
    turns, outcomes = states["turn"], states["outcome"]
    draws = outcomes == 2
    assert 0.99 < draws.mean() < 0.999
    assert ((outcomes == 1) == (GAME.wins(states).sum(axis=1) == 1)).all()
    assert (turns[draws] == 55).all() and not states["hand_sizes"][draws].any()
    assert turns.sum() == moves
    # Some games are won by either seat, the last card included or not.
    assert GAME.wins(states).any(axis=0).all()
    assert (states["to_move"] == -1).all()


def test_a_draw_has_28_moves_by_player_1_and_27_by_player_0() -> None:
    counted = 0
    for number in range(0, 40, 5):
        states = GAME.new(seeds_of(number, 1))
        rng = np.random.default_rng(number)
        movers = Counter[int]()
        while mover(states) >= 0:
            movers[mover(states)] += 1
            play(states, int(rng.choice(list(map(int, legal(states))))))
        if GAME.outcome_codes(states)[0] == 1:
            assert movers == {1: 28, 0: 27}
            counted += 1
    assert counted >= 5
