"""What all games with compiled rules share: the thin layer between the interface of a game and its kernels.

A game that rests on it names its records and its module of kernels (`games.calls` says what that module holds); what belongs to
every call (batches, rows, refusing what is illegal) is done here, once for all games.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import cached_property
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadInput, GameFailure, IllegalAction, KernelFailure, RuleWithoutText, value_text
from molehunt.core.game import Actions, Events, Game, LegalActions, Seats, Seeds, States, Views
from molehunt.core.interpreting import unchanged
from molehunt.core.seats import NOBODY
from molehunt.core.seeds import check_seeds
from molehunt.core.words import counted
from molehunt.games import batches, calls, playing
from molehunt.games.calls import Bound, Calls

Bytes = npt.NDArray[np.uint8]
Reading = TypeVar("Reading", bound=Callable[..., Any])
"""A method of a game that reads one record."""


def bytes_of(records: npt.NDArray[Any], kind: np.dtype[Any] | None = None) -> Bytes:
    """Records as the bytes that they are made of: shape (n, size), the same memory.

    BadInput where they do not lie in a row, or are not of the `kind` that is asked for: kernels would read beyond their ends.
    """
    given: object = records
    if kind is not None and not (isinstance(given, np.ndarray) and given.dtype == kind):
        raise BadInput(
            "here an array of this game's own records is asked for, as position.states and view.record are, "
            f"not {value_text(records)}"
        )
    if not records.flags.c_contiguous:
        raise BadInput("records must lie in memory one after the other: make a copy of what was cut out")
    return np.ndarray((*records.shape, records.dtype.itemsize), np.uint8, records)


def in_kind(values: Any, kind: Any, what: str) -> npt.NDArray[Any]:
    """Whole numbers as an array of a kind of ints; BadInput where one does not fit and would become another."""
    try:
        given = np.asarray(values)
    except ValueError:  # its rows are of several lengths
        raise BadInput(f"{what} are whole numbers, not {value_text(values)}") from None
    if type(values) is not np.ndarray and np.ma.is_masked(values):
        raise BadInput(f"{what} are whole numbers, and none of them masked: {value_text(values)}")
    if given.dtype == kind:
        return np.ascontiguousarray(given)
    if given.size and given.dtype.kind not in "iub":
        raise BadInput(f"{what} are whole numbers, not {value_text(values)}")
    found = np.ascontiguousarray(given, kind)
    if (found != given).any():
        raise BadInput(f"{what} are whole numbers of this game, not {int(given[found != given][0])}")
    return found


def looked_up(read: Reading) -> Reading:
    """A method of a game that reads a record, with BadInput where that names what is in none of its tables."""

    @functools.wraps(read)
    def asked(game: Any, record: Any) -> Any:
        try:
            return read(game, record)
        except (IndexError, KeyError) as error:
            raise BadInput(f"this cannot be in {game.label}: {value_text(record)}") from error

    return asked  # type: ignore[return-value]


def drawn(draw: Reading) -> Reading:
    """A method of a game that draws a view, with BadInput where it fails at one that no seat can have."""

    @functools.wraps(draw)
    def asked(game: Any, view: Any) -> Any:
        try:
            return draw(game, view)
        except (IndexError, KeyError, ValueError) as error:
            seen = np.atleast_1d(view)
            if not isinstance(error, BadInput) and (seen["seat"] != NOBODY).all():
                game.check_seen(seen)
            raise

    return asked  # type: ignore[return-value]


class CompiledGame(Game):
    """A game whose rules are kernels.

    `kernels` is the module that holds them, `most_actions` a bound on the legal actions of one view, `rule_texts` the rule that
    a fault breaks by its number. `looks_for_nobody` says whether its function LOOK is asked for seat NOBODY, too, who sees what is
    public. A subclass sets `ruleset`, `spec`, `params` (int64, read only) and `seats` when it is made.
    """

    kernels: ModuleType
    most_actions: int
    rule_texts: tuple[str, ...]
    looks_for_nobody: bool = True
    visible: playing.Possible | None = None
    """Which views there can be, where the game says so: states are drawn of no others (`playing.visible`)."""

    @cached_property
    def bound(self) -> Bound:
        """The game's functions by their addresses."""
        return Bound.of(self.kernels, (self.state_dtype, self.view_dtype, self.event_dtype))

    def calls(self, *numbers: int) -> Calls:
        """The addresses of the game's functions, for kernels that play any game; those of these numbers are compiled."""
        return self.bound.need(*numbers)

    def check_roles(self, roles: npt.NDArray[Any], games: int) -> None:
        """BadInput where roles, shape (games, seats), cannot be seated."""
        raise BadInput(f"{self.name} has no roles to seat")

    def new(self, seeds: Seeds, roles: npt.NDArray[np.int8] | None = None) -> States:
        seeds = check_seeds(seeds)
        if roles is None:
            seated = np.full((1, self.seats), -1, np.int8)
        else:
            seated = in_kind(roles, np.int8, "roles by their numbers")
            self.check_roles(seated, len(seeds))
        states = np.zeros(len(seeds), self.state_dtype)
        seeds = np.ascontiguousarray(seeds)
        batches.deal_many(self.calls(calls.DEAL), bytes_of(states, self.state_dtype), seeds, seated, self.params)
        return states

    def role_counts(self) -> tuple[int, ...]:
        return ()

    def roles_of(self, states: States) -> npt.NDArray[np.int8]:
        return np.zeros((len(states), self.seats), np.int8)

    def to_move(self, states: States) -> Seats:
        given = bytes_of(states, self.state_dtype)
        out = np.empty(len(given), np.int8)
        batches.to_move_many(self.calls(calls.TO_MOVE), given, self.params, out)
        return out

    def views(self, states: States, seats: Seats, rows: npt.NDArray[np.int64] | None = None) -> Views:
        given = bytes_of(states, self.state_dtype)
        if rows is None:
            rows = np.arange(len(given))
        seen = np.empty((len(rows), self.view_dtype.itemsize), np.uint8)
        seats = in_kind(seats, np.int8, "seats")
        if seats.shape != (len(rows),):
            raise BadInput(f"views needs a seat for each of {len(rows)} states, not seats of shape {seats.shape}")
        first = NOBODY if self.looks_for_nobody else 0
        failed = batches.look_many(
            self.calls(calls.LOOK),
            given,
            rows,
            seats,
            first,
            self.seats,
            self.params,
            seen,
        )
        if failed >= 0:
            self._check_rows(rows, len(states))
            raise BadInput(f"{self.label} has seats 0 to {self.seats - 1}, not {seats[failed]}")
        return np.ndarray(len(rows), self.view_dtype, seen)

    @staticmethod
    def _check_rows(rows: npt.NDArray[np.int64], states: int) -> None:
        """BadInput where rows are not those of so many states."""
        for row in rows.tolist():
            if not 0 <= row < states:
                raise BadInput(f"there are {states} states, whose rows are counted from 0, and no row {row}")

    def views_of_all(self, state: Any) -> Views:
        """The views of all seats of one state: shape (seats,)."""
        states = np.ascontiguousarray(np.atleast_1d(state))
        return self.views(states, np.arange(self.seats, dtype=np.int8), np.zeros(self.seats, np.int64))

    def check_seen(self, views: Views) -> None:
        if self.visible is not None:
            self.visible.check(views, self.seats)

    def one_view(self, view: Any) -> Views:
        """A view, a record or an array of one, as an array; BadInput where it is none of this game, or several."""
        found: Views = np.atleast_1d(view)
        if found.dtype is not self.view_dtype:
            bytes_of(found, self.view_dtype)
        if found.shape != (1,):
            raise BadInput(f"one view of {self.label} is asked for, and here is an array of shape {found.shape}")
        return found

    def one_state(self, state: Any) -> Any:
        """The record of a state, a record or an array of one; BadInput where it is none of this game, or several."""
        found = np.atleast_1d(state)
        if found.dtype is not self.state_dtype:
            bytes_of(found, self.state_dtype)
        if found.shape != (1,):
            raise BadInput(f"one state of {self.label} is asked for, and here is an array of shape {found.shape}")
        return found[0]

    def one_event(self, event: Any) -> Any:
        """An event, a record or an array of one, as a record; BadInput where it is none of this game, or several."""
        if getattr(event, "dtype", None) != self.event_dtype:
            raise BadInput(f"an event of {self.label} is one of its own records, not {value_text(event)}")
        if event.size != 1:
            raise BadInput(
                f"one event of {self.label} is asked for, and here are {event.size}: of those of a move take that of a seat"
            )
        return event if event.ndim == 0 else event.reshape(-1)[0]

    def legal_actions(self, view: Any) -> LegalActions:
        views = np.ascontiguousarray(np.atleast_1d(view))
        out = np.empty(self.most_actions, np.int32)
        seen = bytes_of(views, self.view_dtype)
        if len(seen) != 1:
            raise BadInput(
                f"legal actions are those of one view, and here {'is none' if not len(seen) else 'are several'}"
            )
        count = batches.legal_one(self.calls(calls.LEGAL_SEEN), seen, self.params, out)
        return self._listed(out, count)

    def legal_in(self, states: States) -> LegalActions:
        out = np.empty(self.most_actions, np.int32)
        played = bytes_of(states, self.state_dtype)
        if not len(played):
            raise BadInput("legal actions are those of the first state, and here is none")
        count = batches.legal_in_one(self.calls(calls.LEGAL), played, self.params, out)
        return self._listed(out, count)

    def _listed(self, out: npt.NDArray[np.int32], count: int) -> LegalActions:
        if count > len(out):
            # What lies behind the array has been written over; nothing can be trusted from here on.
            raise KernelFailure(
                f"{self.kernels.__name__} lists {count} legal actions of {self.label}, and its most_actions says {len(out)}"
            )
        return LegalActions(self, out[:count].copy())

    def fault(self, states: States, action: int) -> int:
        """What is wrong with an action in the first state: an index of `rule_texts`, 0 where it is legal."""
        return int(
            batches.fault_one(self.calls(calls.FAULT), bytes_of(states, self.state_dtype), int(action), self.params)
        )

    def refuse(self, states: States, action: int) -> IllegalAction:
        """The error for an action that is not legal in the first state; RuleWithoutText where none says which rule it breaks."""
        seat = int(self.to_move(states[:1])[0])
        fault = self.fault(states, action)
        if not 0 < fault < len(self.rule_texts):
            raise RuleWithoutText(
                f"{self.made_by}: by its fault {self.format_action(action)!r} in {self.label} breaks the rule {fault}, and its "
                f"rule_texts has {counted(len(self.rule_texts), 'text')} from 0 on"
            )
        return IllegalAction(seat, self.format_action(action), self.rule_texts[fault])

    def apply(self, states: States, actions: Actions, rows: npt.NDArray[np.int64] | None = None) -> Events:
        given = bytes_of(states, self.state_dtype)
        if rows is None:
            rows = np.arange(len(given))
        actions = in_kind(actions, np.int32, "actions")
        if actions.shape != (len(rows),):
            got = len(actions) if actions.ndim == 1 else f"actions of shape {actions.shape}"
            raise BadInput(f"apply needs one action for each of {len(rows)} states, not {got}")
        events = np.empty((len(rows), self.seats), self.event_dtype)
        failed = batches.apply_many(
            self.calls(calls.FAULT, calls.ADVANCE, calls.REDACT, calls.REDACT_ALL),
            given,
            rows,
            actions,
            self.params,
            np.zeros(self.event_dtype.itemsize, np.uint8),
            bytes_of(events),
        )
        if failed >= 0:
            self._check_rows(rows[failed : failed + 1], len(states))
            raise self.refuse(states[rows[failed] : rows[failed] + 1], int(actions[failed]))
        return events

    def play_through(
        self,
        states: States,
        players: npt.NDArray[np.int64],
        memories: npt.NDArray[np.int64],
        kept: list[list[int]] | None,
    ) -> int | None:
        actions = np.empty(0 if kept is None else playing.KEPT_AT_ONCE, np.int32)
        lengths = np.zeros(len(states), np.int64)
        view = np.zeros(self.view_dtype.itemsize, np.uint8)
        whole = np.zeros(self.event_dtype.itemsize, np.uint8)
        events = np.zeros((self.seats, self.event_dtype.itemsize), np.uint8)
        stopped = np.zeros(playing.STOPPED_SIZE, np.int64)
        stopped[playing.LONGEST] = self.most_moves
        moves = 0
        while stopped[playing.GAME] < len(states):
            begun = int(stopped[playing.GAME])
            moves += int(
                playing.play_through(
                    self.calls(*playing.NEEDED),
                    bytes_of(states, self.state_dtype),
                    self.params,
                    players,
                    memories,
                    view,
                    whole,
                    events,
                    actions,
                    lengths,
                    stopped,
                )
            )
            game, refused, action = stopped[: playing.LONGEST].tolist()
            if refused == playing.TOO_LONG:
                raise self.too_long()
            if refused:
                raise self.refuse(states[game : game + 1], action)
            if kept is not None:
                taken = 0
                for number in range(begun, min(game + 1, len(states))):
                    kept[number] += actions[taken : taken + lengths[number]].tolist()
                    taken += int(lengths[number])
                lengths[:] = 0
        return moves

    def resample(
        self, views: Views, streams: npt.NDArray[np.uint64], weights: npt.NDArray[np.float64] | None = None
    ) -> States:
        given = bytes_of(views, self.view_dtype)
        states = np.zeros(len(given), self.state_dtype)
        streams = self._streams(streams, len(given), "views")
        weighed = np.zeros((1, 0)) if weights is None else self._check_weights(weights, len(given))
        with unchanged():  # addresses are given to a kernel
            impossible = batches.resample_many(
                self.calls(calls.RESAMPLE),
                0 if self.visible is None else self.visible.address,
                self.seats,
                given,
                weighed,
                streams,
                self.params,
                bytes_of(states, self.state_dtype),
            )
        if self.visible is not None:
            self.visible.refuse(views, int(impossible), self.seats)
        return states

    @staticmethod
    def _streams(streams: npt.NDArray[np.uint64], count: int, what: str) -> npt.NDArray[np.uint64]:
        """A copy of the streams of so many records; BadInput where there is not one for each."""
        found = check_seeds(streams).copy()
        if found.shape != (count,):
            raise BadInput(
                f"there must be a random stream for each of {count} {what}, not streams of shape {found.shape}"
            )
        return found

    def __getstate__(self) -> dict[str, Any]:
        # Addresses hold in one process, and what was named is named again.
        return {name: value for name, value in self.__dict__.items() if name not in {"bound", "_already_named"}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        # Arrays come back to be written to, and kernels would be compiled once more for those.
        self.params.setflags(write=False)

    def _check_weights(self, weights: npt.NDArray[np.float64], views: int) -> npt.NDArray[np.float64]:
        """Weights of sets of seats as rows, one for each view or one for all; BadInput where they are none."""
        if len(self.roles) < 2:
            raise BadInput(f"{self.name} has no roles to weigh")
        rows = np.ascontiguousarray(np.atleast_2d(weights), np.float64)
        if rows.shape not in {(1, 1 << self.seats), (views, 1 << self.seats)}:
            raise BadInput(
                f"weights have one entry for each set of {self.seats} seats, shape ({1 << self.seats},) or ({views}, "
                f"{1 << self.seats}), not {np.shape(weights)}"
            )
        if not (np.isfinite(rows).all() and (rows >= 0).all()):
            raise BadInput("weights of sets of seats are finite and not negative")
        return rows

    def payoffs(self, states: States) -> npt.NDArray[np.float64]:
        given = bytes_of(states, self.state_dtype)
        out = np.zeros((len(given), self.seats))
        batches.payoffs_many(self.calls(calls.PAYOFFS), given, self.params, out)
        return out

    def wins(self, states: States) -> npt.NDArray[np.bool_]:
        given = bytes_of(states, self.state_dtype)
        out = np.zeros((len(given), self.seats), np.bool_)
        batches.wins_many(self.calls(calls.WINS), given, self.params, out.view(np.uint8))
        return out

    def margins(self, states: States) -> npt.NDArray[np.float64]:
        if not hasattr(self.kernels, "margins"):
            if self.together:  # compiled searches would see what each has won over the others: nothing
                raise GameFailure(f"{self.made_by}: all win {self.label} together, so its kernels need margins")
            return super().margins(states)
        given = bytes_of(states, self.state_dtype)
        out = np.zeros((len(given), self.seats))
        won = np.zeros(self.seats, np.uint8)
        batches.margins_many(self.calls(calls.WINS, calls.MARGINS), given, self.params, won, out)
        return out

    def infoset_keys(self, views: Views) -> npt.NDArray[np.uint64]:
        """A word for what the seat of each view knows, shape (n,): equal where only the order of cards in the hand differs."""
        given = bytes_of(views, self.view_dtype)
        out = np.empty(len(given), np.uint64)
        batches.infoset_keys(self.calls(calls.INFOSET_KEY), given, self.params, out)
        return out

    def play_randomly(self, states: States, streams: npt.NDArray[np.uint64]) -> int:
        """Play every state to its end with uniformly random legal actions, in one compiled loop; the number of moves.

        GameFailure where a play is longer than the game says.
        """
        moves = int(
            batches.play_many_randomly(
                self.calls(*calls.PLAYOUT),
                bytes_of(states, self.state_dtype),
                self._streams(streams, len(states), "states"),
                self.params,
                np.zeros(self.event_dtype.itemsize, np.uint8),
                np.empty(self.most_actions, np.int32),
                self.most_moves,
            )
        )
        if moves == calls.GOES_ON:
            raise self.too_long()
        return moves

    def format_event(self, event: Any) -> str:
        return str(self.friendly_event(event))
