"""Forecasts: how likely the saboteurs win a round from a position whose whole truth is known, if players of 2019 play on.

A small network, one hidden layer, reads what lies in the mine, what all hold and whom all trust. `mole` asks it where it has played
on for so long that what its move did can be seen; to play every world on to the end costs many times more, and says less, as
it is one end of many. `forecast.json` holds its weights; `python -m molehunt.learning.saboteur.forecasts` learns them again.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.kernels import kernel
from molehunt.games.saboteur.cards import (
    CARD_TOOLS,
    FIRST_BREAK,
    FIRST_DEAD_END,
    FIRST_FIX,
    GOLD,
    MAP,
    NO_CARD,
    ROCKFALL,
    SABOTEUR,
)
from molehunt.games.saboteur.ruleset import DECK_CARDS, SEATS
from molehunt.reading.saboteur.ways import mark_free, note_exits, shortest_way, want_exits

FILE = "forecast.json"

LONGEST = 10
"""Ways of so many cards and more count alike."""
GROUPS = 6
"""Cards by what they are good for: tunnels, dead-ends, breaks, repairs, rockfalls, maps."""
TUNNELS, DEAD_ENDS, BREAKS, FIXES, ROCKFALLS, MAPS = range(GROUPS)
SIDES = 2

# Where the features begin.
WAY = 0  # the way to the gold: its length, then 1 where it is so long
DECK = WAY + 1 + LONGEST + 1  # cards left to draw: their number, then by groups
SEATED = DECK + 1 + GROUPS  # of each side: seats, those with broken tools, broken tools, who know the gold
HANDS = SEATED + 4 * SIDES  # of each side, by groups: cards of those who can lay paths, then of those who cannot
CURES = HANDS + 2 * GROUPS * SIDES  # of each side: repairs in hand for a tool that is broken of a seat of that side
TRUST = CURES + SIDES  # how far saboteurs are less trusted than miners by miners; how many miners trust one least
NEXT = TRUST + 2  # 1 where a saboteur is to move; seats until a miner moves who can lay paths; tunnels that one holds
ENDS = NEXT + 3  # open ends
FEATURES = ENDS + 1

HIDDEN = 24
NETWORK = np.dtype(
    [
        ("first", np.float64, (FEATURES, HIDDEN)),
        ("thresholds", np.float64, (HIDDEN,)),
        ("second", np.float64, (HIDDEN,)),
        ("level", np.float64),
        ("hidden", np.float64, (HIDDEN,)),  # scratch
    ]
)
"""The weights of a network with one hidden layer, whose units pass on what is above 0."""
WEIGHTS = ("first", "thresholds", "second", "level")

TRUST_UNIT = 2.6
"""What a broken tool costs of trust."""
MOST_TRUST = 3.0


@kernel
def group_of(card: int) -> int:
    """What a card is good for."""
    if card < FIRST_DEAD_END:
        return TUNNELS
    if card < FIRST_BREAK:
        return DEAD_ENDS
    if card < FIRST_FIX:
        return BREAKS
    if card == ROCKFALL:
        return ROCKFALLS
    return MAPS if card == MAP else FIXES


@kernel
def note_way(state: Any, gold: int, ways: Any, params: Any, out: Any) -> None:
    """The features of the mine."""
    mark_free(state.maze, ways, params)
    note_exits(state.maze, ways)
    want_exits(state.maze, -1, ways)
    length = shortest_way(state.maze, gold, ways)
    out[WAY] = min(length, 1.0 * LONGEST) / LONGEST
    out[WAY + 1 + np.int64(min(length, 1.0 * LONGEST))] = 1.0
    out[ENDS] = state.maze.end_count / 10


@kernel
def note_deck(state: Any, params: Any, out: Any) -> None:
    """The features of the deck."""
    left = params[DECK_CARDS] - state.drawn
    out[DECK] = left / 20
    for place in range(state.drawn, params[DECK_CARDS]):
        out[DECK + 1 + group_of(state.deck[place])] += 0.1


@kernel
def note_seats(state: Any, minds: Any, gold: int, seats: int, out: Any) -> None:
    """The features of hands and tools."""
    broken_of = np.int64(0)
    broken_of_saboteurs = np.int64(0)
    for seat in range(seats):
        if state.roles[seat] == SABOTEUR:
            broken_of_saboteurs |= state.broken[seat]
        else:
            broken_of |= state.broken[seat]
    for seat in range(seats):
        side = state.roles[seat]
        broken = state.broken[seat]
        of_side = SEATED + 4 * side
        out[of_side] += 0.25
        if broken:
            out[of_side + 1] += 0.5
            for tool in range(4):
                out[of_side + 2] += 0.25 * (broken >> tool & 1)
        if minds[seat].goals[gold] == GOLD:
            out[of_side + 3] += 0.5
        hands = HANDS + GROUPS * (2 * side + (1 if broken else 0))
        tools = broken_of_saboteurs if side == SABOTEUR else broken_of
        for slot in range(state.hand_sizes[seat]):
            card = state.hands[seat, slot]
            if card == NO_CARD:
                break
            group = group_of(card)
            out[hands + group] += 0.25
            if group == FIXES and CARD_TOOLS[card] & tools:
                out[CURES + side] += 0.5


@kernel
def note_trust(state: Any, minds: Any, seats: int, out: Any) -> None:
    """The features of what miners think of each other: by the least trusted on each side."""
    miners = 0
    for seat in range(seats):
        if state.roles[seat] == SABOTEUR:
            continue
        miners += 1
        least = least_of_saboteurs = np.inf
        for other in range(seats):
            if other == seat:
                continue
            trust = minds[seat].trust[other]
            if state.roles[other] == SABOTEUR:
                least_of_saboteurs = min(least_of_saboteurs, trust)
            else:
                least = min(least, trust)
        if least_of_saboteurs < least:
            out[TRUST + 1] += 1.0
            out[TRUST] += min((least - least_of_saboteurs) / TRUST_UNIT, MOST_TRUST)
        elif least < least_of_saboteurs:
            out[TRUST] -= min((least_of_saboteurs - least) / TRUST_UNIT, MOST_TRUST)
    out[TRUST] /= miners
    out[TRUST + 1] /= miners


@kernel
def note_next(state: Any, seats: int, out: Any) -> None:
    """The features of whose turn it is."""
    mover = state.to_move
    out[NEXT] = state.roles[mover]
    out[NEXT + 1] = 1.0
    for steps in range(seats):
        seat = (mover + steps) % seats
        if state.roles[seat] != SABOTEUR and not state.broken[seat]:
            out[NEXT + 1] = steps / seats
            for slot in range(state.hand_sizes[seat]):
                card = state.hands[seat, slot]
                if 0 <= card < FIRST_DEAD_END:
                    out[NEXT + 2] += 0.25
            break


@kernel
def describe(state: Any, minds: Any, ways: Any, params: Any, out: Any) -> None:
    """Write the features of a position to `out`, shape (FEATURES,); `minds` are those of players of 2019 on all seats."""
    seats = params[SEATS]
    gold = 0
    for goal in range(3):
        if state.goals[goal] == GOLD:
            gold = goal
    out[:FEATURES] = 0.0
    note_way(state, gold, ways, params, out)
    note_deck(state, params, out)
    note_seats(state, minds, gold, seats, out)
    note_trust(state, minds, seats, out)
    note_next(state, seats, out)


@kernel
def foresee(features: Any, network: Any) -> float:
    """How likely the saboteurs win, by the features of a position and a NETWORK."""
    hidden = network.hidden
    for unit in range(HIDDEN):
        hidden[unit] = network.thresholds[unit]
    for feature in range(FEATURES):
        if features[feature] != 0.0:
            for unit in range(HIDDEN):
                hidden[unit] += features[feature] * network.first[feature, unit]
    total = network.level
    for unit in range(HIDDEN):
        total += max(hidden[unit], 0.0) * network.second[unit]
    return 1.0 / (1.0 + np.exp(-total))


@cache
def forecaster() -> npt.NDArray[Any]:
    """The NETWORK of the file: shape (1,)."""
    written = json.loads((resources.files("molehunt.reading.saboteur") / FILE).read_text(encoding="utf-8"))
    network = np.zeros(1, NETWORK)
    for name in WEIGHTS:
        network[name][0] = written[name]
    return network
