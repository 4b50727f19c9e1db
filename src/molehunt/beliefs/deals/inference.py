"""The interface of exact inference about deals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import NoneType
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.beliefs.deals.cores import smallest_core
from molehunt.beliefs.deals.facts import (
    HOLDS,
    LACKS,
    LIKELIHOOD,
    NOT_ENVELOPE,
    ONE_OF,
    Cards,
    Fact,
    Words,
    as_arrays,
    cards_in,
    mask_of,
)
from molehunt.beliefs.deals.layers import (
    envelope_weights,
    list_deals,
    place_weights,
    sample_deals,
    total_weight,
)
from molehunt.beliefs.deals.problem import FACTOR_CARDS, PATTERNS, Facts
from molehunt.core.errors import BadInput, check_is, value_text
from molehunt.core.numbers import is_whole
from molehunt.core.streams import derive

EXACT = 2**53
"""Counts below this are exact."""
TINY = 2.0**-960
"""Weights of all deals together below this have lost digits."""
MOST_SAMPLES = 10**8
"""So many deals are drawn at once at most: more would be gigabytes."""
WITNESSES = 24
"""How many deals are looked at for each step of an explanation."""

Rule = str | Callable[[tuple[int, ...]], Sequence[float]]


@dataclass(frozen=True)
class Forced:
    """That a card is, or is not, at a place, in every deal left. The envelope is the place after the last holder."""

    card: int
    place: int
    here: bool


@dataclass(frozen=True)
class Explanation:
    """Why something is certain, or what contradicts what.

    conclusion: a sentence; facts: from these alone it follows, and, where `shortest`, from no fewer; text: all of it in words.
    """

    conclusion: str
    facts: tuple[Fact, ...]
    shortest: bool
    text: str


class Deals:
    """All deals of `pool` to holders with hands of these `sizes` that agree with what is known.

    categories: disjoint sets; the envelope, what is not dealt, is one card of each. names, holders: for sentences. Holders are
    numbered from 0; the envelope is place `envelope`, the number after the last holder. Facts may be added at any time; each of
    them may carry a `source`, anything, a text being put in front of it in explanations. All deals that meet the facts are
    equally likely, unless likelihoods (`shows`, `weigh`) tell more. Any number of holders; the work grows with the number of
    possible hands.

    BadInput: shapes or sizes do not fit; at what is asked, that there is no deal, that more than 32 cards are in doubt
    (cards that nothing tells apart count for fewer), that there are too many possible hands, or that likelihoods leave every
    deal too improbable for a float.
    """

    def __init__(
        self,
        pool: Cards,
        sizes: Sequence[int],
        categories: Iterable[Cards] = (),
        names: Sequence[str] | None = None,
        holders: Sequence[str] | None = None,
    ) -> None:
        self.pool = mask_of(pool, "pool")
        check_is(sizes, Iterable, "sizes: a list of how many cards each holder has, as [2, 2]")
        check_is(categories, Iterable, "categories: a list of sets of cards, as [[0, 1, 2], [3, 4, 5]]")
        for what, named in (("names", names), ("holders", holders)):
            check_is(named, (Sequence, NoneType), f"{what}: a list of texts, or None")
        given: list[Any] = list(sizes)
        if not given:
            raise BadInput("sizes: at least one holder")
        for size in given:
            if not is_whole(size) or size < 0:
                raise BadInput(f"sizes: a hand has 0 cards or more, not {value_text(size)}")
        self.sizes = tuple(int(size) for size in given)
        self.envelope = len(self.sizes)
        kinds = [mask_of(kind, "categories") for kind in categories]
        union = 0
        for kind in kinds:
            if union & kind:
                raise BadInput("categories: a card is in more than one of them")
            union |= kind
        if sum(self.sizes) + len(kinds) != self.pool.bit_count():
            raise BadInput(
                f"sizes: {sum(self.sizes)} cards with the holders and {len(kinds)} in the envelope are not the "
                f"{self.pool.bit_count()} of the pool"
            )
        if holders is not None and len(holders) != len(self.sizes):
            raise BadInput(f"holders: one name for each of the {len(self.sizes)} holders, not {len(holders)}")
        if names is not None and len(names) < self.pool.bit_length():
            raise BadInput(f"names: one name for each card up to {self.pool.bit_length() - 1}, not {len(names)}")
        self.categories = np.array(kinds, np.uint64)
        self.facts: tuple[Fact, ...] = ()
        places = tuple(holders or (f"holder {holder}" for holder in range(self.envelope)))
        # Facts may also be about cards that are not in the pool.
        named = tuple(names or ())
        named += tuple(f"card {card}" for card in range(len(named), 64))
        self.words = Words(named, (*places, "the envelope"))
        self._found: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"Deals(pool={self.pool}, sizes={self.sizes}, facts={len(self.facts)})"

    # ---- Facts

    def add(self, fact: Fact) -> None:
        """Add a fact that was made before; BadInput where it does not fit."""
        place: object = fact.place
        if not is_whole(place) or not 0 <= place <= self.envelope:
            raise BadInput(
                f"places are numbered 0 to {self.envelope}, the envelope being the last, not {value_text(place)}"
            )
        if fact.kind in (ONE_OF, LIKELIHOOD):
            self._holder(fact.place, fact.kind)
        self.facts = (*self.facts, fact)
        self._found = {}

    def holds(self, place: int, cards: Cards, source: Any = None) -> None:
        """A holder, or the envelope, has all of these cards."""
        self.add(Fact(HOLDS, place, cards_in(mask_of(cards, "holds")), (), source))

    def lacks(self, place: int, cards: Cards, source: Any = None) -> None:
        """A holder, or the envelope, has none of these cards."""
        self.add(Fact(LACKS, place, cards_in(mask_of(cards, "lacks")), (), source))

    def holds_one_of(self, holder: int, cards: Cards, source: Any = None) -> None:
        """A holder has at least one of these cards."""
        self._holder(holder, "clauses")
        self.add(Fact(ONE_OF, holder, cards_in(mask_of(cards, "clauses")), (), source))

    def not_envelope(self, cards: Cards, source: Any = None) -> None:
        """The envelope is not this set of cards, as after a wrong accusation; each of them may be in it."""
        self.add(Fact(NOT_ENVELOPE, self.envelope, cards_in(mask_of(cards, "excluded")), (), source))

    def shows(self, holder: int, card: int, among: Sequence[int], rule: Rule = "uniform", source: Any = None) -> None:
        """A holder, asked for up to three cards, showed one of them.

        Who holds several had a choice, so the card says more where they hardly would have chosen it. `rule` is how they choose:
        "uniform", "first" (the first of `among` that they have), or a function from the cards that they have, in the order of
        `among`, to the probability of each.
        """
        self._holder(holder, "shows")
        cards = _few(among, "shows")
        if card not in cards:
            raise BadInput(f"shows: card {card} must be one of the cards asked for, not {list(among)}")
        weights = _checked(cards, [_chance(card, held, rule) for held in _patterns(cards)], "shows")
        self.holds(holder, [card], source)
        self.add(Fact(LIKELIHOOD, holder, cards, weights, source))

    def weigh(self, holder: int, cards: Sequence[int], weights: Sequence[float], source: Any = None) -> None:
        """A holder did something whose probability depends on which of up to three cards they have.

        weights: the probability for each set of these cards, 2**len(cards) numbers: bit p of the index tells whether they have
        `cards[p]`. Only their proportions count; none is negative, and a 0 makes hands impossible.
        """
        self._holder(holder, "weigh")
        cards = _few(cards, "weigh")
        self.add(Fact(LIKELIHOOD, holder, cards, _checked(cards, weights, "weigh"), source))

    def copy(self) -> Deals:
        """The same facts in another object, to try more on."""
        other = object.__new__(Deals)
        other.__dict__.update(self.__dict__)
        other.__dict__["_found"] = dict(self._found)
        return other

    def without(self, *facts: Fact) -> Deals:
        """A copy without some facts."""
        other = self.copy()
        other.facts = tuple(fact for fact in self.facts if not any(fact is one for one in facts))
        other.__dict__["_found"] = {}
        return other

    def _holder(self, holder: object, what: str) -> None:
        if not is_whole(holder) or not 0 <= holder < self.envelope:
            raise BadInput(f"{what}: holders are numbered 0 to {self.envelope - 1}, not {value_text(holder)}")

    # ---- What follows

    def arrays(self, counted: bool = False) -> Facts:
        """The facts as the kernels of `layers` take them; with `counted` every likelihood that is not 0 counts as 1."""
        return self._arrays(self.facts, counted)

    def _arrays(self, facts: Iterable[Fact], counted: bool = False) -> Facts:
        return as_arrays(self.pool, self.sizes, self.categories, facts, counted)

    def _once(self, what: str, find: Callable[[], Any]) -> Any:
        """What was asked before is not computed again."""
        if what not in self._found:
            self._found[what] = find()
        return self._found[what]

    @property
    def count(self) -> int:
        """How many deals are left, likelihoods apart (but for those that are 0); exact below 2**53, see `count_is_exact`."""
        found: int = self._once("count", lambda: int(total_weight(self.arrays(counted=True))))
        return found

    @property
    def count_is_exact(self) -> bool:
        """Whether `count` has all its digits; else it is right to 15 of them."""
        return self.count < EXACT

    @property
    def possible(self) -> bool:
        """Whether there is a deal that meets all facts."""
        return self.count > 0

    def _not_contradictory(self) -> None:
        if not self.possible:
            raise BadInput("the facts contradict each other: no deal meets them all")

    def probabilities(self) -> npt.NDArray[np.float64]:
        """Where each card is: shape (highest card + 1, holders + 1), the envelope in the last column.

        Row c is card number c and sums to 1; it is all zeros where c is not in the pool. BadInput: there is no deal.
        """
        return self._places(counted=False).copy()

    def _places(self, counted: bool) -> npt.NDArray[np.float64]:
        """The probabilities; with `counted` as if every likelihood that is not 0 were 1, so that what is 0 is impossible."""
        counted = counted or all(fact.kind != LIKELIHOOD for fact in self.facts)

        def find() -> npt.NDArray[np.float64]:
            places = np.empty((64, len(self.sizes) + 1))
            total = place_weights(self.arrays(counted), places)
            if counted:
                self._found["count"] = int(total)
            self._not_contradictory()
            return places[: self.pool.bit_length()] / _not_lost(total)

        found: npt.NDArray[np.float64] = self._once("counted places" if counted else "places", find)
        return found

    def solutions(self) -> list[tuple[tuple[int, ...], float]]:
        """The possible envelopes and the probability of each, the likeliest first. BadInput: there is no deal."""
        self._not_contradictory()
        found: list[tuple[tuple[int, ...], float]] = self._once("solutions", self._solutions)
        return list(found)

    def _solutions(self) -> list[tuple[tuple[int, ...], float]]:
        cards, weights, total = envelope_weights(self.arrays())
        _not_lost(total)
        found = [(cards_in(int(mask)), float(weight) / total) for mask, weight in zip(cards, weights, strict=True)]
        return sorted(found, key=lambda solution: (-solution[1], solution[0]))

    def sample(self, n: int, seed: int = 0) -> npt.NDArray[np.uint64]:
        """`n` independent deals, exact draws: masks of the hands, shape (n, holders); the rest is the envelope.

        The same seed (0 to 2**64 - 1) gives the same deals. BadInput: there is no deal, or n or seed is out of range.
        """
        self._not_contradictory()
        asked: object = n
        given: object = seed
        if not is_whole(asked) or not 0 <= asked <= MOST_SAMPLES or not is_whole(given) or not 0 <= given < 2**64:
            raise BadInput(
                f"{value_text(n)} samples with seed {value_text(seed)}: n is a whole number, at least 0 and at most "
                f"{MOST_SAMPLES:,}, and the seed one from 0 to 2**64 - 1"
            )
        out = np.empty((n, len(self.sizes)), np.uint64)
        _not_lost(sample_deals(self.arrays(), np.array([derive(np.uint64(seed), np.uint64(0))], np.uint64), n, out))
        return out

    def every_deal(self, most: int = 100_000) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]]:
        """All deals left: masks of the hands, shape (count, holders), and the probability of each, shape (count,).

        BadInput: there is no deal, or there are more than `most`.
        """
        self._not_contradictory()
        if self.count > most:
            raise BadInput(f"there are {self.count} deals, more than {most}")
        hands, weights = list_deals(self.arrays(), most)
        return hands, weights / _not_lost(weights.sum())

    # ---- What is certain, and why

    def forced(self) -> list[Forced]:
        """All that is certain: of each card where it is, and where it cannot be, card by card. BadInput: there is no deal."""
        shares = self._places(counted=True)
        found = []
        for card in cards_in(self.pool):
            for place in range(self.envelope + 1):
                if shares[card, place] == 0:
                    found.append(Forced(card, place, here=False))
                elif np.count_nonzero(shares[card]) == 1:
                    found.append(Forced(card, place, here=True))
        return found

    def explain(self, card: int, place: int, by_source: bool = False) -> Explanation:
        """Why it is certain that a card is, or is not, at a place: a smallest set of facts from which it follows.

        With `by_source` the facts come from as few sources as possible, and are as few of these as it takes; sources must be
        hashable. BadInput: it is not certain, there is no deal, or there is no such card or place.
        """
        here_is: object = card
        if not is_whole(here_is) or not 0 <= here_is < 64 or not self.pool >> here_is & 1:
            raise BadInput(f"explain: there is no card {value_text(card)} in the pool, which has {cards_in(self.pool)}")
        where: object = place
        if not is_whole(where) or not 0 <= where <= self.envelope:
            raise BadInput(
                f"explain: places are numbered 0 to {self.envelope}, the envelope being the last, not {value_text(place)}"
            )
        row = self._places(counted=True)[card]
        here = bool(np.count_nonzero(row) == 1 and row[place])
        if row[place] and not here:
            raise BadInput(
                f"explain: it is not certain whether {self.words.places[place]} has {self.words.cards[card]}"
            )
        said, denied = (HOLDS, LACKS) if here else (LACKS, HOLDS)
        conclusion = self.words.say(Fact(said, place, (card,)))
        facts, shortest = self._smallest((Fact(denied, place, (card,)),), by_source)
        reasons = "; ".join(self.words.say(fact) for fact in facts) or "as the number of cards alone tells"
        text = f"{conclusion}, {'because: ' if facts else ''}{reasons}"
        return Explanation(conclusion, facts, shortest, text)

    def conflict(self, by_source: bool = False) -> Explanation | None:
        """Which facts cannot all be true, as few as possible; None where they can.

        `by_source` as in `explain`.
        """
        if self.possible:
            return None
        facts, shortest = self._smallest((), by_source)
        reasons = "; ".join(self.words.say(fact) for fact in facts) or "no deal has these numbers of cards"
        conclusion = "these cannot all be true"
        return Explanation(conclusion, facts, shortest, f"{conclusion}: {reasons}")

    def _smallest(self, denied: tuple[Fact, ...], by_source: bool) -> tuple[tuple[Fact, ...], bool]:
        """A smallest set of facts that contradict `denied`, and whether it is known that none is smaller."""
        candidates = [fact for fact in self.facts if fact.excludes()]
        if not by_source:
            return self._fewest([[fact] for fact in candidates], denied)
        sources: dict[Any, list[Fact]] = {}
        for number, fact in enumerate(candidates):
            # What comes from nowhere stands for itself.
            sources.setdefault((fact.source is None, number if fact.source is None else fact.source), []).append(fact)
        of_few, shortest = self._fewest(list(sources.values()), denied)
        # No source can be left out, so each keeps a fact.
        facts, all_needed = self._fewest([[fact] for fact in of_few], denied)
        return facts, shortest and all_needed

    def _fewest(self, groups: list[list[Fact]], denied: tuple[Fact, ...]) -> tuple[tuple[Fact, ...], bool]:
        """The facts of as few groups as possible that contradict `denied`, and whether it is known that fewer do not."""

        def violated(chosen: int) -> Iterator[int]:
            met = [fact for number, group in enumerate(groups) if chosen >> number & 1 for fact in group]
            out = np.zeros((WITNESSES, len(self.sizes)), np.uint64)
            facts = self._arrays((*met, *denied), counted=True)
            if sample_deals(facts, np.array([derive(np.uint64(len(met)), np.uint64(1))], np.uint64), WITNESSES, out):
                for row in out.tolist():
                    hands = (*row, self.pool - sum(row))
                    yield sum(
                        1 << number
                        for number, group in enumerate(groups)
                        if not all(fact.is_met(hands) for fact in group)
                    )

        numbers, shortest = smallest_core(len(groups), violated)
        return tuple(fact for number in numbers for fact in groups[number]), shortest


def _not_lost(total: float) -> float:
    """The weight of all deals, where there is one; BadInput where likelihoods have made it too small for a float."""
    if total < TINY:
        raise BadInput("the likelihoods make every deal so improbable that floating-point numbers do not hold it")
    return total


def _few(cards: Sequence[int], what: str) -> tuple[int, ...]:
    """Cards that a likelihood may look at."""
    check_is(cards, Iterable, f"{what}: a list of up to {FACTOR_CARDS} different cards, as [3, 4]")
    given: list[Any] = list(cards)
    if not (
        len(given) <= FACTOR_CARDS
        and all(is_whole(card) and 0 <= card < 64 for card in given)
        and len(set(given)) == len(given)
    ):
        raise BadInput(f"{what}: up to {FACTOR_CARDS} different cards, not {value_text(given)}: numbers from 0 to 63")
    return tuple(int(card) for card in given)


def _checked(cards: tuple[int, ...], weights: Sequence[float], what: str) -> tuple[float, ...]:
    """The weights of a likelihood that looks at these cards."""
    right = f"{what}: {1 << len(cards)} weights for {len(cards)} cards, none negative"
    check_is(weights, Iterable, right)
    try:
        numbers = tuple(float(weight) for weight in weights)
    except (TypeError, ValueError):
        raise BadInput(f"{right}, not {value_text(weights)}") from None
    if len(numbers) != 1 << len(cards) or not all(0 <= weight < float("inf") for weight in numbers):
        raise BadInput(f"{right}, not {value_text(list(weights))}")
    return numbers


def _patterns(cards: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All sets of these cards, in the order of their patterns."""
    return [
        tuple(card for place, card in enumerate(cards) if pattern >> place & 1)
        for pattern in range(PATTERNS >> (FACTOR_CARDS - len(cards)))
    ]


