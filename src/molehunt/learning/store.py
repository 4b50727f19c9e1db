"""A training run on disk: a folder that outlives being killed at any moment.

`results.duckdb` holds the curve and the league, in SQL for whoever asks; `checkpoint.pt` is all that the next updates depend on,
written whole or not at all; `weights.safetensors` is the network as it was then. What the database says of updates after the
checkpoint is forgotten when the run goes on, and comes again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

import msgspec

from molehunt.agents.networks import Network, to_bytes
from molehunt.arena.databases import (
    LOCK,
    RESULTS,
    TRAINING,
    StoreFailure,
    check_installed,
    check_kind,
    connect,
    first_line,
    kind_of,
    locked,
    make_folder,
    opening,
    tables_of,
    transaction,
)
from molehunt.core.errors import BadInput
from molehunt.core.made import rules_and_players

if TYPE_CHECKING:
    import duckdb

SECTIONS = {"network", "ppo", "league"}
DIFFERENCES_TOLD = 3
"""Of two runs that differ, how many keys are named."""
CHECKPOINT, WEIGHTS = "checkpoint.pt", "weights.safetensors"
SCHEMA = (
    "CREATE TABLE IF NOT EXISTS training (identity VARCHAR)",
    "CREATE TABLE IF NOT EXISTS rules_and_players (sources VARCHAR)",
    "CREATE TABLE IF NOT EXISTS curve (updates BIGINT, steps BIGINT, games BIGINT, name VARCHAR, value DOUBLE)",
    """CREATE TABLE IF NOT EXISTS league (updates BIGINT, steps BIGINT, opponent VARCHAR, games BIGINT, margin DOUBLE, low DOUBLE,
        high DOUBLE, wins BIGINT)""",
)
# Within an update, rows stand as they were told.
CURVE, LEAGUE = (f"SELECT * FROM {table} ORDER BY updates, rowid" for table in ("curve", "league"))  # noqa: S608 - names of our own
KNOWN = {RESULTS, f"{RESULTS}.wal", CHECKPOINT, WEIGHTS, LOCK, f"{CHECKPOINT}.new", f"{WEIGHTS}.new"}


class TrainingStore:
    """A folder opened for a run. Use it in a `with` statement. `identity` is the run's file as text, in one form.

    BadInput where the folder holds another run or other things, was begun with other rules and players, or is in use.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        check_installed()
        self.folder = folder
        self.identity = identity
        self._lock: IO[bytes] | None = None
        self._base: duckdb.DuckDBPyConnection | None = None
        self._waiting: list[tuple[str, tuple[Any, ...]]] = []

    def __enter__(self) -> TrainingStore:
        make_folder(self.folder)
        if not (self.folder / RESULTS).exists() and {path.name for path in self.folder.iterdir()} - KNOWN:
            raise BadInput(
                f"{self.folder} is a folder with other things in it; give the name of a new folder, or of a run"
            )
        with opening(self.folder, self.close):
            self._lock = locked(self.folder)
            if (self.folder / CHECKPOINT).exists() and not (self.folder / RESULTS).exists():
                raise self.damaged(f"{self.folder / RESULTS} is missing")
            self._open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def base(self) -> duckdb.DuckDBPyConnection:
        """The database of an open store."""
        if self._base is None:
            raise StoreFailure("the store is closed")
        return self._base

    def close(self) -> None:
        """Let go of the files; what has not been saved is not kept."""
        for each in (self._base, self._lock):
            if each is not None:
                each.close()
        self._base = self._lock = None

    def _open(self) -> None:
        """Open the database, and look whether this run is in it."""
        import duckdb

        try:
            self._base = connect(self.folder / RESULTS)
            check_kind(self.base, self.folder, TRAINING, "the run a folder of its own")
            with transaction(self.base, self.folder):
                for table in SCHEMA:
                    self.base.execute(table)
                self._compare()
        except duckdb.Error as error:
            raise self.damaged(f"{self.folder / RESULTS} is damaged ({first_line(error)})") from None
        except StoreFailure as error:
            raise self.damaged(str(error)) from None

    def damaged(self, reason: str) -> StoreFailure:
        """What is said where the run cannot go on for this reason, and what is left of it."""
        weights = self.folder / WEIGHTS
        left = f"; the network that was saved last is {weights}, from which another can go on (start)"
        return StoreFailure(
            f"{reason}; this run cannot go on, so give it a new folder{left if weights.is_file() else ''}"
        )

    def _compare(self) -> None:
        found = self.base.execute("SELECT identity FROM training").fetchall()
        if not found:
            self.base.execute("INSERT INTO training VALUES (?)", [self.identity])
            self.base.execute("INSERT INTO rules_and_players VALUES (?)", [rules_and_players()])
        elif found[0][0] != self.identity:
            raise BadInput(
                f"{self.folder} holds another run{differences(found[0][0], self.identity)}; give this one a folder of its own, or "
                "its own file again"
            )
        elif self.base.execute("SELECT sources FROM rules_and_players").fetchall() != [(rules_and_players(),)]:
            weights = self.folder / WEIGHTS
            begin = (
                f", or let one begin with what was learned there: start = {str(weights)!r}" if weights.is_file() else ""
            )
            raise BadInput(
                f"the run in {self.folder} was begun with other rules and players than this version of the program has, and what "
                f"it learned from would be two things; give it a new folder{begin}"
            )

    def checkpoint(self) -> bytes | None:
        """What was saved last, None at the beginning."""
        path = self.folder / CHECKPOINT
        try:
            return path.read_bytes() if path.exists() else None
        except OSError as error:
            raise StoreFailure(f"cannot read {path}: {error.strerror or error}") from None

    def forget_after(self, updates: int) -> None:
        """Forget what the database says of later updates."""
        for table in ("curve", "league"):
            self.base.execute(f"DELETE FROM {table} WHERE updates > ?", [updates])  # noqa: S608 - names of our own

    def note_curve(self, updates: int, steps: int, games: int, told: Mapping[str, float]) -> None:
        """Keep what an update told, with the next `save`."""
        for name, value in told.items():
            self._waiting.append(("INSERT INTO curve VALUES (?, ?, ?, ?, ?)", (updates, steps, games, name, value)))

    def note_league(self, row: tuple[Any, ...]) -> None:
        """Keep a row of the league, with the next `save`."""
        self._waiting.append(("INSERT INTO league VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row))

    def save(self, checkpoint: bytes, network: Network) -> None:
        """Write all that is new: first the rows, then the checkpoint that they belong to."""
        with transaction(self.base, self.folder):
            for question, values in self._waiting:
                self.base.execute(question, values)
        self._waiting = []
        for name, content in ((WEIGHTS, to_bytes(network)), (CHECKPOINT, checkpoint)):
            write_whole(self.folder / name, content)

    def curve(self) -> list[tuple[int, int, int, str, float]]:
        """All rows of the curve, in their order."""
        return self.base.execute(CURVE).fetchall()

    def league(self) -> list[tuple[int, int, str, int, float, float, float, int]]:
        """All rows of the league, in their order."""
        return self.base.execute(LEAGUE).fetchall()


@dataclass(frozen=True)
class KeptRun:
    """What the store of a run holds: the keys of its file, how far it was when it was last saved, its league."""

    run: Mapping[str, Any]
    updates: int
    steps: int
    games: int
    league: list[tuple[int, int, str, int, float, float, float, int]]


def read_run(base: duckdb.DuckDBPyConnection) -> KeptRun | None:
    """The run in an open store; None where it holds something else."""
    if kind_of(tables_of(base)) != TRAINING:
        return None
    runs = base.execute("SELECT identity FROM training").fetchall()
    ((updates, steps, games),) = base.execute(
        "SELECT coalesce(max(updates), 0), coalesce(max(steps), 0), coalesce(max(games), 0) FROM curve"
    ).fetchall()
    return KeptRun(msgspec.json.decode(runs[0][0]), updates, steps, games, base.execute(LEAGUE).fetchall())


def differences(there: str, here: str) -> str:
    """In what two runs differ, by their identities, as words after a colon; nothing where that cannot be told."""
    first, second = (_flat(msgspec.json.decode(identity)) for identity in (there, here))
    keys = [key for key in {**first, **second} if first.get(key) != second.get(key)]
    told = [f"{key} is {_said(first, key)} there and {_said(second, key)} here" for key in keys[:DIFFERENCES_TOLD]]
    more = len(keys) - len(told)
    return f": {', '.join(told)}{f', and {more} more' if more else ''}" if told else ""


def _flat(run: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a run's file, those of its sections with the section in front: `ppo.games`."""
    flat: dict[str, Any] = {}
    for key, value in run.items():
        if key in SECTIONS and isinstance(value, dict):
            flat.update({f"{key}.{inner}": each for inner, each in value.items()})
        else:
            flat[key] = value
    return flat


def _said(run: Mapping[str, Any], key: str) -> str:
    return msgspec.json.encode(run[key]).decode() if key in run else "left out"


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that whoever reads it finds the old or the new one, whole."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        with fresh.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except OSError as error:
        raise StoreFailure(f"cannot write {path}: {error.strerror or error}") from None
