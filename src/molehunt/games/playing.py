"""Whole games in one compiled loop, where the rules and all players are compiled: nothing of a move passes through Python.

A compiled player offers two functions, which are reached by their addresses as those of a game are (`games.calls`), so this loop is
compiled once for all games and players. Arrays of one record, and a memory of numbers that the player itself lays down::

    @acting(VIEW)
    def act(views, memory, chair):  # the action for views[0], seen from a chair of the memory
        ...


    @observing(EVENT)
    def observe(events, memory, chair):  # what happened, as that chair may know it
        ...

`memory` is int64: what the player needs to find its arrays again, above all their addresses (`laid_down`, `array_at`).
"""

from __future__ import annotations

import ctypes
import functools
import math
import threading
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from molehunt.core.errors import BadInput, value_text
from molehunt.core.interpreting import Addressed, as_seen, ask_for, interpreted, is_interpreting, unchanged
from molehunt.core.kernels import first_class, interpreted_as, kernel
from molehunt.core.seats import NOBODY
from molehunt.core.words import counted
from molehunt.games.calls import (
    ADVANCE,
    FAULT,
    LOOK,
    REDACT,
    REDACT_ALL,
    TO_MOVE,
    advance,
    borrowed,
    can_be,
    fault,
    look,
    redact_all,
    to_move,
)

# --- A player's functions -----------------------------------------------------------------------------------------------


class PlayerFunction:
    """A function of a compiled player: compiled when its address is first asked for, and kept."""

    def __init__(
        self,
        function: Callable[..., Any],
        result: Any,
        dtype: np.dtype[Any],
        told: Possible | None = None,
    ) -> None:
        self.function = function
        self.told = told
        """What events it can be told; None where any will do."""
        self._result = result
        self._dtype = dtype
        self.records = None if dtype == np.uint8 else dtype
        """The dtype of the views or events that it is given; None where it takes the bytes of any game's."""
        self._compiled: Any = None
        self._lock = threading.Lock()

    @property
    def address(self) -> int:
        """Where its machine code begins."""
        if is_interpreting():
            ask_for(self._signature, self.function)
            return self._interpreted.address
        with self._lock:
            if self._compiled is None:
                self._compiled = first_class(self._signature, self.function)
        return int(self._compiled.address)

    @functools.cached_property
    def _interpreted(self) -> Addressed:
        return Addressed.of(self._signature, interpreted(getattr(self.function, "py_func", self.function)))

    @property
    def _signature(self) -> Any:
        records = types.Array(numba.from_dtype(self._dtype), 1, "C")
        return self._result(records, *self._besides)

    _besides: tuple[Any, ...] = (types.Array(types.int64, 1, "C"), types.int64)
    """What it is given besides views or events: the memory, and the chair."""


class Possible(PlayerFunction):
    """Which events a game can tell, or which views it can show: `can_be(records, seats)` says whether `records[0]` is one.

    `seats` is how many the game has. What is asked is what kernels rely on: numbers by which they look something up, and counts.
    """

    _besides = (types.int64,)

    def __init__(self, function: Callable[..., Any], dtype: np.dtype[Any], said: str) -> None:
        super().__init__(function, types.int64, dtype)
        self._said = said

    def check(self, records: npt.NDArray[Any], seats: int) -> None:
        """BadInput for the first record that is none."""
        with unchanged():
            given = np.ascontiguousarray(records)
            self.refuse(given, int(first_impossible(self.address, seats, in_bytes(given))), seats)

    def refuse(self, records: npt.NDArray[Any], number: int, seats: int) -> None:
        """BadInput for the record of a number, unless it is none (-1)."""
        if number >= 0:
            where = f"in a game of {counted(seats, 'seat')}" if seats else "in this game"
            raise BadInput(f"{self._said.format(number)} {where}: {value_text(records[number])}")


