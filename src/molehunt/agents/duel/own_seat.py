"""The own seat in games that `duel-star` plays on: `learned` says which moves are worth a look and makes those that follow.

It may sit on the other seat, too, seeing what that seat sees. After some moves of its own it need not go on: the network says what
the position is worth.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.agents.duel.digger import MOST_MOVES, SCRATCH
from molehunt.agents.duel.learned import DuelLearnedAgent, act_one, observe_one
from molehunt.agents.duel.opponent import MIRROR, Drawn, move_of_kind
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
from molehunt.games.playing import ACT, OBSERVE, act_many, laid_down, observe_many

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
        self, drawn: Drawn, seat: int, draw: float, ahead: int, tried: npt.NDArray[np.int32], settings: npt.NDArray[Any]
    ) -> tuple[npt.NDArray[np.float64], int]:
        """What moves bring in deals, shape (deals, moves), and how many moves were played on; see `play_each_on`."""
        results = np.zeros((len(drawn.deals), len(tried)))
        memory, scratch = self._sit_down(), Scratch.of(drawn.deals[:1])
        with unchanged():
            network = self._network(memory)
            moves = play_each_on(network, scratch, drawn, seat, draw, ahead, tried, settings, results)
        return results, int(moves)

    def _network(self, memory: Memory) -> Network:
        """The network on both seats, as long as the caller holds their memory and kernels are unchanged."""
        return Network(
            self._game.calls(LOOK),
            self._game.params,
            np.array([act_one.address, observe_one.address]),
            laid_down(*self._agent.parts(memory)),
            memory.histories,
            self.history,
        )


class Network(NamedTuple):
    """`learned` on both seats, as kernels reach it."""

    calls: Any
    """Addresses of the functions of the game: LOOK."""
    params: Any
    functions: Any
    """Addresses of its own: ACT and OBSERVE, int64 (2,)."""
    memory: Any
    """Where its memory lies (`playing.laid_down`)."""
    history: Any
    before: Any
    """What it has noted of the game, and what it had where the deals are drawn, HISTORY (2,)."""


class Scratch(NamedTuple):
    """What is written as a deal is played on; as records, and the same as bytes, uint8, a row each."""

    trial: Any
    trial_bytes: Any
    """The state of one game."""
    events: Any
    event_bytes: Any
    """What both seats are told of a move."""
    view_bytes: Any
    """What one seat sees."""

    @classmethod
    def of(cls, deal: States) -> Scratch:
        """Room for one game at a time, of the kind of this deal."""
        trial, events = deal.copy(), np.zeros(2, EVENT)
        return cls(trial, bytes_of(trial), events, bytes_of(events), bytes_of(np.zeros(1, VIEW)))


@kernel
def play_each_on(
    network: Any,
    scratch: Any,
    drawn: Any,
    seat: int,
    draw: float,
    ahead: int,
    tried: Any,
    settings: Any,
    results: Any,
) -> Any:
    """Play each move on in each deal drawn, and note in `results`, shape (deals, moves), what it brings the seat.

    A win is 1, a draw `draw`. Where the network has made `ahead` moves and is to make another, what it then expects counts.
    `settings` has a row for each kind of digger on the other seat. Returns how many moves were played.
    """
    calls, params, functions, memory = network.calls, network.params, network.functions, network.memory
    history, before = network.history, network.before
    trial, trial_bytes, view_bytes = scratch.trial, scratch.trial_bytes, scratch.view_bytes
    events, event_bytes = scratch.events, scratch.event_bytes
    deals, streams, kinds = drawn.deals, drawn.streams, drawn.kinds
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
                observe_many(functions[OBSERVE], event_bytes, memory, chairs)
                mover = state.to_move
                if mover == seat:
                    look(calls, trial_bytes[0], seat, params, view_bytes[0])
                    act_many(functions[ACT], view_bytes, memory, chairs[:1], answer)
                    action = int(answer[0])
                    if own == ahead:
                        worth = min(max((notes[VALUE] + 1.0) / 2.0, 0.0), 1.0)
                        break
                    own += 1
                elif kinds[index] == MIRROR:
                    look(calls, trial_bytes[0], mover, params, view_bytes[0])
                    act_many(functions[ACT], view_bytes, memory, chairs[1:], answer)
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
