"""What the learned player of the duel is told: a view and each legal move as small whole numbers, written by compiled code.

Most numbers are 0 or 1, counts are counts. `position_parts` and `move_parts` say in which order they come. Of each goal that may
hide the nugget, the cost of the cheapest way is told for the cards in hand (`digging`), and of each tile how it changes that.
Of the other it is told what `opponent` reads from their moves: how they play, where they think the nugget is, what they lack.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.duel import digger
from molehunt.agents.duel.digger import note_cards, risk_after, risk_now, tile_in_the_way
from molehunt.agents.duel.heuristic_2020 import guess_goal
from molehunt.agents.duel.opponent import GUESSED, MIND, chance_of, knows_place, weigh_places
from molehunt.agents.duel.opponent import note_event as note_in_mind
from molehunt.core.kernels import kernel
from molehunt.games.duel.actions import (
    DESTROY_TILE,
    DISCARD,
    FREE,
    HINDER,
    LAY,
    LOOK,
    card_of,
    flipped_of,
    play_of,
    target_of,
)
from molehunt.games.duel.cards import (
    CODE_CENTRE,
    CODE_EDGES,
    DESTROY,
    EMPTY,
    KINDS,
    OPEN,
    TILE_EDGES,
    UNKNOWN,
)
from molehunt.games.duel.maze import STEPS, holds, opposite
from molehunt.games.duel.rules import list_actions
from molehunt.games.duel.state import CELLS, DECK, GRID, SEATS
from molehunt.reading.duel.digging import (
    NO_WAY,
    TINY,
    TUNNEL,
    cost_after_tile,
    cost_from_tunnel,
    fill_supply,
    find_costs_near,
    is_reached,
)
from molehunt.reading.writing import write_bits, write_one

LEFT, TOP, WIDTH, HEIGHT = 1, 5, 11, 10
"""The cells that are told, by column and row of the grid: from a row above the entrance to that below the goals."""
PLANES = 6
"""Of each cell: its four open edges, whether tunnels run through it, whether it is joined to the entrance."""
THROUGH_PLANE, JOINED_PLANE = 4, 5
DEEDS = 7
"""Counted of each seat: tunnels laid, dead ends, maps, maluses, bonuses, tiles destroyed, discards."""
TUNNELS, DEAD_ENDS, LOOKS, HINDERS, FREES, DESTROYS, DISCARDS = range(DEEDS)
COSTS = 12
"""The cost of a way is told as one of 0 to 10, or none."""
CHANGES = 6
"""A change of a cost: lower by 1.5 or more, by 0.5 or more, about the same, higher, the end of the way, no tile of the way."""
RISKS = 5
PLAYS = 7
TIMES = 12
MOST_MALUS = 3
PATIENCE = 2.0
"""What it costs to wait for a draw (`digging.fill_supply`)."""
NEAR = 3.0
"""The chance that the other finishes is told of a tile after which the way costs less."""

CHANCES = 7
"""A chance is told as one of: none, below 0.1, 0.3, 0.5, 0.7, or 1, or certain."""
HASTE = 5
"""How much the other hurries is told as one of: log odds below -1.5, -0.5, 0.5, 1.5, or more."""

HISTORY = np.dtype([("deeds", np.int8, (SEATS, DEEDS)), ("mind", MIND)])
"""What a chair noted of the game: what each seat did, and what it makes of the other."""

SCRATCH = np.dtype(
    [
        ("digger", digger.SCRATCH, (1,)),
        ("costs", np.float64, (3, CELLS, 4)),
        ("odds", np.float64, (3,)),  # how likely the nugget is under each goal
        ("now", np.float64, (3,)),  # what the way to each goal costs
        ("guess", np.int64),  # the goal for which one digs
        ("blocking", np.int64),  # the tile in the way to it, -1 for none
    ]
)
"""Scratch for one decision."""


def position_parts() -> dict[str, int]:
    """How many numbers each part of a position has, in their order."""
    return {
        "board": PLANES * WIDTH * HEIGHT,
        "hand": KINDS,
        "unseen": KINDS,
        "goals": 9,
        "revealed": 3,
        "looked at": 6,
        "maluses": 2 * MOST_MALUS,
        "hand sizes": 2,
        "deeds": SEATS * DEEDS,
        "costs": 3 * COSTS,
        "cost to the guess": COSTS,
        "risk": RISKS,
        "cards left": TIMES,
        "places": 3 * CHANCES,
        "digs": CHANCES,
        "hurries": HASTE,
        "knows the place": 3,
        "lacks a last tile": 3,
        "lacks a bonus": 1,
    }


def move_parts() -> dict[str, int]:
    """How many numbers each part of a move has, in their order."""
    return {
        "play": PLAYS,
        "card": KINDS,
        "card discarded": KINDS,
        "edges": 5,
        "column": WIDTH,
        "row": HEIGHT,
        "onto the tunnel": 1,
        "changes": 3 * CHANGES,
        "cost to the guess": COSTS,
        "on the way": 3,
        "beside a goal": 3,
        "risk": RISKS,
        "tile in the way": 2,
        "goal looked at": 6,
    }


@kernel
def note_event(history: Any, event: Any) -> None:
    """Count what a seat did, and think of the other by it."""
    note_in_mind(event, history.mind)
    deeds = history.deeds
    play = play_of(event.action)
    if play == LAY:
        deeds[event.seat, TUNNELS if TUNNEL[card_of(event.action)] else DEAD_ENDS] += 1
    elif play == LOOK:
        deeds[event.seat, LOOKS] += 1
    elif play == HINDER:
        deeds[event.seat, HINDERS] += 1
    elif play == FREE:
        deeds[event.seat, FREES] += 1
    elif play == DESTROY_TILE:
        deeds[event.seat, DESTROYS] += 1
    elif play == DISCARD:
        deeds[event.seat, DISCARDS] += 1


@kernel
def cost_class(cost: float) -> int:
    """Which of COSTS a way has."""
    return COSTS - 1 if cost >= NO_WAY else min(int(cost + 0.5), COSTS - 2)


@kernel
def change_class(before: float, after: float) -> int:
    """Which of CHANGES a tile of the tunnel makes to the cost of a way."""
    if after >= NO_WAY:
        return CHANGES - 2
    change = after - before
    return 0 if change <= -1.5 else 1 if change <= -0.5 else 2 if change <= 0.5 else 3


@kernel
def risk_class(risk: float) -> int:
    """Which of RISKS a chance is: none, up to 0.1, 0.3, 0.6, or more."""
    return 0 if risk <= 0.0 else 1 if risk <= 0.1 else 2 if risk <= 0.3 else 3 if risk <= 0.6 else 4


@kernel
def chance_class(chance: float) -> int:
    """Which of CHANCES a chance is."""
    if chance <= 0.0 or chance >= 1.0:
        return 0 if chance <= 0.0 else CHANCES - 1
    return 1 if chance < 0.1 else 2 + min(int((chance - 0.1) / 0.2), CHANCES - 4)


@kernel
def haste_class(log_odds: float) -> int:
    """Which of HASTE some log odds are."""
    return min(max(int(log_odds + 2.5), 0), HASTE - 1)


@kernel
def survey(view: Any, history: Any, scratch: Any) -> None:
    """Find what the ways cost, the goal that one digs for, and what lies in the way."""
    mine = scratch.digger[0]
    seat = view.seat
    note_cards(view, seat, view.hand, view.discards, 7, mine)
    weigh_places(history.mind, view.goals, chance_of(history.mind.log_odds), scratch.odds)
    likeliest = 0
    for goal in range(1, 3):
        if scratch.odds[goal] > scratch.odds[likeliest]:
            likeliest = goal
    fill_supply(mine.hand, mine.unseen, mine.hand[DESTROY], PATIENCE, mine.supply[0])
    mine.goal = likeliest if scratch.odds[likeliest] > 1 / 3 + GUESSED else guess_goal(view.goals)
    scratch.guess = mine.goal
    for goal in range(3):
        scratch.now[goal] = NO_WAY
        if scratch.odds[goal] > 0.0:
            find_costs_near(view.maze, goal, mine.supply[0], scratch.costs[goal])
            scratch.now[goal] = cost_from_tunnel(view.maze, goal, scratch.costs[goal])
    mine.costs[:] = scratch.costs[scratch.guess]
    scratch.blocking = tile_in_the_way(view.maze, mine)


@kernel
def write_board(maze: Any, out: Any) -> int:
    """Write the planes of the board; return their size."""
    cells = WIDTH * HEIGHT
    for row in range(HEIGHT):
        for column in range(WIDTH):
            cell = (TOP + row) * GRID + LEFT + column
            code = maze.what[cell]
            if code != EMPTY:
                at = row * WIDTH + column
                for side in range(4):
                    out[side * cells + at] = CODE_EDGES[code] >> side & 1
                out[THROUGH_PLANE * cells + at] = CODE_CENTRE[code] == OPEN
                out[JOINED_PLANE * cells + at] = holds(maze.joined, cell)
    return PLANES * cells


@kernel
def write_position(view: Any, history: Any, scratch: Any, out: Any) -> int:
    """Write a view and what its seat noted of the game; return the size of it. `survey` came before."""
    out[:] = 0
    seat = view.seat
    at = write_board(view.maze, out)
    for kind in range(KINDS):
        out[at + kind] = scratch.digger[0].hand[kind]
        out[at + KINDS + kind] = view.unseen[kind]
    at += 2 * KINDS
    for goal in range(3):
        at = write_one(view.goals[goal], 3, at, out)
    at = write_bits(view.revealed, 3, at, out)
    for away in range(SEATS):
        at = write_bits(np.int64(view.looked[(seat + away) % SEATS]), 3, at, out)
    for away in range(SEATS):
        at = write_one(min(view.malus[(seat + away) % SEATS], MOST_MALUS) - 1, MOST_MALUS, at, out)
    for away in range(SEATS):
        out[at + away] = view.hand_sizes[(seat + away) % SEATS]
    at += SEATS
    for away in range(SEATS):
        for deed in range(DEEDS):
            out[at + deed] = history.deeds[(seat + away) % SEATS, deed]
        at += DEEDS
    for goal in range(3):
        at = write_one(cost_class(scratch.now[goal]), COSTS, at, out)
    at = write_one(cost_class(scratch.now[scratch.guess]), COSTS, at, out)
    at = write_one(risk_class(risk_now(view.maze, scratch.digger[0])), RISKS, at, out)
    at = write_one(min((DECK - view.drawn + 3) // 4, TIMES - 1), TIMES, at, out)
    return write_other(history.mind, scratch, at, out)


@kernel
def write_other(mind: Any, scratch: Any, at: int, out: Any) -> int:
    """Write what the other's moves say; return where the next part begins."""
    for goal in range(3):
        at = write_one(chance_class(scratch.odds[goal]), CHANCES, at, out)
    at = write_one(chance_class(chance_of(mind.log_odds)), CHANCES, at, out)
    at = write_one(haste_class(mind.hurry), HASTE, at, out)
    for goal in range(3):
        out[at + goal] = knows_place(mind, goal)
        out[at + 3 + goal] = mind.lacks[goal] != 0
    out[at + 6] = mind.no_bonus
    return at + 7


