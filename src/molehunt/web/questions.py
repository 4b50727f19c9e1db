"""What pages ask about a game, and the answers: why a move was made, what is believed, what to do. Thinking takes a while."""

from __future__ import annotations

from molehunt.agents.registry import Agents
from molehunt.core.errors import BadInput
from molehunt.core.language import _
from molehunt.table import reasons
from molehunt.table.plain_words import plain_reason
from molehunt.table.session import Session
from molehunt.web import faces
from molehunt.web.frames import BeliefsFrame, HintFrame, ReasonFrame
from molehunt.web.messages import AskBeliefs, AskHint, AskWhy


def answer(
    session: Session, seat: int | None, message: AskHint | AskWhy | AskBeliefs
) -> HintFrame | ReasonFrame | BeliefsFrame:
    """The answer to a question, which takes a while."""
    if isinstance(message, AskWhy):
        kept = reasons.keeps_reasons(session, reasons.mover_of(session, message.move))
        guarded = kept or (session.outcome is None and not message.secret)
        return seen_frame(session, seat, message.move) if guarded else reason_frame(session, message.move)
    if seat is None:
        raise BadInput(_("who watches has no beliefs at this table"))
    if isinstance(message, AskBeliefs):
        return beliefs_frame(session, seat, message.move)
    hint = reasons.hint(session, seat)
    words = faces.move_in_words(session.game, str(hint.action), session.names, seat)
    plain = plain_reason(session.game, hint.text, session.names, seat)
    return HintFrame(str(hint.action), words, plain.text, called(session, hint.agent), plain.choices)


def called(session: Session, agent: str) -> str:
    """A player as people are told of it: "the mind reader (kripke-2012)", or its name alone."""
    title = Agents(session.game.name).called(agent)
    return f"{_(title)} ({agent})" if title else agent


def reason_frame(session: Session, move: int) -> ReasonFrame:
    """Why a move was made, as a page shows it."""
    reason = reasons.why(session, move)
    plain = plain_reason(session.game, reason.text, session.names)
    name = session.names[reason.seat]
    return ReasonFrame(move, reason.seat, name, reason.agent, plain.text, reason.before, reason.after, plain.choices)


def seen_frame(session: Session, seat: int | None, move: int) -> ReasonFrame:
    """What a move of an artificial player shows to a seat, or to a watcher, while the game goes on: no secret of the mover's."""
    mover = reasons.mover_of(session, move)
    name = session.names[mover]
    said = faces.sentence(session.game, session.event(move, seat), session.names, seat)
    text = f"{said}\n{reasons.kept_reasons(session, mover)}"
    kept = reasons.keeps_reasons(session, mover)
    if seat is None:
        return ReasonFrame(move, mover, name, "", text, (), (), guarded=True, kept=kept)
    agent, before = reasons.beliefs(session, seat, move - 1)
    after = reasons.beliefs(session, seat, move)[1]
    agent = called(session, agent)
    if before or after:
        text += " " + _("What {agent} would make of it in your place:", agent=agent)
    return ReasonFrame(move, mover, name, agent, text, before, after, guarded=True, kept=kept)


def beliefs_frame(session: Session, seat: int, move: int | None) -> BeliefsFrame:
    """What is believed at a seat, as a page shows it."""
    agent, panels = reasons.beliefs(session, seat, move)
    return BeliefsFrame(
        len(session.actions) if move is None else move, seat, session.names[seat], called(session, agent), panels
    )
