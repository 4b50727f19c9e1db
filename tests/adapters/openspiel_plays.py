"""Plays inside OpenSpiel that the tests of that door share."""

from __future__ import annotations

from typing import Any

import numpy as np

from molehunt.adapters.openspiel.games import load_game, new_play

EVERY_RULESET = (
    ("saboteur/krisnadi", 5),
    ("saboteur/veldhuis", 5),
    ("saboteur/official+talk", 4),
    ("saboteur/small", 2),
    ("duel/mcgill", 2),
    ("speed_clue/mitchell", 4),
    ("speed_clue/contest", 3),
    ("speed_clue/small", 3),
)
LARGE = (("saboteur/krisnadi", 5), ("duel/mcgill", 2), ("speed_clue/mitchell", 3))
SMALL = (("saboteur/small", 2), ("speed_clue/small", 2))


def random_play(label: str, seats: int, number: int, moves: int | None = None, seed: int = 0) -> Any:
    """A play that random moves have brought to its end, or by so many moves, none of them an accusation."""
    state = new_play(load_game(label, seats, seed), number)
    choices = np.random.default_rng(number)
    while not state.is_terminal() and (moves is None or state.position.moves < moves):
        legal = state.legal_actions()
        if moves is not None:
            quiet = [action for action in legal if not state.action_to_string(action).startswith("accuse")]
            legal = quiet or legal
        state.apply_action(int(choices.choice(legal)))
    return state
