"""The compiled interface: what the kernels of a game are called, in which order their arguments come, and how they are reached.

A game's module `kernels` holds compiled functions of these names. Records come as arrays of one: `states[0]` is the state. They
raise nothing; `params` is the ruleset as numbers, read only. `out` is filled and never read.

* `deal(states, seed, roles, params)`: deal a game from its seed (uint64) into `states[0]`, whatever that was. `roles`, int8 with
  one entry a seat, are the roles to seat, or -1 each for roles that are dealt; all else of the deal is the same either way.
* `to_move(states, params) -> int`: the seat to move, -1 when the game is over.
* `legal(states, params, out) -> int`: write the legal actions of the seat to move to `out`, int32, each once and in an order that
  follows from that seat's view; return how many, 0 when the game is over.
* `legal_seen(views, params, out) -> int`: the same from the view of the seat to move; 0 for any other view.
* `fault(states, action, params) -> int`: 0 where the action is legal, else the rule that it breaks, an index of `rule_texts`.
* `advance(states, action, params, events)`: play a legal action and write to `events[0]` all that happened, nothing hidden.
* `redact(events, states, seat, params)`: make of such an event what `seat` may know of it, in place; `states` is after the move.
* `look(states, seat, params, views)`: fill all of `views[0]`, whatever it held, with what `seat` may know.
* `resample(views, weights, stream, params, states)`: fill `states[0]` with a state that the seat of the view holds possible, drawn
  with a stream that starts at `stream[0]`, uint64. With `weights` empty every deal that agrees with the view is equally likely.
  Else they are float64 of shape (2**seats,): entry m is the weight of the set of seats m (seat s at bit s) as those that hold
  role 1; sets that cannot be count nothing, and where nothing is left the draw is as without weights.
* `payoffs(states, params, out)`: what each seat has been paid by now, float64: nothing as the game is dealt, in a game of several
  rounds that of the rounds that are over, and at the end what `Outcome.payoffs` says.
* `wins(states, params, out)`: 1 for each seat that has won, else 0, uint8.
* `margins(states, params, out)`: what a search plays for, float64, as `Game.margins` has it; may be left out: then it is what each
  seat has won over what the others won on average. Where all win together it is needed.
* `infoset_key(views, params) -> int`: a word that is equal for views between which only the order of cards in the hand differs.
* `random_action(states, params, stream) -> int`: a uniformly random legal action, -1 when the game is over; may be left out.
* `random_seen(views, params, stream) -> int`: the same from the view of the seat to move; may be left out.
* `play_randomly(states, params, streams, events) -> int`: play each of `len(streams)` states to its end with `random_action` and a
  stream of its own; how many moves in all; may be left out. Nobody but itself can stop a play in it that never ends.
* `redact_all(whole, states, params, events)`: write to `events[seat]`, for each seat, what it may know of the event `whole[0]`:
  that which `redact` makes of it; may be left out.

Kernels that play whichever game they are given (batches, search) take `calls`, the addresses of these functions, and records as
arrays of bytes. So they are compiled once for all games, also for games that installed packages bring. A call costs some 5 ns.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from llvmlite import ir
from llvmlite.ir import Constant
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array

from molehunt.core.errors import KernelFailure, value_text
from molehunt.core.interpreting import (
    Addressed,
    as_seen,
    ask_for,
    interpreted,
    interpreted_now,
    is_interpreting,
    stand_in,
)
from molehunt.core.kernel_values import values_read
from molehunt.core.kernels import first_class, interpreted_as, kernel
from molehunt.core.numba_start import spare_scipy, spare_strings
from molehunt.core.streams import below
from molehunt.core.uncompiled import why_uncompiled
from molehunt.core.words import counted

spare_scipy()
spare_strings()

(
    DEAL,
    TO_MOVE,
    LEGAL,
    LEGAL_SEEN,
    FAULT,
    ADVANCE,
    REDACT,
    LOOK,
    RESAMPLE,
    PAYOFFS,
    WINS,
    INFOSET_KEY,
    RANDOM_ACTION,
    RANDOM_SEEN,
    PLAY_RANDOMLY,
    REDACT_ALL,
    MARGINS,
) = range(17)
"""Where the address of each function stands in `calls`."""

NAMES = (
    "deal",
    "to_move",
    "legal",
    "legal_seen",
    "fault",
    "advance",
    "redact",
    "look",
    "resample",
    "payoffs",
    "wins",
    "infoset_key",
    "random_action",
    "random_seen",
    "play_randomly",
    "redact_all",
    "margins",
)
OPTIONAL = ("random_action", "random_seen", "play_randomly", "redact_all", "margins")
"""Functions that a game may leave out. Most only make it faster: what is legal is then listed, and one drawn; events are redacted
for one seat after the other. Without `margins`, winning is all that counts."""

GOES_ON = -1
"""What `play_randomly` says instead of how many moves there were, where the play is longer than it may be."""

PLAYOUT = (LEGAL, ADVANCE, RANDOM_ACTION, PLAY_RANDOMLY)
"""What random play to the end needs."""

Calls = npt.NDArray[np.int64]
"""The addresses of a game's functions by their number, 0 where there is none: shape (17,)."""
Dtypes = tuple[np.dtype[Any], np.dtype[Any], np.dtype[Any]]
"""The records of a game: state, view, event."""


