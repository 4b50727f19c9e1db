"""Nobody fills the house: what one address may have, what gives way where a server is full, and that others still play."""

from __future__ import annotations

import asyncio
import logging
import socket
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient
from starlette.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from molehunt.agents.registry import Agents
from molehunt.console.serve import Serving, _listen, addresses, limits_of, serve
from molehunt.core.errors import BadInput
from molehunt.games.registry import make_game
from molehunt.table.session import Session, Sitter
from molehunt.web.app import make_app
from molehunt.web.clients import MOST_KNOWN, Allowance, Clients, network_of
from molehunt.web.store import NEW, Store
from molehunt.web.strain import Strain
from molehunt.web.tables import Tables
from web.people import Frame, Line, line, open_table, server, setup

OWN = setup("duel", 1)


def from_address(client: TestClient, address: str) -> TestClient:
    """The same server, as somebody at another address reaches it."""
    other = TestClient(client.app, base_url="http://127.0.0.1", client=(address, 5000))
    other.portal = client.portal  # the event loop in which the server runs
    return other


def tables_of(client: TestClient) -> Any:
    return client.app.app.state.tables  # type: ignore[attr-defined]


def refused(client: TestClient, wish: Frame = OWN) -> str:
    answer = client.post("/api/tables", json=wish)
    assert answer.status_code in {400, 429}, answer.text
    error: str = answer.json()["error"]
    return error


def play_one_move(client: TestClient, token: str) -> None:
    with line(client, token) as ann:
        ann.play_on(1)


# --- What one address may have ---------------------------------------------------------------------------------------


def test_an_address_has_so_many_tables_in_play_and_another_address_has_its_own() -> None:
    with server(client_tables=3) as client:
        for _ in range(3):
            play_one_move(client, open_table(client, OWN))
        tables_of(client).clients._known.clear()  # as after ten minutes
        assert "3 tables from your address are in play" in refused(client)
        other = from_address(client, "192.0.2.7")
        play_one_move(other, open_table(other, OWN))


def test_own_tables_give_way_that_are_over_and_those_at_which_nobody_ever_moved() -> None:
    with server(client_tables=2) as client:
        played = open_table(client, OWN)
        play_one_move(client, played)
        unused = open_table(client, OWN)
        tables_of(client).clients._known.clear()
        fresh = open_table(client, OWN)
        assert client.get(f"/t/{unused}").status_code == 404
        assert client.get(f"/t/{played}").status_code == client.get(f"/t/{fresh}").status_code == 200


def test_an_address_may_not_set_table_after_table() -> None:
    with server(client_tables=5) as client:
        for _ in range(5):
            open_table(client, OWN)
        assert "has to wait a minute" in refused(client)
        assert tables_of(client).store.count_tables() == 5


def test_who_asks_too_often_is_told_to_wait_and_others_are_answered() -> None:
    with server(client_requests=2) as client:
        answers = [client.get("/replay").status_code for _ in range(30)]
        assert set(answers) == {200, 429} and answers[:10] == [200] * 10
        assert from_address(client, "192.0.2.7").get("/replay").status_code == 200


def test_an_address_has_so_many_pages_open() -> None:
    with server(client_pages=2) as client:
        token = open_table(client, OWN)
        with line(client, token) as one, line(client, token) as two:
            assert one.hear()["type"] == two.hear()["type"] == "table"
            with line(client, token) as three:
                assert "too many pages are open from your address" in three.hear()["reason"].lower()
        with line(client, token) as again:
            assert again.hear()["type"] == "table"


def test_watchers_give_way_to_who_sits_at_the_table() -> None:
    with server(pages=2) as client:
        token = open_table(client, OWN)
        with line(client, token) as ann:
            watch = ann.until(lambda frame: frame["watch_link"])["watch_link"].removeprefix("/t/")
        with line(client, watch) as eve, line(client, watch) as eva:
            assert eve.hear()["you"] is eva.hear()["you"] is None
            with line(client, watch) as third:
                assert third.hear()["type"] == "gone"
            with line(client, token) as ann:
                assert ann.until(lambda frame: frame["position"])["you"] == 0
            gone = [letter for page in (eve, eva) for letter in _letters(page)]
            assert [letter["type"] for letter in gone] == ["gone"]
            assert "needed this place" in gone[0]["reason"]


