"""States of Speed Clue drawn from what a seat holds possible: an exact draw, every deal being equally likely.

In the contest the rules make what a player does tell something for certain: nobody accuses with cards that they hold or were shown,
and who ends a turn after a suggestion that nobody disproved has one of its cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.beliefs.deals.layers import sample_deals
from molehunt.beliefs.deals.problem import FACTOR_CARDS, PATTERNS, Facts
from molehunt.core.copying import block_copier
from molehunt.core.kernels import bit, kernel, nth_bit, popcount
from molehunt.core.streams import below, derive, next_word
from molehunt.games.speed_clue.actions import triple_mask
from molehunt.games.speed_clue.rules import disprover_of, entry_of, shown_of, suggester_of
from molehunt.games.speed_clue.ruleset import CONTEST_ORDER, LAST_WORD, MITCHELL_ORDER, ORDER, SEATS, STARTS
from molehunt.games.speed_clue.state import (
    ACCUSED,
    AFTER,
    NOBODY_DID,
    NOBODY_YET,
    OVER,
    RIGHT,
    STATE,
    TRIPLE_MASK,
    UNDECIDED,
    VIEW,
)

copy_back = block_copier(VIEW, STATE, "moves", "turns")


def room_for_states(number: int) -> Any:
    """Room for states made of what a seat holds possible (`make_state`)."""
    return np.zeros(number, STATE)


@kernel
def category_masks(params: Any) -> Any:
    """The three categories as sets of cards: shape (3,)."""
    masks = np.zeros(3, np.uint64)
    for category in range(3):
        for card in range(params[STARTS + category], params[STARTS + category + 1]):
            masks[category] |= bit(card)
    return masks


@kernel
def as_told(params: Any) -> Any:
    """A ruleset's numbers for what was told alone: nothing follows from what the contest forbids.

    For the views of a server that does not hold its players to the rules.
    """
    told = params.copy()
    told[ORDER] = MITCHELL_ORDER
    return told


@kernel
def cards_out_of_reach(word: int, params: Any) -> Any:
    """The cards of a wrong accusation, which in the contest its player neither holds nor was shown; of others none."""
    if params[ORDER] != CONTEST_ORDER or word & (ACCUSED | RIGHT) != ACCUSED:
        return np.uint64(0)
    return triple_mask(word)


@kernel
def held_back(view: Any, index: int, params: Any) -> bool:
    """Whether in the contest who made a suggestion has one of its cards: nobody disproved it, and they did not accuse with it."""
    entry = view.record[index]
    asker = suggester_of(entry)
    if params[ORDER] != CONTEST_ORDER or disprover_of(entry) != NOBODY_DID:
        return False
    if view.out >> asker & 1 and not view.accusations[asker]:
        return False  # whom a server has put out without a word
    return was_let_be(view, index, params)


@kernel
def was_let_be(view: Any, index: int, params: Any) -> bool:
    """Whether who made a suggestion could accuse once it was answered, and did not win with that."""
    if index < view.suggestion_count - 1:
        return True
    if view.phase == OVER:
        # At the limit the last suggestion may have been the end, before its player could do anything.
        ended = view.outcome == UNDECIDED and params[LAST_WORD] == 0
        return not ended and view.winner != suggester_of(view.record[index])
    return view.phase != AFTER


@kernel
def facts_of(view: Any, params: Any, holds: Any, lacks: Any, clause_holders: Any, clause_cards: Any) -> int:
    """Collect what the record tells the seat of a view about each other seat; returns the number of clauses.

    Holders are numbered by the distance from the seat, minus one: shape (seats,) for `holds` and `lacks`, the
    envelope last; a clause is a holder and a set of cards of which they hold at least one.
    """
    seat = view.seat
    seats = params[SEATS]
    clauses = 0
    for index in range(view.suggestion_count):
        entry = view.record[index]
        asker = suggester_of(entry)
        disprover = disprover_of(entry)
        cards = triple_mask(entry)
        shown = cards & ~cards_out_of_reach(view.accusations[asker], params)
        if asker != seat and held_back(view, index, params):
            clause_holders[clauses] = (asker - seat + seats) % seats - 1
            clause_cards[clauses] = cards
            clauses += 1
        for step in range(1, seats):
            other = (asker + step) % seats
            holder = (other - seat + seats) % seats - 1
            if other == disprover or (disprover == NOBODY_YET and other == view.to_move):
                if other != seat and shown_of(entry) >= 0:
                    holds[holder] |= bit(shown_of(entry))
                elif other != seat:
                    clause_holders[clauses] = holder
                    clause_cards[clauses] = shown
                    clauses += 1
                break
            if other != seat:
                lacks[holder] |= cards
    for step in range(1, seats):
        lacks[step - 1] |= cards_out_of_reach(view.accusations[(seat + step) % seats], params)
    return clauses


@kernel
def facts_of_view(view: Any, params: Any) -> Any:
    """All that a view tells for certain, as `beliefs.deals` takes it; holders as in `facts_of`."""
    seat = view.seat
    seats = params[SEATS]
    categories = category_masks(params)
    holds = np.zeros(seats, np.uint64)
    lacks = np.zeros(seats, np.uint64)
    sizes = np.zeros(seats - 1, np.int64)
    for holder in range(seats - 1):
        sizes[holder] = view.hand_sizes[(seat + 1 + holder) % seats]
    clause_holders = np.zeros(view.suggestion_count, np.int64)
    clause_cards = np.zeros(view.suggestion_count, np.uint64)
    clauses = facts_of(view, params, holds, lacks, clause_holders, clause_cards)
    excluded = np.zeros(seats, np.uint64)
    wrong = 0
    for other in range(seats):
        word = view.accusations[other]
        if word & RIGHT:
            # Once an accusation was right, the envelope is known to all.
            holds[seats - 1] = triple_mask(word)
        elif word & ACCUSED:
            excluded[wrong] = triple_mask(word)
            wrong += 1
    return Facts(
        np.full(1, (categories[0] | categories[1] | categories[2]) & ~view.hand),
        sizes,
        holds,
        lacks,
        clause_holders[:clauses],
        clause_cards[:clauses],
        np.zeros(0, np.int64),
        np.zeros((0, FACTOR_CARDS), np.int64),
        np.zeros((0, PATTERNS)),
        categories,
        excluded[:wrong],
    )


@kernel
def facts_of_views(views: Any, params: Any) -> Any:
    """`facts_of_view` of the first view of an array."""
    return facts_of_view(views[0], params)


@kernel
def resample_view(view: Any, start: Any, state: Any, params: Any) -> None:
    """Draw a state from what the seat of a view holds possible, with a stream that starts at `start`."""
    hands = np.zeros((1, params[SEATS] - 1), np.uint64)
    stream = np.zeros(1, np.uint64)
    stream[0] = derive(start, np.uint64(0))
    if sample_deals(facts_of_view(view, params), stream, 1, hands) == 0:
        sample_deals(facts_of_view(view, as_told(params)), stream, 1, hands)
    make_state(view, hands[0], stream, state, params)
    state.stream[0] = derive(start, np.uint64(1))


@kernel
def make_state(view: Any, hands: Any, stream: Any, state: Any, params: Any) -> None:
    """Make the state in which the other seats have these hands, by distance from the view's seat: uint64[seats - 1].

    The cards shown that the seat did not see, and the state's own stream, are drawn from `stream`.
    """
    seat = view.seat
    seats = params[SEATS]
    categories = category_masks(params)
    rest = (categories[0] | categories[1] | categories[2]) & ~view.hand
    state.hands[:] = 0
    state.hands[seat] = view.hand
    for holder in range(seats - 1):
        state.hands[(seat + 1 + holder) % seats] = hands[holder]
        rest &= ~hands[holder]
    state.envelope = rest
    state.accusations[:] = view.accusations
    copy_back(view, state)
    fill_record(view, state, stream, params)
    state.stream[0] = next_word(stream)


@kernel
def fill_record(view: Any, state: Any, stream: Any, params: Any) -> None:
    """Copy the record; a card that the seat did not see is a random one of those its shower could have shown."""
    for index in range(view.suggestion_count):
        entry = view.record[index]
        disprover = disprover_of(entry)
        if disprover < NOBODY_DID and shown_of(entry) < 0:
            cards = state.hands[disprover] & triple_mask(entry)
            allowed = cards & ~cards_out_of_reach(view.accusations[suggester_of(entry)], params)
            if allowed:
                cards = allowed
            shown = nth_bit(cards, below(stream, popcount(cards)))
            entry = entry_of(entry & TRIPLE_MASK, suggester_of(entry), disprover, shown)
        state.record[index] = entry
    state.record[view.suggestion_count :] = 0
