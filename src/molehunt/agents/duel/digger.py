"""The digger: a quick player that builds the cheapest way to the nugget. `duel-star` plays its games to the end with it.

It decides from what its seat may know: its hand, what was played, the goals that it has seen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.duel.heuristic_2020 import guess_goal, nugget_is_known
from molehunt.core.kernels import kernel, lowest, without_lowest
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
    target_of,
)
from molehunt.games.duel.cards import (
    BONUS,
    CODE_CENTRE,
    CODE_EDGES,
    DECK_COUNTS,
    DESTROY,
    KINDS,
    MALUS,
    MAP,
    NO_CARD,
    OPEN,
    TILE_EDGES,
    TILE_FORMS,
    TILES,
    UNKNOWN,
)
from molehunt.games.duel.maze import STEPS, copy_maze, holds, lay, opposite
from molehunt.games.duel.state import CELLS, HAND, MAZE, WORDS
from molehunt.reading.duel.digging import (
    NO_WAY,
    SUPPLY,
    TUNNEL,
    cost_after_tile,
    cost_from_tunnel,
    fill_supply,
    find_costs_near,
    find_costs_to_tunnel,
    finishing_sets,
    is_reached,
)

WORTH = np.zeros(KINDS)
"""How dear a card is when one must go: the crossing first, then what joins most pairs of sides; dead ends are worth little."""
WORTH[:TILES] = [6, 0.2, 0.4, 0.3, 0.1, 5, 8, 5.5, 10, 7, 4, 0.4, 0.1, 0.5, 0.3, 0.2]
WORTH[[DESTROY, MALUS, BONUS, MAP]] = 6, 9, 9.5, 3

SCRATCH = np.dtype(
    [
        ("costs", np.float64, (CELLS, 4)),
        ("supply", SUPPLY, (1,)),
        ("hand", np.int16, (KINDS,)),
        ("unseen", np.int16, (KINDS,)),
        ("goal", np.int64),  # the one that the seat digs for
        ("goals", np.int8, (3,)),  # as the seat knows them
        ("malus", np.int64),  # how many maluses lie in front of the seat
        ("other_malus", np.int64),  # ... and of the other
        ("other_size", np.int64),  # how many cards the other holds
        ("maze", MAZE, (1,)),  # a board to try a tile on
    ]
)
"""Scratch for one decision."""

MOST_MOVES = 2 * CELLS
DISCARDS_SHOWN, DESTROYS_SHOWN = 2, 3
FAR = 20.0
"""More than the promising moves of any hand; how many discards and tiles to destroy are among them; no way counts as so far."""
TINY = 1e-9
PATIENCE, PROGRESS, RISK, SHY, LOOKS, HINDERS, BREAKS, GUESS = range(8)
"""Entries of the digger's settings: the cost of waiting; the least that a tile must shorten the way; the chance of the other's
finishing from which on a tile is held back; how long the way is when risks and maluses begin to count, when a map comes before
tiles, and when a malus does; the goal where the nugget is guessed while it is not known (-1: as the players of 2020 do)."""
NO_GUESS = -1


def settings_of(
    patience: float,
    progress: float,
    risk: float,
    shy: float,
    looks: float,
    hinders: float,
    breaks: float,
    guess: int = NO_GUESS,
) -> npt.NDArray[np.float64]:
    """The array that the kernels read."""
    return np.array([patience, progress, risk, shy, looks, hinders, breaks, guess])


@kernel
def note_cards(record: Any, seat: int, hand: Any, discards: Any, known: int, scratch: Any) -> None:
    """Note what a seat holds and knows, from a state or a view, the seat's hand and discards, and the goals that it knows."""
    scratch.hand[:] = 0
    for slot in range(HAND):
        card = hand[slot]
        if card != NO_CARD:
            scratch.hand[card] += 1
    for kind in range(KINDS):
        scratch.unseen[kind] = DECK_COUNTS[kind] - record.played[kind] - discards[kind] - scratch.hand[kind]
    for goal in range(3):
        scratch.goals[goal] = record.goals[goal] if known >> goal & 1 else UNKNOWN
    scratch.malus = record.malus[seat]
    scratch.other_malus = record.malus[1 - seat]
    scratch.other_size = record.hand_sizes[1 - seat]


