"""What a seat saw when a round was dealt, found again at its first move in it."""

from __future__ import annotations

import numpy as np
import pytest

from molehunt.core.seats import NOBODY
from molehunt.core.streams import game_seeds
from molehunt.games.registry import make_game
from molehunt.games.saboteur.game import Saboteur


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [("official", 3), ("official+talk:speak=yes", 6), ("veldhuis", 5), ("krisnadi:rounds=3,hidden_role=yes", 10)],
)
def test_what_was_seen_at_the_deal_is_found_again_at_the_first_move(ruleset: str, seats: int) -> None:
    game = make_game("saboteur", ruleset, seats)
    assert isinstance(game, Saboteur)
    chance, states = np.random.default_rng(1), game.new(game_seeds(1, 0, 1))
    told = [np.zeros((0, seats), game.event_dtype)]
    dealt, begun, moved, found = game.views_of_all(states), 0, set[int](), 0
    while (seat := int(game.to_move(states)[0])) != NOBODY:
        view = game.views(states, np.array([seat], np.int8))
        again = game.as_dealt(view, np.concatenate(told)[:, seat])
        if states["round"][0] == 0 or seat in moved:
            assert again is None
        else:
            assert again is not None
            assert again[0].tobytes() == dealt[seat : seat + 1].tobytes()
            assert len(again[1]) == len(told) - 1 - begun
            found += len(again[1]) > 0
        moved.add(seat)
        told.append(game.apply(states, np.array([chance.choice(game.legal_in(states).codes)], np.int32)))
        if states["round"][0] > view["round"][0]:
            dealt, begun, moved = game.views_of_all(states), len(told) - 1, set()
    assert found >= 2 * (seats - 1)
