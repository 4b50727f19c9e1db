"""Words that name a place on a board: the goal at the top, the side to the left.

A page may show a board turned, as on an upright phone, and then has to name places as they lie there. Which words of a text are
such names only who puts the text together knows ("9 cards left" names no place), so a text for a page has a sign after each of
them, which is never seen and which the page takes away (`web/static/turning.js`). Everywhere else there are no signs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from molehunt.core.language import _

PLACE_SIGN = "\u2063"
"""After the name of one place of several in a row, as "top", "middle" and "bottom": INVISIBLE SEPARATOR."""
SIDE_SIGN = "\u2064"
"""After the name of a direction, as "up" and "left": INVISIBLE PLUS."""

_signed: ContextVar[bool] = ContextVar("signed", default=False)


def place_said(place: str) -> str:
    """The name of one place of several in a row, in the language that is spoken."""
    return _(place) + (PLACE_SIGN if _signed.get() else "")


def side_said(side: str) -> str:
    """The name of a direction, in the language that is spoken."""
    return _(side) + (SIDE_SIGN if _signed.get() else "")


def unsigned(text: str) -> str:
    """A text without signs."""
    return text.replace(PLACE_SIGN, "").replace(SIDE_SIGN, "")


@contextmanager
def signed_places(signed: bool = True) -> Iterator[None]:
    """Put signs after names of places, or none, for as long as this lasts."""
    before = _signed.set(signed)
    try:
        yield
    finally:
        _signed.reset(before)
