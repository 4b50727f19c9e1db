"""Players of Saboteur that give each card of the hand a value: what `why` and tests ask of them."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from molehunt.agents.compiled import CompiledAgent
from molehunt.agents.saboteur.trust import NOT_PLAYABLE
from molehunt.core.game import Actions, Views
from molehunt.games.saboteur.ruleset import MAX_HAND, SEATS


class ValuingAgent(CompiledAgent):
    """A compiled player that plays by the values of its cards. How they are found is each player's own: `value_hand`."""

    value_hand: ClassVar[Callable[..., None]]
    """`value_hand(views, minds, *valued_by, values, actions)`, a kernel: fill in the slots of the first view that hold a card."""

    def seats_of(self, memory: Any) -> int:
        return int(memory.params[SEATS])

    @abc.abstractmethod
    def valued_by(self, memory: Any, row: int) -> tuple[npt.NDArray[Any], ...]:
        """What `value_hand` reads of the memory besides the mind of a chair."""

    def consider(self, view: Views, memory: Any, row: int) -> tuple[npt.NDArray[np.float64], Actions]:
        """(values, actions) of the cards in the hand, slot by slot; an action of -1 cannot be played. Memory stays."""
        values = np.full(MAX_HAND, -np.inf)
        actions = np.full(MAX_HAND, NOT_PLAYABLE, np.int32)
        mind = memory.records[row : row + 1].copy()
        type(self).value_hand(view, mind, *self.valued_by(memory, row), values, actions)
        return values, actions
