"""Rulesets of the duel as values."""

from __future__ import annotations

from dataclasses import dataclass

from molehunt.core.errors import BadParameter, UnknownName
from molehunt.core.language import _
from molehunt.core.specs import build, canonical, wrong_seats
from molehunt.games.duel.state import SEATS


@dataclass(frozen=True)
class Ruleset:
    """One way to play. Nothing can be set."""

    name: str

    def check(self, seats: int) -> None:
        """Raise BadParameter where so many seats cannot play this ruleset."""
        if seats != SEATS:
            raise BadParameter(wrong_seats("duel", (SEATS, SEATS), seats))


MCGILL = Ruleset("mcgill")
"""The course project of McGill University, COMP 424, winter 2020."""

RULESETS: dict[str, Ruleset] = {"mcgill": MCGILL}


def ruleset_from_text(name: str, items: list[str]) -> Ruleset:
    """The ruleset of a name and its `key=value` items; UnknownName or BadParameter says what would be right."""
    if name not in RULESETS:
        raise UnknownName(_("ruleset of {game}", game="duel"), name, RULESETS)
    return build(f"ruleset {name}", {name: RULESETS[name]}, items)


def ruleset_to_text(ruleset: Ruleset) -> str:
    """The ruleset as it is typed; `ruleset_from_text` reads it back."""
    return canonical(ruleset.name, {ruleset.name: RULESETS[ruleset.name]}, ruleset)
