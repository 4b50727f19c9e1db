"""Where each card may be, as a panel for people to look at."""

from __future__ import annotations

from collections.abc import Sequence

from molehunt.core.language import _
from molehunt.core.panels import Grid, GridGroup, GridRow, seat_name
from molehunt.core.words import SURE
from molehunt.games.speed_clue.edition import CATEGORIES, Edition


def _certain(chance: float | None) -> float | None:
    """A chance, which is 0 or 1 where only the rounding of a sum is missing to it: then something is impossible, or certain."""
    if chance is not None and min(abs(chance), abs(1.0 - chance)) <= SURE:
        return float(round(chance))
    return chance


def grid(title: str, edition: Edition, chances: Sequence[Sequence[float | None]]) -> Grid:
    """The chance of each card (row) with each seat and, last, in the envelope; None where nothing is known."""
    groups = tuple(
        GridGroup(
            _(category),
            tuple(
                GridRow(_(edition.names[card]), tuple(map(_certain, chances[card]))) for card in edition.cards(number)
            ),
        )
        for number, category in enumerate(CATEGORIES)
    )
    return Grid(title, (*(seat_name(seat) for seat in range(len(chances[0]) - 1)), _("envelope")), groups)
