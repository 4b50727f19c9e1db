"""Seats are numbered from 0; these words stand for what is none of them."""

from __future__ import annotations

NOBODY = -1
"""Where nobody is meant: the seat to move in a game that is over, the winner of a draw, the seat of those who watch."""
RANDOM_SEAT = -1
"""In a ruleset, the seat that begins where it is drawn by lot."""


def seat_or_none(seat: int) -> int | None:
    """A seat of a record for Python's eyes: None where it is NOBODY."""
    return None if seat == NOBODY else seat
