"""A study with people, as pages: consent, one game after the other, questions, withdrawal. docs/people.md is its protocol.

Who takes part is known by a secret link alone. What comes next follows from what the store holds, so a page that is closed, or a
server that is killed, loses nothing. Games are played at tables of the server that do not tell who is which.
"""

from __future__ import annotations

from itertools import groupby
from typing import Annotated, Any

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from molehunt.core.errors import BadInput
from molehunt.core.language import _
from molehunt.core.record import Record
from molehunt.core.words import as_sentence
from molehunt.studies.clue_series import SeriesGame, listed_series
from molehunt.studies.people_protocol import AGREEMENT, CONSENT, LAST, LONGEST, Question, questions_after
from molehunt.studies.people_store import Kept, PeopleStore, Person
from molehunt.web.answers import JSON, NotFound, body_of
from molehunt.web.clients import client_of
from molehunt.web.messages import SeatWish, Setup
from molehunt.web.pages import render_page
from molehunt.web.table_pages import OVER
from molehunt.web.tables import Tables

GAME, RULESET = "speed_clue", "mitchell"
PACE = 500
"""Milliseconds before each move of an artificial player."""
STOPPED = "stopped"
"""What is kept as an answer of somebody who wants to play no more."""
MOST_ANSWERS = 64 * 1024


class ToldGame(msgspec.Struct):
    """A game that is over, once strategies are told: who sat where ("you", or a strategy), and who won."""

    seats: list[str]
    winners: list[int]


class Step(msgspec.Struct):
    """What comes next for somebody: `step` is "game", "questions" or "done".

    Of the series, `played` of `games` are over; the next game is the `nth` of `block` with `players` players. `told` holds the
    blocks whose strategies are told.
    """

    step: str
    number: int
    rehearsal: bool
    played: int
    games: int
    players: int = 0
    nth: int = 0
    block: int = 0
    questions: tuple[Question, ...] = ()
    told: list[list[ToldGame]] = msgspec.field(default_factory=list)


def next_step(person: Person, kept: Kept, rehearsal: bool) -> Step:
    """What comes next for somebody, by what is kept of them."""
    series = listed_series(person.seed, person.number)
    found = Step("done", person.number, rehearsal, len(kept.records), len(series))
    begins = 0
    for players, block in groupby(series, lambda game: game.players):
        games = list(block)
        numbers = range(begins, begins + len(games))
        begins += len(games)
        asked = questions_after(players)
        answered = all(one.id in kept.answers for one in asked)
        left = [number for number in numbers if number not in kept.records]
        if left and STOPPED not in kept.answers:
            found.step, found.players, found.block = "game", players, len(games)
            found.nth = left[0] - numbers[0] + 1
            return found
        if not answered and len(left) < len(games):
            found.step, found.players, found.questions = "questions", players, asked
            return found
        done = [number for number in numbers if number in kept.records]
        if done:
            found.told.append([told_game(series[number], kept.records[number]) for number in done])
    if not all(one.id in kept.answers for one in LAST):
        found.step, found.questions = "questions", LAST
    return found


def told_game(game: SeriesGame, record: Record) -> ToldGame:
    """A finished game with its strategies."""
    seats = [*game.opponents[: game.seat], _("you"), *game.opponents[game.seat :]]
    return ToldGame(seats, list(record.ending.winners))


class _Joining(msgspec.Struct, forbid_unknown_fields=True):
    agreed: bool


class _Answers(msgspec.Struct, forbid_unknown_fields=True):
    answers: dict[str, Annotated[str, msgspec.Meta(max_length=LONGEST)]]


