"""molehunt: hidden-information card games, the artificial players that reason in them, and studies of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from molehunt.agents.registry import Agents
    from molehunt.core.agent import Agent, Player
    from molehunt.core.errors import MolehuntError
    from molehunt.core.game import Action, Game, Outcome
    from molehunt.core.match import play, play_on
    from molehunt.games.registry import make_game

__all__ = ["Action", "Agent", "Agents", "Game", "MolehuntError", "Outcome", "Player", "make_game", "play", "play_on"]
__version__ = "0.1.0"

_HOMES = {
    "Agents": "molehunt.agents.registry",
    "Agent": "molehunt.core.agent",
    "Player": "molehunt.core.agent",
    "MolehuntError": "molehunt.core.errors",
    "Action": "molehunt.core.game",
    "Game": "molehunt.core.game",
    "Outcome": "molehunt.core.game",
    "play": "molehunt.core.match",
    "play_on": "molehunt.core.match",
    "make_game": "molehunt.games.registry",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that the command line answers --help at once."""
    if name not in _HOMES:
        raise AttributeError(f"module 'molehunt' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
