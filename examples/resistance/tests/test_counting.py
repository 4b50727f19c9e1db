"""The player that counts: what it knows is exact, and it does what its text says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from molehunt.agents.random import RandomAgent
from molehunt.core.errors import BadInput
from molehunt.core.match import play as play_games
from molehunt.core.panels import Bars
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from resistance.agents.counting import EDITIONS, CountingAgent, Parameters
from resistance.game import Resistance
from resistance_games import make, mission, play, seated, view_of, vote

LOGIC = CountingAgent("counting:logic", EDITIONS["logic"])
LIKELIHOOD = CountingAgent("counting:likelihood", EDITIONS["likelihood"])


def choice(game: Resistance, states: Any, agent: CountingAgent = LOGIC, stream: int = 3) -> str:
    seat = int(game.to_move(states)[0])
    view = view_of(game, states, seat)
    memory = agent.start(game, view, np.array([stream], np.uint64))
    return game.format_action(int(agent.act(view, memory, np.zeros(1, np.int64))[0]))


def test_suspicion_is_what_the_missions_allow() -> None:
    game = make(5)
    states = seated(game, {0, 1}, leader=3)
    count, chances = LOGIC.suspicion(game, view_of(game, states, 3))
    assert count == 6 and np.allclose(chances, [0.5, 0.5, 0.5, 0, 0.5])
    mission(game, states, "0,2", {0})
    count, chances = LOGIC.suspicion(game, view_of(game, states, 3))
    assert count == 5 and np.allclose(chances, [0.6, 0.4, 0.6, 0, 0.4])


def test_likelihood_weighs_a_set_by_how_often_it_would_have_led_here() -> None:
    game = make(5)
    states = seated(game, {0, 1}, leader=3)
    mission(game, states, "0,2", {0})
    mission(game, states, "1,3,4", set())
    agent = CountingAgent("x", Parameters(sabotage=0.8))
    _, chances = agent.suspicion(game, view_of(game, states, 3))
    # One spy of the first team fails with 0.8, one of two with 2 x 0.8 x 0.2; each spy of the second team plays success with 0.2.
    sets = {(0, 1): 0.8 * 0.2, (0, 2): 2 * 0.8 * 0.2, (0, 4): 0.8 * 0.2, (1, 2): 0.8 * 0.2, (2, 4): 0.8 * 0.2}
    wanted = [sum(weight for those, weight in sets.items() if seat in those) / sum(sets.values()) for seat in range(5)]
    assert np.allclose(chances, wanted)


def test_the_resistance_proposes_a_team_with_the_least_chance_of_a_spy() -> None:
    game = make(5)
    states = seated(game, {0, 1}, leader=1)
    mission(game, states, "0,1", {0})
    # One of 0 and 1 is a spy or both are: both of them is certain to fail, anybody else is as good as one of them.
    proposed = {choice(game, states, stream=stream) for stream in range(60)}
    assert proposed == {"propose:2,3,4", *(f"propose:{one},2,{other}" for one in (0, 1) for other in (3, 4))}
    states = seated(game, {0, 1}, leader=1)
    mission(game, states, "0,1", {0, 1})
    assert {choice(game, states, stream=stream) for stream in range(20)} == {"propose:2,3,4"}


def test_a_team_that_must_fail_is_rejected_but_not_at_the_last_proposal() -> None:
    game = make(5)
    states = seated(game, {0, 1}, leader=2)
    mission(game, states, "0,1", {0, 1})
    for number in range(5):
        play(game, states, "propose:0,2,3", "approve", "approve")
        assert choice(game, states) == ("reject" if number < 4 else "approve")
        if number < 4:
            play(game, states, "reject", "reject", "reject")


def test_spies_bring_just_as_many_spies_as_a_fail_takes() -> None:
    game = make(7)
    for stream in range(10):
        states = seated(game, {0, 1, 2}, leader=0)
        team = {int(seat) for seat in choice(game, states, stream=stream).partition(":")[2].split(",")}
        assert 0 in team and len(team & {0, 1, 2}) == 1
    states = seated(game, {0, 1, 2}, leader=0)
    for teams in (("3,4", set()), ("3,4,5", set()), ("0,3,4", {0})):
        mission(game, states, *teams)
    states["leader"] = states["to_move"] = 0
    team = {int(seat) for seat in choice(game, states).partition(":")[2].split(",")}
    assert 0 in team and len(team & {0, 1, 2}) == 2


def test_one_spy_of_two_plays_fail_where_one_fail_is_enough() -> None:
    game = make(5)
    states = seated(game, {0, 1})
    vote(game, states, "0,1")
    assert choice(game, states) == "fail"
    play(game, states, "fail")
    assert choice(game, states) == "success"


def test_a_spy_does_not_fail_a_mission_that_succeeds_anyhow() -> None:
    game = make(7)
    states = seated(game, {0, 1, 2}, leader=0)
    for teams in (("3,4", set()), ("3,4,5", set()), ("0,3,4", {0})):
        mission(game, states, *teams)
    vote(game, states, "0,3,4,5")
    assert choice(game, states) == "success"


def test_a_spy_that_lies_low_fails_what_decides() -> None:
    game = make(5)
    agent = CountingAgent("counting", Parameters(lie_low=1.0))
    states = seated(game, {0, 1})
    vote(game, states, "0,2")
    assert choice(game, states, agent) == "success"
    play(game, states, "success", "success")
    mission(game, states, "2,3,4")
    vote(game, states, "0,2")
    assert choice(game, states, agent) == "fail"


def test_counting_beats_chance_on_both_sides() -> None:
    game = make(5)
    roles = np.tile(np.array([1, 1, 0, 0, 0], np.int8), (400, 1))
    seeds = game_seeds(9, 0, 400)

    def spies_win(spy: Any, loyal: Any) -> float:
        played = play_games(game, [spy, spy, loyal, loyal, loyal], seeds, roles)
        return float(game.wins(played.states)[:, 0].mean())

    base = spies_win(RandomAgent(), RandomAgent())
    assert spies_win(LIKELIHOOD, RandomAgent()) > base + 0.2
    assert spies_win(RandomAgent(), LIKELIHOOD) < base - 0.2


def test_reasons_and_beliefs_are_said() -> None:
    game = make(5)
    states = seated(game, {0, 1}, leader=2)
    mission(game, states, "0,2", {0})
    before = states.tobytes()
    said = LOGIC.why(game, view_of(game, states, 3), None, 0)
    assert said.startswith("5 sets of 2 spies agree") and "seat 0, with 60 %" in said
    assert "seat 0, seat 1" in LOGIC.why(game, view_of(game, states, 0), None, 0)
    play(game, states, "propose:0,1,2")
    assert "fails in 100 %" in LOGIC.why(game, view_of(game, states, 4), None, 0)
    (panel,) = LOGIC.beliefs(game, view_of(game, states, 3), None, 0)
    assert isinstance(panel, Bars)
    assert [round(bar.value, 2) for bar in panel.rows] == [0.6, 0.4, 0.6, 0.0, 0.4]
    assert before != states.tobytes()


def test_memories_are_copied_and_taken_by_chair() -> None:
    game = make(5)
    views = game.views(game.new(game_seeds(1, 0, 3)), np.zeros(3, np.int8))
    memory = LOGIC.start(game, views, np.arange(3, dtype=np.uint64))
    taken = LOGIC.take(memory, np.array([2, 0]))
    assert taken.streams.tolist() == [2, 0]
    assert taken.params is memory.params
    copied = LOGIC.copy_memory(memory)
    copied.streams[0] = 9
    assert memory.streams.tolist() == [0, 1, 2]


def test_it_refuses_another_game() -> None:
    other = make_game("duel", "mcgill", 2)
    views = other.views(other.new(np.array([1], np.uint64)), np.array([0], np.int8))
    with pytest.raises(BadInput, match="plays resistance, not duel"):
        LOGIC.start(other, views, np.array([1], np.uint64))
