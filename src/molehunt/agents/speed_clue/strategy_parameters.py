"""The parameters of the family of `strategies`, and what they are for the players that are published."""

from __future__ import annotations

from dataclasses import dataclass, replace

from molehunt.core.language import later
from molehunt.core.specs import parameter

ASK = ("basic", "next_not_held", "next_possible", "previous_possible", "no_intelligence", "mixed", "by_hand")
BASIC, NEXT_NOT_HELD, NEXT_POSSIBLE, PREVIOUS_POSSIBLE, NO_INTELLIGENCE, MIXED, BY_HAND = range(7)
CHOICES = ("random", "systematic")
RANDOM, SYSTEMATIC = range(2)
DEDUCTION_6 = ("sound", "never", "not_at_deal")
SOLVED = ("any", "own", "not_held", "envelope")
SOLVED_ANY, SOLVED_OWN, SOLVED_NOT_HELD, SOLVED_ENVELOPE = range(4)
FALLBACK = ("report", "ideal_or_basic", "one_only", "unsolved_only")
FALL_REPORT, FALL_IDEAL_OR_BASIC, FALL_ONE_ONLY, FALL_UNSOLVED_ONLY = range(4)
SUSPECTS = ("target", "avoid")
TARGET, AVOID = range(2)
POSSIBLE = ("two", "first")
TWO_PLAYERS, FIRST_PLAYER = range(2)
SHOWS = ("first", "random", "most_shown", "last", "least")
SHOW_FIRST, SHOW_RANDOM, SHOW_MOST_SHOWN, SHOW_LAST, SHOW_LEAST = range(5)


@dataclass(frozen=True)
class Strategy:
    """The parameters; the defaults are the report's `basic`."""

    ask: str = parameter("basic", later("how suggestions are made"), choices=ASK)
    choice: str = parameter(
        "random", later("which of equally good cards: a random one, or the first of the list"), choices=CHOICES
    )
    show: str = parameter(
        "first",
        later(
            "which card is shown if none was shown to the asker before (4.4.4: most_shown; least: and named most often)"
        ),
        choices=SHOWS,
    )
    reshow: bool = parameter(True, later("show a card again that the asker has seen, where there is one"))
    solved: str = parameter(
        "any",
        later("the card of a solved category: any; an own one (4.4.1); not held by the next (6.3.1); the envelope's"),
        choices=SOLVED,
    )
    all_opponents: bool = parameter(False, later("4.4.2: look at all opponents, not only at the next or previous one"))
    repeats: int = parameter(
        0, later("4.4.3: a card that an opponent suggests so often is taken as held; 0 = never"), low=0, high=100
    )
    suspects: str = parameter(
        "target",
        later(
            "such a card is named to confirm it, with own cards beside it (4.4.3, 6.3.2); or not named (6.3.2, of advanced)"
        ),
        choices=SUSPECTS,
    )
    possible: str = parameter(
        "two",
        later(
            "4.4.2, next_possible over all: a card of the next player and another of the one after; or of the first alone"
        ),
        choices=POSSIBLE,
    )
    cross_reference: bool = parameter(False, later("6.3.2: go through the whole record again after every new fact"))
    deduction_6: str = parameter("sound", later("when deduction 6 fires"), choices=DEDUCTION_6)
    fallback: str = parameter(
        "report", later("what next_not_held does short of the ideal suggestion"), choices=FALLBACK
    )
    accuse_after: bool = parameter(
        True, later("accuse after one's own suggestion, too, not only at the start of a turn")
    )
    own: float = parameter(
        0.0, later("how often an own card is named on purpose, against naming cards at random (1)"), low=0.0, high=3.0
    )
    seen: float = parameter(
        0.0,
        later("how often a card is named that another is known to have, against naming at random (1)"),
        low=0.0,
        high=3.0,
    )
    bluffs: int = parameter(
        0, later("own cards are named on purpose in so many of one's first suggestions; 0 = in all"), low=0, high=100
    )
    cover: bool = parameter(False, later("name own cards in all categories but one at a time, not in each by itself"))
    missed: float = parameter(
        0.0, later("the chance that an answer to another's suggestion is overlooked"), low=0.0, high=1.0
    )
    guess: int = parameter(1, later("accuse as soon as no more than so many envelopes are open"), low=1, high=100)


BASIC_PLAYER = Strategy()
ADVANCED_PLAYER = Strategy(ask="next_not_held")


def kingston(ask: str) -> dict[str, Strategy]:
    """One of Kingston's five: chosen at random, or systematically in the order of the list."""
    return {"random": Strategy(ask=ask), "systematic": Strategy(ask=ask, choice="systematic")}


BASIC_EDITIONS = {"basic": BASIC_PLAYER}
ADVANCED_EDITIONS = {"advanced": ADVANCED_PLAYER}
NO_INTELLIGENCE_EDITIONS = kingston("no_intelligence")
DEDUCTION_ONLY_EDITIONS = kingston("basic")
NEXT_POSSIBLE_EDITIONS = kingston("next_possible")
PREVIOUS_POSSIBLE_EDITIONS = kingston("previous_possible")
NEXT_NOT_HELD_EDITIONS = kingston("next_not_held")
COMBINED_PLAYER = replace(ADVANCED_PLAYER, solved="envelope", cross_reference=True, all_opponents=True)
COMBINED_EDITIONS = {
    "combined": COMBINED_PLAYER,
}
MIXED_EDITIONS = {
    "mixed": replace(ADVANCED_PLAYER, ask="mixed", solved="not_held", cross_reference=True, all_opponents=True)
}
