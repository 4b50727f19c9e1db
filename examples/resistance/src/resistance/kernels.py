"""The rules of The Resistance as compiled functions. They read like the rule book, in its order.

A vote and a mission are secret and simultaneous: the seats choose one after the other, in the order of their numbers, and nobody
sees what was chosen before all have. Arguments are those of every game: arrays of one record, and `params` as `state` lays
it out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.core.seats import NOBODY
from molehunt.core.streams import GAMMA, below, derive, mix, next_word, shuffle
from resistance.spy_sets import draw_spies, possible_spies, sent_team
from resistance.state import (
    APPROVE,
    ATTEMPTS,
    FAIL,
    GOING_ON,
    HIDDEN_CARD,
    HIDDEN_VOTE,
    MISSIONS,
    MISSIONS_FAILED,
    MISSIONS_TO_WIN,
    MOST_SEATS,
    MOST_SPY_SETS,
    ON_MISSION,
    PARAMS_NEEDED,
    PARAMS_SIZES,
    PROPOSING,
    REJECT,
    REJECTIONS,
    RESISTANCE,
    RESISTANCE_WON,
    SEATS,
    SPIES,
    SPY,
    SUCCESS,
    TEAMS,
    TEAMS_REJECTED,
    UNKNOWN,
    VOTING,
)
from resistance.teams import first_team, holds, next_team, size_of

LEGAL = 0
NO_MOVE, OVER, TEAM_WANTED, VOTE_WANTED, CARD_WANTED, NO_SUCH_SEAT, WRONG_SIZE, NO_SABOTAGE = range(1, 9)
RULE_TEXTS = (
    "",
    "there is no such move",
    "the game is over",
    "the leader proposes a team now",
    "everybody votes on the team now: approve or reject",
    "the members of the team play their mission cards now: success or fail",
    "a team is made of players of the game",
    "a team has as many members as the table of missions says",
    "the resistance must play success",
)
"""The rule that a fault breaks, by its number."""


# --- The deal ------------------------------------------------------------------------------------------------------------


@kernel
def deal(states: Any, seed: Any, roles: Any, params: Any) -> None:
    """Deal the roles and choose the first leader, all by chance. Where `roles` are given, they are seated instead."""
    state = states[0]
    state.stream[0] = derive(seed, np.uint64(0))
    state.roles[:] = UNKNOWN
    for seat in range(params[SEATS]):
        state.roles[seat] = SPY if seat < params[SPIES] else RESISTANCE
    shuffle(state.stream, state.roles, params[SEATS])
    state.leader = below(state.stream, params[SEATS])
    if roles[0] != UNKNOWN:
        for seat in range(params[SEATS]):
            state.roles[seat] = roles[seat]
    state.teams[:] = 0
    state.ayes[:] = 0
    state.failed_by[:] = 0
    state.fails[:] = UNKNOWN
    state.turn = 0
    state.mission = 0
    state.attempt = 0
    state.outcome = GOING_ON
    state.phase = PROPOSING
    state.to_move = state.leader


@kernel
def to_move(states: Any, params: Any) -> int:
    """The seat to move, NOBODY when the game is over."""
    return states[0].to_move


# --- What may be done ----------------------------------------------------------------------------------------------------


@kernel
def list_moves(phase: int, role: int, size: int, params: Any, out: Any) -> int:
    """All legal actions of a seat that is to move; returns how many.

    The leader proposes any team of the size in the table of missions, with or without themselves. Everybody approves or
    rejects it. On a mission the resistance must play success; a spy plays success or fail.
    """
    if phase == PROPOSING:
        count = 0
        team = first_team(size)
        while team < 1 << params[SEATS]:
            out[count] = team
            count += 1
            team = next_team(team)
        return count
    if phase == VOTING:
        out[0] = APPROVE
        out[1] = REJECT
        return 2
    out[0] = SUCCESS
    if role != SPY:
        return 1
    out[1] = FAIL
    return 2


@kernel
def legal(states: Any, params: Any, out: Any) -> int:
    """All legal actions of the seat to move, none when the game is over; returns how many."""
    state = states[0]
    if state.to_move == NOBODY:
        return 0
    return list_moves(state.phase, state.roles[state.to_move], params[PARAMS_SIZES + state.mission], params, out)


@kernel
def legal_seen(views: Any, params: Any, out: Any) -> int:
    """All legal actions of the seat whose view this is, none where it is not that seat's move; returns how many."""
    view = views[0]
    if view.to_move == NOBODY or view.to_move != view.seat:
        return 0
    return list_moves(view.phase, view.roles[view.seat], params[PARAMS_SIZES + view.mission], params, out)


