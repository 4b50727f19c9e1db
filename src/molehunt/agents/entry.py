"""What is known of a player before it is made, and how it is made from its parameters. Nothing is imported before.

An installed package names its `AgentEntry`s under the entry point `molehunt.agents`.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from molehunt.agents.own_files import PACKAGES, agent_of, check_no_items, editions_of, guarded
from molehunt.core.agent import Agent, Player
from molehunt.core.errors import AgentFailure, ForeignCode, MolehuntError, value_text
from molehunt.core.language import later
from molehunt.core.specs import build, canonical
from molehunt.games.entry import canonical_name

OURS = "molehunt."
EVERY = "*"
"""The game of a player that plays every game."""
EASY, MEDIUM, HARD = 1, 2, 3
LEVEL_WORDS = ("", later("easy to beat"), later("of middling strength"), later("hard to beat"))
"""How hard a player is to beat, in words, by its level."""


@dataclass(frozen=True)
class AgentEntry:
    """A player as the command line knows it. `game` is the name of the game that it plays, or EVERY.

    `module` holds the class `agent` and, where it has parameters, its named sets of them under the name `parameters`. The class of
    another package may be a `Player`, whose parameters are its fields; where it has an attribute `game`, that is this one's.
    `holds_model` is what the agent says of itself, to be read without importing it. `small_games` says that it plays only games
    whose tree can be listed; `needs` names the library without which it cannot be made. `called` is what people at a table call
    it: "the careful digger". `only` says in words where it sits, if not in every ruleset with any number of seats. `level` says how
    hard it is to beat, as it did among strangers: EASY, MEDIUM or HARD, 0 where that was not measured.
    """

    name: str
    game: str
    title: str
    module: str
    agent: str
    parameters: str = "EDITIONS"
    holds_model: bool = False
    small_games: bool = False
    needs: str = ""
    called: str = ""
    only: str = ""
    level: int = 0

    @property
    def is_here(self) -> bool:
        """Whether the library that it needs is installed."""
        return not self.needs or importlib.util.find_spec(self.needs) is not None

    def editions(self) -> Mapping[str, Any]:
        """The named sets of parameters, the default first; empty where there is nothing to set."""
        player = None if self.is_ours else self._player_class()
        if player is not None:
            return editions_of(self.name, player)
        return getattr(importlib.import_module(self.module), self.parameters, {})

    @property
    def is_ours(self) -> bool:
        """Whether it is this package's own."""
        return self.module.startswith(OURS)

    def make(self, items: list[str]) -> Agent:
        """The player with the parameters that `items` say; AgentFailure where the code of another package fails at it."""
        if self.is_ours:
            _, own = self._made(items)
            return own  # type: ignore[no-any-return]
        PACKAGES.add(self.module.partition(".")[0])
        with ForeignCode(f"{self.name} cannot be made", (MolehuntError,)):
            player = self._player_class()
            if player is not None:
                self._check_game_of(player)
                return agent_of(self.name, player, items)
            spec, made = self._made(items)
        if not isinstance(made, Agent):
            raise AgentFailure(
                f"{self.name} cannot be made: {self.module}:{self.agent} makes no Agent but {value_text(made)}"
            )
        made.name = spec
        return guarded(made)

    def _player_class(self) -> type[Player] | None:
        """The class of a player in plain Python; None where it is an Agent."""
        found = self._named()
        return found if isinstance(found, type) and issubclass(found, Player) else None

    def _check_game_of(self, player: type[Player]) -> None:
        """AgentFailure where the class says that it plays another game than the entry does."""
        own = vars(player).get("game")
        if isinstance(own, str) and own != EVERY and canonical_name(own) != canonical_name(self.game):
            raise AgentFailure(
                f"{self.name} plays {own} alone, as the attribute game of its class says, and not {self.game}: "
                "its entry has to name the same game"
            )

    def _made(self, items: list[str]) -> tuple[str, Any]:
        """The shortest spec of the player with the parameters that `items` say, and what its class makes of them."""
        factory = self._named()
        editions = self.editions()
        if editions:
            parameters = build(self.name, editions, items)
            spec = canonical(self.name, editions, parameters)
            return spec, factory(spec, parameters)
        check_no_items(self.name, items)
        return self.name, factory()

    def _named(self) -> Any:
        """What makes the player; AgentFailure where its module or the class in it is not there."""
        try:
            return getattr(importlib.import_module(self.module), self.agent)
        except (ImportError, AttributeError) as error:
            raise AgentFailure(
                f"the entry of {self.name} names {self.module}:{self.agent}, which is not there: {error}"
            ) from error


def by_level(players: Iterable[AgentEntry]) -> list[AgentEntry]:
    """Players, those first that are easy to beat, and last those of whom that is not known."""
    return sorted(players, key=lambda entry: entry.level or len(LEVEL_WORDS))
