"""Messages as no page sends them: broken, mutated, too large, for other seats and other positions; and a line to say them over."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import msgspec

from molehunt.web.app import _receive
from molehunt.web.store import Link
from molehunt.web.table import WebTable
from molehunt.web.table_pages import OVER, Page
from molehunt.web.tables import Tables

RATE = 1e9
HUGE = (2**31 - 1, 2**31, 2**63 - 1, 2**63, 2**64, 10**30, 10**400, -1, -(2**31) - 1, -(2**63) - 1)
STRANGE = (
    "\u0000",
    "٣",
    "²",
    "½",
    "\u202e",
    "é",
    "😀",
    "\ufeff",
    "\uffff",
    "ﬀ",
    "\n",
    '"',
    "\\",
    "\\ud800",
    "{",
    "∞",
    "-",
    ":",
    "@",
    ",",
    ">",
)
VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    "",
    "x",
    [],
    {},
    0,
    -1,
    1.5,
    1e308,
    "9" * 150,
    [[]],
    {"do": "play"},
    *HUGE[:5],
)
DEEP = (10, 500, 1000, 2000, 30_000)
Said = dict[str, Any]


class Talker:
    """The socket of a page that says what `messages` gives, and sees that each was answered before the next."""

    def __init__(self, messages: Iterator[str | bytes], check: Callable[[], Awaitable[None]]) -> None:
        self.messages = messages
        self.check = check
        self.closed = False

    async def receive(self) -> Said:
        await self.check()
        said = next(self.messages, None)
        if said is None:
            return {"type": "websocket.disconnect"}
        return {"type": "websocket.receive", "bytes" if isinstance(said, bytes) else "text": said}

    async def close(self, *_: Any) -> None:
        self.closed = True


class Fuzz:
    """What a bad page on one seat of a table says; `said` counts its messages, `played` those that were done."""

    def __init__(self, tables: Tables, table: WebTable, link: Link, seed: int) -> None:
        self.tables, self.table = tables, table
        self.page = Page(link)
        self.draws = random.Random(seed)
        self.said = self.played = self.refused = self.answered = 0
        self._before = 0
        self._last: str | bytes | None = None

    async def talk(self, count: int) -> None:
        """Say so many messages over the line, or fewer where the game ends."""
        self.table.join(self.page)
        talker = Talker(self.messages(count), self.check_answer)
        await _receive(talker, self.table, self.page, RATE)  # type: ignore[arg-type]
        assert not talker.closed
        self.table.leave(self.page)

    def messages(self, count: int) -> Iterator[str | bytes]:
        for _ in range(count):
            if self.table.state.phase == OVER or self.table.session is None or self.table.session.outcome is not None:
                return
            self._before = self.table._revision
            self._last = self.message()
            self.said += 1
            yield self._last

    async def check_answer(self) -> None:
        """The last message was refused with a reason, or answered, or something was done that all pages are told."""
        await asyncio.gather(*self.table._answering)
        letters = [json.loads(letter) for letter in self.table.outgoing(self.page)]
        last, self._last = self._last, None
        if last is None or self.table.session is None:
            return
        answers = [letter for letter in letters if letter["type"] != "table"]
        if not answers:
            assert self.table._revision > self._before, f"no answer to {last!r}"
            self.played += 1
            return
        assert len(answers) == 1, last
        if answers[0]["type"] == "refused":
            assert 8 < len(answers[0]["reason"]) < 600, answers[0]
            self.refused += 1
        else:
            assert self.table.setup.practice, last
            assert answers[0]["type"] in ("hint", "reason", "beliefs"), last
            self.answered += 1

    # --- What is said ---------------------------------------------------------------------------------------------------

    def message(self) -> str | bytes:
        kind = self.draws.random()
        if kind < 0.1:
            return self.draws.randbytes(self.draws.choice((0, 1, 5, 40, 300, 3000)))
        if kind < 0.15:
            return self.nested()
        text = json.dumps(self.valid() if kind < 0.55 else self.bent(self.valid()))
        if kind > 0.8:
            text = self.garbled(text)
        return text.encode() if self.draws.random() < 0.2 else text

    def valid(self) -> Said:
        """A message that is understood: mostly a move, in any of the ways in which it can be wrong, and now and then right."""
        session, draws = self.table.session, self.draws
        assert session is not None
        made = len(session.actions)
        if draws.random() < (0.8 if self.table.setup.practice else 0.35):
            return draws.choice(
                (
                    {"do": "sit", "name": draws.choice(("Eve", "ann", "", "x" * 199, "A,B", "\u202eEve"))},
                    {"do": "start"},
                    {"do": "say", "phrase": draws.choice((0, 9, 10, 99))},
                    {"do": "suspect", "seat": draws.choice((0, 1, 9))},
                    {"do": "chat", "free": draws.choice((True, False))},
                    {"do": "undo"},
                    {"do": "hint"},
                    {"do": "again"},
                    {"do": "why", "move": draws.choice((0, 1, made, made + 1, 99_999))},
                    {"do": "beliefs", "move": draws.choice((None, 0, made, 99_999))},
                    {"do": "pace", "ms": draws.choice((0, 1))},
                )
            )
        mover = session.to_move
        seat = draws.choice([self.page.seat, mover, draws.randrange(session.game.seats)])
        legal = session.game.legal_actions(session.view(seat or 0))
        move = str(legal[draws.randrange(len(legal))]) if legal else str(self.some_action())
        if draws.random() < 0.5:
            move = self.garbled(move)[:200]
        at = made if draws.random() < 0.8 else max(0, made + draws.choice((-1, 1, 7, 1000)))
        return {"do": "play", "move": move, "at": at}

    def some_action(self) -> str:
        """A move that somebody made before."""
        session = self.table.session
        assert session is not None
        return session.game.format_action(self.draws.choice(session.actions)) if session.actions else "end"

    def bent(self, message: Said) -> Said:
        """A message with a field of a wrong type, too many fields, or too few."""
        name = self.draws.choice(list(message))
        kind = self.draws.randrange(4)
        if kind == 0:
            return {key: value for key, value in message.items() if key != name}
        if kind == 1:
            return message | {self.draws.choice(("seat", "x", "", "do ")): self.draws.choice(VALUES)}
        return message | {name: self.draws.choice(VALUES)}

    def garbled(self, text: str) -> str:
        """A text with something cut away, doubled, put in, or a number made huge."""
        for _ in range(self.draws.randrange(1, 3)):
            begin = self.draws.randrange(len(text) + 1)
            end = min(len(text), begin + self.draws.randrange(1, 6))
            kind = self.draws.randrange(6)
            if kind == 0:
                text = text[:begin]
            elif kind == 1:
                text = text[:begin] + text[end:]
            elif kind == 2:
                text = text[:end] + text[begin:end] + text[end:]
            elif kind == 3:
                text = text[:begin] + self.draws.choice(STRANGE) + text[end:]
            else:
                digits = [place for place, sign in enumerate(text) if sign.isascii() and sign.isdigit()]
                place = self.draws.choice(digits) if digits else begin
                text = text[:place] + str(self.draws.choice(HUGE)) + text[place + 1 :]
        return text

    def nested(self) -> str:
        depth = self.draws.choice(DEEP)
        opened, closed = self.draws.choice((("[", "]"), ('{"do":', "}"), ('{"do":"play","move":', "}")))
        return opened * depth + "1" + closed * self.draws.choice((0, depth))


def set_up(wish: Said, draws: random.Random) -> bytes:
    """The setup of a table with a few fields that are wrong."""
    fuzz = Fuzz.__new__(Fuzz)
    fuzz.draws = draws
    bent = fuzz.bent(wish)
    if draws.random() < 0.5:
        seats = list(wish["seats"])
        place = draws.randrange(len(seats))
        seats[place] = fuzz.bent(seats[place])
        bent |= {"seats": seats}
    text = json.dumps(bent)
    return (fuzz.garbled(text) if draws.random() < 0.4 else text).encode()


def kept(tables: Tables, table: WebTable) -> bytes:
    """All that is kept of a table, and what a watcher sees of it."""
    page = Page(next(link for link in table.links if link.seat is None))
    row = tables.store.table(table.id)
    assert row is not None
    frame = msgspec.structs.replace(table.frame(page), rev=0)
    return msgspec.json.encode([row.setup, row.state, row.moves, frame])
