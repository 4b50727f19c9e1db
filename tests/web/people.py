"""People at the browser table without a browser: they read frames and send messages over a line."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from molehunt.studies.people_store import PeopleStore
from molehunt.web.app import make_app
from molehunt.web.store import IN_MEMORY, Store
from molehunt.web.tables import Limits, Tables

Frame = dict[str, Any]
HERE = {"host": "127.0.0.1"}
BOTS = {"saboteur": "decision-2019", "duel": "greedy-2020", "speed_clue": "advanced"}
GAMES = tuple(BOTS)
RULES = {"saboteur": "official+talk:rounds=1", "duel": "mcgill", "speed_clue": "mitchell"}
PATIENCE = 60.0
"""Seconds that a page waits for a message before its test fails."""
GUEST = {"cups": ("six", "peeker")}
"""The ruleset and the player of the game of `web.cups`, where it is installed."""


def bots(game: str) -> int:
    """How many artificial players sit down with one person."""
    return 1 if game == "duel" else 2


def agents(name: str, count: int) -> list[Frame]:
    return [{"kind": "agent", "agent": name}] * count


def setup(game: str, bots: int = 2, friends: int = 0, **more: Any) -> Frame:
    """A table with a person Ann, friends and artificial players who move at once."""
    ruleset, bot = GUEST[game] if game in GUEST else (RULES[game], BOTS[game])
    seats = [{"kind": "me", "name": "Ann"}, *[{"kind": "friend"}] * friends, *agents(bot, bots)]
    return {"game": game, "ruleset": ruleset, "seats": seats, "pace": 0, "seed": 11} | more


@contextmanager
def server(store: Path = IN_MEMORY, people: PeopleStore | None = None, **limits: Any) -> Iterator[TestClient]:
    """The server of a store, as one talks to it; with a store of `people`, a study goes on there."""
    usual = {"rate": 1e6, "client_requests": 1e6, "client_tables": 1000, "client_pages": 1000}
    tables = Tables(Store(store), Limits(**{**usual, **limits}))
    with TestClient(make_app(tables, people=people), base_url="http://127.0.0.1") as client:
        yield client


def open_table(client: TestClient, wish: Frame) -> str:
    """Set a table; the token of the owner."""
    answer = client.post("/api/tables", json=wish)
    assert answer.status_code == 201, answer.text
    link: str = answer.json()["link"]
    return link.removeprefix("/t/")


def unpacked(page: str) -> Frame:
    """The game that a replay as one file holds."""
    packed = re.search(r'"packed": ?"([^"]+)"', page)
    assert packed
    data: Frame = json.loads(zlib.decompress(b64decode(packed[1])))
    return data


class Line:
    """A line to one page of a table: the last frame, and the letters that came."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.frame: Frame = {}
        self.log: list[str] = []
        self.letters: list[Frame] = []
        self.raw: list[str] = []

    def _message(self) -> Any:
        """What comes next over the line, as the library has it, which itself would wait for ever."""

        async def receive() -> Any:
            with anyio.fail_after(PATIENCE):
                return await self.socket._send_rx.receive()

        try:
            return self.socket.portal.call(receive)
        except TimeoutError:
            told = {key: self.frame.get(key) for key in ("phase", "moves", "you", "mine", "over")}
            pytest.fail(
                f"the page heard nothing for {PATIENCE:g} s; of its table it knows {told}, it had {len(self.letters)} "
                f"letters, the last {self.letters[-1:]}, and its log ends with {self.log[-3:]}"
            )

    def hear(self) -> Frame:
        """Hear the next message; the test fails where none comes."""
        heard = self._message()
        self.socket._raise_on_close(heard)
        text: str = heard["text"]
        self.raw.append(text)
        message: Frame = json.loads(text)
        if message["type"] == "table":
            self.frame = message
            self.log = self.log[: message["log_from"]] + [entry["text"] for entry in message["log"]]
        else:
            self.letters.append(message)
        return message

    def until(self, is_so: Callable[[Frame], Any]) -> Frame:
        """Hear until the table is so."""
        while not self.frame or not is_so(self.frame):
            self.hear()
        return self.frame

    def my_move(self) -> Frame:
        """Hear until it is this seat's move, or the game is over."""
        return self.until(lambda frame: frame["mine"] or frame["over"])

    def say(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def ask(self, **message: Any) -> Frame:
        """Say something and hear the answer to it alone."""
        heard = len(self.letters)
        self.say(**message)
        while len(self.letters) == heard:
            self.hear()
        return self.letters[-1]

    def play(self, move: str | None = None) -> None:
        """Play a move, by default some legal one, and hear that it was played, or that the game has stopped there."""
        at = self.frame["moves"]
        heard = len(self.letters)
        self.say(do="play", move=move or some_move(self.frame), at=at)
        while self.frame["moves"] <= at and not self.frame["over"]:
            self.hear()
            refused = [letter for letter in self.letters[heard:] if letter["type"] == "refused"]
            assert not refused, refused

    def play_on(self, moves: int = 10_000) -> None:
        """Play to the end, or so many moves of one's own."""
        for _ in range(moves):
            if self.my_move()["over"]:
                return
            self.play()


@contextmanager
def line(client: TestClient, token: str) -> Iterator[Line]:
    """A line to a page."""
    with client.websocket_connect(f"/ws/{token}", headers=HERE) as socket:
        yield Line(socket)


def some_move(frame: Frame) -> str:
    """A legal move, which depends on the frame alone."""
    position, turn = frame["position"], frame["moves"]
    if frame["game"] != "speed_clue":
        offered = position.get("moves") or [move for group in position["groups"] for move in group["moves"]]
        choice: str = offered[turn * 7 % len(offered)]["move"]
        return choice
    names = {card["card"]: card["name"] for group in position["categories"] for card in group["cards"]}
    may = position["may"]
    if may["show"]:
        return f"show {names[may['show'][0]]}"
    if may["end"]:
        return "end"
    if not may["suggest"]:  # nobody disproved it: in the contest one must accuse with it
        return f"accuse {', '.join(names[card] for card in position['record'][-1]['cards'])}"
    mine = [tuple(made["cards"]) for made in position["record"] if made["by"] == frame["you"]]
    groups = [[card["card"] for card in group["cards"]] for group in position["categories"]]
    last = tuple(group[turn // 3 * step % len(group)] for step, group in enumerate(groups, 1))
    # What one has suggested before may be forbidden: then the last card is another.
    others = ((*last[:2], card) for card in groups[2])
    asked = last if last not in mine else next((cards for cards in others if cards not in mine), last)
    return f"suggest {', '.join(names[card] for card in asked)}"
