"""Games played by indices where no kernels of their own write observations: any game, through its interface.

`AnyGame` has the methods of `compiled_game.PlayedCompiled`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.adapters.spaces.base import Spaces
from molehunt.adapters.spaces.general_kernels import first_fault
from molehunt.adapters.stepping import kernels
from molehunt.adapters.stepping.compiled_game import PlayedCompiled
from molehunt.adapters.stepping.earnings import Earnings
from molehunt.adapters.stepping.kernels import ILLEGAL, Batch
from molehunt.core.errors import IllegalAction
from molehunt.core.game import Game, States
from molehunt.core.seats import NOBODY
from molehunt.core.streams import below
from molehunt.games import calls
from molehunt.games.compiled import CompiledGame, bytes_of

ROW = np.zeros(1, np.int64)


class AnyGame:
    """The steps of one game with its spaces."""

    def __init__(self, game: Game, spaces: Spaces, earnings: Earnings) -> None:
        self.game = game
        self.earnings = earnings
        self.spaces = spaces
        self.next_seeds = kernels.next_seeds

    def _codes(self, indices: Any, seats: npt.NDArray[np.int8]) -> npt.NDArray[np.int32]:
        return np.ascontiguousarray(self.spaces.codes[seats % len(self.spaces.codes), indices], np.int32)

    def check_many(self, states: States, seats: Any, indices: Any) -> int:
        """The first state in which an index cannot be played, -1 where there is none. Games that are over are passed over."""
        game = self.game
        if isinstance(game, CompiledGame):
            addresses = game.calls(calls.FAULT)
            return int(first_fault(addresses, bytes_of(states), seats, indices, self.spaces.codes, game.params))
        for row in np.flatnonzero(seats >= 0).tolist():
            if not 0 <= indices[row] < self.spaces.size:
                return row
            view = game.views(states, seats[row : row + 1], np.array([row]))
            if int(self._codes(indices[row : row + 1], seats[row : row + 1])[0]) not in game.legal_actions(view):
                return row
        return -1

    # --- One game ---

    def deal_one(self, states: States, seed: Any) -> int:
        """Deal the first state from a seed; who begins."""
        states[:1] = self.game.new(np.array([seed], np.uint64))
        return int(self.game.to_move(states[:1])[0])

    def play_one(self, states: States, index: int, rewards: Any) -> int:
        """Play an index in the first state. The rewards are written where that ends the game. Who is next, NOBODY or ILLEGAL."""
        seats = self.game.to_move(states[:1])
        indices = np.array([index], np.int64)
        if seats[0] < 0 or self.check_many(states[:1], seats, indices) >= 0:
            return ILLEGAL
        self.game.apply(states, self._codes(indices, seats), ROW)
        following = int(self.game.to_move(states[:1])[0])
        if following == NOBODY:
            rewards[:] = self.earnings.of(self.game, states[:1])[0]
        return following

    def see_one(self, states: States, seat: int, observation: Any, mask: Any) -> None:
        """What a seat sees of the first state, written to an observation and a mask."""
        seen = self.game.views(states, np.array([seat], np.int8), ROW)
        self.spaces.fill_observations(seen, observation[None, :])
        self.spaces.fill_masks(seen, mask[None, :], relative=True)

    # --- Many games ---

    def deal_many(self, states: States, seeds: Any) -> None:
        """Deal `states[i]` from `seeds[i]`."""
        states[:] = self.game.new(seeds)

    def batch_of(self, states: States, arrays: Mapping[str, Any]) -> Batch:
        """The batch of some states and of arrays by name, as the methods below take it."""
        return kernels.batch_of(states, arrays)

    def show_many(self, batch: Batch, wanted: int) -> None:
        """Write who is to move in each state and what that seat sees; of a game that is over, what seat 0 sees."""
        batch.to_move[:] = self.game.to_move(batch.states)
        seen = self.game.views(batch.states, np.maximum(batch.to_move, 0))
        if batch.observations.shape[1]:
            self.spaces.fill_observations(seen, batch.observations)
        if batch.masks.shape[1]:
            self.spaces.fill_masks(seen, batch.masks, relative=True)

    def play_many(self, batch: Batch, indices: Any, stride: int, wanted: int) -> int:
        """Play `indices[i]` in game i of a batch and write all that came of it; games that are over stay as they are.

        With `stride` above 0, a game that ends is at once replaced by the next of its row. Returns -1, or the first row whose index
        cannot be played; then nothing was played.
        """
        states = batch.states
        failed = self.check_many(states, batch.to_move, indices)
        if failed >= 0:
            return failed
        batch.rewards[:] = 0
        batch.terminated[:] = False
        seats = self.game.to_move(states)
        rows = np.flatnonzero(seats >= 0)
        self.game.apply(states, self._codes(indices[rows], seats[rows]), rows)
        over = rows[self.game.to_move(states)[rows] < 0]
        if len(over):
            batch.terminated[over] = True
            batch.rewards[over] = self.earnings.of(self.game, states[over])
        if stride and len(over):
            self.next_seeds(over, batch.seeds, batch.bases, batch.numbers, stride)
            states[over] = self.game.new(batch.seeds[over])
        self.show_many(batch, wanted)
        return -1

    def choose_many(self, states: States, seats: Any, streams: Any, out: Any) -> None:
        """The index of a random legal action in each state, drawn with the stream of its row; 0 where the game is over."""
        out[:] = 0
        rows = np.flatnonzero(seats >= 0)
        if not len(rows):
            return
        masks = self.spaces.mask_many(self.game.views(states, seats[rows], rows))
        for row, mask in zip(rows.tolist(), masks, strict=True):
            legal = np.flatnonzero(mask)
            out[row] = legal[int(below(streams[row : row + 1], len(legal)))]

    def pay_many(self, states: States, rows: Any, rewards: Any) -> None:
        """Add what each seat earns in some games that are over."""
        rewards[rows] += self.earnings.of(self.game, states[rows])


def steps_of(game: Game, spaces: Spaces, earnings: Earnings) -> AnyGame | PlayedCompiled:
    """How a game is stepped with its spaces: by kernels where both have them, else through the game's interface."""
    if isinstance(game, CompiledGame) and spaces.kernels is not None:
        return PlayedCompiled(game, spaces, spaces.kernels, earnings)
    return AnyGame(game, spaces, earnings)


def refusal(game: Game, states: States, action: int) -> IllegalAction:
    """Why an action is not legal in the first state."""
    if isinstance(game, CompiledGame):
        return game.refuse(states, action)
    try:
        game.apply(states.copy(), np.array([action], np.int32), ROW)
    except IllegalAction as error:
        return error
    seat = int(game.to_move(states)[0])
    return IllegalAction(seat, game.format_action(action), "it is not among the legal actions")
