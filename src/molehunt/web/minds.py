"""What minds think while one watches: why a move was made, and whom an onlooker would suspect. It takes a while."""

from __future__ import annotations

import re

from molehunt.core.meanwhile import is_at_hand, machine_code
from molehunt.core.replay import Played
from molehunt.games.registry import game_entry
from molehunt.table import reasons
from molehunt.table.plain_words import plain_reason
from molehunt.table.session import Session
from molehunt.web.frames import MindsFrame

LONGEST_THOUGHT = 150
"""Letters of a thought that are shown; the rest is behind "why?"."""


def minds_frame(session: Session, move: int) -> MindsFrame:
    """What the player thought that made the move `move` of a session, and whom an onlooker would suspect after it.

    Of a player whose reasons are kept it is nothing.
    """
    mover = reasons.mover_of(session, move)
    if reasons.keeps_reasons(session, mover):
        return MindsFrame(move, mover, "", suspicions(session, move))
    reason = reasons.why(session, move)
    thought = shortened(plain_reason(session.game, reason.text, session.names).text)
    return MindsFrame(move, reason.seat, thought, suspicions(session, move))


def suspicions(session: Session, move: int) -> list[float]:
    """How likely each seat is to be what it hides, by all that everybody has seen up to `move`; empty where no analyst says it."""
    analyst = game_entry(session.game.name).get("analysis")
    if analyst is None or not session.game.roles or not is_at_hand(session.game.name):
        return []
    played = Played(session.before(1).position, [sitter.spec for sitter in session.sitters])
    for number, action in enumerate(session.actions[:move], 1):
        played.play(str(number), action)
    with machine_code(session.game.name):
        charts, _ = analyst(played, session.names).beliefs()
    lines = next(
        (chart.lines for chart in reversed(charts) if chart.viewer is None and chart.lines[0].seat is not None), ()
    )
    return [line.values[-1] for line in lines]


def shortened(text: str) -> str:
    """The first sentences of a text, as many as are short together; of a long first sentence its beginning."""
    kept = ""
    for sentence in re.split(r"(?<=[.!?])\s+", " ".join(text.split())):
        if kept and len(kept) + len(sentence) >= LONGEST_THOUGHT:
            break
        kept = f"{kept} {sentence}".strip()
    return kept if len(kept) <= LONGEST_THOUGHT else f"{kept[:LONGEST_THOUGHT].rsplit(' ', 1)[0]} …"
