"""What players believed during a recorded game: their memories at a move, made anew from what they were told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from molehunt.agents.registry import Agents
from molehunt.beliefs.formulas import parse
from molehunt.beliefs.kripke import KripkeModel
from molehunt.beliefs.syntax import And, Box, Diamond, Formula, Iff, Implies, Not, Or
from molehunt.core.agent import Agent
from molehunt.core.errors import BadInput, check_is
from molehunt.core.replay import Replay
from molehunt.core.streams import seat_streams


@dataclass(frozen=True)
class Mind:
    """One seat at a move: who thinks there, and what it believes about who is who, as a Kripke model.

    `watching`: the recorded player holds no model, and `agent` was told in its place what the seat was told.
    """

    seat: int
    agent: str
    watching: bool
    model: KripkeModel


def minds_at(replay: Replay, move: int, watcher: str | None = None) -> list[Mind]:
    """The minds of all seats after `move` moves of a record.

    Every seat is told the events of the game again; nothing is decided again. `watcher` is a player to put in the place of all;
    by default those that hold no model are replaced by the game's first player that does. BadInput where a player cannot be
    made or holds no model.
    """
    check_is(replay, Replay, "minds are those of a Replay(record, make_game)")
    agents = Agents(replay.game.name)
    streams = seat_streams(np.array([replay.record.seed], np.uint64), replay.game.seats)
    result = []
    for seat, typed in enumerate(replay.record.seats):
        # Where roles were seated, the role stands before the player: miner:kripke-2012.
        recorded = typed if replay.record.roles is None else typed.partition(":")[2]
        agent, watching = _model_holder(agents, recorded, watcher)
        memory = _told(replay, agent, seat, move, streams[:, seat])
        model: KripkeModel = agent.model(replay.game, memory, 0)
        result.append(Mind(seat, agent.name, watching, model))
    return result


def _model_holder(agents: Agents, recorded: str, watcher: str | None) -> tuple[Agent, bool]:
    """The player whose model is asked for a seat, and whether it only watches there."""
    spec = recorded if watcher is None else watcher
    if watcher is not None or spec.partition(":")[0] in agents.names():
        agent = agents.make(spec)
        if agent.holds_model:
            return agent, watcher is not None
    if watcher is not None:
        raise BadInput(f"{watcher!r:.60} holds no Kripke model; a player that does is {agents.model_holder()}")
    return agents.make(agents.model_holder()), True


def _told(replay: Replay, agent: Agent, seat: int, move: int, stream: Any) -> Any:
    """The memory of a seat after so many moves."""
    return agent.catch_up(replay.game, replay.position.before(move + 1).past(seat), stream)


def true_world(replay: Replay, move: int) -> str:
    """The world that is the case after so many moves, as the models of the game's players name it; BadInput if none holds one."""
    agents = Agents(replay.game.name)
    roles = replay.game.roles_of(replay.states[move])[0]
    return agents.make(agents.model_holder()).world(replay.game, roles)


def ask(formula: str | Formula, minds: Sequence[Mind], world: str) -> bool:
    """Whether a formula about the players' minds is true.

    What stands outside all operators is about the world; `B_i f` asks the model of seat i, in which the minds of others are as
    i pictures them; an operator of a group asks the models of all its members, each of whom must agree. Its dual is true where
    one of them agrees: `<E> f` is not E not f.
    """
    tree = parse(formula) if isinstance(formula, str) else formula
    return _true(tree, minds, world)


def _true(part: Formula, minds: Sequence[Mind], world: str) -> bool:
    # No operator stops early: an unknown fact or seat is an error wherever it stands.
    match part:
        case Not(inner):
            return not _true(inner, minds, world)
        case And(parts) | Or(parts):
            found = {_true(each, minds, world) for each in parts}
            return found == {True} if isinstance(part, And) else True in found
        case Implies(left, right):
            return {_true(left, minds, world), not _true(right, minds, world)} != {True}
        case Iff(left, right):
            return _true(left, minds, world) == _true(right, minds, world)
        case Box(operator, agents, inner) | Diamond(operator, agents, inner):
            asked = range(len(minds)) if agents is None else agents
            if max(asked) >= len(minds):
                raise BadInput(f"there is no seat {max(asked)} in {part}; seats are 0 to {len(minds) - 1}")
            # Of "everybody believes f", each is asked what it believes itself; so it is of the dual.
            questions = {seat: type(part)("B", (seat,), inner) if operator == "E" else part for seat in asked}
            found = {minds[seat].model.holds(question, world) for seat, question in questions.items()}
            return found == {True} if isinstance(part, Box) else True in found
        case _:
            return minds[0].model.holds(part, world)
