"""Habits of players of the duel, and how a stranger's are drawn from a seed.

A stranger is a mixture: each habit is drawn by itself, so every pair of habits meets in some stranger. The space is described
in docs/strangers.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.core.language import later
from molehunt.core.streams import game_seeds

NEVER, NEAR, FIRST = range(3)
"""When a map is played: not before nothing better is left, when the way is short, before all else."""
AT_ONCE, SAVED, IN_ANSWER, UNPLAYED = range(4)
"""When a malus is played: as soon as it is held, when the way is short, after one from the other, not at all."""
COLUMNS, WAY = range(2)
"""How far it is to the goal: the rows and columns between; what the cheapest way costs."""
WORST, DEAD_ENDS, OLDEST, ANY = range(4)
"""Which card is discarded: the one that is missed least, dead ends first, the one held longest, any."""
KEEPS, CLEARS, BREAKS = range(3)
"""What a destroy card is for: nothing; a tile that is in the way; also the last tile of a tunnel that the other could finish."""

HABITS = np.dtype(
    [
        ("noise", np.float64),  # the chance of a move at random
        ("looks", np.int64),
        ("look_from", np.int64),  # the goal that is looked at first; the next ones follow from left to right
        ("guess", np.int64),  # the goal where the nugget is thought while nothing is known
        ("measure", np.int64),
        ("ahead", np.int64),  # how many own tiles are thought of together, 1 to 3
        ("near", np.float64),  # how long a short way is
        ("reach", np.bool_),  # lays the last tile to a goal that may be blank
        ("wait", np.float64),  # the chance of the other's finishing from which on a tile near the goal is held back
        ("lure", np.float64),  # while the way to the known nugget is longer, digs for another goal; 0 = never
        ("malus", np.int64),
        ("bonus_near", np.bool_),  # keeps a bonus until the way is short
        ("destroy", np.int64),
        ("blocks", np.bool_),  # lays a dead end where the other could finish
        ("aside", np.bool_),  # rather lays a tile that brings nothing than discards a card
        ("discard", np.int64),
    ]
)
"""All habits of one player."""

_DRAWS = 32


def draw_habits(seed: int) -> npt.NDArray[Any]:
    """The habits of the stranger of a seed: an array of one record."""
    words = game_seeds(seed, 0, _DRAWS)
    chances = iter((words / 2.0**53).tolist())

    def pick(choices: Sequence[Any], shares: Sequence[float]) -> Any:
        """One of some choices, by their shares (which sum to 1)."""
        at = next(chances)
        for choice, share in zip(choices, shares, strict=True):
            if at < share:
                return choice
            at -= share
        return choices[-1]

    habits = np.zeros(1, HABITS)
    it = habits[0]
    it["noise"] = pick((0.0, 0.05, 0.15), (0.6, 0.25, 0.15))
    it["looks"] = pick((NEVER, NEAR, FIRST), (0.15, 0.3, 0.55))
    it["look_from"] = pick((0, 1, 2), (0.4, 0.4, 0.2))
    it["guess"] = pick((0, 1, 2), (0.2, 0.6, 0.2))
    it["measure"] = pick((COLUMNS, WAY), (0.65, 0.35))
    it["ahead"] = pick((1, 2, 3), (0.4, 0.35, 0.25))
    it["near"] = pick((2.0, 3.0, 4.0), (0.3, 0.4, 0.3))
    it["reach"] = pick((False, True), (0.4, 0.6))
    it["wait"] = pick((2.0, 0.6, 0.3, 0.1), (0.5, 0.15, 0.2, 0.15))
    it["lure"] = pick((0.0, 3.0, 5.0), (0.75, 0.15, 0.1))
    it["malus"] = pick((AT_ONCE, SAVED, IN_ANSWER, UNPLAYED), (0.35, 0.4, 0.15, 0.1))
    it["bonus_near"] = pick((False, True), (0.75, 0.25))
    it["destroy"] = pick((KEEPS, CLEARS, BREAKS), (0.3, 0.4, 0.3))
    it["blocks"] = pick((False, True), (0.7, 0.3))
    it["aside"] = pick((False, True), (0.65, 0.35))
    it["discard"] = pick((WORST, DEAD_ENDS, OLDEST, ANY), (0.35, 0.35, 0.15, 0.15))
    return habits


STYLES: dict[str, Callable[[Any], bool]] = {
    later("lurer"): lambda it: bool(it["lure"] > 0),
    later("waiter"): lambda it: bool(it["wait"] <= 1),
    later("malus-saver"): lambda it: bool(it["malus"] == SAVED),
    later("blind reacher"): lambda it: bool(it["reach"]),
    later("map-first"): lambda it: bool(it["looks"] == FIRST),
    later("dead-end dropper"): lambda it: bool(it["discard"] == DEAD_ENDS),
    later("looks one tile ahead"): lambda it: bool(it["measure"] == COLUMNS and it["ahead"] == 1),
    later("looks two tiles ahead"): lambda it: bool(it["measure"] == COLUMNS and it["ahead"] == 2),
    later("looks three tiles ahead"): lambda it: bool(it["measure"] == COLUMNS and it["ahead"] == 3),
    later("digs the cheapest way"): lambda it: bool(it["measure"] == WAY),
    later("breaker or blocker"): lambda it: bool(it["destroy"] == BREAKS or it["blocks"]),
    later("careless"): lambda it: bool(it["noise"] > 0),
}
"""What a stranger can be called; most are called several things."""


HABITS_SAID = {
    "lurer": later("when it knows where the nugget is, it first leads the tunnel elsewhere"),
    "waiter": later("near a goal it holds a tile back after which the other could finish"),
    "malus-saver": later("it saves a malus until the way is short"),
    "blind reacher": later("it lays the last tile to a goal that may be blank"),
    "map-first": later("it plays a map before all else"),
    "dead-end dropper": later("it discards dead ends first"),
    "looks one tile ahead": later("it judges a tile by how far it is to the goal after it"),
    "looks two tiles ahead": later("it judges a tile with the best one to follow it"),
    "looks three tiles ahead": later("it judges a tile with the best two to follow it"),
    "digs the cheapest way": later("it digs where the way costs least"),
    "breaker or blocker": later("it breaks or blocks a tunnel that the other could finish"),
    "careless": later("at times it moves at random"),
}
"""What a style is, to people."""


def styles_of(habits: Any) -> tuple[str, ...]:
    """What the stranger of some habits is called."""
    return tuple(name for name, holds in STYLES.items() if holds(habits))
