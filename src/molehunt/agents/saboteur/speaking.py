"""What `mole` says where the ruleset lets players talk: what a map showed, whom it accuses, and for which tool it asks.

A miner tells the truth of a map. A saboteur judges a claim by what an onlooker believes after it: how likely the gold is where it
is, and how likely oneself is a saboteur; it wants neither.

A miner accuses whom it suspects most, if it does so enough. A saboteur says what a miner in its place might say, but spares its
own: it weighs how likely a seat is a saboteur, to everybody who takes the accuser for a miner, by how likely it holds that seat for
a miner itself. Who is blocked, and accuses nobody, asks for a repair that they do not hold.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.copying import copy_record
from molehunt.core.kernels import kernel
from molehunt.games.saboteur.cards import (
    CARD_TOOLS,
    CLAIMED_GOLD,
    CLAIMED_STONE,
    FIRST_FIX,
    GOLD,
    MINER,
    NO_CARD,
    ROCKFALL,
)
from molehunt.games.saboteur.rules import ASKING, SAYINGS, claim_action, sayable, saying
from molehunt.games.saboteur.ruleset import MAX_HAND, MAX_SEATS, SEATS
from molehunt.reading.saboteur.suspicion import DEPENDENT, goals_seen, note, posterior, suspect_seats

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
    posterior(case, seat, view.role, goals_seen(view), DEPENDENT, teams, odds, scratch, joint)
    suspect_seats(joint, teams, params[SEATS], own)
    posterior(case, seat, MINER, case.gold_may_be, DEPENDENT, teams, odds, scratch, joint)
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
def find_claim(
    case: Any, view: Any, habits: Any, teams: Any, odds: Any, heard: Any, told: Any, scratch: Any, params: Any
) -> int:
    """What the seat of a view says that a map showed it, as an action, or SILENT where nothing is to be claimed.

    `heard` and `told` are a case and an event to work with. Of equals the truth is said.
    """
    if not view.claiming:
        return SILENT
    seat, goal = view.seat, view.claiming - 1
    truth = CLAIMED_GOLD if view.goals[goal] == GOLD else CLAIMED_STONE
    if view.role == MINER:
        return claim_action(goal, truth)
    joint, shown = np.empty((len(teams), 3)), np.empty(MAX_SEATS)
    posterior(case, seat, view.role, goals_seen(view), DEPENDENT, teams, odds, scratch, joint)
    places = np.zeros(3)
    for place in range(3):
        places[place] = joint[:, place].sum()
    said, most = SILENT, -np.inf
    for claimed in (truth, CLAIMED_GOLD + CLAIMED_STONE - truth):
        copy_record(case, heard)
        told.seat, told.action = seat, claim_action(goal, claimed)
        told.revealed, told.ended, told.role = 0, 0, -1
        note(heard, told, habits, teams, odds, scratch, params)
        posterior(heard, -1, 0, heard.gold_may_be, DEPENDENT, teams, odds, scratch, joint)
        suspect_seats(joint, teams, params[SEATS], shown)
        found = 0.0
        for place in range(3):
            found += places[place] * joint[:, place].sum()
        worth = -found - shown[seat]
        if worth > most:
            said, most = told.action, worth
    return said


@kernel
def find_words(
    case: Any,
    view: Any,
    habits: Any,
    teams: Any,
    odds: Any,
    heard: Any,
    told: Any,
    scratch: Any,
    params: Any,
    enough: float,
) -> int:
    """What the seat of a view says: its claim, or what it says before its card; else SILENT."""
    claimed = find_claim(case, view, habits, teams, odds, heard, told, scratch, params)
    return claimed if claimed != SILENT else find_saying(case, view, teams, odds, scratch, params, enough)
