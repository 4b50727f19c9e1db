"""`random`: every legal action is equally likely, in any game."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.chance import ChanceAgent
from molehunt.core.agent import Rows
from molehunt.core.game import Actions, Game, Views
from molehunt.core.streams import below
from molehunt.games.compiled import CompiledGame


class RandomAgent(ChanceAgent):
    """Chooses uniformly among the legal actions, each counted once however many copies of a card are in the hand."""

    def params(self, game: Game) -> Any:
        return game

    def choose(self, views: Views, streams: npt.NDArray[np.uint64], rows: Rows, params: Any, actions: Actions) -> None:
        if isinstance(params, CompiledGame):
            params.random_actions(views, streams, rows, actions)
            return
        for number, row in enumerate(rows):
            legal = params.legal_actions(views[number : number + 1])
            actions[number] = legal[int(below(streams[row : row + 1], len(legal)))]