def test_who_comes_late_to_a_seat_that_an_artificial_player_has_taken_takes_no_place_of_a_watcher() -> None:
    with server(pages=2) as client:
        token = open_table(client, setup("saboteur", bots=1, friends=1))
        with line(client, token) as ann:
            ann.until(lambda frame: "start" in frame["can"])
            late, watch = (
                link.removeprefix("/t/") for link in (ann.frame["seats"][1]["link"], ann.frame["watch_link"])
            )
            ann.say(do="start")
            ann.until(lambda frame: frame["position"])
            with line(client, watch) as eve, line(client, late) as ben:
                assert eve.hear()["you"] is None
                assert ben.hear()["type"] == "gone"


def _letters(page: Line) -> list[Frame]:
    """What a page was told before its line ended or went quiet: at most one letter here."""
    while not page.letters and not (page.frame["seats"][0]["here"] and page.frame["watchers"] == 1):
        page.hear()
    return page.letters


# --- Where the server is full ----------------------------------------------------------------------------------------


def test_a_full_server_makes_room_for_somebody_new_by_the_tables_of_who_has_most() -> None:
    with server(tables=4) as client:
        greedy, modest, new = (from_address(client, f"192.0.2.{number}") for number in (1, 2, 3))
        kept = open_table(modest, OWN)
        taken = [open_table(greedy, OWN) for _ in range(3)]
        fresh = open_table(new, OWN)
        assert [client.get(f"/t/{token}").status_code for token in (kept, fresh)] == [200, 200]
        assert [client.get(f"/t/{token}").status_code for token in taken] == [404, 200, 200]


def test_a_page_of_a_table_that_gives_way_is_told() -> None:
    with server(tables=3) as client:
        greedy, new = from_address(client, "192.0.2.1"), from_address(client, "192.0.2.2")
        tokens = [open_table(greedy, OWN) for _ in range(3)]
        with line(greedy, tokens[0]) as one, line(greedy, tokens[1]) as two, line(greedy, tokens[2]) as three:
            for page in (one, two, three):
                page.until(lambda frame: frame["position"])
            open_table(new, OWN)
            while not one.letters:
                one.hear()
            assert one.letters[0] == {"type": "gone", "reason": "The table was cleared away."}


def test_a_game_that_is_played_never_gives_way_and_then_a_full_server_says_so() -> None:
    with server(tables=2) as client:
        one, two, new = (from_address(client, f"192.0.2.{number}") for number in (1, 2, 3))
        tokens = [open_table(one, OWN), open_table(two, OWN)]
        for somebody, token in zip((one, two), tokens, strict=True):
            play_one_move(somebody, token)
        assert "all 2 tables of this server are taken" in refused(new).lower()
        assert [client.get(f"/t/{token}").status_code for token in tokens] == [200, 200]


def test_the_replays_of_who_has_most_give_way() -> None:
    with server(replays=3) as client:
        tables = tables_of(client)
        record = _record(client)
        store = tables.store
        for number, owner in enumerate(("greedy", "greedy", "ann")):
            store.add_replay(f"r{number}", record, b"[]", owner)
        store._db.execute("delete from replays where id not like 'r_'")
        name = client.post("/api/replay", content=record).json()["link"].removeprefix("/replay/")
        kept = [row[0] for row in store._db.execute("select id from replays order by id")]
        assert kept == sorted(["r1", "r2", name])


@pytest.mark.parametrize("any_player", [True, False])
def test_where_others_come_nobody_thinks_again_for_as_long_as_a_record_says(any_player: bool) -> None:
    specs = ("decision-2019:d_b=3.0", "decision-2019:as_printed", "random", "decision-2019")
    sitters = [Sitter(f"P{seat}", Agents("saboteur").make(spec)) for seat, spec in enumerate(specs)]
    session = Session(make_game("saboteur", "krisnadi", len(specs)), sitters, 1)
    while session.step():
        pass
    with server(any_player=any_player) as client:
        tables = tables_of(client)
        name = tables.replays.keep_record(session.record())
        shown = tables.replays.thought(name).sitters
        assert [sitter.agent is not None for sitter in shown] == [any_player, True, True, True]
        assert client.get(f"/replay/{name}").status_code == 200
    assert limits_of(Serving()).any_player and limits_of(Serving(host="::1")).any_player
    assert not limits_of(Serving(host="192.0.2.1")).any_player and not limits_of(Serving(proxy="10.0.0.1")).any_player


