"""Whether another player is about to win: deals held possible, played on to one's own next turn by players of the report."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.speed_clue.knowledge import MIND, take_hand
from molehunt.agents.speed_clue.strategies import decide
from molehunt.core.kernels import kernel, lowest
from molehunt.core.streams import next_word
from molehunt.games.speed_clue.actions import END, SHOW, encode
from molehunt.games.speed_clue.resample import make_state
from molehunt.games.speed_clue.rules import LEGAL, advance, check_state, look, showable
from molehunt.games.speed_clue.ruleset import MAX_SEATS, SEATS
from molehunt.games.speed_clue.state import (
    COUNT,
    EVENT,
    GOING_ON,
    ON_TURN,
    OUTCOME,
    PHASE,
    SEAT,
    STATE,
    TO_MOVE,
    TURN,
    VIEW,
    WINNER,
)


def desk() -> tuple[Any, Any, Any, Any]:
    """Room to work in: a state, a view, an event, and the minds of all seats, with an empty one at the end."""
    return np.zeros(1, STATE), np.zeros(1, VIEW), np.zeros(1, EVENT), np.zeros(MAX_SEATS + 1, MIND)


@kernel
def chance_of_losing(
    view: Any, deals: Any, stream: Any, strategy: Any, rules: Any, states: Any, views: Any, events: Any, minds: Any
) -> float:
    """The share of deals in which another seat wins before this one's next turn, if this one ends its turn now.

    deals: uint64[n, seats - 1], equally likely; strategy: how the others play, a record of `strategies.Strategy`.
    """
    me = view.info[SEAT]
    chosen = np.zeros(3, np.int64)
    lost = 0
    for index in range(len(deals)):
        state = states[0]
        make_state(view, deals[index], stream, state, rules)
        for seat in range(rules[SEATS]):
            minds[seat] = minds[MAX_SEATS]
            minds[seat].stream[0] = next_word(stream)
            take_hand(minds[seat], state.hands[seat], seat, rules[SEATS], int(strategy.deduction_6), rules)
        if state.info[ON_TURN] == me and check_state(states, 0, encode(END, 0), rules) == LEGAL:
            advance(state, encode(END, 0), rules, events[0])
        while state.info[OUTCOME] == GOING_ON:
            seat = state.info[TO_MOVE]
            if seat == me:
                if state.info[PHASE] == TURN:
                    break
                action = encode(SHOW, lowest(showable(state.hands[me], state.record, state.info[COUNT])))
            else:
                look(state, seat, views[0], rules)
                action = decide(minds[seat], views[0], chosen, strategy, rules)
            advance(state, action, rules, events[0])
        lost += state.info[OUTCOME] != GOING_ON and state.info[WINNER] != me
    return lost / len(deals)
