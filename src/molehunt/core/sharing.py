"""Processes that compile at the same time share the work: no kernel is compiled by two of them, and nobody waits who could help.

Whoever begins to compile a kernel holds its lock until the machine code is in the cache folder. Another process that needs the same
kernel compiles what this one calls and nobody is at (`look_into`), and takes the rest from the folder when it is there. So two that
need one large kernel halve its work.

Locks are single bytes of an empty file (record locks of POSIX): the system gives them back when a process ends, however it ends.
Where there are none, on Windows and on some network file systems, every process compiles for itself.

Nobody waits in a circle: who waits for a kernel holds only kernels that call it, directly or not.
"""

from __future__ import annotations

import contextlib
import enum
import errno
import functools
import hashlib
import importlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from numba.core import compiler, typeinfer
from numba.core import errors as numba_errors
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference

fcntl: Any = None
with contextlib.suppress(ImportError):  # Windows
    fcntl = importlib.import_module("fcntl")
errors: Any = numba_errors  # its stubs lack what is used here

T = TypeVar("T")

NAME = "compiling"
"""The file of the locks, beside the cache folders."""
PATIENCE = 120.0
"""After so many seconds a process compiles a kernel itself, whoever holds its lock: that process may have been stopped."""
PAUSE = 0.005
"""How long who waits for a kernel sleeps before asking again, in seconds."""
LOOK_AGAIN = 0.25
"""After so many seconds of waiting one looks again for work that has come up; after twice as many the next time, and so on."""


# --- Locks --------------------------------------------------------------------------------------------------------------


Lock = tuple[int, int]
"""An open file, and the number of the byte in it that stands for a kernel."""


class Busy(errors.TypingError):  # type: ignore[misc]
    """The machine code of a kernel is not there, and is not to be made here. To Numba it is a call without a type, as yet."""

    def __init__(self, lock: Lock) -> None:
        super().__init__("a kernel that another process compiles")
        self.lock = lock


class _Mode(enum.Enum):
    """What happens to a kernel without machine code."""

    NEED = enum.auto()
    """It is compiled, here or by the process that is at it."""
    TAKE = enum.auto()
    """It is compiled here, unless another process is at it."""
    LOOK = enum.auto()
    """It is only noted."""


# Only who holds Numba's lock of its compiler uses what follows.
_mode = _Mode.NEED
_held: list[Lock] = []
"""In the order in which they were taken."""
_overdue: set[Lock] = set()
"""Locks for which this process waits no more."""
_taken = 0
"""How many locks this process has taken so far."""


