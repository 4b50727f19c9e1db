"""The adviser in the browser: one question, one answer, and nothing is kept in between.

The page holds the game as `advice.file` saves it and posts all of it with every question. The answer is everything that the page
shows; all thinking is that of `advice`, all words are those of `advice.answers`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import anyio
import msgspec
import numpy as np
from starlette.requests import Request
from starlette.responses import JSONResponse

from molehunt.advice.answers import (
    accuse_lines,
    envelope_lines,
    habit_lines,
    placed,
    proposals,
    show_headline,
    showing_tells,
    why_ask,
)
from molehunt.advice.deal import MAX_NAME, MAX_PLAYERS, MIN_PLAYERS, MOST_TURNS, Board
from molehunt.advice.entries import LOCATION, Asked, Left
from molehunt.advice.file import NO_CARD, NO_PLAYER, NO_ROOM, entry_data, find_exactly, from_json
from molehunt.advice.findings import Conflict
from molehunt.advice.rooms import room_remark
from molehunt.advice.sentences import entry_in_words
from molehunt.advice.session import ADVICE, AdviceSession, Adviser
from molehunt.core.errors import BadInput
from molehunt.core.language import _
from molehunt.core.meanwhile import machine_code
from molehunt.core.words import capital, percent_said
from molehunt.games.speed_clue.edition import BOARD_EDITIONS, BUILT_IN, MAX_CARDS, Edition, load_edition
from molehunt.games.speed_clue.suggestions import Accusation, HeardSuggestion, Triple
from molehunt.web.clients import Clients, client_of
from molehunt.web.clue_face import categories
from molehunt.web.turns import Turns

MAX_BODY = 64 * 1024
"""The most bytes of a question."""
MAX_THINKERS = 2
"""How many questions are thought about at a time."""
MAX_WAITING = 8
"""How many questions of one client may be under way."""
PATIENCE = 150.0
"""Seconds until it is said that an answer takes too long: more than compiling everything for the first one."""
ENVELOPES = 10
ENVELOPE = "envelope"

Answer = dict[str, Any]


class _Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    by: str
    cards: tuple[str, str, str]


class _Explain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: str
    place: str


class _Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`game` is a saved game; `asked` what I am asked; `after`: my turn may end, as when my suggestion was answered.

    `explain` asks why something is certain, `place` being a player or `envelope`; of the `rooms`, where there are any, all
    suggestions are ranked. `stood` are the rooms in which I said that I could be before the last entry, a suggestion of mine.
    """

    game: msgspec.Raw
    asked: _Asked | None = None
    after: bool = False
    explain: _Explain | None = None
    rooms: tuple[str, ...] = ()
    stood: tuple[str, ...] = ()


