"""Trust: one number per player, who is a friend and who an enemy by it, and what breaking and mending tools do to it.

This is what the systems of 2016 and 2019 share (2019 paper, section 3.2). `mind` below is the memory record of one chair;
both players' records have the fields `stream`, `trust`, `rates_itself`, `role`, `seat`, `seats` and `saboteurs`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import bit, kernel, lowest, popcount, without_lowest
from molehunt.core.streams import below
from molehunt.games.saboteur.actions import PLAY_BREAK, encode
from molehunt.games.saboteur.cards import CARD_TOOLS, MINER
from molehunt.games.saboteur.ruleset import MAY_BREAK_OWN
from molehunt.reading.choice import prefer

NOT_PLAYABLE = -1
"""Stands where an action would, for a card that cannot be played."""
APART, COMPLEMENT, FEW_ENEMIES = range(3)
"""How a chair tells friends from enemies: both are drawn, and one may be neither; a miner draws the enemies, a saboteur the
friends, and all others are the other; or everybody draws the enemies, a saboteur one fewer than there are saboteurs."""
SAME_TRUST = 1e-9
"""Trust is a sum of steps; values closer than this differ by rounding only."""


@kernel
def most_trusted(mind: Any, count: int, sign: float) -> int:
    """The `count` players, of those whose trust the chair keeps, with the highest (the lowest for sign -1), as a mask of seats.

    Ties are broken at random. The chair rates itself only after the self-target fault made it do so.
    """
    everybody = bit(mind.seats) - np.uint64(1)
    left = everybody if mind.rates_itself else everybody & ~bit(mind.seat)
    found = 0
    for _ in range(count):
        if not left:
            break
        # As `prefer` goes through them, but that it hardly branches.
        best = lowest(left)
        highest = sign * mind.trust[best]
        ties = 1
        others = without_lowest(left)
        while others:
            player = lowest(others)
            others = without_lowest(others)
            trust = sign * mind.trust[player]
            more = trust > highest + SAME_TRUST
            if not more and (trust == highest or abs(trust - highest) <= SAME_TRUST):
                ties += 1
                more = below(mind.stream, ties) == 0
            else:
                ties = 1 if more else ties
            best = player if more else best
            highest = trust if more else highest
        found |= 1 << best
        left &= ~bit(best)
    return found


@kernel
def team_size(mind: Any) -> int:
    """The number of players on the chair's own side, itself included."""
    return mind.seats - mind.saboteurs if mind.role == MINER else mind.saboteurs


@kernel
def friends(mind: Any, sides: int) -> int:
    """Whom the chair takes for friends, itself included, as a mask of seats; `sides` is APART, COMPLEMENT or FEW_ENEMIES.

    The (own team size - 1) most trusted, or all that are not enemies.
    """
    if sides == FEW_ENEMIES or (sides == COMPLEMENT and mind.role == MINER):
        return ~enemies(mind, sides) & ((1 << mind.seats) - 1)
    return most_trusted(mind, team_size(mind) - 1, 1.0) | 1 << mind.seat


@kernel
def enemies(mind: Any, sides: int) -> int:
    """Whom the chair takes for enemies, as a mask of seats; `sides` is APART, COMPLEMENT or FEW_ENEMIES.

    The (other team's size) least trusted, or all that are not friends; as FEW_ENEMIES has it (2019 paper, section 3.2, "k equals to
    the number of saboteurs in the game excluding itself"), a lone saboteur has none.
    """
    if sides == FEW_ENEMIES and mind.role != MINER:
        return most_trusted(mind, mind.saboteurs - 1, -1.0)
    if sides == COMPLEMENT and mind.role != MINER:
        others = most_trusted(mind, team_size(mind) - 1, 1.0) | 1 << mind.seat
        return ~others & ((1 << mind.seats) - 1)
    return most_trusted(mind, mind.seats - team_size(mind), -1.0)


@kernel
def break_target(mind: Any, card: int, broken: Any, foes: int, fewest: bool, params: Any) -> tuple[int, int]:
    """The enemy to play a break card on: (its number of broken tools, the action), (-1, NOT_PLAYABLE) if there is none.

    Among those whose tool is whole, one with the most broken tools (the fewest with `fewest`), ties at random.
    """
    best = -1
    tools = 0
    ties = 0
    for player in range(mind.seats):
        if not foes >> player & 1 or broken[player] & CARD_TOOLS[card]:
            continue
        count = popcount(np.uint64(broken[player]))
        sign = -1 if fewest else 1
        ties, chosen = prefer(mind.stream, float(sign * count), float(sign * tools), ties, 0.0)
        if chosen:
            best = player
            tools = count
    if best < 0:
        return -1, NOT_PLAYABLE
    if best == mind.seat and not params[MAY_BREAK_OWN]:
        return tools, NOT_PLAYABLE
    return tools, encode(PLAY_BREAK, card, 0, best)


@kernel
def note_break(mind: Any, actor: int, target: int, amount: float, fault: bool, both: bool, sides: int) -> None:
    """Somebody broke a tool of `target`: a foe if the target is a friend, a friend if it is an enemy.

    `both`: the target's trust moves the other way. `fault`: see `note_self`.
    """
    if target == mind.seat:
        note_self(mind, actor, -amount, amount, fault, both)
    elif friends(mind, sides) >> target & 1:
        mind.trust[actor] -= amount
        mind.trust[target] += amount if both else 0.0
    elif sides != APART or enemies(mind, sides) >> target & 1:
        mind.trust[actor] += amount
        mind.trust[target] -= amount if both else 0.0


@kernel
def note_fix(mind: Any, actor: int, target: int, amount: float, fault: bool, both: bool, sides: int) -> None:
    """Somebody mended a tool of `target`: a friend if the target is a friend, a foe if it is an enemy.

    `both`: the target's trust moves the same way (who mends their own tool moves once). `fault`: see `note_self`.
    """
    if target == mind.seat:
        note_self(mind, actor, amount, amount, fault, both)
    elif friends(mind, sides) >> target & 1:
        mind.trust[actor] += amount
        mind.trust[target] += amount if both and target != actor else 0.0
    elif sides != APART or enemies(mind, sides) >> target & 1:
        mind.trust[actor] -= amount
        mind.trust[target] -= amount if both and target != actor else 0.0


@kernel
def note_accusation(mind: Any, actor: int, target: int, amount: float, sides: int) -> None:
    """Somebody said that `target` is a saboteur.

    A miner trusts less who accuses it, and whom others accuse whom it does not take for enemies. A saboteur does not listen.
    """
    if mind.role != MINER:
        return
    if target == mind.seat:
        mind.trust[actor] -= amount
    elif not enemies(mind, sides) >> actor & 1:
        mind.trust[target] -= amount


@kernel
def note_self(mind: Any, actor: int, change: float, own_change: float, fault: bool, both: bool) -> None:
    """Somebody broke or mended a tool of the chair itself, who is always its own friend.

    With `fault` (the program behind the tables), the first time the actor's old trust is lost and the chair rates
    itself from then on; afterwards its entry is like any other's.
    """
    if fault and not mind.rates_itself:
        mind.rates_itself = 1
        mind.trust[actor] = change
        mind.trust[mind.seat] = own_change
    else:
        mind.trust[actor] += change
        if mind.rates_itself and both:
            mind.trust[mind.seat] += own_change