@kernel
def fault(states: Any, action: int, params: Any) -> int:
    """What is wrong with an action of the seat to move, LEGAL if nothing: an index of RULE_TEXTS."""
    state = states[0]
    if state.to_move == NOBODY:
        return OVER
    if action <= 0 or action > FAIL:
        return NO_MOVE
    if state.phase == PROPOSING:
        if action >= TEAMS:
            return TEAM_WANTED
        if action >> params[SEATS]:
            return NO_SUCH_SEAT
        return LEGAL if size_of(action) == params[PARAMS_SIZES + state.mission] else WRONG_SIZE
    if state.phase == VOTING:
        return LEGAL if action == APPROVE or action == REJECT else VOTE_WANTED
    if action != SUCCESS and action != FAIL:
        return CARD_WANTED
    return NO_SABOTAGE if action == FAIL and state.roles[state.to_move] != SPY else LEGAL


@kernel
def random_move(phase: int, role: int, size: int, params: Any, stream: Any) -> int:
    """A uniformly random one of `list_moves`."""
    if phase == PROPOSING:
        team = 0
        for seat in range(params[SEATS]):
            if below(stream, params[SEATS] - seat) < size:
                team |= 1 << seat
                size -= 1
        return team
    if phase == VOTING:
        return APPROVE + below(stream, 2)
    return SUCCESS + (below(stream, 2) if role == SPY else 0)


@kernel
def random_action(states: Any, params: Any, stream: Any) -> int:
    """A uniformly random legal action of the seat to move, NOBODY (-1) when the game is over."""
    state = states[0]
    if state.to_move == NOBODY:
        return NOBODY
    size = params[PARAMS_SIZES + state.mission]
    return random_move(state.phase, state.roles[state.to_move], size, params, stream)


@kernel
def random_seen(views: Any, params: Any, stream: Any) -> int:
    """The same from the view of the seat to move."""
    view = views[0]
    return random_move(view.phase, view.roles[view.seat], params[PARAMS_SIZES + view.mission], params, stream)


# --- What is done --------------------------------------------------------------------------------------------------------


@kernel
def advance(states: Any, action: int, params: Any, events: Any) -> None:
    """Play a legal action and write all that happened, nothing hidden, to `events[0]`."""
    state = states[0]
    event = events[0]
    seat = state.to_move
    mission = state.mission
    event.action = action
    event.turn = state.turn
    event.seat = seat
    event.mission = mission
    event.attempt = state.attempt
    event.ayes = UNKNOWN
    event.approved = UNKNOWN
    event.fails = UNKNOWN
    event.succeeded = UNKNOWN
    event.outcome = GOING_ON
    event.roles[:] = UNKNOWN

    if state.phase == PROPOSING:
        # All vote on the team that the leader proposes.
        state.teams[mission, state.attempt] = action
        state.phase = VOTING
        state.to_move = 0
        event.team = action
    else:
        event.team = state.teams[mission, state.attempt]
        if state.phase == VOTING:
            if action == APPROVE:
                state.ayes[mission, state.attempt] |= 1 << seat
            state.to_move = seat + 1
            if state.to_move == params[SEATS]:
                count_votes(state, params, event)
        else:
            if action == FAIL:
                state.failed_by[mission] |= 1 << seat
            state.to_move = next_member(event.team, seat + 1)
            if state.to_move == NOBODY:
                count_fails(state, params, event)
    state.turn += 1
    if state.outcome != GOING_ON:
        # When the game is over, everybody shows who they were.
        state.to_move = NOBODY
        event.outcome = state.outcome
        event.roles[:] = state.roles


