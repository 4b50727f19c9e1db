"""Kernels run by Python itself, until there is machine code for them: the same numbers, hundreds of times slower.

Inside `with interpreting():` every kernel that this thread calls is the Python function that it was made from, so that nothing
waits for a compiler; what it works on looks to it as to compiled code. Records have fields as attributes. Signed integers are
wide, unsigned ones of 64 bits wrap around, and what does not fit where it is stored loses its high bits, as in machine code.
Only sums of whole arrays of narrow integers keep NumPy's width; kernels compute with single numbers.

An intrinsic function has no Python of its own: `kernels.interpreted_as` says what it does.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from types import CellType, FunctionType, MappingProxyType
from typing import Any, ClassVar, Protocol, TypeVar

import numba
import numpy as np
from numba.np.numpy_support import as_dtype

from molehunt.core import kernels
from molehunt.core.linking import LinkedKernel

types: Any = numba.types  # its stubs lack what is used here
intrinsic_type: Any = type(kernels.popcount)
T = TypeVar("T")


# --- Memory as kernels see it -------------------------------------------------------------------------------------------


_GET = np.ndarray.__getitem__


class _Array(np.ndarray[Any, Any]):
    """An array whose numbers are Python's, and whose records have attributes."""

    def __getitem__(self, index: Any) -> Any:
        value = _GET(self, index)
        seen = _SEEN.get(type(value))
        return value if seen is None else seen(value)

    def __setitem__(self, index: Any, value: Any) -> None:
        value = _stored(value)
        try:
            np.ndarray.__setitem__(self, index, value)
        except OverflowError:
            np.ndarray.__setitem__(self, index, _fitted(value, self.dtype))

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))


class _Constant(_Array):
    """A table among the names of a module, which no kernel changes: its numbers are kept as Python's."""

    _numbers: Any = MappingProxyType({})

    @classmethod
    def of(cls, array: np.ndarray[Any, Any]) -> _Constant:
        """The table as kernels see it."""
        made = array.view(cls)
        made.__dict__["_numbers"] = {
            (at[0] if len(at) == 1 else at): as_seen(array[at]) for at in np.ndindex(array.shape)
        }
        return made

    def __getitem__(self, index: Any) -> Any:
        try:
            return self._numbers[index]
        except (KeyError, TypeError):  # a row, a slice, a number from the end, or what was computed from a table
            return self.view(_Array)[index]


class _Record:
    """A record in an array; its fields are attributes (`_record`). Arrays and records in it are views, made when asked for."""

    __slots__ = ("views_", "void_")

    def __init__(self, void: np.void) -> None:
        self.void_ = void
        self.views_: dict[str, Any] = {}

    def fields(self) -> tuple[str, ...]:
        """The names of the fields."""
        return self.void_.dtype.names or ()


def _field(name: str, dtype: np.dtype[Any]) -> property:
    """A field as an attribute of records. Its kind is known beforehand: that is quicker than to look at what NumPy gives."""
    seen = _SEEN.get(dtype.type)

    def as_it_is(record: _Record) -> Any:
        return record.void_[name]

    def number(record: _Record) -> Any:
        return seen(record.void_[name])  # type: ignore[misc]

    def view(record: _Record) -> Any:
        try:
            return record.views_[name]
        except KeyError:
            return record.views_.setdefault(name, as_seen(record.void_[name]))

    def store(record: _Record, value: Any) -> None:
        value = _stored(value)
        try:
            record.void_[name] = value
        except OverflowError:
            record.void_[name] = _fitted(value, dtype)

    if dtype.subdtype is not None or dtype.names is not None:
        return property(view, store)
    return property(number if seen else as_it_is, store)


_records: dict[np.dtype[Any], type[_Record]] = {}


def _record(void: np.void) -> _Record:
    """A record as kernels see it; those of a dtype have a class of their own."""
    dtype = void.dtype
    made = _records.get(dtype)
    if made is None:
        fields = {name: _field(name, dtype[name]) for name in dtype.names or ()}
        made = _records[dtype] = type("_Record", (_Record,), {"__slots__": (), **fields})
    return made(void)


def as_seen(value: Any) -> Any:
    """What NumPy gives, as an interpreted kernel sees it."""
    seen = _SEEN.get(type(value))
    return value if seen is None else seen(value)


_SEEN: dict[type, Callable[[Any], Any]] = {
    **dict.fromkeys((np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32), int),
    np.bool_: bool,
    # A quotient by 0 is an infinity or no number for NumPy's reals, as in machine code, and an error for Python's.
    float: np.float64,
    np.ndarray: lambda array: array.view(_Array),
    np.void: _record,
}
"""How values are seen that are not seen as they are, by their types."""


