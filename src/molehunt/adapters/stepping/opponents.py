"""Players of this project on some of the seats of games that a learner plays."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from molehunt.agents.registry import Agents
from molehunt.core.agent import Agent, actions_of, check_agent
from molehunt.core.errors import BadInput, IllegalAction
from molehunt.core.game import Actions, Events, Game, Seats, Seeds, States
from molehunt.core.match import Chairs
from molehunt.core.streams import seat_streams

Rows = npt.NDArray[np.int64]


def learners_of(game: Game, opponents: Mapping[int, str | Agent]) -> list[int]:
    """The seats that are left for learners; BadInput where opponents are not given by seat, a seat is none, or none is left."""
    if not isinstance(opponents, Mapping):
        raise BadInput(f"opponents are given by seat ({{1: 'random'}}), not as {opponents!r:.60}")
    for seat in opponents:
        if seat not in range(game.seats):
            raise BadInput(f"opponents sit on seats 0 to {game.seats - 1} of {game.label}, not on {seat!r}")
    left = [seat for seat in range(game.seats) if seat not in opponents]
    if not left:
        raise BadInput(f"all {game.seats} seats have opponents; leave at least one to the learner")
    return left


def make_opponents(game: Game, opponents: Mapping[int, str | Agent]) -> dict[int, Agent]:
    """The players of specs (`{1: "decision-2019"}`); seats with the same spec share one player.

    UnknownName, BadParameter, or BadInput where one is no player.
    """
    known = Agents(game.name)
    made: dict[str, Agent] = {}
    for spec in opponents.values():
        if not isinstance(spec, str):
            check_agent(game.name, spec)
        if isinstance(spec, str) and spec not in made:
            made[spec] = known.make(spec)
    return {seat: made[spec] if isinstance(spec, str) else spec for seat, spec in opponents.items()}


class Opponents:
    """The players on the seats that no learner has, in any number of games that go on side by side.

    `learners`, shape (games,): where the learner's seat is another one in each game, and every seat has an opponent, the seats on
    which these look on and never move. It is read anew at each move.
    """

    def __init__(self, game: Game, seated: Mapping[int, Agent], learners: Seats | None = None) -> None:
        self.game = game
        self.learners = learners
        self.seated = dict(seated)
        self.agents = list(dict.fromkeys(self.seated.values()))
        self.sits = np.array([seat in self.seated for seat in range(game.seats)] + [False])
        """Whether an opponent has a seat: shape (seats + 1,), False at NOBODY."""
        self.chairs: list[Chairs] = []
        self._number = np.array(
            [self.agents.index(self.seated[seat]) if seat in self.seated else -1 for seat in range(game.seats)]
        )

    def _sit_down(self, agent: Agent, states: States, seeds: Seeds) -> Chairs:
        seats = [seat for seat, other in sorted(self.seated.items()) if other is agent]
        return Chairs.sit_down(agent, seats, self.game, states, seat_streams(seeds, self.game.seats))

    def begin(self, states: States, seeds: Seeds) -> None:
        """Sit down at games that begin."""
        self.chairs = [self._sit_down(agent, states, seeds) for agent in self.agents]

    def begin_again(self, states: States, seeds: Seeds, rows: Rows) -> None:
        """Sit down anew where a game was replaced by another, in the rows `rows` of all states."""
        for chairs in self.chairs:
            fresh = self._sit_down(chairs.agent, states[rows], seeds[rows])
            chairs.agent.put(chairs.memory, chairs.all_of(rows), fresh.memory)

    def choose(self, states: States, rows: Rows, seats: Seats) -> Actions:
        """Their actions in the rows `rows`, where `seats` are theirs and to move."""
        actions = np.empty(len(rows), np.int32)
        numbers = self._number[seats]
        for number, chairs in enumerate(self.chairs):
            mine = np.flatnonzero(numbers == number)
            if len(mine):
                views = self.game.views(states, seats[mine], rows[mine])
                answer = chairs.agent.act(views, chairs.memory, chairs.of(rows[mine], seats[mine]))
                actions[mine] = actions_of(chairs.agent, answer, len(mine))
        return actions

    def watch(self, events: Events, rows: Rows) -> None:
        """Be told what happened in the rows `rows`, shape (rows, seats)."""
        for chairs in self.chairs:
            if chairs.agent.observes:
                chairs.agent.observe(events[:, chairs.seats].reshape(-1), chairs.memory, chairs.all_of(rows))

    def move(self, states: States) -> None:
        """Play all their moves, until in every game a learner is to move or the game is over.

        GameFailure where they move more often in a row than the game says that a play has moves.
        """
        for step in itertools.count():
            to_move = self.game.to_move(states)
            theirs = self.sits[to_move]
            if self.learners is not None:
                theirs &= to_move != self.learners
            rows = np.flatnonzero(theirs)
            if not len(rows):
                return
            if 0 < self.game.most_moves <= step:
                raise self.game.too_long()
            seats = to_move[rows]
            actions = self.choose(states, rows, seats)
            try:
                events = self.game.apply(states, actions, rows)
            except IllegalAction as error:
                raise IllegalAction(error.seat, error.action, error.rule, self.seated[error.seat].name) from None
            self.watch(events, rows)

    def copy(self) -> Opponents:
        """The same players at the same games, with memories of their own."""
        result = copy.copy(self)
        result.learners = None if self.learners is None else self.learners.copy()
        result.chairs = []
        for chairs in self.chairs:
            twin = copy.copy(chairs)
            twin.memory = chairs.agent.copy_memory(chairs.memory)
            result.chairs.append(twin)
        return result
