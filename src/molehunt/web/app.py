"""The server of the browser table as a Starlette application: pages, what they ask for, and the lines to them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from molehunt.analysis.daily import maker_of
from molehunt.core.errors import BadInput, MolehuntError, UnknownName
from molehunt.core.language import _
from molehunt.core.places import signed_places
from molehunt.core.record import Record, parse_record
from molehunt.core.words import as_sentence
from molehunt.games.registry import all_games, game_entry, is_game, make_game
from molehunt.studies.people_store import PeopleStore
from molehunt.table.session import Session, resuming, saved_in
from molehunt.web.adviser import AdviserAnswers, adviser_data
from molehunt.web.answers import JSON, NotFound, body_of, cannot_be_kept
from molehunt.web.clients import client_of
from molehunt.web.clue_people import PeoplePages
from molehunt.web.codes import qr_code
from molehunt.web.face import Face
from molehunt.web.faces import face_of, phrases_of
from molehunt.web.frames import BeliefsFrame, Gone, ReasonFrame, Refused
from molehunt.web.guard import Guard, page_security
from molehunt.web.house import Statistics, statistics
from molehunt.web.languages import Speaking
from molehunt.web.messages import read_join, read_message, read_setup
from molehunt.web.offers import lobby
from molehunt.web.pages import LINK_PICTURE, STATIC, render_page
from molehunt.web.previews import Preview, lobby_preview, table_preview
from molehunt.web.puzzles import puzzle_day, puzzle_frame
from molehunt.web.questions import beliefs_frame, reason_frame
from molehunt.web.replays import exported, replay_data
from molehunt.web.table import WebTable
from molehunt.web.table_pages import Page
from molehunt.web.tables import Tables, TooMuch

_log = logging.getLogger("molehunt")

MOST_SETUP = 8 * 1024
MOST_RECORD = 256 * 1024
"""Bytes of what may be posted: a table to set, a record to open."""
BURST = 20.0
"""So many messages a page may send at once; `Limits.rate` more each second after that."""
PATIENCE = 200
"""After so many messages refused for being too fast, the line is cut."""
BUSY = 1013
"""The code with which a line is closed that may be opened again in a moment."""
GONE = 4404
"""The code with which a line is closed for good: the table is not there."""

_DRAWING_SECURITY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A drawing that is opened alone has a style sheet of its own, and may do nothing else."""


class Assets(StaticFiles):
    """What the pages are made of: asked for anew each time, and sent where it has changed; a font stays as it is for good."""

    def file_response(self, full_path: Any, *arguments: Any, **named: Any) -> Response:
        answer = super().file_response(full_path, *arguments, **named)
        lasting = Path(full_path).suffix == ".woff2"
        answer.headers["cache-control"] = "public, max-age=31536000, immutable" if lasting else "no-cache"
        return answer


def make_app(
    tables: Tables, loopback: bool = True, share: str | None = None, people: PeopleStore | None = None
) -> ASGIApp:
    """The application. `share` is the address under which others reach this server, where it listens for others.

    With a store of `people`, there is a study in which they take part.
    """
    server = _Server(tables, share)
    answers = AdviserAnswers(tables.clients)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        tables.start()
        yield
        answers.turns.stop()
        tables.stop()

    routes = [
        Route("/", server.lobby_page),
        Route("/puzzle", server.puzzle_page),
        Route("/rules", server.rules_page),
        Route("/rules/{game}", server.rules_page),
        Route("/t/{token}", server.table_page),
        Route("/t/{token}/code", server.code),
        Route("/code", server.code),
        Route("/statistics", server.statistics_page),
        Route("/replay", server.open_page),
        Route("/replay/{name}", server.replay_page),
        Route("/replay/{name}/record", server.record),
        Route("/replay/{name}/export", server.export),
        Route("/adviser", server.adviser_page),
        Route("/api/tables", server.open_table, methods=["POST"]),
        Route("/api/tables", server.listed_tables),
        Route("/api/join", server.join_table, methods=["POST"]),
        Route("/api/replay", server.open_replay, methods=["POST"]),
        Route("/api/replay/{name}", server.replay),
        Route("/api/replay/{name}/analysis", server.analysis),
        Route("/api/replay/{name}/beliefs", server.beliefs),
        Route("/api/replay/{name}/why", server.why),
        Route("/api/replay/{name}/drawing", server.drawing),
        Route("/api/puzzle", server.puzzle),
        Route("/api/adviser", answers.ask, methods=["POST"]),
        WebSocketRoute("/ws/{token}", server.connect),
        Mount("/static", Assets(directory=STATIC)),
        *([] if people is None else PeoplePages(people, tables).routes()),
    ]
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        middleware=[Middleware(Speaking), Middleware(GZipMiddleware, minimum_size=2000, compresslevel=5)],
        exception_handlers={
            MolehuntError: server.refuse,
            sqlite3.Error: server.cannot_keep,
            ClientDisconnect: _gone,
            404: server.not_there,
        },
    )
    app.state.tables = tables
    return Guard(app, loopback, tables.clients)


