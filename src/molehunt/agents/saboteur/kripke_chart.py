"""What the players of 2012 make of what they see: the chart of belief updates over the events of a game.

One function a kind of action. An observer judges an action by what it knows itself, and in its picture of another player by what
that player can know, as far as the observer can tell. At depth three its pictures borrow as their owners do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.saboteur.kripke_parameters import ADAPTIVE, EXPLICIT
from molehunt.core.kernels import kernel
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
    is_before_card,
    play_of,
    target_of,
)
from molehunt.games.saboteur.cards import (
    CARD_TOOLS,
    CLAIMED_GOLD,
    FIRST_DEAD_END_CODE,
    GOLD,
    MINER,
    SABOTEUR,
    UNKNOWN_GOAL,
)
from molehunt.games.saboteur.maze import copy_maze, follow_card, follow_goals, lay_out
from molehunt.games.saboteur.ruleset import MAX_SEATS
from molehunt.games.saboteur.state import MAZE
from molehunt.reading.saboteur.knowledge import STONE, deduce, learn_goals
from molehunt.reading.saboteur.role_beliefs import (
    beholder_of,
    believer_of,
    borrow,
    count_suspecting,
    first_of_pictures,
    goal_odds,
    move_by_pair,
    move_by_role,
    reset_rows,
)
from molehunt.reading.saboteur.ways import best_ways, expected, nearest

CLOSE, SUSPECTED = 1, 2
"""Why an adaptive saboteur has stopped playing a miner."""
ROUNDING = 1e-9
"""Expected lengths are sums of thirds; they are compared without their rounding."""

MIND = np.dtype(
    [
        ("stream", np.uint64, (1,)),
        ("maze", MAZE),  # as it was after the last event
        ("lengths", np.float64, (3,)),  # of the best way to each goal in that maze
        ("before", np.float64, (3,)),  # the same before the last card that changed it
        ("goals", np.int8, (3,)),  # what is known of the goals, deductions included
        ("relayed", np.int8, (3,)),  # scratch: what another is thought to know of them
        ("claims", np.int8, (MAX_SEATS, 3)),
        ("looked", np.int64, (MAX_SEATS,)),
        ("broken", np.int64, (MAX_SEATS,)),
        ("revealed", np.int64),
        ("role", np.int64),
        ("seat", np.int64),
        ("seats", np.int64),
        ("explicit", np.int64),  # 1 once a saboteur has stopped playing a miner
        ("unmasked", np.int64),  # why they have: CLOSE or SUSPECTED, 0 if they never pretended or still do
        ("suspecting", np.int64),  # how many others are thought to suspect this one
        ("trusted", np.int64),  # whose beliefs were borrowed last, -1 for nobody
        ("borrowed", np.int64),  # how often anybody's beliefs were borrowed in this round
        ("judged", np.int64),  # how many actions of others there were to borrow after
        ("last_action", np.int64),  # the last action of another that changed one's own beliefs, -1 for none
        ("last_seat", np.int64),
        ("last_change", np.float64),  # by how much it shortened the best way, as this one judges
    ]
)
"""The memory of one chair beside its rows of strengths."""


@kernel
def begin(mind: Any, rows: Any, roles: Any, p: Any, scratch: Any, params: Any) -> None:
    """A round begins: an empty mine, and nothing is known but one's own role."""
    lay_out(mind.maze, params)
    mind.revealed = 0
    find_lengths(mind, scratch, params)
    mind.before[:] = mind.lengths
    mind.goals[:] = UNKNOWN_GOAL
    mind.claims[:] = 0
    mind.looked[:] = 0
    mind.broken[:] = 0
    mind.explicit = 1 if mind.role == SABOTEUR and p.strategy == EXPLICIT else 0
    mind.suspecting = 0
    mind.trusted = -1
    mind.unmasked = 0
    mind.borrowed = 0
    mind.judged = 0
    mind.last_action = -1
    mind.last_seat = -1
    mind.last_change = 0.0
    reset_rows(rows, roles, mind.seat, mind.role, p)


