"""What the learned player of Saboteur is told: a view and each legal move as small whole numbers, written by compiled code.

Most numbers are 0 or 1, counts are counts. Seats are counted from the seat's own on. `position_parts` and `move_parts` say in
which order the numbers come. Of each goal that may be the gold, the length of the best way to it (`ways`) is told, and of each
path card and rockfall how it changes that.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.kernels import kernel, popcount
from molehunt.games.saboteur.actions import (
    CLAIM,
    DISCARD,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    card_of,
    form_of,
    play_of,
    target_of,
)
from molehunt.games.saboteur.cards import (
    CARD_TOOLS,
    FIRST_DEAD_END,
    GOLD,
    KINDS,
    NO_CARD,
    TOOLS,
    UNKNOWN_GOAL,
)
from molehunt.games.saboteur.game import Saboteur
from molehunt.games.saboteur.maze import end_at, tile_at
from molehunt.games.saboteur.rules import NOTHING, list_actions
from molehunt.games.saboteur.ruleset import (
    DECK_CARDS,
    GRID,
    MAX_HAND,
    MAX_SEATS,
    ORIGIN_X,
    ORIGIN_Y,
    PARAMS_SIZE,
    SEATS,
)
from molehunt.games.saboteur.state import (
    THROUGH,
)
from molehunt.games.tunnels.cards import CARD_EDGES, CARD_THROUGH
from molehunt.reading.saboteur.suspicion import INDEPENDENT, MOST_TEAMS, goals_seen, posterior, suspect_seats
from molehunt.reading.saboteur.suspicion import SCRATCH as SUSPICION
from molehunt.reading.saboteur.ways import NO_WAY, WAYS, best_ways, nearest, plan_ways, ways_after, ways_without
from molehunt.reading.writing import write_bits, write_one

FRAME_LEFT, FRAME_TOP, FRAME_WIDTH, FRAME_HEIGHT = range(PARAMS_SIZE, PARAMS_SIZE + 4)
"""Where the cells that are told lie: after the numbers of the ruleset."""
BELIEFS = PARAMS_SIZE + 4
"""Whether it is told what follows from everybody's moves (`suspicion`): the last number."""
OPEN_MARGIN_X, OPEN_MARGIN_Y = 1, 2
"""In a mine without bounds, so many cells are told around the start and the goals."""

PLANES = 7
"""Of each cell: four open edges, whether they are joined inside, whether it is joined to the start, whether it is an open end."""
JOINS_PLANE, JOINED_PLANE, END_PLANE = 4, 5, 6
TOOL_COUNT = len(TOOLS)
DEEDS = 7
"""Counted of each seat: path cards, dead-ends, maps, breaks, repairs, rockfalls, cards thrown away."""
PATHS, DEAD_ENDS, MAPS, BREAKS, FIXES, ROCKFALLS, DISCARDS = range(DEEDS)
LENGTHS = 12
"""The length of a way is told as one of 0 to 10, or none."""
CHANGES = 6
"""A change of a way: shorter by two or more, by one, as it was, longer by one, by more, cut off."""
PLAYS = 8
MOST_COUNT = 120
TIMES = 12
"""The cards that are left to be drawn are told in so many steps."""
CHANCE_STEPS = np.array([0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9, 0.97])
"""A chance is told as one of the classes between these."""
CHANCES = len(CHANCE_STEPS) + 1

HISTORY = np.dtype(
    [
        ("deeds", np.int8, (MAX_SEATS, DEEDS)),
        ("breaks", np.int8, (MAX_SEATS, MAX_SEATS)),  # by who broke whose tools
        ("fixes", np.int8, (MAX_SEATS, MAX_SEATS)),
    ]
)
"""What a chair noted of the round, by seat."""

