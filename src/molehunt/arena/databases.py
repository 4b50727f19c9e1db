"""Databases of stores: one process plays into a folder, others read it meanwhile, and no kind of store is taken for another.

A store is a folder with a DuckDB file, RESULTS, and the file LOCK, which is held by the process that plays. What the file is one of
is known by a table that only this kind has (KINDS).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from molehunt.core.errors import BadInput, MolehuntError

if TYPE_CHECKING:
    import duckdb

RESULTS, LOCK = "results.duckdb", "lock"
TOURNAMENT, PEOPLE, TRAINING, PIECES = "tournament", "people_of", "training", "pieces_of"
KINDS = {
    TOURNAMENT: ("tournament", "a tournament"),
    PEOPLE: ("games with people", "games with people"),
    TRAINING: ("training run", "a training run"),
    PIECES: ("pieces of studies", "what was played of studies"),
}
"""By the table that only one kind of store has: what is kept in it, after `no`, and by itself."""
QUERY_INTERRUPTED = "Query interrupted"
"""What DuckDB says where a Ctrl-C comes in the middle of a question."""


class StoreFailure(MolehuntError):
    """A store is damaged, or cannot be written."""


def check_installed() -> None:
    """Raise MolehuntError if DuckDB is missing."""
    try:
        import duckdb  # noqa: F401
    except ImportError as error:
        raise MolehuntError("a store needs duckdb: pip install 'molehunt[report]'") from error


def first_line(error: BaseException) -> str:
    """What an error of the database says, without the lines that quote the query."""
    return str(error).strip().split("\n", 1)[0] or type(error).__name__


def tables_of(base: duckdb.DuckDBPyConnection) -> set[str]:
    """The names of all tables in a database."""
    return {name for (name,) in base.execute("SELECT table_name FROM duckdb_tables()").fetchall()}


def kind_of(tables: set[str]) -> str | None:
    """Of what kind (of KINDS) a store with these tables is; None where it is none."""
    return next((kind for kind in KINDS if kind in tables), None)


def check_kind(base: duckdb.DuckDBPyConnection, folder: Path, kind: str, room: str) -> bool:
    """Whether the database of a folder holds a store of a kind (of KINDS) already; False where it is empty. Nothing is changed.

    BadInput where it is one of something else; `room` says what is to be given to whom instead: `the run a folder of its own`.
    StoreFailure where it cannot be read.
    """
    import duckdb

    try:
        held = tables_of(base)
    except duckdb.Error as error:
        raise StoreFailure(f"{folder / RESULTS} cannot be read: {first_line(error)}") from None
    found = kind_of(held)
    if held and found != kind:
        what = "something else" if found is None else KINDS[found][1]
        raise BadInput(f"{folder} is the store of {what}; give {room}")
    return bool(held)


@contextlib.contextmanager
def transaction(base: duckdb.DuckDBPyConnection, folder: Path) -> Iterator[None]:
    """One transaction in the database of a folder; after an error nothing of it is there.

    StoreFailure where it cannot be written.
    """
    import duckdb

    base.execute("BEGIN")
    try:
        yield
        base.execute("COMMIT")
    except BaseException as error:
        with contextlib.suppress(duckdb.Error):
            base.execute("ROLLBACK")
        if isinstance(error, duckdb.Error):
            raise StoreFailure(f"cannot write into {folder / RESULTS}: {first_line(error)}") from None
        raise


def name_for_database(path: Path) -> str:
    """A name as the database takes it, which is text in UTF-8 whatever this system's encoding is; BadInput where it is none."""
    try:
        return os.fsencode(path).decode("utf-8")
    except UnicodeError:
        raise BadInput(
            f"cannot use {path} as a store: its path is no text in UTF-8, as the database needs it"
        ) from None


def make_folder(folder: Path) -> None:
    """Make the folder of a store where there is none; BadInput where that cannot be, or where the folder around it is not there."""
    name_for_database(folder)
    try:
        folder.mkdir(exist_ok=True)
    except FileNotFoundError:
        raise BadInput(f"cannot use {folder} as a store: there is no folder {folder.parent}") from None
    except FileExistsError:
        raise BadInput(f"cannot use {folder} as a store: it is no folder; give the name of one") from None
    except OSError as error:
        raise BadInput(f"cannot use {folder} as a store: {error.strerror or error}") from None


