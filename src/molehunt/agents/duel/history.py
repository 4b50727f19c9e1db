"""The last moves of the duel as small whole numbers, for networks that are told them: who did what, with which card, and where.

The latest comes first, as the seat saw them: what the other throws away is not seen. `past_parts` says in which order the numbers
of a move come.
"""

from __future__ import annotations

from typing import Any

from molehunt.agents.duel.features import HEIGHT, LEFT, PLAYS, TOP, WIDTH
from molehunt.core.kernels import kernel
from molehunt.games.duel.actions import DESTROY_TILE, LAY, LOOK, card_of, play_of, target_of
from molehunt.games.duel.cards import KINDS
from molehunt.games.duel.state import GRID, SEATS
from molehunt.reading.history import kept
from molehunt.reading.writing import write_one


def past_parts() -> dict[str, int]:
    """How many numbers each part of a past move has, in their order."""
    return {"who": SEATS, "play": PLAYS, "card": KINDS, "column": WIDTH, "row": HEIGHT, "goal": 3}


PAST_SIZE = sum(past_parts().values())


@kernel
def write_past_move(event: Any, seat: int, at: int, out: Any) -> int:
    """Write what a seat saw of a move; return where the next begins. What is not written is 0 already."""
    play, target = play_of(event.action), target_of(event.action)
    onto_board = play == LAY or play == DESTROY_TILE
    at = write_one((event.seat - seat + SEATS) % SEATS, SEATS, at, out)
    at = write_one(play, PLAYS, at, out)
    at = write_one(card_of(event.action), KINDS, at, out)
    at = write_one(target % GRID - LEFT if onto_board else -1, WIDTH, at, out)
    at = write_one(target // GRID - TOP if onto_board else -1, HEIGHT, at, out)
    return write_one(target if play == LOOK else -1, 3, at, out)


@kernel
def write_history(view: Any, recent: Any, position: Any) -> None:
    """Write the last moves to the end of a position; `recent` are the last events of the seat of the view, by turn."""
    count = len(recent)
    at = len(position) - count * PAST_SIZE
    for back in range(1, count + 1):
        turn = view.turn - back
        if kept(recent, turn):
            write_past_move(recent[turn % count], view.seat, at, position)
        at += PAST_SIZE
