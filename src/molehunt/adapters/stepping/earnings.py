"""What a seat earns at the end of a game: what the game pays it, or what a learner is told of games that it has not won."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput
from molehunt.core.game import Game, States

LOSS, DRAW = 0, 1
"""Where `Earnings.numbers` has what a seat earns that has not won: where another has, and where nobody has."""


def check_reward(name: str, value: Any, without: str) -> None:
    """BadInput where a reward is neither a finite number nor None, which stands for what `without` says."""
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if value is not None and not (number and math.isfinite(value)):
        raise BadInput(f"{name} is a number, or None for {without}, not {value!r:.40}")


class Earnings(NamedTuple):
    """What seats earn that have not won: `loss` where another has, `draw` where nobody has. None is what the game pays.

    Who has won earns what the game pays.
    """

    loss: float | None = None
    draw: float | None = None

    def checked(self) -> Earnings:
        """These earnings; BadInput where one is no finite number."""
        check_reward("loss_reward", self.loss, "what the game pays")
        check_reward("draw_reward", self.draw, "what the game pays")
        return self

    def numbers(self) -> npt.NDArray[np.float64]:
        """Both for kernels, shape (2,), not a number where the game pays."""
        return np.array([math.nan if value is None else value for value in self], np.float64)

    def of(self, game: Game, states: States) -> npt.NDArray[np.float64]:
        """What each seat earns in games that are over: shape (states, seats)."""
        earned = np.array(game.payoffs(states), np.float64)
        if self == Earnings():
            return earned
        won = game.wins(states)
        decided = won.any(axis=1, keepdims=True)
        for value, rows in ((self.loss, decided), (self.draw, ~decided)):
            if value is not None:
                earned[rows & ~won] = value
        return earned
