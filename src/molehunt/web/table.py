"""One table of the browser: what people do at it, who sits where, and the pages that come and go."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import secrets
import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec

from molehunt.core.errors import BadInput, IllegalAction
from molehunt.core.language import _, later
from molehunt.core.position import PERSON
from molehunt.core.words import as_sentence
from molehunt.games.registry import game_entry
from molehunt.table.people import free_names
from molehunt.table.session import Session
from molehunt.web import faces
from molehunt.web.frames import Ending, Gone, Moved, Refused
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
from molehunt.web.questions import answer
from molehunt.web.running_table import Host, RunningTable
from molehunt.web.store import BEGUN, ENDED, NEW, Link, Row
from molehunt.web.table_pages import OVER, PLAYING, WAITING, Page, TableState
from molehunt.web.talk import Talk, check_words

_log = logging.getLogger("molehunt")

MOST_QUESTIONS = 3
"""Unanswered questions of one page."""


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


class WebTable(RunningTable):
    """A table as people find it: what their pages ask for is done here."""

    def __init__(self, host: Host, row: Row) -> None:
        super().__init__(host, row)
        self._begun = row.stage != NEW
        self._setting = asyncio.Lock()
        self._answering: set[asyncio.Task[None]] = set()

    def sleep(self) -> None:
        """Stop; what is kept is all that is needed to go on."""
        super().sleep()
        for task in self._answering:
            task.cancel()

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
            case Sit() | Start() | SetPace() | Say() | Suspect() | SetChat():
                self._change(page, message)
            case Undo():
                await self._undo(page)
            case Again():
                await self._again(page)
            case AskHint() | AskWhy() | AskBeliefs():
                self._ask(page, message)

    def _change(self, page: Page, message: Sit | Start | SetPace | Say | Suspect | SetChat) -> None:
        """Change what the table has become; where that cannot be kept, it is as it was."""
        before = msgspec.json.encode(self.state)
        try:
            match message:
                case Sit():
                    self._sit(page, message)
                case Start():
                    self._start(page)
                case SetPace():
                    self._check_owner(page)
                    self.state.pace = message.ms
                    self._keep()
                case _:
                    self._talk(page, message)
        except sqlite3.Error:
            self.state = msgspec.json.decode(before, type=TableState)
            raise
        self.changed()

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
            self._end_by(error)

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
        self._take_seat(seat, name)
        self._keep()
        self.wake()

    def _take_seat(self, seat: int, name: str) -> None:
        self.state.names[seat], self.state.specs[seat] = name, f"{PERSON}{name}"
        self._begin_if_full()

    def join_from_lobby(self, name: str, token: str) -> Link:
        """Sit somebody down on a free seat; the seat's address, with a new token that nobody else has ever known.

        Whoever had the old address, as the friend for whom it was meant, is sent away: they would see this person's cards. Where
        this cannot be kept, nobody has moved.
        """
        name = read_name_of_one(name)
        if not self.setup.listed:
            raise BadInput(_("this table is for those who were sent a link"))
        free = [seat for seat, spec in enumerate(self.state.specs) if spec is None]
        if self.state.phase != WAITING or not free:
            raise BadInput(_("all seats of this table are taken; you can watch"))
        seat = free[0]
        self._check_free_name(seat, name)
        old = next(link for link in self.links if link.seat == seat)
        link = dataclasses.replace(old, token=token)
        before = msgspec.json.encode(self.state)
        self._take_seat(seat, name)
        try:
            self.host.store.seat(self.id, old.token, link, msgspec.json.encode(self.state))
        except sqlite3.Error:
            self.state = msgspec.json.decode(before, type=TableState)
            raise
        self._readdressed(old, link)
        self.wake()
        self.changed()
        return link

    def _readdressed(self, old: Link, link: Link) -> None:
        """A seat has another address: those are sent away who came by the old one."""
        self.links = tuple(link if one is old else one for one in self.links)
        for page in [page for page in self.pages if page.seat == link.seat]:
            self.pages.discard(page)
            page.needs_frame = False
            _send_away(page, later("somebody else has taken this seat"))

    def _start(self, page: Page) -> None:
        self._check_owner(page)
        if self.state.phase != WAITING:
            raise BadInput(_("the game has begun"))
        free = free_names(name for name in self.state.names if name)
        for seat, spec in enumerate(self.state.specs):
            if spec is None:
                self.state.names[seat] = next(free)
                self.state.specs[seat] = game_entry(self.setup.game).adviser
        self._begin_if_full()
        self._keep()
        for other in self.pages:
            self._seat_page(other)
        self.wake()

    def _begin_if_full(self) -> None:
        """The game begins, if everybody is there."""
        if self.state.phase == WAITING and all(self.state.specs):
            self.state.phase = PLAYING

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
            earlier.tells_later = True
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

    def make_place(self, link: Link) -> bool:
        """Where all places are taken: whether somebody who sits here gets one, for which a page that only watches gives way."""
        watching = next((page for page in self.pages if page.seat is None), None)
        if link.seat is None or self._is_artificial(link.seat) or watching is None:
            return False
        self.pages.discard(watching)
        _send_away(watching, later("the table has too many pages; somebody who plays here needed this place"))
        return True

    def close(self, reason: str) -> None:
        """The table goes for good: its pages are told why."""
        for page in self.pages:
            _send_away(page, reason)


def _send_away(page: Page, reason: str) -> None:
    page.gone = True
    with speaking_to_page(page.language):
        page.send(Gone(as_sentence(_(reason))))
