"""`random`: every legal action is equally likely."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent, Rows
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.games.speed_clue.game import check_game
from molehunt.games.speed_clue.rules import random_actions


class RandomAgent(Agent):
    """Chooses uniformly among the legal actions; half of its first moves are accusations."""

    observes = False

    def __init__(self, name: str = "random") -> None:
        self.name = name

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        return check_game(self.name, game).table, streams.copy()

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        table, streams = memory
        actions = np.empty(len(views), np.int32)
        random_actions(views, streams, rows, table, actions)
        return actions

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        pass

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        return f"One of {len(game.legal_actions(view))} legal actions, all equally likely."
