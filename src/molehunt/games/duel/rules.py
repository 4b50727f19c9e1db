"""The rules of the duel as compiled functions over records of `state`. They read like the rule sheet, in its order."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.core.kernels import kernel, lowest, without_lowest
from molehunt.core.seats import NOBODY
from molehunt.core.streams import below, derive, shuffle
from molehunt.games.duel.actions import (
    DESTROY_TILE,
    DISCARD,
    FREE,
    HIDDEN_CARD,
    HINDER,
    LAY,
    LOOK,
    USED_BITS,
    card_of,
    encode,
    flipped_of,
    play_of,
    target_of,
)
from molehunt.games.duel.cards import (
    BLANK,
    BONUS,
    DECK_COUNTS,
    DESTROY,
    KINDS,
    MALUS,
    MAP,
    NO_CARD,
    NUGGET,
    TILE_EDGES,
    TILE_FORMS,
    TILES,
    UNKNOWN,
)
from molehunt.games.duel.maze import (
    goals_reached,
    holds,
    lay,
    lay_out,
    may_lay,
    nth_cell,
    show_goal,
    size_of,
    take_away,
)
from molehunt.games.duel.state import (
    CARDS_GONE,
    CELLS,
    DECK,
    FIRST_SEAT,
    HAND,
    NUGGET_REACHED,
    SEATS,
    WORDS,
)
from molehunt.games.tunnels.hands import is_repeated

LEGAL = 0
NO_MOVE, OVER, NO_SUCH_CARD, HINDERED, NOT_FLIPPED, DOES_NOT_FIT, REVEALED_ALREADY, NO_MALUS, NO_TILE = range(1, 10)
RULE_TEXTS = (
    "",
    "there is no such move",
    "the game is over",
    "the card is not in the hand",
    "no tile is laid with a malus in front of oneself",
    "a tile that looks the same flipped is laid unflipped",
    "a tile goes on an empty cell, matches every neighbour edge by edge, and open meets open at least once",
    "a map is for a goal that is not revealed",
    "a bonus needs a malus in front of oneself",
    "a destroy card takes away a placed tile; the entrance and the goals stay",
)
"""The rule that a fault breaks, by its number."""


# --- The deal ------------------------------------------------------------------------------------------------------------


@kernel
def deal(state: Any, seed: Any) -> None:
    """Hide the nugget, shuffle, and deal seven cards each, alternately, player 1 first."""
    state.stream[0] = derive(seed, np.uint64(0))
    lay_out(state.maze)
    state.goals[:] = BLANK
    state.goals[0] = NUGGET
    shuffle(state.stream, state.goals, 3)
    card = 0
    for kind in range(KINDS):
        for _ in range(np.int64(DECK_COUNTS[kind])):
            state.deck[card] = kind
            card += 1
    shuffle(state.stream, state.deck, DECK)
    for card in range(SEATS * HAND):
        state.hands[(FIRST_SEAT + card) % SEATS, card // SEATS] = state.deck[card]
    state.hand_sizes[:] = HAND
    state.discards[:] = 0
    state.played[:] = 0
    state.malus[:] = 0
    state.looked[:] = 0
    state.turn = state.outcome = state.revealed = 0
    state.to_move = FIRST_SEAT
    state.drawn = SEATS * HAND
    state.winner = NOBODY


# --- What may be done ----------------------------------------------------------------------------------------------------


@kernel
def holds_card(hand: Any, card: int) -> bool:
    """Whether a hand holds a card."""
    return slot_of(hand, card, 0) < HAND


@kernel
def slot_of(hand: Any, card: int, copy: int) -> int:
    """Where in a hand a copy of a card is, the first being 0; HAND where there is none."""
    left = copy
    for slot in range(HAND):
        if hand[slot] == card:
            if left == 0:
                return slot
            left -= 1
    return HAND


@kernel
def check_action(hand: Any, maze: Any, malus: int, revealed: int, action: int) -> int:
    """What is wrong with an action of a player with this hand and so many maluses (LEGAL if nothing)."""
    play, card, flipped, target = play_of(action), card_of(action), flipped_of(action), target_of(action)
    if action < 0 or action >> USED_BITS or not LAY <= play <= DISCARD or card >= KINDS or not fits_card(play, card):
        return NO_MOVE
    if play != LAY and (flipped or (target and play != LOOK and play != DESTROY_TILE and play != DISCARD)):
        return NO_MOVE
    copy = target if play == DISCARD else 0
    if copy >= HAND:
        return NO_MOVE
    if slot_of(hand, card, copy) == HAND:
        return NO_SUCH_CARD
    if play == LAY:
        if not may_lay_any(malus):
            return HINDERED
        if flipped >= TILE_FORMS[card]:
            return NOT_FLIPPED
        if not may_lay(maze, card, flipped, target):
            return DOES_NOT_FIT
    elif play == LOOK:
        if target >= 3:
            return NO_MOVE
        if not may_look(revealed, target):
            return REVEALED_ALREADY
    elif play == FREE:
        if not may_play_alone(card, malus):
            return NO_MALUS
    elif play == DESTROY_TILE and not holds(maze.tiles, target):
        return NO_TILE
    return LEGAL


@kernel
def fits_card(play: int, card: int) -> bool:
    """Whether a card can be used for what is done; any card can be discarded."""
    if play == LAY:
        return card < TILES
    if play == LOOK:
        return card == MAP
    if play == HINDER:
        return card == MALUS
    if play == FREE:
        return card == BONUS
    return play == DISCARD or card == DESTROY


@kernel
def fault_of(state: Any, action: int) -> int:
    """`check_action` for the seat to move of a state."""
    seat = state.to_move
    if seat == NOBODY:
        return OVER
    return check_action(state.hands[seat], state.maze, state.malus[seat], state.revealed, action)


@kernel
def may_lay_any(malus: int) -> bool:
    """Whether a player may lay tiles: no malus lies in front of them."""
    return malus == 0


@kernel
def may_look(revealed: int, goal: int) -> bool:
    """Whether a map may be played on a goal."""
    return revealed >> goal & 1 == 0


@kernel
def may_play_alone(card: int, malus: int) -> bool:
    """Whether a card that needs no target may be played: a malus always, a bonus on a malus of one's own."""
    return card == MALUS or (card == BONUS and malus != 0)


