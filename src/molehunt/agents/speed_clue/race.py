"""Whether another player is about to win: deals held possible, played on to one's own next turn by players of the report.

Each accuses as it is believed to: as soon as it is certain, when a turn begins, of two, or often not at all.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from molehunt.agents.speed_clue.strategies import decide
from molehunt.agents.speed_clue.strategy_parameters import ADVANCED_PLAYER
from molehunt.core.kernels import kernel, lowest, without_lowest
from molehunt.core.specs import as_record
from molehunt.core.streams import next_word, uniform
from molehunt.games.speed_clue.actions import ACCUSE, END, PLAY_SHIFT, SHOW, SUGGEST, encode
from molehunt.games.speed_clue.resample import make_state, room_for_states
from molehunt.games.speed_clue.rules import LEGAL, advance, disprover_of, fault_of, look, pass_turn, showable, shown_of
from molehunt.games.speed_clue.ruleset import MAX_SEATS, SEATS
from molehunt.games.speed_clue.state import (
    AFTER,
    ANSWER,
    CARD_MASK,
    EVENT,
    GOING_ON,
    NOBODY_DID,
    VIEW,
)
from molehunt.reading.choice import happens
from molehunt.reading.speed_clue.habits import ACCUSING, HASTY, LATE, MUTE, PLACES, SILENT
from molehunt.reading.speed_clue.knowledge import MIND, deduce_owned, take_hand

PLAYERS = {LATE: replace(ADVANCED_PLAYER, accuse_after=False), HASTY: replace(ADVANCED_PLAYER, guess=2)}
"""How those play on who do not accuse as soon as they are certain and no sooner."""
STRATEGIES = np.concatenate([as_record(PLAYERS.get(habit, ADVANCED_PLAYER)) for habit in range(ACCUSING)])
"""How each plays on, by its habit of accusing: records of `strategies.Strategy`."""


class Scratch(NamedTuple):
    """What is written as games are played on."""

    states: Any
    views: Any
    events: Any
    """One record of each."""
    minds: Any
    """Of all seats, with an empty one at the end."""

    @classmethod
    def new(cls) -> Scratch:
        """Scratch for one game at a time."""
        return cls(room_for_states(1), np.zeros(1, VIEW), np.zeros(1, EVENT), np.zeros(MAX_SEATS + 1, MIND))


class Others(NamedTuple):
    """What is believed of the other seats: deals, equally likely, and how they play on."""

    deals: Any
    """What they hold, uint64 (n, seats - 1)."""
    accusing: Any
    """How likely each habit of accusing is there, float64 (n, seats - 1, ACCUSING)."""
    strategies: Any
    """STRATEGIES."""
    pace: float
    """How likely each comes to suggest in a turn."""


@kernel
def chance_of_losing(
    own: Any, action: int, sure: Any, others: Any, face_up: Any, stream: Any, params: Any, scratch: Any
) -> float:
    """The share of deals in which another seat wins before this one's next turn, if this one now plays `action`.

    A game that the limit of suggestions ends before that turn is lost, too.

    `own` is an array whose first view is this seat's. `action` ends the turn, or it is a suggestion after which the turn ends,
    unless the answer makes the envelope certain: then this seat wins. sure: bool[answers], which answers do (numbered as in
    `questions`); others: of type `Others`; face_up: cards of this seat that all have seen, a set; scratch: of type `Scratch`.
    """
    view, deals, accusing, strategies, pace = own[0], others.deals, others.accusing, others.strategies, others.pace
    states, views, events, minds = scratch.states, scratch.views, scratch.events, scratch.minds
    me = view.seat
    seats = params[SEATS]
    chosen = np.zeros(3, np.int64)
    habits = np.zeros(seats, np.int64)
    lost = 0
    for index in range(len(deals)):
        state = states[0]
        make_state(view, deals[index], stream, state, params)
        for seat in range(seats):
            minds[seat] = minds[MAX_SEATS]
            minds[seat].stream[0] = next_word(stream)
            if seat != me:
                habits[seat] = drawn(accusing[index, (seat - me + seats) % seats - 1], stream)
            deduction_6 = int(strategies[habits[seat]].deduction_6)
            take_hand(minds[seat], state.hands[seat], seat, seats, deduction_6, params)
            see_face_up(minds[seat], face_up, me, deduction_6, params)
        advance(state, action, params, events[0])
        won = False
        while state.outcome == GOING_ON:
            seat = state.to_move
            if seat != me:
                look(state, seat, views[0], params)
                play = decide(minds[seat], views[0], chosen, strategies[habits[seat]], params)
                if play >> PLAY_SHIFT == ACCUSE and habits[seat] == SILENT and happens(stream, MUTE):
                    # What they would ask instead tells others little: they are certain.
                    pass_turn(state, params)
                    continue
                if pace < 1 and play >> PLAY_SHIFT == SUGGEST and not happens(stream, pace):
                    pass_turn(state, params)
                    continue
            elif state.phase == ANSWER:
                play = encode(SHOW, lowest(showable(state.hands[me], state.record, state.suggestion_count)))
            elif state.phase == AFTER:
                entry = state.record[state.suggestion_count - 1]
                won = sure[answer_of(entry, me, seats)]
                play = encode(END, 0)
                if won or fault_of(states, 0, play, params) != LEGAL:
                    break
            else:
                break
            advance(state, play, params, events[0])
        lost += not won and state.outcome != GOING_ON and state.winner != me
    return lost / len(deals)


@kernel
def drawn(shares: Any, stream: Any) -> int:
    """One of some habits, each as often as its share of all says."""
    left = uniform(stream) * shares.sum()
    for habit in range(len(shares)):
        left -= shares[habit]
        if left < 0:
            return habit
    return int(np.argmax(shares))


@kernel
def see_face_up(mind: Any, cards: Any, player: int, deduction_6: int, params: Any) -> None:
    """Take in that a player has cards that lie open for all."""
    left = cards if mind.seat != player else np.uint64(0)
    while left:
        deduce_owned(mind, lowest(left), player, 1, deduction_6, params)
        left = without_lowest(left)


@kernel
def answer_of(entry: int, me: int, seats: int) -> int:
    """The number of the answer to one's own suggestion, as in `questions`: holder and place of the card, or nobody, the last."""
    disprover = disprover_of(entry)
    if disprover == NOBODY_DID:
        return (seats - 1) * PLACES
    place = 0
    while entry >> 5 * place & CARD_MASK != shown_of(entry):
        place += 1
    return ((disprover - me + seats) % seats - 1) * PLACES + place
