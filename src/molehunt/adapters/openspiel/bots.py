"""Our players as OpenSpiel's bots: given views and events of their seat and nothing else, as in the arena."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.adapters.openspiel.games import pyspiel
from molehunt.adapters.openspiel.moments import Moment
from molehunt.agents.registry import Agents
from molehunt.core.agent import Agent, actions_of, one_chair
from molehunt.core.errors import BadInput
from molehunt.core.streams import game_seeds, seat_streams

BaseBot: Any = pyspiel.Bot


class MolehuntBot(BaseBot):  # type: ignore[misc]
    """A player of ours on one seat of a game of ours inside OpenSpiel.

    Its games are numbered as they begin, from 0; in game i its random stream is that of its seat in the arena's game i of a
    run with `seed`. A play carries what its seats have seen, so a bot may also come to a game that has begun.
    """

    def __init__(self, game: Any, seat: int, agent: Agent, seed: int = 0) -> None:
        super().__init__()
        if not 0 <= seat < game.num_players():
            raise BadInput(f"{game.setting.game.label} has seats 0 to {game.num_players() - 1}, not {seat}")
        self.agent = agent
        self.seat = seat
        self.seed = seed
        self.games = 0
        self._played: Moment | None = None
        self._told = 0
        self._memory: Any = None

    def player_id(self) -> int:
        """The seat."""
        return self.seat

    def restart(self) -> None:
        """Leave the game that was played."""
        self._played = None

    def restart_at(self, state: Any) -> None:
        """Leave the game that was played; the next move is asked of the play at `state` or after it."""
        self.restart()

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Somebody moved. Nothing is done: what this seat may know of it comes with the next play, as events."""

    def step(self, state: Any) -> int:
        """The move at a play where the seat is to move, as an index."""
        position: Moment = state.position
        game = position.setting.game
        if self._played is None or not self._goes_on(position, self._played):
            streams = seat_streams(game_seeds(self.seed, self.games, 1), game.seats)
            self.games += 1
            self._memory = self.agent.start(game, position.first_view(self.seat), streams[:, self.seat].copy())
            self._told = 0
        if self.agent.observes:
            for event in position.events(self.seat, self._told):
                self.agent.observe(np.array([event]), self._memory, one_chair())
        self._told = position.moves
        self._played = position
        action = actions_of(self.agent, self.agent.act(position.view(self.seat), self._memory, one_chair()), 1)[0]
        return position.setting.spaces.index(int(action), self.seat)

    @staticmethod
    def _goes_on(position: Moment, before: Moment) -> bool:
        """Whether a position comes after another one of the same play."""
        return (
            position.moves > before.moves
            and position.play.actions[: before.moves] == before.play.actions
            and position.first.tobytes() == before.first.tobytes()
        )


def molehunt_bot(game: Any, seat: int, spec: str, seed: int = 0, agents: Agents | None = None) -> MolehuntBot:
    """The bot of a player as it is typed (`decision-2019:as_printed`) for a seat of a game of ours that OpenSpiel has loaded.

    `agents` are the players to choose from, by default those that are built in. UnknownName, BadParameter or BadInput.
    """
    known = agents or Agents(game.setting.game.name)
    return MolehuntBot(game, seat, known.make(spec), seed)
