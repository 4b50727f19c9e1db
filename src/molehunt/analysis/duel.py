"""The duel looked at again: where the nugget was held to be, and moves played on in deals that the mover held possible."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.duel.duel_star import DuelStarAgent
from molehunt.agents.duel.opponent import chance_of, chances_of_places
from molehunt.agents.duel.own_seat import OWN
from molehunt.agents.duel.star_comparison import Comparison
from molehunt.agents.duel.star_parameters import Parameters
from molehunt.analysis.analyst import Judgements, seed_of
from molehunt.analysis.comparing import compare
from molehunt.analysis.findings import Chart, Judged, Known, Line
from molehunt.analysis.marks import THRESHOLD, chart, lasting, rounded
from molehunt.core.language import _
from molehunt.core.places import place_said
from molehunt.core.replay import Played
from molehunt.games.duel.cards import BLANK, GOAL_PLACES, NUGGET, UNKNOWN
from molehunt.games.duel.game import check_game
from molehunt.games.duel.state import SEATS

LISTS_ONLY = Parameters(own=False, near=0.0, draw=0.5, candidates=16)
"""The player as it lists the promising moves; what they bring is counted here. A draw counts as half a win."""


WORK = 6000
"""So many worlds for all moves of a game together take some 2 to 3 seconds of one processor."""
LEAST_WORLDS, MOST_WORLDS = 60, 200


class DuelAnalyst:
    """A game of the duel."""

    rests_on = ""

    def __init__(self, played: Played, names: Sequence[str]) -> None:
        self._played, self._names = played, tuple(names)
        self.usual_worlds = max(LEAST_WORLDS, min(MOST_WORLDS, WORK // max(1, len(played.actions))))
        self._game = check_game("the analysis", played.game)
        self._agent = DuelStarAgent("duel-star", LISTS_ONLY)

    # --- Beliefs --------------------------------------------------------------------------------------------------------

    def beliefs(self) -> tuple[tuple[Chart, ...], tuple[Known, ...]]:
        charts: list[Chart] = []
        known: list[Known] = []
        nugget = int(np.flatnonzero(self._played.states[0]["goals"][0] == NUGGET)[0])
        for viewer in (None, *range(SEATS)):
            chances = self.places(viewer)
            lines = [
                Line(_("the {place} goal", place=place_said(place)), None, goal == nugget, rounded(chances[:, goal]))
                for goal, place in enumerate(GOAL_PLACES)
            ]
            charts.append(chart(_("Where the nugget is"), viewer, 0, lines))
            likely = lasting(chances[:, nugget] >= THRESHOLD, 0)
            certain = lasting((chances > 0).sum(axis=1) == 1, 0)
            known.append(
                Known(
                    _("the nugget is under the {place} goal", place=place_said(GOAL_PLACES[nugget])),
                    viewer,
                    likely,
                    certain,
                )
            )
        return tuple(charts), tuple(known)

    def places(self, viewer: int | None) -> npt.NDArray[np.float64]:
        """How likely the nugget is under each goal, to a viewer: shape (places, 3)."""
        if viewer is None:
            return np.array([public_places(both["mind"][:, OWN]) for both in self._histories])
        views = [self._played.view(place, viewer)[0] for place in range(len(self._histories))]
        return np.array(
            [
                chances_of_places(both["mind"][viewer, OWN], view)
                for both, view in zip(self._histories, views, strict=True)
            ]
        )

    @cached_property
    def _histories(self) -> list[npt.NDArray[Any]]:
        """What a player of each seat would have noted, at every place: `histories` of `duel-star`, shape (2, 2) each."""
        played, game = self._played, self._game
        seats = np.arange(SEATS, dtype=np.int8)
        first = game.views(played.states[0], seats, np.zeros(SEATS, np.int64))
        memory = self._agent.start(game, first, np.zeros(SEATS, np.uint64))
        found = [memory.histories.copy()]
        for events in played.events:
            self._agent.observe(events, memory, np.arange(SEATS))
            found.append(memory.histories.copy())
        return found

    # --- Moves ----------------------------------------------------------------------------------------------------------

    def judge(self, worlds: int, seed: int) -> Sequence[Judged]:
        game, played = self._game, self._played
        found = Judgements(played, self._names, worlds)
        for number, action in enumerate(played.actions):
            view = played.view(number)
            if len(game.legal_actions(view)) == 1:
                continue
            mover = int(game.to_move(played.states[number])[0])
            history = self._histories[number][mover].copy()
            history["mind"]["stream"][OWN] = seed_of(seed, number)
            comparison = Comparison(self._agent.means, game, view, history)

            def brings(
                moves: Sequence[int], first: int, count: int, trials: Comparison = comparison
            ) -> npt.NDArray[np.float64]:
                return trials.try_moves(np.array(moves, np.int32), first, count)[0]

            moves = list(dict.fromkeys((action, *comparison.moves.tolist())))
            found.add(number, compare(brings, moves, action, worlds))
        return found.found


def public_places(minds: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """How likely the nugget is under each goal to an onlooker: what the moves of both say, and the goals revealed to both.

    `minds`, shape (2,), are those of both seats; what they keep of goals is what both have seen.
    """
    goals = minds["goals"][0]
    if (goals == NUGGET).any() or (goals == BLANK).sum() == len(goals) - 1:
        left = NUGGET if (goals == NUGGET).any() else UNKNOWN
        return np.array(goals == left, np.float64)
    says = sum(mind["says"] * chance_of(float(mind["log_odds"])) for mind in minds)
    chances = np.where(goals == UNKNOWN, np.exp(says - says.max()), 0.0)
    result: npt.NDArray[np.float64] = chances / chances.sum()
    return result
