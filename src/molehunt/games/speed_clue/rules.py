"""The rules of Speed Clue as compiled functions over records of `state`."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.copying import block_copier
from molehunt.core.kernels import bit, kernel, lowest, nth_bit, popcount, without_lowest
from molehunt.core.seats import NOBODY
from molehunt.core.streams import below, derive, shuffle
from molehunt.games.speed_clue.actions import (
    ACCUSE,
    END,
    HIDDEN_CARD,
    PLAY_SHIFT,
    SHOW,
    SUGGEST,
    TRIPLE,
    encode,
    pack_triple,
    triple_mask,
)
from molehunt.games.speed_clue.edition import MAX_CARDS
from molehunt.games.speed_clue.ruleset import (
    CARDS,
    CONTEST_ORDER,
    ENVELOPE,
    FIRST_SEAT,
    HANDS,
    LAST_WORD,
    LIMIT,
    MAX_SUGGESTIONS,
    MITCHELL_ORDER,
    ORDER,
    SEATS,
    STARTS,
)
from molehunt.games.speed_clue.state import (
    ACCUSED,
    AFTER,
    ANSWER,
    CARD_MASK,
    DISPROVER_SHIFT,
    LAST_LEFT,
    NOBODY_DID,
    NOBODY_YET,
    OVER,
    RIGHT,
    SEAT_MASK,
    SHOWN_SHIFT,
    SOLVED,
    STATE,
    SUGGESTER_SHIFT,
    TRIPLE_MASK,
    TURN,
    UNDECIDED,
    VIEW,
)

# What may be wrong with an action, and the rule in words.
(
    LEGAL,
    GAME_OVER,
    NO_SUCH_ACTION,
    NOT_NOW_SUGGEST,
    NOT_NOW_ACCUSE,
    NOT_NOW_SHOW,
    NOT_NOW_END,
    MUST_SHOW,
    NOT_IN_HAND,
    REPEATED,
    KNOWN_CARD,
    MUST_ACCUSE,
) = range(12)
RULE_TEXTS = (
    "legal",
    "the game is over",
    "there is no such action in this game; it takes one suspect, one weapon and one location",
    "a suggestion is made once, at the beginning of one's turn",
    "an accusation is made on one's own turn (in the contest, after one's suggestion)",
    "a card is shown only to answer a suggestion",
    "a turn ends after one's suggestion",
    "who is asked must show a card",
    "the card shown must be in the hand and one of the three that were suggested",
    "in the contest nobody repeats a suggestion of their own",
    "in the contest nobody accuses with a card that they hold or have been shown",
    "in the contest who makes a suggestion without own cards that nobody disproves must accuse with it",
)


# --- Reading the record -------------------------------------------------------------------------------------------------


@kernel
def suggester_of(entry: int) -> int:
    """Who made a suggestion."""
    return entry >> SUGGESTER_SHIFT & SEAT_MASK


@kernel
def disprover_of(entry: int) -> int:
    """Who disproved a suggestion; NOBODY_DID or NOBODY_YET."""
    return entry >> DISPROVER_SHIFT & SEAT_MASK


@kernel
def shown_of(entry: int) -> int:
    """The card shown, -1 where there is none or where the seat may not know."""
    return (entry >> SHOWN_SHIFT & CARD_MASK) - 1


@kernel
def entry_of(triple: int, suggester: int, disprover: int, shown: int) -> Any:
    """A suggestion as the record holds it."""
    return np.uint32(triple | suggester << SUGGESTER_SHIFT | disprover << DISPROVER_SHIFT | (shown + 1) << SHOWN_SHIFT)


@kernel
def redacted_entry(entry: int, seat: int) -> Any:
    """A suggestion as a seat may know it: without the card shown, unless it showed or saw it."""
    if seat == suggester_of(entry) or seat == disprover_of(entry):
        return np.uint32(entry)
    return np.uint32(entry & ((1 << SHOWN_SHIFT) - 1))


@kernel
def is_triple(triple: int, params: Any) -> bool:
    """Whether three packed cards are one of each category."""
    for category in range(3):
        card = triple >> 5 * category & CARD_MASK
        if not params[STARTS + category] <= card < params[STARTS + category + 1]:
            return False
    return triple >> 15 == 0


@kernel
def triples(params: Any) -> int:
    """How many different suggestions there are."""
    count = 1
    for category in range(3):
        count *= params[STARTS + category + 1] - params[STARTS + category]
    return count


@kernel
def nth_triple(nth: int, params: Any) -> int:
    """The `nth` suggestion in the order of the cards."""
    weapons = params[STARTS + 2] - params[STARTS + 1]
    locations = params[STARTS + 3] - params[STARTS + 2]
    location = nth % locations
    nth //= locations
    return pack_triple(
        params[STARTS] + nth // weapons, params[STARTS + 1] + nth % weapons, params[STARTS + 2] + location
    )


@kernel
def own_suggestions(seat: int, record: Any, count: int) -> int:
    """How many suggestions a seat has made."""
    made = 0
    for index in range(count):
        made += suggester_of(record[index]) == seat
    return made


@kernel
def has_suggested(seat: int, triple: int, record: Any, count: int) -> bool:
    """Whether a seat has made a suggestion before."""
    for index in range(count):
        if record[index] & TRIPLE_MASK == triple and suggester_of(record[index]) == seat:
            return True
    return False


@kernel
def known_cards(seat: int, hand: Any, record: Any, count: int) -> Any:
    """The cards that a seat holds or has been shown."""
    known = hand
    for index in range(count):
        shown = shown_of(record[index])
        if shown >= 0 and suggester_of(record[index]) == seat:
            known |= bit(shown)
    return known


@kernel
def forced_accusation(hand: Any, record: Any, count: int, params: Any) -> int:
    """Contest: the last suggestion, where it has no cards of the hand and nobody disproved it, must be accused with; else -1."""
    last = record[count - 1]
    if params[ORDER] == CONTEST_ORDER and disprover_of(last) == NOBODY_DID and triple_mask(last) & hand == 0:
        return last & TRIPLE_MASK
    return -1


@kernel
def may_repeat(seat: int, record: Any, count: int, params: Any) -> bool:
    """Whether a seat may make a suggestion again: in the contest, when it has made them all."""
    return params[ORDER] != CONTEST_ORDER or own_suggestions(seat, record, count) >= triples(params)


@kernel
def may_accuse(phase: int, params: Any) -> bool:
    """Whether the seat on turn may accuse in a phase: after its suggestion, or instead of it; in the contest only after it."""
    return phase == AFTER or (phase == TURN and params[ORDER] == MITCHELL_ORDER)


@kernel
def barred_cards(seat: int, hand: Any, record: Any, count: int, params: Any) -> Any:
    """The cards that no accusation may name: in the contest those that the seat holds or has been shown."""
    return known_cards(seat, hand, record, count) if params[ORDER] == CONTEST_ORDER else np.uint64(0)


@kernel
def showable(hand: Any, record: Any, count: int) -> Any:
    """The cards of a hand that answer the last suggestion."""
    return hand & triple_mask(record[count - 1])


# --- The deal -----------------------------------------------------------------------------------------------------------


@kernel
def deal(state: Any, seed: Any, params: Any) -> None:
    """Deal a game from its seed: the envelope, then all other cards, the earlier seats one more where it is uneven."""
    state.stream[0] = derive(seed, np.uint64(0))
    seats = params[SEATS]
    state.record[:] = 0
    state.accusations[:] = 0
    state.hands[:] = 0
    if params[ENVELOPE]:
        state.envelope = np.uint64(params[ENVELOPE])
        for seat in range(seats):
            state.hands[seat] = np.uint64(params[HANDS + seat])
    else:
        envelope = np.uint64(0)
        for category in range(3):
            first = params[STARTS + category]
            envelope |= bit(first + below(state.stream, params[STARTS + category + 1] - first))
        state.envelope = envelope
        pack = np.empty(MAX_CARDS, np.int8)
        count = 0
        for card in range(params[CARDS]):
            if not envelope & bit(card):
                pack[count] = card
                count += 1
        shuffle(state.stream, pack, count)
        card = 0
        for seat in range(seats):
            for _ in range(count // seats + (1 if seat < count % seats else 0)):
                state.hands[seat] |= bit(pack[card])
                card += 1
    first_seat = below(state.stream, seats)
    state.moves = state.outcome = state.suggestion_count = state.out = 0
    state.on_turn = first_seat if params[FIRST_SEAT] < 0 else params[FIRST_SEAT]
    state.to_move = state.on_turn
    state.phase = TURN
    state.winner = NOBODY
    state.turns = 1


# --- What may be done ---------------------------------------------------------------------------------------------------


@kernel
def check(hand: Any, record: Any, count: int, phase: int, seat: int, action: int, params: Any) -> int:
    """LEGAL, or what is wrong with an action of the seat to move; `record` as that seat knows it."""
    play = action >> PLAY_SHIFT
    triple = action & TRIPLE
    if action < 0 or not SUGGEST <= play <= END or action != play << PLAY_SHIFT | triple:
        return NO_SUCH_ACTION

    # Who is asked and has some of the cards chooses which one to show.
    if phase == ANSWER:
        if play != SHOW:
            return MUST_SHOW
        if triple >= MAX_CARDS:
            return NO_SUCH_ACTION
        return LEGAL if showable(hand, record, count) & bit(triple) else NOT_IN_HAND
    if play == SHOW:
        return NOT_NOW_SHOW

    if play == END:
        if triple:
            return NO_SUCH_ACTION
        if phase != AFTER:
            return NOT_NOW_END
        return MUST_ACCUSE if forced_accusation(hand, record, count, params) >= 0 else LEGAL
    if not is_triple(triple, params):
        return NO_SUCH_ACTION

    # A suggestion opens the turn; own cards are allowed.
    if play == SUGGEST:
        if phase != TURN:
            return NOT_NOW_SUGGEST
        if not may_repeat(seat, record, count, params) and has_suggested(seat, triple, record, count):
            return REPEATED
        return LEGAL

    if not may_accuse(phase, params):
        return NOT_NOW_ACCUSE
    forced = forced_accusation(hand, record, count, params) if phase == AFTER else -1
    if forced >= 0:
        return LEGAL if forced == triple else MUST_ACCUSE
    return KNOWN_CARD if barred_cards(seat, hand, record, count, params) & triple_mask(triple) else LEGAL


@kernel
def fault_of(states: Any, row: int, action: int, params: Any) -> int:
    """LEGAL, or what is wrong with an action of the seat to move in a state."""
    state = states[row]
    if state.outcome:
        return GAME_OVER
    seat = state.to_move
    return check(state.hands[seat], state.record, state.suggestion_count, state.phase, seat, action, params)


@kernel
def triple_number(triple: int, params: Any) -> int:
    """The number of a suggestion in the order of the cards; `nth_triple` turns it back."""
    weapons = params[STARTS + 2] - params[STARTS + 1]
    locations = params[STARTS + 3] - params[STARTS + 2]
    suspect = (triple & CARD_MASK) - params[STARTS]
    weapon = (triple >> 5 & CARD_MASK) - params[STARTS + 1]
    return (suspect * weapons + weapon) * locations + (triple >> 10 & CARD_MASK) - params[STARTS + 2]


@kernel
def most_numbers(params: Any) -> int:
    """How many actions are numbered: suggestions, accusations, cards to show, the end of a turn."""
    return 2 * triples(params) + params[CARDS] + 1


@kernel
def number_of(action: int, params: Any) -> int:
    """The number of an action."""
    play, triple = action >> PLAY_SHIFT, action & TRIPLE
    if play == SHOW:
        return 2 * triples(params) + triple
    if play == END:
        return 2 * triples(params) + params[CARDS]
    return triple_number(triple, params) + (triples(params) if play == ACCUSE else 0)


@kernel
def action_of(number: int, params: Any) -> Any:
    """The action of a number."""
    each = triples(params)
    if number < 2 * each:
        return encode(SUGGEST if number < each else ACCUSE, nth_triple(number % each, params))
    if number == 2 * each + params[CARDS]:
        return encode(END, 0)
    return encode(SHOW, number - 2 * each)


@kernel
def mark_accusations(barred: Any, params: Any, mask: Any) -> None:
    """Write 1 for each accusation that names none of the barred cards, in the order of `nth_triple`: shape (`triples`,)."""
    if barred == 0:
        mask[:] = 1
        return
    index = 0
    for suspect in range(params[STARTS], params[STARTS + 1]):
        for weapon in range(params[STARTS + 1], params[STARTS + 2]):
            if barred & (bit(suspect) | bit(weapon)):
                index += params[STARTS + 3] - params[STARTS + 2]
                continue
            for location in range(params[STARTS + 2], params[STARTS + 3]):
                mask[index] = barred & bit(location) == 0
                index += 1


@kernel
def mark_actions(hand: Any, record: Any, count: int, phase: int, seat: int, params: Any, mask: Any) -> None:
    """Write 1 to the entries of an empty mask, shape (`most_numbers`,), that are legal for the seat to move."""
    number = triples(params)
    if phase == ANSWER:
        cards = showable(hand, record, count)
        while cards:
            mask[2 * number + lowest(cards)] = 1
            cards = without_lowest(cards)
        return
    if phase == TURN:
        mask[:number] = 1
        if not may_repeat(seat, record, count, params):
            for index in range(count):
                if suggester_of(record[index]) == seat:
                    mask[triple_number(record[index] & TRIPLE_MASK, params)] = 0
    else:
        forced = forced_accusation(hand, record, count, params)
        if forced >= 0:
            mask[number + triple_number(forced, params)] = 1
            return
        mask[2 * number + params[CARDS]] = 1
    if may_accuse(phase, params):
        mark_accusations(barred_cards(seat, hand, record, count, params), params, mask[number : 2 * number])


@kernel
def list_actions(hand: Any, record: Any, count: int, phase: int, seat: int, params: Any, out: Any) -> int:
    """Write all legal actions to `out`, in a fixed order; return how many."""
    mask = np.zeros(most_numbers(params), np.int8)
    mark_actions(hand, record, count, phase, seat, params, mask)
    count = 0
    for number in range(len(mask)):
        if mask[number]:
            out[count] = action_of(number, params)
            count += 1
    return count


@kernel
def random_action(stream: Any, hand: Any, record: Any, count: int, phase: int, seat: int, params: Any) -> int:
    """A uniformly random legal action: drawn from all that have the form of one until one is legal."""
    if phase == ANSWER:
        cards = showable(hand, record, count)
        return encode(SHOW, nth_bit(cards, below(stream, popcount(cards))))
    number = triples(params)
    after = phase == AFTER
    forced = forced_accusation(hand, record, count, params) if after else -1
    if forced >= 0:
        return encode(ACCUSE, forced)
    while True:
        # After a suggestion: an accusation or the end. Before it: a suggestion or an accusation.
        nth = below(stream, number + 1 if after else 2 * number)
        if after:
            action = encode(END, 0) if nth == number else encode(ACCUSE, nth_triple(nth, params))
        else:
            action = encode(SUGGEST if nth < number else ACCUSE, nth_triple(nth % number, params))
        # Only the contest forbids a suggestion or an accusation of this form.
        if params[ORDER] != CONTEST_ORDER or check(hand, record, count, phase, seat, action, params) == LEGAL:
            return action


# --- A move -------------------------------------------------------------------------------------------------------------


@kernel
def ask_round(state: Any, params: Any) -> int:
    """Ask seat after seat about the last suggestion until one can disprove it; return how many had none.

    Who can disprove shows a card by an action of their own even where they have only one: how many they had to choose from is not
    for the others to know.
    """
    count = state.suggestion_count
    entry = state.record[count - 1]
    asker = suggester_of(entry)
    cards = triple_mask(entry)
    for step in range(1, params[SEATS]):
        other = (asker + step) % params[SEATS]
        if state.hands[other] & cards:
            state.phase = ANSWER
            state.to_move = other
            return step - 1
    state.record[count - 1] = entry_of(entry & TRIPLE_MASK, asker, NOBODY_DID, -1)
    state.phase = AFTER
    state.to_move = asker
    return params[SEATS] - 1


@kernel
def pass_turn(state: Any, params: Any) -> None:
    """The next seat that is still in the game is on turn; after the last suggestion that may be made the game is over."""
    if state.suggestion_count >= params[LIMIT]:
        finish(state, UNDECIDED, NOBODY)
        return
    seat = state.on_turn
    while True:
        seat = seat + 1 if seat + 1 < params[SEATS] else 0
        if not state.out >> seat & 1:
            break
    state.on_turn = seat
    state.to_move = seat
    state.phase = TURN
    state.turns += 1


@kernel
def finish(state: Any, outcome: int, winner: int) -> None:
    """End the game."""
    state.outcome = outcome
    state.winner = winner
    state.phase = OVER
    state.to_move = NOBODY


@kernel
def accuse(state: Any, triple: int, params: Any) -> int:
    """The seat on turn accuses: 1 where it is right and wins, 0 where it is out."""
    seat = state.on_turn
    right = triple_mask(triple) == state.envelope
    state.accusations[seat] = np.uint32(triple | ACCUSED | (RIGHT if right else 0))
    if right:
        finish(state, SOLVED, seat)
        return 1
    state.out |= 1 << seat
    left = ~state.out & ((1 << params[SEATS]) - 1)
    if popcount(np.uint64(left)) == 1:
        finish(state, LAST_LEFT, lowest(np.uint64(left)))
    else:
        pass_turn(state, params)
    return 0


@kernel
def advance(state: Any, action: int, params: Any, event: Any) -> None:
    """Play a legal action. `event` is filled with all that happened, nothing hidden."""
    play = action >> PLAY_SHIFT
    triple = action & TRIPLE
    count = state.suggestion_count
    event.action = action
    event.seat = state.to_move
    event.suggestion = 0
    event.answered = 0
    event.right = -1
    state.moves += 1
    if play == SUGGEST:
        state.record[count] = entry_of(triple, state.on_turn, NOBODY_YET, -1)
        state.suggestion_count = count + 1
        event.answered = ask_round(state, params)
        event.suggestion = state.record[count]
    elif play == SHOW:
        entry = state.record[count - 1]
        state.record[count - 1] = entry_of(entry & TRIPLE_MASK, state.on_turn, state.to_move, triple)
        state.phase = AFTER
        state.to_move = state.on_turn
        event.answered = 1
        event.suggestion = state.record[count - 1]
    elif play == ACCUSE:
        event.right = accuse(state, triple, params)
    else:
        pass_turn(state, params)
    # The limit: undecided after the answer to the last suggestion that may be made, unless its player has the last word.
    if state.phase == AFTER and state.suggestion_count >= params[LIMIT] and not params[LAST_WORD]:
        finish(state, UNDECIDED, NOBODY)


@kernel
def redact(event: Any, seat: int) -> None:
    """Take out of an event the card shown, unless `seat` showed or saw it."""
    entry = event.suggestion
    if event.action >> PLAY_SHIFT == SHOW and seat != suggester_of(entry) and seat != disprover_of(entry):
        event.action = encode(SHOW, HIDDEN_CARD)
    event.suggestion = redacted_entry(entry, seat)


# --- Views --------------------------------------------------------------------------------------------------------------


copy_shared = block_copier(STATE, VIEW, "moves", "turns")


@kernel
def look(state: Any, seat: int, view: Any, params: Any) -> None:
    """Fill the view that `seat` has of a state."""
    view.hand = state.hands[seat]
    count = min(max(state.suggestion_count, 0), MAX_SUGGESTIONS)
    for index in range(count):
        view.record[index] = redacted_entry(state.record[index], seat)
    view.record[count:] = 0
    view.accusations[:] = state.accusations
    for other in range(len(view.hand_sizes)):
        view.hand_sizes[other] = popcount(state.hands[other])
    copy_shared(state, view)
    view.seat = seat
    view.seats = params[SEATS]
