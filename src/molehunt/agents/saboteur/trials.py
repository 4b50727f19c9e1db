"""Moves tried at one view: each played on to the end of the round, as `playing_on` does it, in as many worlds as are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.saboteur.mole import MoleAgent
from molehunt.agents.saboteur.mole_kernels import act_one
from molehunt.agents.saboteur.mole_memory import Memory
from molehunt.agents.saboteur.playing_on import (
    LIST,
    PARAMS,
    ROUND_PARAMS,
    STEP,
    TO_THE_END,
    TRIAL,
    draw_world,
    params_at,
    play_on,
    seat_models,
    seat_own,
    states_at,
    whole_at,
)
from molehunt.core.game import Views
from molehunt.core.interpreting import unchanged
from molehunt.core.kernels import kernel
from molehunt.core.streams import derive
from molehunt.games.compiled import bytes_of
from molehunt.games.playing import act_many, laid_down
from molehunt.games.saboteur.cards import MINER
from molehunt.games.saboteur.ruleset import PARAMS_SIZE, ROUNDS
from molehunt.games.saboteur.state import GOLD_FOUND


class Trials:
    """The moves at a view, in worlds that its seat holds possible; players of 2019 play on for all seats.

    A world follows from `seed` and its number, so the same worlds serve all moves.
    """

    def __init__(self, agent: MoleAgent, view: Views, memory: Memory, row: int, seed: np.uint64) -> None:
        self._view, self._memory, self._models = view, memory, memory.models[row]
        self._seed = seed
        with unchanged():
            numbers = agent.parts(memory)
            memory.scratch.budget[STEP] = LIST
            # Listing the moves also works out what the seat believes, from which worlds are drawn.
            act_many(
                act_one.address,
                bytes_of(np.ascontiguousarray(view)),
                laid_down(*numbers),
                np.array([row]),
                np.empty(1, np.int32),
            )

    def wins(self, moves: Sequence[int], first: int, count: int) -> npt.NDArray[np.float64]:
        """Whether the seat's side wins the round after each move in the worlds from number `first` on: shape (count, moves)."""
        won = np.zeros((count, len(moves)))
        tried = np.array(moves, np.int64)
        with unchanged():
            self._memory.scratch.lay_down(self._memory)  # there may be machine code by now
            try_moves(self._memory.scratch.search, self._models, self._view, tried, self._seed, first, won)
        return won


@kernel
def try_moves(search: Any, models: Any, views: Any, moves: Any, luck: Any, first: int, won: Any) -> None:
    """Play every move on in every world of `won`, shape (worlds, moves): 1 where the side of the view's seat wins, else 0."""
    view = views[0]
    seat_own(search, view.seat)
    params = params_at(search[PARAMS], PARAMS_SIZE)
    round_params = whole_at(search[ROUND_PARAMS], PARAMS_SIZE)
    for number in range(PARAMS_SIZE):
        round_params[number] = params[number]
    # The round that is played is the last.
    round_params[ROUNDS] = view.round + 1
    for world in range(len(won)):
        of_world = derive(luck, np.uint64(first + world))
        gold = draw_world(search, of_world)
        for place in range(len(moves)):
            seat_models(search, models, gold, of_world)
            play_on(search, models, gold, moves[place], view.seat, TO_THE_END)
            found = states_at(search[TRIAL], 1)[0].outcome == GOLD_FOUND
            won[world, place] = 1.0 if found == (view.role == MINER) else 0.0
