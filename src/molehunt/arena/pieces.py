"""Many cells of a study as one stream of pieces of work, whose results are kept and need not be done again.

A cell is a function that asks workers for pieces and makes something of their results. Cells run beside each other, the next one as
soon as there is room for its pieces: so at the end of a cell nobody waits for its last piece. A piece is a function and arguments
that are plain values; what it came to is found again by its text, so a study that was stopped goes on where it was.
"""

from __future__ import annotations

import functools
import hashlib
import re
import sys
import time
import typing
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Executor, Future
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, Lock, RLock, Thread
from typing import IO, TYPE_CHECKING, Any, TypeVar

import msgspec
import numpy as np

from molehunt.arena.databases import (
    LOCK,
    PIECES,
    RESULTS,
    StoreFailure,
    check_installed,
    check_kind,
    connect,
    locked,
    make_folder,
    opening,
    transaction,
)
from molehunt.arena.workers import AHEAD, Workers, is_here, width_of
from molehunt.core.errors import BadInput

if TYPE_CHECKING:
    import duckdb

T = TypeVar("T")

FORMAT = 1
SECONDS_TOGETHER = 0.5
"""Results are committed together that come within so many seconds."""
MOST = 2 * AHEAD
"""Pieces under way for each that can be done at once, of all cells together: a cell that asks for more waits for room."""
TABLES = (
    "CREATE TABLE IF NOT EXISTS pieces_of (format INTEGER, version VARCHAR)",
    "CREATE TABLE IF NOT EXISTS pieces (piece VARCHAR PRIMARY KEY, result BLOB, hash VARCHAR)",
)
_POLL = 0.2
_writing = Lock()
"""How NumPy writes numbers is the same for all threads in its earlier versions."""


# --- Results as bytes -----------------------------------------------------------------------------------------------------


