"""The records of The Resistance: the state of a play, the view of a seat, and the event that a seat receives.

Bit layouts, used everywhere:

* A set of seats is a word, bit s for seat s: a team, those who approved it, the spies.
* An *action* is an int. From 1 to TEAMS - 1 it proposes the team that it is as a set of seats; above come the votes and the
  mission cards, and what others see of them while they are secret.
* Missions and the proposals for one mission (attempts) are numbered from 0.
* UNKNOWN stands for what a seat may not know, for what has not come yet, and for seats that the game does not have.
"""

from __future__ import annotations

import numpy as np

MOST_SEATS = 10
MISSIONS = 5
ATTEMPTS = 5
"""As many proposals as there can be for one mission."""
MISSIONS_TO_WIN = 3

RESISTANCE, SPY = 0, 1
ROLE_NAMES = ("resistance", "spy")
UNKNOWN = -1

TEAMS = 1 << MOST_SEATS
APPROVE, REJECT, SUCCESS, FAIL, HIDDEN_VOTE, HIDDEN_CARD = range(TEAMS, TEAMS + 6)
"""The actions that are no teams. The last two stand in events, where a vote or a card is secret, and are never played."""
MOST_ACTIONS = 252
"""The teams of five among ten seats."""

MOST_SPY_SETS = 210
"""The sets of four among ten seats."""

PROPOSING, VOTING, ON_MISSION = range(3)
"""What the seat to move is asked for: a team, a vote, a mission card."""
PHASE_NAMES = ("propose", "vote", "mission")

GOING_ON, RESISTANCE_WON, MISSIONS_FAILED, TEAMS_REJECTED = range(4)
OUTCOME_NAMES = ("successes", "sabotage", "rejections")
OUTCOME_REASONS = ("", "three missions succeeded", "three missions failed", "too many teams in a row were rejected")
OUTCOME_SIDES = (UNKNOWN, RESISTANCE, SPY, SPY)
"""The role that wins, by the outcome."""

# Entries of `params`.
SEATS, SPIES, REJECTIONS = range(3)
PARAMS_SIZES, PARAMS_NEEDED = 3, 3 + MISSIONS
"""From here on: how many go on each mission, and how many fails it fails with."""
PARAMS = 3 + 2 * MISSIONS

_HISTORY = [
    ("teams", np.uint16, (MISSIONS, ATTEMPTS)),  # every team that was proposed, 0 where none was
    ("ayes", np.uint16, (MISSIONS, ATTEMPTS)),  # who approved it; in a view, of a vote that goes on, only one's own
    ("failed_by", np.uint16, (MISSIONS,)),  # who played fail; in a view only oneself
    ("fails", np.int8, (MISSIONS,)),  # how many fails a mission had, UNKNOWN before all its cards are there
    ("roles", np.int8, (MOST_SEATS,)),  # in a view as far as they are known
]
_POSITION = [
    ("turn", np.int16),  # moves made
    ("to_move", np.int8),
    ("phase", np.int8),
    ("mission", np.int8),
    ("attempt", np.int8),
    ("leader", np.int8),  # who proposes, or whose proposal is voted on or carried out
    ("outcome", np.int8),
]

STATE = np.dtype([("stream", np.uint64, (1,)), *_HISTORY, *_POSITION])
"""The whole truth of one play. `stream` is the game's own random stream, which only deals."""

VIEW = np.dtype([*_HISTORY, *_POSITION, ("seat", np.int8)])
"""What one seat knows: all proposals, votes and results, its own cards, and the roles it knows. All roles at the end."""

EVENT = np.dtype(
    [
        ("action", np.int32),  # HIDDEN_VOTE or HIDDEN_CARD where it is secret
        ("turn", np.int16),
        ("ayes", np.int16),  # with the last vote: who approved; else UNKNOWN
        ("team", np.int16),  # the team that is proposed, voted on or on the mission
        ("seat", np.int8),  # who moved
        ("mission", np.int8),
        ("attempt", np.int8),
        ("approved", np.int8),  # with the last vote 1 or 0, else UNKNOWN
        ("fails", np.int8),  # with the last card how many fails there are, else UNKNOWN
        ("succeeded", np.int8),  # with the last card 1 or 0, else UNKNOWN
        ("outcome", np.int8),  # how the game has ended with this move
        ("roles", np.int8, (MOST_SEATS,)),  # with the last move of the game all roles, else UNKNOWN
    ]
)
"""What one seat learns of one move."""
