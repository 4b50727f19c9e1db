"""What the tests of this package share: games, positions along random games, and a game of the slow engine for a state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from molehunt.core.seats import NOBODY
from molehunt.core.streams import game_seeds
from resistance.game import Resistance
from resistance.ruleset import ruleset_from_text
from resistance.state import APPROVE

SEATS = range(5, 11)


def make(seats: int, *items: str) -> Resistance:
    return Resistance(ruleset_from_text("standard", list(items)), seats)


def view_of(game: Resistance, states: Any, seat: int) -> Any:
    return game.views(states, np.array([seat], np.int8))


def play(game: Resistance, states: Any, *moves: str) -> Any:
    """Play moves in notation one after the other; the events of the last one, by seat."""
    events = None
    for move in moves:
        events = game.apply(states, np.array([game.parse_action(move)], np.int32))[0]
    return events


def seated(game: Resistance, spies: set[int], leader: int = 0) -> Any:
    """A game, shape (1,), in which these seats are the spies and this one leads first."""
    roles = np.array([[int(seat in spies) for seat in range(game.seats)]], np.int8)
    states = game.new(np.array([1], np.uint64), roles)
    states["leader"] = states["to_move"] = leader
    return states


def vote(game: Resistance, states: Any, team: str, ayes: set[int] | None = None) -> Any:
    """Propose a team and cast all votes, by default all for it."""
    votes = ["approve" if ayes is None or seat in ayes else "reject" for seat in range(game.seats)]
    return play(game, states, f"propose:{team}", *votes)


def mission(game: Resistance, states: Any, team: str, failing: set[int] = frozenset()) -> Any:  # type: ignore[assignment]
    """Send a team that all approve; those in `failing` play fail."""
    vote(game, states, team)
    return play(game, states, *("fail" if int(seat) in failing else "success" for seat in team.split(",")))


def positions(game: Resistance, games: int, seed: int = 11) -> Iterator[Any]:
    """Every state, shape (1,), along a few random games, the last ones included. Half of the games approve most teams."""
    random = np.random.default_rng(seed)
    for number, state in enumerate(game.new(game_seeds(seed, 0, games))):
        states = np.array([state])
        while True:
            yield states
            seat = game.to_move(states)
            if seat[0] == NOBODY:
                break
            legal = game.legal_actions(game.views(states, seat))
            action = legal.codes[random.integers(len(legal))]
            if number % 2 and APPROVE in legal.codes and random.random() < 0.8:
                action = APPROVE
            game.apply(states, np.array([action], np.int32))
