"""`stranger`: players of the duel drawn from a space of habits by a seed, a benchmark of robustness.

`stranger:seed=17` is always the same player. What it may do is in `habits`, and in docs/strangers.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.chance import streams_at
from molehunt.agents.compiled import CompiledAgent
from molehunt.agents.duel.digger import (
    MOST_MOVES,
    TINY,
    finishing_cell,
    note_cards,
    risk_after,
    risk_now,
    tile_in_the_way,
    tile_moves,
    worst_card,
)
from molehunt.agents.duel.digger import (
    SCRATCH as DIGGING,
)
from molehunt.agents.duel.heuristic_2020 import guess_goal, nugget_is_known
from molehunt.agents.duel.random_listed import listed_action
from molehunt.core.agent import check_seating, seats_of_views
from molehunt.core.game import Game, Views
from molehunt.core.kernels import kernel
from molehunt.core.language import _, later
from molehunt.core.memory import CONSTANT_PART, SCRATCH_PART
from molehunt.core.specs import parameter
from molehunt.core.streams import below, uniform
from molehunt.games.duel.actions import DESTROY_TILE, DISCARD, FREE, HINDER, LAY, LOOK, encode
from molehunt.games.duel.cards import (
    BONUS,
    CODE_CENTRE,
    CODE_EDGES,
    DESTROY,
    EMPTY,
    HIDDEN_GOAL,
    MALUS,
    MAP,
    OPEN,
    TILE_EDGES,
    TILE_FORMS,
    TILES,
    UNKNOWN,
)
from molehunt.games.duel.game import check_game
from molehunt.games.duel.maze import STEPS, holds, opposite
from molehunt.games.duel.state import CELLS, GOAL_CELLS, GRID, HAND, SIZE, VIEW
from molehunt.games.playing import acting, array_at
from molehunt.reading.duel.digging import (
    FIRST_ROW,
    JOINS,
    LAST_ROW,
    NO_WAY,
    TUNNEL,
    cost_from_tunnel,
    fill_supply,
    find_costs_near,
    sets_that_fit,
)
from molehunt.reading.duel.habits import (
    ANY,
    AT_ONCE,
    BREAKS,
    COLUMNS,
    DEAD_ENDS,
    FIRST,
    HABITS,
    HABITS_SAID,
    IN_ANSWER,
    KEEPS,
    NEVER,
    OLDEST,
    SAVED,
    draw_habits,
    styles_of,
)

THREAT, PATIENCE = 0.3, 0.3
"""The chance of the other's finishing from which on it is stopped; what it costs to wait for a card."""


@dataclass(frozen=True)
class Parameters:
    """What can be set in `stranger`."""

    seed: int = parameter(0, later("which stranger of all that there are"), low=0, high=2**53 - 1)


EDITIONS: dict[str, Parameters] = {"drawn": Parameters()}
STREAMS, HABIT, SCRATCH = range(0, 6, 2)
"""Where compiled loops find the parts of a memory: the address and the length of each."""

habits_at = array_at(HABITS)
scratch_at = array_at(DIGGING)


@dataclass
class Memory:
    """The seat and the random stream of each chair, the habits, and scratch."""

    seats: npt.NDArray[np.int16]
    streams: npt.NDArray[np.uint64]
    habits: npt.NDArray[Any] = field(metadata=CONSTANT_PART)
    scratch: npt.NDArray[Any] = field(metadata=SCRATCH_PART)


@acting(VIEW)
def act_one(views: Any, memory: Any, chair: int) -> Any:
    """What a stranger does at a view."""
    view = views[0]
    stream = streams_at(memory[STREAMS], memory[STREAMS + 1])[chair : chair + 1]
    habit = habits_at(memory[HABIT], memory[HABIT + 1])[0]
    scratch = scratch_at(memory[SCRATCH], memory[SCRATCH + 1])[0]
    seat = view.seat
    if uniform(stream) < habit.noise:
        return np.int64(listed_action(stream, view.hand, view.maze, view.malus[seat], view.revealed))
    note_cards(view, seat, view.hand, view.discards, 7, scratch)
    return np.int64(act_by_habit(view.maze, view.hand, habit, scratch, stream))


