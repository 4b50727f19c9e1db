"""What is given to the Python face and is of a wrong kind is refused in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import molehunt
from molehunt.core.streams import game_seeds as drawn
from molehunt.core.streams import seat_streams as started

GAME = molehunt.make_game("saboteur", "krisnadi", 5)
WRONG: tuple[Any, ...] = ("a", None, 1.5, -1, 2**70, {}, [None], [[1]], object(), float("nan"))


def _with_roles(roles: Any) -> molehunt.Position:
    given: Any = [None] if roles is None else roles
    return molehunt.Position(GAME, 1, given)


def test_seeds_and_streams_are_those_that_a_run_draws() -> None:
    assert molehunt.game_seeds(7, 3, 5).tolist() == drawn(7, 3, 5).tolist()
    seeds = molehunt.game_seeds(7, 0, 5)
    assert molehunt.seat_streams(seeds, 4, 2).tolist() == started(seeds, 4, 2).tolist()
    assert molehunt.seat_streams([7], 4).tolist() == started(np.array([7], np.uint64), 4).tolist()


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lambda wrong: molehunt.game_seeds(wrong, 0, 1), "a seed is a whole number from 0 to"),
        (lambda wrong: molehunt.game_seeds(0, wrong, 1), "the first game is a whole number from 0 on"),
        (lambda wrong: molehunt.game_seeds(0, 0, wrong), "how many games there are is a whole number"),
        (lambda wrong: molehunt.seat_streams([1], wrong), "how many seats there are is a whole number"),
        (lambda wrong: molehunt.seat_streams([1], 2, wrong), "a salt is a whole number"),
        (lambda wrong: molehunt.seat_streams(wrong, 2), "seeds are whole numbers from 0 on, one for each game"),
        (GAME.new, "seeds are whole numbers from 0 on, one for each game"),
        (lambda wrong: molehunt.play(wrong, [], [1]), "a game is what make_game makes"),
        (lambda wrong: molehunt.Position(wrong, 1), "a game is what make_game makes"),
        (_with_roles, "roles are whole numbers, one a seat"),
        (molehunt.Position(GAME, 1).before, "there is no move"),
        (lambda wrong: molehunt.Replay(wrong, molehunt.make_game), "a record is what parse_record and read_records"),
    ],
)
def test_what_is_of_a_wrong_kind_is_refused_in_a_sentence(given: Callable[[Any], Any], said: str, wrong: Any) -> None:
    with pytest.raises(molehunt.BadInput, match=said):
        given(wrong)


@pytest.mark.parametrize("wrong", [None, 1.5, -1, {}, object()], ids=repr)
def test_what_is_no_text_is_refused_in_a_sentence(wrong: Any) -> None:
    with pytest.raises(molehunt.BadRecord, match="a record is a line of text"):
        molehunt.parse_record(wrong)
    with pytest.raises(molehunt.BadRecord, match="a file of records is named by its path"):
        list(molehunt.read_records(wrong))
    with pytest.raises(molehunt.BadInput, match="in an element there are elements and text"):
        molehunt.element("g", wrong)
    for name, seats in (("saboteur", 5), ("duel", 2), ("speed_clue", 3)):
        game = molehunt.deal(name, seats=seats).game
        with pytest.raises(molehunt.BadNotation, match="a move is written as a text"):
            game.parse_action(wrong)
