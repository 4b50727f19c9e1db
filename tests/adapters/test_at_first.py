"""Who tries an environment waits for no compiler to begin: the first steps are interpreted, with the same result."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from molehunt.adapters.batched import BatchedGames
from molehunt.adapters.gymnasium import SeatEnv
from molehunt.adapters.gymnasium_vector import SeatVectorEnv
from molehunt.adapters.pettingzoo import MolehuntEnv
from molehunt.adapters.stepping.compiled_game import PlayedCompiled
from molehunt.adapters.stepping.stepped import SteppedGame
from molehunt.agents.random import RandomAgent
from molehunt.core import at_first
from molehunt.core.interpreting import interpreting

OPPONENTS = {
    "saboteur/krisnadi": ("decision-2019", "kripke-2012", "random", "stranger"),
    "duel/mcgill": ("greedy-2020", "learned", "random-listed"),
    "speed_clue/mitchell": ("basic", "combined", "stranger"),
}
CASES = [(label, opponent) for label, opponents in OPPONENTS.items() for opponent in opponents]

IN_A_NEW_PLACE = """
import sys
from pathlib import Path
sys.path.insert(0, {folder!r})
from molehunt.core import at_first
from molehunt.core.kernels import watch_compiling
import test_at_first as these

at_first.COMPILING = float("inf")
compiled = []
with watch_compiling(compiled.append):
    for label, opponents in these.OPPONENTS.items():
        print(these.seen_by_all(label, 1), these.seen_by_one(label, opponents[0], 1, 20))
        print(these.seen_by_many(label, opponents[0], 1, 5), these.seen_in_a_batch(label, None, 1, 5))