@kernel
def is_next_on_way(maze: Any, cell: int, goal: int, scratch: Any) -> bool:
    """Whether the cheapest way from the tunnel to a goal begins on a cell."""
    for side in range(4):
        beyond = cell + STEPS[side]
        code = maze.what[beyond]
        opens = CODE_CENTRE[code] == OPEN and CODE_EDGES[code] >> opposite(side) & 1
        if opens and holds(maze.joined, beyond) and scratch.costs[goal, cell, side] <= scratch.now[goal] + TINY:
            return True
    return False


@kernel
def write_cell(view: Any, action: int, scratch: Any, at: int, out: Any) -> int:
    """Write where a tile goes or is destroyed and what a tile changes; return where the next part begins."""
    play, card, cell = play_of(action), card_of(action), target_of(action)
    if play != LAY and play != DESTROY_TILE:
        return at + 5 + WIDTH + HEIGHT + 1 + 3 * CHANGES + COSTS + 6 + RISKS + 2
    maze = view.maze
    if play == LAY:
        write_bits(np.int64(TILE_EDGES[card, flipped_of(action)]), 4, at, out)
        out[at + 4] = TUNNEL[card]
    at = write_one(cell % GRID - LEFT, WIDTH, at + 5, out)
    at = write_one(cell // GRID - TOP, HEIGHT, at, out)
    opened = is_reached(maze, cell)
    out[at] = opened
    at += 1
    least = NO_WAY
    goes_on = play == LAY and opened and TUNNEL[card]
    for goal in range(3):
        changed = -1
        if play == LAY and scratch.odds[goal] > 0.0:
            changed = CHANGES - 1
            if goes_on:
                after = cost_after_tile(maze, scratch.costs[goal], card, flipped_of(action), cell)
                changed = change_class(scratch.now[goal], after)
                least = min(least, after)
                if goal == scratch.guess:
                    write_one(cost_class(after), COSTS, at + (3 - goal) * CHANGES, out)
        at = write_one(changed, CHANGES, at, out)
    at += COSTS
    for goal in range(3):
        out[at + goal] = scratch.odds[goal] > 0.0 and is_next_on_way(maze, cell, goal, scratch)
        if opened and scratch.odds[goal] > 0.0:
            for side in range(4):
                if scratch.costs[goal, cell + STEPS[side], opposite(side)] == 0.0:
                    out[at + 3 + goal] = 1
    at += 6
    if goes_on and least < NEAR:
        write_one(risk_class(risk_after(maze, action, scratch.digger[0])), RISKS, at, out)
    at += RISKS
    out[at] = cell == scratch.blocking
    out[at + 1] = holds(maze.joined, cell)
    return at + 2


@kernel
def write_move(view: Any, action: int, scratch: Any, out: Any) -> int:
    """Write a legal move; return the size of it."""
    out[:] = 0
    play, card, target = play_of(action), card_of(action), target_of(action)
    at = write_one(play, PLAYS, 0, out)
    at = write_one(card if play != DISCARD else -1, KINDS, at, out)
    at = write_one(card if play == DISCARD else -1, KINDS, at, out)
    at = write_cell(view, action, scratch, at, out)
    if play == LOOK:
        out[at + target] = 1
        out[at + 3] = view.goals[target] != UNKNOWN
        out[at + 4] = scratch.guess == target
        out[at + 5] = scratch.odds[target] == 1.0
    return at + 6


@kernel
def describe(view: Any, history: Any, scratch: Any, position: Any, moves: Any, actions: Any) -> int:
    """Write the position, every legal move and the action that it is; returns how many there are."""
    count = list_actions(view.hand, view.maze, view.malus[view.seat], view.revealed, actions)
    survey(view, history, scratch)
    write_position(view, history, scratch, position)
    for index in range(count):
        write_move(view, actions[index], scratch, moves[index])
    return count
