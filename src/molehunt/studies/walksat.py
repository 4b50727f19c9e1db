"""Deals of Clue sampled by local search over at-least constraints, in the manner of Neller and Luo 2018.

A variable says that a card is at a place: number card * places + place. A constraint is a list of literals of which at least so
many must be true. WalkSAT takes a violated constraint by lot and makes one of its literals true: any of them with the chance
`noise`, else the one that breaks the fewest constraints; a variable that was changed lately rests (tabu). Where no constraint is
violated, the variables are a deal.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from molehunt.beliefs.deals.problem import Facts
from molehunt.core.kernels import kernel
from molehunt.core.streams import below
from molehunt.reading.choice import happens

TENURE = 5
"""Steps for which a variable rests."""
MOST_STEPS = 20_000
"""Steps after which the search begins anew."""


class Constraints(NamedTuple):
    """At-least constraints over numbered variables. A literal is 2 * variable, and 1 more where the variable must be false."""

    literals: npt.NDArray[np.int64]
    """int64[l]: those of all constraints, one after the other."""
    starts: npt.NDArray[np.int64]
    """int64[k + 1]: where those of each constraint begin."""
    needed: npt.NDArray[np.int64]
    """int64[k]: how many of them must be true."""
    uses: npt.NDArray[np.int64]
    """int64[l]: the constraints in which each variable stands, one variable after the other; as literals are: 1 more if negated."""
    use_starts: npt.NDArray[np.int64]
    """int64[variables + 1]: where those of each variable begin."""


def constraints_of(facts: Facts, places: npt.NDArray[np.float64]) -> Constraints:
    """The constraints that facts about a deal make, as the paper has them.

    places: float64[cards, holders + 1], the exact chances: what they make certain is found by reasoning before any sample is drawn.
    """
    cards, number = places.shape
    pool = [card for card in range(cards) if places[card].any()]
    rows: list[tuple[list[int], int]] = []

    def exactly(variables: Iterable[int], count: int) -> None:
        both = list(variables)
        rows.append(([2 * variable for variable in both], count))
        rows.append(([2 * variable + 1 for variable in both], len(both) - count))

    for card in pool:
        exactly((card * number + place for place in range(number)), 1)
    for holder, size in enumerate(facts.sizes.tolist()):
        exactly((card * number + holder for card in pool), size)
    for category in facts.categories.tolist():
        exactly((card * number + number - 1 for card in pool if category >> card & 1), 1)
    for holder, mask in zip(facts.clause_holders.tolist(), facts.clause_cards.tolist(), strict=True):
        rows.append(([2 * (card * number + holder) for card in pool if mask >> card & 1], 1))
    rows += [([literal], 1) for card in pool for literal in certain_literals(card, places[card])]
    rows = [(literals, needed) for literals, needed in rows if needed > 0]
    uses: list[list[int]] = [[] for _ in range(cards * number)]
    for index, (literals, _) in enumerate(rows):
        for literal in literals:
            uses[literal // 2] += [2 * index + literal % 2]
    return Constraints(
        np.array([literal for literals, _ in rows for literal in literals], np.int64),
        np.cumsum([0, *(len(literals) for literals, _ in rows)]).astype(np.int64),
        np.array([needed for _, needed in rows], np.int64),
        np.array([use for each in uses for use in each], np.int64),
        np.cumsum([0, *map(len, uses)]).astype(np.int64),
    )


def certain_literals(card: int, chances: npt.NDArray[np.float64]) -> list[int]:
    """What is certain of where a card is, as literals; chances: float64[places]."""
    first = card * len(chances)
    here = chances == 1
    return [2 * (first + int(place)) + int(not here[place]) for place in np.flatnonzero(here | (chances == 0))]


@kernel
def is_true(literal: int, values: Any) -> bool:
    """Whether a literal is true."""
    return bool(values[literal >> 1] != literal & 1)


@kernel
def broken_by(variable: int, values: Any, true: Any, constraints: Any) -> int:
    """How many constraints that are met a change of a variable would break."""
    broken = 0
    for index in range(constraints.use_starts[variable], constraints.use_starts[variable + 1]):
        use = constraints.uses[index]
        if values[variable] != use & 1 and true[use >> 1] == constraints.needed[use >> 1]:
            broken += 1
    return broken


@kernel
def change(variable: int, values: Any, true: Any, constraints: Any) -> None:
    """Change a variable, and count again what it makes true."""
    for index in range(constraints.use_starts[variable], constraints.use_starts[variable + 1]):
        use = constraints.uses[index]
        true[use >> 1] += -1 if values[variable] != use & 1 else 1
    values[variable] = 1 - values[variable]


@kernel
def begin(constraints: Any, stream: Any, values: Any, true: Any) -> None:
    """Variables by lot, and how many literals of each constraint they make true."""
    for variable in range(len(values)):
        values[variable] = below(stream, 2)
    for index in range(len(true)):
        true[index] = 0
        for place in range(constraints.starts[index], constraints.starts[index + 1]):
            true[index] += is_true(constraints.literals[place], values)


@kernel
def violated_by_lot(constraints: Any, true: Any, stream: Any) -> int:
    """A constraint that is violated, each as likely; -1 where none is."""
    chosen, number = -1, 0
    for index in range(len(true)):
        if true[index] < constraints.needed[index]:
            number += 1
            if below(stream, number) == 0:
                chosen = index
    return chosen


@kernel
def variable_to_change(
    constraint: int, at_random: bool, resting: Any, values: Any, true: Any, constraints: Any, stream: Any
) -> int:
    """A variable of a violated constraint that makes one more literal true: any, or one that breaks least; -1: all rest."""
    best, fewest, ties = -1, 0, 0
    for place in range(constraints.starts[constraint], constraints.starts[constraint + 1]):
        literal = constraints.literals[place]
        variable = literal >> 1
        if is_true(literal, values) or resting[variable] > 0:
            continue
        broken = 0 if at_random else broken_by(variable, values, true, constraints)
        if best < 0 or broken < fewest:
            best, fewest, ties = variable, broken, 1
        elif broken == fewest:
            ties += 1
            if below(stream, ties) == 0:
                best = variable
    return best


@kernel
def sample(constraints: Any, noise: float, stream: Any, values: Any) -> int:
    """Search one deal, uint8[variables], from variables by lot; how many steps it took, those before a new beginning included."""
    true = np.zeros(len(constraints.needed), np.int64)
    resting = np.zeros(len(values), np.int64)
    steps = 0
    while True:
        if steps % MOST_STEPS == 0:
            begin(constraints, stream, values, true)
        constraint = violated_by_lot(constraints, true, stream)
        if constraint < 0:
            return steps
        steps += 1
        at_random = happens(stream, noise)
        variable = variable_to_change(constraint, at_random, resting, values, true, constraints, stream)
        for other in range(len(values)):
            resting[other] = max(0, resting[other] - 1)
        if variable >= 0:
            change(variable, values, true, constraints)
            resting[variable] = TENURE


@kernel
def sample_places(constraints: Any, noise: float, samples: int, stream: Any, counts: Any) -> int:
    """Count over samples how often each variable is true: int64[variables]; returns the steps of all together."""
    values = np.zeros(len(counts), np.uint8)
    counts[:] = 0
    steps = 0
    for _ in range(samples):
        steps += sample(constraints, noise, stream, values)
        for variable in range(len(values)):
            counts[variable] += values[variable]
    return steps
