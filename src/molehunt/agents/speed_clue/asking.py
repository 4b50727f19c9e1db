"""What the players of the family ask: each way to make a suggestion, as the reports describe them."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.speed_clue.naming import name_anyway
from molehunt.agents.speed_clue.strategy_parameters import (
    AVOID,
    BY_HAND,
    FALL_IDEAL_OR_BASIC,
    FALL_ONE_ONLY,
    FALL_UNSOLVED_ONLY,
    MIXED,
    NEXT_NOT_HELD,
    NEXT_POSSIBLE,
    NO_INTELLIGENCE,
    PREVIOUS_POSSIBLE,
    SOLVED_ANY,
    SOLVED_ENVELOPE,
    SOLVED_NOT_HELD,
    SOLVED_OWN,
    SYSTEMATIC,
    TARGET,
    TWO_PLAYERS,
)
from molehunt.core.kernels import bit, kernel, lowest, popcount
from molehunt.core.streams import below
from molehunt.games.speed_clue.actions import pack_triple
from molehunt.games.speed_clue.rules import (
    own_suggestions,
)
from molehunt.reading.choice import one_of
from molehunt.reading.speed_clue.knowledge import (
    category_cards,
)


@kernel
def in_line(mind: Any, category: int, cards: Any, p: Any) -> int:
    """One card of a set that was not named since all others of it were: a random one, or the first of the list."""
    fresh = cards & ~mind.asked[category]
    if not fresh:
        mind.asked[category] &= ~cards
        fresh = cards
    card = lowest(fresh) if p.choice == SYSTEMATIC else one_of(mind.stream, fresh)
    mind.asked[category] |= bit(card)
    return card


@kernel
def pick(mind: Any, category: int, cards: Any, p: Any) -> int:
    """One card of a set that is not empty: a random one, or, systematically, the next one of the list.

    To begin at the top of the list every time would be to make the same suggestion for ever.
    """
    if p.choice == SYSTEMATIC:
        return in_line(mind, category, cards, p)
    return one_of(mind.stream, cards)


@kernel
def is_solved(mind: Any, category: int, params: Any) -> bool:
    """Whether the envelope's card of a category is known."""
    return mind.envelope & category_cards(category, params) != 0


@kernel
def candidates(mind: Any, category: int, params: Any) -> Any:
    """The cards that may be asked about: those not yet out of the envelope; in a solved category, all."""
    cards = category_cards(category, params)
    if is_solved(mind, category, params):
        return cards
    return cards & ~mind.not_envelope


@kernel
def held_suspects(mind: Any) -> Any:
    """Section 4.4.3: the cards that some opponent is taken to hold because they keep suggesting them."""
    cards = np.uint64(0)
    for player in range(mind.seats):
        if player != mind.seat:
            for card in range(mind.times.shape[1]):
                if mind.rule[player, card] == 8 and mind.may[player] >> np.uint64(card) & np.uint64(1):
                    cards |= bit(card)
    return cards


@kernel
def solved_card(mind: Any, category: int, next_seat: int, p: Any, params: Any) -> int:
    """The card to name in a category whose envelope card is known."""
    cards = category_cards(category, params)
    own = cards & mind.owned[mind.seat]
    if p.solved == SOLVED_ENVELOPE:
        return lowest(cards & mind.envelope)
    if p.solved == SOLVED_OWN and own:
        return pick(mind, category, own, p)
    if p.solved == SOLVED_NOT_HELD:
        # A card that the next player is known not to hold; else an own card or the envelope's.
        silent = cards & mind.lacks[next_seat]
        if silent:
            return pick(mind, category, silent, p)
        return pick(mind, category, own | cards & mind.envelope, p)
    return pick(mind, category, cards, p)


@kernel
def basic_card(mind: Any, category: int, next_seat: int, p: Any, params: Any) -> int:
    """The card that `basic` names in a category."""
    if is_solved(mind, category, params):
        return solved_card(mind, category, next_seat, p, params)
    cards = candidates(mind, category, params)
    if p.repeats and p.suspects == AVOID:
        free = cards & ~held_suspects(mind)
        cards = free or cards
    return pick(mind, category, cards, p)


@kernel
def neighbour(mind: Any, step: int) -> int:
    """The seat `step` places after the chair."""
    return (mind.seat + step + mind.seats) % mind.seats


