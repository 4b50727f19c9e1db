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
from molehunt.core.agent import Agent, Reach, Rows, check_seating, check_views, seen_from
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.interpreting import unchanged
from molehunt.core.kernels import kernel
from molehunt.core.language import _, later
from molehunt.core.memory import CONSTANT_PART, SCRATCH_PART
from molehunt.core.panels import Panel
from molehunt.core.specs import parameter
from molehunt.core.streams import below, game_seeds, next_word
from molehunt.games.compiled import bytes_of
from molehunt.games.playing import act_many, acting, array_at, grid_at, laid_down, observe_many, observing
from molehunt.games.saboteur.game import check_game
from molehunt.games.saboteur.possible import can_happen
from molehunt.games.saboteur.rules import NOTHING, list_actions
from molehunt.games.saboteur.ruleset import SEATS
from molehunt.games.saboteur.state import EVENT, VIEW

T = TypeVar("T")

BELIEVING = {
    "explicit": later("thinks of what others may believe, explicit as a saboteur"),
    "adaptive": later("thinks of what others may believe, adaptive as a saboteur"),
    "undercover": later("thinks of what others may believe, undercover as a saboteur"),
}
"""The style of who has a Kripke model, by its strategy as a saboteur."""
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
        style = BELIEVING[strategy]
    elif kind == "trust":
        base = dice.pick((AS_RUN, AS_PRINTED), (0.6, 0.4))
        turned = {name: not getattr(base, name) for name in READINGS_OF_2019 if dice.pick((True, False), (0.25, 0.75))}
        of_2019 = replace(base, **dice.scaled(base, WEIGHTS_OF_2019), **turned)
        agent = Decision2019Agent("stranger", of_2019)
        style = later("goes by trust and by what the board is worth")
    else:
        usual = MeansEnds2016()
        agent = MeansEnds2016Agent("stranger", replace(usual, **dice.scaled(usual, WEIGHTS_OF_2016)))
        style = later("goes by means and ends")
    return agent, noise, style


def style_in_words(style: str, noise: float) -> str:
    """A style that was drawn, and whether it goes with moves at random, as a part of a sentence."""
    return _("{style}, careless", style=_(style)) if noise else _(style)


@dataclass(frozen=True)
class Parameters:
    """What can be set in `stranger`."""

    seed: int = parameter(0, later("which stranger of all that there are"), low=0, high=2**53 - 1)


EDITIONS = {"drawn": Parameters()}


@dataclass
class Memory:
    """What the player that thinks remembers, the luck of each chair, and where compiled loops find the player that thinks."""

    thinking: Any
    streams: npt.NDArray[np.uint64]
    params: npt.NDArray[np.int64] = field(metadata=CONSTANT_PART)
    found: npt.NDArray[np.int64] = field(metadata=SCRATCH_PART)
    legal: npt.NDArray[np.int32] = field(metadata=SCRATCH_PART)

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """The seat of each chair."""
        result: npt.NDArray[np.int64] = self.thinking.seats
        return result


STREAMS, PARAMS, FOUND, LEGAL = range(0, 8, 2)
"""Where compiled loops find the parts of a memory: the address and the length of each."""
ACT, OBSERVE, CARELESS = range(8, 11)
"""... the functions of the player that thinks, and how many of `CASES` cases are left to chance."""
CASES = 1 << 53

streams_at = array_at(np.uint64)
whole_at = array_at(np.int64)
params_at = array_at(np.int64, readonly=True)
actions_at = array_at(np.int32)
bytes_at = grid_at(np.uint8)
VIEW_BYTES, EVENT_BYTES = VIEW.itemsize, EVENT.itemsize


@kernel
def is_careless(stream: Any, cases: int) -> bool:
    """Whether a move is left to chance, of so many in CASES; one draw from `stream`."""
    return int(next_word(stream) >> np.uint64(11)) < cases


