"""The rules of Saboteur as compiled functions over records of `state`. They read like the rule book, in its order."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.copying import copy_record
from molehunt.core.kernels import kernel, nth_bit, popcount
from molehunt.core.seats import NOBODY
from molehunt.core.streams import below, derive, shuffle
from molehunt.games.saboteur.actions import (
    ACCUSE,
    ASK,
    CLAIM,
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
    is_before_card,
    is_said,
    is_well_formed,
    play_of,
    target_of,
)
from molehunt.games.saboteur.cards import (
    CARD_TOOLS,
    CLAIMED_GOLD,
    CLAIMED_STONE,
    FIRST_BREAK,
    FIRST_FIX,
    FIRST_GOAL_CODE,
    GOAL_EDGES,
    GOLD,
    GOLD_CARDS,
    KINDS,
    MAP,
    NO_CARD,
    ROCK_1,
    ROCK_2,
    ROCKFALL,
    SABOTEUR,
    TOOLS,
    UNKNOWN_GOAL,
)
from molehunt.games.saboteur.gold import pay
from molehunt.games.saboteur.maze import (
    FIRST_PATH,
    STEPS,
    end_at,
    lay,
    lay_out,
    opposite,
    show_goal,
    survey,
    take_away,
    tile_at,
)
from molehunt.games.saboteur.ruleset import (
    BLOCKED_MAY_ROCKFALL,
    COUNTS,
    DEAD_ENDS_TURN_STONES,
    DECK_CARDS,
    DOUBLE_MENDS_BOTH,
    FIRST_SEAT,
    GRID,
    HAND,
    HIDDEN_ROLE,
    MAX_SEATS,
    MAY_BREAK_OWN,
    ROUNDS,
    SABOTEURS,
    SEATS,
    SHARES,
    SPEAK,
    STONES_FACE_ENTRY,
    TALK,
)
from molehunt.games.saboteur.state import (
    CARDS_GONE,
    GOING_ON,
    GOLD_FOUND,
    GOLD_PILE,
    NOT_KNOWN,
    THROUGH,
)
from molehunt.games.tunnels.cards import CARD_EDGES, CARD_FORMS
from molehunt.games.tunnels.hands import is_repeated

FIX_FORMS = 4
"""The forms of a repair: all tools on the card, or one of three."""
ASKING = MAX_SEATS
"""In a set of what may be said: the bit of the request for tool 0, after those of the accusations."""
SAYINGS = ASKING + len(TOOLS)
NOTHING = 0
"""The set of what may be said, for those who are silent."""
ALL_WHOLE: Any = np.uint8(0)
"""The broken tools of a player without any, as a state has them."""

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
    CLAIM_FIRST,
    NOTHING_TO_CLAIM,
    NOTHING_SAID_HERE,
    SPOKEN_ALREADY,
    NOT_TO_BE_ACCUSED,
    NOT_TO_BE_ASKED,
) = range(19)
RULE_TEXTS = (
    "legal",
    "the game is over",
    "there is no such action in this game",
    "the hand holds no such card",
    "a player with a broken tool may not lay a path card",
    "a path card goes on an empty cell that a tunnel from the start opens onto",
    "every edge of a path card must fit its neighbours, open to open and wall to wall",
    "a map looks at a goal that lies face down",
    "nobody may break their own tool",
    "that tool of this player is broken already",
    "none of the tools on the card is broken in front of this player",
    "a rockfall removes a path card, never the start or a goal",
    "a player with a broken tool may not play a rockfall",
    "after a map its player first says what they saw",
    "a claim is about the goal that its player has just looked at",
    "in this game players accuse nobody and ask for nothing",
    "a player says one thing before a card",
    "a player accuses another one, and not the one accused last",
    "a player asks for an own tool that is broken, once until it is mended",
)


# --- What the rules allow -----------------------------------------------------------------------------------------------
# Each rule stands here once. Lists, masks, counts, random choice and the check of an action all ask these.


@kernel
def fits(fitting: int, edges: int) -> int:
    """1 where a card with these open edges fits an open end, which takes these sets of edges: open to open and wall to wall."""
    return fitting >> edges & 1


@kernel
def fits_at(maze: Any, end: int, card: int, form: int) -> bool:
    """Whether a path card fits an open end in this form."""
    return fits(maze.fits[end], CARD_EDGES[card, form]) != 0


@kernel
def may_lay(broken: Any, seat: int) -> bool:
    """Whether a seat may lay path cards: all its tools are whole."""
    return broken[seat] == 0


@kernel
def may_rockfall(broken: Any, seat: int, params: Any) -> bool:
    """Whether a seat may play a rockfall."""
    return broken[seat] == 0 or params[BLOCKED_MAY_ROCKFALL] != 0


@kernel
def lookable(revealed: int) -> int:
    """The goals on which a map may be played, as a set: those that lie face down."""
    return ~revealed & 7


@kernel
def tool_plays(card: int, broken: int, own: bool, params: Any) -> int:
    """In how many ways a break or fix card may be played on a player with these broken tools.

    A break: on tools that are whole, one's own where the ruleset allows it. A repair: on what it can mend of what is broken, all at
    once or one tool of those.
    """
    tools = CARD_TOOLS[card]
    if card < FIRST_FIX:
        return 0 if broken & tools or (own and not params[MAY_BREAK_OWN]) else 1
    if params[DOUBLE_MENDS_BOTH]:
        return 1 if broken & tools else 0
    return popcount(np.uint64(broken & tools))


@kernel
def may_break(card: int, broken: int, own: bool, params: Any) -> bool:
    """Whether a break card may be played on a player with these broken tools."""
    return tool_plays(card, broken, own, params) != 0


@kernel
def mendable(card: int, broken: int) -> int:
    """The tools that a repair can mend for a player with these broken tools, as a set."""
    return broken & CARD_TOOLS[card]


@kernel
def may_mend(card: int, form: int, broken: int, params: Any) -> bool:
    """Whether a repair may be played on a player with these broken tools: form 0 mends all on the card, else tool form - 1."""
    if params[DOUBLE_MENDS_BOTH]:
        return form == 0 and mendable(card, broken) != 0
    return form != 0 and mendable(card, broken) >> (form - 1) & 1 != 0


@kernel
def sayable(known: Any, seat: int, params: Any) -> int:
    """What the seat to move may say before its card, as a set: at bit s to accuse seat s, from bit ASKING on to ask for a tool.

    `known` is a state or a view. An accusation stands until another takes its place, a request until the tool is mended.
    """
    if not params[SPEAK] or known.spoken or known.claiming:
        return NOTHING
    others = (1 << params[SEATS]) - 1 & ~(1 << seat)
    if known.accused[seat] != NOBODY:
        others &= ~(1 << known.accused[seat])
    return others | np.int64(known.broken[seat] & ~known.asked[seat]) << ASKING


# --- Actions ------------------------------------------------------------------------------------------------------------


@kernel
def count_fits(maze: Any, edges: int) -> int:
    """On how many open ends a card with these open edges may be laid."""
    count = 0
    for end in range(maze.end_count):
        count += fits(maze.fits[end], edges)
    return count


@kernel
def count_plays(card: int, maze: Any, broken: Any, seat: int, revealed: int, params: Any) -> int:
    """In how many ways a card in the hand of `seat` may be played (discarding it is one more)."""
    if card < FIRST_BREAK:
        if not may_lay(broken, seat):
            return 0
        ways = count_fits(maze, CARD_EDGES[card, 0])
        if CARD_FORMS[card] > 1:
            ways += count_fits(maze, CARD_EDGES[card, 1])
        return ways
    if card == MAP:
        return popcount(np.uint64(lookable(revealed)))
    if card == ROCKFALL:
        return maze.tile_count - FIRST_PATH if may_rockfall(broken, seat, params) else 0
    ways = 0
    for target in range(params[SEATS]):
        ways += tool_plays(card, broken[target], target == seat, params)
    return ways


@kernel
def nth_play(card: int, nth: int, maze: Any, broken: Any, seat: int, revealed: int, params: Any) -> int:
    """The `nth` of the ways that `count_plays` counts, as an action."""
    if card < FIRST_BREAK:
        for form in range(CARD_FORMS[card]):
            edges = CARD_EDGES[card, form]
            for end in range(maze.end_count):
                if fits(maze.fits[end], edges):
                    if nth == 0:
                        return encode(PLAY_PATH, card, form, maze.ends[end])
                    nth -= 1
    if card == MAP:
        return encode(PLAY_MAP, card, 0, nth_bit(np.uint64(lookable(revealed)), nth))
    if card == ROCKFALL:
        return encode(PLAY_ROCKFALL, card, 0, maze.cells[FIRST_PATH + nth])
    target = 0
    while True:
        ways = tool_plays(card, broken[target], target == seat, params)
        if nth < ways:
            break
        nth -= ways
        target += 1
    if card < FIRST_FIX:
        return encode(PLAY_BREAK, card, 0, target)
    if params[DOUBLE_MENDS_BOTH]:
        return encode(PLAY_FIX, card, 0, target)
    return encode(PLAY_FIX, card, 1 + nth_bit(np.uint64(mendable(card, broken[target])), nth), target)


@kernel
def claim_action(goal: int, claimed: int) -> int:
    """The claim that a goal is the gold or a stone."""
    return encode(CLAIM, MAP, claimed, goal)


@kernel
def saying(bit: int) -> int:
    """The action of an entry of `sayable`."""
    return encode(ACCUSE, 0, 0, bit) if bit < ASKING else encode(ASK, 0, 0, bit - ASKING)


@kernel
def list_plays(card: int, maze: Any, broken: Any, seat: int, revealed: int, params: Any, out: Any, count: int) -> int:
    """Add all ways to play a card to a list of `count` actions, in the order of `nth_play`; return how many it holds then.

    One entry more may be written to.
    """
    if card < FIRST_BREAK:
        if may_lay(broken, seat):
            for form in range(CARD_FORMS[card]):
                edges = CARD_EDGES[card, form]
                for end in range(maze.end_count):
                    out[count] = encode(PLAY_PATH, card, form, maze.ends[end])
                    count += fits(maze.fits[end], edges)
    elif card == MAP:
        for goal in range(3):
            out[count] = encode(PLAY_MAP, card, 0, goal)
            count += lookable(revealed) >> goal & 1
    elif card == ROCKFALL:
        if may_rockfall(broken, seat, params):
            for tile in range(FIRST_PATH, maze.tile_count):
                out[count] = encode(PLAY_ROCKFALL, card, 0, maze.cells[tile])
                count += 1
    elif card < FIRST_FIX:
        for target in range(params[SEATS]):
            out[count] = encode(PLAY_BREAK, card, 0, target)
            count += 1 if may_break(card, broken[target], target == seat, params) else 0
    else:
        for target in range(params[SEATS]):
            for form in range(FIX_FORMS):
                out[count] = encode(PLAY_FIX, card, form, target)
                count += 1 if may_mend(card, form, broken[target], params) else 0
    return count


@kernel
def list_actions(
    hand: Any, maze: Any, broken: Any, seat: int, revealed: int, claiming: int, may_say: int, params: Any, out: Any
) -> int:
    """Write all legal actions of a seat to `out`, no duplicates, in the order of the hand; return how many.

    What may be said before a card (`may_say`, as `sayable` has it) comes last.
    """
    count = 0
    if claiming:
        out[0] = claim_action(claiming - 1, CLAIMED_GOLD)
        out[1] = claim_action(claiming - 1, CLAIMED_STONE)
        return 2
    for slot in range(len(hand)):
        card = hand[slot]
        if card == NO_CARD or is_repeated(hand, slot):
            continue
        count = list_plays(card, maze, broken, seat, revealed, params, out, count)
        out[count] = encode(DISCARD, card, 0, 0)
        count += 1
    if may_say:
        for bit in range(SAYINGS):
            if may_say >> bit & 1:
                out[count] = saying(bit)
                count += 1
    return count


@kernel
def random_action(
    stream: Any, hand: Any, maze: Any, broken: Any, seat: int, revealed: int, claiming: int, may_say: int, params: Any
) -> int:
    """A uniformly random legal action of a seat; `stream` is an array of one word."""
    if claiming:
        return claim_action(claiming - 1, CLAIMED_GOLD + below(stream, 2))
    # Each slot takes the place of those before it with the share that its ways have of all ways so far.
    total = 0
    chosen = 0
    chosen_ways = 0
    for slot in range(len(hand)):
        card = hand[slot]
        if card == NO_CARD or is_repeated(hand, slot):
            continue
        ways = 1 + count_plays(card, maze, broken, seat, revealed, params)
        total += ways
        if below(stream, total) < ways:
            chosen = slot
            chosen_ways = ways
    if may_say:
        ways = popcount(np.uint64(may_say))
        if below(stream, total + ways) < ways:
            return saying(nth_bit(np.uint64(may_say), below(stream, ways)))
    nth = below(stream, chosen_ways)
    if nth == 0:
        return encode(DISCARD, hand[chosen], 0, 0)
    return nth_play(hand[chosen], nth - 1, maze, broken, seat, revealed, params)


# --- The deal -----------------------------------------------------------------------------------------------------------


@kernel
def deal(state: Any, seed: Any, roles: Any, has_roles: bool, params: Any) -> None:
    """Deal a game from its seed. `roles` seats the roles where `has_roles`; all else is the same with or without."""
    state.stream[0] = derive(seed, np.uint64(0))
    state.turn = state.outcome = state.claiming = state.round = state.gold_rounds = state.gold_drawn = 0
    deal_round(state, params)
    if has_roles:
        state.roles[: params[SEATS]] = roles
    first = below(state.stream, params[SEATS])
    state.to_move = first if params[FIRST_SEAT] < 0 else params[FIRST_SEAT]

    # The gold cards are shuffled once, for all rounds.
    state.nuggets[:] = 0
    state.gains[:] = 0
    state.packs[:] = 0
    state.past_roles[:] = NOT_KNOWN
    state.takers[:] = NOT_KNOWN
    state.unpaid[:] = 0
    state.gold[:] = GOLD_CARDS
    if params[SHARES]:
        shuffle(state.stream, state.gold, GOLD_PILE)


@kernel
def deal_round(state: Any, params: Any) -> None:
    """Deal a round: roles, goals, hands, from cards that are all shuffled anew."""
    seats = params[SEATS]

    # Roles. Where one card more is dealt than there are players, it may be a saboteur's.
    saboteurs = params[SABOTEURS]
    if params[HIDDEN_ROLE] and below(state.stream, seats + 1) < saboteurs:
        saboteurs -= 1
    state.roles[:] = 0
    state.roles[:saboteurs] = SABOTEUR
    shuffle(state.stream, state.roles, seats)

    # The goals in random order, face down; the start; an empty mine.
    state.goals[0], state.goals[1], state.goals[2] = GOLD, ROCK_1, ROCK_2
    shuffle(state.stream, state.goals, 3)
    lay_out(state.maze, params)

    # The deck is shuffled and the hands are dealt from it.
    card = 0
    for kind in range(KINDS):
        for _ in range(params[COUNTS + kind]):
            state.deck[card] = kind
            card += 1
    state.deck[card:] = NO_CARD
    shuffle(state.stream, state.deck, card)
    hand = params[HAND]
    state.hands[:] = NO_CARD
    state.hand_sizes[:] = 0
    for seat in range(seats):
        for slot in range(hand):
            state.hands[seat, slot] = state.deck[seat * hand + slot]
        state.hand_sizes[seat] = hand

    state.discards[:] = 0
    state.discard_counts[:] = 0
    state.played[:] = 0
    state.broken[:] = 0
    state.looked[:] = 0
    state.claims[:] = 0
    state.accused[:] = NOBODY
    state.asked[:] = 0
    state.drawn = seats * hand
    state.revealed = 0
    state.claiming = 0
    state.spoken = 0


# --- A move -------------------------------------------------------------------------------------------------------------


@kernel
def check(
    hand: Any, maze: Any, broken: Any, seat: int, revealed: int, claiming: int, may_say: int, action: int, params: Any
) -> int:
    """LEGAL, or what is wrong with an action of the seat to move."""
    target = target_of(action)
    form = form_of(action)
    play = play_of(action)
    card = card_of(action)
    if not is_well_formed(action) or card >= KINDS:
        return NO_SUCH_ACTION

    # After a map: a claim about the goal that was looked at. Without one: none.
    if play == CLAIM:
        if card != MAP or not CLAIMED_GOLD <= form <= CLAIMED_STONE or target > 2:
            return NO_SUCH_ACTION
        return LEGAL if target == claiming - 1 else NOTHING_TO_CLAIM
    if claiming:
        return CLAIM_FIRST

    # Before a card: an accusation or a request.
    if is_before_card(play):
        if card or form or target >= (params[SEATS] if play == ACCUSE else len(TOOLS)):
            return NO_SUCH_ACTION
        if may_say >> (target if play == ACCUSE else ASKING + target) & 1:
            return LEGAL
        if not params[SPEAK]:
            return NOTHING_SAID_HERE
        if not may_say:
            return SPOKEN_ALREADY
        return NOT_TO_BE_ACCUSED if play == ACCUSE else NOT_TO_BE_ASKED

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
        if card >= FIRST_BREAK or form >= CARD_FORMS[card] or target >= GRID * GRID:
            return NO_SUCH_ACTION
        if not may_lay(broken, seat):
            return TOOL_BROKEN
        end = end_at(maze, target)
        if end < 0:
            return NOT_REACHED
        return LEGAL if fits_at(maze, end, card, form) else NO_FIT

    # A rockfall: on a path card.
    if play == PLAY_ROCKFALL:
        if card != ROCKFALL or form or target >= GRID * GRID:
            return NO_SUCH_ACTION
        if not may_rockfall(broken, seat, params):
            return ROCKFALL_BLOCKED
        return LEGAL if tile_at(maze, target) >= FIRST_PATH else NOTHING_TO_REMOVE

    # A map: on a face-down goal.
    if play == PLAY_MAP:
        if card != MAP or form or target >= 3:
            return NO_SUCH_ACTION
        return LEGAL if lookable(revealed) >> target & 1 else GOAL_OPEN

    # A broken tool: a whole tool of another player.
    if play == PLAY_BREAK:
        if not FIRST_BREAK <= card < FIRST_FIX or form or target >= params[SEATS]:
            return NO_SUCH_ACTION
        if may_break(card, broken[target], target == seat, params):
            return LEGAL
        return BROKEN_ALREADY if may_break(card, ALL_WHOLE, target == seat, params) else OWN_TOOL

    # A repair: a broken tool of any player; where it mends one of two, the form says which (1 + tool).
    if play == PLAY_FIX:
        if not FIRST_FIX <= card < ROCKFALL or target >= params[SEATS]:
            return NO_SUCH_ACTION
        if form >= FIX_FORMS or not may_mend(card, form, CARD_TOOLS[card], params):
            return NO_SUCH_ACTION
        return LEGAL if may_mend(card, form, broken[target], params) else NOTHING_TO_MEND
    return NO_SUCH_ACTION


@kernel
def fault_of(state: Any, action: int, params: Any) -> int:
    """LEGAL, or what is wrong with an action of the seat to move in a state."""
    if state.outcome:
        return GAME_OVER
    seat = state.to_move
    return check(
        state.hands[seat],
        state.maze,
        state.broken,
        seat,
        state.revealed,
        state.claiming,
        sayable(state, seat, params),
        action,
        params,
    )


@kernel
def advance(state: Any, action: int, params: Any, event: Any) -> None:
    """Play a legal action of the seat to move. `event` is filled with all that happened, nothing hidden."""
    target = target_of(action)
    form = form_of(action)
    play = play_of(action)
    card = card_of(action)
    seat = state.to_move
    maze = state.maze

    event.action = action
    event.turn = state.turn
    event.seat = seat
    event.seen = UNKNOWN_GOAL
    event.drew = NO_CARD
    event.mended = 0
    event.removed = 0
    event.revealed = 0
    event.broken_before = 0
    event.goals[:] = 0
    event.gained = 0
    event.ended = GOING_ON
    event.roles[:] = NOT_KNOWN
    event.role = NOT_KNOWN

    # The card does its work.
    if play == PLAY_PATH:
        lay(maze, card, form, target, params)
    elif play == PLAY_ROCKFALL:
        event.removed = take_away(maze, target, params)
    elif play == PLAY_MAP:
        state.looked[seat] |= 1 << target
        event.seen = state.goals[target]
    elif play == PLAY_BREAK:
        event.broken_before = state.broken[target]
        state.broken[target] |= CARD_TOOLS[card]
    elif play == PLAY_FIX:
        event.broken_before = state.broken[target]
        tools = CARD_TOOLS[card] if params[DOUBLE_MENDS_BOTH] else 1 << (form - 1)
        event.mended = state.broken[target] & tools
        state.broken[target] &= ~tools
        state.asked[target] &= ~tools
    elif play == CLAIM:
        state.claims[seat, target] = form
    elif play == ACCUSE:
        state.accused[seat] = target
    elif play == ASK:
        state.asked[seat] |= 1 << target

    # It leaves the hand, and a card is drawn while the deck lasts.
    if not is_said(play):
        if play == DISCARD:
            state.discards[seat, card] += 1
            state.discard_counts[seat] += 1
        else:
            state.played[card] += 1
        draw(state, seat, card, params, event)

    # A goal that a tunnel from the start opens onto turns over at the end of the turn.
    found = False
    if play == PLAY_PATH and maze.opened_goals & ~state.revealed:
        found = turn_over_goals(state, target, params, event)

    # Who has accused or asked plays a card then. After a map, where there is talk, its player says what they saw. Else the next
    # seat that has cards moves.
    state.turn += 1
    state.spoken = 1 if is_before_card(play) else 0
    state.claiming = 1 + target if play == PLAY_MAP and params[TALK] else 0
    if found:
        end_round(state, seat, GOLD_FOUND, params, event)
    elif not state.claiming and not state.spoken:
        following = next_with_cards(state, seat, params[SEATS])
        if following == NOBODY:
            end_round(state, seat, CARDS_GONE, params, event)
        else:
            state.to_move = following


@kernel
def draw(state: Any, seat: int, card: int, params: Any, event: Any) -> None:
    """A card leaves the hand of a seat, which draws another while the deck lasts."""
    hand = state.hands[seat]
    slot = 0
    while hand[slot] != card:
        slot += 1
    last = state.hand_sizes[seat] - 1
    for later in range(slot, last):
        hand[later] = hand[later + 1]
    if state.drawn < params[DECK_CARDS]:
        hand[last] = state.deck[state.drawn]
        event.drew = hand[last]
        state.drawn += 1
    else:
        hand[last] = NO_CARD
        state.hand_sizes[seat] = last


@kernel
def next_with_cards(state: Any, seat: int, seats: int) -> int:
    """The next seat that has cards, after all others the same one; NOBODY where nobody has any."""
    following = seat
    for _ in range(seats):
        following = following + 1 if following + 1 < seats else 0
        if state.hand_sizes[following]:
            return following
    return NOBODY


@kernel
def turn_over_goals(state: Any, laid: int, params: Any, event: Any) -> bool:
    """Turn over every face-down goal that a tunnel from the start opens onto, and those that it then reaches through a stone.

    `laid` is the cell of the card just laid. Returns whether the gold was found.
    """
    maze = state.maze
    found = False
    while not found:
        reached = maze.opened_goals & ~state.revealed
        if not reached:
            break
        for goal in range(3):
            if not reached >> goal & 1:
                continue
            content = state.goals[goal]
            found = found or content == GOLD
            if params[STONES_FACE_ENTRY]:
                turned = content != GOLD and not GOAL_EDGES[content, 0] >> entry_side(maze, goal, laid) & 1
            else:
                turned = turned_by_neighbours(maze, goal, content, params)
            event.goals[goal] = FIRST_GOAL_CODE + 2 * (content - 1) + (1 if turned else 0)
        for goal in range(3):
            if reached >> goal & 1:
                show_goal(maze, goal, event.goals[goal], params)
        state.revealed |= reached
        event.revealed |= reached
        survey(maze, params)
    return found


@kernel
def entry_side(maze: Any, goal: int, laid: int) -> int:
    """The side at which a tunnel from the start opens onto a goal: that of the card just laid, else the first from north on."""
    cell = maze.cells[1 + goal]
    first = -1
    for side in range(4):
        neighbour = cell + STEPS[side]
        tile = tile_at(maze, neighbour)
        if tile < 0 or not maze.joined >> np.uint64(tile) & np.uint64(1):
            continue
        if maze.edges[tile] & THROUGH and maze.edges[tile] >> opposite(side) & 1:
            if neighbour == laid:
                return side
            if first < 0:
                first = side
    return first


@kernel
def turned_by_neighbours(maze: Any, goal: int, content: int, params: Any) -> bool:
    """Whether a stone is turned because the card above opens down onto it (ROCK1) or the one below opens up onto it (ROCK2).

    A dead-end does not turn it, unless `dead_ends_turn_stones`.
    """
    if content == GOLD:
        return False
    side = 0 if content == ROCK_1 else 2
    tile = tile_at(maze, maze.cells[1 + goal] + STEPS[side])
    if tile < 0 or not (maze.edges[tile] & THROUGH or params[DEAD_ENDS_TURN_STONES]):
        return False
    return maze.edges[tile] >> opposite(side) & 1 != 0


# --- Rounds -------------------------------------------------------------------------------------------------------------


@kernel
def end_round(state: Any, last: int, outcome: int, params: Any, event: Any) -> None:
    """A round is over with a move of the seat `last`: roles are shown, gold is paid, and the next round is dealt."""
    seats = params[SEATS]
    number = state.round
    event.ended = outcome
    event.roles[:seats] = state.roles[:seats]
    state.past_roles[number, :seats] = state.roles[:seats]
    if outcome == GOLD_FOUND:
        state.gold_rounds += 1
    pay(state, number, last, outcome, params)
    state.round = number + 1
    if number + 1 < params[ROUNDS]:
        # The left neighbour of the player who played the last card starts the next round.
        deal_round(state, params)
        state.to_move = (last + 1) % seats
    else:
        state.outcome = outcome
        state.to_move = NOBODY


# --- What a seat learns -------------------------------------------------------------------------------------------------


@kernel
def tell_seat(state: Any, event: Any, seat: int, params: Any) -> None:
    """After a round: what a seat was paid, and its role in the next one."""
    event.gained = state.gains[seat]
    if state.round < params[ROUNDS]:
        event.role = state.roles[seat]


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
def redact_all(whole: Any, state: Any, params: Any, events: Any) -> None:
    """Write to `events` what each seat may know of an event."""
    seats = params[SEATS]
    for seat in range(seats):
        copy_record(whole, events[seat])
        if whole.ended:
            tell_seat(state, events[seat], seat, params)
    # Three fields differ between the seat that moved and the others.
    action = encode(DISCARD, HIDDEN_CARD, 0, 0) if play_of(whole.action) == DISCARD else np.int32(whole.action)
    for seat in range(seats):
        if seat != whole.seat:
            events[seat].seen = UNKNOWN_GOAL
            events[seat].drew = NO_CARD
            events[seat].action = action
