"""Masks and observations of Speed Clue, compiled. What is where is said in `speed_clue`."""

from __future__ import annotations

from typing import Any

from molehunt.adapters.spaces.shown import SEE_MASK, SEE_VIEW
from molehunt.core.kernels import bit, kernel
from molehunt.core.seats import NOBODY
from molehunt.games.speed_clue.rules import (
    disprover_of,
    look,
    mark_actions,
    number_of,
    shown_of,
    suggester_of,
)
from molehunt.games.speed_clue.ruleset import CARDS, LIMIT, SEATS, STARTS
from molehunt.games.speed_clue.state import (
    CARD_MASK,
    NOBODY_DID,
    NOBODY_YET,
)

ENTRY = 6
"""Numbers that a suggestion takes in an observation."""
PHASES, OUTCOMES = 4, 3


# --- Actions ------------------------------------------------------------------------------------------------------------


@kernel
def index_of(action: int, seat: int, numbering: Any, params: Any) -> int:
    """The index of an action that may be legal somewhere."""
    return number_of(action, params)


@kernel
def fill_masks(views: Any, relative: bool, numbering: Any, params: Any, out: Any) -> None:
    """Which actions are legal at each view: shape (n, size)."""
    for index in range(len(views)):
        view = views[index]
        seat = view.seat
        out[index, :] = 0
        if view.to_move == seat and seat != NOBODY:
            mark_actions(view.hand, view.record, view.suggestion_count, view.phase, seat, params, out[index])


# --- Observations -------------------------------------------------------------------------------------------------------


@kernel
def write_seat(who: int, seat: int, seats: int, at: int, out: Any) -> int:
    """Write a 1 at the place of a player, counted from one's own seat, nowhere for nobody; return where the next part begins."""
    for away in range(seats):
        out[at + away] = 0
    if who >= 0:
        out[at + (who - seat + seats) % seats] = 1
    return at + seats


@kernel
def write_cards(triple: int, at: int, out: Any) -> None:
    """Write a 1 at the place of each of three cards."""
    for category in range(3):
        out[at + (triple >> 5 * category & CARD_MASK)] = 1


@kernel
def write_record(view: Any, params: Any, lacks: int, shown: int, at: int, out: Any) -> int:
    """Write the suggestions from place `at` on, and what they tell of the others' cards to the parts at `lacks` and `shown`."""
    seat = view.seat
    seats = params[SEATS]
    cards = params[CARDS]
    count = view.suggestion_count
    for index in range(count - 1, -1, -1):
        entry = view.record[index]
        asker = suggester_of(entry)
        answerer = disprover_of(entry)
        card = shown_of(entry)
        out[at] = 1 + (asker - seat + seats) % seats
        for category in range(3):
            out[at + 1 + category] = 1 + (entry >> 5 * category & CARD_MASK) - params[STARTS + category]
        if answerer == NOBODY_YET:
            out[at + 4] = 0
        else:
            out[at + 4] = 1 + seats if answerer == NOBODY_DID else 1 + (answerer - seat + seats) % seats
        out[at + 5] = 1 + card
        at += ENTRY
        # Those who were asked before the answer had none of the cards. Who must still answer is the seat to move.
        last = view.to_move if answerer == NOBODY_YET else answerer
        for step in range(1, seats):
            other = (asker + step) % seats
            if other == last:
                break
            write_cards(entry, lacks + (other - seat + seats) % seats * cards, out)
        if card >= 0 and asker == seat:
            out[shown + (answerer - seat + seats) % seats * cards + card] = 1
    rest = (params[LIMIT] - count) * ENTRY
    out[at : at + rest] = 0
    return at + rest


@kernel
def write_view(view: Any, numbering: Any, params: Any, at: int, out: Any) -> int:
    """Write a view as numbers, from place `at` on; return the size of the observation."""
    seat = view.seat
    seats = params[SEATS]
    cards = params[CARDS]
    count = view.suggestion_count
    for card in range(cards):
        out[at + card] = view.hand & bit(card) != 0
    shown = at + cards
    lacks = shown + seats * cards
    accused = lacks + seats * cards
    at = accused + seats * cards
    out[shown:at] = 0
    for away in range(seats):
        other = (seat + away) % seats
        if view.accusations[other]:
            write_cards(view.accusations[other], accused + away * cards, out)
        out[at + away] = view.out >> other & 1
    at += seats
    for phase in range(PHASES):
        out[at + phase] = view.phase == phase
    at += PHASES
    out[at : at + cards] = 0
    if count:
        write_cards(view.record[count - 1], at, out)
    at = write_seat(view.to_move, seat, seats, at + cards, out)
    at = write_seat(view.on_turn, seat, seats, at, out)
    for outcome in range(OUTCOMES):
        out[at + outcome] = view.outcome == outcome + 1
    at = write_seat(view.winner, seat, seats, at + OUTCOMES, out)
    for away in range(seats):
        out[at + away] = view.hand_sizes[(seat + away) % seats]
    return write_record(view, params, lacks, shown, at + seats, out)


@kernel
def fill_observations(views: Any, numbering: Any, params: Any, out: Any) -> int:
    """Write each view as numbers to a row of `out`; return how many numbers one has."""
    at = 0
    for index in range(len(views)):
        at = write_view(views[index], numbering, params, 0, out[index])
    return at


# --- One state ----------------------------------------------------------------------------------------------------------


@kernel
def show(
    states: Any, seat: int, views: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int
) -> None:
    """Write the observation and the mask of a seat: see `spaces.shown`."""
    view = views[0]
    look(states[0], seat, view, params)
    if wanted & SEE_VIEW:
        write_view(view, numbering, params, 0, observation)
    if wanted & SEE_MASK and view.to_move == seat:
        mark_actions(view.hand, view.record, view.suggestion_count, view.phase, seat, params, mask)


@kernel
def clear(states: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int) -> None:
    """Write zeros where `show` wrote: see `spaces.shown`."""
    if wanted & SEE_MASK:
        mask[:] = 0