@acting(VIEW)
def act_one(views: Any, memory: Any, chair: int) -> Any:
    """What the player that thinks does, or now and then any legal move."""
    rows, out = np.full(1, chair), np.zeros(1, np.int32)
    thinker = whole_at(memory[FOUND], memory[FOUND + 1])
    act_many(memory[ACT], bytes_at(np.int64(views.ctypes.data), 1, VIEW_BYTES), thinker, rows, out)
    stream = streams_at(memory[STREAMS], memory[STREAMS + 1])[chair : chair + 1]
    if memory[CARELESS] and is_careless(stream, memory[CARELESS]):
        view = views[0]
        params = params_at(memory[PARAMS], memory[PARAMS + 1])
        legal = actions_at(memory[LEGAL], memory[LEGAL + 1])
        count = list_actions(
            view.hand, view.maze, view.broken, view.seat, view.revealed, view.claiming, NOTHING, params, legal
        )
        return np.int64(legal[below(stream, count)])
    return np.int64(out[0])


@observing(EVENT, can_happen)
def observe_one(events: Any, memory: Any, chair: int) -> None:
    """An event, told to the player that thinks."""
    thinker = whole_at(memory[FOUND], memory[FOUND + 1])
    observe_many(memory[OBSERVE], bytes_at(np.int64(events.ctypes.data), 1, EVENT_BYTES), thinker, np.full(1, chair))


class StrangerAgent(Agent):
    """A player of a style drawn by a seed."""

    def __init__(self, name: str = "stranger", parameters: Parameters = EDITIONS["drawn"]) -> None:
        self.name = name
        self.thinker, self.noise, self.style = drawn(parameters.seed)

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        game = check_game(self.name, game)
        check_seating(game, views, streams)
        thinking = self.thinker.start(game, views, streams)
        # Its luck is another's than that of the player that thinks.
        return Memory(
            thinking,
            ~streams,
            game.params,
            np.zeros_like(self._thinker(thinking).memory),
            np.zeros(game.most_actions, np.int32),
        )

    def sit_together(self, memory: Memory, games: Rows) -> None:
        """As the player that thinks does."""
        self.thinker.sit_together(memory.thinking, games)

    def sit_apart(self, memory: Memory) -> None:
        """As the player that thinks does."""
        self.thinker.sit_apart(memory.thinking)

    def act(self, views: Views, memory: Memory, rows: Rows) -> Actions:
        rows = check_views(memory, views, rows, VIEW, int(memory.params[SEATS]))
        actions = np.empty(len(views), np.int32)
        with unchanged():
            reach = self.reach(memory)
            act_many(reach.act, bytes_of(np.ascontiguousarray(views)), reach.memory, rows, actions)
        return actions

    def observe(self, events: Events, memory: Memory, rows: Rows) -> None:
        self.thinker.observe(events, memory.thinking, rows)

    def reach(self, memory: Memory) -> Reach:
        thinker = self._thinker(memory.thinking)
        if not self.noise:
            return thinker
        memory.found[:] = thinker.memory
        parts = laid_down(memory.streams, memory.params, memory.found, memory.legal)
        mine = [thinker.act, thinker.observe, int(self.noise * CASES)]
        return Reach(act_one.address, observe_one.address if thinker.observe else 0, np.append(parts, mine))

    def _thinker(self, thinking: Any) -> Reach:
        """Where compiled loops find the player that thinks."""
        found = self.thinker.reach(thinking)
        assert found is not None  # noqa: S101 - all who are drawn are compiled
        return found

    def why(self, game: Game, view: Any, memory: Memory, row: int) -> str:
        style = _("A stranger that {style}.", style=style_in_words(self.style, self.noise))
        if not self._is_careless(memory, row):
            return f"{style} {self.thinker.why(game, view, memory.thinking, row)}"
        view = seen_from(memory, view, row)
        move = int(self.act(view, self.take(memory, np.array([row])), np.zeros(1, np.int64))[0])
        careless = _("This time it is careless: it chooses {move} by lot.", move=game.format_action(move))
        return f"{style} {careless}"

    def _is_careless(self, memory: Memory, row: int) -> bool:
        """Whether a chair leaves its next move to chance, as `act_one` finds out; its luck stays as it is."""
        return bool(is_careless(memory.streams[row : row + 1].copy(), int(self.noise * CASES)))

    def beliefs(self, game: Game, view: Any, memory: Memory, row: int) -> tuple[Panel, ...]:
        return self.thinker.beliefs(game, view, memory.thinking, row)