@kernel
def sit_down(mind: Any, rows: Any, roles: Any, view: Any, p: Any, scratch: Any, params: Any) -> None:
    """Take in what a view tells of a round that may have begun. What was done before says nothing of anybody's role."""
    copy_maze(view.maze, mind.maze)
    mind.goals[:] = view.goals
    deduce(mind.goals)
    mind.claims[:] = view.claims
    mind.looked[:] = view.looked
    mind.broken[:] = view.broken
    mind.revealed = view.revealed
    find_lengths(mind, scratch, params)
    mind.before[:] = mind.lengths
    cards = 0
    for kind in range(len(view.played)):
        cards += view.played[kind]
    for seat in range(mind.seats):
        cards += view.discard_counts[seat]
    if cards and mind.role == SABOTEUR and not mind.explicit and p.strategy == ADAPTIVE:
        odds_for(mind, rows, 0, roles, p, scratch.contents, scratch.odds)
        mind.explicit = 1 if nearest(mind.lengths, scratch.odds) <= p.close else 0


@kernel
def find_lengths(mind: Any, scratch: Any, params: Any) -> None:
    """Work out the best ways to the goals that lie face down."""
    for goal in range(3):
        scratch.unknown[goal] = 0.0 if mind.revealed >> goal & 1 else 1.0
    best_ways(mind.maze, scratch.unknown, scratch.ways[0], params, mind.lengths)


@kernel
def contents_for(mind: Any, row: int, out: Any) -> None:
    """What the goals are to the believer of a row: oneself, or another as far as one can tell, or as far as a third can."""
    if row == 0:
        out[:] = mind.goals
        return
    beholder = beholder_of(row, mind.seats)
    believer = believer_of(row, mind.seat, mind.seats)
    if beholder < 0:
        known_to(mind, believer, mind.goals, out)
    else:
        known_to(mind, beholder, mind.goals, mind.relayed)
        known_to(mind, believer, mind.relayed, out)


@kernel
def known_to(mind: Any, other: int, known: Any, out: Any) -> None:
    """What another knows of the goals, for who knows `known`: of those that lie open and those it has looked at.

    They are what `known` says, where it says anything, else what the other said.
    """
    for goal in range(3):
        out[goal] = UNKNOWN_GOAL
        if (mind.revealed | mind.looked[other]) >> goal & 1:
            if known[goal] != UNKNOWN_GOAL:
                out[goal] = known[goal]
            elif mind.claims[other, goal]:
                out[goal] = GOLD if mind.claims[other, goal] == CLAIMED_GOLD else STONE
    deduce(out)


@kernel
def odds_for(mind: Any, rows: Any, row: int, roles: Any, p: Any, contents: Any, odds: Any) -> None:
    """Where the believer of a row takes the gold to be."""
    contents_for(mind, row, contents)
    believer = believer_of(row, mind.seat, mind.seats)
    goal_odds(contents, mind.claims, rows[row], roles, believer, mind.seats, p, odds)


@kernel
def note_way(row: Any, roles: Any, actor: int, change: float, helped: bool, p: Any) -> None:
    """A path card or a rockfall that changed the best way. `helped`: a rockfall that cleared the way of a card."""
    weight = p.path_weight
    if change <= -p.lengthens + ROUNDING:
        move_by_role(row, roles, actor, weight * p.strong, -weight * p.strong, p)
    elif change >= p.shortens_much - ROUNDING or helped:
        move_by_role(row, roles, actor, -weight, weight * p.strong, p)
    elif change >= p.shortens - ROUNDING:
        move_by_role(row, roles, actor, 0.0, weight, p)


@kernel
def note_claim(mind: Any, row: Any, roles: Any, actor: int, goal: int, claimed: int, contents: Any, p: Any) -> None:
    """A claim: judged by what the believer knows, else by how it goes with what others claimed before."""
    weight = p.claim_weight
    if contents[goal] != UNKNOWN_GOAL:
        if (contents[goal] == GOLD) == (claimed == CLAIMED_GOLD):
            move_by_role(row, roles, actor, 0.0, weight, p)
        else:
            move_by_role(row, roles, actor, weight * p.strong, -weight * p.strong, p)
        return
    for other in range(mind.seats):
        if other == actor:
            continue
        earlier = mind.claims[other, goal]
        contradicts = earlier != 0 and earlier != claimed
        agrees = earlier != 0 and earlier == claimed
        if claimed == CLAIMED_GOLD:
            # There is one gold only.
            for elsewhere in range(3):
                contradicts = contradicts or (elsewhere != goal and mind.claims[other, elsewhere] == CLAIMED_GOLD)
        if contradicts:
            move_by_pair(row, roles, actor, other, 0.0, weight, p)
        elif agrees:
            move_by_pair(row, roles, actor, other, weight, 0.0, p)


@kernel
def is_idle(row: int, believer: int, mind: Any) -> bool:
    """Whether a row stands for nobody: the pictures of oneself, and those that another would have of themselves or I of theirs."""
    beholder = beholder_of(row, mind.seats)
    if beholder < 0:
        return row > 0 and believer == mind.seat
    return beholder == mind.seat or beholder == believer


