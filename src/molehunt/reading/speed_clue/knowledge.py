"""The knowledge base of the 2020 report and its seven deductions (section 4.1), on bit masks.

For every card and player the report keeps a letter: A no knowledge, B owned by, C not owned by, D may own it; E and F for own
cards, not revealed and revealed; and for every card overall: A, G not in the envelope, H in the envelope. Here B, C and D are
masks of cards by player, F a mask by the player it was revealed to, G and H one mask each; A and E are what is left.
Every entry remembers which deduction made it and in which turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import bit, kernel, lowest, popcount, without_lowest
from molehunt.games.speed_clue.actions import triple_mask
from molehunt.games.speed_clue.edition import MAX_CARDS
from molehunt.games.speed_clue.rules import disprover_of, shown_of, suggester_of
from molehunt.games.speed_clue.ruleset import MAX_SEATS, MAX_SUGGESTIONS, STARTS
from molehunt.games.speed_clue.state import NOBODY_DID, NOBODY_YET
from molehunt.reading.choice import happens

OVERALL = MAX_SEATS
"""The column of the sheet that is about the envelope."""
OBSERVED = 8
"""The reason of an entry D that comes from repeated suggestions (section 4.4.3); 1 to 7 are the report's deductions."""

SOUND, NEVER, NOT_AT_DEAL = range(3)
"""When deduction 6 fires: always; never (the printed pseudo-code's counter starts at 1); not while the hand is dealt."""