@kernel
def sit_down(state: Any, seat: int, settings: Any, scratch: Any) -> None:
    """Note what a seat holds and knows, the goal that it digs for, and the costs of its ways."""
    known = state.revealed | state.looked[seat]
    note_cards(state, seat, state.hands[seat], state.discards[seat], known, scratch)
    scratch.goal = guess_goal(scratch.goals)
    guess = np.int64(settings[GUESS])
    if guess >= 0 and scratch.goals[guess] == UNKNOWN and not nugget_is_known(scratch.goals):
        scratch.goal = guess
    fill_supply(scratch.hand, scratch.unseen, scratch.hand[DESTROY], settings[PATIENCE], scratch.supply[0])
    find_costs_to_tunnel(state.maze, scratch.goal, scratch.supply[0], scratch.costs)


@kernel
def chance_to_hold(sets: int, unseen: Any, size: int) -> Any:
    """The chance that a hand of so many unseen cards holds a tunnel of some edge sets."""
    total = 0
    good = 0
    for kind in range(KINDS):
        total += unseen[kind]
        if kind < TILES and TUNNEL[kind]:
            for flipped in range(TILE_FORMS[kind]):
                if sets >> TILE_EDGES[kind, flipped] & 1:
                    good += unseen[kind]
                    break
    none = 1.0
    for drawn in range(min(size, total)):
        none *= max(total - good - drawn, 0) / (total - drawn)
    return 1 - none


@kernel
def tile_moves(maze: Any, scratch: Any, moves: Any, scores: Any) -> int:
    """The tiles that go on from the tunnel, with what the way costs after each (less is better); returns how many."""
    count = 0
    if scratch.malus:
        return 0
    for tile in range(TILES):
        if not scratch.hand[tile] or not TUNNEL[tile]:
            continue
        for flipped in range(TILE_FORMS[tile]):
            cells = maze.fitting[TILE_EDGES[tile, flipped]]
            for word in range(WORDS):
                rest = cells[word]
                while rest:
                    cell = word << 6 | lowest(rest)
                    rest = without_lowest(rest)
                    if is_reached(maze, cell):
                        moves[count] = encode(LAY, tile, flipped, cell)
                        scores[count] = cost_after_tile(maze, scratch.costs, tile, flipped, cell)
                        count += 1
    return count


@kernel
def risk_now(maze: Any, scratch: Any) -> Any:
    """The chance that the other can finish at once on a board."""
    if scratch.other_malus:
        return 0.0
    sets = finishing_sets_of(maze, scratch.costs)
    return chance_to_hold(sets, scratch.unseen, scratch.other_size) if sets else 0.0


@kernel
def risk_after(maze: Any, move: int, scratch: Any) -> Any:
    """The chance that the other can finish at once after a tile of this seat."""
    after = scratch.maze[0]
    copy_maze(maze, after)
    lay(after, card_of(move), flipped_of(move), target_of(move))
    return risk_now(after, scratch)


@kernel
def finishing_sets_of(maze: Any, costs: Any) -> int:
    """The edge sets of tunnels that would reach the goal at once."""
    cells = np.zeros(WORDS, np.uint64)
    for edges in range(1, 16):
        for word in range(WORDS):
            cells[word] |= maze.fitting[edges, word]
    return finishing_sets(maze, costs, cells)


@kernel
def tile_in_the_way(maze: Any, scratch: Any) -> int:
    """A placed tile onto which the tunnel opens and over which the cheapest way leads; -1 if there is none."""
    best = cost_from_tunnel(maze, scratch.goal, scratch.costs) + TINY
    found = -1
    for word in range(WORDS):
        rest = maze.tiles[word]
        while rest:
            cell = word << 6 | lowest(rest)
            rest = without_lowest(rest)
            if holds(maze.joined, cell) and CODE_CENTRE[maze.what[cell]] == OPEN:
                continue
            for side in range(4):
                beyond = cell + STEPS[side]
                code = maze.what[beyond]
                opens = CODE_CENTRE[code] == OPEN and CODE_EDGES[code] >> opposite(side) & 1
                if opens and holds(maze.joined, beyond) and scratch.costs[cell, side] < best:
                    best = scratch.costs[cell, side]
                    found = cell
    return found


