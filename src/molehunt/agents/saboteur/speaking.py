"""What `mole` says before a card, where the ruleset lets players speak: whom it accuses, and for which tool it asks.

A miner accuses whom it suspects most, if it does so enough. A saboteur says what a miner in its place might say, but spares its
own: it weighs how likely a seat is a saboteur, to everybody who takes the accuser for a miner, by how likely it holds that seat for
a miner itself. Who is blocked, and accuses nobody, asks for a repair that they do not hold.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.games.saboteur.cards import CARD_TOOLS, FIRST_FIX, MINER, NO_CARD, ROCKFALL
from molehunt.games.saboteur.rules import ASKING, SAYINGS, sayable, saying
from molehunt.games.saboteur.ruleset import MAX_HAND, MAX_SEATS, SEATS
from molehunt.reading.saboteur.suspicion import goals_seen, posterior, suspect_seats

SILENT = -1
"""Stands for the action of who says nothing."""


@kernel
def mends_itself(view: Any, tool: int) -> bool:
    """Whether the seat of a view holds a repair for a tool."""
    for slot in range(MAX_HAND):
        card = view.hand[slot]
        if card != NO_CARD and FIRST_FIX <= card < ROCKFALL and CARD_TOOLS[card] >> tool & 1:
            return True
    return False


@kernel
def find_saying(case: Any, view: Any, teams: Any, odds: Any, scratch: Any, params: Any, enough: float) -> int:
    """What the seat of a view says now, as an action, or SILENT; `enough` is the chance from which on a seat is accused."""
    seat = view.seat
    may_say = sayable(view, seat, params)
    if not may_say or enough > 1.0:
        return SILENT
    joint, own, shown = np.empty((len(teams), 3)), np.empty(MAX_SEATS), np.empty(MAX_SEATS)
    posterior(case, seat, view.role, goals_seen(view), teams, odds, scratch, joint)
    suspect_seats(joint, teams, params[SEATS], own)
    posterior(case, seat, MINER, case.gold_may_be, teams, odds, scratch, joint)
    suspect_seats(joint, teams, params[SEATS], shown)
    accused, most = SILENT, enough
    for other in range(params[SEATS]):
        if other == seat:
            continue
        chance = own[other] if view.role == MINER else shown[other] * (1.0 - own[other])
        if chance > most or (accused == SILENT and chance >= enough):
            accused, most = other, chance
    # Whom one accuses already need not be accused again.
    if accused != SILENT and may_say >> accused & 1:
        return saying(accused)
    for bit in range(ASKING, SAYINGS):
        if may_say >> bit & 1 and not mends_itself(view, bit - ASKING):
            return saying(bit)
    return SILENT


@kernel
def find_saying_at(cases: Any, views: Any, teams: Any, odds: Any, scratch: Any, params: Any, enough: float) -> Any:
    """`find_saying` for the first case and view."""
    return np.int64(find_saying(cases[0], views[0], teams, odds, scratch[0], params, enough))