@kernel
def next_member(team: int, seat: int) -> int:
    """The first member of a team from a seat on, NOBODY if there is none."""
    while team >> seat:
        if holds(team, seat):
            return seat
        seat += 1
    return NOBODY


@kernel
def count_votes(state: Any, params: Any, event: Any) -> None:
    """All votes are shown. More than half must approve; the team goes on its mission, or the next leader proposes."""
    ayes = state.ayes[state.mission, state.attempt]
    event.ayes = ayes
    if 2 * size_of(ayes) > params[SEATS]:
        event.approved = 1
        state.phase = ON_MISSION
        state.to_move = next_member(event.team, 0)
        return
    event.approved = 0
    if state.attempt + 1 == params[REJECTIONS]:
        state.outcome = TEAMS_REJECTED
        return
    state.attempt += 1
    pass_leadership(state, params)


@kernel
def count_fails(state: Any, params: Any, event: Any) -> None:
    """The cards are mixed and shown: only how many fails there are becomes known. Three of a kind end the game."""
    mission = state.mission
    fails = size_of(state.failed_by[mission])
    state.fails[mission] = fails
    event.fails = fails
    event.succeeded = 1 if fails < params[PARAMS_NEEDED + mission] else 0
    successes = 0
    for earlier in range(mission + 1):
        if state.fails[earlier] < params[PARAMS_NEEDED + earlier]:
            successes += 1
    if successes == MISSIONS_TO_WIN:
        state.outcome = RESISTANCE_WON
    elif mission + 1 - successes == MISSIONS_TO_WIN:
        state.outcome = MISSIONS_FAILED
    else:
        state.mission += 1
        state.attempt = 0
        pass_leadership(state, params)


@kernel
def pass_leadership(state: Any, params: Any) -> None:
    """The next seat is the leader and proposes a team."""
    state.leader = (state.leader + 1) % params[SEATS]
    state.phase = PROPOSING
    state.to_move = state.leader


@kernel
def redact(events: Any, states: Any, seat: int, params: Any) -> None:
    """Take out of an event what `seat` may not know: a vote before all are cast, and a mission card at any time.

    For NOBODY what is public is left.
    """
    event = events[0]
    if event.seat == seat:
        return
    if event.action == SUCCESS or event.action == FAIL:
        event.action = HIDDEN_CARD
    elif event.action >= APPROVE and event.ayes == UNKNOWN:
        event.action = HIDDEN_VOTE


# --- What a seat may know --------------------------------------------------------------------------------------------------


@kernel
def look(states: Any, seat: int, params: Any, views: Any) -> None:
    """Fill the view that `seat` has of a state; for NOBODY what is public.

    The spies know each other. At the end all roles are shown; who played a fail stays secret.
    """
    state = states[0]
    view = views[0]
    own = 0 if seat == NOBODY else 1 << seat
    view.teams[:] = state.teams
    view.ayes[:] = state.ayes
    if state.phase == VOTING and state.outcome == GOING_ON:
        view.ayes[state.mission, state.attempt] &= own
    for mission in range(MISSIONS):
        view.failed_by[mission] = state.failed_by[mission] & own
    view.fails[:] = state.fails
    knows_all = state.outcome != GOING_ON or (own and state.roles[seat] == SPY)
    for other in range(MOST_SEATS):
        view.roles[other] = state.roles[other] if knows_all or other == seat else UNKNOWN
    view.turn = state.turn
    view.to_move = state.to_move
    view.phase = state.phase
    view.mission = state.mission
    view.attempt = state.attempt
    view.leader = state.leader
    view.outcome = state.outcome
    view.seat = seat