@pytest.mark.parametrize(
    ("host", "here", "share"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000", None),
        ("127.0.0.2", "http://127.0.0.2:8000", None),
        ("localhost", "http://localhost:8000", None),
        ("::1", "http://[::1]:8000", None),
        ("192.0.2.1", "http://192.0.2.1:8000", "http://192.0.2.1:8000"),
        ("2001:db8::1", "http://[2001:db8::1]:8000", "http://[2001:db8::1]:8000"),
    ],
)
def test_where_a_server_is_reached_is_told_as_a_browser_takes_it(host: str, here: str, share: str | None) -> None:
    assert addresses(host, 8000) == (here, share)


def _record(client: TestClient) -> bytes:
    with line(client, open_table(client, OWN)) as ann:
        ann.play_on()
        content: bytes = client.get(f"{ann.frame['over']['replay']}/record").content
    return content


def test_where_a_port_is_taken_another_one_is_offered() -> None:
    with _listen("127.0.0.1", 0) as taken, pytest.raises(BadInput, match="--port 0 takes a free one"):
        _listen("127.0.0.1", taken.getsockname()[1])


def test_where_much_is_to_be_thought_only_newcomers_set_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    with server(client_tables=20) as client:
        greedy, new = from_address(client, "192.0.2.1"), from_address(client, "192.0.2.2")
        for _ in range(4):
            open_table(greedy, OWN)
        monkeypatch.setattr("molehunt.web.turns.Turns.waiting", 1000)
        assert "much to do" in refused(greedy)
        open_table(new, OWN)


def test_a_crowd_that_keeps_the_server_late_waits_and_somebody_new_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    with server(client_tables=20) as client:
        one, few, new = (from_address(client, f"192.0.2.{number}") for number in (1, 2, 3))
        tables = tables_of(client)
        open_table(one, OWN)
        for _ in range(3):
            open_table(few, OWN)
        tables.strain.stop()
        tables.strain.seconds = 1.0
        open_table(few, OWN)  # with few tables it is the machine that is slow
        monkeypatch.setattr("molehunt.web.tables.MANY", 3)
        assert "much to do" in refused(few) and "much to do" in refused(one)
        open_table(new, OWN)
        tables.strain.seconds = 0.2
        open_table(one, OWN)
        assert "much to do" in refused(few)
        tables.strain.seconds = 0.0
        open_table(few, OWN)


def test_who_keeps_on_asking_counts_as_one_who_has_more_and_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    with server(tables=2, client_tables=20) as client:
        greedy, modest, new = (from_address(client, f"192.0.2.{number}") for number in (1, 2, 3))
        kept, taken = open_table(modest, OWN), open_table(greedy, OWN)
        assert "all 2 tables of this server are taken" in refused(new).lower()  # each has one
        monkeypatch.setattr("molehunt.web.turns.Turns.waiting", 1000)
        for _ in range(5):
            greedy.post("/api/tables", json=OWN)
        monkeypatch.setattr("molehunt.web.tables.FIRM", 0.0)
        tables_of(client)._firm_until = 0.0
        open_table(new, OWN)
        assert [client.get(f"/t/{token}").status_code for token in (kept, taken)] == [200, 404]


def test_where_no_table_gave_way_none_is_looked_for_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with server(tables=1, client_tables=20) as client:
        tables = tables_of(client)
        open_table(from_address(client, "192.0.2.1"), OWN)
        looked: list[float] = []
        look = tables._least_needed

        def noted(mine: int, before: float) -> Any:
            looked.append(mine)
            return look(mine, before)

        monkeypatch.setattr(tables, "_least_needed", noted)
        for number in (2, 3, 4):
            assert "are taken" in refused(from_address(client, f"192.0.2.{number}"))
        assert len(looked) == 1
        tables._firm_until = 0.0
        assert "are taken" in refused(from_address(client, "192.0.2.5"))
        assert len(looked) == 2


