"""Habits that another seat may have, each so likely before it is known, and how well a hand explains what it did with them.

Naming: who has h of the n cards of a category names one of them with the chance x h / n, where x is the habit, 1 being at random.
Showing: who has several of the three cards asked for shows the first, the last, or a random one. Choosing: who names a card that is
not their own names any of the category, or, of those that they do not know to be anywhere, one that the most others are known to
lack: all have seen these others pass. Naming seen cards: who was shown h of the n cards of a category names one of them with the
chance x h / n. Accusing: who is certain accuses at once, or only when their next turn begins; or they accuse earlier, of two; or
they often keep silent. A seat's habits are taken to be independent, so a hand is as likely as the product of the sums over the
habits of each kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.kernels import kernel, popcount
from molehunt.core.language import later
from molehunt.reading.speed_clue.exact_parameters import Parameters

NAMING = (0.02, 0.35, 0.7, 1.0, 1.4, 2.0)
"""How often own cards are named, against at random: habits 0 to 5."""
MOST_OWN = 0.85
"""The most likely that a card of one's own is named in a category."""
FIRST, LAST, ANY = range(3)
STYLES = 3
"""Habits of showing."""
STYLE_WORDS = (later("the first of the list"), later("the last of the list"), later("any"))
SLIP = 0.1
"""The chance that who shows the first or the last card shows a random one, as who sees no difference or has a reason."""
ANY_CARD, LACKED = len(NAMING) + STYLES, len(NAMING) + STYLES + 1
"""Habits of choosing: any card, or first what the most others are known to lack. Where they stand among all habits."""
KNOWN = 0.15
"""The chance that who asks knows who has a card that others are known to lack, as far as nothing else says so."""
SEEN = (0.02, 0.35, 0.7, 1.0)
"""How often cards that one was shown are named, against at random."""
SEEN_FIRST = LACKED + 1
"""Where the first of these stands among all habits."""
PROMPT, LATE, HASTY, SILENT = range(4)
ACCUSING = 4
"""Habits of accusing: at once when certain; when the next turn begins; already of two envelopes; often not at all."""
ACCUSING_WORDS = (
    later("to accuse as soon as certain"),
    later("to accuse only when a turn begins"),
    later("to accuse of two that are left"),
    later("to keep silent though certain"),
)
ACCUSING_FIRST = SEEN_FIRST + len(SEEN)
HABITS = ACCUSING_FIRST + ACCUSING
KINDS = (0, len(NAMING), ANY_CARD, SEEN_FIRST, ACCUSING_FIRST, HABITS)
"""Where each kind of habits begins, and the end."""
MUTE = 0.6
"""How often those who keep silent do so."""
WRONG = 0.02
"""The chance that who accuses when certain accuses wrongly, or names a card of their own."""
WRONG_OF_TWO = 0.5
"""The chance that who accuses of two accuses wrongly."""
AT_TURN = 0.5
"""The chance that who accuses at once does so when a turn begins, by what the others' turns told."""
PLACES = 3
PATTERNS = 8

naming_levels = np.array(NAMING)
"""`NAMING` for kernels."""
seen_levels = np.array(SEEN)
"""`SEEN` for kernels."""
kind_bounds = np.array(KINDS)
"""`KINDS` for kernels."""


def prior(p: Parameters, seats: int) -> npt.NDArray[np.float64]:
    """How likely each habit is before anything is seen, for the holders of a game: shape (seats - 1, HABITS).

    First the habits of naming, of sum 1, then those of the other KINDS, likewise.
    """
    row = np.empty(HABITS)
    row[: len(NAMING)] = (1 - p.never) / (len(NAMING) - 1)
    row[0] = p.never
    row[len(NAMING) : ANY_CARD] = (1 - p.first) / (STYLES - 1)
    row[len(NAMING) + FIRST] = p.first
    row[ANY_CARD], row[LACKED] = 1 - p.lacked, p.lacked
    row[SEEN_FIRST:ACCUSING_FIRST] = (1 - p.fresh) / (len(SEEN) - 1)
    row[SEEN_FIRST] = p.fresh
    others = np.array([p.late, p.hasty, p.silent], np.float64)
    others /= max(1.0, others.sum())
    row[ACCUSING_FIRST:] = 1 - others.sum(), *others
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


@kernel
def choosing_chance(card: Any, levels: Any, hand: Any, held: int) -> float:
    """How much more likely than at random who names first what the most others are known to lack names a card not of their own.

    card: a set of one; levels: uint64[seats], the cards of its category that they may not know, by how many others are known to
    lack each; hand: of the hand only cards count that somebody is known to lack; held: how many cards of the category it has.
    """
    if not card & ~hand:
        return 1.0
    number = 0
    inside = 0
    found = 0.0
    for level in range(len(levels) - 1, -1, -1):
        if level:
            there = popcount(levels[level] & ~hand)
            inside += popcount(levels[level] & hand)
        else:
            there = popcount(levels[0]) - (held - inside)
        if card & levels[level]:
            found = KNOWN**number / there
        number += there
    if found == 0.0:
        return 1.0
    return ((1 - SLIP) * found + SLIP / number) * number


@kernel
def seen_chance(named: int, turns: int, cards: int, level: float) -> float:
    """How much more likely than at random who was shown a card of so many names it in just so many of their later turns."""
    other = (1 - level / cards) / (1 - 1 / cards)
    return level**named * other ** (turns - named)


@kernel
def silence_chance(habit: int, turned: bool, slip: float) -> float:
    """The chance that who knows the envelope has not accused, after their suggestion, and, turned, in a turn since.

    slip: the chance that who accuses when certain does not see it.
    """
    if habit == SILENT:
        return MUTE * MUTE if turned else MUTE
    if habit == LATE:
        return slip if turned else 1.0
    return slip


@kernel
def accusing_chance(habit: int, wrong: bool, after_own: bool) -> float:
    """How likely an accusation is with a habit: a wrong one; else right after one's own suggestion, or as a turn begins."""
    if wrong:
        return WRONG_OF_TWO if habit == HASTY else WRONG
    if habit == LATE:
        return WRONG if after_own else 1.0
    return 1 - AT_TURN if after_own else AT_TURN
