"""The record of a finished game: one line of JSON that holds seed, ruleset, seats and moves, and replays to the byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from molehunt.core.errors import BadInput, BadRecord, IllegalAction
from molehunt.core.game import Game, States, Views
from molehunt.core.notebook import Markup, table
from molehunt.core.streams import MAX_SEED

FORMAT = 1


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a recorded game ended: the reason in words and the winning seats."""

    reason: str
    winners: tuple[int, ...]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One finished game.

    `molehunt` is the version of the format; `ruleset` is as typed (`krisnadi:saboteurs=2`); `seats` are the players as
    typed; `roles` are the roles by seat where they were seated and not dealt, else null; `moves` are in notation.
    """

    molehunt: int
    game: str
    ruleset: str
    seed: int
    seats: tuple[str, ...]
    roles: tuple[str, ...] | None
    moves: tuple[str, ...]
    ending: Ending

    def line(self) -> bytes:
        """The record as a line of JSON, newline included; the same record always gives the same bytes."""
        return msgspec.json.encode(self) + b"\n"

    def _repr_html_(self) -> str:
        winners = ", ".join(map(str, self.ending.winners)) or "nobody"
        caption = f"{self.game}/{self.ruleset}, seed {self.seed}: {self.ending.reason}; winners: {winners}"
        roles = self.roles or ("",) * len(self.seats)
        seats = table(("seat", "player", "role"), [*zip(range(len(roles)), self.seats, roles, strict=True)], caption)
        return f"{seats}<p>{len(self.moves)} moves: {escape(', '.join(self.moves))}</p>"


_decoder = msgspec.json.Decoder(Record)


def parse_record(line: bytes) -> Record:
    """Read one line; BadRecord says what is wrong with it."""
    try:
        record = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRecord(f"not a record of a game: {error}") from None
    if record.molehunt != FORMAT:
        raise BadRecord(f"the record has format {record.molehunt}, this program reads format {FORMAT}")
    if not 0 <= record.seed <= MAX_SEED:
        raise BadRecord(f"the seed must be 0 to {MAX_SEED}, not {record.seed}")
    return record


def read_records(path: Path) -> Iterator[tuple[int, Record]]:
    """(line number, record) for every line of a file that is not empty; BadRecord names file and line."""
    try:
        lines = path.read_bytes().splitlines()
    except (OSError, ValueError) as error:
        raise BadRecord(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    found = False
    for number, line in enumerate(lines, start=1):
        if line.strip():
            found = True
            try:
                yield number, parse_record(line)
            except BadRecord as error:
                raise BadRecord(f"{path}, line {number}: {error}") from None
    if not found:
        raise BadRecord(f"{path} holds no records")


def make_record(game: Game, seed: int, seats: tuple[str, ...], roles: Any, actions: list[int], state: Any) -> Record:
    """The record of a finished game; `roles` are the roles by number where they were seated, else None."""
    outcome = game.outcome(state)
    if outcome is None:
        raise BadInput("a record is made of a finished game")
    return Record(
        molehunt=FORMAT,
        game=game.name,
        ruleset=game.spec,
        seed=seed,
        seats=seats,
        roles=None if roles is None else tuple(game.roles[int(role)] for role in roles),
        moves=tuple(game.format_action(action) for action in actions),
        ending=Ending(outcome.reason, outcome.winners),
    )


class Replay:
    """A record played again, move by move: `states[k]` is the state after k moves, shape (1,) each.

    BadRecord names the move that is not legal, or the ending that does not come out.
    """

    def __init__(self, record: Record, make_game: Callable[[str, str, int], Game]) -> None:
        self.record = record
        try:
            self.game = make_game(record.game, record.ruleset, len(record.seats))
            roles = None
            if record.roles is not None:
                roles = np.array([[self.role_number(role) for role in record.roles]], np.int8)
            state = self.game.new(np.array([record.seed], np.uint64), roles)
        except BadInput as error:
            raise BadRecord(f"the record cannot be set up: {error}") from None
        self.states: list[States] = [state.copy()]
        self.actions: list[int] = []
        self.events: list[Any] = []
        for number, text in enumerate(record.moves, start=1):
            if self.game.to_move(state)[0] < 0:
                raise BadRecord(f"move {number}, {text!r:.60}, comes after the end of the game")
            try:
                action = self.game.parse_action(text)
                events = self.game.apply(state, np.array([action], np.int32))
            except (BadInput, IllegalAction) as error:
                raise BadRecord(f"move {number}: {error}") from None
            self.actions.append(int(action))
            self.events.append(events[0])
            self.states.append(state.copy())
        if self.game.outcome(state) is None:
            raise BadRecord(f"the record stops after {len(record.moves)} moves, before the end of the game")
        again = make_record(
            self.game, record.seed, record.seats, roles[0] if roles is not None else None, self.actions, state
        )
        if again != record:
            wrong = [name for name in record.__struct_fields__ if getattr(again, name) != getattr(record, name)]
            raise BadRecord(f"the replay gives another {' and '.join(wrong)}: {getattr(again, wrong[0])!r:.120}")

    def role_number(self, role: str) -> int:
        """The number of a role's name."""
        if role not in self.game.roles:
            raise BadInput(f"no role is called {role!r:.40}; roles are {', '.join(self.game.roles)}")
        return self.game.roles.index(role)

    def view(self, move: int, seat: int | None = None) -> Views:
        """The view after `move` moves, of `seat`, by default of the seat to move (or of the last one that moved)."""
        state = self.states[move]
        if seat is None:
            to_move = int(self.game.to_move(state)[0])
            seat = to_move if to_move >= 0 else int(self.game.to_move(self.states[move - 1])[0])
        return self.game.views(state, np.array([seat], np.int8))

    def _repr_html_(self) -> str:
        told = [
            (number, self.game.format_event(self.game.public_event(events)))
            for number, events in enumerate(self.events, start=1)
        ]
        end = Markup(self.game.draw_svg(self.game.public_view(self.states[-1])))
        return f"{end}{table(('move', 'what happened'), told, self.game.label)}"
