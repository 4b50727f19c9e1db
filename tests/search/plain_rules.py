"""A game with compiled rules as one in plain Python: the same rules, and nothing to be reached by an address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from molehunt.core.game import Game
from molehunt.games.compiled import CompiledGame

ASKED = (*sorted(Game.__abstractmethods__), "payoffs", "deals", "as_listed")
TAKEN = ("name", "ruleset", "spec", "seats", "roles", "state_dtype", "view_dtype", "event_dtype", "most_moves")


def _asking(name: str) -> Callable[..., Any]:
    return lambda self, *args, **named: getattr(self.compiled, name)(*args, **named)


class _PlainGame(Game):
    """What asks another game."""

    def __init__(self, compiled: CompiledGame) -> None:
        self.compiled = compiled
        for name in TAKEN:
            if hasattr(compiled, name):
                setattr(self, name, getattr(compiled, name))


def as_plain(game: CompiledGame) -> Game:
    """The game, whose rules are asked one by one; what `Game` itself can answer is not asked."""
    made: type[_PlainGame] = type("PlainGame", (_PlainGame,), {name: _asking(name) for name in ASKED})
    return made(game)