SCRATCH = np.dtype(
    [
        ("ways", WAYS, (1,)),
        ("odds", np.float64, (3,)),  # how likely each goal is to be the gold
        ("lengths", np.float64, (3,)),
        ("after", np.float64, (3,)),
        ("planned", np.int64),
        # What it believes: of sets of saboteurs and goals, the same for an onlooker, and of each seat that it is a saboteur.
        ("joint", np.float64, (MOST_TEAMS, 3)),
        ("suspected", np.float64, (MAX_SEATS,)),
        ("suspicion", SUSPICION),
    ]
)
"""Scratch for one decision."""


def position_parts(seats: int, cells: int, beliefs: bool = False) -> dict[str, int]:
    """How many numbers each part of a position has, in their order."""
    parts = {
        "board": PLANES * cells,
        "role": 2,
        "saboteurs": 1,
        "hand": KINDS,
        "unseen": KINDS,
        "goals": 9,
        "face up": 3,
        "broken tools": seats * TOOL_COUNT,
        "hand sizes": seats,
        "goals looked at": 3 * seats,
        "deeds": seats * DEEDS,
        "breaks": seats * seats,
        "repairs": seats * seats,
        "ways": 3 * LENGTHS,
        "nearest way": LENGTHS,
        "cards left": TIMES,
        "nuggets": seats,
        "round": 3,
        "rounds with gold": 1,
        "claims": 6 * seats,
    }
    if beliefs:
        parts |= {"suspected": CHANCES * seats, "gold": 3 * CHANCES, "suspected by an onlooker": CHANCES * seats}
    return parts


def move_parts(seats: int, width: int, height: int, beliefs: bool = False) -> dict[str, int]:
    """How many numbers each part of a move has, in their order."""
    parts = {
        "play": PLAYS,
        "card": KINDS,
        "card thrown away": KINDS,
        "edges": 5,
        "column": width,
        "row": height,
        "change of ways": 3 * CHANGES,
        "nearest way": LENGTHS,
        "nearest change": CHANGES,
        "break on": seats,
        "repair of": seats,
        "tools": 5,
        "goal looked at": 6,
        "claim": 5,
    }
    return parts | {"suspected target": CHANCES} if beliefs else parts


def frame_of(game: Saboteur) -> tuple[int, int, int, int]:
    """The cells that are told: first column and row of the grid, width, height."""
    ruleset = game.ruleset
    left, top, right, bottom = ruleset.bounds
    if ruleset.is_open:
        xs, ys = zip(ruleset.start, *ruleset.goals, strict=True)
        left, right = min(xs) - OPEN_MARGIN_X, max(xs) + OPEN_MARGIN_X
        top, bottom = min(ys) - OPEN_MARGIN_Y, max(ys) + OPEN_MARGIN_Y
    return left + ORIGIN_X, top + ORIGIN_Y, right - left + 1, bottom - top + 1


def params_of(game: Saboteur, beliefs: bool = False) -> npt.NDArray[np.int64]:
    """The ruleset, the frame, and whether beliefs are told, as the kernels read them."""
    params = np.concatenate([game.params, np.array([*frame_of(game), beliefs], np.int64)])
    params.setflags(write=False)  # as those of a game are: kernels have one signature for both
    return params


# --- The course of a round ------------------------------------------------------------------------------------------------


@kernel
def note_event(history: Any, event: Any) -> None:
    """Count what a seat did; a new round begins with nothing noted."""
    play = play_of(event.action)
    seat, target = event.seat, target_of(event.action)
    if play == PLAY_PATH:
        history.deeds[seat, PATHS if card_of(event.action) < FIRST_DEAD_END else DEAD_ENDS] += 1
    elif play == PLAY_MAP:
        history.deeds[seat, MAPS] += 1
    elif play == PLAY_BREAK:
        history.deeds[seat, BREAKS] += 1
        history.breaks[seat, target] += 1
    elif play == PLAY_FIX:
        history.deeds[seat, FIXES] += 1
        history.fixes[seat, target] += 1
    elif play == PLAY_ROCKFALL:
        history.deeds[seat, ROCKFALLS] += 1
    elif play == DISCARD:
        history.deeds[seat, DISCARDS] += 1
    if event.ended:
        history.deeds[:] = 0
        history.breaks[:] = 0
        history.fixes[:] = 0