def _stored(value: Any) -> Any:
    return value.void_ if isinstance(value, _Record) else value


def _fitted(value: Any, dtype: np.dtype[Any]) -> Any:
    """An integer as a type of fewer bits keeps it."""
    return np.array(int(value) & _WORD, np.uint64).astype(dtype)


def _each_of(parts: tuple[Any, ...], see: Callable[[Any], Any]) -> Any:
    """A tuple of the same kind, named or not, with `see` of each part."""
    seen = map(see, parts)
    return type(parts)(*seen) if hasattr(parts, "_fields") else tuple(seen)


def _given(value: Any) -> Any:
    """An argument of a kernel, as the kernel sees it."""
    return _each_of(value, _given) if isinstance(value, tuple) else as_seen(value)


def _taken(value: Any) -> Any:
    """What a kernel returned, as Python gets it."""
    if isinstance(value, tuple):
        return _each_of(value, _taken)
    if isinstance(value, _Array):
        return value.view(np.ndarray)
    if isinstance(value, np.number | np.bool_):
        return value.item()  # a number of Python, as machine code returns it
    return _stored(value)


# --- Names as kernels see them ------------------------------------------------------------------------------------------


_WORD = (1 << 64) - 1
_WORDS = tuple(map(np.uint64, range(4096)))
"""Small words, made once."""
_types: dict[Any, np.dtype[Any]] = {}
"""The dtypes that the functions below stand for, where kernels make arrays."""


def _type_of(dtype: np.dtype[Any]) -> Callable[[Any], Any]:
    """A type of NumPy as kernels use it to convert a number."""
    if dtype == np.uint64:

        def convert(value: Any = 0) -> Any:
            if type(value) is np.uint64:
                return value
            try:
                return _WORDS[value] if type(value) is int and 0 <= value < len(_WORDS) else np.uint64(value)
            except OverflowError:
                return np.uint64(int(value) & _WORD)

    elif dtype.kind in "iu":
        bits = 8 * dtype.itemsize
        low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if dtype.kind == "i" else (0, 1 << bits)

        def convert(value: Any = 0) -> Any:
            value = int(value)
            return value if low <= value < high else (value - low) % (1 << bits) + low

    elif dtype == np.bool_:

        def convert(value: Any = 0) -> Any:
            return bool(value)

    else:

        def convert(value: Any = 0) -> Any:
            return dtype.type(value)

    _types[convert] = dtype
    return convert


class _NumPy:
    """NumPy, for kernels: what it makes are arrays as they see them, and functions of one number are those of C."""

    def __getattr__(self, name: str) -> Any:
        value = getattr(np, name)
        if isinstance(value, type) and issubclass(value, np.generic):
            made: Any = _type_of(np.dtype(value))
        elif callable(value) and not isinstance(value, type):
            made = functools.partial(_call_numpy, value, getattr(math, name, None))
        else:
            made = value
        setattr(self, name, made)
        return made


def _call_numpy(function: Callable[..., Any], of_number: Callable[..., Any] | None, *args: Any, **named: Any) -> Any:
    if of_number is not None and len(args) == 1 and not isinstance(args[0], np.ndarray):
        try:
            return np.float64(of_number(args[0]))
        except ValueError:  # such as the logarithm of 0, which is an infinity for NumPy
            return function(args[0])
    args = tuple(_types[each] if callable(each) and each in _types else each for each in args)
    named = {name: _types[each] if callable(each) and each in _types else each for name, each in named.items()}
    return _given(function(*args, **named))


_NUMPY = _NumPy()


def _named(value: Any) -> Any:
    """What stands for a value of Python among the names of a kernel."""
    if isinstance(value, LinkedKernel):
        return interpreted(value.py_func)
    if isinstance(value, np.ndarray) and value.dtype.names is None:
        return _Constant.of(value)
    if isinstance(value, np.ndarray | np.generic | tuple):
        return _given(value)
    if isinstance(value, intrinsic_type):
        return value.interpreted
    return _NUMPY if value is np else value


_names: dict[int, dict[str, Any]] = {}
_functions: dict[Callable[..., Any], Callable[..., Any]] = {}
_making = threading.RLock()


def _names_of(module: dict[str, Any]) -> dict[str, Any]:
    """The names of a module, as its kernels see them."""
    names = _names.get(id(module))
    if names is None:
        # Kernels name each other in circles, so the names are there before what they stand for.
        names = _names[id(module)] = {}
        names.update((name, _named(value)) for name, value in list(module.items()))
    return names


def interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of a kernel, with the names of its module and of its closure as kernels see them."""
    with _making:  # whoever asks while another thread makes names waits until all of them are there
        made = _functions.get(function)
        if made is None:
            names = _names_of(function.__globals__)
            # Making the names may have made the function.
            made = _functions.setdefault(function, _with_names(function, names))
    return made


def interpreted_now(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same, made anew: with the values that its names have now, which in a notebook are others later."""
    with _making:
        return _with_names(function, {name: _named(value) for name, value in list(function.__globals__.items())})


def _with_names(function: Callable[..., Any], names: dict[str, Any]) -> Callable[..., Any]:
    cells = tuple(CellType(_named(cell.cell_contents)) for cell in function.__closure__ or ())
    return FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells or None)


# --- Calling ------------------------------------------------------------------------------------------------------------


def call(kernel: Any, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Call a kernel from Python."""
    recorder = _recorder()
    if recorder is not None:
        recorder.called(kernel, args, named)
        recorder.go_on()
    with np.errstate(all="ignore"):
        seen = {name: _handed_over(value) for name, value in named.items()}
        return _taken(interpreted(kernel.py_func)(*map(_handed_over, args), **seen))


_stand_ins: dict[int, tuple[Any, Callable[[], Any]]] = {}
"""What interpreted kernels are given instead of arrays of addresses of machine code, by the identity of these; they live on."""


def stand_in(addresses: Any, made: Callable[[], Any]) -> None:
    """Give interpreted kernels `made()` where Python gives them these addresses of machine code, an array."""
    _stand_ins[id(addresses)] = addresses, made


def _handed_over(value: Any) -> Any:
    if isinstance(value, tuple):
        return _each_of(value, _handed_over)
    known = _stand_ins.get(id(value))
    return as_seen(value) if known is None else known[1]()


class _Address(int):
    """The address of such a function."""


class Addressed:
    """A function for one signature that interpreted kernels call by its `address`, a number that means nothing elsewhere."""

    _all: ClassVar[dict[int, Addressed]] = {}
    _numbers = itertools.count(1)

    def __init__(self, function: Callable[..., Any], dtypes: Sequence[np.dtype[Any] | None]) -> None:
        """`function` takes what kernels see (`interpreted`); `dtypes` are those of the arguments that are arrays of records."""
        if not getattr(_thread, "at_first", False):
            _be_asked_from_now_on()  # compiled, a kernel would go where this address leads
        self._function = function
        self._dtypes = dtypes
        self.address = _Address(next(self._numbers))
        self._all[self.address] = self

    @classmethod
    def of(cls, signature: Any, function: Callable[..., Any]) -> Addressed:
        """The same for the arguments of a signature."""
        records = [getattr(kind, "dtype", None) for kind in signature.args]
        return cls(function, [as_dtype(kind) if isinstance(kind, types.Record) else None for kind in records])

    def forget(self) -> None:
        """From now on nothing has this address."""
        del self._all[self.address]

    def __call__(self, *args: Any) -> Any:
        """Call it; records may come as arrays of bytes."""
        recorder = _recorder()
        if recorder is not None:
            recorder.go_on()
        pairs = zip(args, self._dtypes, strict=True)
        return self._function(
            *(arg if dtype is None or arg.dtype == dtype else arg.view(dtype) for arg, dtype in pairs)
        )

    @classmethod
    def call(cls, address: int, *args: Any) -> Any:
        """Call the function that has an address."""
        return cls._all[int(address)](*args)


# --- What would be compiled ---------------------------------------------------------------------------------------------


class Recorder(Protocol):
    """Is told what kernels that are interpreted would need of machine code (`recorded_by`)."""

    def called(self, kernel: Any, args: tuple[Any, ...], named: dict[str, Any]) -> None:
        """Python calls a kernel."""

    def asked(self, signature: Any, function: Callable[..., Any]) -> None:
        """Somebody wants the address of a function, or hands it to a kernel."""

    def go_on(self) -> None:
        """Asked now and then; what it raises ends what is going on."""


def _recorder() -> Recorder | None:
    return getattr(_thread, "recorder", None)


@contextlib.contextmanager
def recorded_by(recorder: Recorder) -> Iterator[None]:
    """While inside, this recorder is told what this thread's interpreted kernels would need."""
    _thread.recorder = recorder
    try:
        yield
    finally:
        _thread.recorder = None


def ask_for(signature: Any, function: Callable[..., Any]) -> None:
    """Say that machine code would need the address of this function, plain or a kernel, for a signature."""
    recorder = _recorder()
    if recorder is not None:
        recorder.asked(signature, getattr(function, "py_func", function))


_signatures: dict[Callable[..., Any], Any] = {}


def interpreted_with(signature: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """The interpreted function of what machine code takes as a first-class function of this signature."""
    ask_for(signature, function)
    made = interpreted(getattr(function, "py_func", function))
    _signatures[made] = signature
    return made


def signature_of(value: Any) -> Any:
    """The signature that a function has in machine code; None for anything else."""
    return _signatures.get(value) if isinstance(value, FunctionType) else None


# --- When ---------------------------------------------------------------------------------------------------------------

_thread = threading.local()
_meanwhile = False


def is_interpreting() -> bool:
    """Whether the kernels that this thread calls are interpreted."""
    wanted: bool | None = getattr(_thread, "wanted", None)
    if wanted is not None:
        return wanted
    return _meanwhile and not getattr(_thread, "made", _never)()


def _never() -> bool:
    return False


@contextlib.contextmanager
def interpreting(wanted: bool = True) -> Iterator[None]:
    """While inside, the kernels that this thread calls are interpreted, or (`wanted` False) compiled, whatever holds outside."""
    _be_asked_from_now_on()
    with _settled(wanted):
        yield


class _Unchanged:
    """See `unchanged`; a class, since players are asked within one at each move, and a generator takes twice as long."""

    __slots__ = ("_before",)

    def __enter__(self) -> bool:
        self._before: bool | None = getattr(_thread, "wanted", None)
        wanted = _thread.wanted = is_interpreting()
        return wanted

    def __exit__(self, *_raised: object) -> None:
        _thread.wanted = self._before


def unchanged() -> _Unchanged:
    """While inside, this thread's kernels stay as they are, interpreted (then it is True) or compiled, whatever is made meanwhile.

    For functions and kernels that are used together: compiled kernels cannot call interpreted functions.
    """
    return _Unchanged()


def as_here(function: Callable[..., T]) -> Callable[..., T]:
    """The function to be called in other threads, whose kernels are then interpreted or compiled as this thread's are now."""
    wanted = is_interpreting()

    def call(*args: Any) -> T:
        with _settled(wanted):
            return function(*args)

    return call


@contextlib.contextmanager
def _settled(wanted: bool) -> Iterator[bool]:
    before = getattr(_thread, "wanted", None)
    _thread.wanted = wanted
    try:
        yield wanted
    finally:
        _thread.wanted = before


@contextlib.contextmanager
def interpreting_until(made: Callable[[], bool]) -> Iterator[None]:
    """While inside, this thread's kernels are compiled as soon as `made()`, even where others' are interpreted still."""
    before = getattr(_thread, "made", _never)
    _thread.made = made
    try:
        yield
    finally:
        _thread.made = before


def interpret_meanwhile(wanted: bool) -> None:
    """From now on, interpret the kernels that are called, in all threads, or compile them again."""
    global _meanwhile  # noqa: PLW0603 - there is one process
    _be_asked_from_now_on()
    _meanwhile = wanted


def _is_wanted(args: tuple[Any, ...]) -> bool:
    # What interpreted kernels were given stays with them: their addresses lead compiled code nowhere.
    if is_interpreting():
        return True
    for arg in args:  # each call of a kernel comes by here, and any() over a generator takes three times as long
        if isinstance(arg, _KINDS) and (not isinstance(arg, tuple) or _is_wanted(arg)):
            return True
    return False


_asking = threading.Lock()
_from_now_on = False


def is_settled() -> bool:
    """Whether somebody has said of this thread whether its kernels are interpreted, or of all threads that they are."""
    return _meanwhile or getattr(_thread, "wanted", None) is not None


@contextlib.contextmanager
def interpreting_at_first() -> Iterator[None]:
    """`interpreting`, of which nothing is left once all threads are outside again and one has called `ask_no_more`."""
    kernels.interpret_where(_is_wanted, call)
    _thread.at_first = True
    try:
        with _settled(wanted=True):
            yield
    finally:
        _thread.at_first = False


def _be_asked_from_now_on() -> None:
    """... for the life of the process: whoever uses this module may hold what interpreted kernels gave."""
    global _from_now_on  # noqa: PLW0603 - there is one process
    if not _from_now_on:
        with _asking:
            _from_now_on = True
            kernels.interpret_where(_is_wanted, call)


def ask_no_more() -> None:
    """Have calls of kernels compiled and not asked about, which costs a part of a microsecond, unless others interpret as well."""
    with _asking:
        if not _from_now_on:
            kernels.interpret_nowhere()


_KINDS = (_Array, _Address, _Record, tuple)
