"""What speaks for a belief, and what a card does to the way: what reasons in words rest on.

How much a move speaks for its player being a saboteur is how much less likely they would be one without it, all else that was seen
and all that the asking seat knows alone being the same. A lie about a goal weighs nothing with who does not know that goal, and
more than all else with who does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.games.saboteur.maze import follow_card
from molehunt.reading.saboteur.deeds import CIRCUMSTANCES, NO_DEED
from molehunt.reading.saboteur.suspicion import DEPENDENT, STYLES_HELD, find_lengths, goals_seen, posterior
from molehunt.reading.saboteur.ways import NO_WAY


@kernel
def log_odds(joint: Any, teams: Any, seat: int) -> float:
    """The logarithm of the odds that a seat is a saboteur; an infinity where that is certain."""
    guilty = honest = 0.0
    for number in range(len(teams)):
        chance = joint[number, 0] + joint[number, 1] + joint[number, 2]
        if teams[number] >> seat & 1:
            guilty += chance
        else:
            honest += chance
    if guilty == 0.0:
        return -np.inf
    return np.inf if honest == 0.0 else np.log(guilty / honest)


@kernel
def add_turn(case: Any, turn: Any, habits: Any, times: float) -> None:
    """Add the evidence of a move that was kept to what its seat did, so many times."""
    for gold in range(3):
        for role in range(2):
            deed = turn.deeds[role, gold]
            if deed == NO_DEED:
                continue
            for style in range(STYLES_HELD):
                row = (2 * style + role) * CIRCUMSTANCES + turn.circumstances[gold]
                case.evidence[turn.seat, style, role, gold] += times * habits[row, deed]


@kernel
def weigh_turns(
    cases: Any, views: Any, habits: Any, teams: Any, odds: Any, scratch: Any, joint: Any, now: Any, out: Any
) -> None:
    """How much each move that was kept speaks for its seat being a saboteur, to the seat of a view: a logarithm of odds.

    0 where the role is certain, as a seat's own is to itself. `joint`, shape (sets, 3), and `now`, shape
    (seats,), are worked with; the case is left as it was but for rounding.
    """
    case, view = cases[0], views[0]
    may_be = goals_seen(view)
    posterior(case, view.seat, view.role, may_be, DEPENDENT, teams, odds, scratch[0], joint)
    for seat in range(case.seats):
        now[seat] = log_odds(joint, teams, seat)
    for number in range(case.turn_count):
        turn = case.turns[number]
        out[number] = 0.0
        if np.isinf(now[turn.seat]):
            continue
        add_turn(case, turn, habits, -1.0)
        posterior(case, view.seat, view.role, may_be, DEPENDENT, teams, odds, scratch[0], joint)
        out[number] = now[turn.seat] - log_odds(joint, teams, turn.seat)
        add_turn(case, turn, habits, 1.0)


@kernel
def weigh_card(cases: Any, events: Any, scratch: Any, params: Any, out: Any) -> None:
    """By how many cards the way to each place of the gold changes with the tunnel or rockfall of an event: more is nearer.

    Of the event only the action is read; of the case, which is changed, what lies in the mine.
    """
    case = cases[0]
    case.before[:] = case.lengths
    follow_card(case.maze, events[0], params)
    find_lengths(case, scratch[0], params)
    for goal in range(3):
        out[goal] = min(case.before[goal], NO_WAY) - min(case.lengths[goal], NO_WAY)