@kernel
def list_actions(hand: Any, maze: Any, malus: int, revealed: int, out: Any) -> int:
    """All legal actions of a player, each once; returns how many.

    The plays come card by card in the order of the hand, then the discards. To discard a later copy of a card is legal too, and not
    listed: it differs in nothing but the order of the hand.
    """
    count = 0
    for slot in range(HAND):
        card = hand[slot]
        if card == NO_CARD or is_repeated(hand, slot):
            continue
        if card < TILES:
            if not may_lay_any(malus):
                continue
            for flipped in range(TILE_FORMS[card]):
                count = list_cells(maze.fitting[TILE_EDGES[card, flipped]], encode(LAY, card, flipped, 0), out, count)
        elif card == MAP:
            for goal in range(3):
                if may_look(revealed, goal):
                    out[count] = encode(LOOK, card, 0, goal)
                    count += 1
        elif card == DESTROY:
            count = list_cells(maze.tiles, encode(DESTROY_TILE, card, 0, 0), out, count)
        elif may_play_alone(card, malus):
            out[count] = encode(HINDER if card == MALUS else FREE, card, 0, 0)
            count += 1
    for slot in range(HAND):
        if hand[slot] != NO_CARD and not is_repeated(hand, slot):
            out[count] = encode(DISCARD, hand[slot], 0, 0)
            count += 1
    return count


@kernel
def list_cells(cells: Any, action: int, out: Any, count: int) -> int:
    """Add to a list of `count` actions one action for each cell of a set."""
    for word in range(WORDS):
        rest = cells[word]
        while rest:
            out[count] = action | word << 6 | lowest(rest)
            count += 1
            rest = without_lowest(rest)
    return count


MAX_ACTIONS = HAND * 3 * CELLS
"""More than any hand can do."""
WAYS_BITS = 9
"""How many ways there are to use a card, 1 + 2 * SIZE * SIZE at most, fits in so many bits."""


# --- Random moves --------------------------------------------------------------------------------------------------------


@kernel
def random_action(stream: Any, hand: Any, maze: Any, malus: int, revealed: int) -> Any:
    """A uniformly random legal action, each counted once however many copies of a card are in the hand."""
    total = 0
    ways_by_slot = np.uint64(0)
    for slot in range(HAND):
        if hand[slot] != NO_CARD and not is_repeated(hand, slot):
            ways = 1 + count_plays(hand[slot], maze, malus, revealed)
            total += ways
            ways_by_slot |= np.uint64(ways) << np.uint64(WAYS_BITS * slot)
    choice = below(stream, total)
    for slot in range(HAND):
        ways = int(ways_by_slot >> np.uint64(WAYS_BITS * slot) & np.uint64((1 << WAYS_BITS) - 1))
        if choice < ways - 1:
            return nth_play(hand[slot], maze, revealed, choice)
        if choice < ways:
            return encode(DISCARD, hand[slot], 0, 0)
        choice -= ways
    return encode(DISCARD, NO_CARD, 0, 0)