# --- A game's functions -------------------------------------------------------------------------------------------------


def array_of(of: Any, readonly: bool = False) -> Any:
    """The type of an array of one axis, for signatures."""
    return types.Array(of, 1, "C", readonly=readonly)


def _signature(name: str, state: Any, view: Any, event: Any) -> Any:
    """The types of a function of the interface, for the records of one game."""
    whole, word, none = types.int64, types.uint64, types.void
    states, views, events = (array_of(record) for record in (state, view, event))
    params, stream, reals = array_of(types.int64, readonly=True), array_of(types.uint64), array_of(types.float64)
    return {
        "deal": none(states, word, array_of(types.int8), params),
        "to_move": whole(states, params),
        "legal": whole(states, params, array_of(types.int32)),
        "legal_seen": whole(views, params, array_of(types.int32)),
        "fault": whole(states, whole, params),
        "advance": none(states, whole, params, events),
        "redact": none(events, states, whole, params),
        "look": none(states, whole, params, views),
        "resample": none(views, reals, stream, params, states),
        "payoffs": none(states, params, reals),
        "wins": none(states, params, array_of(types.uint8)),
        "margins": none(states, params, reals),
        "infoset_key": word(views, params),
        "random_action": whole(states, params, stream),
        "random_seen": whole(views, params, stream),
        "play_randomly": whole(states, params, stream, events),
        "redact_all": none(events, states, params, events),
    }[name]


@dataclass(frozen=True)
class Interface:
    """Functions that modules bring under the same names; `signature(name, state, view, event)` are their types for some records."""

    names: tuple[str, ...]
    signature: Callable[..., Any]
    optional: tuple[str, ...] = ()


GAME = Interface(NAMES, _signature, OPTIONAL)
"""What this module says of a game."""


def argument_count(number: int) -> int:
    """How many arguments a function of a game takes."""
    return len(_signature(NAMES[number], types.uint8, types.uint8, types.uint8).args)


def plain_function(function: Any, arguments: int, called: str) -> FunctionType:
    """The function itself of a plain function or a kernel; KernelFailure, which names it as `called`, where it is neither.

    So too where it does not take so many arguments.
    """
    plain = getattr(function, "py_func", function)
    if not isinstance(plain, FunctionType):
        raise KernelFailure(f"{called} is a plain function or a kernel, not {value_text(function)}")
    taken = tuple(inspect.signature(plain).parameters)
    if len(taken) != arguments:
        raise KernelFailure(f"{called}({', '.join(taken)}) is called with {counted(arguments, 'argument')}")
    return plain