@kernel
def resample(views: Any, weights: Any, stream: Any, params: Any, states: Any) -> None:
    """Fill `states[0]` with a state that fits `views[0]`.

    Who the spies are is drawn from all sets that agree with the roles known and with every mission (as many spies on its team
    as it had fails, or more): each equally likely, or as `weights`, one for each set of seats, say. Then it is drawn which
    spies of a team played its fails, every choice equally likely, and the votes or cards in progress that the seat
    may not know, each from what its owner could have chosen.
    """
    view = views[0]
    state = states[0]
    state.teams[:] = view.teams
    state.ayes[:] = view.ayes
    state.failed_by[:] = view.failed_by
    state.fails[:] = view.fails
    state.turn = view.turn
    state.to_move = view.to_move
    state.phase = view.phase
    state.mission = view.mission
    state.attempt = view.attempt
    state.leader = view.leader
    state.outcome = view.outcome

    sets = np.empty(MOST_SPY_SETS, np.int64)
    spies = draw_spies(sets, possible_spies(view, params, sets), weights, stream)
    state.roles[:] = UNKNOWN
    for seat in range(params[SEATS]):
        state.roles[seat] = SPY if holds(spies, seat) else RESISTANCE

    own = 0 if view.seat == NOBODY else 1 << view.seat
    for mission in range(MISSIONS):
        if view.fails[mission] != UNKNOWN:
            draw_fails(state, mission, spies & ~own, view.fails[mission] - size_of(view.failed_by[mission]), stream)
    if state.outcome == GOING_ON:
        draw_secrets(state, spies, own, params, stream)
    state.stream[0] = next_word(stream)


@kernel
def draw_fails(state: Any, mission: int, others: int, fails: int, stream: Any) -> None:
    """Choose which of the other spies on a team played the fails that are not one's own."""
    team = sent_team(state, mission)
    left = size_of(team & others)
    for seat in range(MOST_SEATS):
        if holds(team & others, seat):
            if below(stream, left) < fails:
                state.failed_by[mission] |= 1 << seat
                fails -= 1
            left -= 1


@kernel
def draw_secrets(state: Any, spies: int, own: int, params: Any, stream: Any) -> None:
    """Choose the votes or mission cards of the others that are there already and still secret."""
    team = state.teams[state.mission, state.attempt]
    for seat in range(state.to_move):
        if own >> seat & 1:
            continue
        if state.phase == VOTING:
            if below(stream, 2):
                state.ayes[state.mission, state.attempt] |= 1 << seat
        elif state.phase == ON_MISSION and holds(team & spies, seat) and below(stream, 2):
            state.failed_by[state.mission] |= 1 << seat


@kernel
def infoset_key(views: Any, params: Any) -> Any:
    """A 64-bit key of all that a seat knows: equal for equal views, and by all odds different for different ones."""
    view = views[0]
    key = mix(np.uint64(view.seat + 1) * GAMMA + np.uint64(view.turn))
    for mission in range(view.mission + 1):
        word = np.uint64(view.fails[mission] + 1) << np.uint64(16) | np.uint64(view.failed_by[mission])
        key = mix(key ^ word * GAMMA)
        for attempt in range(ATTEMPTS):
            if view.teams[mission, attempt]:
                word = np.uint64(view.teams[mission, attempt]) << np.uint64(16) | np.uint64(view.ayes[mission, attempt])
                key = mix((key + np.uint64(attempt)) ^ word * GAMMA)
    word = np.uint64(view.leader) << np.uint64(2) | np.uint64(view.phase)
    for seat in range(params[SEATS]):
        word = word << np.uint64(2) | np.uint64(view.roles[seat] + 1)
    return mix(key ^ word * GAMMA)


# --- The end ----------------------------------------------------------------------------------------------------------------


@kernel
def winners(state: Any) -> int:
    """The role that has won, UNKNOWN while the game goes on."""
    if state.outcome == GOING_ON:
        return UNKNOWN
    return RESISTANCE if state.outcome == RESISTANCE_WON else SPY


@kernel
def wins(states: Any, params: Any, out: Any) -> None:
    """Whether each seat has won; nobody while the game goes on."""
    side = winners(states[0])
    for seat in range(params[SEATS]):
        out[seat] = side != UNKNOWN and states[0].roles[seat] == side


@kernel
def payoffs(states: Any, params: Any, out: Any) -> None:
    """What each seat is paid: 1 for those who have won, else 0."""
    side = winners(states[0])
    for seat in range(params[SEATS]):
        out[seat] = 1.0 if side != UNKNOWN and states[0].roles[seat] == side else 0.0
