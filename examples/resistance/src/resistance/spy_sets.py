"""Who the spies can be: the sets of seats that agree with everything a view shows."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.core.streams import below, next_word
from resistance.state import ATTEMPTS, MISSIONS, SEATS, SPIES, SPY, UNKNOWN
from resistance.teams import first_team, next_team, size_of


@kernel
def possible_spies(view: Any, params: Any, out: Any) -> int:
    """Every set of seats that can be the spies, in the order of their words; returns how many.

    It has as many seats as there are spies, agrees with the roles that are known, and each mission's team holds as many of
    them as the mission had fails, or more: only spies play fail, and a spy plays one card.
    """
    known_spies = 0
    known_others = 0
    for seat in range(params[SEATS]):
        if view.roles[seat] == SPY:
            known_spies |= 1 << seat
        elif view.roles[seat] != UNKNOWN:
            known_others |= 1 << seat
    count = 0
    spies = first_team(params[SPIES])
    while spies < 1 << params[SEATS]:
        if spies & known_spies == known_spies and not spies & known_others and explains(spies, view):
            out[count] = spies
            count += 1
        spies = next_team(spies)
    return count


@kernel
def explains(spies: int, view: Any) -> bool:
    """Whether these spies could have played the fails of every mission."""
    for mission in range(MISSIONS):
        if view.fails[mission] > 0 and size_of(spies & sent_team(view, mission)) < view.fails[mission]:
            return False
    return True


@kernel
def sent_team(view: Any, mission: int) -> int:
    """The team that went on a mission: the last one that was proposed for it."""
    attempt = 0
    while attempt + 1 < ATTEMPTS and view.teams[mission, attempt + 1]:
        attempt += 1
    return view.teams[mission, attempt]


@kernel
def draw_spies(sets: Any, count: int, weights: Any, stream: Any) -> int:
    """One of `count` sets: each equally likely where there are no weights or all of theirs are 0, else by `weights[set]`."""
    total = 0.0
    if len(weights):
        for index in range(count):
            total += weights[sets[index]]
    if total <= 0.0:
        return sets[below(stream, count)]
    place = (next_word(stream) >> np.uint64(11)) * 2.0**-53 * total
    chosen = -1
    for index in range(count):
        weight = weights[sets[index]]
        if weight > 0.0:
            chosen = sets[index]
            place -= weight
            if place < 0.0:
                break
    return chosen
