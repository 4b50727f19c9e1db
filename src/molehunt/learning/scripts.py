"""Players that make moves which are known already: with them compiled loops go again through games that they could not play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.compiled import CompiledAgent
from molehunt.core.game import Game, Views
from molehunt.core.memory import CONSTANT_PART
from molehunt.games.playing import acting, array_at, observing

PLACES, MOVES = 0, 2
"""Where compiled loops find the parts of a memory: the address and the length of each."""

places_at = array_at(np.int64)
moves_at = array_at(np.int32, readonly=True)


@acting(np.dtype(np.uint8))
def act_one(views: Any, memory: Any, chair: int) -> Any:  # noqa: ARG001 - no move depends on what is seen
    """The move that comes next in the chair's game."""
    place = places_at(memory[PLACES], memory[PLACES + 1])[chair]
    return np.int64(moves_at(memory[MOVES], memory[MOVES + 1])[place])


@observing(np.dtype(np.uint8))
def observe_one(events: Any, memory: Any, chair: int) -> None:  # noqa: ARG001 - whatever happened, it was a move
    """A move more was made in the chair's game, whoever made it."""
    places_at(memory[PLACES], memory[PLACES + 1])[chair] += 1


@dataclass
class Memory:
    """Of each chair how far its game is: the place of the next move among the moves of all games."""

    places: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int32] = field(metadata=CONSTANT_PART)


class ScriptAgent(CompiledAgent):
    """Sits in games of which all moves are known, those of every seat in order, and makes those of its own seats again."""

    act_one = act_one
    observe_one = observe_one

    def __init__(self, name: str, games: Sequence[Sequence[int]]) -> None:
        self.name = name
        self._firsts = np.cumsum([0, *map(len, games)])[:-1]
        self._moves = np.array([move for game in games for move in game], np.int32)

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        return Memory(np.repeat(self._firsts, len(views) // len(self._firsts)), self._moves)

    def parts(self, memory: Memory) -> tuple[npt.NDArray[Any], ...]:
        return memory.places, memory.moves
