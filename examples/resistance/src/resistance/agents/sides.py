"""A player that is one player as a spy and another one otherwise, so that two sides meet while the roles are dealt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent, Rows
from molehunt.core.game import Actions, Events, Game, Views
from resistance.game import check_game
from resistance.state import SPY


@dataclass
class Memory:
    """What both players remember, each as if it sat on all chairs, and which chairs are spies', shape (n,)."""

    of_spies: Any
    of_resistance: Any
    spies: npt.NDArray[np.bool_]


class SidesAgent(Agent):
    """`spy` on the chairs of spies, `resistance` on all others."""

    def __init__(self, spy: Agent, resistance: Agent) -> None:
        self.name = f"{spy.name} against {resistance.name}"
        self.spy = spy
        self.resistance = resistance
        self.observes = spy.observes or resistance.observes
        self.in_batches = spy.in_batches and resistance.in_batches

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        check_game(self.name, game)
        spies = views["roles"][np.arange(len(views)), views["seat"]] == SPY
        return Memory(self.spy.start(game, views, streams), self.resistance.start(game, views, streams), spies)

    def act(self, views: Views, memory: Memory, rows: Rows) -> Actions:
        actions = np.empty(len(views), np.int32)
        for agent, part, mine in self._parts(memory, rows):
            if len(mine):
                actions[mine] = agent.act(np.ascontiguousarray(views[mine]), part, rows[mine])
        return actions

    def observe(self, events: Events, memory: Memory, rows: Rows) -> None:
        for agent, part, mine in self._parts(memory, rows):
            if agent.observes and len(mine):
                agent.observe(np.ascontiguousarray(events[mine]), part, rows[mine])

    def why(self, game: Game, view: Any, memory: Memory, row: int) -> str:
        agent, part = (self.spy, memory.of_spies) if memory.spies[row] else (self.resistance, memory.of_resistance)
        return agent.why(game, view, part, row)

    def _parts(self, memory: Memory, rows: Rows) -> tuple[tuple[Agent, Any, Rows], ...]:
        """Each player with its memory and which of these rows are its own."""
        spies = memory.spies[rows]
        return (
            (self.spy, memory.of_spies, np.flatnonzero(spies)),
            (self.resistance, memory.of_resistance, np.flatnonzero(~spies)),
        )
