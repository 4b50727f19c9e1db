"""The search of what pages are sent for what their seats may not know.

Beside the table stands its twin: a table at which everything is other that the reader may not know. Hidden cards are drawn anew
from the reader's own view, the others learned only what the reader learned, the seed is another, nobody has a mind, and the
other people have other links. The reader's page must be sent the same bytes at both.
"""

from __future__ import annotations

import asyncio
import copy
import weakref
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

import msgspec
import numpy as np

from molehunt.agents.registry import Agents
from molehunt.core.language import ENGLISH
from molehunt.games.registry import make_game
from molehunt.table.session import Session, Sitter
from molehunt.web import faces
from molehunt.web.messages import Message, Say, SeatWish, Setup, Suspect
from molehunt.web.store import Link, Row, Store
from molehunt.web.table import WebTable
from molehunt.web.table_pages import PLAYING, Page, TableState
from molehunt.web.tables import Tables

NAMES = ("Ann", "Ben", "Cid", "Dora", "Emil", "Fay")
PERSON = "person"
TOKEN = "token-of-"  # noqa: S105
WATCHER = None
TALKS = 0.1
"""How often something is said after a move."""
PATIENCE = 0.95
"""How often a scripted person of Speed Clue does not think of accusing: else games are over before they have begun."""
RAW = (b'"drew"', b'"seed"', b'"seen"')
"""Words of the records of a game, which no page is sent."""


class LeakError(AssertionError):
    """A page was sent what its seat may not know."""


@dataclass
class Counts:
    games: int = 0
    moves: int = 0
    frames: int = 0
    said: int = 0

    def __add__(self, other: Counts) -> Counts:
        frames, said = self.frames + other.frames, self.said + other.said
        return Counts(self.games + other.games, self.moves + other.moves, frames, said)


