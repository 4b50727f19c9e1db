"""What the players of 2020 say when they are asked why: the guess, and the best moves with h term by term."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.duel.heuristic_2020 import GUESS, Weights, guess_goal, map_to_play, nugget_is_known
from molehunt.agents.duel.positions import MOST_MOVES, POSITION, immediate_values, position_of_view
from molehunt.core.language import _
from molehunt.core.places import place_said
from molehunt.core.words import number_said
from molehunt.games.duel.cards import GOAL_PLACES
from molehunt.games.duel.game import Duel
from molehunt.search.expectimax import Found

SHOWN = 5
"""How many of the best moves are named."""


def reasons(weights: Weights, game: Duel, view: Any, depth: int, chosen: int, found: Found | None = None) -> str:
    """The guess and the best moves, the one that was chosen before its equals.

    `found` is what a search found, None where h alone decides.
    """
    views = np.atleast_1d(view)
    goals = views[0]["goals"]
    place = GOAL_PLACES[guess_goal(goals)]
    known = nugget_is_known(goals)
    where = (
        _("The nugget is at the {place}.", place=place_said(place))
        if known
        else _("The nugget is guessed to be at the {place}.", place=place_said(place))
    )
    if weights.map_first and (first := map_to_play(views[0])) >= 0:
        looks = _("A map comes before all else while its place is unknown: {move}.", move=game.format_action(first))
        return f"{where} {looks}"
    if found is None:
        moves, values = h_of_moves(weights, views)
    else:
        moves, values = found.moves[found.searched], found.values[found.searched]
        if not len(moves):
            moves, values = found.moves, found.values
    order = np.lexsort((-values, moves != chosen))[:SHOWN]
    listed = ", ".join(f"{game.format_action(int(moves[i]))} ({number_said(-values[i], ',.1f')})" for i in order)
    if depth == 1:
        best = _("Best moves by h after the move, smaller is better: {moves}.", moves=listed)
    else:
        best = _(
            "Best moves by expected h, {depth} moves ahead, smaller is better: {moves}.", depth=depth, moves=listed
        )
    if found is None or depth == 1:
        return f"{where} {best}"
    return f"{where} {best} {_('{nodes} positions were looked at.', nodes=number_said(found.nodes, ','))}"


def h_of_moves(weights: Weights, views: Any) -> tuple[Any, Any]:
    """The moves of the first view and minus h after each."""
    settings = weights.settings()
    settings[GUESS] = guess_goal(views[0]["goals"])
    positions = np.zeros(2, POSITION)
    position_of_view(views[0], positions[0])
    moves, values = np.empty(MOST_MOVES, np.int32), np.empty(MOST_MOVES)
    count = immediate_values(positions, settings, moves, values)
    return moves[:count], values[:count]
