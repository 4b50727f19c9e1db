"""`learned`: a small network that was trained by playing Saboteur (`agents.learned`), on what `features` writes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.learned import (
    EDITIONS,
    HISTORIES,
    RULES,
    SCRATCH,
    LearnedAgent,
    think,
    whole_at,
    written_at,
)
from molehunt.agents.saboteur.features import DESK, HISTORY, describe, note_event, rules_of, sizes_of
from molehunt.core.game import Game
from molehunt.core.kernels import kernel
from molehunt.games.playing import acting, array_at, observing
from molehunt.games.saboteur.game import check_game
from molehunt.games.saboteur.state import EVENT, VIEW

__all__ = ["EDITIONS", "SaboteurLearnedAgent"]

histories_at = array_at(HISTORY)
desk_at = array_at(DESK)


@kernel
def choose(view: Any, memory: Any, chair: int) -> Any:
    """The action of a chair at its view."""
    position, moves, actions = written_at(memory)
    count = describe(
        view,
        histories_at(memory[HISTORIES], memory[HISTORIES + 1])[chair],
        whole_at(memory[RULES], memory[RULES + 1]),
        desk_at(memory[SCRATCH], 1)[0],
        position,
        moves,
        actions,
    )
    return think(memory, chair, count)


@acting(VIEW)
def act_one(views: Any, memory: Any, chair: int) -> Any:
    """The action of a chair at its view."""
    return choose(views[0], memory, chair)


@observing(EVENT)
def observe_one(events: Any, memory: Any, chair: int) -> None:
    """An event, counted by a chair."""
    note_event(histories_at(memory[HISTORIES], memory[HISTORIES + 1])[chair], events[0])


class SaboteurLearnedAgent(LearnedAgent):
    """The learned player of Saboteur."""

    act_one = act_one
    observe_one = observe_one
    history = HISTORY
    scratch = DESK

    def check(self, game: Game) -> None:
        check_game(self.name, game)

    @classmethod
    def sizes(cls, game: Game) -> tuple[int, int]:
        return sizes_of(check_game("learned", game))

    @classmethod
    def rules(cls, game: Game) -> npt.NDArray[np.int64]:
        return rules_of(check_game("learned", game))

    @classmethod
    def shipped(cls, game: Game) -> Path:
        """By ruleset and seats, and by the number of saboteurs where it is not the usual one."""
        saboteur = check_game("learned", game)
        usual = replace(saboteur.ruleset, saboteurs=0).saboteurs_for(saboteur.seats)
        number = saboteur.ruleset.saboteurs_for(saboteur.seats)
        name = f"{saboteur.ruleset.name}-{saboteur.seats}" + ("" if number == usual else f"-{number}")
        return Path(__file__).parent / "weights" / f"{name}.safetensors"