class StrangerAgent(CompiledAgent):
    """The stranger of a seed."""

    observes = False
    act_one = act_one

    def __init__(self, name: str = "stranger", parameters: Parameters = EDITIONS["drawn"]) -> None:
        self.name = name
        self.parameters = parameters
        self.habits = draw_habits(parameters.seed)

    @property
    def styles(self) -> tuple[str, ...]:
        """What this stranger is called."""
        return styles_of(self.habits[0])

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        check_game(self.name, game)
        check_seating(game, views, streams)
        return Memory(seats_of_views(views), streams.copy(), self.habits, np.zeros(1, DIGGING))

    def parts(self, memory: Memory) -> tuple[npt.NDArray[Any], ...]:
        return memory.streams, memory.habits, memory.scratch

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        mind = self.copy_memory(memory)
        action = int(self.act(np.atleast_1d(view), mind, np.array([row]))[0])
        move = game.format_action(action)
        if not self.styles:
            return _("It chooses {move} by habit and compares no moves.", move=move)
        habits = "; ".join(_(HABITS_SAID[style]) for style in self.styles)
        return _("It chooses {move} by habit and compares no moves. Its habits: {habits}.", move=move, habits=habits)


# --- One move ------------------------------------------------------------------------------------------------------------


@kernel
def act_by_habit(maze: Any, hand: Any, habit: Any, scratch: Any, stream: Any) -> Any:
    """The move of a player with these habits, whose cards and knowledge are noted in the scratch."""
    known = nugget_is_known(scratch.goals)
    aim = guess_goal(scratch.goals)
    if not known and scratch.goals[habit.guess] == UNKNOWN:
        aim = habit.guess
    now = face(maze, aim, habit, scratch)
    lured = False
    if known and now > habit.lure > 0:
        for goal in range(3):
            if goal != aim and maze.what[GOAL_CELLS[goal]] == HIDDEN_GOAL:
                now = face(maze, goal, habit, scratch)
                lured = True
                break
    near = now <= habit.near

    if scratch.malus and scratch.hand[BONUS] and (near or not habit.bonus_near):
        return encode(FREE, BONUS, 0, 0)
    if scratch.hand[MAP] and not known and habit.looks != NEVER and (near or habit.looks == FIRST):
        return look(habit, scratch)
    if scratch.hand[MALUS]:
        answers = habit.malus == IN_ANSWER and scratch.malus > 0
        if habit.malus == AT_ONCE or answers:
            return encode(HINDER, MALUS, 0, 0)

    # The tile after which the goal is nearest.
    moves = np.empty(MOST_MOVES, np.int32)
    scores = np.empty(MOST_MOVES)
    count = tile_moves(maze, scratch, moves, scores)
    best = -1
    for index in range(count):
        if scores[index] == 0 and (lured or not (known or habit.reach)):
            continue
        if best < 0 or scores[index] < scores[best] - TINY:
            best = index
    if best >= 0 and scores[best] == 0:
        return moves[best]
    if scratch.hand[MALUS] and habit.malus == SAVED and near and not scratch.other_malus:
        return encode(HINDER, MALUS, 0, 0)
    onward = best >= 0 and scores[best] < now - TINY
    if onward and (scores[best] > habit.near or risk_after(maze, moves[best], scratch) <= habit.wait):
        return moves[best]

    # No tile brings anything: stop the other, look, clear the way, pass the time.
    if (habit.blocks or habit.destroy == BREAKS) and not scratch.malus and risk_now(maze, scratch) > THREAT:
        stop = stopping_move(maze, habit, scratch)
        if stop >= 0:
            return stop
    if scratch.hand[MAP] and not known:
        return look(habit, scratch)
    if scratch.hand[DESTROY] and habit.destroy != KEEPS:
        cell = tile_in_the_way(maze, scratch)
        if cell >= 0:
            return encode(DESTROY_TILE, DESTROY, 0, cell)
    if habit.aside and best >= 0 and not onward and not near:
        return moves[best]
    return encode(DISCARD, card_to_discard(hand, habit, scratch, stream), 0, 0)


