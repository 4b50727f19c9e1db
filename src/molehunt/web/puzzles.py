"""The puzzle of a day, as its page is sent it."""

from __future__ import annotations

import datetime as dt
from functools import lru_cache

import msgspec

from molehunt.analysis.daily import FIRST_DAY, maker_of, puzzle_of, read_day
from molehunt.analysis.puzzle import Option, Puzzle, played_game
from molehunt.core.errors import BadInput
from molehunt.core.language import _, language
from molehunt.core.meanwhile import machine_code
from molehunt.core.seats import NOBODY
from molehunt.table.people import NAMES
from molehunt.web import faces
from molehunt.web.face import Shown
from molehunt.web.frames import Position

HELD = 32
"""Puzzles that are held."""


class PuzzleFrame(msgspec.Struct):
    """A puzzle, as in `analysis.puzzle.Puzzle`; `answer` is the number of the best option, `before` the day before, if any.

    `position` is shown by the game's own board to the seat `you`, or to an onlooker (None); it offers no moves.
    """

    day: str
    before: str | None
    question: str
    told: str
    story: tuple[str, ...]
    names: tuple[str, ...]
    game: str
    you: int | None
    to_move: int | None
    position: Position
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
    names = NAMES[: len(found.players)]
    to_move, position = _position_of(found, names)
    return PuzzleFrame(
        day=str(day),
        before=before,
        question=found.question,
        told=found.told,
        story=found.story,
        names=names,
        game=found.game,
        you=found.viewer,
        to_move=to_move,
        position=position,
        options=found.options,
        answer=found.answer,
        why=found.why,
    )


def _position_of(puzzle: Puzzle, names: tuple[str, ...]) -> tuple[int | None, Position]:
    """The seat to move in a puzzle, and what the game's board shows of it."""
    played = played_game(puzzle.game, puzzle.ruleset, puzzle.players, puzzle.seed)
    game, state = played.game, played.states[puzzle.moves]
    seat = int(game.to_move(state)[0])
    to_move = None if seat == NOBODY else seat
    view = game.public_view(state) if puzzle.viewer is None else played.view(puzzle.moves, puzzle.viewer)
    return to_move, faces.position(game, Shown(view, names, to_move, moves=False))
