"""What a seat cannot see changes neither its view, nor its legal actions, nor what it is told, nor what any player decides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from molehunt.agents.random import RandomAgent
from molehunt.core.agent import Agent
from molehunt.core.seats import NOBODY
from resistance.agents.counting import EDITIONS, CountingAgent
from resistance.game import Resistance
from resistance_games import SEATS, make, positions, view_of

AGENTS: tuple[Agent, ...] = (
    RandomAgent(),
    *(CountingAgent(f"counting:{name}", parameters) for name, parameters in EDITIONS.items()),
)


def decision(agent: Agent, game: Resistance, view: Any) -> int:
    memory = agent.start(game, view, np.array([7], np.uint64))
    return int(agent.act(view, memory, np.zeros(1, np.int64))[0])


@pytest.mark.parametrize("seats", SEATS)
def test_what_is_hidden_changes_nothing_for_a_seat(seats: int) -> None:
    game = make(seats)
    for number, states in enumerate(positions(game, 4, seed=seats)):
        mover = int(game.to_move(states)[0])
        seat = number % seats if mover == NOBODY or number % 3 == 0 else mover
        view = view_of(game, states, seat)
        again = view_of(game, game.resample(view, np.array([number], np.uint64)), seat)
        assert again.tobytes() == view.tobytes()
        assert game.legal_actions(again)[:] == game.legal_actions(view)[:]
        assert game.infoset_keys(again) == game.infoset_keys(view)
        assert game.draw_text(again) == game.draw_text(view)
        if seat == mover:
            for agent in AGENTS:
                assert decision(agent, game, again) == decision(agent, game, view)
                assert decision(agent, game, view) in game.legal_actions(view)


@pytest.mark.parametrize("seats", [5, 7, 10])
def test_a_secret_choice_tells_the_others_nothing(seats: int) -> None:
    """Where a vote or a card does not complete the vote or the mission, others see the same whatever was chosen."""
    game = make(seats)
    secret = 0
    for states in positions(game, 6, seed=seats):
        mover = int(game.to_move(states)[0])
        if mover == NOBODY:
            continue
        codes = game.legal_actions(view_of(game, states, mover)).codes
        if states["phase"][0] == 0 or len(codes) < 2:
            continue
        after = [states.copy(), states.copy()]
        events = [game.apply(one, np.array([code], np.int32))[0] for one, code in zip(after, codes, strict=True)]
        if after[0]["phase"][0] != states["phase"][0] or after[0]["to_move"][0] <= mover:
            continue
        secret += 1
        assert game.public_event(events[0]).tobytes() == game.public_event(events[1]).tobytes()
        assert game.public_view(after[0]).tobytes() == game.public_view(after[1]).tobytes()
        for seat in range(seats):
            told = [event[seat].tobytes() for event in events]
            seen = [view_of(game, one, seat).tobytes() for one in after]
            keys = [int(game.infoset_keys(view_of(game, one, seat))[0]) for one in after]
            assert (told[0] == told[1]) == (seen[0] == seen[1]) == (keys[0] == keys[1]) == (seat != mover)
    assert secret > 50


def test_public_events_do_not_depend_on_who_tells_them() -> None:
    game = make(6)
    for states in positions(game, 4):
        mover = int(game.to_move(states)[0])
        if mover == NOBODY:
            continue
        legal = game.legal_actions(view_of(game, states, mover))
        events = game.apply(states.copy(), np.array([legal.codes[-1]], np.int32))[0]
        assert len({game.public_event(np.roll(events, shift)).tobytes() for shift in range(6)}) == 1


def test_views_of_different_seats_and_positions_have_different_keys() -> None:
    game = make(7)
    views: dict[int, bytes] = {}
    for states in positions(game, 8):
        for seat in range(7):
            view = view_of(game, states, seat)
            key = int(game.infoset_keys(view)[0])
            assert views.setdefault(key, view.tobytes()) == view.tobytes()
    assert len(views) > 1000
