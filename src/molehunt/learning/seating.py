"""Who sits where in the games of an update: the learner's seats and roles and its opponents, drawn game by game from the seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from molehunt.agents.learned import LearnedAgent
from molehunt.agents.registry import Agents
from molehunt.core.agent import Agent
from molehunt.core.errors import BadInput, UnknownName
from molehunt.core.streams import game_seeds
from molehunt.games.compiled import CompiledGame
from molehunt.learning.collecting import Lot
from molehunt.learning.definition import PAST, SELF, STRANGERS

LEARNED = "learned"
"""The player whose networks are trained, by its name in the registry."""
STRANGER = "stranger"
"""The player whose seeds are drawn for STRANGERS, by its name."""
LAST_STRANGER = 999
"""Strangers of later seeds are nobody's to learn from: they are for reports."""
GAMES_TOGETHER = 4
"""So many games at most are played with the same strangers ..."""
MOST_TABLES = 500
"""... or more, where so many tables of strangers would not do for an update: seating them takes about as long as two games."""


def strangers_stay(games: int) -> int:
    """How many games the same strangers stay for at most, in an update of so many games."""
    return max(GAMES_TOGETHER, -(-games // MOST_TABLES))


def learner_of(game: CompiledGame) -> type[LearnedAgent]:
    """The class of a game's learned player; BadInput where it has none."""
    try:
        made = Agents(game.name).make(LEARNED)
    except UnknownName:
        raise BadInput(
            f"{game.name} has no learned player yet (one called {LEARNED!r}), so nothing can be trained for it"
        ) from None
    if not isinstance(made, LearnedAgent):
        raise BadInput(f"{LEARNED} of {game.name} is another player")
    return type(made)


@dataclass(frozen=True)
class Seating:
    """How the games of one run are seated.

    `roles`: how often the learner has each role, by its name; empty where roles are dealt. `opponents`: how often it meets whom, by
    their specs; SELF and PAST stand for the learner itself, STRANGERS for strangers drawn anew.
    """

    game: CompiledGame
    roles: Mapping[str, float]
    opponents: Mapping[str, float]
    players: Mapping[str, Agent]

    @classmethod
    def of(cls, game: CompiledGame, roles: Mapping[str, float], opponents: Mapping[str, float]) -> Seating:
        """With the players that the specs name. UnknownName, BadInput where something cannot be seated."""
        for role in roles:
            if role not in game.roles:
                raise UnknownName(f"role of {game.label}", role, game.roles)
        if roles:
            game.check_roles(_all_roles(game)[None, :], 1)
        known = Agents(game.name)
        if STRANGERS in opponents:
            known.make(STRANGER)
        players = {spec: known.make(spec) for spec in opponents if spec not in {SELF, PAST, STRANGERS}}
        return cls(game, roles, opponents, players)

    def lots(self, learner: Agent, past: Sequence[Agent], first: int, games: int, seed: int) -> list[Lot]:
        """The games from number `first` on, in lots of one seating each; the same for the same seed, however games are split."""
        random = np.random.default_rng([seed, first])
        seats = random.integers(self.game.seats, size=games)
        specs = [spec for spec, share in self.opponents.items() if share and (spec != PAST or past)]
        if not specs:
            specs = [SELF]
        weights = np.array([self.opponents.get(spec, 1.0) for spec in specs])
        drawn = random.choice(len(specs), size=games, p=weights / weights.sum())
        which = random.integers(max(1, len(past)), size=games)
        roles = self._draw_roles(random, seats)
        seeds = game_seeds(seed, first, games)
        lots = []
        for number, spec in enumerate(specs):
            for selves in range(len(past)) if spec == PAST else range(1):
                other = learner if spec == SELF else past[selves] if spec == PAST else self.players.get(spec)
                for seat in range(self.game.seats):
                    here = (drawn == number) & (seats == seat)
                    here &= (which == selves) if spec == PAST else True
                    for rows, others in self._tables(np.flatnonzero(here), other, random, strangers_stay(games)):
                        agents = (*others[:seat], learner, *others[seat:])
                        learners = tuple(range(self.game.seats)) if spec == SELF else (seat,)
                        lots.append(Lot(seeds[rows], agents, learners, None if roles is None else roles[rows]))
        return lots

    def _tables(
        self, rows: npt.NDArray[np.int64], other: Agent | None, random: np.random.Generator, stay: int
    ) -> Iterator[tuple[npt.NDArray[np.int64], list[Agent]]]:
        """Some games with those on the other seats in order: always the same player, or (None) strangers drawn for `stay` games."""
        others = self.game.seats - 1
        if other is not None:
            if len(rows):
                yield rows, [other] * others
            return
        for first in range(0, len(rows), stay):
            drawn = random.integers(LAST_STRANGER + 1, size=others).tolist()
            yield rows[first : first + stay], [stranger(self.game.name, seed) for seed in drawn]

    def _draw_roles(self, random: np.random.Generator, seats: npt.NDArray[np.int64]) -> npt.NDArray[np.int8] | None:
        """The roles of all seats, shape (games, seats): the learner's by their weights, those of the others as they fall."""
        if not self.roles:
            return None
        weights = np.array([self.roles.get(role, 0.0) for role in self.game.roles])
        own = random.choice(len(weights), size=len(seats), p=weights / weights.sum())
        everybody = _all_roles(self.game)
        result = np.empty((len(seats), self.game.seats), np.int8)
        for number, (seat, role) in enumerate(zip(seats.tolist(), own.tolist(), strict=True)):
            rest = everybody.tolist()
            rest.remove(role)
            result[number] = np.insert(random.permutation(rest), seat, role)
        return result


@lru_cache(LAST_STRANGER + 1)
def stranger(game: str, seed: int) -> Agent:
    """A stranger of a game."""
    return Agents(game).make(f"{STRANGER}:seed={seed}")


def roles_to_seat(game: CompiledGame) -> list[str]:
    """The roles in which a learner can be seated; none where the game has none, or deals them anew on the way."""
    counts = game.role_counts()
    if len(game.roles) < 2 or not counts:
        return []
    try:
        game.check_roles(_all_roles(game)[None, :], 1)
    except BadInput:
        return []
    return [role for role, count in zip(game.roles, counts, strict=True) if count]


def all_roles_of(game: CompiledGame, role: str, seat: int) -> npt.NDArray[np.int8]:
    """Who may have which role where a seat has one, all alike likely: each arrangement once, shape (n, seats)."""
    rest = _all_roles(game).tolist()
    rest.remove(game.roles.index(role))
    found = sorted(set(permutations(rest)))
    return np.array([(*others[:seat], game.roles.index(role), *others[seat:]) for others in found], np.int8)


def _all_roles(game: CompiledGame) -> npt.NDArray[np.int8]:
    """The roles of a game, one a seat, in their order."""
    counts = game.role_counts()
    if not counts:
        raise BadInput(f"{game.label} has no roles that could be given to the learner")
    return np.repeat(np.arange(len(counts), dtype=np.int8), counts)
