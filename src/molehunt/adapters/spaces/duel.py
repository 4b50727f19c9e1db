"""The duel for learning programs: which number an action has, and what an observation holds.

Actions in this order: every tile unflipped and flipped, where that differs, on each cell; the destroy card by cell; the map by
goal; malus; bonus; discards by card. Cells go row by row, those of the entrance and the goals left out.
"""

from __future__ import annotations

import numpy as np

from molehunt.adapters.spaces import duel_kernels
from molehunt.adapters.spaces.base import NO_INDEX, CompiledSpaces, seats_after
from molehunt.adapters.spaces.duel_kernels import (
    DISCARDS_AT,
    PLACES,
    PLANES,
    PLAYS_AT,
    TABLE_SIZE,
)
from molehunt.core.game import Game
from molehunt.games.duel.actions import DESTROY_TILE, DISCARD, FREE, HINDER, LAY, LOOK, pack
from molehunt.games.duel.cards import BONUS, CARD_NAMES, DESTROY, GOAL_PLACES, KINDS, MALUS, MAP, TILE_FORMS, TILES
from molehunt.games.duel.state import CELLS, ENTRANCE_CELL, GOAL_CELLS, SEATS, SIZE, cell_number


class DuelSpaces(CompiledSpaces):
    """The spaces of the duel. Actions name no player, so they are the same for both seats."""

    kernels = duel_kernels

    def __init__(self, game: Game) -> None:
        self.game = game
        self.params = game.params
        special = {ENTRANCE_CELL, *GOAL_CELLS.tolist()}
        self.cells = [
            cell_number(row, column)
            for row in range(SIZE)
            for column in range(SIZE)
            if cell_number(row, column) not in special
        ]
        numbering = np.full(TABLE_SIZE, NO_INDEX, np.int32)
        numbering[PLACES : PLACES + CELLS][self.cells] = np.arange(len(self.cells))
        codes: list[int] = []

        def number(play: int, card: int, flipped: int, targets: list[int]) -> None:
            numbering[PLAYS_AT + 2 * card + flipped] = len(codes)
            codes.extend(pack(play, card, flipped, target) for target in targets)

        for tile in range(TILES):
            for flipped in range(TILE_FORMS[tile]):
                number(LAY, tile, flipped, self.cells)
        number(DESTROY_TILE, DESTROY, 0, self.cells)
        number(LOOK, MAP, 0, [0, 1, 2])
        number(HINDER, MALUS, 0, [0])
        number(FREE, BONUS, 0, [0])
        for card in range(KINDS):
            numbering[DISCARDS_AT + card] = len(codes)
            codes.append(pack(DISCARD, card))
        self._set_codes(np.array([codes], np.int32))
        self.numbering = numbering
        self.numbering.setflags(write=False)
        players = seats_after(SEATS)
        rows, columns = ([f"{line} {number}" for number in range(SIZE)] for line in ("row", "column"))
        self._set_fields(
            [
                (
                    "board",
                    (len(PLANES), SIZE, SIZE),
                    f"planes of the board: {', '.join(PLANES)}",
                    PLANES,
                    rows,
                    columns,
                ),
                ("hand", (KINDS,), "own cards by kind", CARD_NAMES),
                (
                    "unseen",
                    (KINDS,),
                    "cards by kind that may be in the deck, in the other's hand or discards",
                    CARD_NAMES,
                ),
                ("discards", (KINDS,), "own discards by kind", CARD_NAMES),
                ("played", (KINDS,), "cards by kind that were played in public", CARD_NAMES),
                ("goals", (3, 2), "by goal: known to be blank, the nugget", GOAL_PLACES, ("blank", "the nugget")),
                ("revealed", (3,), "goals that are revealed to both", GOAL_PLACES),
                ("deck", (1,), "cards left in the deck"),
                (
                    "outcome",
                    (2,),
                    "over by the nugget, over by the end of the cards",
                    ("the nugget", "the end of the cards"),
                ),
                ("to_move", (SEATS,), "who is to move: oneself, the other", players),
                ("winner", (SEATS,), "who won", players),
                ("hand_sizes", (SEATS,), "cards in hand", players),
                ("discard_counts", (SEATS,), "cards discarded", players),
                ("malus", (SEATS,), "maluses in front", players),
                ("looked", (SEATS, 3), "goals that each has looked at", players, GOAL_PLACES),
            ]
        )