@kernel
def face(maze: Any, goal: int, habit: Any, scratch: Any) -> Any:
    """Dig for a goal: note in the scratch how far it is from everywhere; returns how far it is from the tunnel."""
    scratch.goal = goal
    fill_supply(
        scratch.hand,
        scratch.unseen,
        scratch.hand[DESTROY] if habit.destroy != KEEPS else 0,
        PATIENCE,
        scratch.supply[0],
    )
    if habit.measure == COLUMNS:
        find_distances(maze, goal, scratch.supply[0].have, habit.ahead, scratch.costs)
    else:
        find_costs_near(maze, goal, scratch.supply[0], scratch.costs)
    return cost_from_tunnel(maze, goal, scratch.costs)


@kernel
def look(habit: Any, scratch: Any) -> Any:
    """The map on the goal that this player looks at next."""
    for step in range(3):
        goal = (habit.look_from + step) % 3
        if scratch.goals[goal] == UNKNOWN:
            return encode(LOOK, MAP, 0, goal)
    return encode(DISCARD, MAP, 0, 0)


@kernel
def find_distances(maze: Any, goal: int, have: int, ahead: int, costs: Any) -> None:
    """Fill `costs` as `find_costs_near` does, by rows and columns to the goal after so many tiles of the hand.

    The tile to be laid is counted off. A hand is taken to hold each of its tiles again and again. Where none fits, the way is taken
    to go on all the same.
    """
    costs[:] = NO_WAY
    target = GOAL_CELLS[goal]
    for row in range(FIRST_ROW, LAST_ROW + 1):
        for column in range(1, SIZE + 1):
            cell = row * GRID + column
            far = abs(row - target // GRID) + abs(column - target % GRID)
            code = maze.what[cell]
            for side in range(4):
                if code == EMPTY or (CODE_CENTRE[code] == OPEN and CODE_EDGES[code] >> side & 1):
                    costs[cell, side] = far
    costs[target] = 0
    for _step in range(ahead - 1):
        before = costs.copy()
        for row in range(FIRST_ROW, LAST_ROW + 1):
            for column in range(1, SIZE + 1):
                cell = row * GRID + column
                if maze.what[cell] == EMPTY:
                    lay_one_more(maze, cell, have, before, costs)


@kernel
def lay_one_more(maze: Any, cell: int, have: int, before: Any, costs: Any) -> None:
    """The distances from an empty cell after the best tile of the hand on it."""
    sets = have & sets_that_fit(maze, cell)
    for side in range(4):
        best = before[cell, side]
        for out in range(4):
            beyond = before[cell + STEPS[out], opposite(out)]
            if out != side and beyond < best and sets & JOINS[side, out]:
                best = beyond
        costs[cell, side] = best + 1


@kernel
def stopping_move(maze: Any, habit: Any, scratch: Any) -> Any:
    """What keeps the other from finishing: a dead end where they would lay the last tile, or a tile of the tunnel gone; else -1."""
    if habit.blocks:
        for tile in range(TILES):
            if TUNNEL[tile] or not scratch.hand[tile]:
                continue
            for flipped in range(TILE_FORMS[tile]):
                cell = finishing_cell(maze, scratch, TILE_EDGES[tile, flipped])
                if cell >= 0:
                    return encode(LAY, tile, flipped, cell)
    if habit.destroy == BREAKS and scratch.hand[DESTROY]:
        for cell in range(CELLS - 1, -1, -1):
            if holds(maze.tiles, cell) and holds(maze.joined, cell):
                return encode(DESTROY_TILE, DESTROY, 0, cell)
    return encode(0, 0, 0, 0) - 1


@kernel
def card_to_discard(hand: Any, habit: Any, scratch: Any, stream: Any) -> int:
    """The card that a player with these habits throws away."""
    size = 0
    while size < HAND and hand[size] >= 0:
        size += 1
    if habit.discard == OLDEST:
        return hand[0]
    if habit.discard == DEAD_ENDS:
        for slot in range(size):
            if hand[slot] < TILES and not TUNNEL[hand[slot]]:
                return hand[slot]
    if habit.discard in (ANY, DEAD_ENDS):
        return hand[below(stream, size)]
    return worst_card(scratch, not nugget_is_known(scratch.goals))
