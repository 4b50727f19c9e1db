"""What players share whose functions compiled loops call: `games.playing` says what these are."""

from __future__ import annotations

import abc
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from molehunt.core.agent import Agent, Reach, Rows, check_chairs, check_views
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.interpreting import unchanged
from molehunt.games.compiled import bytes_of
from molehunt.games.playing import PlayerFunction, Possible, act_many, laid_down, tell_many


class CompiledAgent(Agent):
    """A player made of compiled functions: `act_one`, and `observe_one` where it observes.

    A batch and a whole game are played by the same machine code.
    """

    act_one: ClassVar[PlayerFunction]
    observe_one: ClassVar[PlayerFunction | None] = None
    seen: ClassVar[Possible | None] = None
    """Which views there can be, where its functions rely on it."""

    @abc.abstractmethod
    def parts(self, memory: Any) -> tuple[npt.NDArray[Any], ...]:
        """The arrays that its functions read and write; part i is found by `memory[2 * i]` and its length by the next number."""

    def kind_of_views(self, memory: Any) -> np.dtype[Any] | None:
        """The dtype of its views; None where the views of any game will do."""
        return type(self).act_one.records

    def seats_of(self, memory: Any) -> int:
        """How many seats the games of a memory have; 0 where it does not tell."""
        game = getattr(memory, "game", None)
        return game.seats if isinstance(game, Game) else 0

    def reach(self, memory: Any) -> Reach | None:
        observe = type(self).observe_one
        return Reach(
            type(self).act_one.address, 0 if observe is None else observe.address, laid_down(*self.parts(memory))
        )

    def act(self, views: Views, memory: Any, rows: Rows) -> Actions:
        rows = check_views(memory, views, rows, self.kind_of_views(memory), self.seats_of(memory))
        if self.seen is not None:
            self.seen.check(views, self.seats_of(memory))
        actions = np.empty(len(views), np.int32)
        with unchanged():  # among the parts may be addresses of functions
            numbers = laid_down(*self.parts(memory))
            act_many(type(self).act_one.address, bytes_of(np.ascontiguousarray(views)), numbers, rows, actions)
        return actions

    def observe(self, events: Events, memory: Any, rows: Rows) -> None:
        observe = type(self).observe_one
        if observe is not None:
            rows = check_chairs(memory, events, rows, observe.records)
            with unchanged():
                numbers = laid_down(*self.parts(memory))
                told, seats = observe.told, self.seats_of(memory)
                given = np.ascontiguousarray(events)
                impossible = tell_many(
                    observe.address, told.address if told else 0, seats, bytes_of(given), numbers, rows
                )
                if told and impossible >= 0:
                    told.refuse(given, int(impossible), seats)
