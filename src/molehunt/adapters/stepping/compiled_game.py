"""Games played by indices, where the game and its spaces are compiled: the arrays that the kernels take beside those of a call."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.adapters.spaces.base import Spaces
from molehunt.adapters.spaces.shown import SEE_MASK, SEE_VIEW, SHOWN
from molehunt.adapters.stepping import kernels
from molehunt.adapters.stepping.earnings import Earnings
from molehunt.adapters.stepping.kernels import Batch, Encoding, Rules
from molehunt.core.game import Seeds, States
from molehunt.games.calls import Bound
from molehunt.games.compiled import CompiledGame, bytes_of

Indices = npt.NDArray[np.int64]


class PlayedCompiled:
    """The steps of one game with its spaces, whose kernels are in the module `shown`. Not to be shared by threads."""

    def __init__(self, game: CompiledGame, spaces: Spaces, shown: ModuleType, earnings: Earnings) -> None:
        self.calls = game.calls(*kernels.NEEDED)
        dtypes = game.state_dtype, game.view_dtype, game.event_dtype
        self.shown = Bound.of(shown, dtypes, SHOWN).need(*range(len(SHOWN.names)))
        self.spaces, self.params = spaces, game.params
        self.roles = np.full(game.seats, -1, np.int8)
        self.view = np.zeros(game.view_dtype.itemsize, np.uint8)
        self.event = np.zeros(game.event_dtype.itemsize, np.uint8)
        self.unwon = earnings.numbers()
        self.paid, self.won = np.zeros(game.seats), np.zeros(game.seats, np.uint8)
        self.scratch = np.zeros(game.most_actions, np.int32)
        self.rules = Rules(self.calls, self.roles, self.params, self.unwon, self.event, self.paid, self.won)
        self.encoding = Encoding(self.shown, spaces.codes, spaces.numbering, spaces.params, self.view)
        self.next_seeds = kernels.next_seeds

    # --- One game ---

    def deal_one(self, states: States, seed: Any) -> int:
        """Deal the first state from a seed, over whatever it was; who begins."""
        return int(kernels.deal_one(self.calls, bytes_of(states), np.uint64(seed), self.roles, self.params))

    def play_one(self, states: States, index: int, rewards: Any) -> int:
        """Play an index in the first state. The rewards are written where that ends the game. Who is next, NOBODY or ILLEGAL."""
        return int(
            kernels.play_one(
                self.calls,
                bytes_of(states),
                index,
                self.spaces.codes,
                self.params,
                self.unwon,
                self.event,
                self.paid,
                self.won,
                rewards,
            )
        )

    def see_one(self, states: States, seat: int, observation: Any, mask: Any) -> None:
        """What a seat sees of the first state, written to an observation and a mask."""
        spaces = self.spaces
        kernels.see_one(
            self.shown,
            bytes_of(states),
            seat,
            spaces.numbering,
            spaces.params,
            self.view,
            observation,
            mask,
            SEE_VIEW | SEE_MASK,
        )

    # --- Many games ---

    def deal_many(self, states: States, seeds: Seeds) -> None:
        """Deal `states[i]` from `seeds[i]`, over whatever it was."""
        kernels.deal_many(self.calls, bytes_of(states), seeds, self.roles, self.params)

    def check_many(self, states: States, to_move: Any, indices: Indices) -> int:
        """The first state in which an index cannot be played, -1 where there is none. Games that are over are passed over."""
        return int(kernels.check_many(self.calls, bytes_of(states), to_move, indices, self.spaces.codes, self.params))

    def batch_of(self, states: States, arrays: Mapping[str, Any]) -> Batch:
        """The batch of some states and of arrays by name, as the methods below take it."""
        return kernels.batch_of(bytes_of(states), arrays)

    def show_many(self, batch: Batch, wanted: int) -> None:
        """Write who is to move in each state and what that seat sees; of a game that is over, what seat 0 sees."""
        kernels.show_many(self.rules, self.encoding, batch, wanted)

    def play_many(self, batch: Batch, indices: Indices, stride: int, wanted: int) -> int:
        """Play `indices[i]` in game i of a batch and write all that came of it; games that are over stay as they are.

        With `stride` above 0, a game that ends is at once replaced by the next of its row. Returns -1, or the first row whose index
        cannot be played; then nothing was played.
        """
        return int(kernels.play_many(self.rules, self.encoding, batch, indices, stride, wanted))

    def choose_many(self, states: States, to_move: Any, streams: Any, out: Any) -> None:
        """The index of a random legal action in each state, drawn with the stream of its row; 0 where the game is over."""
        spaces = self.spaces
        kernels.choose_many(
            self.calls,
            self.shown,
            bytes_of(states),
            to_move,
            streams,
            spaces.numbering,
            spaces.params,
            self.scratch,
            out,
        )

    def pay_many(self, states: States, rows: Any, rewards: Any) -> None:
        """Add what each seat earns in some games that are over."""
        kernels.pay_many(self.calls, bytes_of(states), rows, self.params, self.unwon, self.paid, self.won, rewards)