@kernel
def worst_card(scratch: Any, keep_map: bool) -> int:
    """The card of the hand that is missed least; a copy is missed less."""
    worst = -1
    least = NO_WAY
    for kind in range(KINDS):
        if not scratch.hand[kind]:
            continue
        worth = WORTH[kind] / scratch.hand[kind]
        if kind == BONUS and not scratch.unseen[MALUS] and not scratch.malus:
            worth = 0.0
        if kind == MAP and not keep_map:
            worth = 0.0
        if worth < least:
            least = worth
            worst = kind
    return worst


@kernel
def finishing_cell(maze: Any, scratch: Any, edges: int) -> int:
    """A cell on which these edges fit and from which one tile would reach the goal; -1 if there is none."""
    for word in range(WORDS):
        rest = maze.fitting[edges, word]
        while rest:
            cell = word << 6 | lowest(rest)
            rest = without_lowest(rest)
            if is_reached(maze, cell):
                for side in range(4):
                    if scratch.costs[cell + STEPS[side], opposite(side)] == 0:
                        return cell
    return -1


@kernel
def last_tile(maze: Any) -> int:
    """The tile of the tunnel that is nearest to the goals' row; -1 if there is none."""
    for cell in range(CELLS - 1, -1, -1):
        if holds(maze.tiles, cell) and holds(maze.joined, cell):
            return cell
    return -1


@kernel
def look_at_guess(scratch: Any) -> Any:
    """The map on the goal that the seat digs for, whose content it does not know."""
    return encode(LOOK, MAP, 0, scratch.goal)


@kernel
def dig(state: Any, seat: int, settings: Any, scratch: Any, moves: Any, scores: Any) -> Any:
    """The digger's move."""
    sit_down(state, seat, settings, scratch)
    if state.malus[seat] and scratch.hand[BONUS]:
        return encode(FREE, BONUS, 0, 0)
    now = cost_from_tunnel(state.maze, scratch.goal, scratch.costs)
    count = tile_moves(state.maze, scratch, moves, scores)
    best = -1
    for index in range(count):
        if (
            best < 0
            or scores[index] < scores[best] - TINY
            or (scores[index] < scores[best] + TINY and WORTH[card_of(moves[index])] < WORTH[card_of(moves[best])])
        ):
            best = index
    if best >= 0 and scores[best] == 0:
        return moves[best]
    unknown = not nugget_is_known(scratch.goals)
    if unknown and scratch.hand[MAP] and now <= settings[LOOKS]:
        return look_at_guess(scratch)
    if scratch.hand[MALUS] and now <= settings[HINDERS] and not scratch.other_malus:
        return encode(HINDER, MALUS, 0, 0)
    if best >= 0 and scores[best] < now - settings[PROGRESS]:
        near = scores[best] < settings[SHY]
        if not near or risk_after(state.maze, moves[best], scratch) <= settings[RISK]:
            return moves[best]
    if scratch.hand[DESTROY] and risk_now(state.maze, scratch) > settings[BREAKS]:
        cell = last_tile(state.maze)
        if cell >= 0:
            return encode(DESTROY_TILE, DESTROY, 0, cell)
    # No tile now: hinder the other near the end, look, clear the way, or throw away what is missed least.
    if scratch.hand[MALUS] and now < settings[SHY] + 1 and not state.malus[1 - seat]:
        return encode(HINDER, MALUS, 0, 0)
    if unknown and scratch.hand[MAP]:
        return look_at_guess(scratch)
    if scratch.hand[DESTROY] and not state.malus[seat]:
        cell = tile_in_the_way(state.maze, scratch)
        if cell >= 0:
            return encode(DESTROY_TILE, DESTROY, 0, cell)
    return encode(DISCARD, worst_card(scratch, unknown), 0, 0)


