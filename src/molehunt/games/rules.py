"""The rules of any game as a search reaches them: by addresses (`games.calls`), whether they are compiled or plain Python.

The same kernels search both. Where the rules are plain Python the addresses are those of functions that ask the game, and lead
nowhere for machine code; kernels that are given them are interpreted.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import GameFailure
from molehunt.core.game import Game
from molehunt.core.interpreting import Addressed, as_seen, interpreted_now
from molehunt.core.words import counted
from molehunt.games import calls
from molehunt.games.calls import Calls
from molehunt.games.compiled import CompiledGame

MOST_ACTIONS = 1 << 16
"""How many legal actions a view may have where no game says how many it has."""


class Rules(NamedTuple):
    """`params` and `most_actions` are a compiled game's.

    `calls(*numbers)`: the addresses, of which those of these numbers are filled in. `replaced(number, function, called)`: the
    addresses with another function in the place of one (`Bound.replaced`).
    """

    params: npt.NDArray[np.int64]
    most_actions: int
    calls: Callable[..., Calls]
    replaced: Callable[[int, Any, str], Calls]


@contextlib.contextmanager
def rules_of(game: Game) -> Iterator[Rules]:
    """The rules of a game, to be reached while inside."""
    if isinstance(game, CompiledGame):
        yield Rules(game.params, game.most_actions, game.calls, game.bound.replaced)
        return
    plain = _Plain(game)
    try:
        yield Rules(np.zeros(0, np.int64), MOST_ACTIONS, lambda *_numbers: plain.calls, plain.replaced)
    finally:
        plain.forget()


class _Plain:
    """A game's functions in plain Python, as far as searches call them. Records come as arrays of bytes of kernels."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._told = threading.local()
        self._made: list[Addressed] = []
        addresses = np.zeros(len(calls.NAMES), np.int64)
        for number, function in (
            (calls.TO_MOVE, self._to_move),
            (calls.LEGAL, self._legal),
            (calls.ADVANCE, self._advance),
            (calls.REDACT, self._redact),
            (calls.LOOK, self._look),
            (calls.WINS, self._wins),
            (calls.MARGINS, self._margins),
            (calls.INFOSET_KEY, self._infoset_key),
        ):
            addresses[number] = self._address(number, function, None)
        self.calls: Calls = as_seen(addresses)

    def _address(self, number: int, function: Callable[..., Any], first: np.dtype[Any] | None) -> int:
        """The address of a function in the place of one; its first argument comes as records of a dtype, or else as bytes."""
        made = Addressed(function, (first, *(None,) * (calls.argument_count(number) - 1)))
        self._made.append(made)
        return made.address

    def forget(self) -> None:
        """Free the addresses."""
        for made in self._made:
            made.forget()

    def replaced(self, number: int, function: Any, called: str) -> Calls:
        """The addresses with another function, a kernel or what could be one, which takes states first."""
        plain = calls.plain_function(function, calls.argument_count(number), called)
        result = self.calls.copy()
        result[number] = self._address(number, interpreted_now(plain), self._game.state_dtype)
        return result

    def _state(self, state: Any) -> Any:
        return np.ndarray(1, self._game.state_dtype, state)

    def _to_move(self, state: Any, _params: Any) -> int:
        return int(self._game.to_move(self._state(state))[0])

    def _legal(self, state: Any, _params: Any, out: Any) -> int:
        codes = self._game.legal_in(self._state(state)).codes
        if len(codes) > len(out):
            raise GameFailure(
                f"{self._game.made_by}: a search of {self._game.label} takes up to {counted(len(out), 'legal action')} of a view, "
                f"not {len(codes)}"
            )
        out[: len(codes)] = codes
        return len(codes)

    def _advance(self, state: Any, action: int, _params: Any, _event: Any) -> None:
        self._told.events = self._game.apply(self._state(state), np.array([action], np.int32))

    def _redact(self, event: Any, _state: Any, seat: int, _params: Any) -> None:
        # What each seat learns is made with the move; `event` is of the move that was made last in this thread.
        np.ndarray(1, self._game.event_dtype, event)[:] = self._told.events[:, seat]

    def _look(self, state: Any, seat: int, _params: Any, view: Any) -> None:
        np.ndarray(1, self._game.view_dtype, view)[:] = self._game.views(self._state(state), np.array([seat], np.int8))

    def _wins(self, state: Any, _params: Any, out: Any) -> None:
        out[:] = self._game.wins(self._state(state))[0]

    def _margins(self, state: Any, _params: Any, out: Any) -> None:
        out[:] = self._game.margins(self._state(state))[0]

    def _infoset_key(self, view: Any, _params: Any) -> Any:
        return self._game.infoset_keys(np.ndarray(1, self._game.view_dtype, view))[0]
