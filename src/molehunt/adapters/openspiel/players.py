"""OpenSpiel's algorithms as our players. They are given views and events, and think about plays drawn from what these allow.

A drawn play is made by the game's `resample` from the view alone, so what a seat cannot see never changes what it does.
"""

from __future__ import annotations

import abc
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.adapters.openspiel import recall
from molehunt.adapters.openspiel.drawing import generator, next_stream
from molehunt.adapters.openspiel.games import load_game, state_at
from molehunt.adapters.openspiel.library import openspiel
from molehunt.adapters.openspiel.moments import drawn_from
from molehunt.adapters.openspiel.settings import Setting
from molehunt.adapters.openspiel.training import Policy, load_policy, trained
from molehunt.core.agent import Agent, Rows, check_chairs, check_seating, check_views, seats_of_views
from molehunt.core.errors import BadInput
from molehunt.core.game import Actions, Events, Game, Views
from molehunt.core.language import later
from molehunt.core.memory import CONSTANT_PART
from molehunt.core.specs import parameter

NO_EDITIONS: dict[str, Any] = {}


@dataclass
class Chairs:
    """What the chairs of an agent remember: the game as OpenSpiel has it, their traces (see `recall`), seats, random streams."""

    game: Any = field(metadata=CONSTANT_PART)
    traces: list[bytes]
    seats: npt.NDArray[np.int16]
    streams: npt.NDArray[np.uint64]

    @property
    def setting(self) -> Setting:
        """The game, its numbered actions and its deals."""
        setting: Setting = self.game.setting
        return setting

    def stream(self, row: int) -> npt.NDArray[np.uint64]:
        """The random stream of a chair: shape (1,)."""
        return self.streams[row : row + 1]


class SpielAgent(Agent):
    """An algorithm of OpenSpiel's on our seats. A subclass chooses."""

    in_batches = False

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Chairs:
        spiel_game = load_game(game.label, game.seats)
        check_seating(game, views, streams)
        return Chairs(
            spiel_game, [recall.begin(view.tobytes()) for view in views], seats_of_views(views), streams.copy()
        )

    def act(self, views: Views, memory: Chairs, rows: Rows) -> Actions:
        rows = check_views(memory, views, rows, memory.setting.game.view_dtype)
        actions = np.empty(len(rows), np.int32)
        for place, row in enumerate(rows):
            view = views[place : place + 1]
            seat = memory.setting.mover(view)
            index = self.choose(view, int(row), memory)
            memory.traces[row] = recall.then(memory.traces[row], view.tobytes())
            actions[place] = memory.setting.spaces.code(index, seat)
        return actions

    def observe(self, events: Events, memory: Chairs, rows: Rows) -> None:
        rows = check_chairs(memory, events, rows, memory.setting.game.event_dtype)
        for event, row in zip(events, rows, strict=True):
            memory.traces[row] = recall.then(memory.traces[row], event.tobytes())

    @abc.abstractmethod
    def choose(self, view: Views, row: int, memory: Chairs) -> int:
        """The action of a chair at a view, as an index."""


class UniformAgent(SpielAgent):
    """OpenSpiel's uniform random bot, `open_spiel.python.bots.uniform_random`."""

    name = "openspiel-random"
    observes = False

    def choose(self, view: Views, row: int, memory: Chairs) -> int:
        stream = memory.stream(row)
        seat = memory.setting.mover(view)
        bots = openspiel("open_spiel.python.bots.uniform_random")
        bot = bots.UniformRandomBot(seat, generator(stream))
        return int(bot.step(drawn_play(memory, view, row)))


def drawn_play(memory: Chairs, view: Views, row: int) -> Any:
    """A play that a chair holds possible at a view, drawn with its stream."""
    position = drawn_from(memory.setting, view, memory.traces[row], next_stream(memory.stream(row)))
    return state_at(memory.game, position)


