"""A player never touches the state of the play: what it searches are states that it drew from its own view.

While a player thinks, every state that reaches the rules is looked at: it may share no memory with the play.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from agents.test_sitting_down import CASES
from molehunt.agents.registry import Agents
from molehunt.core.agent import Agent
from molehunt.core.position import ROW, Position
from molehunt.core.seats import NOBODY
from molehunt.core.streams import seat_streams
from molehunt.games.registry import make_game, split_label

ASKED = ("to_move", "views", "legal_in", "fault", "apply", "payoffs", "wins", "play_randomly", "outcome", "roles_of")
MOVES = 12


class TouchedError(Exception):
    """A player has got hold of the play."""


@contextmanager
def thinking(monkeypatch: pytest.MonkeyPatch, position: Position) -> Iterator[None]:
    """While inside, any question to the rules about the memory of the play is a TouchedError."""
    rules, truth = type(position.game), position.states
    with monkeypatch.context() as patch:
        for name in ASKED:
            asked = getattr(rules, name)

            def watched(self: Any, states: Any, *rest: Any, asked: Any = asked, **more: Any) -> Any:
                if np.shares_memory(np.asarray(states), truth):
                    raise TouchedError(f"{asked.__name__} is asked about the play itself")
                return asked(self, states, *rest, **more)

            patch.setattr(rules, name, watched)
        yield


def play_watched(monkeypatch: pytest.MonkeyPatch, label: str, seats: int, agent: Agent) -> int:
    """The first moves of a game of one player with itself, each thought about under watch; how many."""
    position = Position(make_game(*split_label(label), seats), 5)
    streams = seat_streams(np.array([5], np.uint64), seats)
    first = [position.view_record(seat) for seat in range(seats)]
    with thinking(monkeypatch, position):
        memories = [agent.start(position.game, first[seat], streams[:, seat].copy()) for seat in range(seats)]
    while position.to_move != NOBODY and len(position.actions) < MOVES:
        seat = position.to_move
        view = position.view_record(seat)
        with thinking(monkeypatch, position):
            action = int(agent.act(view, memories[seat], ROW)[0])
        told = position.play(action)
        if agent.observes:
            with thinking(monkeypatch, position):
                for other in range(seats):
                    agent.observe(told[other : other + 1], memories[other], ROW)
    return len(position.actions)


@pytest.mark.parametrize(("label", "seats", "spec"), [case for case in CASES if case[2] != "counter"])
def test_a_player_asks_the_rules_about_its_own_states_alone(
    monkeypatch: pytest.MonkeyPatch, label: str, seats: int, spec: str
) -> None:
    agent = Agents(split_label(label)[0]).make(spec)
    assert play_watched(monkeypatch, label, seats, agent) > 0


def test_a_player_that_has_got_hold_of_the_play_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = Agents("saboteur").make("random")
    caught: list[Any] = []
    dealt = Position.__init__

    def remember(self: Position, *arguments: Any) -> None:
        dealt(self, *arguments)
        caught.append(self)

    monkeypatch.setattr(Position, "__init__", remember)
    act = type(agent).act

    def peep(self: Any, views: Any, memory: Any, rows: Any) -> Any:
        caught[0].game.roles_of(caught[0].states)
        return act(self, views, memory, rows)

    monkeypatch.setattr(type(agent), "act", peep)
    with pytest.raises(TouchedError, match="roles_of"):
        play_watched(monkeypatch, "saboteur/krisnadi", 4, agent)
