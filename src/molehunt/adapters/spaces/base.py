"""What all spaces share: tables from index to action and back, and the layout of an observation."""

from __future__ import annotations

import abc
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput, value_text
from molehunt.core.game import Actions, Game, Seats, Views

Indices = npt.NDArray[np.int64]

NO_INDEX = -1
"""In tables from actions to indices: this has none."""


Axis = Sequence[str]
"""What the places along one axis of a part of an observation are called."""


def seats_after(seats: int) -> Axis:
    """The names of an axis of players, who are counted from the seat that sees."""
    return ("oneself", *(f"the player {away} seat{'s' * (away > 1)} after oneself" for away in range(1, seats)))


@dataclass(frozen=True)
class Field:
    """One part of an observation: the entries from `start` on, to be read in this shape. `meaning` says what its axes are.

    `axes` are the names of the places along each axis, as many as `shape` says; () where an entry stands alone, or its number is
    all there is to say.
    """

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str
    axes: tuple[Axis, ...] = ()

    @property
    def size(self) -> int:
        """How many entries it has."""
        return math.prod(self.shape)


def _whole(value: Any, what: str) -> int:
    """A whole number; BadInput where it is none."""
    try:
        return operator.index(value)
    except TypeError:
        raise BadInput(f"{what} is a whole number, not {value_text(value)}") from None