@dataclass
class Table:
    """A table with a page for every seat, a second one for watchers, and what is left to be played by scripted people."""

    ruleset: str
    sitters: tuple[str, ...]
    seed: int
    table: WebTable = field(init=False)
    pages: dict[int | None, Page] = field(init=False)
    counts: Counts = field(default_factory=Counts)

    def __post_init__(self) -> None:
        game, _, ruleset = self.ruleset.partition("/")
        seats = len(self.sitters)
        wishes = tuple(SeatWish("friend" if who == PERSON else "agent") for who in self.sitters)
        links = tuple(Link(token_of(seat), seat, seat == 0) for seat in (*range(seats), WATCHER))
        state = TableState(PLAYING, self.seed, list(NAMES[:seats]), [_spec(who) for who in self.sitters], 0)
        setup = Setup(game, ruleset, wishes, pace=0, seed=self.seed)
        row = Row("id-of-the-table", msgspec.json.encode(setup), msgspec.json.encode(state), links, ())
        store = Store()
        weakref.finalize(self, store.close)
        self.table = WebTable(Tables(store), row)
        agents = Agents(game)
        self.table.session = self.session = Session(
            make_game(game, ruleset, seats),
            [
                Sitter(name, None if who == PERSON else agents.make(who))
                for name, who in zip(NAMES, self.sitters, strict=False)
            ],
            self.seed,
        )
        self.pages = {link.seat: Page(link) for link in links}
        self.table.pages = set(self.pages.values())
        self.draws = np.random.default_rng(self.seed)
        self.moods = np.random.default_rng(self.seed + 1)

    def play(self, every: int = 1, most: int = 10_000) -> Counts:
        """Play to the end, or so many moves, and search the frames of every `every`-th move; what was searched."""
        self.search()
        while self.session.to_move is not None and len(self.session.actions) < most:
            self.move()
            if self.moods.random() < TALKS:
                self.talk()
            if len(self.session.actions) % every == 0:
                self.search()
        self.counts.games += 1
        self.counts.moves += len(self.session.actions)
        return self.counts

    def move(self) -> None:
        if not self.session.step():
            seat = self.session.to_move
            assert seat is not None
            legal = [str(action) for action in self.session.place(seat).legal_actions]
            patient = [move for move in legal if not move.startswith("accuse")]
            choice = patient if patient and self.draws.random() < PATIENCE else legal
            self.session.place(seat).play(choice[int(self.draws.integers(len(choice)))])

    def talk(self) -> None:
        """Somebody says something, or shows whom they suspect: people and others, on seats and off them."""
        page = self.pages[int(self.moods.integers(len(self.sitters)))]
        kinds: tuple[Message, ...] = (
            Say(int(self.moods.integers(8))),
            Say(text=f"I say {self.counts.frames}"),
            Suspect(int(self.moods.integers(len(self.sitters)))),
        )
        message = kinds[int(self.moods.integers(len(kinds)))]
        before = len(page.outbox)
        asyncio.run(self.table.handle(page, message))
        self.counts.said += len(page.outbox) == before
        page.outbox = page.outbox[:before]

    def search(self) -> None:
        """Search what all pages are sent now."""
        for reader, page in self.pages.items():
            told, heard, page.needs_frame = page.log_sent, page.talk_sent, True
            (sent,) = self.table.outgoing(page)
            self.counts.frames += 1
            self.check_links(reader, sent)
            if self.session.outcome is None:
                self.check_words(reader, sent, told)
                self.check_twin(reader, sent, told, heard)

    def check_links(self, reader: int | None, sent: bytes) -> None:
        for word in (*RAW, str(self.seed).encode()):
            if word in sent:
                raise LeakError(f"{word!r} is in a frame for {reader}")
        for link in self.table.links:
            if link.seat not in (reader, WATCHER) and link.token.encode() in sent:
                raise LeakError(f"the link of {link.seat} is in a frame for {reader}")

    def check_twin(self, reader: int | None, sent: bytes, told: int, heard: int) -> None:
        """The reader's page at the twin table, which has `told` entries of the log and `heard` lines, is sent the same bytes."""
        twin, session = copy.copy(self.table), copy.copy(self.session)
        seats = session.game.seats
        knower = int(self.draws.integers(seats)) if reader is WATCHER else reader
        stream = self.draws.integers(2**63, size=1, dtype=np.uint64)
        session.position = self.session.position.copy()
        session.position.states = session.game.resample(self.session.view(knower), stream)
        session.position.events = [
            np.repeat(np.atleast_1d(self.event(number, reader)), seats) if number > told else events
            for number, events in enumerate(self.session.events, 1)
        ]
        session._memories = [None] * seats
        session.seed = self.seed + 1
        twin.session = session
        twin.state = msgspec.structs.replace(self.table.state, seed=session.seed)
        twin.setup = msgspec.structs.replace(self.table.setup, seed=session.seed)
        twin.links = tuple(
            link if link.seat in (reader, WATCHER) else Link(f"other-{link.seat}", link.seat, link.owner)
            for link in self.table.links
        )
        twin._logs = {(reader, ENGLISH): self.table._logs[reader, ENGLISH][:told]}
        page = Page(self.pages[reader].link)
        page.log_sent, page.talk_sent = told, heard
        if twin.outgoing(page) != [sent]:
            raise LeakError(f"move {len(self.session.actions)}: {reader} is sent another frame at a twin table")

    def check_words(self, reader: int | None, sent: bytes, told: int) -> None:
        """Nothing that the movers' events tell beyond the reader's own is in the new entries of the log, or in the notice."""
        frame = msgspec.json.decode(sent)
        notice = frame["position"]["notice"] or ""
        for entry in frame["log"]:
            last = entry["n"] == len(self.session.actions)
            read = f"{entry['text']} {notice if last else ''}"
            for phrase in self.hidden_phrases(entry["n"], reader):
                if phrase in read:
                    raise LeakError(f"{reader} reads {read!r}, which tells {phrase!r}")

    def hidden_phrases(self, number: int, reader: int | None) -> list[str]:
        """What the mover's event tells of a move, and the reader's own does not."""
        mover = int(self.session.events[number - 1][0]["seat"])
        told, known = (
            faces.sentence(self.session.game, self.event(number, seat), self.session.names, None).split()
            for seat in (mover, reader)
        )
        steps = SequenceMatcher(None, known, told, autojunk=False).get_opcodes()
        return [
            " ".join(told[begin:end]).rstrip(".") for step, _, _, begin, end in steps if step in ("insert", "replace")
        ]

    def event(self, number: int, reader: int | None) -> Any:
        """What a reader learned of a move, as the game itself says it."""
        events = self.session.events[number - 1]
        return self.session.game.public_event(events) if reader is WATCHER else events[reader]


def token_of(seat: int | None) -> str:
    return f"{TOKEN}{'watchers' if seat is None else NAMES[seat]}"


def _spec(who: str) -> str:
    return f"{PERSON}:scripted" if who == PERSON else who
