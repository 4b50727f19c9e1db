"""The rules of Saboteur as compiled functions over records of `state`. They read like the rule book, in its order."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import bit, kernel, nth_bit, popcount
from molehunt.core.streams import below, derive, shuffle
from molehunt.games.saboteur.actions import (
    DISCARD,
    HIDDEN_CARD,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_MAP,
    PLAY_PATH,
    PLAY_ROCKFALL,
    card_of,
    encode,
    form_of,
    is_well_formed,
    play_of,
    target_of,
)
from molehunt.games.saboteur.cards import (
    CARD_EDGES,
    CARD_FORMS,
    CARD_THROUGH,
    CARD_TOOLS,
    DECK_COUNTS,
    FACE_DOWN_CODE,
    FIRST_BREAK,
    FIRST_FIX,
    FIRST_GOAL_CODE,
    GOAL_EDGES,
    GOLD,
    KINDS,
    MAP,
    NO_CARD,
    ROCK_1,
    ROCK_2,
    ROCKFALL,
    SABOTEUR,
    START_CELL_CODE,
    UNKNOWN_GOAL,
)
from molehunt.games.saboteur.maze import clear, fitting, lay, reachable, spread_planes
from molehunt.games.saboteur.ruleset import (
    BLOCKED_MAY_ROCKFALL,
    CELLS,
    DOUBLE_MENDS_BOTH,
    FIRST_SEAT,
    GOALS,
    GOALS_FIT,
    HAND,
    MAY_BREAK_OWN,
    MINE,
    SABOTEURS,
    SEATS,
    START,
    STONES_LET_IN,
    STRIDE,
)
from molehunt.games.saboteur.state import (
    AFTER,
    BEFORE,
    CARDS_GONE,
    DECK,
    DOORS,
    DRAWN,
    FACE_UP,
    GOING_ON,
    GOLD_FOUND,
    JOINED,
    OCCUPIED,
    OPEN_N,
    OPEN_S,
    OPENED,
    OUTCOME,
    PLACED,
    THROUGH,
    TO_MOVE,
    TURN,
)

ALL_EDGES = 15
NO_SEAT = -1

# What may be wrong with an action, and the rule in words.
(
    LEGAL,
    GAME_OVER,
    NO_SUCH_ACTION,
    NOT_IN_HAND,
    TOOL_BROKEN,
    NOT_REACHED,
    NO_FIT,
    GOAL_OPEN,
    OWN_TOOL,
    BROKEN_ALREADY,
    NOTHING_TO_MEND,
    NOTHING_TO_REMOVE,
    ROCKFALL_BLOCKED,
) = range(13)
RULE_TEXTS = (
    "legal",
    "the game is over",
    "there is no such action in this game",
    "the hand holds no such card",
    "a player with a broken tool may not lay a path card",
    "a path card goes on an empty cell that a tunnel from the start opens onto",
    "every edge of a path card must fit its neighbours, open to open and wall to wall",
    "a map looks at a goal that lies face down",
    "nobody may break his own tool",
    "that tool of this player is broken already",
    "none of the tools on the card is broken in front of this player",
    "a rockfall removes a path card, never the start or a goal",
    "a player with a broken tool may not play a rockfall",
)


# --- Actions ------------------------------------------------------------------------------------------------------------


@kernel
def silent_goals(face_up: int, rules: Any) -> Any:
    """Face-down goals that do not count for the fit (none where the ruleset lets them count as open crosses)."""
    silent = np.uint64(0)
    if not rules[GOALS_FIT]:
        for goal in range(3):
            if not face_up >> goal & 1:
                silent |= bit(rules[GOALS + goal])
    return silent


@kernel
def removable(planes: Any, rules: Any) -> Any:
    """The cells from which a rockfall may take the card: every path card, not the start, not a goal."""
    return planes[OCCUPIED] & ~bit(rules[START]) & ~goal_cells(rules)


@kernel
def path_cells(planes: Any, card: int, form: int, face_up: int, rules: Any) -> Any:
    """The cells where a path card may be laid in this form by a player whose tools are whole."""
    fits = fitting(planes, CARD_EDGES[card, form], silent_goals(face_up, rules), np.uint64(rules[STRIDE]))
    return reachable(planes) & fits


@kernel
def count_plays(card: int, planes: Any, broken: Any, seat: int, face_up: int, rules: Any) -> int:
    """In how many ways a card in the hand of `seat` may be played (discarding it is one more)."""
    if card < FIRST_BREAK:
        if broken[seat]:
            return 0
        ways = popcount(path_cells(planes, card, 0, face_up, rules))
        if CARD_FORMS[card] > 1:
            ways += popcount(path_cells(planes, card, 1, face_up, rules))
        return ways
    if card == MAP:
        return 3 - popcount(np.uint64(face_up))
    if card == ROCKFALL:
        if broken[seat] and not rules[BLOCKED_MAY_ROCKFALL]:
            return 0
        return popcount(removable(planes, rules))
    ways = 0
    for target in range(rules[SEATS]):
        ways += tool_plays(card, broken[target], target == seat, rules)
    return ways


@kernel
def tool_plays(card: int, broken: int, own: bool, rules: Any) -> int:
    """In how many ways a break or fix card may be played on a player with these broken tools."""
    tools = CARD_TOOLS[card]
    if card < FIRST_FIX:
        return 0 if broken & tools or (own and not rules[MAY_BREAK_OWN]) else 1
    if rules[DOUBLE_MENDS_BOTH]:
        return 1 if broken & tools else 0
    return popcount(np.uint64(broken & tools))


@kernel
def nth_play(card: int, nth: int, planes: Any, broken: Any, seat: int, face_up: int, rules: Any) -> int:
    """The `nth` of the ways that `count_plays` counts, as an action."""
    if card < FIRST_BREAK:
        cells = path_cells(planes, card, 0, face_up, rules)
        form = 0
        if nth >= popcount(cells):
            nth -= popcount(cells)
            cells = path_cells(planes, card, 1, face_up, rules)
            form = 1
        return encode(PLAY_PATH, card, form, nth_bit(cells, nth))
    if card == MAP:
        return encode(PLAY_MAP, card, 0, nth_bit(np.uint64(~face_up & 7), nth))
    if card == ROCKFALL:
        return encode(PLAY_ROCKFALL, card, 0, nth_bit(removable(planes, rules), nth))
    target = 0
    while True:
        ways = tool_plays(card, broken[target], target == seat, rules)
        if nth < ways:
            break
        nth -= ways
        target += 1
    if card < FIRST_FIX:
        return encode(PLAY_BREAK, card, 0, target)
    if rules[DOUBLE_MENDS_BOTH]:
        return encode(PLAY_FIX, card, 0, target)
    tools = np.uint64(broken[target] & CARD_TOOLS[card])
    return encode(PLAY_FIX, card, 1 + nth_bit(tools, nth), target)


@kernel
def is_repeated(hand: Any, slot: int) -> bool:
    """Whether an earlier slot of the hand holds the same kind of card."""
    for earlier in range(slot):
        if hand[earlier] == hand[slot]:
            return True
    return False


@kernel
def list_actions(hand: Any, planes: Any, broken: Any, seat: int, face_up: int, rules: Any, out: Any) -> int:
    """Write all legal actions of a hand to `out`, no duplicates, in the order of the hand; return how many."""
    count = 0
    for slot in range(len(hand)):
        card = hand[slot]
        if card == NO_CARD or is_repeated(hand, slot):
            continue
        for nth in range(count_plays(card, planes, broken, seat, face_up, rules)):
            out[count] = nth_play(card, nth, planes, broken, seat, face_up, rules)
            count += 1
        out[count] = encode(DISCARD, card, 0, 0)
        count += 1
    return count


@kernel
def random_action(stream: Any, hand: Any, planes: Any, broken: Any, seat: int, face_up: int, rules: Any) -> int:
    """A uniformly random legal action of a hand; `stream` is an array of one word."""
    # Each slot takes the place of those before it with the share that its ways have of all ways so far.
    total = 0
    chosen = 0
    chosen_ways = 0
    for slot in range(len(hand)):
        card = hand[slot]
        if card == NO_CARD or is_repeated(hand, slot):
            continue
        ways = 1 + count_plays(card, planes, broken, seat, face_up, rules)
        total += ways
        if below(stream, total) < ways:
            chosen = slot
            chosen_ways = ways
    nth = below(stream, chosen_ways)
    if nth == 0:
        return encode(DISCARD, hand[chosen], 0, 0)
    return nth_play(hand[chosen], nth - 1, planes, broken, seat, face_up, rules)


# --- The deal -----------------------------------------------------------------------------------------------------------


@kernel
def deal(state: Any, seed: Any, roles: Any, has_roles: bool, rules: Any) -> None:
    """Deal a game from its seed. `roles` seats the roles where `has_roles`; all else is the same with or without."""
    seats = rules[SEATS]
    state.stream[0] = derive(seed, np.uint64(0))

    # Roles: the saboteurs are dealt, or seated.
    state.roles[:] = 0
    state.roles[: rules[SABOTEURS]] = SABOTEUR
    shuffle(state.stream, state.roles, seats)
    if has_roles:
        state.roles[:seats] = roles

    # The goals in random order, face down; the start; an empty mine.
    state.goals[0], state.goals[1], state.goals[2] = GOLD, ROCK_1, ROCK_2
    shuffle(state.stream, state.goals, 3)
    state.planes[:] = 0
    state.cells[:] = 0
    lay(state.planes, rules[START], ALL_EDGES, True)
    state.cells[rules[START]] = START_CELL_CODE
    for goal in range(3):
        cell = rules[GOALS + goal]
        crossing = rules[GOALS_FIT] != 0
        lay(state.planes, cell, ALL_EDGES if crossing else 0, crossing)
        state.cells[cell] = FACE_DOWN_CODE

    # The deck is shuffled and the hands are dealt from it.
    card = 0
    for kind in range(KINDS):
        for _ in range(DECK_COUNTS[kind]):
            state.deck[card] = kind
            card += 1
    shuffle(state.stream, state.deck, DECK)
    hand = rules[HAND]
    state.hands[:] = NO_CARD
    state.hand_sizes[:] = 0
    for seat in range(seats):
        for slot in range(hand):
            state.hands[seat, slot] = state.deck[seat * hand + slot]
        state.hand_sizes[seat] = hand

    state.discards[:] = 0
    state.played[:] = 0
    state.broken[:] = 0
    state.looked[:] = 0
    first = below(state.stream, seats)
    state.info[TURN] = 0
    state.info[TO_MOVE] = first if rules[FIRST_SEAT] < 0 else rules[FIRST_SEAT]
    state.info[DRAWN] = seats * hand
    state.info[OUTCOME] = GOING_ON
    state.info[FACE_UP] = 0
    survey(state, rules)


@kernel
def goal_cells(rules: Any) -> Any:
    """The cells of the three goals."""
    return bit(rules[GOALS]) | bit(rules[GOALS + 1]) | bit(rules[GOALS + 2])


@kernel
def open_ground(planes: Any, joined: Any, occupied: Any, rules: Any) -> Any:
    """The cells that it means something to open onto: the empty ones, the face-down goals, and stones that let the tunnel in.

    `joined` and `occupied` are those of the board that is looked at, which may be one that a player only imagines.
    """
    goals = goal_cells(rules) & (joined | ~planes[THROUGH])
    return np.uint64(rules[MINE]) & ~occupied | goals


@kernel
def survey(state: Any, rules: Any) -> None:
    """Work out anew what is joined to the start and what its tunnels open onto."""
    planes = state.planes
    joined, opened = spread_planes(planes, bit(rules[START]), np.uint64(rules[STRIDE]))
    planes[JOINED] = joined
    planes[OPENED] = opened & open_ground(planes, joined, planes[OCCUPIED], rules)


# --- A move -------------------------------------------------------------------------------------------------------------


@kernel
def check(hand: Any, planes: Any, broken: Any, seat: int, face_up: int, action: int, rules: Any) -> int:
    """LEGAL, or what is wrong with an action of the seat to move."""
    target = target_of(action)
    form = form_of(action)
    play = play_of(action)
    card = card_of(action)
    if not is_well_formed(action) or card >= KINDS:
        return NO_SUCH_ACTION
    held = False
    for slot in range(len(hand)):
        held = held or hand[slot] == card
    if not held:
        return NOT_IN_HAND

    # Any card may be thrown away.
    if play == DISCARD:
        return LEGAL if form == 0 and target == 0 else NO_SUCH_ACTION

    # A path card: tools whole, a cell that a tunnel opens onto, every edge fits.
    if play == PLAY_PATH:
        if card >= FIRST_BREAK or form >= CARD_FORMS[card] or target >= rules[CELLS]:
            return NO_SUCH_ACTION
        if broken[seat]:
            return TOOL_BROKEN
        if not reachable(planes) & bit(target):
            return NOT_REACHED
        return LEGAL if path_cells(planes, card, form, face_up, rules) & bit(target) else NO_FIT

    # A rockfall: on a path card.
    if play == PLAY_ROCKFALL:
        if card != ROCKFALL or form or target >= rules[CELLS]:
            return NO_SUCH_ACTION
        if broken[seat] and not rules[BLOCKED_MAY_ROCKFALL]:
            return ROCKFALL_BLOCKED
        return LEGAL if removable(planes, rules) & bit(target) else NOTHING_TO_REMOVE

    # A map: on a face-down goal.
    if play == PLAY_MAP:
        if card != MAP or form or target >= 3:
            return NO_SUCH_ACTION
        return GOAL_OPEN if face_up >> target & 1 else LEGAL

    # A broken tool: a whole tool of another player.
    if play == PLAY_BREAK:
        if not FIRST_BREAK <= card < FIRST_FIX or form or target >= rules[SEATS]:
            return NO_SUCH_ACTION
        if target == seat and not rules[MAY_BREAK_OWN]:
            return OWN_TOOL
        return BROKEN_ALREADY if broken[target] & CARD_TOOLS[card] else LEGAL

    # A repair: a broken tool of any player; where it mends one of two, the form says which (1 + tool).
    if play == PLAY_FIX:
        if not FIRST_FIX <= card < ROCKFALL or target >= rules[SEATS]:
            return NO_SUCH_ACTION
        mendable = broken[target] & CARD_TOOLS[card]
        if rules[DOUBLE_MENDS_BOTH]:
            if form:
                return NO_SUCH_ACTION
        else:
            if not 1 <= form <= 3 or not CARD_TOOLS[card] >> (form - 1) & 1:
                return NO_SUCH_ACTION
            mendable &= 1 << (form - 1)
        return LEGAL if mendable else NOTHING_TO_MEND
    return NO_SUCH_ACTION


@kernel
def check_state(state: Any, action: int, rules: Any) -> int:
    """LEGAL, or what is wrong with an action of the seat to move in a state."""
    if state.info[OUTCOME]:
        return GAME_OVER
    seat = state.info[TO_MOVE]
    return check(state.hands[seat], state.planes, state.broken, seat, state.info[FACE_UP], action, rules)


@kernel
def advance(state: Any, action: int, rules: Any, event: Any) -> None:
    """Play a legal action of the seat to move. `event` is filled with all that happened, nothing hidden."""
    target = target_of(action)
    form = form_of(action)
    play = play_of(action)
    card = card_of(action)
    seat = state.info[TO_MOVE]
    planes = state.planes
    stride = np.uint64(rules[STRIDE])

    event.action = action
    event.turn = state.info[TURN]
    event.seat = seat
    event.seen = UNKNOWN_GOAL
    event.mended = 0
    event.removed = 0
    event.turned_up = 0
    event.broken_before = 0
    event.goals[0], event.goals[1], event.goals[2] = 0, 0, 0
    event.opened[BEFORE] = planes[OPENED]

    # The card does its work.
    if play == PLAY_PATH:
        lay(planes, target, CARD_EDGES[card, form], CARD_THROUGH[card])
        state.cells[target] = 1 + 2 * card + form
        joined, opened = spread_planes(planes, planes[JOINED] | bit(target), stride)
        planes[JOINED] = joined
        planes[OPENED] = opened & open_ground(planes, joined, planes[OCCUPIED], rules)
    elif play == PLAY_ROCKFALL:
        event.removed = state.cells[target]
        clear(planes, target)
        state.cells[target] = 0
        survey(state, rules)
    elif play == PLAY_MAP:
        state.looked[seat] |= 1 << target
        event.seen = state.goals[target]
    elif play == PLAY_BREAK:
        event.broken_before = state.broken[target]
        state.broken[target] |= CARD_TOOLS[card]
    elif play == PLAY_FIX:
        event.broken_before = state.broken[target]
        tools = CARD_TOOLS[card] if rules[DOUBLE_MENDS_BOTH] else 1 << (form - 1)
        event.mended = state.broken[target] & tools
        state.broken[target] &= ~tools & 7
    if play == DISCARD:
        state.discards[seat, card] += 1
    else:
        state.played[card] += 1
    event.opened[PLACED] = planes[OPENED]

    # It leaves the hand, and a card is drawn while the deck lasts.
    hand = state.hands[seat]
    slot = 0
    while hand[slot] != card:
        slot += 1
    last = state.hand_sizes[seat] - 1
    for later in range(slot, last):
        hand[later] = hand[later + 1]
    if state.info[DRAWN] < DECK:
        hand[last] = state.deck[state.info[DRAWN]]
        event.drew = hand[last]
        state.info[DRAWN] += 1
    else:
        hand[last] = NO_CARD
        event.drew = NO_CARD
        state.hand_sizes[seat] = last

    # A goal that a tunnel from the start opens onto turns over at the end of the turn.
    if play == PLAY_PATH:
        turn_over_goals(state, rules, event)
    event.opened[AFTER] = planes[OPENED]

    # The round ends with the gold, or when all cards are gone; else the next seat that has cards moves.
    state.info[TURN] += 1
    if state.info[OUTCOME] == GOING_ON:
        seats = rules[SEATS]
        following = seat
        for _ in range(seats):
            following = following + 1 if following + 1 < seats else 0
            if state.hand_sizes[following]:
                break
        if state.hand_sizes[following]:
            state.info[TO_MOVE] = following
        else:
            state.info[OUTCOME] = CARDS_GONE
    if state.info[OUTCOME] != GOING_ON:
        state.info[TO_MOVE] = NO_SEAT


@kernel
def turn_over_goals(state: Any, rules: Any, event: Any) -> None:
    """Turn over every face-down goal that a tunnel from the start opens onto."""
    planes = state.planes
    opened = planes[OPENED]
    stride = np.uint64(rules[STRIDE])
    for goal in range(3):
        cell = rules[GOALS + goal]
        spot = bit(cell)
        if state.info[FACE_UP] >> goal & 1 or not opened & spot:
            continue
        state.info[FACE_UP] |= 1 << goal
        content = state.goals[goal]
        event.turned_up |= 1 << goal
        if content == GOLD:
            state.info[OUTCOME] = GOLD_FOUND
        # A stone is a bend. It is turned where the neighbour above (ROCK1) or below (ROCK2) opens towards it.
        turned = 0
        if content == ROCK_1 and planes[OPEN_S] << stride & spot:
            turned = 1
        if content == ROCK_2 and planes[OPEN_N] >> stride & spot:
            turned = 1
        lay(planes, cell, GOAL_EDGES[content, turned], True)
        if rules[STONES_LET_IN]:
            planes[DOORS] |= spot
        state.cells[cell] = FIRST_GOAL_CODE + 2 * (content - 1) + turned
        event.goals[goal] = state.cells[cell]
    if event.turned_up:
        survey(state, rules)


# --- Whole batches ------------------------------------------------------------------------------------------------------


@kernel
def deal_many(states: Any, seeds: Any, roles: Any, has_roles: bool, rules: Any) -> None:
    """Deal `states[i]` from `seeds[i]`; `roles` has shape (n, seats), or (1, seats) where it is not used."""
    for index in range(len(states)):
        deal(states[index], seeds[index], roles[index if has_roles else 0], has_roles, rules)


@kernel
def apply_many(states: Any, rows: Any, actions: Any, rules: Any, scratch: Any, events: Any) -> int:
    """Play `actions[i]` in `states[rows[i]]` and write each seat's event to `events[i, seat]`.

    Returns -1, or the index of the first action that is not legal, which and after which nothing was played.
    """
    for index in range(len(rows)):
        state = states[rows[index]]
        if check_state(state, actions[index], rules) != LEGAL:
            return index
        whole = scratch[0]
        advance(state, actions[index], rules, whole)
        for seat in range(rules[SEATS]):
            events[index, seat] = whole
            redact(events[index, seat], seat)
    return -1


@kernel
def redact(event: Any, seat: int) -> None:
    """Take out of an event what `seat` may not know: the card drawn, what a map showed, the card thrown away."""
    if seat == event.seat:
        return
    event.seen = UNKNOWN_GOAL
    event.drew = NO_CARD
    if play_of(event.action) == DISCARD:
        event.action = encode(DISCARD, HIDDEN_CARD, 0, 0)


@kernel
def play_randomly(states: Any, streams: Any, rules: Any, scratch: Any) -> int:
    """Play every state to its end with uniformly random legal actions; returns the number of moves.

    `streams` has one random stream a state, shape (n,); the game's own stream is not touched.
    """
    moves = 0
    for index in range(len(states)):
        state = states[index]
        stream = streams[index : index + 1]
        while state.info[OUTCOME] == GOING_ON:
            seat = state.info[TO_MOVE]
            action = random_action(
                stream, state.hands[seat], state.planes, state.broken, seat, state.info[FACE_UP], rules
            )
            advance(state, action, rules, scratch[0])
            moves += 1
    return moves


@kernel
def check_states(states: Any, action: int, rules: Any) -> int:
    """What is wrong with an action in the first state of an array (LEGAL if nothing)."""
    return check_state(states[0], action, rules)
