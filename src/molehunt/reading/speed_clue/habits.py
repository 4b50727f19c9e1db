"""Habits that another seat may have, each so likely before it is known, and how well a hand explains what it did with them.

Naming: who has h of the n cards of a category names one of them with the chance x h / n, where x is the habit, 1 being at random.
Showing: who has several of the three cards asked for shows the first, the last, or a random one. A seat's two habits are taken to
be independent, so a hand is as likely as the sum over the habits of the one, times that over the habits of the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.kernels import kernel, popcount
from molehunt.core.language import later
from molehunt.reading.speed_clue.exact_parameters import Parameters

NAMING = (0.05, 0.35, 0.7, 1.0, 1.4, 2.0)
"""How often own cards are named, against at random: habits 0 to 5."""
MOST_OWN = 0.85
"""The most likely that a card of one's own is named in a category."""
FIRST, LAST, ANY = range(3)
STYLES = 3
"""Habits of showing."""
STYLE_WORDS = (later("the first of the list"), later("the last of the list"), later("any"))
SLIP = 0.1
"""The chance that who shows the first or the last card shows a random one, as who sees no difference or has a reason."""
HABITS = len(NAMING) + STYLES
PLACES = 3
PATTERNS = 8

naming_levels = np.array(NAMING)
"""`NAMING` for kernels."""


def prior(p: Parameters, seats: int) -> npt.NDArray[np.float64]:
    """How likely each habit is before anything is seen, for the holders of a game: shape (seats - 1, HABITS).

    First the habits of naming, of sum 1, then those of showing, likewise.
    """
    row = np.empty(HABITS)
    row[: len(NAMING)] = (1 - p.never) / (len(NAMING) - 1)
    row[0] = p.never
    row[len(NAMING) :] = (1 - p.first) / (STYLES - 1)
    row[len(NAMING) + FIRST] = p.first
    return np.tile(row, (seats - 1, 1))


@kernel
def chance_to_show(place: int, pattern: int, style: int) -> float:
    """The chance that the card at a place of the three is shown by who has those of a pattern, in a style of showing."""
    if not pattern >> place & 1:
        return 0.0
    at_random = 1.0 / popcount(np.uint64(pattern))
    if style == ANY:
        return at_random
    beside = pattern & ((1 << place) - 1) if style == FIRST else pattern >> (place + 1)
    return SLIP * at_random + (1 - SLIP if beside == 0 else 0.0)


@kernel
def naming_chances(held: float, cards: int, level: float) -> Any:
    """How much more likely than at random (own card, other card) are named by who has so many cards of a category.

    Each is the chance of one such card, times the number of cards of the category.
    """
    own = min(MOST_OWN, level * held / cards)
    first = own * cards / held if held > 0 else level
    return first, (1 - own) * cards / max(cards - held, 1.0)
