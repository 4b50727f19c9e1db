"""Each rule of the rule book, by itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from molehunt.core.errors import BadInput, BadParameter, IllegalAction, UnknownName
from molehunt.core.seats import NOBODY
from molehunt.core.streams import game_seeds
from resistance.game import Resistance
from resistance.ruleset import SPIES, TEAM_SIZES, ruleset_from_text, ruleset_to_text
from resistance.state import RESISTANCE, SPY, TEAMS_REJECTED
from resistance_games import SEATS, make, mission, play, seated, view_of, vote


def refused(game: Resistance, states: Any, move: str) -> str:
    with pytest.raises(IllegalAction) as error:
        play(game, states, move)
    return error.value.rule


@pytest.mark.parametrize(("seats", "spies"), [(5, 2), (6, 2), (7, 3), (8, 3), (9, 3), (10, 4)])
def test_a_third_of_the_players_are_spies(seats: int, spies: int) -> None:
    states = make(seats).new(game_seeds(1, 0, 50))
    assert (make(seats).roles_of(states) == SPY).sum(axis=1).tolist() == [spies] * 50
    assert make(seats).role_counts() == (seats - spies, spies)


def test_every_set_of_spies_and_every_leader_is_equally_likely() -> None:
    states = make(5).new(game_seeds(4, 0, 20_000))
    words = (states["roles"][:, :5] @ (1 << np.arange(5))) * 5 + states["leader"]
    counts = np.unique_counts(words).counts
    assert len(counts) == 10 * 5
    assert ((counts - 400) ** 2 / 400).sum() < 90  # chi square with 49 degrees of freedom: 85.4 at 0.1 %


def test_the_first_leader_proposes_first() -> None:
    states = make(6).new(game_seeds(2, 0, 30))
    assert (make(6).to_move(states) == states["leader"]).all()


def test_a_team_has_as_many_members_as_the_table_says() -> None:
    for seats in SEATS:
        game = make(seats)
        states = seated(game, set(range(SPIES[seats])))
        for number, size in enumerate(TEAM_SIZES[seats]):
            legal = [str(action) for action in game.legal_actions(view_of(game, states, int(game.to_move(states)[0])))]
            assert len(legal) == len(set(legal)) == math.comb(seats, size)
            assert {len(move.split(",")) for move in legal} == {size}
            assert "as many members" in refused(game, states, "propose:" + ",".join(map(str, range(size - 1))))
            # Every other mission fails, so that all five are played.
            mission(game, states, ",".join(map(str, range(size))), {0, 1} if number % 2 else set())
        assert game.outcome(states) is not None


def test_a_leader_may_leave_themselves_out() -> None:
    game = make(5)
    assert 0b110 in game.legal_actions(view_of(game, seated(game, {3, 4}, leader=0), 0)).codes


def test_a_team_is_made_of_players_of_the_game() -> None:
    game = make(5)
    assert "players of the game" in refused(game, seated(game, {0, 1}), "propose:4,5")


def test_a_vote_is_secret_until_all_are_cast() -> None:
    game = make(5)
    states = seated(game, {3, 4})
    events = play(game, states, "propose:0,1", "approve", "reject")
    assert [game.friendly_event(event).move for event in events] == ["vote:?", "reject", "vote:?", "vote:?", "vote:?"]
    assert game.friendly_view(view_of(game, states, 2)).proposals[0].ayes is None
    events = play(game, states, "reject", "reject", "approve")
    for seat, event in enumerate(events):
        told = game.friendly_event(event)
        assert (told.move, told.ayes, told.approved) == ("approve", (0, 4), False)
        assert game.friendly_view(view_of(game, states, seat)).proposals[0].ayes == (0, 4)


def test_more_than_half_must_approve() -> None:
    for seats, ayes, approved in (
        (5, 3, True),
        (5, 2, False),
        (6, 3, False),
        (6, 4, True),
        (10, 5, False),
        (10, 6, True),
    ):
        game = make(seats)
        states = seated(game, set(range(SPIES[seats])))
        team = ",".join(map(str, range(TEAM_SIZES[seats][0])))
        events = vote(game, states, team, set(range(ayes)))
        assert game.friendly_event(events[0]).approved is approved
        assert game.friendly_view(view_of(game, states, 0)).phase == ("mission" if approved else "propose")


def test_the_next_leader_proposes_after_a_rejection_and_after_a_mission() -> None:
    game = make(5)
    states = seated(game, {3, 4}, leader=4)
    vote(game, states, "0,1", set())
    assert game.to_move(states)[0] == 0
    mission(game, states, "0,1")
    assert game.to_move(states)[0] == 1


def test_five_rejected_teams_in_a_row_win_for_the_spies() -> None:
    game = make(5)
    states = seated(game, {3, 4})
    for number in range(5):
        assert game.outcome(states) is None
        events = vote(game, states, "0,1", {0})
        assert game.friendly_event(events[2]).winners == (None if number < 4 else "spy")
    outcome = game.outcome(states)
    assert outcome is not None
    assert outcome.winners == (3, 4) and states["outcome"][0] == TEAMS_REJECTED


def test_an_approved_team_ends_a_row_of_rejections() -> None:
    game = make(5)
    states = seated(game, {3, 4})
    for _ in range(4):
        vote(game, states, "0,1", set())
    mission(game, states, "0,1")
    vote(game, states, "0,1,2", set())
    assert game.outcome(states) is None and states["attempt"][0] == 1


def test_the_resistance_must_play_success_and_a_spy_may_choose() -> None:
    game = make(5)
    states = seated(game, {1, 4})
    vote(game, states, "0,1")
    assert game.legal_actions(view_of(game, states, 0))[:] == [game.parse_action("success")]
    assert "must play success" in refused(game, states, "fail")
    play(game, states, "success")
    assert [str(action) for action in game.legal_actions(view_of(game, states, 1))] == ["success", "fail"]


def test_only_the_number_of_fails_becomes_known() -> None:
    game = make(5)
    states = seated(game, {1, 4})
    vote(game, states, "0,1")
    events = play(game, states, "success", "fail")
    assert [game.friendly_event(event).move for event in events] == ["card:?", "fail", "card:?", "card:?", "card:?"]
    assert {game.friendly_event(event).fails for event in events} == {1}
    own = [game.friendly_view(view_of(game, states, seat)).own_fails for seat in range(5)]
    assert own == [(), (1,), (), (), ()]


def test_one_fail_fails_a_mission_and_none_makes_it_a_success() -> None:
    game = make(5)
    states = seated(game, {1, 4})
    assert game.friendly_event(mission(game, states, "0,1", {1})[0]).succeeded is False
    assert game.friendly_event(mission(game, states, "0,1,4")[0]).succeeded is True


@pytest.mark.parametrize(("seats", "needed"), [(5, 1), (6, 1), (7, 2), (8, 2), (9, 2), (10, 2)])
def test_the_fourth_mission_needs_two_fails_with_seven_players_or_more(seats: int, needed: int) -> None:
    game = make(seats)
    for fails in (0, 1, 2):
        states = seated(game, set(range(SPIES[seats])))
        sizes = TEAM_SIZES[seats]
        mission(game, states, ",".join(map(str, range(sizes[0]))), {0})
        for number in (1, 2):
            mission(game, states, ",".join(map(str, range(sizes[number]))), set())
        events = mission(game, states, ",".join(map(str, range(sizes[3]))), set(range(fails)))
        assert game.friendly_event(events[0]).succeeded is (fails < needed)
    assert make(seats, "two_fails=no").ruleset.fails_needed(seats) == (1,) * 5


def test_three_failed_missions_win_for_the_spies() -> None:
    game = make(5)
    states = seated(game, {0, 1})
    for team in ("0,2", "0,3,4", "0,2"):
        assert game.outcome(states) is None
        mission(game, states, team, {0})
    outcome = game.outcome(states)
    assert outcome is not None and outcome.winners == (0, 1) and outcome.payoffs == (1.0, 1.0, 0.0, 0.0, 0.0)
    assert game.to_move(states)[0] == NOBODY


def test_three_successes_win_for_the_resistance() -> None:
    game = make(5)
    states = seated(game, {0, 1})
    for team in ("2,3", "2,3,4", "2,3"):
        assert game.outcome(states) is None
        mission(game, states, team)
    outcome = game.outcome(states)
    assert outcome is not None and outcome.winners == (2, 3, 4)
    assert not game.legal_actions(view_of(game, states, 2))
    assert refused(game, states, "approve") == "the game is over"


def test_spies_know_each_other_and_the_resistance_only_themselves() -> None:
    game = make(7)
    states = seated(game, {1, 4, 6})
    spy, loyal = game.friendly_view(view_of(game, states, 4)), game.friendly_view(view_of(game, states, 0))
    assert spy.spies == {1, 4, 6} and None not in spy.roles
    assert loyal.roles == ("resistance", *[None] * 6)
    assert game.friendly_view(game.public_view(states)).roles == (None,) * 7


def test_all_roles_are_shown_at_the_end_and_no_card_is() -> None:
    game = make(5)
    states = seated(game, {0, 1})
    for team in ("0,2", "0,3,4"):
        mission(game, states, team, {0})
    events = mission(game, states, "0,2", {0})
    for seat in range(5):
        view = game.friendly_view(view_of(game, states, seat))
        assert view.spies == {0, 1} and view.own_fails == ((1, 2, 3) if seat == 0 else ())
        assert game.friendly_event(events[seat]).roles == ("spy", "spy", *["resistance"] * 3)


def test_moves_of_another_phase_are_refused_with_what_is_due() -> None:
    game = make(5)
    states = seated(game, {0, 1})
    assert "leader proposes" in refused(game, states, "approve")
    play(game, states, "propose:0,1")
    assert "everybody votes" in refused(game, states, "success")
    assert "everybody votes" in refused(game, states, "propose:0,1")
    play(game, states, *["approve"] * 5)
    assert "mission cards" in refused(game, states, "reject")


def test_seated_roles_leave_the_rest_of_the_deal_as_it_was() -> None:
    game = make(6)
    seeds = game_seeds(3, 0, 20)
    dealt = game.new(seeds)
    again = game.new(seeds, np.roll(game.roles_of(dealt), 1, axis=1))
    for name in dealt.dtype.names or ():
        if name != "roles":
            assert (dealt[name] == again[name]).all(), name


def test_roles_that_the_ruleset_does_not_have_are_refused() -> None:
    game = make(5)
    for roles in ([[1, 1, 1, 0, 0]], [[0, 0, 0, 0, 0]], [[2, 1, 0, 0, 0]], [[1, 1, 0, 0]]):
        with pytest.raises(BadInput):
            game.new(np.array([1], np.uint64), np.array(roles, np.int8))


def test_rulesets_read_back_and_say_what_is_wrong() -> None:
    for text in ("standard", "standard:spies=1", "standard:two_fails=no,rejections=3"):
        name, _, items = text.partition(":")
        assert ruleset_to_text(ruleset_from_text(name, items.split(",") if items else [])) == text
    with pytest.raises(UnknownName):
        ruleset_from_text("avalon", [])
    with pytest.raises(BadParameter):
        make(5, "spies=9")
    for seats in (4, 11):
        with pytest.raises(BadParameter, match="5 to 10 seats"):
            make(seats)
    with pytest.raises(BadParameter, match="too many"):
        make(5, "spies=3")
    assert make(5, "spies=1").role_counts() == (4, 1)


def test_fewer_rejections_win_where_the_ruleset_says_so() -> None:
    game = make(5, "rejections=2")
    states = seated(game, {0, 1})
    vote(game, states, "0,1", set())
    vote(game, states, "0,1", set())
    assert states["outcome"][0] == TEAMS_REJECTED
    assert RESISTANCE == 0
