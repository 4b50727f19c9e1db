"""Positions of the duel as one player searches them, with h as the value: what a model for `search.expectimax` is made of.

The player guesses where the nugget is and holds the other goals for blank. Unseen cards are drawn with the probabilities of their
counts. Where the opponent is modelled, its hand is drawn from the unseen cards, a few samples for each of its turns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.duel.heuristic_2020 import (
    GUESS,
    HANDS,
    INFERRED,
    LARGEST_H,
    LATER,
    LIKELY,
    WIN,
    WINS_AT_ROOT,
    WINS_FIRST,
    heuristic,
)
from molehunt.core.copying import copy_record
from molehunt.core.kernels import kernel
from molehunt.core.streams import below, derive, mix, uniform
from molehunt.games.duel.actions import (
    DESTROY_TILE,
    DISCARD,
    FREE,
    HINDER,
    LAY,
    LOOK,
    card_of,
    encode,
    flipped_of,
    play_of,
    target_of,
)
from molehunt.games.duel.cards import (
    BLANK,
    CODES,
    DESTROY,
    FIRST_TILE_CODE,
    KINDS,
    MALUS,
    MAP,
    NO_CARD,
    NUGGET,
    TILE_EDGES,
    TILE_FORMS,
    TILES,
)
from molehunt.games.duel.maze import copy_maze, goals_reached, holds, lay, show_goal, take_away
from molehunt.games.duel.rules import list_cells
from molehunt.games.duel.state import CELLS, DECK, GOAL_CELLS, HAND, MAZE
from molehunt.search.expectimax import CHANCE, OTHER, OVER, OWN

MY_MOVE, MY_DRAW, THEIR_HAND, THEIR_MOVE = range(4)
"""What comes next: my move, the card that I draw, the sample of their hand, their move."""
ME, THEY = 0, 1

POSITION = np.dtype(
    [
        ("maze", MAZE),
        ("board_key", np.uint64),  # all tiles that lie on the board, and the goals revealed since
        ("cards_key", np.uint64),  # all cards that have come and gone since
        ("hand", np.int8, (KINDS,)),  # how many cards of each kind I hold
        ("theirs", np.int8, (KINDS,)),  # a sample of their hand, while it is their move
        ("unseen", np.int8, (KINDS,)),  # what I have not seen, without that sample
        ("malus", np.int8, (2,)),  # mine, theirs
        ("deck_left", np.int16),
        ("their_size", np.int16),
        ("revealed", np.int16),
        ("next", np.int16),
        ("owed", np.int16),  # whether I have yet to draw the card of my last move
        ("made", np.int16),  # moves that I have made since
        ("mover", np.int16),  # who made the last move
    ]
)
MOST_MOVES = 3 * CELLS
"""More than any hand can do."""


@kernel
def tile_word(cell: int, code: int | np.int64) -> Any:
    """The part of a board's key that says what lies on a cell."""
    return mix(np.uint64(1 + cell * CODES + code))


@kernel
def card_word(event: int, card: int) -> Any:
    """The part of the cards' key for a card that comes or goes; words are added, so the order does not matter."""
    return mix(np.uint64(1_000_000 + event * KINDS + card))


MINE_USED, MINE_DRAWN, THEIRS_USED, SAMPLED = range(4)


@kernel
def position_of_view(view: Any, position: Any) -> None:
    """The position that a player sees."""
    seat = view.seat
    copy_maze(view.maze, position.maze)
    position.board_key = 0
    position.cards_key = 0
    position.hand[:] = 0
    for slot in range(HAND):
        if view.hand[slot] != NO_CARD:
            position.hand[view.hand[slot]] += 1
    position.theirs[:] = 0
    position.unseen[:] = view.unseen
    position.malus[ME] = view.malus[seat]
    position.malus[THEY] = view.malus[1 - seat]
    position.deck_left = DECK - view.drawn
    position.their_size = view.hand_sizes[1 - seat]
    position.revealed = view.revealed
    position.next = MY_MOVE
    position.owed = 0
    position.made = 0
    position.mover = THEY


@kernel
def is_over(position: Any, settings: Any) -> bool:
    """Whether the tunnel has reached the goal where the nugget is guessed."""
    return holds(position.maze.joined, GOAL_CELLS[np.int64(settings[GUESS])])


def turn(positions: Any, settings: Any) -> int:
    """Whose turn it is. Where the largest h is taken at inner OR nodes, own moves but the first are chosen as if by an opponent."""
    position = positions[0]
    if is_over(position, settings):
        return OVER
    if position.next == MY_MOVE:
        for kind in range(KINDS):
            if position.hand[kind]:
                return OTHER if settings[LARGEST_H] and position.made else OWN
        return OVER
    return OTHER if position.next == THEIR_MOVE else CHANCE


