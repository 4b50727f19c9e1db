"""The own seat in games that `mole` plays on: `learned` makes its moves where weights are shipped for the game.

What all seats remember as players of 2019, of which forecasts read, it remembers too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.learned import Memory, shipped_network
from molehunt.agents.saboteur.decision_2019 import take_in
from molehunt.agents.saboteur.learned import MEMORY_NUMBERS as LEARNED_NUMBERS
from molehunt.agents.saboteur.learned import SaboteurLearnedAgent, choose, follow
from molehunt.agents.saboteur.minds import MEMORY_NUMBERS as OWN
from molehunt.games.playing import acting, laid_down, observing
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.possible import can_happen
from molehunt.games.saboteur.state import EVENT, VIEW

MEMORY_NUMBERS = OWN + LEARNED_NUMBERS
"""How many numbers say where the memory of an own seat is: that of a player of 2019, from number OWN on that of `learned`."""


@acting(VIEW)
def act_one(views: Any, memory: Any, chair: int) -> Any:  # noqa: ARG001 - the memory is that of one chair
    """The action at a view: the best by the network."""
    return choose(views[0], memory[OWN:], 0)


@observing(EVENT, can_happen)
def observe_one(events: Any, memory: Any, chair: int) -> None:
    """An event, taken in as a player of 2019 does, and as `learned` does."""
    take_in(events[0], memory, chair)
    follow(events[0], memory[OWN:], 0)


class OwnSeat:
    """`learned` on one chair, for the games that one memory plays on, or to be asked; `plain`: it is told no beliefs."""

    def __init__(self, game: Saboteur, plain: bool) -> None:
        weights = SaboteurLearnedAgent.shipped_plain(game) if plain else SaboteurLearnedAgent.shipped(game)
        self._agent = SaboteurLearnedAgent.of(shipped_network(weights), 0.0)
        self._memory: Memory = self._agent.start(game, np.zeros(1, VIEW), np.zeros(1, np.uint64))

    @classmethod
    def of(cls, game: Saboteur, plain: bool) -> OwnSeat | None:
        """None where no weights are shipped for the ruleset and so many seats."""
        return cls(game, plain) if SaboteurLearnedAgent.shipped_plain(game).is_file() else None

    @property
    def chair(self) -> npt.NDArray[Any]:
        """What the chair remembers of the round: one record of dtype `learned.CHAIR`."""
        return self._memory.histories

    def laid_down(self) -> npt.NDArray[np.int64]:
        """Where its memory lies."""
        return laid_down(*self._agent.parts(self._memory))
