"""One table of the browser: who sits where, the game as it goes on, and what its pages say.

A table runs in one task of the event loop. What takes long (dealing, an artificial player's thinking, reasons) is done in a
thread, and the session is changed on the loop alone, so that pages can be answered at any moment.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import secrets
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import msgspec

from molehunt.arena.workers import the_game, the_player
from molehunt.core.errors import AgentFailure, BadInput, IllegalAction, MolehuntError
from molehunt.core.language import _, later
from molehunt.core.position import PERSON
from molehunt.core.record import Record
from molehunt.core.words import as_sentence
from molehunt.games.registry import game_entry
from molehunt.table import reasons
from molehunt.table.people import free_names
from molehunt.table.session import Saved, Session
from molehunt.web import faces
from molehunt.web.frames import Ending, Gone, MindsFrame, Moved, Refused
from molehunt.web.house import results_of
from molehunt.web.languages import speaking_to_page
from molehunt.web.messages import (
    Again,
    AskBeliefs,
    AskHint,
    AskWhy,
    Message,
    Play,
    Say,
    SetChat,
    SetPace,
    Setup,
    Sit,
    Start,
    Suspect,
    Undo,
    read_name_of_one,
)
from molehunt.web.minds import minds_frame
from molehunt.web.questions import answer
from molehunt.web.store import BEGUN, ENDED, NEW, Link, Row, Store
from molehunt.web.table_pages import OVER, PLAYING, WAITING, Page, TablePages, TableState
from molehunt.web.talk import Talk, check_words

_log = logging.getLogger("molehunt")

MOST_QUESTIONS = 3
"""Unanswered questions of one page."""
TOLD_AFTER = 0.7
"""Seconds that a table waits for its turn to think before its pages are told."""


class Host(Protocol):
    """What a table asks of the server's tables among which it is."""

    store: Store

    @property
    def keeps_statistics(self) -> bool:
        """Whether it is kept how people's games end."""

    async def in_turn(
        self, table: WebTable, begins: Callable[[], None] | None, call: Callable[..., Any], *arguments: Any
    ) -> Any:
        """Do what takes long for a table, in a thread, when it is its turn; `begins` is told that it is."""

    def keep_replay(self, session: Session, client: str) -> str:
        """Keep a finished game of a client's table to be looked at; the name of the replay."""

    def keep_blind(self, links: Sequence[Link], record: Record) -> None:
        """Keep a finished game of a table that does not tell who is which."""

    def rematch(self, table: WebTable, known: tuple[Any, ...] | None) -> WebTable:
        """A table set as this one was, with the same people on it; `known` is what its artificial players take along."""


def initial_state(setup: Setup, owner_name: str) -> TableState:
    """A table as it is set up: the owner sits, friends' seats are open, artificial players have names."""
    free = free_names([owner_name])
    names: list[str | None] = []
    specs: list[str | None] = []
    for wish in setup.seats:
        names.append(owner_name if wish.kind == "me" else next(free) if wish.kind == "agent" else None)
        specs.append(f"{PERSON}{owner_name}" if wish.kind == "me" else wish.agent if wish.kind == "agent" else None)
    seed = secrets.randbits(53) if setup.seed is None else setup.seed
    return TableState(WAITING, seed, names, specs, setup.pace, talk=Talk(free=setup.chat))


