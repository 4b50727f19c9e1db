"""Connections of which nothing comes are cut, nobody has all of them, and who leaves in the middle leaves no trace in the log."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import uvicorn
from websockets.asyncio.client import connect

from molehunt.console.serve import AT_A_TIME, SPARE_FILES, Serving, files_for
from molehunt.core.errors import BadInput
from molehunt.web.app import make_app
from molehunt.web.connections import REQUEST, Doorkeeper, watched
from molehunt.web.store import Store
from molehunt.web.tables import SETS_A_TABLE, TURNED_AWAY, Limits, Tables
from web.people import setup

Open = Callable[..., Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]
GET = b"GET /replay HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
SOON = 20
"""Seconds within which something comes that comes at once on an idle machine."""
POST = b"POST /api/tables HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 5000\r\n\r\n{"


@pytest.fixture(autouse=True)
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """The doorkeeper looks around more often than once a second."""
    monkeypatch.setattr("molehunt.web.connections.SWEEP", 0.1)


class House:
    """A running server with a doorkeeper, and sockets to it, from addresses of the loopback."""

    def __init__(self, port: int, door: Doorkeeper) -> None:
        self.port = port
        self.door = door
        self.writers: list[asyncio.StreamWriter] = []

    async def socket(
        self, sent: bytes = b"", address: str = "127.0.0.1"
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
        self.writers.append(writer)
        writer.write(sent)
        return reader, writer

    async def answers(self, address: str = "127.0.0.1") -> bool:
        """Whether somebody new is answered soon."""
        reader, _ = await self.socket(GET, address)
        return b"200 OK" in await asyncio.wait_for(reader.readline(), SOON)


@contextlib.asynccontextmanager
async def house(door: Doorkeeper, **limits: Any) -> AsyncIterator[House]:
    http, ws = watched(door)
    tables = Tables(Store(), Limits(**{"client_requests": 1e6, "client_tables": 1000, **limits}))
    config = uvicorn.Config(
        make_app(tables), port=0, log_level="warning", http=http, ws=ws, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - the library has no event for it
        await asyncio.sleep(0.01)
    found = House(server.servers[0].sockets[0].getsockname()[1], door)
    try:
        yield found
    finally:
        for writer in found.writers:
            writer.close()
        server.should_exit = True
        await task


async def is_cut(reader: asyncio.StreamReader, seconds: float = 5) -> bool:
    """Whether a connection ends within some seconds, whatever is sent before."""
    with contextlib.suppress(ConnectionError):
        await asyncio.wait_for(reader.read(), seconds)
    return True


@pytest.mark.parametrize("sent", [b"", b"GET /", GET[:-2], POST], ids=["silent", "a word", "no end", "half a body"])
def test_a_connection_that_sends_no_whole_request_is_cut(sent: bytes) -> None:
    async def wait() -> None:
        async with house(Doorkeeper(100, 100, 0.5)) as here:
            reader, _ = await here.socket(sent)
            assert await here.answers()
            assert await is_cut(reader)

    asyncio.run(wait())


def test_a_request_that_comes_sign_by_sign_is_cut_and_one_that_follows_an_answer_has_its_own_time() -> None:
    async def wait() -> None:
        async with house(Doorkeeper(100, 100, 2.0)) as here:
            slow, writer = await here.socket()
            for sign in b"GET / HTTP/1.1\r\nx: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy":
                writer.write(bytes([sign]))
                await asyncio.sleep(0.1)
                if slow.at_eof() or writer.is_closing():
                    break
            assert await is_cut(slow)
            steady, other = await here.socket()
            for _ in range(5):
                other.write(GET)
                assert b"200 OK" in await asyncio.wait_for(steady.readuntil(b"</html>"), SOON)
                await asyncio.sleep(0.6)

    asyncio.run(wait())


def test_silent_sockets_of_one_address_shut_nobody_out_not_even_that_address() -> None:
    async def crowd() -> None:
        async with house(Doorkeeper(60, 20, 30)) as here:
            for _ in range(50):
                await here.socket(b"", "127.0.0.9")
            assert await here.answers()
            assert await here.answers("127.0.0.9")
            assert len(here.door) <= 25
            assert here.door.cut >= 30

    asyncio.run(crowd())


def test_a_crowd_of_addresses_shuts_nobody_out() -> None:
    async def crowd() -> None:
        async with house(Doorkeeper(40, 20, 30)) as here:
            for number in range(120):
                await here.socket(POST, f"127.0.1.{number % 60 + 1}")
            for _ in range(5):
                assert await here.answers()
            assert len(here.door) <= 40

    asyncio.run(crowd())


def test_a_page_stays_open_while_others_crowd_the_door() -> None:
    async def crowd() -> None:
        async with house(Doorkeeper(30, 10, 60)) as here:
            body = json.dumps(setup("duel", 1)).encode()
            reader, _ = await here.socket(
                b"POST /api/tables HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%s"
                % (len(body), body)
            )
            answer = await reader.read()
            token = json.loads(answer[answer.index(b"{") :])["link"].removeprefix("/t/")
            async with connect(f"ws://127.0.0.1:{here.port}/ws/{token}", max_size=None) as page:
                here.door.patience = 0.5
                for number in range(200):
                    await here.socket(b"GET", f"127.0.2.{number % 50 + 1}")
                await asyncio.sleep(1)
                frame: dict[str, Any] = {"position": None, "mine": False}
                async with asyncio.timeout(60):
                    while not frame["mine"]:
                        frame = json.loads(await page.recv())
                    at = frame["moves"]
                    move = (frame["position"].get("moves") or [])[0]["move"]
                    await page.send(json.dumps({"do": "play", "move": move, "at": at}))
                    while frame["moves"] <= at:
                        frame = json.loads(await page.recv())

    asyncio.run(crowd())


def test_a_page_that_does_not_read_for_a_while_is_sent_the_latest_and_not_all_that_it_has_missed() -> None:
    async def read_late() -> None:
        async with house(Doorkeeper(30, 10, 60)) as here:
            wish = setup("saboteur", 0) | {"seats": [{"kind": "agent", "agent": "decision-2019"}] * 5}
            body = json.dumps(wish).encode()
            reader, _ = await here.socket(
                b"POST /api/tables HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%s"
                % (len(body), body)
            )
            answer = await reader.read()
            token = json.loads(answer[answer.index(b"{") :])["link"].removeprefix("/t/")
            slow = socket.socket()
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            slow.connect(("127.0.0.1", here.port))
            slow.sendall(
                f"GET /ws/{token} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: MDAwMDAwMDAwMDAwMDAwMA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            seen = 0
            async with asyncio.timeout(60), connect(f"ws://127.0.0.1:{here.port}/ws/{token}", max_size=None) as page:
                over = None
                while over is None:
                    text = await page.recv()
                    seen += len(text)
                    over = json.loads(text)["over"]
            slow.setblocking(False)
            missed = b""
            async with asyncio.timeout(20):
                while b'"winners":' not in missed:
                    missed += await asyncio.get_running_loop().sock_recv(slow, 65536)
            slow.close()
            assert len(missed) < seen / 3

    asyncio.run(read_late())


def test_a_connection_beyond_the_most_is_refused_in_words_where_nobody_gives_way() -> None:
    async def wait() -> None:
        async with house(Doorkeeper(3, 2, 30)) as here:
            body = json.dumps(setup("duel", 1)).encode()
            head = b"POST /api/tables HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
            reader, _ = await here.socket(head % len(body) + body)
            answer = await reader.read()
            token = json.loads(answer[answer.index(b"{") :])["link"].removeprefix("/t/")
            address = f"ws://127.0.0.1:{here.port}/ws/{token}"
            async with connect(address, max_size=None), connect(address, max_size=None):
                reader, _ = await here.socket(GET)
                answer = await asyncio.wait_for(reader.read(), SOON)
                assert answer.startswith(b"HTTP/1.1 503 ") and b"as many connections as it takes" in answer
                assert await here.answers("127.0.0.2")

    asyncio.run(wait())


@pytest.mark.parametrize(
    ("proxy", "addresses", "beside"),
    [
        ("::1", ["::1"], "::2"),
        ("2001:DB8::1", ["2001:db8::1"], "2001:db8::2"),
        ("127.0.0.1", ["127.0.0.1", "::ffff:127.0.0.1"], "127.0.0.2"),
        ("172.18.0.0/16", ["172.18.0.2", "::ffff:172.18.7.1"], "172.19.0.2"),
        ("fd00:7::/32", ["fd00:7:1::1"], "fd00:8::1"),
    ],
)
def test_a_proxy_holds_as_many_connections_as_it_needs_and_who_comes_from_beside_it_does_not(
    proxy: str, addresses: list[str], beside: str
) -> None:
    async def come() -> None:
        door = Doorkeeper(100, 2, 30, shared=frozenset({proxy}))
        for address, most in (*((address, 10) for address in addresses), (beside, 2)):
            lines = [Line(address) for _ in range(10)]
            for line in lines:
                door.admit(line, lambda: REQUEST)
            assert 10 - sum(line.aborted for line in lines) == most

    asyncio.run(come())


class Line(asyncio.Transport):
    """A connection from an address."""

    aborted = False

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1)})

    def abort(self) -> None:
        self.aborted = True


def test_who_has_to_wait_is_told_before_a_request_is_read_and_others_are_not() -> None:
    async def ask() -> None:
        door = Doorkeeper(100, 100, 30, shared=frozenset({"127.0.0.9"}))
        door.turns_away = lambda client, request: TURNED_AWAY if request.startswith(SETS_A_TABLE) else None
        async with house(door) as here:
            reader, _ = await here.socket(POST)  # half a body: its end is not waited for
            told = await asyncio.wait_for(reader.read(), SOON)
            head, _, body = told.partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 429 ") and b"content-length: %d" % len(body) in head
            assert "has to wait a moment" in json.loads(body)["error"]
            assert len(door) == 0 or await here.answers()
            assert await here.answers()  # another request of the same address
            whole = POST.replace(b"content-length: 5000", b"content-length: 1\r\nconnection: close")
            through_a_proxy, _ = await here.socket(whole, "127.0.0.9")
            assert (await asyncio.wait_for(through_a_proxy.readline(), SOON)).startswith(b"HTTP/1.1 400 ")

    asyncio.run(ask())


def test_a_request_that_is_under_way_is_not_taken_for_a_new_one() -> None:
    async def ask() -> None:
        door = Doorkeeper(100, 100, 30)
        door.turns_away = lambda client, request: TURNED_AWAY if request.startswith(SETS_A_TABLE) else None
        async with house(door) as here:
            body = SETS_A_TABLE * 3
            head = b"POST /api/replay HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: %d\r\n\r\n" % (2 + len(body))
            reader, writer = await here.socket(head + b"{}")
            await asyncio.sleep(0.2)
            writer.write(body)
            assert (await asyncio.wait_for(reader.readline(), SOON)).startswith(b"HTTP/1.1 400 ")
            assert door.cut == 0

    asyncio.run(ask())


def test_only_wishes_for_tables_of_those_who_have_to_wait_are_turned_away() -> None:
    store = Store()
    tables = Tables(store, Limits())
    tables.turns = type("Busy", (), {"waiting": 1000})()
    for _ in range(3):
        assert tables.turned_away("192.0.2.1", POST) is None
        tables.clients.wishes_for_a_table(tables.clients.key("192.0.2.1"))
    assert tables.turned_away("192.0.2.1", POST) == TURNED_AWAY
    assert tables.turned_away("192.0.2.1", GET) is None
    assert tables.turned_away("192.0.2.2", POST) is None
    assert tables.clients.wished_lately(tables.clients.key("192.0.2.1")) == pytest.approx(4, abs=0.2)
    store.close()


def test_who_leaves_in_the_middle_of_a_request_leaves_no_traceback(caplog: pytest.LogCaptureFixture) -> None:
    async def leave() -> None:
        async with house(Doorkeeper(100, 100, 30)) as here:
            for path in (b"/api/tables", b"/api/replay", b"/api/adviser"):
                _, writer = await here.socket(POST.replace(b"/api/tables", path))
                await writer.drain()
                await asyncio.sleep(0.1)
                writer.close()
                await writer.wait_closed()
            await asyncio.sleep(0.3)
            assert await here.answers()

    with caplog.at_level(logging.WARNING):
        asyncio.run(leave())
    assert not caplog.records


def test_a_page_that_asks_for_much_and_breaks_off_leaves_no_trace_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def leave() -> None:
        async with house(Doorkeeper(100, 100, 30)) as here:
            body = json.dumps(setup("duel", 1)).encode()
            head = b"POST /api/tables HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
            answer = await (await here.socket(head % len(body) + body))[0].read()
            token = json.loads(answer[answer.index(b"{") :])["link"].removeprefix("/t/")
            async with connect(f"ws://127.0.0.1:{here.port}/ws/{token}", max_size=None) as page:
                await page.recv()
                transport = page.transport
                at_once = struct.pack("ii", 1, 0)  # its end is a reset: what is sent to it then fails
                transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
                transport.write(b"\x81\x82\0\0\0\0{}" * 20)  # twenty messages that are refused
                transport.abort()
                await asyncio.sleep(0.5)
            assert await here.answers()

    with caplog.at_level(logging.WARNING):
        asyncio.run(leave())
    assert not caplog.records


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"client_tables": 0}, "--client-tables must be 1 to 100000, not 0"),
        ({"connections": 3}, "--connections must be 10 to 100000, not 3"),
        ({"request_seconds": 0}, "--request-seconds must be 1 to 3600, not 0"),
        ({"new_minutes": 0}, "--new-minutes must be 1 to "),
        ({"rehearsal": True}, "--rehearsal is of a study with people: add --people STORE"),
        ({"proxy": "nginx"}, "as 127.0.0.1, .*, as 172.18.0.0/16, or several with commas between, not 'nginx'"),
        ({"proxy": "::1,172.18.0.5/16"}, "as 127.0.0.1, .*, or several with commas between, not '172.18.0.5/16'"),
    ],
)
def test_settings_out_of_range_are_refused(change: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        Serving(**change).check()


def test_a_server_takes_no_more_connections_than_it_may_have_files_open_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import resource

    monkeypatch.setattr(resource, "getrlimit", lambda _: (SPARE_FILES + 300, SPARE_FILES + 300))
    monkeypatch.setattr(resource, "setrlimit", lambda *_: None)
    assert [files_for(200), files_for(2000)] == [200, 300]
    assert "it takes 300 connections, not 2000" in " ".join(capsys.readouterr().err.split())
    assert AT_A_TIME < SPARE_FILES
    monkeypatch.setattr(resource, "getrlimit", lambda _: (64, 64))
    with pytest.raises(BadInput, match=r"may have 64 files open, .*: raise the limit \(ulimit -n"):
        files_for(2000)


def test_what_a_request_says_of_its_origin_is_believed_of_named_proxies_alone() -> None:
    assert Serving(proxy="127.0.0.1, ::1").proxies == {"127.0.0.1", "::1"}
    assert Serving().proxies == frozenset()
