"""Faults of somebody else's players: what fails, takes too long or chooses no legal move has lost that game.

Somebody else plays on by chance in that seat, so that the game ends and its record replays, and the win is struck. So it is for
players in processes of their own (`arena.isolation`), and for those of this process where a tournament goes on with the others.
Elsewhere a fault is an error, which says of which game it is.
"""

from __future__ import annotations

import abc
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent, Rows, check_seating
from molehunt.core.errors import GameFailure, MolehuntError
from molehunt.core.game import Actions, Events, Game, Seeds, Views
from molehunt.core.match import Played, play
from molehunt.core.position import Position
from molehunt.games.registry import game_entry, split_label


class SeatFault(NamedTuple):
    """A game that was lost by fault: its number among those played together, counted from 0, the seat, and why."""

    game: int
    seat: int
    reason: str


def games_by_reason(faults: Iterable[SeatFault]) -> Counter[str]:
    """How many of some games were lost for each reason; where several seats failed alike in one, it is one game."""
    return Counter(reason for _, reason in {(fault.game, fault.reason) for fault in faults})


# --- Players whose faults lose ------------------------------------------------------------------------------------------


@dataclass
class Chair:
    """A chair of a player that may fail: who plays on there by chance, why it has lost, how many moves it was asked for before."""

    chance: np.random.Generator
    reason: str = field(default="", kw_only=True)
    turns: int = field(default=0, kw_only=True)


def chance_of(stream: Any) -> np.random.Generator:
    """Who plays on by chance in a chair, from the start of its random stream."""
    return np.random.default_rng([int(stream), 1])


C = TypeVar("C", bound=Chair)


@dataclass
class Fallible(Generic[C]):
    """The memory of a player that may fail: its chairs, and the game that they play."""

    game: Game
    chairs: list[C] = field(default_factory=list, kw_only=True)


class FallibleAgent(Agent, Generic[C]):
    """A player that is asked for each chair alone; a chair in which it fails has lost its game, and chance plays on there."""

    in_batches = False

    @abc.abstractmethod
    def _answer(self, memory: Any, chair: C, view: Views) -> int | None:
        """What a chair chooses; None where it has lost its game by that (`_fault`)."""

    def act(self, views: Views, memory: Fallible[C], rows: Rows) -> Actions:
        actions = np.empty(len(rows), np.int32)
        for index, row in enumerate(rows.tolist()):
            chair, view = memory.chairs[row], views[index : index + 1]
            legal = memory.game.legal_actions(view)
            action = None if chair.reason else self._answer(memory, chair, view)
            if action is not None and action not in legal:
                words = memory.game.format_action(action) if -(2**31) <= action < 2**31 else str(action)
                self._fault(memory, chair, f"chose what is no legal action: {words!r:.80}")
                action = None
            if not chair.reason:
                chair.turns += 1
            if action is None:
                action = int(legal[int(chair.chance.integers(len(legal)))])
            actions[index] = action
        return actions

    def _fault(self, memory: Any, chair: C, reason: str) -> None:
        chair.reason = reason if reason.startswith((f"{self.name} ", f"{self.name}: ")) else f"{self.name} {reason}"


@dataclass
class _Here(Chair):
    """A chair of a player in this process: what it remembers."""

    memory: Any


class _AskedAlone(FallibleAgent[_Here]):
    """A player of this process."""

    def __init__(self, agent: Agent) -> None:
        self.name = agent.name
        self.observes = agent.observes
        self._agent = agent

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Fallible[_Here]:
        check_seating(game, views, streams)
        memory = Fallible[_Here](game)
        for index, stream in enumerate(streams):
            chair = _Here(chance_of(stream), None)
            memory.chairs.append(chair)
            try:
                chair.memory = self._agent.start(game, views[index : index + 1], streams[index : index + 1])
            except MolehuntError as error:
                self._fault(memory, chair, str(error))
        return memory

    def _answer(self, memory: Fallible[_Here], chair: _Here, view: Views) -> int | None:
        try:
            return int(self._agent.act(view, chair.memory, np.zeros(1, np.int64))[0])
        except MolehuntError as error:
            self._fault(memory, chair, str(error))
            return None

    def observe(self, events: Events, memory: Fallible[_Here], rows: Rows) -> None:
        for index, row in enumerate(rows.tolist()):
            chair = memory.chairs[row]
            if not chair.reason:
                try:
                    self._agent.observe(events[index : index + 1], chair.memory, np.zeros(1, np.int64))
                except MolehuntError as error:
                    self._fault(memory, chair, str(error))

    def impressions(self, game: Game, view: Any, memory: Fallible[_Here], row: int) -> Any:
        chair = memory.chairs[row]
        return None if chair.reason else self._agent.impressions(game, view, chair.memory, 0)

    def meet_again(self, memory: Fallible[_Here], row: int, impressions: Any, seated: bool = True) -> None:
        chair = memory.chairs[row]
        if not chair.reason:
            try:
                self._agent.meet_again(chair.memory, 0, impressions, seated)
            except MolehuntError as error:
                self._fault(memory, chair, str(error))


def _asked_alone(agents: Sequence[Agent]) -> list[Agent]:
    """The same players, those that may fail asked for each chair alone."""
    alone = {agent: _AskedAlone(agent) if agent.may_fail else agent for agent in agents}
    return [alone[agent] for agent in agents]