class WebTable(TablePages):
    """A table as it is kept in the store. Nothing is dealt before `wake`."""

    def __init__(self, host: Host, row: Row) -> None:
        super().__init__(row)
        self.host = host
        self.id = row.id
        self.client = row.client
        self._begun = row.stage != NEW
        self._moves = row.moves
        self._generation = 0
        self._person_moved = asyncio.Event()
        self._thinking = asyncio.Lock()
        self._setting = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._answering: set[asyncio.Task[None]] = set()
        self._minding: asyncio.Task[None] | None = None

    # --- Waking up and going on -----------------------------------------------------------------------------------------

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
        if self.session is None and not self.runs and self.state.phase in (PLAYING, OVER):
            self._task = asyncio.create_task(self._run())
        elif self.session is not None and self.is_left:
            self._finish(self.session)

    def close(self, reason: str) -> None:
        """The table goes for good: its pages are told why."""
        for page in self.pages:
            _send_away(page, reason)

    def make_place(self, link: Link) -> bool:
        """Where all places are taken: whether somebody who sits here gets one, for which a page that only watches gives way."""
        watching = next((page for page in self.pages if page.seat is None), None)
        if link.seat is None or self._is_artificial(link.seat) or watching is None:
            return False
        self.pages.discard(watching)
        _send_away(watching, later("the table has too many pages; somebody who plays here needed this place"))
        return True

    def sleep(self) -> None:
        """Stop; what is kept is all that is needed to go on."""
        for task in (self._task, self._minding, *self._answering):
            if task is not None:
                task.cancel()

    async def _run(self) -> None:
        if self.is_left:
            self.state.phase, self.state.text, self.is_left = PLAYING, "", False
        try:
            self.session = await self._in_turn(self._take_up)
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
            self._stop(self._failure(error))

    def _failure(self, error: Exception | SystemExit) -> str:
        """What is said of an error: games and players of installed packages may fail in any way; the server goes on."""
        if isinstance(error, MolehuntError):
            return str(error)
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

    def _moved(self, session: Session) -> None:
        number = len(session.actions)
        try:
            self.host.store.add_move(self.id, number, session.game.format_action(session.actions[-1]))
        except sqlite3.Error as error:
            # What cannot be kept is not played: the table stops here, and what was kept before stays.
            _log.warning("a move at a table of %s could not be kept: %s", self.setup.game, error)
            raise AgentFailure(_("the move could not be kept ({error})", error=error)) from None
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
            _log.warning("that a game of %s cannot go on could not be kept: %s", self.setup.game, error)
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
            _log.warning("how a game of %s ended could not be kept: %s", self.setup.game, error)
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

    # --- What pages say -------------------------------------------------------------------------------------------------

    async def handle(self, page: Page, message: Message) -> None:
        """Do what a page asks for, or send it the reason why not."""
        kind = str(message.__struct_config__.tag)
        try:
            await self._dispatch(page, message)
        except IllegalAction as error:
            page.send(Refused(as_sentence(_(error.rule)), kind))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - said there
            page.send(Refused(as_sentence(self._failure(error)), kind))

    async def _dispatch(self, page: Page, message: Message) -> None:
        match message:
            case Play():
                self._play(page, message)
            case Sit():
                self._sit(page, message)
            case Start():
                self._start(page)
            case SetPace():
                self._check_owner(page)
                self.state.pace = message.ms
                self._keep()
                self.changed()
            case Undo():
                await self._undo(page)
            case Again():
                await self._again(page)
            case Say() | Suspect() | SetChat():
                self._talk(page, message)
            case AskHint() | AskWhy() | AskBeliefs():
                self._ask(page, message)

    def _play(self, page: Page, message: Play) -> None:
        session = self._playing()
        if page.seat is None:
            raise BadInput(_("who watches does not play"))
        if message.at != len(session.actions):
            raise BadInput(_("the table has moved on since this move was chosen; look again"))
        action = int(session.game.parse_action(message.move))
        try:
            session.apply(page.seat, action)
            self._moved(session)
            if not self._begun:
                self._begun = True
                self.host.store.set_stage(self.id, BEGUN)
        except (BadInput, IllegalAction):
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - said there
            # Somebody who was told of the move has failed, or it could not be kept.
            self.sleep()
            self._stop(self._failure(error))

    def _sit(self, page: Page, message: Sit) -> None:
        name = read_name_of_one(message.name)
        seat = page.seat
        if self.state.phase != WAITING or seat is None:
            raise BadInput(_("names are chosen before the game begins, on a seat"))
        self._check_free_name(seat, name)
        self._sit_down(seat, name)

    def _check_free_name(self, seat: int, name: str) -> None:
        others = {other.lower() for number, other in enumerate(self.state.names) if other and number != seat}
        if name.lower() in others:
            raise BadInput(_("somebody at the table is called {name}; choose another name", name=name))

    def _sit_down(self, seat: int, name: str) -> None:
        self.state.names[seat], self.state.specs[seat] = name, f"{PERSON}{name}"
        self.begin_if_full()
        self._keep()
        self.changed()

    def join_from_lobby(self, name: str, token: str) -> Link:
        """Sit somebody down on a free seat; the seat's address, with a new token that nobody else has ever known.

        Whoever had the old address, as the friend for whom it was meant, is sent away: they would see this person's cards.
        """
        name = read_name_of_one(name)
        if not self.setup.listed:
            raise BadInput(_("this table is for those who were sent a link"))
        free = [seat for seat, spec in enumerate(self.state.specs) if spec is None]
        if self.state.phase != WAITING or not free:
            raise BadInput(_("all seats of this table are taken; you can watch"))
        seat = free[0]
        self._check_free_name(seat, name)
        link = self._readdressed(seat, token)
        self._sit_down(seat, name)
        return link

    def _readdressed(self, seat: int, token: str) -> Link:
        """Give a seat another address, and send those away who came by the old one."""
        old = next(link for link in self.links if link.seat == seat)
        link = dataclasses.replace(old, token=token)
        self.host.store.replace_link(old.token, link)
        self.links = tuple(link if one is old else one for one in self.links)
        for page in [page for page in self.pages if page.seat == seat]:
            self.pages.discard(page)
            page.needs_frame = False
            _send_away(page, later("somebody else has taken this seat"))
        return link

    def _start(self, page: Page) -> None:
        self._check_owner(page)
        if self.state.phase != WAITING:
            raise BadInput(_("the game has begun"))
        free = free_names(name for name in self.state.names if name)
        for seat, spec in enumerate(self.state.specs):
            if spec is None:
                self.state.names[seat] = next(free)
                self.state.specs[seat] = game_entry(self.setup.game).adviser
        for other in self.pages:
            self._seat_page(other)
        self.begin_if_full()
        self._keep()
        self.changed()

    def begin_if_full(self) -> None:
        """Begin the game, if everybody is there."""
        if self.state.phase == WAITING and all(self.state.specs):
            self.state.phase = PLAYING
            self.wake()

    def _talk(self, page: Page, message: Say | Suspect | SetChat) -> None:
        talk, seat = self.state.talk, page.seat
        if seat is None or not self.may_talk(seat):
            raise BadInput(_("people who sit at a table with others talk there"))
        if isinstance(message, SetChat):
            self._check_owner(page)
            talk.free = message.free
        elif isinstance(message, Suspect):
            self._suspect(seat, message.seat)
        else:
            talk.say(seat, self._words(message), phrase=message.phrase is not None)
        self._keep()
        self.changed()

    def _words(self, message: Say) -> str:
        phrases = faces.phrases_of(self.setup.game)
        if message.phrase is not None and not message.text:
            if message.phrase >= len(phrases):
                raise BadInput(
                    _(
                        "there is no phrase {number}; they are numbered 0 to {last}",
                        number=message.phrase,
                        last=len(phrases) - 1,
                    )
                )
            return phrases[message.phrase]
        if not self.state.talk.free:
            raise BadInput(_("who opened this table allows phrases alone"))
        return check_words(message.text)

    def _suspect(self, seat: int, whom: int) -> None:
        if not self._playing().game.roles:
            raise BadInput(_("nobody has a secret role in this game"))
        if whom == seat or whom >= len(self.state.names):
            raise BadInput(_("one suspects another seat of the table"))
        self.state.talk.suspect(seat, whom)

    async def _undo(self, page: Page) -> None:
        self._playing()
        if not self.setup.practice or page.seat is None:
            raise BadInput(_("moves are taken back in practice games only"))
        async with self._thinking:
            session = self._playing()
            move = session.last_move_of(page.seat)
            earlier = await self.host.in_turn(self, None, session.before, move)
            # An artificial player's move, thought before, may have ended the game meanwhile.
            self._playing()
            self.host.store.drop_moves(self.id, move - 1)
            self.session = earlier
            self._generation += 1
            self.cut_log(move - 1)
        self._person_moved.set()
        self.changed()

    async def _again(self, page: Page) -> None:
        self._check_owner(page)
        if self.state.phase != OVER or self.setup.blind:
            raise BadInput(_("another game begins when this one is over, at tables that people set"))
        async with self._setting:
            # Whoever asks twice, on two pages or with two clicks, is led to the same table.
            links = self._links_of_following()
            if links is None:
                fresh = self.host.rematch(self, await self._taken_along())
                self.state.following, links = fresh.id, fresh.links
                self._keep()
                self.changed()
        for other in self.pages:
            to = other.link.among(links)
            if to:
                other.send(Moved(f"/t/{to.token}"))

    def _links_of_following(self) -> Sequence[Link] | None:
        """The links of the table that was set for another game; None where that is over, or gone."""
        row = self._following
        return None if row is None or row.stage == ENDED else row.links

    @property
    def _following(self) -> Row | None:
        """The table that was set for another game, None where there is none, or it is gone."""
        return self.host.store.table(self.state.following) if self.state.following else None

    def _ending(self, page: Page) -> Ending:
        """How the game ended; who comes back to a table at which another game was begun is led there."""
        ending, row = super()._ending(page), self._following
        link = None if row is None else page.link.among(row.links)
        ending.following = f"/t/{link.token}" if link else ""
        return ending

    async def _taken_along(self) -> tuple[Any, ...] | None:
        """What the artificial players take along into another game; of one that could not be finished, what they had before."""
        if self.session is None and self._task is not None:
            await asyncio.wait([self._task])  # a game that was kept is being taken up
        if self.session is None or self.session.outcome is None:
            return self.state.known
        found = self.state.known
        try:
            found = await self.host.in_turn(self, None, self.session.impressions)
        except Exception as error:  # noqa: BLE001 - said there
            # Whoever fails in it must not keep people from another game.
            _log.warning("players at a table take nothing along: %s", self._failure(error))
        return found

    def _ask(self, page: Page, message: AskHint | AskWhy | AskBeliefs) -> None:
        session = self.session
        if session is None or self.state.phase == WAITING:
            raise BadInput(_("the game has not begun"))
        if not self.may_be_asked:
            raise BadInput(_("reasons, beliefs and hints are for practice games, and for games that are over"))
        if page.open_questions >= MOST_QUESTIONS:
            raise BadInput(_("your last questions are still thought about; wait for the answers"))
        if page.seat is None and not isinstance(message, AskWhy):
            raise BadInput(_("who watches has no beliefs at this table"))
        if self.setup.open and isinstance(message, AskWhy):
            message = msgspec.structs.replace(message, secret=True)  # nobody plays here who must not know
        page.open_questions += 1
        task = asyncio.create_task(self._answer(page, session.still(), message))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, page: Page, session: Session, message: AskHint | AskWhy | AskBeliefs) -> None:
        try:
            page.send(await self.host.in_turn(self, None, answer, session, page.seat, message))
        except Exception as error:  # noqa: BLE001 - said there
            page.send(Refused(as_sentence(self._failure(error)), str(message.__struct_config__.tag)))
        finally:
            page.open_questions -= 1

    def _playing(self) -> Session:
        if self.session is None or self.state.phase != PLAYING:
            raise BadInput(_("the game is over") if self.state.phase == OVER else _("the game has not begun"))
        return self.session

    def _check_owner(self, page: Page) -> None:
        if not page.link.owner:
            raise BadInput(_("only who opened the table may do this"))

    # --- Pages ---------------------------------------------------------------------------------------------------------

    def join(self, page: Page) -> None:
        """A page is opened."""
        self._seat_page(page)
        self.pages.add(page)
        self.wake()
        self.changed()

    def _seat_page(self, page: Page) -> None:
        """Whoever comes to a seat that an artificial player has taken meanwhile watches: the hand there is that player's secret."""
        if page.seat is not None and self._is_artificial(page.seat):
            page.seat = None

    def _is_artificial(self, seat: int) -> bool:
        """Whether an artificial player sits on a seat."""
        spec = self.state.specs[seat]
        return spec is not None and not spec.startswith(PERSON)

    def leave(self, page: Page) -> None:
        """A page is closed."""
        self.pages.discard(page)
        self.changed()


def _cannot_go_on(reason: str) -> str:
    return as_sentence(_("the game cannot go on: {reason}", reason=reason))


def _send_away(page: Page, reason: str) -> None:
    page.gone = True
    with speaking_to_page(page.language):
        page.send(Gone(as_sentence(_(reason))))