def in_bytes(records: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """Records that lie in a row as the bytes that they are made of: shape (n, size)."""
    return np.ndarray((len(records), records.dtype.itemsize), np.uint8, records)


def acting(view: np.dtype[Any]) -> Callable[[Callable[..., Any]], PlayerFunction]:
    """Make `act(views, memory, chair) -> action` of a player one that compiled loops can call."""
    return lambda function: PlayerFunction(function, types.int64, view)


def observing(event: np.dtype[Any], told: Possible | None = None) -> Callable[[Callable[..., Any]], PlayerFunction]:
    """Make `observe(events, memory, chair)` of a player one that compiled loops can call; `told` says what events there can be."""
    return lambda function: PlayerFunction(function, types.void, event, told)


def possible(event: np.dtype[Any]) -> Callable[[Callable[..., Any]], Possible]:
    """Make `can_happen(events, seats)` of a game what its players are told by."""
    return lambda function: Possible(function, event, "event {} of these cannot happen")


def visible(view: np.dtype[Any]) -> Callable[[Callable[..., Any]], Possible]:
    """Make `can_be_seen(views, seats)` of a game what states are drawn by."""
    return lambda function: Possible(function, view, "view {} of these is nobody's")


_POINTER = ctypes.c_void_p
_AFTER_HEAD = object.__basicsize__


def address_of(array: npt.NDArray[Any]) -> int:
    """Where the entries of an array begin; the array must live for as long as the address is used."""
    # What array.ctypes.data says, an eighth of the time: players ask for many addresses at each move. It is the first that
    # NumPy's binary interface has after what each object begins with, and the identity of an object is where it lies.
    return _POINTER.from_address(id(array) + _AFTER_HEAD).value or 0


def laid_down(*parts: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Where arrays lie, as numbers: of each its address and its length."""
    return np.array([number for part in parts for number in (address_of(part), len(part))])


def _generate_array(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The array at an address, with so many entries, or rows and columns."""
    found = signature.return_type
    address, *shape = args
    item = context.get_data_type(found.dtype)
    size = context.get_constant(types.intp, context.get_abi_sizeof(item))
    strides = [builder.mul(size, count) for count in shape[1:]] + [size]
    array = make_array(found)(context, builder)
    data = builder.inttoptr(address, item.as_pointer())
    populate_array(array, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None)
    return array._getvalue()  # noqa: SLF001 - as Numba's own functions do


def _array_of(address: int, dtype: Any, shape: tuple[int, ...]) -> Any:
    """The same in Python, as an interpreted kernel sees it."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    return as_seen(np.frombuffer((ctypes.c_ubyte * size).from_address(address), dtype).reshape(shape))


def array_at(dtype: Any, readonly: bool = False) -> Any:
    """For kernels: a function (address, count) -> the array of `count` entries of a dtype that begins there."""
    found = types.Array(numba.from_dtype(np.dtype(dtype)), 1, "C", readonly=readonly)

    @intrinsic
    def at(_typing: Any, address: Any, count: Any) -> Any:
        return found(types.int64, types.int64), _generate_array

    interpreted_as(at, lambda address, count: _array_of(address, dtype, (count,)))
    return at


def grid_at(dtype: Any) -> Any:
    """For kernels: a function (address, rows, columns) -> the array of that shape that begins there, row by row."""
    found = types.Array(numba.from_dtype(np.dtype(dtype)), 2, "C")

    @intrinsic
    def at(_typing: Any, address: Any, rows: Any, columns: Any) -> Any:
        return found(types.int64, types.int64, types.int64), _generate_array

    interpreted_as(at, lambda address, rows, columns: _array_of(address, dtype, (rows, columns)))
    return at


@intrinsic
def _act(_typing: Any, address: Any, view: Any, memory: Any, chair: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        shape = ir.FunctionType(ir.IntType(64), [context.get_value_type(kind) for kind in signature.args[1:]])
        return builder.call(builder.inttoptr(args[0], shape.as_pointer()), args[1:])

    return types.int64(types.int64, view, memory, types.int64), generate


@intrinsic
def _observe(_typing: Any, address: Any, event: Any, memory: Any, chair: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        shape = ir.FunctionType(ir.VoidType(), [context.get_value_type(kind) for kind in signature.args[1:]])
        builder.call(builder.inttoptr(args[0], shape.as_pointer()), args[1:])
        return context.get_dummy_value()

    return types.void(types.int64, event, memory, types.int64), generate


interpreted_as(_act, Addressed.call)
interpreted_as(_observe, Addressed.call)


# --- Batches ------------------------------------------------------------------------------------------------------------


@kernel
def act_many(address: int, views: Any, memory: Any, rows: Any, out: Any) -> None:
    """An action for each view, by the chair `rows[i]` of a compiled player; records are rows of bytes."""
    views, memory = borrowed(views), borrowed(memory)
    for index in range(len(rows)):
        out[index] = _act(address, views[index], memory, rows[index])


@kernel
def observe_many(address: int, events: Any, memory: Any, rows: Any) -> None:
    """Tell each event to the chair `rows[i]` of a compiled player."""
    events, memory = borrowed(events), borrowed(memory)
    for index in range(len(rows)):
        _observe(address, events[index], memory, rows[index])


@kernel
def first_impossible(told: int, seats: int, records: Any) -> int:
    """The first record that cannot be one of a game of so many seats, by the function at an address; -1 for none."""
    records = borrowed(records)
    for index in range(len(records)):
        if not can_be(told, records[index], np.int64(seats)):
            return index
    return -1


@kernel
def tell_many(address: int, told: int, seats: int, events: Any, memory: Any, rows: Any) -> int:
    """`observe_many`, unless an event cannot be one of the game: then nobody is told any, and its number is returned, else -1."""
    number = first_impossible(told, seats, events) if told else -1
    if number < 0:
        observe_many(address, events, memory, rows)
    return number


# --- Whole games --------------------------------------------------------------------------------------------------------

NEEDED = (TO_MOVE, LOOK, FAULT, ADVANCE, REDACT, REDACT_ALL)
"""The functions of a game that the loop calls."""

ACT, OBSERVE, FIRST_CHAIR, CHAIRS_PER_GAME = range(4)
"""Of each seat: the addresses of its player's functions (0 for one that observes nothing), its chair in the first game, and how
many chairs its player has in each game."""

GAME, REFUSED, ACTION, LONGEST, MADE = range(5)
"""Where the loop stopped: at which game, why (0, ILLEGAL, TOO_LONG), at which action; the most moves of a play (0: no matter how
many), and how many were made of the game at which it stopped."""
STOPPED_SIZE = 5
ILLEGAL, TOO_LONG = 1, 2


@kernel
def play_through(
    calls: Any,
    states: Any,
    params: Any,
    players: Any,
    memories: Any,
    view: Any,
    whole: Any,
    events: Any,
    actions: Any,
    lengths: Any,
    stopped: Any,
) -> int:
    """Play games on to their ends, one by one from number `stopped[GAME]`; returns how many moves were made.

    `players` and `memories` have a row a seat. Where `actions` is not empty, the moves are written there and how many were made
    each game is added to `lengths`; the loop stops when there is no room for another, to be gone on with. An action that is
    not legal stops it too, before it is played, and so does a play that goes on after `stopped[LONGEST]` moves.
    """
    calls, states, params = borrowed(calls), borrowed(states), borrowed(params)
    players, memories = borrowed(players), borrowed(memories)
    view, whole, events = borrowed(view), borrowed(whole), borrowed(events)
    actions, lengths, stopped = borrowed(actions), borrowed(lengths), borrowed(stopped)
    moves = 0
    seats = len(players)
    observed = False
    for seat in range(seats):
        observed |= players[seat, OBSERVE] != 0
    stopped[REFUSED] = 0
    longest, made = stopped[LONGEST], stopped[MADE]
    for game in range(stopped[GAME], len(states)):
        stopped[GAME] = game
        state = states[game]
        while True:
            seat = to_move(calls, state, params)
            if seat == NOBODY:
                break
            if 0 < len(actions) <= moves:
                stopped[MADE] = made
                return moves
            if 0 < longest <= made:
                stopped[REFUSED] = TOO_LONG
                return moves
            look(calls, state, seat, params, view)
            chair = players[seat, FIRST_CHAIR] + game * players[seat, CHAIRS_PER_GAME]
            action = _act(players[seat, ACT], view, memories[seat], chair)
            if fault(calls, state, action, params):
                stopped[REFUSED] = ILLEGAL
                stopped[ACTION] = action
                return moves
            advance(calls, state, action, params, whole)
            if observed:
                redact_all(calls, whole, state, params, events)
            for other in range(seats if observed else 0):
                if players[other, OBSERVE]:
                    chair = players[other, FIRST_CHAIR] + game * players[other, CHAIRS_PER_GAME]
                    _observe(players[other, OBSERVE], events[other], memories[other], chair)
            if len(actions):
                actions[moves] = action
                lengths[game] += 1
            moves += 1
            made += 1
        made = 0
    stopped[GAME] = len(states)
    return moves


KEPT_AT_ONCE = 1 << 14
"""Moves that are kept before Python takes them over."""