@kernel
def least_held(mind: Any, cards: Any) -> Any:
    """Those cards of a set that the most opponents are known not to hold; none where no opponent is known to lack any."""
    best = np.uint64(0)
    most = 0
    left = cards
    while left:
        spot = left & ~(left - np.uint64(1))
        left &= ~spot
        lacking = 0
        for player in range(mind.seats):
            lacking += player != mind.seat and mind.lacks[player] & spot != 0
        if lacking > most:
            most = lacking
            best = spot
        elif lacking == most and most > 0:
            best |= spot
    return best


@kernel
def ask_basic(mind: Any, chosen: Any, p: Any, params: Any) -> None:
    """Fill the places of a suggestion that are still open (-1) as `basic` does."""
    for category in range(3):
        if chosen[category] < 0:
            chosen[category] = basic_card(mind, category, neighbour(mind, 1), p, params)


@kernel
def not_held(mind: Any, category: int, player: int, p: Any, params: Any) -> Any:
    """The candidates of a category that a player is known not to hold."""
    if is_solved(mind, category, params) and (p.fallback == FALL_UNSOLVED_ONLY or p.solved != SOLVED_ANY):
        return np.uint64(0)
    return candidates(mind, category, params) & mind.lacks[player]


@kernel
def ask_not_held(mind: Any, chosen: Any, p: Any, params: Any) -> None:
    """Next-not-held (section 4.3): two cards that the next player does not hold and one that the one after does not hold.

    Short of that one card that the next player does not hold, and for the rest, or at all, as `basic`.
    """
    following = neighbour(mind, 1)
    after = neighbour(mind, 2)
    if p.all_opponents:
        for category in range(3):
            if not is_solved(mind, category, params):
                cards = least_held(mind, candidates(mind, category, params))
                if cards:
                    chosen[category] = pick(mind, category, cards, p)
        return
    if p.fallback != FALL_ONE_ONLY:
        # The ideal: which category is for the player after the next is drawn among those that allow it.
        ways = 0
        ideal = -1
        for last in range(3):
            possible = not_held(mind, last, after, p, params) != 0
            for category in range(3):
                possible = possible and (category == last or not_held(mind, category, following, p, params) != 0)
            if possible:
                ways += 1
                if below(mind.stream, ways) == 0:
                    ideal = last
        if ideal >= 0:
            for category in range(3):
                player = after if category == ideal else following
                chosen[category] = pick(mind, category, not_held(mind, category, player, p, params), p)
            return
        if p.fallback == FALL_IDEAL_OR_BASIC:
            return
    ways = 0
    place = -1
    for category in range(3):
        if not_held(mind, category, following, p, params):
            ways += 1
            if below(mind.stream, ways) == 0:
                place = category
    if place >= 0:
        chosen[place] = pick(mind, place, not_held(mind, place, following, p, params), p)


@kernel
def ask_possible(mind: Any, chosen: Any, direction: int, p: Any, params: Any) -> None:
    """Next-possible (direction 1) and previous-possible (-1): a card that this neighbour may hold, locations first.

    Next-possible leaves the other places to `basic`. Previous-possible names there cards that the neighbour is known not to
    hold, where there are such, so that they cannot hide the one behind another. With `all_opponents` the players before them are
    looked at in turn; next-possible then names another card for the player after (section 4.4.2), going on around the table where
    one of the two has no such card.
    """
    reach = mind.seats - 1 if p.all_opponents else 1
    taken = 0
    wanted = 2 if p.all_opponents and direction > 0 and p.possible == TWO_PLAYERS else 1
    for step in range(1, reach + 1):
        player = neighbour(mind, direction * step)
        for place in (2, 0, 1):
            cards = candidates(mind, place, params) & mind.may[player]
            if taken >> place & 1 or is_solved(mind, place, params) or not cards:
                continue
            chosen[place] = pick(mind, place, cards, p)
            taken |= 1 << place
            wanted -= 1
            if direction < 0:
                for other in range(3):
                    silent = candidates(mind, other, params) & mind.lacks[player]
                    if other != place and silent:
                        chosen[other] = pick(mind, other, silent, p)
            if not wanted:
                return
            break


