"""`learned`: a small network that was trained by playing Speed Clue (`agents.learned`), on what `features` writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.learned import (
    EDITIONS,
    HISTORIES,
    PARAMS,
    SCRATCH,
    LearnedAgent,
    Parts,
    think,
    told_moves,
    whole_at,
    written_at,
)
from molehunt.core.game import Game
from molehunt.games.playing import acting, array_at
from molehunt.games.speed_clue.game import check_game
from molehunt.games.speed_clue.ruleset import CARDS, SEATS
from molehunt.games.speed_clue.state import VIEW
from molehunt.reading.speed_clue.features import SCRATCH as FEATURES
from molehunt.reading.speed_clue.features import describe, move_parts, position_parts
from molehunt.reading.speed_clue.history import past_parts, write_history
from molehunt.reading.speed_clue.knowledge import MIND

__all__ = ["EDITIONS", "ClueLearnedAgent"]

minds_at = array_at(MIND)
scratch_at = array_at(FEATURES)


@acting(VIEW)
def act_one(views: Any, memory: Any, chair: int) -> Any:
    """The action of a chair at its view."""
    position, moves, actions = written_at(memory)
    params = whole_at(memory[PARAMS], memory[PARAMS + 1])
    count = describe(
        views[0],
        minds_at(memory[HISTORIES], memory[HISTORIES + 1])[chair],
        params,
        scratch_at(memory[SCRATCH], 1)[0],
        position,
        moves,
        actions,
    )
    write_history(views[0], told_moves(memory), params, position)
    return think(memory, chair, count)


class ClueLearnedAgent(LearnedAgent):
    """The learned player of Speed Clue. It reads the record when it is to move, so it is told no events.

    The last moves that a network may be told are the last suggestions.
    """

    observes = False
    act_one = act_one
    history = MIND
    scratch = FEATURES

    def check(self, game: Game) -> None:
        check_game(self.name, game)

    @classmethod
    def parts_told(cls, game: Game, beliefs: bool = False) -> tuple[Parts, Parts, Parts]:
        cards = int(check_game("learned", game).params[CARDS])
        return position_parts(game.seats, cards), move_parts(cards), past_parts(game.seats, cards)

    def seats_of(self, memory: Any) -> int:
        return int(memory.params[SEATS])

    @classmethod
    def params_of(cls, game: Game, beliefs: bool = False) -> npt.NDArray[np.int64]:
        return check_game("learned", game).params

    @classmethod
    def shipped(cls, game: Game) -> Path:
        clue = check_game("learned", game)
        name = f"{clue.ruleset.name}-{clue.ruleset.cards}-{game.seats}.safetensors"
        return Path(__file__).parent / "weights" / name
