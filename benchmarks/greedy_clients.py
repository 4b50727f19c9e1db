"""The browser table among greedy clients: many addresses that set as many tables as they can, and open connections that are silent,
half a request or a page that never moves; and people who come in the middle of it, open a table and play. All of it is on the
loopback, the server is started here, and everything stops by itself after some seconds. The exit status is 1 where a person waited
longer than MOST for their table, or could not play on.

    python benchmarks/greedy_clients.py --clients 1000 --connections 5 --seconds 40 --people 8"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

MOST = 2.0
"""Seconds in which somebody new must have a table that is dealt."""
READY = 120.0
MOST_CLIENTS, MOST_CONNECTIONS, MOST_SECONDS = 2000, 10, 300.0
"""Bounds of what may be asked for."""
GAMES = (
    ("saboteur", "official+talk:rounds=1", "kripke-2012", 4),
    ("duel", "mcgill", "greedy-2020", 1),
    ("speed_clue", "mitchell", "advanced", 2),
)


@dataclass
class Counts:
    """What came of it."""

    connections: int = 0
    refused: int = 0
    cut: int = 0
    tables: int = 0
    tables_refused: int = 0
    opened: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def address_of(number: int) -> str:
    """The address of a greedy client: all of 127.0.0.0/8 is this machine."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


def setup_of(number: int, bots_only: bool) -> bytes:
    """A table; where nobody sits at it, artificial players play it as fast as they can."""
    game, ruleset, agent, bots = GAMES[number % len(GAMES)]
    seats = [{"kind": "agent", "agent": agent}] * (bots + bots_only)
    seats = seats if bots_only else [{"kind": "me", "name": "Ann"}, *seats]
    return json.dumps({"game": game, "ruleset": ruleset, "seats": seats, "pace": 0, "seed": number}).encode()


def post(body: bytes, port: int, length: int | None = None) -> bytes:
    """A request that sets a table."""
    head = f"POST /api/tables HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n"
    return f"{head}content-length: {len(body) if length is None else length}\r\n\r\n".encode() + body


