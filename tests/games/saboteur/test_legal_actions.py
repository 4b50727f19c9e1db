"""Legal actions as an object, and that the list of them, the check of one and the random choice of one agree."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from core.chance import assert_uniform
from games.saboteur.playing import SPEECH, SWITCHES, legal, mover, play, positions, saboteur, seeds_of, seen_by
from games.saboteur.test_notation import every_move
from molehunt.agents.random import RandomAgent
from molehunt.core.errors import IllegalAction
from molehunt.core.game import Action, LegalActions, States
from molehunt.core.streams import seat_streams
from molehunt.games.saboteur import rules
from molehunt.games.saboteur.cards import CARD_NAMES, CARD_NUMBERS
from molehunt.games.saboteur.game import Saboteur

GAME = saboteur(5)


@pytest.fixture
def states() -> States:
    return GAME.new(seeds_of(0, 1))


def deal_to_mover(states: States, *cards: str) -> None:
    """Give the seat to move these cards."""
    hand = states["hands"][0, mover(states)]
    hand[:] = -1
    hand[: len(cards)] = [CARD_NUMBERS[card] for card in cards]
    states["hand_sizes"][0, mover(states)] = len(cards)


# --- The object -------------------------------------------------------------------------------------------------------


def test_legal_actions_can_be_counted_iterated_and_indexed(states: States) -> None:
    actions = legal(GAME, states)
    listed = list(actions)
    assert len(actions) == len(listed) == len(set(listed)) > 6
    assert [actions[index] for index in range(len(actions))] == listed
    assert actions[-1] == listed[-1]
    assert list(reversed(actions)) == listed[::-1]
    assert actions.index(listed[3]) == 3 and actions.count(listed[3]) == 1
    with pytest.raises(IndexError):
        actions[len(actions)]


def test_legal_actions_can_be_sliced(states: States) -> None:
    actions = legal(GAME, states)
    assert actions[2:5] == list(actions)[2:5]
    assert actions[::-2] == list(actions)[::-2]
    assert all(isinstance(action, Action) for action in actions[:3])
    assert actions[5:2] == []


def test_legal_actions_are_asked_by_action_number_and_text(states: States) -> None:
    deal_to_mover(states, "map", "P_NESW")
    actions = legal(GAME, states)
    for action in actions:
        assert action in actions
        assert int(action) in actions
        assert np.int32(action) in actions
        assert str(action) in actions  # type: ignore[comparison-overlap]
    for other in (
        "map:left",
        "rockfall@1,2",
        "P_NESW@5,2",
        "",
        -1,
        0,
        np.int64(7),
        None,
        1.5,
        b"map:top",
        ("map:top",),
    ):
        assert other not in actions
    assert GAME.parse_action("discard:rockfall") not in actions


def test_empty_list_has_nothing_in_it(states: States) -> None:
    actions = LegalActions(GAME, np.empty(0, np.int32))
    assert len(actions) == 0 and list(actions) == [] and not actions
    assert "map:top" not in actions and 0 not in actions  # type: ignore[comparison-overlap]


def test_legal_actions_show_a_few(states: States) -> None:
    deal_to_mover(states, "map")
    assert repr(legal(GAME, states)) == "<4 legal actions: map:top, map:middle, map:bottom, discard:map>"
    deal_to_mover(states, "P_NESW", "map", "break:cart")
    assert repr(legal(GAME, states)) == (
        "<13 legal actions: P_NESW@0,1, P_NESW@1,2, P_NESW@0,3, discard:P_NESW, map:top, map:middle, ...>"
    )


def test_action_is_an_int_that_prints_as_its_notation(states: States) -> None:
    deal_to_mover(states, "map")
    action = legal(GAME, states)[0]
    assert isinstance(action, int) and action == GAME.parse_action("map:top")
    assert (str(action), f"{action}", repr(action)) == ("map:top", "map:top", "<map:top>")


def test_nobody_else_may_move() -> None:
    for position in positions(GAME, 10):
        for seat in range(5):
            assert bool(GAME.legal_actions(seen_by(GAME, position, seat))) == (seat == mover(position))


def test_nobody_may_move_when_the_game_is_over(states: States) -> None:
    GAME.play_randomly(states, np.array([3], np.uint64))
    assert mover(states) == -1
    assert not any(GAME.legal_actions(seen_by(GAME, states, seat)) for seat in range(5))


def test_legal_actions_do_not_change_when_they_are_found_again(states: States) -> None:
    first = legal(GAME, states)
    before = list(first)
    play(GAME, states, first[0])
    legal(GAME, states)
    assert list(first) == before


def test_one_record_and_an_array_of_one_are_the_same_view(states: States) -> None:
    view = seen_by(GAME, states, mover(states))
    assert list(GAME.legal_actions(view)) == list(GAME.legal_actions(view[0]))


# --- The list, the check and the random choice agree ------------------------------------------------------------------


@pytest.mark.parametrize("items", ["", *SWITCHES, SPEECH])
def test_an_action_is_legal_exactly_where_it_is_listed(items: str) -> None:
    game = saboteur(5, items)
    codes = {move: int(game.parse_action(move)) for move in every_move(5, "double_mends_both=no" in items)}
    for states in positions(game, 12, every=11):
        listed = set(map(str, legal(game, states)))
        checked = {move for move, code in codes.items() if game.fault(states, code) == rules.LEGAL}
        assert checked == listed


def test_numbers_that_are_no_action_are_never_legal(states: States) -> None:
    deal_to_mover(states, "map", "rockfall", "P_NESW", "break:cart", "fix:cart", "D_N")
    states["broken"][0, :5] = [1, 0, 0, 0, 0]
    listed = set(map(int, legal(GAME, states)))
    rng = np.random.default_rng(0)
    held = [CARD_NUMBERS[name] for name in ("map", "rockfall", "P_NESW", "break:cart", "fix:cart", "D_N")]
    numbers = [
        int(card) << 20 | play << 16 | form << 12 | int(target)
        for card in held
        for play in range(16)
        for form in range(16)
        for target in rng.choice(4096, 20)
    ]
    numbers += [int(number) for number in rng.integers(-(2**31), 2**31, 2000)]
    legal_numbers = {number for number in numbers if GAME.fault(states, number) == rules.LEGAL}
    assert legal_numbers <= listed


def test_random_action_is_uniform_over_the_list() -> None:
    for states in positions(GAME, 3, every=17):
        actions = legal(GAME, states)
        count = 60 * len(actions)
        views = np.repeat(seen_by(GAME, states, mover(states)), count)
        streams = seat_streams(seeds_of(0, count), 1)[:, 0].copy()
        player = RandomAgent()
        out = player.act(views, player.start(GAME, views, streams), np.arange(count))
        assert set(out.tolist()) <= set(map(int, actions))
        if len(actions) > 1:
            assert_uniform(Counter(out.tolist()), len(actions))


# --- What is wrong with an action -------------------------------------------------------------------------------------


def prepared(game: Saboteur, broken: dict[int, int] | None = None, *moves: str) -> States:
    """A position with seat 0 to move, who holds what each of `moves` needs; `broken` are tools of seats."""
    states = game.new(seeds_of(0, 1))
    states["to_move"][0] = 0
    for seat, tools in (broken or {}).items():
        states["broken"][0, seat] = tools
    for move in moves:
        deal_to_mover(states, move.partition("@")[0])
        play(game, states, move)
        states["to_move"][0] = 0
    return states


PLAIN = ""
NOT_REACHED = "a path card goes on an empty cell that a tunnel from the start opens onto"
NO_FIT = "every edge of a path card must fit its neighbours, open to open and wall to wall"
NOTHING_TO_MEND = "none of the tools on the card is broken in front of this player"
NOTHING_TO_REMOVE = "a rockfall removes a path card, never the start or a goal"
BLOCKED = "a player with a broken tool may not lay a path card"
ROCKFALL_BLOCKED = "a player with a broken tool may not play a rockfall"
BROKEN_ALREADY = "that tool of this player is broken already"


@pytest.mark.parametrize(
    ("items", "hand", "broken", "before", "move", "rule"),
    [
        (PLAIN, "map", {}, [], "discard:rockfall", "the hand holds no such card"),
        (PLAIN, "map", {}, [], "discard:?", "there is no such action in this game"),
        (PLAIN, "P_EW", {0: 4}, [], "P_EW@1,2", BLOCKED),
        (PLAIN, "P_EW", {}, [], "P_EW@5,2", NOT_REACHED),
        (PLAIN, "P_EW", {}, [], "P_EW@0,2", NOT_REACHED),
        (PLAIN, "P_EW", {}, [], "P_EW@8,0", NOT_REACHED),
        (PLAIN, "P_NS", {}, [], "P_NS@1,2", NO_FIT),
        (PLAIN, "break:cart", {}, [], "break:cart>0", "nobody may break their own tool"),
        (PLAIN, "break:cart", {3: 1}, [], "break:cart>3", BROKEN_ALREADY),
        (PLAIN, "fix:cart", {3: 6}, [], "fix:cart>3", NOTHING_TO_MEND),
        (PLAIN, "fix:cart+lantern", {3: 4}, [], "fix:cart+lantern>3", NOTHING_TO_MEND),
        ("double_mends_both=no", "fix:cart+lantern", {3: 1}, [], "fix:cart+lantern>3/lantern", NOTHING_TO_MEND),
        (PLAIN, "rockfall", {}, ["P_EW@1,2"], "rockfall@2,2", NOTHING_TO_REMOVE),
        (PLAIN, "rockfall", {}, ["P_EW@1,2"], "rockfall@0,2", NOTHING_TO_REMOVE),
        (PLAIN, "rockfall", {}, ["P_EW@1,2"], "rockfall@8,4", NOTHING_TO_REMOVE),
        ("blocked_may_rockfall=no", "rockfall", {0: 1}, [], "rockfall@1,2", ROCKFALL_BLOCKED),
        (PLAIN, "map", {0: 1}, [], "accuse>1", "in this game players accuse nobody and ask for nothing"),
        (PLAIN, "map", {0: 1}, [], "ask:cart", "in this game players accuse nobody and ask for nothing"),
        ("speak=yes", "map", {}, [], "accuse>0", "a player accuses another one, and not the one accused last"),
        (
            "speak=yes",
            "map",
            {0: 1},
            [],
            "ask:lantern",
            "a player asks for an own tool that is broken, once until it is mended",
        ),
    ],
)
def test_illegal_action_names_the_rule(
    items: str, hand: str, broken: dict[int, int], before: list[str], move: str, rule: str
) -> None:
    game = saboteur(5, items)
    states = prepared(game, None, *before)
    for seat, tools in broken.items():
        states["broken"][0, seat] = tools
    deal_to_mover(states, hand)
    kept = states.tobytes()
    assert move not in legal(game, states)  # type: ignore[comparison-overlap]
    with pytest.raises(IllegalAction) as error:
        play(game, states, move)
    assert (error.value.seat, error.value.action, error.value.rule) == (0, move, rule)
    assert states.tobytes() == kept


def test_before_a_card_one_thing_is_said() -> None:
    game = saboteur(4, "speak=yes,first_seat=0")
    states = game.new(seeds_of(0, 1))
    states["broken"][0, 0] = 0b011

    def sayings() -> list[str]:
        return [text for text in map(str, legal(game, states)) if text.startswith(("accuse", "ask"))]

    assert sayings() == ["accuse>1", "accuse>2", "accuse>3", "ask:cart", "ask:lantern"]
    play(game, states, "accuse>2")
    assert int(states["to_move"][0]) == 0 and sayings() == [] and len(legal(game, states)) > 6
    with pytest.raises(IllegalAction, match="says one thing before a card"):
        play(game, states, "ask:cart")
    view = game.friendly_view(game.views(states, np.array([1], np.int8)))
    assert view.accused == (2, None, None, None) and view.asked == (frozenset(),) * 4 and view.spoken
    play(game, states, str(legal(game, states)[-1]))
    assert int(states["to_move"][0]) == 1
    # An accusation stands until another one, a request until the tool is mended.
    states["to_move"][0] = 0
    assert sayings() == ["accuse>1", "accuse>3", "ask:cart", "ask:lantern"]
    play(game, states, "ask:cart")
    states["to_move"][0], states["spoken"][0] = 1, 0
    deal_to_mover(states, "fix:cart")
    play(game, states, "fix:cart>0")
    states["broken"][0, 0] |= 1
    states["to_move"][0] = 0
    assert sayings() == ["accuse>1", "accuse>3", "ask:cart", "ask:lantern"]


def test_map_of_a_goal_that_lies_open_is_illegal() -> None:
    game = GAME
    states = prepared(game, None, *[f"P_EW@{x},2" for x in range(1, 7)])
    states["goals"][0] = [1, 2, 3]
    deal_to_mover(states, "P_EW")
    play(game, states, "P_EW@7,2")
    deal_to_mover(states, "map")
    assert list(map(str, legal(game, states))) == ["map:top", "map:bottom", "discard:map"]
    with pytest.raises(IllegalAction, match="a map looks at a goal that lies face down"):
        play(game, states, "map:middle")


def test_nothing_is_legal_after_the_end(states: States) -> None:
    GAME.play_randomly(states, np.array([3], np.uint64))
    with pytest.raises(IllegalAction, match="illegal action: 'map:top': the game is over"):
        play(GAME, states, "map:top")


def test_games_before_an_illegal_action_have_moved_and_those_after_it_have_not() -> None:
    states = GAME.new(seeds_of(0, 5))
    actions = np.array([int(legal(GAME, states[index : index + 1])[0]) for index in range(5)], np.int32)
    alone = [states[index : index + 1].copy() for index in range(5)]
    for state, action in zip(alone, actions, strict=True):
        play(GAME, state, int(action))
    before = states.copy()
    actions[3] = GAME.parse_action("discard:?")
    with pytest.raises(IllegalAction) as error:
        GAME.apply(states, actions)
    assert error.value.seat == before["to_move"][3]
    for index in range(3):
        assert states[index].tobytes() == alone[index].tobytes()
    assert states[3:].tobytes() == before[3:].tobytes()


def test_moves_are_played_in_the_rows_that_are_named() -> None:
    states = GAME.new(seeds_of(0, 6))
    before = states.copy()
    rows = np.array([4, 1])
    actions = np.array([int(legal(GAME, states[row : row + 1])[0]) for row in rows], np.int32)
    events = GAME.apply(states, actions, rows)
    assert events.shape == (2, 5)
    assert events["seat"][:, 0].tolist() == before["to_move"][rows].tolist()
    assert [index for index in range(6) if states[index].tobytes() != before[index].tobytes()] == [1, 4]


def test_every_rule_has_its_words() -> None:
    assert len(rules.RULE_TEXTS) == rules.NOT_TO_BE_ASKED + 1 == len(set(rules.RULE_TEXTS))


def test_hand_of_six_different_cards_fits_the_list() -> None:
    # The most that one can do: six different through cards with two forms each, and every open end that there can be;
    # or double repairs of one tool of two, of three tools for each of ten seats.
    from molehunt.games.saboteur.state import MAX_ENDS
    from molehunt.games.saboteur.views import MAX_ACTIONS

    assert 6 * (2 * max(MAX_ENDS, 45) + 1) < MAX_ACTIONS
    assert MAX_ACTIONS > 6 * (3 * 10 + 1)


def every_card(states: Any) -> set[str]:
    return {CARD_NAMES[card] for card in states["hands"][0, mover(states)] if card >= 0}


def test_every_card_of_the_hand_may_be_thrown_away_and_no_other() -> None:
    for states in positions(GAME, 10):
        thrown = {
            str(action).removeprefix("discard:") for action in legal(GAME, states) if str(action).startswith("discard:")
        }
        assert thrown == every_card(states)
