"""The puzzle of a day: kind and game follow from the date, so it is the same for everybody."""

from __future__ import annotations

import datetime as dt

import numpy as np

from molehunt.analysis.clue_puzzles import ENVELOPE
from molehunt.analysis.duel_puzzles import FINISH
from molehunt.analysis.puzzle import Maker, Puzzle
from molehunt.analysis.saboteur_puzzles import GOLD, WHO
from molehunt.core.errors import BadInput, MolehuntError
from molehunt.core.language import _
from molehunt.core.streams import MAX_SEED, derive

MAKERS = (WHO, FINISH, GOLD, ENVELOPE)
"""The kinds of puzzles, each day the next."""
TRIES = 400
"""Games in which a puzzle is looked for."""
FIRST_DAY = dt.date(2026, 1, 1)


def read_day(text: str) -> dt.date:
    """A date as it is typed, 2026-11-22; BadInput where it is none, or lies before the first puzzle."""
    try:
        day = dt.date.fromisoformat(text)
    except ValueError:
        raise BadInput(_("a day is written as 2026-11-22, not {text}", text=f"{text!r:.40}")) from None
    if day < FIRST_DAY:
        raise BadInput(_("the first puzzle is that of {day}", day=FIRST_DAY))
    return day


def maker_of(day: dt.date) -> Maker:
    """The kind of puzzle of a day."""
    return MAKERS[day.toordinal() % len(MAKERS)]


def puzzle_of(day: dt.date) -> Puzzle:
    """The puzzle of a day."""
    number = day.toordinal()
    make = maker_of(day).make
    for attempt in range(TRIES):
        seed = int(derive(np.uint64(number), np.uint64(attempt))) & MAX_SEED
        found = make(seed)
        if found is not None:
            return found
    raise MolehuntError(f"no game of {TRIES} has a puzzle for {day}")
