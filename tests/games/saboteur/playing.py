"""Random play for the tests of Saboteur: games, positions along them, and a digger so that games reach the goals."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.game import Action, LegalActions, States
from molehunt.core.streams import game_seeds
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.notation import format_action
from molehunt.games.saboteur.ruleset import KRISNADI, Ruleset, ruleset_from_text

SWITCHES = (
    "stones_let_in=no",
    "goals_fit=no",
    "double_mends_both=no",
    "may_break_own=yes",
    "blocked_may_rockfall=no",
    "stones_let_in=no,goals_fit=no,double_mends_both=no,may_break_own=yes,blocked_may_rockfall=no",
)
"""Every switch of how cards are played away from its default, and all at once."""
SPEECH = "speak=yes"


def saboteur(seats: int = 5, items: str = "") -> Saboteur:
    """The game under `krisnadi` with these parameters."""
    return Saboteur(ruleset_from_text("krisnadi", items.split(",")) if items else KRISNADI, seats)


def table(text: str, seats: int = 5) -> Saboteur:
    """The game under a ruleset as it is typed: `official`, `official+talk:rounds=1`, `krisnadi:talk=yes`."""
    name, _, items = text.partition(":")
    return Saboteur(ruleset_from_text(name, items.split(",") if items else []), seats)


def seeds_of(first: int, count: int) -> npt.NDArray[np.uint64]:
    """Seeds for tests: the games `first` to `first + count - 1` of one run."""
    return game_seeds(2019, first, count)


def mover(states: States) -> int:
    """The seat to move in the first state, -1 when it is over."""
    return int(states["to_move"][0])


def seen_by(game: Saboteur, states: States, seat: int) -> Any:
    """The view of one seat of the first state: an array of one record."""
    return game.views(states, np.array([seat], np.int8), np.zeros(1, np.int64))


def legal(game: Saboteur, states: States) -> LegalActions:
    """The legal actions of the seat to move in the first state."""
    return game.legal_actions(seen_by(game, states, mover(states)))


def cell_of(move: str) -> tuple[int, int]:
    """The cell that a path card or a rockfall names."""
    x, _, y = move.partition("@")[2].removesuffix("r").partition(",")
    return int(x), int(y)


def digging(moves: list[str], aim: tuple[int, int] | None = None) -> list[str]:
    """Of these moves, those of one who digs: tunnels nearest to a cell (without one: furthest to the right), else repairs,
    else whatever there is."""
    tunnels = [move for move in moves if move.startswith("P_")]
    if tunnels:
        cells = [cell_of(move) for move in tunnels]
        ways = [-x if aim is None else abs(x - aim[0]) + abs(y - aim[1]) for x, y in cells]
        return [move for move, way in zip(tunnels, ways, strict=True) if way == min(ways)]
    return [move for move in moves if move.startswith(("fix:", "deblock>"))] or moves


def pick(rng: random.Random, moves: list[str], digs: float, aim: tuple[int, int] | None = None) -> str:
    """A random move; with the probability `digs` one of a digger, who digs towards a cell."""
    return rng.choice(digging(moves, aim) if rng.random() < digs else moves)


class Texts(dict[int, str]):
    """The actions of a ruleset in notation, each written once."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset

    def __missing__(self, action: int) -> str:
        self[action] = format_action(action, self._ruleset)
        return self[action]


texts_of = cache(Texts)


def walk(game: Saboteur, number: int, digs: float = 0.5, aim: tuple[int, int] | None = None) -> Iterator[States]:
    """The positions of one random game, from the deal to the end. They are one array that changes underway."""
    rng = random.Random(number)
    states = game.new(seeds_of(number, 1))
    texts = texts_of(game.ruleset)
    yield states
    while mover(states) >= 0:
        moves = {texts[code]: code for code in legal(game, states).codes}
        game.apply(states, np.array([moves[pick(rng, list(moves), digs, aim)]], np.int32))
        yield states


def positions(game: Saboteur, games: int, every: int = 7, first: int = 0, digs: float = 0.5) -> Iterator[States]:
    """Copies of positions along random games that are not over: one in `every`, the first of game g at move g % every."""
    for number in range(first, first + games):
        aim = None if game.ruleset.name == "krisnadi" else game.ruleset.goals[number % 3]
        for turn, states in enumerate(walk(game, number, digs, aim)):
            if turn % every == number % every and mover(states) >= 0:
                yield states.copy()


def play(game: Saboteur, states: States, move: str | int | Action) -> Any:
    """Play one move, in notation or as an int; the events of all seats."""
    action = game.parse_action(move) if isinstance(move, str) else move
    return game.apply(states, np.array([action], np.int32))[0]
