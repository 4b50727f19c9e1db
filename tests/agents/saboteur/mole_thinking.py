"""Positions of Saboteur at which `mole` thinks, and what it then shows."""

from __future__ import annotations

import numpy as np

from molehunt.agents.registry import Agents
from molehunt.core.panels import Bar, Bars, Panel
from molehunt.core.position import Position
from molehunt.games.registry import make_game

AGENTS = Agents("saboteur")
SHORT = "mole:worlds=2,kept=3"
SPEAKING = "krisnadi:speak=yes"


def some_position(seats: int = 4, moves: int = 9) -> Position:
    position = Position(make_game("saboteur", "krisnadi", seats), 12)
    chance = np.random.default_rng(4)
    for _ in range(moves):
        position.play(int(chance.choice([int(action) for action in position.legal_actions])))
    return position


def panel(found: Panel) -> tuple[Bar, ...]:
    assert isinstance(found, Bars)
    return found.rows
