"""Games of one round as an onlooker reads them: the deeds of every move, and what every seat may believe as the deck goes down."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

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


class Onlooker(NamedTuple):
    """What an onlooker reads a game with, and what is written on the way."""

    habits: Any
    """As `suspicion.observe` takes them."""
    teams: Any
    odds: Any
    """Those of `suspicion.Deal`."""
    params: Any
    """The ruleset as numbers, int64, read only."""
    case: Any
    scratch: Any
    event: Any
    """Arrays of one: `suspicion.CASE`, `suspicion.SCRATCH`, an event of the game."""
    joint: Any
    """float64 (teams, goals)."""


class Course(NamedTuple):
    """A game of one round as an onlooker has read it.

    `deeds[move]`, int64 (moves, 4), tells of each move its seat, its role, the circumstances and the deed. `chances[point]`,
    float64 (3, seats, seats), is what each seat holds of the others at a quarter and half of the deck, the hands left out, and at
    the end; `golds[point]`, float64 (3, seats, goals), how likely it holds each place of the gold; `reached[point]`, int64 (3,),
    is 1 where the game came so far.
    """

    deeds: Any
    chances: Any
    golds: Any
    reached: Any

    @classmethod
    def of(cls, moves: int, seats: int) -> Course:
        """That of so many moves of so many seats, not yet read."""
        chances, golds = np.zeros((3, seats, seats)), np.zeros((3, seats, 3))
        return cls(np.zeros((moves, 4), np.int64), chances, golds, np.zeros(3, np.int64))


@kernel
def chances_seen(onlooker: Any, state: Any, out: Any, golds: Any) -> None:
    """`out[seat, other]`: how likely `other` is a saboteur, to `seat`; `golds[seat, goal]`: how likely the gold lies there."""
    case, teams, joint = onlooker.case[0], onlooker.teams, onlooker.joint
    for seat in range(len(out)):
        role, goals = state.roles[seat], goals_possible(state, seat)
        posterior(case, seat, role, goals, DEPENDENT, teams, onlooker.odds, onlooker.scratch[0], joint)
        suspect_seats(joint, teams, len(out), out[seat])
        for goal in range(3):
            golds[seat, goal] = joint[:, goal].sum()


@kernel
def read_round(onlooker: Any, states: Any, actions: Any, course: Any) -> None:
    """Play the moves of a game of one round from its deal, and write down its course."""
    state, case, event, scratch = states[0], onlooker.case[0], onlooker.event[0], onlooker.scratch[0]
    params, deeds, reached = onlooker.params, course.deeds, course.reached
    hands = params[SEATS] * params[HAND]
    open_case(case, scratch, params)
    reached[:] = 0
    gold = 0
    for goal in range(3):
        if state.goals[goal] == GOLD:
            gold = goal
    for move in range(len(actions)):
        seat = state.to_move
        advance(state, actions[move], params, event)
        observe(case, event, onlooker.habits, onlooker.teams, onlooker.odds, scratch, params)
        deeds[move, SEAT] = seat
        deeds[move, ROLE] = state.roles[seat]
        deeds[move, CIRCUMSTANCES] = case.last_circumstances[gold]
        deeds[move, DEED] = case.last_deed[state.roles[seat], gold]
        for point in range(3):
            due = 4 * (state.drawn - hands) >= (point + 1) * (params[DECK_CARDS] - hands)
            if not reached[point] and (due if point < END else state.outcome != GOING_ON):
                chances_seen(onlooker, state, course.chances[point], course.golds[point])
                reached[point] = 1
