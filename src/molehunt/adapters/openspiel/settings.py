"""What a play inside OpenSpiel is played with: the game, its numbered actions, its deals.

Chance moves come first and only first. Where the deals of a game can be listed, one chance move picks a deal. Elsewhere the
deal is the game of that number in a run of the arena with the same seed, and chance moves say the number, eight bits each.
So a history holds the whole play, and deal 7 is the arena's game 7.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from molehunt.adapters.spaces import spaces_of
from molehunt.core.errors import BadInput, value_text
from molehunt.core.game import States, Views
from molehunt.core.numbers import is_whole
from molehunt.core.streams import game_seeds
from molehunt.games.compiled import CompiledGame
from molehunt.games.registry import game_entry, make_game

DIGITS, DIGIT_BITS = 4, 8
"""How many chance moves number a deal that is not listed, and how many bits each says."""
DIGIT_OUTCOMES = 1 << DIGIT_BITS

MOST_SEED = 2**31 - 1
"""OpenSpiel keeps whole numbers in 32 bits."""
SETTINGS_KEPT = 32
OURS, THEIRS = ",=", ";~"
"""OpenSpiel separates parameters by commas and equals signs, so a ruleset is written with others there."""


def to_parameter(ruleset: str) -> str:
    """A ruleset as a parameter of OpenSpiel: `krisnadi:saboteurs=2,first_seat=0` as `krisnadi:saboteurs~2;first_seat~0`."""
    return ruleset.translate(str.maketrans(OURS, THEIRS))


def from_parameter(text: str) -> str:
    """The ruleset of a parameter of OpenSpiel."""
    return text.translate(str.maketrans(THEIRS, OURS))


class Setting:
    """A game with its numbered actions and its deals: what all plays of it share.

    Attributes: `game`; `spaces`; `listed`, the deals and their probabilities where they can be listed, else None; `seed`, of the
    run whose games the others are; `longest`, a bound on the moves of one play; `kept`, how many positions are remembered.
    """

    def __init__(self, name: str, ruleset: str, seats: int, seed: int) -> None:
        check_spiel_seed(seed)
        self.game = cast("CompiledGame", make_game(name, ruleset, seats))
        self.spaces = spaces_of(self.game)
        self.seed = seed
        self.longest = game_entry(name).longest_play(self.game)
        self.kept = 0
        self.listed: tuple[States, npt.NDArray[np.float64]] | None
        try:
            self.listed = self.game.deals()
        except BadInput:
            self.listed = None

    def __reduce__(self) -> Any:
        return setting_of, (self.game.name, self.game.spec, self.game.seats, self.seed)

    @property
    def chance_moves(self) -> int:
        """How many chance moves deal the cards."""
        return 1 if self.listed else DIGITS

    @property
    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(outcome, probability) of each chance move."""
        if self.listed:
            return [(number, float(chance)) for number, chance in enumerate(self.listed[1])]
        return [(digit, 1 / DIGIT_OUTCOMES) for digit in range(DIGIT_OUTCOMES)]

    def deal(self, outcomes: tuple[int, ...]) -> States:
        """The state that is dealt by these chance moves: shape (1,)."""
        number = deal_number(outcomes)
        if self.listed:
            return self.listed[0][number : number + 1].copy()
        return self.game.new(self.game_seed(number))

    def mover(self, view: Views) -> int:
        """The seat to move, from a view: shape (1,). What a seat acts at is its own view."""
        return int(self.game.to_move(self.game.resample(view, np.zeros(1, np.uint64)))[0])

    def game_seed(self, number: int) -> npt.NDArray[np.uint64]:
        """The seed of the game of this number in the run: shape (1,)."""
        return game_seeds(self.seed, number, 1)


def deal_number(outcomes: tuple[int, ...]) -> int:
    """The number of the deal that chance moves say, the highest bits first."""
    number = 0
    for outcome in outcomes:
        number = number << DIGIT_BITS | outcome
    return number


def deal_outcomes(setting: Setting, number: int) -> list[int]:
    """The chance moves that deal the game of a number; BadInput where there is no such deal."""
    most = len(setting.listed[1]) if setting.listed else DIGIT_OUTCOMES**DIGITS
    if not is_whole(number) or not 0 <= number < most:
        raise BadInput(f"{setting.game.label} has deals 0 to {most - 1}, not {value_text(number)}")
    if setting.listed:
        return [number]
    return [number >> DIGIT_BITS * place & (DIGIT_OUTCOMES - 1) for place in reversed(range(DIGITS))]


def check_spiel_seed(seed: Any) -> int:
    """A seed as OpenSpiel holds it, in 32 bits; BadInput where it is none."""
    if not is_whole(seed) or not 0 <= seed <= MOST_SEED:
        raise BadInput(f"a seed in OpenSpiel is a whole number from 0 to {MOST_SEED}, not {value_text(seed)}")
    return int(seed)


@lru_cache(SETTINGS_KEPT)
def setting_of(name: str, ruleset: str, seats: int, seed: int = 0) -> Setting:
    """The setting of a game, made once. UnknownName, BadParameter or BadInput where there is no such game."""
    return Setting(name, ruleset, seats, seed)
