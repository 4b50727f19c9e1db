"""What the players of 2012 think a card is worth: one evaluation for each kind of card and role.

Each gives the best value and the action that has it, ties broken by lot. `scratch` holds the odds of the goals and the search for
ways.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.saboteur.slots import SAME
from molehunt.agents.saboteur.trust import NOT_PLAYABLE
from molehunt.core.kernels import kernel, lowest
from molehunt.games.saboteur.actions import PLAY_BREAK, PLAY_FIX, PLAY_MAP, PLAY_PATH, PLAY_ROCKFALL, encode
from molehunt.games.saboteur.cards import (
    CARD_TOOLS,
    FIRST_BREAK,
    FIRST_DEAD_END,
    FIRST_FIX,
    GOLD,
    MAP,
    MINER,
    ROCKFALL,
    SABOTEUR,
)
from molehunt.games.saboteur.maze import FIRST_PATH
from molehunt.games.saboteur.rules import fits_at
from molehunt.games.saboteur.ruleset import BLOCKED_MAY_ROCKFALL, DOUBLE_MENDS_BOTH
from molehunt.games.tunnels.cards import CARD_EDGES, CARD_FORMS, CARD_THROUGH
from molehunt.reading.choice import prefer
from molehunt.reading.saboteur.ways import expected, ways_after, ways_without


@kernel
def pays(change: float, p: Any) -> float:
    """A change of the best way, as far as it counts."""
    return max(min(change, p.most), -p.most)


@kernel
def value_path(mind: Any, view: Any, card: int, now: float, p: Any, scratch: Any, params: Any) -> tuple[float, int]:
    """A path card on the open end and in the form that are best: (value, action); not playable while blocked."""
    if view.broken[mind.seat]:
        return -np.inf, NOT_PLAYABLE
    maze = view.maze
    best = -np.inf
    action = NOT_PLAYABLE
    ties = 0
    edges_open = 0
    for side in range(4):
        edges_open += CARD_EDGES[card, 0] >> side & 1
    for form in range(CARD_FORMS[card]):
        for end in range(maze.end_count):
            if not fits_at(maze, end, card, form):
                continue
            ways_after(maze, card, form, end, scratch.odds, scratch.ways[0], params, scratch.lengths)
            change = pays(now - expected(scratch.lengths, scratch.odds), p)
            if mind.explicit:
                # Close the way, or lead it astray; never help.
                value = -p.harm * change
                if abs(change) <= SAME:
                    value = p.astray
            elif mind.role == SABOTEUR and change > p.cover + SAME:
                # Too good to give to the miners: it is kept back, and thrown away when nothing else is worth playing.
                continue
            else:
                value = p.path_gain * change
                if CARD_THROUGH[card]:
                    value = (p.path_idle if abs(change) <= SAME else value) + p.path_open * edges_open
            ties, chosen = prefer(mind.stream, value, best, ties, SAME)
            if chosen:
                action = encode(PLAY_PATH, card, form, maze.ends[end])
                best = value if ties == 1 else best
    return best, action


@kernel
def value_rockfall(mind: Any, view: Any, now: float, p: Any, scratch: Any, params: Any) -> tuple[float, int]:
    """A rockfall on the path card whose loss is best: (value, action)."""
    if view.broken[mind.seat] and not params[BLOCKED_MAY_ROCKFALL]:
        return -np.inf, NOT_PLAYABLE
    best = -np.inf
    action = NOT_PLAYABLE
    ties = 0
    for tile in range(FIRST_PATH, view.maze.tile_count):
        ways_without(view.maze, tile, scratch.odds, scratch.ways[0], params, scratch.lengths)
        change = pays(now - expected(scratch.lengths, scratch.odds), p)
        value = -p.harm * change if mind.explicit else p.path_gain * change
        ties, chosen = prefer(mind.stream, value, best, ties, SAME)
        if chosen:
            action = encode(PLAY_ROCKFALL, ROCKFALL, 0, view.maze.cells[tile])
            best = value if ties == 1 else best
    return (-np.inf if best <= SAME else best), action


@kernel
def value_map(mind: Any, view: Any, p: Any, scratch: Any) -> tuple[float, int]:
    """A map on the likeliest goal that is not known, while the gold is not known for sure: (value, action)."""
    best = -1
    ties = 0
    for goal in range(3):
        if mind.goals[goal] == GOLD:
            return -np.inf, NOT_PLAYABLE
        if mind.goals[goal] or view.revealed >> goal & 1:
            continue
        ties, chosen = prefer(mind.stream, scratch.odds[goal], scratch.odds[max(best, 0)], ties, SAME)
        best = goal if chosen else best
    if best < 0:
        return -np.inf, NOT_PLAYABLE
    return (p.saboteur_look if mind.explicit else p.look), encode(PLAY_MAP, MAP, 0, best)


@kernel
def value_break(mind: Any, view: Any, card: int, suspicions: Any, p: Any) -> tuple[float, int]:
    """A block on the player who is not blocked and most likely on the other side: (value, action)."""
    best = -1
    most = 0.0
    ties = 0
    for player in range(mind.seats):
        if player == mind.seat or view.broken[player]:
            continue
        foe = suspicions[player] if mind.role == MINER else 1.0 - suspicions[player]
        ties, chosen = prefer(mind.stream, foe, most, ties, SAME)
        if chosen:
            best = player
            most = foe if ties == 1 else most
    if best < 0 or (mind.role == MINER and most <= p.suspicious + SAME):
        return -np.inf, NOT_PLAYABLE
    return (p.block if mind.role == MINER else p.saboteur_block) * most, encode(PLAY_BREAK, card, 0, best)


@kernel
def value_fix(mind: Any, view: Any, card: int, suspicions: Any, p: Any, params: Any) -> tuple[float, int]:
    """A deblock: of oneself first, by a miner else of the least suspicious who is blocked: (value, action)."""
    target = -1
    value = -np.inf
    if view.broken[mind.seat] & CARD_TOOLS[card]:
        target = mind.seat
        value = p.saboteur_free if mind.explicit else p.free_self
    elif mind.role == MINER:
        ties = 0
        least = 0.0
        for player in range(mind.seats):
            if player == mind.seat or not view.broken[player] & CARD_TOOLS[card]:
                continue
            ties, chosen = prefer(mind.stream, -suspicions[player], -least, ties, SAME)
            if chosen:
                target = player
                least = suspicions[player] if ties == 1 else least
        if target >= 0 and least > p.suspicious:
            target = -1
        value = p.free_other * (1.0 - least)
    if target < 0:
        return -np.inf, NOT_PLAYABLE
    form = 0
    if not params[DOUBLE_MENDS_BOTH]:
        form = 1 + lowest(np.uint64(view.broken[target] & CARD_TOOLS[card]))
    return value, encode(PLAY_FIX, card, form, target)


@kernel
def keeps(mind: Any, card: int, p: Any) -> float:
    """How much a card is worth keeping."""
    saboteur = mind.role == SABOTEUR
    if card < FIRST_DEAD_END:
        return p.saboteur_keep_tunnel if saboteur else p.keep_tunnel
    if card < FIRST_BREAK:
        return p.saboteur_keep_dead_end if saboteur else p.keep_dead_end
    if card < FIRST_FIX:
        return p.saboteur_keep_block if saboteur else p.keep_block
    if card < ROCKFALL:
        return p.saboteur_keep_deblock if saboteur else p.keep_deblock
    if card == ROCKFALL:
        return p.saboteur_keep_rockfall if saboteur else p.keep_rockfall
    return p.saboteur_keep_map if saboteur else p.keep_map