MIND = np.dtype(
    [
        ("stream", np.uint64, (1,)),
        ("owned", np.uint64, (MAX_SEATS,)),  # B, for oneself the hand
        ("lacks", np.uint64, (MAX_SEATS,)),  # C
        ("may", np.uint64, (MAX_SEATS,)),  # D
        ("revealed", np.uint64, (MAX_SEATS,)),  # F: own cards that this player was shown
        ("not_envelope", np.uint64),  # G
        ("envelope", np.uint64),  # H
        (
            "asked",
            np.uint64,
            (3,),
        ),  # cards named since all others were, by category, for players that go through the list
        ("read", np.int64),  # how many suggestions of the record were read
        ("shows_read", np.int64),  # how many of them were searched for cards shown by oneself
        ("overlooked", np.uint64, (MAX_SUGGESTIONS // 64,)),  # of these suggestions the answers were overlooked
        ("turn", np.int64),  # the turn whose record is being read
        ("dealing", np.int64),  # 1 while the hand is taken in
        ("seat", np.int64),
        ("seats", np.int64),
        ("times", np.int8, (MAX_SEATS, MAX_CARDS)),  # how often each seat has suggested each card
        ("rule", np.int8, (MAX_SEATS + 1, MAX_CARDS)),  # which deduction made an entry of the sheet
        ("since", np.int16, (MAX_SEATS + 1, MAX_CARDS)),  # in which turn
    ]
)
"""The memory of one chair."""


@kernel
def note_reason(mind: Any, column: int, cards: Any, rule: int) -> None:
    """Remember why entries of a column of the sheet changed."""
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        mind.rule[column, card] = rule
        mind.since[column, card] = mind.turn


@kernel
def category_of(card: int, params: Any) -> Any:
    """The set of all cards of the category of a card."""
    category = 0
    while card >= params[STARTS + category + 1]:
        category += 1
    return category_cards(category, params)


@kernel
def category_cards(category: int, params: Any) -> Any:
    """The set of all cards of a category."""
    return bit(params[STARTS + category + 1]) - bit(params[STARTS + category])


@kernel
def deduce_envelope(mind: Any, card: int, rule: int, params: Any) -> None:
    """H for a card; then deduction 7: no other card of its category is in the envelope."""
    spot = bit(card)
    if mind.envelope & spot:
        return
    mind.envelope |= spot
    note_reason(mind, OVERALL, spot, rule)
    others = category_of(card, params) & ~spot & ~mind.not_envelope
    mind.not_envelope |= others
    note_reason(mind, OVERALL, others, 7)


@kernel
def check_category(mind: Any, card: int, deduction_6: int, params: Any) -> None:
    """Deduction 6: where all but one card of a category are not in the envelope, the last one is."""
    if deduction_6 == NEVER or (deduction_6 == NOT_AT_DEAL and mind.dealing):
        return
    left = category_of(card, params) & ~mind.not_envelope
    if popcount(left) == 1:
        deduce_envelope(mind, lowest(left), 6, params)


@kernel
def deduce_owned(mind: Any, card: int, player: int, rule: int, deduction_6: int, params: Any) -> None:
    """Deduction 1: the player has the card, so nobody else has it, and it is not in the envelope."""
    spot = bit(card)
    if not mind.owned[player] & spot:
        mind.owned[player] |= spot
        mind.may[player] &= ~spot
        note_reason(mind, player, spot, rule)
    for other in range(mind.seats):
        if other != player and not mind.lacks[other] & spot:
            mind.lacks[other] |= spot
            mind.may[other] &= ~spot
            note_reason(mind, other, spot, 1)
    if not mind.not_envelope & spot:
        mind.not_envelope |= spot
        note_reason(mind, OVERALL, spot, 1)
        check_category(mind, card, deduction_6, params)


@kernel
def deduce_lacking(mind: Any, cards: Any, player: int, rule: int, params: Any) -> None:
    """Deduction 2: the player has none of the cards; then deduction 3: a card that nobody has is in the envelope."""
    fresh = cards & ~mind.lacks[player]
    mind.lacks[player] |= fresh
    mind.may[player] &= ~fresh
    note_reason(mind, player, fresh, rule)
    nobody = fresh
    for other in range(mind.seats):
        nobody &= mind.lacks[other]
    while nobody:
        deduce_envelope(mind, lowest(nobody), 3, params)
        nobody = without_lowest(nobody)


@kernel
def deduce_from_showing(mind: Any, cards: Any, player: int, deduction_6: int, params: Any) -> None:
    """Deductions 4 and 5: the player showed one of the cards; it is the one that they may have, or they may have each of them."""
    possible = cards & ~mind.lacks[player]
    if popcount(possible) == 1:
        if not mind.owned[player] & possible:
            deduce_owned(mind, lowest(possible), player, 4, deduction_6, params)
        return
    fresh = possible & ~mind.owned[player] & ~mind.may[player]
    mind.may[player] |= fresh
    note_reason(mind, player, fresh, 5)


@kernel
def take_hand(mind: Any, hand: Any, seat: int, seats: int, deduction_6: int, params: Any) -> None:
    """Sit down with a hand: deduction 1 for each card, and no other card is one's own."""
    mind.seat = seat
    mind.seats = seats
    mind.dealing = 1
    everything = bit(params[STARTS + 3]) - np.uint64(1)
    cards = hand
    while cards:
        deduce_owned(mind, lowest(cards), seat, 1, deduction_6, params)
        cards = without_lowest(cards)
    mind.lacks[seat] |= everything & ~hand
    note_reason(mind, seat, everything & ~hand, 1)
    mind.dealing = 0


@kernel
def read_answers(mind: Any, entry: int, seen_only: bool, deduction_6: int, params: Any) -> None:
    """Take in what one suggestion of the record shows about the seats that were asked.

    With `seen_only` (no intelligence) only a card that the chair itself was shown.
    """
    asker = suggester_of(entry)
    disprover = disprover_of(entry)
    cards = triple_mask(entry)
    for step in range(1, mind.seats):
        other = (asker + step) % mind.seats
        if other == disprover:
            break
        if other != mind.seat and not seen_only:
            deduce_lacking(mind, cards, other, 2, params)
    if disprover < NOBODY_DID and disprover != mind.seat:
        if shown_of(entry) >= 0:
            deduce_owned(mind, shown_of(entry), disprover, 1, deduction_6, params)
        elif not seen_only:
            deduce_from_showing(mind, cards, disprover, deduction_6, params)


@kernel
def count_suggestion(mind: Any, entry: int, repeats: int) -> None:
    """Section 4.4.3: a card that an opponent has suggested `repeats` times (0: off) is one that they may own."""
    asker = suggester_of(entry)
    if repeats == 0 or asker == mind.seat:
        return
    cards = triple_mask(entry)
    while cards:
        card = lowest(cards)
        cards = without_lowest(cards)
        mind.times[asker, card] = min(mind.times[asker, card] + 1, 100)
        spot = bit(card)
        if mind.times[asker, card] >= repeats and not (mind.lacks[asker] | mind.owned[asker] | mind.may[asker]) & spot:
            mind.may[asker] |= spot
            note_reason(mind, asker, spot, OBSERVED)


@kernel
def facts(mind: Any) -> int:
    """How many entries B and C there are; it grows with every new fact."""
    count = 0
    for player in range(mind.seats):
        count += popcount(mind.owned[player]) + popcount(mind.lacks[player])
    return count


@kernel
def read_record(
    mind: Any,
    view: Any,
    seen_only: bool,
    deduction_6: int,
    repeats: int,
    cross_reference: bool,
    missed: float,
    params: Any,
) -> None:
    """Take in all finished suggestions since the last reading.

    With `cross_reference` (section 6.3.2) the whole record is gone through again until nothing new follows. With the chance
    `missed` the answers to another's suggestion are overlooked, for good.
    """
    mind.turn = view.turns
    fresh = False
    while mind.read < view.suggestion_count and disprover_of(view.record[mind.read]) != NOBODY_YET:
        entry = view.record[mind.read]
        if missed > 0 and suggester_of(entry) != mind.seat and happens(mind.stream, missed):
            mind.overlooked[mind.read // 64] |= bit(mind.read % 64)
        else:
            read_answers(mind, entry, seen_only, deduction_6, params)
        count_suggestion(mind, view.record[mind.read], repeats)
        mind.read += 1
        fresh = True
    while cross_reference and fresh:
        before = facts(mind)
        for index in range(mind.read):
            if not mind.overlooked[index // 64] & bit(index % 64):
                read_answers(mind, view.record[index], seen_only, deduction_6, params)
        fresh = facts(mind) > before


@kernel
def read_own_shows(mind: Any, view: Any) -> None:
    """F: take in which cards of one's own were shown to whom."""
    while mind.shows_read < view.suggestion_count and disprover_of(view.record[mind.shows_read]) != NOBODY_YET:
        entry = view.record[mind.shows_read]
        if disprover_of(entry) == mind.seat:
            mind.revealed[suggester_of(entry)] |= bit(shown_of(entry))
        mind.shows_read += 1
