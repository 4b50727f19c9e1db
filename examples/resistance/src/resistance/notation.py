"""Moves as people write them.

`propose:0,2,4` proposes a team, its seats in order; `approve` and `reject` vote on it; `success` and `fail` are mission cards.
`vote:?` and `card:?` are what others see of a vote or a card while it is secret; nobody can play them.
"""

from __future__ import annotations

import re

from molehunt.core.errors import BadNotation
from resistance.state import APPROVE, FAIL, HIDDEN_CARD, HIDDEN_VOTE, MOST_SEATS, REJECT, SUCCESS, TEAMS
from resistance.teams import seats_of

EXAMPLES = "propose:0,2,4, approve, reject, success, fail"
PROPOSE = "propose:"
WORDS = {APPROVE: "approve", REJECT: "reject", SUCCESS: "success", FAIL: "fail"}
HIDDEN = {HIDDEN_VOTE: "vote:?", HIDDEN_CARD: "card:?"}

_ACTIONS = {word: action for action, word in WORDS.items()}
_TEAM = re.compile(r"[0-9](,[0-9])*", re.ASCII)


def format_action(action: int) -> str:
    """An action in notation; an int that is no action comes out as `action 123`."""
    if 0 < action < TEAMS:
        return PROPOSE + ",".join(map(str, seats_of(action)))
    return WORDS.get(action) or HIDDEN.get(action) or f"action {action}"


def parse_action(text: str) -> int:
    """The action that a text means; BadNotation says what would be right."""
    if text in _ACTIONS:
        return _ACTIONS[text]
    if not text.startswith(PROPOSE):
        raise BadNotation(f"{text!r:.60} is not a move; moves look like {EXAMPLES}")
    seats = text.removeprefix(PROPOSE)
    if not _TEAM.fullmatch(seats):
        raise BadNotation(
            f"{text!r:.60} names no team; a team is seats, 0 to {MOST_SEATS - 1}, between commas: propose:0,2,4"
        )
    team = 0
    for seat in map(int, seats.split(",")):
        if team >> seat & 1:
            raise BadNotation(f"{text!r:.60} names seat {seat} twice")
        team |= 1 << seat
    return team
