"""`random`: every legal action is equally likely."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.chance import ChanceAgent
from molehunt.core.agent import Rows
from molehunt.core.game import Actions, Game, Views
from molehunt.games.saboteur.game import check_game
from molehunt.games.saboteur.views import random_actions


class RandomAgent(ChanceAgent):
    """Chooses uniformly among the legal actions, each counted once however many copies of a card are in the hand."""

    def params(self, game: Game) -> Any:
        return check_game(self.name, game).params

    def choose(self, views: Views, streams: npt.NDArray[np.uint64], rows: Rows, params: Any, actions: Actions) -> None:
        random_actions(views, streams, rows, params, actions)
