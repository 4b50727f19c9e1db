"""Games of one round as an onlooker reads them: the deeds of every move, and what every seat may believe as the deck goes down."""

from __future__ import annotations

from typing import Any

from molehunt.core.kernels import kernel
from molehunt.games.saboteur.cards import GOLD
from molehunt.games.saboteur.rules import advance
from molehunt.games.saboteur.ruleset import DECK_CARDS, HAND, SEATS
from molehunt.games.saboteur.state import GOING_ON
from molehunt.reading.saboteur.suspicion import DEPENDENT, observe, open_case, posterior, suspect_seats

QUARTER, HALF, END = range(3)
SEAT, ROLE, CIRCUMSTANCES, DEED = range(4)
"""Columns of what is told of a move."""


@kernel
def goals_possible(state: Any, seat: int) -> int:
    """Where the gold may be, to a seat: by the goals that lie open and those it has looked at."""
    known = state.revealed | state.looked[seat]
    for goal in range(3):
        if known >> goal & 1 and state.goals[goal] == GOLD:
            return 1 << goal
    return 7 & ~known


@kernel
def chances_seen(
    case: Any, state: Any, seats: int, teams: Any, odds: Any, scratch: Any, joint: Any, out: Any, golds: Any
) -> None:
    """`out[seat, other]`: how likely `other` is a saboteur, to `seat`; `golds[seat, goal]`: how likely the gold lies there."""
    for seat in range(seats):
        posterior(case, seat, state.roles[seat], goals_possible(state, seat), DEPENDENT, teams, odds, scratch, joint)
        suspect_seats(joint, teams, seats, out[seat])
        for goal in range(3):
            golds[seat, goal] = joint[:, goal].sum()


@kernel
def read_round(
    states: Any,
    actions: Any,
    habits: Any,
    teams: Any,
    odds: Any,
    cases: Any,
    scratch: Any,
    params: Any,
    events: Any,
    joint: Any,
    deeds: Any,
    chances: Any,
    golds: Any,
    reached: Any,
) -> None:
    """Play the moves of a game of one round from its deal.

    `deeds[move]` tells of each move its seat, its role, the circumstances and the deed. `chances[point]`, shape (seats, seats), is
    what each seat holds of the others at a quarter and half of the deck, the hands left out, and at the end; `golds[point]`, shape
    (seats, 3), how likely it holds each place of the gold; `reached[point]` is 1 where the game came so far.
    """
    state, case, event = states[0], cases[0], events[0]
    seats = params[SEATS]
    hands = seats * params[HAND]
    open_case(case, scratch[0], params)
    reached[:] = 0
    gold = 0
    for goal in range(3):
        if state.goals[goal] == GOLD:
            gold = goal
    for move in range(len(actions)):
        seat = state.to_move
        advance(state, actions[move], params, event)
        observe(case, event, habits, teams, odds, scratch[0], params)
        deeds[move, SEAT] = seat
        deeds[move, ROLE] = state.roles[seat]
        deeds[move, CIRCUMSTANCES] = case.last_circumstances[gold]
        deeds[move, DEED] = case.last_deed[state.roles[seat], gold]
        for point in range(3):
            due = 4 * (state.drawn - hands) >= (point + 1) * (params[DECK_CARDS] - hands)
            if not reached[point] and (due if point < END else state.outcome != GOING_ON):
                chances_seen(case, state, seats, teams, odds, scratch[0], joint, chances[point], golds[point])
                reached[point] = 1
