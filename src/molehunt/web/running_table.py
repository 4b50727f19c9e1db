"""The game of a table as it goes on: dealt, taken up, moved on, kept, ended.

A table runs in one task of the event loop. What takes long (dealing, an artificial player's thinking, reasons) is done in a
thread, and the session is changed on the loop alone, so that pages can be answered at any moment.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import msgspec

from molehunt.arena.workers import the_game, the_player
from molehunt.core.errors import BadInput, MolehuntError
from molehunt.core.language import _
from molehunt.core.record import Record
from molehunt.core.words import as_sentence
from molehunt.table import reasons
from molehunt.table.session import Saved, Session
from molehunt.web import faces
from molehunt.web.answers import cannot_be_kept
from molehunt.web.frames import MindsFrame, MovedFor
from molehunt.web.house import results_of
from molehunt.web.languages import speaking_to_page
from molehunt.web.minds import minds_frame
from molehunt.web.store import ENDED, Link, Row, Store
from molehunt.web.table_pages import OVER, PLAYING, TablePages

_log = logging.getLogger("molehunt")


class NotKept(MolehuntError):
    """A move could not be written to the store: the game goes on from the move before it, once that can be written again."""


TOLD_AFTER = 0.7
"""Seconds that a table waits for its turn to think before its pages are told."""


class Host(Protocol):
    """What a table asks of the server's tables among which it is."""

    store: Store

    @property
    def keeps_statistics(self) -> bool:
        """Whether it is kept how people's games end."""

    async def in_turn(
        self, table: RunningTable, begins: Callable[[], None] | None, call: Callable[..., Any], *arguments: Any
    ) -> Any:
        """Do what takes long for a table, in a thread, when it is its turn; `begins` is told that it is."""

    def keep_replay(self, session: Session, client: str) -> str:
        """Keep a finished game of a client's table to be looked at; the name of the replay."""

    def keep_blind(self, links: Sequence[Link], record: Record) -> None:
        """Keep a finished game of a table that does not tell who is which."""

    def rematch(self, table: RunningTable, known: tuple[Any, ...] | None) -> RunningTable:
        """A table set as this one was, with the same people on it; `known` is what its artificial players take along."""


