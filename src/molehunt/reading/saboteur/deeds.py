"""What a move amounts to, as everybody can see it: its deed, under the circumstances in which it was done.

A move is one of a few deeds: a tunnel that brings the gold nearer, a tool broken of a seat that is trusted, a card thrown away.
How near is judged as its player would judge it, by the goals that they know; since others do not know what a map showed, a deed is
asked for a place where the gold may be. `habits` says how often players of a style and a role do which deed.
"""

from __future__ import annotations

from typing import Any

from molehunt.core.kernels import kernel
from molehunt.games.saboteur.actions import (
    CLAIM,
    DISCARD,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    card_of,
    form_of,
    play_of,
    target_of,
)
from molehunt.games.saboteur.cards import CLAIMED_GOLD, FIRST_DEAD_END, FIRST_DEAD_END_CODE

DEEDS = (
    "tunnel much nearer",
    "tunnel nearer",
    "tunnel beside the way",
    "tunnel farther",
    "tunnel much farther",
    "dead-end beside the way",
    "dead-end in the way",
    "dead-end that costs much",
    "rockfall that helps",
    "rockfall on a dead-end",
    "rockfall beside the way",
    "rockfall that hinders",
    "map",
    "map on a goal already known",
    "break of a trusted seat",
    "break of any seat",
    "break of a suspected seat",
    "repair of a trusted seat",
    "repair of any seat",
    "repair of a suspected seat",
    "repair of their own tool",
    "discard",
    "true claim",
    "false claim",
)
"""What moves amount to, by number."""
(TUNNEL, DEAD_END, ROCKFALL_DEED, MAP_DEED, BREAK_DEED, FIX_DEED, FIX_OWN, DISCARD_DEED, TRUE_CLAIM, FALSE_CLAIM) = (
    0,
    5,
    8,
    12,
    14,
    17,
    20,
    21,
    22,
    23,
)
NO_DEED = -1
"""No deed yet; or an accusation or a request, which amount to nothing: a saboteur says what a miner would say."""
CHOICES = TRUE_CLAIM
"""Deeds below this number exclude each other; a claim is made besides, after a map."""

TRUSTED, ANY, SUSPECTED = range(3)
NEARER, MUCH = 0.4, 1.4
"""Path cards by which the way must change to count, and to count much."""
SUSPICIOUS = 1.4
"""A seat is suspected from so many times the average suspicion on, and trusted below the inverse."""

STAGES = 3
SHORT, MIDDLING = 2.5, 5.5
"""The way is short up to so many cards, and middling up to so many."""
CIRCUMSTANCES = 2 * 2 * 2 * STAGES
"""Whether the player is blocked, whether another seat is, whether they know the gold, and how long the way is."""


@kernel
def circumstances(blocked: bool, others_blocked: bool, knows_gold: bool, way: float) -> int:
    """The circumstances of a move, as a number below CIRCUMSTANCES."""
    stage = 0 if way <= SHORT else (1 if way <= MIDDLING else 2)
    number = stage
    number = 2 * number + (1 if knows_gold else 0)
    number = 2 * number + (1 if others_blocked else 0)
    return 2 * number + (1 if blocked else 0)


@kernel
def trust_level(suspicion: float, average: float) -> int:
    """TRUSTED, ANY or SUSPECTED: the suspicion of a seat against that of an average one."""
    if suspicion > SUSPICIOUS * average:
        return SUSPECTED
    return TRUSTED if suspicion * SUSPICIOUS < average else ANY


@kernel
def deed_of(event: Any, change: float, knew: bool, level: int, is_gold: bool) -> int:
    """The deed of an event.

    `change`: by how many cards it brought the gold nearer; `knew`: whether the player knew already what a map shows; `level`: how
    much they suspect the target of a break or repair; `is_gold`: whether the goal of a claim is the gold.
    """
    play = play_of(event.action)
    if play == PLAY_PATH:
        if card_of(event.action) >= FIRST_DEAD_END:
            if change <= -MUCH:
                return DEAD_END + 2
            return DEAD_END + 1 if change <= -NEARER else DEAD_END
        if change >= MUCH:
            return TUNNEL
        if change >= NEARER:
            return TUNNEL + 1
        if change > -NEARER:
            return TUNNEL + 2
        return TUNNEL + 3 if change > -MUCH else TUNNEL + 4
    if play == PLAY_MAP:
        return MAP_DEED + 1 if knew else MAP_DEED
    if play == PLAY_BREAK:
        return BREAK_DEED + level
    if play == PLAY_FIX:
        return FIX_OWN if target_of(event.action) == event.seat else FIX_DEED + level
    if play == DISCARD:
        return DISCARD_DEED
    if play == CLAIM:
        return TRUE_CLAIM if is_gold == (form_of(event.action) == CLAIMED_GOLD) else FALSE_CLAIM
    # A rockfall.
    if change >= NEARER:
        return ROCKFALL_DEED
    if event.removed >= FIRST_DEAD_END_CODE:
        return ROCKFALL_DEED + 1
    return ROCKFALL_DEED + 2 if change > -NEARER else ROCKFALL_DEED + 3
