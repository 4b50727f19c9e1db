"""`random-listed`: every entry of the move list of the course's program is equally likely.

That list goes through the hand card by card, so each copy of a card gives its moves again; and it looks for the cells of a
tile around each card on the board, so a cell comes once for each occupied neighbour, whatever lies there (goals that are not
revealed included). Map, destroy, malus, bonus and discard moves come once for each copy of the card.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.agents.chance import STREAMS, ChanceAgent, streams_at
from molehunt.core.game import Game
from molehunt.core.kernels import kernel
from molehunt.core.language import later
from molehunt.core.streams import below
from molehunt.games.duel.actions import DISCARD, LAY, encode
from molehunt.games.duel.cards import EMPTY, NO_CARD, OFF_BOARD, TILE_EDGES, TILE_FORMS, TILES
from molehunt.games.duel.game import check_game
from molehunt.games.duel.maze import STEPS, holds
from molehunt.games.duel.rules import count_plays, nth_play
from molehunt.games.duel.state import CELLS, HAND, VIEW
from molehunt.games.playing import acting


@acting(VIEW)
def act_one(views: Any, memory: Any, chair: int) -> Any:
    """A uniformly random entry of the move list at a view."""
    view = views[0]
    stream = streams_at(memory[STREAMS], memory[STREAMS + 1])[chair : chair + 1]
    return np.int64(listed_action(stream, view.hand, view.maze, view.malus[view.seat], view.revealed))


class RandomListedAgent(ChanceAgent):
    """Chooses uniformly from the move list of the course's program, duplicates and all."""

    act_one = act_one
    reason = later("likelier for each copy of a card, and for a tile with each occupied neighbour of its cell")

    def __init__(self, name: str = "random-listed") -> None:
        super().__init__(name)

    def seated_at(self, game: Game) -> Game:
        return check_game(self.name, game)


@kernel
def listed_action(stream: Any, hand: Any, maze: Any, malus: int, revealed: int) -> Any:
    """A uniformly random entry of the move list of a player."""
    total = 0
    for slot in range(HAND):
        if hand[slot] != NO_CARD:
            total += 1 + count_listed(hand[slot], maze, malus, revealed)
    choice = below(stream, total)
    for slot in range(HAND):
        card = hand[slot]
        if card == NO_CARD:
            continue
        plays = count_listed(card, maze, malus, revealed)
        if choice == plays:
            return encode(DISCARD, card, 0, 0)
        if choice < plays:
            return nth_listed(card, maze, choice) if card < TILES else nth_play(card, maze, revealed, choice)
        choice -= plays + 1
    return encode(DISCARD, NO_CARD, 0, 0)


@kernel
def count_listed(card: int, maze: Any, malus: int, revealed: int) -> int:
    """How many entries of the list play a card, discards not counted."""
    if card >= TILES:
        return count_plays(card, maze, malus, revealed)
    if malus:
        return 0
    count = 0
    for flipped in range(TILE_FORMS[card]):
        count += count_beside(maze, maze.fitting[TILE_EDGES[card, flipped]])
    return count


@kernel
def count_beside(maze: Any, cells: Any) -> int:
    """The number of occupied neighbours of all cells of a set."""
    count = 0
    for cell in range(CELLS):
        if cells[cell >> 6] and holds(cells, cell):
            count += occupied_beside(maze, cell)
    return count


@kernel
def occupied_beside(maze: Any, cell: int) -> int:
    """How many neighbours of a cell hold anything at all."""
    count = 0
    for side in range(4):
        code = maze.what[cell + STEPS[side]]
        count += code not in (EMPTY, OFF_BOARD)
    return count


@kernel
def nth_listed(card: int, maze: Any, nth: int) -> Any:
    """The `nth` entry of the list that lays a tile, flip by flip and cell by cell."""
    for flipped in range(TILE_FORMS[card]):
        cells = maze.fitting[TILE_EDGES[card, flipped]]
        for cell in range(CELLS):
            if holds(cells, cell):
                nth -= occupied_beside(maze, cell)
                if nth < 0:
                    return encode(LAY, card, flipped, cell)
    return encode(DISCARD, NO_CARD, 0, 0)