class RunningTable(TablePages):
    """A table whose game goes on by itself, and is kept in the store. Nothing is dealt before `wake`."""

    def __init__(self, host: Host, row: Row) -> None:
        super().__init__(row)
        self.host = host
        self.id = row.id
        self.client = row.client
        self._moves = row.moves
        self._generation = 0
        """How often moves were taken back: what was thought before is of no use after."""
        self._person_moved = asyncio.Event()
        self._thinking = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._minding: asyncio.Task[None] | None = None

    @property
    def runs(self) -> bool:
        """Whether the game is going on by itself."""
        return self._task is not None and not self._task.done()

    @property
    def waits_for_a_person(self) -> bool:
        """Whether nothing happens before a person moves."""
        session = self.session
        seat = None if session is None else session.to_move
        return (
            session is not None and seat is not None and session.sitters[seat].agent is None and session.limit is None
        )

    @property
    def is_attended(self) -> bool:
        """Whether somebody who plays here has a page open."""
        return bool(self.pages) and any(page.seat is not None for page in self.pages)

    def wake(self) -> None:
        """Go on with the game, if it has begun: deal it, or take it up where it was left."""
        if self.is_behind:
            self._go_back_to_store()
        if self.session is None and not self.runs and self.state.phase in (PLAYING, OVER):
            self._task = asyncio.create_task(self._run())
        elif self.session is not None and self.is_left:
            self._finish(self.session)

    @property
    def may_be_kept_now(self) -> bool:
        """Whether the game is at hand and only the store keeps it from going on, or from ending."""
        return self.is_left and self.session is not None

    def _go_back_to_store(self) -> None:
        """Forget the move that could not be kept."""
        try:
            row = self.host.store.table(self.id)
        except sqlite3.Error as error:
            _log.warning("a game of %s cannot go on: %s", self.setup.game, self.host.store.fault(error))
            return
        if row is not None:
            self.is_behind = False
            self._moves, self.session = row.moves, None
            self._generation += 1
            self.cut_log(len(row.moves))

    def sleep(self) -> None:
        """Stop; what is kept is all that is needed to go on."""
        for task in (self._task, self._minding):
            if task is not None:
                task.cancel()

    async def _run(self) -> None:
        if self.is_left:
            self.state.phase, self.state.text, self.is_left = PLAYING, "", False
        try:
            session = await self._in_turn(self._take_up)
            session.tells_later = True
            self.session = session
        except (Exception, SystemExit) as error:  # noqa: BLE001 - said there
            self._leave(self._failure(error))
            return
        try:
            self.changed()
            # A game that could not go on is shown as it was left.
            while self.session is not None and self.session.to_move is not None and self.state.phase != OVER:
                await self._one_move(self.session)
            if self.state.phase != OVER and self.session is not None:
                self._finish(self.session)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - said there
            self._end_by(error)
        if not self.is_behind:
            await self._tell_the_end()

    def _end_by(self, error: Exception | SystemExit) -> None:
        """The game cannot go on: for good, or until its moves can be kept again."""
        if isinstance(error, NotKept):
            self.is_behind = True
            self._leave(str(error))
        else:
            self._stop(self._failure(error))

    async def _tell_the_end(self) -> None:
        """Tell players that may take long for it of the last move, once people know how the game ended: that stands."""
        if self.session is None or self.session.to_move is not None or not self.session.has_untold:
            return
        try:
            async with self._thinking:
                await self._in_turn(self.session.tell)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - said there
            _log.warning("a player at a table was not told how the game ended: %s", self._failure(error))

    def _failure(self, error: Exception | SystemExit) -> str:
        """What is said of an error: games and players of installed packages may fail in any way; the server goes on."""
        if isinstance(error, MolehuntError):
            return str(error)
        if isinstance(error, sqlite3.Error):
            _log.warning("a table of %s cannot be kept: %s", self.setup.game, self.host.store.fault(error))
            return cannot_be_kept(error)
        _log.error("the table of %s/%s fails", self.setup.game, self.setup.ruleset, exc_info=error)
        return f"{self.setup.game} has failed: {type(error).__name__}: {error}"

    def _take_up(self) -> Session:
        state = self.state
        saved = Saved(
            game=self.setup.game,
            ruleset=self.setup.ruleset,
            seed=state.seed,
            names=tuple(name or "" for name in state.names),
            seats=tuple(spec or "" for spec in state.specs),
            roles=None,
            moves=self._moves,
            known=state.known,
            hidden=tuple(range(len(state.specs))) if self.setup.hide else (),
        )

        return Session.resume(saved, the_game, partial(the_player, self.setup.game), self.setup.seconds)

    async def _in_turn(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Do what the game goes on with when it is this table's turn; where that takes a while, pages are told that it waits."""
        told = asyncio.get_running_loop().call_later(TOLD_AFTER, self._wait, True)

        def begins() -> None:
            told.cancel()
            self._wait(False)

        try:
            return await self.host.in_turn(self, begins, call, *arguments)
        finally:
            begins()

    def _wait(self, waits: bool) -> None:
        if self.waits_for_turn != waits:
            self.waits_for_turn = waits
            self.changed()

    async def _one_move(self, session: Session) -> None:
        if session.has_untold:
            # A player of one's own may take its time, or for ever, for what it is told: not on the loop.
            async with self._thinking:
                await self._in_turn(session.tell)
            return
        seat = session.to_move
        generation = self._generation
        if seat is not None and session.sitters[seat].agent is not None:
            pause = asyncio.create_task(asyncio.sleep(self.state.pace / 1000))
            try:
                async with self._thinking:
                    action = await self._in_turn(session.think)
                await pause
            finally:
                pause.cancel()
            if generation == self._generation:
                session.play_thought(action)
                self._moved(session)
            return
        self._person_moved.clear()
        made = len(session.actions)
        try:
            await asyncio.wait_for(self._person_moved.wait(), session.time_left)
        except TimeoutError:
            if generation == self._generation and seat is not None and session.to_move == seat:
                # The time is up: the adviser moves for the person, who may still move before it has thought.
                hint = await self._in_turn(reasons.hint, session.still(), seat)
                if generation == self._generation and len(session.actions) == made:
                    session.apply(seat, hint.action)
                    self._moved(session)
                    self._tell_moved_for(seat)

    def _tell_moved_for(self, seat: int) -> None:
        """Tell a person that the last move was not theirs."""
        for page in self.pages:
            if page.seat == seat:
                with speaking_to_page(page.language):
                    page.send(MovedFor(_("Your time was up: the adviser has moved for you.")))

    def _moved(self, session: Session) -> None:
        number = len(session.actions)
        try:
            self.host.store.add_move(self.id, number, session.game.format_action(session.actions[-1]))
        except sqlite3.Error as error:
            # What cannot be kept is not played: the table stops here, and what was kept before stays.
            _log.warning("a move at a table of %s could not be kept: %s", self.setup.game, self.host.store.fault(error))
            told = _(
                "the move could not be kept ({error}); it can be made here once the server has mended that", error=error
            )
            raise NotKept(told) from None
        if faces.ends_round(session.game, session.events[-1]):
            self.state.talk.suspects = []  # the roles are dealt anew
        self._person_moved.set()
        self.changed()
        if self.setup.open and self.pages and (self._minding is None or self._minding.done()):
            self._minding = asyncio.create_task(self._tell_minds(session, number))

    async def _tell_minds(self, session: Session, move: int) -> None:
        """Tell who watches what was thought at a move; while that is worked out, further moves go untold."""
        by_language: dict[str, MindsFrame] = {}
        try:
            for code in {page.language for page in self.pages}:
                with speaking_to_page(code):
                    by_language[code] = await self.host.in_turn(self, None, minds_frame, session, move)
        except Exception:  # noqa: BLE001 - said below
            # A player or an analyst of an installed package may fail in any way; the game goes on.
            _log.exception("what is thought at a table of %s cannot be told", self.setup.game)
            return
        for page in self.pages:
            if page.language in by_language:
                page.send(by_language[page.language])

    def _stop(self, reason: str) -> None:
        """The game cannot go on."""
        self.state.phase, self.state.text = OVER, _cannot_go_on(reason)
        try:
            self._keep()
        except sqlite3.Error as error:
            # In the store the game goes on: another server takes it up as it was before.
            told = self.host.store.fault(error)
            _log.warning("that a game of %s cannot go on could not be kept: %s", self.setup.game, told)
        self.changed()

    def _leave(self, reason: str) -> None:
        """The game cannot be taken up now. It is kept as it is: another time, its players may be installed again."""
        self.is_left = self.state.phase != OVER
        if self.is_left:
            self.state.phase, self.state.text = OVER, _cannot_go_on(reason)
        self.changed()

    def _finish(self, session: Session) -> None:
        outcome = session.outcome
        if outcome is None:
            return
        self.state.phase = OVER
        self.state.text, self.state.unkept = faces.who_won(session.game, outcome, session.names), ""
        try:
            self._keep_ending(session)
            self.is_left = False
        except (MolehuntError, sqlite3.Error) as error:
            # In the store the game goes on: it ends there when somebody comes to the table again.
            told = self.host.store.fault(error) if isinstance(error, sqlite3.Error) else str(error)
            _log.warning("how a game of %s ended could not be kept: %s", self.setup.game, told)
            self.is_left = True
        self.changed()

    def _keep_ending(self, session: Session) -> None:
        try:
            if self.setup.blind:
                self.host.keep_blind(self.links, session.record())
            else:
                self.state.replay = self.host.keep_replay(session, self.client)
        except BadInput as error:
            self.state.unkept = _("It cannot be looked at again: {error}.", error=error)
            self.state.text += f" {self.state.unkept}"
        told = self.host.keeps_statistics and not self.setup.blind
        results = results_of(session, self.setup.practice) if told else []
        self.host.store.end_table(self.id, msgspec.json.encode(self.state), results)

    def _keep(self) -> None:
        state = msgspec.structs.replace(self.state, phase=PLAYING, text="") if self.is_left else self.state
        self.host.store.set_state(self.id, msgspec.json.encode(state))
        if state.phase == OVER:
            self.host.store.set_stage(self.id, ENDED)

    def _playing(self) -> Session:
        if self.session is None or self.state.phase != PLAYING:
            raise BadInput(_("the game is over") if self.state.phase == OVER else _("the game has not begun"))
        return self.session


def _cannot_go_on(reason: str) -> str:
    return as_sentence(_("the game cannot go on: {reason}", reason=reason))