@kernel
def list_promising(states: Any, seat: int, settings: Any, chances: Any, scratch: Any, moves: Any, scores: Any) -> int:
    """The moves worth a closer look, with what the way costs after each (less is better); returns how many.

    The digger's own move, tiles that go on from the tunnel, dead ends where the other could finish, malus, bonus, maps that tell
    something, tiles that may be destroyed at the front or in the way, and the discards that are missed least. `chances` says how
    likely the nugget is under each goal: the way is that to each of them, weighed.
    """
    state, noted = states[0], scratch[0]
    own = dig(state, seat, settings, noted, moves, scores)
    hand = noted.hand
    unknown = not nugget_is_known(noted.goals)
    costs = np.zeros(MOST_MOVES)
    reaches = np.zeros(MOST_MOVES, np.bool_)
    now = 0.0
    tiles = 0
    stops = np.zeros(CELLS, np.bool_)
    for goal in range(3):
        if chances[goal] > 0:
            find_costs_near(state.maze, goal, noted.supply[0], noted.costs)
            now += chances[goal] * min(cost_from_tunnel(state.maze, goal, noted.costs), FAR)
            tiles = tile_moves(state.maze, noted, moves, scores)
            for index in range(tiles):
                costs[index] += chances[goal] * min(scores[index], FAR)
                reaches[index] = reaches[index] or scores[index] == 0
            note_stops(state.maze, noted, stops)
    for index in range(tiles):
        scores[index] = min(costs[index], now) if reaches[index] else costs[index]
    count = tiles
    if not noted.malus:
        for cell in range(CELLS):
            if stops[cell]:
                count = note_dead_end(state.maze, cell, hand, now, moves, scores, count)
    if hand[MALUS]:
        count = note_move(moves, scores, count, encode(HINDER, MALUS, 0, 0), now)
    if hand[BONUS] and noted.malus:
        count = note_move(moves, scores, count, encode(FREE, BONUS, 0, 0), now - 1)
    if hand[MAP] and unknown:
        for goal in range(3):
            if noted.goals[goal] == UNKNOWN:
                count = note_move(moves, scores, count, encode(LOOK, MAP, 0, goal), now - chances[goal] / 100)
    if hand[DESTROY]:
        count = note_destroys(state, noted, now, moves, scores, count)
    for _ in range(DISCARDS_SHOWN):
        worst = worst_card(noted, unknown)
        if worst >= 0:
            count = note_move(moves, scores, count, encode(DISCARD, worst, 0, 0), now + WORTH[worst] / 100)
            hand[worst] = 0
    # The digger's own move comes first.
    for index in range(count):
        if moves[index] == own:
            scores[index] = min(scores[index], scores[:count].min() - TINY) if scores[index] else 0.0
            return count
    return note_move(moves, scores, count, own, scores[:count].min() - TINY if count else now)


@kernel
def note_stops(maze: Any, scratch: Any, stops: Any) -> None:
    """Mark the cells from which one tile would reach the goal."""
    for edges in range(1, 16):
        cell = finishing_cell(maze, scratch, edges)
        if cell >= 0:
            stops[cell] = True


@kernel
def note_dead_end(maze: Any, cell: int, hand: Any, score: float, moves: Any, scores: Any, count: int) -> int:
    """Add the first dead end of the hand that fits on a cell."""
    for tile in range(TILES):
        if TUNNEL[tile] or not hand[tile]:
            continue
        for flipped in range(TILE_FORMS[tile]):
            if holds(maze.fitting[TILE_EDGES[tile, flipped]], cell):
                return note_move(moves, scores, count, encode(LAY, tile, flipped, cell), score)
    return count


@kernel
def note_move(moves: Any, scores: Any, count: int, move: int, score: float) -> int:
    """Add a move to a list of `count`."""
    moves[count] = move
    scores[count] = score
    return count + 1


@kernel
def note_destroys(state: Any, scratch: Any, now: float, moves: Any, scores: Any, count: int) -> int:
    """Add the tile in the way, and the tiles of the tunnel that are nearest to the goal."""
    blocking = tile_in_the_way(state.maze, scratch)
    if blocking >= 0:
        count = note_move(moves, scores, count, encode(DESTROY_TILE, DESTROY, 0, blocking), now)
    found = 0
    for cell in range(CELLS - 1, -1, -1):
        if holds(state.maze.tiles, cell) and holds(state.maze.joined, cell) and cell != blocking:
            count = note_move(moves, scores, count, encode(DESTROY_TILE, DESTROY, 0, cell), now + 0.01 + found / 100)
            found += 1
            if found == DESTROYS_SHOWN:
                break
    return count
