"""Rulesets of The Resistance as values, and the tables of its rule book."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadParameter, UnknownName
from molehunt.core.specs import build, canonical, parameter
from resistance.state import ATTEMPTS, MISSIONS, MOST_SEATS, PARAMS, PARAMS_NEEDED, PARAMS_SIZES

LEAST_SEATS = 5
SPIES = {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
"""How many spies there are, by the number of players."""
TEAM_SIZES = {
    5: (2, 3, 2, 3, 3),
    6: (2, 3, 4, 3, 4),
    7: (2, 3, 3, 4, 4),
    8: (3, 4, 4, 5, 5),
    9: (3, 4, 4, 5, 5),
    10: (3, 4, 4, 5, 5),
}
"""The table of missions: how many go on each, by the number of players."""
TWO_FAILS_FROM = 7
"""With so many players or more, the fourth mission fails with two fails only."""
FOURTH = 3


@dataclass(frozen=True)
class Ruleset:
    """One way to play."""

    name: str
    spies: int = parameter(0, "how many spies there are; 0: as the table of the rule book says", low=0, high=4)
    two_fails: bool = parameter(True, "with 7 players or more the fourth mission needs two fails to fail")
    rejections: int = parameter(ATTEMPTS, "so many rejected teams in a row win for the spies", low=1, high=ATTEMPTS)

    def check(self, seats: int) -> None:
        """Raise BadParameter where so many seats cannot play this ruleset."""
        if not LEAST_SEATS <= seats <= MOST_SEATS:
            raise BadParameter(f"resistance is played by {LEAST_SEATS} to {MOST_SEATS} seats, not {seats}")
        if 2 * self.spies_of(seats) >= seats:
            raise BadParameter(f"the spies are the smaller side: {self.spies} of {seats} seats are too many")

    def spies_of(self, seats: int) -> int:
        """How many spies there are among so many seats."""
        return self.spies or SPIES[seats]

    def team_sizes(self, seats: int) -> tuple[int, ...]:
        """How many go on each mission."""
        return TEAM_SIZES[seats]

    def fails_needed(self, seats: int) -> tuple[int, ...]:
        """How many fails each mission fails with."""
        return tuple(
            2 if self.two_fails and mission == FOURTH and seats >= TWO_FAILS_FROM else 1 for mission in range(MISSIONS)
        )

    def params(self, seats: int) -> npt.NDArray[np.int64]:
        """The ruleset for so many seats as the array of numbers that kernels read; `state` says where each stands."""
        result = np.zeros(PARAMS, np.int64)
        result[:3] = seats, self.spies_of(seats), self.rejections
        result[PARAMS_SIZES : PARAMS_SIZES + MISSIONS] = self.team_sizes(seats)
        result[PARAMS_NEEDED : PARAMS_NEEDED + MISSIONS] = self.fails_needed(seats)
        result.setflags(write=False)
        return result


STANDARD = Ruleset("standard")
"""The rule book of 2009, without plot cards and expansions."""

RULESETS: dict[str, Ruleset] = {"standard": STANDARD}


def ruleset_from_text(name: str, items: list[str]) -> Ruleset:
    """The ruleset of a name and its `key=value` items; UnknownName or BadParameter says what would be right."""
    if name not in RULESETS:
        raise UnknownName("ruleset of resistance", name, RULESETS)
    return build(f"ruleset {name}", {name: RULESETS[name]}, items)


def ruleset_to_text(ruleset: Ruleset) -> str:
    """The ruleset as it is typed; `ruleset_from_text` reads it back."""
    return canonical(ruleset.name, {ruleset.name: RULESETS[ruleset.name]}, ruleset)