def _page_of(face: Face, name: str, **values: Any) -> Response:
    """A page on which a face draws its game."""
    sprite = face.sprite()
    headers = {"content-security-policy": page_security(sprite)}
    return HTMLResponse(render_page(name, face=face, sprite=sprite, **values), headers=headers)


def _shown_before(request: Request, preview: Preview) -> dict[str, Any]:
    """What a page tells messengers of its address; the picture is where they asked for the page."""
    return {"preview": preview, "picture": f"{request.base_url!s:.200}static/{LINK_PICTURE}"}


async def _gone(_request: Request, _error: Exception) -> Response:
    """Who asked has left in the middle of it: nobody hears this."""
    return Response(status_code=400)


def _wants_page(request: Request) -> bool:
    """Whether a person's browser asks to show what is at an address; a script, or another program, takes anything."""
    return request.method == "GET" and "text/html" in request.headers.get("accept", "")


class _Server:
    """What is done at each address."""

    def __init__(self, tables: Tables, share: str | None) -> None:
        self.tables = tables
        self.share = share

    # --- What cannot be answered ---------------------------------------------------------------------------------------

    def _lobby_instead(self, told: str, status: int = 404) -> Response:
        """The lobby where there is nothing else to show, and why."""
        return HTMLResponse(render_page("lobby", data=lobby({}, self.share, told)), status)

    async def refuse(self, request: Request, error: Exception) -> Response:
        told = as_sentence(str(error))
        if isinstance(error, NotFound) and _wants_page(request):
            return self._lobby_instead(told)
        return JSON({"error": told}, 404 if isinstance(error, NotFound) else 429 if isinstance(error, TooMuch) else 400)

    async def cannot_keep(self, request: Request, error: Exception) -> Response:
        """The store cannot be written, or read: nothing is wrong with what was asked for."""
        if not isinstance(error, sqlite3.Error):
            raise error
        _log.warning("a request cannot be answered: %s", self.tables.store.fault(error))
        told = as_sentence(cannot_be_kept(error))
        return self._lobby_instead(told, 503) if _wants_page(request) else JSON({"error": told}, 503)

    async def not_there(self, request: Request, _error: Exception) -> Response:
        told = _("There is no such page. The lobby is at /.")
        return (
            self._lobby_instead(_("There is no such page.")) if _wants_page(request) else PlainTextResponse(told, 404)
        )

    # --- Pages ----------------------------------------------------------------------------------------------------------

    async def lobby_page(self, request: Request) -> Response:
        limits = self.tables.limits
        kept = {"tables": limits.tables, "keep_hours": limits.keep_hours}
        data = lobby(kept, self.share, listed=self.tables.listed(), statistics=self.tables.keeps_statistics)
        return HTMLResponse(render_page("lobby", data=data, **_shown_before(request, lobby_preview())))

    async def table_page(self, request: Request) -> Response:
        try:
            table, link = self.tables.find(request.path_params["token"])
            name = table.setup.game
            face = face_of(name)
        except (NotFound, UnknownName) as error:  # UnknownName: the table's game is not installed any more
            return self._lobby_instead(as_sentence(str(error)))
        data = {
            "game": name,
            "token": link.token,
            "share": self.share,
            "script": face.script,
            "phrases": tuple(_(phrase) for phrase in phrases_of(name)),
        }
        rules = "" if face.guide else await self._in_turn(request, _rules, table)
        values = {"game": name, "rules": rules, "data": data, **_shown_before(request, table_preview(table, link))}
        title = f"{game_entry(name).short_title} - molehunt"
        return _page_of(face, "table", title=title, **values)

    async def code(self, request: Request) -> Response:
        """The address of a seat, or of the lobby, as a QR code."""
        token = request.path_params.get("token")
        path = "" if token is None else f"t/{self.tables.find(token)[1].token}"
        return Response(
            qr_code(f"{self.share or request.base_url!s:.200}".rstrip("/") + f"/{path}"), media_type="image/svg+xml"
        )

    async def rules_page(self, request: Request) -> Response:
        """The rules of a game with its cards; without a name, of the first game."""
        name = request.path_params.get("game") or next(iter(all_games()))
        if not is_game(name):
            raise NotFound(
                _(
                    "there is no game called {name}; there are {games}",
                    name=f"{name!r:.60}",
                    games=", ".join(entry.short_title for entry in all_games().values()),
                )
            )
        entry = game_entry(name)
        name = entry.name
        usual, ruleset = next(iter(entry.at_table.items()))
        rules = await self._in_turn(request, lambda: entry.rules_text(make_game(name, usual, ruleset.usual)))
        games = [(other.name, other.short_title) for other in all_games().values()]
        title = _("Rules of {game} - molehunt", game=entry.short_title)
        return _page_of(
            face_of(name), "rules", title=title, game=name, heading=_(entry.title), rules=rules, games=games
        )

    async def puzzle_page(self, request: Request) -> Response:
        """The page of a day's puzzle, `day=2026-11-22`. Without a day it asks the reader's clock, and goes there."""
        title = _("The puzzle of the day - molehunt")
        try:
            game = maker_of(puzzle_day(request.query_params.get("day", ""))).game
        except BadInput:  # the page is told why when it asks for the puzzle
            return HTMLResponse(render_page("puzzle", title=title))
        face = face_of(game)
        return _page_of(face, "puzzle", title=title, game=game, data={"board": face.script})

    async def puzzle(self, request: Request) -> Response:
        """The puzzle of a day, `day=2026-11-22`."""
        day = puzzle_day(request.query_params.get("day", ""))
        return JSON(await self._in_turn(request, puzzle_frame, day))

    async def statistics_page(self, request: Request) -> Response:
        """How people's games ended: all people, or one of them (`name=Ann`)."""
        kept = self.tables.keeps_statistics
        name = request.query_params.get("name", "")
        data = statistics(self.tables.store, name) if kept else Statistics(kept)
        return HTMLResponse(render_page("statistics", title=_("Statistics - molehunt"), data=data))

    async def open_page(self, _request: Request) -> Response:
        return HTMLResponse(render_page("replay", title=_("Replays - molehunt")))

    async def replay_page(self, request: Request) -> Response:
        name = request.path_params["name"]
        try:
            record = self.tables.replays.find(name)[0]
            face = face_of(record.game)
        except (NotFound, UnknownName) as error:
            return HTMLResponse(
                render_page("replay", title=_("Replays - molehunt"), data={"told": as_sentence(str(error))}), 404
            )
        values = {"game": record.game, "data": {"id": name}}
        return _page_of(face, "replay", title=_("Replay - molehunt"), **values)

    async def adviser_page(self, _request: Request) -> Response:
        return HTMLResponse(render_page("adviser", title=_("Clue adviser - molehunt"), data=adviser_data()))

    # --- Tables ---------------------------------------------------------------------------------------------------------

    async def open_table(self, request: Request) -> Response:
        setup = read_setup(await body_of(request, MOST_SETUP))
        link = self.tables.open_table(setup, client_of(request.scope, self.tables.clients))
        return JSON({"link": f"/t/{link.token}"}, 201)

    async def listed_tables(self, _request: Request) -> Response:
        """The tables that are open to all."""
        return JSON(self.tables.listed())

    async def join_table(self, request: Request) -> Response:
        wish = read_join(await body_of(request, MOST_SETUP))
        link = self.tables.join(wish.table, wish.name, client_of(request.scope, self.tables.clients))
        return JSON({"link": f"/t/{link.token}"}, 201)

    async def connect(self, socket: WebSocket) -> None:
        """The connection to a page of a table, for as long as it is open."""
        await socket.accept()
        try:
            table, link = self.tables.find(socket.path_params["token"])
        except NotFound as error:
            await _refuse_page(socket, str(error))
            return
        except sqlite3.Error as error:
            _log.warning("a table cannot be shown: %s", self.tables.store.fault(error))
            await socket.close(BUSY)  # the page comes back by itself
            return
        limits = self.tables.limits
        with self.tables.clients.page(client_of(socket.scope, self.tables.clients)) as open_pages:
            if open_pages > limits.client_pages:
                told = _("too many pages are open from your address; {most} are the most", most=limits.client_pages)
            elif len(table.pages) >= limits.pages and not table.make_place(link):
                told = _("too many pages are open at this table; {most} are the most", most=limits.pages)
            else:
                await self._serve_page(socket, table, Page(link))
                return
            await _refuse_page(socket, told)

    async def _serve_page(self, socket: WebSocket, table: WebTable, page: Page) -> None:
        table.join(page)
        sender = asyncio.create_task(_send_frames(socket, table, page))
        try:
            await _receive(socket, table, page, self.tables.limits.rate)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            sender.cancel()
            table.leave(page)

    async def _in_turn(self, request: Request, call: Callable[..., Any], *arguments: Any) -> Any:
        """Do what takes long for a request, in a thread, when it is its client's turn."""
        client = client_of(request.scope, self.tables.clients)
        return await self.tables.turns.take(client, request.url.path, call, *arguments)

    # --- Replays --------------------------------------------------------------------------------------------------------

    async def open_replay(self, request: Request) -> Response:
        body = await body_of(request, MOST_RECORD)
        lines = [line for line in body.splitlines() if line.strip()]
        if not lines:
            raise BadInput(_("the file holds no record of a game"))
        if (saved := saved_in(body)) is not None:
            raise BadInput(
                _(
                    "this is no record, but a game that molehunt play --save keeps; {command} goes on with it, and with "
                    "--record as well writes its record at the end",
                    command=resuming(saved.game, "FILE"),
                )
            )
        record = parse_record(lines[0])
        name = await self._in_turn(
            request, self.tables.replays.keep_record, record, client_of(request.scope, self.tables.clients)
        )
        return JSON({"link": f"/replay/{name}"}, 201)

    async def replay(self, request: Request) -> Response:
        names = self._kept(request)[1]
        name = request.path_params["name"]
        return JSON(await self._in_turn(request, lambda: replay_data(self.tables.replays.played(name), names)))

    async def record(self, request: Request) -> Response:
        record = self._kept(request)[0]
        name = f"{record.game}-{record.seed}.jsonl"
        headers = {"content-disposition": f'attachment; filename="{name}"'}
        return Response(record.line(), media_type="application/json", headers=headers)

    async def export(self, request: Request) -> Response:
        record, names = self._kept(request)

        name = request.path_params["name"]

        def made() -> str:
            found = self.tables.replays.analysed(name)
            return exported(
                replay_data(self.tables.replays.played(name), names, True, self.tables.replays.thought(name), found)
            )

        headers = {"content-disposition": f'attachment; filename="{record.game}-{record.seed}.html"'}
        return HTMLResponse(await self._in_turn(request, made), headers=headers)

    async def analysis(self, request: Request) -> Response:
        self._kept(request)
        return JSON(await self._in_turn(request, self.tables.replays.analysed, request.path_params["name"]))

    async def beliefs(self, request: Request) -> Response:
        def ask(session: Session) -> BeliefsFrame:
            seat = _number(request, "seat", session.game.seats - 1)
            return beliefs_frame(session, seat, _number(request, "move", len(session.actions)))

        return await self._asked(request, ask)

    async def why(self, request: Request) -> Response:
        return await self._asked(
            request, lambda session: reason_frame(session, _number(request, "move", len(session.actions)))
        )

    async def drawing(self, request: Request) -> Response:
        """A position as the game draws it for a seat, by default the one to move, or for those who watch (`seat=public`)."""
        self._kept(request)
        played = await self._in_turn(request, self.tables.replays.played, request.path_params["name"])
        move = _number(request, "move", len(played.actions))
        wanted = request.query_params.get("seat")
        if wanted == "public":
            view = played.game.public_view(played.states[move])
        else:
            view = played.view(move, None if wanted is None else _number(request, "seat", played.game.seats - 1))
        with signed_places(False):  # a drawing lies as it is, and may be kept as a file
            drawn = await self._in_turn(request, played.game.draw_svg, view)
        return Response(drawn, media_type="image/svg+xml", headers={"content-security-policy": _DRAWING_SECURITY})

    def _kept(self, request: Request) -> tuple[Record, tuple[str, ...]]:
        return self.tables.replays.find(request.path_params["name"])

    async def _asked(self, request: Request, ask: Callable[[Session], BeliefsFrame | ReasonFrame]) -> Response:
        self._kept(request)
        return JSON(await self._in_turn(request, lambda: ask(self.tables.replays.thought(request.path_params["name"]))))