# --- A position -----------------------------------------------------------------------------------------------------------


@kernel
def length_class(length: float) -> int:
    """Which of LENGTHS a way has."""
    return LENGTHS - 1 if length >= NO_WAY else min(int(length), LENGTHS - 2)


@kernel
def change_class(before: float, after: float) -> int:
    """Which of CHANGES there is between two lengths."""
    if after >= NO_WAY:
        return 2 if before >= NO_WAY else CHANGES - 1
    return min(max(int(after - before), -2), 2) + 2


@kernel
def weigh_goals(goals: Any, odds: Any) -> None:
    """How likely each goal is to be the gold, for who has seen so much of them."""
    hidden = 0
    known = -1
    for goal in range(3):
        hidden += goals[goal] == UNKNOWN_GOAL
        if goals[goal] == GOLD:
            known = goal
    for goal in range(3):
        if known >= 0:
            odds[goal] = 1.0 if goal == known else 0.0
        else:
            odds[goal] = 1.0 / hidden if goals[goal] == UNKNOWN_GOAL else 0.0


@kernel
def write_board(maze: Any, params: Any, out: Any) -> int:
    """Write the planes of the mine; return their size."""
    width, height = params[FRAME_WIDTH], params[FRAME_HEIGHT]
    cells = width * height
    for tile in range(maze.tile_count):
        column, row = maze.cells[tile] % GRID - params[FRAME_LEFT], maze.cells[tile] // GRID - params[FRAME_TOP]
        if 0 <= column < width and 0 <= row < height:
            at = row * width + column
            edges = maze.edges[tile]
            for side in range(4):
                out[side * cells + at] = edges >> side & 1
            out[JOINS_PLANE * cells + at] = 1 if edges & THROUGH else 0
            out[JOINED_PLANE * cells + at] = maze.joined >> np.uint64(tile) & np.uint64(1)
    for end in range(maze.end_count):
        column, row = maze.ends[end] % GRID - params[FRAME_LEFT], maze.ends[end] // GRID - params[FRAME_TOP]
        if 0 <= column < width and 0 <= row < height:
            out[END_PLANE * cells + row * width + column] = 1
    return PLANES * cells


@kernel
def write_seats(view: Any, history: Any, params: Any, at: int, out: Any) -> int:
    """Write what is open of each seat and what it did; return where the next part begins."""
    seat, seats = view.seat, params[SEATS]
    for away in range(seats):
        at = write_bits(np.int64(view.broken[(seat + away) % seats]), TOOL_COUNT, at, out)
    for away in range(seats):
        out[at + away] = view.hand_sizes[(seat + away) % seats]
    at += seats
    for away in range(seats):
        at = write_bits(np.int64(view.looked[(seat + away) % seats]), 3, at, out)
    for away in range(seats):
        for deed in range(DEEDS):
            out[at + deed] = history.deeds[(seat + away) % seats, deed]
        at += DEEDS
    for away in range(seats):
        for other in range(seats):
            actor, target = (seat + away) % seats, (seat + other) % seats
            out[at + other] = history.breaks[actor, target]
            out[at + seats * seats + other] = history.fixes[actor, target]
        at += seats
    return at + seats * seats


@kernel
def chance_class(chance: float) -> int:
    """Which of CHANCES it is."""
    which = 0
    while which < len(CHANCE_STEPS) and chance >= CHANCE_STEPS[which]:
        which += 1
    return which


