"""An analysis in words: viewers, chances, lines as rows of blocks, and how each seat played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from molehunt.analysis.findings import GRADES, Analysis, Judged
from molehunt.core.language import _, later

BLOCKS = "▁▂▃▄▅▆▇█"
WIDTH = 24
"""A line is drawn with so many blocks at most."""
ONLOOKER = later("an onlooker")


class Score(NamedTuple):
    """How a seat played: how many moves were judged, how many had each grade, and what it lost, in chances to win and in bits."""

    moves: int
    grades: dict[str, int]
    lost: float
    bits: float | None


def viewer_name(analysis: Analysis, viewer: int | None) -> str:
    """Who a viewer is."""
    return _(ONLOOKER) if viewer is None else analysis.seats[viewer]


def sparkline(values: Sequence[float], width: int = WIDTH) -> str:
    """Chances as a row of at most so many blocks; the last is what it came to."""
    places = [round(step * (len(values) - 1) / max(width - 1, 1)) for step in range(width)]
    shown = [values[place] for place in dict.fromkeys(places)]
    return "".join(BLOCKS[min(int(value * len(BLOCKS)), len(BLOCKS) - 1)] for value in shown)


def place_in_words(place: int | None, first: int = 0) -> str:
    """From when on something holds in the game or a round of it that begins at the place `first`.

    That place bears the number of the last move before it, which nobody made in that round.
    """
    if place is None:
        return _("never")
    return _("from the start") if place == first else _("from move {number}", number=place)


def score(judged: Sequence[Judged], seat: int) -> Score:
    """How a seat played."""
    own = [each for each in judged if each.seat == seat]
    bits = [each.bits for each in own if each.bits is not None]
    grades = {grade: sum(each.grade == grade for each in own) for grade in GRADES}
    return Score(len(own), grades, sum(each.lost for each in own), sum(bits) if bits else None)
