"""What pages ask about a game, and the answers: why a move was made, what is believed, what to do. Thinking takes a while."""

from __future__ import annotations

from molehunt.core.errors import BadInput
from molehunt.table import reasons
from molehunt.table.session import Session
from molehunt.web import faces
from molehunt.web.frames import BeliefsFrame, HintFrame, ReasonFrame
from molehunt.web.messages import AskBeliefs, AskHint, AskWhy


def answer(
    session: Session, seat: int | None, message: AskHint | AskWhy | AskBeliefs
) -> HintFrame | ReasonFrame | BeliefsFrame:
    """The answer to a question, which takes a while."""
    if isinstance(message, AskWhy):
        return reason_frame(session, message.move)
    if seat is None:
        raise BadInput("who watches has no beliefs at this table")
    if isinstance(message, AskBeliefs):
        return beliefs_frame(session, seat, message.move)
    hint = reasons.hint(session, seat)
    words = faces.move_in_words(session.game, str(hint.action), session.names, seat)
    return HintFrame(str(hint.action), words, hint.text, hint.agent)


def reason_frame(session: Session, move: int) -> ReasonFrame:
    """Why a move was made, as a page shows it."""
    reason = reasons.why(session, move)
    return ReasonFrame(
        move, reason.seat, session.names[reason.seat], reason.agent, reason.text, reason.before, reason.after
    )


def beliefs_frame(session: Session, seat: int, move: int | None) -> BeliefsFrame:
    """What is believed at a seat, as a page shows it."""
    agent, panels = reasons.beliefs(session, seat, move)
    return BeliefsFrame(len(session.actions) if move is None else move, seat, session.names[seat], agent, panels)
