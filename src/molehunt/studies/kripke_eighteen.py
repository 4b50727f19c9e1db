"""What eighteen rounds a setup could show: how likely the authors of 2012 were to write their sentences, if our rates were theirs.

Their findings are sentences about counts in 18 rounds of each of twelve setups. Here a sentence is a condition on such counts, and
its probability follows exactly from the rate of each setup (binomial counts, setups independent of each other). One condition,
on mean numbers of believed states, takes these means for normal. The intervals come from the rates' own: 95 % of what the
probability is where the deals, the same in all setups, are weighed at random (Rubin 1981, The Bayesian Bootstrap,
Ann. Statist. 9).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from molehunt.studies.kripke_rounds import DEPTHS, FACTORS, Setup, Tally
from molehunt.studies.study import NONE_PUBLISHED, Row

ROUNDS = 18
"""Rounds of a setup in the paper: "18 rounds, which is equal to 6 complete games"."""
APART = 5
"""Rounds of 18 that two setups may be apart and look alike: with rates near 70 %, 18 against 18 rounds show six at 95 %."""
ALMOST = 0.9
"""From which share on "almost every" and "virtually every" are written."""
SPORADIC = 0.25
"""Up to which share saboteurs "win sporadically"."""
DRAWS = 200

Counts = npt.NDArray[np.float64]
Rates = Mapping[tuple[str, int, float], tuple[float, float]]
"""(share of rounds that the saboteurs win, share after which all believe the truth), by strategy, depth and factor."""


WAYS = [math.comb(ROUNDS, successes) for successes in range(ROUNDS + 1)]
CLOSE = np.abs(np.subtract.outer(range(ROUNDS + 1), range(ROUNDS + 1))) <= APART
"""Whether two numbers of successes in eighteen rounds look alike."""


@lru_cache(1 << 14)  # every sentence asks for the rates that were drawn
def binomial(rate: float) -> Counts:
    """The probabilities of 0 to ROUNDS successes; nobody may change them."""
    found = np.array([ways * rate**k * (1 - rate) ** (ROUNDS - k) for k, ways in enumerate(WAYS)])
    found.flags.writeable = False
    return found


def total(rates: Iterable[float]) -> Counts:
    """The probabilities of a number of successes in eighteen rounds of each of these rates."""
    found = np.ones(1)
    for rate in rates:
        found = np.convolve(found, binomial(rate))
    return found


def at_least(counts: Counts, share: float) -> float:
    """The probability of at least this share of all rounds."""
    return float(counts[math.ceil(share * (len(counts) - 1) - 1e-9) :].sum())


def alike(first: float, second: float) -> float:
    """The probability that eighteen rounds of one rate and eighteen of another are at most APART apart."""
    return float(np.outer(binomial(first), binomial(second))[CLOSE].sum())


def exceeds(first: Counts, second: Counts) -> float:
    """The probability that the share in the first total exceeds that in the second."""
    return float(np.outer(first, second)[_greater(len(first), len(second))].sum())


@cache
def _greater(first: int, second: int) -> npt.NDArray[np.bool_]:
    """Whether one of so many shares, from none to all, exceeds one of so many others: shape (first, second)."""
    return np.subtract.outer(np.linspace(0, 1, first), np.linspace(0, 1, second)) > 1e-12


@dataclass(frozen=True)
class Sentence:
    """A finding as a condition on counts: its name, its words and the line that is drawn, and its probability from the rates."""

    name: str
    says: str
    chance: Callable[[Rates], float]


def _some(rates: Rates, what: int, *strategies: str, depth: int = 0) -> list[float]:
    return [rate[what] for (s, d, _), rate in rates.items() if s in strategies and depth in (0, d)]


EVERYBODY = ("explicit", "adaptive", "undercover")
OPEN = ("explicit", "adaptive")


def _sporadic(rates: Rates) -> float:
    deep, flat = total(_some(rates, 0, "undercover", depth=2)), total(_some(rates, 0, "undercover", depth=1))
    few = round(SPORADIC * (len(flat) - 1))
    return float(sum(deep[n] * flat[n + 1 : few + 1].sum() for n in range(few)))


def _confused(rates: Rates) -> float:
    lost = [1 - rate for rate in _some(rates, 1, "undercover")], [1 - rate for rate in _some(rates, 1, *OPEN)]
    return exceeds(total(lost[0]), total(lost[1]))


SENTENCES = (
    Sentence(
        "1-all-setups",
        "“Most of the time, the saboteurs win”: more than half of all 216 rounds",
        lambda rates: float(total(_some(rates, 0, *EVERYBODY))[6 * ROUNDS + 1 :].sum()),
    ),
    Sentence(
        "1-saboteurs-win",
        "the same of the eight setups in which saboteurs can become explicit: more than half of 144",
        lambda rates: float(total(_some(rates, 0, *OPEN))[4 * ROUNDS + 1 :].sum()),
    ),
    Sentence(
        "2-truth-believed",
        "“After almost every round, all agents believe (at least) in the state that is actually true”: 90 % of 216",
        lambda rates: at_least(total(_some(rates, 1, *EVERYBODY)), ALMOST),
    ),
    Sentence(
        "4-depth-no-difference",
        f"“no change in result” with depth two: all four pairs of setups at most {APART} of 18 rounds apart",
        lambda rates: math.prod(alike(rates[s, 1, f][0], rates[s, 2, f][0]) for s in OPEN for f in FACTORS),
    ),
    Sentence(
        "5-explicit-like-adaptive",
        f"“no striking differences” of explicit and adaptive: all four pairs at most {APART} of 18 rounds apart",
        lambda rates: math.prod(
            alike(rates["explicit", d, f][0], rates["adaptive", d, f][0]) for d in DEPTHS for f in FACTORS
        ),
    ),
    Sentence(
        "6a-undercover-miners-win",
        "“The miners win virtually every time” (undercover, depth two): 90 % of 36",
        lambda rates: at_least(total([1 - rate for rate in _some(rates, 0, "undercover", depth=2)]), ALMOST),
    ),
    Sentence(
        "6b-undercover-depth-one",
        "“the saboteurs win sporadically” (undercover, depth one): more than with depth two, at most 9 of 36",
        _sporadic,
    ),
    Sentence(
        "6c-undercover-confuses",
        "“more occurences where an agent does not believe in the state that is actually true”: rounds with such an agent",
        _confused,
    ),
)


def rates_of(found: Mapping[Setup, Tally], random: np.random.Generator | None = None) -> Rates:
    """The rates as counted, or with a generator those of the same deals weighed at random."""
    deals = min(tally.rounds for tally in found.values())
    weights = np.ones(deals) if random is None else random.exponential(size=deals)
    weights /= weights.sum()

    def rate(happened: npt.NDArray[np.bool_]) -> float:
        return min(1.0, float(weights @ happened[:deals])) if random is not None else float(happened.mean())

    return {
        (setup.strategy, setup.depth, setup.factor): (rate(tally.won), rate(tally.all_true))
        for setup, tally in found.items()
    }


def fewer_states(found: Mapping[Setup, Tally]) -> float:
    """The probability that in all six pairs the stronger disbelief leaves fewer states on average (means taken for normal)."""
    chance = 1.0
    for setup, mild in found.items():
        if setup.factor == FACTORS[0]:
            other = Setup(setup.strategy, setup.depth, FACTORS[1], setup.changes)
            strong = found[other]
            spread = sum(float(tally.believed.var()) for tally in (mild, strong))
            gap = float(mild.believed.mean() - strong.believed.mean())
            if spread == 0.0:
                chance *= float(gap > 0)
            else:
                chance *= 0.5 * math.erfc(-gap / math.sqrt(2 * spread / ROUNDS))
    return chance


def rows(prefix: str, found: Mapping[Setup, Tally]) -> list[Row]:
    """The rows of all sentences, in percent."""
    random = np.random.default_rng(ROUNDS)
    drawn = [rates_of(found, random) for _ in range(DRAWS)]
    counted = rates_of(found)
    games = min(tally.rounds for tally in found.values())
    result = []

    def add(name: str, says: str, measured: float, low: float, high: float) -> None:
        result.append(
            Row(
                id=f"{prefix}{name}",
                quantity=f"chance that 18 rounds a setup let the sentence be written, %: {says}",
                published=None,
                measured=round(100 * measured, 3),
                low=round(100 * min(low, measured), 3),
                high=round(100 * max(high, measured), 3),
                games=games,
                verdict=NONE_PUBLISHED,
            )
        )

    for sentence in SENTENCES:
        low, high = np.quantile([sentence.chance(rates) for rates in drawn], [0.025, 0.975])
        add(sentence.name, sentence.says, sentence.chance(counted), float(low), float(high))
        if sentence.name == "2-truth-believed":
            states = fewer_states(found)
            add("3-fewer-states", "“agents believed in less states” in all six pairs of setups", states, states, states)
    blind = alike(0.6, 0.8)
    says = f"for comparison, one pair of setups with true rates of 60 and 80 %: at most {APART} rounds apart"
    add("twenty-points", says, blind, blind, blind)
    return result
