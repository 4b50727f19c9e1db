"""Endings of the duel solved: the best answer to the other player where the deck is empty and few cards are left.

A seat knows neither the other's hand nor, sometimes, where the nugget is. So deals are drawn that it holds possible, each with a
player on the other seat, and what is sought is the plan that brings most in all of them together, followed to the last card.
Deals that look the same to the seat are one information set, and a plan has one move there: no plan uses what the seat cannot see.
What a move is worth is exact for the deals drawn, the players on the other seat and the moves that are promising
(`digger.list_promising`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from molehunt.agents.duel.digger import MOST_MOVES, SCRATCH, list_promising
from molehunt.agents.duel.opponent import move_of_kind
from molehunt.core.kernels import kernel
from molehunt.games.duel.actions import DISCARD, HIDDEN_CARD, encode, play_of
from molehunt.games.duel.cards import NUGGET
from molehunt.games.duel.rules import advance
from molehunt.games.duel.state import EVENT, GOING_ON, HAND, STATE

BREADTH = 6
"""How many of the promising moves a plan chooses from, those with the shortest ways; at the root all are tried."""
FIRST = np.zeros(1, np.int64)
"""The level of the root. As a literal it would give the recursion a second type."""
CONTENTS, ACTION_BITS = 4, 32
"""In a word for what was seen, the contents that a goal can show, and the bits of the other's move."""


class Scratch(NamedTuple):
    """What the search works with: arrays by level (own moves made) and deal."""

    settings: Any  # a row for the digger of the seat, and one for each kind on the other
    deals: Any  # the deals of the information set that is looked at
    kinds: Any
    streams: Any
    after: Any  # those that go on after a move and the other's reply ...
    kinds_after: Any
    streams_after: Any
    seen: Any  # ... and what the seat saw of both
    moves: Any
    scores: Any
    digging: Any
    event: Any


def new_scratch(settings: Any, deals: int) -> Scratch:
    """Scratch for so many deals."""
    levels = HAND + 1
    return Scratch(
        settings,
        np.zeros((levels, deals), STATE),
        np.zeros((levels, deals), np.int64),
        np.zeros((levels, deals), np.uint64),
        np.zeros((levels, deals), STATE),
        np.zeros((levels, deals), np.int64),
        np.zeros((levels, deals), np.uint64),
        np.zeros((levels, deals), np.int64),
        np.zeros((levels, MOST_MOVES), np.int32),
        np.zeros((levels, MOST_MOVES)),
        np.zeros(1, SCRATCH),
        np.zeros(1, EVENT),
    )


@kernel
def solve(drawn: Any, seat: int, draw: float, tried: Any, results: Any, scratch: Any) -> Any:
    """What each of some moves brings a seat in all the deals drawn together, if it then goes on as well as can be.

    It is written to `results`, shape (moves,); a win counts 1, a draw `draw`. Returns how many moves were played.
    """
    count = len(drawn.deals)
    for index in range(count):
        scratch.deals[0, index] = drawn.deals[index]
    scratch.kinds[0, :count] = drawn.kinds
    scratch.streams[0, :count] = drawn.streams
    played = np.zeros(1, np.int64)
    for number in range(len(tried)):
        results[number] = worth_of_move(FIRST[0], count, tried[number], seat, draw, -1.0, scratch, played)
    return played[0]


@kernel
def worth_of_move(
    level: int, count: int, move: int, seat: int, draw: float, least: float, scratch: Any, played: Any
) -> Any:
    """What a move in the information set at a level brings in its deals together; where that is not above `least`, any less.

    The move and the other's reply are made in each deal. Those that then look alike are an information set of the next level,
    worth what its best move brings.
    """
    total = 0.0
    left = 0
    after, seen = scratch.after[level], scratch.seen[level]
    for index in range(count):
        after[left] = scratch.deals[level, index]
        stream = scratch.streams[level, index : index + 1]
        scratch.streams_after[level, left] = stream[0]
        kind = scratch.kinds[level, index]
        seen[left] = make_and_reply(
            after[left], scratch.streams_after[level, left : left + 1], kind, move, scratch, level, played
        )
        if after[left].outcome == GOING_ON:
            scratch.kinds_after[level, left] = kind
            left += 1
        elif after[left].winner == seat:
            total += 1.0
        elif after[left].winner < 0:
            total += draw
    below = level + 1
    done = 0
    while done < left and total + (left - done) > least:
        size = gather(level, left, seen[done], done, scratch)
        number = list_choices(below, size, seat, scratch)
        best = -1.0
        for index in range(number):
            best = max(best, worth_of_move(below, size, scratch.moves[below, index], seat, draw, best, scratch, played))
            if best >= size:
                break
        total += best
        done += size
    return total


@kernel
def make_and_reply(state: Any, stream: Any, kind: int, move: int, scratch: Any, level: int, played: Any) -> Any:
    """Make a move and, if the game goes on, the other's reply; returns a word for what the seat saw of both."""
    event = scratch.event[0]
    advance(state, move, event)
    played[0] += 1
    word = np.int64(event.seen)
    for goal in range(3):
        word = word * CONTENTS + event.goals[goal]
    if state.outcome != GOING_ON:
        return word
    other = state.to_move
    lists = scratch.moves[level + 1], scratch.scores[level + 1]
    reply = move_of_kind(kind, state, other, stream, scratch.settings, scratch.digging[0], lists[0], lists[1])
    advance(state, reply, event)
    played[0] += 1
    if play_of(reply) == DISCARD:
        reply = np.int64(encode(DISCARD, HIDDEN_CARD, 0, 0))
    for goal in range(3):
        word = word * CONTENTS + event.goals[goal]
    return word << ACTION_BITS | reply


@kernel
def gather(level: int, left: int, word: int, first: int, scratch: Any) -> Any:
    """Bring the deals that look like a word, from number `first` on, to the next level; returns how many.

    The others are kept behind them, in any order.
    """
    after, kinds, streams, seen = (
        scratch.after[level],
        scratch.kinds_after[level],
        scratch.streams_after[level],
        scratch.seen[level],
    )
    below = level + 1
    size = 0
    for index in range(first, left):
        if seen[index] == word:
            scratch.deals[below, size] = after[index]
            scratch.kinds[below, size] = kinds[index]
            scratch.streams[below, size] = streams[index]
            # What stood where the gathered deals end moves up to the place of this one.
            front = first + size
            after[index] = after[front]
            kinds[index] = kinds[front]
            streams[index] = streams[front]
            seen[index] = seen[front]
            seen[front] = word
            size += 1
    return size


@kernel
def list_choices(level: int, size: int, seat: int, scratch: Any) -> int:
    """List the moves that a plan chooses from in the information set at a level, of `size` deals; returns how many."""
    moves, scores, places = scratch.moves[level], scratch.scores[level], np.zeros(3)
    deals = scratch.deals[level]
    for index in range(size):
        for goal in range(3):
            if deals[index].goals[goal] == NUGGET:
                places[goal] += 1.0 / size
    count = list_promising(deals, seat, scratch.settings[0], places, scratch.digging, moves, scores)
    # Those with the least scores come first.
    for place in range(min(count, BREADTH)):
        least = place
        for index in range(place + 1, count):
            if scores[index] < scores[least]:
                least = index
        move, score = moves[least], scores[least]
        moves[least], scores[least] = moves[place], scores[place]
        moves[place], scores[place] = move, score
    return min(count, BREADTH)
