"""Which card of a hand the players of 2012, 2016 and 2019 play or discard, by what each is worth (2019 paper, algorithm 1)."""

from __future__ import annotations

from typing import Any

from molehunt.agents.saboteur.trust import NOT_PLAYABLE
from molehunt.core.kernels import kernel
from molehunt.games.saboteur.cards import NO_CARD
from molehunt.reading.choice import prefer

SAME = 1e-6
"""Values closer than this are equal."""


@kernel
def highest_playable(stream: Any, view: Any, values: Any, actions: Any, threshold: float) -> int:
    """Algorithm 1: the slot of the most valuable card above the threshold that can be played, ties at random; -1 if none."""
    best = -1
    ties = 0
    for slot in range(len(view.hand)):
        if view.hand[slot] == NO_CARD:
            break
        if actions[slot] == NOT_PLAYABLE or not values[slot] > threshold + SAME:
            continue
        ties, chosen = prefer(stream, values[slot], values[max(best, 0)], ties, SAME)
        best = slot if chosen else best
    return best


@kernel
def lowest_slot(stream: Any, view: Any, values: Any) -> int:
    """The slot of the least valuable card, ties at random."""
    worst = -1
    ties = 0
    for slot in range(len(view.hand)):
        if view.hand[slot] == NO_CARD:
            break
        ties, chosen = prefer(stream, -values[slot], -values[max(worst, 0)], ties, SAME)
        worst = slot if chosen else worst
    return worst
