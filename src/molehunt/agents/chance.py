"""What players share that choose by chance alone: a stream for each chair, and one kernel call a batch."""

from __future__ import annotations

import abc
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent, Rows
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.memory import CONSTANT_PART


@dataclass
class Memory:
    """What the kernel must know of the game, and the random stream of each chair."""

    params: Any = field(metadata=CONSTANT_PART)
    streams: npt.NDArray[np.uint64]


class ChanceAgent(Agent):
    """A player whose choice depends on its view and its random stream and on nothing that it remembers."""

    observes = False
    reason = "all equally likely"

    def __init__(self, name: str = "random") -> None:
        self.name = name

    @abc.abstractmethod
    def params(self, game: Game) -> Any:
        """What the kernel must know of the game; BadInput where the agent was seated at another game."""

    @abc.abstractmethod
    def choose(self, views: Views, streams: npt.NDArray[np.uint64], rows: Rows, params: Any, actions: Actions) -> None:
        """Fill in an action for each view, with the stream of its chair, `streams[rows[i]]`."""

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Any:
        return Memory(self.params(game), streams.copy())

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        actions = np.empty(len(views), np.int32)
        self.choose(views, memory.streams, rows, memory.params, actions)
        return actions

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        pass

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        return f"One of {len(game.legal_actions(view))} legal actions, {self.reason}."