@kernel
def write_beliefs(view: Any, case: Any, teams: Any, odds: Any, params: Any, scratch: Any, at: int, out: Any) -> int:
    """Write what the seat of a view believes by everybody's moves, and what an onlooker does; return where the next part begins.

    What the seat believes of others is left in `scratch.suspected`.
    """
    seat, seats = view.seat, params[SEATS]
    joint = scratch.joint[: len(teams)]
    posterior(case, -1, 0, case.gold_may_be, INDEPENDENT, teams, odds, scratch.suspicion, joint)
    suspect_seats(joint, teams, seats, scratch.suspected)
    public = at + CHANCES * (seats + 3)
    for away in range(seats):
        public = write_one(chance_class(scratch.suspected[(seat + away) % seats]), CHANCES, public, out)
    posterior(case, seat, view.role, goals_seen(view), INDEPENDENT, teams, odds, scratch.suspicion, joint)
    suspect_seats(joint, teams, seats, scratch.suspected)
    for away in range(seats):
        at = write_one(chance_class(scratch.suspected[(seat + away) % seats]), CHANCES, at, out)
    for goal in range(3):
        at = write_one(chance_class(joint[:, goal].sum()), CHANCES, at, out)
    return public


@kernel
def write_position(view: Any, history: Any, params: Any, scratch: Any, out: Any) -> int:
    """Write a view and what its seat noted of the round; return the size of it."""
    out[:] = 0
    seat, seats = view.seat, params[SEATS]
    at = write_board(view.maze, params, out)
    at = write_one(view.role, 2, at, out)
    out[at] = view.saboteur_count
    at += 1
    for slot in range(MAX_HAND):
        if view.hand[slot] != NO_CARD:
            out[at + view.hand[slot]] += 1
    at += KINDS
    for kind in range(KINDS):
        out[at + kind] = view.unseen[kind]
    at += KINDS
    for goal in range(3):
        content = view.goals[goal]
        at = write_one(0 if content == UNKNOWN_GOAL else 1 if content == GOLD else 2, 3, at, out)
    at = write_bits(view.revealed, 3, at, out)
    at = write_seats(view, history, params, at, out)
    for goal in range(3):
        at = write_one(length_class(scratch.lengths[goal]), LENGTHS, at, out)
    at = write_one(length_class(nearest(scratch.lengths, scratch.odds)), LENGTHS, at, out)
    left = params[DECK_CARDS] - view.drawn
    at = write_one(min((left + 5) // 6, TIMES - 1), TIMES, at, out)
    for away in range(seats):
        out[at + away] = min(max(view.nuggets[(seat + away) % seats], 0), MOST_COUNT)
    at = write_one(view.round, 3, at + seats, out)
    out[at] = view.gold_rounds
    at += 1
    for away in range(seats):
        for goal in range(3):
            at = write_one(view.claims[(seat + away) % seats, goal] - 1, 2, at, out)
    return at


# --- Moves ----------------------------------------------------------------------------------------------------------------


@kernel
def find_after(view: Any, action: int, params: Any, scratch: Any) -> None:
    """The ways after a path card or a rockfall."""
    target, card = target_of(action), card_of(action)
    if play_of(action) == PLAY_ROCKFALL:
        ways_without(view.maze, tile_at(view.maze, target), scratch.odds, scratch.ways[0], params, scratch.after)
        scratch.planned = 0
        return
    if not scratch.planned:
        plan_ways(view.maze, scratch.odds, scratch.ways[0], params)
        scratch.planned = 1
    ways_after(
        view.maze,
        card,
        form_of(action),
        end_at(view.maze, target),
        scratch.odds,
        scratch.ways[0],
        params,
        scratch.after,
    )


@kernel
def write_board_move(view: Any, action: int, params: Any, scratch: Any, at: int, out: Any) -> int:
    """Write where a path card or a rockfall goes and what it changes; return where the next part begins."""
    width, height = params[FRAME_WIDTH], params[FRAME_HEIGHT]
    play, card, cell = play_of(action), card_of(action), target_of(action)
    if play != PLAY_PATH and play != PLAY_ROCKFALL:
        return at + 5 + width + height + 3 * CHANGES + LENGTHS + CHANGES
    if play == PLAY_PATH:
        write_bits(np.int64(CARD_EDGES[card, form_of(action)]), 4, at, out)
        out[at + 4] = CARD_THROUGH[card]
    at = write_one(cell % GRID - params[FRAME_LEFT], width, at + 5, out)
    at = write_one(cell // GRID - params[FRAME_TOP], height, at, out)
    find_after(view, action, params, scratch)
    for goal in range(3):
        changed = change_class(scratch.lengths[goal], scratch.after[goal]) if scratch.odds[goal] > 0.0 else -1
        at = write_one(changed, CHANGES, at, out)
    before, after = nearest(scratch.lengths, scratch.odds), nearest(scratch.after, scratch.odds)
    at = write_one(length_class(after), LENGTHS, at, out)
    return write_one(change_class(before, after), CHANGES, at, out)


@kernel
def write_move(view: Any, action: int, params: Any, scratch: Any, out: Any) -> int:
    """Write a legal move; return the size of it."""
    out[:] = 0
    seat, seats = view.seat, params[SEATS]
    play, card, target = play_of(action), card_of(action), target_of(action)
    at = write_one(play, PLAYS, 0, out)
    at = write_one(card if play != DISCARD and play != CLAIM else -1, KINDS, at, out)
    at = write_one(card if play == DISCARD else -1, KINDS, at, out)
    at = write_board_move(view, action, params, scratch, at, out)
    away = (target - seat + seats) % seats
    at = write_one(away if play == PLAY_BREAK else -1, seats, at, out)
    at = write_one(away if play == PLAY_FIX else -1, seats, at, out)
    if play == PLAY_BREAK or play == PLAY_FIX:
        broken = view.broken[target]
        out[at] = popcount(np.uint64(broken))
        out[at + 1] = popcount(np.uint64(broken & CARD_TOOLS[card]))
        out[at + 2] = play == PLAY_FIX and not broken & ~CARD_TOOLS[card]
        out[at + 3] = play == PLAY_BREAK and not broken
        out[at + 4] = popcount(np.uint64(CARD_TOOLS[card]))
    at += 5
    if play == PLAY_MAP:
        out[at + target] = 1
        out[at + 3 + (0 if view.goals[target] == UNKNOWN_GOAL else 1)] = 1
        out[at + 5] = scratch.odds[target] == 1.0
    at += 6
    if play == CLAIM:
        out[at + target] = 1
        out[at + 2 + form_of(action)] = 1
    at += 5
    if params[BELIEFS]:
        aimed = play == PLAY_BREAK or play == PLAY_FIX
        at = write_one(chance_class(scratch.suspected[target]) if aimed else -1, CHANCES, at, out)
    return at


@kernel
def describe(
    view: Any,
    history: Any,
    case: Any,
    teams: Any,
    odds: Any,
    params: Any,
    scratch: Any,
    position: Any,
    moves: Any,
    actions: Any,
) -> int:
    """Write the position, every legal move and the action that it is; returns how many there are.

    Accusations and requests are left out: the network neither makes nor hears them.
    `case` is what all know of the round (`suspicion.CASE`), `teams` and `odds` are a `Deal`; nobody reads them where
    beliefs are not told.
    """
    count = list_actions(
        view.hand,
        view.maze,
        view.broken,
        view.seat,
        view.revealed,
        view.claiming,
        NOTHING,
        params,
        actions,
    )
    weigh_goals(view.goals, scratch.odds)
    best_ways(view.maze, scratch.odds, scratch.ways[0], params, scratch.lengths)
    scratch.planned = 0
    at = write_position(view, history, params, scratch, position)
    if params[BELIEFS]:
        write_beliefs(view, case, teams, odds, params, scratch, at, position)
    for index in range(count):
        write_move(view, actions[index], params, scratch, moves[index])
    return count