class Spaces(abc.ABC):
    """The actions of one game (ruleset and seats) as indices 0 to `size` - 1, and its views as `observation_size` small ints.

    Every action that can ever be legal has exactly one index. Where an action names a player, the index names them as so many
    seats after the one that acts, as observations do; so one policy can play all seats. With `seat` left out, the acting seat is
    0, and indices name the seats as they are numbered.

    Attributes: `game`; `size`; `codes`, the actions by acting seat and index: shape (seats or 1, size); `fields`, the parts of
    an observation in order; `observation_size`; `numbering` and `params`, the numbering and the ruleset as kernels read
    them.
    """

    game: Game
    numbering: npt.NDArray[np.int32]
    params: npt.NDArray[np.int64]
    size: int
    codes: Actions
    fields: tuple[Field, ...]
    observation_size: int
    kernels: ModuleType | None = None
    """The module whose kernels show one state (`spaces.shown`), which makes games by indices faster; None where there is none."""
    counts_seats: bool = False
    """Whether a view says how many seats there are, in its field `seats`."""
    least: int = -1
    """The smallest number that an observation holds."""

    def __repr__(self) -> str:
        return f"<Spaces of {self.game.label}, {self.game.seats} seats: {self.size} actions, {self.observation_size} entries>"

    def _set_codes(self, codes: Actions) -> None:
        self.codes = np.ascontiguousarray(codes, np.int32)
        self.codes.setflags(write=False)
        self.size = self.codes.shape[1]
        self._order = np.argsort(self.codes, axis=1, kind="stable")
        self._sorted = np.take_along_axis(self.codes, self._order, axis=1)

    def _set_fields(self, parts: Sequence[tuple[str, tuple[int, ...], str, *tuple[Axis, ...]]]) -> None:
        """Lay out an observation: each part by name, shape, meaning, and the names along each axis where there are some."""
        fields = []
        start = 0
        for name, shape, meaning, *axes in parts:
            fields.append(Field(name, start, shape, meaning, tuple(axes)))
            start += fields[-1].size
        self.fields = tuple(fields)
        self.observation_size = start

    # --- Actions ---

    def code(self, index: int, seat: int = 0) -> int:
        """The action with an index, for an acting seat. BadInput where there is no such index or seat."""
        number = _whole(index, "an index")
        if not 0 <= number < self.size:
            raise BadInput(f"{self.game.label} has actions 0 to {self.size - 1}, not {number}")
        return int(self.codes[self._check_seat(seat) % len(self.codes), number])

    def index(self, code: int, seat: int = 0) -> int:
        """The index of an action, for an acting seat. BadInput where no position can make this action legal, or no such seat."""
        found = self._find(
            np.array([_whole(code, "an action, which game.parse_action reads from its notation,")]),
            self._check_seat(seat),
        )[0]
        if found < 0:
            raise BadInput(f"{self.game.label}: the action {code} has no index; it is never legal here")
        return int(found)

    def _check_seat(self, seat: int) -> int:
        """A seat that acts; BadInput where there is none such."""
        number = _whole(seat, "a seat")
        if not 0 <= number < self.game.seats:
            raise BadInput(f"{self.game.label} has seats 0 to {self.game.seats - 1}, not {number}")
        return number

    def _find(self, codes: npt.NDArray[Any], seat: int) -> Indices:
        row = seat % len(self.codes)
        places = np.minimum(np.searchsorted(self._sorted[row], codes), self.size - 1)
        return np.where(self._sorted[row, places] == codes, self._order[row, places], NO_INDEX)

    def codes_many(self, indices: Indices, seats: Seats | None = None) -> Actions:
        """The actions with these indices: shape (n,), int32. `seats` act, shape (n,). BadInput as `code`."""
        indices = np.asarray(indices)
        wrong = (indices < 0) | (indices >= self.size)
        if wrong.any():
            raise BadInput(f"{self.game.label} has actions 0 to {self.size - 1}, not {indices[wrong][0]}")
        rows = 0 if seats is None else np.asarray(seats) % len(self.codes)
        return self.codes[rows, indices]

    def indices_many(self, codes: Actions, seats: Seats | None = None) -> Indices:
        """The indices of these actions: shape (n,), NO_INDEX where an action has none. `seats` act, shape (n,).

        BadInput where they are no array of whole numbers, or there is not a seat for each.
        """
        codes = np.asarray(codes)
        if codes.ndim != 1 or (len(codes) and codes.dtype.kind not in "iu"):
            raise BadInput(
                f"actions are an array of whole numbers, shape (n,), not {codes.dtype} of shape {codes.shape}"
            )
        if seats is not None and np.shape(seats) != codes.shape:
            raise BadInput(f"{len(codes)} actions are of as many seats, shape (n,), not of shape {np.shape(seats)}")
        if seats is None:
            return self._find(codes, 0)
        result = np.empty(len(codes), np.int64)
        for row in range(len(self.codes)):
            mine = np.asarray(seats) % len(self.codes) == row
            result[mine] = self._find(codes[mine], row)
        return result

    def format(self, index: int, seat: int = 0) -> str:
        """The action with an index in the game's notation."""
        return self.game.format_action(self.code(index, seat))

    # --- Masks and observations ---

    def mask_many(self, views: Views, out: npt.NDArray[Any] | None = None, relative: bool = True) -> npt.NDArray[Any]:
        """Which actions are legal at each view: shape (n, size), int8, 1 where legal; all 0 where it is not the view's move.

        With `relative` indices are as for the view's own seat, without it as for seat 0. `out`, of int8, uint8 or bool, is
        filled and returned where it is given.
        """
        self._check_views(views)
        if out is None:
            out = np.empty((len(views), self.size), np.int8)
        self._check(out, (len(views), self.size))
        self._check_seats(views)
        self.fill_masks(views, out.view(np.int8), relative)
        return out

    def observation_many(self, views: Views, out: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """The views as numbers: shape (n, observation_size), int8. `out` is filled and returned where it is given."""
        self._check_views(views)
        if out is None:
            out = np.empty((len(views), self.observation_size), np.int8)
        self._check(out, (len(views), self.observation_size))
        self._check_seats(views)
        self.fill_observations(views, out)
        return out

    observation = observation_many

    def _check_views(self, views: Views) -> None:
        """BadInput where these are no views of this game, in a row."""
        given: object = views
        if not isinstance(given, np.ndarray) or given.dtype != self.game.view_dtype or given.ndim != 1:
            raise BadInput(f"the views of {self.game.label} are an array of its records, not {value_text(views)}")

    def _check_seats(self, views: Views) -> None:
        """BadInput where views are of another number of seats, which the records do not tell apart."""
        if self.counts_seats and (views["seats"] != self.game.seats).any():
            label, seats = self.game.label, set(views["seats"].tolist()) - {self.game.seats}
            raise BadInput(f"these are the spaces of {label} with {self.game.seats} seats, not with {min(seats)}")

    @staticmethod
    def _check(out: npt.NDArray[Any], shape: tuple[int, int]) -> None:
        if out.shape != shape or out.dtype.itemsize != 1:
            raise BadInput(f"out must have the shape {shape} and one byte an entry, not {out.shape} of {out.dtype}")

    def split(self, observation: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """The parts of an observation (or of many, shape (..., observation_size)) by name, in their shapes, as numpy views.

        BadInput where it is none.
        """
        observation = np.asarray(observation)
        if observation.shape[-1:] != (self.observation_size,):
            raise BadInput(
                f"an observation of {self.game.label} has {self.observation_size} entries, not the shape {observation.shape}"
            )
        lead = observation.shape[:-1]
        return {
            field.name: observation[..., field.start : field.start + field.size].reshape(*lead, *field.shape)
            for field in self.fields
        }

    def describe(self, entry: int) -> str:
        """What an entry of an observation tells: `hand: P_NSE`, `broken: oneself, cart`. BadInput where there is no such entry.

        The part it belongs to, and its place along each axis of it; what the part is, `fields` say.
        """
        entry = _whole(entry, "an entry")
        if not 0 <= entry < self.observation_size:
            raise BadInput(
                f"an observation of {self.game.label} has entries 0 to {self.observation_size - 1}, not {entry}"
            )
        field = next(each for each in self.fields if entry < each.start + each.size)
        if field.size == 1:
            return field.name
        places = [int(place) for place in np.unravel_index(entry - field.start, field.shape)]
        names = (
            [axis[place] for axis, place in zip(field.axes, places, strict=True)] if field.axes else map(str, places)
        )
        return f"{field.name}: {', '.join(names)}"

    @abc.abstractmethod
    def fill_masks(self, views: Views, out: npt.NDArray[np.int8], relative: bool) -> None:
        """`mask_many` into `out`."""

    @abc.abstractmethod
    def fill_observations(self, views: Views, out: npt.NDArray[np.int8]) -> None:
        """`observation_many` into `out`."""


class CompiledSpaces(Spaces):
    """Spaces whose module of kernels writes masks and observations too: its `fill_masks` and `fill_observations`."""

    kernels: ModuleType

    def fill_masks(self, views: Views, out: npt.NDArray[np.int8], relative: bool) -> None:
        self.kernels.fill_masks(views, relative, self.numbering, self.params, out)

    def fill_observations(self, views: Views, out: npt.NDArray[np.int8]) -> None:
        self.kernels.fill_observations(views, self.numbering, self.params, out)
