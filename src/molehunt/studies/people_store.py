"""Where games with people are kept: a DuckDB file, as that of a tournament, with records, answers, and no names.

A person is a number. Who plays comes back by a secret link, of which the store holds a hash alone. What somebody withdraws is not
only deleted but written out of the file. Made-up people of a rehearsal have a store of their own, which says what it is.
"""

from __future__ import annotations

import contextlib
import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from molehunt.arena.databases import (
    PEOPLE,
    RESULTS,
    StoreFailure,
    check_installed,
    check_kind,
    connect,
    locked,
    make_folder,
    name_for_database,
    open_for_reading,
    opening,
    transaction,
)
from molehunt.core.errors import BadInput
from molehunt.core.record import Record, parse_record
from molehunt.core.streams import MAX_SEED
from molehunt.studies.people_protocol import PROTOCOL

if TYPE_CHECKING:
    import duckdb

FORMAT = 1
TOKEN_BYTES = 18
"""144 random bits in a person's link: nobody finds one by trying."""
TABLES = (
    "CREATE TABLE people_of (format INTEGER, rehearsal BOOLEAN, next_person INTEGER)",
    "CREATE TABLE people (person INTEGER, link VARCHAR, seed UBIGINT, protocol INTEGER)",
    "CREATE TABLE people_games (person INTEGER, game INTEGER, place VARCHAR, record VARCHAR)",
    "CREATE TABLE people_answers (person INTEGER, question VARCHAR, answer VARCHAR)",
)
"""`place` is the server's table at which a game is played; `link` the hash of a person's link; `seed` that of their series."""
FRESH = "withdrawn.duckdb"
"""The file without what somebody withdrew, until it takes the other's place; where it is there, the other is to be written anew."""


@dataclass(frozen=True)
class Person:
    """Somebody who takes part: their number from 0, and the seed of their series."""

    number: int
    seed: int


@dataclass
class Kept:
    """What is kept of somebody: the records of their finished games by number, where each game is or was played, their answers."""

    records: dict[int, Record] = field(default_factory=dict)
    places: dict[int, str] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)


