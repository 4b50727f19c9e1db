"""Whether a game's compiled functions write every field of the records that they fill, whatever stood there.

What they leave as it was goes unnoticed while memory happens to be zero. So each is asked twice, for records filled with rubbish of
two kinds, and what it leaves differs. The functions are interpreted: nothing is compiled for this, and where rubbish leads to an
index beyond an array, that is an error at its line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import KernelFailure
from molehunt.core.interpreting import interpreting
from molehunt.core.seats import NOBODY
from molehunt.games import batches, calls
from molehunt.games.compiled import CompiledGame

RUBBISH = 0x55, 0xAA
"""The bytes that records are filled with."""


def check_written(game: CompiledGame, seed: int, moves: int, every: int) -> None:
    """Play so many random moves of a game; KernelFailure names the first field that a function leaves as it was.

    `look` and `resample` are asked at each `every`-th position, the dealt one first; `deal` and `advance` for all.
    """
    with interpreting():
        _Written(game, seed).play(moves, every)


class _Written:
    def __init__(self, game: CompiledGame, seed: int) -> None:
        self.game = game
        self.calls = game.calls()
        self.random = np.random.default_rng(seed)

    def play(self, moves: int, every: int) -> None:
        game, params = self.game, self.game.params
        dealt = self.word()
        roles = np.full((1, game.seats), -1, np.int8)
        state = self.filled(
            "deal", "state", game.state_dtype, lambda out: batches.deal_many(self.calls, out, dealt, roles, params)
        )
        for move in range(moves + 1):
            if not move % every:
                self.look(state)
            mover = np.empty(1, np.int8)
            batches.to_move_many(self.calls, state, params, mover)
            listed = np.empty(game.most_actions, np.int32)
            count = 0 if mover[0] == NOBODY else batches.legal_in_one(self.calls, state, params, listed)
            if not 0 < count <= len(listed):
                break
            state = self.advance(state, listed[self.random.integers(count)])

    def look(self, state: Any) -> None:
        """What each seat sees of a state, and a state that one of them holds possible."""
        game, params = self.game, self.game.params
        for seat in range(NOBODY if game.looks_for_nobody else 0, game.seats):
            seats = np.array([seat], np.int8)
            row = np.zeros(1, np.int64)

            def see(out: Any, seats: Any = seats, row: Any = row) -> None:
                batches.look_many(self.calls, state, row, seats, NOBODY, game.seats, params, out)

            view = self.filled("look", "view", game.view_dtype, see)
            if seat != NOBODY:
                stream = self.word()

                def draw(out: Any, view: Any = view, stream: Any = stream) -> None:
                    batches.resample_many(self.calls, 0, 0, view, np.zeros((1, 0)), stream.copy(), params, out)

                self.filled("resample", "state", game.state_dtype, draw)

    def advance(self, state: Any, action: Any) -> Any:
        """The state after an action, and what each seat learns of it."""
        game, params = self.game, self.game.params
        after = state.copy()

        def play(event: Any) -> None:
            after[:] = state
            calls.advance(self.calls, after[0], action, params, event[0])

        event = self.filled("advance", "event", game.event_dtype, play)

        def redact(told: Any) -> None:
            calls.redact_all(self.calls, event[0].copy(), after[0], params, told)

        if self.calls[calls.REDACT_ALL]:
            self.filled("redact_all", "event", game.event_dtype, redact, game.seats)
        return after

    def word(self) -> npt.NDArray[np.uint64]:
        return self.random.integers(1 << 63, size=1, dtype=np.uint64)

    def filled(
        self, function: str, record: str, dtype: np.dtype[Any], fill: Callable[[Any], None], count: int = 1
    ) -> Any:
        """Records as bytes, shape (count, size), that a function fills; KernelFailure where they tell what stood there before."""
        once, again = (np.full((count, dtype.itemsize), rubbish, np.uint8) for rubbish in RUBBISH)
        fill(once)
        fill(again)
        if not np.array_equal(once, again):
            for name, first, second in _fields(record, _records(once, dtype), _records(again, dtype)):
                if first.tobytes() != second.tobytes():
                    game = self.game
                    raise KernelFailure(
                        f"{game.kernels.__name__}.{function} of {game.label} does not write all of {name}, or writes what depends "
                        f"on what stood there: it fills every field of the {record}, whatever that held: see molehunt.games.calls"
                    )
        return once


def _records(given: Any, dtype: np.dtype[Any]) -> Any:
    return np.ndarray(len(given), dtype, given)


def _fields(name: str, once: Any, again: Any) -> Iterator[tuple[str, Any, Any]]:
    """The fields of two arrays of records by name, those of records within them as well."""
    if once.dtype.names is None:
        yield name, once, again
        return
    for field in once.dtype.names:
        yield from _fields(f"{name}.{field}", once[field], again[field])
