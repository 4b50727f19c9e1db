"""Actions as numbers from 0 and views as flat arrays, for every game: what learning programs ask for."""

from __future__ import annotations

import inspect
from typing import Any

from molehunt.adapters.spaces.base import Spaces
from molehunt.adapters.spaces.general import GeneralSpaces
from molehunt.core.errors import BadInput
from molehunt.core.game import Game, check_is_game
from molehunt.games.registry import game_entry

Window = tuple[int, int, int, int]


def spaces_of(game: Game, window: Window | None = None) -> Spaces:
    """The numbering of the actions of a game, and its observations.

    `window`, for Saboteur in an open mine, is the part of the mine that is numbered and seen: the smallest x and y and the
    largest x and y, both included; without it, all that a maze can reach. BadInput where it is none, or where the game's entry
    names neither spaces nor actions.
    """
    check_is_game(game)
    make: Any = game_entry(game.name).get("spaces") or GeneralSpaces
    if window is not None and "window" not in inspect.signature(make).parameters:
        raise BadInput(f"a window is for Saboteur in an open mine, not for {game.label}")
    spaces: Spaces = make(game) if window is None else make(game, window)
    return spaces


def action_space(game: Game, window: Window | None = None) -> Spaces:
    """The numbering of the actions of a game: `size`, `code`, `index`, `codes_many`, `mask_many`. See `spaces_of`."""
    return spaces_of(game, window)
