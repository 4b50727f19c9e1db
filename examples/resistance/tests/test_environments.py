"""The game through the doors of other libraries, as an installed package: PettingZoo, Gymnasium, batched arrays, OpenSpiel."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.adapters.batched import BatchedGames
from molehunt.adapters.gymnasium import SeatEnv
from molehunt.adapters.openspiel.games import load_game, pyspiel
from molehunt.adapters.pettingzoo import env
from molehunt.adapters.spaces import spaces_of
from resistance.state import FAIL
from resistance_games import SEATS, make, positions

LABEL = "resistance/standard"


@pytest.mark.filterwarnings(
    # Observations are dicts with a mask, as in PettingZoo's own card games, and who is not to move has no legal action.
    "ignore:.*should be gymnasium.spaces.box",
    "ignore:.*not a NumPy array",
    "ignore:Action mask numpy array is all zeros",
)
@pytest.mark.parametrize("seats", SEATS)
def test_pettingzoo_finds_its_own_rules_kept(seats: int) -> None:
    from pettingzoo.test import api_test, seed_test

    api_test(env(LABEL, seats), num_cycles=100)
    seed_test(lambda: env(LABEL, seats), num_cycles=50)


@pytest.mark.parametrize("seats", SEATS)
def test_openspiels_random_simulations_find_no_fault(seats: int) -> None:
    pyspiel.random_sim_test(load_game(LABEL, seats), num_sims=2, serialize=True, verbose=False)


def test_a_seat_learns_against_players_that_count() -> None:
    table = SeatEnv(LABEL, 6, 2, opponents="counting")
    random = np.random.default_rng(1)
    rewards = []
    for seed in range(20):
        seen, told = table.reset(seed=seed)
        over = False
        while not over:
            assert table.observation_space.contains(seen)
            seen, reward, over, _, told = table.step(int(random.choice(np.flatnonzero(told["action_mask"]))))
            rewards.append(float(reward))
    assert set(rewards) == {0.0, 1.0}


def test_many_games_advance_as_arrays() -> None:
    tables = BatchedGames(LABEL, 7, 64)
    random = np.random.default_rng(2)
    step = tables.reset(3)
    ended = 0
    for _ in range(200):
        weights = random.random(step.masks.shape) * step.masks
        step = tables.step(weights.argmax(axis=1))
        ended += int(np.asarray(step.terminated).sum())
    assert ended > 64


@pytest.mark.parametrize("seats", [5, 10])
def test_an_observation_is_the_view_seat_by_seat(seats: int) -> None:
    """Sets of seats come as bits, so that nothing has to be taken apart by a learner; masks are the legal actions."""
    game = make(seats)
    spaces = spaces_of(game)
    seen: dict[bytes, bytes] = {}
    for states in positions(game, 2, seed=seats):
        views = game.views(states, np.array([max(int(game.to_move(states)[0]), 0)], np.int8))
        mask = np.zeros((1, spaces.size), np.int8)
        spaces.fill_masks(views, mask, relative=False)
        legal = {spaces.code(int(index), 0) for index in np.flatnonzero(mask[0])}
        assert legal == set(game.legal_actions(views).codes) <= set(range(FAIL + 1))
        observation = np.zeros((1, spaces.observation_size), np.int8)
        spaces.fill_observations(views, observation)
        assert seen.setdefault(observation.tobytes(), views.tobytes()) == views.tobytes()
        teams = next(field for field in spaces.fields if field.name == "teams")
        first = observation[0, teams.start : teams.start + seats]
        assert first.tolist() == [int(views["teams"][0, 0, 0]) >> seat & 1 for seat in range(seats)]
