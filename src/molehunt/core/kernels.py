"""How compiled code is made here: one decorator, one cache folder, one line on the screen while something compiles.

Machine code is kept by the content of the sources that it is made of (`kernel_cache`), in a folder for the versions of NumPy,
Numba and llvmlite and the settings of Numba that change the code.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import config, event
from numba.extending import intrinsic

from molehunt.core import kernel_cache, unraised
from molehunt.core.errors import BadInput
from molehunt.core.kernel_cache import LOCATORS, make_cache_folder, used
from molehunt.core.linking import EntryKernel, LinkedKernel, entry_function, somebody_looks_on, uninterrupted
from molehunt.core.processor import make_for_all
from molehunt.core.record_copies import copy_records

make_for_all()
copy_records()
unraised.listen()

F = TypeVar("F", bound=Callable[..., Any])

KERNEL_FLOORS = ("core", "games", "beliefs", "reading", "search", "agents")
"""The folders of the package that hold the kernels of rules and players."""


def made_by() -> str:
    """What the machine code of a source depends on, but for the kind of processor: versions, and settings of Numba."""
    versions = f"{numba.__version__} {llvmlite.__version__} {np.__version__}"
    settings = (
        config.BOUNDSCHECK,
        config.OPT,
        config.LOOP_VECTORIZE,
        config.SLP_VECTORIZE,
        config.DEBUGINFO_DEFAULT,
    )
    return f"{versions} {settings}"


def source_hash(
    root: Path | None = None, folders: Iterable[str] = KERNEL_FLOORS, endings: tuple[str, ...] = (".py",)
) -> str:
    """A hash of all sources in some folders below `root` (the package), and of all that decides what they compile to.

    `endings` are those of the names of files that count.
    """
    root = Path(__file__).resolve().parents[1] if root is None else root
    digest = hashlib.sha256(made_by().encode())
    for folder in folders:
        for path in sorted(path for path in (root / folder).rglob("*") if path.suffix in endings):
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


CACHE_FOLDER = make_cache_folder(hashlib.sha256(made_by().encode()).hexdigest()[:12])
"""The folder for the machine code that these versions and settings make."""


_keeping = threading.RLock()


@contextlib.contextmanager
def _kept_by_content(form: str = "") -> Iterator[None]:
    """While inside, Numba keeps machine code where `kernel_cache` says; `form` tells apart what is made of one function."""
    with _keeping:
        before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(CACHE_FOLDER), LOCATORS
        try:
            with kernel_cache.in_form(form):
                yield
        finally:
            config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before


_FROM_KERNELS = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": None,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
_FROM_PYTHON = {**_FROM_KERNELS, "no_cpython_wrapper": False}


class _Kernel(LinkedKernel):
    """A kernel as kernels call it. Called from Python, its twin is, which is an entry with the same function."""

    _twin: Any = None

    def __call__(self, *args: Any, **named: Any) -> Any:
        interpreter = _interpreter
        if interpreter is not None and interpreter[0](args):
            return interpreter[1](self, args, named)
        result = (self._twin or self.from_python())(*args, **named)
        if unraised.kept:
            unraised.fail_where_kept(f"{self.py_func.__module__}.{self.py_func.__name__}")
        return result

    def from_python(self) -> Any:
        """What is compiled where Python calls it."""
        with _kept_by_content("from Python"):
            if self._twin is None:
                twin = EntryKernel(self.py_func, _FROM_PYTHON)
                twin.enable_caching()
                self._twin = twin
        return self._twin

    @property
    def stats(self) -> Any:
        """What came from the cache, and what was compiled, for calls from Python."""
        return (self._twin or self.from_python()).stats


_interpreter: tuple[Callable[[tuple[Any, ...]], bool], Callable[..., Any]] | None = None


def interpret_where(when: Callable[[tuple[Any, ...]], bool], call: Callable[..., Any]) -> None:
    """Have `call(kernel, args, named)` answer the calls from Python for which `when(args)` holds (see `core.interpreting`)."""
    global _interpreter  # noqa: PLW0603 - there is one
    _interpreter = when, call


def interpret_nowhere() -> None:
    """Have all calls from Python answered by machine code."""
    global _interpreter  # noqa: PLW0603 - there is one
    _interpreter = None


def kernel(function: F) -> F:
    """Compile `function` on first use (nopython, cached on disk, without the global interpreter lock)."""
    if config.DISABLE_JIT:
        # Plain functions would compute other numbers: those of NumPy overflow, and intrinsic functions have none in Python.
        raise BadInput(
            "NUMBA_DISABLE_JIT is set, and without compiling kernels cannot be run: unset it "
            "(molehunt.core.interpreting runs them in Python, with the same numbers)"
        )
    with _kept_by_content():
        made = _Kernel(function, _FROM_KERNELS)
        made.enable_caching()
        return cast("F", made)


def first_class(signature: Any, function: Callable[..., Any]) -> Any:
    """Compile `function` for one signature (compiled code cached on disk) as a value that kernels can be given and call.

    A kernel that takes such functions is compiled once for their signatures, whichever functions they are.
    """
    with uninterrupted():
        made = with_address(signature, function)
        made.compile()
        return made


def with_address(signature: Any, function: Callable[..., Any]) -> Any:
    """What `first_class` compiles, before it does."""
    with _kept_by_content("by address"):
        made = entry_function(function, signature, {"nopython": True, "error_model": "numpy"})
        made.enable_caching()
        return made


def warm() -> bool:
    """Whether most kernels were compiled before, so that starting costs little (judged by the folders of the modules at hand)."""
    kept = sum(any(folder.glob("*.nbc")) for folder in used)
    return kept > 0 and 3 * kept >= len(used)


class _CompileListener(event.Listener):  # type: ignore[misc]
    """Tells a callback the name of each kernel whose compilation starts."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.tell = tell

    def on_start(self, event: Any) -> None:
        self.tell(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event: Any) -> None:
        pass