def moves(positions: Any, settings: Any, out: Any, chances: Any) -> int:
    """The moves of whoever is to move, or the cards that can come."""
    position = positions[0]
    if position.next == MY_MOVE:
        return list_moves(position, position.hand, position.malus[ME], out)
    if position.next == THEIR_MOVE:
        return list_moves(position, position.theirs, position.malus[THEY], out)
    count = 0
    if position.next == THEIR_HAND:
        count = int(settings[HANDS])
        for sample in range(count):
            out[sample] = sample
            chances[sample] = 1 / count
        return count
    total = 0
    for kind in range(KINDS):
        total += position.unseen[kind]
    for kind in range(KINDS):
        if position.unseen[kind]:
            out[count] = kind
            chances[count] = position.unseen[kind] / total
            count += 1
    return count


@kernel
def list_moves(position: Any, hand: Any, malus: int, out: Any) -> int:
    """All legal moves with a hand, given by counts."""
    count = 0
    for card in range(KINDS):
        if not hand[card]:
            continue
        if card < TILES:
            for flipped in range(0 if malus else TILE_FORMS[card]):
                cells = position.maze.fitting[TILE_EDGES[card, flipped]]
                count = list_cells(cells, encode(LAY, card, flipped, 0), out, count)
        elif card == MAP:
            for goal in range(3):
                if not position.revealed >> goal & 1:
                    out[count] = encode(LOOK, card, 0, goal)
                    count += 1
        elif card == DESTROY:
            count = list_cells(position.maze.tiles, encode(DESTROY_TILE, card, 0, 0), out, count)
        elif card == MALUS or malus:
            out[count] = encode(HINDER if card == MALUS else FREE, card, 0, 0)
            count += 1
        out[count] = encode(DISCARD, card, 0, 0)
        count += 1
    return count


def play(positions: Any, settings: Any, move: int) -> None:
    """Make a move, or let a card come."""
    position = positions[0]
    if position.next == MY_DRAW:
        position.hand[move] += 1
        position.unseen[move] -= 1
        position.owed = 0
        position.cards_key += card_word(MINE_DRAWN, move)
        position.next = MY_MOVE
    elif position.next == THEIR_HAND:
        if settings[INFERRED]:
            sample_likely_hand(position, settings, move)
        else:
            sample_hand(position, move)
        position.cards_key += card_word(SAMPLED, move)
        position.next = THEIR_MOVE
    else:
        make_move(position, settings, move)


@kernel
def make_move(position: Any, settings: Any, move: int) -> None:
    """Make a move of whoever is to move."""
    mover = ME if position.next == MY_MOVE else THEY
    make_board_move(position, settings, move, mover)
    card = card_of(move)
    position.mover = mover
    if mover == ME:
        position.hand[card] -= 1
        position.cards_key += card_word(MINE_USED, card)
        position.made += 1
        # The card that I draw now shows when it is my move again.
        if position.deck_left:
            position.owed = 1
            position.deck_left -= 1
        if settings[HANDS] and position.their_size:
            position.next = THEIR_HAND
        else:
            position.next = MY_DRAW if position.owed else MY_MOVE
        return
    # Their other cards are unseen again.
    position.theirs[card] -= 1
    position.cards_key += card_word(THEIRS_USED, card)
    position.unseen += position.theirs
    position.theirs[:] = 0
    if position.deck_left:
        position.deck_left -= 1
    else:
        position.their_size -= 1
    position.next = MY_DRAW if position.owed else MY_MOVE


@kernel
def make_board_move(position: Any, settings: Any, move: int, mover: int) -> None:
    """What a move does to the board and to the maluses. The nugget is under the guessed goal."""
    done, card, target = play_of(move), card_of(move), target_of(move)
    if done == LAY:
        lay(position.maze, card, flipped_of(move), target)
        position.board_key ^= tile_word(target, FIRST_TILE_CODE + 2 * card + flipped_of(move))
        reached = goals_reached(position.maze) & ~position.revealed
        if reached:
            for goal in range(3):
                if reached >> goal & 1:
                    show_goal(position.maze, goal, NUGGET if goal == settings[GUESS] else BLANK)
                    position.board_key ^= tile_word(GOAL_CELLS[goal], CODES - 1)
            position.revealed |= reached
    elif done == DESTROY_TILE:
        position.board_key ^= tile_word(target, np.int64(take_away(position.maze, target)))
    elif done == HINDER:
        position.malus[1 - mover] += 1
    elif done == FREE:
        position.malus[mover] -= 1


