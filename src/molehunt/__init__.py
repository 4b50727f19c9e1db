"""molehunt: hidden-information card games, the artificial players that reason in them, and studies of both.

What most need stands here (`molehunt.deal`, `molehunt.Player`, `molehunt.Agents`, ...). What those who write a player are given is
in `molehunt.saboteur`, `molehunt.duel` and `molehunt.speed_clue`; the rest in packages, whose help says where to begin: `arena`
(matches, tournaments), `beliefs`, `search`, `analysis`, `advice`, `learning`, `adapters` (environments, OpenSpiel).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from molehunt import adapters as adapters
    from molehunt import advice as advice
    from molehunt import analysis as analysis
    from molehunt import arena as arena
    from molehunt import beliefs as beliefs
    from molehunt import duel as duel
    from molehunt import learning as learning
    from molehunt import saboteur as saboteur
    from molehunt import search as search
    from molehunt import speed_clue as speed_clue
    from molehunt.agents.registry import Agents
    from molehunt.core.agent import Agent, Past, Player, PlayerAgent
    from molehunt.core.errors import (
        AgentFailure,
        BadInput,
        BadNotation,
        BadParameter,
        BadRecord,
        IllegalAction,
        MolehuntError,
        UnknownName,
    )
    from molehunt.core.friendly import FriendlyEvent, FriendlyView
    from molehunt.core.game import Action, Game, LegalActions, Outcome
    from molehunt.core.interpreting import interpreting
    from molehunt.core.match import Played, play, play_on
    from molehunt.core.panels import Bar, Bars, Panel
    from molehunt.core.position import Position
    from molehunt.core.record import Record, parse_record, read_records
    from molehunt.core.replay import Replay
    from molehunt.core.seats import NOBODY
    from molehunt.core.seeds import game_seeds, seat_streams
    from molehunt.core.specs import canonical, parameter
    from molehunt.core.streams import MAX_SEED
    from molehunt.core.svg import element
    from molehunt.games.promises import check_game
    from molehunt.games.registry import deal, make_game

__all__ = [
    "MAX_SEED",
    "NOBODY",
    "Action",
    "Agent",
    "AgentFailure",
    "Agents",
    "BadInput",
    "BadNotation",
    "BadParameter",
    "BadRecord",
    "Bar",
    "Bars",
    "FriendlyEvent",
    "FriendlyView",
    "Game",
    "IllegalAction",
    "LegalActions",
    "MolehuntError",
    "Outcome",
    "Panel",
    "Past",
    "Played",
    "Player",
    "PlayerAgent",
    "Position",
    "Record",
    "Replay",
    "UnknownName",
    "canonical",
    "check_game",
    "deal",
    "element",
    "game_seeds",
    "interpreting",
    "make_game",
    "parameter",
    "parse_record",
    "play",
    "play_on",
    "read_records",
    "seat_streams",
]
__version__ = "0.1.0"

_HOMES = {
    "molehunt.agents.registry": ("Agents",),
    "molehunt.core.agent": ("Agent", "Past", "Player", "PlayerAgent"),
    "molehunt.core.errors": (
        "AgentFailure",
        "BadInput",
        "BadNotation",
        "BadParameter",
        "BadRecord",
        "IllegalAction",
        "MolehuntError",
        "UnknownName",
    ),
    "molehunt.core.friendly": ("FriendlyEvent", "FriendlyView"),
    "molehunt.core.game": ("Action", "Game", "LegalActions", "Outcome"),
    "molehunt.core.interpreting": ("interpreting",),
    "molehunt.core.match": ("Played", "play", "play_on"),
    "molehunt.core.panels": ("Bar", "Bars", "Panel"),
    "molehunt.core.position": ("Position",),
    "molehunt.core.record": ("Record", "parse_record", "read_records"),
    "molehunt.core.replay": ("Replay",),
    "molehunt.core.seats": ("NOBODY",),
    "molehunt.core.seeds": ("game_seeds", "seat_streams"),
    "molehunt.core.specs": ("canonical", "parameter"),
    "molehunt.core.streams": ("MAX_SEED",),
    "molehunt.core.svg": ("element",),
    "molehunt.games.promises": ("check_game",),
    "molehunt.games.registry": ("deal", "make_game"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_ROOMS = ("adapters", "advice", "analysis", "arena", "beliefs", "learning", "search")
"""The packages for others, which are there as soon as they are named, as the modules of the games are: `help(molehunt.arena)`."""


if not TYPE_CHECKING:  # a type checker that sees it takes every name for one that there is

    def __getattr__(name: str) -> Any:
        """Import a public name when it is first used, so that the command line answers --help at once."""
        import importlib

        if name in _HOME_OF:
            value = getattr(importlib.import_module(_HOME_OF[name]), name)
            globals()[name] = value
            return value
        if not name.startswith("_") and name in _rooms():
            return importlib.import_module(f"molehunt.{name}")
        raise AttributeError(f"module 'molehunt' has no attribute {name!r}")


def _rooms() -> tuple[str, ...]:
    """The packages for others, and the modules of the games."""
    from molehunt.games.registry import BUILT_IN

    return _ROOMS + BUILT_IN


def __dir__() -> list[str]:
    """What there is for others; what this module needs for itself (`annotations`, `Any`) is left out."""
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__, *_rooms()})