assert not compiled, compiled
"""
"""Whole games seat by seat, and steps among opponents in one game and in several, where nothing was ever compiled."""

Anew = Callable[[float, float], None]


def seen_by_all(label: str, seed: int) -> str:
    """All that the seats of a game of random moves see and earn, seat by seat."""
    environment, draw, told = MolehuntEnv(label), np.random.default_rng(seed), []
    environment.reset(seed=seed)
    for _agent in environment.agent_iter():
        seen, reward, over, _, _ = environment.last()
        told.append((seen["observation"].tobytes(), seen["action_mask"].tobytes(), reward))
        environment.step(None if over else draw.choice(np.flatnonzero(seen["action_mask"])))
    return digest(told)


def seen_by_one(label: str, opponent: str, seed: int, steps: int) -> str:
    """All that a seat of random moves sees and earns in some steps, on copies of copies and those that were pickled."""
    environment, draw, told = SeatEnv(label, opponents=opponent), np.random.default_rng(seed), []
    observation, info = environment.reset(seed=seed)
    for step in range(steps):
        environment = anew_after(step, environment)
        action = draw.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, over, _, info = environment.step(action)
        told.append((observation.tobytes(), info["action_mask"].tobytes(), reward))
        if over:
            observation, info = environment.reset()
    return digest(told)


def seen_by_many(label: str, opponent: str, seed: int, steps: int) -> str:
    """All that seats of random moves see and earn in some steps of six games, on copies of copies and those that were pickled."""
    environment, draw, told = SeatVectorEnv(label, 6, opponents=opponent), np.random.default_rng(seed), []
    observations, info = environment.reset(seed=seed)
    for step in range(steps):
        environment = anew_after(step, environment)
        actions = [draw.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in info["action_mask"]]
        observations, *earned, info = environment.step(np.array(actions))
        told.append([observations.tobytes(), [part.tolist() for part in earned]])
        told.append([(name, part.dtype, part.tobytes()) for name, part in info.items()])
    return digest(told)


def seen_in_a_batch(label: str, opponent: str | None, seed: int, steps: int) -> str:
    """All that comes of random moves in some steps of six games as arrays, on copies of copies and those that were pickled."""
    games, told = BatchedGames(label, games=6, opponents={1: opponent} if opponent else None), []
    games.reset(seed)
    for step in range(steps):
        games = anew_after(step, games)
        told.append([(part.dtype, part.tobytes()) for part in games.step(games.random_actions())])
    return digest(told)


def anew_after(step: int, thing: Any) -> Any:
    """The same, a copy of it, or what comes of its being pickled."""
    if step % 5 == 1:
        return copy.deepcopy(thing)
    return pickle.loads(pickle.dumps(thing)) if step % 5 == 2 else thing  # noqa: S301 - its own


def digest(told: list[Any]) -> str:
    """One short text for all of it."""
    import hashlib

    return hashlib.sha256(repr(told).encode()).hexdigest()


def test_whole_games_compile_nothing_where_nothing_was_compiled(tmp_path: Path) -> None:
    code = IN_A_NEW_PLACE.format(folder=str(Path(__file__).parent))
    environment = os.environ | {"MOLEHUNT_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    with interpreting(wanted=False):
        for (label, opponents), one, many in zip(OPPONENTS.items(), lines[::2], lines[1::2], strict=True):
            assert [seen_by_all(label, 1), seen_by_one(label, opponents[0], 1, 20)] == one.split()
            assert [seen_by_many(label, opponents[0], 1, 5), seen_in_a_batch(label, None, 1, 5)] == many.split()


@pytest.mark.parametrize(("label", "opponent"), CASES)
def test_the_same_is_seen_and_earned_wherever_machine_code_takes_over(label: str, opponent: str, anew: Anew) -> None:
    at_first.end()
    whole = seen_by_all(label, 3), seen_by_one(label, opponent, 3, 40)
    for seconds in (0.002, 0.05, 0.3):
        anew(seconds, seconds)
        assert (seen_by_all(label, 3), seen_by_one(label, opponent, 3, 40)) == whole
        assert at_first._spent > 0.0


@pytest.mark.parametrize(("label", "opponent"), CASES)
def test_many_games_come_to_the_same_wherever_machine_code_takes_over(
    label: str, opponent: str, anew: Anew, monkeypatch: pytest.MonkeyPatch
) -> None:
    def seen() -> list[str]:
        return [
            seen_by_many(label, opponent, 3, 20),
            seen_in_a_batch(label, opponent, 3, 20),
            seen_in_a_batch(label, None, 3, 20),
        ]

    at_first.end()
    whole = seen()
    monkeypatch.setattr("molehunt.core.kernels.warm", lambda: False)
    for seconds in (0.01, 0.2, 1.0):
        anew(seconds, seconds)
        assert seen() == whole
        assert at_first._spent > 0.0


@pytest.mark.parametrize(
    ("warm", "games", "opponent", "expected"),
    [
        (False, at_first.MOST_GAMES, "greedy-2020", True),
        (False, at_first.MOST_GAMES + 1, "greedy-2020", False),
        (False, 2, "ismcts", False),
        (True, 2, "greedy-2020", False),
    ],
)
def test_few_games_among_quick_players_are_interpreted_where_there_is_no_machine_code(
    warm: bool, games: int, opponent: str, expected: bool, anew: Anew, monkeypatch: pytest.MonkeyPatch
) -> None:
    anew(100.0, 100.0)
    monkeypatch.setattr("molehunt.core.kernels.warm", lambda: warm)
    assert SeatVectorEnv("duel/mcgill", games, opponents=opponent).interpreted_first is expected
    batch = BatchedGames("duel/mcgill", games=games, opponents={1: opponent})
    assert batch.interpreted_first is expected


def test_a_step_of_many_games_that_is_broken_off_in_the_middle_is_not_made(
    anew: Anew, monkeypatch: pytest.MonkeyPatch
) -> None:
    anew(100.0, 100.0)
    monkeypatch.setattr("molehunt.core.kernels.warm", lambda: False)
    batch = BatchedGames("duel/mcgill", games=3)
    batch.reset(1)
    actions = batch.random_actions().copy()
    assert batch._made is None  # those of interpreted kernels are kept nowhere
    before = {name: array.copy() for name, array in batch.arrays.items()}
    play_many = PlayedCompiled.play_many

    def broken_off(*args: Any) -> Any:
        play_many(*args)
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(PlayedCompiled, "play_many", broken_off)
        with pytest.raises(KeyboardInterrupt):
            batch.step(actions)
    assert all((batch.arrays[name] == array).all() for name, array in before.items())
    moved = batch.step(actions)
    assert (moved.to_move != before["to_move"]).all()


def test_once_it_is_over_a_game_is_stepped_by_machine_code_alone(anew: Anew) -> None:
    anew(100.0, 100.0)
    stepped = SteppedGame("duel/mcgill")
    stepped.deal(1)
    assert "steps" not in vars(stepped)  # those of interpreted kernels are kept nowhere
    at_first.end()
    assert not hasattr(SteppedGame.play, "__wrapped__")
    stepped.play(int(np.flatnonzero(stepped.see(stepped.to_move)["action_mask"])[0]))
    assert vars(stepped)["steps"] is stepped.steps
    assert copy.deepcopy(stepped).steps is not stepped.steps


@pytest.mark.parametrize(
    ("label", "opponent", "expected"),
    [
        ("duel/mcgill", "greedy-2020", True),
        ("duel/mcgill", "ismcts", False),
        ("duel/mcgill", "openspiel-ismcts", False),
        ("saboteur/krisnadi", "mole", False),
        ("speed_clue/mitchell", "exact", False),
    ],
)
def test_where_an_opponent_thinks_for_long_machine_code_is_waited_for(
    label: str, opponent: str, expected: bool
) -> None:
    assert SeatEnv(label, opponents=opponent).stepped.interpreted_first is expected


def test_among_players_that_are_not_of_this_package_nothing_is_interpreted() -> None:
    class OfSomebody(RandomAgent):
        name = "of somebody"

    assert not SeatEnv("duel/mcgill", opponents=OfSomebody()).stepped.interpreted_first
    assert SeatEnv("duel/mcgill", opponents=RandomAgent()).stepped.interpreted_first
