"""The last moves of Saboteur as small whole numbers, for networks that are told them: who did what with which card, and where.

Moves of the round alone, the latest first, as the seat saw them: a card thrown away face down is none, and of what is said before
a card only who spoke is told. Seats are counted from the seat's own on; `past_parts` says in which order a move's numbers come.
"""

from __future__ import annotations

from typing import Any

from molehunt.core.kernels import kernel
from molehunt.games.saboteur.actions import (
    CLAIM,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    card_of,
    form_of,
    is_said,
    play_of,
    target_of,
)
from molehunt.games.saboteur.cards import CLAIMED_GOLD, GOLD, KINDS, UNKNOWN_GOAL
from molehunt.games.saboteur.ruleset import GRID, SEATS
from molehunt.reading.history import kept
from molehunt.reading.saboteur.features import FRAME_HEIGHT, FRAME_LEFT, FRAME_TOP, FRAME_WIDTH, PLAYS
from molehunt.reading.writing import write_one

CONTENTS = 2
"""What a map showed, and what is claimed: gold or stone."""


def past_parts(seats: int, width: int, height: int) -> dict[str, int]:
    """How many numbers each part of a past move has, in their order."""
    return {
        "who": seats,
        "play": PLAYS,
        "card": KINDS,
        "column": width,
        "row": height,
        "whom": seats,
        "goal": 3,
        "seen": CONTENTS,
        "claimed": CONTENTS,
    }


@kernel
def past_size(params: Any) -> int:
    """The sum of `past_parts`."""
    return 2 * params[SEATS] + PLAYS + KINDS + params[FRAME_WIDTH] + params[FRAME_HEIGHT] + 3 + 2 * CONTENTS


@kernel
def write_past_move(event: Any, seat: int, params: Any, at: int, out: Any) -> int:
    """Write what a seat saw of a move; return where the next begins. What is not written is 0 already."""
    seats = params[SEATS]
    play, target = play_of(event.action), target_of(event.action)
    onto_board = play == PLAY_PATH or play == PLAY_ROCKFALL
    aimed = play == PLAY_BREAK or play == PLAY_FIX
    of_goal = play == PLAY_MAP or play == CLAIM
    at = write_one((event.seat - seat + seats) % seats, seats, at, out)
    at = write_one(play, PLAYS, at, out)
    at = write_one(card_of(event.action) if not is_said(play) else -1, KINDS, at, out)
    at = write_one(target % GRID - params[FRAME_LEFT] if onto_board else -1, params[FRAME_WIDTH], at, out)
    at = write_one(target // GRID - params[FRAME_TOP] if onto_board else -1, params[FRAME_HEIGHT], at, out)
    at = write_one((target - seat + seats) % seats if aimed else -1, seats, at, out)
    at = write_one(target if of_goal else -1, 3, at, out)
    saw = play == PLAY_MAP and event.seen != UNKNOWN_GOAL
    at = write_one((0 if event.seen == GOLD else 1) if saw else -1, CONTENTS, at, out)
    return write_one(form_of(event.action) - CLAIMED_GOLD if play == CLAIM else -1, CONTENTS, at, out)


@kernel
def write_history(view: Any, recent: Any, params: Any, position: Any) -> None:
    """Write the last moves to the end of a position; `recent` are the last events of the seat of the view, by turn."""
    count = len(recent)
    size = past_size(params)
    at = len(position) - count * size
    for back in range(1, count + 1):
        turn = view.turn - back
        if kept(recent, turn):
            write_past_move(recent[turn % count], view.seat, params, at, position)
        at += size
