"""`stranger`: players drawn from a space of habits by a seed, a benchmark of robustness.

Every seed is another player of the family of `strategies`, with habits that nobody here was tuned against: how it asks, how often
it names cards of its own (never to twice as often as at random) and cards that it knows of elsewhere, which card it shows,
what it overlooks, when it accuses. By custom one tunes on seeds below 1,000 and reports on seeds above 10,000.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from molehunt.agents.speed_clue.strategies import ClueAgent
from molehunt.agents.speed_clue.strategy_parameters import Strategy
from molehunt.core.game import Game
from molehunt.core.language import _, later
from molehunt.core.specs import parameter
from molehunt.core.streams import MAX_SEED

SALT = 0xC1DE
"""Tells the draw of habits from other draws with the same seed."""

ASKS = ("basic", "next_not_held", "next_possible", "previous_possible", "no_intelligence", "mixed")
ASKED = (0.25, 0.45, 0.08, 0.08, 0.06, 0.08)
"""How strangers ask, and how many of them."""
SOLVED = ("any", "own", "not_held", "envelope")
SHOWN = ("first", "last", "random", "least")


SHOWS = {
    "first": later("shows the first card"),
    "last": later("shows the last card"),
    "random": later("shows any card"),
    "least": later("shows the least card"),
}
"""What who shows so is called."""


@dataclass(frozen=True)
class Stranger:
    """Which stranger it is."""

    seed: int = parameter(0, later("which of the strangers: each seed has habits of its own"), low=0, high=MAX_SEED)


EDITIONS = {"drawn": Stranger()}


def strategy_of(seed: int) -> Strategy:
    """The habits of a stranger: the same seed has the same, today and tomorrow.

    A quarter never names own cards on purpose, the others between never and twice as often as at random; two fifths of those who do
    cover two categories with own cards and ask in the third. Two fifths never name a card that they know of elsewhere. Every
    way to show a card is as frequent. Half overlook up to 20 % of what others are answered. One in eight accuses when two
    envelopes are left, one in five holds an accusation back to its next turn.
    """
    random = np.random.default_rng((SALT, seed))
    # Every habit takes one number, in this order, so that none depends on another's draw.
    drawn: Any = random.random(13).tolist()
    own = 0.0 if drawn[0] < 0.25 else round(2 * drawn[1], 3)
    return Strategy(
        ask=ASKS[int(np.searchsorted(np.cumsum(ASKED)[:-1], drawn[2], side="right"))],
        choice="random" if drawn[3] < 0.75 else "systematic",
        show=SHOWN[int(drawn[4] * len(SHOWN))],
        reshow=drawn[5] < 0.75,
        solved=SOLVED[int(drawn[6] * len(SOLVED))],
        all_opponents=drawn[7] < 0.7,
        possible="first",  # what next_possible over all was when their numbers were published
        cross_reference=drawn[8] < 0.6,
        accuse_after=drawn[9] < 0.8,
        own=own,
        seen=0.0 if drawn[10] < 0.4 else round((drawn[10] - 0.4) / 0.6, 3),
        cover=own > 0 and drawn[0] > 0.7,
        missed=0.0 if drawn[11] < 0.5 else round(0.4 * (drawn[11] - 0.5), 3),
        guess=2 if drawn[12] < 0.125 else 1,
    )


class StrangerAgent(ClueAgent):
    """One of the strangers."""

    def __init__(self, name: str, parameters: Stranger) -> None:
        super().__init__(name, strategy_of(parameters.seed))
        self.seed = parameters.seed

    @property
    def styles(self) -> tuple[str, ...]:
        """What one may call it, by its habits."""
        habits = self.parameters
        own = (
            later("never names own cards")
            if not habits.own
            else later("names own cards seldom")
            if habits.own < 0.7
            else later("names own cards often")
            if habits.own > 1.3
            else later("names own cards as at random")
        )
        more = {
            later("names cards seen"): habits.seen > 0,
            later("covers with own cards"): habits.cover,
            later("overlooks answers"): habits.missed > 0,
            later("guesses of two"): habits.guess > 1,
            later("accuses late"): not habits.accuse_after,
        }
        return (
            own,
            SHOWS[habits.show],
            *filter(more.get, more),
        )

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        """What it does and knows, then its styles."""
        told = _("A stranger: {styles}.", styles=", ".join(_(style) for style in self.styles))
        return f"{super().why(game, view, memory, row)}\n{told}"
