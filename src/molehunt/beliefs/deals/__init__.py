"""Who holds what: exact inference about cards that were dealt to holders and an envelope.

A pool of cards is dealt to holders with known hand sizes; what is left over, the envelope, has one card of each category. What
is known is added fact by fact. Then there are the number of deals left, the probability of every card at every place and of
every envelope, what is certain and why, exact samples, and, where the facts contradict each other, which of them.

>>> game = Deals(range(6), [2, 2], categories=[[0, 1, 2], [3, 4, 5]])
>>> game.holds_one_of(0, [0, 1])
>>> game.count, game.probabilities()[0].round(2).tolist()
(33, [0.55, 0.18, 0.27])
"""

from molehunt.beliefs.deals.facts import Cards, Fact
from molehunt.beliefs.deals.inference import Deals, Explanation, Forced, deals

__all__ = ["Cards", "Deals", "Explanation", "Fact", "Forced", "deals"]
