"""With three players and the whole card set: every mark of the sheet holds in all deals that agree with the record."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.agents.registry import Agents
from molehunt.beliefs.deals.layers import place_weights
from molehunt.core.streams import game_seeds, seat_streams
from molehunt.games.registry import make_game
from molehunt.games.speed_clue.resample import facts_of_views
from molehunt.games.speed_clue.state import ANSWER

SEATS = 3
CARDS = 21
GAMES = 12


def places_of(view: np.ndarray, table: np.ndarray) -> tuple[float, np.ndarray]:
    """How many deals agree with a view, and in how many each card is with each of the two others or in the envelope."""
    places = np.zeros((64, SEATS))
    total = place_weights(facts_of_views(view, table), places)
    return float(total), places


@pytest.mark.parametrize("agent", ["advanced", "mixed", "advanced:cross_reference=yes", "basic:deduction_6=never"])
def test_every_mark_holds_in_all_deals_of_three_players(agent: str) -> None:
    game = make_game("speed_clue", "mitchell", SEATS)
    player = Agents("speed_clue").make(agent)
    seeds = game_seeds(21, 0, GAMES)
    streams = seat_streams(seeds, SEATS)
    checked = found = 0
    for seed, stream in zip(seeds, streams, strict=True):
        state = game.new(np.array([seed], np.uint64))
        memories = [
            player.start(game, game.views(state, np.array([seat], np.int8)), stream[seat : seat + 1])
            for seat in range(SEATS)
        ]
        while (seat := int(game.to_move(state)[0])) >= 0:
            view = game.views(state, np.array([seat], np.int8))
            action = player.act(view, memories[seat], np.array([0]))
            if view[0]["phase"] != ANSWER and view[0]["suggestion_count"]:
                total, places = places_of(view, game.params)
                mind = memories[seat].minds[0]
                assert total >= 1
                for card in range(CARDS):
                    if int(view[0]["hand"]) >> card & 1:
                        continue
                    for step in (1, 2):
                        other = (seat + step) % SEATS
                        if int(mind["owned"][other]) >> card & 1:
                            assert places[card, step - 1] == total
                        if int(mind["lacks"][other]) >> card & 1:
                            assert places[card, step - 1] == 0
                    if int(mind["envelope"]) >> card & 1:
                        assert places[card, SEATS - 1] == total
                        found += 1
                    if int(mind["not_envelope"]) >> card & 1:
                        assert places[card, SEATS - 1] == 0
                        checked += 1
            game.apply(state, action)
    assert checked > 50 * GAMES
    assert found > GAMES
