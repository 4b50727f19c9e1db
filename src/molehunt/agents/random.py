"""`random`: every legal action is equally likely, in any game."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.chance import ChanceAgent
from molehunt.core.agent import Rows
from molehunt.core.errors import BadInput
from molehunt.core.game import Actions, Game, Views
from molehunt.games.compiled import CompiledGame


class RandomAgent(ChanceAgent):
    """Chooses uniformly among the legal actions, each counted once however many copies of a card are in the hand."""

    def params(self, game: Game) -> Any:
        if not isinstance(game, CompiledGame):
            raise BadInput(f"{self.name} plays games with compiled rules, not {game.label}")
        return game

    def choose(self, views: Views, streams: npt.NDArray[np.uint64], rows: Rows, params: Any, actions: Actions) -> None:
        params.random_actions(views, streams, rows, actions)
