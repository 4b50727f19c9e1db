"""Games played again, from records and from other programs' logs: the game at every move, and the proof that its end comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from molehunt.core.errors import BadInput, BadRecord, IllegalAction, value_text
from molehunt.core.game import Game, States, Views
from molehunt.core.notebook import Markup, table
from molehunt.core.numbers import is_whole
from molehunt.core.position import Position
from molehunt.core.record import Record
from molehunt.core.seats import NOBODY


class Played:
    """A game played again, move by move: `states[k]` is the state after k moves, shape (1,) each; `position` is the end.

    `seats` are the players as they were called. BadRecord names the move that is not legal.
    """

    def __init__(self, position: Position, seats: Sequence[str]) -> None:
        self.game = position.game
        self.position = position
        self.seats = tuple(seats)
        self.states: list[States] = [position.states.copy()]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {', '.join(self.seats)}: {self.position!r}>"

    def play(self, text: str, action: int | str) -> None:
        """Play a further move, an action or its notation; `text` is how it was written."""
        number = len(self.states)
        if self.position.to_move == NOBODY:
            raise BadRecord(f"move {number}, {text!r:.60}, comes after the end of the game")
        try:
            self.position.play(action)
        except (BadInput, IllegalAction) as error:
            raise BadRecord(f"move {number}: {error}") from None
        self.states.append(self.position.states.copy())

    @property
    def actions(self) -> list[int]:
        """The moves as ints."""
        return self.position.actions

    @property
    def events(self) -> list[Any]:
        """What each seat learned of each move: shape (seats,) each."""
        return self.position.events

    def view(self, move: int, seat: int | None = None) -> Views:
        """The view after `move` moves, of `seat`, by default of the seat to move (or of the last one that moved).

        BadInput where there is no such seat, or were not so many moves.
        """
        for what, number, last in (("moves", move, len(self.states) - 1), ("seats", seat, self.game.seats - 1)):
            given: object = number
            if seat is None and what == "seats":
                continue
            if not is_whole(given) or not 0 <= given <= last:
                raise BadInput(f"this game has {what} 0 to {last}, not {value_text(number)}")
        state = self.states[move]
        if seat is None:
            to_move = int(self.game.to_move(state)[0])
            seat = to_move if to_move >= 0 else int(self.game.to_move(self.states[move - 1])[0])
        return self.game.views(state, np.array([seat], np.int8))


@dataclass(frozen=True)
class Logged:
    """A game that another program has played and logged: the line of its beginning, counted from 1, and what plays it again.

    `replay` gives the game, also where it was broken off; BadRecord says at which line what is wrong.
    """

    line: int
    replay: Callable[[], Played]


class Replay(Played):
    """A record played again: `position` is its end, and `position.before(move)` any position on the way, with its seated roles.

    `make_game` is `molehunt.make_game`, or a function like it that makes the games of records. BadRecord names the move that is not
    legal, or the ending that does not come out.

    >>> position = molehunt.deal("duel", seed=1)
    >>> while position.outcome is None:
    ...     _ = position.play(position.legal_actions[0])
    >>> molehunt.Replay(position.record, molehunt.make_game).position.outcome == position.outcome
    True
    """

    def __init__(self, record: Record, make_game: Callable[[str, str, int], Game]) -> None:
        given: object = record
        if not isinstance(given, Record):
            raise BadRecord(f"a record is what parse_record and read_records give, not {value_text(record)}")
        try:
            game = make_game(record.game, record.ruleset, len(record.seats))
            # A game's name may be written with hyphens.
            record = msgspec.structs.replace(record, game=game.name)
            roles = None if record.roles is None else [role_number(game, role) for role in record.roles]
            position = Position(game, record.seed, roles)
        except BadInput as error:
            raise BadRecord(f"the record cannot be set up: {error}") from None
        super().__init__(position, record.seats)
        self.record = record
        for text in record.moves:
            self.play(text, text)
        if position.outcome is None:
            raise BadRecord(f"the record stops after {len(record.moves)} moves, before the end of the game")
        # The check was compared when the record was read; older records have none.
        again = position.record_of(record.seats, record.known)
        again = msgspec.structs.replace(
            again, faults=record.faults, failed_after=record.failed_after, check=record.check
        )
        if again != record:
            wrong = [name for name in record.__struct_fields__ if getattr(again, name) != getattr(record, name)]
            raise BadRecord(f"the replay gives another {' and '.join(wrong)}: {getattr(again, wrong[0])!r:.120}")

    def _repr_html_(self) -> str:
        told = [
            (number, self.game.format_event(self.game.public_event(events)))
            for number, events in enumerate(self.events, start=1)
        ]
        end = Markup(self.game.draw_svg(self.game.public_view(self.states[-1])))
        return f"{end}{table(('move', 'what happened'), told, self.game.label)}"


def role_number(game: Game, role: str) -> int:
    """The number of a role's name."""
    if role not in game.roles:
        known = f"roles are {', '.join(game.roles)}" if game.roles else f"{game.name} has none"
        raise BadInput(f"no role is called {role!r:.40}; {known}")
    return game.roles.index(role)
