"""Spaces for a game that brings none of its own: its actions as its entry lists them, its views field by field."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.adapters.spaces.base import Axis, Spaces
from molehunt.adapters.spaces.general_kernels import NOWHERE, mark_legal
from molehunt.core.errors import BadInput, GameFailure
from molehunt.core.game import Actions, Game, Views
from molehunt.games import calls
from molehunt.games.compiled import CompiledGame, bytes_of
from molehunt.games.registry import game_entry

BITS = 8
"""Bits of a byte."""


def listed_actions(game: Game) -> Actions:
    """All actions that can ever be legal by acting seat, as the entry lists them: shape (seats or 1, n). BadInput: it does not."""
    named = game_entry(game.name).get("actions")
    if named is None:
        raise BadInput(f"{game.name} has no spaces: its entry names neither spaces nor actions")
    codes = np.atleast_2d(np.asarray(named(game) if callable(named) else named))
    if codes.dtype.kind not in "iu" or codes.ndim != 2 or len(codes) not in {1, game.seats} or not codes.shape[1]:
        raise BadInput(f"the actions of {game.name} are whole numbers of shape (n,) or (seats, n), not {codes.shape}")
    if any(len(set(row.tolist())) < len(row) for row in codes):
        raise BadInput(f"the actions of {game.name} hold one twice")
    return np.ascontiguousarray(codes, np.int32)


class GeneralSpaces(Spaces):
    """The spaces of any game.

    An observation is the view, field by field: numbers of one signed byte and switches as they are, all other fields bit by bit,
    the lowest first. Where the entry lists actions by acting seat, a view has a field `seat`.
    """

    least = -128

    def __init__(self, game: Game) -> None:
        self.game = game
        self.params = np.zeros(1, np.int64)
        self.numbering = np.zeros(1, np.int32)
        self._set_codes(listed_actions(game))
        parts: list[tuple[str, tuple[int, ...], str, *tuple[Axis, ...]]] = []
        for name in game.view_dtype.names or ():
            kind = game.view_dtype[name]
            base, shape = kind.base, kind.shape
            if base in (np.dtype(np.int8), np.dtype(np.bool_)):
                parts.append((name, shape or (1,), f"{name} of the view"))
            else:
                shape = (*shape, BITS * base.itemsize)
                numbers = [[str(number) for number in range(size)] for size in shape]
                numbers[-1] = [f"bit {number}" for number in numbers[-1]]
                parts.append((name, shape, f"{name} of the view, its bits, the lowest first", *numbers))
        self._set_fields(parts)
        self._scratch = np.empty(game.most_actions if isinstance(game, CompiledGame) else 0, np.int32)

    def _numbered_as(self, views: Views, relative: bool) -> npt.NDArray[np.int64]:
        """Which row of `codes` each view is numbered by: shape (n,)."""
        if len(self.codes) == 1 or not relative:
            return np.zeros(len(views), np.int64)
        return np.maximum(views["seat"].astype(np.int64).reshape(len(views)), 0)

    def fill_masks(self, views: Views, out: npt.NDArray[np.int8], relative: bool) -> None:
        rows = self._numbered_as(views, relative)
        out[:] = 0
        unlisted = NOWHERE
        if isinstance(self.game, CompiledGame):
            addresses = self.game.calls(calls.LEGAL_SEEN)
            views = np.ascontiguousarray(views)
            unlisted = mark_legal(
                addresses, bytes_of(views), rows, self.game.params, self._sorted, self._order, self._scratch.copy(), out
            )
        else:
            for number, row in enumerate(rows.tolist()):
                found = self._find(np.array(self.game.legal_actions(views[number : number + 1]).codes, np.int64), row)
                out[number, found[found >= 0]] = 1
                unlisted = number if (found < 0).any() else unlisted
        if unlisted != NOWHERE and (relative or len(self.codes) == 1):
            self._refuse_unlisted(views[unlisted : unlisted + 1], int(rows[unlisted]))

    def _refuse_unlisted(self, view: Views, row: int) -> None:
        """Raise GameFailure: a learner would never be offered an action that the entry does not list."""
        legal = self.game.legal_actions(view)
        missing = [str(action) for action in legal if int(action) not in self.codes[row]]
        of = f" of seat {row}" if len(self.codes) > 1 else ""
        raise GameFailure(
            f"the actions of {self.game.name} that its entry lists lack {', '.join(missing[:5])}, legal moves{of}"
        )

    def fill_observations(self, views: Views, out: npt.NDArray[np.int8]) -> None:
        for field in self.fields:
            values: Any = np.ascontiguousarray(views[field.name])
            plain = values.dtype in (np.dtype(np.int8), np.dtype(np.bool_))
            flat = values.view(np.int8 if plain else np.uint8).reshape(len(views), -1)
            shown = flat if plain else np.unpackbits(flat, axis=1, bitorder="little").view(np.int8)
            out[:, field.start : field.start + field.size] = shown
