"""Masks and observations of Saboteur, compiled. What is where is said in `saboteur`."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.adapters.spaces.shown import SEE_MASK, SEE_VIEW, SMALL
from molehunt.core.kernels import kernel
from molehunt.core.seats import NOBODY
from molehunt.games.saboteur.actions import (
    ACCUSE,
    ASK,
    CLAIM,
    DISCARD,
    PLAY_BREAK,
    PLAY_FIX,
    PLAY_PATH,
    PLAY_ROCKFALL,
    card_of,
    form_of,
    play_of,
    target_of,
)
from molehunt.games.saboteur.cards import (
    CLAIMED_GOLD,
    CLAIMED_STONE,
    FIRST_BREAK,
    FIRST_FIX,
    KINDS,
    MAP,
    NO_CARD,
    ROCKFALL,
    TOOLS,
)
from molehunt.games.saboteur.maze import FIRST_PATH
from molehunt.games.saboteur.rules import (
    ASKING,
    FIX_FORMS,
    fits,
    lookable,
    may_break,
    may_lay,
    may_mend,
    may_rockfall,
    sayable,
)
from molehunt.games.saboteur.ruleset import (
    GRID,
    MAX_HAND,
    MAX_ROUNDS,
    ROUNDS,
    SEATS,
    SHARES,
    SPEAK,
    TALK,
)
from molehunt.games.saboteur.state import (
    DECK,
    MAX_PACK,
    THROUGH,
)
from molehunt.games.saboteur.views import look_beside_maze
from molehunt.games.tunnels.cards import CARD_EDGES, CARD_FORMS
from molehunt.games.tunnels.hands import is_repeated
from molehunt.reading.writing import write_bits

# The table of a numbering: where each cell stands among the cells, -1 for none; the first index of each card and form that is
# played; of each discard; of the claims, accusations and requests; how many there are; the window as its first cell, (nothing),
# width and height.
PLACES = 0
PLAYS_AT = GRID * GRID
DISCARDS_AT = PLAYS_AT + 4 * KINDS
CLAIMS_AT = DISCARDS_AT + KINDS
ACCUSATIONS_AT, REQUESTS_AT = CLAIMS_AT + 1, CLAIMS_AT + 2
SIZE_AT = REQUESTS_AT + 1
WINDOW_AT = SIZE_AT + 1
WIDTH_AT, HEIGHT_AT = WINDOW_AT + 2, WINDOW_AT + 3
TABLE_SIZE = WINDOW_AT + 4

PLANES = (
    "open to the north",
    "open to the east",
    "open to the south",
    "open to the west",
    "edges joined inside",
    "a card lies here",
    "joined to the start",
    "a tunnel from the start opens onto this empty cell",
)
JOINS_PLANE, LIES_PLANE, JOINED_PLANE, END_PLANE = 4, 5, 6, 7
PLANE_COUNT = len(PLANES)
TOOL_COUNT = len(TOOLS)
CLAIMS_EACH = 2


# --- Actions ------------------------------------------------------------------------------------------------------------


@kernel
def index_of(action: int, seat: int, numbering: Any, params: Any) -> int:
    """The index of an action of a seat that may be legal somewhere, -1 where it has none."""
    play, card, target = play_of(action), card_of(action), target_of(action)
    if play == DISCARD:
        return numbering[DISCARDS_AT + card]
    if play == CLAIM:
        return numbering[CLAIMS_AT] + CLAIMS_EACH * target + form_of(action) - CLAIMED_GOLD
    if play == ACCUSE:
        return numbering[ACCUSATIONS_AT] + (target - seat + params[SEATS]) % params[SEATS]
    if play == ASK:
        return numbering[REQUESTS_AT] + target
    first = numbering[PLAYS_AT + 4 * card + form_of(action)]
    if play in (PLAY_PATH, PLAY_ROCKFALL):
        place = numbering[PLACES + target]
        return first + place if place >= 0 else -1
    if play in (PLAY_BREAK, PLAY_FIX):
        target = (target - seat + params[SEATS]) % params[SEATS]
    return first + target


@kernel
def mark_legal(
    hand: Any,
    maze: Any,
    broken: Any,
    seat: int,
    origin: int,
    revealed: int,
    claiming: int,
    may_say: int,
    numbering: Any,
    params: Any,
    value: int,
    mask: Any,
) -> None:
    """Write `value` to the entries of a mask that are legal for the seat to move, players counted from the seat `origin` on.

    Other entries of the mask get a 0 or stay as they are. What is not written is not asked: a branch costs more than a byte.
    """
    if claiming:
        first = numbering[CLAIMS_AT] + CLAIMS_EACH * (claiming - 1)
        mask[first] = value
        mask[first + CLAIMED_STONE - CLAIMED_GOLD] = value
        return
    if may_say:
        mark_sayings(may_say, origin, numbering, params, value, mask)
    for slot in range(MAX_HAND):
        card = hand[slot]
        if card == NO_CARD or is_repeated(hand, slot):
            continue
        mask[numbering[DISCARDS_AT + card]] = value
        firsts = PLAYS_AT + 4 * card
        if card < FIRST_BREAK:
            if may_lay(broken, seat):
                for form in range(CARD_FORMS[card]):
                    edges = CARD_EDGES[card, form]
                    for end in range(maze.end_count):
                        place = numbering[PLACES + maze.ends[end]]
                        if place >= 0:
                            mask[numbering[firsts + form] + place] = fits(maze.fits[end], edges) * value
        elif card == MAP:
            for goal in range(3):
                if lookable(revealed) >> goal & 1:
                    mask[numbering[firsts] + goal] = value
        elif card == ROCKFALL:
            if may_rockfall(broken, seat, params):
                for tile in range(FIRST_PATH, maze.tile_count):
                    place = numbering[PLACES + maze.cells[tile]]
                    if place >= 0:
                        mask[numbering[firsts] + place] = value
        else:
            mark_tools(card, broken, seat, origin, numbering, params, value, mask)


@kernel
def mark_sayings(may_say: int, origin: int, numbering: Any, params: Any, value: int, mask: Any) -> None:
    """`mark_legal` for what may be said before a card, as `sayable` has it."""
    seats = params[SEATS]
    for player in range(seats):
        if may_say >> player & 1:
            mask[numbering[ACCUSATIONS_AT] + (player - origin + seats) % seats] = value
    for tool in range(TOOL_COUNT):
        if may_say >> (ASKING + tool) & 1:
            mask[numbering[REQUESTS_AT] + tool] = value


@kernel
def mark_tools(
    card: int, broken: Any, seat: int, origin: int, numbering: Any, params: Any, value: int, mask: Any
) -> None:
    """`mark_legal` for a break or a repair."""
    firsts = PLAYS_AT + 4 * card
    seats = params[SEATS]
    for player in range(seats):
        away = (player - origin + seats) % seats
        if card < FIRST_FIX:
            if may_break(card, broken[player], player == seat, params):
                mask[numbering[firsts] + away] = value
        else:
            for form in range(FIX_FORMS):
                if may_mend(card, form, broken[player], params):
                    mask[numbering[firsts + form] + away] = value


@kernel
def fill_masks(views: Any, relative: bool, numbering: Any, params: Any, out: Any) -> None:
    """Which actions are legal at each view: shape (n, size)."""
    for index in range(len(views)):
        view = views[index]
        seat = view.seat
        out[index, :] = 0
        if view.to_move == seat and seat != NOBODY:
            origin = seat if relative else 0
            revealed, claiming, may_say = view.revealed, view.claiming, sayable(view, seat, params)
            mark_legal(
                view.hand,
                view.maze,
                view.broken,
                seat,
                origin,
                revealed,
                claiming,
                may_say,
                numbering,
                params,
                1,
                out[index],
            )


# --- Observations -------------------------------------------------------------------------------------------------------


@kernel
def board_size(numbering: Any) -> int:
    """How many numbers of an observation are the planes of the mine."""
    return PLANE_COUNT * numbering[WIDTH_AT] * numbering[HEIGHT_AT]


@kernel
def mark_board(maze: Any, numbering: Any, value: int, out: Any) -> int:
    """Write the planes of a maze to the front of an observation, `value` wherever one says yes; return their size.

    Entries of cells where nothing lies and nothing leads to stay as they are.
    """
    first, width = numbering[WINDOW_AT], numbering[WIDTH_AT]
    height = numbering[HEIGHT_AT]
    plane = width * height
    top, left = first // GRID, first % GRID
    for tile in range(maze.tile_count):
        row, column = maze.cells[tile] // GRID - top, maze.cells[tile] % GRID - left
        if not (0 <= row < height and 0 <= column < width):
            continue
        at = row * width + column
        edges = maze.edges[tile]
        for side in range(4):
            out[side * plane + at] = (edges >> side & 1) * value
        out[JOINS_PLANE * plane + at] = value if edges & THROUGH else 0
        out[LIES_PLANE * plane + at] = value
        out[JOINED_PLANE * plane + at] = np.int64(maze.joined >> np.uint64(tile) & np.uint64(1)) * value
    for end in range(maze.end_count):
        row, column = maze.ends[end] // GRID - top, maze.ends[end] % GRID - left
        if 0 <= row < height and 0 <= column < width:
            out[END_PLANE * plane + row * width + column] = value
    return PLANE_COUNT * plane


@kernel
def write_kinds(counts: Any, at: int, out: Any) -> int:
    """Write how many cards there are of each kind; return where the next part begins."""
    for kind in range(KINDS):
        out[at + kind] = counts[kind]
    return at + KINDS


@kernel
def write_one(which: int, count: int, at: int, out: Any) -> int:
    """Write a 1 at place `which` of `count` places, nowhere if it is none of them; return where the next part begins."""
    for place in range(count):
        out[at + place] = place == which
    return at + count


@kernel
def write_view(view: Any, numbering: Any, params: Any, at: int, out: Any) -> int:
    """Write all that follows the board, from place `at` on; return the size of the observation."""
    seat = view.seat
    seats = params[SEATS]
    for kind in range(KINDS):
        out[at + kind] = 0
    for slot in range(MAX_HAND):
        if view.hand[slot] != NO_CARD:
            out[at + view.hand[slot]] += 1
    at += KINDS
    at = write_kinds(view.unseen, at, out)
    at = write_kinds(view.discards, at, out)
    at = write_kinds(view.played, at, out)
    for goal in range(3):
        at = write_one(view.goals[goal] - 1, 3, at, out)
    at = write_bits(view.revealed, 3, at, out)
    at = write_one(view.role, 2, at, out)
    out[at] = view.saboteur_count
    out[at + 1] = DECK - view.drawn
    at = write_one(view.outcome - 1, 2, at + 2, out)
    mover = view.to_move
    at = write_one((mover - seat + seats) % seats if mover >= 0 else -1, seats, at, out)
    for away in range(seats):
        other = (seat + away) % seats
        out[at + away] = view.hand_sizes[other]
        out[at + seats + away] = view.discard_counts[other]
    at += 2 * seats
    for away in range(seats):
        at = write_bits(view.broken[(seat + away) % seats], TOOL_COUNT, at, out)
    for away in range(seats):
        at = write_bits(view.looked[(seat + away) % seats], 3, at, out)
    if params[TALK]:
        for away in range(seats):
            for goal in range(3):
                at = write_one(view.claims[(seat + away) % seats, goal] - CLAIMED_GOLD, CLAIMS_EACH, at, out)
        at = write_one(view.claiming - 1, 3, at, out)
    if params[SPEAK]:
        for away in range(seats):
            accused = view.accused[(seat + away) % seats]
            at = write_one((accused - seat + seats) % seats if accused >= 0 else -1, seats, at, out)
        for away in range(seats):
            at = write_bits(view.asked[(seat + away) % seats], TOOL_COUNT, at, out)
        at = write_bits(view.spoken, 1, at, out)
    if params[ROUNDS] > 1 or params[SHARES]:
        for away in range(seats):
            out[at + away] = view.nuggets[(seat + away) % seats]
        out[at + seats] = view.round
        out[at + seats + 1] = view.gold_rounds
        at += seats + 2
        for number in range(MAX_ROUNDS):
            for away in range(seats):
                at = write_one(view.past_roles[number, (seat + away) % seats], 2, at, out)
    if params[SHARES]:
        out[at] = view.gold_drawn
        at += 1
        for number in range(MAX_ROUNDS):
            for card in range(MAX_PACK):
                out[at + card] = view.packs[number, card]
            at += MAX_PACK
        for number in range(MAX_ROUNDS):
            taker = view.takers[number]
            at = write_one((taker - seat + seats) % seats if taker >= 0 else -1, seats, at, out)
    return at


@kernel
def fill_observations(views: Any, numbering: Any, params: Any, out: Any) -> int:
    """Write each view as numbers to a row of `out`; return how many numbers one has."""
    at = 0
    for index in range(len(views)):
        row = out[index]
        row[: board_size(numbering)] = 0
        at = mark_board(views[index].maze, numbering, 1, row)
        at = write_view(views[index], numbering, params, at, row)
    return at


# --- One state ----------------------------------------------------------------------------------------------------------


@kernel
def show(
    states: Any, seat: int, views: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int
) -> None:
    """Write the observation and the mask of a seat: see `spaces.shown`."""
    state = states[0]
    if wanted & SEE_VIEW:
        look_beside_maze(state, seat, views[0], params)
        at = mark_board(state.maze, numbering, 1, observation)
        write_view(views[0], numbering, params, at, observation)
    if wanted & SEE_MASK and state.to_move == seat:
        mark_moves(state, numbering, params, 1, mask)


@kernel
def clear(states: Any, observation: Any, mask: Any, numbering: Any, params: Any, wanted: int) -> None:
    """Write zeros where `show` wrote: see `spaces.shown`."""
    state = states[0]
    if wanted & SEE_VIEW:
        board = board_size(numbering)
        if board <= SMALL:
            observation[:board] = 0
        else:
            mark_board(state.maze, numbering, 0, observation)
    if wanted & SEE_MASK and len(mask) <= SMALL:
        mask[:] = 0
    elif wanted & SEE_MASK and state.to_move != NOBODY:
        mark_moves(state, numbering, params, 0, mask)


@kernel
def mark_moves(state: Any, numbering: Any, params: Any, value: int, mask: Any) -> None:
    """`mark_legal` for the seat to move in a state, players counted from that seat on."""
    seat = state.to_move
    revealed, claiming, may_say = state.revealed, state.claiming, sayable(state, seat, params)
    mark_legal(
        state.hands[seat],
        state.maze,
        state.broken,
        seat,
        seat,
        revealed,
        claiming,
        may_say,
        numbering,
        params,
        value,
        mask,
    )
