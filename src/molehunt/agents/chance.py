"""What players share that choose by chance alone: a random stream for each chair, and nothing else that they remember."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.compiled import CompiledAgent
from molehunt.core.agent import check_seating
from molehunt.core.game import Game, Views
from molehunt.core.language import _, later
from molehunt.core.memory import CONSTANT_PART, SCRATCH_PART
from molehunt.games.playing import array_at

STREAMS = 0
"""Where compiled loops find the streams: their address."""

streams_at = array_at(np.uint64)


@dataclass
class Memory:
    """The game, the random stream of each chair, and room for the moves that a list of them takes."""

    game: Game = field(metadata=CONSTANT_PART)
    streams: npt.NDArray[np.uint64]
    scratch: npt.NDArray[np.int32] = field(metadata=SCRATCH_PART)


class ChanceAgent(CompiledAgent):
    """A player whose choice depends on its view and its random stream and on nothing that it remembers.

    So a chair of it may be asked about whatever any seat sees: one for each game plays for all who sit there.
    """

    observes = False
    reason = later("all equally likely")

    def __init__(self, name: str = "random") -> None:
        self.name = name

    def seated_at(self, game: Game) -> Game:
        """The game; BadInput where the agent was seated at one that it does not play."""
        return game

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        check_seating(game, views, streams)
        return Memory(self.seated_at(game), streams.copy(), np.empty(getattr(game, "most_actions", 0), np.int32))

    def parts(self, memory: Memory) -> tuple[npt.NDArray[Any], ...]:
        return (memory.streams,)

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        moves = game.legal_actions(view).codes
        if len(moves) == 1:
            return _("It chooses {move}: it is the only move.", move=game.format_action(int(moves[0])))
        return _("By lot: one of {number} moves that it may make, {reason}.", number=len(moves), reason=_(self.reason))
