"""The own seat in games that `duel-star` plays on: `learned` says which moves are worth a look and makes those that follow.

It may sit on the other seat, too, seeing what that seat sees. After some moves of its own it need not go on: the network says what
the position is worth.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.duel.digger import MOST_MOVES, SCRATCH
from molehunt.agents.duel.learned import DuelLearnedAgent, act_one, observe_one
from molehunt.agents.duel.opponent import MIRROR, move_of_kind
from molehunt.agents.learned import NOTED, Memory, policy_of, settings_at
from molehunt.agents.networks import VALUE
from molehunt.core.game import States, Views
from molehunt.core.interpreting import unchanged
from molehunt.core.kernels import kernel
from molehunt.games.calls import LOOK, look
from molehunt.games.compiled import bytes_of
from molehunt.games.duel.game import Duel
from molehunt.games.duel.rules import advance
from molehunt.games.duel.state import EVENT, GOING_ON, VIEW
from molehunt.games.playing import act_many, laid_down, observe_many

OWN, OTHER = 0, 1
"""The chairs of the memory."""


class OwnSeat:
    """`learned` on both seats, which remembers what each noted of the game so far: `history`, dtype HISTORY, the own one first."""

    def __init__(self, agent: DuelLearnedAgent, game: Duel, views: Views, history: npt.NDArray[Any]) -> None:
        self._agent, self._game = agent, game
        self.history = history
        self._views = views[:1]

    def _sit_down(self) -> Memory:
        memory: Memory = self._agent.start(self._game, np.repeat(self._views, 2), np.zeros(2, np.uint64))
        memory.histories[:] = self.history
        return memory

    def policy(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """The legal moves and how often the network would make each in training, the most frequent first."""
        memory = self._sit_down()
        self._agent.act(self._views, memory, np.zeros(1, np.int64))
        return policy_of(memory)

    def play_on(
        self,
        deals: States,
        streams: npt.NDArray[np.uint64],
        kinds: npt.NDArray[np.int64],
        seat: int,
        draw: float,
        ahead: int,
        tried: npt.NDArray[np.int32],
        settings: npt.NDArray[Any],
    ) -> tuple[npt.NDArray[np.float64], int]:
        """What moves bring in deals, shape (deals, moves), and how many moves were played on; see `play_each_on`."""
        results = np.zeros((len(deals), len(tried)))
        memory = self._sit_down()
        trial, events, view = deals[:1].copy(), np.zeros(2, EVENT), np.zeros(1, VIEW)
        with unchanged():
            moves = play_each_on(
                self._game.calls(LOOK),
                self._game.params,
                deals,
                streams,
                kinds,
                seat,
                draw,
                ahead,
                tried,
                results,
                settings,
                trial,
                bytes_of(trial),
                events,
                bytes_of(events),
                bytes_of(view),
                self.history,
                memory.histories,
                np.array([act_one.address, observe_one.address]),
                laid_down(*self._agent.parts(memory)),
            )
        return results, int(moves)


@kernel
def play_each_on(
    calls: Any,
    params: Any,
    deals: Any,
    streams: Any,
    kinds: Any,
    seat: int,
    draw: float,
    ahead: int,
    tried: Any,
    results: Any,
    settings: Any,
    trial: Any,
    trial_bytes: Any,
    events: Any,
    event_bytes: Any,
    view_bytes: Any,
    before: Any,
    history: Any,
    functions: Any,
    memory: Any,
) -> Any:
    """Play each move on in each deal, and note in `results`, shape (deals, moves), what it brings the seat.

    A win is 1, a draw `draw`. Where the network has made `ahead` moves and is to make another, what it then expects counts.
    `settings` has a row for each kind of digger on the other seat. Returns how many moves were played.
    """
    scratch = np.zeros(1, SCRATCH)
    moves, scores = np.empty(MOST_MOVES, np.int32), np.empty(MOST_MOVES)
    chairs, answer = np.arange(2), np.empty(1, np.int32)
    notes = settings_at(memory[NOTED], memory[NOTED + 1])
    stream = streams[:1].copy()
    state = trial[0]
    played = np.int64(0)
    for index in range(len(deals)):
        for number in range(len(tried)):
            stream[0] = streams[index]
            trial[0] = deals[index]
            history[OWN] = before[OWN]
            history[OTHER] = before[OTHER]
            action = int(tried[number])
            own = 0
            worth = -1.0
            while True:
                advance(state, action, events[0])
                if state.outcome != GOING_ON:
                    break
                events[1] = events[0]
                observe_many(functions[1], event_bytes, memory, chairs)
                mover = state.to_move
                if mover == seat:
                    look(calls, trial_bytes[0], seat, params, view_bytes[0])
                    act_many(functions[0], view_bytes, memory, chairs[:1], answer)
                    action = int(answer[0])
                    if own == ahead:
                        worth = min(max((notes[VALUE] + 1.0) / 2.0, 0.0), 1.0)
                        break
                    own += 1
                elif kinds[index] == MIRROR:
                    look(calls, trial_bytes[0], mover, params, view_bytes[0])
                    act_many(functions[0], view_bytes, memory, chairs[1:], answer)
                    action = int(answer[0])
                else:
                    action = int(move_of_kind(kinds[index], state, mover, stream, settings, scratch[0], moves, scores))
                played += 1
            if worth >= 0.0:
                results[index, number] = worth
            elif state.winner == seat:
                results[index, number] = 1.0
            elif state.winner < 0:
                results[index, number] = draw
    return played
