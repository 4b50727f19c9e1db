"""What `duel-star` makes of the other player: whether it digs for the nugget or plays at random.

Each move of the other falls into a class. How often players that dig and players at random make moves of each class was counted
(`DIGS`, `RANDOM`); Bayes' rule does the rest.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from molehunt.agents.duel.digging import SUPPLY, cost_from_tunnel, fill_supply, find_costs
from molehunt.core.kernels import kernel
from molehunt.games.duel.actions import DESTROY_TILE, FREE, HINDER, LAY, LOOK, card_of, flipped_of, play_of, target_of
from molehunt.games.duel.cards import DECK_COUNTS, KINDS
from molehunt.games.duel.maze import copy_maze, lay, show_goal, take_away
from molehunt.games.duel.state import CELLS, MAZE, SEAT

ONWARD, ASIDE, LOOKS, HINDERS, FREES, DESTROYS, DROPS = range(7)
"""Classes of moves: a tile that shortens the way to some goal, another tile, a map, a malus, a bonus, a destroy card, a drop."""

DIGS = np.array([0.44, 0.19, 0.11, 0.04, 0.02, 0.03, 0.17])
"""Counted over 17,000 moves of greedy-2020, and-or-2020 and the digger against random-listed and the digger, rounded."""
RANDOM = np.array([0.115, 0.485, 0.08, 0.013, 0.01, 0.052, 0.245])
"""Counted over 21,000 moves of random and random-listed."""
LOG_RATIO = np.log(DIGS / RANDOM)
MOST = 12.0
"""The log odds are kept within so much either way, so that a mind can change."""

MIND = np.dtype(
    [
        ("stream", np.uint64, (1,)),
        ("log_odds", np.float64),  # of digging against playing at random
        ("ways", np.float64),  # what the ways to the three goals cost together, for somebody with no cards
        ("maze", MAZE),
        ("seat", np.int64),
    ]
)
"""What a chair remembers."""


def open_mind(minds: Any, views: Any, digger: float) -> None:
    """Begin with a chance that the other digs."""
    chance = min(max(digger, 1e-6), 1 - 1e-6)
    minds["log_odds"] = math.log(chance / (1 - chance))
    _open_minds(minds, views)


@kernel
def _open_minds(minds: Any, views: Any) -> None:
    costs, supply = np.empty((CELLS, 4)), np.zeros(1, SUPPLY)
    for index in range(len(minds)):
        mind = minds[index]
        mind.seat = views[index].info[SEAT]
        copy_maze(views[index].maze, mind.maze)
        mind.ways = cost_of_ways(mind.maze, costs, supply)


def chance_of_digger(minds: Any) -> float:
    """The chance that the other of the first mind digs."""
    return 1 / (1 + math.exp(-float(minds["log_odds"][0])))


@kernel
def cost_of_ways(maze: Any, costs: Any, supply: Any) -> Any:
    """What the ways to the three goals cost together, for somebody with no cards and a whole deck to come."""
    fill_supply(np.zeros(KINDS, np.int16), DECK_COUNTS, 0, 0.1, supply[0])
    total = 0.0
    for goal in range(3):
        find_costs(maze, goal, supply[0], costs)
        total += cost_from_tunnel(maze, goal, costs)
    return total


@kernel
def note_event(events: Any, minds: Any, rows: Any) -> None:
    """Follow what happened on the board, and think of the other by its moves."""
    costs, supply = np.empty((CELLS, 4)), np.zeros(1, SUPPLY)
    for index in range(len(events)):
        event = events[index]
        mind = minds[rows[index]]
        done = play_of(event.action)
        if done == LAY:
            lay(mind.maze, card_of(event.action), flipped_of(event.action), target_of(event.action))
        elif done == DESTROY_TILE:
            take_away(mind.maze, target_of(event.action))
        for goal in range(3):
            if event.revealed >> goal & 1:
                show_goal(mind.maze, goal, event.goals[goal])
        before = mind.ways
        if done in (LAY, DESTROY_TILE) or event.revealed:
            mind.ways = cost_of_ways(mind.maze, costs, supply)
        if event.seat == mind.seat:
            continue
        sort = DROPS
        if done == LAY:
            sort = ONWARD if mind.ways < before - 0.01 else ASIDE
        elif done == LOOK:
            sort = LOOKS
        elif done == HINDER:
            sort = HINDERS
        elif done == FREE:
            sort = FREES
        elif done == DESTROY_TILE:
            sort = DESTROYS
        mind.log_odds = min(max(mind.log_odds + LOG_RATIO[sort], -MOST), MOST)