def locked(folder: Path) -> IO[bytes]:
    """The lock of a folder, held as long as it is open; BadInput where another process holds it."""
    # Without a buffer: where nothing can be written, nothing is left to be written as the file is let go of.
    file = (folder / LOCK).open("a+b", buffering=0)
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # where there is no flock, the database's own lock has to do
        return file
    except OSError:
        file.seek(0)
        holder = file.read(20).decode("ascii", "replace").strip()
        file.close()
        who = f" (process {holder})" if holder else ""
        raise BadInput(
            f"another process{who} is playing into {folder}; wait for it, or play into another folder"
        ) from None
    file.truncate(0)
    file.write(f"{os.getpid()}\n".encode())
    return file


@contextlib.contextmanager
def opening(folder: Path, close: Callable[[], None]) -> Iterator[None]:
    """Where a store is opened: on any error it lets go of its files; StoreFailure where the folder cannot be written."""
    try:
        yield
    except OSError as error:
        close()
        raise not_written(folder, error) from None
    except BaseException:
        close()
        raise


def not_written(folder: Path, error: OSError) -> StoreFailure:
    """What is said where a store cannot be written."""
    return StoreFailure(f"cannot write into {folder}: {error.strerror or error}")


@contextlib.contextmanager
def interruptible() -> Iterator[None]:
    """Where questions are put to a database: a Ctrl-C in the middle of one comes out as a KeyboardInterrupt, as it does elsewhere.

    DuckDB takes it for itself and raises a RuntimeError.
    """
    try:
        yield
    except RuntimeError as error:
        if str(error) == QUERY_INTERRUPTED:
            raise KeyboardInterrupt from None
        raise


def connect(path: Path) -> duckdb.DuckDBPyConnection:
    """A database for writing; StoreFailure says why it cannot be opened."""
    import duckdb

    try:
        return duckdb.connect(name_for_database(path))
    except duckdb.Error as error:
        raise StoreFailure(f"{path} cannot be opened: {first_line(error)}") from None


@contextlib.contextmanager
def open_for_reading(folder: Path, kinds: tuple[str, ...] = (TOURNAMENT,)) -> Iterator[duckdb.DuckDBPyConnection]:
    """The database of a store, for questions only: nothing can be changed, and no other file be read.

    It must be a store of one of `kinds` (of KINDS). A store into which a tournament is being played is read as it was a moment ago,
    from a copy. BadInput where there is no such store.
    """
    check_installed()
    import duckdb

    path = folder / RESULTS if folder.is_dir() else folder
    if not path.is_file():
        made_by = "tournament FILE --store" if TOURNAMENT in kinds else "serve --people"
        raise BadInput(f"{folder} is no store: there is no {RESULTS} in it; `molehunt {made_by} {folder}` makes one")
    if path == folder and not _is_database(path):
        raise BadInput(f"{path} is no database of a store; give the folder of the store, or the {RESULTS} in it")
    with contextlib.ExitStack() as stack:
        try:
            base = _read_only(path)
        except duckdb.Error as error:
            if "lock" not in str(error).lower():
                raise StoreFailure(f"{path} cannot be read: {first_line(error)}") from None
            base = _read_only_copy(path, Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="molehunt-"))))
        with contextlib.closing(base):
            try:
                found = kind_of(tables_of(base))
                if found not in kinds:
                    other = "" if found is None else f" but {KINDS[found][1]}"
                    raise BadInput(f"{path} holds no {KINDS[kinds[0]][0]}{other}")
            except duckdb.Error as error:
                raise StoreFailure(f"{path} cannot be read: {first_line(error)}") from None
            with interruptible():
                yield base


def _is_database(path: Path) -> bool:
    """Whether a file begins as DuckDB's do: it would take others by their names, `.json` for one, for something else."""
    try:
        with path.open("rb") as file:
            return file.read(12)[8:] == b"DUCK"
    except OSError as error:
        raise StoreFailure(f"{path} cannot be read: {error.strerror}") from None


def _read_only(path: Path) -> duckdb.DuckDBPyConnection:
    import duckdb

    return duckdb.connect(
        name_for_database(path),
        read_only=True,
        config={"enable_external_access": "false", "lock_configuration": "true"},
    )


def _read_only_copy(path: Path, folder: Path) -> duckdb.DuckDBPyConnection:
    """A copy of a database that is being written: the file and its log, which only grows until the file itself changes."""
    import duckdb

    tries = 20
    for left in reversed(range(tries)):
        before = path.stat()
        copy = folder / f"{left}.duckdb"
        shutil.copyfile(path, copy)
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(f"{path}.wal", f"{copy}.wal")
        after = path.stat()
        try:
            if (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size):
                return _read_only(copy)
        except duckdb.Error as error:
            if not left:
                raise StoreFailure(f"{path} is being written and cannot be read: {first_line(error)}") from None
        time.sleep(0.05)
    raise BadInput(f"{path} is being written without a pause; ask again")
