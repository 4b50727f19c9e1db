"""A puzzle cut from a game: what it is, and what all makers of puzzles do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from molehunt.agents.registry import Agents
from molehunt.core.match import play
from molehunt.core.position import Position
from molehunt.core.replay import Played
from molehunt.games.registry import make_game
from molehunt.table.game_words import event_in_words
from molehunt.table.people import NAMES

OPTIONS = 6
"""Answers that are offered, at most."""


class Option(msgspec.Struct, frozen=True):
    """An answer, and how likely it is right: 1 and 0 where it can be known."""

    label: str
    worth: float


@dataclass(frozen=True)
class Maker:
    """A kind of puzzle: the game that it is cut from, and what makes one of the game of a seed, None where the game has none."""

    game: str
    make: Callable[[int], Puzzle | None]


class Puzzle(msgspec.Struct, frozen=True):
    """A position with a question.

    `story` says what happened, as the reader may know it. The best option is the answer; it
    is the case, too. `why` says so in words, for afterwards. It was cut after `moves` moves from the game of `game`, `ruleset`,
    `seed` and `players`, as the seat `viewer` sees it, or an onlooker (None).
    """

    kind: str
    question: str
    told: str
    story: tuple[str, ...]
    options: tuple[Option, ...]
    why: str
    game: str
    ruleset: str
    seed: int
    players: tuple[str, ...]
    moves: int
    viewer: int | None

    @property
    def answer(self) -> int:
        """Which option is the best."""
        return max(range(len(self.options)), key=lambda number: self.options[number].worth)


def played_game(name: str, ruleset: str, players: Sequence[str], seed: int) -> Played:
    """A game that artificial players have played."""
    game = make_game(name, ruleset, len(players))
    made = {spec: Agents(name).make(spec) for spec in players}
    done = play(game, [made[spec] for spec in players], np.array([seed], np.uint64), keep_actions=True)
    played = Played(Position(game, seed), players)
    for action in (done.actions or [[]])[0]:
        played.play(game.format_action(action), action)
    return played


def cut(played: Played, moves: int, viewer: int | None, options: Sequence[Option], **words: Any) -> Puzzle:
    """The puzzle after so many moves, as a viewer, or an onlooker (None), sees it; `words` are its other parts."""
    game = played.game
    told = [game.public_event(events) if viewer is None else events[viewer] for events in played.events[:moves]]
    return Puzzle(
        story=tuple(event_in_words(game, event, NAMES, viewer) for event in told),
        options=tuple(options),
        game=game.name,
        ruleset=game.spec,
        seed=played.position.seed or 0,
        players=played.seats,
        moves=moves,
        viewer=viewer,
        **words,
    )
