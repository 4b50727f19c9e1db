"""What can be set in `mole`, and its editions."""

from __future__ import annotations

from dataclasses import dataclass

from molehunt.core.language import later
from molehunt.core.specs import parameter
from molehunt.games.saboteur.ruleset import Ruleset
from molehunt.games.saboteur.views import MAX_ACTIONS

MOST_AHEAD = 200
"""More moves than a round has."""


@dataclass(frozen=True)
class Parameters:
    """What can be set in `mole`."""

    worlds: int = parameter(
        2,
        later("worlds in which all moves are played on; twice as many whenever half are left out"),
        low=1,
        high=1 << 20,
    )
    kept: int = parameter(3, later("moves that are compared further"), low=1, high=MAX_ACTIONS)
    glance: int = parameter(
        1,
        later("moves that are played on before a forecast is asked, while all are compared; 0 = all"),
        low=0,
        high=MOST_AHEAD,
    )
    ahead: int = parameter(5, later("the same once the worse half has been left out"), low=0, high=MOST_AHEAD)
    own: bool = parameter(
        False,
        later(
            "where games are played on, `learned` makes the own moves, if it has weights for the ruleset and the seats"
        ),
    )
    prior: float = parameter(
        0.05,
        later(
            "how much the logarithm of the chance counts with which `learned` makes a move in training, where it has weights"
        ),
        low=0.0,
        high=100.0,
    )
    gold_prior: float = parameter(
        -1.0,
        later("the same where gold is shared out (payment=shares); below 0 = as much as `prior`"),
        low=-1.0,
        high=100.0,
    )
    faith: float = parameter(
        0.03,
        later("miner: how much more than it brings the move of a player of 2019 is taken to be worth"),
        low=0.0,
        high=2.0,
    )
    noticed: bool = parameter(
        True,
        later(
            "what a move tells the others counts; else their trust stays as it was before the moves that are compared"
        ),
    )
    speaks: float = parameter(
        0.6,
        later(
            "where players may speak: the chance of being a saboteur from which on a seat is accused; above 1 nothing is said"
        ),
        low=0.0,
        high=2.0,
    )
    seconds: float = parameter(
        0.0, later("time for one move instead, in seconds; 0 = as many worlds as said"), low=0.0, high=3600.0
    )
    threads: int = parameter(
        1,
        later(
            "threads that play on; 0 = one a processor; without a clock it changes no move, and pays where one takes milliseconds"
        ),
        low=0,
        high=256,
    )

    def prior_in(self, ruleset: Ruleset) -> float:
        """How much `learned` counts under a ruleset."""
        return self.gold_prior if ruleset.payment == "shares" and self.gold_prior >= 0.0 else self.prior


EDITIONS: dict[str, Parameters] = {
    "fast": Parameters(),
    "strong": Parameters(worlds=32, kept=8, glance=4, ahead=0, own=True, prior=0.0, gold_prior=0.05),
}