@functools.cache
def _opened(root: Path) -> int | None:
    """The file of the locks, open from the first use on: closing it would give back all that a process holds. None without one."""
    try:
        return os.open(root / NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None


def lock_of(root: Path, file: Path) -> Lock | None:
    """The lock of the kernel whose machine code stands in a file below the root of the cache folders; None without locks."""
    opened = None if fcntl is None else _opened(root)
    if opened is None:
        return None
    digest = hashlib.sha256(os.fsencode(file.relative_to(root))).digest()
    return opened, int.from_bytes(digest[:7], "big")


def take(lock: Lock | None) -> bool:
    """Take the lock of a kernel without machine code, until it has some. False where there is none to take; Busy if it may not."""
    global _mode, _taken  # noqa: PLW0603 - there is one compiler
    if lock is None or lock in _held or (lock in _overdue and _mode is _Mode.NEED):
        return False
    if _mode is _Mode.LOOK:
        raise Busy(lock)
    try:
        fcntl.lockf(lock[0], fcntl.LOCK_EX | fcntl.LOCK_NB, 1, lock[1])
    except OSError as error:
        if error.errno in {errno.EACCES, errno.EAGAIN}:
            raise Busy(lock) from None
        return False  # a file system without locks
    _held.append(lock)
    _taken += 1
    _mode = _Mode.NEED  # whoever has begun needs all that it calls
    return True


@contextlib.contextmanager
def _in_mode(mode: _Mode) -> Iterator[None]:
    """In this mode at first; locks that are taken inside are given back at the end."""
    global _mode  # noqa: PLW0603 - there is one compiler
    before, held = _mode, len(_held)
    _mode = mode
    try:
        yield
    finally:
        _mode = before
        while len(_held) > held:
            opened, byte = _held.pop()
            with contextlib.suppress(OSError):
                fcntl.lockf(opened, fcntl.LOCK_UN, 1, byte)


# --- Sharing ------------------------------------------------------------------------------------------------------------


def shared(thing: Any, args: tuple[Any, ...], make: Callable[[], T]) -> T:
    """`make()`, which loads or compiles `thing`, something of Numba's with a compiler, for these types of arguments.

    Where another process is compiling it, this one helps, and waits for what is left. Within `look_into` it is Busy instead.
    """
    with global_compiler_lock:
        mode, began, look = _mode, 0.0, 0.0
        while True:
            try:
                with _in_mode(mode):
                    return make()
            except Busy as busy:
                if mode is _Mode.LOOK:
                    _noted.append((thing, args, make))
                if mode is not _Mode.NEED:
                    raise
                now = time.monotonic()
                began = began or now
                if now - began > PATIENCE:
                    _overdue.add(busy.lock)
            if now - began < look or look_into(thing, args):
                time.sleep(PAUSE)
            else:
                look = max(LOOK_AGAIN, 2 * (now - began))


_noted: list[tuple[Any, tuple[Any, ...], Callable[[], Any]]] = []
"""What `look_into` has come upon."""
_backwards = False
"""Whether this process begins with what another would compile last."""
_looking: set[tuple[int, tuple[Any, ...]]] = set()
"""What is being looked into, by identity and types of arguments: some kernels call themselves."""


def go_backwards() -> None:
    """From now on, begin with what another process would compile last."""
    global _backwards  # noqa: PLW0603 - there is one compiler
    _backwards = True


def look_into(thing: Any, args: tuple[Any, ...]) -> bool:
    """Compile what `thing` calls, for these types of arguments, unless other processes are at it. Whether there was anything."""
    global _noted  # noqa: PLW0603 - there is one compiler
    key = id(thing), tuple(args)
    if key in _looking:
        return False
    _looking.add(key)
    before, taken = _noted, _taken
    _noted = []
    try:
        with _in_mode(_Mode.LOOK):
            _find_types(thing, args)
        calls = {(id(kernel), types): (kernel, types, make) for kernel, types, make in _noted}
        for kernel, types, make in reversed(calls.values()) if _backwards else calls.values():
            try_to_make(kernel, types, make)
    finally:
        _noted = before
        _looking.discard(key)
    return _taken > taken


def try_to_make(thing: Any, args: tuple[Any, ...], make: Callable[[], Any]) -> bool:
    """Load or compile it. Where another process is at it, compile what it calls, as far as nobody is at that, and return False.

    What cannot be compiled is told where it is needed: here its types may be wrong, as those of what another process is at lack.
    """
    with global_compiler_lock:
        try:
            with _in_mode(_Mode.TAKE):
                shared(thing, args, make)
        except Busy:
            look_into(thing, args)
            return False
        except Exception:  # noqa: BLE001 - Numba's are of all kinds
            return True
        return True


# --- What a kernel calls ------------------------------------------------------------------------------------------------


@register_pass(mutates_CFG=True, analysis_only=False)
class _FindTypes(FunctionPass):  # type: ignore[misc]
    """Numba's finding of types as far as it goes, and then the end."""

    _name = "find_types"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Find types in one function."""
        warnings = errors.WarningsFixer(errors.NumbaWarning)
        found = typeinfer.TypeInferer(state.typingctx, state.func_ir, warnings)
        target = state.targetctx.target
        with state.typingctx.callstack.register(target, found, state.func_ir.func_id, state.args):
            for index, (name, kind) in enumerate(zip(state.func_ir.arg_names, state.args, strict=True)):
                found.seed_argument(name, index, kind)
            found.build_constraint()
            found.propagate(raise_errors=False)
        raise compiler._EarlyPipelineCompletion(found)  # noqa: SLF001 - how Numba ends before its last pass


class _Finder(compiler.CompilerBase):  # type: ignore[misc]
    """Numba's pipeline up to there."""

    def define_pipelines(self) -> list[Any]:
        """The passes."""
        pipeline = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        at = [each for each, _ in pipeline.passes].index(NopythonTypeInference)
        pipeline.passes = [*pipeline.passes[:at], (_FindTypes, "find types")]
        pipeline._finalized = False  # noqa: SLF001 - Numba has no other way to exchange a pass
        pipeline.finalize()
        return [pipeline]


def _find_types(thing: Any, args: tuple[Any, ...]) -> None:
    """Find the types in a function; whatever is called that has no machine code is noted on the way."""
    how = thing._compiler  # noqa: SLF001 - as its own compiling does
    flags = compiler.Flags()
    how.targetdescr.options.parse_as_flags(flags, how.targetoptions)
    context, target = how.targetdescr.typing_context, how.targetdescr.target_context
    # Numba remembers which calls had no type until all that it is compiling is done; those that have none here may have one soon.
    calls = context.callstack
    before, calls._fail_cache = calls._fail_cache, {}  # noqa: SLF001
    try:
        # What cannot be compiled is told by the process that compiles it.
        with contextlib.suppress(errors.NumbaError):
            compiler.compile_extra(context, target, how.py_func, args, None, flags, how.locals, pipeline_class=_Finder)
    finally:
        calls._fail_cache = before  # noqa: SLF001
