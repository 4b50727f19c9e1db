"""The pages that are open at a table, and what each is sent: the table as one seat, or a watcher, may see it."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import numpy as np

from molehunt.agents.registry import Agents
from molehunt.core.language import _, language
from molehunt.core.position import PERSON
from molehunt.table.session import Session
from molehunt.web import faces
from molehunt.web.face import Shown
from molehunt.web.frames import Answer, Clock, Ending, Frame, ListedTable, LogEntry, Position, SeatFrame, TableFrame
from molehunt.web.messages import Setup
from molehunt.web.store import Link, Row
from molehunt.web.talk import Talk

WAITING, PLAYING, OVER = "waiting", "playing", "over"


class TableState(msgspec.Struct):
    """What a table has become, as it is kept: `names` and `specs` by seat, None while a seat is open.

    `text` says how it ended, `unkept` why the game cannot be looked at again. `known`: as in `table.session.Saved`. `following` is
    the id of the table at which another game was begun, "" while there is none.
    """

    phase: str
    seed: int
    names: list[str | None]
    specs: list[str | None]
    pace: int
    text: str = ""
    unkept: str = ""
    replay: str = ""
    talk: Talk = msgspec.field(default_factory=Talk)
    known: tuple[Any, ...] | None = None
    following: str = ""


def _called(game: str, agent: str | None) -> str:
    """What people call an artificial player; "" where they do not."""
    title = Agents(game).called(agent) if agent else ""
    return _(title) if title else ""


class Page:
    """One open page: the seat it may see (None: what is public), and what waits to be sent to it."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.seat = link.seat
        self.language = language()
        """The code of the language in which it is spoken to."""
        self.log_sent = 0
        """How many entries of the log it has."""
        self.talk_sent = 0
        """The number of the last line of the talk that it has."""
        self.needs_frame = True
        """Whether it must be sent the table as it is now."""
        self.open_questions = 0
        """How many questions it has asked that are not answered yet."""
        self.outbox: list[Answer] = []
        """Answers to it alone that wait to be sent."""
        self.gone = False
        """Whether its line is to be closed for good, once all is sent."""
        self.to_send = asyncio.Event()
        """Set when there is something to send."""

    def send(self, answer: Answer) -> None:
        """Send an answer to this page."""
        self.outbox.append(answer)
        self.to_send.set()


