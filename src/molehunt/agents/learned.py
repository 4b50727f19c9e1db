"""What the learned players of all games share: `learned`, a small network that scores legal moves (`agents.networks`).

A game brings what it writes of a view: a position and each legal move as small whole numbers (its `features.py`), and, for
networks that are told the last moves, of each of these (`history.py`), which stand after the position, the latest first.
"""

from __future__ import annotations

import abc
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from molehunt.agents import networks
from molehunt.agents.compiled import CompiledAgent
from molehunt.agents.networks import COUNT, NOTES, VALUE, Network, pick_move, score_moves
from molehunt.core.agent import check_seating, seats_of_views
from molehunt.core.errors import BadInput
from molehunt.core.game import Game, Views
from molehunt.core.kernels import kernel
from molehunt.core.language import _, later
from molehunt.core.memory import CONSTANT_PART, SCRATCH_PART
from molehunt.core.specs import parameter
from molehunt.core.words import number_said, percent_said
from molehunt.games.playing import array_at, grid_at
from molehunt.reading.history import NO_TURN

(
    STREAMS,
    HISTORIES,
    RECENT,
    PARAMS,
    WEIGHTS,
    SHAPE,
    SETTINGS,
    POSITION,
    MOVES,
    ACTIONS,
    SCORES,
    LAYERS,
    NOTED,
    SCRATCH,
) = range(0, 28, 2)
"""Where compiled loops find the parts of a memory: the address and the length of each."""
MEMORY_NUMBERS = 28
"""How many numbers that are."""
TOLD_MOVES = networks.SHAPE_SIZE
"""After the shape of the network: how many of the last moves it is told."""
Parts = dict[str, int]
TEMPERATURE = 0
"""An entry of the settings."""
SHIPPED = ""
"""The weights that belong to the ruleset."""
SHOWN = 5
"""Moves that `why` tells of."""

streams_at = array_at(np.uint64)
whole_at = array_at(np.int64, readonly=True)
weights_at = array_at(np.float32, readonly=True)
floats_at = array_at(np.float32)
settings_at = array_at(np.float64)
position_at = array_at(np.int8)
moves_at = grid_at(np.int8)
actions_at = array_at(np.int32)