class Bound:
    """The functions of a module, such as a game's, each compiled when it is first asked for."""

    _of_modules: dict[str, Bound] = {}  # noqa: RUF012 - one for all, on purpose
    _lock = threading.RLock()

    def __init__(self, module: ModuleType, dtypes: Dtypes, interface: Interface) -> None:
        self._module = module
        self._interface = interface
        self._records = [numba.from_dtype(dtype) for dtype in dtypes]
        self._check()
        self._compiled: dict[int, Any] = {}
        self._replacements: dict[tuple[int, Any, bytes], tuple[Any, Calls]] = {}
        self._interpreted_replacements: dict[tuple[int, Any, bytes], Calls] = {}
        self._done = 0
        self.calls: Calls = np.zeros(len(interface.names), np.int64)
        stand_in(self.calls, lambda: self._interpreted)

    @classmethod
    def of(cls, module: ModuleType, dtypes: Dtypes, interface: Interface = GAME) -> Bound:
        """The functions of a module for records of (state, view, event); made once in a process.

        KernelFailure where one is missing, or takes another number of arguments.
        """
        with cls._lock:
            found = cls._of_modules.get(module.__name__)
            if found is None:
                found = cls._of_modules[module.__name__] = cls(module, dtypes, interface)
            return found

    def replaced(self, number: int, function: Any, called: str) -> Calls:
        """The addresses with another function, plain or a kernel, in the place of one; it is compiled for the same types.

        It is compiled anew where values that it finds outside of itself have changed. KernelFailure where it cannot be compiled:
        it is named as `called`.
        """
        signature = self._signature(number)
        plain = plain_function(function, len(signature.args), called)
        with self._lock:
            key = number, plain, values_read(plain)
            if is_interpreting():
                ask_for(signature, plain)
                return self._interpreted_with(key)
            found = self._replacements.get(key)
            if found is None:
                try:
                    compiled = first_class(signature, plain)
                except Exception as error:
                    raise KernelFailure(f"{called} cannot be compiled: {why_uncompiled(error)}") from error
                found = self._replacements[key] = compiled, self.calls.copy()
                stand_in(found[1], lambda: self._interpreted_with(key))
            compiled, result = found
            others = np.arange(len(result)) != number
            result[others] = self.calls[others]  # some of which may have been compiled since
            result[number] = compiled.address
            return result

    def _interpreted_with(self, key: tuple[int, Any, bytes]) -> Calls:
        """Addresses for kernels that are interpreted, with another function in the place of one."""
        with self._lock:
            found = self._interpreted_replacements.get(key)
            if found is None:
                number, plain, _ = key
                found = self._interpreted_replacements[key] = self._interpreted.copy()
                found[number] = Addressed.of(self._signature(number), interpreted_now(plain)).address
            return found

    def need(self, *numbers: int) -> Calls:
        """The addresses, in which at least those of these numbers are filled in."""
        if is_interpreting():
            self._ask_for(numbers)
            return self._interpreted
        wanted = 0
        for number in numbers:
            wanted |= 1 << number
        if wanted & ~self._done:
            self._compile(numbers)
        return self.calls

    def _ask_for(self, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            function = getattr(self._module, self._interface.names[number], None)
            if function is not None:
                ask_for(self._signature(number), function)

    @functools.cached_property
    def _interpreted(self) -> Calls:
        """Addresses for kernels that are interpreted."""
        result = np.zeros(len(self._interface.names), np.int64)
        for number, name in enumerate(self._interface.names):
            function = getattr(self._module, name, None)
            if function is not None:
                plain = getattr(function, "py_func", function)
                result[number] = Addressed.of(self._signature(number), interpreted(plain)).address
        return as_seen(result)

    def _signature(self, number: int) -> Any:
        return self._interface.signature(self._interface.names[number], *self._records)

    def _compile(self, numbers: tuple[int, ...]) -> None:
        with self._lock:
            for number in numbers:
                function = getattr(self._module, self._interface.names[number], None)
                if number not in self._compiled and function is not None:
                    compiled = self._compile_one(number, getattr(function, "py_func", function))
                    self._compiled[number] = compiled
                    self.calls[number] = compiled.address
                self._done |= 1 << number

    def _compile_one(self, number: int, plain: Any) -> Any:
        try:
            return first_class(self._signature(number), plain)
        except Exception as error:
            name = f"{self._module.__name__}.{self._interface.names[number]}"
            raise KernelFailure(f"{name} cannot be compiled: {why_uncompiled(error)}") from error

    def _check(self) -> None:
        module, interface = self._module, self._interface
        missing = [name for name in interface.names if name not in interface.optional and not hasattr(module, name)]
        if missing:
            raise KernelFailure(f"{module.__name__} has no {', no '.join(missing)}: see molehunt.games.calls")
        for number, name in enumerate(interface.names):
            if hasattr(module, name):
                function = getattr(module, name)
                taken = tuple(inspect.signature(getattr(function, "py_func", function)).parameters)
                given = len(self._signature(number).args)
                if len(taken) != given:
                    raise KernelFailure(
                        f"{module.__name__}.{name}({', '.join(taken)}) is called with {counted(given, 'argument')}: "
                        "see molehunt.games.calls"
                    )


# --- Calling by address -------------------------------------------------------------------------------------------------


def caller(result: Any, arguments: int) -> Any:
    """A function for kernels, `call(address, a0, a1, ...)`, that calls what lies at an address with these arguments as they are."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        returned = ir.VoidType() if result == types.void else context.get_value_type(result)
        shape = ir.FunctionType(returned, [context.get_value_type(kind) for kind in signature.args[1:]])
        value = builder.call(builder.inttoptr(args[0], shape.as_pointer()), args[1:])
        return context.get_dummy_value() if result == types.void else value

    def two(_typing: Any, address: Any, a: Any, b: Any) -> Any:
        return result(types.int64, a, b), generate

    def three(_typing: Any, address: Any, a: Any, b: Any, c: Any) -> Any:
        return result(types.int64, a, b, c), generate

    def four(_typing: Any, address: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
        return result(types.int64, a, b, c, d), generate

    def five(_typing: Any, address: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
        return result(types.int64, a, b, c, d, e), generate

    def six(_typing: Any, address: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
        return result(types.int64, a, b, c, d, e, f), generate

    def eight(_typing: Any, address: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any) -> Any:
        return result(types.int64, a, b, c, d, e, f, g, h), generate

    made = intrinsic({2: two, 3: three, 4: four, 5: five, 6: six, 8: eight}[arguments])
    interpreted_as(made, Addressed.call)
    return made


_whole_2, _whole_3, _whole_4 = caller(types.int64, 2), caller(types.int64, 3), caller(types.int64, 4)
_word_2 = caller(types.uint64, 2)
can_be = _whole_2
"""`can_be(address, record, seats)`: whether a record can be one of a game of so many seats, by the function at an address."""
_none_3, _none_4, _none_5 = caller(types.void, 3), caller(types.void, 4), caller(types.void, 5)


@intrinsic
def borrowed(_typing: Any, array: Any) -> Any:
    """For kernels: the same array as one that is not counted who holds it; the caller keeps it alive.

    Counting is an atomic operation whenever an array is cut or handed on: it costs as much as a short function.
    """

    def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        counted = make_array(array)(context, builder, args[0])
        counted.meminfo = Constant(counted.meminfo.type, None)
        return counted._getvalue()  # noqa: SLF001 - as Numba's own functions do

    return array(array), generate


@intrinsic
def copy_bytes(_typing: Any, target: Any, source: Any) -> Any:
    """For kernels: write the bytes of one array to another, which is as long and lies elsewhere."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        to, of = (make_array(kind)(context, builder, value) for kind, value in zip(signature.args, args, strict=True))
        cgutils.raw_memcpy(builder, to.data, of.data, of.nitems, 1)
        return context.get_dummy_value()

    return types.void(target, source), generate


interpreted_as(borrowed, lambda array: array)
interpreted_as(copy_bytes, np.copyto)


@intrinsic
def in_a_row(_typing: Any, rows: Any) -> Any:
    """For kernels: rows that lie one behind the other as one array; nobody counts who holds it."""
    whole = types.Array(rows.dtype, 1, "C", readonly=not rows.mutable)

    def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        given, made = make_array(rows)(context, builder, args[0]), make_array(whole)(context, builder)
        size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(rows.dtype)))
        populate_array(
            made, data=given.data, shape=[given.nitems], strides=[size], itemsize=given.itemsize, meminfo=None
        )
        return made._getvalue()  # noqa: SLF001 - as Numba's own functions do

    return whole(rows), generate