@contextlib.contextmanager
def watch_compiling(tell: Callable[[str], None]) -> Iterator[None]:
    """While inside, `tell(name)` is called each time a kernel starts to be compiled (not when it comes from the cache)."""
    with event.install_listener("numba:compile", _CompileListener(tell)):
        yield


class _FirstUse(event.Listener):  # type: ignore[misc]
    """Says once, to who looks on, why a call from Python takes so long. Commands say it their own way."""

    def __init__(self) -> None:
        self._met = 0

    def on_start(self, event: Any) -> None:
        self._met += 1
        # Not imported: what this module imports is part of the key of all machine code.
        beginning: Any = sys.modules.get("molehunt.core.at_first")
        if self._met != kernel_cache.FIRST_USE or (beginning is not None and beginning.seen_to()):
            return
        if somebody_looks_on():
            kernel_cache.remark("first use: compiling for this machine takes up to a minute, once; then it is kept")

    def on_end(self, event: Any) -> None:
        pass


event.register("numba:compile", _FirstUse())


def interpreted_as(function: Any, does: Callable[..., Any]) -> None:
    """Say what an intrinsic function, which has no Python of its own, does where kernels are interpreted."""
    function.interpreted = does


@intrinsic
def popcount(typingctx: Any, word: Any) -> Any:
    """The number of ones in a 64-bit word."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


@intrinsic
def lowest(typingctx: Any, word: Any) -> Any:
    """The index of the lowest one of a 64-bit word (64 for the word 0)."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@kernel
def bit(index: int) -> Any:
    """The 64-bit word whose only one stands at `index` (0 to 63)."""
    return np.uint64(1) << np.uint64(index)


@kernel
def without_lowest(word: Any) -> Any:
    """The word with its lowest one taken away; the way to go through the ones of a word."""
    return word & (word - np.uint64(1))


@kernel
def nth_bit(word: Any, nth: int) -> int:
    """The index of the `nth` one of a word, counted from 0 at the low end; the word has more than `nth` ones."""
    for _ in range(nth):
        word = word & (word - np.uint64(1))
    return lowest(word)


interpreted_as(popcount, lambda word: int(word).bit_count())
interpreted_as(lowest, lambda word: (int(word) & -int(word)).bit_length() - 1 if word else 64)