@kernel
def written_at(memory: Any) -> Any:
    """Where a position, its moves and their actions are written: shapes (size,), (most moves, size of a move), (most moves,)."""
    shape = whole_at(memory[SHAPE], memory[SHAPE + 1])
    moves = moves_at(memory[MOVES], memory[MOVES + 1] // shape[networks.MOVES], shape[networks.MOVES])
    return position_at(memory[POSITION], memory[POSITION + 1]), moves, actions_at(memory[ACTIONS], memory[ACTIONS + 1])


@kernel
def told_moves(memory: Any) -> int:
    """How many of the last moves the network is told."""
    return whole_at(memory[SHAPE], memory[SHAPE + 1])[TOLD_MOVES]


@kernel
def think(memory: Any, chair: int, count: int) -> Any:
    """The action that is chosen among `count` that were written to the memory, with the position and the moves."""
    shape = whole_at(memory[SHAPE], memory[SHAPE + 1])
    position, moves, actions = written_at(memory)
    scores = floats_at(memory[SCORES], memory[SCORES + 1])
    notes = settings_at(memory[NOTED], memory[NOTED + 1])
    weights = weights_at(memory[WEIGHTS], memory[WEIGHTS + 1])
    layers = floats_at(memory[LAYERS], memory[LAYERS + 1])
    notes[VALUE] = score_moves(weights, shape, position, moves, count, layers, scores)
    stream = streams_at(memory[STREAMS], memory[STREAMS + 1])[chair : chair + 1]
    temperature = settings_at(memory[SETTINGS], memory[SETTINGS + 1])[TEMPERATURE]
    chosen = pick_move(scores, count, temperature, stream, notes)
    return np.int64(actions[chosen])


@dataclass(frozen=True)
class Told:
    """What a network is told besides the position: what follows from everybody's moves, and how many of the last moves."""

    beliefs: bool = False
    history: int = 0


POSITION_ONLY = Told()


@dataclass(frozen=True)
class Parameters:
    """What can be set in `learned`."""

    weights: str = parameter(
        SHIPPED, later("a file of weights that `molehunt train` wrote; by default those of the ruleset")
    )
    temperature: float = parameter(
        0.0, later("0 = the best move; 1 = moves as often as in training"), low=0.0, high=100.0
    )


EDITIONS: dict[str, Parameters] = {"best": Parameters(), "mixed": Parameters(temperature=1.0)}


@dataclass
class Memory:
    """Of each chair its seat, its random stream, what it noted and its last events; the network; what a decision is written to."""

    seats: npt.NDArray[np.int16]
    streams: npt.NDArray[np.uint64]
    histories: npt.NDArray[Any]
    recent: npt.NDArray[Any]
    params: npt.NDArray[np.int64] = field(metadata=CONSTANT_PART)
    weights: npt.NDArray[np.float32] = field(metadata=CONSTANT_PART)
    shape: npt.NDArray[np.int64] = field(metadata=CONSTANT_PART)
    settings: npt.NDArray[np.float64] = field(metadata=CONSTANT_PART)
    position: npt.NDArray[np.int8] = field(metadata=SCRATCH_PART)
    moves: npt.NDArray[np.int8] = field(metadata=SCRATCH_PART)
    actions: npt.NDArray[np.int32] = field(metadata=SCRATCH_PART)
    scores: npt.NDArray[np.float32] = field(metadata=SCRATCH_PART)
    layers: npt.NDArray[np.float32] = field(metadata=SCRATCH_PART)
    notes: npt.NDArray[np.float64] = field(metadata=SCRATCH_PART)
    scratch: npt.NDArray[Any] = field(metadata=SCRATCH_PART)
    tables: tuple[npt.NDArray[Any], ...] = field(metadata=CONSTANT_PART)


@lru_cache
def shipped_network(path: Path) -> Network:
    """The network of a file that comes with the package, read once."""
    return networks.load(path)


def policy_of(memory: Memory) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """The legal moves of the last decision and how often the network makes each in training, the most frequent first."""
    count = int(memory.notes[COUNT])
    scores = memory.scores[:count].astype(np.float64)
    order = np.argsort(-scores, kind="stable")
    chances = np.exp(scores - scores.max())
    return memory.actions[:count][order], (chances / chances.sum())[order]


class LearnedAgent(CompiledAgent):
    """A network as a player of one game. A subclass says what the game writes of a view."""

    history: ClassVar[np.dtype[Any]]
    """The record of what a chair noted of its game."""
    scratch: ClassVar[np.dtype[Any]]
    """The record in which the features are worked out."""
    event: ClassVar[np.dtype[Any] | None] = None
    """The record of an event, where the last moves are told by the events that a chair saw; None where the view tells them."""
    knows_beliefs: ClassVar[bool] = False
    """Whether the game may also tell what follows from everybody's moves."""

    def __init__(self, name: str = "learned", parameters: Parameters = EDITIONS["best"]) -> None:
        self.name = name
        self.parameters = parameters
        self._network = networks.load(Path(parameters.weights)) if parameters.weights else None

    @classmethod
    def of(cls, network: Network, temperature: float, name: str = "learned") -> Self:
        """The player of a network that is no file."""
        agent = cls(name, Parameters(temperature=temperature))
        agent._network = network
        return agent

    @abc.abstractmethod
    def check(self, game: Game) -> None:
        """BadInput where the game is another one."""

    @classmethod
    @abc.abstractmethod
    def parts_told(cls, game: Game, beliefs: bool = False) -> tuple[Parts, Parts, Parts]:
        """How many numbers each part has, in their order: of a position, of a legal move, and of one of the last moves."""

    @classmethod
    def sizes(cls, game: Game, told: Told = POSITION_ONLY) -> tuple[int, int]:
        """How many numbers a position and a move of a game are written as for a network that is told so much."""
        position, move, past = (sum(parts.values()) for parts in cls.parts_told(game, told.beliefs))
        return position + told.history * past, move

    @classmethod
    @abc.abstractmethod
    def params_of(cls, game: Game, beliefs: bool = False) -> npt.NDArray[np.int64]:
        """The ruleset, where the features lie, and whether beliefs are told, as the kernels read them."""

    @classmethod
    def tables(cls, game: Game) -> tuple[npt.NDArray[Any], ...]:
        """What the kernels of a game read besides."""
        return ()

    @classmethod
    @abc.abstractmethod
    def shipped(cls, game: Game) -> Path:
        """The file with the weights that belong to a ruleset and a number of seats, which need not be there."""

    def network(self, game: Game) -> Network:
        """The network for a game; BadInput where there is none or it is one for another game."""
        found = self._network
        if found is None:
            path = self.shipped(game)
            if not path.is_file():
                from molehunt.agents.registry import Agents

                plays = Agents(game.name).entry("learned").only.partition(", or")[0]
                raise BadInput(
                    f"{self.name} has no weights for {game.label} with {game.seats} seats"
                    f"{f' (it has some for {plays})' if plays else ''}; train some with `molehunt train`, and name their file: "
                    "learned:weights=FILE"
                )
            found = shipped_network(path)
        if self.told(game, found) is None:
            of = found.about.get("game", "another game")
            raise BadInput(f"the weights of {self.name} are for {of}, not for {game.label} with {game.seats} seats")
        return found

    @classmethod
    def told(cls, game: Game, network: Network) -> Told | None:
        """What a network is told; None where it is one for another game."""
        inputs, _width, moves, _joint = network.shape
        for beliefs in (False, True) if cls.knows_beliefs else (False,):
            told = Told(beliefs, network.history)
            if (inputs, moves) == cls.sizes(game, told):
                return told
        return None

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        self.check(game)
        check_seating(game, views, streams)
        network = self.network(game)
        inputs, width, moves, joint = network.shape
        most = int(getattr(game, "most_actions", 0))
        told = self.told(game, network) or POSITION_ONLY
        recent = np.zeros((len(views), told.history if self.event else 0), self.event or np.int8)
        if recent.size:
            recent["turn"] = NO_TURN
        return Memory(
            seats_of_views(views),
            streams.copy(),
            np.zeros(len(views), self.history),
            recent,
            self.params_of(game, told.beliefs),
            network.flat(),
            np.array([*network.shape, told.history], np.int64),
            np.array([self.parameters.temperature]),
            np.zeros(inputs, np.int8),
            np.zeros(most * moves, np.int8),
            np.zeros(most, np.int32),
            np.zeros(most, np.float32),
            np.zeros(2 * (width + joint), np.float32),
            np.zeros(NOTES),
            np.zeros(1, self.scratch),
            self.tables(game),
        )

    def parts(self, memory: Memory) -> tuple[npt.NDArray[Any], ...]:
        return (
            memory.streams,
            memory.histories,
            memory.recent,
            memory.params,
            memory.weights,
            memory.shape,
            memory.settings,
            memory.position,
            memory.moves,
            memory.actions,
            memory.scores,
            memory.layers,
            memory.notes,
            memory.scratch,
            *memory.tables,
        )

    def why(self, game: Game, view: Any, memory: Memory, row: int) -> str:
        """Its choice in a sentence, what it expects, and the moves that it finds best, with how often it made them in training."""
        apart = self.take(memory, np.array([row]))
        chosen = int(self.act(np.array(np.atleast_1d(view)), apart, np.zeros(1, np.int64))[0])
        actions, chances = policy_of(apart)
        listed = ", ".join(
            _("{move} ({share})", move=game.format_action(int(action)), share=percent_said(chance))
            for action, chance in zip(actions[:SHOWN], chances[:SHOWN], strict=True)
        )
        parts = [
            self._choice_in_words(game, chosen, len(actions)),
            _(
                "It expects to end {value} above the others' average, from -1 (only it loses) to 1 (only it wins).",
                # A network may guess more than there is to win, or less.
                value=number_said(np.clip(apart.notes[VALUE], -1.0, 1.0), "+.2f"),
            ),
        ]
        if len(actions) > 1:
            parts.append(_("How often it made moves in such positions, in training: {moves}.", moves=listed))
        return "\n".join(parts)

    def _choice_in_words(self, game: Game, chosen: int, count: int) -> str:
        move = game.format_action(chosen)
        if count == 1:
            return _("It chooses {move}: it is the only move.", move=move)
        if self.parameters.temperature > 0:
            return _(
                "It chooses {move} by lot: of {count} moves, it makes one the more often the more its network, which learned by "
                "playing, likes it.",
                move=move,
                count=count,
            )
        return _(
            "It chooses {move} by feel: of {count} moves this is the one that its network, which learned by playing, likes best. "
            "It looks no move ahead.",
            move=move,
            count=count,
        )
