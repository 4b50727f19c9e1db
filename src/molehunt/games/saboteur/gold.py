"""Gold: how it is paid after a round (rule book, "end of a round"), and what a seat can tell of the gold that others hold.

Nuggets lie on 28 gold cards, shuffled once. The miners' pack is drawn from the pile and goes counter-clockwise; everybody takes
the best card that is left, which is the right choice. The saboteurs are paid from the pile in the largest cards that suit, and
the rest is shuffled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel
from molehunt.core.streams import shuffle, uniform
from molehunt.games.saboteur.cards import MINER, SABOTEUR
from molehunt.games.saboteur.ruleset import BROKEN_UNPAID, MAX_ROUNDS, MAX_SEATS, PACK_BY_MINERS, SEATS, SHARES
from molehunt.games.saboteur.state import (
    GOLD_FOUND,
    GOLD_PILE,
    MAX_PACK,
    NOT_KNOWN,
)

BEST_CARD = 3
SABOTEUR_SHARES = np.array([0, 4, 3, 3, 2, 2, 2, 2, 2, 2], np.int64)
"""What each saboteur is paid, by their number: 4 to one, 3 each to two or three, 2 each to four (or more)."""
TWOS, SMALL_GOLD = 8, 32
"""The gold cards of two nuggets, and the nuggets on all cards of one and two."""
MAX_SPLITS = 55
"""In how many ways nine cards can be of three kinds."""


@kernel
def is_paid(roles: Any, unpaid: Any, seat: int) -> bool:
    """Whether a seat takes of a pack: a miner who is not among the unpaid."""
    paid: bool = roles[seat] == MINER and unpaid >> seat & 1 == 0
    return paid


@kernel
def miner_before(roles: Any, unpaid: Any, seat: int, seats: int) -> int:
    """The next miner counter-clockwise from a seat who is paid, who may be the same one again."""
    seat = (seat + seats - 1) % seats
    while not is_paid(roles, unpaid, seat):
        seat = (seat + seats - 1) % seats
    return seat


@kernel
def pay(state: Any, number: int, last: int, outcome: int, params: Any) -> None:
    """Pay the gold of round `number`, which ended with a move of the seat `last`."""
    seats = params[SEATS]
    roles = state.roles
    state.gains[:] = 0
    if not params[SHARES]:
        for seat in range(seats):
            if (roles[seat] == MINER) == (outcome == GOLD_FOUND):
                state.gains[seat] = 1
    elif outcome == GOLD_FOUND:
        miners = 0
        paid = 0
        unpaid = 0
        for seat in range(seats):
            if roles[seat] == MINER:
                miners += 1
                if params[BROKEN_UNPAID] and state.broken[seat]:
                    unpaid |= 1 << seat
                else:
                    paid += 1
        state.unpaid[number] = unpaid
        if not paid:  # nobody takes a card, so none is drawn
            return
        first = last if is_paid(roles, unpaid, last) else miner_before(roles, unpaid, last, seats)
        drawn = state.gold_drawn
        size = min(miners if params[PACK_BY_MINERS] else seats, MAX_PACK, GOLD_PILE - drawn)
        pack = state.packs[number]
        pack[:size] = state.gold[drawn : drawn + size]
        sort_down(pack, size)
        state.gold_drawn = drawn + size
        state.takers[number] = first
        share_out(pack, size, first, roles, unpaid, seats, state.gains)
    else:
        pay_saboteurs(state, roles, seats)
        # Somebody looked through the pile for what suits: what is left is shuffled.
        drawn = state.gold_drawn
        rest = state.gold[drawn:]
        shuffle(state.stream, rest, GOLD_PILE - drawn)
    for seat in range(seats):
        state.nuggets[seat] += state.gains[seat]


@kernel
def sort_down(cards: Any, count: int) -> None:
    """The best cards first."""
    for index in range(1, count):
        card = cards[index]
        place = index
        while place > 0 and cards[place - 1] < card:
            cards[place] = cards[place - 1]
            place -= 1
        cards[place] = card


@kernel
def share_out(pack: Any, size: int, first: int, roles: Any, unpaid: Any, seats: int, gains: Any) -> None:
    """The pack, best card first, goes round among the miners until nothing is left."""
    taker = first
    for card in range(size):
        gains[taker] += pack[card]
        taker = miner_before(roles, unpaid, taker, seats)


@kernel
def pay_saboteurs(state: Any, roles: Any, seats: int) -> None:
    """Pay each saboteur of the last round from the pile. Cards taken out of it move to its front, the others keep their order."""
    gold = state.gold
    count = 0
    for seat in range(seats):
        count += roles[seat] == SABOTEUR
    for seat in range(seats):
        if roles[seat] != SABOTEUR:
            continue
        owed = SABOTEUR_SHARES[count]
        while owed > 0:
            drawn = state.gold_drawn
            best = -1
            for card in range(drawn, GOLD_PILE):
                if gold[card] <= owed and (best < 0 or gold[card] > gold[best]):
                    best = card
            if best < 0:
                break
            taken = gold[best]
            for card in range(best, drawn, -1):
                gold[card] = gold[card - 1]
            gold[drawn] = taken
            state.gold_drawn = drawn + 1
            owed -= taken
            state.gains[seat] += taken


# --- What a seat can tell -----------------------------------------------------------------------------------------------


@kernel
def taken_before(seat: int, first: int, roles: Any, unpaid: Any, seats: int, size: int) -> int:
    """How many cards of a pack were taken before a seat got it: all of them, where it never did."""
    if not is_paid(roles, unpaid, seat):
        return size
    taken = 0
    taker = first
    while taker != seat and taken < size:
        taker = miner_before(roles, unpaid, taker, seats)
        taken += 1
    return taken


@kernel
def hide_gold(state: Any, seat: int, view: Any, params: Any) -> None:
    """Take out of a view, to which all was copied, what its seat may not know of the gold: nothing, where it lies open.

    Nor where the game is over.
    """
    if not params[SHARES] or state.to_move < 0:
        return
    seats = params[SEATS]
    for other in range(seats):
        if other != seat and state.round:
            view.nuggets[other] = NOT_KNOWN
    for number in range(min(state.round, MAX_ROUNDS)):
        if state.takers[number] != NOT_KNOWN:
            size = pack_size(state.packs[number])
            roles, unpaid = state.past_roles[number], np.int64(state.unpaid[number])
            before = taken_before(seat, state.takers[number], roles, unpaid, seats, size)
            view.packs[number, :before] = NOT_KNOWN


@kernel
def pack_size(pack: Any) -> int:
    """How many cards there were in a pack, seen or unseen."""
    size = 0
    while size < MAX_PACK and pack[size] != 0:
        size += 1
    return size


def gold_bounds(view: Any, seats: int) -> tuple[list[int], list[int]]:
    """The least and the most gold that each seat can have after the rounds that are over, as far as a view tells.

    Saboteurs have what they are owed for sure where the small cards that the pile must still have had are more than that.
    """
    least, most = [0] * seats, [0] * seats
    drawn = 0  # cards, at most
    for number in range(int(view["round"])):
        roles = view["past_roles"][number][:seats].tolist()
        unpaid, first = int(view["unpaid"][number]), int(view["takers"][number])
        if first == NOT_KNOWN:
            saboteurs = [seat for seat in range(seats) if roles[seat] == SABOTEUR and not unpaid]
            share = int(SABOTEUR_SHARES[len(saboteurs)])
            owed = share * len(saboteurs)
            is_there = owed < SMALL_GOLD - drawn - min(drawn, TWOS)
            for seat in saboteurs:
                least[seat] += share * is_there
                most[seat] += share
            drawn += owed
            continue
        around = [(first - step) % seats for step in range(seats)]
        paid = [seat for seat in around if roles[seat] == MINER and not unpaid >> seat & 1]
        pack = [card for card in view["packs"][number].tolist() if card]
        drawn += len(pack)
        best_seen = max([card for card in pack if card != NOT_KNOWN], default=1)  # those before it are no worse
        for place, card in enumerate(pack):
            seat = paid[place % len(paid)]
            least[seat] += best_seen if card == NOT_KNOWN else card
            most[seat] += BEST_CARD if card == NOT_KNOWN else card
    return least, most


@kernel
def splits(count: int, least: int, out: Any) -> int:
    """All ways in which `count` cards can be of values 1 to 3 with none below `least`, to out[i, value]; how many there are."""
    found = 0
    for threes in range(count + 1):
        for twos in range(count - threes + 1):
            ones = count - threes - twos
            if (ones and least > 1) or (twos and least > 2):
                continue
            out[found, 1], out[found, 2], out[found, 3] = ones, twos, threes
            found += 1
    return found


@kernel
def choose(count: int, taken: int) -> float:
    """The binomial coefficient; 0 where more are taken than there are."""
    if taken > count:
        return 0.0
    ways = 1.0
    for index in range(taken):
        ways = ways * (count - index) / (index + 1)
    return ways


@kernel
def take_pack(pile: Any, seen: Any, hidden: Any) -> float:
    """Take a pack out of a pile by its values; the chance of drawing just these values, 0 where the pile has not got them."""
    ways = 1.0
    before = 0
    size = 0
    for value in range(1, BEST_CARD + 1):
        taken = seen[value] + hidden[value]
        ways *= choose(pile[value], taken)
        before += pile[value]
        size += taken
        pile[value] -= taken
    return ways / choose(before, size)


@kernel
def pay_from(pile: Any, roles: Any, seats: int, gains: Any) -> None:
    """`pay_saboteurs` from a pile that is counted by value."""
    count = 0
    for seat in range(seats):
        count += roles[seat] == SABOTEUR
    for seat in range(seats):
        owed = SABOTEUR_SHARES[count] if roles[seat] == SABOTEUR else 0
        value = min(owed, BEST_CARD)
        while value > 0:
            if value <= owed and pile[value] > 0:
                pile[value] -= 1
                owed -= value
                gains[seat] += value
            else:
                value -= 1


@kernel
def resample_gold(view: Any, stream: Any, state: Any, params: Any) -> None:
    """Draw what others hold and the order of the pile, all orders that agree with what the seat saw being equally likely.

    The values of the cards it did not see are drawn for all rounds together, with the number of ways there are to draw them.
    """
    seats = params[SEATS]
    seat = view.seat
    rounds = view.round
    full = np.zeros(4, np.int64)
    for card in range(GOLD_PILE):
        full[state.gold[card]] += 1

    # For each round: the cards seen, by value, and all that the others may have been.
    seen = np.zeros((MAX_ROUNDS, 4), np.int64)
    options = np.zeros((MAX_ROUNDS, MAX_SPLITS, 4), np.int64)
    counts = np.ones(MAX_ROUNDS, np.int64)
    for number in range(rounds):
        if view.takers[number] == NOT_KNOWN:
            continue
        hidden = 0
        least = 1
        for card in view.packs[number]:
            if card == NOT_KNOWN:
                hidden += 1
            elif card > 0:
                seen[number, card] += 1
                least = max(least, card)
        counts[number] = splits(hidden, least, options[number])

    # Go through all histories and keep one with the chance that it has.
    chosen = np.zeros(MAX_ROUNDS, np.int64)
    total = 0.0
    pile = np.zeros(4, np.int64)
    left = GOLD_PILE - view.gold_drawn
    gains = np.zeros(MAX_SEATS, np.int64)
    choice = np.zeros(MAX_ROUNDS, np.int64)
    for first in range(counts[0]):
        for second in range(counts[1]):
            for third in range(counts[2]):
                choice[0], choice[1], choice[2] = first, second, third
                weight = tell_history(view, rounds, choice, seen, options, full, seats, pile, gains)
                # What this seat was paid must come out, and how many cards are left, where saboteurs were paid.
                if weight == 0.0 or gains[seat] != view.nuggets[seat] or pile.sum() != left:
                    continue
                total += weight
                if uniform(stream) * total < weight:
                    chosen[:] = choice
    tell_history(view, rounds, chosen, seen, options, full, seats, pile, gains)

    # Write it down: packs, purses, and the pile in the order of drawing.
    for other in range(seats):
        state.nuggets[other] = gains[other]
    drawn = 0
    for number in range(rounds):
        if view.takers[number] == NOT_KNOWN:
            continue
        place = 0
        for value in range(BEST_CARD, 0, -1):
            for _ in range(seen[number, value] + options[number, chosen[number], value]):
                state.packs[number, place] = value
                place += 1
    place = GOLD_PILE
    for value in range(1, BEST_CARD + 1):
        for _ in range(pile[value]):
            place -= 1
            state.gold[place] = value
        for _ in range(full[value] - pile[value]):
            state.gold[drawn] = value
            drawn += 1
    state.gold_drawn = drawn
    rest = state.gold[drawn:]
    shuffle(stream, rest, left)


@kernel
def tell_history(
    view: Any,
    rounds: int,
    choice: Any,
    seen: Any,
    options: Any,
    full: Any,
    seats: int,
    pile: Any,
    gains: Any,
) -> float:
    """The chance of one history of the gold, with the pile and the purses that it leaves."""
    pile[:] = full
    gains[:] = 0
    weight = 1.0
    for number in range(rounds):
        roles = view.past_roles[number]
        first = view.takers[number]
        unpaid = np.int64(view.unpaid[number])
        if first == NOT_KNOWN:
            if not unpaid:
                pay_from(pile, roles, seats, gains)
            continue
        hidden = options[number, choice[number]]
        weight *= take_pack(pile, seen[number], hidden)
        if weight == 0.0:
            return 0.0
        taker = first
        for value in range(BEST_CARD, 0, -1):
            for _ in range(seen[number, value] + hidden[value]):
                gains[taker] += value
                taker = miner_before(roles, unpaid, taker, seats)
    return weight
