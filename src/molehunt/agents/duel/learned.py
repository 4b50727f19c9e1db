"""`learned`: a small network that was trained by playing the duel (`agents.learned`), on what `features` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.duel.features import HISTORY, describe, move_parts, note_event, position_parts
from molehunt.agents.duel.features import SCRATCH as FEATURES
from molehunt.agents.duel.history import past_parts, write_history
from molehunt.agents.duel.opponent import HURRY, MIND, SUSPICION, open_mind
from molehunt.agents.learned import (
    EDITIONS,
    HISTORIES,
    RECENT,
    SCRATCH,
    LearnedAgent,
    Memory,
    Parts,
    think,
    told_moves,
    written_at,
)
from molehunt.core.game import Game, Views
from molehunt.core.kernels import kernel
from molehunt.games.duel.game import check_game
from molehunt.games.duel.possible import can_happen
from molehunt.games.duel.state import EVENT, VIEW
from molehunt.games.playing import acting, array_at, grid_at, observing
from molehunt.reading.history import keep_event

__all__ = ["EDITIONS", "DuelLearnedAgent"]

histories_at = array_at(HISTORY)
recent_at = grid_at(EVENT)
scratch_at = array_at(FEATURES)


@kernel
def recent_of(memory: Any, chair: int) -> Any:
    """The last events of a chair."""
    return recent_at(memory[RECENT], memory[RECENT + 1], told_moves(memory))[chair]


@acting(VIEW)
def act_one(views: Any, memory: Any, chair: int) -> Any:
    """The action of a chair at its view."""
    position, moves, actions = written_at(memory)
    count = describe(
        views[0],
        histories_at(memory[HISTORIES], memory[HISTORIES + 1])[chair],
        scratch_at(memory[SCRATCH], 1)[0],
        position,
        moves,
        actions,
    )
    write_history(views[0], recent_of(memory, chair), position)
    return think(memory, chair, count)


@observing(EVENT, can_happen)
def observe_one(events: Any, memory: Any, chair: int) -> None:
    """An event, counted by a chair."""
    note_event(histories_at(memory[HISTORIES], memory[HISTORIES + 1])[chair], events[0])
    keep_event(recent_of(memory, chair), events[0])


class DuelLearnedAgent(LearnedAgent):
    """The learned player of the duel."""

    act_one = act_one
    observe_one = observe_one
    history = HISTORY
    scratch = FEATURES
    event = EVENT

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        memory = super().start(game, views, streams)
        minds = np.zeros(len(views), MIND)
        open_mind(minds, views, SUSPICION, HURRY)
        memory.histories["mind"] = minds
        return memory

    def check(self, game: Game) -> None:
        check_game(self.name, game)

    @classmethod
    def parts_told(cls, game: Game, beliefs: bool = False) -> tuple[Parts, Parts, Parts]:
        return position_parts(), move_parts(), past_parts()

    @classmethod
    def params_of(cls, game: Game, beliefs: bool = False) -> npt.NDArray[np.int64]:
        return np.zeros(0, np.int64)

    @classmethod
    def shipped(cls, game: Game) -> Path:
        return Path(__file__).parent / "weights" / "duel.safetensors"
