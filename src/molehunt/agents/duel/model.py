"""The duel as a model for `search.expectimax`."""

from __future__ import annotations

import functools

from molehunt.agents.duel.bounds import value_bounds
from molehunt.agents.duel.positions import MOST_MOVES, POSITION, key, moves, play, turn, value
from molehunt.search.expectimax import Model, compile_search


@functools.cache
def duel_model() -> Model:
    """The model, compiled on first use."""
    return Model(POSITION, MOST_MOVES, turn, moves, play, key, value, value_bounds)


def compile_boards() -> None:
    """Have compiled what plays moves in the model and values positions: about half of what a search that is not pruned needs."""
    for name in ("play", "value"):
        duel_model().compiled(name)


def compile_searching() -> None:
    """Have the other half compiled: what lists moves and knows positions again, and the search itself."""
    for name in ("turn", "moves", "key"):
        duel_model().compiled(name)
    compile_search(duel_model())