def play_with_faults(
    game: Game, agents: Sequence[Agent], seeds: Seeds, roles: npt.NDArray[np.int8] | None = None, keep: bool = False
) -> Played:
    """Play games as `core.match.play` does; where a player that may fail does so, it loses that game. All others stay the same."""
    try:
        return play(game, agents, seeds, roles, keep)
    except MolehuntError:
        if not any(agent.may_fail for agent in agents):
            raise
    return play(game, _asked_alone(agents), seeds, roles, keep)


# --- What is lost -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lost:
    """What players have lost by fault: by game and seat, shape (games, seats), bool; and why, in the order of games.

    `turns` are how many moves each of them had been asked for before, by game and seat.
    """

    seats: npt.NDArray[np.bool_]
    faults: list[SeatFault]
    turns: dict[tuple[int, int], int]

    def of(self, game: int) -> tuple[str, ...] | None:
        """Why each seat of a game has lost by fault, "" where it has not; None where none has."""
        reasons = {fault.seat: fault.reason for fault in self.faults if fault.game == game}
        return tuple(reasons.get(seat, "") for seat in range(self.seats.shape[1])) if reasons else None

    def after(
        self, game: Game, row: int, seed: int, roles: npt.NDArray[np.int8] | None, actions: Sequence[int]
    ) -> tuple[int | None, ...] | None:
        """After how many moves of a game each seat failed, None where it has not; None where none has."""
        if not self.seats[row].any():
            return None
        position = Position(game, seed, roles)
        asked: list[list[int]] = [[] for _ in range(game.seats)]
        for number, action in enumerate(actions):
            asked[int(game.to_move(position.states)[0])].append(number)
            position.play(action)
        # Who failed after its last move, while it was told of others', is asked no more: the end of the game.
        return tuple(
            (asked[seat] + [len(actions)])[self.turns[row, seat]] if self.seats[row, seat] else None
            for seat in range(game.seats)
        )


def lost_by_fault(game: Game, played: Played) -> Lost:
    """Who has lost by fault in games that were played, whatever came of them."""
    lost = np.zeros((len(played.states), game.seats), np.bool_)
    faults = []
    turns = {}
    for chairs in played.chairs:
        if not isinstance(chairs.agent, FallibleAgent):
            continue
        for number, chair in enumerate(chairs.memory.chairs):
            if chair.reason:
                row, place = divmod(number, len(chairs.seats))
                lost[row, chairs.seats[place]] = True
                faults.append(SeatFault(row, int(chairs.seats[place]), chair.reason))
                turns[row, int(chairs.seats[place])] = chair.turns
    return Lost(lost, sorted(faults), turns)


def payoffs_of(game: Game, played: Played, lost: Lost) -> npt.NDArray[np.float64]:
    """What each seat was paid in games that were played, shape (games, seats): the least, and 0 at most, where it lost by fault."""
    payoffs = game.payoffs(played.states)
    return np.where(lost.seats, np.minimum(payoffs.min(axis=1, keepdims=True), 0), payoffs)


# --- Where a fault can be looked at again -------------------------------------------------------------------------------


class Where(NamedTuple):
    """A game as it can be played again: the rules, who sits on each seat (as in a list of seats), and the deal of a run's seed.

    `series` is of how many games the series is that begins with the deal. `seat` is who failed, -1 where nobody knows.
    """

    label: str
    seats: tuple[str, ...]
    seed: int
    deal: int
    series: int = 1
    seat: int = -1

    @property
    def player(self) -> str:
        """Who failed, whatever its role; "" where nobody knows."""
        seat = self.seats[self.seat] if self.seat >= 0 else ""
        role, _, player = seat.partition(":")
        return player if role in game_entry(split_label(self.label)[0]).roles else seat

    def later(self, deals: int) -> Where:
        """The game of the same seats that begins so many deals later."""
        return self._replace(deal=self.deal + deals)

    def __str__(self) -> str:
        on = f"on seat {self.seat} " if self.seat >= 0 else ""
        return f"{on}in {'deal' if self.series == 1 else 'the series from deal'} {self.deal} of seed {self.seed}"


def where_of(error: BaseException) -> Where | None:
    """In which game a player failed, so far as an error that came out of a match knows it."""
    found: Where | None = vars(error).get("where")
    return found


def play_or_say_where(  # noqa: PLR0913, PLR0917 - those of `play`, and where it is played
    game: Game,
    agents: Sequence[Agent],
    seeds: Seeds,
    roles: npt.NDArray[np.int8] | None,
    keep: bool,
    known: Sequence[Sequence[Any] | None] | None,
    place: Callable[[int], Where],
) -> Played:
    """As `core.match.play`; the error of a player that may fail is that of the first game, alone, in which it fails again.

    `place(g)` is game g of these, and the error knows of it (`where_of`), but for a player that does not fail twice.
    """
    try:
        return play(game, agents, seeds, roles, keep, known)
    except GameFailure:  # not the player's fault
        raise
    except MolehuntError:
        if not any(agent.may_fail for agent in agents):
            raise
        for row in range(len(seeds)):
            one = slice(row, row + 1)
            alone = seeds[one], None if roles is None else roles[one], keep, None if known is None else known[one]
            try:
                play(game, agents, *alone)
            except MolehuntError as error:
                faults = lost_by_fault(game, play(game, _asked_alone(agents), *alone)).faults
                found = place(row)._replace(seat=faults[0].seat if faults else -1)
                vars(error)["where"] = found
                error.add_note(f"({found})")
                raise error from None
        raise
