"""One game at a table with people and artificial players: what every front end plays through, whatever the game.

A `Session` holds the truth and moves the artificial players. A front end is given a `Place`, one person's seat: its view, its
events, its moves, and no way to the rest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent
from molehunt.core.errors import AgentFailure, BadInput, IllegalAction
from molehunt.core.game import NOBODY, Game, LegalActions, Outcome, States, Views
from molehunt.core.record import Record, make_record
from molehunt.core.streams import seat_streams


@dataclass(frozen=True)
class Sitter:
    """Who sits on a seat: the name that everybody sees, and the artificial player, or None for a person."""

    name: str
    agent: Agent | None = None

    @property
    def spec(self) -> str:
        """The sitter as a record of the game names it: the agent as it is typed, or `person:NAME`."""
        return f"person:{self.name}" if self.agent is None else self.agent.name


class Session:
    """One game of `game` from `seed`, seat `s` being `sitters[s]`'s. It is a function of the seed and of what people do.

    `roles`, one a seat, seats the roles instead of dealing them. BadInput where the sitters do not fit the game.
    """

    def __init__(
        self, game: Game, sitters: Sequence[Sitter], seed: int, roles: npt.NDArray[np.int8] | None = None
    ) -> None:
        names = [sitter.name for sitter in sitters]
        if len(names) != game.seats:
            raise BadInput(f"{game.label} is set for {game.seats} seats, not {len(names)}")
        if len(set(names)) < len(names):
            raise BadInput(f"everybody at the table needs a name of his own, not {', '.join(names)}")
        self.game = game
        self.sitters = tuple(sitters)
        self.seed = seed
        self.actions: list[int] = []
        self._roles = roles
        seeds = np.array([seed], np.uint64)
        self._state = game.new(seeds, None if roles is None else roles[None, :])
        streams = seat_streams(seeds, game.seats)
        self._memories: list[Any] = [
            None if sitter.agent is None else sitter.agent.start(game, self.view(seat), streams[:, seat].copy())
            for seat, sitter in enumerate(self.sitters)
        ]
        self._news: list[list[Any]] = [[] for _ in sitters]

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        seat = int(self.game.to_move(self._state)[0])
        return None if seat == NOBODY else seat

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self.game.outcome(self._state)

    def step(self) -> bool:
        """Let the artificial player whose move it is make it; False where a person is to move or the game is over."""
        seat = self.to_move
        agent = None if seat is None else self.sitters[seat].agent
        if seat is None or agent is None:
            return False
        action = int(agent.act(self.view(seat), self._memories[seat], np.zeros(1, np.int64))[0])
        try:
            self._play(action)
        except IllegalAction as error:
            raise AgentFailure(f"{self.sitters[seat].name} ({agent.name}) at seat {seat}: {error}") from None
        return True

    def apply(self, seat: int, action: int) -> None:
        """The person on `seat` plays; IllegalAction says which rule forbids it, and then nothing has changed."""
        if self.to_move != seat:
            raise IllegalAction(seat, self.game.format_action(action), "it is not this seat's move")
        self._play(action)

    def place(self, seat: int) -> Place:
        """The place of the person on `seat`; BadInput where an artificial player sits there."""
        if not 0 <= seat < self.game.seats or self.sitters[seat].agent is not None:
            raise BadInput(f"no person sits on seat {seat}")
        return Place(self, seat)

    def truth(self) -> States:
        """The final state with all that was hidden; BadInput while the game goes on."""
        if self.outcome is None:
            raise BadInput("the cards are turned up when the game is over")
        return self._state.copy()

    def record(self) -> Record:
        """The record of the finished game; BadInput while it goes on."""
        return make_record(
            self.game,
            self.seed,
            tuple(sitter.spec for sitter in self.sitters),
            self._roles,
            self.actions,
            self._state,
        )

    def view(self, seat: int) -> Views:
        """What a seat knows, as an array of one record."""
        return self.game.views(self._state, np.array([seat], np.int8))

    def take_news(self, seat: int) -> list[Any]:
        """The events since the last call, as the person on `seat` may know them."""
        news, self._news[seat] = self._news[seat], []
        return news

    def _play(self, action: int) -> None:
        events = self.game.apply(self._state, np.array([action], np.int32))
        self.actions.append(action)
        for seat, sitter in enumerate(self.sitters):
            if sitter.agent is None:
                self._news[seat].append(events[0, seat])
            elif sitter.agent.observes:
                sitter.agent.observe(events[0, seat : seat + 1], self._memories[seat], np.zeros(1, np.int64))


class Place:
    """One person's seat at a session: everything that a front end may see and do."""

    def __init__(self, session: Session, seat: int) -> None:
        self._session = session
        self.seat = seat
        self.game = session.game
        self.names = tuple(sitter.name for sitter in session.sitters)

    @property
    def my_move(self) -> bool:
        """Whether this seat is to move."""
        return self._session.to_move == self.seat

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self._session.outcome

    @property
    def view(self) -> Any:
        """What this seat knows, as the game's friendly view."""
        return self.game.friendly_view(self.record_view)

    @property
    def record_view(self) -> Views:
        """What this seat knows, as an array of one record."""
        return self._session.view(self.seat)

    @property
    def legal_actions(self) -> LegalActions:
        """What this seat may do now; empty where it is not its move."""
        return self.game.legal_actions(self.record_view)

    def play(self, action: int | str) -> None:
        """Play an action or its notation. BadNotation or IllegalAction says what is wrong; then nothing has changed."""
        self._session.apply(self.seat, self.game.parse_action(action) if isinstance(action, str) else action)

    def wait(self) -> None:
        """Let the artificial players move until a person is to move or the game is over."""
        while self._session.step():
            pass

    def news(self) -> list[Any]:
        """The events since the last call, as this seat may know them, as records of the game."""
        return self._session.take_news(self.seat)

    def in_words(self, event: Any) -> str:
        """An event in words, with the names of those at the table."""
        return re.sub(r"\bseat (\d+)\b", lambda found: self.names[int(found[1])], self.game.format_event(event))
