"""What an analysis finds, as values that a terminal prints, a file keeps and a page draws.

Moves are counted from 1; a place in the course of a game is the number of moves made before it, from 0. Seats are numbers; a viewer
that is None is an onlooker, who knows what is public and nothing else.
"""

from __future__ import annotations

import msgspec

GOOD, INACCURATE, MISTAKEN = "good", "inaccurate", "mistaken"
GRADES = (GOOD, INACCURATE, MISTAKEN)


class Line(msgspec.Struct, frozen=True):
    """How likely one thing was held to be as the game went on.

    `values`, one for each place of its chart; `seat` is the seat that it is about, where it is about one; `true`: it is the case.
    """

    label: str
    seat: int | None
    true: bool
    values: tuple[float, ...]


class Turn(msgspec.Struct, frozen=True):
    """A move that turned a belief: which line of the chart, and what it was before and after."""

    move: int
    line: int
    before: float
    after: float


class Chart(msgspec.Struct, frozen=True):
    """Lines that belong together: what one viewer held of one question, from the place `first` on."""

    title: str
    viewer: int | None
    first: int
    lines: tuple[Line, ...]
    turns: tuple[Turn, ...]


class Known(msgspec.Struct, frozen=True):
    """When a viewer could have known something that is the case.

    `likely` is the place from which on it was held as likely as `Analysis.threshold` or more, to the end of the game or round;
    `certain` the one from which on nothing else was possible. None: at no time. `first` is the first place of the game or round.
    """

    what: str
    viewer: int | None
    likely: int | None
    certain: int | None
    first: int = 0


class Judged(msgspec.Struct, frozen=True):
    """A move beside the best one that was found.

    `played` and `best` are notations, `played_text` and `best_text` say them in words. `chance` and `best_chance` are chances to
    win after them, as the mover could know; `lost` is their difference on the same `worlds` and `error` its standard error.
    `bits` is what the move tells less about the envelope than the best one, or tells others more; None in other games.
    """

    move: int
    seat: int
    played: str
    played_text: str
    best: str
    best_text: str
    chance: float
    best_chance: float
    lost: float
    error: float
    worlds: int
    grade: str
    bits: float | None = None


class Analysis(msgspec.Struct, frozen=True):
    """All that is found of one game. `seed` and `worlds` are what it was made with, from which it follows again.

    `rests_on` is what its readers should know of how it was made, as sentences, or "". `players` are, by seat, who played as the
    record has them, where `seats` are what they are called here.
    """

    game: str
    seats: tuple[str, ...]
    moves: int
    threshold: float
    seed: int
    worlds: int
    charts: tuple[Chart, ...]
    known: tuple[Known, ...]
    judged: tuple[Judged, ...]
    rests_on: str = ""
    players: tuple[str, ...] = ()
