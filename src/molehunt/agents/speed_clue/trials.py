"""Moves tried at one view of Speed Clue: the deals that a seat holds possible, played on to the end by players of the report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.speed_clue.race import Scratch
from molehunt.agents.speed_clue.strategies import decide
from molehunt.agents.speed_clue.strategy_parameters import ADVANCED_PLAYER
from molehunt.agents.speed_clue.thought import Thought
from molehunt.core.kernels import kernel
from molehunt.core.specs import as_record
from molehunt.core.streams import SEED_BITS, game_seeds, next_word
from molehunt.games.speed_clue.resample import make_state
from molehunt.games.speed_clue.rules import advance, look
from molehunt.games.speed_clue.ruleset import MAX_SEATS, SEATS
from molehunt.games.speed_clue.state import GOING_ON
from molehunt.reading.speed_clue.knowledge import take_hand


class Trials:
    """The moves at a view that was thought about, in deals drawn as it weighs them; `advanced` plays on for all seats.

    A deal and all luck in it follow from `seed` and its number, so the same deals serve all moves.
    """

    def __init__(self, thought: Thought, seed: int) -> None:
        self._thought, self._seed = thought, seed
        self._up_to = np.cumsum(thought.weights)

    def wins(self, moves: Sequence[int], first: int, count: int) -> npt.NDArray[np.float64]:
        """Whether the seat wins after each move in the deals from number `first` on: shape (count, moves)."""
        thought = self._thought
        streams = game_seeds(self._seed, first, count)
        marks = streams.astype(np.float64) / 2.0**SEED_BITS * self._up_to[-1]
        places = np.minimum(np.searchsorted(self._up_to, marks, side="right"), len(self._up_to) - 1)
        won = np.zeros((count, len(moves)))
        strategy, params = as_record(ADVANCED_PLAYER), thought.game.params
        actions = np.array(moves, np.int64)
        try_moves(thought.view, actions, thought.hands[places], streams, strategy, params, Scratch.new(), won)
        return won


@kernel
def try_moves(
    viewed: Any, actions: Any, deals: Any, streams: Any, strategy: Any, params: Any, scratch: Any, won: Any
) -> None:
    """Play every action on in every deal, uint64[n, seats - 1]; `won`, shape (n, actions), receives 1 where the view's seat wins.

    strategy: how all seats play, a record of `strategies.Strategy`; scratch: of type `race.Scratch`.
    """
    states, views, events, minds = scratch.states, scratch.views, scratch.events, scratch.minds
    view = viewed[0]
    seats = params[SEATS]
    chosen = np.zeros(3, np.int64)
    stream = np.zeros(1, np.uint64)
    for index in range(len(deals)):
        for place in range(len(actions)):
            stream[0] = streams[index]
            state = states[0]
            make_state(view, deals[index], stream, state, params)
            for seat in range(seats):
                minds[seat] = minds[MAX_SEATS]
                minds[seat].stream[0] = next_word(stream)
                take_hand(minds[seat], state.hands[seat], seat, seats, int(strategy[0].deduction_6), params)
            advance(state, actions[place], params, events[0])
            while state.outcome == GOING_ON:
                seat = state.to_move
                look(state, seat, views[0], params)
                advance(state, decide(minds[seat], views[0], chosen, strategy[0], params), params, events[0])
            won[index, place] = 1.0 if state.winner == view.seat else 0.0
