"""One game at a table with people and artificial players: what every front end plays through, whatever the game.

A `Session` holds the truth and moves the artificial players. A front end is given a `Place`, one person's seat: its view, its
events, its moves, and no way to the rest. A session can be saved, and gone on with from what was saved; it can be set back to any
of its moves, on which `reasons` rests.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent, actions_of, one_chair
from molehunt.core.errors import AgentFailure, BadInput, BadRecord, IllegalAction, RuleWithoutText
from molehunt.core.game import Events, Game, LegalActions, Outcome, States, Views
from molehunt.core.language import _
from molehunt.core.meanwhile import is_at_hand, machine_code
from molehunt.core.panels import named
from molehunt.core.position import PERSON, Position
from molehunt.core.record import Record
from molehunt.core.seats import NOBODY
from molehunt.core.streams import seat_streams
from molehunt.games.registry import game_entry, is_game


@dataclass(frozen=True)
class Sitter:
    """Who sits on a seat: the name that everybody sees, and the artificial player, or None for a person.

    `hidden`: which artificial player it is, is told at the end of the game.
    """

    name: str
    agent: Agent | None = None
    hidden: bool = False

    @property
    def spec(self) -> str:
        """The sitter as a record of the game names it: the agent as it is typed, or `person:NAME`."""
        return f"{PERSON}{self.name}" if self.agent is None else self.agent.name


class Saved(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A session that can be gone on with: who sits where (`names` and `seats`, specs as in a record) and what was played.

    `known`: as for `Session`. `hidden` are the seats of which it is told at the end who plays there.
    """

    game: str
    ruleset: str
    seed: int
    names: tuple[str, ...]
    seats: tuple[str, ...]
    roles: tuple[int, ...] | None
    moves: tuple[str, ...]
    known: tuple[Any, ...] | None = None
    hidden: tuple[int, ...] = ()


def saved_in(content: bytes) -> Saved | None:
    """The saved game of what a file holds; None where it is something else, or of a game that is not here."""
    try:
        saved = msgspec.json.decode(content, type=Saved)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return saved if is_game(saved.game) else None


def command(game: str) -> str:
    """What a game is called on the command line."""
    return game.replace("_", "-")


def resuming(game: str, file: str) -> str:
    """The command that goes on with a saved game; `file` stands there as a shell takes it."""
    return f"molehunt play {game_entry(game).command} --resume {file}"


def thinking_of(game: str, spec: str) -> str:
    """What the kernels are called (`core.meanwhile`) that a player thinks with: a part of those of its game."""
    return f"{game}/{spec.partition(':')[0]}"


