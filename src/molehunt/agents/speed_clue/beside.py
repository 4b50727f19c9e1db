"""What a view has no place for, where Clue is played at a real table: cards that became known beside the game, and its pace."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from molehunt.beliefs.deals.problem import Facts
from molehunt.core.errors import BadInput


class Known(NamedTuple):
    """That `seat` has at least one of `cards`, or (not `has`) none of them. The envelope is the seat after the last."""

    seat: int
    cards: tuple[int, ...]
    has: bool


@dataclass(frozen=True)
class Beside:
    """What is true besides what the view says.

    known: facts; face_up: cards that lie open for all, a mask: the view counts them to the own hand, from which they are not
    shown; pace: the chance that a player comes to make a suggestion in a turn; shown: (seat, card) of the own hand that was shown
    to a seat in a suggestion that is not in the view.
    """

    known: tuple[Known, ...] = ()
    face_up: int = 0
    pace: float = 1.0
    shown: tuple[tuple[int, int], ...] = ()

    def shown_to(self, seat: int) -> int:
        """What of the own hand a seat was shown, besides what the view says: a mask."""
        return sum(1 << card for card in {card for other, card in self.shown if other == seat})


NOTHING = Beside()


def with_known(facts: Facts, known: Iterable[Known], seat: int, seats: int, cards: int) -> Facts:
    """The facts of a view of `seat` with more that is certain; BadInput where that is about no other seat, or no card."""
    holders, masks = facts.clause_holders.tolist(), facts.clause_cards.tolist()
    holds, lacks = facts.holds.copy(), facts.lacks.copy()
    for fact in known:
        if fact.seat == seat or not 0 <= fact.seat <= seats or not all(0 <= card < cards for card in fact.cards):
            raise BadInput(f"known: ({fact.seat}, {fact.cards}) are no cards of another seat or the envelope")
        if fact.seat == seats and fact.has and len(fact.cards) > 1:
            raise BadInput("known: of the envelope it is known that it has a card, not that it has one of several")
        holder = seats - 1 if fact.seat == seats else (fact.seat - seat) % seats - 1
        mask = sum(1 << card for card in fact.cards)
        if not fact.has:
            lacks[holder] |= np.uint64(mask)
        elif len(fact.cards) == 1:
            holds[holder] |= np.uint64(mask)
        else:
            holders.append(holder)
            masks.append(mask)
    return facts._replace(
        holds=holds,
        lacks=lacks,
        clause_holders=np.array(holders, np.int64),
        clause_cards=np.array(masks, np.uint64),
    )
