"""Actions as numbers from 0 and views as flat arrays, for every game: what learning programs ask for."""

from __future__ import annotations

from molehunt.adapters.spaces.base import Spaces
from molehunt.core.errors import BadInput
from molehunt.core.game import Game

Window = tuple[int, int, int, int]


def spaces_of(game: Game, window: Window | None = None) -> Spaces:
    """The numbering of the actions of a game, and its observations.

    `window`, for Saboteur in an open mine, is the part of the mine that is numbered and seen: the smallest x and y and the
    largest x and y, both included; without it, all that a maze can reach. BadInput where it is none, or where the game has no
    spaces.
    """
    if game.name == "saboteur":
        from molehunt.adapters.spaces.saboteur import SaboteurSpaces
        from molehunt.games.saboteur.game import check_game

        return SaboteurSpaces(check_game("these spaces", game), window)
    if window is not None:
        raise BadInput(f"a window is for Saboteur in an open mine, not for {game.label}")
    if game.name == "duel":
        from molehunt.adapters.spaces.duel import DuelSpaces

        return DuelSpaces(game)
    if game.name == "speed_clue":
        from molehunt.adapters.spaces.speed_clue import ClueSpaces
        from molehunt.games.speed_clue.game import check_game as check_clue

        return ClueSpaces(check_clue("these spaces", game))
    raise BadInput(f"{game.name} has no spaces; there are those of saboteur, duel and speed_clue")


def action_space(game: Game, window: Window | None = None) -> Spaces:
    """The numbering of the actions of a game: `size`, `code`, `index`, `codes_many`, `mask_many`. See `spaces_of`."""
    return spaces_of(game, window)
