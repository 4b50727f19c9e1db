"""What runs on a node of a cluster: bundles of pieces of work, with their errors as values and kernels compiled once a node."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import platform
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from molehunt.core.errors import MolehuntError

Piece = tuple[Any, ...]


@dataclass(frozen=True)
class Identity:
    """What a process plays with: two processes with the same identity play the same games.

    `sources` is a hash of all the package's sources, and of the data that are read with them.
    """

    version: str
    sources: str
    python: str
    numpy: str
    numba: str


@functools.cache
def identity() -> Identity:
    """The identity of this process."""
    import numba
    import numpy as np

    import molehunt

    sources = sources_of(Path(molehunt.__file__).parent)
    python = ".".join(platform.python_version_tuple()[:2])
    return Identity(molehunt.__version__, sources, python, np.__version__, numba.__version__)


def sources_of(root: Path) -> str:
    """The hash of the sources and the data of a package in a folder."""
    from molehunt.core.made import DATA

    digest = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.suffix in (".py", *DATA)):
        digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def introduce() -> Identity:
    """The identity of this process, as a task."""
    return identity()


@dataclass(frozen=True)
class Sent:
    """An error on its way to another process: all of it that can travel."""

    kind: type[BaseException]
    arguments: tuple[Any, ...]
    attributes: dict[str, Any]
    where: str


def pack(error: Exception) -> Sent:
    """An error as a value. Only errors of the project and of the language keep their kind; others become MolehuntError."""
    kind = type(error)
    known = kind.__module__.split(".")[0] in ("builtins", "molehunt")
    where = "" if isinstance(error, MolehuntError) else "".join(traceback.format_exception(error))
    if known:
        return Sent(kind, error.args, dict(vars(error)), where)
    return Sent(MolehuntError, (f"{kind.__name__}: {error}",), {}, where)


def unpack(sent: Sent) -> BaseException:
    """The error as it was; one that nobody raised on purpose says where on the node it came from."""
    error = sent.kind.__new__(sent.kind, *sent.arguments)
    error.args = sent.arguments
    vars(error).update(sent.attributes)
    if sent.where:
        error.add_note(f"On the node:\n{sent.where}")
    return error


@dataclass(frozen=True)
class Bundle:
    """What came of some pieces: a result or an error each, in order, and the seconds that they took together."""

    results: list[Any]
    seconds: float


def do_bundle(asked: Identity, function: Callable[..., Any], pieces: Sequence[Piece]) -> Bundle:
    """Do some pieces one after the other, on a node that must be what the asker is.

    After an error the rest is not done, and is not among the results: who asks for the next one gets the error first.
    """
    if identity() != asked:
        return Bundle([pack(MolehuntError(mismatch(platform.node(), identity(), asked)))], 0.0)
    results: list[Any] = []
    with _alone_at_first(function, pieces[0]):
        began = time.perf_counter()
        for piece in pieces:
            try:
                results.append(function(*piece))
            except Exception as error:  # noqa: BLE001 - whatever it was, it is raised where the result is wanted
                results.append(pack(error))
                break
        return Bundle(results, time.perf_counter() - began)


def mismatch(node: str, theirs: Identity, ours: Identity) -> str:
    """What is said of a node that would play other games than the asker."""
    names = {"version": "molehunt", "sources": "the sources of molehunt", "python": "Python"}
    different = [
        f"{names.get(field.name, field.name)} {getattr(theirs, field.name)} (here {getattr(ours, field.name)})"
        for field in fields(ours)
        if getattr(theirs, field.name) != getattr(ours, field.name)
    ]
    return f"node {node} has {', '.join(different)}; install the same molehunt and libraries on every node"


# --- Kernels are compiled once a node -------------------------------------------------------------------------------------


def names_in(value: Any) -> set[str]:
    """The names that stand in a piece: of its games and players, without their parameters. What needs the same kernels is equal."""
    if isinstance(value, str):
        return {value.partition(":")[0][:80]}
    if is_dataclass(value) and not isinstance(value, type):
        return set().union(*(names_in(getattr(value, field.name)) for field in fields(value)))
    if isinstance(value, tuple | list):
        return set().union(*(names_in(item) for item in value))
    return set()


@contextlib.contextmanager
def _alone_at_first(function: Callable[..., Any], piece: Piece) -> Iterator[None]:
    """The first work of its kind on a node is done alone: it compiles the kernels that the others then find in the cache.

    Processes wait at a lock in the cache folder; once a mark stands there, none does. Where files cannot be locked, nobody waits.
    """
    mark = _mark_of(function.__qualname__, frozenset(names_in(piece)))
    if mark.exists():
        yield
        return
    with _locked(mark.with_suffix(".lock")):
        yield
        with contextlib.suppress(OSError):
            mark.touch()


@functools.cache
def _mark_of(function: str, names: frozenset[str]) -> Path:
    from molehunt.core.made import mark_of

    return mark_of(" ".join([function, *sorted(names)]))


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            file = stack.enter_context(path.open("w"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