interpreted_as(in_a_row, lambda rows: rows.reshape(-1))


@kernel
def deal(calls: Any, state: Any, seed: Any, roles: Any, params: Any) -> None:
    """Deal a game; records are arrays of bytes here and below."""
    _none_4(calls[DEAL], state, np.uint64(seed), roles, params)


@kernel
def to_move(calls: Any, state: Any, params: Any) -> Any:
    """The seat to move, -1 when the game is over."""
    return _whole_2(calls[TO_MOVE], state, params)


@kernel
def legal(calls: Any, state: Any, params: Any, out: Any) -> Any:
    """Write the legal actions of the seat to move; how many."""
    return _whole_3(calls[LEGAL], state, params, out)


@kernel
def legal_seen(calls: Any, view: Any, params: Any, out: Any) -> Any:
    """Write the legal actions of the seat of a view, none where it is not to move; how many."""
    return _whole_3(calls[LEGAL_SEEN], view, params, out)


@kernel
def fault(calls: Any, state: Any, action: int, params: Any) -> Any:
    """The rule that an action breaks, 0 for none."""
    return _whole_3(calls[FAULT], state, np.int64(action), params)


@kernel
def advance(calls: Any, state: Any, action: int, params: Any, event: Any) -> None:
    """Play a legal action."""
    _none_4(calls[ADVANCE], state, np.int64(action), params, event)


