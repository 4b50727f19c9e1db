"""One play in the hand: a position that can be looked at, played on, copied, drawn from what a seat knows, and kept as a record.

It is the one home of a single play. Tables of people, replays of records and the states inside OpenSpiel hold one.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent, Past, check_agent
from molehunt.core.at_first import interpreted_at_first
from molehunt.core.errors import BadInput, value_text
from molehunt.core.game import Game, LegalActions, Outcome, States, Views, check_is_game
from molehunt.core.notebook import Markup
from molehunt.core.numbers import is_whole
from molehunt.core.panels import Panel
from molehunt.core.record import Record, make_record
from molehunt.core.seats import NOBODY
from molehunt.core.seeds import check_seed, check_seeds
from molehunt.core.streams import seat_streams

ROW = np.zeros(1, np.int64)
PERSON = "person:"
"""A seat's spec in a record begins so where a person sits there; the name follows."""


@interpreted_at_first(
    "__init__",
    "to_move",
    "legal_actions",
    "play",
    "view",
    "view_record",
    "public_record",
    "outcome",
    "roles",
    "resample",
    "before",
    "past",
    "beliefs",
    "why",
    "record_of",
    "text",
    "svg",
    "__repr__",
)
class Position:
    """A play of `game`, dealt from `seed`, or at any state of it.

    `states` is the whole truth, an array of one record; a player is never given it. `actions` are the moves made from the deal,
    and `events` what each seat learned of each, shape (seats,). A position that was made of a state (`at`, `resample`) has no
    deal: its seed is None, and its moves are those made since. `roles` are the numbers of `game.roles`.

    >>> position = molehunt.Position(molehunt.make_game("saboteur", "krisnadi", 3), seed=1)
    >>> event = position.play(position.legal_actions[0])
    >>> len(position.actions), len(position.events[0])
    (1, 3)
    """

    __slots__ = ("_roles", "actions", "events", "game", "seed", "states")

    def __init__(self, game: Game, seed: int, roles: Sequence[int] | npt.NDArray[np.int8] | None = None) -> None:
        """Deal. `roles`, one number a seat, seats the roles instead of dealing them. BadInput: no such seed, or no such roles."""
        check_is_game(game)
        self.game = game
        self.seed: int | None = check_seed(seed)
        self._roles = None if roles is None else _check_roles(roles)
        self.states: States = game.new(
            np.array([seed], np.uint64), None if self._roles is None else self._roles[None, :]
        )
        self.actions: list[int] = []
        self.events: list[Any] = []

    @classmethod
    def at(cls, game: Game, states: States) -> Position:
        """The position at a state, an array of one record, which is copied. BadInput where it is none."""
        check_is_game(game)
        given: object = states
        if not isinstance(given, np.ndarray) or given.dtype != game.state_dtype or given.shape != (1,):
            raise BadInput(f"a position is at an array of one state of {game.label}, not at {value_text(states)}")
        return cls._made(game, states.copy(), None, None, [], [])

    @classmethod
    def _made(cls, game: Game, states: States, seed: int | None, roles: Any, actions: Any, events: Any) -> Position:
        position = cls.__new__(cls)
        position.__setstate__((game, states, seed, roles, actions, events))
        return position

    def __getstate__(self) -> tuple[Any, ...]:
        return self.game, self.states, self.seed, self._roles, self.actions, self.events

    def __setstate__(self, parts: tuple[Any, ...]) -> None:
        self.game, self.states, self.seed, self._roles, self.actions, self.events = parts

    # --- What may be done -----------------------------------------------------------------------------------------------

    @property
    def to_move(self) -> int:
        """The seat to move; NOBODY, -1, when the game is over."""
        return int(self.game.to_move(self.states)[0])

    @property
    def legal_actions(self) -> LegalActions:
        """The legal actions of the seat to move; empty when the game is over."""
        return self.game.legal_in(self.states)

    def play(self, action: int | str) -> Any:
        """Play an action or its notation; returns what each seat learned of it, shape (seats,).

        BadInput, BadNotation or IllegalAction say what is wrong, and GameFailure that the game goes on for longer than it says;
        then nothing has changed.
        """
        try:
            code = operator.index(self.game.parse_action(action) if isinstance(action, str) else action)
            played = np.array([code], np.int32)
        except (TypeError, OverflowError):
            raise BadInput(f"a move is one of legal_actions or its notation, not {action!r:.60}") from None
        if 0 < self.game.most_moves <= len(self.actions) and self.to_move != NOBODY:
            raise self.game.too_long()
        told = self.game.apply(self.states, played, ROW)[0]
        self.actions.append(code)
        self.events.append(told)
        return told

    # --- What is seen ---------------------------------------------------------------------------------------------------

    def view(self, seat: int | None = None) -> Any:
        """What a seat knows, as the game's friendly view; by default the seat to move, or what is public when the game is over."""
        return self.game.friendly_view(self.view_record(seat))

    def view_record(self, seat: int | None = None) -> Views:
        """What a seat knows, as an array of one record; see `view`. BadInput where there is no such seat."""
        if seat is None:
            seat = self.to_move
            if seat == NOBODY:
                return self.public_record()
        asked: object = seat
        if not is_whole(asked) or not 0 <= asked < self.game.seats:
            raise BadInput(f"{self.game.label} has seats 0 to {self.game.seats - 1}, not {seat!r:.20}")
        return self.game.views(self.states, np.array([seat], np.int8), ROW)

    def public_record(self) -> Views:
        """What is public, as an array of one record."""
        return self.game.public_view(self.states)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        return self.game.outcome(self.states)

    @property
    def roles(self) -> tuple[str, ...]:
        """The role of each seat, for referees and reports; empty in a game without roles."""
        return tuple(self.game.roles[role] for role in self.game.roles_of(self.states)[0]) if self.game.roles else ()

    # --- Other positions ------------------------------------------------------------------------------------------------

    def copy(self) -> Position:
        """The same position, apart from this one."""
        states = self.states.view(np.uint8).copy().view(self.states.dtype)
        return self._made(self.game, states, self.seed, self._roles, self.actions.copy(), self.events.copy())

    __copy__ = copy

    def resample(self, seat: int, seed: int, weights: npt.NDArray[np.float64] | None = None) -> Position:
        """A position that a seat holds possible, drawn with a seed; `weights` of roles as in `Game.resample`."""
        view = self.view_record(seat)
        return self._made(self.game, self.game.resample(view, check_seeds([seed]), weights), None, None, [], [])

    def before(self, move: int) -> Position:
        """The position before the move `move`, counted from 1. BadInput: no such move, or no deal to begin from."""
        given: object = move
        if not is_whole(given) or not 1 <= given <= len(self.actions) + 1:
            made = len(self.actions)
            raise BadInput(f"there is no move {value_text(move)}; moves made so far, counted from 1: {made}")
        if self.seed is None:
            raise BadInput("a position that was not dealt has no moves to go back to")
        earlier = Position(self.game, self.seed, self._roles)
        for action in self.actions[: move - 1]:
            earlier.play(action)
        return earlier

    def past(self, seat: int, thinking: bool = False) -> Past:
        """What a seat has seen from the deal on, for `Agent.catch_up`; with the views before each move where it is `thinking`.

        BadInput where there is no such seat, or no deal to begin from.
        """
        told = self.events.copy()  # another thread may play on meanwhile
        now = self.before(1)
        first = now.view_record(seat)
        events = np.empty((1, len(told)), self.game.event_dtype)
        views = np.empty(events.shape, self.game.view_dtype) if thinking else None
        for number, of_seats in enumerate(told):
            if views is not None:
                views[:, number] = now.view_record(seat)
                now.play(self.actions[number])
            events[0, number] = of_seats[seat]
        return Past(first, events, views)

    # --- What players would think of it ---------------------------------------------------------------------------------

    def beliefs(self, agent: Agent, seat: int | None = None) -> tuple[Panel, ...]:
        """What a player would believe on a seat, by default the one to move, had it sat there from the deal and seen all since.

        Empty where it believes nothing that can be shown. BadInput where there is no such seat, or no deal to begin from.
        """
        view, memory = self._sat_through(agent, seat)
        return agent.beliefs(self.game, view, memory, 0)

    def why(self, agent: Agent, seat: int | None = None) -> str:
        """Why a player would choose what it would choose on the seat to move, in words; BadInput also for another seat."""
        view, memory = self._sat_through(agent, seat, choosing=True)
        return agent.why(self.game, view, memory, 0)

    def _sat_through(self, agent: Agent, seat: int | None, choosing: bool = False) -> tuple[Views, Any]:
        """What a seat, which may have to be `choosing`, sees now, and the memory of a player that sat there from the deal."""
        check_agent(self.game.name, agent)
        to_move = self.to_move
        if to_move == NOBODY and (choosing or seat is None):
            raise BadInput("the game is over: " + ("nobody has to choose" if choosing else "name a seat"))
        place = to_move if seat is None else seat
        view = self.view_record(place)
        past = self.past(place)  # says that there is no deal, where there is none
        if choosing and place != to_move:
            raise BadInput(f"seat {place} has nothing to choose now: seat {to_move} is to move")
        streams = seat_streams(np.array([self.seed], np.uint64), self.game.seats)
        return view, agent.catch_up(self.game, past, streams[:, place].copy())

    # --- For others -----------------------------------------------------------------------------------------------------

    @property
    def record(self) -> Record:
        """The record of the finished game, its seats held by persons. BadInput while it goes on, or where it was not dealt."""
        return self.record_of(tuple(f"{PERSON}player {seat}" for seat in range(self.game.seats)))

    def record_of(self, players: Sequence[str], known: Sequence[Any] | None = None) -> Record:
        """The record of the finished game, with the players as they are typed. BadInput as for `record`.

        `known`, one a seat, is what players took along about the others from games before.
        """
        if self.seed is None:
            raise BadInput("a position that was not dealt has no record: nobody knows its beginning")
        carried = None if known is None else tuple(known)
        return make_record(self.game, self.seed, tuple(players), self._roles, self.actions, self.states, carried)

    def text(self, seat: int | None = None) -> str:
        """What a seat sees as a drawing for a terminal; without a seat, what is public."""
        return self.game.draw_text(self.public_record() if seat is None else self.view_record(seat))

    def svg(self, seat: int | None = None) -> str:
        """What a seat sees as a self-contained SVG; without a seat, what is public."""
        return self.game.draw_svg(self.public_record() if seat is None else self.view_record(seat))

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        begun = "not dealt" if self.seed is None else f"seed {self.seed}"
        outcome = self.outcome
        now = f"seat {self.to_move} to move" if outcome is None else outcome.reason
        return f"<Position {self.game.label}, {self.game.seats} seats, {begun}, {len(self.actions)} moves, {now}>"

    def _repr_html_(self) -> str:
        return Markup(self.svg())


def _check_roles(roles: Any) -> npt.NDArray[np.int8]:
    """The roles of a play as numbers, one a seat; BadInput where they are none. Which roles there can be, the game says."""
    try:
        found = np.asarray(roles)
    except ValueError:
        found = np.empty((0, 0))
    fits = np.iinfo(np.int8)
    whole = found.dtype.kind in "iu" and bool(((found >= fits.min) & (found <= fits.max)).all())
    if found.ndim != 1 or not (whole or found.size == 0):
        raise BadInput(f"roles are whole numbers, one a seat, not {value_text(roles)}")
    return found.astype(np.int8)