def test_strain_is_a_delay_that_fades() -> None:
    strain = Strain()
    strain.note(1.0)
    strain.note(0.1)
    assert strain.seconds == pytest.approx(0.8)
    for _ in range(20):
        strain.note(0.0)
    assert strain.seconds < 0.01


def test_a_loop_that_is_held_up_is_under_strain() -> None:
    async def hold_up() -> float:
        strain = Strain()
        strain.start()
        await asyncio.sleep(0.01)
        time.sleep(0.5)  # noqa: ASYNC251 - this is what is tested
        await asyncio.sleep(0.01)
        strain.stop()
        return strain.seconds

    assert asyncio.run(hold_up()) > 0.3


# --- Short lives ------------------------------------------------------------------------------------------------------


def test_a_table_at_which_nobody_moved_goes_soon_and_one_that_was_begun_stays() -> None:
    with server(new_minutes=10) as client:
        tables = tables_of(client)
        begun, unused = open_table(client, OWN), open_table(client, OWN)
        play_one_move(client, begun)
        tables.store._db.execute("update tables set touched = ?", (time.time() - 700,))
        for name in list(tables._tables):
            tables._unload(name)
        tables.clear_idle()
        assert client.get(f"/t/{begun}").status_code == 200
        assert client.get(f"/t/{unused}").status_code == 404


def test_a_table_of_friends_waits_for_them_as_long_as_its_page_is_open() -> None:
    with server(new_minutes=10) as client:
        tables = tables_of(client)
        token = open_table(client, setup("duel", bots=0, friends=1))
        with line(client, token) as ann:
            ann.hear()
            tables.store._db.execute("update tables set touched = ?", (time.time() - 700,))
            tables.clear_idle()
            assert client.get(f"/t/{token}").status_code == 200