def _rules(table: WebTable) -> str:
    """The rules of a table's game, as its entry gives them."""
    setup = table.setup
    return game_entry(setup.game).rules_text(make_game(setup.game, setup.ruleset, len(setup.seats)))


async def _send_frames(socket: WebSocket, table: WebTable, page: Page) -> None:
    """Send a page what waits for it; where it reads slowly, it is sent the latest only."""
    while True:
        page.to_send.clear()
        try:
            frames = table.outgoing(page)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - said below
            # The drawing or the words of an installed package's game have failed; the server and its other tables go on.
            _log.error("the table of %s cannot be shown", table.setup.game, exc_info=error)
            told = _("the table cannot be shown: {error}", error=f"{type(error).__name__}: {error}")
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                await _refuse_page(socket, told)
            return
        try:
            for frame in frames:
                await socket.send_text(frame.decode())
            if page.gone:
                await socket.close(GONE)
                return
        except (WebSocketDisconnect, RuntimeError):
            return
        await page.to_send.wait()


async def _receive(socket: WebSocket, table: WebTable, page: Page, rate: float) -> None:
    """Handle what a page says until it is closed."""
    tokens, last, refused = BURST, time.monotonic(), 0
    while refused < PATIENCE and not page.gone:
        received = await socket.receive()
        if received["type"] == "websocket.disconnect" or page.gone:
            return
        now = time.monotonic()
        tokens, last = min(BURST, tokens + rate * (now - last)), now
        if tokens < 1:
            refused += 1
            page.send(Refused(_("That was too fast; wait a moment."), ""))
            continue
        tokens -= 1
        try:
            message = read_message(received.get("text") or received.get("bytes") or "")
        except BadInput as error:
            page.send(Refused(as_sentence(str(error)), ""))
            continue
        await table.handle(page, message)
    if not page.gone:
        await socket.close(1008, "too many messages")


async def _refuse_page(socket: WebSocket, reason: str) -> None:
    """Close a connection for good, and say why."""
    await socket.send_text(msgspec.json.encode(Gone(as_sentence(reason))).decode())
    await socket.close(GONE)


def _number(request: Request, name: str, most: int) -> int:
    text = request.query_params.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and int(text) <= most):
        raise BadInput(
            _("{name} must be a number from 0 to {most}, not {text}", name=name, most=most, text=f"{text!r:.40}")
        )
    return int(text)
