"""Strangers of the duel: what a seed draws, and that each habit shows in the moves."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np
import pytest

from agents.duel.beside import AGENTS, choices, decide, decisions, mover_view, sit
from games.duel.playing import GAME, TUNNEL, action_of, mover, opening, seeds_of
from molehunt.agents.duel.stranger import StrangerAgent, find_distances
from molehunt.core.game import States
from molehunt.core.kernels import kernel
from molehunt.core.match import play as play_games
from molehunt.reading.duel.habits import (
    ANY,
    AT_ONCE,
    BREAKS,
    CLEARS,
    COLUMNS,
    DEAD_ENDS,
    FIRST,
    HABITS,
    HABITS_SAID,
    IN_ANSWER,
    KEEPS,
    NEAR,
    NEVER,
    OLDEST,
    SAVED,
    STYLES,
    UNPLAYED,
    WAY,
    WORST,
    draw_habits,
    styles_of,
)

REPORTED = range(10_001, 10_201)
"""Seeds on which results are reported."""


def stranger(**habits: Any) -> StrangerAgent:
    """A player that looks one tile ahead, rushes, reaches what may be blank, and has no other habits than these."""
    agent = AGENTS.make("stranger")
    assert isinstance(agent, StrangerAgent)
    mine = np.zeros(1, HABITS)
    plain = {"guess": 1, "ahead": 1, "near": 3.0, "reach": True, "wait": 2.0, "malus": UNPLAYED}
    for name, value in {**plain, **habits}.items():
        mine[name] = value
    agent.habits = mine
    return agent


def move_of(states: States, **habits: Any) -> str:
    """What a player with these habits does on the move."""
    agent = stranger(**habits)
    return GAME.format_action(decide(agent, mover_view(states), sit(agent, states, mover(states))))


def holding(states: States, *cards: str) -> States:
    """The same with exactly these cards first in the hand of the mover, and dead ends after them."""
    seat = mover(states)
    names = [*cards, *(name for name in ("12", "4", "1", "2", "3", "11", "13") if name not in cards)][:7]
    states["hands"][0, seat] = [int(action_of(f"drop:{name}")) >> 9 & 31 for name in names]
    return states


# --- The draw -----------------------------------------------------------------------------------------------------------


def test_a_seed_is_always_the_same_stranger() -> None:
    assert draw_habits(17).tobytes() == draw_habits(17).tobytes()
    assert len({draw_habits(seed).tobytes() for seed in REPORTED}) > 195
    assert (
        AGENTS.make("stranger:seed=17").name == "stranger:seed=17" and AGENTS.make("stranger:seed=0").name == "stranger"
    )


def test_every_habit_is_met_and_no_two_go_together() -> None:
    drawn = np.concatenate([draw_habits(seed) for seed in REPORTED])
    met = {name: Counter(drawn[name].tolist()) for name in HABITS.names or ()}
    values: dict[str, set[Any]] = {
        "looks": {NEVER, NEAR, FIRST},
        "malus": {AT_ONCE, SAVED, IN_ANSWER, UNPLAYED},
        "measure": {COLUMNS, WAY},
    }
    values |= {"destroy": {KEEPS, CLEARS, BREAKS}, "discard": {WORST, DEAD_ENDS, OLDEST, ANY}, "ahead": {1, 2, 3}}
    values |= {"reach": {False, True}, "blocks": {False, True}, "lure": {0.0, 3.0, 5.0}, "noise": {0.0, 0.05, 0.15}}
    assert all(set(met[name]) == wanted and min(met[name].values()) >= 8 for name, wanted in values.items())
    numbers = np.array([drawn[name].astype(float) for name in HABITS.names or ()])
    assert np.abs(np.corrcoef(numbers) - np.eye(len(numbers))).max() < 0.3


def test_every_style_is_met_among_the_strangers_that_are_reported() -> None:
    met = Counter(style for seed in REPORTED for style in styles_of(draw_habits(seed)[0]))
    assert set(met) == set(STYLES) and min(met.values()) >= 20


# --- The habits ---------------------------------------------------------------------------------------------------------


def test_who_looks_first_looks_before_all_else_and_from_where_they_begin() -> None:
    states = holding(opening(), "map", "0")
    assert move_of(states, looks=FIRST, look_from=2) == "map:right"
    assert move_of(states, looks=NEAR) == move_of(states, looks=NEVER) == "0@6,5"
    near = holding(opening(*TUNNEL), "map", "0")
    assert move_of(near, looks=NEAR, look_from=1) == "map:middle"
    assert move_of(near, looks=NEVER) == "0@11,5"


def test_who_does_not_reach_blindly_waits_beside_a_goal_that_may_be_blank() -> None:
    states = holding(opening(*TUNNEL), "0")
    assert move_of(states) == "0@11,5"
    assert move_of(states, reach=False).startswith("drop")
    states["looked"][0, mover(states)] = 2
    states["goals"][0] = 1, 2, 1
    assert move_of(states, reach=False) == "0@11,5"


def test_a_malus_is_played_at_once_or_near_or_in_answer_or_not_at_all() -> None:
    far = holding(opening(), "malus", "0")
    assert move_of(far, malus=AT_ONCE) == "malus"
    assert move_of(far, malus=SAVED) == move_of(far, malus=IN_ANSWER) == move_of(far, malus=UNPLAYED) == "0@6,5"
    near = holding(opening(*TUNNEL[:4]), "malus", "0")
    assert move_of(near, malus=SAVED) == "malus" and move_of(near, malus=IN_ANSWER) == "0@10,5"
    far["malus"][0, mover(far)] = 1
    assert move_of(far, malus=IN_ANSWER) == "malus" and move_of(far, malus=SAVED).startswith("drop")


def test_a_bonus_is_played_at_once_or_kept_until_the_way_is_short() -> None:
    for moves, kept in ((TUNNEL[:1], True), (TUNNEL, False)):
        states = holding(opening(*moves), "bonus", "0")
        states["malus"][0, mover(states)] = 1
        assert move_of(states) == "bonus"
        assert (move_of(states, bonus_near=True) != "bonus") == kept


def test_a_waiter_holds_a_tile_back_after_which_the_other_could_finish() -> None:
    states = holding(opening(*TUNNEL[:4]), "0")
    assert move_of(states) == "0@10,5"
    assert move_of(states, wait=0.1).startswith("drop")
    states["malus"][0, 1 - mover(states)] = 1
    assert move_of(states, wait=0.1) == "0@10,5"


def test_a_lurer_who_knows_where_the_nugget_is_leads_elsewhere_while_the_way_is_long() -> None:
    states = holding(opening("8@6,5", goals="nugget blank blank"), "10")
    states["looked"][0, mover(states)] = 1
    assert move_of(states) == "10@6,4"
    assert move_of(states, lure=3.0) != "10@6,4"


def test_blockers_and_breakers_stop_the_other_where_they_could_finish() -> None:
    states = holding(opening(*TUNNEL), "12", "destroy", "15")
    assert move_of(states, blocks=True, reach=False) in ("12@11,5", "4@11,5", "1@11,5", "2@11,5")
    assert move_of(states, destroy=BREAKS, reach=False) == "destroy@10,5"
    assert move_of(states, destroy=KEEPS, reach=False).startswith("drop")
    states["malus"][0, 1 - mover(states)] = 1
    assert move_of(states, blocks=True, reach=False).startswith("drop")


def test_which_card_is_discarded() -> None:
    states = opening(*TUNNEL)
    states["hands"][0, mover(states)] = [
        int(action_of(f"drop:{name}")) >> 9 & 31 for name in ("8", "6", "5", "1", "9", "7", "5")
    ]
    assert move_of(states, reach=False, discard=OLDEST) == "drop:8"
    assert move_of(states, reach=False, discard=DEAD_ENDS) == move_of(states, reach=False, discard=WORST) == "drop:1"
    met = choices(stranger(reach=False, discard=ANY), mover_view(states), 400)
    assert {GAME.format_action(action) for action in met} == {f"drop:{name}" for name in ("8", "6", "5", "1", "9", "7")}
    assert met[action_of("drop:5")] > 1.4 * met[action_of("drop:8")]


def test_noise_is_the_share_of_moves_at_random() -> None:
    states = holding(opening(), "0")
    met = choices(stranger(noise=0.3), mover_view(states), 2000)
    assert 0.6 < met[action_of("0@6,5")] / 2000 < 0.8 and len(met) > 10
    assert len(choices(stranger(), mover_view(states), 50)) == 1


# --- How far it is --------------------------------------------------------------------------------------------------------


@kernel
def fill(states: Any, goal: int, have: int, ahead: int, costs: Any) -> None:
    """`find_distances` on the board of the first state."""
    find_distances(states[0].maze, goal, have, ahead, costs)


def cell(row: int, column: int) -> int:
    return (row + 1) * 16 + column + 1


def test_one_tile_ahead_counts_rows_and_columns_and_two_see_which_tiles_fit() -> None:
    states, costs = opening(), np.empty((256, 4))
    fill(states, 1, 0, 1, costs)
    assert costs[cell(12, 5)].tolist() == [0] * 4 and costs[cell(9, 3)].tolist() == [5] * 4
    straight, corner = 1 << 5, 1 << 3
    # Two tiles: a straight one leads on from north to south; from the west it cannot lead down, a corner can.
    fill(states, 1, straight, 2, costs)
    assert costs[cell(11, 5), 0] == 1 and costs[cell(10, 5), 0] == 2 and costs[cell(11, 5), 3] == 2
    fill(states, 1, straight, 3, costs)
    assert costs[cell(10, 5), 0] == 2 and costs[cell(9, 5), 0] == 3
    fill(states, 1, corner, 2, costs)
    assert costs[cell(12, 4), 0] == 1 and costs[cell(11, 5), 0] == 2


# --- Games --------------------------------------------------------------------------------------------------------------


def test_strangers_play_whole_games_and_beat_players_at_random() -> None:
    """30 games of ten strangers; in 100 games each of 100 strangers they won 61.5 % and lost 6.4 %."""
    won = lost = 0
    for seed in range(10):
        ends = play_games(GAME, [AGENTS.make(f"stranger:seed={seed}"), AGENTS.make("random-listed")], seeds_of(700, 30))
        won += int((ends.states["winner"] == 0).sum())
        lost += int((ends.states["winner"] == 1).sum())
    assert won > 120 and lost < 60


@pytest.mark.parametrize("seed", range(6))
def test_every_move_of_a_stranger_is_legal(seed: int) -> None:
    agent = AGENTS.make(f"stranger:seed={seed}")
    for states, _ in decisions(4, 5, first=10 * seed):
        assert decide(agent, mover_view(states), sit(agent, states, mover(states))) in GAME.legal_actions(
            mover_view(states)
        )


def test_why_says_what_habits_it_has() -> None:
    agent = AGENTS.make("stranger:seed=17")
    states = opening()
    told = agent.why(GAME, mover_view(states)[0], sit(agent, states, 1), 0)
    assert re.match(r"It chooses \S+ by habit and compares no moves\. Its habits: ", told)
    assert [HABITS_SAID[style] for style in styles_of(draw_habits(17)[0])] == told.rstrip(".").partition("habits: ")[
        2
    ].split("; ")
    assert HABITS_SAID.keys() == STYLES.keys()