class TablePages:
    """A table and the pages that are open at it. `session` is None before the cards are dealt."""

    def __init__(self, row: Row) -> None:
        self.setup = msgspec.json.decode(row.setup, type=Setup)
        self.state = msgspec.json.decode(row.state, type=TableState)
        self.links = row.links
        self.session: Session | None = None
        self.pages: set[Page] = set()
        self.waits_for_turn = False
        """Whether the game goes on only when the server has thought for others."""
        self.is_left = False
        """Whether the game goes on in the store alone: it could not be taken up here, or its end could not be kept."""
        self.is_behind = False
        """Whether the store lacks the last move: the game goes on from before it, so what is told at an end is not told yet."""
        self._logs: dict[tuple[int | None, str], list[str]] = {}
        self._positions: dict[tuple[int | None, str], tuple[Session, int, Position]] = {}
        """By seat, None for watchers, and language."""
        self._revision = 0

    def changed(self) -> None:
        """All pages must be sent the table anew."""
        self._revision += 1
        for page in self.pages:
            page.needs_frame = True
            page.to_send.set()

    def outgoing(self, page: Page) -> list[bytes]:
        """All that waits to be sent to a page, as JSON; after this, nothing waits."""
        frames: list[Frame] = []
        if page.needs_frame:
            page.needs_frame = False
            frames.append(self.frame(page))
        frames += page.outbox
        page.outbox = []
        return [msgspec.json.encode(frame) for frame in frames]

    def frame(self, page: Page) -> TableFrame:
        """The table as one page sees it, with the entries of the log that it does not have."""
        state, session = self.state, self.session
        log = self._log(page.seat)
        begins = page.log_sent
        page.log_sent = len(log)
        talk = state.talk.since(page.talk_sent)
        page.talk_sent = state.talk.said
        to_move = None if session is None else self._to_move(session)
        return TableFrame(
            rev=self._revision,
            game=self.setup.game,
            label=faces.label_of(self.setup.game, self.setup.ruleset),
            phase=state.phase,
            preparing=session is None and state.phase != WAITING,
            waits=self.waits_for_turn,
            you=page.seat,
            creator=page.link.owner,
            practice=self.setup.practice,
            pace=state.pace,
            seats=[self._seat(page, seat) for seat in range(len(state.names))],
            watchers=sum(other.seat is None for other in self.pages),
            watch_link=f"/t/{self.watch_link.token}",
            moves=0 if session is None else self._kept_moves(session),
            to_move=to_move,
            mine=to_move is not None and to_move == page.seat,
            clock=self._clock(session),
            can=self._can(page),
            log_from=begins,
            log=[
                LogEntry(number, mover, log[number - 1], agent)
                for number in range(begins + 1, len(log) + 1)
                for mover, agent in [self._mover(number)]
            ],
            talk=talk,
            suspects=state.talk.suspects,
            chat=state.talk.free,
            over=self._ending(page) if state.phase == OVER else None,
            position=None if session is None else self._shown_position(session, page.seat),
        )

    @property
    def watch_link(self) -> Link:
        """The address for watchers: not the owner's, where the owner watches, too."""
        return min((link for link in self.links if link.seat is None), key=lambda link: link.owner)

    def listed(self) -> ListedTable:
        """The table as the lobby shows it."""
        names = self.state.names
        return ListedTable(
            game=self.setup.game,
            label=faces.label_of(self.setup.game, self.setup.ruleset),
            phase=self.state.phase,
            names=[name for name in names if name],
            free=names.count(None),
            moves=0 if self.session is None else self._kept_moves(self.session),
            watchers=sum(page.seat is None for page in self.pages),
            token=self.watch_link.token,
        )

    def _ending(self, page: Page) -> Ending:
        """How the game ended, and where it can be looked at again."""
        replay = self.state.replay and f"/replay/{self.state.replay}"
        back = "/study" if self.setup.blind else ""
        analysis = f"{replay}#analysis" if replay else ""
        return Ending(
            self._ending_text(),
            self._winners(),
            replay,
            analysis,
            back,
            stopped=self._has_stopped,
            waits=self.is_behind,
        )

    @property
    def _has_stopped(self) -> bool:
        """Whether a game without an end does not go on: it could not be taken up, a player has failed, the store lacks a move."""
        session = self.session
        return self.is_behind or (self.is_left if session is None else session.outcome is None)

    def _ending_text(self) -> str:
        """How the game ended, in the language that is spoken; as it was kept where the game is not at hand."""
        session = self.session
        if session is None or session.outcome is None or self.is_behind:
            return self.state.text
        unkept = self.state.unkept
        return " ".join([faces.who_won(session.game, session.outcome, session.names), *[unkept] * bool(unkept)])

    def _shown_position(self, session: Session, seat: int | None) -> Position:
        """The position for a seat, or for watchers, made once for all pages that see it."""
        reader = seat, language()
        kept = self._positions.get(reader)
        if kept is None or kept[0] is not session or kept[1] != len(session.actions):
            kept = self._positions[reader] = (session, len(session.actions), self._position(session, seat))
        return kept[2]

    def _kept_moves(self, session: Session) -> int:
        """How many moves stand: all that were made, but for one that the store lacks."""
        return len(session.actions) - self.is_behind

    def _to_move(self, session: Session) -> int | None:
        """Who is to move, also where their move, which the store lacks, is still to be made."""
        return int(session.events[-1][0]["seat"]) if self.is_behind else session.to_move

    def _position(self, session: Session, seat: int | None) -> Position:
        game, names, to_move = session.game, session.names, self._to_move(session)
        if self.is_behind and not self.setup.open:
            # The last move, with which all may have ended and been revealed, does not stand.
            state = session.as_left(len(session.actions))
            known = game.public_view(state) if seat is None else game.views(state, np.array([seat], np.int8))
            found = faces.position(game, Shown(known, names, to_move, moves=False))
            faces.tell_rounds(found, game, session.events[:-1], seat, session.as_left)
            return found
        if session.outcome is not None or self.setup.open:
            # All cards are revealed when the game is over, and where nobody plays who might not know them.
            found = faces.open_position(game, session.truth(), names)
            if seat is not None:
                found.keep(faces.position(game, Shown(session.view(seat), names, to_move, moves=False)))
            faces.tell_rounds(found, game, session.events, seat, session.as_left)
            return found
        view = session.public_view() if seat is None else session.view(seat)
        found = faces.position(game, Shown(view, names, to_move, moves=seat is not None and seat == to_move))
        if seat is not None and session.events:
            found.notice = faces.private_news(game, session.event(len(session.events), seat), seat)
        faces.tell_rounds(found, game, session.events, seat, session.as_left)
        return found

    def _seat(self, page: Page, seat: int) -> SeatFrame:
        name, spec = self.state.names[seat], self.state.specs[seat]
        person = spec is not None and spec.startswith(PERSON)
        over = self.state.phase == OVER and not (self.is_behind or (self.is_left and self.session is None))
        shown = not self.setup.hide or (over and not self.setup.blind)
        agent = spec if shown and spec is not None and not person else None
        link = next((link for link in self.links if link.seat == seat), None)
        return SeatFrame(
            seat=seat,
            name=name or "",
            kind="open" if spec is None else "person" if person else "agent",
            agent=agent,
            called=_called(self.setup.game, agent),
            here=any(other.seat == seat for other in self.pages),
            link=f"/t/{link.token}" if link and page.link.owner and spec is None else None,
        )

    def _can(self, page: Page) -> list[str]:
        can = []
        owner, seated, over = page.link.owner, page.seat is not None, self.state.phase == OVER
        if self.state.phase == WAITING:
            can += ["start"] * owner
        elif self.may_be_asked:
            can += ["why"] + ["beliefs"] * seated
            can += ["hint"] * (seated and not over) + ["undo"] * (seated and not over and self._may_undo(page))
        can += ["again"] * (over and owner and not self.setup.blind and not self.is_behind)
        if seated and self.may_talk(page.seat):
            can += ["say"] + ["chat"] * owner
            can += ["suspect"] * (self.session is not None and bool(self.session.game.roles) and not over)
        return can

    @property
    def may_be_asked(self) -> bool:
        """Whether reasons and beliefs may be asked for now."""
        over = self.state.phase == OVER and not self.setup.blind and not self.is_behind
        return self.setup.practice or self.setup.open or over

    def may_talk(self, seat: int | None) -> bool:
        """Whether somebody sits on a seat and another person sits at the table, or may come."""
        specs = self.state.specs
        people = sum(spec is None or spec.startswith(PERSON) for spec in specs)
        return seat is not None and specs[seat] is not None and people > 1

    def _may_undo(self, page: Page) -> bool:
        session = self.session
        return session is not None and page.seat is not None and session.has_moved(page.seat)

    def _clock(self, session: Session | None) -> Clock | None:
        left = None if session is None else session.time_left
        return None if left is None else Clock(self.setup.seconds, round(left, 1))

    def _winners(self) -> list[int]:
        outcome = None if self.session is None or self.is_behind else self.session.outcome
        return [] if outcome is None else list(outcome.winners)

    def _mover(self, number: int) -> tuple[int, bool]:
        if self.session is None:
            return 0, False
        seat = int(self.session.events[number - 1][0]["seat"])
        return seat, self.session.sitters[seat].agent is not None

    def _log(self, seat: int | None) -> list[str]:
        """What happened in words, as a seat or a watcher may know it."""
        log = self._logs.setdefault((seat, language()), [])
        session = self.session
        if session is not None:
            log += [
                faces.sentence(session.game, session.event(number, seat), session.names, seat)
                for number in range(len(log) + 1, self._kept_moves(session) + 1)
            ]
        return log

    def cut_log(self, number: int) -> None:
        """The moves after number `number` were taken back."""
        for log in self._logs.values():
            del log[number:]
        for page in self.pages:
            page.log_sent = min(page.log_sent, number)
