"""The record of a finished game: one line of JSON that holds seed, ruleset, seats and moves, and replays to the byte."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from html import escape
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from molehunt.core.errors import BadInput, BadRecord, value_text
from molehunt.core.game import Game
from molehunt.core.language import _
from molehunt.core.notebook import table
from molehunt.core.reasons import reason_of
from molehunt.core.streams import MAX_SEED

FORMAT = 1
GZIP = b"\x1f\x8b"
"""How a file begins that is compressed by gzip."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""How a file of UTF-8 begins where some programs have written it."""
MARKS_OF_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
"""How a file of UTF-16 begins, as shells of Windows write what a command prints."""


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a recorded game ended: the reason in words and the winning seats."""

    reason: str
    winners: tuple[int, ...]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """One finished game.

    `molehunt` is the version of the format; `ruleset` is as typed (`krisnadi:saboteurs=2`); `seats` are the players as
    typed; `roles` are the roles by seat where they were seated and not dealt, else null; `moves` are in notation. `known` is, by
    seat, what players took along about the others from games before (`Agent.impressions`), where any did: without it nobody
    could tell why they moved so. `faults` is, by seat, why a player in a process of its own has lost the game by fault (empty
    where it has not), where any did: from there on chance moved in its seat, and `ending` is what came of that; `failed_after`
    is after how many moves of the game, as it was asked for the next one (null where it has not failed). `check` is a
    hash over all the others, so that a change of a player's name is noticed, too; records of older versions have none.
    """

    molehunt: int
    game: str
    ruleset: str
    seed: int
    seats: tuple[str, ...]
    roles: tuple[str, ...] | None
    moves: tuple[str, ...]
    ending: Ending
    known: tuple[Any, ...] | None = None
    faults: tuple[str, ...] | None = None
    failed_after: tuple[int | None, ...] | None = None
    check: str = ""

    def line(self) -> bytes:
        """The record as a line of JSON, newline included; the same record always gives the same bytes."""
        return msgspec.json.encode(self) + b"\n"

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won: the winning seats of the ending, but for those that have lost by fault."""
        return tuple(seat for seat in self.ending.winners if self.faults is None or not self.faults[seat])

    def _repr_html_(self) -> str:
        winners = ", ".join(map(str, self.winners)) or "nobody"
        caption = f"{self.game}/{self.ruleset}, seed {self.seed}: {self.ending.reason}; winners: {winners}"
        roles = self.roles or ("",) * len(self.seats)
        seats = table(("seat", "player", "role"), [*zip(range(len(roles)), self.seats, roles, strict=True)], caption)
        return f"{seats}<p>{len(self.moves)} moves: {escape(', '.join(self.moves))}</p>"


def check_of(record: Record) -> str:
    """The hash of all that a record says: 16 hexadecimal digits."""
    return hashlib.blake2b(msgspec.structs.replace(record, check="").line(), digest_size=8).hexdigest()


_decoder = msgspec.json.Decoder(Record)


def parse_record(line: bytes | str) -> Record:
    """Read one line; BadRecord says what is wrong with it."""
    given: object = line
    if not isinstance(given, bytes | str):
        raise BadRecord(f"a record is a line of text, not {value_text(line)}")
    try:
        record = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRecord(_("not a record of a game: {why}", why=error)) from None
    if record.molehunt != FORMAT:
        raise BadRecord(f"the record has format {record.molehunt}, this program reads format {FORMAT}")
    for name, told in (
        ("faults", record.faults),
        ("moves before faults", record.failed_after),
        ("what players took along", record.known),
    ):
        if told is not None and len(told) != len(record.seats):
            raise BadRecord(f"the record has {len(record.seats)} seats, but {name} of {len(told)}")
    if not 0 <= record.seed <= MAX_SEED:
        raise BadRecord(f"the seed must be 0 to {MAX_SEED}, not {record.seed}")
    if record.check and record.check != (found := check_of(record)):
        raise BadRecord(
            f"the record is not what was written: its check is {record.check!r:.40}, but should be {found!r}"
        )
    return record


def read_records(path: Path | str) -> Iterator[tuple[int, Record]]:
    """(line number, record) for every line of a file that is not empty; BadRecord names file and line.

    The file may be compressed by gzip, as the one in a tournament's store is, and in UTF-16, if it begins with its mark. It
    is read line by line: `for number, record in molehunt.read_records("games.jsonl")`, and each record is played again by
    `molehunt.Replay`.
    """
    given: object = path
    if not isinstance(given, Path | str):
        raise BadRecord(f"a file of records is named by its path, not by {value_text(path)}")
    try:
        stream = Path(path).open("rb")  # noqa: SIM115 - closed below: what fails while it is read is told otherwise
    except (OSError, ValueError) as error:
        raise BadRecord(_("cannot read {file}: {why}", file=path, why=reason_of(error))) from None
    with stream:
        yield from records_in(stream, path)


def records_in(stream: BufferedReader, path: Path | str) -> Iterator[tuple[int, Record]]:
    """The same for what a stream of this name holds, of which one line at a time is in memory (all, where it is UTF-16)."""
    found = False
    for number, line in enumerate(_lines(stream, path), start=1):
        if line.strip():
            found = True
            try:
                yield number, parse_record(line)
            except BadRecord as error:
                raise BadRecord(_("{file}, line {number}: {why}", file=path, number=number, why=error)) from None
    if not found:
        raise BadRecord(_("{file} holds no records", file=path))


def _lines(stream: BufferedReader, path: Path | str) -> Iterator[bytes]:
    """The lines of a stream, unpacked and in UTF-8."""
    try:
        packed = stream.peek(len(GZIP)).startswith(GZIP)
        lines: Iterator[bytes] = iter(gzip.GzipFile(fileobj=stream) if packed else stream)
        first = next(lines, b"")
        if first.startswith(MARKS_OF_UTF_16):
            yield from b"".join((first, *lines)).decode("utf-16").encode().splitlines()
            return
        for line in chain((first.removeprefix(BYTE_ORDER_MARK),), lines):
            yield from line.splitlines()
    except (OSError, EOFError, UnicodeError, zlib.error) as error:
        raise BadRecord(_("cannot read {file}: {why}", file=path, why=reason_of(error))) from None


def make_record(
    game: Game,
    seed: int,
    seats: tuple[str, ...],
    roles: Any,
    actions: list[int],
    state: Any,
    known: tuple[Any, ...] | None = None,
    faults: tuple[str, ...] | None = None,
    failed_after: tuple[int | None, ...] | None = None,
) -> Record:
    """The record of a finished game; `roles` are the roles by number where they were seated, else None."""
    outcome = game.outcome(state)
    if outcome is None:
        raise BadInput("a record is made of a finished game")
    record = Record(
        molehunt=FORMAT,
        game=game.name,
        ruleset=game.spec,
        seed=seed,
        seats=seats,
        roles=None if roles is None else tuple(game.roles[int(role)] for role in roles),
        moves=tuple(game.named(int(action)).text for action in actions),
        ending=Ending(outcome.reason, outcome.winners),
        known=known,
        faults=faults,
        failed_after=failed_after,
    )
    return msgspec.structs.replace(record, check=check_of(record))