class PeopleStore:
    """The store, opened by the server that people play on. Use it in a `with` statement.

    BadInput where the folder is in use, is the store of something else, or holds made-up people and real ones are to play
    (or the other way round); StoreFailure where it cannot be written.
    """

    def __init__(self, folder: Path, rehearsal: bool = False) -> None:
        check_installed()
        self.folder = folder
        self.rehearsal = rehearsal
        self._lock: IO[bytes] | None = None
        self._base: duckdb.DuckDBPyConnection | None = None

    def __enter__(self) -> PeopleStore:
        make_folder(self.folder)
        with opening(self.folder, self.close):
            self._lock = locked(self.folder)
            self._base = connect(self.folder / RESULTS)
            self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        for each in (self._base, self._lock):
            if each is not None:
                each.close()
        self._base = self._lock = None

    def _open(self) -> None:
        if not check_kind(self.base, self.folder, PEOPLE, "the people a folder of their own"):
            begun = ("INSERT INTO people_of VALUES (?, ?, 0)", [FORMAT, self.rehearsal])
            self._do(*((statement, []) for statement in TABLES), begun)
        ((form, rehearsal),) = self._all("SELECT format, rehearsal FROM people_of")
        if form != FORMAT:
            raise BadInput(f"{self.folder} is a store of another version of this program")
        if (self.folder / FRESH).exists():
            self._write_anew()
        if rehearsal != self.rehearsal:
            whose = "made-up people of a rehearsal: add --rehearsal" if rehearsal else "people: leave --rehearsal out"
            raise BadInput(f"{self.folder} is a store of {whose}, or name another folder")

    @property
    def base(self) -> duckdb.DuckDBPyConnection:
        """The database of an open store."""
        if self._base is None:
            raise StoreFailure("the store is closed")
        return self._base

    def _all(self, query: str, values: list[Any] | None = None) -> list[tuple[Any, ...]]:
        return self.base.execute(query, values or []).fetchall()

    def _do(self, *statements: tuple[str, list[Any]]) -> None:
        """Some statements as one transaction."""
        with transaction(self.base, self.folder):
            for statement, values in statements:
                self._all(statement, values)

    def join(self) -> str:
        """Take in somebody who has agreed; their secret link."""
        link = secrets.token_urlsafe(TOKEN_BYTES)
        seed = secrets.randbelow(MAX_SEED + 1)
        self._do(
            ("INSERT INTO people SELECT next_person, ?, ?, ? FROM people_of", [_hash(link), seed, PROTOCOL]),
            ("UPDATE people_of SET next_person = next_person + 1", []),
        )
        return link

    def person(self, link: str) -> Person | None:
        """Who has a link; None where nobody has."""
        rows = self._all("SELECT person, seed FROM people WHERE link = ?", [_hash(link)])
        return Person(*rows[0]) if rows else None

    def kept(self, person: Person) -> Kept:
        """What is kept of somebody."""
        return _kept(self._all, person.number)

    def begin(self, person: Person, game: int, place: str) -> None:
        """A game is played at a place."""
        self._do(
            ("DELETE FROM people_games WHERE person = ? AND game = ? AND record IS NULL", [person.number, game]),
            ("INSERT INTO people_games VALUES (?, ?, ?, NULL)", [person.number, game, place]),
        )

    def end(self, place: str, record: Record) -> None:
        """The game at a place is over; told again, or of another place, it changes nothing."""
        line = record.line().decode()
        self._do(("UPDATE people_games SET record = ? WHERE place = ? AND record IS NULL", [line, place]))

    def answer(self, person: Person, answers: Mapping[str, str]) -> None:
        """Keep answers; the last to a question counts."""
        for question, text in answers.items():
            self._do(
                ("DELETE FROM people_answers WHERE person = ? AND question = ?", [person.number, question]),
                ("INSERT INTO people_answers VALUES (?, ?, ?)", [person.number, question, text]),
            )

    def withdraw(self, person: Person) -> None:
        """Forget all of somebody, and write the file anew, so that nothing of it is left there."""
        tables = ("people", "people_games", "people_answers")
        try:
            (
                self.folder / FRESH
            ).touch()  # what is deleted and still in the file is written out of it when the store is next opened
        except OSError as error:
            raise StoreFailure(f"cannot write into {self.folder}: {error.strerror or error}") from None
        self._do(*((f"DELETE FROM {table} WHERE person = ?", [person.number]) for table in tables))  # noqa: S608
        self._write_anew()

    def _write_anew(self) -> None:
        """Put a file in the place of this one that has nothing of what was deleted; StoreFailure where that cannot be."""
        import duckdb

        file, fresh = self.folder / RESULTS, self.folder / FRESH
        try:
            fresh.unlink(missing_ok=True)
            ((name,),) = self._all("SELECT current_database()")
            named = name_for_database(fresh).replace("'", "''")
            self._all(f"ATTACH '{named}' AS fresh")
            try:
                self._all(f'COPY FROM DATABASE "{name}" TO fresh')
            finally:
                self._all("DETACH fresh")
            self.base.close()
            try:
                fresh.replace(file)
            finally:
                self._base = connect(file)
        except (duckdb.Error, OSError) as error:
            with contextlib.suppress(OSError):
                fresh.touch()
            raise StoreFailure(f"what was withdrawn is deleted, but {file} cannot be written anew: {error}") from None


def _hash(link: str) -> str:
    return hashlib.sha256(link.encode()).hexdigest()


def _kept(ask: Any, number: int) -> Kept:
    games = ask("SELECT game, place, record FROM people_games WHERE person = ? ORDER BY game", [number])
    answers = ask("SELECT question, answer FROM people_answers WHERE person = ? ORDER BY question", [number])
    return Kept(
        {game: parse_record(record) for game, _, record in games if record is not None},
        {game: place for game, place, _ in games},
        dict(answers),
    )


def read_people(folder: Path) -> tuple[bool, list[Kept]]:
    """(whether they are made up, what is kept of each) of a store; BadInput where it is none."""
    with open_for_reading(folder, (PEOPLE,)) as base:

        def ask(query: str, values: list[Any]) -> list[tuple[Any, ...]]:
            return base.execute(query, values).fetchall()

        ((rehearsal,),) = ask("SELECT rehearsal FROM people_of", [])
        numbers = ask("SELECT person FROM people ORDER BY person", [])
        return bool(rehearsal), [_kept(ask, number) for (number,) in numbers]
