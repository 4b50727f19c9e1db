"""The puzzle of a day, as its page is sent it."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache

import msgspec

from molehunt.analysis.daily import FIRST_DAY, maker_of, puzzle_of, read_day
from molehunt.analysis.puzzle import Option
from molehunt.core.errors import BadInput
from molehunt.core.language import _, language
from molehunt.core.meanwhile import machine_code

HELD = 32
"""Puzzles that are held."""


class PuzzleFrame(msgspec.Struct):
    """A puzzle, as in `analysis.puzzle.Puzzle`; `answer` is the number of the best option, `before` the day before, if any."""

    day: str
    before: str | None
    question: str
    told: str
    story: tuple[str, ...]
    drawing: str
    options: tuple[Option, ...]
    answer: int
    why: str


def puzzle_day(text: str) -> dt.date:
    """The day that is asked for; BadInput where it is none, or lies further ahead than tomorrow somewhere on earth."""
    day = read_day(text)
    if day > dt.datetime.now(dt.UTC).date() + dt.timedelta(days=1):
        raise BadInput(_("the puzzle of {day} is not out yet", day=day))
    return day


def puzzle_frame(day: dt.date) -> PuzzleFrame:
    """The puzzle of a day, in the language that is spoken."""
    return _puzzle_frame(day, language())


@lru_cache(maxsize=HELD)
def _puzzle_frame(day: dt.date, _language: str) -> PuzzleFrame:
    with machine_code(maker_of(day).game):
        found = puzzle_of(day)
    before = str(day - dt.timedelta(days=1)) if day > FIRST_DAY else None
    return PuzzleFrame(
        str(day),
        before,
        found.question,
        found.told,
        found.story,
        found.drawing,
        found.options,
        found.answer,
        found.why,
    )
