"""What pages ask about a game, and the answers: why a move was made, what is believed, what to do. Thinking takes a while."""

from __future__ import annotations

from molehunt.core.errors import BadInput
from molehunt.table import reasons
from molehunt.table.session import Session
from molehunt.web import faces
from molehunt.web.frames import Frame
from molehunt.web.messages import AskBeliefs, AskHint, AskWhy


def answer(session: Session, seat: int | None, message: AskHint | AskWhy | AskBeliefs) -> Frame:
    """The answer to a question, which takes a while."""
    if isinstance(message, AskWhy):
        return reason_frame(session, message.move)
    if seat is None:
        raise BadInput("who watches has no beliefs at this table")
    if isinstance(message, AskBeliefs):
        return beliefs_frame(session, seat, message.move)
    hint = reasons.hint(session, seat)
    words = faces.move_in_words(session.game, str(hint.action), session.names, seat)
    return {"type": "hint", "move": str(hint.action), "words": words, "text": hint.text, "agent": hint.agent}


def reason_frame(session: Session, move: int) -> Frame:
    """Why a move was made, as a page shows it."""
    reason = reasons.why(session, move)
    return {
        "type": "reason",
        "move": move,
        "seat": reason.seat,
        "name": session.names[reason.seat],
        "agent": reason.agent,
        "text": reason.text,
        "before": reason.before,
        "after": reason.after,
    }


def beliefs_frame(session: Session, seat: int, move: int | None) -> Frame:
    """What is believed at a seat, as a page shows it."""
    agent, panels = reasons.beliefs(session, seat, move)
    after = len(session.actions) if move is None else move
    return {
        "type": "beliefs",
        "move": after,
        "seat": seat,
        "name": session.names[seat],
        "agent": agent,
        "panels": panels,
    }
