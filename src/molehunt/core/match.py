"""The lockstep match loop: many games of the same seating advance together, one move each a step.

In each step every agent gets one batch with the views of all its seats that are to move, the game applies one batch of
actions, and every agent gets one batch of events. So a compiled player costs no Python call a move, and a game comes out
the same whatever batch it is in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent, Rows
from molehunt.core.errors import IllegalAction
from molehunt.core.game import Game, Seats, Seeds, States
from molehunt.core.streams import seat_streams


@dataclass(frozen=True)
class Played:
    """Finished games: the final states, the moves of each game in order where they were kept, and how many there were.

    `chairs` are the agents as they sat, with their memories at the end: for studies of what players believe.
    """

    seeds: Seeds
    states: States
    moves: int
    actions: list[list[int]] | None
    chairs: list[Chairs]


class Chairs:
    """All the seats that one agent has in a batch: chair number = game * seats of the agent + which of its seats."""

    def __init__(self, agent: Agent, seats: list[int], game: Game, states: States, streams: Any) -> None:
        self.agent = agent
        self.seats = np.array(seats)
        self.order = np.full(game.seats, -1)
        self.order[self.seats] = np.arange(len(seats))
        games = len(states)
        rows = np.repeat(np.arange(games), len(seats))
        views = game.views(states, np.tile(self.seats, games).astype(np.int8), rows)
        self.memory = agent.start(game, views, streams[:, self.seats].reshape(-1))

    def of(self, games: Rows, seats: Seats) -> Rows:
        """The chairs of these seats (all the agent's own) in these games."""
        result: Rows = games * len(self.seats) + self.order[seats]
        return result

    def all_of(self, games: Rows) -> Rows:
        """All chairs of these games, game by game."""
        result: Rows = (games[:, None] * len(self.seats) + np.arange(len(self.seats))).reshape(-1)
        return result


def play(
    game: Game,
    agents: Sequence[Agent],
    seeds: Seeds,
    roles: npt.NDArray[np.int8] | None = None,
    keep_actions: bool = False,
) -> Played:
    """Play one game for each seed to its end. `agents[s]` sits on seat s; the same object may sit on several seats.

    `roles`, shape (games, seats), seats the roles. IllegalAction and AgentFailure name the player at fault.
    """
    states = game.new(seeds, roles)
    streams = seat_streams(seeds, game.seats)
    tables = [
        Chairs(agent, [seat for seat in range(game.seats) if agents[seat] is agent], game, states, streams)
        for agent in dict.fromkeys(agents)
    ]
    table_of_seat = np.array(
        [next(i for i, table in enumerate(tables) if table.order[s] >= 0) for s in range(game.seats)]
    )
    kept: list[list[int]] | None = [[] for _ in seeds] if keep_actions else None
    moves = 0
    rows = np.arange(len(states))
    while True:
        to_move = game.to_move(states)
        rows = rows[to_move[rows] >= 0]
        if not len(rows):
            return Played(seeds, states, moves, kept, tables)
        seats = to_move[rows]
        actions = np.empty(len(rows), np.int32)
        turn_of = table_of_seat[seats]
        for number, table in enumerate(tables):
            mine = np.flatnonzero(turn_of == number) if len(tables) > 1 else np.arange(len(rows))
            if len(mine):
                views = game.views(states, seats[mine], rows[mine])
                actions[mine] = table.agent.act(views, table.memory, table.of(rows[mine], seats[mine]))
        try:
            events = game.apply(states, actions, rows)
        except IllegalAction as error:
            raise IllegalAction(error.seat, error.action, error.rule, agents[error.seat].name) from None
        for table in tables:
            if table.agent.observes:
                theirs = events if len(tables) == 1 else events[:, table.seats]
                table.agent.observe(theirs.reshape(-1), table.memory, table.all_of(rows))
        moves += len(rows)
        if kept is not None:
            for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
                kept[row].append(action)
