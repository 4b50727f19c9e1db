"""What is known about who holds what, fact by fact, and how it is said in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from molehunt.beliefs.deals.problem import FACTOR_CARDS, PATTERNS, Facts
from molehunt.core.errors import BadInput, check_is
from molehunt.core.numbers import is_whole

Cards: TypeAlias = int | Iterable[int]
"""A set of cards: a mask with one bit a card, or the numbers of the cards (0 to 63)."""

HOLDS, LACKS, ONE_OF, NOT_ENVELOPE, LIKELIHOOD = "holds", "lacks", "one of", "not the envelope", "likelihood"


@dataclass(frozen=True)
class Fact:
    """One thing that is known.

    kind: HOLDS, LACKS, ONE_OF, NOT_ENVELOPE or LIKELIHOOD; place: the holder, the envelope being the number after the last
    holder; cards: which; weights: of a likelihood, see `Deals.weigh`; source: what it was learned from, anything.
    """

    kind: str
    place: int
    cards: tuple[int, ...]
    weights: tuple[float, ...] = ()
    source: Any = None

    def is_met(self, hands: Sequence[int]) -> bool:
        """Whether a deal meets it: `hands` are masks, the envelope's last."""
        held = [bool(hands[self.place] >> card & 1) for card in self.cards]
        if self.kind == HOLDS:
            return all(held)
        if self.kind == LACKS:
            return not any(held)
        if self.kind == ONE_OF:
            return any(held)
        if self.kind == NOT_ENVELOPE:
            return hands[self.place] != sum(1 << card for card in self.cards)
        return self.weights[sum(1 << index for index, has in enumerate(held) if has)] > 0

    def excludes(self) -> bool:
        """Whether it makes any deal impossible, as a likelihood seldom does."""
        return self.kind != LIKELIHOOD or min(self.weights) == 0


@dataclass(frozen=True)
class Words:
    """The names of cards and places, and sentences made of them."""

    cards: tuple[str, ...]
    places: tuple[str, ...]

    def say(self, fact: Fact) -> str:
        """A fact as a sentence without its full stop, with its source in front where it is a text."""
        place = self.places[fact.place]
        names = [self.cards[card] for card in fact.cards]
        sentence = {
            HOLDS: f"{place} has {_listed(names, 'and')}",
            LACKS: f"{place} does not have {_listed(names, 'or')}",
            ONE_OF: f"{place} has {_listed(names, 'or')}",
            NOT_ENVELOPE: f"the envelope is not {_listed(names, 'with')}",
            LIKELIHOOD: f"what {place} did {self._says(fact)}",
        }[fact.kind]
        return f"{fact.source}: {sentence}" if isinstance(fact.source, str) else sentence

    def _says(self, fact: Fact) -> str:
        """What a likelihood makes certain, which is what its zeros rule out."""
        place = self.places[fact.place]
        names = [self.cards[card] for card in fact.cards]
        left = [pattern for pattern, weight in enumerate(fact.weights) if weight > 0]
        if not left:
            return "is impossible"
        if len(left) == len(fact.weights):
            return f"says how likely it is that {place} has {_listed(names, 'or')}"
        if left == list(range(1, len(fact.weights))):
            return f"shows that {place} has {_listed(names, 'or')}"
        always = [name for bit, name in enumerate(names) if all(pattern >> bit & 1 for pattern in left)]
        never = [name for bit, name in enumerate(names) if not any(pattern >> bit & 1 for pattern in left)]
        if len(left) << len(always) + len(never) != len(fact.weights):
            return f"rules out some of what {place} may have of {_listed(names, 'and')}"
        has = [f"has {_listed(always, 'and')}"] if always else []
        has_not = [f"does not have {_listed(never, 'or')}"] if never else []
        return f"shows that {place} {' and '.join(has + has_not)}"


def _listed(names: Sequence[str], last: str) -> str:
    """`A, B or C`."""
    if not names:
        return "no card"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def mask_of(cards: Cards, what: str) -> int:
    """A set of cards as a mask; BadInput says what is wrong with it, `what` being its name."""
    if is_whole(cards):
        mask = int(cards)
    else:
        check_is(cards, Iterable, f"{what}: a set of cards is a list of their numbers, as [3, 4], or a mask of 64 bits")
        numbers: list[Any] = list(cards)  # type: ignore[arg-type]
        if not all(is_whole(card) and 0 <= card < 64 for card in numbers):
            raise BadInput(f"{what}: cards are numbered 0 to 63, not {numbers!r}")
        mask = sum(1 << int(card) for card in set(numbers))
    if not 0 <= mask < 2**64:
        raise BadInput(f"{what}: a set of cards is a mask of 64 bits, not {mask}")
    return mask


def cards_in(mask: int) -> tuple[int, ...]:
    """The numbers of the cards of a mask."""
    return tuple(card for card in range(mask.bit_length()) if mask >> card & 1)


def as_arrays(
    pool: int, sizes: Sequence[int], categories: npt.NDArray[np.uint64], facts: Iterable[Fact], counted: bool = False
) -> Facts:
    """The facts as the kernels take them; with `counted` every likelihood that is not 0 counts as 1."""
    m = len(sizes)
    holds, lacks = [0] * (m + 1), [0] * (m + 1)
    clauses: list[tuple[int, int]] = []
    excluded: list[int] = []
    factors: list[Fact] = []
    for fact in facts:
        cards = sum(1 << card for card in fact.cards)
        if fact.kind == HOLDS:
            holds[fact.place] |= cards
        elif fact.kind == LACKS:
            lacks[fact.place] |= cards
        elif fact.kind == ONE_OF:
            clauses.append((fact.place, cards))
        elif fact.kind == NOT_ENVELOPE:
            excluded.append(cards)
        elif not counted or fact.excludes():
            factors.append(fact)
    factor_cards = np.full((len(factors), FACTOR_CARDS), -1, np.int64)
    factor_weights = np.ones((len(factors), PATTERNS))
    for index, fact in enumerate(factors):
        factor_cards[index, : len(fact.cards)] = fact.cards
        if counted:
            factor_weights[index, : len(fact.weights)] = [weight > 0 for weight in fact.weights]
            continue
        # The largest becomes 1 to 2, by an exact power of two, so that products of many neither overflow nor vanish.
        exponent = np.frexp(max(fact.weights))[1] - 1
        factor_weights[index, : len(fact.weights)] = np.ldexp(fact.weights, -exponent)
    return Facts(
        np.array([pool], np.uint64),
        np.array(sizes, np.int64),
        np.array(holds, np.uint64),
        np.array(lacks, np.uint64),
        np.array([holder for holder, _ in clauses], np.int64),
        np.array([cards for _, cards in clauses], np.uint64),
        np.array([fact.place for fact in factors], np.int64),
        factor_cards,
        factor_weights,
        categories,
        np.array(excluded, np.uint64),
    )
