"""Rulesets of Speed Clue as values, and the array of numbers that the kernels read them as."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from molehunt.core.errors import BadParameter, UnknownName
from molehunt.core.language import _, later
from molehunt.core.seats import RANDOM_SEAT
from molehunt.core.specs import build, canonical, parameter, wrong_seats
from molehunt.games.speed_clue.edition import Edition, listed_deals, load_edition

MITCHELL_ORDER, CONTEST_ORDER = 0, 1

# Entries of the table that the kernels read.
SEATS, ORDER, FIRST_SEAT, LIMIT, CARDS, STARTS = 0, 1, 2, 3, 4, 5
ENVELOPE, HANDS = 9, 10
MAX_SEATS = 6
LAST_WORD = HANDS + MAX_SEATS
PARAMS_SIZE = LAST_WORD + 1
MIN_SEATS = 3
MAX_SUGGESTIONS = 256


@dataclass(frozen=True)
class Ruleset:
    """One way to play. The fields with a description can be set on the command line (`mitchell:deal=7`)."""

    name: str
    order: int
    seat_limits: tuple[int, int] = (MIN_SEATS, MAX_SEATS)
    cards: str = parameter(
        "report",
        later(
            "the card set: report, contest, small, clue, cluedo, clue-2016, master-detective, discover, or a JSON file"
        ),
    )
    deal: int = parameter(
        0, later("a listed deal of the report's appendix B, 1 to 8; 0 = dealt at random"), low=0, high=8
    )
    first_seat: int = parameter(
        0, later("the seat that begins; -1 = a random one"), low=RANDOM_SEAT, high=MAX_SEATS - 1
    )
    max_suggestions: int = parameter(
        MAX_SUGGESTIONS, later("a game ends undecided after so many"), low=1, high=MAX_SUGGESTIONS
    )
    last_word: bool = parameter(
        False, later("who makes the last suggestion that may be made may still accuse after it")
    )

    @property
    def edition(self) -> Edition:
        """The card set."""
        return load_edition(self.cards)

    def check(self, seats: int) -> None:
        """Raise BadParameter where so many seats cannot play this ruleset."""
        low, high = self.seat_limits
        if not low <= seats <= high:
            owner = "speed_clue" if self.seat_limits == (MIN_SEATS, MAX_SEATS) else f"speed_clue/{self.name}"
            raise BadParameter(wrong_seats(owner, self.seat_limits, seats))
        if self.first_seat >= seats:
            raise BadParameter(
                f"{self.name}: first_seat must be below the number of seats, {seats}, not {self.first_seat}"
            )
        if len(self.edition.names) - 3 < seats:
            raise BadParameter(f"{self.name}: the card set has too few cards for {seats} seats")
        if self.deal and (self.deal, seats) not in listed_deals():
            known = sorted(players for deal, players in listed_deals() if deal == self.deal)
            raise BadParameter(f"deal {self.deal} is listed for {', '.join(map(str, known))} seats, not {seats}")
        if self.deal and self.cards != "report":
            raise BadParameter("the listed deals are of the card set report")

    def params(self, seats: int) -> npt.NDArray[np.int64]:
        """The ruleset as the kernels read it: shape (PARAMS_SIZE,), entries named at the top of this module."""
        edition = self.edition
        params = np.zeros(PARAMS_SIZE, np.int64)
        params[SEATS] = seats
        params[ORDER] = self.order
        params[FIRST_SEAT] = self.first_seat
        params[LIMIT] = self.max_suggestions
        params[CARDS] = len(edition.names)
        params[LAST_WORD] = self.last_word
        for category in range(3):
            params[STARTS + category] = edition.first(category)
        params[STARTS + 3] = len(edition.names)
        if self.deal:
            deal = listed_deals()[self.deal, seats]
            params[ENVELOPE] = edition.mask(deal["envelope"])
            for seat, hand in enumerate(deal["hands"]):
                params[HANDS + seat] = edition.mask(hand)
        return params


MITCHELL = Ruleset("mitchell", MITCHELL_ORDER)
"""The platform of the 2020 report: accuse, or suggest and then perhaps accuse."""
CONTEST = Ruleset("contest", CONTEST_ORDER, cards="contest")
"""The public contest of 2014: a suggestion must be made, an accusation may follow."""

SMALL = Ruleset("small", MITCHELL_ORDER, seat_limits=(2, 3), cards="small", max_suggestions=2)
"""Seven cards, two suggestions: small enough for its game tree to be listed. Turns as on the platform of 2020."""

RULESETS: dict[str, Ruleset] = {"mitchell": MITCHELL, "contest": CONTEST, "small": SMALL}


def ruleset_from_text(name: str, items: list[str]) -> Ruleset:
    """The ruleset of a name and its `key=value` items; UnknownName or BadParameter says what would be right."""
    if name not in RULESETS:
        raise UnknownName(_("ruleset of {game}", game="speed_clue"), name, RULESETS)
    return build(f"ruleset {name}", {name: RULESETS[name]}, items)


def ruleset_to_text(ruleset: Ruleset) -> str:
    """The ruleset as it is typed; `ruleset_from_text` reads it back."""
    return canonical(ruleset.name, {ruleset.name: RULESETS[ruleset.name]}, ruleset)
