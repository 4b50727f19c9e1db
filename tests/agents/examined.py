"""What the information tests of all games share: a back door to the truth, players that listen or look, a game at which a seat is
examined."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent, Player
from molehunt.core.game import Game, Seats, States, Views
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.compiled import CompiledGame

GameT = TypeVar("GameT", bound=Game)
ONE = np.zeros(1, np.int64)
"""The rows of what is asked of one chair."""


class Leaky(CompiledGame):
    """A game keeps the states that it was last asked about, where a player that has the game could find them.

    Mixed into a game: `class LeakyGame(Leaky, Saboteur)`.
    """

    _kept: bytes

    @property
    def truth(self) -> States:
        """The first of the states that it was last asked about, as it was then."""
        return np.frombuffer(self._kept, self.state_dtype)

    def views(self, states: States, seats: Seats, rows: npt.NDArray[np.int64] | None = None) -> Views:
        self._kept = states[:1].tobytes()
        return super().views(states, seats, rows)


class Listener(Player):
    """A plain player: it weighs its legal actions by all that it has seen and heard, and throws dice."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def choose(self, view: Any) -> str:
        told = " ".join((*self.heard, *view.hand, *self.seen(view), str(self.random.random())))
        return random.Random(told).choice(self.options(view))

    def notice(self, event: Any) -> None:
        self.heard.append(self.told(event))

    def seen(self, view: Any) -> tuple[str, ...]:
        """All that the view tells beside the hand."""
        return (str(view),)

    def told(self, event: Any) -> str:
        """All that an event tells."""
        return str(event)

    def options(self, view: Any) -> list[str]:
        """What it chooses from."""
        return [str(action) for action in view.legal_actions]


class Peeper(Player):
    """A player that looks through the back door: what it finds there, a number, says which legal action it takes."""

    def __init__(self, look: Callable[[Any], int]) -> None:
        self.look = look

    def choose(self, view: Any) -> str:
        # An accusation would end most games at once.
        actions = [str(action) for action in view.legal_actions if not str(action).startswith("accuse")]
        return actions[self.look(view) % len(actions)]


class Examined(Generic[GameT]):
    """One game with the examined agent on one seat, number `number` by the seats, and others on the rest.

    `other(seat, random)` is who sits on another seat.
    """

    def __init__(
        self,
        game: GameT,
        seeds: npt.NDArray[np.uint64],
        number: int,
        make: Callable[[], Agent],
        other: Callable[[int, random.Random], Agent],
    ) -> None:
        self.game = game
        self.random = random.Random(number)
        self.states = game.new(seeds)
        self.seat = number % game.seats
        streams = seat_streams(seeds, game.seats)
        self.agents = [make() if seat == self.seat else other(seat, self.random) for seat in range(game.seats)]
        self.memories = [
            agent.start(game, self.view(self.states, seat), streams[:, seat]) for seat, agent in enumerate(self.agents)
        ]

    @property
    def mover(self) -> int:
        """The seat to move, -1 when the game is over."""
        return int(self.game.to_move(self.states)[0])

    def view(self, states: States, seat: int) -> Views:
        """What a seat sees in some states: an array of one record."""
        return self.game.views(states, np.array([seat], np.int8), ONE)

    def decision(self, states: States, seat: int, memory: Any) -> int:
        """What the agent of a seat decides in these states with this memory."""
        return int(self.agents[seat].act(self.view(states, seat), memory, ONE)[0])

    def resampled(self) -> States:
        """The game as the examined seat may think it is."""
        view = self.view(self.states, self.seat)
        return self.game.resample(view, game_seeds(self.random.randrange(2**40), 0, 1))

    def move(self) -> tuple[int, Any]:
        """Play one move of the true game; the action and the event of the examined seat."""
        seat = self.mover
        action = self.decision(self.states, seat, self.memories[seat])
        events = self.game.apply(self.states, np.array([action], np.int32))
        for other, agent in enumerate(self.agents):
            if agent.observes:
                agent.observe(events[:, other], self.memories[other], ONE)
        return action, events[0, self.seat]