@kernel
def count_plays(card: int, maze: Any, malus: int, revealed: int) -> int:
    """How many ways there are to play a card, discards not counted."""
    if card < TILES:
        if not may_lay_any(malus):
            return 0
        count = size_of(maze.fitting[TILE_EDGES[card, 0]])
        if TILE_FORMS[card] == 2:
            count += size_of(maze.fitting[TILE_EDGES[card, 1]])
        return count
    if card == MAP:
        return may_look(revealed, 0) + may_look(revealed, 1) + may_look(revealed, 2)
    if card == DESTROY:
        return size_of(maze.tiles)
    return 1 if may_play_alone(card, malus) else 0


@kernel
def nth_play(card: int, maze: Any, revealed: int, nth: int) -> Any:
    """The `nth` way to play a card, counted from 0 in the order of `list_actions`."""
    if card < TILES:
        unflipped = size_of(maze.fitting[TILE_EDGES[card, 0]])
        flipped = 0 if nth < unflipped else 1
        return encode(LAY, card, flipped, nth_cell(maze.fitting[TILE_EDGES[card, flipped]], nth - flipped * unflipped))
    if card == MAP:
        for goal in range(3):
            if may_look(revealed, goal):
                if nth == 0:
                    return encode(LOOK, card, 0, goal)
                nth -= 1
    if card == DESTROY:
        return encode(DESTROY_TILE, card, 0, nth_cell(maze.tiles, nth))
    return encode(HINDER if card == MALUS else FREE, card, 0, 0)


# --- What is done --------------------------------------------------------------------------------------------------------


@kernel
def advance(state: Any, action: int, event: Any) -> None:
    """Play a legal action and write all that happened, nothing hidden, to `event`."""
    seat = state.to_move
    play, card, target = play_of(action), card_of(action), target_of(action)
    event.action = action
    event.turn = state.turn
    event.seat = seat
    event.seen = UNKNOWN
    event.drew = NO_CARD
    event.removed = 0
    event.revealed = 0
    event.goals[:] = UNKNOWN

    # The card leaves the hand: face down if discarded, in public if played.
    if play == DISCARD:
        state.discards[seat, card] += 1
    else:
        state.played[card] += 1
    if play == LAY:
        lay(state.maze, card, flipped_of(action), target)
    elif play == LOOK:
        state.looked[seat] |= 1 << target
        event.seen = state.goals[target]
    elif play == HINDER:
        state.malus[1 - seat] += 1
    elif play == FREE:
        state.malus[seat] -= 1
    elif play == DESTROY_TILE:
        event.removed = take_away(state.maze, target)

    # The mover draws while the deck lasts.
    draw(state, seat, slot_of(state.hands[seat], card, target if play == DISCARD else 0), event)
    state.turn += 1

    # Each goal that is joined to the entrance is revealed to both, for good. If the nugget is, the mover wins.
    if play == LAY:
        reveal_goals(state, event)
    if state.revealed and nugget_is_revealed(state):
        state.outcome = NUGGET_REACHED
        state.winner = seat
        state.to_move = NOBODY
    elif state.hand_sizes[1 - seat] == 0:
        state.outcome = CARDS_GONE
        state.to_move = NOBODY
    else:
        state.to_move = 1 - seat


@kernel
def draw(state: Any, seat: int, slot: int, event: Any) -> None:
    """The card at a slot leaves the hand of a seat, which draws another while the deck lasts; the others keep their order."""
    hand = state.hands[seat]
    last = state.hand_sizes[seat] - 1
    for later in range(slot, last):
        hand[later] = hand[later + 1]
    if state.drawn < DECK:
        hand[last] = state.deck[state.drawn]
        event.drew = hand[last]
        state.drawn += 1
    else:
        hand[last] = NO_CARD
        state.hand_sizes[seat] = last


@kernel
def reveal_goals(state: Any, event: Any) -> None:
    """Reveal every goal that a tunnel from the entrance has reached."""
    reached = goals_reached(state.maze) & ~state.revealed
    if not reached:
        return
    for goal in range(3):
        if reached >> goal & 1:
            event.goals[goal] = state.goals[goal]
            show_goal(state.maze, goal, state.goals[goal])
    event.revealed = reached
    state.revealed |= reached


@kernel
def nugget_is_revealed(state: Any) -> bool:
    """Whether the nugget lies open."""
    for goal in range(3):
        if state.revealed >> goal & 1 and state.goals[goal] == NUGGET:
            return True
    return False


# --- What a seat learns --------------------------------------------------------------------------------------------------


@kernel
def redact(event: Any, seat: int) -> None:
    """Take out of an event what `seat` may not know: the card drawn, what a map showed, the card discarded."""
    if seat == event.seat:
        return
    event.seen = UNKNOWN
    event.drew = NO_CARD
    if play_of(event.action) == DISCARD:
        event.action = encode(DISCARD, HIDDEN_CARD, 0, 0)
