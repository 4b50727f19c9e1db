"""What other processes compile for while matches are played: a deal of each in which somebody new sits (`core.ahead`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from molehunt.agents.built_in import BUILT_IN, GENERAL
from molehunt.agents.entry import EVERY
from molehunt.arena.match import MatchSpec, play_part
from molehunt.arena.seating import Chair
from molehunt.core.specs import split_spec
from molehunt.games.registry import split_label

STAND_IN = "random"
"""Who sits there in the place of players that are not this package's: those are asked for nothing that nobody sees."""


def play_a_deal(specs: Iterable[MatchSpec]) -> None:
    """Play a deal of each match; the work that `ahead_of` gives."""
    for spec in specs:
        play_part(spec, 0, 0, spec.series)


def ahead_of(specs: Iterable[MatchSpec]) -> tuple[Any, ...]:
    """`play_a_deal`, and the matches for it: of those given, each in which somebody sits who sits in none before it."""
    known: set[tuple[str, str]] = set()
    chosen = []
    for spec in specs:
        own = replace(spec, files=(), isolation=None, rotate=False, chairs=tuple(map(_at(spec.label), spec.chairs)))
        seated = {(own.label, chair.agent) for chair in own.chairs}
        if not seated <= known:
            known |= seated
            chosen.append(own)
    return play_a_deal, tuple(chosen)


def _at(label: str) -> Callable[[Chair], Chair]:
    """What seats a chair of a match of this label there."""
    game = split_label(label)[0]
    return lambda chair: replace(chair, agent=who_sits(game, chair.agent))


def who_sits(game: str, spec: str) -> str:
    """Who plays there for a player of a game: the player itself, or who stands in for it."""
    names = {entry.name for entry in (*BUILT_IN, *GENERAL) if entry.game in {game, EVERY}}
    return spec if split_spec(spec)[0] in names else STAND_IN
