"""The heuristic of 2020 against its formula in plain Python, over random positions and with all its parameters."""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections import Counter

import numpy as np
import pytest

from agents.duel.beside import by_action, decisions, mover_view
from games.duel.playing import CONTENTS, GAME, TUNNEL, action_of, give, mover, opening
from molehunt.agents.duel.heuristic_2020 import GOOD, Weights, guess_goal, map_to_play, nugget_is_known
from molehunt.agents.duel.heuristic_words import h_of_moves
from molehunt.core.game import States
from reference import duel_players
from reference.duel import GOAL_CELLS, TILES
from reference.duel_players import GOOD_TILES, first_map, guess, is_known, values_at_once

DEFAULTS = duel_players.Weights()


def h_beside(changes: dict[str, object], games: int, every: int, first: int = 0) -> Counter[str]:
    """Compare the value of every move at some positions; returns what came up."""
    weights = dataclasses.replace(Weights(), **changes)  # type: ignore[arg-type]
    slow_weights = dataclasses.replace(DEFAULTS, **changes)  # type: ignore[arg-type]
    met = Counter[str]()
    for states, slow in decisions(games, every, first):
        seat = mover(states)
        moves, values = h_of_moves(weights, mover_view(states))
        found = dict(zip(moves.tolist(), values.tolist(), strict=True))
        assert found == pytest.approx(by_action(values_at_once(slow, seat, slow_weights)), rel=1e-12)
        met["positions"] += 1
        met["end game"] += any(row >= 10 for row, _ in set(slow.board) - set(GOAL_CELLS))
        met["own malus"] += slow.malus[seat] > 0
        met["their malus"] += slow.malus[1 - seat] > 0
        met["malus cards"] += "malus" in slow.hands[seat]
        met["a win"] += max(values) > duel_players.WIN / 10
        met["revealed"] += any(slow.revealed)
    return met


def test_the_defaults_are_the_published_numbers() -> None:
    weights = Weights()
    assert {name: getattr(weights, name) for name in vars(DEFAULTS)} == vars(DEFAULTS)
    assert {str(tile) for tile in TILES if GOOD[1 + 2 * int(tile)]} == {n for n in GOOD_TILES if "_" not in n}


def test_h_after_every_move_is_that_of_the_formula() -> None:
    met = h_beside({}, 60, 13)
    assert met["positions"] > 150
    assert min(met.values()) > 3, met


def test_h_that_was_worked_out_by_hand() -> None:
    """The entrance alone is seven rows above the middle goal, open to the south, with four open ends; then with two tiles."""
    states = opening()
    give(states, "0", "1", "4", "12", "13", "14", "15")
    h = h_by_notation(states)
    assert h["drop:15"] == 7 * 1000 - 300 - 4 * 50
    assert h["0@6,5"] == 6 * 1000 - 300 - 4 * 50
    # North of the entrance tile 0 is a good tile above row 5; 1 is not.
    assert h["0@4,5"] == h["drop:15"] + 100 and h["1@4,5"] == h["drop:15"] + 50
    give(states, "malus", "malus", "1")
    h = h_by_notation(states)
    assert h["drop:1"] == 7 * 1000 - 300 - 4 * 50 - 2 * 50_000
    assert h["malus"] == h["drop:malus"] == h["drop:1"] + 50_000
    # In the end game the maluses in front of the other count, and w2 and w3 are others.
    states = opening(*TUNNEL)
    give(states, "malus", "1", "4", "12", "13", "14", "15")
    h = h_by_notation(states)
    ends = 3 + 2 + 2 + 1  # of the entrance, two crosses, and the last tile
    assert h["drop:15"] == 2 * 1000 - 1800 - ends * 50 and h["malus"] == h["drop:15"] - 50_000


def h_by_notation(states: States) -> dict[str, float]:
    """H after each move of the mover."""
    moves, values = h_of_moves(Weights(), mover_view(states))
    return {GAME.format_action(int(move)): -float(value) for move, value in zip(moves, values, strict=True)}


def random_changes(number: int) -> dict[str, object]:
    """Other numbers for some of the parameters."""
    luck = random.Random(number)
    numbers = [field.name for field in dataclasses.fields(DEFAULTS) if field.name[-2:-1] == "w"]
    return {
        **{name: float(luck.randint(-3000, 3000)) for name in luck.sample(numbers, 5)},
        "end_row": luck.choice([6, 7, 8, 11, 13, 14]),
        "good_row": luck.choice([0, 4, 6, 8, 14]),
        "open_ends": luck.choice(["joined", "all"]),
    }


@pytest.mark.parametrize("number", range(8))
def test_h_with_other_numbers(number: int) -> None:
    assert h_beside(random_changes(number), 6, 11, first=10 * number)["positions"] > 10


@pytest.mark.parametrize(
    "changes",
    [{name: 12345.0} for name in vars(DEFAULTS) if "w" in name and name not in {"good_row", "end_row", "wins_first"}]
    + [{"end_row": 7}, {"good_row": 8}, {"open_ends": "all"}],
    ids=lambda changes: next(iter(changes)),
)
def test_every_number_changes_some_value(changes: dict[str, object]) -> None:
    """And changes it as the formula says."""
    assert h_beside(changes, 5, 17, first=3)["positions"] > 10
    other = dataclasses.replace(Weights(), **changes)  # type: ignore[arg-type]
    differs = 0
    for states, _ in decisions(8, 17, first=1):
        differs += (h_of_moves(Weights(), mover_view(states))[1] != h_of_moves(other, mover_view(states))[1]).any()
    assert differs > 0


def test_as_printed_a_win_is_worth_its_h() -> None:
    met = h_beside({"wins_first": False}, 40, 5)
    assert met["positions"] > 150 and met["a win"] == 0


# --- The guess and the map --------------------------------------------------------------------------------------------


KNOWLEDGE = [
    goals
    for goals in itertools.product([None, "blank", "nugget"], repeat=3)
    if goals.count("nugget") <= 1 and goals.count("blank") <= 2
]


@pytest.mark.parametrize("goals", KNOWLEDGE, ids=str)
def test_the_guess_is_what_is_known_else_the_middle(goals: tuple[str | None, ...]) -> None:
    array = np.array([CONTENTS.index(content or "unknown") for content in goals], np.int8)
    assert guess_goal(array) == guess(list(goals))
    assert nugget_is_known(array) == is_known(list(goals))


def test_guesses_that_were_worked_out_by_hand() -> None:
    assert guess([None, None, None]) == guess(["blank", None, None]) == guess([None, None, "blank"]) == 1
    assert guess([None, "blank", None]) == guess(["nugget", None, None]) == guess([None, "blank", "blank"]) == 0
    assert guess(["blank", "blank", None]) == 2


def test_a_map_is_played_on_the_first_goal_unknown_while_the_nugget_may_be_elsewhere() -> None:
    met = Counter[str | None]()
    for states, slow in decisions(60, 5):
        wanted = first_map(slow, mover(states))
        met[wanted] += 1
        assert map_to_play(mover_view(states)[0]) == (-1 if wanted is None else action_of(wanted))
    assert min(met[None], met["map:left"], met["map:middle"]) > 3, met


def test_maps_go_left_then_middle_and_then_no_more() -> None:
    states = opening(goals="blank blank nugget")
    seat = mover(states)
    for look, then in [(0, 1), (1, -1)]:
        give(states, "map")
        assert map_to_play(mover_view(states)[0]) == action_of(f"map:{('left', 'middle')[look]}")
        states["looked"][0, seat] |= 1 << look
        if then < 0:
            assert map_to_play(mover_view(states)[0]) == -1
