"""`stranger`: players of Saboteur drawn from a space of styles by a seed, a benchmark of robustness.

`stranger:seed=17` is always the same player. It thinks as one of the published players does, but weighs everything in its own way,
and some are careless. docs/strangers.md describes the space.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from molehunt.agents.saboteur.decision_2019 import AS_PRINTED, AS_RUN, Decision2019Agent
from molehunt.agents.saboteur.kripke_2012 import Kripke2012Agent
from molehunt.agents.saboteur.kripke_parameters import NORMAL, STRATEGIES
from molehunt.agents.saboteur.means_ends_2016 import MeansEnds2016, MeansEnds2016Agent
from molehunt.core.agent import Agent, Reach, Rows
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.memory import CONSTANT_PART
from molehunt.core.panels import Panel
from molehunt.core.specs import parameter
from molehunt.core.streams import below, game_seeds, next_word

T = TypeVar("T")

SPREAD = 1.0
"""A weight is multiplied by a number between 1/e and e, its logarithm being uniform."""
WEIGHTS_OF_2012 = (
    "path_gain",
    "path_idle",
    "look",
    "block",
    "free_self",
    "free_other",
    "harm",
    "astray",
    "saboteur_look",
    "saboteur_block",
    "saboteur_free",
    "path_weight",
    "block_weight",
    "discard_weight",
    *(name.name for name in fields(NORMAL) if "keep_" in name.name),
)
WEIGHTS_OF_2019 = ("d_mu", "d_pi", "d_rho", "d_phi", "d_0", "d_b", "d_r", "repair_growth")
READINGS_OF_2019 = (
    "mean_breaks_ties",
    "own_kind_only",
    "miner_rockfall",
    "rockfall_absolute",
    "block_fewest",
    "complement",
    "discard_suiting",
)
WEIGHTS_OF_2016 = ("k0", "k1", "k2", "k3", "k4", "c1", "c2", "c3", "c4")


class Dice:
    """Numbers that follow from a seed."""

    def __init__(self, seed: int) -> None:
        self._numbers = iter((game_seeds(seed, 0, 64) / 2.0**53).tolist())

    def between(self, low: float, high: float) -> float:
        """A uniform number."""
        return float(low + (high - low) * next(self._numbers))

    def pick(self, choices: Sequence[T], shares: Sequence[float]) -> T:
        """One of some choices, by their shares (which sum to 1)."""
        at = next(self._numbers)
        for choice, share in zip(choices, shares, strict=True):
            at -= share
            if at < 0.0:
                return choice
        return choices[-1]

    def scaled(self, parameters: Any, names: Sequence[str]) -> dict[str, Any]:
        """Weights of a player, each in a way of its own."""
        return {name: getattr(parameters, name) * math.exp(self.between(-SPREAD, SPREAD)) for name in names}


def drawn(seed: int) -> tuple[Agent, float, str]:
    """The stranger of a seed: who thinks, the chance of a move at random, and its style in words."""
    dice = Dice(seed)
    noise = dice.pick((0.0, 0.05, 0.15), (0.6, 0.25, 0.15))
    kind = dice.pick(("models", "trust", "means and ends"), (0.55, 0.35, 0.1))
    agent: Agent
    if kind == "models":
        strategy = dice.pick(STRATEGIES, (0.35, 0.35, 0.3))
        of_2012 = replace(
            NORMAL,
            strategy=strategy,
            depth=dice.pick((1, 2), (0.5, 0.5)),
            disbelief=dice.between(1.0, 5.0),
            suspicious=dice.between(0.3, 0.8),
            cover=dice.pick((0.0, 0.5, 1.0, 2.0), (0.25, 0.25, 0.25, 0.25)),
            close=dice.pick((1.0, 2.0, 3.0, 4.0), (0.25, 0.25, 0.25, 0.25)),
            suspecting=dice.pick((1, 2, 3), (0.3, 0.4, 0.3)),
            worth=dice.pick((0.0, 0.3, 1.0), (0.6, 0.2, 0.2)),
            **dice.scaled(NORMAL, WEIGHTS_OF_2012),
        )
        agent = Kripke2012Agent("stranger", of_2012)
        style = f"thinks of what others may believe, {strategy} as a saboteur"
    elif kind == "trust":
        base = dice.pick((AS_RUN, AS_PRINTED), (0.6, 0.4))
        turned = {name: not getattr(base, name) for name in READINGS_OF_2019 if dice.pick((True, False), (0.25, 0.75))}
        of_2019 = replace(base, **dice.scaled(base, WEIGHTS_OF_2019), **turned)
        agent = Decision2019Agent("stranger", of_2019)
        style = "goes by trust and by what the board is worth"
    else:
        usual = MeansEnds2016()
        agent = MeansEnds2016Agent("stranger", replace(usual, **dice.scaled(usual, WEIGHTS_OF_2016)))
        style = "goes by means and ends"
    return agent, noise, style + (", careless" if noise else "")


@dataclass(frozen=True)
class Parameters:
    """What can be set in `stranger`."""

    seed: int = parameter(0, "which stranger of all that there are", low=0, high=2**53 - 1)


EDITIONS = {"drawn": Parameters()}


@dataclass
class Memory:
    """What the player that thinks remembers, and the luck of each chair."""

    thinking: Any
    streams: npt.NDArray[np.uint64]
    game: Game = field(metadata=CONSTANT_PART)


class StrangerAgent(Agent):
    """A player of a style drawn by a seed."""

    def __init__(self, name: str = "stranger", parameters: Parameters = EDITIONS["drawn"]) -> None:
        self.name = name
        self.thinker, self.noise, self.style = drawn(parameters.seed)

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        # Its luck is another's than that of the player that thinks.
        return Memory(self.thinker.start(game, views, streams), ~streams, game)

    def sit_together(self, memory: Memory, games: Rows) -> None:
        """As the player that thinks does."""
        self.thinker.sit_together(memory.thinking, games)

    def sit_apart(self, memory: Memory) -> None:
        """As the player that thinks does."""
        self.thinker.sit_apart(memory.thinking)

    def act(self, views: Views, memory: Memory, rows: Rows) -> Actions:
        actions = self.thinker.act(views, memory.thinking, rows)
        if self.noise:
            for place, row in enumerate(rows):
                stream = memory.streams[row : row + 1]
                if (int(next_word(stream)) >> 11) < self.noise * 2**53:
                    legal = memory.game.legal_actions(views[place : place + 1]).codes
                    actions[place] = legal[below(stream, len(legal))]
        return actions

    def observe(self, events: Events, memory: Memory, rows: Rows) -> None:
        self.thinker.observe(events, memory.thinking, rows)

    def reach(self, memory: Memory) -> Reach | None:
        return None if self.noise else self.thinker.reach(memory.thinking)

    def why(self, game: Game, view: Any, memory: Memory, row: int) -> str:
        thought = self.thinker.why(game, view, memory.thinking, row)
        return f"A stranger that {self.style}. {thought}"

    def beliefs(self, game: Game, view: Any, memory: Memory, row: int) -> tuple[Panel, ...]:
        return self.thinker.beliefs(game, view, memory.thinking, row)
