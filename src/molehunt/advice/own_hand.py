"""What of one's own hand, and of what lies face up, an explanation needs: nothing that could be left out.

The other hands are counted with one's own cards out of the pool, so that what one holds is no fact there. Here it is: all that is
in sight is one more holder, and of each card it is a fact of its own that it is there, or is not.
"""

from __future__ import annotations

from collections.abc import Sequence

from molehunt.advice.deal import Deal
from molehunt.beliefs.deals import Deals, Fact
from molehunt.beliefs.deals.facts import HOLDS, LACKS


def needed_of_hand(deal: Deal, facts: Sequence[Fact]) -> tuple[list[int], list[int]]:
    """Which cards must be known to be in sight, and which not to be, for facts about the others to contradict each other.

    None of them can be left out.

    `facts` have the places of `Findings.deals`, and contradict each other together with all that is in sight.
    """
    number, seen = len(deal.edition.names), len(deal.others)
    sizes = [deal.sizes[player] for player in deal.others]
    kinds = [deal.edition.cards(category) for category in range(3)]
    made = Deals(range(number), [*sizes, number - 3 - sum(sizes)], kinds)
    for fact in facts:
        # In sight comes after the others, and so the envelope one later.
        made.add(Fact(fact.kind, fact.place + (fact.place == seen), fact.cards, fact.weights))
    named = {card for fact in facts for card in fact.cards}
    held = [Fact(HOLDS, seen, (card,)) for card in range(number) if deal.in_sight(card)]
    lacked = [Fact(LACKS, seen, (card,)) for card in range(number) if not deal.in_sight(card)]
    for fact in (*held, *lacked):
        made.add(fact)
    # A card that the facts name is lacked: that says more at a glance than which others one has.
    parts = [
        _about(lacked, named, beside=True),
        _about(held, named, beside=True),
        _about(held, named),
        _about(lacked, named),
    ]
    everything = [fact for part in parts for fact in part]
    if not made.without(*everything).possible:
        return [], []
    needless: list[Fact] = []
    for part in parts:
        needless += _needless(made.without(*needless), part)
    left = [fact for fact in (*held, *lacked) if not any(fact is other for other in needless)]
    return [fact.cards[0] for fact in left if fact.kind == HOLDS], [
        fact.cards[0] for fact in left if fact.kind == LACKS
    ]


def _about(facts: Sequence[Fact], named: set[int], beside: bool = False) -> list[Fact]:
    """Those of the facts whose card is named, or those (`beside`) whose card is not."""
    return [fact for fact in facts if (fact.cards[0] in named) != beside]


def _needless(made: Deals, part: list[Fact]) -> list[Fact]:
    """Which of some facts it does not take for the rest to be contradictory: all at once where that goes, else by halves."""
    if not part or not made.without(*part).possible:
        return part
    if len(part) == 1:
        return []
    middle = len(part) // 2
    first = _needless(made, part[:middle])
    return [*first, *_needless(made.without(*first), part[middle:])]
