"""Games for the tests of spaces and environments: every ruleset, and what is special about some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.core.game import Game
from molehunt.core.match import play
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game, split_label

LABELS = {
    "saboteur/krisnadi": 5,
    "saboteur/krisnadi:may_break_own=yes,blocked_may_rockfall=no": 3,
    "saboteur/official": 4,
    "saboteur/official+talk": 3,
    "saboteur/official+talk:speak=yes,rounds=2": 4,
    "saboteur/official:rounds=1,stones_let_in=yes,goals_fit=yes": 10,
    "saboteur/veldhuis": 5,
    "saboteur/veldhuis:speak=yes,rounds=1": 5,
    "duel/mcgill": 2,
    "speed_clue/mitchell": 3,
    "speed_clue/contest": 6,
}
"""How many sit at each."""
USUAL = ("saboteur/krisnadi", "saboteur/official+talk:speak=yes,rounds=2", "duel/mcgill", "speed_clue/mitchell")
"""Those that are played in every run; the others in thorough ones."""
MAIN_LABELS = tuple(label for label in LABELS if ":" not in label)


def each(labels: Iterable[str]) -> list[Any]:
    """Labels as parameters of a test."""
    return [pytest.param(label, marks=[pytest.mark.thorough] * (label not in USUAL)) for label in labels]


def game_of(label: str) -> Game:
    """The game of a label with so many seats as `LABELS` says."""
    return make_game(*split_label(label), LABELS[label])


def positions(game: Game, games: int = 2, seed: int = 5) -> Iterator[np.ndarray]:
    """Every state, shape (1,), along a few games, the first of random players, the last states included."""
    for number in range(games):
        # Random players of Clue accuse at once, and are out.
        name = "advanced" if game.name == "speed_clue" and number else "random"
        played = play(game, [Agents(game.name).make(name)] * game.seats, game_seeds(seed, number, 1), keep_actions=True)
        states = game.new(played.seeds)
        yield states
        for action in (played.actions or [[]])[0]:
            game.apply(states, np.array([action], np.int32))
            yield states


def views_of_all(game: Game, states: np.ndarray) -> np.ndarray:
    """The views of all seats of one state: shape (seats,)."""
    return game.views(states, np.arange(game.seats, dtype=np.int8), np.zeros(game.seats, np.int64))