def _chance(card: int, held: tuple[int, ...], rule: Rule) -> float:
    """The probability that who holds these cards of the ones asked for shows `card`."""
    if card not in held:
        return 0.0
    if callable(rule):
        chances = list(rule(held))
        if len(chances) != len(held):
            raise BadInput(f"shows: a rule gives a probability for each of the {len(held)} cards, not {len(chances)}")
        return float(chances[held.index(card)])
    if rule == "uniform":
        return 1 / len(held)
    if rule == "first":
        return float(held[0] == card)
    raise BadInput(f"shows: a rule is uniform, first, or a function, not {rule!r}")


def deals(
    pool: Cards,
    sizes: Sequence[int],
    holds: Sequence[Cards] | None = None,
    lacks: Sequence[Cards] | None = None,
    clauses: Iterable[tuple[int, Cards]] = (),
    categories: Iterable[Cards] = (),
    excluded: Iterable[Cards] = (),
) -> Deals:
    """All deals that meet these facts, in one call.

    holds, lacks: for each holder, cards that they have, and cards that they do not have; clauses: pairs (holder, cards): they have
    at least one of these; excluded: sets that are not the envelope. BadInput: as `Deals`, and where shapes do not fit.

    >>> game = deals(range(6), [2, 2], clauses=[(0, [0, 1])], categories=[[0, 1, 2], [3, 4, 5]])
    >>> game.count, len(game.sample(100))
    (33, 100)
    """
    made = Deals(pool, sizes, categories)
    for name, given, add in (("holds", holds, made.holds), ("lacks", lacks, made.lacks)):
        if given is not None and len(given) != made.envelope:
            raise BadInput(f"{name}: one set of cards for each of the {made.envelope} holders, not {len(given)}")
        for holder, cards in enumerate(given or ()):
            add(holder, mask_of(cards, name))
    for holder, cards in clauses:
        made.holds_one_of(holder, cards)
    for cards in excluded:
        made.not_envelope(cards)
    return made
