"""Why an artificial player moved as it did, what is believed at a seat, and what a person might do: asked of a session.

A reason is found by playing the game again up to the move, so that the player remembers what it remembered. Beliefs of a seat on
which a person sits are those of an adviser who was told what the person was told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from molehunt.agents.registry import Agents
from molehunt.core.agent import Agent, one_chair
from molehunt.core.errors import BadInput, BadRecord
from molehunt.core.game import Action
from molehunt.core.language import _
from molehunt.core.meanwhile import is_at_hand, machine_code
from molehunt.core.panels import Drawing, Panel, Words, named, panel_named
from molehunt.core.record import Record
from molehunt.core.replay import Replay, role_number
from molehunt.core.streams import seat_streams
from molehunt.games.registry import game_entry, make_game
from molehunt.table.people import recorded_names, said_names
from molehunt.table.plain_words import without_symbols
from molehunt.table.session import Session, Sitter


@dataclass(frozen=True)
class Reason:
    """Why a player moved so: in words, and what it believed before and after."""

    seat: int
    agent: str
    text: str
    before: tuple[Panel, ...]
    after: tuple[Panel, ...]


@dataclass(frozen=True)
class Hint:
    """A move that a person might make, who advises it, and why."""

    action: Action
    agent: str
    text: str


def mover_of(session: Session, move: int) -> int:
    """Which artificial player's seat made the move `move`, counted from 1; BadInput where it was a person, or there is none."""
    if not 1 <= move <= len(session.actions):
        raise session.no_such_move(move)
    seat = int(session.events[move - 1][0]["seat"])
    if session.sitters[seat].agent is None:
        raise BadInput(_("a person made this move, and keeps the reasons"))
    return seat


def keeps_reasons(session: Session, seat: int) -> bool:
    """Whether reasons would tell who plays on a seat, while that is still hidden."""
    return session.sitters[seat].hidden and session.outcome is None


def kept_reasons(session: Session, seat: int) -> str:
    """What is said in the place of reasons that are kept."""
    return _("Why {name} did it stays secret until the end.", name=session.names[seat])


def why(session: Session, move: int) -> Reason:
    """Why the move `move`, counted from 1, was made; BadInput where it was a person's, or there is none."""
    seat = mover_of(session, move)
    agent = session.sitters[seat].agent
    assert agent is not None  # noqa: S101 - `mover_of` has seen to it
    earlier = session.before(move)
    with machine_code(session.game.name, agent.needs_machine_code):
        text = _reason_of(agent, session, earlier.view(seat), earlier.mind(seat))
    before = _beliefs(earlier, seat, agent, earlier.mind(seat))
    earlier.go_on(session.actions[move - 1 : move])
    return Reason(seat, agent.name, text, before, _beliefs(earlier, seat, agent, earlier.mind(seat)))


def beliefs(session: Session, seat: int, move: int | None = None) -> tuple[str, tuple[Panel, ...]]:
    """(whose, what) is believed at a seat after `move` moves, by default now."""
    now = session if move is None else session.before(move + 1)
    own = session.sitters[seat].agent
    agent, memory = (own, now.mind(seat)) if own is not None else _adviser(now, seat)
    return agent.name, _beliefs(now, seat, agent, memory)


def hint(session: Session, seat: int) -> Hint:
    """What the adviser would do on `seat` now; BadInput where it is not its move."""
    if session.to_move != seat:
        raise BadInput(_("there is a hint when it is your move"))
    agent, memory = _adviser(session, seat)
    view = session.view(seat)
    with machine_code(session.game.name, agent.needs_machine_code):
        text = _reason_of(agent, session, view, memory)
        action = int(agent.act(view, memory, one_chair())[0])
    return Hint(Action(action, session.game.format_action(action)), agent.name, text)


