"""The duel as a model for `search.expectimax`."""

from __future__ import annotations

import functools

from molehunt.agents.duel.bounds import value_bounds
from molehunt.agents.duel.positions import MOST_MOVES, POSITION, key, moves, play, turn, value
from molehunt.search.expectimax import Model


@functools.cache
def duel_model() -> Model:
    """The model, compiled on first use."""
    return Model(POSITION, MOST_MOVES, turn, moves, play, key, value, value_bounds)