@kernel
def borrow_all(mind: Any, rows: Any, roles: Any, actor: int, p: Any) -> None:
    """After an action of another: who is a miner borrows, and at depth three everybody does in the pictures of them.

    They all borrow at once: from what the others are thought to have believed before.
    """
    if mind.role == MINER and actor != mind.seat:
        mind.trusted = borrow(rows[0], rows[1:], roles, mind.seat, p)
        mind.borrowed += mind.trusted >= 0
        mind.judged += 1
    if len(rows) <= 1 + mind.seats:
        return
    for other in range(mind.seats):
        if other != mind.seat and other != actor:
            first = first_of_pictures(other, mind.seats)
            borrow(rows[1 + other], rows[first : first + mind.seats], roles, other, p)


@kernel
def note(mind: Any, rows: Any, roles: Any, event: Any, p: Any, scratch: Any, params: Any) -> None:
    """Take an event in: every row of beliefs by the chart, then what depth two makes of it, then the end of the turn."""
    actor = event.seat
    play = play_of(event.action)
    target = target_of(event.action)
    changes_way = play == PLAY_PATH or play == PLAY_ROCKFALL
    if changes_way:
        mind.before[:] = mind.lengths
        follow_card(mind.maze, event, params)
        find_lengths(mind, scratch, params)
    rockfall = play == PLAY_ROCKFALL
    dead_end_gone = rockfall and event.removed >= FIRST_DEAD_END_CODE

    contents, odds = scratch.contents, scratch.odds
    for row in range(len(rows)):
        believer = believer_of(row, mind.seat, mind.seats)
        if believer == actor or is_idle(row, believer, mind):
            continue
        beliefs = rows[row]
        if changes_way:
            odds_for(mind, rows, row, roles, p, contents, odds)
            change = expected(mind.before, odds) - expected(mind.lengths, odds)
            # A rockfall clears the way where it takes a dead-end, or a card that stood in the way.
            helped = dead_end_gone or (rockfall and change >= p.shortens - ROUNDING)
            note_way(beliefs, roles, actor, change, helped, p)
            if row == 0:
                mind.last_change = change
        elif play == PLAY_BREAK and target != actor:
            move_by_pair(beliefs, roles, actor, target, -p.block_weight, p.block_weight, p)
        elif play == PLAY_FIX and target != actor:
            move_by_pair(beliefs, roles, actor, target, p.block_weight, -p.block_weight, p)
        elif play == CLAIM:
            contents_for(mind, row, contents)
            note_claim(mind, beliefs, roles, actor, target, form_of(event.action), contents, p)
        elif play == DISCARD and not mind.broken[actor]:
            move_by_role(beliefs, roles, actor, p.discard_weight, 0.0, p)
    on_himself = (play == PLAY_BREAK or play == PLAY_FIX) and target == actor
    unseen = play == PLAY_MAP or (play == DISCARD and mind.broken[actor] != 0)
    if actor != mind.seat and not on_himself and not unseen and not is_before_card(play):
        mind.last_action = event.action
        mind.last_seat = actor

    # What all see of it.
    if play == PLAY_BREAK:
        mind.broken[target] |= CARD_TOOLS[card_of(event.action)]
    elif play == PLAY_FIX:
        mind.broken[target] &= ~event.mended
    elif play == PLAY_MAP:
        mind.looked[actor] |= 1 << target
    elif play == CLAIM:
        mind.claims[actor, target] = form_of(event.action)
    learn_goals(mind.goals, event)
    mind.revealed |= event.revealed
    if event.revealed:
        follow_goals(mind.maze, event, params)
        find_lengths(mind, scratch, params)

    # Depth two: a miner looks at what the most trusted player believes, a saboteur at who suspects them.
    if len(rows) > 1:
        borrow_all(mind, rows, roles, actor, p)
    if mind.role == SABOTEUR and not mind.explicit and p.strategy == ADAPTIVE:
        if len(rows) > 1:
            mind.suspecting = count_suspecting(rows, roles, mind.seat, mind.seats, p)
        odds_for(mind, rows, 0, roles, p, contents, odds)
        if mind.suspecting >= p.suspecting or nearest(mind.lengths, odds) <= p.close:
            mind.explicit = 1
            mind.unmasked = SUSPECTED if mind.suspecting >= p.suspecting else CLOSE

    if event.ended and event.role >= 0:
        mind.role = event.role
        begin(mind, rows, roles, p, scratch, params)