def course_of_beliefs(session: Session, seat: int) -> Iterator[tuple[Panel, ...]]:
    """What was believed at a seat at the start and after every move."""
    copy = session.before(1)
    own = session.sitters[seat].agent
    agent, memory = (own, None) if own is not None else _adviser(copy, seat)
    for action in (None, *session.actions):
        if action is not None:
            copy.go_on([action])
            if own is None and agent.observes:
                agent.observe(copy.events[-1][seat : seat + 1].copy(), memory, one_chair())
        yield _beliefs(copy, seat, agent, copy.mind(seat) if own is not None else memory)


def every_reason(session: Session) -> list[str]:
    """Why every move was made, in words; empty for those of people."""
    copy = session.before(1)
    told = []
    for action in session.actions:
        seat = copy.to_move
        agent = None if seat is None else session.sitters[seat].agent
        told.append(
            _reason_of(agent, session, copy.view(seat), copy.mind(seat))
            if agent is not None and seat is not None
            else ""
        )
        copy.go_on([action])
    return told


def session_of(record: Record, names: Sequence[str] = (), thinks: Callable[[str], bool] | None = None) -> Session:
    """The finished game of a record as a session, with the names of those who played it, where they are known.

    Players that are not built in, and those whose spec `thinks` refuses, are taken for persons, who give no reasons: the others
    think their moves again. BadRecord where the record does not replay.
    """
    played = Replay(record, make_game)
    agents = Agents(record.game)
    called = names or recorded_names(record.seats)
    sitters = []
    for seat, typed in enumerate(record.seats):
        # Where roles were seated, the role stands before the player: miner:kripke-2012.
        spec = typed if record.roles is None else typed.partition(":")[2]
        known = spec.partition(":")[0] in agents.names() and (thinks is None or thinks(spec))
        sitters.append(Sitter(called[seat], agents.make(spec) if known else None))
    roles = (
        None if record.roles is None else np.array([role_number(played.game, role) for role in record.roles], np.int8)
    )
    try:
        session = Session(played.game, sitters, record.seed, roles, known=record.known)
    except BadInput as error:
        raise BadRecord(f"the record cannot be shown: {error}") from None
    session.go_on(played.actions)
    return session


def _reason_of(agent: Agent, session: Session, view: Any, memory: Any) -> str:
    """What a player says to a view, with the names of those at the table."""
    if type(agent).why is Agent.why:
        return _("{name} gives no reasons.", name=agent.name)
    return named(agent.why(session.game, view, memory, 0), said_names(session.names))


def _beliefs(session: Session, seat: int, agent: Agent, memory: Any) -> tuple[Panel, ...]:
    with machine_code(session.game.name, agent.needs_machine_code):
        panels = agent.beliefs(session.game, session.view(seat), memory, 0)
    return tuple(_panel_said(panel, session.names) for panel in panels)


def _panel_said(panel: Panel, names: Sequence[str]) -> Panel:
    """A panel with the names of those at the table, its sentences as people read them."""
    told = panel_named(panel, said_names(names) if isinstance(panel, Words | Drawing) else names)
    if isinstance(told, Words):
        return msgspec.structs.replace(told, text=without_symbols(told.text))
    if isinstance(told, Drawing):
        return msgspec.structs.replace(told, words=without_symbols(told.words))
    return told


def _wants_machine_code(agent: Agent) -> bool:
    return agent.needs_machine_code or agent.interpreted_slowly


def _adviser(session: Session, seat: int) -> tuple[Agent, Any]:
    """Who advises, and what it remembers after being told what the seat was told.

    It is the game's adviser. Until there is machine code for that one, it is the usual opponent, where that one answers sooner.
    """
    entry, agents = game_entry(session.game.name), Agents(session.game.name)
    agent = agents.make(entry.adviser)
    if not is_at_hand(session.game.name) and _wants_machine_code(agent):
        other = agents.make(entry.opponent)
        agent = agent if _wants_machine_code(other) else other
    streams = seat_streams(np.array([session.seed], np.uint64), session.game.seats)
    with machine_code(session.game.name, agent.needs_machine_code):
        return agent, agent.catch_up(session.game, session.position.past(seat), streams[:, seat].copy())