@pytest.mark.parametrize("days", [-30, 30])
def test_a_clock_that_is_set_takes_no_table_and_leaves_none_for_longer(
    days: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a machine that has no clock of its own, and learns the time from the network when the server runs already."""
    with server(keep_hours=72) as client:
        tables = tables_of(client)
        begun, old = open_table(client, OWN), open_table(client, OWN)
        for token in (begun, old):
            play_one_move(client, token)
        (name,) = (tables.store.table_of(old),)
        tables.store._db.execute("update tables set touched = touched - ? where id = ?", (80 * 3600, name))
        for each in list(tables._tables):
            tables._unload(each)
        now = time.time
        monkeypatch.setattr(time, "time", lambda: now() + days * 86_400)
        tables.clear_idle()
        assert client.get(f"/t/{begun}").status_code == 200
        assert client.get(f"/t/{old}").status_code == 404
        monkeypatch.undo()
        tables.clear_idle()
        assert client.get(f"/t/{begun}").status_code == 200


def test_a_store_of_the_version_before_is_taken_up_and_its_tables_count_as_begun(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    with sqlite3.connect(path) as db:
        db.executescript(
            """
            create table tables (id text primary key, setup blob not null, state blob not null, touched real not null);
            create table links (token text primary key, table_id text not null, seat integer, owner integer not null);
            create table moves (table_id text not null, number integer not null, move text not null,
              primary key (table_id, number)) without rowid;
            create table replays (id text primary key, record blob not null, names blob not null, touched real not null);
            insert into tables values ('old', '{}', '{}', 5.0);
            pragma user_version = 1;
            """
        )
    db.close()
    store = Store(path)
    (kept,) = store.holdings()
    assert (kept.id, kept.client) == ("old", "") and kept.stage != NEW
    assert store.drop_idle(4.0, 1e12) == [] and store.drop_idle(6.0, 6.0) == ["old"]
    store.close()


# --- Clients ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2001:db8::1", "2001:db8::ffff", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("testclient", "testclient", True),
    ],
)
def test_a_client_is_an_address_or_the_network_of_one(one: str, other: str, same: bool) -> None:
    assert (network_of(one) == network_of(other)) == same
    clients = Clients(1.0, 1)
    assert (clients.key(one) == clients.key(other)) == same
    assert one not in clients.key(one)


def test_an_allowance_is_used_up_and_comes_back_with_time() -> None:
    allowed = Allowance(3.0, 0.5, 0.0)
    assert [allowed.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert [allowed.take(2.0), allowed.take(2.0)] == [True, False]
    assert [allowed.take(1000.0) for _ in range(4)] == [True, True, True, False]


def test_clients_that_ask_for_nothing_are_forgotten() -> None:
    now = [0.0]
    clients = Clients(1.0, 1, lambda: now[0])
    for number in range(3 * MOST_KNOWN):
        now[0] += 0.01
        assert clients.may_ask(str(number))
    assert len(clients._known) <= MOST_KNOWN


def ends_at_once(server: Any, sockets: list[socket.socket]) -> None:
    """What a server does that is stopped before anybody comes."""
    server.config.app.app.state.tables.store.close()
    for each in sockets:
        each.close()


@pytest.fixture
def ending(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers end at once."""
    monkeypatch.setattr("uvicorn.Server.run", ends_at_once)
    monkeypatch.setattr("molehunt.console.serve._make_ready", lambda: None)
    monkeypatch.setattr("sys.setswitchinterval", lambda _: None)


def test_a_server_tells_where_tables_are_kept_whatever_the_folder_is_called(
    tmp_path: Path, ending: None, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "[red]" / "[" / "x]" / "tables.sqlite"
    assert serve(Serving(port=0, store=store)) == 0
    assert str(store) in "".join(capsys.readouterr().out.split("\n"))


def test_behind_a_proxy_pages_name_the_address_by_which_they_were_opened(
    tmp_path: Path, ending: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told: list[str | None] = []

    def made(tables: Tables, loopback: bool, share: str | None, *others: Any) -> ASGIApp:
        told.append(share)
        return make_app(tables, loopback, share, *others)

    monkeypatch.setattr("molehunt.web.app.make_app", made)
    for proxy in ("", "172.18.0.2"):
        assert serve(Serving(host="0.0.0.0", port=0, store=tmp_path / "tables.sqlite", proxy=proxy)) == 0  # noqa: S104
    assert told[0] is not None and told[1] is None
    assert "reach it through the proxy (172.18.0.2)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("proxy", "peer"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.1", "::ffff:127.0.0.1"),
        ("::1", "::1"),
        ("2001:DB8:0::1", "2001:db8::1"),
        ("172.18.0.0/16", "172.18.3.4"),
        ("172.18.0.0/16", "::ffff:172.18.3.4"),
        ("2001:db8:1::/48", "2001:db8:1::9"),
    ],
)
def test_a_proxy_is_known_by_each_form_of_its_address_and_another_machine_beside_it_is_not(
    proxy: str, peer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: None
) -> None:
    asked = []

    async def note(scope: Any, _receive: Any, _send: Any) -> None:
        asked.append((scope["client"][0], scope["scheme"]))

    def ask(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        trusted = server.config.forwarded_allow_ips
        assert trusted is not None
        headers = [(b"x-forwarded-for", b"192.0.2.7"), (b"x-forwarded-proto", b"https")]
        for client in (peer, "2001:db8::2"):
            scope: Any = {"type": "http", "client": (client, 1), "scheme": "http", "headers": headers}
            asyncio.run(ProxyHeadersMiddleware(note, trusted)(scope, None, None))  # type: ignore[arg-type]
        ends_at_once(server, sockets)

    monkeypatch.setattr("uvicorn.Server.run", ask)
    assert serve(Serving(port=0, store=tmp_path / "tables.sqlite", proxy=proxy)) == 0
    assert asked == [("192.0.2.7", "https"), ("2001:db8::2", "http")]


def test_who_sends_what_is_no_request_writes_nothing_into_the_log(tmp_path: Path, ending: None) -> None:
    assert serve(Serving(port=0, store=tmp_path / "tables.sqlite")) == 0
    log = logging.getLogger("uvicorn.error")  # in which the server says "Invalid HTTP request received."
    assert log.isEnabledFor(logging.ERROR) and not log.isEnabledFor(logging.WARNING)


def test_a_server_tells_all_of_its_address(
    tmp_path: Path, ending: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("molehunt.console.serve._listen", lambda *_: _listen("127.0.0.1", 0))
    assert serve(Serving(host="fd00::5", store=tmp_path / "tables.sqlite")) == 0
    assert "reach it at http://[fd00::5]:" in capsys.readouterr().out