class PlayoutEvaluator:
    """What a play is worth: the mean returns of some games played on at random. Every action is as likely."""

    def __init__(self, playouts: int, stream: npt.NDArray[np.uint64]) -> None:
        self.playouts = playouts
        self.stream = stream

    def evaluate(self, state: Any) -> npt.NDArray[np.float64]:
        """The mean returns by seat: shape (seats,)."""
        game: Any = state.setting.game
        states = np.repeat(state.position.states, self.playouts)
        game.play_randomly(states, np.concatenate([next_stream(self.stream) for _ in range(self.playouts)]))
        means: npt.NDArray[np.float64] = game.margins(states).mean(axis=0)
        return means

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """(action, probability) of each legal action."""
        legal = state.legal_actions()
        return [(action, 1.0 / len(legal)) for action in legal]


@dataclass(frozen=True)
class IsmctsParameters:
    """What can be set in `openspiel-ismcts`."""

    simulations: int = parameter(100, later("simulations a move, each on a deal of its own"), low=1, high=1_000_000)
    uct_c: float = parameter(
        1.0, later("how much is explored: the constant of UCT; returns are -1 to 1"), low=0.0, high=100.0
    )
    playouts: int = parameter(1, later("random games by which a leaf is valued"), low=1, high=10_000)


ISMCTS_EDITIONS = {"default": IsmctsParameters()}


class IsmctsAgent(SpielAgent):
    """OpenSpiel's information set Monte Carlo tree search, `open_spiel.python.algorithms.ismcts` (Cowling et al. 2011).

    Its deals are drawn by `Game.resample`, all that agree with the view being equally likely; leaves are valued by random games.
    The move is the one that was tried most.
    """

    needs_machine_code = True

    def __init__(self, name: str, parameters: IsmctsParameters) -> None:
        self.name = name
        self.parameters = parameters

    def choose(self, view: Views, row: int, memory: Chairs) -> int:
        ismcts = openspiel("open_spiel.python.algorithms.ismcts")
        parameters = self.parameters
        stream = memory.stream(row)
        bot = ismcts.ISMCTSBot(
            memory.game,
            PlayoutEvaluator(parameters.playouts, stream),
            parameters.uct_c,
            parameters.simulations,
            random_state=generator(stream),
            final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        )
        bot.set_resampler(lambda *_: drawn_play(memory, view, row))
        return int(bot.step(drawn_play(memory, view, row)))


@dataclass(frozen=True)
class MccfrParameters:
    """What can be set in `openspiel-mccfr`."""

    policy: str = parameter("", later("a file with a trained policy; empty: train one before the first game"))
    sampling: str = parameter("external", later("what is sampled while training"), choices=("external", "outcome"))
    iterations: int = parameter(10_000, later("iterations of training"), low=1, high=1_000_000_000)
    seed: int = parameter(0, later("the seed of the training"), low=0, high=2**31 - 1)


MCCFR_EDITIONS = {"default": MccfrParameters()}


class MccfrAgent(SpielAgent):
    """The average policy of OpenSpiel's Monte Carlo CFR (Lanctot et al. 2009); uniform where training never came."""

    needs_machine_code = True

    def __init__(self, name: str, parameters: MccfrParameters) -> None:
        self.name = name
        self.parameters = parameters

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Chairs:
        self.policy_for(game)
        return super().start(game, views, streams)

    def policy_for(self, game: Game) -> Policy:
        """The policy for a game; BadInput where the file holds one for another game, or where training is out of reach."""
        parameters = self.parameters
        if not parameters.policy:
            return trained(game.label, game.seats, parameters.sampling, parameters.iterations, parameters.seed)
        policy = load_policy(parameters.policy)
        if (policy.game, policy.seats) != (game.label, game.seats):
            raise BadInput(
                f"{parameters.policy} holds a policy for {policy.game} with {policy.seats} seats, "
                f"not for {game.label} with {game.seats}"
            )
        return policy

    def choose(self, view: Views, row: int, memory: Chairs) -> int:
        legal = [int(index) for index in np.flatnonzero(memory.setting.spaces.mask_many(view)[0])]
        chances = self.policy_for(memory.setting.game).chances(
            recall.information_state(memory.traces[row], view.tobytes()), len(legal)
        )
        return int(generator(memory.stream(row)).choice(legal, p=chances))