def piece_text(function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    """What a piece is, as text; of arrays with all their numbers in full, which NumPy leaves out or rounds by itself.

    "" for something of this process only: a function within another, a method of an object, an object told by its address.
    """
    name = getattr(function, "__qualname__", "")
    if not name or "<" in name or getattr(function, "__self__", None) is not None:
        return ""
    with _writing, np.printoptions(threshold=sys.maxsize, floatmode="unique"):
        text = f"{function.__module__}:{name}{arguments!r}"
    return "" if re.search(r" at 0x[0-9a-f]+>", text) else text


def _pack(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [value.dtype.str, list(value.shape), value.tobytes()]
    if isinstance(value, np.generic):
        return value.item()
    raise NotImplementedError(f"a piece of work came to {type(value)}, which is not kept")


def _unpack(kind: Any, value: Any) -> Any:
    if typing.get_origin(kind) is np.ndarray or kind is np.ndarray:
        dtype, shape, data = value
        return np.frombuffer(data, np.dtype(dtype)).reshape(shape).copy()
    raise NotImplementedError(f"{kind} is not kept")


_encoder = msgspec.msgpack.Encoder(enc_hook=_pack)


def encode(value: Any) -> bytes:
    """The result of a piece as bytes."""
    return _encoder.encode(value)


@functools.cache
def _decoder(function: Callable[..., Any]) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(typing.get_type_hints(function)["return"], dec_hook=_unpack, strict=False)


def decode(function: Callable[..., T], data: bytes) -> T:
    """What a function gave, from its bytes."""
    found: T = _decoder(function).decode(data)
    return found


def hash_of_piece(piece: str, data: bytes) -> str:
    """A hash over a piece and its result: 16 hexadecimal digits."""
    return hashlib.blake2b(piece.encode() + b"\n" + data, digest_size=8).hexdigest()


# --- The store ------------------------------------------------------------------------------------------------------------


class PieceStore:
    """What pieces came to, in a folder with the file of a tournament's store. Use it in a `with` statement.

    BadInput where the folder is in use, holds other things, or was made by another version; StoreFailure where it is damaged or
    cannot be written. A result is there when its transaction is committed; `known` counts the pieces that were there at first.
    """

    def __init__(self, folder: Path, version: str) -> None:
        check_installed()
        self.folder = folder
        self.known = 0
        self._version = version
        self._door = RLock()
        self._pieces: set[str] = set()
        self._waiting: list[tuple[str, bytes]] = []
        self._since = 0.0
        self._failure: StoreFailure | None = None
        self._lock: IO[bytes] | None = None
        self._base: duckdb.DuckDBPyConnection | None = None

    def __enter__(self) -> PieceStore:
        make_folder(self.folder)
        with opening(self.folder, self.close):
            self._check_folder()
            self._lock = locked(self.folder)
            self._base = connect(self.folder / RESULTS)
            self._open(self._base)
        return self

    def _open(self, base: duckdb.DuckDBPyConnection) -> None:
        check_kind(base, self.folder, PIECES, "a study a folder of its own")
        with transaction(base, self.folder):
            for statement in TABLES:
                base.execute(statement)
            row = base.execute("SELECT format, version FROM pieces_of").fetchone()
            if row is None:
                base.execute("INSERT INTO pieces_of VALUES (?, ?)", [FORMAT, self._version])
            self._pieces = {piece for (piece,) in base.execute("SELECT piece FROM pieces").fetchall()}
        if row is not None and row != (FORMAT, self._version):
            raise BadInput(
                f"{self.folder} is a store of version {row[1]} of this program, which is {self._version}; its numbers might be "
                "others. Play into a new folder"
            )
        self.known = len(self._pieces)

    def _check_folder(self) -> None:
        others = {path.name for path in self.folder.iterdir()} - {LOCK, f"{RESULTS}.wal"}
        if others and RESULTS not in others:
            raise BadInput(
                f"{self.folder} is a folder with other things in it; give the name of a new folder, or of a store"
            )

    def __exit__(self, *_: object) -> None:
        try:
            with self._door:
                self._flush()
        finally:
            self.close()
        if self._failure is not None:
            raise self._failure

    def close(self) -> None:
        """Let go of the files."""
        with self._door:
            for each in (self._base, self._lock):
                if each is not None:
                    each.close()
            self._base = self._lock = None

    def get(self, piece: str) -> bytes | None:
        """What a piece came to, None where it is not there; StoreFailure where it is not what was written."""
        with self._door:
            if self._failure is not None:
                raise self._failure
            if self._base is None or piece not in self._pieces:
                return None
            row = self._base.execute("SELECT result, hash FROM pieces WHERE piece = ?", [piece]).fetchone()
        if row is None:
            return None
        if row[1] != hash_of_piece(piece, row[0]):
            raise StoreFailure(f"{self.folder} is damaged: {piece:.100} is not what was written")
        return bytes(row[0])

    def put(self, piece: str, data: bytes) -> None:
        """Keep what a piece came to; committed soon."""
        with self._door:
            if not self._waiting:
                self._since = time.monotonic()
            self._waiting.append((piece, data))
            if time.monotonic() - self._since >= SECONDS_TOGETHER:
                self._flush()

    def _flush(self) -> None:
        if not self._waiting or self._base is None or self._failure is not None:
            return
        rows = [[piece, data, hash_of_piece(piece, data)] for piece, data in self._waiting]
        try:
            with transaction(self._base, self.folder):
                self._base.executemany("INSERT OR IGNORE INTO pieces VALUES (?, ?, ?)", rows)
        except StoreFailure as error:
            self._failure = error
        self._waiting.clear()


# --- The stream -----------------------------------------------------------------------------------------------------------


class Stream(Executor):
    """Workers of a study: do the pieces of many cells, several cells beside each other, and keep what pieces come to.

    `missing` are the names of the cells that were not finished when somebody stopped it, `found_again` counts pieces that were in
    the store. With `patient`, a Ctrl-C is not passed on: `cells` gives what there is.
    """

    def __init__(self, workers: Workers, store: PieceStore | None = None, patient: bool = False) -> None:
        self._workers = workers
        self._store = store
        self._patient = patient
        self._news = Condition()
        self._under_way = 0
        self.width = width_of(workers)
        self.is_here = is_here(workers)
        self.by_text = store is not None
        self.interrupted = False
        self.missing: list[str] = []
        self.found_again = 0

    def submit(self, function: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:
        """Do a piece, or find what it came to before."""
        if self.interrupted:
            raise CancelledError
        piece = piece_text(function, arguments) if self._store is not None and not named else ""
        data = self._store.get(piece) if self._store is not None and piece else None
        with self._news:
            if data is None:
                while self._under_way >= MOST * self.width and not self.interrupted:
                    self._news.wait(_POLL)
                self._under_way += 1
            else:
                self.found_again += 1
        if data is not None:
            found: Future[T] = Future()
            found.set_result(decode(function, data))
            return found
        future = self._workers.submit(function, *arguments, **named)
        future.add_done_callback(functools.partial(self._ended, piece))
        return future

    def _ended(self, piece: str, future: Future[Any]) -> None:
        try:
            if piece and self._store is not None and not future.cancelled() and future.exception() is None:
                self._store.put(piece, encode(future.result()))
        finally:  # else cells would wait for room for ever
            with self._news:
                self._under_way -= 1
                self._news.notify_all()

    def cells(self, todo: Mapping[str, Callable[[Workers], T]]) -> dict[str, T]:
        """What every cell comes to, by its name, in their order; an error of a cell is raised in its turn.

        Where somebody stops it, those that are finished, and the others are `missing`; KeyboardInterrupt without `patient`.
        """
        results: dict[str, T] = {}
        errors: dict[str, BaseException] = {}
        running: dict[str, Thread] = {}

        def play(name: str, cell: Callable[[Workers], T], own: _OfCell) -> None:
            try:
                results[name] = cell(own)
            except BaseException as error:  # noqa: BLE001 - it is raised by whoever asked for the cell
                errors[name] = error
            with self._news:
                running.pop(name, None)
                self._news.notify_all()

        try:
            for name, cell in todo.items():
                if self.interrupted or errors:
                    break
                own = _OfCell(self)
                running[name] = Thread(target=play, args=(name, cell, own), name=f"cell {name}", daemon=True)
                running[name].start()
                self._wait(lambda name=name, own=own: name not in running or own.has_asked)  # type: ignore[misc]
                self._wait(lambda: not running or self._under_way < AHEAD * self.width)
            self._wait(lambda: not running or bool(errors))
        except KeyboardInterrupt:
            self.interrupted = True
        self.interrupted |= any(isinstance(error, KeyboardInterrupt) for error in errors.values())
        if self.interrupted and not self._patient:
            raise KeyboardInterrupt
        if not self.interrupted:
            for name in todo:
                if name in errors:
                    raise errors[name]
        self.missing += [name for name in todo if name not in results]
        return {name: results[name] for name in todo if name in results}

    def tell(self) -> None:
        """Something is new for whoever waits."""
        with self._news:
            self._news.notify_all()

    def _wait(self, done: Callable[[], bool]) -> None:
        with self._news:
            while not done():
                self._news.wait(_POLL)


class _OfCell(Executor):
    """The workers as one cell has them; it is known whether it has asked for a piece yet."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self.width, self.is_here, self.by_text = stream.width, stream.is_here, stream.by_text
        self.has_asked = False

    def submit(self, function: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:
        future = self._stream.submit(function, *arguments, **named)
        if not self.has_asked:
            self.has_asked = True
            self._stream.tell()
        return future


def in_one_stream(workers: Workers, todo: Mapping[str, Callable[[Workers], T]]) -> dict[str, T]:
    """What every cell comes to, by its name, played as one stream; see `Stream.cells`."""
    stream = workers if isinstance(workers, Stream) else Stream(workers)
    return stream.cells(todo)


@contextmanager
def open_pieces(folder: Path | None, version: str) -> Iterator[PieceStore | None]:
    """The store in a folder for a while, or none."""
    if folder is None:
        yield None
        return
    with PieceStore(folder, version) as store:
        yield store
