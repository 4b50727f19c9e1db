"""How often the sheet of a player of Speed Clue misses a fact that is certain."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.arena.workers import Workers, each_in_order, the_game, the_player
from molehunt.beliefs.deals.layers import place_weights
from molehunt.core.kernels import bit, kernel
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.speed_clue.game import check_game
from molehunt.games.speed_clue.resample import facts_of_view
from molehunt.games.speed_clue.ruleset import SEATS
from molehunt.games.speed_clue.state import TURN
from molehunt.reading.speed_clue.knowledge import read_record

Window = tuple[int, int] | None
WINDOWS: tuple[tuple[int, int], ...] = ((0, 4), (4, 8), (8, 12), (12, 16), (16, 24), (24, 257))
"""Numbers of suggestions made so far: from, and below."""
CHUNK = 16


@kernel
def misses_something(views: Any, minds: Any, row: int, strategy: Any, params: Any, places: Any) -> bool:
    """Whether something is certain at the first view that is not on the sheet of the chair, after it has read the record."""
    view = views[0]
    mind = minds[row]
    cross_reference = strategy[0].cross_reference != 0.0
    deduction_6, repeats = int(strategy[0].deduction_6), int(strategy[0].repeats)
    read_record(mind, view, False, deduction_6, repeats, cross_reference, 0.0, params)
    total = place_weights(facts_of_view(view, params), places)
    seats = params[SEATS]
    for card in range(len(places)):
        somewhere = False
        for place in range(seats):
            somewhere = somewhere or places[card, place] > 0
        if not somewhere:
            continue  # one's own
        spot = bit(card)
        for holder in range(seats - 1):
            other = (view.seat + 1 + holder) % seats
            if places[card, holder] == 0 and not mind.lacks[other] & spot:
                return True
            if places[card, holder] == total and not mind.owned[other] & spot:
                return True
        if places[card, seats - 1] == 0 and not mind.not_envelope & spot:
            return True
        if places[card, seats - 1] == total and not mind.envelope & spot:
            return True
    return False


def count_missed(
    player: str, seats: int, games: int, seed: int, workers: Workers
) -> dict[Window, npt.NDArray[np.int64]]:
    """(states, states in which something is missed) of each game of one player against itself, by suggestions made; None: all.

    A state is the beginning of a turn, seen by the seat on turn. Shape (2, games) each: what is missed once is missed again
    later, so it is games that are independent of each other, not states.
    """
    pieces = ((player, seats, seed, first, min(CHUNK, games - first)) for first in range(0, games, CHUNK))
    counts = np.concatenate(list(each_in_order(workers, count_range, pieces)))
    return dict(zip((None, *WINDOWS), counts.transpose(1, 2, 0), strict=True))


def count_range(player: str, seats: int, seed: int, first: int, games: int) -> npt.NDArray[np.int64]:
    """The same for some games of a run: shape (games, 1 + windows, 2), those of all suggestions first."""
    game = check_game("the study", the_game("speed_clue", "mitchell", seats))
    agent = the_player("speed_clue", player)
    seeds = game_seeds(seed, first, games)
    states = game.new(seeds)
    streams = seat_streams(seeds, game.seats)
    rows = np.zeros(1, np.int64)
    memories = [
        agent.start(game, game.views(states, np.full(games, seat, np.int8)), streams[:, seat].copy())
        for seat in range(game.seats)
    ]
    places = np.empty((64, game.seats))
    counts = np.zeros((games, 1 + len(WINDOWS), 2), np.int64)
    for row in range(games):
        state = states[row : row + 1]
        while (seat := int(game.to_move(state)[0])) >= 0:
            view = game.views(state, np.array([seat], np.int8), rows)
            memory = memories[seat]
            if view[0]["phase"] == TURN:
                made = int(view[0]["suggestion_count"])
                wanting = bool(misses_something(view, memory.minds, row, memory.parameters, memory.params, places))
                here = [True, *(start <= made < end for start, end in WINDOWS)]
                counts[row, here] += [1, wanting]
            game.apply(state, agent.act(view, memories[seat], np.array([row])))
    return counts