class Greedy:
    """One client that takes what it can get until the time is over."""

    def __init__(self, number: int, port: int, connections: int, until: float, counts: Counts) -> None:
        self.number = number
        self.port = port
        self.connections = connections
        self.until = until
        self.counts = counts
        self.token = ""

    async def live(self) -> None:
        kinds = (self.tables, self.silent, self.half_a_request, self.half_a_body, self.page)
        async with asyncio.TaskGroup() as group:
            for place in range(self.connections):
                group.create_task(self.again(kinds[place % len(kinds)]))

    async def again(self, kind: Any) -> None:
        """Open one kind of connection, and another one whenever it is cut."""
        while time.monotonic() < self.until:
            with contextlib.suppress(OSError, EOFError, TimeoutError, WebSocketException, asyncio.IncompleteReadError):
                async with asyncio.timeout(max(0.0, self.until - time.monotonic())):
                    await kind()
            await asyncio.sleep(1.0)

    async def socket(self, sent: bytes) -> bytes:
        """Send something over a connection of this client's address, and hear until it ends."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address_of(self.number), 0))
        self.counts.connections += 1
        try:
            writer.write(sent)
            heard = await reader.read()
        except ConnectionError:
            heard = b""
        finally:
            writer.close()
        self.counts.refused += heard.startswith(b"HTTP/1.1 503")
        self.counts.cut += not heard
        return heard

    async def silent(self) -> None:
        await self.socket(b"")

    async def half_a_request(self) -> None:
        await self.socket(b"GET / HTTP/1.1\r\nhost: 127")

    async def half_a_body(self) -> None:
        await self.socket(post(b"{", self.port, 4000))

    async def tables(self) -> None:
        for number in range(5):
            heard = await self.socket(post(setup_of(self.number + number, number % 2 == 0), self.port))
            if b" 201 " in heard[:20]:
                self.counts.tables += 1
                self.token = json.loads(heard[heard.index(b"{") :])["link"].removeprefix("/t/")
            else:
                self.counts.tables_refused += 1

    async def page(self) -> None:
        """Open the last table that was set, and never move."""
        if not self.token:
            return
        self.counts.connections += 1
        local = (address_of(self.number), 0)
        async with connect(f"ws://127.0.0.1:{self.port}/ws/{self.token}", max_size=None, local_addr=local) as line:
            async for _ in line:
                pass


async def person(number: int, port: int, moves: int, counts: Counts) -> None:
    """Somebody at an address of their own: opens a table and plays some moves."""
    local = (f"127.0.0.{number + 10}", 0)
    began = time.perf_counter()
    try:
        async with asyncio.timeout(60):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=local)
            writer.write(post(setup_of(number, bots_only=False), port))
            heard = await reader.read()
            writer.close()
            if b" 201 " not in heard[:20]:
                counts.faults.append(f"person {number} got no table: {heard[-200:]!r}")
                return
            token = json.loads(heard[heard.index(b"{") :])["link"].removeprefix("/t/")
            async with connect(f"ws://127.0.0.1:{port}/ws/{token}", max_size=None, local_addr=local) as line:
                frame = json.loads(await line.recv())
                while not frame.get("position"):
                    frame = json.loads(await line.recv())
                counts.opened.append(time.perf_counter() - began)
                await play(line, frame, moves, counts)
    except (OSError, TimeoutError, WebSocketException) as error:
        counts.faults.append(f"person {number} could not play on: {type(error).__name__}: {error}")


async def play(line: Any, frame: dict[str, Any], moves: int, counts: Counts) -> None:
    """Play moves, each from sending it to seeing it played."""
    for _ in range(moves):
        while not (frame.get("mine") or frame.get("over")):
            frame = json.loads(await line.recv())
            if frame["type"] == "gone":
                counts.faults.append(f"a person's table is gone: {frame['reason']}")
                return
        if frame["over"]:
            return
        at, sent = frame["moves"], time.perf_counter()
        await line.send(json.dumps({"do": "play", "move": some_move(frame), "at": at}))
        while frame.get("moves", 0) <= at:
            frame = json.loads(await line.recv())
            if frame["type"] in {"gone", "refused"}:
                counts.faults.append(f"a person's move was not played: {frame['reason']}")
                return
        counts.moves.append(time.perf_counter() - sent)


def some_move(frame: dict[str, Any]) -> str:
    """A legal move."""
    position = frame["position"]
    if frame["game"] != "speed_clue":
        return str(position["moves"][frame["moves"] % len(position["moves"])]["move"])
    names = {card["card"]: card["name"] for group in position["categories"] for card in group["cards"]}
    if position["may"]["show"]:
        return f"show {names[position['may']['show'][0]]}"
    if not position["may"]["suggest"]:
        return "end"
    return f"suggest {', '.join(group['cards'][0]['name'] for group in position['categories'])}"


def serve(port: int, store: Path, options: list[str]) -> subprocess.Popen[bytes]:
    """A server that answers, with its usual limits."""
    words = ("serve", "--port", str(port), "--store", str(store), *options)
    process = subprocess.Popen([sys.executable, "-m", "molehunt", *words], stdout=subprocess.DEVNULL)
    until = time.monotonic() + READY
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(urllib.error.URLError, OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=READY).close()
            return process
        time.sleep(0.2)
    process.kill()
    raise SystemExit("the server does not answer")


async def crowd(port: int, chosen: argparse.Namespace) -> Counts:
    """The greedy, and the people who come while they are there."""
    counts = Counts()
    until = time.monotonic() + chosen.seconds
    greedy = [Greedy(number, port, chosen.connections, until, counts) for number in range(chosen.clients)]
    tasks = []
    for one in greedy:  # they come within the first seconds, and not all in one
        tasks.append(asyncio.create_task(one.live()))
        await asyncio.sleep(min(5.0, chosen.seconds / 4) / chosen.clients)
    pause = max(0.0, until - time.monotonic()) * 0.6 / chosen.people
    people = []
    for number in range(chosen.people):
        await asyncio.sleep(pause)
        people.append(asyncio.create_task(person(number, port, chosen.moves, counts)))
    await asyncio.gather(*people)
    await asyncio.gather(*tasks, return_exceptions=True)
    return counts


def report(counts: Counts, chosen: argparse.Namespace) -> int:
    slowest = max(counts.opened, default=float("nan"))
    moves = counts.moves or [float("nan")]
    rows = (
        ("greedy clients, connections that they opened", f"{chosen.clients}, {counts.connections}"),
        ("cut without a word, refused in words", f"{counts.cut}, {counts.refused}"),
        ("tables that they were given, and not given", f"{counts.tables}, {counts.tables_refused}"),
        ("people who had a table dealt", f"{len(counts.opened)} of {chosen.people}"),
        (
            "until it was dealt: median, slowest",
            f"{statistics.median(counts.opened or [slowest]):.2f} s, {slowest:.2f} s",
        ),
        (
            "their moves: number, median, slowest",
            f"{len(counts.moves)}, {statistics.median(moves):.2f} s, {max(moves):.2f} s",
        ),
    )
    for name, value in rows:
        print(f"{name:46} {value}")
    for fault in counts.faults:
        print(fault)
    if not slowest < MOST:
        print(f"somebody waited longer than {MOST:g} s for a table")
    return 1 if counts.faults or len(counts.opened) < chosen.people or not slowest < MOST else 0


def main(words: list[str] | None = None) -> int:
    options = argparse.ArgumentParser(description="The browser table among greedy clients, on this machine alone.")
    options.add_argument("--clients", type=int, default=1000, help=f"at most {MOST_CLIENTS}")
    options.add_argument("--connections", type=int, default=5, help=f"of each, at most {MOST_CONNECTIONS}")
    options.add_argument("--seconds", type=float, default=40.0, help=f"at most {MOST_SECONDS:g}")
    options.add_argument("--people", type=int, default=8)
    options.add_argument("--moves", type=int, default=5, help="how many moves each of the people makes")
    options.add_argument("--serve", default="", help="further options of the server, as '--tables 30'")
    chosen = options.parse_args(words)
    if not (1 <= chosen.clients <= MOST_CLIENTS and 1 <= chosen.connections <= MOST_CONNECTIONS):
        options.error("too many clients or connections")
    if not (1 <= chosen.seconds <= MOST_SECONDS and 1 <= chosen.people <= 200):
        options.error("too long, or too many people")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder:
        process = serve(port, Path(folder) / "tables.sqlite", chosen.serve.split())
        try:
            counts = asyncio.run(crowd(port, chosen))
            alive = process.poll() is None
        finally:
            process.kill()
            process.wait()
    if not alive:
        counts.faults.append("the server ended")
    return report(counts, chosen)


if __name__ == "__main__":
    raise SystemExit(main())