@kernel
def sample_hand(position: Any, sample: int) -> None:
    """Draw a hand of the opponent from the unseen cards; the same position and sample give the same hand."""
    stream = np.empty(1, np.uint64)
    stream[0] = derive(position.board_key ^ position.cards_key, np.uint64(sample))
    left = 0
    for kind in range(KINDS):
        left += position.unseen[kind]
    for _ in range(position.their_size):
        choice = below(stream, left)
        kind = 0
        while choice >= position.unseen[kind]:
            choice -= position.unseen[kind]
            kind += 1
        position.theirs[kind] += 1
        position.unseen[kind] -= 1
        left -= 1


@kernel
def sample_likely_hand(position: Any, settings: Any, sample: int) -> None:
    """As `sample_hand`, where of the unseen cards of a kind no more than the share counts that the other may hold."""
    stream = np.empty(1, np.uint64)
    stream[0] = derive(position.board_key ^ position.cards_key, np.uint64(sample))
    for _ in range(position.their_size):
        left = 0.0
        for kind in range(KINDS):
            left += position.unseen[kind] * settings[LIKELY + kind]
        choice = uniform(stream) * left
        picked = 0
        for kind in range(KINDS):
            weight = position.unseen[kind] * settings[LIKELY + kind]
            if weight > 0 and choice >= 0:
                picked = kind
                choice -= weight
        position.theirs[picked] += 1
        position.unseen[picked] -= 1


def key(positions: Any, settings: Any, move: int, depth: int) -> Any:  # noqa: ARG001 - a function of a model
    """A word for the position after a move. At the depth limit it says only what its value depends on."""
    position = positions[0]
    board, cards = position.board_key, position.cards_key
    if position.next == MY_DRAW:
        return mix(board ^ mix(cards + card_word(MINE_DRAWN, move)) ^ malus_word(position.malus, position.hand[MALUS]))
    if position.next == THEIR_HAND:
        return mix(board ^ mix(cards + card_word(SAMPLED, move)) ^ malus_word(position.malus, position.hand[MALUS]))
    mine = position.next == MY_MOVE
    done, card, target = play_of(move), card_of(move), target_of(move)
    malus_cards = position.hand[MALUS]
    own, their = np.int64(position.malus[ME]), np.int64(position.malus[THEY])
    if done == LAY:
        board ^= tile_word(target, FIRST_TILE_CODE + 2 * card + flipped_of(move))
    elif done == DESTROY_TILE:
        board ^= tile_word(target, np.int64(position.maze.what[target]))
    elif done == HINDER:
        own, their = (own, their + 1) if mine else (own + 1, their)
    elif done == FREE:
        own, their = (own - 1, their) if mine else (own, their - 1)
    if mine and card == MALUS:
        malus_cards -= 1
    word = mix(np.uint64(1 + own + 8 * their + 64 * malus_cards + 512 * (1 if mine else 2) + 2048 * position.made))
    if depth:
        word ^= mix(cards + card_word(MINE_USED if mine else THEIRS_USED, card))
    return mix(board ^ word)


@kernel
def malus_word(malus: Any, malus_cards: int) -> Any:
    """The part of a key for maluses."""
    return mix(np.uint64(1 + malus[ME] + 8 * malus[THEY] + 64 * malus_cards))


def value(positions: Any, settings: Any) -> float:
    """Minus h; a win of the opponent is worse than anything, and a win now is better than a win later."""
    return value_of(positions[0], settings)


@kernel
def value_of(position: Any, settings: Any) -> float:
    """`value` of one position."""
    if is_over(position, settings):
        if position.mover == THEY:
            return -WIN
        if settings[WINS_FIRST] and (position.made == 1 or not settings[WINS_AT_ROOT]):
            return WIN - settings[LATER] * position.made
    return -heuristic(position.maze, position.malus[ME], position.malus[THEY], position.hand[MALUS], settings)


@kernel
def immediate_values(positions: Any, settings: Any, found: Any, values: Any) -> int:
    """List the moves of the first of two positions and the value of each at once; returns how many.

    The second position is used to try them.
    """
    position = positions[0]
    count = list_moves(position, position.hand, position.malus[ME], found)
    for index in range(count):
        copy_record(positions[0], positions[1])
        make_move(positions[1], settings, found[index])
        values[index] = value_of(positions[1], settings)
    return count
