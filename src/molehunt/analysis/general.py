"""Any game looked at again by its rules alone: roles from the deals that fit what was seen, moves played on by players at random.

It does for a game that has no analyst of its own. What the ways of players betray is left out: every deal that the rules allow
counts the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from molehunt.analysis.analyst import Judgements, seed_of
from molehunt.analysis.comparing import compare
from molehunt.analysis.findings import Chart, Judged, Known, Line
from molehunt.analysis.marks import THRESHOLD, chart, lasting, rounded
from molehunt.core.game import Game, States
from molehunt.core.language import _, later
from molehunt.core.replay import Played
from molehunt.core.seats import NOBODY
from molehunt.core.streams import derive, game_seeds
from molehunt.games.compiled import CompiledGame

WORLDS, FEW_WORLDS = 400, 24
"""Worlds from which a chance in a line is taken, in games that are compiled and in others: the standard error of a half is 0.025
and 0.1."""
USUAL, FEW_USUAL = 200, 16
"""Worlds in which a move is compared, in games that are compiled and in others."""
HOPS = 12
"""An onlooker's worlds: draws from what one seat after the other would hold possible. What the first seat knew is then forgotten,
where others do not know it as well."""
MOST_MOVES = 40
"""So many other moves are compared with one; where there are more, some of them, by lot."""
CHART_SEED = 1


class GeneralAnalyst:
    """A game of any kind; `resample`, `apply` and `wins` are all that it asks of the game."""

    rests_on = later(
        "This game has no analysis of its own: chances follow from the rules alone, not from how people play, and after a move "
        "that is compared all play at random."
    )

    def __init__(self, played: Played, names: Sequence[str]) -> None:
        self._played, self._names = played, tuple(names)
        self._game = played.game
        compiled = isinstance(self._game, CompiledGame)
        self.usual_worlds = USUAL if compiled else FEW_USUAL
        self._streams = game_seeds(CHART_SEED, 0, WORLDS if compiled else FEW_WORLDS)

    # --- Beliefs --------------------------------------------------------------------------------------------------------

    def beliefs(self) -> tuple[tuple[Chart, ...], tuple[Known, ...]]:
        charts: list[Chart] = []
        known: list[Known] = []
        for viewer in (None, *range(self._game.seats)):
            if not self._game.roles:
                charts.append(self._winners_chart(viewer))
            for role in range(1, len(self._game.roles)):
                shares = self.shares(viewer, role)
                charts.append(self._role_chart(viewer, role, shares))
                known += self._known(viewer, role, shares)
        return tuple(charts), tuple(known)

    def shares(self, viewer: int | None, role: int) -> npt.NDArray[np.float64]:
        """How likely each seat has a role by what a viewer has seen: shape (places, seats)."""
        return np.array([(self._game.roles_of(worlds) == role).mean(axis=0) for worlds in self._worlds_of(viewer)])

    def _role_chart(self, viewer: int | None, role: int, shares: npt.NDArray[np.float64]) -> Chart:
        lines = [
            Line(self._names[seat], seat, bool(self._roles[seat] == role), rounded(shares[:, seat]))
            for seat in range(self._game.seats)
            if seat != viewer
        ]
        return chart(_("Who has the role: {role}", role=_(self._game.roles[role])), viewer, 0, lines)

    def _known(self, viewer: int | None, role: int, shares: npt.NDArray[np.float64]) -> list[Known]:
        return [
            Known(
                _("{name} has the role {role}", name=self._names[seat], role=_(self._game.roles[role])),
                viewer,
                lasting(shares[:, seat] >= THRESHOLD, 0),
                lasting(shares[:, seat] == 1, 0),
            )
            for seat in np.flatnonzero(self._roles == role).tolist()
            if seat != viewer
        ]

    def _winners_chart(self, viewer: int | None) -> Chart:
        """In games without roles: who would win, were all moves from here on made at random."""
        worlds = self._worlds_of(viewer)
        wins = np.array([winners(self._game, each, self._streams).mean(axis=0) for each in worlds])
        won = self._game.wins(self._played.states[-1])[0]
        if self._over:
            wins[-1] = won  # who has won is hidden from nobody
        lines = [Line(name, seat, bool(won[seat]), rounded(wins[:, seat])) for seat, name in enumerate(self._names)]
        return chart(_("Who would win if all played on at random"), viewer, 0, lines)

    @property
    def _over(self) -> bool:
        return bool(self._game.to_move(self._played.states[-1])[0] == NOBODY)

    @cached_property
    def _roles(self) -> npt.NDArray[np.int8]:
        found: npt.NDArray[np.int8] = self._game.roles_of(self._played.states[0])[0]
        return found

    def _worlds_of(self, viewer: int | None) -> list[States]:
        """Worlds that a viewer could hold possible at every place; those of the last place are as before the last move.

        The end of a game tells what was hidden all along; what matters is what could be believed before.
        """
        states = self._played.states[:-1] if self._over and len(self._played.states) > 1 else self._played.states
        # The same streams at every place: a line moves where what is known has changed, and hardly by chance.
        found = [worlds_of(self._game, state, viewer, self._streams) for state in states]
        return found + found[-1:] * (len(self._played.states) - len(states))

    # --- Moves ----------------------------------------------------------------------------------------------------------

    def judge(self, worlds: int, seed: int) -> Sequence[Judged]:
        game, played = self._game, self._played
        found = Judgements(played, self._names, worlds)
        for number, action in enumerate(played.actions):
            state = played.states[number]
            mover = int(game.to_move(state)[0])
            start = seed_of(seed, number)
            moves = _some(game.legal_actions(played.view(number)).codes, action, start)
            if len(moves) > 1:
                found.add(number, compare(Trials(game, state, mover, start).wins, moves, action, worlds))
        return found.found


@dataclass(frozen=True)
class Trials:
    """Moves of the seat `mover` at a state tried in worlds that it could hold possible, and played on at random."""

    game: Game
    state: States
    mover: int
    seed: int

    def wins(self, moves: Sequence[int], first: int, count: int) -> npt.NDArray[np.float64]:
        """Whether the mover wins after each move in the worlds `first` to `first + count - 1`: shape (worlds, moves)."""
        streams = game_seeds(self.seed, first, count)
        drawn = worlds_of(self.game, self.state, self.mover, streams)
        won = np.zeros((count, len(moves)))
        for place, move in enumerate(moves):
            states = drawn.copy()
            self.game.apply(states, np.full(count, move, np.int32))
            won[:, place] = winners(self.game, states, streams)[:, self.mover]
        return won


def worlds_of(game: Game, state: States, viewer: int | None, streams: npt.NDArray[np.uint64]) -> States:
    """Worlds that a viewer (None: an onlooker) could hold possible where the truth is `state`, shape (1,); a stream for each."""
    worlds = np.repeat(state, len(streams))
    if viewer is not None:
        return game.resample(game.views(worlds, np.full(len(worlds), viewer, np.int8)), streams)
    for hop in range(HOPS):
        fresh = np.array([derive(stream, np.uint64(hop)) for stream in streams], np.uint64)
        seats = (fresh % np.uint64(game.seats)).astype(np.int8)
        worlds = game.resample(game.views(worlds, seats), fresh)
    return worlds


def winners(game: Game, worlds: States, streams: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Who wins in each world where all play on at random: shape (worlds, seats)."""
    states = worlds.copy()
    game.play_randomly(states, streams)
    return game.wins(states)


def _some(moves: Sequence[int], played: int, seed: int) -> list[int]:
    """The move that was played and the others that there were, MOST_MOVES of them at most."""
    others = [move for move in moves if move != played]
    if len(others) > MOST_MOVES:
        chosen = np.random.default_rng(seed).choice(len(others), MOST_MOVES, replace=False)
        others = [others[place] for place in sorted(chosen.tolist())]
    return [played, *others]
