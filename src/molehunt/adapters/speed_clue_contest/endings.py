"""Where a message of the contest ends, told by its form: the protocol writes messages one after the other with nothing between.

So a message ends where its form is complete and what follows, if anything, begins another: `oksuggest` are two, and `okay` is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from molehunt.adapters.speed_clue_contest.protocol import FORMS, REPLY_FORMS
from molehunt.adapters.speed_clue_contest.talk import Ending
from molehunt.games.speed_clue.edition import Edition, even_deal

NOT_YET = Ending(0, sure=False)
ALONE = "(?! +[^ ])"
"""No word follows; blanks may."""


def _compiled(form: str, edition: Edition) -> re.Pattern[bytes]:
    """A form in which C stands for a card; nothing of a message may follow it."""
    card = "(?:" + "|".join(re.escape(code) for code in edition.codes) + ")"
    return re.compile(f"(?:{form.replace('C', card)}){ALONE}".encode("ascii"), re.IGNORECASE)


def _ended(text: bytes, length: int, words: Iterable[str]) -> Ending:
    """What has the form of a message, of this length, as far as that may be one: `words` are those with which another begins."""
    rest = text[length:].strip(b" ").lower()
    firsts = [word.encode("ascii") for word in words]
    if not rest or any(rest.startswith(first) for first in firsts):
        return Ending(length, sure=True)
    return Ending(length, sure=False) if any(first.startswith(rest) for first in firsts) else NOT_YET


class MessageEndings:
    """What a server says. `seat` is one's own in the game, None where that is not known: it tells whether a card shown follows.

    `on_turn`: whether the next turn is one's own, so that `suggest` is all, or another's, so that it is the beginning of a
    `suggestion`; None where that is not known. No reading of `suggest` is right for every server: as long as nothing follows, one
    that waits for a reply and one whose network holds back `ion` have sent the same bytes. So what is expected decides for how
    long the rest is waited for (`talk.MORE`, `talk.MUCH_MORE`).
    """

    def __init__(self, edition: Edition) -> None:
        self.seat: int | None = None
        self.on_turn: bool | None = None
        self._dealt = len(edition.names) - 3
        self._reset = _compiled(r"reset (\d) (\d)((?: C)+)", edition)
        self._answered = _compiled(r"suggestion (\d) C C C (\d)( C)?", edition)
        self._others = _compiled(
            r"suggestion \d C C C -|disprove \d C C C|accusation \d C C C [+-]|accuse|done", edition
        )
        self._suggest = re.compile(f"suggest{ALONE}".encode("ascii"), re.IGNORECASE)

    def __call__(self, text: bytes) -> Ending:
        found = self._reset.match(text)
        if found:
            seats, seat = int(found[1]), int(found[2])
            wanted = even_deal(self._dealt, seats)[min(seat, seats - 1)] if seats else 0
            return _ended(text, found.end(), FORMS) if len(found[3].split()) >= wanted else NOT_YET
        found = self._answered.match(text)
        if found:
            if self.seat is None:
                return Ending(found.end(), sure=found[3] is not None)
            # Who asked and who showed are told the card; without it, the message is not there yet.
            shown = bytes([self.seat + 0x30]) in (found[1], found[2])
            return _ended(text, found.end(), FORMS) if found[3] or not shown else NOT_YET
        found = self._others.match(text)
        if found:
            return _ended(text, found.end(), FORMS)
        found = self._suggest.match(text)
        if not found or (len(text) > found.end() and b"suggestion".startswith(text[: len(b"suggestion")].lower())):
            return NOT_YET
        alone = Ending(found.end(), sure=self.on_turn is True, goes_on=self.on_turn is False)
        return _ended(text, found.end(), FORMS) if len(text) > found.end() else alone


class ReplyEndings:
    """What a program replies."""

    def __init__(self, edition: Edition) -> None:
        self._form = _compiled("ok|dead|-|show C|suggest C C C|accuse C C C", edition)

    def __call__(self, text: bytes) -> Ending:
        found = self._form.match(text)
        return _ended(text, found.end(), REPLY_FORMS) if found else NOT_YET


def greeting_endings(text: bytes) -> Ending:
    """How a program greets."""
    found = re.match(f"[!-~]+ alive{ALONE}".encode("ascii"), text, re.IGNORECASE)
    return Ending(found.end(), sure=True) if found else NOT_YET
