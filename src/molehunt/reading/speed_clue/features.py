"""What the learned player of Speed Clue is told: a view and each legal move as small whole numbers, written by compiled code.

Most numbers are 0 or 1, counts are counts. Seats are counted from the seat's own on. What follows for sure from the record by the
seven deductions (`knowledge`) is told instead of the record. `position_parts` and `move_parts` say in which order the numbers come.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import bit, kernel, popcount
from molehunt.games.speed_clue.actions import ACCUSE, PLAY_SHIFT, SHOW, SUGGEST, TRIPLE, triple_mask
from molehunt.games.speed_clue.rules import list_actions, suggester_of
from molehunt.games.speed_clue.ruleset import CARDS, LIMIT, SEATS
from molehunt.games.speed_clue.state import TRIPLE_MASK
from molehunt.reading.speed_clue.knowledge import SOUND, category_cards, read_own_shows, read_record, take_hand
from molehunt.reading.writing import write_one

PHASES = 3
OPEN = 5
"""How many cards of a category may be in the envelope is told as one of 1 to 4, or more."""
OF_THREE = 4
"""How many of three cards are of a kind."""
CHANCES = 7
"""The chance that an accusation is right: 1, at least 1/2, 1/4, 1/10, 1/50, less, none."""
LEAST_CHANCES = np.array([1.0, 0.5, 0.25, 0.1, 0.02, 0.0])
PLAYS = 4
LEFT = 8
"""The suggestions that may still be made are told as one of 0 to 6, or more."""
MOST_TIMES = 5

SCRATCH = np.dtype(
    [
        ("open", np.uint64, (3,)),  # cards of each category that may be in the envelope
        ("named", np.uint64),  # the cards of the seat's own suggestions
        ("times", np.int8, (8, 32)),  # how often each seat has named each card
    ]
)
"""Scratch for one decision."""


def position_parts(seats: int, cards: int) -> dict[str, int]:
    """How many numbers each part of a position has, in their order."""
    return {
        "phase": PHASES,
        "hand": cards,
        "owned": (seats - 1) * cards,
        "lacks": (seats - 1) * cards,
        "may own": (seats - 1) * cards,
        "revealed": (seats - 1) * cards,
        "named": seats * cards,
        "not in the envelope": cards,
        "in the envelope": cards,
        "open": 3 * OPEN,
        "last suggestion": cards,
        "last suggester": seats,
        "out": seats,
        "suggestions left": LEFT,
    }


def move_parts(cards: int) -> dict[str, int]:
    """How many numbers each part of a move has, in their order."""
    return {
        "play": PLAYS,
        "suggested": cards,
        "accused": cards,
        "shown": cards,
        "own": OF_THREE,
        "may be in the envelope": OF_THREE,
        "in the envelope": OF_THREE,
        "next may own": OF_THREE,
        "next owns": 1,
        "asked before": 1,
        "chance": CHANCES,
        "revealed": 2,
    }


@kernel
def write_set(cards: Any, count: int, at: int, out: Any) -> int:
    """Write a set of cards; return where the next part begins."""
    for card in range(count):
        out[at + card] = cards >> np.uint64(card) & np.uint64(1)
    return at + count


@kernel
def write_others(sets: Any, seat: int, params: Any, at: int, out: Any) -> int:
    """Write a set of cards for each of the others; return where the next part begins."""
    for away in range(1, params[SEATS]):
        at = write_set(sets[(seat + away) % params[SEATS]], params[CARDS], at, out)
    return at


@kernel
def learn(view: Any, mind: Any, params: Any, scratch: Any) -> None:
    """Take in what the view tells, and what is open."""
    if not mind.seats:
        take_hand(mind, view.hand, view.seat, params[SEATS], SOUND, params)
    read_record(mind, view, False, SOUND, 0, True, 0.0, params)
    read_own_shows(mind, view)
    scratch.named = 0
    scratch.times[:] = 0
    for index in range(view.suggestion_count):
        entry = view.record[index]
        asker = suggester_of(entry)
        if asker == view.seat:
            scratch.named |= triple_mask(entry & TRIPLE_MASK)
        for category in range(3):
            card = entry >> 5 * category & 31
            scratch.times[asker, card] = min(scratch.times[asker, card] + 1, MOST_TIMES)
    for category in range(3):
        cards = category_cards(category, params)
        sure = mind.envelope & cards
        scratch.open[category] = sure or cards & ~mind.not_envelope


@kernel
def write_position(view: Any, mind: Any, params: Any, scratch: Any, out: Any) -> int:
    """Write a view and what follows from it; return the size of it. `learn` came before."""
    out[:] = 0
    seat, seats, cards = view.seat, params[SEATS], params[CARDS]
    count = view.suggestion_count
    at = write_one(view.phase, PHASES, 0, out)
    at = write_set(view.hand, cards, at, out)
    at = write_others(mind.owned, seat, params, at, out)
    at = write_others(mind.lacks, seat, params, at, out)
    at = write_others(mind.may, seat, params, at, out)
    at = write_others(mind.revealed, seat, params, at, out)
    for away in range(seats):
        for card in range(cards):
            out[at + card] = scratch.times[(seat + away) % seats, card]
        at += cards
    at = write_set(mind.not_envelope, cards, at, out)
    at = write_set(mind.envelope, cards, at, out)
    for category in range(3):
        at = write_one(min(popcount(scratch.open[category]), OPEN) - 1, OPEN, at, out)
    if count:
        write_set(triple_mask(view.record[count - 1] & TRIPLE_MASK), cards, at, out)
        write_one((suggester_of(view.record[count - 1]) - seat + seats) % seats, seats, at + cards, out)
    at += cards + seats
    for away in range(seats):
        out[at + away] = view.out >> (seat + away) % seats & 1
    return write_one(min(params[LIMIT] - count, LEFT - 1), LEFT, at + seats, out)


@kernel
def chance_class(triple: Any, scratch: Any) -> int:
    """Which of CHANCES an accusation has, all open cards being equally likely."""
    chance = 1.0
    for category in range(3):
        chance *= (triple & scratch.open[category] != np.uint64(0)) / max(popcount(scratch.open[category]), 1)
    if chance == 0.0:
        return CHANCES - 1
    found = 0
    while chance < LEAST_CHANCES[found]:
        found += 1
    return found


@kernel
def write_move(view: Any, mind: Any, action: int, params: Any, scratch: Any, out: Any) -> int:
    """Write a legal move; return the size of it."""
    out[:] = 0
    seat, seats, cards = view.seat, params[SEATS], params[CARDS]
    play = action >> PLAY_SHIFT
    at = write_one(play - 1, PLAYS, 0, out)
    if play == SHOW:
        card = bit(action & 31)
        asker = suggester_of(view.record[view.suggestion_count - 1])
        write_set(card, cards, at + 2 * cards, out)
        at += 3 * cards + 4 * OF_THREE + 2 + CHANCES
        out[at] = mind.revealed[asker] & card != np.uint64(0)
        for other in range(seats):
            out[at + 1] |= mind.revealed[other] & card != np.uint64(0)
        return at + 2
    if play != SUGGEST and play != ACCUSE:
        return at + 3 * cards + 4 * OF_THREE + 2 + CHANCES + 2
    triple = triple_mask(action & TRIPLE)
    write_set(triple, cards, at + (cards if play == ACCUSE else 0), out)
    following = (seat + 1) % seats
    at = write_one(popcount(triple & view.hand), OF_THREE, at + 3 * cards, out)
    at = write_one(popcount(triple & (scratch.open[0] | scratch.open[1] | scratch.open[2])), OF_THREE, at, out)
    at = write_one(popcount(triple & mind.envelope), OF_THREE, at, out)
    at = write_one(popcount(triple & ~mind.lacks[following]), OF_THREE, at, out)
    out[at] = triple & mind.owned[following] != np.uint64(0)
    out[at + 1] = triple & scratch.named == triple
    return write_one(chance_class(triple, scratch) if play == ACCUSE else -1, CHANCES, at + 2, out) + 2


@kernel
def describe(view: Any, mind: Any, params: Any, scratch: Any, position: Any, moves: Any, actions: Any) -> int:
    """Write the position, every legal move and the action that it is; returns how many there are."""
    count = list_actions(view.hand, view.record, view.suggestion_count, view.phase, view.seat, params, actions)
    learn(view, mind, params, scratch)
    write_position(view, mind, params, scratch, position)
    for index in range(count):
        write_move(view, mind, actions[index], params, scratch, moves[index])
    return count