class AdviserAnswers:
    """Where questions are answered: in threads of its own, for which clients take turns as tables do for theirs.

    A question may wait for machine code that is being made, and no table should wait for that.
    """

    def __init__(self, clients: Clients) -> None:
        self.clients = clients
        self.turns = Turns(MAX_THINKERS)
        self._unanswered: Counter[str] = Counter()

    async def ask(self, request: Request) -> JSONResponse:
        """`POST /api/adviser`: a question as JSON; 200 and the answer, or {"error": what is wrong}.

        400: the question cannot be answered; 413: it is too long; 429: the client has too many questions under way; 503: thinking
        takes too long.
        """
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > MAX_BODY:
                return _refused(_("a question has at most {most} kB; this one is longer", most=MAX_BODY // 1024), 413)
        client = client_of(request.scope, self.clients)
        if self._unanswered[client] >= MAX_WAITING:
            return _refused(
                _("{number} of your questions are still thought about; wait for the answers", number=MAX_WAITING), 429
            )
        self._unanswered[client] += 1
        try:
            with anyio.move_on_after(PATIENCE):
                return JSONResponse(await self.turns.take(client, "adviser", _think, bytes(body)))
        except BadInput as error:
            return _refused(str(error), 400)
        finally:
            self._unanswered[client] -= 1
            if not self._unanswered[client]:
                del self._unanswered[client]
        told = _("the cards may lie in too many ways to think them through in time, or too many others ask just now")
        return _refused(told, 503)


def _think(question: bytes) -> Answer:
    """The answer. Whoever is no longer waited for still has their turn, once it has begun."""
    with machine_code(ADVICE):
        return answer(question)


def _refused(told: str, status: int) -> JSONResponse:
    return JSONResponse({"error": capital(told)}, status_code=status)


def adviser_data() -> Answer:
    """What the page must know before there is a game: the card sets, those of the board game first, and what can be played."""
    return {
        "editions": [
            {
                "name": name,
                "title": _(load_edition(name).title),
                "board": name in BOARD_EDITIONS,
                "categories": _categories(load_edition(name)),
            }
            for name in dict.fromkeys((*BOARD_EDITIONS, *BUILT_IN))
        ],
        "players": [MIN_PLAYERS, MAX_PLAYERS],
        "turns": [Board().turns, MOST_TURNS],
        "max_name": MAX_NAME,
        "max_cards": MAX_CARDS,
    }


def _categories(edition: Edition) -> list[Any]:
    found: list[Any] = msgspec.to_builtins(categories(edition))
    return found


def answer(question: bytes, adviser: Adviser | None = None) -> Answer:
    """Everything that the page shows for a question; BadInput says what is wrong with it."""
    try:
        asks = msgspec.json.decode(question, type=_Question)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(_("this is not a question for the adviser: {why}", why=error)) from None
    session = from_json(bytes(asks.game), adviser)
    asked = None if asks.asked is None else _read_asked(asks.asked, session)
    explain = None if asks.explain is None else _read_explain(asks.explain, session)
    if asks.after and not session.may_end_turn:
        raise BadInput(_("`after` may be true only on a board, or where the last entry is a suggestion of yours"))
    stood = [_read_room(room, session) for room in asks.stood]
    found = _table(session, stood) | _knowledge(session)
    found["explanation"] = None if explain is None else _told(lambda: _explanation(session, *explain))
    found["show"] = None if asked is None else _told(lambda: _show(session, asked))
    wanted = asked is None and session.conflict() is None
    rooms = [_read_room(room, session) for room in asks.rooms]
    found["suggest"] = _told(lambda: _suggest(session, rooms)) if wanted else None
    found["accuse"] = _told(lambda: _accuse(session, asks.after)) if wanted else None
    return found


# --- What was entered, and what follows ---------------------------------------------------------------------------------


def _table(session: AdviceSession, stood: Sequence[int]) -> Answer:
    """Players, cards and entries; `stood` are the rooms in which I said that I could be, in which I made the last suggestion."""
    deal = session.deal
    conflict = session.conflict()
    wrong = conflict.entries if conflict else ()
    out = {entry.by for entry in session.entries if isinstance(entry, Accusation) and not entry.right}
    out |= {entry.player for entry in session.entries if isinstance(entry, Left)}
    won = [entry for entry in session.entries if isinstance(entry, Accusation) and entry.right]
    return {
        "title": _(deal.edition.title),
        "players": [
            {"name": name, "me": player == deal.me, "cards": deal.sizes[player], "out": player in out}
            for player, name in enumerate(deal.names)
        ],
        "hand": sorted(deal.hand),
        "face_up": sorted(deal.face_up),
        "rooms": f"{deal.board_words()}.",
        "categories": _categories(deal.edition),
        "entries": [
            {
                "n": number,
                "text": f"{entry_in_words(entry, deal)}.",
                "wrong": number in wrong,
                "remark": room_remark(deal, session.entries, number, stood if number == len(session.entries) else ()),
            }
            for number, entry in enumerate(session.entries, start=1)
        ],
        "conflict": None if conflict is None else _conflict(conflict, session),
        "over": _("The game is over: {entry}.", entry=entry_in_words(won[0], deal)) if won else None,
        "may_accuse": session.may_accuse,
        "shown": sorted(
            (entry.card, entry.by)
            for entry in session.entries
            if isinstance(entry, HeardSuggestion) and entry.disprover == deal.me and entry.card is not None
        ),
    }


def _conflict(conflict: Conflict, session: AdviceSession) -> Answer:
    """What contradicts what: `reasons` are the lines of it; `of_hand`, whether the hand may be what is wrong.

    `slips` are the changes of one entry, `n`, with which all would agree: what would stand there, and what was so then, in words.
    """
    return {
        "entries": conflict.entries,
        "text": conflict.text,
        "reasons": conflict.reasons,
        "of_hand": conflict.of_hand,
        "slips": [
            {"n": slip.number, "text": capital(slip.text), "entry": entry_data(slip.entry, session.deal)}
            for slip in session.slips()
        ],
    }


def _knowledge(session: AdviceSession) -> Answer:
    """Who has what, and what the envelope holds: shapes (cards, players + 1); nothing while there is a conflict."""
    if session.conflict() is not None:
        return {"grid": None, "certain": [], "envelopes": None}
    shares, me = session.shares(), session.deal.me
    places = np.count_nonzero(shares, axis=1)
    solutions = session.solutions()
    return {
        "grid": [
            [
                {"share": round(float(share), 4), "mark": mark, "text": "" if mark else percent_said(float(share))}
                for share in row
                for mark in ["no" if share == 0 else "yes" if places[card] == 1 else ""]
            ]
            for card, row in enumerate(shares)
        ],
        "certain": [
            {"card": card, "place": place, "text": placed(session, card, place)}
            for card, place in sorted(session.certain())
            if place != me
        ],
        "envelopes": {
            "count": len(solutions),
            "words": envelope_lines(session)[0][0],
            "top": [
                {"cards": cards, "share": round(share, 4), "text": _("certain") if share == 1 else percent_said(share)}
                for cards, share in solutions[:ENVELOPES]
            ],
        },
    }


def _explanation(session: AdviceSession, card: int, place: int) -> Answer:
    reason = session.explain(card, place)
    return {"conclusion": reason.conclusion, "text": reason.text, "entries": reason.entries}


# --- Advice -------------------------------------------------------------------------------------------------------------


def _told(find: Callable[[], Answer]) -> Answer:
    """What is found, or {"problem": why there is none}."""
    try:
        return find()
    except BadInput as error:
        return {"problem": capital(str(error))}


def _suggest(session: AdviceSession, rooms: Sequence[int]) -> Answer:
    """The best suggestions for my next turn, or all in some rooms; why the first of them; how the others seem to play."""
    advice = session.consult()
    best = proposals(session, advice, rooms or None)
    return {
        "missing": round(advice.entropy, 2),
        "rows": [
            {
                "cards": proposal.cards,
                "names": session.deal.cards(proposal.cards),
                "gain": round(proposal.gain, 2),
                "settles": percent_said(proposal.solves) if proposal.solves else "",
            }
            for proposal in best
        ],
        "why": f"{capital(why_ask(session, best[0].cards))}." if best else "",
        "habits": habit_lines(session, advice),
    }


def _accuse(session: AdviceSession, after: bool) -> Answer:
    """Whether to accuse, and why."""
    found = session.consult(after=after).accusation
    lines = [text for text, _style in accuse_lines(session, found)]
    sure = len(session.solutions()) == 1
    return {"accuse": bool(found.accuse or sure), "cards": found.cards, "lines": lines}


def _show(session: AdviceSession, asked: Asked) -> Answer:
    """Which card to show to who asks."""
    shows = session.consult(asked).shows
    return {
        "words": show_headline(session, asked, shows),
        "rows": [{"card": showing.card, "told": showing_tells(session, asked, showing)} for showing in shows],
    }


# --- Reading ------------------------------------------------------------------------------------------------------------


def _read_asked(asked: _Asked, session: AdviceSession) -> Asked:
    return Asked(find_exactly(asked.by, session.deal.names, NO_PLAYER), _triple(asked.cards, session))


def _triple(names: Sequence[str], session: AdviceSession) -> Triple:
    first, second, third = (find_exactly(name, session.deal.edition.names, NO_CARD) for name in names)
    return first, second, third


def _read_explain(explain: _Explain, session: AdviceSession) -> tuple[int, int]:
    places = (*session.deal.names, ENVELOPE)
    card = find_exactly(explain.card, session.deal.edition.names, NO_CARD)
    return card, find_exactly(explain.place, places, NO_PLAYER)


def _read_room(name: str, session: AdviceSession) -> int:
    edition = session.deal.edition
    first = edition.first(LOCATION)
    return first + find_exactly(name, edition.names[first:], NO_ROOM)