class PeoplePages:
    """What the server does for those who take part, and for their games."""

    def __init__(self, store: PeopleStore, tables: Tables) -> None:
        self.store = store
        self.tables = tables
        tables.blind_games = self.store.end

    def routes(self) -> list[Route]:
        """The pages and what they ask for."""
        return [
            Route("/study", self.page),
            Route("/study/{link}", self.page),
            Route("/api/study", self.join, methods=["POST"]),
            Route("/api/study/{link}", self.step),
            Route("/api/study/{link}/game", self.game, methods=["POST"]),
            Route("/api/study/{link}/answers", self.answers, methods=["POST"]),
            Route("/api/study/{link}/stop", self.stop, methods=["POST"]),
            Route("/api/study/{link}/withdraw", self.withdraw, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        """The page of the study; without a link, what is agreed to."""
        link = request.path_params.get("link", "")
        told = ""
        if link and self.store.person(link) is None:
            link, told = "", as_sentence(_("nobody takes part under this address; it may have been withdrawn"))
        values = {"consent": CONSENT, "agreement": AGREEMENT, "rehearsal": self.store.rehearsal}
        data = {"link": link, "told": told}
        return HTMLResponse(
            render_page("people", title=_("Take part - molehunt"), data=data, **values), 404 if told else 200
        )

    async def join(self, request: Request) -> Response:
        """Somebody has agreed."""
        if not _read(await body_of(request, MOST_ANSWERS), _Joining).agreed:
            raise BadInput(_("who takes part agrees first"))
        return JSON({"link": f"/study/{self.store.join()}"}, 201)

    async def step(self, request: Request) -> Response:
        """What comes next."""
        person, kept = self._known(request)
        for number, at in kept.places.items():
            if number not in kept.records:
                self._wake(at)
        return JSON(next_step(person, kept, self.store.rehearsal))

    async def game(self, request: Request) -> Response:
        """The table of the next game: the one that is open, or a new one."""
        person, kept = self._known(request)
        series = listed_series(person.seed, person.number)
        if next_step(person, kept, self.store.rehearsal).step != "game":
            raise BadInput(_("no game comes next"))
        number = next(number for number in range(len(series)) if number not in kept.records)
        at = kept.places.get(number)
        if at is None or not self._wake(at):
            at = self.tables.open_table(
                _setup(series[number], person), client_of(request.scope, self.tables.clients)
            ).token
            self.store.begin(person, number, at)
        return JSON({"link": f"/t/{at}"}, 201)

    async def answers(self, request: Request) -> Response:
        """Answers to the questions that are asked now."""
        person, kept = self._known(request)
        found = next_step(person, kept, self.store.rehearsal)
        given = _read(await body_of(request, MOST_ANSWERS), _Answers).answers
        for question in found.questions:
            if question.choices and given.get(question.id) not in question.choices:
                raise BadInput(_("choose an answer: {question}", question=question.text))
        self.store.answer(person, {one.id: given.get(one.id, "").strip() for one in found.questions})
        return await self.step(request)

    async def stop(self, request: Request) -> Response:
        """Somebody wants to play no more; what they have played stays."""
        person, _ = self._known(request)
        self.store.answer(person, {STOPPED: "yes"})
        return await self.step(request)

    async def withdraw(self, request: Request) -> Response:
        """All of somebody is deleted, and the tables at which they played."""
        person, kept = self._known(request)
        self.store.withdraw(person)
        for at in kept.places.values():
            self.tables.clear(at)
        return JSON({"link": "/study"})

    def _known(self, request: Request) -> tuple[Person, Kept]:
        person = self.store.person(request.path_params["link"])
        if person is None:
            raise NotFound(_("nobody takes part under this address"))
        return person, self.store.kept(person)

    def _wake(self, at: str) -> bool:
        """Let a table go on that was left, whose game may have ended untold; whether it can still be played at."""
        try:
            table, _ = self.tables.find(at)
        except NotFound:
            return False
        table.wake()
        return table.state.phase != OVER


def _setup(game: SeriesGame, person: Person) -> Setup:
    """The table of a game."""
    seats = [SeatWish("agent", agent=strategy) for strategy in game.opponents]
    seats.insert(game.seat, SeatWish("me", name=f"Person {person.number}"))
    return Setup(GAME, RULESET, tuple(seats), pace=PACE, seed=game.seed, hide=True, blind=True)


def _read(body: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise BadInput(_("this is not understood: {why}", why=f"{error!s:.200}")) from None