@kernel
def ask_confirm(mind: Any, chosen: Any, p: Any, params: Any) -> bool:
    """Sections 4.4.3 and 6.3.2: "a targeted suggestion", "possibly with cards in hand", for a card that is suggested repeatedly.

    Beside it stand own cards, else the envelope's, so that nothing else can be shown; without either, what `basic` names. Returns
    whether there is such a card.
    """
    for step in range(1, mind.seats):
        player = neighbour(mind, step)
        for place in (2, 0, 1):
            cards = np.uint64(0)
            left = candidates(mind, place, params) & mind.may[player]
            while left and not is_solved(mind, place, params):
                if mind.times[player, lowest(left)] >= p.repeats:
                    cards |= bit(lowest(left))
                left &= left - np.uint64(1)
            if not cards:
                continue
            chosen[place] = pick(mind, place, cards, p)
            for other in range(3):
                quiet = category_cards(other, params) & mind.owned[mind.seat]
                quiet = quiet or category_cards(other, params) & mind.envelope
                if other != place and quiet:
                    chosen[other] = pick(mind, other, quiet, p)
            return True
    return False


@kernel
def ask_through(mind: Any, chosen: Any, p: Any, params: Any) -> None:
    """No intelligence: go through the cards that were neither held nor seen, one after the other, again and again.

    Where one is left of a category it is named again: another card there could hide what is asked for in the others for ever.
    """
    for category in range(3):
        unseen = category_cards(category, params) & ~mind.not_envelope
        chosen[category] = in_line(mind, category, unseen, p)


@kernel
def ask_mixed(mind: Any, chosen: Any, p: Any, params: Any) -> None:
    """Section 6.3.3: with two candidates left in a category, ask for the one that somebody may hold; else not-held cards."""
    for category in range(3):
        cards = candidates(mind, category, params)
        if is_solved(mind, category, params) or popcount(cards) != 2:
            continue
        suspected = np.uint64(0)
        for player in range(mind.seats):
            suspected |= cards & mind.may[player]
        if suspected:
            chosen[category] = pick(mind, category, suspected, p)
            # The others must not answer in its place.
            for other in range(3):
                quiet = category_cards(other, params) & (mind.owned[mind.seat] | mind.envelope)
                if other != category and is_solved(mind, other, params) and quiet:
                    chosen[other] = pick(mind, other, quiet, p)
            return
    ask_not_held(mind, chosen, p, params)


@kernel
def is_of_one_kind(hand: Any, params: Any) -> bool:
    """Whether more than half of a hand is of one category, as on deal 7, where the report finds `advanced` better (5.1, 6.3.3)."""
    most = 0
    for category in range(3):
        most = max(most, popcount(hand & category_cards(category, params)))
    return 2 * most > popcount(hand)


@kernel
def suggestion(mind: Any, view: Any, chosen: Any, p: Any, params: Any) -> int:
    """The three cards to suggest, packed; `chosen` is scratch for three."""
    chosen[0], chosen[1], chosen[2] = -1, -1, -1
    often_own = p.own
    if p.bluffs and own_suggestions(mind.seat, view.record, view.suggestion_count) >= p.bluffs:
        often_own = 0.0
    if often_own > 0 or p.seen > 0:
        name_anyway(mind, chosen, often_own, p, params)
    named = chosen[0] + 1 + ((chosen[1] + 1) << 5) + ((chosen[2] + 1) << 10)
    if p.repeats and p.suspects == TARGET and ask_confirm(mind, chosen, p, params):
        pass  # instead of the normal approach
    elif p.ask == NEXT_NOT_HELD or (p.ask == BY_HAND and is_of_one_kind(mind.owned[mind.seat], params)):
        ask_not_held(mind, chosen, p, params)
    elif p.ask == NEXT_POSSIBLE:
        ask_possible(mind, chosen, 1, p, params)
    elif p.ask == PREVIOUS_POSSIBLE:
        ask_possible(mind, chosen, -1, p, params)
    elif p.ask == NO_INTELLIGENCE:
        ask_through(mind, chosen, p, params)
    elif p.ask == MIXED:
        ask_mixed(mind, chosen, p, params)
    # What is named in any case stays, whatever the strategy would rather ask there.
    for category in range(3):
        if named >> 5 * category & 31:
            chosen[category] = (named >> 5 * category & 31) - 1
    ask_basic(mind, chosen, p, params)
    return pack_triple(chosen[0], chosen[1], chosen[2])
