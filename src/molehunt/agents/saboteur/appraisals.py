"""What path cards and rockfalls are worth on a board to a role and a state of knowledge, and the best ways to play them.

An appraisal asks no random stream, so it is made once for all who see the same board and value it alike. Of ways to play a card
that are worth the same, each player draws one with their own stream, as one does who goes through all ways (`choice.prefer`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.saboteur.prospects import change_if_gone, change_if_laid, change_of_tiles_if_gone, link_tiles
from molehunt.agents.saboteur.slots import SAME
from molehunt.agents.saboteur.trust import NOT_PLAYABLE
from molehunt.core.kernels import bit, kernel, lowest, without_lowest
from molehunt.games.saboteur.actions import PLAY_PATH, PLAY_ROCKFALL, encode
from molehunt.games.saboteur.cards import ROCKFALL, SABOTEUR
from molehunt.games.saboteur.maze import FIRST_PATH
from molehunt.games.saboteur.rules import fits
from molehunt.games.tunnels.cards import CARD_EDGES, CARD_FORMS, CARD_THROUGH
from molehunt.reading.choice import prefer

# A way is one byte.
BETTER, FORM_BIT, NUMBER = 0x80, 6, 0x3F
"""The number of the open end or the tile; one bit for the form; and BETTER, where a way is worth more than those before it."""


@kernel
def add_way(outlook: Any, card: int, way: int, change: float, best: float, ties: int) -> tuple[int, float]:
    """One more way to play a card: (how many share the best change now, that change).

    What is kept are the ways for which a player draws: those that share the best change so far, where there are several, and
    the last that are best.
    """
    count = outlook.way_counts[card]
    if ties == 0 or change > best + SAME:
        if ties == 1:
            count -= 1
        outlook.ways[card, count] = way | BETTER
        outlook.way_counts[card] = count + 1
        return 1, change
    if change == best or abs(change - best) <= SAME:
        outlook.ways[card, count] = way
        outlook.way_counts[card] = count + 1
        return ties + 1, best
    return ties, best


@kernel
def draw_way(stream: Any, outlook: Any, card: int) -> int:
    """One of the best ways to play an appraised card, each as likely as the others; -1 where there is none."""
    chosen = -1
    ties = 0
    for index in range(outlook.way_counts[card]):
        way = outlook.ways[card, index]
        ties, taken = prefer(stream, float(way & BETTER), 0.0, ties, 0.0)
        if taken:
            chosen = way & ~BETTER
    return chosen


@kernel
def appraise_path(
    maze: Any, card: int, role: int, p: Any, values: Any, params: Any, prospects: Any, outlook: Any
) -> None:
    """Algorithm 3 for a path card: its value, and the ways that have it."""
    through = CARD_THROUGH[card] != 0
    forbidden = p.own_kind_only != 0.0 and through == (role == SABOTEUR)
    goals_count = p.goals_count != 0.0
    breaks_ties = p.mean_breaks_ties != 0.0
    best = -np.inf
    ties = 0
    outlook.way_counts[card] = 0
    outlook.appraised |= bit(card)
    for form in range(CARD_FORMS[card]):
        edges = CARD_EDGES[card, form]
        fitting = np.uint64(0)
        for number in range(maze.end_count):
            fitting |= np.uint64(fits(maze.fits[prospects.ends[number]], edges)) << np.uint64(number)
        if forbidden and fitting:
            outlook.values[card] = -np.inf
            return
        while fitting:
            end = prospects.ends[lowest(fitting)]
            fitting = without_lowest(fitting)
            change = change_if_laid(
                maze, end, edges, through, role, values, goals_count, breaks_ties, params, prospects, outlook
            )
            ties, best = add_way(outlook, card, form << FORM_BIT | end, change, best, ties)
    outlook.values[card] = p.d_pi * best if ties else p.no_placement


@kernel
def appraise_rockfall(maze: Any, role: int, p: Any, values: Any, prospects: Any, outlook: Any) -> None:
    """Algorithm 3 for a rockfall: its value, and the ways that have it."""
    if not prospects.linked:
        link_tiles(maze, prospects)
    goals_count = p.goals_count != 0.0
    breaks_ties = p.mean_breaks_ties != 0.0
    best = -np.inf
    ties = 0
    outlook.way_counts[ROCKFALL] = 0
    outlook.appraised |= bit(ROCKFALL)
    for number in range(maze.tile_count - FIRST_PATH):
        tile = prospects.tiles[number]
        if p.rockfall_joined and not maze.joined >> np.uint64(tile) & np.uint64(1):
            continue
        if p.rockfall_occupied:
            change = change_of_tiles_if_gone(maze, tile, role, values, breaks_ties, prospects)
        else:
            change = change_if_gone(maze, tile, role, values, goals_count, breaks_ties, prospects, outlook)
        ties, best = add_way(outlook, ROCKFALL, tile, change, best, ties)
    value = p.d_rho * best
    outlook.values[ROCKFALL] = (abs(value) if p.rockfall_absolute else value) if ties else p.no_placement


@kernel
def path_action(maze: Any, card: int, way: int) -> int:
    """A way to play a path card as an action."""
    if way < 0:
        return NOT_PLAYABLE
    return encode(PLAY_PATH, card, way >> FORM_BIT, maze.ends[way & NUMBER])


@kernel
def rockfall_action(maze: Any, way: int) -> int:
    """A way to play a rockfall as an action."""
    return NOT_PLAYABLE if way < 0 else encode(PLAY_ROCKFALL, ROCKFALL, 0, maze.cells[way])
