"""Puzzles from Speed Clue: name the envelope, which has just become certain to a seat by the rules alone."""

from __future__ import annotations

import numpy as np

from molehunt.analysis.puzzle import OPTIONS, Maker, Option, Puzzle, cut, played_game
from molehunt.beliefs.deals.facts import cards_in
from molehunt.beliefs.deals.layers import envelope_weights
from molehunt.core.language import _
from molehunt.core.words import joined
from molehunt.games.speed_clue.actions import PLAY_SHIFT, SUGGEST, TRIPLE, triple_mask
from molehunt.games.speed_clue.game import check_game
from molehunt.games.speed_clue.resample import facts_of_views
from molehunt.table.people import NAMES

PLAYERS = ("advanced", "combined", "advanced", "combined")
BEFORE = 12
"""The other answers are envelopes that were possible so many moves before."""


def name_the_envelope(seed: int) -> Puzzle | None:
    """The first moment of a game at which some seat can name the envelope; None where the game ends before.

    Nor is there one where somebody has asked for the very cards of the envelope: then it stands in the story.
    """
    played = played_game("speed_clue", "mitchell", PLAYERS, seed)
    game = check_game("the puzzle", played.game)
    seats = np.arange(game.seats, dtype=np.int8)

    def possible(place: int, seat: int) -> list[int]:
        """The envelopes that a seat must hold possible, as sets of cards."""
        view = game.views(played.states[place], seats[seat : seat + 1])
        masks, weights, _exact = envelope_weights(facts_of_views(view, game.params))
        return [int(mask) for mask in masks[weights > 0]]

    for place in range(BEFORE, len(played.actions)):
        for seat in range(game.seats):
            left = possible(place, seat)
            earlier = possible(place - BEFORE, seat)
            if len(left) == 1 and len(earlier) >= OPTIONS:
                asked = {
                    int(triple_mask(action & TRIPLE))
                    for action in played.actions[:place]
                    if action >> PLAY_SHIFT == SUGGEST
                }
                if left[0] in asked:
                    return None
                chance = np.random.default_rng(seed)
                wrong = [mask for mask in earlier if mask != left[0]]
                offered = [left[0], *chance.permutation(wrong)[: OPTIONS - 1].tolist()]
                names = {mask: joined(game.edition.said(card) for card in cards_in(mask)) for mask in offered}
                return cut(
                    played,
                    place,
                    seat,
                    [Option(names[mask], float(mask == left[0])) for mask in chance.permutation(offered).tolist()],
                    kind="envelope",
                    question=_("What is in the envelope?"),
                    told=_("You are {name}. What has happened leaves one envelope.", name=NAMES[seat]),
                    why=_(
                        "{cards}: of {number} envelopes {moves} moves ago no other is left.",
                        cards=names[left[0]],
                        number=len(earlier),
                        moves=BEFORE,
                    ),
                )
    return None


ENVELOPE = Maker("speed_clue", name_the_envelope)
