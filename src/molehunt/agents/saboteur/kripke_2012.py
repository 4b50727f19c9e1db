"""`kripke-2012`: the players of Veldhuis, Jansen and Broers 2012, which reason with Kripke models about who is who.

Every agent believes in role distributions (`role_beliefs`), moves its beliefs by a chart after every action (`kripke_chart`), and
plays the card that one of its evaluations (`kripke_values`) values most. The paper's flow chart and program are lost; what is
built here from its text is ours, and every number is a parameter (`kripke_parameters`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from molehunt.agents.saboteur.kripke_chart import MIND, begin, note, odds_for, sit_down
from molehunt.agents.saboteur.kripke_parameters import EDITIONS, Kripke2012
from molehunt.agents.saboteur.kripke_values import (
    keeps,
    value_break,
    value_fix,
    value_map,
    value_path,
    value_rockfall,
)
from molehunt.agents.saboteur.kripke_words import belief_panels, explain
from molehunt.agents.saboteur.minds import claim
from molehunt.agents.saboteur.slots import highest_playable, lowest_slot
from molehunt.agents.saboteur.valuing import ValuingAgent
from molehunt.beliefs.kripke import KripkeModel
from molehunt.core.agent import check_seating, seen_from
from molehunt.core.game import Game, Views
from molehunt.core.kernels import kernel
from molehunt.core.memory import CONSTANT_PART, SCRATCH_PART
from molehunt.core.panels import Panel
from molehunt.core.specs import as_record
from molehunt.games.playing import acting, array_at, grid_at, observing
from molehunt.games.saboteur.actions import DISCARD, encode
from molehunt.games.saboteur.cards import FIRST_BREAK, FIRST_FIX, MAP, NO_CARD, ROCKFALL, SABOTEUR
from molehunt.games.saboteur.game import check_game
from molehunt.games.saboteur.possible import can_happen
from molehunt.games.saboteur.ruleset import MAX_HAND
from molehunt.games.saboteur.state import EVENT, VIEW
from molehunt.reading.saboteur.role_beliefs import bar, role_states, rows_at_depth, suspicion, world_name
from molehunt.reading.saboteur.ways import WAYS, best_ways, expected, plan_ways

__all__ = ["EDITIONS", "Kripke2012Agent", "Memory"]

SCRATCH = np.dtype(
    [
        ("ways", WAYS, (1,)),
        ("odds", np.float64, (3,)),
        ("unknown", np.float64, (3,)),
        ("lengths", np.float64, (3,)),
        ("contents", np.int8, (3,)),
    ]
)
"""Scratch for one decision: that of a search for ways, and what the believer of a row takes the goals to be."""


# --- The choice ---------------------------------------------------------------------------------------------------------


@kernel
def value_by_ways(
    mind: Any, rows: Any, roles: Any, view: Any, p: Any, scratch: Any, params: Any, values: Any, actions: Any
) -> None:
    """The value of every card in the hand, by the ways to the goals it leaves, and the action that has it; empty slots stay."""
    suspicions = np.empty(len(roles), np.float64)
    for player in range(len(roles)):
        suspicions[player] = suspicion(rows[0], roles, player, p)
    odds_for(mind, rows, 0, roles, p, scratch.contents, scratch.odds)
    best_ways(view.maze, scratch.odds, scratch.ways[0], params, scratch.lengths)
    now = expected(scratch.lengths, scratch.odds)
    planned = False
    for slot in range(len(view.hand)):
        card = view.hand[slot]
        if card == NO_CARD:
            break
        twin = -1
        for earlier in range(slot):
            if view.hand[earlier] == card:
                twin = earlier
        if twin >= 0:
            value, action = values[twin], actions[twin]
        elif card < FIRST_BREAK:
            if not planned and not view.broken[mind.seat]:
                plan_ways(view.maze, scratch.odds, scratch.ways[0], params)
                planned = True
            value, action = value_path(mind, view, card, now, p, scratch, params)
        elif card == ROCKFALL:
            value, action = value_rockfall(mind, view, now, p, scratch, params)
        elif card == MAP:
            value, action = value_map(mind, view, p, scratch)
        elif card < FIRST_FIX:
            value, action = value_break(mind, view, card, suspicions, p)
        else:
            value, action = value_fix(mind, view, card, suspicions, p, params)
        values[slot] = value
        actions[slot] = action


@kernel
def choose(
    mind: Any, rows: Any, roles: Any, view: Any, p: Any, scratch: Any, params: Any, values: Any, actions: Any
) -> int:
    """The action to play: that of the best card if it is worth it, else a card is thrown away."""
    if view.claiming:
        return claim(mind.goals, mind.role, view.claiming)
    value_by_ways(mind, rows, roles, view, p, scratch, params, values, actions)
    best = highest_playable(mind.stream, view, values, actions, p.worth)
    if best >= 0:
        return actions[best]
    for slot in range(len(view.hand)):
        if view.hand[slot] == NO_CARD:
            break
        values[slot] = keeps(mind, view.hand[slot], p)
    return encode(DISCARD, view.hand[lowest_slot(mind.stream, view, values)], 0, 0)


# --- Batches ------------------------------------------------------------------------------------------------------------


@kernel
def begin_many(minds: Any, strengths: Any, roles: Any, views: Any, parameters: Any, scratch: Any, params: Any) -> None:
    """A round begins for every chair, and what its view tells of it is taken in."""
    for chair in range(len(minds)):
        begin(minds[chair], strengths[chair], roles, parameters[0], scratch[0], params)
        sit_down(minds[chair], strengths[chair], roles, views[chair], parameters[0], scratch[0], params)


@kernel
def value_hand(
    view: Any,
    minds: Any,
    strengths: Any,
    roles: Any,
    parameters: Any,
    scratch: Any,
    params: Any,
    values: Any,
    actions: Any,
) -> None:
    """`value_by_ways` for the first view and mind."""
    value_by_ways(minds[0], strengths[0], roles, view[0], parameters[0], scratch[0], params, values, actions)


@kernel
def believed_many(strengths: Any, parameters: Any, out: Any) -> None:
    """Which states each row of each chair believes: shape (chairs, rows, states)."""
    for chair in range(strengths.shape[0]):
        for row in range(strengths.shape[1]):
            least = bar(strengths[chair, row], parameters[0])
            for state in range(strengths.shape[2]):
                out[chair, row, state] = strengths[chair, row, state] >= least


# --- As compiled loops call it --------------------------------------------------------------------------------------------

RECORDS, STRENGTHS, ROLES, PARAMETERS, SCRATCHES, PARAMS = range(0, 12, 2)
"""Where compiled loops find the parts of a memory: the address of each and how many entries it has."""

minds_at = array_at(MIND)
parameters_at = array_at(as_record(EDITIONS["explicit"]).dtype)
scratch_at = array_at(SCRATCH)
params_at = array_at(np.int64, readonly=True)
rows_at = grid_at(np.float64)
roles_at = grid_at(np.uint8)


@kernel
def roles_of(memory: Any, seats: int) -> Any:
    """Who is a saboteur in which state."""
    return roles_at(memory[ROLES], seats, memory[ROLES + 1] // seats)


@kernel
def rows_of(memory: Any, chair: int, states: int) -> Any:
    """The rows of strengths of a chair."""
    each = memory[STRENGTHS + 1] // memory[RECORDS + 1]
    return rows_at(memory[STRENGTHS] + 8 * chair * each, each // states, states)


@acting(VIEW)
def act_one(views: Any, memory: Any, chair: int) -> Any:
    """The action of a chair at its view."""
    mind = minds_at(memory[RECORDS], memory[RECORDS + 1])[chair]
    roles = roles_of(memory, mind.seats)
    return np.int64(
        choose(
            mind,
            rows_of(memory, chair, roles.shape[1]),
            roles,
            views[0],
            parameters_at(memory[PARAMETERS], 1)[0],
            scratch_at(memory[SCRATCHES], 1)[0],
            params_at(memory[PARAMS], memory[PARAMS + 1]),
            np.zeros(MAX_HAND),
            np.zeros(MAX_HAND, np.int32),
        )
    )


@observing(EVENT, can_happen)
def observe_one(events: Any, memory: Any, chair: int) -> None:
    """An event, taken into the mind of a chair."""
    mind = minds_at(memory[RECORDS], memory[RECORDS + 1])[chair]
    roles = roles_of(memory, mind.seats)
    note(
        mind,
        rows_of(memory, chair, roles.shape[1]),
        roles,
        events[0],
        parameters_at(memory[PARAMETERS], 1)[0],
        scratch_at(memory[SCRATCHES], 1)[0],
        params_at(memory[PARAMS], memory[PARAMS + 1]),
    )


@dataclass
class Memory:
    """All chairs of an agent: `records` of dtype MIND and `strengths`, shape (chairs, rows of the depth, states).

    Row 0 is what a chair believes itself, row 1 + j its picture of what seat j believes, row 1 + seats (1 + j) + k what it thinks
    that seat j believes of the beliefs of seat k. `roles` says who is a saboteur in which
    state: shape (seats, states).
    """

    records: npt.NDArray[Any]
    strengths: npt.NDArray[np.float64]
    roles: npt.NDArray[np.uint8] = field(metadata=CONSTANT_PART)
    params: npt.NDArray[np.int64] = field(metadata=CONSTANT_PART)
    parameters: npt.NDArray[Any] = field(metadata=CONSTANT_PART)
    scratch: npt.NDArray[Any] = field(metadata=SCRATCH_PART)

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """The seat of each chair."""
        result: npt.NDArray[np.int64] = self.records["seat"]
        return result

    def believed(self) -> npt.NDArray[np.bool_]:
        """Which states each row of each chair believes: shape (chairs, rows, states)."""
        result = np.zeros(self.strengths.shape, np.bool_)
        believed_many(self.strengths, self.parameters, result)
        return result


class Kripke2012Agent(ValuingAgent):
    """The players of 2012."""

    act_one = act_one
    observe_one = observe_one
    value_hand = value_hand

    holds_model = True

    def __init__(self, name: str, parameters: Kripke2012) -> None:
        self.name = name
        self.parameters = parameters

    def start(self, game: Game, views: Views, streams: npt.NDArray[np.uint64]) -> Memory:
        game = check_game(self.name, game)
        check_seating(game, views, streams)
        minds = np.zeros(len(views), MIND)
        minds["stream"][:, 0] = streams
        for name in ("role", "seat", "seats"):
            minds[name] = views[name]
        roles = role_states(game)
        rows = rows_at_depth(self.parameters.depth, game.seats)
        memory = Memory(
            minds,
            np.zeros((len(views), rows, roles.shape[1])),
            roles,
            game.params,
            as_record(self.parameters),
            np.zeros(1, SCRATCH),
        )
        begin_many(minds, memory.strengths, roles, views, memory.parameters, memory.scratch, game.params)
        return memory

    def parts(self, memory: Memory) -> tuple[npt.NDArray[Any], ...]:
        strengths, roles = memory.strengths.reshape(-1), memory.roles.reshape(-1)
        return memory.records, strengths, roles, memory.parameters, memory.scratch, memory.params

    def valued_by(self, memory: Memory, row: int) -> tuple[npt.NDArray[Any], ...]:
        strengths = memory.strengths[row : row + 1]
        return strengths, memory.roles, memory.parameters, memory.scratch, memory.params

    def why(self, game: Game, view: Any, memory: Any, row: int) -> str:
        view = seen_from(memory, view, row)
        claiming = bool(view["claiming"][0])
        values, actions = (None, None) if claiming else self.consider(view, memory, row)
        move = int(self.act(view, self.take(memory, np.array([row])), np.zeros(1, np.int64))[0])
        return explain(check_game(self.name, game), self.parameters, view, memory, row, values, actions, move)

    def beliefs(self, game: Game, view: Any, memory: Any, row: int) -> tuple[Panel, ...]:
        """The share of the states that it believes in which each other seat is a saboteur, and its Kripke model."""
        return belief_panels(memory, row, self.model(game, memory, row))

    def model(self, game: Game, memory: Any, row: int) -> KripkeModel:
        """What a chair believes, as a Kripke model: its own beliefs, and its picture of the others'.

        At depth one it has no picture of the others: they hold possible all states in which they are miners.
        """
        believed = memory.believed()[row]
        seat = int(memory.records["seat"][row])
        sets = memory.roles == 0
        if len(believed) > 1:
            sets = believed[1 : 1 + game.seats].copy()
        sets[seat] = believed[0]
        worlds = [world_name(np.flatnonzero(column)) for column in memory.roles.T]
        facts = {f"sab({player})": memory.roles[player] == 1 for player in range(game.seats)}
        return KripkeModel.from_beliefs(worlds, range(game.seats), facts, sets)

    def world(self, game: Game, roles: npt.NDArray[np.int8]) -> str:
        return world_name(np.flatnonzero(roles == SABOTEUR))
