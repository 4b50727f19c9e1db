"""`random`: every legal action is equally likely, in any game."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.chance import STREAMS, ChanceAgent, Memory, streams_at
from molehunt.core.agent import Reach, Rows, check_chairs
from molehunt.core.game import Actions, Views
from molehunt.core.streams import below
from molehunt.games.calls import LEGAL_SEEN, RANDOM_SEEN, random_seen
from molehunt.games.compiled import CompiledGame
from molehunt.games.playing import acting, array_at

CALLS, PARAMS, SCRATCH = range(2, 8, 2)
"""Where compiled loops find the parts of a memory after the streams: the address and the length of each."""

params_at = array_at(np.int64, readonly=True)
calls_at = array_at(np.int64)
scratch_at = array_at(np.int32)


@acting(np.dtype(np.uint8))
def act_one(views: Any, memory: Any, chair: int) -> Any:
    """A uniformly random legal action at a view, the bytes of a record of any game."""
    return random_seen(
        calls_at(memory[CALLS], memory[CALLS + 1]),
        views,
        params_at(memory[PARAMS], memory[PARAMS + 1]),
        streams_at(memory[STREAMS], memory[STREAMS + 1])[chair : chair + 1],
        scratch_at(memory[SCRATCH], memory[SCRATCH + 1]),
    )


class RandomAgent(ChanceAgent):
    """Chooses uniformly among the legal actions, each counted once however many copies of a card are in the hand."""

    act_one = act_one

    def parts(self, memory: Memory) -> tuple[npt.NDArray[Any], ...]:
        game: Any = memory.game
        return memory.streams, game.calls(LEGAL_SEEN, RANDOM_SEEN), game.params, memory.scratch

    def kind_of_views(self, memory: Memory) -> np.dtype[Any]:
        return memory.game.view_dtype

    def reach(self, memory: Memory) -> Reach | None:
        return super().reach(memory) if isinstance(memory.game, CompiledGame) else None

    def act(self, views: Views, memory: Memory, rows: Rows) -> Actions:
        if isinstance(memory.game, CompiledGame):
            return super().act(views, memory, rows)
        rows = check_chairs(memory, views, rows)
        actions = np.empty(len(views), np.int32)
        for number, row in enumerate(rows):
            legal = memory.game.legal_actions(views[number : number + 1])
            actions[number] = legal[int(below(memory.streams[row : row + 1], len(legal)))]
        return actions