@kernel
def redact(calls: Any, event: Any, state: Any, seat: int, params: Any) -> None:
    """Make of a whole event what a seat may know."""
    _none_4(calls[REDACT], event, state, np.int64(seat), params)


@kernel
def redact_all(calls: Any, whole: Any, state: Any, params: Any, events: Any) -> None:
    """Write to `events`, a row of bytes a seat, what each seat may know of a whole event."""
    if calls[REDACT_ALL]:
        _none_4(calls[REDACT_ALL], whole, state, params, in_a_row(events))
        return
    for seat in range(len(events)):
        event = events[seat]
        copy_bytes(event, whole)
        redact(calls, event, state, seat, params)


@kernel
def look(calls: Any, state: Any, seat: int, params: Any, view: Any) -> None:
    """Fill a view."""
    _none_4(calls[LOOK], state, np.int64(seat), params, view)


@kernel
def resample(calls: Any, view: Any, weights: Any, stream: Any, params: Any, state: Any) -> None:
    """Fill a state that the seat of a view holds possible."""
    _none_5(calls[RESAMPLE], view, weights, stream, params, state)


@kernel
def payoffs(calls: Any, state: Any, params: Any, out: Any) -> None:
    """Write what each seat has been paid by now."""
    _none_3(calls[PAYOFFS], state, params, out)


@kernel
def wins(calls: Any, state: Any, params: Any, out: Any) -> None:
    """Write who has won."""
    _none_3(calls[WINS], state, params, out)


@kernel
def margins(calls: Any, state: Any, params: Any, won: Any, out: Any) -> None:
    """Write what each seat won over what the others won on average, or what the game says instead; `won` is written on the way."""
    if calls[MARGINS]:
        _none_3(calls[MARGINS], state, params, out)
        return
    wins(calls, state, params, won)
    total = 0.0
    for seat in range(len(won)):
        total += won[seat]
    for seat in range(len(won)):
        out[seat] = won[seat] - (total - won[seat]) / (len(won) - 1) if len(won) > 1 else float(won[seat])


@kernel
def infoset_key(calls: Any, view: Any, params: Any) -> Any:
    """A word for what the seat of a view knows."""
    return _word_2(calls[INFOSET_KEY], view, params)


@kernel
def random_action(calls: Any, state: Any, params: Any, stream: Any, scratch: Any) -> Any:
    """A uniformly random legal action of the seat to move, -1 when the game is over; `scratch` has room for all, int32."""
    if calls[RANDOM_ACTION]:
        return _whole_3(calls[RANDOM_ACTION], state, params, stream)
    count = legal(calls, state, params, scratch)
    return np.int64(scratch[below(stream, count)]) if count else np.int64(-1)


@kernel
def random_seen(calls: Any, view: Any, params: Any, stream: Any, scratch: Any) -> Any:
    """A uniformly random legal action at a view, -1 where it is not its seat's move; `scratch` has room for all, int32."""
    if calls[RANDOM_SEEN]:
        return _whole_3(calls[RANDOM_SEEN], view, params, stream)
    count = legal_seen(calls, view, params, scratch)
    return np.int64(scratch[below(stream, count)]) if count else np.int64(-1)


@kernel
def play_randomly(calls: Any, state: Any, params: Any, stream: Any, event: Any, scratch: Any, longest: int) -> Any:
    """Play to the end with uniformly random legal actions; how many, or GOES_ON where the play goes on after `longest` (0: any).

    `event` and `scratch` (int32) are written on the way.
    """
    if calls[PLAY_RANDOMLY]:
        return max(_whole_4(calls[PLAY_RANDOMLY], state, params, stream, event), np.int64(0))
    moves = np.int64(0)
    while True:
        action = random_action(calls, state, params, stream, scratch)
        if action < 0:
            return moves
        if 0 < longest <= moves:
            return np.int64(GOES_ON)
        advance(calls, state, action, params, event)
        moves += 1