class Session:
    """One game of `game` from `seed`, seat `s` being `sitters[s]`'s. It is a function of the seed and of what people do.

    `roles`, one a seat, seats the roles instead of dealing them. `limit` is the time for a person's move in seconds, None for as
    long as they like; what happens after it is the front end's business. `known`, one a seat, is what artificial players take along
    about the others from the same sitters' game before (`impressions`). BadInput where the sitters, or this, do not fit the game.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - a table, and what a game there begins with
        self,
        game: Game,
        sitters: Sequence[Sitter],
        seed: int,
        roles: npt.NDArray[np.int8] | None = None,
        limit: float | None = None,
        known: Sequence[Any] | None = None,
    ) -> None:
        names = [sitter.name for sitter in sitters]
        if len(names) != game.seats:
            raise BadInput(f"{game.label} is set for {game.seats} seats, not {len(names)}")
        if len(set(names)) < len(names):
            raise BadInput(f"everybody at the table needs a name of their own, not {', '.join(names)}")
        self.game = game
        self.sitters = tuple(sitters)
        self.names = tuple(names)
        self.seed = seed
        self.limit = limit
        self._roles = roles
        if known is not None and len(known) != game.seats:
            raise BadInput(f"what players take along is said for each of {game.seats} seats, not {len(known)}")
        self._known = None if known is None else tuple(known)
        self._deal()

    def _deal(self) -> None:
        self.position = Position(self.game, self.seed, self._roles)
        """The play itself, with all that is hidden: for this room alone."""
        streams = seat_streams(np.array([self.seed], np.uint64), self.game.seats)
        self._memories: list[Any] = []
        for seat, sitter in enumerate(self.sitters):
            memory = None
            if sitter.agent is not None:
                memory = sitter.agent.start(self.game, self.view(seat), streams[:, seat].copy())
                known = None if self._known is None else self._known[seat]
                if known is not None:
                    sitter.agent.meet_again(memory, 0, known)
            self._memories.append(memory)
        self.tells_later = False
        """Whether players that may fail are told what happened by `tell` alone, which may take them for ever."""
        self._untold: deque[tuple[int, Events]] = deque()
        self._told = [0] * self.game.seats
        self._since = time.monotonic()
        self._left: dict[int, States] = {}

    @property
    def actions(self) -> list[int]:
        """The moves made, as ints."""
        return self.position.actions

    @property
    def events(self) -> list[Any]:
        """What each seat learned of each move: shape (seats,) each."""
        return self.position.events

    # --- The game -------------------------------------------------------------------------------------------------------

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        seat = self.position.to_move
        return None if seat == NOBODY else seat

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self.position.outcome

    @property
    def time_left(self) -> float | None:
        """Seconds that the person to move has left; None without a limit, or where no person is to move."""
        seat = self.to_move
        if self.limit is None or seat is None or self.sitters[seat].agent is not None:
            return None
        return max(0.0, self.limit - (time.monotonic() - self._since))

    @property
    def waits_for_code(self) -> bool:
        """Whether the artificial player whose move it is cannot think before machine code is made for it."""
        seat = self.to_move
        agent = None if seat is None else self.sitters[seat].agent
        return (
            agent is not None and agent.needs_machine_code and not is_at_hand(thinking_of(self.game.name, agent.name))
        )

    def think(self) -> int:
        """What the artificial player whose move it is plays. It is thought once: `step` and `play_thought` play it."""
        seat = self.to_move
        agent = None if seat is None else self.sitters[seat].agent
        if seat is None or agent is None:
            raise BadInput(_("no artificial player is to move"))
        view = self.view(seat)
        with machine_code(thinking_of(self.game.name, agent.name), agent.needs_machine_code):
            return int(actions_of(agent, agent.act(view, self._memories[seat], one_chair()), 1)[0])

    def play_thought(self, action: int) -> None:
        """Play what `think` gave; AgentFailure where the rules forbid it."""
        seat = self.to_move
        if seat is None:
            raise BadInput(_("the game is over"))
        try:
            self._play(action)
        except IllegalAction as error:
            name = self.sitters[seat].name
            raise AgentFailure(f"{name} ({self.sitters[seat].spec}) at seat {seat}: {error}") from None

    def step(self) -> bool:
        """Let the artificial player whose move it is make it; False where a person is to move or the game is over."""
        seat = self.to_move
        if seat is None or self.sitters[seat].agent is None:
            return False
        self.play_thought(self.think())
        return True

    def apply(self, seat: int, action: int) -> None:
        """The person on `seat` plays; IllegalAction says which rule forbids it, and then nothing has changed.

        BadInput where an artificial player sits there.
        """
        self._check_person(seat)
        if self.to_move != seat:
            raise IllegalAction(seat, self.game.format_action(action), _("it is not this seat's move"))
        try:
            self._play(action)
        except RuleWithoutText as error:
            rule = _("it is not allowed, and the game does not say why ({error})", error=error)
            raise IllegalAction(seat, self.game.format_action(action), rule) from None

    def _play(self, action: int) -> None:
        told = self.position.play(action)
        self._since = time.monotonic()
        for seat, sitter in enumerate(self.sitters):
            if sitter.agent is not None and sitter.agent.observes:
                # What a player is given is its own: whatever it writes there, the game and all others keep theirs.
                self._untold.append((seat, told[seat : seat + 1].copy()))
                if not (self.tells_later and sitter.agent.may_fail):
                    self._tell(*self._untold.pop())

    @property
    def has_untold(self) -> bool:
        """Whether players are to be told something (`tell`) before the next of them thinks."""
        return bool(self._untold)

    def tell(self) -> None:
        """Tell players what has happened, where it was not told with the move; AgentFailure where one of them fails in it."""
        while self._untold:
            self._tell(*self._untold.popleft())

    def _tell(self, seat: int, told: Events) -> None:
        agent = self.sitters[seat].agent
        if agent is not None:
            agent.observe(told, self._memories[seat], one_chair())

    # --- What is seen ---------------------------------------------------------------------------------------------------

    def place(self, seat: int) -> Place:
        """The place of the person on `seat`; BadInput where an artificial player sits there."""
        self._check_person(seat)
        return Place(self, seat)

    def _check_person(self, seat: int) -> None:
        if not 0 <= seat < self.game.seats or self.sitters[seat].agent is not None:
            raise BadInput(_("no person sits on seat {number}", number=seat))

    def view(self, seat: int) -> Views:
        """What a seat knows, as an array of one record."""
        return self.position.view_record(seat)

    def public_view(self) -> Views:
        """What is public, as an array of one record."""
        return self.position.public_record()

    def event(self, number: int, seat: int | None) -> Any:
        """What a seat, or the public (None), learned of the move `number`, counted from 1."""
        events = self.events[number - 1]
        return self.game.public_event(events) if seat is None else events[seat]

    def past(self, seat: int) -> list[Any]:
        """All events that the person on `seat` has been told, as they may know them."""
        return [events[seat] for events in self.events[: self._told[seat]]]

    def take_news(self, seat: int) -> list[Any]:
        """The events since the last call, as the person on `seat` may know them."""
        told, self._told[seat] = self._told[seat], len(self.events)
        return [events[seat] for events in self.events[told:]]

    def mind(self, seat: int) -> Any:
        """What the artificial player on a seat remembers; for `reasons`, and to be left as it is."""
        return self._memories[seat]

    def truth(self) -> States:
        """The state with all that is hidden; BadInput while a game goes on at which a person sits."""
        if self.outcome is None and any(sitter.agent is None for sitter in self.sitters):
            raise BadInput(_("the cards are revealed when the game is over"))
        return self.position.states.copy()

    def as_left(self, move: int) -> States:
        """The state before the move `move`, counted from 1, with which a round has ended: that round has no secrets any more.

        It is made once, and to be left as it is.
        """
        if move not in self._left:
            self._left[move] = self.position.before(move).states
        return self._left[move]

    def record(self) -> Record:
        """The record of the finished game; BadInput while it goes on."""
        seats = tuple(sitter.spec for sitter in self.sitters)
        if self._roles is not None:
            seats = tuple(f"{self.game.roles[role]}:{spec}" for role, spec in zip(self._roles, seats, strict=True))
        return self.position.record_of(seats, self._known)

    # --- The next game --------------------------------------------------------------------------------------------------

    def impressions(self) -> tuple[Any, ...] | None:
        """By seat, what artificial players take along about the others into the same sitters' next game; None where none does.

        Each has it of what its own seat has seen. BadInput while the game goes on.
        """
        if self.outcome is None:
            raise BadInput("another game begins when this one is over")
        found: list[Any] = []
        for seat, sitter in enumerate(self.sitters):
            agent = sitter.agent
            if agent is None or type(agent).impressions is Agent.impressions:
                found.append(None)
                continue
            with machine_code(thinking_of(self.game.name, agent.name), agent.needs_machine_code):
                found.append(agent.impressions(self.game, self.view(seat), self._memories[seat], 0))
        return None if all(one is None for one in found) else tuple(found)

    def another(self, seed: int) -> Session:
        """Another game of the same sitters, none of whom is hidden now, with another deal; BadInput while this one goes on."""
        known = self.impressions()
        return Session(
            self.game, [replace(sitter, hidden=False) for sitter in self.sitters], seed, None, self.limit, known
        )

    def still(self) -> Session:
        """The game as it is now, to be looked at in another thread while this one goes on; what players remember is shared."""
        looked_at = copy(self)
        looked_at.position = self.position.copy()
        return looked_at

    # --- Back in time ---------------------------------------------------------------------------------------------------

    def before(self, move: int) -> Session:
        """The same game as it was before the move `move`, counted from 1; this one stays as it is. BadInput: no such move."""
        if not 1 <= move <= len(self.actions) + 1:
            raise self.no_such_move(move)
        earlier = Session(self.game, self.sitters, self.seed, self._roles, self.limit, self._known)
        earlier.go_on(self.actions[: move - 1])
        return earlier

    def no_such_move(self, move: int) -> BadInput:
        """What is said to who asks for a move that there is not."""
        made = len(self.actions)
        return BadInput(
            _("there is no move {number}; moves made so far, counted from 1: {made}", number=move, made=made)
        )

    def go_on(self, actions: Sequence[int]) -> None:
        """Play moves that were played before; artificial players think again, so that their memories are what they were."""
        for action in actions:
            seat = self.to_move
            if seat is not None and self.sitters[seat].agent is not None:
                self.think()
            self._play(action)
        self._told = [len(self.events)] * self.game.seats

    def has_moved(self, seat: int) -> bool:
        """Whether a seat has made a move."""
        return any(int(events[seat]["seat"]) == seat for events in self.events)

    def last_move_of(self, seat: int) -> int:
        """The number of a seat's last move, counted from 1; BadInput where it has made none."""
        for number in range(len(self.events), 0, -1):
            if int(self.events[number - 1][seat]["seat"]) == seat:
                return number
        raise BadInput(_("there is no move of yours to take back"))

    def undo(self, seat: int) -> None:
        """Take back the last move of the person on `seat`, and all after it; BadInput where they have made none."""
        # All at once, so that nothing has changed where that is broken off.
        vars(self).update(vars(self.before(self.last_move_of(seat))))

    # --- Kept for later -------------------------------------------------------------------------------------------------

    def saved(self) -> Saved:
        """What it takes to go on with the session."""
        return Saved(
            game=self.game.name,
            ruleset=self.game.spec,
            seed=self.seed,
            names=self.names,
            seats=tuple(sitter.spec for sitter in self.sitters),
            roles=None if self._roles is None else tuple(int(role) for role in self._roles),
            moves=tuple(self.game.format_action(action) for action in self.actions),
            known=self._known,
            hidden=tuple(seat for seat, sitter in enumerate(self.sitters) if sitter.hidden),
        )

    @staticmethod
    def resume(
        saved: Saved,
        make_game: Callable[[str, str, int], Game],
        make_agent: Callable[[str], Agent],
        limit: float | None = None,
    ) -> Session:
        """Go on with what was saved. `make_agent(spec)` makes an artificial player. BadRecord where it cannot be played."""
        try:
            game = make_game(saved.game, saved.ruleset, len(saved.seats))
            sitters = [
                Sitter(name, None if spec.startswith(PERSON) else make_agent(spec), seat in saved.hidden)
                for seat, (name, spec) in enumerate(zip(saved.names, saved.seats, strict=True))
            ]
            roles = None if saved.roles is None else np.array(saved.roles, np.int8)
            session = Session(game, sitters, saved.seed, roles, limit, saved.known)
            session.go_on([int(game.parse_action(move)) for move in saved.moves])
        except (BadInput, IllegalAction, ValueError) as error:
            raise BadRecord(_("the game cannot be gone on with: {error}", error=error)) from None
        return session


class Place:
    """One person's seat at a session: everything that a front end may see and do."""

    def __init__(self, session: Session, seat: int) -> None:
        self._session = session
        self.seat = seat
        self.game = session.game
        self.names = session.names

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

    def wait(self, tell: Callable[[str], None] | None = None) -> None:
        """Let the artificial players move until a person is to move or the game is over.

        `tell` is given the name of the first that has to wait for machine code, before it does.
        """
        while True:
            seat = self._session.to_move
            if tell is not None and seat is not None and self._session.waits_for_code:
                tell(self.names[seat])
                tell = None
            if not self._session.step():
                return

    def undo(self) -> None:
        """Take back this seat's last move, and all after it; BadInput where there is none."""
        self._session.undo(self.seat)

    def news(self) -> list[Any]:
        """The events since the last call, as this seat may know them, as records of the game."""
        return self._session.take_news(self.seat)

    @property
    def past(self) -> list[Any]:
        """What this seat has been told, as records of the game; `news` is what comes after."""
        return self._session.past(self.seat)

    def in_words(self, event: Any) -> str:
        """An event in words, with the names of those at the table."""
        return named(self.game.format_event(event), self.names)
