"""Speed Clue for learning programs: which number an action has, and what an observation holds.

Actions in this order: suggestions, accusations (both by suspect, weapon, location), cards shown, the end of a turn.
"""

from __future__ import annotations

import numpy as np

from molehunt.adapters.spaces import speed_clue_kernels
from molehunt.adapters.spaces.base import CompiledSpaces, seats_after
from molehunt.adapters.spaces.speed_clue_kernels import ENTRY
from molehunt.games.speed_clue.actions import ACCUSE, END, PLAY_SHIFT, SHOW, SUGGEST
from molehunt.games.speed_clue.game import SpeedClue

RECORD = (
    "suggestions, the last one first: who asked (1 + so many seats after oneself); suspect, weapon, location (1 + number in its "
    "category); who answered (1 + seats after oneself, 1 + all seats: nobody could, 0: awaited); the card shown (1 + card, 0 where "
    "there is none or it is not known)"
)
RECORD_PARTS = ("who asked", "suspect", "weapon", "location", "who answered", "the card shown")
PHASE_NAMES = ("a turn begins", "an answer is awaited", "after the answer", "the game is over")
OUTCOME_NAMES = ("solved", "all others out", "undecided")


class ClueSpaces(CompiledSpaces):
    """The spaces of Speed Clue. Actions name no player, so they are the same for all seats."""

    kernels = speed_clue_kernels
    counts_seats = True

    def __init__(self, game: SpeedClue) -> None:
        self.game = game
        self.params = game.params
        self.numbering = np.zeros(1, np.int32)
        self.numbering.setflags(write=False)
        edition = game.edition
        triples = [
            suspect | weapon << 5 | location << 10
            for suspect in edition.cards(0)
            for weapon in edition.cards(1)
            for location in edition.cards(2)
        ]
        cards = len(edition.names)
        codes = [play << PLAY_SHIFT | triple for play in (SUGGEST, ACCUSE) for triple in triples]
        codes += [SHOW << PLAY_SHIFT | card for card in range(cards)]
        codes.append(END << PLAY_SHIFT)
        self._set_codes(np.array([codes], np.int32))
        seats, limit = game.seats, game.ruleset.max_suggestions
        names, players = edition.names, seats_after(seats)
        suggestions = [f"the last but {number}" if number else "the last" for number in range(limit)]
        self._set_fields(
            [
                ("hand", (cards,), "own cards", names),
                ("shown", (seats, cards), "by player and card: has shown this card to oneself", players, names),
                (
                    "lacks",
                    (seats, cards),
                    "by player and card: could not answer a suggestion with this card",
                    players,
                    names,
                ),
                (
                    "accused",
                    (seats, cards),
                    "by player: the cards of a wrong accusation, or of the right one that won",
                    players,
                    names,
                ),
                ("out", (seats,), "who has accused wrongly", players),
                ("phase", (len(PHASE_NAMES),), ", ".join(PHASE_NAMES), PHASE_NAMES),
                ("asked", (cards,), "the cards of the last suggestion", names),
                ("to_move", (seats,), "who is to move", players),
                ("on_turn", (seats,), "whose turn it is", players),
                ("outcome", (len(OUTCOME_NAMES),), f"over: {', '.join(OUTCOME_NAMES)}", OUTCOME_NAMES),
                ("winner", (seats,), "who won", players),
                ("hand_sizes", (seats,), "cards in hand", players),
                ("record", (limit, ENTRY), RECORD, suggestions, RECORD_PARTS),
            ]
        )
