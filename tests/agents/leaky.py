"""A back door that tests put into a game: through it a player that has the game finds the truth, and the tests find the player."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from molehunt.core.game import Seats, States, Views
from molehunt.games.compiled import CompiledGame


class Leaky(CompiledGame):
    """A game keeps the states that it was last asked about, where a player that has the game could find them.

    Mixed into a game: `class LeakyGame(Leaky, Saboteur)`.
    """

    truth: States

    def views(self, states: States, seats: Seats, rows: npt.NDArray[np.int64] | None = None) -> Views:
        self.truth = states[:1].copy()
        return super().views(states, seats, rows)
