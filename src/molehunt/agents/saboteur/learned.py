"""`learned`: a small network that was trained by playing Saboteur (`agents.learned`), on what `features` writes.

Some networks are also told what follows from everybody's moves: who may be a saboteur, and where the gold may be (`suspicion`).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.learned import (
    EDITIONS,
    HISTORIES,
    PARAMS,
    RECENT,
    SCRATCH,
    LearnedAgent,
    Memory,
    Parts,
    think,
    told_moves,
    whole_at,
    written_at,
)
from molehunt.agents.learned import MEMORY_NUMBERS as NUMBERS_OF_ALL
from molehunt.agents.saboteur.mole_words import belief_panels
from molehunt.core.agent import seen_from
from molehunt.core.game import Game, Views
from molehunt.core.kernels import kernel
from molehunt.core.panels import Panel
from molehunt.games.playing import acting, array_at, grid_at, observing
from molehunt.games.saboteur.game import check_game
from molehunt.games.saboteur.possible import can_be_seen, can_happen
from molehunt.games.saboteur.ruleset import SEATS
from molehunt.games.saboteur.state import EVENT, VIEW
from molehunt.reading.history import forget, keep_event
from molehunt.reading.saboteur.deeds import DEEDS
from molehunt.reading.saboteur.features import (
    BELIEFS,
    HISTORY,
    describe,
    frame_of,
    move_parts,
    note_event,
    params_of,
    position_parts,
)
from molehunt.reading.saboteur.features import SCRATCH as FEATURES
from molehunt.reading.saboteur.habits import habits
from molehunt.reading.saboteur.history import past_parts, write_history
from molehunt.reading.saboteur.suspicion import (
    CASE,
    INDEPENDENT,
    believe_both,
    deal_of,
    new_cases,
    observe,
    open_case,
    sit_down,
)
from molehunt.reading.saboteur.suspicion import SCRATCH as SUSPICION

__all__ = ["EDITIONS", "SaboteurLearnedAgent"]

CHAIR = np.dtype([("history", HISTORY), ("case", CASE)])
"""What a chair remembers: what it counted, and what all know of the round, which is kept where the network is told beliefs."""

HABITS, TEAMS, ODDS = range(NUMBERS_OF_ALL, NUMBERS_OF_ALL + 6, 2)
"""Where compiled loops find the tables that beliefs are worked out with."""
MEMORY_NUMBERS = NUMBERS_OF_ALL + 6
"""How many numbers say where the parts of a memory are."""

chairs_at = array_at(CHAIR)
recent_at = grid_at(EVENT)
scratch_at = array_at(FEATURES)
teams_at = array_at(np.int64)
reals_at = array_at(np.float64)
habits_at = grid_at(np.float64)


@kernel
def recent_of(memory: Any, chair: int) -> Any:
    """The last events of a chair."""
    return recent_at(memory[RECENT], memory[RECENT + 1], told_moves(memory))[chair]


@kernel
def choose(view: Any, memory: Any, chair: int) -> Any:
    """The action of a chair at its view."""
    position, moves, actions = written_at(memory)
    own = chairs_at(memory[HISTORIES], memory[HISTORIES + 1])[chair]
    params = whole_at(memory[PARAMS], memory[PARAMS + 1])
    count = describe(
        view,
        own.history,
        own.case,
        teams_at(memory[TEAMS], memory[TEAMS + 1]),
        reals_at(memory[ODDS], memory[ODDS + 1]),
        params,
        scratch_at(memory[SCRATCH], 1)[0],
        position,
        moves,
        actions,
    )
    write_history(view, recent_of(memory, chair), params, position)
    return think(memory, chair, count)


@kernel
def follow(event: Any, memory: Any, chair: int) -> None:
    """Take in an event on a chair."""
    own = chairs_at(memory[HISTORIES], memory[HISTORIES + 1])[chair]
    note_event(own.history, event)
    recent = recent_of(memory, chair)
    keep_event(recent, event)
    if event.ended:
        forget(recent)
    params = whole_at(memory[PARAMS], memory[PARAMS + 1])
    if params[BELIEFS]:
        observe(
            own.case,
            event,
            habits_at(memory[HABITS], memory[HABITS + 1] // len(DEEDS), len(DEEDS)),
            teams_at(memory[TEAMS], memory[TEAMS + 1]),
            reals_at(memory[ODDS], memory[ODDS + 1]),
            scratch_at(memory[SCRATCH], 1)[0].suspicion,
            params,
        )


@kernel
def begin_many(chairs: Any, views: Any, scratch: Any, params: Any) -> None:
    """Sit down at views: a case for each chair."""
    for chair in range(len(chairs)):
        open_case(chairs[chair].case, scratch[0], params)
        sit_down(chairs[chair].case, views[chair], scratch[0], params)


@acting(VIEW)
def act_one(views: Any, memory: Any, chair: int) -> Any:
    """The action of a chair at its view."""
    return choose(views[0], memory, chair)


@observing(EVENT, can_happen)
def observe_one(events: Any, memory: Any, chair: int) -> None:
    """An event, taken in by a chair."""
    follow(events[0], memory, chair)


class SaboteurLearnedAgent(LearnedAgent):
    """The learned player of Saboteur."""

    act_one = act_one
    observe_one = observe_one
    seen = can_be_seen
    history = CHAIR
    scratch = FEATURES
    event = EVENT
    knows_beliefs = True

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        memory = super().start(game, views, streams)
        if memory.params[BELIEFS]:
            memory.histories["case"] = new_cases(len(views), game.seats)
            begin_many(memory.histories, views, memory.scratch["suspicion"], memory.params)
        return memory

    def beliefs(self, game: Game, view: Any, memory: Memory, row: int) -> tuple[Panel, ...]:
        """What it is told of the others: who may be a saboteur, and where the gold may be; nothing where it is told nothing.

        The moves count as independent, as they did while the networks learned; `mole` is less sure of the gold's place.
        """
        if not memory.params[BELIEFS]:
            return ()
        saboteur = check_game("learned", game)
        deal = deal_of(saboteur)
        view = np.ascontiguousarray(seen_from(memory, view, row))
        case, joints = memory.histories["case"][row : row + 1].copy(), np.zeros((2, len(deal.teams), 3))
        believe_both(case, view, INDEPENDENT, deal.teams, deal.odds, np.zeros(1, SUSPICION), joints)
        return belief_panels(saboteur, view[0], deal, joints[0], joints[1])

    def check(self, game: Game) -> None:
        check_game(self.name, game)

    @classmethod
    def parts_told(cls, game: Game, beliefs: bool = False) -> tuple[Parts, Parts, Parts]:
        _, _, width, height = frame_of(check_game("learned", game))
        return (
            position_parts(game.seats, width * height, beliefs),
            move_parts(game.seats, width, height, beliefs),
            past_parts(game.seats, width, height),
        )

    def seats_of(self, memory: Memory) -> int:
        return int(memory.params[SEATS])

    @classmethod
    def params_of(cls, game: Game, beliefs: bool = False) -> npt.NDArray[np.int64]:
        return params_of(check_game("learned", game), beliefs)

    @classmethod
    def tables(cls, game: Game) -> tuple[npt.NDArray[Any], ...]:
        deal = deal_of(check_game("learned", game))
        return habits().reshape(-1), deal.teams, deal.odds

    @classmethod
    def shipped(cls, game: Game) -> Path:
        """The weights that are told beliefs, where there are some, else the others."""
        plain = cls.shipped_plain(game)
        told = plain.with_stem(f"{plain.stem}-told")
        return told if told.is_file() else plain

    @classmethod
    def shipped_plain(cls, game: Game) -> Path:
        """Weights that are told no beliefs: by ruleset and seats, and by the number of saboteurs where it is not the usual one."""
        saboteur = check_game("learned", game)
        usual = replace(saboteur.ruleset, saboteurs=0).saboteurs_for(saboteur.seats)
        number = saboteur.ruleset.saboteurs_for(saboteur.seats)
        name = f"{saboteur.ruleset.name}-{saboteur.seats}" + ("" if number == usual else f"-{number}")
        return Path(__file__).parent / "weights" / f"{name}.safetensors"
